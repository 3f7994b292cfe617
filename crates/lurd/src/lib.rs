//! Sokoban: read levels, solve them, prove the fewest pushes or moves, make solutions shorter.
//!
//! ```
//! fn main() -> Result<(), Box<dyn std::error::Error>> {
//!     let level = lurd::Level::parse("#######\n#@ $ .#\n#######")?;
//!     let report = lurd::solve(&level)?;
//!     println!("{:?}", report.solution);
//! #   assert_eq!(report.solution.map(|solution| solution.lurd).as_deref(), Some("rRR"));
//!     Ok(())
//! }
//! ```
//!
//! # A tour
//!
//! | to | use |
//! |---|---|
//! | read one level, a text, a file | [`Level::parse`], [`parse`], [`load`]; [`formats`] lists and writes the formats |
//! | find any solution | [`solve`] |
//! | choose a goal, limits, threads, watch the progress | [`Solver`] |
//! | prove the fewest pushes or moves | [`prove`], or [`Solver::goal`] |
//! | make a solution shorter | [`improve()`](fn@improve) |
//! | replay moves by the bare rules | [`check`] |
//! | ask why a position is lost | [`deadlocks`], [`Deadlocks`] while playing, [`overlay`] for pictures |
//! | run a textbook search: any algorithm, heuristic, deadlock rule | [`Choices`] in [`Solver::choices`]; [`explain`] says what they promise, [`inspect`] shows them node by node |
//! | know the exact distance of every position of a small level, or test a heuristic on all of them | [`Reachable`] |
//! | ask again and again how a position stands while it is played | [`Oracle`] |
//! | run a heuristic or deadlock rule of your own in a textbook search | [`search_supplied`] |
//! | write a heuristic or a state space of your own | [`search`], [`formulation`]; `examples/own_heuristic.rs`, `examples/own_space.rs` |
//!
//! # What an answer is worth
//!
//! Every solution has been replayed by the referee, code that shares nothing with the engines, before it is in a
//! [`Report`]. [`Report::proof`] says what is proved about its length, [`Report::lower_bound`] what no solution is below.
//! [`Outcome::Unsolvable`] is said only after an exhaustive search under sound rules. A limit that ends a search is an
//! [`Outcome`], never an error: errors are for levels that cannot be played and choices that contradict each other.
//!
//! # Threads, limits, cancelling
//!
//! A search runs on the calling thread and, with [`Solver::threads`], on others that have ended when the call returns.
//! Time, memory and node limits hold for all of them together. A [`Cancel`] flag ends a search from outside within
//! milliseconds. With one thread and without a time limit, equal calls give equal answers and equal counts.

mod certificate;
#[cfg(test)]
mod certificate_tests;
mod classic;
mod complete;
mod config;
mod explain;
pub mod files;
mod front;
mod incumbent;
mod oracle;
pub mod overlay;
mod prove;
mod race;
mod reachable;
mod recheck;
mod report;
mod seed;
mod solver;
mod watch;

pub use certificate::{Certificate, CertificateError, Claim, SolutionRecord};
pub use config::SolveError;
pub use explain::{Explanation, Promise, explain};
pub use front::{LoadError, LostBoxes, check, deadlocks, improve, load, parse, prove, solve};
pub use lurd_base::{Budget, Cancel, Halt, Limits, Share, Stop};
pub use lurd_classic::{
    Admissibility, AlgorithmName, ChoiceError, Choices, EstimateName, EstimateQuality, Expansion, Fate,
    FormulationName, GoalReached, PlayerTerm, StateCase, Step, Successor, Supplied, SuppliedHeuristic, SuppliedRule,
    TieBreakName, Trace,
};
pub use lurd_classic::{formulation, heuristic};
pub use lurd_contract as contract;
pub use lurd_contract::{
    Disk, Ending, Heuristic, MOST_THREADS, Progress, Proof, ProofProgress, Record, Request, RuleSet, Solution,
};
pub use lurd_formats as formats;
pub use lurd_improve as improve;
pub use lurd_level::{
    Cell, Direction, Level, Map, ParseError, Place, Region, SavedGame, Symmetry, lurd as notation, validity,
};
pub use lurd_prove_pushes::{DiskError, Forecast, JournalError, LayerRecord, LimitEnd, LimitRecord, StartRecord};
pub use lurd_race::observe::{Nearest, Race, Racer, RacerState};
pub use lurd_referee::{Fault, Verdict};
pub use lurd_rules::deadlock::DetectorName;
pub use lurd_rules::distance;
pub use lurd_rules::distance::Distances;
pub use lurd_rules::{Bits, Board, BoardError, Deadlock, Deadlocks, Goal, NO_SQUARE, Square, State, Walker};
pub use lurd_search::{self as search, Statistics};
pub use oracle::{Oracle, Standing};
pub use reachable::{Examination, Inconsistency, Overestimate, Reachable, ReachableError};
pub use recheck::{Recheck, recheck};
pub use report::{Outcome, Report, counted, ending, progress_of};
pub use solver::Solver;
pub use watch::Watch;

