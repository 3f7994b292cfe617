//! From a meeting of the two sides to the pushes of a solution.

use crate::dense::memory::Shared;
use crate::dense::positions::{DensePosition, NO_POSITION};
use lurd_level::Direction;
use lurd_rules::Push;
use lurd_rules::dense::board::{DenseBoard, NONE, Plane, Side};
use lurd_rules::dense::set::Set;

/// The pushes of a solution through `reached`, which the other side knows as the position `other`.
pub(crate) fn pushes<const L: usize, const G: usize>(
    shared: &Shared<L>,
    plane: &Plane<G>,
    reached: DensePosition<L>,
    other: u32,
) -> Vec<Push> {
    let own = to_root(shared, plane, reached);
    let theirs = to_root(shared, plane, shared.positions.get(other));
    let (forward, backward) = match reached.side {
        Side::Forward => (own, theirs),
        Side::Backward => (theirs, own),
    };
    forward.into_iter().rev().chain(backward).collect()
}

/// The moves from a position to the root of its side, latest first, each as the push it is or undoes.
fn to_root<const L: usize, const G: usize>(
    shared: &Shared<L>,
    plane: &Plane<G>,
    mut position: DensePosition<L>,
) -> Vec<Push> {
    let mut pushes = Vec::new();
    while position.parent != NO_POSITION {
        let parent = shared.positions.get(position.parent);
        pushes.extend(moves(&shared.board, plane, &parent, &position));
        position = parent;
    }
    pushes
}

/// The single steps between two positions, latest first.
fn moves<const L: usize, const G: usize>(
    board: &DenseBoard,
    plane: &Plane<G>,
    position: &DensePosition<L>,
    after: &DensePosition<L>,
) -> Vec<Push> {
    let DensePosition { from, arrival, side, .. } = *after;
    let mut others = Set::<G>::EMPTY;
    position
        .boxes
        .iter()
        .filter(|&square| square != usize::from(from))
        .for_each(|square| others.insert(board.cell(square)));
    let zone_with = |square: u16, player: u16| {
        let mut free = plane.floor.without(others);
        free.remove(board.cell(square.into()));
        plane.zone(free, player.into())
    };
    // (square, zone, index of the step before, push)
    let start = Push { from: 0, direction: Direction::Left };
    let mut reached = vec![(from, zone_with(from, position.zone), usize::MAX, start)];
    let mut at = 0;
    while let Some(&(square, zone, _, _)) = reached.get(at) {
        for direction in Direction::ALL {
            let step = &board.way(side).steps[4 * usize::from(square) + direction as usize];
            if step.to == NONE
                || !zone.contains(step.reach.into())
                || others.contains(step.clear.into())
                || reached.iter().any(|&(known, zone, _, _)| known == step.to && zone.contains(step.lands.into()))
            {
                continue;
            }
            let push = match side {
                Side::Forward => Push { from: board.square(board.cell(square.into())), direction },
                Side::Backward => {
                    Push { from: board.square(board.cell(step.to.into())), direction: direction.opposite() }
                }
            };
            reached.push((step.to, zone_with(step.to, step.lands), at, push));
            let player = board.beside(arrival.into());
            if step.to == arrival / 4 && reached[reached.len() - 1].1.contains(player.into()) {
                let mut pushes = Vec::new();
                let mut place = reached.len() - 1;
                while reached[place].2 != usize::MAX {
                    pushes.push(reached[place].3);
                    place = reached[place].2;
                }
                return pushes;
            }
        }
        at += 1;
    }
    debug_assert!(false, "a stored move leads to its position");
    Vec::new()
}
