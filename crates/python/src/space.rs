//! Every position of a small level with its exact distance.

use crate::board::{Board, Compiled, zone_state};
use crate::config::limits;
use crate::errors::Class;
use crate::estimate::estimate;
use crate::level::level_of;
use crate::search_thread::{Cancel, flag, run};
use crate::solve::metric;
use lurd::improve::Metric;
use lurd::{Reachable, ReachableError, State};
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use std::sync::Arc;

/// Every reachable position of a level with its exact distance to a solution.
#[pyclass(frozen, module = "lurd")]
pub(crate) struct Space {
    reachable: Reachable,
    compiled: Arc<Compiled>,
}

impl Space {
    fn position(&self, state: State) -> Board {
        Board { compiled: self.compiled.clone(), state }
    }
}

/// A position, its estimate and its distance.
type TooHigh = (Board, Option<u32>, u32);
/// Two positions, one push or move apart, and their estimates.
type Falls = (Board, Board, Option<u32>, Option<u32>);

#[pymethods]
impl Space {
    fn __len__(&self) -> usize {
        self.reachable.len()
    }

    /// 'pushes' or 'moves'.
    #[getter]
    fn goal(&self) -> &'static str {
        match self.reachable.metric() {
            Metric::Pushes => "pushes",
            Metric::Moves => "moves",
        }
    }

    /// The exact distance of a position to a solution, None if it is dead. KeyError if it cannot be reached.
    fn distance(&self, board: &Board) -> PyResult<Option<u32>> {
        let mut state = board.state.clone();
        let own = &self.compiled.board;
        // Squares have the same numbers exactly if both levels have the same walls and goals.
        if own.len() != board.compiled.board.len() || own.picture(&state.boxes, state.player) != board.picture() {
            return Err(PyKeyError::new_err("the position belongs to another level"));
        }
        if self.reachable.metric() == Metric::Pushes {
            state = zone_state(own, &state);
        }
        self.reachable
            .distance(&state)
            .ok_or_else(|| PyKeyError::new_err("the position cannot be reached from the start of this space"))
    }

    /// Every position with its distance, None for dead ones.
    fn positions(&self) -> Vec<(Board, Option<u32>)> {
        self.reachable.positions().map(|(state, distance)| (self.position(state), distance)).collect()
    }

    /// Holds a heuristic against every position: a position with an estimate above its distance, and two neighbours
    /// between which the estimate falls by more than 1; None where there is none.
    fn counterexamples(
        &self,
        py: Python<'_>,
        heuristic: &Bound<'_, PyAny>,
    ) -> PyResult<(Option<TooHigh>, Option<Falls>)> {
        let mut asked = 0_u32;
        let found = self.reachable.examine(|_, state| {
            asked = asked.wrapping_add(1);
            if asked.is_multiple_of(1024) {
                py.check_signals()?;
            }
            estimate(&heuristic.call1((self.position(state.clone()),))?)
        })?;
        let too_high = found.overestimate.map(|found| (self.position(found.state), found.estimate, found.distance));
        let falls = found
            .inconsistency
            .map(|found| (self.position(found.from), self.position(found.to), found.before, found.after));
        Ok((too_high, falls))
    }
}

/// Enumerates the positions that can be reached.
#[pyfunction]
#[pyo3(signature = (level, goal, time_limit, memory_limit, node_limit, cancel=None))]
pub(crate) fn explore(
    py: Python<'_>,
    level: &Bound<'_, PyAny>,
    goal: &str,
    time_limit: Option<f64>,
    memory_limit: Option<usize>,
    node_limit: Option<u64>,
    cancel: Option<&Bound<'_, Cancel>>,
) -> PyResult<Space> {
    let level = level_of(level)?;
    let metric = metric(goal)?;
    let limits = limits(time_limit, memory_limit, node_limit)?;
    let board = lurd::Board::new(&level.map).map_err(|error| Class::Level.error(error))?;
    let cancel = flag(cancel);
    let explored =
        run(py, &cancel, None, |_| Reachable::explore(&board, metric, &lurd::Budget::new(limits, cancel.clone())))?;
    let reachable = explored.map_err(|error: ReachableError| Class::Limit.error(error))?;
    Ok(Space { reachable, compiled: Compiled::new(board) })
}
