//! One job: its latest state, who watches it, and the flag that ends it.

use super::state::{Live, Result, State, Status, View};
use super::{Jobs, lock};
use lurd_search::Cancel;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tokio::sync::watch;

/// A search and what is known of it.
pub(crate) struct Job {
    id: String,
    kind: &'static str,
    cancel: Cancel,
    state: Mutex<State>,
    /// Counts changes of the state.
    version: watch::Sender<u64>,
}

impl Job {
    pub(super) fn new(id: String, kind: &'static str) -> Self {
        Self { id, kind, cancel: Cancel::new(), state: Mutex::new(State::new()), version: watch::channel(0).0 }
    }

    pub(crate) fn id(&self) -> &str {
        &self.id
    }

    /// The flag the search watches.
    pub(crate) fn cancelled(&self) -> &Cancel {
        &self.cancel
    }

    /// Ends the search at once; the first reason given is kept.
    pub(crate) fn cancel(&self, reason: &str) {
        let mut state = lock(&self.state);
        if state.status != Status::Done && !self.cancel.is_cancelled() {
            state.cancelled_because = Some(reason.to_owned());
            self.cancel.cancel();
        }
    }

    pub(super) fn begin(&self) {
        lock(&self.state).begin();
        self.tell();
    }

    /// Takes in what the search has come to.
    pub(super) fn update(&self, live: Live) {
        lock(&self.state).update(live);
        self.tell();
    }

    /// Says what the search is doing before it counts anything.
    pub(super) fn phase(&self, phase: String) {
        lock(&self.state).phase = Some(phase);
        self.tell();
    }

    pub(super) fn finish(&self, result: Result) {
        lock(&self.state).finish(result);
        self.tell();
    }

    fn tell(&self) {
        self.version.send_modify(|version| *version += 1);
    }

    /// A receiver that wakes when the state changes.
    pub(crate) fn changes(&self) -> watch::Receiver<u64> {
        self.version.subscribe()
    }

    /// The state as JSON; asking counts as interest in the job.
    pub(crate) fn view(&self, with_history: bool) -> View {
        let mut state = lock(&self.state);
        state.asked = Instant::now();
        state.view(&self.id, self.kind, with_history)
    }

    /// The state for a list.
    pub(crate) fn summary(&self) -> super::Summary {
        lock(&self.state).summary(&self.id, self.kind)
    }

    pub(super) fn has_ended(&self) -> bool {
        lock(&self.state).status == Status::Done
    }

    pub(super) fn ended_before(&self, age: Duration) -> bool {
        let state = lock(&self.state);
        state.watchers == 0 && state.ended.is_some_and(|ended| ended.elapsed() > age)
    }

    pub(super) fn is_abandoned(&self, grace: Duration) -> bool {
        let state = lock(&self.state);
        state.status != Status::Done && state.watchers == 0 && state.asked.elapsed() > grace
    }
}

/// An open event stream; dropping it closes the account.
pub(crate) struct Watching {
    jobs: Arc<Jobs>,
    pub(crate) job: Arc<Job>,
}

impl Watching {
    pub(super) fn new(jobs: Arc<Jobs>, job: Arc<Job>) -> Self {
        lock(&job.state).watchers += 1;
        Self { jobs, job }
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        let mut state = lock(&self.job.state);
        state.watchers -= 1;
        state.asked = Instant::now();
        self.jobs.streams.fetch_sub(1, Ordering::Relaxed);
    }
}
