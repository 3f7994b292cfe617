//! From macro moves to single pushes.
//!
//! A search remembers only where a box went and where the player stood afterwards. Here the
//! single pushes are found again, by the shortest way.

use lurd_level::Direction;
use lurd_rules::feature::articulation::{Articulation, BLOCKED, GROUPS};
use lurd_rules::feature::board::FeatureBoard;
use lurd_rules::feature::position::Position;
use lurd_rules::{Push, Square};

/// A macro move as it is remembered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Leg {
    pub(super) from: Square,
    pub(super) to: Square,
    /// A square of the player's zone afterwards.
    pub(super) player: Square,
}

/// The single pushes of a chain of macro moves from the start position; nothing if one cannot be made.
pub(super) fn pushes(board: &FeatureBoard, legs: &[Leg]) -> Option<Vec<Push>> {
    let mut position = Position::with(board, board.starts(), board.player());
    let mut lift = Articulation::new(board);
    let mut pushes = Vec::new();
    for leg in legs {
        pushes.extend(leg_pushes(board, &mut lift, &mut position, leg)?);
    }
    Some(pushes)
}

/// The single pushes of one macro move, which is then made.
fn leg_pushes(board: &FeatureBoard, lift: &mut Articulation, position: &mut Position, leg: &Leg) -> Option<Vec<Push>> {
    if !position.has_box(leg.from) {
        return None;
    }
    let what = std::mem::take(&mut position.taken[usize::from(leg.from)]);
    lift.survey(board, &position.taken);
    position.taken[usize::from(leg.from)] = what;
    let start = lift.group_of(board, leg.from, position.player);
    let end = lift.group_of(board, leg.to, leg.player);
    if start == BLOCKED || end == BLOCKED {
        return None;
    }
    // How each (square, group) was reached: the place in the queue before, and the direction.
    let mut seen = vec![false; (board.len() + 1) * GROUPS];
    let mut queue = vec![(leg.from, start, usize::MAX, 0)];
    seen[usize::from(leg.from) * GROUPS + usize::from(start)] = true;
    let mut at = 0;
    while at < queue.len() {
        let (square, group, _, _) = queue[at];
        if square == leg.to && group == end && at > 0 {
            break;
        }
        let groups = lift.sides(board, square).group;
        for direction in 0..4 {
            let to = board.next(square, direction);
            if groups[direction ^ 1] != group || !lift.is_free(to) {
                continue;
            }
            let next = lift.sides(board, to).group[direction ^ 1];
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
    position.shift(board, leg.from, leg.to, leg.player);
    Some(pushes)
}
