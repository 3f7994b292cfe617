//! A heuristic or deadlock rule written in Python inside a textbook search on Sokoban.

use crate::board::{Board, Compiled};
use crate::errors::Class;
use crate::estimate::{Calls, estimate};
use crate::progress::Progress;
use lurd::search::Guarantee;
use lurd::{Request, State, Supplied, SuppliedHeuristic, SuppliedRule, Watch};
use pyo3::prelude::*;
use std::sync::Arc;

/// What Python supplies to a search.
pub(crate) struct Given<'py> {
    pub(crate) heuristic: Option<Bound<'py, PyAny>>,
    pub(crate) rule: Option<Bound<'py, PyAny>>,
    pub(crate) promise: String,
    pub(crate) on_progress: Option<Py<PyAny>>,
}

/// What a heuristic promises, by its word.
pub(crate) fn guarantee(promise: &str) -> PyResult<Guarantee> {
    match promise {
        "none" => Ok(Guarantee::Inadmissible),
        "admissible" => Ok(Guarantee::Admissible),
        "consistent" => Ok(Guarantee::Consistent),
        other => Err(Class::Config.error(format!("a promise is none, admissible or consistent, and not {other:?}"))),
    }
}

/// Calls back on the thread of the search, which holds the interpreter's lock.
struct Ticks<'c, 'py> {
    py: Python<'py>,
    calls: &'c Calls,
    on_progress: Option<&'c Py<PyAny>>,
}

impl Watch for Ticks<'_, '_> {
    fn progress(&mut self, progress: &lurd::Progress) {
        if let Some(call) = self.on_progress {
            let progress = Progress::new(progress.clone());
            self.calls.make(self.py, (), || call.call1(self.py, (progress,)).map(|_| ()));
        }
    }
}

/// Searches a level with what Python supplies.
pub(crate) fn search(
    py: Python<'_>,
    level: &lurd::Level,
    config: &Request,
    given: &Given<'_>,
    cancel: &lurd::Cancel,
) -> PyResult<lurd::Report> {
    let guarantee = guarantee(&given.promise)?;
    let board = lurd::Board::new(&level.map).map_err(|error| Class::Level.error(error))?;
    let compiled = Compiled::new(board);
    let calls = Calls::new(cancel.clone());
    let position = |compiled: &Arc<Compiled>, state: &State| Board { compiled: compiled.clone(), state: state.clone() };
    let heuristic = given.heuristic.as_ref().map(|function| {
        let name = function.getattr("__name__").and_then(|name| name.extract()).unwrap_or_else(|_| "own".to_owned());
        let (calls, compiled) = (&calls, &compiled);
        let ask = move |_: &lurd::Board, state: &State| {
            calls.make(py, None, || estimate(&function.call1((position(compiled, state),))?))
        };
        SuppliedHeuristic { name, estimate: Box::new(ask), guarantee }
    });
    let rule = given.rule.as_ref().map(|function| {
        let (calls, compiled) = (&calls, &compiled);
        let ask = move |_: &lurd::Board, state: &State| {
            calls.make(py, false, || function.call1((position(compiled, state),))?.is_truthy())
        };
        SuppliedRule { is_dead: Box::new(ask), is_sound: false }
    });
    let mut ticks = Ticks { py, calls: &calls, on_progress: given.on_progress.as_ref() };
    let report = lurd::search_supplied(level, config, Supplied { heuristic, rule }, cancel, &mut ticks);
    calls.end()?;
    report.map_err(|error| Class::Config.error(error))
}
