//! The complete search under the race, for levels too large for the dense engine: nothing solvable is lost
//! to a shortcut in the long run.
//!
//! A* over pushes (greedy after a while) and greedy search over pulls take turns, each from scratch with
//! four times the positions of the one before: at most a third of the work is done twice. A turn is begun only when
//! the race has granted enough work for it.

use super::classic;
use super::config::{AlgorithmName, Config};
use super::plan::Plan;
use super::report::{Outcome, Progress, Report};
use super::watch::Watch;
use crate::Level;
use crate::board::Board;
use crate::champion::cuts::Cuts;
use crate::champion::strategy::{Figures, Halt, Push, Strategy, Turn};
use crate::champion::view::{Nearest, Sight, Tracks};
use crate::square::Direction;
use crate::state::State;
use search::{Budget, Limits, Statistics, Stop};
use std::sync::Arc;

/// Positions generated in the first turn.
const FIRST_TURN: u64 = 60_000;

/// The two searches and whose turn it is.
pub(super) struct Complete {
    level: Level,
    board: Arc<Board>,
    config: Config,
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
    tracks: Tracks,
    nearest: Option<Nearest>,
}

impl Seen {
    fn show(&self, sight: &mut Sight) {
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

impl Watch for Onlooker<'_> {
    fn progress(&mut self, _: &Progress) {}

    fn counted(&mut self, statistics: &Statistics) {
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
    pub(super) fn new(
        level: &Level,
        board: Arc<Board>,
        plans: [Plan; 2],
        config: &Config,
        memory: Option<usize>,
    ) -> Self {
        Self {
            level: level.clone(),
            board,
            config: config.clone(),
            plans: plans.into(),
            next: 0,
            turn: FIRST_TURN,
            granted: 0,
            share: memory.map(|limit| limit / 4),
            figures: Figures::default(),
            seen: Seen::default(),
        }
    }

    /// The config of the search that pulls.
    pub(super) fn pulling(config: &Config) -> Config {
        Config { reverse: true, algorithm: Some(AlgorithmName::Greedy), ..config.clone() }
    }

    fn take_turn(&mut self, halt: &Halt) -> Report {
        let limits = halt.budget().limits();
        let limits = Limits {
            nodes: Some(self.turn),
            time: limits.time.map(|time| time.saturating_sub(halt.budget().elapsed())),
            memory: self.share,
        };
        let budget = Budget::new(limits, halt.done().clone());
        let plan = &self.plans[self.next];
        if halt.pane().is_some() && self.seen.tracks.is_empty() {
            self.seen.tracks = Tracks::new(self.board.len());
        }
        let mut onlooker = Onlooker { halt, seen: &mut self.seen, pulls: plan.reverse, before: self.figures };
        classic::run(&self.level, &self.board, &self.config, plan, &budget, &mut onlooker)
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
        let report = self.take_turn(halt);
        self.granted = self.granted.saturating_sub(self.turn);
        self.figures = self.figures.plus(figures(&report.statistics));
        match report.outcome {
            Outcome::Solved => Turn::Solved(pushes(&self.board, report.solution.as_ref().map_or("", |s| &s.lurd))),
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

    fn show(&self, sight: &mut Sight) {
        self.seen.show(sight);
    }
}

/// The pushes of a judged solution.
pub(super) fn pushes(board: &Board, lurd: &str) -> Vec<Push> {
    let mut player = board.start_player();
    let mut pushes = Vec::new();
    for letter in lurd.chars() {
        let Some(direction) = Direction::from_letter(letter) else { continue };
        let next = board.neighbour(player, direction);
        if letter.is_ascii_uppercase() {
            pushes.push(Push { from: next, direction });
        }
        player = next;
    }
    pushes
}
