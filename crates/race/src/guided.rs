//! Plan, then search along the plan: the strategy for levels that need the right packing order (strategy of FESS:
//! Shoham and Schaeffer 2020).
//!
//! A plan costs a few dozen expansions; then forward searches with different options run along it in round robin.

use crate::context::Context;
use crate::forward::{ForwardOptions, Guide};
use crate::observe::Snapshot;
use crate::perimeter::Perimeter;
use crate::planning::{PlanOptions, PlanStatus, Planning};
use crate::round_robin::{RoundRobin, WhenSpent};
use crate::strategy::{Ended, Halt, SliceEnd, Strategy};
use lurd_rules::Figures;

/// The effort after which the best plan so far is taken.
const MOST_PLANNING: u64 = 300_000;

/// The options of the forward searches.
const FORWARD: [ForwardOptions; 3] = [
    ForwardOptions { weighted: true, far_from_goals: true, regions_first: false, by_value: false },
    ForwardOptions { weighted: false, far_from_goals: true, regions_first: false, by_value: false },
    ForwardOptions { weighted: true, far_from_goals: false, regions_first: false, by_value: false },
];

/// A plan and the searches along it.
pub(super) struct Guided<'g> {
    context: &'g Context,
    perimeter: &'g Perimeter,
    /// Options for plans that were not tried yet.
    options: std::slice::Iter<'static, PlanOptions>,
    planning: Option<Planning<'g>>,
    /// The account of finished searches for plans.
    planned: Ended,
    forward: Option<RoundRobin<'g>>,
}

impl<'g> Guided<'g> {
    /// A search along a plan made with the first of these options that gives one which no other search follows.
    pub(super) fn new(context: &'g Context, perimeter: &'g Perimeter, options: &'static [PlanOptions]) -> Self {
        let planned = Ended::new(context.board.len());
        Self { context, perimeter, options: options.iter(), planning: None, planned, forward: None }
    }

    /// What everything has cost, in positions generated.
    fn effort(&self) -> u64 {
        let planning = self.planning.as_ref().map_or(0, Planning::effort);
        self.planned.effort + planning + self.forward.as_ref().map_or(0, RoundRobin::effort)
    }

    /// A slice of the search for a plan. `None` once there is one, and the forward searches can start.
    fn plan(&mut self, work: u64, halt: &Halt) -> Option<SliceEnd> {
        if self.planning.is_none() {
            self.planning = self.options.next().map(|&options| Planning::new(self.context, options));
        }
        let Some(planning) = &mut self.planning else { return Some(SliceEnd::Spent) };
        let status = planning.run(work, halt);
        if status == PlanStatus::Open && planning.effort() < MOST_PLANNING {
            return Some(SliceEnd::Open);
        }
        self.planned.add(planning.figures(), planning.effort(), planning.visits());
        let plan = planning.plan().and_then(|plan| self.context.adopt(plan));
        self.planning = None;
        let Some(plan) = plan else { return Some(SliceEnd::Open) };
        let (options, when_spent) = (FORWARD.to_vec(), WhenSpent::GoOn);
        self.forward = Some(RoundRobin::new(self.context, self.perimeter, Guide::Plan(plan), options, when_spent));
        None
    }
}

impl Strategy for Guided<'_> {
    fn name(&self) -> &'static str {
        "plan-guided feature-space search"
    }

    fn run(&mut self, work: u64, halt: &Halt) -> SliceEnd {
        let end = self.effort() + work;
        if self.forward.is_none()
            && let Some(end) = self.plan(work, halt)
        {
            return end;
        }
        let left = end.saturating_sub(self.effort());
        self.forward.as_mut().map_or(SliceEnd::Spent, |forward| forward.run(left, halt))
    }

    fn bytes(&self) -> usize {
        self.planning.as_ref().map_or(0, Planning::bytes) + self.forward.as_ref().map_or(0, RoundRobin::bytes)
    }

    fn free_memory(&mut self) -> bool {
        self.forward.as_mut().is_some_and(RoundRobin::free_memory)
    }

    fn figures(&self) -> Figures {
        let planning = self.planning.as_ref().map_or(Figures::default(), Planning::figures);
        let forward = self.forward.as_ref().map_or(Figures::default(), RoundRobin::figures);
        self.planned.figures.plus(planning).plus(forward)
    }

    fn snapshot(&self, snapshot: &mut Snapshot) {
        snapshot.visits.merge(&self.planned.visits);
        if let Some(planning) = &self.planning {
            snapshot.visits.merge(planning.visits());
        }
        if let Some(forward) = &self.forward {
            forward.snapshot(snapshot);
        }
    }
}
