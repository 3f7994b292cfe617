//! Leading a run: what is due goes into a queue, what comes back goes into the library at once.

use crate::job::{Fault, Job, JobReport, RunOptions};
use crate::queue::{Queue, QueueError};
use lurd_base::Cancel;
use lurd_library::{JobEnd, Library, LibraryError, Origin, PendingJob, ResultRow, RunRow, date};
use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// How long a report is waited for before the cancel flag is looked at again.
const PATIENCE: Duration = Duration::from_millis(200);

/// After this long without any report, jobs are put in again: those that got lost come back, the others are refused as
/// known.
const SILENCE: Duration = Duration::from_secs(60);

/// What a level counts for in the order of jobs if nobody has searched it yet, in seconds: after those that are known to
/// take longer, before those that are known to be quick.
const UNKNOWN: f64 = 1.0;

/// Why a run cannot go on.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BatchError {
    /// The library.
    #[error(transparent)]
    Library(#[from] LibraryError),
    /// The queue.
    #[error(transparent)]
    Queue(#[from] QueueError),
}

/// How far a run is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunProgress {
    /// Different levels of the run.
    pub levels: usize,
    /// Levels by how they ended so far, in the order of [`JobEnd::ALL`].
    pub counts: [usize; 4],
    /// The rung under way, from 0.
    pub rung: usize,
    /// Jobs of this rung that are not done.
    pub waiting: usize,
    /// Jobs that this process has seen done.
    pub done_here: usize,
    /// Since this process began.
    pub elapsed: Duration,
    /// Workers, where their number is known.
    pub workers: Option<usize>,
}

impl RunProgress {
    /// Jobs a second.
    pub fn rate(&self) -> f64 {
        let seconds = self.elapsed.as_secs_f64();
        if seconds > 0.0 { self.done_here as f64 / seconds } else { 0.0 }
    }

    /// What the rung will still take at this rate.
    pub fn time_left(&self) -> Option<Duration> {
        let rate = self.rate();
        (rate > 0.0).then(|| Duration::from_secs_f64(self.waiting as f64 / rate))
    }
}

/// How a process left a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunEnd {
    /// Levels by how they ended, in the order of [`JobEnd::ALL`].
    pub counts: [usize; 4],
    /// Whether there is work left.
    pub interrupted: bool,
}

/// A random word for a run: two runs with one word are not to be expected anywhere.
pub fn new_token() -> String {
    // The standard library seeds its hash tables with random bits of the system.
    let word = || RandomState::new().build_hasher().finish();
    format!("{:016x}", word() ^ word().rotate_left(32))
}

/// A name that no run has: the moment.
///
/// # Errors
/// When the library cannot be read.
pub fn free_name(library: &Library) -> Result<String, LibraryError> {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |now| now.as_secs() as i64);
    let moment = date(now).replace(' ', "-").replace(':', "");
    let taken: HashSet<String> = library.runs()?.into_iter().map(|run| run.run.name.to_lowercase()).collect();
    let mut name = moment.clone();
    let mut number = 1;
    while taken.contains(&name.to_lowercase()) {
        number += 1;
        name = format!("{moment}-{number}");
    }
    Ok(name)
}

/// Leads a run to its end, or until the flag is raised.
///
/// # Errors
/// When the library or the queue fails. Everything stored until then stays.
pub fn work<Q: Queue>(
    library: &mut Library,
    run: &RunRow,
    options: &RunOptions,
    queue: &mut Q,
    cancel: &Cancel,
    progress: &mut dyn FnMut(&RunProgress),
) -> Result<RunEnd, BatchError> {
    let faults = faults(library, run, options)?;
    let mut leader = Leader {
        state: RunProgress {
            levels: library.run_levels(run.id)?,
            counts: library.run_counts(run.id)?,
            rung: 0,
            waiting: 0,
            done_here: 0,
            elapsed: Duration::ZERO,
            workers: queue.workers(),
        },
        library,
        run,
        begun: Instant::now(),
    };
    // Reports that came while nobody led the run.
    while let Some(delivery) = queue.take(Duration::ZERO)? {
        leader.store(&delivery.report)?;
        queue.accept(delivery.receipt)?;
    }
    for rung in 0..run.run.rungs {
        let mut due = leader.library.pending(run.id, rung)?;
        order(&mut due);
        let jobs: Vec<Job> = due
            .iter()
            .map(|due| Job::new(run, options, rung, due, faults.get(&due.key.to_string()).copied()))
            .collect();
        let mut waiting: HashSet<String> = jobs.iter().map(|job| job.key.clone()).collect();
        leader.state.rung = rung;
        queue.put(&jobs)?;
        let mut heard = Instant::now();
        while !waiting.is_empty() {
            leader.tell(waiting.len(), queue.workers(), progress);
            if cancel.is_cancelled() {
                queue.withdraw()?;
                return Ok(RunEnd { counts: leader.state.counts, interrupted: true });
            }
            if let Some(delivery) = queue.take(PATIENCE)? {
                heard = Instant::now();
                leader.store(&delivery.report)?;
                queue.accept(delivery.receipt)?;
                waiting.remove(&delivery.report.key);
            } else if heard.elapsed() > SILENCE && queue.workers().is_none() {
                heard = Instant::now();
                let left: Vec<Job> = jobs.iter().filter(|job| waiting.contains(&job.key)).cloned().collect();
                queue.put(&left)?;
            }
        }
        leader.tell(0, queue.workers(), progress);
    }
    leader.library.end_run(run.id)?;
    Ok(RunEnd { counts: leader.state.counts, interrupted: false })
}

