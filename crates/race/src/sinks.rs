//! Sinks: start squares on which the backward search removes a box from the board.
//!
//! Unused start squares between which boxes can be pushed are interchangeable: a box that is pulled onto one of them
//! could have come from any. The largest such set is the sink, if the player can walk to all of it.

use lurd_rules::Square;
use lurd_rules::bits::marks;
use lurd_rules::feature::articulation::Articulation;
use lurd_rules::feature::board::FeatureBoard;
use lurd_rules::feature::position::Position;

/// The sink squares of a position; none if the player does not reach all of them.
pub(super) fn sinks(
    board: &FeatureBoard,
    position: &Position,
    survey: &Articulation,
    unused: impl Iterator<Item = Square>,
) -> Vec<Square> {
    let taken = &position.taken;
    let free: Vec<Square> = unused.filter(|&square| taken[usize::from(square)] == 0).collect();
    let reach: Vec<Vec<bool>> = free.iter().map(|&square| pushes_without_player(board, taken, &[square])).collect();
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for number in 0..free.len() {
        let fits = |group: &&mut Vec<usize>| {
            let first = group[0];
            reach[first][usize::from(free[number])] && reach[number][usize::from(free[first])]
        };
        match groups.iter_mut().find(fits) {
            Some(group) => group.push(number),
            None => groups.push(vec![number]),
        }
    }
    let largest = groups.iter().map(Vec::len).max().unwrap_or(0);
    let sinks: Vec<Square> =
        groups.iter().filter(|group| group.len() == largest).flatten().map(|&number| free[number]).collect();
    let player = position.player;
    if sinks.iter().all(|&square| square == player || survey.joined(square, player)) { sinks } else { Vec::new() }
}

/// Squares from which the next pull could end in a sink, at least `distance` steps away from all of them.
pub(super) fn removal_area(board: &FeatureBoard, taken: &[u8], sinks: &[Square], distance: u16) -> Vec<bool> {
    if sinks.is_empty() {
        return vec![false; board.len() + 1];
    }
    let mut area = pushes_without_player(board, taken, sinks);
    for (square, inside) in area.iter_mut().enumerate() {
        *inside &= sinks.iter().all(|&sink| board.walks_from(sink)[square] >= distance);
    }
    area
}

/// Squares a box can be pushed to from the given ones past the others, wherever the player is.
fn pushes_without_player(board: &FeatureBoard, taken: &[u8], from: &[Square]) -> Vec<bool> {
    let mut reached = marks(board.len() + 1, from);
    let mut work = from.to_vec();
    while let Some(square) = work.pop() {
        for direction in 0..4 {
            let to = board.next(square, direction);
            if taken[usize::from(to)] == 0
                && taken[usize::from(board.next(square, direction ^ 1))] == 0
                && !std::mem::replace(&mut reached[usize::from(to)], true)
            {
                work.push(to);
            }
        }
    }
    reached
}
