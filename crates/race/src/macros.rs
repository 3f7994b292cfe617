//! Macro moves: one box moved any number of squares while the others stand still.
//!
//! One survey of the free squares without the box tells for every square which sides of the box would be joined; the
//! breadth-first search over (square, side) then costs a few table look-ups for each push. There is one macro for
//! each end square and zone the player can end in, also for the box's own square with the player on another side
//! (the moves of FESS: Shoham and Schaeffer 2020).

use lurd_rules::Square;
use lurd_rules::feature::articulation::{Articulation, BLOCKED};
use lurd_rules::feature::board::FeatureBoard;
use lurd_rules::feature::position::Position;

/// Parameters of [`Macros::find`].
pub(super) const PULL: bool = true;
pub(super) const PUSH: bool = false;

/// What is stored of a macro move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BoxMove {
    pub(super) from: Square,
    pub(super) to: Square,
    /// A square of the player's zone afterwards.
    pub(super) player: Square,
}

impl BoxMove {
    /// The root of a search, which no move leads to.
    pub(super) fn none(player: Square) -> Self {
        Self { from: player, to: player, player }
    }
}

/// A macro move with what the survey tells about its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Macro {
    pub(super) from: Square,
    pub(super) to: Square,
    pub(super) player: Square,
    /// Regions of free squares afterwards.
    pub(super) regions: u16,
    /// Which sides of the box, by direction, the player reaches afterwards.
    pub(super) open: u8,
    /// The key of the player's zone afterwards.
    pub(super) zone: u64,
}

impl Macro {
    pub(super) fn box_move(&self) -> BoxMove {
        BoxMove { from: self.from, to: self.to, player: self.player }
    }
}

/// The place of a box in the list of boxes.
#[inline]
pub(super) fn place_of(position: &Position, square: Square) -> usize {
    position.boxes.iter().position(|&other| other == square).unwrap_or(0)
}

/// Moves a box on trial: the key and the player stay as they are. The move with its squares exchanged undoes it.
#[inline]
pub(super) fn try_move(position: &mut Position, place: usize, from: Square, to: Square) {
    let what = std::mem::take(&mut position.taken[usize::from(from)]);
    position.taken[usize::from(to)] = what;
    position.boxes[place] = to;
}

/// Finds macro moves; its tables are reused.
#[derive(Clone, Debug)]
pub(super) struct Macros {
    without_box: Articulation,
    seen: Vec<(u32, u8)>,
    generation: u32,
    queue: Vec<(Square, u8)>,
}

impl Macros {
    pub(super) fn new(features: &FeatureBoard) -> Self {
        Self {
            without_box: Articulation::new(features),
            seen: vec![(0, 0); features.len() + 1],
            generation: 0,
            queue: Vec::new(),
        }
    }

    /// The macros of the box on `from` over squares that `may_enter` allows; it is asked with the box taken off the
    /// board. `PULL` and `PUSH` are the values of the parameter.
    pub(super) fn find<const PULLS: bool>(
        &mut self,
        features: &FeatureBoard,
        position: &mut Position,
        from: Square,
        mut may_enter: impl FnMut(&[u8], Square) -> bool,
        out: &mut Vec<Macro>,
    ) {
        let what = std::mem::take(&mut position.taken[usize::from(from)]);
        if self.begin(features, position, from) {
            let mut at = 0;
            while let Some(&(square, group)) = self.queue.get(at) {
                at += 1;
                let groups = self.without_box.sides(features, square).group;
                for direction in 0..4 {
                    // To pull, the player stands on the side the box goes to and steps back; to push, he stands on the
                    // opposite side and ends where the box was.
                    let side = if PULLS { direction } else { direction ^ 1 };
                    if groups[side] != group {
                        continue;
                    }
                    let to = features.next(square, direction);
                    let player = if PULLS { features.next(to, direction) } else { square };
                    let free = position.taken[usize::from(if PULLS { player } else { to })] == 0;
                    if free && may_enter(&position.taken, to) {
                        self.arrive(features, from, to, player, side, out);
                    }
                }
            }
        }
        position.taken[usize::from(from)] = what;
    }

    /// Surveys the board without the box; false if the player does not reach a side of the box.
    fn begin(&mut self, features: &FeatureBoard, position: &Position, from: Square) -> bool {
        self.without_box.survey(features, &position.taken);
        self.generation = self.generation.wrapping_add(1);
        if self.generation == 0 {
            self.seen.fill((0, 0));
            self.generation = 1;
        }
        self.queue.clear();
        let group = self.without_box.group_of(features, from, position.player);
        if group == BLOCKED {
            return false;
        }
        self.seen[usize::from(from)] = (self.generation, 1 << group);
        self.queue.push((from, group));
        true
    }

