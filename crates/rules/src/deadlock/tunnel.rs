//! Tunnel macros (Junghanns and Schaeffer 2001): a box pushed into a tunnel is pushed on through it.
//!
//! The player is on the square the box left, with walls on both sides; the box has a wall on at least one side and is
//! not on a goal. Then some solution with the fewest pushes continues with the same box in the same direction, so the
//! intermediate positions need not be generated. Without the exception for goals, or with fewer walls, this is wrong: a
//! box may have to be parked in a tunnel.

use crate::{Bits, Board, NO_SQUARE, Square};
use lurd_level::Direction;

/// Whether a box just pushed to `at` in a direction must be pushed on.
fn inside(board: &Board, at: Square, direction: Direction) -> bool {
    let behind = board.neighbour(at, direction.opposite());
    let [a, b] = direction.sideways();
    !board.is_goal(at)
        && behind != NO_SQUARE
        && board.wall(behind, a)
        && board.wall(behind, b)
        && (board.wall(at, a) || board.wall(at, b))
}

/// The number of squares, at least one, by which a box is pushed from `from` in a direction. `None` if it must be pushed
/// on but is blocked: then the push can be made later or is useless.
pub fn length(board: &Board, boxes: &Bits, from: Square, direction: Direction) -> Option<u16> {
    let mut at = board.neighbour(from, direction);
    let mut length = 1;
    while inside(board, at, direction) {
        let next = board.neighbour(at, direction);
        if next == NO_SQUARE || boxes.contains(next) {
            return None;
        }
        at = next;
        length += 1;
    }
    Some(length)
}
