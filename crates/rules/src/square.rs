//! Squares by number.

/// The number of a playable square; squares are numbered in reading order.
pub type Square = u16;

/// No square: a wall or the outside.
pub const NO_SQUARE: Square = Square::MAX;
