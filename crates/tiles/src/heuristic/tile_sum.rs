//! Estimates that add up one number per tile, by its cell.

use super::Slide;
use crate::board::{Board, MAX_CELLS};
use lurd_search::Cost;

/// For each tile and cell, what the tile adds there. The blank adds nothing.
#[derive(Clone)]
pub(super) struct TileSum {
    terms: Box<[[u8; MAX_CELLS]; MAX_CELLS]>,
    parent: Cost,
}

impl TileSum {
    /// 1 for each tile away from its goal.
    pub(super) fn misplaced(goal: &Board) -> Self {
        Self::of(goal, |rows, columns| usize::from(rows + columns > 0))
    }

    /// Rows plus columns to go.
    pub(super) fn manhattan(goal: &Board) -> Self {
        Self::of(goal, |rows, columns| rows + columns)
    }

    /// The larger of rows and columns to go.
    pub(super) fn chebyshev(goal: &Board) -> Self {
        Self::of(goal, usize::max)
    }

    fn of(goal: &Board, measure: impl Fn(usize, usize) -> usize) -> Self {
        let side = goal.side();
        let mut terms = Box::new([[0; MAX_CELLS]; MAX_CELLS]);
        for (home, &tile) in goal.tiles().iter().enumerate().filter(|&(_, &tile)| tile != 0) {
            for cell in 0..goal.len() {
                let rows = (cell / side).abs_diff(home / side);
                let columns = (cell % side).abs_diff(home % side);
                terms[usize::from(tile)][cell] = measure(rows, columns) as u8;
            }
        }
        Self { terms, parent: 0 }
    }

    pub(super) fn value(&self, board: &Board) -> Cost {
        board.tiles().iter().enumerate().map(|(cell, &tile)| Cost::from(self.terms[usize::from(tile)][cell])).sum()
    }

    pub(super) fn set_parent(&mut self, parent: &Board) {
        self.parent = self.value(parent);
    }

    /// The value after the slide.
    pub(super) fn child(&self, Slide { tile, from, to }: Slide) -> Cost {
        let terms = &self.terms[tile];
        self.parent + Cost::from(terms[to]) - Cost::from(terms[from])
    }
}
