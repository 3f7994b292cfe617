//! Sokoban: levels and their formats, the board compiled from them, rules that
//! recognise dead positions, estimates, and the engines that solve.

mod bits;
mod board;
mod champion;
pub mod check;
mod deadlock;
mod distance;
pub mod engine;
pub mod format;
mod formulation;
mod heuristic;
pub mod improve;
mod level;
pub mod lurd;
mod map;
mod optimal;
mod optimal_moves;
#[cfg(test)]
mod oracle;
pub mod overlay;
pub mod retroban;
pub mod runs;
mod shape;
mod sides;
mod square;
mod state;
mod walker;

pub use bits::Bits;
pub use board::{Board, BoardError};
pub use deadlock::{Deadlock, Deadlocks};
pub use level::{Level, Place, SavedGame};
pub use map::{Cell, Map};
pub use shape::Region;
pub use square::{Direction, NO_SQUARE, Square};
pub use state::State;
pub use walker::Walker;
