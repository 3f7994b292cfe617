//! Estimates of the moves that remain, by name.
//!
//! One file per idea: [`tile_sum`] adds up a number per tile (misplaced, Manhattan,
//! Chebyshev), [`conflict`] adds what tiles in the wrong order in their line cost,
//! [`crate::pattern`] looks sums up in tables. All of them estimate the children of a
//! board from what changes with the one tile that moves.

mod conflict;
mod kind;
mod tile_sum;

pub use kind::HeuristicKind;

use crate::board::Board;
use crate::moves::{Direction, MoveSet};
use crate::parity::is_odd;
use crate::pattern::{PatternDatabase, PatternLookup};
use crate::problem::Problem;
use crate::space::TileSpace;
use conflict::LinearConflict;
use lurd_search::{Cost, Estimate, Guarantee, Heuristic};
use std::sync::Arc;
use tile_sum::TileSum;

/// Why a heuristic cannot be used on a problem.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HeuristicError {
    /// The pattern databases count classic moves on 4x4 boards.
    #[error(
        "pattern-database works on 4x4 boards with classic moves only; this board is {side}x{side} with {moves} moves"
    )]
    NoDatabase { side: usize, moves: MoveSet },
    #[error("pattern-database needs its tables: load or build them first")]
    NotLoaded,
    #[error("these tables are for goals with the blank in another place")]
    OtherGoal,
}

/// A tile that moves from one cell to another.
#[derive(Clone, Copy)]
pub(crate) struct Slide {
    pub(crate) tile: usize,
    pub(crate) from: usize,
    pub(crate) to: usize,
}

impl Slide {
    /// The slide that gave `child`, whose blank just moved in `direction`.
    fn into_child(child: &Board, direction: Direction) -> Self {
        let from = child.blank();
        let to = direction.reverse().from_cell(from, child.side()).unwrap_or(from);
        Self { tile: child.tile(to), from, to }
    }
}

/// An estimate that can be asked for, ready for one goal.
#[derive(Clone)]
pub struct Estimator {
    kind: HeuristicKind,
    moves: MoveSet,
    method: Method,
}

#[derive(Clone)]
enum Method {
    Zero,
    Sum(TileSum),
    /// Rounded up to the parity every way to the goal has.
    EvenSum {
        sum: TileSum,
        goal: Board,
        parent_is_odd: bool,
    },
    Conflict(LinearConflict),
    Pattern(Box<PatternLookup>),
}

impl Estimator {
    /// The estimate `kind` for a problem's goal. Pattern databases are made with
    /// [`with_patterns`](Self::with_patterns).
    pub fn new(problem: &Problem, kind: HeuristicKind) -> Result<Self, HeuristicError> {
        kind.check(problem.side(), problem.moves())?;
        match kind {
            HeuristicKind::PatternDatabase => Err(HeuristicError::NotLoaded),
            kind => Ok(Self::for_goal(problem.goal(), problem.moves(), kind)),
        }
    }

    /// An estimate that needs no tables. (Asked for one that does, it knows nothing: 0.)
    pub(crate) fn for_goal(goal: &Board, moves: MoveSet, kind: HeuristicKind) -> Self {
        let method = match kind {
            HeuristicKind::Zero | HeuristicKind::PatternDatabase => Method::Zero,
            HeuristicKind::Misplaced => Method::Sum(TileSum::misplaced(goal)),
            HeuristicKind::Manhattan => Method::Sum(TileSum::manhattan(goal)),
            HeuristicKind::Chebyshev => Method::Sum(TileSum::chebyshev(goal)),
            HeuristicKind::ChebyshevParity => {
                Method::EvenSum { sum: TileSum::chebyshev(goal), goal: *goal, parent_is_odd: false }
            }
            HeuristicKind::LinearConflict => Method::Conflict(LinearConflict::new(goal)),
        };
        Self { kind, moves, method }
    }

