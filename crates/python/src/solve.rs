//! Solve, improve and check.

use crate::config::{limits, request};
use crate::errors::Class;
use crate::level::level_of;
use crate::search_thread::{Cancel, flag, run};
use crate::supplied::{self, Given};
use lurd::SolveError;
use lurd::improve::Metric;
use pyo3::prelude::*;
use pyo3::types::PyDict;

fn raise(error: &SolveError) -> PyErr {
    let class = if matches!(error, SolveError::Board(_)) { Class::Level } else { Class::Config };
    class.error(error)
}

/// Solves a level as the options say, and gives the record as a dictionary; `own_heuristic` and `own_rule` are called by a textbook search.
#[pyfunction]
#[pyo3(signature = (level, options, own_heuristic=None, own_rule=None, promise="none", on_progress=None, cancel=None))]
#[allow(clippy::too_many_arguments, reason = "they are the arguments of the Python function")]
pub(crate) fn solve(
    py: Python<'_>,
    level: &Bound<'_, PyAny>,
    options: &Bound<'_, PyDict>,
    own_heuristic: Option<Bound<'_, PyAny>>,
    own_rule: Option<Bound<'_, PyAny>>,
    promise: &str,
    on_progress: Option<Py<PyAny>>,
    cancel: Option<&Bound<'_, Cancel>>,
) -> PyResult<Py<PyAny>> {
    let level = level_of(level)?;
    let config = request(options)?;
    let cancel = flag(cancel);
    let report = if own_heuristic.is_some() || own_rule.is_some() {
        let given = Given { heuristic: own_heuristic, rule: own_rule, promise: promise.to_owned(), on_progress };
        supplied::search(py, &level, &config, &given, &cancel)?
    } else {
        let solved = run(py, &cancel, on_progress.as_ref(), |latest| {
            lurd::solve_with(&level, &config, &cancel, &mut |progress| latest.set(progress))
        })?;
        solved.map_err(|error| raise(&error))?
    };
    let record = serde_json::to_string(&report.record(&level)).map_err(|error| Class::Internal.error(error))?;
    Ok(py.import("json")?.call_method1("loads", (record,))?.unbind())
}

/// What counts first.
pub(crate) fn metric(goal: &str) -> PyResult<Metric> {
    match goal {
        "pushes" => Ok(Metric::Pushes),
        "moves" => Ok(Metric::Moves),
        other => Err(Class::Config.error(format!("the goal is pushes or moves here, and not {other:?}"))),
    }
}

/// Makes a solution shorter; returns its moves as LURD, and the numbers of moves and pushes.
#[pyfunction]
#[pyo3(signature = (level, solution, goal, time_limit, memory_limit, node_limit, threads, cancel=None))]
#[allow(clippy::too_many_arguments, reason = "they are the arguments of the Python function")]
pub(crate) fn improve(
    py: Python<'_>,
    level: &Bound<'_, PyAny>,
    solution: &str,
    goal: &str,
    time_limit: Option<f64>,
    memory_limit: Option<usize>,
    node_limit: Option<u64>,
    threads: usize,
    cancel: Option<&Bound<'_, Cancel>>,
) -> PyResult<(String, usize, usize)> {
    let level = level_of(level)?;
    let metric = metric(goal)?;
    let limits = limits(time_limit, memory_limit, node_limit)?;
    let threads = crate::config::threads(threads)?;
    let solution = lurd::notation::decode(solution).map_err(|error| Class::Move.error(error))?.letters;
    let cancel = flag(cancel);
    let better = run(py, &cancel, None, |_| {
        let budget = lurd::Budget::new(limits, cancel.clone());
        lurd::improve::shorten_on(threads, &level.map, &solution, metric, &budget, &mut |_| ())
    })?;
    let better = better.map_err(|error| match error {
        lurd::improve::ImproveError::Board(_) => Class::Level.error(error),
        _ => Class::Move.error(error),
    })?;
    Ok((better.lurd, better.moves, better.pushes))
}

/// Replays moves by the bare rules: whether they solve the level, moves, pushes, boxes off goals at the end.
#[pyfunction]
pub(crate) fn check(level: &Bound<'_, PyAny>, moves: &str) -> PyResult<(bool, usize, usize, usize)> {
    let level = level_of(level)?;
    let letters = lurd::notation::decode(moves).map_err(|error| Class::Move.error(error))?.letters;
    let verdict = lurd::check(&level, &letters).map_err(|fault| Class::Move.error(fault))?;
    Ok((verdict.solved, verdict.moves, verdict.pushes, verdict.boxes_off_goal))
}
