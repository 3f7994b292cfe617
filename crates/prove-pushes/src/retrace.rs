//! The way back through the layers: no position stores how it was reached.
//!
//! From a position of a forward layer every pull is tried; one of them leads to a position of the layer before. The push
//! that undoes it is legal whether or not the search made it, so any will do. From a position of a backward layer every
//! push is tried.

use crate::control::Control;
use crate::key::Key;
use crate::proof::LayerSearch;
use crate::scene::Scene;
use lurd_level::Direction;
use lurd_rules::Push;
use lurd_rules::dense::board::{NONE, Side};
use lurd_rules::dense::set::Set;

/// A part of a way: between a position of some layer and one of a later layer.
pub(crate) struct Way<K> {
    /// The layer it was traced back to, and the position there.
    pub(crate) from: usize,
    pub(crate) key: K,
    /// In the order they are made.
    pub(crate) pushes: Vec<Push>,
}

/// The way between a position of layer `depth` and the end the search started from, as far as layers are held. `None` if the
/// layers do not hold together, which never happens.
pub(crate) fn retrace<K: Key, const L: usize, const G: usize>(
    scene: &Scene<K, L, G>,
    search: &LayerSearch<K>,
    depth: usize,
    key: K,
    control: &Control<'_>,
) -> Option<Way<K>> {
    let (mut boxes, mut player) = scene.rank.position::<L>(key);
    let mut way = Way { from: depth, key, pushes: Vec::with_capacity(depth) };
    while way.from > search.held_from {
        let layer = &search.layers[way.from - 1];
        let mut fault = None;
        let known = |key: K| {
            layer.contains(key).unwrap_or_else(|found| {
                fault = Some(found);
                false
            })
        };
        let before = before_it(scene, search.side, boxes, player, known);
        if let Some(fault) = fault {
            // As if it had been let go.
            control.tell(fault.sentence);
            if before.is_none() {
                break;
            }
        }
        let (push, previous, stands) = before?;
        way.pushes.push(push);
        (boxes, player) = (previous, stands);
        way.from -= 1;
    }
    way.key = scene.rank.key(boxes, player);
    if search.side == Side::Forward {
        way.pushes.reverse();
    }
    Some(way)
}

/// The push between a position and one of the layer before, and that position.
fn before_it<K: Key, const L: usize, const G: usize>(
    scene: &Scene<K, L, G>,
    side: Side,
    boxes: Set<L>,
    player: usize,
    mut known: impl FnMut(K) -> bool,
) -> Option<(Push, Set<L>, usize)> {
    let board = &*scene.board;
    let cells = scene.cells(boxes);
    let zone = scene.plane.zone(scene.plane.floor.without(cells), player);
    for square in boxes.iter() {
        for direction in Direction::ALL {
            let step = &board.way(side.opposite()).steps[4 * square + direction as usize];
            if step.to == NONE || !zone.contains(step.reach.into()) || cells.contains(step.clear.into()) {
                continue;
            }
            let mut previous = boxes;
            previous.remove(square);
            previous.insert(step.to.into());
            let free = scene.plane.floor.without(scene.cells(previous));
            let lowest = scene.plane.zone(free, step.lands.into()).lowest();
            if known(scene.rank.key(previous, lowest)) {
                let (from, direction) = match side {
                    Side::Forward => (usize::from(step.to), direction.opposite()),
                    Side::Backward => (square, direction),
                };
                return Some((Push { from: board.square(board.cell(from)), direction }, previous, lowest));
            }
        }
    }
    None
}
