//! How good a picture of the backward search is.
//!
//! Fewer boxes and fewer regions come first. A plan wants goals cleared, an open picture wants boxes that can be
//! pulled and a floor with loops; both want links between rooms kept and, last, boxes far from goals.

use crate::macros::Macro;
use crate::planning::{PlanGoal, PlanOptions, Planning};
use crate::tree::Score;
use crate::value;
use crate::value::Shares;
use lurd_rules::Square;
use lurd_rules::feature::board::{FAR, FeatureBoard};

const SPREAD_BITS: u32 = 20;
const STUCK_BITS: u32 = 9;
const LANE_BITS: u32 = 11;

/// How many bits of a score say nothing about the cell a picture belongs to.
pub(super) fn below_cell(manner: PlanOptions) -> u32 {
    match manner.wanted {
        PlanGoal::Open { .. } => SPREAD_BITS + LANE_BITS + STUCK_BITS,
        PlanGoal::Cleared | PlanGoal::Valued => SPREAD_BITS,
    }
}

impl Planning<'_> {
    fn on_goals(&self) -> u32 {
        self.position.boxes.iter().filter(|&&square| self.board.is_goal(square)).count() as u32
    }

    /// Pushes from a square to every goal it reaches, added up.
    pub(super) fn spread_of(&mut self, square: Square) -> u32 {
        let board = self.board;
        *self.spread[usize::from(square)].get_or_insert_with(|| {
            let row = board.pushes_from(square);
            let reached = board.goals().iter().map(|&goal| row[usize::from(goal)]).filter(|&pushes| pushes != FAR);
            reached.map(u32::from).sum()
        })
    }

    /// The spread of the position that is laid out.
    pub(super) fn spread_now(&mut self) -> u32 {
        if self.is_paired() {
            let (board, boxes) = (self.board, &self.position.boxes);
            let goals = board.goals();
            return self.pairing.solve(|one, goal| pushes(board, boxes[one], goals[goal]));
        }
        (0..self.position.boxes.len()).map(|place| self.spread_of(self.position.boxes[place])).sum()
    }

    /// The spread after a pull from the position that is laid out.
    pub(super) fn spread_after(&mut self, step: &Macro, before: u32) -> u32 {
        if self.is_paired() {
            let board = self.board;
            let place = self.position.boxes.iter().position(|&square| square == step.from).unwrap_or(0);
            let goals = board.goals();
            return self.pairing.after(place, |goal| pushes(board, step.to, goals[goal]));
        }
        before + self.spread_of(step.to) - self.spread_of(step.from)
    }

    /// Whether distances are those of a pairing. With hundreds of boxes it takes too long; then plain distances do.
    fn is_paired(&self) -> bool {
        const FEW: usize = 128;
        let boxes = self.position.boxes.len();
        let paired = matches!(self.manner.wanted, PlanGoal::Open { paired: true, .. });
        paired && boxes == self.board.goals().len() && boxes <= FEW
    }

    /// The score of the position that is laid out: fewer boxes, fewer regions, then fewer on goals and fewer lost
    /// links, or a more open floor, and more spread.
    pub(super) fn score(&mut self, regions: u16, rooms: u32, spread: u32) -> Score {
        let field = |value: u64, bits: u32| (1 << bits) - 1 - value.min((1 << bits) - 1);
        let boxes = self.position.boxes.len() as u64;
        let spread = u64::from(spread).min((1 << SPREAD_BITS) - 1);
        let (rooms, regions) = (u64::from(rooms), u64::from(regions));
        if self.manner.wanted == PlanGoal::Valued {
            return self.value(regions as u32) << SPREAD_BITS | spread;
        }
        if let PlanGoal::Open { loops, .. } = self.manner.wanted {
            let stuck = if regions == 1 { self.stuck() } else { 0 };
            let lanes = if regions == 1 && loops { self.lanes() } else { 0 };
            return field(regions, 10) << 50
                | field(rooms, 10) << 40
                | field(stuck, STUCK_BITS) << (SPREAD_BITS + LANE_BITS)
                | field(lanes, LANE_BITS) << SPREAD_BITS
                | spread;
        }
        field(boxes, 12) << 52
            | field(regions, 10) << 42
            | field(u64::from(self.on_goals()), 12) << 30
            | field(rooms, 10) << 20
            | spread
    }

    /// The value of the position that is laid out.
    fn value(&self, regions: u32) -> Score {
        let board = self.board;
        let boxes = &self.position.boxes;
        let shares = Shares {
            boxes: boxes.len() as u32,
            on_goals: self.on_goals(),
            regions,
            distance: boxes.iter().map(|&square| u32::from(board.to_goal(square))).sum(),
            farthest: self.farthest * boxes.len() as u32,
            ..Shares::default()
        };
        value::score(&value::PULL, &shares, true)
    }

    /// The score after a pull.
    pub(super) fn score_after(&mut self, step: &Macro, rooms: u32, spread: u32) -> Score {
        let place = self.position.boxes.iter().position(|&square| square == step.from).unwrap_or(0);
        let what = std::mem::take(&mut self.position.taken[usize::from(step.from)]);
        self.position.taken[usize::from(step.to)] = what;
        self.position.boxes[place] = step.to;
        let score = self.score(step.regions, rooms, spread);
        self.position.boxes[place] = step.from;
        self.position.taken[usize::from(step.to)] = 0;
        self.position.taken[usize::from(step.from)] = what;
        score
    }

    /// Boxes that cannot be pulled from any side, wherever the player stands.
    fn stuck(&self) -> u64 {
        let free = |square: Square| self.position.taken[usize::from(square)] == 0;
        let pulls = |square: Square| {
            (0..4).any(|direction| {
                let near = self.board.next(square, direction);
                free(near) && free(self.board.next(near, direction))
            })
        };
        self.position.boxes.iter().filter(|&&square| !pulls(square)).count() as u64
    }

    /// Free squares on no loop of the free floor: the lanes that boxes leave.
    fn lanes(&mut self) -> u64 {
        self.trial.survey(self.board, &self.position.taken);
        (0..self.board.len() as Square)
            .filter(|&square| self.trial.is_free(square) && !self.board.is_goal(square))
            .filter(|&square| !self.trial.on_loop(self.board, square))
            .count() as u64
    }

    /// Links between rooms lost after a pull.
    pub(super) fn rooms_after(&mut self, step: &Macro, before: u32) -> u32 {
        if self.rooms.is_empty() {
            return 0;
        }
        let board = self.board;
        let taken = &mut self.position.taken;
        let what = std::mem::take(&mut taken[usize::from(step.from)]);
        let same = self.rooms.is_harmless(board, taken, step.from) && self.rooms.is_harmless(board, taken, step.to);
        let after = if same {
            before
        } else {
            taken[usize::from(step.to)] = what;
            let lost = self.rooms.lost_after(board, taken, (step.from, step.to), &self.reach, &mut self.scratch);
            taken[usize::from(step.to)] = 0;
            lost
        };
        taken[usize::from(step.from)] = what;
        after
    }
}

/// What a pairing costs for a box and a goal; a great deal if there is no way.
fn pushes(board: &FeatureBoard, from: Square, goal: Square) -> u16 {
    const LOST: u16 = 1000;
    match board.pushes_from(from)[usize::from(goal)] {
        FAR => LOST,
        pushes => pushes,
    }
}
