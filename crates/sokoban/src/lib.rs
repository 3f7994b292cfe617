//! Sokoban: levels and their formats, the board compiled from them, rules that
//! recognise dead positions, estimates, and the engines that solve.

pub mod engine;
mod level;
mod map;

pub use level::{Level, Place, SavedGame};
pub use map::{Cell, Map};
