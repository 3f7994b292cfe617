//! Taking apart, a second time: the rules of [`crate::phases::order`] on rows and columns, with sets and whole floods.
//!
//! Slow and plain on purpose. It shares no code with the engine, so that the two can be held against each
//! other ([`crate::phases::search`] has the other half).

use crate::phases::order::UnpackOptions;
use lurd_rules::feature::board::FeatureBoard;
use std::collections::{BTreeMap, BTreeSet, HashSet, VecDeque};

/// Row and column.
pub(super) type Spot = (usize, usize);
pub(super) type Spots = BTreeSet<Spot>;

/// A target: where, and for a box that waits the stage in which it goes home.
pub(super) type Wish = (Spot, Option<usize>);

/// Left, right, up, down.
pub(super) const STEPS: [(isize, isize); 4] = [(0, -1), (0, 1), (-1, 0), (1, 0)];

/// A level on rows and columns.
pub(super) struct Plain {
    pub(super) floor: Spots,
    pub(super) goals: Spots,
    pub(super) starts: Spots,
    pub(super) player: Spot,
    /// Pushes of a lone box to each spot, from wherever it can come.
    to: BTreeMap<Spot, BTreeMap<Spot, i32>>,
    /// Where a box comes from some start square and goes to some goal.
    live: Spots,
}

/// What is left of the solved picture.
#[derive(Clone)]
struct Left {
    goals: Spots,
    /// Spots of waiting boxes and the phases that left them there.
    waiting: Vec<(Spot, usize)>,
    unused: Spots,
    unseen: Spots,
    player: Spot,
    phases: Vec<Vec<Wish>>,
}

impl Left {
    fn boxes(&self) -> Spots {
        self.goals.iter().copied().chain(self.waiting.iter().map(|&(spot, _)| spot)).collect()
    }
}

/// The search for an order, as far as it has come.
#[derive(Default)]
struct Attempts {
    known: HashSet<(Spots, Spots, Spots, Spots)>,
    deepest: Option<Left>,
}

impl Plain {
    pub(super) fn new(board: &FeatureBoard) -> Self {
        let spot = |&square: &u16| board.board().place(square);
        let open = |square: &u16| board.bare()[usize::from(*square)] == 0;
        let mut plain = Self {
            floor: (0..board.len() as u16).filter(open).map(|square| spot(&square)).collect(),
            goals: board.goals().iter().map(spot).collect(),
            starts: board.starts().iter().map(spot).collect(),
            player: spot(&board.player()),
            to: BTreeMap::new(),
            live: Spots::new(),
        };
        plain.to = plain.floor.iter().map(|&target| (target, plain.pushes_to(target, &Spots::new()))).collect();
        let goes = |&spot: &Spot| plain.home(spot).is_some();
        let came = |spot: &Spot| plain.starts.iter().any(|start| plain.to[spot].contains_key(start));
        plain.live = plain.floor.iter().copied().filter(|spot| goes(spot) && came(spot)).collect();
        plain
    }

    /// The floor beside a spot.
    pub(super) fn beside(&self, (row, column): Spot, direction: usize) -> Option<Spot> {
        let (down, right) = STEPS[direction];
        let spot = (row.checked_add_signed(down)?, column.checked_add_signed(right)?);
        self.floor.contains(&spot).then_some(spot)
    }

    /// Where somebody can walk.
    pub(super) fn zone(&self, solid: &Spots, from: Spot) -> Spots {
        let mut zone = Spots::from([from]);
        let mut rest = vec![from];
        while let Some(spot) = rest.pop() {
            for next in (0..4).filter_map(|direction| self.beside(spot, direction)) {
                if !solid.contains(&next) && zone.insert(next) {
                    rest.push(next);
                }
            }
        }
        zone
    }

