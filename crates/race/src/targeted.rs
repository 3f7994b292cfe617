//! Pull the boxes apart from the solved board, then push the start position to that target configuration.
//!
//! Every position of the backward search is known to lead to the solved board, so the forward search need only meet one
//! of them. Rounds grow: each looks for a better target with more work and gives the forward search more. From the
//! second round on, forward searches with and without weights run in round robin. With selection by value the way back
//! from the best position is a plan, and the forward search follows that. (The solver Festival has strategies of both
//! kinds; Shoham.)

use crate::context::Context;
use crate::directions::Directions;
use crate::forward::{ForwardOptions, Guide};
use crate::observe::Snapshot;
use crate::perimeter::Perimeter;
use crate::planning::{Objective, PlanOptions, PlanStatus, Planning};
use crate::round_robin::{RoundRobin, WhenSpent};
use crate::strategy::{Halt, SliceEnd, Strategy};
use crate::target::TargetConfiguration;
use lurd_rules::Figures;
use std::sync::Arc;

/// The work of the backward search in the first round; doubled every round.
const FIRST_BACKWARD: u64 = 12_000;
/// The work of the forward search for each unit of the backward search.
const FORWARD_SHARE: u64 = 3;

/// The backward search and the forward searches to its best configuration.
pub(super) struct Targeted<'g> {
    context: &'g Context,
    perimeter: &'g Perimeter,
    plan_options: PlanOptions,
    options: ForwardOptions,
    searches: Directions<'g>,
    /// Work left for the direction that runs.
    left: u64,
    round: u32,
    /// The backward search has nothing left to try.
    exhausted: bool,
}

impl<'g> Targeted<'g> {
    pub(super) fn new(
        context: &'g Context,
        perimeter: &'g Perimeter,
        plan_options: PlanOptions,
        options: ForwardOptions,
    ) -> Self {
        Self {
            context,
            perimeter,
            plan_options,
            options,
            searches: Directions::new(context.board.len()),
            left: FIRST_BACKWARD,
            round: 0,
            exhausted: false,
        }
    }

    /// A slice of the backward search; when its share is used up, the forward search begins.
    fn find_target(&mut self, work: u64, halt: &Halt) -> SliceEnd {
        let (context, perimeter, plan_options) = (self.context, self.perimeter, self.plan_options);
        let backward =
            self.searches.backward.get_or_insert_with(|| Planning::new(context, plan_options, Some(perimeter)));
        let before = backward.effort();
        let status = backward.run(work.min(self.left), halt);
        self.left = self.left.saturating_sub(backward.effort() - before);
        if let Some(pushes) = backward.solution.take() {
            return SliceEnd::Solved(pushes);
        }
        self.exhausted |= status != PlanStatus::Open;
        if self.left == 0 || self.exhausted {
            let target = |squares| Guide::Target(TargetConfiguration::new(&context.board, squares));
            let guide = match plan_options.objective {
                Objective::Value => backward.plan().map(|plan| Guide::Plan(Arc::new(plan))),
                _ => backward.best_configuration().map(target),
            };
            let Some(guide) = guide else { return SliceEnd::Spent };
            let forward = RoundRobin::new(context, perimeter, guide, self.forward_options(), WhenSpent::Stop);
            self.searches.forward = Some(forward);
            self.left = (FIRST_BACKWARD << self.round.min(40)) * FORWARD_SHARE;
        }
        SliceEnd::Open
    }

    /// The options of the forward searches. What the first round solves, it solves without weights.
    fn forward_options(&self) -> Vec<ForwardOptions> {
        if self.options.by_value || self.round == 0 {
            return vec![self.options];
        }
        vec![ForwardOptions { weighted: true, ..self.options }, self.options]
    }

    fn next_round(&mut self) {
        self.searches.end_forward();
        self.round += 1;
        self.left = FIRST_BACKWARD << self.round.min(40);
    }
}

impl Strategy for Targeted<'_> {
    fn name(&self) -> &'static str {
        match self.plan_options.objective {
            Objective::Value => "value-guided search",
            _ => "search to a target configuration",
        }
    }

    fn run(&mut self, work: u64, halt: &Halt) -> SliceEnd {
        let Some(forward) = &mut self.searches.forward else { return self.find_target(work, halt) };
        let before = forward.effort();
        match forward.run(work.min(self.left), halt) {
            SliceEnd::Open => {
                self.left = self.left.saturating_sub(forward.effort() - before);
                if self.left == 0 {
                    self.next_round();
                }
            }
            SliceEnd::Spent if self.exhausted => return SliceEnd::Spent,
            SliceEnd::Spent => self.next_round(),
            end => return end,
        }
        SliceEnd::Open
    }

    fn bytes(&self) -> usize {
        self.searches.bytes()
    }

    fn free_memory(&mut self) -> bool {
        let begun = self.searches.forward.is_some() && !self.exhausted;
        if begun {
            self.next_round();
        }
        begun
    }

    fn figures(&self) -> Figures {
        self.searches.figures()
    }

    fn snapshot(&self, snapshot: &mut Snapshot) {
        self.searches.snapshot(snapshot);
    }
}
