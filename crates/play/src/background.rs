//! Work on a thread of its own. A fault there must not take the player's game with it.

use lurd_base::Cancel;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::time::{Duration, Instant};

/// Work under way; it ends with an answer, or a reason why there is none. Dropping this cancels it.
#[derive(Debug)]
pub(crate) struct Background<A> {
    cancel: Cancel,
    answer: Receiver<Result<A, String>>,
    started: Instant,
}

impl<A: Send + 'static> Background<A> {
    pub(crate) fn start(work: impl FnOnce(Cancel) -> Result<A, String> + Send + 'static) -> Self {
        let cancel = Cancel::new();
        let (sender, answer) = channel();
        let watched = cancel.clone();
        std::thread::spawn(move || {
            if let Ok(result) = catch_unwind(AssertUnwindSafe(|| work(watched))) {
                let _ = sender.send(result);
            }
        });
        Self { cancel, answer, started: Instant::now() }
    }

    /// The answer, once there is one.
    pub(crate) fn poll(&self) -> Option<Result<A, String>> {
        match self.answer.try_recv() {
            Err(TryRecvError::Empty) => None,
            answer => Some(answer.unwrap_or_else(|_| Err("the solver failed".to_owned()))),
        }
    }

    /// Waits for the answer.
    pub(crate) fn wait(&self) -> Result<A, String> {
        self.answer.recv().unwrap_or_else(|_| Err("the solver failed".to_owned()))
    }

    /// Time since the start.
    pub(crate) fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }
}

impl<A> Drop for Background<A> {
    fn drop(&mut self) {
        self.cancel.cancel();
    }
}
