//! An independent implementation of [`crate::phases::order`], for the tests: on rows and columns, with sets and whole
//! flood fills.
//!
//! It is slow and simple on purpose and shares no code with the engine, so that the two can be compared. The tests of
//! [`crate::phases::search`] have the same for the search.

use crate::phases::order::OrderOptions;
use lurd_rules::feature::board::FeatureBoard;
use std::collections::{BTreeMap, BTreeSet, HashSet, VecDeque};

/// Row and column.
pub(super) type Coord = (usize, usize);
pub(super) type Coords = BTreeSet<Coord>;

/// A target, and for a parking place the stage in which the box goes home.
pub(super) type CoordTarget = (Coord, Option<usize>);

/// Left, right, up, down.
pub(super) const STEPS: [(isize, isize); 4] = [(0, -1), (0, 1), (-1, 0), (1, 0)];

/// A level on rows and columns.
pub(super) struct ReferenceLevel {
    pub(super) floor: Coords,
    pub(super) goals: Coords,
    pub(super) starts: Coords,
    pub(super) player: Coord,
    /// Pushes of a lone box to each square, from every square.
    to: BTreeMap<Coord, BTreeMap<Coord, i32>>,
    /// Squares that a box reaches from some start square and from which it reaches some goal.
    live: Coords,
}

/// What is left of the solved board.
#[derive(Clone)]
struct Remainder {
    goals: Coords,
    /// Parked boxes and the phases that parked them.
    parked: Vec<(Coord, usize)>,
    unused: Coords,
    unseen: Coords,
    player: Coord,
    phases: Vec<Vec<CoordTarget>>,
}

impl Remainder {
    fn boxes(&self) -> Coords {
        self.goals.iter().copied().chain(self.parked.iter().map(|&(square, _)| square)).collect()
    }
}

/// The state of the search for an order.
#[derive(Default)]
struct Attempts {
    known: HashSet<(Coords, Coords, Coords, Coords)>,
    deepest: Option<Remainder>,
}

impl ReferenceLevel {
    pub(super) fn new(board: &FeatureBoard) -> Self {
        let coord = |&square: &u16| board.board().place(square);
        let open = |square: &u16| board.bare()[usize::from(*square)] == 0;
        let mut level = Self {
            floor: (0..board.len() as u16).filter(open).map(|square| coord(&square)).collect(),
            goals: board.goals().iter().map(coord).collect(),
            starts: board.starts().iter().map(coord).collect(),
            player: coord(&board.player()),
            to: BTreeMap::new(),
            live: Coords::new(),
        };
        level.to = level.floor.iter().map(|&target| (target, level.pushes_to(target, &Coords::new()))).collect();
        let goes = |&square: &Coord| level.to_goal(square).is_some();
        let came = |square: &Coord| level.starts.iter().any(|start| level.to[square].contains_key(start));
        level.live = level.floor.iter().copied().filter(|square| goes(square) && came(square)).collect();
        level
    }

    pub(super) fn beside(&self, (row, column): Coord, direction: usize) -> Option<Coord> {
        let (down, right) = STEPS[direction];
        let square = (row.checked_add_signed(down)?, column.checked_add_signed(right)?);
        self.floor.contains(&square).then_some(square)
    }

