//! The queue of this machine: threads that each lead one search process at a time.

use crate::execute::{Launcher, execute};
use crate::job::{Job, JobReport};
use crate::queue::{Delivery, Queue, QueueError};
use lurd_base::Cancel;
use lurd_base::sync::lock;
use std::collections::VecDeque;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Condvar, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

/// Jobs that wait, and whether more can come.
#[derive(Debug, Default)]
struct Waiting {
    jobs: VecDeque<Job>,
    closed: bool,
}

#[derive(Debug, Default)]
struct Shared {
    waiting: Mutex<Waiting>,
    changed: Condvar,
}

impl Shared {
    /// The next job; `None` when there will be none.
    fn next(&self) -> Option<Job> {
        let mut waiting = lock(&self.waiting);
        loop {
            if waiting.closed {
                return None;
            }
            if let Some(job) = waiting.jobs.pop_front() {
                return Some(job);
            }
            waiting = self.changed.wait(waiting).unwrap_or_else(std::sync::PoisonError::into_inner);
        }
    }
}

/// The queue of this machine. Dropping it ends the searches that run.
#[derive(Debug)]
pub struct LocalQueue {
    shared: Arc<Shared>,
    reports: Receiver<JobReport>,
    threads: Vec<JoinHandle<()>>,
    /// Ends the searches when the queue is dropped, or when whoever gave it wants that.
    cancel: Cancel,
}

impl LocalQueue {
    /// Starts threads for so many searches side by side. Raising the flag ends the searches that run.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub fn start(launcher: &Launcher, searches: usize, worker: &str, cancel: &Cancel) -> Result<Self, QueueError> {
        let (sender, reports) = channel();
        let shared = Arc::<Shared>::default();
        let mut queue = Self { shared, reports, threads: Vec::new(), cancel: cancel.clone() };
        for _ in 0..searches.max(1) {
            let (shared, sender, launcher) = (queue.shared.clone(), sender.clone(), launcher.clone());
            let (worker, cancel) = (worker.to_owned(), cancel.clone());
            let work = move || search_all(&shared, &sender, &launcher, &worker, &cancel);
            queue.threads.push(std::thread::Builder::new().name("search".into()).spawn(work)?);
        }
        Ok(queue)
    }
}

fn search_all(shared: &Shared, sender: &Sender<JobReport>, launcher: &Launcher, worker: &str, cancel: &Cancel) {
    while let Some(job) = shared.next() {
        match execute(launcher, &job, worker, cancel) {
            Some(report) => {
                if sender.send(report).is_err() {
                    return;
                }
            }
            None => return,
        }
    }
}

impl Queue for LocalQueue {
    type Receipt = ();

    fn put(&mut self, jobs: &[Job]) -> Result<(), QueueError> {
        lock(&self.shared.waiting).jobs.extend(jobs.iter().cloned());
        self.shared.changed.notify_all();
        Ok(())
    }

    fn take(&mut self, patience: Duration) -> Result<Option<Delivery<()>>, QueueError> {
        match self.reports.recv_timeout(patience) {
            Ok(report) => Ok(Some(Delivery { report, receipt: () })),
            // All threads have ended, because the searches were cancelled.
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => Ok(None),
        }
    }

    fn accept(&mut self, (): ()) -> Result<(), QueueError> {
        Ok(())
    }

    fn withdraw(&mut self) -> Result<(), QueueError> {
        lock(&self.shared.waiting).jobs.clear();
        Ok(())
    }

    fn workers(&self) -> Option<usize> {
        Some(self.threads.len())
    }
}

impl Drop for LocalQueue {
    fn drop(&mut self) {
        lock(&self.shared.waiting).closed = true;
        self.shared.changed.notify_all();
        self.cancel.cancel();
        for thread in self.threads.drain(..) {
            let _ = thread.join();
        }
    }
}