use lurd_classic::Plan;
use std::sync::Arc;

/// Solves a level as a [`Request`] says. `progress` is called a few times a second. [`Solver`] is the same with settings by name.
///
/// # Errors
/// When the parts of the config do not go together or the level cannot be played; the sentence
/// says why and what to do.
///
/// ```
/// use lurd::{Cancel, Request, Level};
/// let level = Level::parse("#######\n#@ $ .#\n#######")?;
/// let mut seen = 0;
/// let report = lurd::solve_with(&level, &Request::default(), &Cancel::new(), &mut |progress| seen = progress.expanded)?;
/// assert_eq!(report.solution.map(|solution| solution.pushes), Some(2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn solve_with(
    level: &Level,
    config: &Request,
    cancel: &Cancel,
    progress: &mut dyn FnMut(&Progress),
) -> Result<Report, SolveError> {
    watch(level, config, cancel, &mut watch::Ticks(progress))
}

/// As [`solve_with`], for someone who wants to see more than progress.
///
/// # Errors
/// As [`solve_with`].
///
/// ```
/// use lurd::{AlgorithmName, Cancel, Choices, Request, Level, Progress, State, Watch};
///
/// struct Expanded(Vec<u32>);
/// impl Watch for Expanded {
///     fn progress(&mut self, _: &Progress) {}
///     fn closely(&self) -> bool {
///         true
///     }
///     fn expanded(&mut self, _: &State, g: u32, h: u32) {
///         self.0.push(g + h);
///     }
/// }
///
/// let level = Level::parse("#######\n#@ $ .#\n#######")?;
/// let classic = Choices { algorithm: Some(AlgorithmName::AStar), ..Choices::default() };
/// let mut expanded = Expanded(Vec::new());
/// lurd::watch(&level, &Request { classic, ..Request::default() }, &Cancel::new(), &mut expanded)?;
/// assert!(expanded.0.iter().all(|&f| f == 2), "the matching is exact here");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn watch(level: &Level, config: &Request, cancel: &Cancel, watcher: &mut dyn Watch) -> Result<Report, SolveError> {
    if config.seed != 0 {
        let search = |image: &Level, config: &Request, watcher: &mut dyn Watch| watch(image, config, cancel, watcher);
        return seed::search_image(level, config, watcher, search);
    }
    let budget = Budget::new(config.limits, cancel.clone());
    config::check_second_goal(config)?;
    let plan = Plan::new(&config.classic, config.goal)?;
    let board = &Arc::new(Board::new(&level.map)?);
    if config.leaves_proof() && !(prove::applies(config) && config.goal == Goal::Pushes) {
        return Err(SolveError::NotDurable);
    }
    let is_solved = board.start_boxes() == board.goals();
    let mut report = run_engine(Task { level, board, config, budget: &budget }, &plan, watcher)?;
    if is_solved {
        // Whatever limit the engine ran into: nothing has to be moved.
        report.solution = report::judged(level, String::new()).ok();
    }
    Ok(report.settled(config.goal, config.then))
}

/// What an engine works on: a level, what is asked of it, and what it may cost.
#[derive(Clone, Copy, Debug)]
struct Task<'a> {
    level: &'a Level,
    board: &'a Arc<Board>,
    config: &'a Request,
    budget: &'a Budget,
}

/// Runs the engine that the config calls for.
fn run_engine(task: Task<'_>, plan: &Plan, watcher: &mut dyn Watch) -> Result<Report, SolveError> {
    let Task { level, board, config, budget } = task;
    if race::applies(config) {
        return race::run(task, watcher);
    }
    if !prove::applies(config) {
        return Ok(classic::run(level, board, plan, budget, watcher));
    }
    if let Some(report) = prove::run(task, watcher)? {
        return Ok(report);
    }
    if config.leaves_proof() {
        return Err(SolveError::TooLargeForProof);
    }
    let mut report = classic::run(level, board, plan, budget, watcher);
    report.notes.push(format!(
        "the level is too large, or the memory too small, for the engine that proves the fewest {}: {} searched instead",
        config.goal, report.algorithm
    ));
    if let Some(then) = config.then {
        report.notes.push(format!("the level is too large for the search that looks at {then} as well"));
    }
    Ok(report)
}

