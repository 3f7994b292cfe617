//! Plan, then search along the plan: the strategy for levels that a person solves by packing.
//!
//! A plan costs a few dozen expansions; then forward searches of different taste take turns along
//! it. Where one wanders, another often walks straight through.

use crate::Scene;
use crate::forward::{Aim, Forward, ForwardOptions};
use crate::observe::{Snapshot, VisitCounts};
use crate::perimeter::Perimeter;
use crate::plan::Plan;
use crate::planning::{PlanOptions, Planned, Planning};
use crate::strategy::{Halt, Strategy, Turn};
use lurd_rules::Figures;
use std::sync::Arc;

/// Work a plan may cost before the best one so far is taken.
const PLANNING_WORK: u64 = 300_000;
/// Positions a forward search generates before the next one has its turn.
const BOUT: u64 = 3_000;

/// The tastes that take turns.
const TASTES: [ForwardOptions; 3] = [
    ForwardOptions { weighted: true, spread_out: true, tidy: false, valued: false },
    ForwardOptions { weighted: false, spread_out: true, tidy: false, valued: false },
    ForwardOptions { weighted: true, spread_out: false, tidy: false, valued: false },
];

/// A plan and the searches along it.
pub(super) struct Guided<'g> {
    scene: &'g Scene,
    perimeter: &'g Perimeter,
    /// Ways to make a plan; the first that leads to one nobody follows yet is taken.
    manners: Vec<PlanOptions>,
    planning: Option<Planning<'g>>,
    /// What the plans have cost.
    planned: Figures,
    planned_effort: u64,
    /// The plan, once there is one, and the tastes that have not had a turn yet.
    plan: Option<Arc<Plan>>,
    tastes: &'static [ForwardOptions],
    begun: bool,
    searches: Vec<Forward<'g>>,
    ended: Figures,
    ended_effort: u64,
    ended_tracks: VisitCounts,
    next: usize,
}

impl<'g> Guided<'g> {
    /// A search along a plan made in the first of these manners that leads to a new one.
    pub(super) fn new(scene: &'g Scene, perimeter: &'g Perimeter, manners: &[PlanOptions]) -> Self {
        Self {
            scene,
            perimeter,
            manners: manners.iter().rev().copied().collect(),
            planning: None,
            planned: Figures::default(),
            planned_effort: 0,
            plan: None,
            tastes: &TASTES,
            begun: false,
            searches: Vec::new(),
            ended: Figures::default(),
            ended_effort: 0,
            ended_tracks: VisitCounts::new(scene.board.len()),
            next: 0,
        }
    }

    /// What everything has cost, in positions generated.
    fn effort(&self) -> u64 {
        let searches: u64 = self.searches.iter().map(Forward::effort).sum();
        let planning = self.planning.as_ref().map_or(0, Planning::effort);
        self.ended_effort + self.planned_effort + planning + searches
    }

    /// Ends one of the searches.
    fn end(&mut self, number: usize) {
        let ended = self.searches.remove(number);
        self.ended = self.ended.plus(ended.figures());
        self.ended_effort += ended.effort();
        self.ended_tracks.join(ended.tracks());
    }

    /// Works on the plan; true once there is one or no way to make another is left.
    fn make_plan(&mut self, work: u64, halt: &Halt) -> bool {
        if self.planning.is_none() {
            let Some(manner) = self.manners.pop() else {
                self.begun = true;
                return true;
            };
            self.planning = Some(Planning::new(self.scene, manner));
        }
        let Some(planning) = &mut self.planning else { return false };
        let planned = planning.run(work, halt);
        if planned == Planned::Open && planning.effort() < PLANNING_WORK {
            return false;
        }
        self.planned = self.planned.plus(planning.figures());
        self.planned_effort += planning.effort();
        self.plan = planning.plan().and_then(|plan| self.scene.adopt(plan));
        self.ended_tracks.join(planning.tracks());
        self.planning = None;
        self.begun = self.plan.is_some();
        self.begun
    }
}

impl Strategy for Guided<'_> {
    fn name(&self) -> &'static str {
        "plan-guided feature-space search"
    }

    fn run(&mut self, work: u64, halt: &Halt) -> Turn {
        let end = self.effort() + work;
        if !self.begun && !self.make_plan(work, halt) {
            return Turn::Open;
        }
        let Some(plan) = self.plan.clone() else { return Turn::Spent };
        loop {
            if self.effort() >= end || halt.called() {
                return Turn::Open;
            }
            // A search begins when its first turn comes: an easy level never needs the others.
            if self.next >= self.searches.len() {
                match self.tastes {
                    [taste, later @ ..] => {
                        let aim = Aim::Plan(Arc::clone(&plan));
                        self.searches.push(Forward::new(self.scene, aim, self.perimeter, *taste));
                        self.tastes = later;
                    }
                    [] if self.searches.is_empty() => return Turn::Spent,
                    [] => self.next = 0,
                }
            }
            match self.searches[self.next].run(BOUT, halt) {
                Turn::Open => self.next += 1,
                Turn::Spent => self.end(self.next),
                turn => return turn,
            }
        }
    }

    fn bytes(&self) -> usize {
        self.planning.as_ref().map_or(0, Planning::bytes) + self.searches.iter().map(Forward::bytes).sum::<usize>()
    }

    fn forget(&mut self) -> bool {
        let least = (0..self.searches.len()).min_by_key(|&number| self.searches[number].best_score());
        let Some(least) = least.filter(|_| self.searches.len() > 1) else { return false };
        self.end(least);
        true
    }

    fn figures(&self) -> Figures {
        let planning = self.planning.as_ref().map_or(Figures::default(), Planning::figures);
        let plans = self.planned.plus(planning);
        self.searches.iter().fold(self.ended.plus(plans), |sum, search| sum.plus(search.figures()))
    }

    fn show(&self, sight: &mut Snapshot) {
        sight.tracks.join(&self.ended_tracks);
        if let Some(planning) = &self.planning {
            sight.tracks.join(planning.tracks());
        }
        self.searches.iter().for_each(|search| sight.tracks.join(search.tracks()));
        let best = self.searches.iter().max_by_key(|search| search.best_score());
        sight.nearest = best.and_then(Forward::nearest);
    }
}
