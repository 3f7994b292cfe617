//! The classic engine: textbook search with every part a choice.
//!
//! [`Choices`] name a formulation of the game, an algorithm, a heuristic and the deadlock rules; [`Plan`] fills in what
//! is left open and refuses what does not go together; [`run`] runs one search of `lurd-search` and writes its path
//! as LURD. [`inspect`] records a search node by node, [`steps`] the boards of a solution with their figures.
#![allow(missing_docs, reason = "items are public for the crate `lurd`; a name that says it all needs no sentence")]

mod choices;
pub mod formulation;
pub mod heuristic;
mod inspect;
mod names;
mod plan;
mod run;
mod steps;

pub use choices::{ChoiceError, Choices};
pub use inspect::{Expansion, Fate, Successor, Trace, inspect};
pub use names::{AlgorithmName, EstimateName, FormulationName, PlayerTerm, TieBreakName};
pub use plan::{Plan, informed, looks_for_optimum};
pub use run::{Ended, Outcome, Watcher, run};
pub use steps::{Step, steps};
