//! What to solve: a request made into a search.

use super::Work;
use super::improve::ImproveJob;
use super::make::{AskedWish, MakeJob, Series};
use super::rate::RateJob;
use super::sokoban::SokobanJob;
use super::tiles::TilesJob;
use crate::request::within;
use crate::{Allowance, Refusal, levels, tiles};
use lurd::improve::Metric;
use lurd::{Goal, Request, Share};
use lurd_tiles::{HeuristicKind, Method, Parameters, Problem};
use serde::Deserialize;
use utoipa::ToSchema;

/// What to solve.
#[derive(Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
pub enum Starting {
    /// A level.
    Sokoban {
        /// The level, drawn in XSB.
        board: String,
        /// What is asked of the search.
        #[serde(default)]
        request: Request,
    },
    /// A solution to be made shorter.
    Improve {
        /// The level, drawn in XSB.
        board: String,
        /// The solution in LURD.
        solution: String,
        /// The goal, what is counted first: `pushes` or `moves`; and the limits.
        #[serde(default)]
        request: Request,
    },
    /// A level to be rated.
    Rate {
        /// The level, drawn in XSB.
        board: String,
        /// The limits.
        #[serde(default)]
        request: Request,
    },
    /// A level to be made by a wish.
    Generate {
        /// What it should be like.
        #[serde(default)]
        wish: AskedWish,
        /// The limits.
        #[serde(default)]
        request: Request,
    },
    /// The level of a day, the same for everyone.
    Daily {
        /// The day: `2026-11-17`.
        date: String,
        /// The limits.
        #[serde(default)]
        request: Request,
    },
    /// The next level of a series that follows the player's success.
    Endless {
        /// The series as it stands.
        series: Series,
        /// What came of its last level: `solved`, `hints` (solved with hints) or `skipped`.
        played: Option<String>,
        /// The limits.
        #[serde(default)]
        request: Request,
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
        /// The limits.
        #[serde(default)]
        request: Request,
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
        /// The limits.
        #[serde(default)]
        request: Request,
    },
}

impl Starting {
    /// The search, ready to run; of a race only the strategies of the share.
    ///
    /// # Errors
    /// When there is nothing to be solved, a choice is unknown or contradicts another, or more is asked than is allowed.
    pub fn work(self, most: &Allowance, share: Share) -> Result<Box<dyn Work>, Refusal> {
        match self {
            Self::Sokoban { board, request } => {
                let request = Request { share, ..within(request, most)? };
                let work = SokobanJob::new(levels::level(&board)?, request).map_err(Refusal::unprocessable)?;
                Ok(Box::new(work))
            }
            Self::Improve { board, solution, request } => {
                let metric = if request.goal == Goal::Moves { Metric::Moves } else { Metric::Pushes };
                let limits = within(request, most)?.limits;
                let level = levels::level(&board)?;
                let lurd = lurd::notation::decode(&solution).map_err(Refusal::unprocessable)?.letters;
                if !lurd::check(&level, &lurd).map_err(Refusal::unprocessable)?.solved {
                    return Err(Refusal::unprocessable("the moves do not solve the level; give a whole solution"));
                }
                Ok(Box::new(ImproveJob { level, lurd, metric, limits }))
            }
            Self::Rate { board, request } => {
                Ok(Box::new(RateJob { level: levels::level(&board)?, limits: within(request, most)?.limits }))
            }
            Self::Generate { wish, request } => Ok(Box::new(MakeJob::by_wish(&wish, within(request, most)?.limits)?)),
            Self::Daily { date, request } => Ok(Box::new(MakeJob::of_day(&date, within(request, most)?.limits)?)),
            Self::Endless { series, played, request } => {
                Ok(Box::new(MakeJob::next(series, played.as_deref(), within(request, most)?.limits)?))
            }
            Self::Like { board, harder, seed, request } => {
                Ok(Box::new(MakeJob::like(&board, harder, seed, within(request, most)?.limits)?))
            }
            Self::Tiles { start, goal, moves, algorithm, heuristic, weight, depth_limit, request } => {
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
                Ok(Box::new(TilesJob { problem, method, heuristic, limits: within(request, most)?.limits }))
            }
        }
    }
}
