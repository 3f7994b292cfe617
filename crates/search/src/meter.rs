//! Counts what a search spends, and says when to stop.

use lurd_base::clock::Instant;
use std::time::Duration;

use crate::{Cost, Heuristic, Observer, Outcome, StateSpace, Statistics, Verdict};
use lurd_base::{Budget, Halt, Stop};

/// The clock is read about this often.
const POLL: Duration = Duration::from_millis(1);
/// The observer's tick comes about this often.
const TICK: Duration = Duration::from_millis(200);

/// The running account of one search.
#[derive(Debug)]
pub(crate) struct Meter<'a> {
    budget: &'a Budget,
    pub(crate) statistics: Statistics,
    pub(crate) notes: Vec<String>,
    /// Bytes the search's own structures may hold.
    pub(crate) allowance: usize,
    node_limit: u64,
    lower: Option<Cost>,
    cuts: Vec<u64>,
    reasons: Vec<&'static str>,
    dead: u64,
    dead_reason: &'static str,
    stride: u32,
    countdown: u32,
    /// Successors between two looks at the clock, and how many are left until the next: on a large board a single
    /// expansion may take long.
    breath: u32,
    breath_left: u32,
    last_poll: Instant,
    last_tick: Instant,
}

impl<'a> Meter<'a> {
    pub(crate) fn new(budget: &'a Budget, reasons: &[&'static str], dead_reason: &'static str) -> Self {
        let now = Instant::now();
        Self {
            budget,
            statistics: Statistics::default(),
            notes: Vec::new(),
            allowance: budget.allowance(),
            node_limit: budget.limits().nodes.unwrap_or(u64::MAX),
            lower: None,
            cuts: vec![0; reasons.len()],
            reasons: reasons.to_vec(),
            dead: 0,
            dead_reason,
            stride: 1,
            countdown: 1,
            breath: 1,
            breath_left: 1,
            last_poll: now,
            last_tick: now,
        }
    }

    /// To be asked before every expansion.
    #[inline]
    pub(crate) fn poll<S: StateSpace>(&mut self, observer: &mut impl Observer<S>) -> Result<(), Halt> {
        self.countdown -= 1;
        if self.countdown == 0 { self.look(observer) } else { Ok(()) }
    }

    #[cold]
    fn look<S: StateSpace>(&mut self, observer: &mut impl Observer<S>) -> Result<(), Halt> {
        self.budget.check()?;
        let now = Instant::now();
        // Slow expansions are watched one by one, fast ones in batches.
        self.stride = if now - self.last_poll > POLL { (self.stride / 2).max(1) } else { (self.stride * 2).min(512) };
        self.countdown = self.stride;
        self.last_poll = now;
        if now - self.last_tick > TICK {
            self.last_tick = now;
            self.settle();
            observer.tick(&self.statistics, self.lower);
        }
        Ok(())
    }

    /// Counts one successor, unless a limit is reached.
    #[inline]
    pub(crate) fn generate(&mut self) -> Result<(), Halt> {
        if self.statistics.generated >= self.node_limit {
            return Err(Halt::Limit(Stop::Nodes));
        }
        self.statistics.generated += 1;
        self.breath_left -= 1;
        if self.breath_left == 0 { self.breathe() } else { Ok(()) }
    }

    #[cold]
    fn breathe(&mut self) -> Result<(), Halt> {
        self.budget.check()?;
        let now = Instant::now();
        self.breath = if now - self.last_poll > POLL { (self.breath / 2).max(1) } else { (self.breath * 2).min(1024) };
        self.breath_left = self.breath;
        self.last_poll = now;
        Ok(())
    }

    #[inline]
    pub(crate) fn cut(&mut self, reason: usize) {
        self.cuts[reason] += 1;
    }

    /// Counts a state that the heuristic calls dead, unless that only means that it was interrupted: it is when
    /// somebody cancelled or time is up, and that stays so.
    #[inline]
    pub(crate) fn dead(&mut self) -> Result<(), Halt> {
        self.budget.check()?;
        self.dead += 1;
        Ok(())
    }

    pub(crate) fn lower(&self) -> Option<Cost> {
        self.lower
    }

    /// Records that no solution costs less than `lower`.
    #[inline]
    pub(crate) fn raise<S: StateSpace>(&mut self, lower: Cost, observer: &mut impl Observer<S>) {
        if self.lower.is_none_or(|known| lower > known) {
            self.lower = Some(lower);
            observer.bound(lower);
        }
    }

    pub(crate) fn holds(&mut self, bytes: usize) {
        self.statistics.peak_bytes = self.statistics.peak_bytes.max(bytes);
    }

    #[inline]
    pub(crate) fn waits(&mut self, frontier: u64) {
        self.statistics.frontier = frontier;
        self.statistics.peak_frontier = self.statistics.peak_frontier.max(frontier);
    }

    /// Brings the counts that are kept apart for speed into the statistics.
    fn settle(&mut self) {
        let named = self.reasons.iter().zip(&self.cuts).chain(std::iter::once((&self.dead_reason, &self.dead)));
        let mut pruned = std::collections::BTreeMap::new();
        for (&reason, &count) in named {
            if count > 0 {
                *pruned.entry(reason).or_insert(0) += count;
            }
        }
        self.statistics.pruned = pruned;
        self.statistics.seconds = self.budget.elapsed().as_secs_f64();
    }

    pub(crate) fn finish<S: StateSpace, A>(mut self, verdict: Verdict<A>, heuristic: &impl Heuristic<S>) -> Outcome<A> {
        self.settle();
        self.statistics.heuristic_bytes = heuristic.peak_bytes();
        Outcome { verdict, lower_bound: self.lower, statistics: self.statistics, notes: self.notes }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lurd_base::{Cancel, Limits};

    #[test]
    fn a_halt_is_heard_between_two_successors_and_no_interrupted_estimate_is_believed() {
        let cancel = Cancel::new();
        let budget = Budget::new(Limits::default(), cancel.clone());
        let mut meter = Meter::new(&budget, &[], "heuristic");
        for _ in 0..5_000 {
            assert_eq!(meter.generate(), Ok(()));
        }
        assert_eq!(meter.dead(), Ok(()));
        cancel.cancel();
        assert_eq!(meter.dead(), Err(Halt::Cancelled));
        assert_eq!(meter.dead, 1);
        let heard = (0..2_000).position(|_| meter.generate().is_err());
        assert!(heard.is_some(), "a thousand successors at most between two looks");
        let late = Budget::new(Limits { time: Some(Duration::ZERO), ..Limits::default() }, Cancel::new());
        assert_eq!(Meter::new(&late, &[], "heuristic").dead(), Err(Halt::Limit(Stop::Time)));
    }
}
