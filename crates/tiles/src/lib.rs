//! Sliding tiles, from 2x2 to 5x5, with any start and any goal.
//!
//! Under [`Classic`](MoveSet::Classic) moves the blank changes places with a tile above,
//! below, left or right of it; under [`Diagonal`](MoveSet::Diagonal) moves with a
//! diagonal neighbour too. Every move costs 1.
//!
//! A [`Board`] is checked when it is read, a [`Problem`] when it is put together: boards
//! that parity makes unsolvable are told so at once, with the reason. [`solve`] runs any
//! algorithm of the search core with any [`HeuristicKind`]; [`solve_both`] runs uniform
//! cost and then A*, as the classic assignment asks. [`statistics`] measures the whole
//! 3x3 space and says what each heuristic is worth.
//!
//! ```
//! use lurd_base::Budget;
//! use lurd_tiles::{Board, Estimator, HeuristicKind, MoveSet, Problem, solve_both};
//!
//! let start: Board = "1 2 3 4 5 6 0 7 8".parse()?;
//! let problem = Problem::new(start, Board::standard_goal(3), MoveSet::Diagonal)?;
//! let mut estimator = Estimator::new(&problem, HeuristicKind::ChebyshevParity)?;
//! for report in solve_both(&problem, &mut estimator, &Budget::unlimited) {
//!     println!("{}: cost {:?}, {} expanded", report.algorithm, report.cost, report.expanded);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![allow(missing_docs, reason = "items are public for cli, play and web; a self-explanatory name needs no comment")]

mod board;
mod heuristic;
mod inspect;
mod method;
mod moves;
mod parity;
mod pattern;
mod problem;
mod random;
mod solve;
mod space;
mod stats;

pub use board::{Board, BoardError};
pub use heuristic::{Estimator, HeuristicError, HeuristicKind};
pub use inspect::inspect;
pub use method::{Method, Parameters};
pub use moves::{Direction, MoveSet};
pub use parity::ParityReason;
pub use pattern::{BuildProgress, Origin, PatternDatabase, PatternError};
pub use problem::{Problem, ProblemError};
pub use random::{random_board, scramble};
pub use solve::{Report, Step, solve, solve_both};
pub use space::TileSpace;
pub use stats::{Counterexample, HeuristicStatistics, InconsistentEdge, Statistics, StatisticsError, statistics};
