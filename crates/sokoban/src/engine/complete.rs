//! The complete search under the race, for levels too large for the dense engine: nothing solvable is lost
//! to a shortcut in the long run.
//!
//! A* over pushes (greedy after a while) and greedy search over pulls take turns, each from scratch with
//! four times the positions of the one before: at most a third of the work is done twice. A turn is begun only when
//! the race has granted enough work for it.

use super::classic;
use super::config::{AlgorithmName, Config};
use super::plan::Plan;
use super::report::{Outcome, Report};
use super::watch::Ticks;
use crate::Level;
use crate::board::Board;
use crate::champion::strategy::{Figures, Halt, Push, Strategy, Turn};
use crate::square::Direction;
use search::{Budget, Limits, Stop};
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
    figures: Figures,
}

impl Complete {
    pub(super) fn new(level: &Level, board: Arc<Board>, plans: [Plan; 2], config: &Config) -> Self {
        Self {
            level: level.clone(),
            board,
            config: config.clone(),
            plans: plans.into(),
            next: 0,
            turn: FIRST_TURN,
            granted: 0,
            figures: Figures::default(),
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
            // Half of the memory: the others need theirs.
            memory: limits.memory.map(|memory| memory / 2),
        };
        let budget = Budget::new(limits, halt.done().clone());
        classic::run(&self.level, &self.board, &self.config, &self.plans[self.next], &budget, &mut Ticks(&mut |_| ()))
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
        self.figures.expanded += report.statistics.expanded;
        self.figures.generated += report.statistics.generated;
        self.figures.duplicates += report.statistics.duplicates;
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
        0
    }

    fn figures(&self) -> Figures {
        self.figures
    }
}

/// The pushes of a judged solution.
fn pushes(board: &Board, lurd: &str) -> Vec<Push> {
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
