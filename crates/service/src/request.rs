//! A request as it may run here, and what it comes to.

use crate::{Allowance, Refusal};
use lurd::{Promise, Request};
use serde::Serialize;
use std::str::FromStr;
use utoipa::ToSchema;

pub(crate) fn parsed<T: FromStr<Err = String>>(what: &str, name: &str) -> Result<T, Refusal> {
    name.parse().map_err(|why| Refusal::unprocessable(format!("{what}: {why}")))
}

/// The request within what the host gives one search: what is asked, or the most there is.
///
/// # Errors
/// When it asks for more.
pub(crate) fn within(mut request: Request, most: &Allowance) -> Result<Request, Refusal> {
    let time = request.limits.time.unwrap_or(most.time);
    if time.is_zero() || time > most.time {
        let sentence = format!("`time_limit`: it must lie above 0 and be at most {} seconds", most.time.as_secs());
        return Err(Refusal::unprocessable(sentence));
    }
    let memory = request.limits.memory.unwrap_or(most.memory);
    if !(1 << 20..=most.memory).contains(&memory) {
        let sentence =
            format!("`memory_limit`: it must lie between 1 and {} MiB, what one search may take", most.memory >> 20);
        return Err(Refusal::unprocessable(sentence));
    }
    if request.threads > 1 {
        return Err(Refusal::unprocessable("`threads`: a search runs on one thread here, and several side by side"));
    }
    (request.limits.time, request.limits.memory) = (Some(time), Some(memory));
    Ok(request)
}

/// What a request comes to.
#[derive(Serialize, ToSchema)]
#[schema(as = Plan)]
pub struct PlanView {
    algorithm: String,
    formulation: String,
    heuristic: String,
    deadlocks: Vec<&'static str>,
    tie_break: &'static str,
    /// `fewest-pushes`, `fewest-moves`, `at-most` or `nothing`.
    promise: &'static str,
    /// The factor of `at-most`.
    factor: Option<f64>,
    /// The promise as a sentence.
    sentence: String,
    notes: Vec<String>,
}

/// `/plan`: what a request comes to.
///
/// # Errors
/// When its parts do not go together.
pub fn plan(request: Request) -> Result<PlanView, Refusal> {
    let explanation = lurd::explain(&request).map_err(Refusal::unprocessable)?;
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
        deadlocks: explanation.detectors,
        tie_break: explanation.tie_break,
        promise,
        factor,
        sentence: sentence.to_owned(),
        notes: explanation.notes,
    })
}
