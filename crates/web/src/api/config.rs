//! A solver's configuration as it is asked for, and what it comes to.

use crate::error::{Answer, Asked, Refusal};
use axum::Json;
use lurd::{Config, Promise};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// The choices for one search; what is left out is chosen by the goal.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct AskedConfig {
    goal: Option<String>,
    algorithm: Option<String>,
    formulation: Option<String>,
    estimate: Option<String>,
    player_term: Option<String>,
    detectors: Option<Vec<String>>,
    tie_break: Option<String>,
    reverse: bool,
    fallback_after: Option<u64>,
    weight: Option<f64>,
    depth_limit: Option<u32>,
}

fn named<T: std::str::FromStr<Err = String>>(what: &str, name: Option<&String>) -> Result<Option<T>, Refusal> {
    name.map(|name| name.parse().map_err(|why| Refusal::unprocessable(format!("{what}: {why}")))).transpose()
}

impl AskedConfig {
    /// The engine's configuration, limits apart.
    pub(crate) fn config(&self) -> Result<Config, Refusal> {
        let usual = Config::default();
        let detectors = self.detectors.as_ref().map(|names| {
            let parse = |name: &String| name.parse().map_err(|why| Refusal::unprocessable(format!("detectors: {why}")));
            names.iter().map(parse).collect::<Result<Vec<_>, _>>()
        });
        Ok(Config {
            goal: named("goal", self.goal.as_ref())?.unwrap_or(usual.goal),
            classic: lurd::Choices {
                algorithm: named("algorithm", self.algorithm.as_ref())?,
                formulation: named("formulation", self.formulation.as_ref())?,
                estimate: named("estimate", self.estimate.as_ref())?,
                player_term: named("player_term", self.player_term.as_ref())?,
                detectors: detectors.transpose()?,
                tie_break: named("tie_break", self.tie_break.as_ref())?,
                reverse: self.reverse,
                fallback_after: self.fallback_after,
                weight: self.weight.unwrap_or(usual.classic.weight),
                depth_limit: self.depth_limit.unwrap_or(usual.classic.depth_limit),
            },
            ..usual
        })
    }
}

/// Limits as they are asked for.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct AskedLimits {
    seconds: Option<f64>,
    mebibytes: Option<u64>,
    nodes: Option<u64>,
}

impl AskedLimits {
    /// The limits of a search: what is asked, or the most the server gives.
    pub(crate) fn limits(self, most: &crate::Limits) -> Result<lurd_search::Limits, Refusal> {
        let time = match self.seconds {
            None => most.time,
            Some(seconds) => match Duration::try_from_secs_f64(seconds) {
                Ok(time) if !time.is_zero() && time <= most.time => time,
                _ => {
                    return Err(Refusal::unprocessable(format!(
                        "seconds must lie above 0 and be at most {}",
                        most.time.as_secs()
                    )));
                }
            },
        };
        let memory = match self.mebibytes {
            None => most.memory,
            Some(mebibytes) => match usize::try_from(mebibytes).ok().and_then(|number| number.checked_mul(1 << 20)) {
                Some(memory) if memory > 0 && memory <= most.memory => memory,
                _ => {
                    return Err(Refusal::unprocessable(format!(
                        "mebibytes must lie between 1 and {}, what one search may take",
                        most.memory >> 20
                    )));
                }
            },
        };
        Ok(lurd_search::Limits { time: Some(time), memory: Some(memory), nodes: self.nodes })
    }
}

/// What a configuration comes to.
#[derive(Serialize)]
pub(crate) struct PlanView {
    algorithm: String,
    formulation: String,
    heuristic: String,
    detectors: Vec<&'static str>,
    tie_break: &'static str,
    /// `fewest-pushes`, `fewest-moves`, `at-most` or `nothing`.
    promise: &'static str,
    /// The factor of `at-most`.
    factor: Option<f64>,
    /// The promise as a sentence.
    sentence: String,
    notes: Vec<String>,
}

/// `POST /plan`
pub(crate) async fn plan(Asked(choices): Asked<AskedConfig>) -> Answer<PlanView> {
    let explanation = lurd::explain(&choices.config()?).map_err(|error| Refusal::unprocessable(error.to_string()))?;
    let (promise, factor, sentence) = match explanation.promise {
        Promise::FewestPushes => {
            ("fewest-pushes", None, "If it ends, its answer is proved to have the fewest pushes.".to_owned())
        }
        Promise::FewestMoves => {
            ("fewest-moves", None, "If it ends, its answer is proved to have the fewest moves.".to_owned())
        }
        Promise::AtMost(factor) => (
            "at-most",
            Some(factor),
            format!("Its answer is proved to be at most {factor} times as long as the shortest."),
        ),
        Promise::Nothing => ("nothing", None, "Any solution, without a promise about its length.".to_owned()),
    };
    Ok(Json(PlanView {
        algorithm: explanation.algorithm,
        formulation: explanation.formulation,
        heuristic: explanation.heuristic,
        detectors: explanation.detectors,
        tie_break: explanation.tie_break,
        promise,
        factor,
        sentence,
        notes: explanation.notes,
    }))
}
