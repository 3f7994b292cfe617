//! Batch runs that this server leads, one at a time: the same runs that `lurd batch` leads, stored by the same functions.
//!
//! What a run has done is in the library alone. This keeps only what is under way, and why the last one stopped.

use super::{LibraryAccess, conflict};
use crate::error::Refused;
use crate::limits::Limits;
use lurd::Request;
use lurd_base::Cancel;
use lurd_base::sync::lock;
use lurd_batch::{LocalQueue, RunLock, RunOptions, RunProgress, Unresumable, is_led, work};
use lurd_library::{Library, RunRow};
use serde::Serialize;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;
use tokio::sync::watch;
use utoipa::ToSchema;

/// Event streams of runs that are open at the same time.
const STREAMS: usize = 64;

/// How a run stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
enum RunState {
    /// This server leads it.
    Running,
    /// Another process leads it.
    Elsewhere,
    /// Nobody leads it, and there is work left.
    Interrupted,
    /// It is done.
    Ended,
}

/// A run as the page sees it.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = Run)]
pub(crate) struct RunView {
    /// What it is called by in addresses.
    id: String,
    name: String,
    state: RunState,
    /// In seconds since 1970.
    created: i64,
    ended: Option<i64>,
    version: String,
    machine: String,
    /// What is asked of every search, its time limit apart.
    request: Request,
    /// The time limit of each round, in seconds; null for none.
    seconds: Vec<Option<f64>>,
    /// Different levels.
    levels: usize,
    solved: usize,
    unsolvable: usize,
    open: usize,
    failed: usize,
    /// What is under way, where this server leads it.
    progress: Option<ProgressView>,
    /// Why this server cannot go on with it; null where it can.
    why_not: Option<String>,
    /// Why it stopped before its end, where this server knows.
    trouble: Option<String>,
}

impl RunView {
    /// Its name.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// Whether nothing more will come.
    pub(crate) fn is_final(&self) -> bool {
        self.state != RunState::Running
    }
}

#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = RunProgress)]
struct ProgressView {
    /// The round of the ladder, from 1.
    round: usize,
    /// Levels of this round that are not done.
    waiting: usize,
    /// Searches that were done since the server took the run up.
    done: usize,
    /// Searches a second.
    rate: f64,
    /// Since the server took the run up.
    seconds: f64,
    /// What this round will still take at this rate.
    seconds_left: Option<f64>,
    /// Searches side by side.
    jobs: usize,
}

/// A run under way.
pub(crate) struct Led {
    row: RunRow,
    options: RunOptions,
    jobs: usize,
    cancel: Cancel,
    state: Mutex<RunProgress>,
    /// The state at the end.
    last: Mutex<Option<RunView>>,
    version: watch::Sender<u64>,
}

impl Led {
    /// A receiver that wakes when something changes.
    pub(crate) fn changes(&self) -> watch::Receiver<u64> {
        self.version.subscribe()
    }

    fn changed(&self) {
        self.version.send_modify(|version| *version += 1);
    }

    /// Its state now.
    pub(crate) fn view(&self) -> RunView {
        if let Some(last) = &*lock(&self.last) {
            return last.clone();
        }
        let mut view = view(&self.row, Some(&self.options));
        view.state = RunState::Running;
        let progress = lock(&self.state);
        view.levels = progress.levels;
        [view.solved, view.unsolvable, view.open, view.failed] = progress.counts;
        view.progress = Some(ProgressView {
            round: progress.rung + 1,
            waiting: progress.waiting,
            done: progress.done_here,
            rate: progress.rate(),
            seconds: progress.elapsed.as_secs_f64(),
            seconds_left: progress.time_left().map(|left| left.as_secs_f64()),
            jobs: self.jobs,
        });
        view
    }
}

/// An open event stream; dropping it closes the account.
pub(crate) struct RunWatching {
    runs: Arc<Runs>,
    pub(crate) led: Arc<Led>,
}

impl Drop for RunWatching {
    fn drop(&mut self) {
        self.runs.streams.fetch_sub(1, Ordering::Relaxed);
    }
}

#[derive(Default)]
struct Leading {
    led: Option<Arc<Led>>,
    thread: Option<JoinHandle<()>>,
    closed: bool,
    /// The token of the run that stopped last by itself, and why.
    trouble: Option<(String, String)>,
}

