//! Checks that a map is a playable level: one player, enclosed by walls, as many goals as boxes.

use crate::region::Region;
use crate::{Cell, Map};

/// The maximum number of squares of the player's region: engines number them with 16 bits.
pub const MAX_SQUARES: usize = 65_000;

/// Counts of a valid map, on the whole board and in the player's region.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Census {
    /// Boxes on the board.
    pub boxes: usize,
    /// Goals on the board: as many as boxes.
    pub goals: usize,
    /// Boxes in the player's region. The others are decoration: they stand on goals.
    pub reachable_boxes: usize,
    /// Squares of the player's region.
    pub squares: usize,
}

/// Why a map is not a playable level.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FlawKind {
    /// No player.
    #[error("there is no player; put one on the board (`@` in XSB, or `+` on a goal)")]
    NoPlayer,
    /// More than one player.
    #[error("here is a second player; leave only one on the board")]
    SecondPlayer,
    /// No box, or none in the player's region.
    #[error("there is no box; put at least one on the board (`$` in XSB)")]
    NoBox,
    /// The player can leave the board.
    #[error(
        "the player can walk off the board here; close the wall, or convert the level to a full rectangle of walls"
    )]
    NotEnclosed,
    /// More than [`MAX_SQUARES`] squares.
    #[error(
        "the player can reach {0} squares and {MAX_SQUARES} is the most that can be played; make the level smaller"
    )]
    TooManySquares(usize),
    /// Boxes and goals differ in number.
    #[error("the board has {boxes} {} and {goals} {}; there must be as many goals as boxes", if *boxes == 1 { "box" } else { "boxes" }, if *goals == 1 { "goal" } else { "goals" })]
    Counts {
        /// Boxes on the board.
        boxes: usize,
        /// Goals on the board.
        goals: usize,
    },
    /// A box off the goals outside the player's region.
    #[error("the player can never get to this box, and it is not on a goal; move it inside the walls or remove it")]
    UnreachableBox,
    /// An empty goal outside the player's region.
    #[error("the player can never get to this goal, and no box is on it; move it inside the walls or remove it")]
    UnreachableGoal,
}

/// Why a map is not a playable level, and the square that shows it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("row {}, column {}: {kind}", row + 1, column + 1)]
pub struct Flaw {
    /// What is wrong.
    pub kind: FlawKind,
    /// Row of the square, from 0.
    pub row: usize,
    /// Column of the square, from 0.
    pub column: usize,
}

/// Checks that a map is a playable level.
///
/// # Errors
/// The first flaw found.
pub fn check(map: &Map) -> Result<Census, Flaw> {
    let flaw = |kind, (row, column): (usize, usize)| Err(Flaw { kind, row, column });
    let mut players = map.cells().filter(|(_, _, cell)| cell.has_player()).map(|(row, column, _)| (row, column));
    if players.next().is_none() {
        return flaw(FlawKind::NoPlayer, (0, 0));
    }
    if let Some(second) = players.next() {
        return flaw(FlawKind::SecondPlayer, second);
    }
    let count = |wanted: fn(Cell) -> bool| map.cells().filter(|&(_, _, cell)| wanted(cell)).count();
    let (boxes, goals) = (count(Cell::has_box), count(Cell::is_goal));
    if boxes == 0 {
        return flaw(FlawKind::NoBox, (0, 0));
    }
    let region = Region::of_player(map);
    if let Some(exit) = region.exit {
        return flaw(FlawKind::NotEnclosed, exit);
    }
    if region.squares > MAX_SQUARES {
        return flaw(FlawKind::TooManySquares(region.squares), (0, 0));
    }
    if boxes != goals {
        return flaw(FlawKind::Counts { boxes, goals }, (0, 0));
    }
    let mut reachable_boxes = 0;
    for (row, column, cell) in map.cells() {
        if region.contains(row, column) {
            reachable_boxes += usize::from(cell.has_box());
        } else if cell == Cell::Box {
            return flaw(FlawKind::UnreachableBox, (row, column));
        } else if cell == Cell::Goal {
            return flaw(FlawKind::UnreachableGoal, (row, column));
        }
    }
    if reachable_boxes == 0 {
        return flaw(FlawKind::NoBox, (0, 0));
    }
    Ok(Census { boxes, goals, reachable_boxes, squares: region.squares })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flaw(text: &str) -> (FlawKind, usize, usize) {
        let flaw = check(&Map::from_xsb(text).unwrap()).unwrap_err();
        (flaw.kind, flaw.row, flaw.column)
    }

    #[test]
    fn a_valid_level_has_counts() {
        let map = Map::from_xsb("###### #*#\n#@$ .# ###\n######").unwrap();
        assert_eq!(check(&map), Ok(Census { boxes: 2, goals: 2, reachable_boxes: 1, squares: 4 }));
    }

    #[test]
    fn every_flaw_has_its_kind_and_square() {
        assert_eq!(flaw("####\n#$.#\n####"), (FlawKind::NoPlayer, 0, 0));
        assert_eq!(flaw("#####\n#@$.#\n# + #\n#####"), (FlawKind::SecondPlayer, 2, 2));
        assert_eq!(flaw("###\n#@#\n###"), (FlawKind::NoBox, 0, 0));
        assert_eq!(flaw("#####\n#@#*#\n#####"), (FlawKind::NoBox, 0, 0), "decoration alone is no level");
        assert_eq!(flaw("#####\n#@$.#\n## ##"), (FlawKind::NotEnclosed, 2, 2));
        assert_eq!(flaw("#####\n#@$.  #\n#####"), (FlawKind::NotEnclosed, 0, 5), "found by the shortest walk");
        assert_eq!(flaw("######\n#@$..#\n######"), (FlawKind::Counts { boxes: 1, goals: 2 }, 0, 0));
        assert_eq!(flaw("##### $\n#@ .#\n#####"), (FlawKind::UnreachableBox, 0, 6));
        assert_eq!(flaw("##### .\n#@$ #\n#####"), (FlawKind::UnreachableGoal, 0, 6));
    }

    #[test]
    fn a_level_may_start_solved() {
        assert!(check(&Map::from_xsb("####\n#@*#\n####").unwrap()).is_ok());
    }

    #[test]
    fn too_many_squares_are_reported_with_their_number() {
        let mut rows = vec![vec![Cell::Floor; 298]; 298];
        (rows[4][4], rows[5][5]) = (Cell::Player, Cell::BoxOnGoal);
        let flaw = check(&Map::enclosed(&rows, 298)).unwrap_err();
        assert_eq!(flaw.kind, FlawKind::TooManySquares(298 * 298));
    }
}
