//! Corners: a box in a corner off the goals can never be pushed again.

use crate::deadlock::Detector;
use crate::{Bits, Board, Square};
use lurd_level::Direction;

pub(super) struct Corner {
    corners: Bits,
}

impl Corner {
    pub(super) fn new(board: &Board) -> Self {
        let is_corner = |&square: &Square| {
            let walls = |a, b| board.wall(square, a) || board.wall(square, b);
            !board.is_goal(square) && walls(Direction::Left, Direction::Right) && walls(Direction::Up, Direction::Down)
        };
        Self { corners: Bits::of(board.len(), board.squares().filter(is_corner)) }
    }
}

impl Detector for Corner {
    fn is_dead(&mut self, _: &Bits, pushed: Square, _: Square) -> bool {
        self.corners.contains(pushed)
    }
}
