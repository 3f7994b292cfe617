//! Plan, then search along the plan: the strategy for levels that a person solves by packing.
//!
//! A plan costs a few dozen expansions; then forward searches of different taste take turns along
//! it. Where one wanders, another often walks straight through.

use super::Scene;
use super::forward::{Aim, Forward, Taste};
use super::perimeter::Perimeter;
use super::plan::Plan;
use super::planning::{Manner, Planned, Planning};
use super::strategy::{Figures, Halt, Strategy, Turn};
use std::sync::Arc;

/// Positions a plan may cost before the best one so far is taken.
const PLANNING_WORK: u64 = 300_000;
/// Positions a forward search generates before the next one has its turn.
const BOUT: u64 = 3_000;

/// The tastes that take turns.
const TASTES: [Taste; 3] = [
    Taste { weighted: true, spread_out: true },
    Taste { weighted: false, spread_out: true },
    Taste { weighted: true, spread_out: false },
];

/// A plan and the searches along it.
pub(super) struct Guided<'g> {
    scene: &'g Scene,
    perimeter: &'g Perimeter,
    manner: Manner,
    planning: Option<Planning<'g>>,
    planned: Figures,
    /// The plan, once there is one, and the tastes that have not had a turn yet.
    plan: Option<Arc<Plan>>,
    tastes: &'static [Taste],
    begun: bool,
    searches: Vec<Forward<'g>>,
    ended: Figures,
    ended_effort: u64,
    next: usize,
}

impl<'g> Guided<'g> {
    pub(super) fn new(scene: &'g Scene, perimeter: &'g Perimeter, manner: Manner) -> Self {
        Self {
            scene,
            perimeter,
            manner,
            planning: None,
            planned: Figures::default(),
            plan: None,
            tastes: &TASTES,
            begun: false,
            searches: Vec::new(),
            ended: Figures::default(),
            ended_effort: 0,
            next: 0,
        }
    }

    /// What everything has cost, in positions generated.
    fn effort(&self) -> u64 {
        let searches: u64 = self.searches.iter().map(Forward::effort).sum();
        self.ended_effort + self.planned.generated + searches
    }

    /// Works on the plan; true once the searches along it have begun.
    fn make_plan(&mut self, work: u64, halt: &Halt) -> bool {
        let (scene, manner) = (self.scene, self.manner);
        let planning =
            self.planning.get_or_insert_with(|| Planning::new(&scene.ground, &scene.rooms, &scene.stops, manner));
        let planned = planning.run(work, halt);
        self.planned = planning.figures();
        if planned == Planned::Open && self.planned.generated < PLANNING_WORK {
            return false;
        }
        self.plan = planning.plan().map(Arc::new);
        self.planning = None;
        self.begun = true;
        true
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
                Turn::Spent => {
                    let spent = self.searches.remove(self.next);
                    self.ended = self.ended.plus(spent.figures());
                    self.ended_effort += spent.effort();
                }
                turn => return turn,
            }
        }
    }

    fn bytes(&self) -> usize {
        self.planning.as_ref().map_or(0, Planning::bytes) + self.searches.iter().map(Forward::bytes).sum::<usize>()
    }

    fn figures(&self) -> Figures {
        self.searches.iter().fold(self.ended.plus(self.planned), |sum, search| sum.plus(search.figures()))
    }
}
