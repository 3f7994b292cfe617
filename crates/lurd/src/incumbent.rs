//! The best solution of a level and where it comes from: it was known before, is raced for, improved, found by a proof,
//! or told by another program. The referee has replayed each before it is here.

use crate::report::{Outcome, Report, judged};
use crate::watch::Watch;
use crate::{Progress, Request, Solution, SolveError, Task, race};
use lurd_base::sync::lock;
use lurd_base::{Budget, Cancel, Limits};
use lurd_improve::{ImproveError, Improved, Metric, shorten_on};
use lurd_search::Statistics;
use std::num::NonZeroUsize;
use std::sync::Mutex;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

/// The share of a memory limit for the improver, beside a proof.
pub(crate) const IMPROVER_MEMORY: usize = 4;

/// The interval at which the improver is told to end.
const POLL: Duration = Duration::from_millis(20);

/// When to end the improver, beside its limits.
pub(crate) struct Until<'a> {
    pub(crate) over: &'a (dyn Fn() -> bool + Sync),
    /// No solution is shorter than this.
    pub(crate) lower: u32,
}

#[derive(Debug, Default)]
struct Best {
    solution: Option<Solution>,
    /// How it was found, in words.
    source: String,
    /// What races and the improver have cost.
    spent: Statistics,
}

/// The best solution, shared by all threads.
pub(crate) struct Incumbent<'a> {
    task: Task<'a>,
    metric: Metric,
    best: Mutex<Best>,
    /// Called with every better solution and its source, at once.
    taken: &'a (dyn Fn(&Solution, &str) + Sync),
}

impl<'a> Incumbent<'a> {
    /// No solution yet; better ones have less of the metric, or as much and less of the other.
    pub(crate) fn new(task: Task<'a>, metric: Metric, taken: &'a (dyn Fn(&Solution, &str) + Sync)) -> Self {
        Self { task, metric, best: Mutex::default(), taken }
    }

    pub(crate) fn solution(&self) -> Option<Solution> {
        lock(&self.best).solution.clone()
    }

    pub(crate) fn is_known(&self) -> bool {
        lock(&self.best).solution.is_some()
    }

    pub(crate) fn source(&self) -> String {
        lock(&self.best).source.clone()
    }

    /// Pushes or moves, as the metric says.
    pub(crate) fn length(&self) -> Option<u32> {
        lock(&self.best).solution.as_ref().map(|best| self.cost(best).0 as u32)
    }

    fn cost(&self, solution: &Solution) -> (usize, usize) {
        match self.metric {
            Metric::Pushes => (solution.pushes, solution.moves),
            Metric::Moves => (solution.moves, solution.pushes),
        }
    }

    /// Takes a solution if it is better. The source, made from the one before, is of the last that was shorter.
    pub(crate) fn take(&self, solution: Solution, source: impl FnOnce(&str) -> String) {
        let mut best = lock(&self.best);
        let (known, cost) = (best.solution.as_ref().map(|known| self.cost(known)), self.cost(&solution));
        if known.is_none_or(|known| cost < known) {
            if known.is_none_or(|known| cost.0 < known.0) {
                best.source = source(&best.source);
            }
            (self.taken)(&solution, &best.source);
            best.solution = Some(solution);
        }
    }

    /// Takes moves that the referee accepts.
    ///
    /// # Errors
    /// Why it refuses them.
    pub(crate) fn take_lurd(&self, lurd: String, source: impl FnOnce(&str) -> String) -> Result<(), String> {
        self.take(judged(self.task.level, lurd)?, source);
        Ok(())
    }

    /// Takes what another program has found; what the referee refuses is not used.
    pub(crate) fn take_told(&self, watcher: &mut dyn Watch) {
        while let Some(lurd) = watcher.told() {
            let _ = self.take_lurd(lurd, |_| "found beside the proof".into());
        }
    }

    /// What races and the improver have cost so far.
    pub(crate) fn spent(&self) -> Statistics {
        lock(&self.best).spent.clone()
    }

    /// Adds the cost of some work; somebody who waited held so many bytes meanwhile.
    pub(crate) fn count(&self, cost: &Statistics, held: usize) {
        let spent = &mut lock(&self.best).spent;
        spent.expanded += cost.expanded;
        spent.generated += cost.generated;
        spent.peak_bytes = spent.peak_bytes.max(cost.peak_bytes + held);
    }

    /// Finds any solution with the portfolio.
    pub(crate) fn race(&self, limits: Limits, held: usize, watcher: &mut dyn Watch) -> Result<Report, SolveError> {
        let budget = self.task.budget.reserve(limits);
        let config = Request { limits: *budget.limits(), threads: self.task.config.threads, ..Request::default() };
        let report = race::run(Task { config: &config, budget: &budget, ..self.task }, watcher)?;
        self.task.budget.settle(&budget, report.statistics.generated);
        self.count(&report.statistics, held);
        if let Some(solution) = report.solution.clone() {
            self.take(solution, |_| report.notes.join(", "));
        }
        Ok(report)
    }

