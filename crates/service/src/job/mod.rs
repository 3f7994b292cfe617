//! One job: a search, its latest state, who watches it, and the flag that ends it.
//!
//! A [`Job`] holds the latest state of its search; event streams and questions read it. It starts no thread: its host
//! calls [`Job::run`] where it likes and is told of every change.

mod improve;
mod make;
mod rate;
mod sokoban;
mod start;
mod state;
mod tiles;

pub use make::{AskedWish, Series};
pub use start::Starting;
pub use state::{JobResult, Summary, View};

use lurd::{Map, Record};
use lurd_base::Cancel;
use lurd_base::clock::Instant;
use lurd_base::sync::lock;
use state::{Live, State, Status};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::time::Duration;

/// A search to be run.
pub trait Work: Send {
    /// What kind of job it is, as [`Starting`] names it.
    fn kind(&self) -> &'static str;
    /// How many hosts that share no memory can divide it, each running a share.
    fn most_shares(&self) -> usize {
        1
    }
    /// The level it works on, if it works on one.
    fn map(&self) -> Option<&Map> {
        None
    }
    /// Runs to its end, telling the job what happens and watching its cancel flag.
    fn run(&mut self, job: &Job) -> JobResult;
}

/// Who runs a job, as the job sees it.
pub trait JobHost: Send + Sync {
    /// Called after every change of the job's state, on the thread that made it.
    fn changed(&self, job: &Job);

    /// The search has found a solution that other shares of its job may use.
    fn found(&self, lurd: &str) {
        let _ = lurd;
    }

    /// A solution that another share has found since this was last asked.
    fn told(&self) -> Option<String> {
        None
    }
}

/// A search and what is known of it.
pub struct Job {
    id: String,
    kind: &'static str,
    cancel: Cancel,
    state: Mutex<State>,
    host: Box<dyn JobHost>,
}

impl Job {
    /// A job that waits.
    pub fn new(id: String, kind: &'static str, host: impl JobHost + 'static) -> Self {
        Self { id, kind, cancel: Cancel::new(), state: Mutex::new(State::new()), host: Box::new(host) }
    }

    /// The name it is asked for by.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The flag the search watches.
    pub fn cancelled(&self) -> &Cancel {
        &self.cancel
    }

    /// Ends the search at once; the first reason given is kept.
    pub fn cancel(&self, reason: &str) {
        let mut state = lock(&self.state);
        if state.status != Status::Done && !self.cancel.is_cancelled() {
            state.cancelled_because = Some(reason.to_owned());
            self.cancel.cancel();
        }
    }

    /// Runs its search to the end, unless it was cancelled before.
    pub fn run(&self, mut work: Box<dyn Work>) {
        let result = if self.cancel.is_cancelled() {
            Record::cancelled().into()
        } else {
            lock(&self.state).begin();
            self.tell();
            let ran = catch_unwind(AssertUnwindSafe(|| work.run(self)));
            ran.unwrap_or_else(|_| Record::failed("the search broke down; please report this level").into())
        };
        // A large search gives its memory back before it is called done.
        drop(work);
        self.finish(result);
    }

    /// Takes in what the search has come to.
    fn update(&self, live: Live) {
        lock(&self.state).update(live);
        self.tell();
    }

    /// Says what the search is doing before it counts anything.
    fn phase(&self, phase: String) {
        lock(&self.state).phase = Some(phase);
        self.tell();
    }

    /// Ends it with this result.
    pub fn finish(&self, result: JobResult) {
        lock(&self.state).finish(result);
        self.tell();
    }

    fn tell(&self) {
        self.host.changed(self);
    }

    /// The state as JSON; asking counts as interest in the job.
    pub fn view(&self, with_history: bool) -> View {
        let mut state = lock(&self.state);
        state.asked = Instant::now();
        state.view(&self.id, self.kind, with_history)
    }

    /// How it ended, once it has.
    pub fn result(&self) -> Option<JobResult> {
        lock(&self.state).result.clone()
    }

    /// The state for a list.
    pub fn summary(&self) -> Summary {
        lock(&self.state).summary(&self.id, self.kind)
    }

    /// Whether nothing will change any more.
    pub fn has_ended(&self) -> bool {
        lock(&self.state).status == Status::Done
    }

    /// Whether it ended longer ago than this and nobody watches it.
    pub fn ended_before(&self, age: Duration) -> bool {
        let state = lock(&self.state);
        state.watchers == 0 && state.ended.is_some_and(|ended| ended.elapsed() > age)
    }

    /// Whether nobody has watched it or asked about it for so long.
    pub fn is_abandoned(&self, grace: Duration) -> bool {
        let state = lock(&self.state);
        state.status != Status::Done && state.watchers == 0 && state.asked.elapsed() > grace
    }

    /// Somebody watches it from now on, until [`left`](Self::left) is called.
    pub fn watched(&self) {
        lock(&self.state).watchers += 1;
    }

    /// Somebody who watched it does so no longer.
    pub fn left(&self) {
        let mut state = lock(&self.state);
        state.watchers -= 1;
        state.asked = Instant::now();
    }
}
