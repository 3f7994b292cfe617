//! The interface between the portfolio and its strategies.
//!
//! A strategy runs in time slices, stops when a halt is requested, and reports what it has used. A slice is measured
//! in work, not in time, so that a run on one thread is the same on every machine.

use crate::observe::{Snapshot, StrategySlot, VisitCounts};
use lurd_base::{Budget, Cancel, NodePool, NodeShare};
use lurd_rules::{Figures, Push};
use std::sync::Arc;

/// How a time slice ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SliceEnd {
    /// The work is used up or a halt was requested; there is more to search.
    Open,
    /// The pushes that solve the level.
    Solved(Vec<Push>),
    /// The search space is exhausted, with sound rules and exact keys only: there is no solution.
    Unsolvable,
    /// The strategy has nothing left to try; nothing is proved.
    Spent,
    /// The strategy cannot go on within its memory.
    OutOfMemory,
}

/// A way of solving that runs in time slices.
pub trait Strategy: Send {
    /// The name shown in notes, logs and on the web page.
    fn name(&self) -> &'static str;

    /// Generates about `work` positions, and none that `halt` does not [grant](Halt::grant). Polls `halt` at least every
    /// few milliseconds; a halt ends the slice with [`SliceEnd::Open`].
    fn run(&mut self, work: u64, halt: &Halt) -> SliceEnd;

    /// Bytes of its own tables and nodes.
    fn bytes(&self) -> usize;

    /// Gives up the least useful part of its memory. False if it can do without nothing.
    fn free_memory(&mut self) -> bool {
        false
    }

    /// Positions and cuts so far.
    fn figures(&self) -> Figures;

    /// Adds its visit counts to a snapshot and sets its best position. Called between slices of an observed race.
    fn snapshot(&self, snapshot: &mut Snapshot);
}

/// Ends all strategies: limits, Ctrl-C, or the answer of one of them.
#[derive(Debug)]
pub struct Halt {
    budget: Budget,
    done: Cancel,
    /// Where the strategy that runs under this halt publishes itself in an observed race.
    slot: Option<Arc<StrategySlot>>,
}

impl Halt {
    /// A halt that is requested when the budget's time or nodes are used up or its flag is raised.
    pub fn new(budget: Budget) -> Self {
        Self { budget, done: Cancel::new(), slot: None }
    }

    /// Stops all strategies: the answer is known.
    pub fn request(&self) {
        self.done.cancel();
    }

    /// Whether to stop now. Reads the clock: poll every few hundred positions, not at each.
    pub fn is_requested(&self) -> bool {
        self.done.is_cancelled() || self.budget.halt().is_some()
    }

    /// What a strategy may generate in one slice.
    pub fn grant(&self) -> Grant<'_> {
        Grant { share: self.nodes().share(), halt: self }
    }

    /// The positions that may still be generated, for a search that reserves its own.
    pub fn nodes(&self) -> &NodePool {
        self.budget.nodes()
    }

    /// Stops all strategies: one needs more positions than there are.
    pub fn refuse(&self) {
        self.nodes().refuse();
        self.request();
    }

    /// The limits it watches.
    pub fn budget(&self) -> &Budget {
        &self.budget
    }

    /// The flag that [`request`](Self::request) raises.
    pub fn done(&self) -> &Cancel {
        &self.done
    }

    /// The same halt for a strategy with a slot.
    pub(super) fn with_slot(&self, slot: &Arc<StrategySlot>) -> Self {
        Self { budget: self.budget.clone(), done: self.done.clone(), slot: Some(Arc::clone(slot)) }
    }

    /// The slot of the strategy in an observed race.
    pub fn slot(&self) -> Option<&StrategySlot> {
        self.slot.as_deref()
    }

    /// Publishes a strategy in the middle of its slice, if the observer has asked since the last time.
    pub fn publish(&self, strategy: &dyn Strategy) {
        if let Some(slot) = &self.slot
            && slot.is_requested()
        {
            slot.publish(strategy.figures(), strategy.bytes(), |snapshot| strategy.snapshot(snapshot));
        }
    }
}

/// The positions that a strategy may generate in a slice.
#[derive(Debug)]
pub struct Grant<'h> {
    share: NodeShare<'h>,
    halt: &'h Halt,
}

impl Grant<'_> {
    /// Takes one position. False if the limit is reached: then a halt is requested, and what the strategy leaves
    /// unfinished is of no consequence.
    #[inline]
    #[must_use]
    pub fn take(&mut self) -> bool {
        self.share.take() || {
            self.halt.request();
            false
        }
    }
}

/// Polls a halt without reading the clock too often: on a large board a single position may take long.
#[derive(Debug)]
pub(super) struct HaltPoller<'h> {
    halt: &'h Halt,
    grant: Grant<'h>,
    polled_at: u64,
    is_requested: bool,
}

impl<'h> HaltPoller<'h> {
    /// Effort between two polls.
    const INTERVAL: u64 = 200;

    /// Polls at once, and from this effort on.
    pub(super) fn new(halt: &'h Halt, effort: u64) -> Self {
        Self { halt, grant: halt.grant(), polled_at: effort, is_requested: halt.is_requested() }
    }

    /// Whether the halt is requested; polls only if the effort has grown enough since the last poll.
    pub(super) fn poll(&mut self, effort: u64) -> bool {
        if !self.is_requested && effort >= self.polled_at + Self::INTERVAL {
            self.polled_at = effort;
            self.is_requested = self.halt.is_requested();
        }
        self.is_requested
    }

    /// Takes one position to generate; false if the limit is reached, which is a halt.
    #[inline]
    #[must_use]
    pub(super) fn take(&mut self) -> bool {
        let taken = self.grant.take();
        self.is_requested |= !taken;
        taken
    }
}

/// The account of the searches that a strategy has ended.
#[derive(Debug)]
pub(super) struct Ended {
    pub(super) figures: Figures,
    pub(super) effort: u64,
    pub(super) visits: VisitCounts,
}

impl Ended {
    pub(super) fn new(squares: usize) -> Self {
        Self { figures: Figures::default(), effort: 0, visits: VisitCounts::new(squares) }
    }

    pub(super) fn add(&mut self, figures: Figures, effort: u64, visits: &VisitCounts) {
        self.figures = self.figures.plus(figures);
        self.effort += effort;
        self.visits.merge(visits);
    }
}
