//! From a meeting of the two sides to the pushes of an answer.

use crate::dense::memory::Shared;
use crate::dense::positions::{DensePosition, NOBODY, Parent};
use lurd_level::Direction;
use lurd_rules::Push;
use lurd_rules::dense::board::{DenseBoard, NONE, Plane, Side};
use lurd_rules::dense::set::Set;

/// The pushes of a level whose position `reached`, found by `side`, the other side knows as `other`.
pub(crate) fn answer<const L: usize, const G: usize>(
    shared: &Shared<L>,
    plane: &Plane<G>,
    side: Side,
    reached: Parent<L>,
    other: u32,
) -> Vec<Push> {
    let parent = shared.positions.get(reached.parent);
    let mut own = to_root(shared, plane, side, reached.parent);
    own.splice(0..0, moves(&shared.board, plane, side, &parent, reached.from, reached.arrival).into_iter().rev());
    let theirs = to_root(shared, plane, side.opposite(), other);
    let (forward, backward) = match side {
        Side::Forward => (own, theirs),
        Side::Backward => (theirs, own),
    };
    forward.into_iter().rev().chain(backward).collect()
}

/// The moves from a position to the first one of its side, latest first, each as the push it is or undoes.
fn to_root<const L: usize, const G: usize>(shared: &Shared<L>, plane: &Plane<G>, side: Side, mut id: u32) -> Vec<Push> {
    let mut pushes = Vec::new();
    loop {
        let position = shared.positions.get(id);
        if position.parent == NOBODY {
            return pushes;
        }
        let parent = shared.positions.get(position.parent);
        pushes.extend(moves(&shared.board, plane, side, &parent, position.from, position.arrival).into_iter().rev());
        id = position.parent;
    }
}

/// The single steps that move a box of a position from a square to an arrival, first one first.
fn moves<const L: usize, const G: usize>(
    board: &DenseBoard,
    plane: &Plane<G>,
    side: Side,
    position: &DensePosition<L>,
    from: u16,
    arrival: u16,
) -> Vec<Push> {
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
    // (square, zone, the place in this list it came from, the push)
    let start = Push { from: 0, direction: Direction::Left };
    let mut reached = vec![(from, zone_with(from, position.zone), usize::MAX, start)];
    let mut next = 0;
    while let Some(&(square, zone, _, _)) = reached.get(next) {
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
            reached.push((step.to, zone_with(step.to, step.lands), next, push));
            let player = board.beside(arrival.into());
            if step.to == arrival / 4 && reached[reached.len() - 1].1.contains(player.into()) {
                let mut pushes = Vec::new();
                let mut place = reached.len() - 1;
                while reached[place].2 != usize::MAX {
                    pushes.push(reached[place].3);
                    place = reached[place].2;
                }
                pushes.reverse();
                return pushes;
            }
        }
        next += 1;
    }
    debug_assert!(false, "a filed move leads to its position");
    Vec::new()
}
