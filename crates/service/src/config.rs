//! A solver's configuration as it is asked for, and what it comes to.

use crate::{Allowance, Refusal};
use lurd::{Config, Promise};
use serde::{Deserialize, Serialize};
use std::str::FromStr;
use std::time::Duration;

/// The choices for one search; what is left out is chosen by the goal.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct AskedConfig {
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

pub(crate) fn parsed<T: FromStr<Err = String>>(what: &str, name: &str) -> Result<T, Refusal> {
    name.parse().map_err(|why| Refusal::unprocessable(format!("{what}: {why}")))
}

fn named<T: FromStr<Err = String>>(what: &str, name: Option<&String>) -> Result<Option<T>, Refusal> {
    name.map(|name| parsed(what, name)).transpose()
}

impl AskedConfig {
    /// The engine's configuration, limits apart.
    pub(crate) fn config(&self) -> Result<Config, Refusal> {
        let usual = Config::default();
        let detectors = self.detectors.as_ref();
        let detectors = detectors.map(|names| names.iter().map(|name| parsed("detectors", name)).collect());
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
pub struct AskedLimits {
    seconds: Option<f64>,
    mebibytes: Option<f64>,
    nodes: Option<u64>,
}

impl AskedLimits {
    /// The limits of a search: what is asked, or the most the host gives.
    pub(crate) fn limits(self, most: &Allowance) -> Result<lurd_base::Limits, Refusal> {
        let time = self.seconds.map_or(Some(most.time), |seconds| {
            Duration::try_from_secs_f64(seconds).ok().filter(|time| !time.is_zero() && *time <= most.time)
        });
        let memory = self.mebibytes.map_or(Some(most.memory), |mebibytes| {
            // A part of a mebibyte is a wish like any other.
            let bytes = (mebibytes * f64::from(1 << 20)) as usize;
            (1 << 20..=most.memory).contains(&bytes).then_some(bytes)
        });
        if time.is_none() {
            let sentence = format!("seconds must lie above 0 and be at most {}", most.time.as_secs());
            return Err(Refusal::unprocessable(sentence));
        }
        if memory.is_none() {
            let most = most.memory >> 20;
            let sentence = format!("mebibytes must lie between 1 and {most}, what one search may take");
            return Err(Refusal::unprocessable(sentence));
        }
        Ok(lurd_base::Limits { time, memory, nodes: self.nodes })
    }
}

/// What a configuration comes to.
#[derive(Serialize)]
pub struct PlanView {
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

/// `/plan`: what a configuration comes to.
///
/// # Errors
/// When its parts do not go together.
pub fn plan(choices: AskedConfig) -> Result<PlanView, Refusal> {
    let explanation = lurd::explain(&choices.config()?).map_err(Refusal::unprocessable)?;
    let at_most;
    let (promise, factor, sentence) = match explanation.promise {
        Promise::FewestPushes => ("fewest-pushes", None, "If it ends, its answer is proved to have the fewest pushes."),
        Promise::FewestMoves => ("fewest-moves", None, "If it ends, its answer is proved to have the fewest moves."),
        Promise::AtMost(factor) => {
            at_most = format!("Its answer is proved to be at most {factor} times as long as the shortest.");
            ("at-most", Some(factor), at_most.as_str())
        }
        Promise::Nothing => ("nothing", None, "Any solution, without a promise about its length."),
    };
    Ok(PlanView {
        algorithm: explanation.algorithm,
        formulation: explanation.formulation,
        heuristic: explanation.heuristic,
        detectors: explanation.detectors,
        tie_break: explanation.tie_break,
        promise,
        factor,
        sentence: sentence.to_owned(),
        notes: explanation.notes,
    })
}
