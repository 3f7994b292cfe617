//! A push, and conversion between lists of pushes and LURD.

use crate::{Board, NO_SQUARE, Square, State, Walker};
use lurd_level::Direction;

/// A push of one box by one square. The walks between pushes are added when the solution is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Push {
    /// The square of the box before the push.
    pub from: Square,
    pub direction: Direction,
}

impl Push {
    /// The player's square before the push.
    pub fn behind(self, board: &Board) -> Square {
        board.neighbour(self.from, self.direction.opposite())
    }

    /// The square of the box after the push.
    pub fn to(self, board: &Board) -> Square {
        board.neighbour(self.from, self.direction)
    }
}

/// The pushes as LURD, connected by shortest walks. Ends before the first illegal push; the referee then rejects the
/// result.
pub fn written(board: &Board, pushes: &[Push]) -> String {
    let mut walker = Walker::new(board);
    let State { mut boxes, mut player } = State::start(board);
    let mut lurd = String::new();
    for push in pushes {
        let (behind, to) = (push.behind(board), push.to(board));
        if behind == NO_SQUARE || to == NO_SQUARE || !walker.walk(board, &boxes, player, behind, &mut lurd) {
            return lurd;
        }
        lurd.push(push.direction.letter(true));
        boxes.shift(push.from, to);
        player = push.from;
    }
    lurd
}

/// The pushes of a solution that the referee has accepted.
pub fn pushes(board: &Board, lurd: &str) -> Vec<Push> {
    let mut state = State::start(board);
    let directions = lurd.chars().filter_map(Direction::from_letter);
    directions.filter_map(|direction| state.step(board, direction).flatten()).collect()
}
