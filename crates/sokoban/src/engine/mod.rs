//! Ways of solving a level.
//!
//! [`solve`] is the one door: it takes a level and a [`Config`], chooses what the
//! config leaves open, runs the search, has the referee replay the answer, and
//! returns a [`Report`].

mod certificate;
mod champion;
mod classic;
mod complete;
mod config;
mod explain;
mod inspect;
mod optimal;
mod optimal_moves;
mod plan;
mod recheck;
mod report;
mod steps;
mod then_moves;
mod upper;
mod watch;

pub use crate::champion::view::{Nearest, Race, Racer, RacerState};
pub use crate::optimal::{Forecast, LayerRecord, LimitEnd, LimitRecord, StartRecord};
pub use certificate::{Certificate, Claim, SolutionRecord};
pub use config::{
    AlgorithmName, Config, ConfigError, DetectorName, DiskChoice, EstimateName, FormulationName, Goal, PlayerTerm,
    TieBreakName,
};
pub use explain::{Explanation, Promise, explain};
pub use inspect::{Expansion, Fate, Successor, Trace, inspect};
pub use recheck::{Recheck, recheck};
pub use report::{Outcome, Progress, Proof, Report, Solution, Step};
pub use watch::Watch;

use crate::Level;
use crate::board::Board;
use plan::Plan;
use search::{Budget, Cancel};

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
) -> Result<Report, ConfigError> {
    watch(level, config, cancel, &mut watch::Ticks(progress))
}

/// As [`solve`], for someone who wants to see more than progress.
///
/// # Errors
/// As [`solve`].
pub fn watch(level: &Level, config: &Config, cancel: &Cancel, watcher: &mut dyn Watch) -> Result<Report, ConfigError> {
    let budget = Budget::new(config.limits, cancel.clone());
    let plan = Plan::new(config)?;
    let board = compile(level)?;
    let durable = config.certify || config.disk.is_some();
    if durable && !optimal::applies(config) {
        return Err(ConfigError(
            "only the engine for the fewest pushes leaves certificates and checkpoints; say --goal pushes and leave \
             everything else open"
                .into(),
        ));
    }
    if champion::applies(config) {
        let pulls = Plan::new(&complete::Complete::pulling(config))?;
        return Ok(champion::run(level, board, [plan, pulls], config, &budget, watcher));
    }
    if optimal::applies(config)
        && let Some(report) = optimal::run(level, &board, config, &budget, watcher)?
    {
        return Ok(match config.then {
            Some(Goal::Moves) => then_moves::refine(level, &board, config, &budget, watcher, report),
            _ => report,
        });
    }
    if durable {
        return Err(ConfigError(
            "the level is too large for the engine of proofs: there can be no certificate and no checkpoint".into(),
        ));
    }
    if optimal_moves::applies(config)
        && let Some(report) = optimal_moves::run(level, &board, config, &budget, watcher)?
    {
        return Ok(report);
    }
    let mut report = classic::run(level, &board, config, &plan, &budget, watcher);
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
pub fn steps(level: &Level, config: &Config, lurd: &str) -> Result<Vec<Step>, ConfigError> {
    Ok(steps::steps(&compile(level)?, &Plan::new(config)?, lurd))
}

fn compile(level: &Level) -> Result<Board, ConfigError> {
    Board::new(&level.map).map_err(|error| ConfigError(error.to_string()))
}
