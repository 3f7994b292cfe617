//! The way back through the layers: no position stores how it was reached.
//!
//! From a position of one layer every pull is tried; one of them leads to a position of the layer before. The push
//! that undoes it is legal whether or not the search made it, so any will do.

use super::key::Key;
use super::proof::Search;
use super::scene::Scene;
use crate::champion::dense::ground::{NONE, Side};
use crate::champion::dense::set::Set;
use crate::champion::strategy::Push;
use crate::square::Direction;

/// The pushes that lead to a position of a layer; `None` where the layers before were let go.
pub(crate) fn retrace<K: Key, const L: usize, const G: usize>(
    scene: &Scene<K, L, G>,
    search: &Search<K>,
    depth: usize,
    key: K,
) -> Option<Vec<Push>> {
    if search.held_from > 0 {
        return None;
    }
    let (mut boxes, zone) = scene.rank.position::<L>(key);
    let mut player = zone;
    let mut pushes = Vec::with_capacity(depth);
    for before in (0..depth).rev() {
        let (push, previous, stands) = before_it(scene, boxes, player, |key| search.layers[before].contains(key))?;
        pushes.push(push);
        (boxes, player) = (previous, stands);
    }
    pushes.reverse();
    Some(pushes)
}

/// A push that led to a position, and the position before it.
fn before_it<K: Key, const L: usize, const G: usize>(
    scene: &Scene<K, L, G>,
    boxes: Set<L>,
    player: usize,
    known: impl Fn(K) -> bool,
) -> Option<(Push, Set<L>, usize)> {
    let ground = &*scene.ground;
    let cells = scene.cells(boxes);
    let zone = scene.plane.zone(scene.plane.floor.without(cells), player);
    for square in boxes.iter() {
        for direction in Direction::ALL {
            let step = &ground.way(Side::Backward).steps[4 * square + direction as usize];
            if step.to == NONE || !zone.contains(step.reach.into()) || cells.contains(step.clear.into()) {
                continue;
            }
            let mut previous = boxes;
            previous.remove(square);
            previous.insert(step.to.into());
            let free = scene.plane.floor.without(scene.cells(previous));
            let lowest = scene.plane.zone(free, step.lands.into()).lowest();
            if known(scene.rank.key(previous, lowest)) {
                let from = ground.square(ground.cell(step.to.into()));
                return Some((Push { from, direction: direction.opposite() }, previous, lowest));
            }
        }
    }
    None
}
