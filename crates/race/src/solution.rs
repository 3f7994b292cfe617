//! From macro moves to single pushes.
//!
//! A search stores only where a box went and where the player stood afterwards. The single pushes are found again
//! by breadth-first search, so each macro takes the fewest pushes.

use crate::macros::BoxMove;
use lurd_level::Direction;
use lurd_rules::feature::articulation::{Articulation, BLOCKED, GROUPS};
use lurd_rules::feature::board::FeatureBoard;
use lurd_rules::feature::position::Position;
use lurd_rules::{Push, Square};

/// The single pushes of a sequence of macro moves from the start position; none if one cannot be made.
pub(super) fn pushes(board: &FeatureBoard, moves: &[BoxMove]) -> Option<Vec<Push>> {
    let mut position = Position::with(board, board.starts(), board.player());
    let mut without_box = Articulation::new(board);
    let mut pushes = Vec::new();
    for &step in moves {
        pushes.extend(macro_pushes(board, &mut without_box, &position, step)?);
        position.shift(board, step.from, step.to, step.player);
    }
    Some(pushes)
}

/// The single pushes of one macro move.
fn macro_pushes(
    board: &FeatureBoard,
    without_box: &mut Articulation,
    position: &Position,
    step: BoxMove,
) -> Option<Vec<Push>> {
    if !position.has_box(step.from) {
        return None;
    }
    let mut taken = position.taken.clone();
    taken[usize::from(step.from)] = 0;
    without_box.survey(board, &taken);
    let start = without_box.group_of(board, step.from, position.player);
    let end = without_box.group_of(board, step.to, step.player);
    if start == BLOCKED || end == BLOCKED {
        return None;
    }
    // How each (square, group) was reached: the index in the queue before, and the direction.
    let mut seen = vec![false; (board.len() + 1) * GROUPS];
    let mut queue: Vec<(Square, u8, usize, usize)> = vec![(step.from, start, usize::MAX, 0)];
    seen[usize::from(step.from) * GROUPS + usize::from(start)] = true;
    let mut at = 0;
    while at < queue.len() {
        let (square, group, _, _) = queue[at];
        if square == step.to && group == end && at > 0 {
            break;
        }
        let groups = without_box.sides(board, square).group;
        for direction in 0..4 {
            let to = board.next(square, direction);
            if groups[direction ^ 1] != group || !without_box.is_free(to) {
                continue;
            }
            let next = without_box.sides(board, to).group[direction ^ 1];
            if !std::mem::replace(&mut seen[usize::from(to) * GROUPS + usize::from(next)], true) {
                queue.push((to, next, at, direction));
            }
        }
        at += 1;
    }
    if at >= queue.len() {
        return None;
    }
    let mut pushes = Vec::new();
    while at != 0 {
        let (_, _, before, direction) = queue[at];
        pushes.push(Push { from: queue[before].0, direction: Direction::ALL[direction] });
        at = before;
    }
    pushes.reverse();
    Some(pushes)
}
