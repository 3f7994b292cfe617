//! Calls of a heuristic or rule written in Python from inside a search.

use crate::errors::Class;
use lurd::search::Estimate;
use pyo3::prelude::*;
use std::cell::{Cell, RefCell};
use std::time::{Duration, Instant};

/// Signals are looked for this often.
const LOOK: Duration = Duration::from_millis(50);

/// The number a heuristic returned. Costs are whole numbers, so a fraction can be rounded up: an estimate that was
/// admissible stays so.
pub(crate) fn estimate(value: &Bound<'_, PyAny>) -> PyResult<Estimate> {
    if value.is_none() {
        return Ok(None);
    }
    if let Ok(number) = value.extract::<u32>() {
        return Ok(Some(number));
    }
    let wrong = || {
        Class::Problem.error(format!(
            "a heuristic returns a number from 0 on, or None for a position without a solution, and not {}",
            value.repr().map_or_else(|_| "this".to_owned(), |text| text.to_string())
        ))
    };
    let number: f64 = value.extract().map_err(|_| wrong())?;
    if number == f64::INFINITY {
        return Ok(None);
    }
    if number.is_nan() || number < 0.0 || number >= f64::from(u32::MAX) {
        return Err(wrong());
    }
    // A sum of fractions may come out a little above a whole number.
    Ok(Some((number - 1e-9).ceil().max(0.0) as u32))
}

/// The first exception of a search that calls Python. It raises the cancel flag; later calls are not made.
pub(crate) struct Calls {
    cancel: lurd::Cancel,
    raised: RefCell<Option<PyErr>>,
    looked: Cell<Instant>,
}

impl Calls {
    pub(crate) fn new(cancel: lurd::Cancel) -> Self {
        Self { cancel, raised: RefCell::new(None), looked: Cell::new(Instant::now()) }
    }

    /// Makes a call, or returns `otherwise` if one failed before.
    pub(crate) fn make<T>(&self, py: Python<'_>, otherwise: T, call: impl FnOnce() -> PyResult<T>) -> T {
        if self.raised.borrow().is_some() {
            return otherwise;
        }
        let result = if self.looked.get().elapsed() >= LOOK {
            self.looked.set(Instant::now());
            py.check_signals().and_then(|()| call())
        } else {
            call()
        };
        result.unwrap_or_else(|error| {
            self.cancel.cancel();
            *self.raised.borrow_mut() = Some(error);
            otherwise
        })
    }

    /// The exception, if there was one.
    pub(crate) fn end(self) -> PyResult<()> {
        self.raised.into_inner().map_or(Ok(()), Err)
    }
}
