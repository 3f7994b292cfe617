//! Areas the player cannot enter, and boxes that can never move: what a search by pushes sees beyond dead sets.
//!
//! *Freeze*: boxes are peeled off that can be pushed along some axis once the others peeled before are gone;
//! what is left stays for ever, and one such box off the goals loses the level.
//!
//! *PI-corral* (after Brian Damgaard): if every first push of the boxes around a closed area goes
//! into the area, and all these pushes can be made now, some shortest solution starts with one of them, because
//! whatever is pushed elsewhere before can be pushed after. If there is no such push at all and the area
//! is unfinished, the position is dead. An area grows by its neighbours where a push leads
//! from one into the other; where a push leads out, there is no corral.
//!
//! *Gate*: a box was pushed onto a square that shuts the player in, and he touches it nowhere else than from
//! behind. Unless the square is a goal, the box must go on the same way, and may as well go now.

use crate::dense::board::{DenseBoard, NONE, Plane, Side};
use crate::dense::dead_sets::DeadSets;
use crate::dense::set::Set;
use lurd_level::Direction;

/// What a position allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CorralVerdict<const G: usize> {
    /// Nothing is to be left out.
    Open,
    /// Only pushes of these boxes onto these cells need be made.
    Only {
        /// The boxes around a corral.
        boxes: Set<G>,
        /// The area they are pushed into.
        into: Set<G>,
    },
    /// There is no solution.
    Dead,
}

/// The rules, made ready for a level.
#[derive(Clone, Debug)]
pub struct CorralRules<const G: usize> {
    plane: Plane<G>,
    live: Set<G>,
    goals: Set<G>,
    /// Whether an arrival shuts the player in behind the box.
    gates: Vec<bool>,
}

impl<const G: usize> CorralRules<G> {
    pub fn new(board: &DenseBoard) -> Self {
        let mut goals = Set::EMPTY;
        board.goals().iter().for_each(|&goal| goals.insert(board.cell(goal.into())));
        let mut live = Set::EMPTY;
        (0..board.live_count()).for_each(|square| live.insert(board.cell(square)));
        let gate = |arrival: usize| {
            let (square, behind) = (arrival / 4, board.beside(arrival));
            let side = |cell: u16| board.row_at(square, cell.into());
            behind != NONE
                && !goals.contains(board.cell(square))
                && (4 * square..4 * square + 4).all(|other| {
                    let cell = board.beside(other);
                    other == arrival || cell == NONE || side(cell) != side(behind)
                })
        };
        let gates = (0..4 * board.live_count()).map(gate).collect();
        Self { plane: board.plane(), live, goals, gates }
    }

    /// Whether the box that arrived so must go on, being a gate.
    pub fn is_gate(&self, arrival: usize) -> bool {
        self.gates[arrival]
    }

    /// Whether a box is frozen off the goals.
    pub fn is_frozen(&self, boxes: Set<G>) -> bool {
        !self.frozen(boxes).without(self.goals).is_empty()
    }

    /// The boxes that can never move again.
    pub fn frozen(&self, boxes: Set<G>) -> Set<G> {
        let mut stuck = boxes;
        loop {
            let open = self.plane.floor.without(stuck);
            let mut moves = Set::EMPTY;
            for (one, other) in [(Direction::Left, Direction::Right), (Direction::Up, Direction::Down)] {
                let (before, after) = (self.plane.shifted(open, one), self.plane.shifted(open, other));
                let (live_before, live_after) =
                    (self.plane.shifted(self.live, one), self.plane.shifted(self.live, other));
                moves = moves.or(before.and(after).and(live_before.or(live_after)));
            }
            let rest = stuck.without(moves);
            if rest == stuck {
                return stuck;
            }
            stuck = rest;
        }
    }

    /// Looks for the corral with the fewest pushes.
    pub fn judge<const L: usize>(
        &self,
        board: &DenseBoard,
        patterns: &DeadSets,
        boxes: Set<G>,
        zone: Set<G>,
    ) -> CorralVerdict<G> {
        let free = self.plane.floor.without(boxes);
        let unreached = free.without(zone);
        let mut verdict = CorralVerdict::Open;
        let mut fewest = usize::MAX;
        let mut seeds = unreached;
        while !seeds.is_empty() {
            let seed = self.plane.zone(unreached, seeds.lowest());
            seeds = seeds.without(seed);
            if let Some((area, fence, pushes)) = self.close::<L>(board, patterns, boxes, zone, unreached, seed) {
                // A corral that has swallowed other areas speaks for them too.
                seeds = seeds.without(area);
                let finished = fence.without(self.goals).is_empty() && area.and(self.goals).is_empty();
                if finished {
                    continue;
                }
                if pushes == 0 {
                    return CorralVerdict::Dead;
                }
                if pushes < fewest {
                    fewest = pushes;
                    verdict = CorralVerdict::Only { boxes: fence, into: area };
                }
            }
        }
        verdict
    }

    /// Grows an area until every first push of its fence goes inside. `None` if some push leads out.
    fn close<const L: usize>(
        &self,
        board: &DenseBoard,
        patterns: &DeadSets,
        boxes: Set<G>,
        zone: Set<G>,
        unreached: Set<G>,
        seed: Set<G>,
    ) -> Option<(Set<G>, Set<G>, usize)> {
        let steps = &board.way(Side::Forward).steps;
        let mut area = seed;
        'grown: loop {
            let mut fence = Set::EMPTY;
            Direction::ALL.into_iter().for_each(|direction| fence = fence.or(self.plane.shifted(area, direction)));
            fence = fence.and(boxes);
            let mut members = Set::<L>::EMPTY;
            fence.iter().for_each(|cell| members.insert(board.live_at(cell).into()));
            let mut pushes = 0;
            for cell in fence.iter() {
                let square = usize::from(board.live_at(cell));
                let mut others = members;
                others.remove(square);
                for step in &steps[4 * square..4 * square + 4] {
                    if step.to == NONE {
                        continue;
                    }
                    let (from, to) = (usize::from(step.reach), usize::from(step.clear));
                    if fence.contains(to) || fence.contains(from) || area.contains(from) {
                        continue;
                    }
                    let arrival = usize::from(step.arrival);
                    if patterns.dead_pair(arrival, others) || patterns.dead_triple(arrival, others) {
                        continue;
                    }
                    if unreached.contains(from) {
                        area = area.or(self.plane.zone(unreached, from));
                        continue 'grown;
                    }
                    if boxes.contains(from) {
                        if self.is_held(from, fence) {
                            continue;
                        }
                        return None;
                    }
                    if area.contains(to) {
                        pushes += 1;
                    } else if unreached.contains(to) {
                        area = area.or(self.plane.zone(unreached, to));
                        continue 'grown;
                    } else if zone.contains(to) || !self.is_held(to, fence) {
                        return None;
                    }
                }
            }
            return Some((area, fence, pushes));
        }
    }

    /// Whether an outside box cannot move before one of the fence does.
    fn is_held(&self, cell: usize, fence: Set<G>) -> bool {
        let spot = Set::<G>::single(cell);
        [(Direction::Left, Direction::Right), (Direction::Up, Direction::Down)].into_iter().all(|(one, other)| {
            let sides = [self.plane.shifted(spot, one), self.plane.shifted(spot, other)];
            sides.iter().any(|side| side.and(self.plane.floor.without(fence)).is_empty())
                || sides.iter().all(|side| side.and(self.live).is_empty())
        })
    }
}
