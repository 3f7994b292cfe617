//! Sokoban: read levels, solve them, prove the fewest pushes and moves, make solutions shorter.

mod certificate;
mod classic;
mod complete;
mod config;
mod explain;
pub mod overlay;
mod prove_moves;
mod prove_pushes;
mod race;
mod recheck;
mod report;
mod then_moves;
mod upper;
mod watch;

pub use certificate::{Certificate, Claim, SolutionRecord};
pub use config::{Config, DiskChoice, SolveError};
pub use explain::{Explanation, Promise, explain};
pub use lurd_classic::{
    AlgorithmName, ChoiceError, Choices, EstimateName, Expansion, Fate, FormulationName, PlayerTerm, Step, Successor,
    TieBreakName, Trace,
};
pub use lurd_formats as formats;
pub use lurd_improve as improve;
pub use lurd_level::{Cell, Direction, Level, Map, Place, Region, SavedGame, Symmetry, lurd as notation, validity};
pub use lurd_prove_pushes::{Forecast, JournalError, LayerRecord, LimitEnd, LimitRecord, StartRecord};
pub use lurd_race::observe::{Nearest, Race, Racer, RacerState};
pub use lurd_rules::deadlock::DetectorName;
pub use lurd_rules::distance::Distances;
pub use lurd_rules::{Bits, Board, BoardError, Deadlock, Deadlocks, Goal, NO_SQUARE, Square, State, Walker};
pub use recheck::{Recheck, recheck};
pub use report::{Outcome, Progress, Proof, Report, Solution};
pub use watch::Watch;

use complete::Complete;
use lurd_classic::Plan;
use lurd_search::{Budget, Cancel};

/// Solves a level. `progress` is called a few times a second.
///
/// # Errors
/// When the parts of the config do not go together or the level cannot be played; the sentence
/// says why and what to do.
pub fn solve(
    level: &Level,
    config: &Config,
    cancel: &Cancel,
    progress: &mut dyn FnMut(&Progress),
) -> Result<Report, SolveError> {
    watch(level, config, cancel, &mut watch::Ticks(progress))
}

/// As [`solve`], for someone who wants to see more than progress.
///
/// # Errors
/// As [`solve`].
pub fn watch(level: &Level, config: &Config, cancel: &Cancel, watcher: &mut dyn Watch) -> Result<Report, SolveError> {
    let budget = Budget::new(config.limits, cancel.clone());
    config.check_second_goal()?;
    let plan = Plan::new(&config.classic, config.goal)?;
    let board = Board::new(&level.map)?;
    let durable = config.certify || config.disk.is_some();
    if durable && !prove_pushes::applies(config) {
        return Err(SolveError::NotDurable);
    }
    if race::applies(config) {
        let plans = Complete::plans(&config.classic)?;
        return Ok(race::run(level, board, plans, config, &budget, watcher));
    }
    if prove_pushes::applies(config)
        && let Some(report) = prove_pushes::run(level, &board, config, &budget, watcher)?
    {
        return Ok(match config.then {
            Some(Goal::Moves) => then_moves::refine(level, &board, config, &budget, watcher, report),
            _ => report,
        });
    }
    if durable {
        return Err(SolveError::TooLargeForProof);
    }
    if prove_moves::applies(config)
        && let Some(report) = prove_moves::run(level, &board, config, &budget, watcher)?
    {
        return Ok(report);
    }
    let mut report = classic::run(level, &board, &plan, &budget, watcher);
    if let Some(then) = config.then {
        report.notes.push(format!("the level is too large for the search that looks at {then} as well"));
    }
    Ok(report)
}

/// Every board of a solution, the first one included, with g, h and f under the config's
/// formulation and heuristic.
///
/// # Errors
/// As [`solve`].
pub fn steps(level: &Level, config: &Config, lurd: &str) -> Result<Vec<Step>, SolveError> {
    let plan = Plan::new(&config.classic, config.goal)?;
    Ok(lurd_classic::steps(&Board::new(&level.map)?, &plan, lurd))
}

/// Runs a classic search and records up to `most` expansions.
///
/// # Errors
/// When the config contradicts itself, the level cannot be played, or the algorithm has no
/// single order of expansions to show.
pub fn inspect(level: &Level, config: &Config, most: usize, cancel: &Cancel) -> Result<Trace, SolveError> {
    let plan = Plan::new(&config.classic, config.goal)?;
    Ok(lurd_classic::inspect(Board::new(&level.map)?, &plan, most, config.limits, cancel)?)
}
