//! Manhattan distances between squares and targets: what the moves of a box would cost without walls, boxes and player.
//!
//! A push moves one box by one square, so it lowers the Manhattan distance to any target by at most 1. A box therefore
//! needs at least its distance to the target it ends on, and all boxes together at least the cost of the cheapest
//! matching: the estimate is admissible. As a push changes the cost of every matching by at most 1, it is also
//! consistent. Moves count more than pushes, so both hold there too.

use super::assignment::CostTable;
use lurd_rules::distance::FAR;
use lurd_rules::{Board, Square};

/// The distance from each square to each target.
pub(super) struct ManhattanTable {
    targets: usize,
    table: Vec<u16>,
}

impl ManhattanTable {
    /// The size of the table for so many targets.
    pub(super) fn bytes(board: &Board, targets: usize) -> usize {
        board.len() * targets * size_of::<u16>()
    }

    pub(super) fn new(board: &Board, targets: &[Square]) -> Self {
        let table = board.squares().flat_map(|square| distances(board, square, targets)).collect();
        Self { targets: targets.len(), table }
    }
}

impl CostTable for ManhattanTable {
    fn offset(&self, square: Square, _: Square) -> usize {
        usize::from(square) * self.targets
    }

    fn row_at(&self, offset: usize) -> &[u16] {
        &self.table[offset..offset + self.targets]
    }
}

/// The distance from each square to the nearest target.
pub(super) fn nearest(board: &Board, targets: &[Square]) -> Vec<u16> {
    board.squares().map(|square| distances(board, square, targets).min().unwrap_or(0)).collect()
}

fn distances(board: &Board, square: Square, targets: &[Square]) -> impl Iterator<Item = u16> {
    let (row, column) = board.place(square);
    targets.iter().map(move |&target| {
        let (target_row, target_column) = board.place(target);
        let distance = row.abs_diff(target_row) + column.abs_diff(target_column);
        u16::try_from(distance).unwrap_or(FAR - 1)
    })
}
