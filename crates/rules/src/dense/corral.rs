//! Freeze, PI-corrals (Damgaard, YASS) and gates on bit sets.
//!
//! *Freeze*: boxes that can be pushed along some axis are removed repeatedly, each counting as absent from then on; the
//! rest never moves, and if one of them is off the goals, the position is dead.
//!
//! *PI-corral*: if every first push of the boxes around a closed region leads into the region, and all these pushes can
//! be made now, then some solution with the fewest pushes begins with one of them, because pushes elsewhere before it can
//! be made after it. If there is no such push and the region is unfinished, the position is dead. A region grows by
//! another closed region if a push leads from one into the other; if a push leads out, there is no corral.
//!
//! Freeze and PI-corrals exist by squares too ([`crate::feature::freeze`], [`crate::feature::pi_corral`]). Here a step of
//! the elimination, the fence of a region and its flood fill are a few shifts, for searches that test millions of
//! positions.
//!
//! *Gate*: a box on a square that confines the player to a component where he touches the box only from behind. Unless
//! the square is a goal, the next push of the box is in the same direction and can be made at once: while the box is
//! there, nothing outside the component changes, and pushes inside can be made after it.

use crate::dense::board::{DenseBoard, NONE, Plane, Side};
use crate::dense::dead_sets::DeadSets;
use crate::dense::set::Set;
use lurd_level::Direction;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CorralVerdict<const G: usize> {
    /// No PI-corral.
    Open,
    /// Only pushes of these boxes onto these cells need to be generated.
    Only { boxes: Set<G>, into: Set<G> },
    /// There is no solution.
    Dead,
}

#[derive(Clone, Debug)]
pub struct CorralRules<const G: usize> {
    plane: Plane<G>,
    live: Set<G>,
    goals: Set<G>,
    /// Whether an arrival is a gate.
    gates: Vec<bool>,
}

impl<const G: usize> CorralRules<G> {
    pub fn new(board: &DenseBoard) -> Self {
        let goals: Set<G> = board.goals().iter().map(|&goal| board.cell(goal.into())).collect();
        let live = (0..board.live_count()).map(|square| board.cell(square)).collect();
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

    /// Whether the box of an arrival must be pushed on in the same direction.
    pub fn is_gate(&self, arrival: usize) -> bool {
        self.gates[arrival]
    }

    /// Whether a box is frozen off the goals.
    pub fn is_frozen(&self, boxes: Set<G>) -> bool {
        !self.frozen(boxes).without(self.goals).is_empty()
    }

    /// The boxes that can never be pushed again.
    pub fn frozen(&self, boxes: Set<G>) -> Set<G> {
        let mut frozen = boxes;
        loop {
            let open = self.plane.floor.without(frozen);
            let mut movable = Set::EMPTY;
            for (one, other) in [(Direction::Left, Direction::Right), (Direction::Up, Direction::Down)] {
                let (before, after) = (self.plane.shifted(open, one), self.plane.shifted(open, other));
                let (live_before, live_after) =
                    (self.plane.shifted(self.live, one), self.plane.shifted(self.live, other));
                movable = movable.or(before.and(after).and(live_before.or(live_after)));
            }
            let rest = frozen.without(movable);
            if rest == frozen {
                return frozen;
            }
            frozen = rest;
        }
    }

    /// The PI-corral with the fewest pushes.
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
            if let Some((corral, fence, pushes)) = self.close::<L>(board, patterns, boxes, zone, unreached, seed) {
                // The regions merged into the corral need not be seeds.
                seeds = seeds.without(corral);
                let finished = fence.without(self.goals).is_empty() && corral.and(self.goals).is_empty();
                if finished {
                    continue;
                }
                if pushes == 0 {
                    return CorralVerdict::Dead;
                }
                if pushes < fewest {
                    fewest = pushes;
                    verdict = CorralVerdict::Only { boxes: fence, into: corral };
                }
            }
        }
        verdict
    }

    /// Grows a region until every first push of its fence leads inside: the corral, its fence and the number of pushes.
    /// `None` if some push leads out.
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
        let mut corral = seed;
        'grown: loop {
            let fence = self.plane.beside(corral).and(boxes);
            let members: Set<L> = fence.iter().map(|cell| board.live_at(cell).into()).collect();
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
                    if fence.contains(to) || fence.contains(from) || corral.contains(from) {
                        continue;
                    }
                    let arrival = usize::from(step.arrival);
                    if patterns.dead_pair(arrival, others) || patterns.dead_triple(arrival, others) {
                        continue;
                    }
                    if unreached.contains(from) {
                        corral = corral.or(self.plane.zone(unreached, from));
                        continue 'grown;
                    }
                    if boxes.contains(from) {
                        if self.is_held(from, fence) {
                            continue;
                        }
                        return None;
                    }
                    if corral.contains(to) {
                        pushes += 1;
                    } else if unreached.contains(to) {
                        corral = corral.or(self.plane.zone(unreached, to));
                        continue 'grown;
                    } else if zone.contains(to) || !self.is_held(to, fence) {
                        return None;
                    }
                }
            }
            return Some((corral, fence, pushes));
        }
    }

    /// Whether a box outside the fence cannot be pushed before a box of the fence.
    fn is_held(&self, cell: usize, fence: Set<G>) -> bool {
        let square = Set::<G>::single(cell);
        [(Direction::Left, Direction::Right), (Direction::Up, Direction::Down)].into_iter().all(|(one, other)| {
            let sides = [self.plane.shifted(square, one), self.plane.shifted(square, other)];
            sides.iter().any(|side| side.and(self.plane.floor.without(fence)).is_empty())
                || sides.iter().all(|side| side.and(self.live).is_empty())
        })
    }
}
