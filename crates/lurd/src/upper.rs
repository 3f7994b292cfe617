//! The upper bound: the best solution so far, its source, and its improvement.

use crate::Request;
use crate::report::{Outcome, Report, Solution};
use crate::watch::Watch;
use lurd_base::sync::lock;
use lurd_base::{Budget, Cancel, Limits};
use lurd_level::Level;
use lurd_prove_pushes::Control;
use lurd_search::Statistics;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Mutex, MutexGuard};
use std::time::Duration;

/// The share of the memory limit for the improver, which runs beside the proof.
pub(crate) const MEMORY_SHARE: usize = 4;

/// The interval at which the stop conditions are polled.
const POLL: Duration = Duration::from_millis(20);

/// The best solution and what it cost.
#[derive(Debug, Default)]
pub(crate) struct Best {
    pub(crate) solution: Option<Solution>,
    /// How it was found, in words.
    pub(crate) source: String,
    /// The cost of finding and improving it; the bytes are those of the race, which runs alone.
    pub(crate) cost: Statistics,
    /// Peak bytes of the improver.
    pub(crate) improver_bytes: usize,
}

/// The best solution, shared by all threads.
#[derive(Debug)]
pub(crate) struct UpperBound<'a> {
    level: &'a Level,
    budget: &'a Budget,
    control: &'a Control<'a>,
    best: Mutex<Best>,
}

impl<'a> UpperBound<'a> {
    pub(crate) fn new(level: &'a Level, budget: &'a Budget, control: &'a Control<'a>) -> Self {
        Self { level, budget, control, best: Mutex::default() }
    }

    pub(crate) fn best(&self) -> MutexGuard<'_, Best> {
        lock(&self.best)
    }

    /// Takes a solution if it is shorter, or as short with fewer moves.
    pub(crate) fn take(&self, solution: Solution, source: impl FnOnce(&str) -> String) {
        let mut best = self.best();
        let known = best.solution.as_ref().map(|known| (known.pushes, known.moves));
        if known.is_none_or(|known| (solution.pushes, solution.moves) < known) {
            if known.is_none_or(|(pushes, _)| solution.pushes < pushes) {
                best.source = source(&best.source);
            }
            self.control.set_solution(&solution.lurd, &best.source);
            self.control.reduce_upper(solution.pushes as u32);
            best.solution = Some(solution);
        }
    }

    /// Finds any solution with the portfolio. Returns the report of a race that proved unsolvability or was cancelled.
    pub(crate) fn race(&self, config: &Request, time: Duration, watcher: &mut dyn Watch) -> Option<Report> {
        let limits = self.reserve(Limits { time: Some(time), ..*self.budget.limits() });
        let config = Request { limits, threads: config.threads, ..Request::default() };
        let report = crate::watch(self.level, &config, self.budget.cancel(), watcher).ok()?;
        self.account(&report.statistics, limits);
        self.best().cost.peak_bytes = report.statistics.peak_bytes;
        if let Some(solution) = report.solution.clone() {
            self.take(solution, |_| report.notes.join(", "));
        }
        matches!(report.outcome, Outcome::Unsolvable | Outcome::Cancelled).then_some(report)
    }

    /// Improves the best solution, generating at most so many positions. Ends early when the bounds have met or `over` is
    /// cancelled. Returns whether another call with more positions makes sense.
    pub(crate) fn improve(&self, positions: u64, over: &Cancel) -> bool {
        let Some(given) = self.best().solution.clone() else { return false };
        let (control, lower) = (self.control, self.control.lower());
        if control.halt().is_some() || over.is_cancelled() {
            return false;
        }
        let flag = Cancel::new();
        let memory = self.budget.limits().memory.map(|limit| limit / MEMORY_SHARE);
        let limits = self.reserve(Limits { time: None, memory, nodes: Some(positions) });
        let short = Budget::new(limits, flag.clone());
        let improved = std::thread::scope(|scope| {
            let (done, ended) = channel::<()>();
            let raised = flag.clone();
            // The improver polls one flag, so a thread combines the stop conditions. Without a thread the limits hold, and
            // the number of positions.
            let watched = std::thread::Builder::new().spawn_scoped(scope, move || {
                while ended.recv_timeout(POLL) == Err(RecvTimeoutError::Timeout) {
                    if over.is_cancelled() || control.halt().is_some() || control.expects_to_finish() {
                        raised.cancel();
                    }
                }
            });
            drop(watched);
            let mut notify = |better: &lurd_improve::Best| {
                if better.pushes as u32 <= lower {
                    flag.cancel();
                }
            };
            let improved =
                lurd_improve::shorten(&self.level.map, &given.lurd, lurd_improve::Metric::Pushes, &short, &mut notify);
            drop(done);
            improved
        });
        let (expanded, generated) = improved.as_ref().map_or((0, 0), |best| (best.expanded, best.generated));
        self.account(&Statistics { expanded, generated, ..Statistics::default() }, limits);
        let Ok(improved) = improved else { return false };
        {
            let mut best = self.best();
            best.improver_bytes = best.improver_bytes.max(improved.peak_bytes);
        }
        let pushes = improved.pushes;
        let solution = Solution { lurd: improved.lurd, moves: improved.moves, pushes };
        self.take(solution, |source| format!("{source}, then shortened to {pushes}"));
        !improved.exhausted
    }

    /// Limits, reduced to what is left of the budget. The nodes are taken from it until they are accounted for: the
    /// proof may run meanwhile.
    fn reserve(&self, limits: Limits) -> Limits {
        let time_left = self.budget.limits().time.map(|time| time.saturating_sub(self.budget.elapsed()));
        Limits {
            time: limits.time.into_iter().chain(time_left).min(),
            memory: limits.memory,
            nodes: limits.nodes.map(|nodes| self.control.nodes().reserve(nodes)),
        }
    }

    /// Adds the cost of work outside the proof, within limits that were reserved.
    fn account(&self, statistics: &Statistics, limits: Limits) {
        self.control.count_external(statistics.generated, limits.nodes.unwrap_or(0));
        let cost = &mut self.best().cost;
        cost.expanded += statistics.expanded;
        cost.generated += statistics.generated;
    }
}
