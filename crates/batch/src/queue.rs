//! Where jobs go and reports come from.

use crate::job::{Job, JobReport};
use std::time::Duration;

/// Why a queue cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum QueueError {
    /// This machine gives no process or thread.
    #[error("the search could not be started: {0}")]
    Machine(#[from] std::io::Error),
    /// The server does not answer, or refuses.
    #[error(transparent)]
    Nats(#[from] crate::nats::NatsError),
}

/// A report with what it takes to confirm it.
#[derive(Debug)]
pub struct Delivery<R> {
    /// The report.
    pub report: JobReport,
    /// Handed back to [`Queue::accept`].
    pub receipt: R,
}

/// Takes jobs and hands back reports, in any order. A report may come twice.
pub trait Queue {
    /// What confirms a report.
    type Receipt;

    /// Puts jobs in, the most urgent first. Those that are in already stay as they are.
    ///
    /// # Errors
    /// When they cannot be put in.
    fn put(&mut self, jobs: &[Job]) -> Result<(), QueueError>;

    /// Waits for a report, at most so long.
    ///
    /// # Errors
    /// When none can come any more.
    fn take(&mut self, patience: Duration) -> Result<Option<Delivery<Self::Receipt>>, QueueError>;

    /// Confirms that a report is in the library.
    ///
    /// # Errors
    /// When that cannot be said; the report will come again.
    fn accept(&mut self, receipt: Self::Receipt) -> Result<(), QueueError>;

    /// Takes back the jobs that nobody has begun.
    ///
    /// # Errors
    /// When they cannot be taken back.
    fn withdraw(&mut self) -> Result<(), QueueError>;

    /// How many workers there are, where that is known.
    fn workers(&self) -> Option<usize>;
}
