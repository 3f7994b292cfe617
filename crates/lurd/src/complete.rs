//! The complete search of the race, for levels too large for the dense engine: in the long run it solves every level
//! that has a solution.
//!
//! A* over pushes (greedy after a while) and greedy search over pulls run in turn, each from scratch with four times
//! the positions of the run before: at most a third of the work is done twice. A run starts only when the race has
//! granted enough work for it.

use crate::report::Outcome;
use lurd_base::{Budget, Limits, Stop};
use lurd_classic::{AlgorithmName, ChoiceError, Choices, Ended, Plan, Watcher};
use lurd_race::observe::{Nearest, Snapshot, VisitCounts};
use lurd_race::strategy::{Halt, SliceEnd, Strategy};
use lurd_rules::cuts::Cuts;
use lurd_rules::push::pushes;
use lurd_rules::{Board, Figures, Goal, State};
use lurd_search::Statistics;
use std::sync::Arc;

/// Positions generated in the first run.
const FIRST_RUN: u64 = 60_000;

/// The two searches and which one is next.
pub(crate) struct Complete {
    board: Arc<Board>,
    plans: Vec<Plan>,
    next: usize,
    /// Positions of the next run.
    run: u64,
    granted: u64,
    /// One of the searches did not fit into the memory.
    out_of_memory: bool,
    /// The memory of a run, which is set aside for it: the other strategies need theirs.
    share: Option<usize>,
    figures: Figures,
    seen: Seen,
}

/// Visit counts and the best position of the forward search, in an observed race.
#[derive(Default)]
struct Seen {
    visits: VisitCounts,
    nearest: Option<Nearest>,
}

impl Seen {
    fn fill(&self, snapshot: &mut Snapshot) {
        snapshot.visits.merge(&self.visits);
        snapshot.nearest.clone_from(&self.nearest);
    }
}

/// Observes a run.
struct RunObserver<'t> {
    halt: &'t Halt,
    seen: &'t mut Seen,
    pulls: bool,
    /// The figures of the runs before.
    before: Figures,
}

impl Watcher for RunObserver<'_> {
    fn tick(&mut self, statistics: &Statistics, _: Option<u32>) {
        if let Some(slot) = self.halt.slot() {
            slot.publish(self.before.plus(figures(statistics)), 0, |snapshot| self.seen.fill(snapshot));
        }
    }

    fn closely(&self) -> bool {
        self.halt.slot().is_some()
    }

    fn expanded(&mut self, state: &State, _: u32, h: u32) {
        state.boxes.iter().for_each(|square| self.seen.visits.count(square));
        if !self.pulls && self.seen.nearest.as_ref().is_none_or(|nearest| h < nearest.to_go) {
            let boxes = state.boxes.iter().collect();
            self.seen.nearest = Some(Nearest { boxes, player: state.player, backwards: false, to_go: h });
        }
    }
}

fn figures(statistics: &Statistics) -> Figures {
    Figures {
        expanded: statistics.expanded,
        generated: statistics.generated,
        duplicates: statistics.duplicates,
        cuts: Cuts::of(&statistics.pruned),
        forgot: 0,
    }
}

impl Complete {
    /// The two searches of a level; a quarter of a memory limit is theirs.
    pub(crate) fn new(board: Arc<Board>, plans: [Plan; 2], memory: Option<usize>) -> Self {
        Self {
            board,
            plans: plans.into(),
            next: 0,
            run: FIRST_RUN,
            granted: 0,
            out_of_memory: false,
            share: memory.map(|limit| limit / 4),
            figures: Figures::default(),
            seen: Seen::default(),
        }
    }

    /// The plans of the forward and of the backward search.
    pub(crate) fn plans(choices: &Choices) -> Result<[Plan; 2], ChoiceError> {
        let pulling = Choices { reverse: true, algorithm: Some(AlgorithmName::Greedy), ..choices.clone() };
        Ok([Plan::new(choices, Goal::Any)?, Plan::new(&pulling, Goal::Any)?])
    }

    fn run_next(&mut self, nodes: u64, halt: &Halt) -> Ended {
        let limits = halt.budget().limits();
        let limits = Limits {
            nodes: Some(nodes),
            time: limits.time.map(|time| time.saturating_sub(halt.budget().elapsed())),
            memory: self.share,
        };
        let budget = Budget::new(limits, halt.done().clone());
        let plan = &self.plans[self.next];
        if halt.slot().is_some() && self.seen.visits.is_empty() {
            self.seen.visits = VisitCounts::new(self.board.len());
        }
        let mut observer = RunObserver { halt, seen: &mut self.seen, pulls: plan.reverse, before: self.figures };
        lurd_classic::run(&self.board, plan, &budget, &mut observer)
    }
}

impl Strategy for Complete {
    fn name(&self) -> &'static str {
        "complete search"
    }

    fn run(&mut self, work: u64, halt: &Halt) -> SliceEnd {
        self.granted += work;
        if self.granted < self.run {
            return SliceEnd::Open;
        }
        let nodes = halt.nodes().reserve(self.run);
        let ended = self.run_next(nodes, halt);
        halt.nodes().give_back(nodes.saturating_sub(ended.statistics.generated));
        if nodes < self.run && matches!(ended.outcome, Outcome::Stopped(Stop::Nodes)) {
            halt.refuse();
        }
        self.granted = self.granted.saturating_sub(self.run);
        self.figures = self.figures.plus(figures(&ended.statistics));
        match ended.outcome {
            Outcome::Solved => SliceEnd::Solved(pushes(&self.board, ended.lurd.as_deref().unwrap_or_default())),
            Outcome::Unsolvable => SliceEnd::Unsolvable,
            Outcome::Exhausted if self.out_of_memory => SliceEnd::OutOfMemory,
            Outcome::Exhausted => SliceEnd::Spent,
            Outcome::Cancelled => SliceEnd::Open,
            Outcome::Stopped(Stop::Memory) => {
                // The other search may need less memory.
                self.plans.remove(self.next);
                (self.next, self.out_of_memory) = (0, true);
                if self.plans.is_empty() { SliceEnd::OutOfMemory } else { SliceEnd::Open }
            }
            Outcome::Stopped(_) => {
                self.next += 1;
                if self.next >= self.plans.len() {
                    self.next = 0;
                    self.run = self.run.saturating_mul(4);
                }
                SliceEnd::Open
            }
        }
    }

    fn bytes(&self) -> usize {
        self.share.unwrap_or(0)
    }

    fn figures(&self) -> Figures {
        self.figures
    }

    fn snapshot(&self, snapshot: &mut Snapshot) {
        self.seen.fill(snapshot);
    }
}