/// As [`watch`], for a textbook search with a heuristic or a deadlock rule of the caller: the config's choices say which
/// algorithm and formulation it joins. It must run forwards.
///
/// # Errors
/// As [`solve_with`], and when the choices ask for a reversed or bidirectional search.
///
/// ```
/// use lurd::search::Guarantee;
/// use lurd::{AlgorithmName, Cancel, Choices, Request, Level, Progress, Proof, Supplied, SuppliedHeuristic, Watch};
///
/// struct Nobody;
/// impl Watch for Nobody {
///     fn progress(&mut self, _: &Progress) {}
/// }
///
/// let level = Level::parse("#######\n#@ $ .#\n#######")?;
/// let classic = Choices { algorithm: Some(AlgorithmName::AStar), ..Choices::default() };
/// // Every box off its goal needs a push, and a push moves one box.
/// let misplaced = SuppliedHeuristic {
///     name: "misplaced".into(),
///     estimate: Box::new(|board, state| Some(state.boxes.iter().filter(|&square| !board.is_goal(square)).count() as u32)),
///     guarantee: Guarantee::Consistent,
/// };
/// let supplied = Supplied { heuristic: Some(misplaced), rule: None };
/// let config = Request { classic, ..Request::default() };
/// let report = lurd::search_supplied(&level, &config, supplied, &Cancel::new(), &mut Nobody)?;
/// assert_eq!((report.proof, report.heuristic.as_str()), (Proof::OptimalPushes, "misplaced"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn search_supplied(
    level: &Level,
    config: &Request,
    supplied: Supplied<'_>,
    cancel: &Cancel,
    watcher: &mut dyn Watch,
) -> Result<Report, SolveError> {
    let budget = Budget::new(config.limits, cancel.clone());
    let plan = Plan::new(&config.classic, config.goal)?;
    if plan.reverse || plan.algorithm == AlgorithmName::Bidirectional {
        return Err(ChoiceError::SuppliedBackwards.into());
    }
    let board = Board::new(&level.map)?;
    Ok(classic::run_supplied(level, &board, &plan, supplied, &budget, watcher))
}

/// Every board of a solution, the first one included, with g, h and f under the config's
/// formulation and heuristic.
///
/// # Errors
/// As [`solve_with`].
///
/// ```
/// use lurd::{Request, Level};
/// let level = Level::parse("#######\n#@ $ .#\n#######")?;
/// let steps = lurd::steps(&level, &Request::default(), "rRR")?;
/// let figures: Vec<_> = steps.iter().map(|step| (step.g, step.h)).collect();
/// assert_eq!(figures, [(0, Some(2)), (0, Some(2)), (1, Some(1)), (2, Some(0))]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn steps(level: &Level, config: &Request, lurd: &str) -> Result<Vec<Step>, SolveError> {
    let plan = Plan::new(&config.classic, config.goal)?;
    Ok(lurd_classic::steps(&Board::new(&level.map)?, &plan, lurd))
}

/// Runs a classic search and records up to `most` expansions.
///
/// # Errors
/// When the config contradicts itself, the level cannot be played, or the algorithm has no
/// single order of expansions to show.
///
/// ```
/// use lurd::{AlgorithmName, Cancel, Choices, Request, Level};
/// let level = Level::parse("#######\n#@ $ .#\n#######")?;
/// let classic = Choices { algorithm: Some(AlgorithmName::AStar), ..Choices::default() };
/// let trace = lurd::inspect(&level, &Request { classic, ..Request::default() }, 100, &Cancel::new())?;
/// assert!(trace.solved() && trace.complete());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn inspect(level: &Level, config: &Request, most: usize, cancel: &Cancel) -> Result<Trace, SolveError> {
    let plan = Plan::new(&config.classic, config.goal)?;
    Ok(lurd_classic::inspect(Board::new(&level.map)?, &plan, most, config.limits, cancel)?)
}

/// Compares every estimate with the true distance over all states of a small level, at most `most` of them.
///
/// # Errors
/// When the config contradicts itself, the level cannot be played, or it has more states.
///
/// ```
/// use lurd::{Cancel, Request, Level};
/// let level = Level::parse("#######\n#@ $ .#\n#######")?;
/// let measured = lurd::admissibility(&level, &Request::default(), 1000, &Cancel::new())?;
/// assert!(measured.estimates.iter().any(|estimate| estimate.name.name() == "matching" && estimate.worst.is_none()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn admissibility(
    level: &Level,
    config: &Request,
    most: usize,
    cancel: &Cancel,
) -> Result<Admissibility, SolveError> {
    let plan = Plan::new(&config.classic, config.goal)?;
    Ok(lurd_classic::admissibility(Board::new(&level.map)?, &plan, most, config.limits, cancel)?)
}

/// The programs of the README compile and run.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