    /// Everything a single box comes to by pulls, with the player: nearest first, once for each zone of his.
    fn drags(&self, others: &Spots, first: Vec<(Spot, Spots)>) -> Vec<(Spot, Spot, usize)> {
        let mut known: HashSet<(Spot, Spots)> = first.iter().cloned().collect();
        let mut queue: VecDeque<(Spot, Spots, usize)> = first.into_iter().map(|(spot, zone)| (spot, zone, 0)).collect();
        let mut ends = Vec::new();
        while let Some((spot, zone, pulls)) = queue.pop_front() {
            for direction in 0..4 {
                let Some(to) = self.beside(spot, direction).filter(|to| zone.contains(to)) else { continue };
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

    /// Where the box on `from` can be pulled, and where the player is then.
    fn pulls(&self, boxes: &Spots, player: Spot, from: Spot) -> Vec<(Spot, Spot)> {
        let others: Spots = boxes.iter().copied().filter(|&spot| spot != from).collect();
        let ends = self.drags(&others, vec![(from, self.zone(boxes, player))]);
        ends.into_iter().map(|(to, player, _)| (to, player)).collect()
    }

    /// Pushes a lone box needs to a target among walls, the player on whatever side.
    pub(super) fn pushes_to(&self, target: Spot, walls: &Spots) -> BTreeMap<Spot, i32> {
        let solid: Spots = walls.iter().copied().chain([target]).collect();
        let mut first: Vec<(Spot, Spots)> = Vec::new();
        for side in (0..4).filter_map(|direction| self.beside(target, direction)).filter(|side| !walls.contains(side)) {
            let zone = self.zone(&solid, side);
            if !first.iter().any(|(_, known)| *known == zone) {
                first.push((target, zone));
            }
        }
        let mut least = BTreeMap::from([(target, 0)]);
        for (spot, _, pushes) in self.drags(walls, first) {
            least.entry(spot).or_insert(pushes as i32);
        }
        least
    }

    /// Pushes to the nearest goal.
    pub(super) fn home(&self, spot: Spot) -> Option<i32> {
        self.goals.iter().filter_map(|goal| self.to[goal].get(&spot)).min().copied()
    }

    /// A narrow place, or one that the floor falls apart without.
    fn is_passage(&self, spot: Spot) -> bool {
        let sides: Vec<Spot> = (0..4).filter_map(|direction| self.beside(spot, direction)).collect();
        let narrow = |axis: usize| self.beside(spot, axis).is_none() && self.beside(spot, axis + 1).is_none();
        let falls_apart = || {
            let zone = self.zone(&Spots::from([spot]), sides[0]);
            sides.iter().any(|side| !zone.contains(side))
        };
        narrow(0) || narrow(2) || falls_apart()
    }

    fn is_corner(&self, spot: Spot) -> bool {
        let wall = |direction: usize| self.beside(spot, direction).is_none();
        (wall(0) || wall(1)) && (wall(2) || wall(3))
    }

    /// The stages, first to fill first.
    pub(super) fn stages(&self, manner: UnpackOptions) -> Option<Vec<Vec<Wish>>> {
        let mut attempts = Attempts::default();
        let mut tried = Spots::new();
        let mut phases = None;
        for player in std::iter::once(self.player).chain(self.floor.iter().copied()) {
            if self.goals.contains(&player) || tried.contains(&player) || phases.is_some() {
                continue;
            }
            tried.extend(self.zone(&self.goals, player));
            let left = Left {
                goals: self.goals.clone(),
                waiting: Vec::new(),
                unused: self.starts.clone(),
                unseen: if manner.seen { &self.starts - &self.goals } else { Spots::new() },
                player,
                phases: Vec::new(),
            };
            phases = self.apart(manner, left, &mut attempts);
        }
        let phases = phases.or_else(|| self.only_off(attempts.deepest?))?;
        let last = phases.len() - 1;
        let turned =
            |phase: &Vec<Wish>| phase.iter().map(|&(spot, home)| (spot, home.map(|home| last - home))).collect();
        Some(phases.iter().rev().map(turned).collect())
    }

    /// Takes phase after phase away; where nothing can leave, every box that can wait elsewhere is tried.
    fn apart(&self, manner: UnpackOptions, mut left: Left, attempts: &mut Attempts) -> Option<Vec<Vec<Wish>>> {
        loop {
            let boxes = left.boxes();
            if boxes.is_empty() {
                return Some(left.phases);
            }
            let zone = self.zone(&boxes, left.player);
            let waiting = left.waiting.iter().map(|&(spot, _)| spot).collect();
            if !attempts.known.insert((boxes.clone(), waiting, left.unused.clone(), zone.clone())) {
                return None;
            }
            let sees = |&spot: &Spot| {
                zone.contains(&spot)
                    || (0..4).filter_map(|direction| self.beside(spot, direction)).any(|side| zone.contains(&side))
            };
            left.unseen.retain(|spot| !sees(spot));
            if attempts.deepest.as_ref().is_none_or(|deepest| boxes.len() < deepest.boxes().len()) {
                attempts.deepest = Some(left.clone());
            }
            let parks = !left.goals.is_empty();
            let list: Vec<Spot> = match parks {
                true => left.goals.iter().copied().collect(),
                false => left.waiting.iter().map(|&(spot, _)| spot).collect(),
            };
            let (mut leaving, mut parkings) = (Vec::new(), Vec::new());
            for from in list {
                let ends = self.pulls(&boxes, left.player, from);
                let starts = self.ways_out(&left, from, &ends);
                let covered: Spots = ends.iter().map(|&(to, _)| to).collect();
                let pocket =
                    manner.pockets && parks && 4 * (1 + covered.len()) < self.live.len() && !starts.contains(&from);
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
                    next.waiting.push((to, next.phases.len()));
                    next.phases.push(vec![(from, None)]);
                    next.player = player;
                    let phases = self.apart(manner, next, attempts);
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
                let waits = left.waiting.iter().position(|&(spot, _)| spot == from).filter(|_| !parks);
                let home = waits.map(|place| left.waiting.remove(place).1);
                if waits.is_none() {
                    left.goals.remove(&from);
                }
                phase.push((from, home));
            }
            left.phases.push(phase);
        }
    }

    /// The start squares a box can leave to so that the player comes back: far ones, but for the last boxes.
    fn ways_out(&self, left: &Left, from: Spot, ends: &[(Spot, Spot)]) -> Vec<Spot> {
        let boxes = left.boxes();
        let last = 7 * boxes.len() <= self.starts.len().max(7);
        let mut starts: Vec<Spot> = left.unused.get(&from).copied().into_iter().collect();
        for &(to, player) in ends.iter().filter(|(to, _)| left.unused.contains(to)) {
            let far = last || apart(from, to) >= 3;
            let back = boxes.len() == 1 || to == left.player || self.comes_to(&boxes, from, to, player, left.player);
            if far && back && !starts.contains(&to) {
                starts.push(to);
            }
        }
        starts
    }

    /// Whether the player, after a box has moved, walks from one spot to another.
    fn comes_to(&self, boxes: &Spots, from: Spot, to: Spot, player: Spot, there: Spot) -> bool {
        let moved = boxes.iter().map(|&spot| if spot == from { to } else { spot }).collect();
        self.zone(&moved, player).contains(&there)
    }

    /// The start square that leaves most choice to the box that then has least of it.
    fn claim(&self, left: &Left, from: Spot, starts: &[Spot]) -> Option<Spot> {
        let choice = |box_: &Spot| left.unused.iter().filter(|start| self.to[box_].contains_key(start)).count();
        let worth = |start: &Spot| {
            let others = left.boxes().into_iter().filter(|&other| other != from);
            others.filter(|other| self.to[other].contains_key(start)).map(|other| choice(&other)).min()
        };
        let free: Spots = starts.iter().copied().filter(|start| left.unused.contains(start)).collect();
        // The first of the best.
        free.into_iter().rev().max_by_key(|start| worth(start).unwrap_or(usize::MAX))
    }

    /// Where a box could wait, the place to try first in front: far away by pulls, then far away by sight.
    #[allow(clippy::type_complexity)]
    fn parkings(
        &self,
        boxes: &Spots,
        from: Spot,
        ends: &[(Spot, Spot)],
        could_leave: bool,
    ) -> Option<((bool, i32), Vec<(Spot, Spot, Spot)>)> {
        let fits = |&&(to, player): &&(Spot, Spot)| {
            to != from
                && self.live.contains(&to)
                && !self.is_passage(to)
                && self.to[&from].contains_key(&to)
                && self.comes_to(boxes, from, to, player, from)
        };
        let fit: Vec<(Spot, Spot)> = ends.iter().filter(fits).copied().collect();
        let pulls = |to: Spot| self.to[&from][&to];
        let &(first, player) = fit.iter().max_by_key(|&&(to, _)| (pulls(to), !self.is_corner(to)))?;
        let others = fit.iter().filter(|&&(to, _)| to != first);
        let second = others.max_by_key(|&&(to, _)| (apart(from, to), apart(first, to)));
        let mut places = vec![(from, first, player)];
        places.extend(second.map(|&(to, player)| (from, to, player)));
        Some(((could_leave, pulls(first)), places))
    }

    /// From the picture with the fewest boxes, boxes only come off their goals.
    fn only_off(&self, mut left: Left) -> Option<Vec<Vec<Wish>>> {
        while !left.goals.is_empty() {
            let boxes = left.boxes();
            let comes_off = |&from: &Spot| {
                let ends = self.pulls(&boxes, left.player, from);
                ends.iter().any(|(to, _)| !self.goals.contains(to))
            };
            let off: Spots = left.goals.iter().copied().filter(comes_off).collect();
            if off.is_empty() {
                return None;
            }
            left.goals = &left.goals - &off;
            left.phases.push(off.into_iter().map(|spot| (spot, None)).collect());
        }
        if !left.waiting.is_empty() {
            left.phases.push(left.waiting.iter().map(|&(spot, phase)| (spot, Some(phase))).collect());
        }
        Some(left.phases)
    }
}

/// Rows and columns between two spots.
fn apart((row, column): Spot, (other_row, other_column): Spot) -> usize {
    row.abs_diff(other_row) + column.abs_diff(other_column)
}
