//! A box pushed into a tunnel goes on through it.
//!
//! The player stands where the box was, with walls on both sides of him; the box has a wall
//! on at least one of its sides and stands on no goal. Then some solution with the fewest
//! pushes goes on with the same box, straight ahead, so the stops on the way need not be
//! looked at. Without the goal exception or with fewer walls this is wrong.

use crate::{Bits, Board, NO_SQUARE, Square};
use lurd_level::Direction;

/// Whether a box just pushed to `at` in a direction must go on.
fn inside(board: &Board, at: Square, direction: Direction) -> bool {
    let behind = board.neighbour(at, direction.opposite());
    let [a, b] = direction.sideways();
    !board.is_goal(at)
        && behind != NO_SQUARE
        && board.wall(behind, a)
        && board.wall(behind, b)
        && (board.wall(at, a) || board.wall(at, b))
}

/// How far a box pushed from `from` in a direction goes: at least one square. `None` where it
/// would have to go on but something is in the way: then the push can wait or is useless.
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
