//! Which tiles form a group, and how a board is turned so that three sets of groups serve every goal.

use super::PatternError;
use crate::board::Board;

/// Groups of tiles, named by their goal cells on a turned board.
#[derive(Debug)]
pub(super) struct Layout {
    /// The goal cell of the blank.
    pub(super) blank: usize,
    /// The goal cells of each group; a tile's slot in the packed placement is its place here.
    /// Three groups hold every tile once; where there are six, they are two such splits.
    pub(super) groups: &'static [&'static [usize]],
}

/// Each group hangs together, so its tiles get in each other's way: that is what the tables know.
///
/// No mirror image leaves a blank on an edge in its cell, so there a second split gives the
/// second estimate: without it a search expands about four times as many boards as elsewhere.
static LAYOUTS: [Layout; 3] = [
    Layout { blank: 0, groups: &[&[3, 6, 7, 10, 11, 15], &[1, 2, 4, 5, 8, 9], &[12, 13, 14]] },
    Layout {
        blank: 1,
        groups: &[
            &[0, 4, 5, 8, 9, 12],
            &[2, 3, 6, 7, 10, 11],
            &[13, 14, 15],
            &[8, 9, 10, 12, 13, 14],
            &[2, 3, 6, 7, 11, 15],
            &[0, 4, 5],
        ],
    },
    Layout { blank: 5, groups: &[&[0, 1, 4, 8, 9, 12], &[2, 3, 6, 7, 10, 11], &[13, 14, 15]] },
];

/// One of the eight ways to turn and mirror a 4x4 board.
pub(super) type Symmetry = [usize; 16];

/// The eight symmetries, as maps from cell to cell.
pub(super) fn symmetries() -> [Symmetry; 8] {
    std::array::from_fn(|which| {
        std::array::from_fn(|cell| {
            let (mut row, mut column) = (cell / 4, cell % 4);
            if which & 1 != 0 {
                (row, column) = (column, row);
            }
            if which & 2 != 0 {
                row = 3 - row;
            }
            if which & 4 != 0 {
                column = 3 - column;
            }
            4 * row + column
        })
    })
}

impl Layout {
    /// The layout that serves a goal.
    pub(super) fn for_goal(goal: &Board) -> Result<&'static Self, PatternError> {
        let turned_onto = |layout: &&Self| symmetries().iter().any(|turn| turn[goal.blank()] == layout.blank);
        match goal.side() {
            4 => LAYOUTS.iter().find(turned_onto).ok_or(PatternError::Size(4)),
            side => Err(PatternError::Size(side)),
        }
    }

    /// The ways to look at a board whose goal has the blank in `blank`: how to turn it onto
    /// this layout, and the first of the three groups to add up. There are two.
    pub(super) fn views(&self, blank: usize) -> Vec<(Symmetry, usize)> {
        let splits = (0..self.groups.len()).step_by(3);
        let turns = symmetries().into_iter().filter(|turn| turn[blank] == self.blank);
        turns.flat_map(|turn| splits.clone().map(move |first| (turn, first))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;
    use std::collections::HashSet;

    #[test]
    fn the_symmetries_are_eight_and_keep_neighbours() {
        let all = symmetries();
        assert_eq!(all.iter().collect::<HashSet<_>>().len(), 8);
        for turn in all {
            for cell in 0..16 {
                for direction in crate::MoveSet::Classic.directions() {
                    if let Some(next) = direction.from_cell(cell, 4) {
                        let (a, b) = (turn[cell], turn[next]);
                        assert_eq!((a / 4).abs_diff(b / 4) + (a % 4).abs_diff(b % 4), 1);
                    }
                }
            }
        }
    }

    #[test]
    fn every_layout_holds_every_tile_once_and_every_goal_has_one() {
        for layout in &LAYOUTS {
            for split in layout.groups.chunks(3) {
                let mut cells: Vec<usize> = split.concat();
                cells.push(layout.blank);
                cells.sort_unstable();
                assert_eq!(cells, (0..16).collect::<Vec<_>>());
            }
        }
        for blank in 0..16 {
            let mut tiles: Vec<usize> = (1..16).collect();
            tiles.insert(blank, 0);
            let layout = Layout::for_goal(&Board::new(&tiles).unwrap()).unwrap();
            assert_eq!(layout.views(blank).len(), 2);
        }
        assert!(Layout::for_goal(&Board::standard_goal(3)).is_err());
    }
}
