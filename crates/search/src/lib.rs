//! State-space search that knows no game.
//!
//! A game describes itself as a [`StateSpace`] and, if it can, a [`Heuristic`];
//! [`search`] then runs any [`Algorithm`] on it inside the [limits](lurd_base::Limits) of a
//! [budget](lurd_base::Budget), tells an [`Observer`] what happens, and returns an [`Outcome`]
//! whose [`Verdict`] says what was proved and whose [`Statistics`] say what it cost.

pub mod game;

mod algorithm;
mod arena;
mod best_first;
mod bidirectional;
mod bounded;
mod chunked;
mod claims;
mod deepening;
mod depth_first;
mod heuristic;
mod memory_bounded;
mod meter;
mod nodes;
mod observer;
mod outcome;
mod queue;
mod record;
mod space;
mod table;
mod trace;
mod visits;
mod weight;

pub use algorithm::{Algorithm, TieBreak, search};
pub use bidirectional::{Meeting, bidirectional};
pub use heuristic::{Estimate, Guarantee, Heuristic, Zero};
pub use observer::{Observer, Silent};
pub use outcome::{Optimality, Outcome, Statistics, Verdict};
pub use record::{Record, RecordEnd, RecordedExpansion, RecordedGoal, RecordedSuccessor, SuccessorFate, record};
pub use space::{Cost, Edge, Pruning, Reason, StateSpace, Successors};