    /// Makes the solution shorter. Returns whether another call with more positions makes sense.
    pub(crate) fn improve(&self, limits: Limits, threads: usize, held: usize, until: Option<&Until<'_>>) -> bool {
        let Some(given) = self.solution() else { return false };
        let budget = self.task.budget.reserve(limits);
        let improved = match until {
            None => self.shorten(&given, threads, &budget, &mut |_| ()),
            Some(until) => self.shorten_until(&given, threads, &budget, until),
        };
        let Ok(Improved { lurd, moves, pushes, expanded, generated, peak_bytes, exhausted, .. }) = improved else {
            self.task.budget.settle(&budget, 0);
            return false;
        };
        self.task.budget.settle(&budget, generated);
        self.count(&Statistics { expanded, generated, peak_bytes, ..Statistics::default() }, held);
        let solution = Solution { lurd, moves, pushes };
        let length = self.cost(&solution).0;
        self.take(solution, |source| format!("{source}, then shortened to {length}"));
        !exhausted
    }

    fn shorten(
        &self,
        given: &Solution,
        threads: usize,
        budget: &Budget,
        gained: &mut (dyn FnMut(&lurd_improve::Best<'_>) + Send),
    ) -> Result<Improved, ImproveError> {
        let threads = NonZeroUsize::new(threads).unwrap_or(NonZeroUsize::MIN);
        shorten_on(threads, &self.task.level.map, &given.lurd, self.metric, budget, gained)
    }

    /// As [`shorten`](Self::shorten), until the work is over or no shorter solution exists.
    fn shorten_until(
        &self,
        given: &Solution,
        threads: usize,
        budget: &Budget,
        until: &Until<'_>,
    ) -> Result<Improved, ImproveError> {
        // The improver polls one flag, so a thread combines the reasons to end. Without a thread the limits hold, and the
        // number of positions.
        let flag = Cancel::new();
        let own = Budget::new(*budget.limits(), flag.clone());
        std::thread::scope(|scope| {
            let (done, ended) = channel::<()>();
            let raised = flag.clone();
            let watched = std::thread::Builder::new().spawn_scoped(scope, move || {
                while ended.recv_timeout(POLL) == Err(RecvTimeoutError::Timeout) {
                    if (until.over)() {
                        raised.cancel();
                    }
                }
            });
            drop(watched);
            let improved = self.shorten(given, threads, &own, &mut |better| {
                let length = if self.metric == Metric::Moves { better.moves } else { better.pushes };
                if length as u32 <= until.lower {
                    flag.cancel();
                }
            });
            drop(done);
            improved
        })
    }
}

/// Positions of the first round of the improver where it seeks alone; every round has twice as many.
const FIRST_ROUND: u64 = 100_000;

/// Seeks short solutions beside a proof that another program does, until the limits end it or the improver has nothing
/// left to try. A short solution is no proof, and none is claimed.
///
/// Programs that share no memory divide a proof like this: the first share proves, the second seeks and tells every better
/// solution through [`Watch::found`]; who proves takes it from [`Watch::told`]. There is nothing to do for a third.
pub(crate) fn seek(task: Task<'_>, metric: Metric, watcher: &mut dyn Watch) -> Result<Report, SolveError> {
    let budget = task.budget;
    let incumbent = Incumbent::new(task, metric, &|_, _| ());
    let mut report =
        incumbent.race(budget.left(), 0, &mut Relay { watcher, spent: Statistics::default(), lower: None })?;
    if report.outcome != Outcome::Solved {
        return Ok(report);
    }
    let (mut positions, mut shortest) = (FIRST_ROUND, None);
    loop {
        let (best, length) = (incumbent.solution(), incumbent.length());
        if let Some(best) = best.filter(|_| shortest.is_none_or(|known| length < Some(known))) {
            shortest = length;
            watcher.found(&best);
        }
        let left = budget.left();
        let enough = left.nodes.is_none_or(|nodes| nodes > positions);
        let more = incumbent.improve(Limits { nodes: Some(positions), ..left }, 1, 0, None);
        if !more || !enough || budget.halt().is_some() {
            break;
        }
        positions = positions.saturating_mul(2);
    }
    report.solution = incumbent.solution();
    if let Some(best) = &report.solution {
        watcher.found(best);
    }
    let spent = incumbent.spent();
    report.statistics.expanded = spent.expanded;
    report.statistics.generated = spent.generated;
    report.statistics.seconds = budget.elapsed().as_secs_f64();
    Ok(report)
}

/// Passes on the progress of a race beside a proof, after what was spent before; the strategies are of no interest.
pub(crate) struct Relay<'a> {
    pub(crate) watcher: &'a mut dyn Watch,
    pub(crate) spent: Statistics,
    pub(crate) lower: Option<u32>,
}

impl Watch for Relay<'_> {
    fn progress(&mut self, progress: &Progress) {
        self.watcher.progress(&Progress {
            seconds: progress.seconds + self.spent.seconds,
            expanded: progress.expanded + self.spent.expanded,
            generated: progress.generated + self.spent.generated,
            bytes: progress.bytes.max(self.spent.peak_bytes),
            lower_bound: self.lower,
        });
    }
}
