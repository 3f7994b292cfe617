//! What to solve: a request made into a search.

use super::Work;
use super::improve::ImproveJob;
use super::make::{AskedWish, MakeJob, Series};
use super::rate::RateJob;
use super::sokoban::SokobanJob;
use super::tiles::TilesJob;
use crate::{Allowance, AskedConfig, AskedLimits, Refusal, levels, tiles};
use lurd::improve::Metric;
use lurd::{Config, Share};
use lurd_tiles::{HeuristicKind, Method, Parameters, Problem};
use serde::Deserialize;

/// What to solve.
#[derive(Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
pub enum Starting {
    /// A level.
    Sokoban {
        /// The level, drawn in XSB.
        board: String,
        /// How to search.
        #[serde(default)]
        config: AskedConfig,
        /// How long, and with how much memory.
        #[serde(default)]
        limits: AskedLimits,
    },
    /// A solution to be made shorter.
    Improve {
        /// The level, drawn in XSB.
        board: String,
        /// The solution in LURD.
        solution: String,
        /// What is counted first: `pushes` or `moves`.
        metric: Option<String>,
        /// How long, and with how much memory.
        #[serde(default)]
        limits: AskedLimits,
    },
    /// A level to be rated.
    Rate {
        /// The level, drawn in XSB.
        board: String,
        /// How long, and with how much memory.
        #[serde(default)]
        limits: AskedLimits,
    },
    /// A level to be made by a wish.
    Generate {
        /// What it should be like.
        #[serde(default)]
        wish: AskedWish,
        /// How long, and with how much memory.
        #[serde(default)]
        limits: AskedLimits,
    },
    /// The level of a day, the same for everyone.
    Daily {
        /// The day: `2026-11-17`.
        date: String,
        /// How long, and with how much memory.
        #[serde(default)]
        limits: AskedLimits,
    },
    /// The next level of a series that follows the player's success.
    Endless {
        /// The series as it stands.
        series: Series,
        /// What came of its last level: `solved`, `hints` (solved with hints) or `skipped`.
        played: Option<String>,
        /// How long, and with how much memory.
        #[serde(default)]
        limits: AskedLimits,
    },
    /// A variation of a level.
    Like {
        /// The level, drawn in XSB.
        board: String,
        /// Whether it should be a grade harder.
        #[serde(default)]
        harder: bool,
        /// Other seeds give other variations.
        #[serde(default)]
        seed: u64,
        /// How long, and with how much memory.
        #[serde(default)]
        limits: AskedLimits,
    },
    /// A board of tiles.
    Tiles {
        /// The numbers as they lie.
        start: String,
        /// The numbers as they shall lie.
        goal: Option<String>,
        /// `classic` or `diagonal`.
        moves: Option<String>,
        /// The name of the search.
        algorithm: Option<String>,
        /// The name of the estimate.
        heuristic: Option<String>,
        /// The weight of the estimate in weighted A*.
        weight: Option<f64>,
        /// The depth of a depth-limited search.
        depth_limit: Option<u32>,
        /// How long, and with how much memory.
        #[serde(default)]
        limits: AskedLimits,
    },
}

impl Starting {
    /// The search, ready to run; of a race only the strategies of the share.
    ///
    /// # Errors
    /// When there is nothing to be solved, a choice is unknown or contradicts another, or more is asked than is allowed.
    pub fn work(self, most: &Allowance, share: Share) -> Result<Box<dyn Work>, Refusal> {
        match self {
            Self::Sokoban { board, config, limits } => {
                let config = Config { limits: limits.limits(most)?, share, ..config.config()? };
                let work = SokobanJob::new(levels::level(&board)?, config).map_err(Refusal::unprocessable)?;
                Ok(Box::new(work))
            }
            Self::Improve { board, solution, metric, limits } => {
                let limits = limits.limits(most)?;
                let metric = match metric.as_deref() {
                    None | Some("pushes") => Metric::Pushes,
                    Some("moves") => Metric::Moves,
                    Some(_) => return Err(Refusal::unprocessable("metric must be pushes or moves")),
                };
                let level = levels::level(&board)?;
                let lurd = lurd::notation::decode(&solution).map_err(Refusal::unprocessable)?.letters;
                if !lurd::check(&level, &lurd).map_err(Refusal::unprocessable)?.solved {
                    return Err(Refusal::unprocessable("the moves do not solve the level; give a whole solution"));
                }
                Ok(Box::new(ImproveJob { level, lurd, metric, limits }))
            }
            Self::Rate { board, limits } => {
                Ok(Box::new(RateJob { level: levels::level(&board)?, limits: limits.limits(most)? }))
            }
            Self::Generate { wish, limits } => Ok(Box::new(MakeJob::by_wish(&wish, limits.limits(most)?)?)),
            Self::Daily { date, limits } => Ok(Box::new(MakeJob::of_day(&date, limits.limits(most)?)?)),
            Self::Endless { series, played, limits } => {
                Ok(Box::new(MakeJob::next(series, played.as_deref(), limits.limits(most)?)?))
            }
            Self::Like { board, harder, seed, limits } => {
                Ok(Box::new(MakeJob::like(&board, harder, seed, limits.limits(most)?)?))
            }
            Self::Tiles { start, goal, moves, algorithm, heuristic, weight, depth_limit, limits } => {
                let moves = tiles::move_set(moves.as_deref())?;
                let start = tiles::board(&start)?;
                let goal = tiles::goal(goal.as_deref(), start.side())?;
                let problem = Problem::new(start, goal, moves).map_err(Refusal::unprocessable)?;
                let usual = Parameters::default();
                let weight = weight.unwrap_or(usual.weight);
                if !(1.0..=1000.0).contains(&weight) {
                    return Err(Refusal::unprocessable("weight must lie between 1 and 1000"));
                }
                let parameters = Parameters { weight, depth_limit: depth_limit.unwrap_or(usual.depth_limit) };
                let method = Method::named(algorithm.as_deref().unwrap_or("a-star"), &parameters);
                let heuristic = match heuristic {
                    Some(name) => name.parse().map_err(Refusal::unprocessable)?,
                    None => HeuristicKind::recommended(problem.side(), moves),
                };
                heuristic.check(problem.side(), moves).map_err(Refusal::unprocessable)?;
                let method = method.map_err(Refusal::unprocessable)?;
                Ok(Box::new(TilesJob { problem, method, heuristic, limits: limits.limits(most)? }))
            }
        }
    }
}