    fn sides(&self, square: Coord) -> impl Iterator<Item = Coord> + '_ {
        (0..4).filter_map(move |direction| self.beside(square, direction))
    }

    /// The squares that can be walked to.
    pub(super) fn zone(&self, solid: &Coords, from: Coord) -> Coords {
        let mut zone = Coords::from([from]);
        let mut rest = vec![from];
        while let Some(square) = rest.pop() {
            for next in self.sides(square) {
                if !solid.contains(&next) && zone.insert(next) {
                    rest.push(next);
                }
            }
        }
        zone
    }

    /// Every end of the pulls of one box and the player, nearest first, once for each zone of the player.
    fn pull_ends(&self, others: &Coords, first: Vec<(Coord, Coords)>) -> Vec<(Coord, Coord, usize)> {
        let mut known: HashSet<(Coord, Coords)> = first.iter().cloned().collect();
        let mut queue: VecDeque<(Coord, Coords, usize)> =
            first.into_iter().map(|(square, zone)| (square, zone, 0)).collect();
        let mut ends = Vec::new();
        while let Some((square, zone, pulls)) = queue.pop_front() {
            for direction in 0..4 {
                let Some(to) = self.beside(square, direction).filter(|to| zone.contains(to)) else { continue };
                let Some(player) = self.beside(to, direction).filter(|back| !others.contains(back)) else { continue };
                let after = self.zone(&others.iter().copied().chain([to]).collect(), player);
                if known.insert((to, after.clone())) {
                    ends.push((to, player, pulls + 1));
                    queue.push_back((to, after, pulls + 1));
                }
            }
        }
        ends
    }

    /// The ends of the pulls of the box on `from`, and of the player.
    fn pulls(&self, boxes: &Coords, player: Coord, from: Coord) -> Vec<(Coord, Coord)> {
        let others: Coords = boxes.iter().copied().filter(|&square| square != from).collect();
        let ends = self.pull_ends(&others, vec![(from, self.zone(boxes, player))]);
        ends.into_iter().map(|(to, player, _)| (to, player)).collect()
    }

    /// Pushes of a lone box to a target among walls, the player on any side.
    pub(super) fn pushes_to(&self, target: Coord, walls: &Coords) -> BTreeMap<Coord, i32> {
        let solid: Coords = walls.iter().copied().chain([target]).collect();
        let mut first: Vec<(Coord, Coords)> = Vec::new();
        for side in self.sides(target).filter(|side| !walls.contains(side)) {
            let zone = self.zone(&solid, side);
            if !first.iter().any(|(_, known)| *known == zone) {
                first.push((target, zone));
            }
        }
        let mut least = BTreeMap::from([(target, 0)]);
        for (square, _, pushes) in self.pull_ends(walls, first) {
            least.entry(square).or_insert(pushes as i32);
        }
        least
    }

    pub(super) fn to_goal(&self, square: Coord) -> Option<i32> {
        self.goals.iter().filter_map(|goal| self.to[goal].get(&square)).min().copied()
    }

    /// Whether a square lies between two walls, or the floor falls apart without it.
    fn is_passage(&self, square: Coord) -> bool {
        let sides: Vec<Coord> = self.sides(square).collect();
        let narrow = |axis: usize| self.beside(square, axis).is_none() && self.beside(square, axis + 1).is_none();
        let falls_apart = || {
            let zone = self.zone(&Coords::from([square]), sides[0]);
            sides.iter().any(|side| !zone.contains(side))
        };
        narrow(0) || narrow(2) || falls_apart()
    }

    fn is_corner(&self, square: Coord) -> bool {
        let wall = |direction: usize| self.beside(square, direction).is_none();
        (wall(0) || wall(1)) && (wall(2) || wall(3))
    }

    /// The stages, first to fill first.
    pub(super) fn stages(&self, options: OrderOptions) -> Option<Vec<Vec<CoordTarget>>> {
        let mut attempts = Attempts::default();
        let mut tried = Coords::new();
        let mut phases = None;
        for player in std::iter::once(self.player).chain(self.floor.iter().copied()) {
            if self.goals.contains(&player) || tried.contains(&player) || phases.is_some() {
                continue;
            }
            tried.extend(self.zone(&self.goals, player));
            let left = Remainder {
                goals: self.goals.clone(),
                parked: Vec::new(),
                unused: self.starts.clone(),
                unseen: if options.sees_all { &self.starts - &self.goals } else { Coords::new() },
                player,
                phases: Vec::new(),
            };
            phases = self.take_apart(options, left, &mut attempts);
        }
        let phases = phases.or_else(|| self.fall_back(attempts.deepest?))?;
        let last = phases.len() - 1;
        let turned = |phase: &Vec<CoordTarget>| {
            phase.iter().map(|&(square, home)| (square, home.map(|home| last - home))).collect()
        };
        Some(phases.iter().rev().map(turned).collect())
    }

    /// Removes phase after phase; where no box can leave, every box that can be parked is tried.
    fn take_apart(
        &self,
        options: OrderOptions,
        mut left: Remainder,
        attempts: &mut Attempts,
    ) -> Option<Vec<Vec<CoordTarget>>> {
        loop {
            let boxes = left.boxes();
            if boxes.is_empty() {
                return Some(left.phases);
            }
            let zone = self.zone(&boxes, left.player);
            let parked = left.parked.iter().map(|&(square, _)| square).collect();
            if !attempts.known.insert((boxes.clone(), parked, left.unused.clone(), zone.clone())) {
                return None;
            }
            let sees = |square| zone.contains(&square) || self.sides(square).any(|side| zone.contains(&side));
            left.unseen.retain(|&square| !sees(square));
            if attempts.deepest.as_ref().is_none_or(|deepest| boxes.len() < deepest.boxes().len()) {
                attempts.deepest = Some(left.clone());
            }
            let parks = !left.goals.is_empty();
            let list: Vec<Coord> = match parks {
                true => left.goals.iter().copied().collect(),
                false => left.parked.iter().map(|&(square, _)| square).collect(),
            };
            let (mut leaving, mut parkings) = (Vec::new(), Vec::new());
            for from in list {
                let ends = self.pulls(&boxes, left.player, from);
                let starts = self.ways_out(&left, from, &ends);
                let covered: Coords = ends.iter().map(|&(to, _)| to).collect();
                let pocket = options.parks_pockets
                    && parks
                    && 4 * (1 + covered.len()) < self.live.len()
                    && !starts.contains(&from);
                if left.unseen.is_empty() && !starts.is_empty() && !pocket {
                    leaving.push((from, starts));
                } else if parks {
                    parkings.extend(self.parkings(&boxes, from, &ends, !starts.is_empty()));
                }
            }
            if leaving.is_empty() {
                parkings.sort_by_key(|&(rank, _)| rank);
                for (from, to, player) in parkings.into_iter().rev().flat_map(|(_, places)| places) {
                    let mut next = left.clone();
                    next.goals.remove(&from);
                    next.parked.push((to, next.phases.len()));
                    next.phases.push(vec![(from, None)]);
                    next.player = player;
                    let phases = self.take_apart(options, next, attempts);
                    if phases.is_some() {
                        return phases;
                    }
                }
                return None;
            }
            let mut phase = Vec::new();
            for (from, starts) in leaving {
                let Some(start) = self.claim(&left, from, &starts) else { continue };
                left.unused.remove(&start);
                let parked = left.parked.iter().position(|&(square, _)| square == from).filter(|_| !parks);
                let home = parked.map(|place| left.parked.remove(place).1);
                if parked.is_none() {
                    left.goals.remove(&from);
                }
                phase.push((from, home));
            }
            left.phases.push(phase);
        }
    }

    /// The start squares a box can leave to so that the player can walk back: far ones, except for the last boxes.
    fn ways_out(&self, left: &Remainder, from: Coord, ends: &[(Coord, Coord)]) -> Vec<Coord> {
        let boxes = left.boxes();
        let last = 7 * boxes.len() <= self.starts.len().max(7);
        let mut starts: Vec<Coord> = left.unused.get(&from).copied().into_iter().collect();
        for &(to, player) in ends.iter().filter(|(to, _)| left.unused.contains(to)) {
            let far = last || apart(from, to) >= 3;
            let back = boxes.len() == 1 || to == left.player || self.comes_to(&boxes, from, to, player, left.player);
            if far && back && !starts.contains(&to) {
                starts.push(to);
            }
        }
        starts
    }

    /// Whether the player can walk from one square to another after a box has moved.
    fn comes_to(&self, boxes: &Coords, from: Coord, to: Coord, player: Coord, there: Coord) -> bool {
        let moved = boxes.iter().map(|&square| if square == from { to } else { square }).collect();
        self.zone(&moved, player).contains(&there)
    }

    /// The start square that leaves the most start squares to the box that then has the fewest.
    fn claim(&self, left: &Remainder, from: Coord, starts: &[Coord]) -> Option<Coord> {
        let choice = |square: &Coord| left.unused.iter().filter(|start| self.to[square].contains_key(start)).count();
        let worth = |start: &Coord| {
            let others = left.boxes().into_iter().filter(|&other| other != from);
            others.filter(|other| self.to[other].contains_key(start)).map(|other| choice(&other)).min()
        };
        let free: Coords = starts.iter().copied().filter(|start| left.unused.contains(start)).collect();
        // The first of the best.
        free.into_iter().rev().max_by_key(|start| worth(start).unwrap_or(usize::MAX))
    }

    /// The parking places of a box, the first to try first: the farthest by pulls, then by rows and columns.
    #[allow(clippy::type_complexity)]
    fn parkings(
        &self,
        boxes: &Coords,
        from: Coord,
        ends: &[(Coord, Coord)],
        could_leave: bool,
    ) -> Option<((bool, i32), Vec<(Coord, Coord, Coord)>)> {
        let fits = |&&(to, player): &&(Coord, Coord)| {
            to != from
                && self.live.contains(&to)
                && !self.is_passage(to)
                && self.to[&from].contains_key(&to)
                && self.comes_to(boxes, from, to, player, from)
        };
        let fit: Vec<(Coord, Coord)> = ends.iter().filter(fits).copied().collect();
        let pulls = |to: Coord| self.to[&from][&to];
        let &(first, player) = fit.iter().max_by_key(|&&(to, _)| (pulls(to), !self.is_corner(to)))?;
        let others = fit.iter().filter(|&&(to, _)| to != first);
        let second = others.max_by_key(|&&(to, _)| (apart(from, to), apart(first, to)));
        let mut places = vec![(from, first, player)];
        places.extend(second.map(|&(to, player)| (from, to, player)));
        Some(((could_leave, pulls(first)), places))
    }

    /// From the remainder with the fewest boxes on, boxes only come off their goals.
    fn fall_back(&self, mut left: Remainder) -> Option<Vec<Vec<CoordTarget>>> {
        while !left.goals.is_empty() {
            let boxes = left.boxes();
            let comes_off = |&from: &Coord| {
                let ends = self.pulls(&boxes, left.player, from);
                ends.iter().any(|(to, _)| !self.goals.contains(to))
            };
            let off: Coords = left.goals.iter().copied().filter(comes_off).collect();
            if off.is_empty() {
                return None;
            }
            left.goals = &left.goals - &off;
            left.phases.push(off.into_iter().map(|square| (square, None)).collect());
        }
        if !left.parked.is_empty() {
            left.phases.push(left.parked.iter().map(|&(square, phase)| (square, Some(phase))).collect());
        }
        Some(left.phases)
    }
}

/// Rows and columns between two squares.
fn apart((row, column): Coord, (other_row, other_column): Coord) -> usize {
    row.abs_diff(other_row) + column.abs_diff(other_column)
}
