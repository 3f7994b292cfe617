//! Walls and goals of a level in the making, and how they are varied.

use crate::grid::{CellIndex, Cells, Yard};
use crate::template::{self, is_symmetric, mirror, opens_square};
use crate::wish::{Style, Wish};
use lurd_base::random::SplitMix64;
use std::ops::RangeInclusive;

/// Walls and goals. Boxes and player are found by search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Design {
    pub(crate) yard: Yard,
    pub(crate) goals: Cells,
    pub(crate) style: Style,
}

/// Attempts at a change before the design is left as it is.
const ATTEMPTS: usize = 50;

impl Design {
    /// A new design for a wish; `None` where the walls leave too little room for the boxes.
    pub(crate) fn random(wish: &Wish, style: Style, random: &mut SplitMix64) -> Option<Self> {
        let pick = |range: &RangeInclusive<usize>, random: &mut SplitMix64| {
            range.start() + random.below(range.end() - range.start() + 1)
        };
        let (width, height) = (pick(&wish.width, random), pick(&wish.height, random));
        let boxes = pick(&wish.boxes, random);
        let yard = template::yard(style, width, height, random);
        let mut design = Self { yard, goals: Cells::default(), style };
        if yard.floor.len() < 2 * boxes + 1 {
            return None;
        }
        design.add_goals(boxes, random);
        (design.goals.len() == boxes).then_some(design)
    }

    /// Adds goals until there are so many: near the others as often as anywhere, and in pairs where the style wants it.
    fn add_goals(&mut self, wanted: usize, random: &mut SplitMix64) {
        let floor: Vec<CellIndex> = self.yard.floor.iter().collect();
        let near = random.below(2) == 0;
        for _ in 0..ATTEMPTS * wanted {
            let missing = wanted.saturating_sub(self.goals.len());
            if missing == 0 {
                return;
            }
            let cell = floor[random.below(floor.len())];
            let touches = |cell: CellIndex| {
                lurd::Direction::ALL.iter().any(|&way| self.goals.contains(crate::grid::step(cell, way)))
            };
            if self.goals.contains(cell) || near && self.goals.len() > 0 && !touches(cell) && random.below(8) != 0 {
                continue;
            }
            let twin = mirror(&self.yard, cell);
            if self.style == Style::Symmetric && twin != cell && missing >= 2 {
                self.goals.insert(twin);
            } else if self.style == Style::Symmetric && twin != cell && random.below(ATTEMPTS) != 0 {
                // A single goal belongs on the axis, if there is room.
                continue;
            }
            self.goals.insert(cell);
        }
    }

    /// The design with something changed at random: a wall, two walls, or a goal.
    pub(crate) fn varied(&self, random: &mut SplitMix64) -> Self {
        for _ in 0..ATTEMPTS {
            let mut next = *self;
            match random.below(6) {
                0..=2 => next.toggle(random),
                3 => {
                    next.toggle(random);
                    next.toggle(random);
                }
                _ => next.move_goal(random),
            }
            if next.repair(self.goals.len(), random) && next != *self {
                return next;
            }
        }
        *self
    }

    fn toggle(&mut self, random: &mut SplitMix64) {
        let inner: Vec<CellIndex> = self.yard.inner().collect();
        let cell = inner[random.below(inner.len())];
        if self.yard.floor.contains(cell) {
            self.set_wall(cell);
        } else if self.style != Style::Corridors || !opens_square(&self.yard.floor, cell) || random.below(8) == 0 {
            self.set_floor(cell);
        }
    }

    fn set_wall(&mut self, cell: CellIndex) {
        self.yard.floor.remove(cell);
        if self.style == Style::Symmetric {
            self.yard.floor.remove(mirror(&self.yard, cell));
        }
    }

    /// Makes a cell floor, and its mirror image where the style wants it.
    pub(crate) fn set_floor(&mut self, cell: CellIndex) {
        self.yard.floor.insert(cell);
        if self.style == Style::Symmetric {
            self.yard.floor.insert(mirror(&self.yard, cell));
        }
    }

    fn move_goal(&mut self, random: &mut SplitMix64) {
        let goals: Vec<CellIndex> = self.goals.iter().collect();
        let cell = goals[random.below(goals.len())];
        self.goals.remove(cell);
        if self.style == Style::Symmetric {
            self.goals.remove(mirror(&self.yard, cell));
        }
    }

    /// Brings floor into one piece and goals back to their number; false where that does not work out.
    fn repair(&mut self, goals: usize, random: &mut SplitMix64) -> bool {
        self.yard = self.yard.largest_part();
        if self.yard.floor.len() < 2 * goals + 1
            || self.style == Style::Symmetric && !is_symmetric(&self.yard, &self.yard.floor)
        {
            return false;
        }
        self.goals = Cells::of(self.goals.iter().filter(|&cell| self.yard.floor.contains(cell)));
        self.add_goals(goals, random);
        self.goals.len() == goals
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn designs_keep_their_boxes_and_their_style() {
        for seed in 0..40 {
            let mut random = SplitMix64::new(seed);
            let wish = Wish { boxes: 2..=4, ..Wish::default() };
            let style = Style::ALL[seed as usize % Style::ALL.len()];
            let Some(mut design) = Design::random(&wish, style, &mut random) else { continue };
            let boxes = design.goals.len();
            for _ in 0..30 {
                design = design.varied(&mut random);
                assert_eq!(design.goals.len(), boxes);
                assert_eq!(design.goals.without(&design.yard.floor).len(), 0, "goals are on the floor");
                let first = design.yard.floor.iter().next().unwrap();
                assert_eq!(design.yard.floor.zone(first), design.yard.floor);
                assert!(style != Style::Symmetric || is_symmetric(&design.yard, &design.yard.floor));
            }
        }
    }
}