    /// The pattern database estimate for a problem's goal.
    pub fn with_patterns(problem: &Problem, database: Arc<PatternDatabase>) -> Result<Self, HeuristicError> {
        let kind = HeuristicKind::PatternDatabase;
        kind.check(problem.side(), problem.moves())?;
        let lookup = PatternLookup::new(database, problem.goal()).ok_or(HeuristicError::OtherGoal)?;
        Ok(Self { kind, moves: problem.moves(), method: Method::Pattern(Box::new(lookup)) })
    }

    pub fn kind(&self) -> HeuristicKind {
        self.kind
    }

    /// The tables, where it has any.
    pub(crate) fn patterns(&self) -> Option<&PatternLookup> {
        match &self.method {
            Method::Pattern(lookup) => Some(lookup),
            _ => None,
        }
    }

    /// The estimate for a board, from scratch.
    pub fn value(&self, board: &Board) -> Cost {
        match &self.method {
            Method::Zero => 0,
            Method::Sum(sum) => sum.value(board),
            Method::EvenSum { sum, goal, .. } => round_up(sum.value(board), is_odd(board, goal)),
            Method::Conflict(conflict) => conflict.value(board),
            Method::Pattern(lookup) => lookup.value(board),
        }
    }
}

/// The next number with the right parity.
fn round_up(value: Cost, odd: bool) -> Cost {
    value + ((value % 2) ^ u32::from(odd))
}

impl Heuristic<TileSpace> for Estimator {
    fn estimate(&mut self, _: &TileSpace, state: &Board) -> Estimate {
        Some(self.value(state))
    }

    fn family(&mut self, _: &TileSpace, parent: &Board) {
        match &mut self.method {
            Method::Zero => {}
            Method::Sum(sum) => sum.set_parent(parent),
            Method::EvenSum { sum, goal, parent_is_odd } => {
                sum.set_parent(parent);
                *parent_is_odd = is_odd(parent, goal);
            }
            Method::Conflict(conflict) => conflict.set_parent(parent),
            Method::Pattern(lookup) => lookup.set_parent(parent),
        }
    }

    fn estimate_child(&mut self, _: &TileSpace, action: Direction, child: &Board) -> Estimate {
        let slide = Slide::into_child(child, action);
        Some(match &self.method {
            Method::Zero => 0,
            Method::Sum(sum) => sum.child(slide),
            Method::EvenSum { sum, parent_is_odd, .. } => round_up(sum.child(slide), !parent_is_odd),
            Method::Conflict(conflict) => conflict.child(slide, child),
            Method::Pattern(lookup) => lookup.child(slide),
        })
    }

    fn guarantee(&self) -> Guarantee {
        self.kind.guarantee(self.moves)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::random_board;

    #[test]
    fn a_childs_estimate_is_what_it_is_from_scratch() {
        for side in 2..=5 {
            for moves in MoveSet::ALL {
                for seed in 0..60 {
                    let goal = random_board(&Board::standard_goal(side), moves, seed + 1_000);
                    let board = random_board(&goal, moves, seed);
                    let problem = Problem::new(board, goal, moves).unwrap();
                    let space = TileSpace::new(&problem);
                    for kind in HeuristicKind::WITHOUT_TABLES {
                        let mut estimator = Estimator::new(&problem, kind).unwrap();
                        assert_eq!(estimator.value(&goal), 0, "{kind}");
                        estimator.family(&space, &board);
                        for &(direction, _) in space.steps(board.blank()) {
                            let child = board.moved(direction).unwrap();
                            let by_slide = estimator.estimate_child(&space, direction, &child);
                            assert_eq!(by_slide, Some(estimator.value(&child)), "{kind} {moves} {board} {direction}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn pattern_databases_say_where_they_do_not_apply() {
        let three = Problem::new(Board::standard_goal(3), Board::standard_goal(3), MoveSet::Classic).unwrap();
        let error = Estimator::new(&three, HeuristicKind::PatternDatabase).err().unwrap();
        assert!(error.to_string().ends_with("this board is 3x3 with classic moves"));
        let four = Problem::new(Board::standard_goal(4), Board::standard_goal(4), MoveSet::Classic).unwrap();
        assert_eq!(Estimator::new(&four, HeuristicKind::PatternDatabase).err(), Some(HeuristicError::NotLoaded));
    }
}
