//! The complete search under the race, for levels too large for the dense engine: nothing solvable is lost
//! to a shortcut in the long run.
//!
//! A* over pushes (greedy after a while) and greedy search over pulls take turns, each from scratch with
//! four times the positions of the one before: at most a third of the work is done twice. A turn is begun only when
//! the race has granted enough work for it.

use crate::report::Outcome;
use lurd_classic::{AlgorithmName, ChoiceError, Choices, Ended, Plan, Watcher};
use lurd_race::observe::{Nearest, Snapshot, VisitCounts};
use lurd_race::strategy::{Halt, Strategy, Turn};
use lurd_rules::cuts::Cuts;
use lurd_rules::push::pushes;
use lurd_rules::{Board, Figures, Goal, State};
use lurd_search::{Budget, Limits, Statistics, Stop};
use std::sync::Arc;

/// Positions generated in the first turn.
const FIRST_TURN: u64 = 60_000;

/// The two searches and whose turn it is.
pub(crate) struct Complete {
    board: Arc<Board>,
    plans: Vec<Plan>,
    next: usize,
    turn: u64,
    granted: u64,
    /// The memory a turn may take, which nobody else may have: the others need theirs.
    share: Option<usize>,
    figures: Figures,
    seen: Seen,
}

/// Where boxes have stood and how near the pushing search came, if somebody watches.
#[derive(Default)]
struct Seen {
    tracks: VisitCounts,
    nearest: Option<Nearest>,
}

impl Seen {
    fn show(&self, sight: &mut Snapshot) {
        sight.tracks.join(&self.tracks);
        sight.nearest.clone_from(&self.nearest);
    }
}

/// Looks on while a turn is taken.
struct Onlooker<'t> {
    halt: &'t Halt,
    seen: &'t mut Seen,
    pulls: bool,
    /// What the turns before have cost.
    before: Figures,
}

impl Watcher for Onlooker<'_> {
    fn tick(&mut self, statistics: &Statistics, _: Option<u32>) {
        if let Some(pane) = self.halt.pane() {
            pane.show(self.before.plus(figures(statistics)), 0, |sight| self.seen.show(sight));
        }
    }

    fn closely(&self) -> bool {
        self.halt.pane().is_some()
    }

    fn expanded(&mut self, state: &State, _: u32, h: u32) {
        state.boxes.iter().for_each(|square| self.seen.tracks.count(square));
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
    /// The two searches of a level; a quarter of the memory is theirs, if there is a limit.
    pub(crate) fn new(board: Arc<Board>, plans: [Plan; 2], memory: Option<usize>) -> Self {
        Self {
            board,
            plans: plans.into(),
            next: 0,
            turn: FIRST_TURN,
            granted: 0,
            share: memory.map(|limit| limit / 4),
            figures: Figures::default(),
            seen: Seen::default(),
        }
    }

    /// The plans of the search that pushes and of the one that pulls.
    pub(crate) fn plans(choices: &Choices) -> Result<[Plan; 2], ChoiceError> {
        let pulling = Choices { reverse: true, algorithm: Some(AlgorithmName::Greedy), ..choices.clone() };
        Ok([Plan::new(choices, Goal::Any)?, Plan::new(&pulling, Goal::Any)?])
    }

    fn take_turn(&mut self, halt: &Halt) -> Ended {
        let limits = halt.budget().limits();
        let limits = Limits {
            nodes: Some(self.turn),
            time: limits.time.map(|time| time.saturating_sub(halt.budget().elapsed())),
            memory: self.share,
        };
        let budget = Budget::new(limits, halt.done().clone());
        let plan = &self.plans[self.next];
        if halt.pane().is_some() && self.seen.tracks.is_empty() {
            self.seen.tracks = VisitCounts::new(self.board.len());
        }
        let mut onlooker = Onlooker { halt, seen: &mut self.seen, pulls: plan.reverse, before: self.figures };
        lurd_classic::run(&self.board, plan, &budget, &mut onlooker)
    }
}

impl Strategy for Complete {
    fn name(&self) -> &'static str {
        "complete search"
    }

    fn run(&mut self, work: u64, halt: &Halt) -> Turn {
        self.granted += work;
        if self.granted < self.turn {
            return Turn::Open;
        }
        let ended = self.take_turn(halt);
        self.granted = self.granted.saturating_sub(self.turn);
        self.figures = self.figures.plus(figures(&ended.statistics));
        match ended.outcome {
            Outcome::Solved => Turn::Solved(pushes(&self.board, ended.lurd.as_deref().unwrap_or_default())),
            Outcome::Unsolvable => Turn::Unsolvable,
            Outcome::Exhausted => Turn::Spent,
            Outcome::Cancelled => Turn::Open,
            Outcome::Stopped(Stop::Memory) => {
                // The other search may need less memory.
                self.plans.remove(self.next);
                self.next = 0;
                if self.plans.is_empty() { Turn::Spent } else { Turn::Open }
            }
            Outcome::Stopped(_) => {
                self.next += 1;
                if self.next >= self.plans.len() {
                    self.next = 0;
                    self.turn = self.turn.saturating_mul(4);
                }
                Turn::Open
            }
        }
    }

    fn bytes(&self) -> usize {
        self.share.unwrap_or(0)
    }

    fn figures(&self) -> Figures {
        self.figures
    }

    fn show(&self, sight: &mut Snapshot) {
        self.seen.show(sight);
    }
}