/// The runs of a server.
#[derive(Default)]
pub(crate) struct Runs {
    leading: Mutex<Leading>,
    streams: AtomicUsize,
}

impl Runs {
    /// Refuses where a run is under way already, or the server is ending.
    pub(super) fn is_free(&self) -> Result<(), Refused> {
        let leading = lock(&self.leading);
        if leading.closed {
            return Err(Refused::too_many("the server is ending"));
        }
        match &leading.led {
            Some(led) => Err(conflict(format!(
                "the run `{}` is under way, and this server leads one at a time: wait until it ends, or stop it",
                led.row.run.name
            ))),
            None => Ok(()),
        }
    }

    /// Leads a run on a thread of its own.
    pub(super) fn lead(
        self: &Arc<Self>,
        access: &LibraryAccess,
        mut library: Library,
        row: RunRow,
        options: RunOptions,
        jobs: usize,
    ) -> Result<Arc<Led>, Refused> {
        let run_lock = RunLock::take(&access.path, &row.run.token, &row.run.name)?;
        // The queue ends its searches by a flag of its own, when the leader has stored what came in.
        let mut queue = LocalQueue::start(&access.launcher, jobs, &access.machine, &Cancel::new())?;
        let state = RunProgress {
            levels: library.run_levels(row.id)?,
            counts: library.run_counts(row.id)?,
            rung: 0,
            waiting: 0,
            done_here: 0,
            elapsed: Duration::ZERO,
            workers: Some(jobs),
        };
        let led = Arc::new(Led {
            row,
            options,
            jobs,
            cancel: Cancel::new(),
            state: Mutex::new(state),
            last: Mutex::new(None),
            version: watch::channel(0).0,
        });
        let mut leading = lock(&self.leading);
        if leading.closed || leading.led.is_some() {
            drop(leading);
            self.is_free()?;
            return Err(conflict("another run has just begun; wait until it ends, or stop it"));
        }
        leading.trouble = None;
        leading.led = Some(led.clone());
        let (runs, access, leads) = (self.clone(), access.clone(), led.clone());
        let thread = std::thread::Builder::new().name("batch".into()).spawn(move || {
            let mut tell = |progress: &RunProgress| {
                *lock(&leads.state) = progress.clone();
                leads.changed();
            };
            let ended = work(&mut library, &leads.row, &leads.options, &mut queue, &leads.cancel, &mut tell);
            drop((queue, library, run_lock));
            runs.finished(&access, &leads, ended.err().map(|error| error.to_string()));
        });
        match thread {
            Ok(thread) => leading.thread = Some(thread),
            Err(error) => {
                leading.led = None;
                return Err(lurd_batch::QueueError::from(error).into());
            }
        }
        Ok(led)
    }

    /// Notes the end of a run and tells everybody who watches it.
    fn finished(&self, access: &LibraryAccess, led: &Arc<Led>, trouble: Option<String>) {
        let token = &led.row.run.token;
        let mut last = led.view();
        last.state = RunState::Interrupted;
        last.progress = None;
        {
            let mut leading = lock(&self.leading);
            leading.led = None;
            leading.trouble = trouble.clone().map(|trouble| (token.clone(), trouble));
        }
        // The library has the last word; where it cannot be read, what was counted has to do.
        let stored = access.read(|library| {
            let row = library.run_of_token(token)?;
            row.map(|row| self.stored(access, library, row)).transpose()
        });
        if let Ok(Some(stored)) = stored {
            last = stored;
        }
        last.trouble = trouble;
        *lock(&led.last) = Some(last);
        led.changed();
    }

    /// The run of a token, if this server leads it.
    pub(super) fn led(&self, token: &str) -> Option<Arc<Led>> {
        lock(&self.leading).led.clone().filter(|led| led.row.run.token == token)
    }

