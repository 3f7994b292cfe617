//! The upper bound: the best solution so far, where it comes from, and how it gets shorter.

use crate::Config;
use crate::report::{Outcome, Report, Solution};
use crate::watch::Watch;
use lurd_level::Level;
use lurd_prove_pushes::Control;
use lurd_search::sync::lock;
use lurd_search::{Budget, Cancel, Limits, Statistics};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Mutex, MutexGuard};
use std::time::Duration;

/// The share of the memory limit that shortening may take beside the proof.
pub(crate) const MEMORY_SHARE: usize = 4;

/// How often the reasons to stop are looked at.
const LOOK: Duration = Duration::from_millis(20);

/// The best solution and its history.
#[derive(Debug, Default)]
pub(crate) struct Best {
    pub(crate) solution: Option<Solution>,
    /// Where it comes from.
    pub(crate) source: String,
    /// What finding and shortening it cost; the bytes are those of the race, which runs alone.
    pub(crate) cost: Statistics,
    /// Most bytes held by what runs beside the proof.
    pub(crate) beside: usize,
}

/// Keeps the best solution; several threads may look at it.
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
            self.control.reduce(solution.pushes as u32);
            best.solution = Some(solution);
        }
    }

    /// Finds any solution by racing. Returns the report of a race that proved something or was cancelled.
    pub(crate) fn race(&self, config: &Config, time: Duration, watcher: &mut dyn Watch) -> Option<Report> {
        let limits = Limits { time: Some(time), ..self.budget.limits().to_owned() };
        let config = Config { limits: self.rest_of(limits), threads: config.threads, ..Config::default() };
        let report = crate::watch(self.level, &config, self.budget.cancel(), watcher).ok()?;
        self.account(&report.statistics);
        self.best().cost.peak_bytes = report.statistics.peak_bytes;
        if let Some(solution) = report.solution.clone() {
            self.take(solution, |_| report.notes.join(", "));
        }
        matches!(report.outcome, Outcome::Unsolvable | Outcome::Cancelled).then_some(report)
    }

    /// Makes the best solution shorter, generating at most so many positions. Ends when the bounds have met or `over`
    /// is raised. Says whether it makes sense to go on with more.
    pub(crate) fn shorten(&self, positions: u64, over: &Cancel) -> bool {
        let Some(given) = self.best().solution.clone() else { return false };
        let (control, lower) = (self.control, self.control.lower());
        if control.halt().is_some() || over.is_cancelled() {
            return false;
        }
        let flag = Cancel::new();
        let memory = self.budget.limits().memory.map(|limit| limit / MEMORY_SHARE);
        let limits = self.rest_of(Limits { time: None, memory, nodes: Some(positions) });
        let short = Budget::new(limits, flag.clone());
        let improved = std::thread::scope(|scope| {
            let (done, ended) = channel::<()>();
            let raised = flag.clone();
            // Several reasons to stop and one flag: somebody must pass them on.
            scope.spawn(move || {
                while ended.recv_timeout(LOOK) == Err(RecvTimeoutError::Timeout) {
                    if over.is_cancelled() || control.halt().is_some() || control.is_closing() {
                        raised.cancel();
                    }
                }
            });
            let mut told = |better: &lurd_improve::Best| {
                if better.pushes as u32 <= lower {
                    flag.cancel();
                }
            };
            let improved =
                lurd_improve::shorten(&self.level.map, &given.lurd, lurd_improve::Metric::Pushes, &short, &mut told);
            drop(done);
            improved
        });
        let Ok(improved) = improved else { return false };
        let (expanded, generated) = (improved.expanded, improved.generated);
        self.account(&Statistics { expanded, generated, ..Statistics::default() });
        {
            let mut best = self.best();
            best.beside = best.beside.max(improved.peak_bytes);
        }
        let pushes = improved.pushes;
        let solution = Solution { lurd: improved.lurd, moves: improved.moves, pushes };
        self.take(solution, |source| format!("{source}, then shortened to {pushes}"));
        !improved.exhausted
    }

    /// Limits, but no more than what is left of the budget.
    fn rest_of(&self, limits: Limits) -> Limits {
        let all = self.budget.limits();
        let time_left = all.time.map(|time| time.saturating_sub(self.budget.elapsed()));
        let nodes_left = all.nodes.map(|nodes| nodes.saturating_sub(self.control.generated()));
        Limits {
            time: limits.time.into_iter().chain(time_left).min(),
            memory: limits.memory,
            nodes: limits.nodes.into_iter().chain(nodes_left).min(),
        }
    }

    /// Notes what something done beside the proof cost.
    fn account(&self, statistics: &Statistics) {
        self.control.spend(statistics.generated);
        let cost = &mut self.best().cost;
        cost.expanded += statistics.expanded;
        cost.generated += statistics.generated;
    }
}
