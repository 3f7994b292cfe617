//! What every search stands on: limits and cancelling, a clock, chance from a seed, nodes shared by threads.
//!
//! It knows no search and no game, so that a change of an algorithm compiles no engine that does without it.

pub mod clock;
pub mod random;
pub mod sync;

mod budget;
mod choices;
mod node_pool;
mod share;

pub use budget::{Budget, Cancel, Halt, Limits, Stop};
pub use choices::Choice;
pub use node_pool::{NodePool, NodeShare};
pub use share::Share;