    /// A run of the library as it stands.
    pub(super) fn stored(&self, access: &LibraryAccess, library: &Library, row: RunRow) -> Result<RunView, Refused> {
        if let Some(led) = self.led(&row.run.token) {
            return Ok(led.view());
        }
        let options = RunOptions::to_resume(&row);
        let mut view = view(&row, options.as_ref().ok());
        view.why_not = options.err().map(|error| match error {
            // The page shows the options all the same.
            error @ Unresumable::OtherVersion { .. } => {
                view.show_options(&row);
                error.to_string()
            }
            error => error.to_string(),
        });
        view.levels = library.run_levels(row.id)?;
        [view.solved, view.unsolvable, view.open, view.failed] = library.run_counts(row.id)?;
        if row.ended.is_none() && is_led(&access.path, &row.run.token) {
            view.state = RunState::Elsewhere;
        }
        let leading = lock(&self.leading);
        view.trouble =
            leading.trouble.as_ref().filter(|(token, _)| *token == row.run.token).map(|(_, why)| why.clone());
        Ok(view)
    }

    /// Stops a run; `None` if this server does not lead it.
    pub(super) fn stop(&self, token: &str) -> Option<Arc<Led>> {
        let led = self.led(token)?;
        led.cancel.cancel();
        Some(led)
    }

    /// Opens a stream, unless too many are open.
    pub(super) fn watch(self: &Arc<Self>, led: Arc<Led>) -> Result<RunWatching, Refused> {
        let open = self.streams.fetch_add(1, Ordering::Relaxed);
        let watching = RunWatching { runs: self.clone(), led };
        if open >= STREAMS {
            return Err(Refused::too_many(format!("{open} event streams of runs are open already; close one")));
        }
        Ok(watching)
    }

    /// Stops what is under way and takes nothing more.
    pub(crate) fn close(&self) {
        let mut leading = lock(&self.leading);
        leading.closed = true;
        if let Some(led) = &leading.led {
            led.cancel.cancel();
        }
    }

    /// Waits until what was under way has stopped, its searches included.
    pub(crate) fn join(&self) {
        let thread = lock(&self.leading).thread.take();
        if let Some(thread) = thread {
            let _ = thread.join();
        }
    }
}

/// A run without its counts.
fn view(row: &RunRow, options: Option<&RunOptions>) -> RunView {
    let mut view = RunView {
        id: row.run.token.clone(),
        name: row.run.name.clone(),
        state: if row.ended.is_some() { RunState::Ended } else { RunState::Interrupted },
        created: row.created,
        ended: row.ended,
        version: row.run.version.clone(),
        machine: row.run.machine.clone(),
        request: Request::default(),
        seconds: Vec::new(),
        levels: 0,
        solved: 0,
        unsolvable: 0,
        open: 0,
        failed: 0,
        progress: None,
        why_not: None,
        trouble: None,
    };
    view.set_options(options);
    view
}

impl RunView {
    fn set_options(&mut self, options: Option<&RunOptions>) {
        if let Some(options) = options {
            self.request = options.request.clone();
            self.seconds = options.ladder.clone();
        }
    }

    /// Shows the options of a run that another version began, as far as they can be read.
    fn show_options(&mut self, row: &RunRow) {
        self.set_options(serde_json::from_str(&row.run.options).ok().as_ref());
    }
}

/// Refuses a run that asks for more than this server gives one search, and says how many searches run side by side.
pub(super) fn within(options: &RunOptions, limits: &Limits, jobs: Option<usize>) -> Result<usize, Refused> {
    let most = limits.time;
    let fits = |seconds: &Option<f64>| {
        seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok()).is_some_and(|time| time <= most)
    };
    if !options.ladder.iter().all(fits) {
        let sentence =
            format!("a search of this run may take longer than the {} s that this server gives one", most.as_secs());
        return Err(super::unprocessable(sentence));
    }
    if options.request.limits.memory.is_some_and(|bytes| bytes > limits.memory) {
        let sentence = format!(
            "a search of this run may take more than the {} MiB that this server gives one",
            limits.memory >> 20
        );
        return Err(super::unprocessable(sentence));
    }
    let threads = options.request.threads;
    let room = limits.running / threads;
    if room == 0 {
        return Err(super::unprocessable(format!(
            "a search of this run has {threads} threads, and this server runs {} at once",
            limits.running
        )));
    }
    match jobs {
        None => Ok(room.saturating_sub(1).max(1)),
        Some(jobs) if (1..=room).contains(&jobs) => Ok(jobs),
        Some(_) => {
            Err(super::unprocessable(format!("jobs must lie between 1 and {room}, what this server runs at once")))
        }
    }
}
