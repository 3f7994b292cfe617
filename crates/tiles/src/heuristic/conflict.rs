//! Linear conflicts: tiles in their goal line that stand in each other's way.
//!
//! Tiles that are in their goal row, but in the wrong order, cannot all reach their
//! goals inside the row: some must leave it and come back, two moves that Manhattan
//! distance does not count. The fewest that must leave are all but a longest run that
//! is already in order. The same holds for columns, with other moves, so both add up.

use super::Slide;
use super::tile_sum::TileSum;
use crate::board::{Board, MAX_CELLS};
use lurd_search::Cost;

/// The longest edge of a board.
const MAX_SIDE: usize = 5;

#[derive(Clone)]
pub(super) struct LinearConflict {
    distance: TileSum,
    /// The goal cell of every tile.
    home: [u8; MAX_CELLS],
    /// What each row and each column of the parent adds.
    rows: [Cost; MAX_SIDE],
    columns: [Cost; MAX_SIDE],
    conflicts: Cost,
}

impl LinearConflict {
    pub(super) fn new(goal: &Board) -> Self {
        Self {
            distance: TileSum::manhattan(goal),
            home: goal.places(),
            rows: [0; MAX_SIDE],
            columns: [0; MAX_SIDE],
            conflicts: 0,
        }
    }

    pub(super) fn value(&self, board: &Board) -> Cost {
        let lines = |index| self.row(board, index) + self.column(board, index);
        self.distance.value(board) + (0..board.side()).map(lines).sum::<Cost>()
    }

    pub(super) fn set_parent(&mut self, parent: &Board) {
        self.distance.set_parent(parent);
        for index in 0..parent.side() {
            self.rows[index] = self.row(parent, index);
            self.columns[index] = self.column(parent, index);
        }
        self.conflicts = self.rows.iter().sum::<Cost>() + self.columns.iter().sum::<Cost>();
    }

    pub(super) fn child(&self, slide: Slide, child: &Board) -> Cost {
        let side = child.side();
        let (from, to) = (slide.from, slide.to);
        let mut conflicts = self.conflicts;
        // A slide along a line changes no order in it: only lines that the tile leaves or
        // enters change.
        if from / side != to / side {
            for row in [from / side, to / side] {
                conflicts = conflicts + self.row(child, row) - self.rows[row];
            }
        }
        if from % side != to % side {
            for column in [from % side, to % side] {
                conflicts = conflicts + self.column(child, column) - self.columns[column];
            }
        }
        self.distance.child(slide) + conflicts
    }

    fn row(&self, board: &Board, row: usize) -> Cost {
        let side = board.side();
        self.line(board, (0..side).map(|column| row * side + column), |home| (home / side, home % side), row)
    }

    fn column(&self, board: &Board, column: usize) -> Cost {
        let side = board.side();
        self.line(board, (0..side).map(|row| row * side + column), |home| (home % side, home / side), column)
    }

    /// Two for each tile at home in the line beyond a longest run in order. `split` gives
    /// the line a goal cell is in and its place there.
    fn line(
        &self,
        board: &Board,
        cells: impl Iterator<Item = usize>,
        split: impl Fn(usize) -> (usize, usize),
        line: usize,
    ) -> Cost {
        let mut places = [0; MAX_SIDE];
        // The longest rising run that ends at each tile.
        let mut runs: [Cost; MAX_SIDE] = [0; MAX_SIDE];
        let mut at_home = 0;
        let mut longest = 0;
        for cell in cells {
            let tile = board.tile(cell);
            let (home_line, place) = split(usize::from(self.home[tile]));
            if tile == 0 || home_line != line {
                continue;
            }
            let before = (0..at_home).filter(|&other| places[other] < place).map(|other| runs[other]).max();
            places[at_home] = place;
            runs[at_home] = before.unwrap_or(0) + 1;
            longest = longest.max(runs[at_home]);
            at_home += 1;
        }
        2 * (at_home as Cost - longest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(board: &str) -> Cost {
        LinearConflict::new(&Board::standard_goal(3)).value(&board.parse().unwrap())
    }

    #[test]
    fn tiles_in_the_wrong_order_cost_two_each_that_must_step_aside() {
        assert_eq!(value("1 2 3 4 5 6 7 8 0"), 0);
        // 2 and 1 swapped: Manhattan 2, one must leave the row.
        assert_eq!(value("2 1 3 4 5 6 7 8 0"), 4);
        // 3 2 1: Manhattan 4, two must leave.
        assert_eq!(value("3 2 1 4 5 6 7 8 0"), 8);
        // Column 1, 4, 7 turned round: the same by columns.
        assert_eq!(value("7 2 3 4 5 6 1 8 0"), 8);
    }
}
