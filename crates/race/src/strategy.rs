//! What every way of solving promises the race: work in turns, stop when told, say what it used.
//!
//! A turn is measured in work, not in time, so that a run on one thread is the same on
//! every machine.

use crate::observe::{Snapshot, StrategySlot};
use lurd_rules::{Figures, Push};
use lurd_search::{Budget, Cancel};
use std::sync::Arc;

/// How a turn ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Turn {
    /// The work is used up or somebody called a halt; there is more to search.
    Open,
    /// The pushes that solve the level.
    Solved(Vec<Push>),
    /// Everything was searched, with sound rules and exact keys only: there is no solution.
    Unsolvable,
    /// This way has nothing left to try; nothing is proved.
    Spent,
}

/// A way of solving that can be run in turns.
pub trait Strategy: Send {
    /// Its name in notes and logs.
    fn name(&self) -> &'static str;

    /// Generates about `work` positions and returns. Looks at `halt` at least every few
    /// milliseconds; a halt ends the turn with [`Turn::Open`].
    fn run(&mut self, work: u64, halt: &Halt) -> Turn;

    /// Bytes its tables and nodes hold.
    fn bytes(&self) -> usize;

    /// Gives up what is least useful of what it holds, for memory is short. False if there is nothing it can do without.
    fn forget(&mut self) -> bool {
        false
    }

    /// What it has done so far.
    fn figures(&self) -> Figures;

    /// Adds where it has moved boxes to what is seen, and the best position by its own measure. Asked between turns
    /// if somebody watches.
    fn show(&self, sight: &mut Snapshot);
}

/// Why and when everybody stops: the limits, Ctrl-C, or somebody else's answer.
#[derive(Debug)]
pub struct Halt {
    budget: Budget,
    done: Cancel,
    /// Where the strategy that is given this halt is seen, if somebody watches.
    pane: Option<Arc<StrategySlot>>,
}

impl Halt {
    /// A halt that is called when the budget's time is over or its flag is raised.
    pub fn new(budget: Budget) -> Self {
        Self { budget, done: Cancel::new(), pane: None }
    }

    /// Calls everybody in: the answer is found.
    pub fn call(&self) {
        self.done.cancel();
    }

    /// Whether to stop now. Reads the clock: ask every few hundred positions, not at each.
    pub fn called(&self) -> bool {
        self.done.is_cancelled() || self.budget.cancel().is_cancelled() || self.budget.out_of_time()
    }

    /// The limits it watches.
    pub fn budget(&self) -> &Budget {
        &self.budget
    }

    /// The flag that is raised when everybody is called in.
    pub fn done(&self) -> &Cancel {
        &self.done
    }

    /// The same halt for a strategy that is seen through a pane.
    pub(super) fn behind(&self, pane: &Arc<StrategySlot>) -> Self {
        Self { budget: self.budget.clone(), done: self.done.clone(), pane: Some(Arc::clone(pane)) }
    }

    /// Where the strategy is seen, if somebody watches.
    pub fn pane(&self) -> Option<&StrategySlot> {
        self.pane.as_deref()
    }

    /// Shows a strategy in the middle of its turn, if somebody wants to see it.
    pub fn show(&self, strategy: &dyn Strategy) {
        if let Some(pane) = &self.pane
            && pane.is_wanted()
        {
            pane.show(strategy.figures(), strategy.bytes(), |sight| strategy.show(sight));
        }
    }
}

/// Listens for a halt without reading the clock too often: on a large board a single position may take long.
#[derive(Debug)]
pub(super) struct HaltPoller<'h> {
    halt: &'h Halt,
    asked: u64,
    heard: bool,
}

impl<'h> HaltPoller<'h> {
    /// Effort between two looks at the clock.
    const PATIENCE: u64 = 200;

    /// An ear for this halt, from this much effort on.
    pub(super) fn new(halt: &'h Halt, effort: u64) -> Self {
        Self { halt, asked: effort, heard: halt.called() }
    }

    /// Whether the halt was called; asks only when the effort has grown enough since the last time.
    pub(super) fn hears(&mut self, effort: u64) -> bool {
        if !self.heard && effort >= self.asked + Self::PATIENCE {
            self.asked = effort;
            self.heard = self.halt.called();
        }
        self.heard
    }
}
