//! lurd as a plug-in of Windows Sokoban programs: a DLL with the solver and optimizer functions that Sokoban YASC and
//! others look up.
//!
//! The DLL is thin. Each call starts the `lurd.exe` that lies beside it, hands it the level, reads JSON lines
//! ([`message`]) until it ends ([`run`]), and translates what it says into the return codes of the interface
//! ([`return_code`]). A crash or a full memory stays outside the host program, and a 32-bit host gets a 64-bit solver.
//!
//! Only `border` knows C: it exists on Windows alone and holds everything that is `unsafe`. The rest is plain Rust and
//! tested everywhere.

pub mod board;
#[cfg(windows)]
mod border;
pub mod games;
pub mod message;
pub mod metric;
pub mod return_code;
pub mod run;
pub mod settings;
pub mod status;
pub mod task;
