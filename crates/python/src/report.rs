//! What a search found and what it cost.

use crate::board::{Board, Boards};
use crate::errors::Class;
use lurd::Outcome;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A search under way.
#[pyclass(frozen, module = "lurd")]
pub(crate) struct Progress {
    inner: lurd::Progress,
}

impl Progress {
    pub(crate) fn new(inner: lurd::Progress) -> Self {
        Self { inner }
    }
}

#[pymethods]
impl Progress {
    /// Seconds since the start.
    #[getter]
    fn seconds(&self) -> f64 {
        self.inner.seconds
    }

    /// Positions expanded.
    #[getter]
    fn expanded(&self) -> u64 {
        self.inner.expanded
    }

    /// Positions generated.
    #[getter]
    fn generated(&self) -> u64 {
        self.inner.generated
    }

    /// Bytes held.
    #[getter]
    fn bytes(&self) -> usize {
        self.inner.bytes
    }

    /// No solution is below this; None where nothing is proved yet.
    #[getter]
    fn lower_bound(&self) -> Option<u32> {
        self.inner.lower_bound
    }

    fn __repr__(&self) -> String {
        format!("<lurd.Progress {:.1} s, {} expanded>", self.inner.seconds, self.inner.expanded)
    }
}

/// The words of the command line for how a search ended.
pub(crate) fn outcome_words(outcome: Outcome) -> (&'static str, Option<&'static str>) {
    match outcome {
        Outcome::Solved => ("solved", None),
        Outcome::Unsolvable => ("unsolvable", None),
        Outcome::Exhausted => ("stopped", None),
        Outcome::Stopped(stop) => ("stopped", Some(stop.name())),
        Outcome::Cancelled => ("cancelled", None),
    }
}

/// The work on one level, ended. The names are those of `lurd solve --json`.
#[pyclass(frozen, module = "lurd")]
pub(crate) struct Report {
    level: Arc<lurd::Level>,
    inner: lurd::Report,
}

impl Report {
    pub(crate) fn new(level: Arc<lurd::Level>, inner: lurd::Report) -> Self {
        Self { level, inner }
    }
}

#[pymethods]
impl Report {
    /// 'solved', 'unsolvable', 'stopped' or 'cancelled'.
    #[getter]
    fn outcome(&self) -> &'static str {
        outcome_words(self.inner.outcome).0
    }

    /// The limit that stopped the search: 'time', 'memory', 'nodes' or 'depth'; None if none did.
    #[getter]
    fn stopped_by(&self) -> Option<&'static str> {
        outcome_words(self.inner.outcome).1
    }

    /// The moves in LURD, pushes in capitals; None if there is no solution. The referee has replayed them.
    #[getter]
    fn solution(&self) -> Option<&str> {
        self.inner.solution.as_ref().map(|solution| solution.lurd.as_str())
    }

    /// The moves of the solution, pushes included.
    #[getter]
    fn moves(&self) -> Option<usize> {
        self.inner.solution.as_ref().map(|solution| solution.moves)
    }

    /// The pushes of the solution.
    #[getter]
    fn pushes(&self) -> Option<usize> {
        self.inner.solution.as_ref().map(|solution| solution.pushes)
    }

    /// What is proved about the solution: 'optimal-pushes', 'optimal-moves', 'at-most-1.5' or 'none'.
    #[getter]
    fn proof(&self) -> String {
        self.inner.proof.to_string()
    }

    /// No solution is below this, in what the search counted; None where nothing is proved.
    #[getter]
    fn lower_bound(&self) -> Option<u32> {
        self.inner.lower_bound
    }

    /// The algorithm that ran.
    #[getter]
    fn algorithm(&self) -> &str {
        &self.inner.algorithm
    }

    /// What counted as one action: 'push', 'move' or 'walk'.
    #[getter]
    fn formulation(&self) -> &str {
        &self.inner.formulation
    }

    /// The heuristic.
    #[getter]
    fn heuristic(&self) -> &str {
        &self.inner.heuristic
    }

    /// The deadlock rules at work.
    #[getter]
    fn deadlocks(&self) -> Vec<&'static str> {
        self.inner.deadlocks.clone()
    }

    /// Positions expanded.
    #[getter]
    fn expanded(&self) -> u64 {
        self.inner.statistics.expanded
    }

    /// Successors made.
    #[getter]
    fn generated(&self) -> u64 {
        self.inner.statistics.generated
    }

    /// Successors known already.
    #[getter]
    fn duplicates(&self) -> u64 {
        self.inner.statistics.duplicates
    }

    /// Successors cut, by rule.
    #[getter]
    fn pruned(&self) -> BTreeMap<&'static str, u64> {
        self.inner.statistics.pruned.clone()
    }

    /// Wall-clock time.
    #[getter]
    fn seconds(&self) -> f64 {
        self.inner.statistics.seconds
    }

    /// Most bytes the search held.
    #[getter]
    fn peak_bytes(&self) -> usize {
        self.inner.statistics.peak_bytes
    }

    /// What a reader should know, in sentences.
    #[getter]
    fn notes(&self) -> Vec<String> {
        self.inner.notes.clone()
    }

    /// The boards of the solution, the first one included, one after the other.
    fn boards(&self) -> PyResult<Boards> {
        let solution = self.solution().ok_or_else(|| Class::Config.error("there is no solution to show"))?;
        Ok(Boards::new(Board::of_level(&self.level)?, solution))
    }

    /// Everything as a dictionary, with the names of `lurd solve --json`.
    fn to_dict<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(slf.py());
        dict.set_item("level", slf.get().level.number)?;
        dict.set_item("title", slf.get().level.title.clone().unwrap_or_default())?;
        for name in [
            "outcome",
            "stopped_by",
            "solution",
            "moves",
            "pushes",
            "proof",
            "lower_bound",
            "algorithm",
            "formulation",
            "heuristic",
            "deadlocks",
            "expanded",
            "generated",
            "duplicates",
            "pruned",
            "seconds",
            "peak_bytes",
        ] {
            dict.set_item(name, slf.getattr(name)?)?;
        }
        Ok(dict)
    }

    fn __repr__(&self) -> String {
        match (self.moves(), self.pushes()) {
            (Some(moves), Some(pushes)) => {
                format!("<lurd.Report {}, {pushes} pushes, {moves} moves, proof {}>", self.outcome(), self.proof())
            }
            _ => {
                let limit = self.stopped_by().map(|limit| format!(" by the limit on {limit}")).unwrap_or_default();
                format!("<lurd.Report {}{limit}>", self.outcome())
            }
        }
    }

    fn _repr_html_<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        py.import("lurd._draw")?.call_method1("report", (self.level.map.to_string(), self.solution(), self.__repr__()))
    }
}
