//! What a square shows, and the byte a batch keeps for it.

use lurd_level::Cell;

/// What a square shows. The numbers are those of gym-sokoban's room states, with 6 for the player on a goal as in its
/// pictures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Tile {
    /// A wall, or outside.
    Wall,
    /// Free floor.
    Floor,
    /// A free goal.
    Goal,
    /// A box on a goal.
    BoxOnGoal,
    /// A box off the goals.
    Box,
    /// The player.
    Player,
    /// The player on a goal.
    PlayerOnGoal,
}

impl Tile {
    /// All tiles in the order of their numbers.
    pub const ALL: [Self; 7] =
        [Self::Wall, Self::Floor, Self::Goal, Self::BoxOnGoal, Self::Box, Self::Player, Self::PlayerOnGoal];
}

/// The byte of a square: which of these are there.
pub(crate) const WALL: u8 = 1;
pub(crate) const GOAL: u8 = 2;
pub(crate) const BOX: u8 = 4;
pub(crate) const PLAYER: u8 = 8;
/// A goal that has had a box in this episode.
pub(crate) const VISITED: u8 = 16;

/// The tile of a square's byte.
pub(crate) fn tile(square: u8) -> Tile {
    match square & (WALL | GOAL | BOX | PLAYER) {
        0 => Tile::Floor,
        GOAL => Tile::Goal,
        BOX => Tile::Box,
        PLAYER => Tile::Player,
        both if both == BOX | GOAL => Tile::BoxOnGoal,
        both if both == PLAYER | GOAL => Tile::PlayerOnGoal,
        _ => Tile::Wall,
    }
}

/// The byte of a cell of a level.
pub(crate) fn square(cell: Cell) -> u8 {
    match cell {
        Cell::Wall => WALL,
        Cell::Floor => 0,
        Cell::Goal => GOAL,
        Cell::Box => BOX,
        Cell::BoxOnGoal => BOX | GOAL,
        Cell::Player => PLAYER,
        Cell::PlayerOnGoal => PLAYER | GOAL,
    }
}
