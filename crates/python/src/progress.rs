//! How far a search is.

use pyo3::prelude::*;

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