struct Leader<'a> {
    library: &'a mut Library,
    run: &'a RunRow,
    state: RunProgress,
    begun: Instant,
}

impl Leader<'_> {
    fn tell(&mut self, waiting: usize, workers: Option<usize>, progress: &mut dyn FnMut(&RunProgress)) {
        self.state.waiting = waiting;
        self.state.workers = workers;
        self.state.elapsed = self.begun.elapsed();
        progress(&self.state);
    }

    /// Counts a level that ended; on a later rung it was open before.
    fn count(&mut self, end: JobEnd, rung: usize) {
        for (count, other) in self.state.counts.iter_mut().zip(JobEnd::ALL) {
            *count += usize::from(other == end);
            *count -= usize::from(other == JobEnd::Open && rung > 0);
        }
    }

    /// Stores a report; one that came before changes nothing.
    fn store(&mut self, report: &JobReport) -> Result<(), LibraryError> {
        let Some(key) = report.level_key() else { return Ok(()) };
        let method = report.record.as_ref().map_or("search", |record| &record.algorithm);
        let origin = Origin::new(
            format!("lurd {} on {}", self.run.run.version, report.worker),
            format!("batch {}: {method}", self.run.run.name),
        );
        let row = row(report);
        let mut end = row.end;
        let stored = match self.library.finish_job(self.run.id, key, &row, report.finding().as_ref(), &origin) {
            // The referee has the last word, whoever sent the report.
            Err(LibraryError::WrongSolution { reason, .. }) => {
                end = JobEnd::Failed;
                let reason = format!("the referee refused the solution: {reason}");
                let refused = ResultRow { end: JobEnd::Failed, reason: Some(reason), pushes: None, moves: None, ..row };
                self.library.finish_job(self.run.id, key, &refused, None, &origin)?
            }
            stored => stored?,
        };
        if stored {
            self.state.done_here += 1;
            self.count(end, report.rung);
        }
        Ok(())
    }
}

fn row(report: &JobReport) -> ResultRow {
    let record = report.record.as_ref();
    ResultRow {
        rung: report.rung,
        end: report.end,
        pushes: record.and_then(|record| record.pushes),
        moves: record.and_then(|record| record.moves),
        seconds: report.seconds,
        reason: report.reason.clone(),
        record: serde_json::to_string(&report.record).unwrap_or_default(),
        worker: report.worker.clone(),
    }
}

/// Long jobs first, so that the last one to end is a short one.
fn order(due: &mut [PendingJob]) {
    let size = |job: &PendingJob| job.boxes * job.squares;
    let expected = |job: &PendingJob| job.seconds.unwrap_or(UNKNOWN);
    due.sort_by(|a, b| expected(b).total_cmp(&expected(a)).then(size(b).cmp(&size(a))));
}

