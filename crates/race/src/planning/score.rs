//! Scores of the backward search.
//!
//! Fewer boxes and fewer regions come first. A plan wants cleared goals; an open configuration wants boxes that can be
//! pulled and free floor with loops; both want links between rooms kept and, last, boxes far from goals.

use crate::features::{Features, Score, fewer};
use crate::macros::Macro;
use crate::planning::{Objective, PlanOptions, Planning};
use crate::value::{self, ValueFeatures};
use lurd_rules::Square;
use lurd_rules::feature::board::{FAR, FeatureBoard};

const SPREAD_BITS: u32 = 20;
const STUCK_BITS: u32 = 9;
const LOOPLESS_BITS: u32 = 11;

/// The low bits of a score that are no part of its cell.
pub(super) fn bits_below_cell(options: PlanOptions) -> u32 {
    match options.objective {
        Objective::Open { .. } => SPREAD_BITS + LOOPLESS_BITS + STUCK_BITS,
        Objective::Cleared | Objective::Value => SPREAD_BITS,
    }
}

impl Planning<'_> {
    fn on_goals(&self) -> u32 {
        self.position.boxes.iter().filter(|&&square| self.board.is_goal(square)).count() as u32
    }

    /// The sum of the pushes from a square to every goal it reaches.
    fn spread_of(&mut self, square: Square) -> u32 {
        let board = self.board;
        *self.spread[usize::from(square)].get_or_insert_with(|| {
            let row = board.pushes_from(square);
            let reached = board.goals().iter().map(|&goal| row[usize::from(goal)]).filter(|&pushes| pushes != FAR);
            reached.map(u32::from).sum()
        })
    }

    pub(super) fn spread_now(&mut self) -> u32 {
        if self.is_paired() {
            let (board, boxes) = (self.board, &self.position.boxes);
            let goals = board.goals();
            return self.pairing.solve(|one, goal| pushes(board, boxes[one], goals[goal]));
        }
        (0..self.position.boxes.len()).map(|place| self.spread_of(self.position.boxes[place])).sum()
    }

    /// The spread after a pull of the box at a place of the list, which is not made yet.
    pub(super) fn spread_after(&mut self, step: &Macro, place: usize, before: u32) -> u32 {
        if self.is_paired() {
            let board = self.board;
            let goals = board.goals();
            return self.pairing.after(place, |goal| pushes(board, step.to, goals[goal]));
        }
        before + self.spread_of(step.to) - self.spread_of(step.from)
    }

    /// Whether distances are those of a matching. With hundreds of boxes that takes too long.
    fn is_paired(&self) -> bool {
        const FEW: usize = 128;
        let boxes = self.position.boxes.len();
        let paired = matches!(self.options.objective, Objective::Open { paired: true, .. });
        paired && boxes == self.board.goals().len() && boxes <= FEW
    }

    /// The score of the current position, whose features are given.
    pub(super) fn score(&mut self, features: &Features) -> Score {
        let &Features { regions, rooms, spread, .. } = features;
        let spread = u64::from(spread).min((1 << SPREAD_BITS) - 1);
        match self.options.objective {
            Objective::Value => self.value(regions) << SPREAD_BITS | spread,
            Objective::Open { loops, .. } => {
                let stuck = if regions == 1 { self.stuck() } else { 0 };
                let loopless = if regions == 1 && loops { self.loopless() } else { 0 };
                fewer(regions, 10) << 50
                    | fewer(rooms, 10) << 40
                    | fewer(stuck, STUCK_BITS) << (SPREAD_BITS + LOOPLESS_BITS)
                    | fewer(loopless, LOOPLESS_BITS) << SPREAD_BITS
                    | spread
            }
            Objective::Cleared => {
                fewer(self.position.boxes.len() as u32, 12) << 52
                    | fewer(regions, 10) << 42
                    | fewer(self.on_goals(), 12) << 30
                    | fewer(rooms, 10) << 20
                    | spread
            }
        }
    }

    fn value(&self, regions: u32) -> Score {
        let board = self.board;
        let boxes = &self.position.boxes;
        let features = ValueFeatures {
            boxes: boxes.len() as u32,
            on_goals: self.on_goals(),
            regions,
            distance: boxes.iter().map(|&square| u32::from(board.to_goal(square))).sum(),
            farthest: self.farthest * boxes.len() as u32,
            ..ValueFeatures::default()
        };
        value::score(&value::PULL_WEIGHTS, &features, true)
    }

    /// Boxes that cannot be pulled from any side, wherever the player stands.
    fn stuck(&self) -> u32 {
        let free = |square: Square| self.position.taken[usize::from(square)] == 0;
        let pulls = |square: Square| {
            (0..4).any(|direction| {
                let near = self.board.next(square, direction);
                free(near) && free(self.board.next(near, direction))
            })
        };
        self.position.boxes.iter().filter(|&&square| !pulls(square)).count() as u32
    }

    /// Free squares on no loop of the free floor: the corridors between the boxes.
    fn loopless(&mut self) -> u32 {
        self.trial.survey(self.board, &self.position.taken);
        (0..self.board.len() as Square)
            .filter(|&square| self.trial.is_free(square) && !self.board.is_goal(square))
            .filter(|&square| !self.trial.on_loop(self.board, square))
            .count() as u32
    }
}

/// The cost of a box and a goal in the matching; large if the box cannot be pushed there.
fn pushes(board: &FeatureBoard, from: Square, goal: Square) -> u16 {
    const UNREACHABLE: u16 = 1000;
    match board.pushes_from(from)[usize::from(goal)] {
        FAR => UNREACHABLE,
        pushes => pushes,
    }
}
