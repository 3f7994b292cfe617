//! How good a picture of the backward search is.
//!
//! Fewer boxes and fewer regions come first. A plan wants goals cleared, an open picture wants boxes that can be
//! pulled and a floor with loops; both want links between rooms kept and, last, boxes far from goals.

use super::{Manner, Planning};
use crate::champion::ground::FAR;
use crate::champion::macros::Macro;
use crate::champion::tree::Score;
use crate::square::Square;

const SPREAD_BITS: u32 = 20;
const STUCK_BITS: u32 = 9;
const LANE_BITS: u32 = 11;

/// How many bits of a score say nothing about the cell a picture belongs to.
pub(super) fn below_cell(manner: Manner) -> u32 {
    if manner.open { SPREAD_BITS + LANE_BITS + STUCK_BITS } else { SPREAD_BITS }
}

impl Planning<'_> {
    fn on_goals(&self) -> u32 {
        self.position.boxes.iter().filter(|&&square| self.ground.is_goal(square)).count() as u32
    }

    /// Pushes from a square to every goal it reaches, added up.
    pub(super) fn spread_of(&mut self, square: Square) -> u32 {
        let ground = self.ground;
        *self.spread[usize::from(square)].get_or_insert_with(|| {
            let row = ground.pushes_from(square);
            let reached = ground.goals().iter().map(|&goal| row[usize::from(goal)]).filter(|&pushes| pushes != FAR);
            reached.map(u32::from).sum()
        })
    }

    /// The spread of the position that is laid out.
    pub(super) fn spread_now(&mut self) -> u32 {
        (0..self.position.boxes.len()).map(|place| self.spread_of(self.position.boxes[place])).sum()
    }

    /// The score of the position that is laid out: fewer boxes, fewer regions, then fewer on goals and fewer lost
    /// links, or a more open floor, and more spread.
    pub(super) fn score(&mut self, regions: u16, rooms: u32, spread: u32) -> Score {
        let field = |value: u64, bits: u32| (1 << bits) - 1 - value.min((1 << bits) - 1);
        let boxes = self.position.boxes.len() as u64;
        let spread = u64::from(spread).min((1 << SPREAD_BITS) - 1);
        let (rooms, regions) = (u64::from(rooms), u64::from(regions));
        if self.manner.open {
            let (stuck, lanes) = if regions == 1 { (self.stuck(), self.lanes()) } else { (0, 0) };
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
                let near = self.ground.next(square, direction);
                free(near) && free(self.ground.next(near, direction))
            })
        };
        self.position.boxes.iter().filter(|&&square| !pulls(square)).count() as u64
    }

    /// Free squares on no loop of the free floor: the lanes that boxes leave.
    fn lanes(&mut self) -> u64 {
        self.trial.survey(self.ground, &self.position.taken);
        (0..self.ground.len() as Square)
            .filter(|&square| self.trial.is_free(square) && !self.ground.is_goal(square))
            .filter(|&square| !self.trial.on_loop(self.ground, square))
            .count() as u64
    }

    /// Links between rooms lost after a pull.
    pub(super) fn rooms_after(&mut self, step: &Macro, before: u32) -> u32 {
        if self.rooms.is_empty() {
            return 0;
        }
        let ground = self.ground;
        let taken = &mut self.position.taken;
        let what = std::mem::take(&mut taken[usize::from(step.from)]);
        let same = self.rooms.is_harmless(ground, taken, step.from) && self.rooms.is_harmless(ground, taken, step.to);
        let after = if same {
            before
        } else {
            taken[usize::from(step.to)] = what;
            let lost = self.rooms.lost_after(ground, taken, (step.from, step.to), &self.reach, &mut self.scratch);
            taken[usize::from(step.to)] = 0;
            lost
        };
        taken[usize::from(step.from)] = what;
        after
    }
}
