//! State-space search that knows no game.
//!
//! A game describes itself as a [`StateSpace`] and, if it can, a [`Heuristic`];
//! [`search`] then runs any [`Algorithm`] on it inside the [`Limits`] of a
//! [`Budget`], tells an [`Observer`] what happens, and returns an [`Outcome`]
//! whose [`Verdict`] says what was proved and whose [`Statistics`] say what it cost.

mod budget;
mod heuristic;
mod observer;
mod outcome;
mod space;

pub use budget::{Budget, Cancel, Limits, Stop};
pub use heuristic::{Estimate, Guarantee, Heuristic, Zero};
pub use observer::{Observer, Silent};
pub use outcome::{Outcome, Proof, Statistics, Verdict};
pub use space::{Cost, Edge, Pruning, Reason, StateSpace, Successors};