    /// The box is on `to`, the player on `player`, its side in `direction`.
    #[inline]
    fn arrive(
        &mut self,
        features: &FeatureBoard,
        from: Square,
        to: Square,
        player: Square,
        direction: usize,
        out: &mut Vec<Macro>,
    ) {
        let regions = self.without_box.regions_with(features, to) as u16;
        let sides = self.without_box.sides(features, to);
        let group = sides.group[direction];
        let seen = &mut self.seen[usize::from(to)];
        if seen.0 != self.generation {
            *seen = (self.generation, 0);
        }
        if seen.1 & 1 << group != 0 {
            return;
        }
        seen.1 |= 1 << group;
        self.queue.push((to, group));
        let open = (0..4).filter(|&side| sides.group[side] == group).fold(0, |open, side| open | 1 << side);
        out.push(Macro { from, to, player, regions, open, zone: sides.zone[usize::from(group)] });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_support::board;
    use lurd_rules::oracle::ROOMS;
    use std::collections::{BTreeSet, HashSet, VecDeque};

    fn flood(features: &FeatureBoard, taken: &[u8], from: Square) -> BTreeSet<Square> {
        let mut zone = BTreeSet::from([from]);
        let mut queue = vec![from];
        while let Some(square) = queue.pop() {
            for &next in features.neighbours(square) {
                if taken[usize::from(next)] == 0 && zone.insert(next) {
                    queue.push(next);
                }
            }
        }
        zone
    }

    fn regions(features: &FeatureBoard, taken: &[u8]) -> usize {
        let mut seen = BTreeSet::new();
        let mut count = 0;
        for square in 0..features.len() as Square {
            if taken[usize::from(square)] == 0 && !seen.contains(&square) {
                seen.extend(flood(features, taken, square));
                count += 1;
            }
        }
        count
    }

    /// (end square, zone) of every macro, found by single steps and floods.
    fn brute(
        features: &FeatureBoard,
        position: &Position,
        from: Square,
        pull: bool,
    ) -> BTreeSet<(Square, Vec<Square>, usize)> {
        let mut found = BTreeSet::new();
        let mut taken = position.taken.clone();
        let start = flood(features, &taken, position.player);
        let mut seen: HashSet<(Square, Vec<Square>)> = HashSet::new();
        let mut queue = VecDeque::from([(from, start.iter().copied().collect::<Vec<_>>())]);
        seen.insert(queue[0].clone());
        while let Some((square, zone)) = queue.pop_front() {
            for direction in 0..4 {
                let to = features.next(square, direction);
                let stand = if pull { to } else { features.next(square, direction ^ 1) };
                let player = if pull { features.next(to, direction) } else { square };
                if !zone.contains(&stand) {
                    continue;
                }
                taken[usize::from(from)] = 0;
                taken[usize::from(square)] = 0;
                if taken[usize::from(to)] != 0 || taken[usize::from(player)] != 0 {
                    taken[usize::from(square)] = 1;
                    continue;
                }
                taken[usize::from(to)] = 1;
                let after: Vec<_> = flood(features, &taken, player).into_iter().collect();
                let parts = regions(features, &taken);
                taken[usize::from(to)] = 0;
                taken[usize::from(square)] = 1;
                if seen.insert((to, after.clone())) {
                    found.insert((to, after.clone(), parts));
                    queue.push_back((to, after));
                }
            }
            taken[usize::from(square)] = 0;
        }
        found
    }

    #[test]
    fn macros_are_all_ends_that_single_steps_reach() {
        for room in ROOMS {
            let features = FeatureBoard::new(board(room));
            let mut macros = Macros::new(&features);
            let mut position = Position::with(&features, features.starts(), features.player());
            for pull in [false, true] {
                for from in position.boxes.clone() {
                    let mut out = Vec::new();
                    if pull {
                        macros.find::<PULL>(&features, &mut position, from, |_, _| true, &mut out);
                    } else {
                        macros.find::<PUSH>(&features, &mut position, from, |_, _| true, &mut out);
                    }
                    let mut got = BTreeSet::new();
                    for step in &out {
                        let mut taken = position.taken.clone();
                        taken[usize::from(from)] = 0;
                        taken[usize::from(step.to)] = 1;
                        let zone = flood(&features, &taken, step.player);
                        let key = zone.iter().fold(0, |key, &square| key ^ features.zone_key(square));
                        assert_eq!(key, step.zone, "{room}");
                        for direction in 0..4 {
                            let side = features.next(step.to, direction);
                            assert_eq!(step.open >> direction & 1 == 1, zone.contains(&side));
                        }
                        got.insert((step.to, zone.into_iter().collect::<Vec<_>>(), usize::from(step.regions)));
                    }
                    assert_eq!(got, brute(&features, &position, from, pull), "{room}\nbox {from} pull {pull}");
                }
            }
        }
    }
}
