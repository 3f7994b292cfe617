//! Plan, then search along the plan: the strategy for levels that need the right packing order (strategy of FESS:
//! Shoham and Schaeffer 2020).
//!
//! A plan costs a few dozen expansions; then forward searches with different options run along it in round robin.

use crate::context::Context;
use crate::directions::Directions;
use crate::forward::{ForwardOptions, Guide};
use crate::observe::Snapshot;
use crate::perimeter::Perimeter;
use crate::planning::{PlanOptions, PlanStatus, Planning};
use crate::round_robin::{RoundRobin, WhenSpent};
use crate::strategy::{Halt, SliceEnd, Strategy};
use lurd_rules::Figures;

/// The effort after which the best plan so far is taken.
const MOST_PLANNING: u64 = 300_000;

const FORWARD: [ForwardOptions; 3] = [
    ForwardOptions { weighted: true, far_from_goals: true, regions_first: false, by_value: false },
    ForwardOptions { weighted: false, far_from_goals: true, regions_first: false, by_value: false },
    ForwardOptions { weighted: true, far_from_goals: false, regions_first: false, by_value: false },
];

pub(super) struct Guided<'g> {
    context: &'g Context,
    perimeter: &'g Perimeter,
    /// Options for plans that were not tried yet.
    options: std::slice::Iter<'static, PlanOptions>,
    searches: Directions<'g>,
}

impl<'g> Guided<'g> {
    /// A search along a plan made with the first of these options that gives one which no other search follows.
    pub(super) fn new(context: &'g Context, perimeter: &'g Perimeter, options: &'static [PlanOptions]) -> Self {
        Self { context, perimeter, options: options.iter(), searches: Directions::new(context.board.len()) }
    }

    /// A slice of the search for a plan. `None` once there is one, and the forward searches can start.
    fn plan(&mut self, work: u64, halt: &Halt) -> Option<SliceEnd> {
        if self.searches.backward.is_none() {
            self.searches.backward = self.options.next().map(|&options| Planning::new(self.context, options, None));
        }
        let Some(planning) = &mut self.searches.backward else { return Some(SliceEnd::Spent) };
        let status = planning.run(work, halt);
        if status == PlanStatus::Open && planning.effort() < MOST_PLANNING {
            return Some(SliceEnd::Open);
        }
        let plan = planning.plan().and_then(|plan| self.context.adopt(plan));
        self.searches.end_backward();
        let Some(plan) = plan else { return Some(SliceEnd::Open) };
        let forward =
            RoundRobin::new(self.context, self.perimeter, Guide::Plan(plan), FORWARD.to_vec(), WhenSpent::GoOn);
        self.searches.forward = Some(forward);
        None
    }
}

impl Strategy for Guided<'_> {
    fn name(&self) -> &'static str {
        "plan-guided feature-space search"
    }

    fn run(&mut self, work: u64, halt: &Halt) -> SliceEnd {
        let end = self.searches.effort() + work;
        if self.searches.forward.is_none()
            && let Some(end) = self.plan(work, halt)
        {
            return end;
        }
        let left = end.saturating_sub(self.searches.effort());
        self.searches.forward.as_mut().map_or(SliceEnd::Spent, |forward| forward.run(left, halt))
    }

    fn bytes(&self) -> usize {
        self.searches.bytes()
    }

    fn free_memory(&mut self) -> bool {
        self.searches.forward.as_mut().is_some_and(RoundRobin::free_memory)
    }

    fn figures(&self) -> Figures {
        self.searches.figures()
    }

    fn snapshot(&self, snapshot: &mut Snapshot) {
        self.searches.snapshot(snapshot);
    }
}
