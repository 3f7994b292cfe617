//! The classic engine: textbook search with a choice of every component.
//!
//! [`Choices`] name a formulation of the game, an algorithm, a heuristic and the deadlock rules; [`Plan`] fills in
//! defaults and rejects contradictions; [`run`] runs one search of `lurd-search` and writes its path as LURD. [`inspect`]
//! records a search node by node, [`steps`] the boards of a solution with their g and h values. [`run_supplied`] is for a
//! heuristic or a deadlock rule of the caller.
#![allow(missing_docs, reason = "items are public for the crate `lurd` only; a self-explanatory name needs no comment")]

mod admissibility;
mod choices;
pub mod formulation;
pub mod heuristic;
mod inspect;
mod names;
mod plan;
mod run;
mod steps;
mod supplied;
mod whole_space;

pub use admissibility::{Admissibility, EstimateQuality, StateCase, admissibility};
pub use choices::{ChoiceError, Choices};
pub use inspect::{Expansion, Fate, GoalReached, Successor, Trace, inspect};
pub use names::{AlgorithmName, EstimateName, FormulationName, PlayerTerm, TieBreakName};
pub use plan::{Plan, informed, looks_for_optimum};
pub use run::{Ended, Outcome, Watcher, run, run_supplied};
pub use steps::{Step, steps};
pub use supplied::{DeadFunction, EstimateFunction, Supplied, SuppliedHeuristic, SuppliedRule};
pub use whole_space::WholeSpace;
