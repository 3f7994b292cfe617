//! A start, a goal and the moves between them, known to be solvable.

use crate::board::Board;
use crate::moves::MoveSet;
use crate::parity::{ParityReason, classic_obstacle};

/// What is to be solved. It can be: that is checked when it is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Problem {
    start: Board,
    goal: Board,
    moves: MoveSet,
}

/// Why there is nothing to solve.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProblemError {
    #[error("the start is {start}x{start} but the goal is {goal}x{goal}; both need the same size")]
    Sizes { start: usize, goal: usize },
    #[error("unsolvable: {0}")]
    Unsolvable(ParityReason),
}

impl Problem {
    /// Puts a problem together, or says at once why it has no solution.
    pub fn new(start: Board, goal: Board, moves: MoveSet) -> Result<Self, ProblemError> {
        if start.side() != goal.side() {
            return Err(ProblemError::Sizes { start: start.side(), goal: goal.side() });
        }
        match moves {
            MoveSet::Classic => {
                classic_obstacle(&start, &goal).map_or(Ok(()), |it| Err(ProblemError::Unsolvable(it)))?
            }
            MoveSet::Diagonal => {}
        }
        Ok(Self { start, goal, moves })
    }

    /// The same problem from the goal to the start. Moves can be taken back, so the
    /// distance is the same.
    pub fn reversed(&self) -> Self {
        Self { start: self.goal, goal: self.start, moves: self.moves }
    }

    pub fn start(&self) -> &Board {
        &self.start
    }

    pub fn goal(&self) -> &Board {
        &self.goal
    }

    pub fn moves(&self) -> MoveSet {
        self.moves
    }

    /// Cells along an edge.
    pub fn side(&self) -> usize {
        self.goal.side()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_swapped_last_tiles_are_unsolvable_with_the_reason() {
        let start: Board = "1 2 3 4 5 6 7 8 9 10 11 12 13 15 14 0".parse().unwrap();
        let error = Problem::new(start, Board::standard_goal(4), MoveSet::Classic).unwrap_err();
        assert_eq!(error, ProblemError::Unsolvable(ParityReason { odd_swaps: true, blank_steps: 0 }));
        assert!(error.to_string().starts_with("unsolvable: turning the start into the goal takes an odd number"));
        assert!(Problem::new(start, Board::standard_goal(4), MoveSet::Diagonal).is_ok());
    }

    #[test]
    fn sizes_must_agree() {
        let error = Problem::new(Board::standard_goal(3), Board::standard_goal(4), MoveSet::Classic).unwrap_err();
        assert_eq!(error.to_string(), "the start is 3x3 but the goal is 4x4; both need the same size");
    }
}
