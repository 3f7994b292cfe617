//! Searches without the interpreter's lock, on a thread of their own, while the calling thread looks for Ctrl-C and calls
//! back.

use crate::errors::Class;
use crate::progress::Progress;
use pyo3::prelude::*;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// The calling thread looks for signals this often.
const LOOK: Duration = Duration::from_millis(50);
/// As large as the main thread's: the same search must not overflow here that works in the command.
const STACK: usize = 8 << 20;

/// A flag that ends searches from another thread.
///
/// >>> cancel = lurd.Cancel()
/// >>> cancel.cancel()
/// >>> lurd.solve("#####\n#@$.#\n#####", cancel=cancel).outcome
/// 'cancelled'
#[pyclass(frozen, module = "lurd")]
#[derive(Default)]
pub(crate) struct Cancel {
    pub(crate) flag: lurd::Cancel,
}

#[pymethods]
impl Cancel {
    #[new]
    fn py_new() -> Self {
        Self::default()
    }

    /// Ends the searches that were given this flag.
    fn cancel(&self) {
        self.flag.cancel();
    }

    /// Whether the flag is raised.
    #[getter]
    fn is_cancelled(&self) -> bool {
        self.flag.is_cancelled()
    }
}

/// The flag of a call: the caller's, or a new one.
pub(crate) fn flag(cancel: Option<&Bound<'_, Cancel>>) -> lurd::Cancel {
    cancel.map(|cancel| cancel.get().flag.clone()).unwrap_or_default()
}

/// The latest progress of a search that runs.
#[derive(Default)]
pub(crate) struct Latest(Mutex<Option<lurd::Progress>>);

impl Latest {
    pub(crate) fn set(&self, progress: &lurd::Progress) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(progress.clone());
    }

    fn take(&self) -> Option<lurd::Progress> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// Runs `work` without the interpreter's lock. Ctrl-C and an exception in `on_progress` raise the cancel flag, and are
/// raised here when the search has ended.
pub(crate) fn run<T: Send>(
    py: Python<'_>,
    cancel: &lurd::Cancel,
    on_progress: Option<&Py<PyAny>>,
    work: impl FnOnce(&Latest) -> T + Send,
) -> PyResult<T> {
    let latest = &Latest::default();
    py.detach(|| {
        thread::scope(|scope| {
            let (ended, end) = channel();
            let worker =
                thread::Builder::new().name("lurd".into()).stack_size(STACK).spawn_scoped(scope, move || {
                    let result = work(latest);
                    // The receiver waits until the thread has ended.
                    let _ = ended.send(());
                    result
                })?;
            let mut raised = None;
            while end.recv_timeout(LOOK) == Err(RecvTimeoutError::Timeout) {
                if raised.is_none()
                    && let Err(error) = look(on_progress, latest)
                {
                    cancel.cancel();
                    raised = Some(error);
                }
            }
            let result = worker.join().map_err(|_| {
                Class::Internal.error("the search ended by an error in lurd; please report the level and the options")
            });
            match raised {
                Some(error) => Err(error),
                None => result,
            }
        })
    })
}

fn look(on_progress: Option<&Py<PyAny>>, latest: &Latest) -> PyResult<()> {
    Python::attach(|py| {
        py.check_signals()?;
        if let (Some(call), Some(progress)) = (on_progress, latest.take()) {
            call.call1(py, (Progress::new(progress),))?;
        }
        Ok(())
    })
}