/// Which levels misbehave on purpose.
fn faults(library: &Library, run: &RunRow, options: &RunOptions) -> Result<HashMap<String, Fault>, LibraryError> {
    if options.faults.is_empty() {
        return Ok(HashMap::new());
    }
    let mut keys: Vec<String> = Vec::new();
    for entry in library.run_entries(run.id)? {
        let key = entry.key.to_string();
        if !keys.contains(&key) {
            keys.push(key);
        }
    }
    let named = |&(place, fault): &(usize, Fault)| keys.get(place.checked_sub(1)?).map(|key| (key.clone(), fault));
    Ok(options.faults.iter().filter_map(named).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job::VERSION;
    use crate::queue::Delivery;
    use lurd::Record;
    use lurd_library::NewRun;
    use std::collections::VecDeque;

    /// A queue whose worker is a function.
    struct Instantly<W> {
        jobs: VecDeque<Job>,
        work: W,
        seen: Vec<String>,
    }

    impl<W: FnMut(&Job) -> JobReport> Queue for Instantly<W> {
        type Receipt = ();
        fn put(&mut self, jobs: &[Job]) -> Result<(), QueueError> {
            self.jobs.extend(jobs.iter().cloned());
            Ok(())
        }
        fn take(&mut self, _: Duration) -> Result<Option<Delivery<()>>, QueueError> {
            let Some(job) = self.jobs.pop_front() else { return Ok(None) };
            self.seen.push(job.key.clone());
            Ok(Some(Delivery { report: (self.work)(&job), receipt: () }))
        }
        fn accept(&mut self, (): ()) -> Result<(), QueueError> {
            Ok(())
        }
        fn withdraw(&mut self) -> Result<(), QueueError> {
            self.jobs.clear();
            Ok(())
        }
        fn workers(&self) -> Option<usize> {
            Some(1)
        }
    }

    fn set_up(ladder: Vec<Option<f64>>) -> (Library, RunRow, RunOptions) {
        let mut library = Library::in_memory().unwrap();
        let levels = "; A\n#######\n#@ $ .#\n#######\n\n; B\n#####\n#@$.#\n#####\n\n; C\n#######\n#. $ @#\n#######\n";
        library.add("three", "three.xsb", &lurd::parse(levels).unwrap(), false).unwrap();
        let options = RunOptions { ladder, ..RunOptions::default() };
        let run = NewRun {
            name: "x".into(),
            token: new_token(),
            options: String::new(),
            rungs: options.ladder.len(),
            version: VERSION.into(),
            machine: "here".into(),
        };
        let run = library.create_run(&run, &["three".into()]).unwrap();
        (library, run, options)
    }

    fn solved(job: &Job) -> JobReport {
        let level = lurd::Level::parse(&job.form).unwrap();
        let solution = lurd::solve(&level).unwrap().solution.unwrap();
        let record = Record {
            solution: Some(solution.lurd),
            pushes: Some(solution.pushes),
            moves: Some(solution.moves),
            ..Record::default()
        };
        JobReport { end: JobEnd::Solved, reason: None, record: Some(record), ..JobReport::failed(job, "", 0.1, "me") }
    }

    fn lead<W: FnMut(&Job) -> JobReport>(
        (library, run, options): &mut (Library, RunRow, RunOptions),
        work: W,
    ) -> (RunEnd, Vec<String>) {
        let mut queue = Instantly { jobs: VecDeque::new(), work, seen: Vec::new() };
        let end = super::work(library, run, options, &mut queue, &Cancel::new(), &mut |_| ()).unwrap();
        (end, queue.seen)
    }

    #[test]
    fn a_ladder_goes_on_with_what_is_open_and_nothing_is_done_twice() {
        let mut all = set_up(vec![Some(1.0), Some(10.0)]);
        let open = |job: &Job| JobReport { end: JobEnd::Open, ..JobReport::failed(job, "time limit", 1.0, "me") };
        let (end, seen) =
            lead(&mut all, |job| if job.rung == 1 || job.form.len() < 20 { solved(job) } else { open(job) });
        assert_eq!((end.counts, end.interrupted, seen.len()), ([2, 0, 0, 0], false, 3));
        let (again, seen) = lead(&mut all, solved);
        assert_eq!((again, seen.len()), (end, 0), "nothing is due");
        assert!(all.0.run("x").unwrap().ended.is_some());
        assert_eq!(all.0.verify(&mut |_| true).unwrap().damages, []);
    }

    #[test]
    fn the_referee_has_the_last_word() {
        let mut all = set_up(vec![None]);
        let wrong = |job: &Job| {
            let record = Record { solution: Some("llllllll".into()), ..Record::default() };
            JobReport { record: Some(record), ..solved(job) }
        };
        let (end, _) = lead(&mut all, wrong);
        assert_eq!(end.counts, [0, 0, 0, 2]);
        let entries = all.0.run_entries(all.1.id).unwrap();
        assert!(entries[0].last().unwrap().reason.as_ref().unwrap().contains("the referee refused"));
    }

    #[test]
    fn a_raised_flag_leaves_the_rest_for_later() {
        let mut all = set_up(vec![None]);
        let cancel = Cancel::new();
        let mut queue = Instantly { jobs: VecDeque::new(), work: solved, seen: Vec::new() };
        let mut tell = |progress: &RunProgress| {
            if progress.done_here == 1 {
                cancel.cancel();
            }
        };
        let end = super::work(&mut all.0, &all.1, &all.2, &mut queue, &cancel, &mut tell).unwrap();
        assert_eq!((end.interrupted, end.counts[0]), (true, 1));
        assert_eq!(lead(&mut all, solved).0.counts, [2, 0, 0, 0]);
    }

    #[test]
    fn long_jobs_come_first() {
        let key = lurd_library::Form::of(&lurd::Map::from_rows(&[])).key;
        let job = |boxes, seconds| PendingJob { key, form: String::new(), boxes, squares: 10, seconds };
        let mut due = [job(1, Some(0.1)), job(2, None), job(9, None), job(1, Some(9.0)), job(3, Some(0.5))];
        order(&mut due);
        let boxes: Vec<_> = due.iter().map(|job| job.boxes).collect();
        assert_eq!(boxes, [1, 9, 2, 3, 1]);
    }

    #[test]
    fn tokens_differ() {
        let tokens: HashSet<String> = (0..1000).map(|_| new_token()).collect();
        assert_eq!(tokens.len(), 1000);
    }
}
