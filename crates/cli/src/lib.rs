//! The commands `lurd` and `sokoban`, as a library that both binaries enter.
//!
//! [`command`] holds one file per command of `lurd`; [`course`] is the course tool
//! `sokoban`. The other modules are what they share: reading levels, turning flags
//! into an engine's [`Request`](lurd::Request), printing, and leaving with
//! the right exit code.

pub mod cli;
pub mod command;
pub mod course;
pub mod embedded;
pub mod exit;
pub mod flags;
pub mod idle;
pub mod input;
pub mod interrupt;
#[cfg(test)]
mod made_up;
pub mod memory;
pub mod output;
pub mod pool;
pub mod progress;
pub mod refused;
pub mod replace;
pub mod saver;
pub mod selection;
pub mod shelf;
pub mod table;
pub mod units;
