//! How a position stands while it is played.

use crate::board::{Push, place_list};
use crate::config::limits;
use crate::errors::Class;
use crate::level::level_of;
use crate::search_thread::run;
use lurd::Standing;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Answers how positions stand, and remembers its answers: dead or not and why, the fewest pushes to a solution, an
/// optimal next push.
///
/// >>> oracle = lurd.Oracle()
/// >>> oracle.ask("#######\n#@ $ .#\n#######")["distance"]
/// 2
#[pyclass(module = "lurd")]
pub(crate) struct Oracle {
    inner: lurd::Oracle,
}

#[pymethods]
impl Oracle {
    #[new]
    #[pyo3(signature = (*, time_limit=None, memory_limit=None, node_limit=None))]
    fn py_new(time_limit: Option<f64>, memory_limit: Option<usize>, node_limit: Option<u64>) -> PyResult<Self> {
        Ok(Self { inner: lurd::Oracle::new(limits(time_limit, memory_limit, node_limit)?) })
    }

    /// How a position stands: a dictionary with `dead` (True, False, or None where the limits ended the proof), `rule`,
    /// `reason` and `boxes` of a deadlock, `distance` in pushes, and `push`, the next push of a shortest solution.
    fn ask<'py>(&mut self, py: Python<'py>, position: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyDict>> {
        let level = level_of(position)?;
        let cancel = lurd::Cancel::new();
        let standing = run(py, &cancel, None, |_| self.inner.ask(&level.map, &cancel))?;
        let standing = standing.map_err(|error| Class::Level.error(error))?;
        let answer = PyDict::new(py);
        for name in ["dead", "rule", "reason", "boxes", "distance", "push"] {
            answer.set_item(name, py.None())?;
        }
        match standing {
            Standing::Alive { pushes, next } => {
                answer.set_item("dead", false)?;
                answer.set_item("distance", pushes)?;
                if let Some((place, way)) = next {
                    answer.set_item("push", Bound::new(py, Push::of((place.line - 1, place.column - 1), way))?)?;
                }
            }
            Standing::Dead { reason } => {
                answer.set_item("dead", true)?;
                answer.set_item("reason", "every way was searched and none leads to a solution")?;
                if let Some((rule, boxes)) = reason {
                    answer.set_item("rule", rule.name())?;
                    answer.set_item("reason", rule.about())?;
                    answer.set_item("boxes", place_list(py, &boxes)?)?;
                }
            }
            Standing::Unknown => {}
        }
        Ok(answer)
    }
}
