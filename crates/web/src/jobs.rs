//! Searches on threads of their own: a queue, a few workers, and what is remembered.
//!
//! A job that nobody watches and nobody asks about ends after the grace period, so that a closed page leaves nothing
//! running.

use crate::error::Refused;
use crate::limits::Limits;
use lurd::{Map, Record};
use lurd_base::sync::lock;
use lurd_library::{Finding, Origin, Recorder};
use lurd_service::{Job, JobHost, JobResult, Work};
use std::collections::VecDeque;
use std::hash::{BuildHasher, RandomState};
use std::ops::Deref;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::watch;

/// Searches keep their own stacks on the heap; this is room to spare.
const STACK: usize = 16 << 20;
/// How often abandoned jobs are looked for.
const ROUND: Duration = Duration::from_millis(250);

/// A job whose changes can be waited for.
pub(crate) struct Followed {
    job: Job,
    /// Counts changes of the state.
    version: watch::Sender<u64>,
}

/// Counts a job's changes.
struct Counter(watch::Sender<u64>);

impl JobHost for Counter {
    fn changed(&self, _: &Job) {
        self.0.send_modify(|version| *version += 1);
    }
}

impl Followed {
    fn new(id: String, kind: &'static str) -> Self {
        let version = watch::channel(0).0;
        Self { job: Job::new(id, kind, Counter(version.clone())), version }
    }

    /// A receiver that wakes when the state changes.
    pub(crate) fn changes(&self) -> watch::Receiver<u64> {
        self.version.subscribe()
    }
}

impl Deref for Followed {
    type Target = Job;

    fn deref(&self) -> &Job {
        &self.job
    }
}

/// An open event stream; dropping it closes the account.
pub(crate) struct Watching {
    jobs: Arc<Jobs>,
    pub(crate) job: Arc<Followed>,
}

impl Watching {
    fn new(jobs: Arc<Jobs>, job: Arc<Followed>) -> Self {
        job.watched();
        Self { jobs, job }
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        self.job.left();
        self.jobs.streams.fetch_sub(1, Ordering::Relaxed);
    }
}

struct Queue {
    waiting: VecDeque<(Arc<Followed>, Box<dyn Work>)>,
    /// All jobs that are remembered, oldest first.
    known: VecDeque<Arc<Followed>>,
    numbered: u64,
    closed: bool,
}

/// All jobs of the server.
pub(crate) struct Jobs {
    limits: Limits,
    queue: Mutex<Queue>,
    changed: Condvar,
    /// Tells jobs of this run of the server from those of an earlier one.
    run: u32,
    streams: AtomicUsize,
    /// Where what is found goes.
    library: Option<Arc<Mutex<Recorder>>>,
}

impl Jobs {
    /// Starts the workers.
    pub(crate) fn start(limits: Limits, library: Option<Arc<Mutex<Recorder>>>) -> Arc<Self> {
        let queue = Queue { waiting: VecDeque::new(), known: VecDeque::new(), numbered: 0, closed: false };
        let jobs = Arc::new(Self {
            limits,
            queue: Mutex::new(queue),
            changed: Condvar::new(),
            run: RandomState::new().hash_one(std::process::id()) as u32,
            streams: AtomicUsize::new(0),
            library,
        });
        for number in 0..limits.running {
            let jobs = jobs.clone();
            let worker = std::thread::Builder::new().name(format!("search {number}")).stack_size(STACK);
            // Without threads there is no server; the workers that did start serve.
            let _ = worker.spawn(move || jobs.work());
        }
        jobs
    }

    /// Takes a job, unless too many wait already.
    pub(crate) fn submit(&self, work: Box<dyn Work>) -> Result<Arc<Followed>, Refused> {
        let mut queue = lock(&self.queue);
        if queue.closed {
            return Err(Refused::too_many("the server is ending"));
        }
        if queue.waiting.len() >= self.limits.waiting {
            return Err(Refused::too_many(format!(
                "{} searches wait already; cancel one or try again when one has ended",
                queue.waiting.len()
            )));
        }
        queue.numbered += 1;
        let job = Arc::new(Followed::new(format!("{:08x}-{}", self.run, queue.numbered), work.kind()));
        queue.known.push_back(job.clone());
        queue.waiting.push_back((job.clone(), work));
        self.changed.notify_one();
        Ok(job)
    }

    /// The job of a name.
    pub(crate) fn find(&self, id: &str) -> Result<Arc<Followed>, Refused> {
        let queue = lock(&self.queue);
        queue.known.iter().find(|job| job.id() == id).cloned().ok_or_else(|| {
            Refused::not_found("there is no such job; it may have been forgotten since, or the server was started anew")
        })
    }

    /// All jobs that are remembered.
    pub(crate) fn all(&self) -> Vec<Arc<Followed>> {
        lock(&self.queue).known.iter().cloned().collect()
    }

    /// Opens a stream, unless too many are open.
    pub(crate) fn watch(self: &Arc<Self>, job: &Arc<Followed>) -> Result<Watching, Refused> {
        let open = self.streams.fetch_add(1, Ordering::Relaxed);
        let watching = Watching::new(self.clone(), job.clone());
        if open >= self.limits.streams {
            return Err(Refused::too_many(format!("{open} event streams are open already; close one")));
        }
        Ok(watching)
    }

    /// Cancels everything and lets the workers go.
    pub(crate) fn close(&self) {
        let mut queue = lock(&self.queue);
        queue.closed = true;
        for job in &queue.known {
            job.cancel("the server is ending");
        }
        for (job, _) in queue.waiting.drain(..) {
            job.finish(Record::cancelled().into());
        }
        self.changed.notify_all();
    }

    fn work(&self) {
        while let Some((job, work)) = self.next() {
            let map = work.map().cloned();
            job.run(work);
            if let (Some(library), Some(map), Some(result)) = (&self.library, map, job.result()) {
                keep(&mut lock(library), &map, result);
            }
        }
    }

    fn next(&self) -> Option<(Arc<Followed>, Box<dyn Work>)> {
        let mut queue = lock(&self.queue);
        loop {
            if queue.closed {
                return None;
            }
            if let Some(first) = queue.waiting.pop_front() {
                return Some(first);
            }
            queue = self.changed.wait(queue).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Ends abandoned jobs and forgets old ones, for ever.
    pub(crate) async fn keep_house(self: Arc<Self>) {
        loop {
            tokio::time::sleep(ROUND).await;
            let mut queue = lock(&self.queue);
            for job in &queue.known {
                if job.is_abandoned(self.limits.grace) {
                    job.cancel("nobody watched it any more");
                }
            }
            // A job that never began need not wait for a worker to be called off.
            let (gone, rest): (VecDeque<_>, _) =
                queue.waiting.drain(..).partition(|(job, _)| job.cancelled().is_cancelled());
            queue.waiting = rest;
            for (job, _) in gone {
                job.finish(Record::cancelled().into());
            }
            while queue.known.len() > Limits::KEPT && queue.known.front().is_some_and(|job| job.has_ended()) {
                queue.known.pop_front();
            }
            queue.known.retain(|job| !job.ended_before(Limits::KEPT_FOR));
        }
    }
}

/// Has the library remember what a job found.
fn keep(library: &mut Recorder, map: &Map, result: JobResult) {
    let algorithm = &result.record.algorithm;
    if let Some(finding) = Finding::of_record(&result.record) {
        let finder = concat!("lurd ", env!("CARGO_PKG_VERSION"));
        library.record(map, finding, Origin::new(finder, format!("serve: {algorithm}")));
    }
}
