//! Numbered squares.

/// The number of a playable square. Squares are numbered in reading order.
pub type Square = u16;

/// Not a square: a wall or the outside.
pub const NO_SQUARE: Square = Square::MAX;
