//! Ways of solving a level.
//!
//! [`solve`] is the one door: it takes a level and a [`Config`], chooses what the
//! config leaves open, runs the search, has the referee replay the answer, and
//! returns a [`Report`].

mod config;
mod report;

pub use config::{
    AlgorithmName, Config, ConfigError, DetectorName, EstimateName, FormulationName, Goal, PlayerTerm, TieBreakName,
};
pub use report::{Outcome, Progress, Proof, Report, Solution, Step};

use crate::Level;
use search::Cancel;

/// Solves a level. `progress` is called a few times a second.
///
/// # Errors
/// When the parts of the config do not go together; the sentence says which and what to do.
pub fn solve(
    level: &Level,
    config: &Config,
    cancel: &Cancel,
    progress: &mut dyn FnMut(&Progress),
) -> Result<Report, ConfigError> {
    let _ = (level, config, cancel, progress);
    todo!("the classic engine")
}

/// Every board of a solution, the first one included, with g, h and f under the config's
/// formulation and heuristic.
///
/// # Errors
/// As [`solve`].
pub fn steps(level: &Level, config: &Config, lurd: &str) -> Result<Vec<Step>, ConfigError> {
    let _ = (level, config, lurd);
    todo!("the classic engine")
}
