//! The farthest start of a board, for its own sake: the task of Taylor and Parberry (2011).

use crate::MOST_BOXES;
use crate::grid::{CellIndex, Cells, Yard};
use crate::pulls::{Measure, PullError, PullSearch};
use crate::template;
use crate::wish::{Style, WishError};
use lurd::Map;
use lurd_base::Budget;
use lurd_base::random::SplitMix64;

/// Walls with goals.
#[derive(Clone, Debug)]
pub struct FarBoard {
    yard: Yard,
    goals: Cells,
}

/// The farthest start of a board.
#[derive(Clone, Debug)]
pub struct Farthest {
    /// The level with this start.
    pub map: Map,
    /// Its distance from solved in the measure asked for.
    pub distance: usize,
    /// Positions from which the board can be solved.
    pub positions: u64,
}

impl FarBoard {
    /// A board of a style with an inside of the given size, and goals on random squares.
    ///
    /// # Errors
    /// When the size or the number of boxes cannot be searched.
    pub fn random(style: Style, inside: (usize, usize), boxes: usize, seed: u64) -> Result<Self, WishError> {
        let (width, height) = (inside.0 + 2, inside.1 + 2);
        let wish =
            crate::Wish { boxes: boxes..=boxes, width: width..=width, height: height..=height, ..Default::default() };
        wish.check()?;
        let mut random = SplitMix64::new(seed);
        let yard = template::yard(style, width, height, &mut random);
        let floor: Vec<CellIndex> = yard.floor.iter().collect();
        let mut goals = Cells::default();
        while goals.len() < boxes.min(floor.len() / 2).min(MOST_BOXES) {
            goals.insert(floor[random.below(floor.len())]);
        }
        Ok(Self { yard, goals })
    }

    /// Squares of the floor.
    pub fn squares(&self) -> usize {
        self.yard.floor.len()
    }

    /// The farthest start; `None` where no box can be pulled at all.
    ///
    /// # Errors
    /// When the budget does not suffice.
    pub fn farthest(&self, measure: Measure, threads: usize, budget: &Budget) -> Result<Option<Farthest>, PullError> {
        let layers = PullSearch::new(&self.yard, &self.goals, measure).run(1, threads, budget)?;
        let Some(last) = layers.samples.len().checked_sub(1) else { return Ok(None) };
        let start = layers.samples[last].first();
        Ok(start.map(|start| Farthest {
            map: self.yard.map(&self.goals, &start.boxes, start.player),
            distance: last,
            positions: layers.positions,
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_farthest_start_is_a_level_of_that_length() {
        let board = FarBoard::random(Style::Rooms, (6, 6), 2, 3).unwrap();
        let found = board.farthest(Measure::Pushes, 1, &Budget::unlimited()).unwrap().unwrap();
        let report = lurd::prove(&lurd::Level::new(found.map), lurd::Goal::Pushes).unwrap();
        assert_eq!(report.solution.map(|solution| solution.pushes), Some(found.distance));
        assert!(FarBoard::random(Style::Rooms, (6, 6), 9, 3).is_err());
    }
}
