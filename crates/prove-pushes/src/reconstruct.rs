//! Reconstruction of a solution from the layers: no position stores its predecessor.
//!
//! From a position of a forward layer every pull is tried; one of them leads to a position of the layer before. The push
//! that undoes it is legal whether or not the search generated it, so any will do. From a position of a backward layer
//! every push is tried.

use crate::ProofOutcome;
use crate::control::Control;
use crate::key::Key;
use crate::layer_search::{LayerSearch, LayerStep, SearchContext};
use crate::level_prover::{LevelProver, means};
use crate::model::Model;
use lurd_level::Direction;
use lurd_rules::Push;
use lurd_rules::dense::board::{NONE, Side};
use lurd_rules::dense::set::Set;

/// The path between a position of some layer and one of a later layer.
pub(crate) struct PathSegment<K> {
    /// The layer it was traced back to, and the position there.
    pub(crate) depth: usize,
    pub(crate) key: K,
    /// In the order of play.
    pub(crate) pushes: Vec<Push>,
}

/// The path between a position of layer `depth` and the root of the search, or the first layer that is retained. `None`
/// if no predecessor is found, which happens only if the layers contradict each other.
pub(crate) fn reconstruct<K: Key, const L: usize, const G: usize>(
    model: &Model<K, L, G>,
    search: &LayerSearch<K>,
    depth: usize,
    key: K,
    control: &Control<'_>,
) -> Option<PathSegment<K>> {
    let (mut boxes, mut player) = model.rank.position::<L>(key);
    let mut path = PathSegment { depth, key, pushes: Vec::with_capacity(depth) };
    while path.depth > search.first_retained {
        let layer = &search.layers[path.depth - 1];
        let mut failure = None;
        let known = |key: K| {
            layer.contains(key).unwrap_or_else(|error| {
                failure = Some(error);
                false
            })
        };
        let found = predecessor(model, search.side, boxes, player, known);
        if let Some(error) = failure {
            // An unreadable layer counts as freed.
            control.add_note(error.to_string());
            if found.is_none() {
                break;
            }
        }
        let (push, before, zone) = found?;
        path.pushes.push(push);
        (boxes, player) = (before, zone);
        path.depth -= 1;
    }
    path.key = model.rank.key(boxes, player);
    if search.side == Side::Forward {
        path.pushes.reverse();
    }
    Some(path)
}

impl<K> PathSegment<K> {
    /// Its pushes if it reaches the root; `None` if layers on the way were freed.
    pub(crate) fn complete(self) -> Option<Vec<Push>> {
        (self.depth == 0).then_some(self.pushes)
    }
}

impl<K: Key, const L: usize, const G: usize> LevelProver<K, L, G> {
    /// Reconstructs a shortest solution from a position that both sides share. Freed layers are rebuilt as often as
    /// necessary.
    pub(crate) fn reconstruct_solution(
        &mut self,
        key: K,
        length: u32,
        control: &Control<'_>,
        tick: &mut dyn FnMut(),
    ) -> ProofOutcome {
        let Some(search) = self.search.take() else { return ProofOutcome::ExpansionLimit };
        let limit = search.limit();
        let behind = search.backward.depth();
        let depths = [length as usize - behind, behind];
        let paths = [Side::Forward, Side::Backward]
            .map(|side| reconstruct(&self.model, search.side(side), depths[side as usize], key, control));
        let roots = [search.forward.root, search.backward.root];
        search.release(control);
        let mut pushes = Vec::new();
        for (side, path) in [Side::Forward, Side::Backward].into_iter().zip(paths) {
            let Some(mut path) = path else { return ProofOutcome::OptimalLength(length) };
            while path.depth > 0 {
                if control.upper() == Some(length) {
                    return ProofOutcome::OptimalLength(length);
                }
                let search = LayerSearch::new(&self.model, side, limit, roots[side as usize], control);
                let Some(earlier) = self.rebuild_layers(search, &path, control, tick) else {
                    return ProofOutcome::OptimalLength(length);
                };
                (path.depth, path.key) = (earlier.depth, earlier.key);
                path.pushes = match side {
                    Side::Forward => [earlier.pushes, path.pushes].concat(),
                    Side::Backward => [path.pushes, earlier.pushes].concat(),
                };
            }
            pushes.append(&mut path.pushes);
        }
        ProofOutcome::Optimal(pushes)
    }

    /// Rebuilds the layers of one side up to the position where a path was cut off, and traces the path further back.
    fn rebuild_layers(
        &mut self,
        mut search: LayerSearch<K>,
        path: &PathSegment<K>,
        control: &Control<'_>,
        tick: &mut dyn FnMut(),
    ) -> Option<PathSegment<K>> {
        let (model, expanders) = (&self.model, &mut self.expanders[search.side as usize][..]);
        let means = means(&model.options, self.journal.as_ref(), control);
        let mut context =
            SearchContext { model, expanders, tick, neighbourhood: None, expansion_limit: u64::MAX, means };
        while search.depth() < path.depth {
            if search.advance(&mut context) != LayerStep::Layer {
                search.release(control);
                return None;
            }
        }
        let earlier = reconstruct(&self.model, &search, path.depth, path.key, control);
        search.release(control);
        earlier.filter(|earlier| earlier.depth < path.depth)
    }
}

/// The push between a position and a known one of the layer before, and that position.
fn predecessor<K: Key, const L: usize, const G: usize>(
    model: &Model<K, L, G>,
    side: Side,
    boxes: Set<L>,
    player: usize,
    mut known: impl FnMut(K) -> bool,
) -> Option<(Push, Set<L>, usize)> {
    let board = &*model.board;
    let cells = model.cells(boxes);
    let zone = model.plane.zone(model.plane.floor.without(cells), player);
    for square in boxes.iter() {
        for direction in Direction::ALL {
            let step = &board.way(side.opposite()).steps[4 * square + direction as usize];
            if step.to == NONE || !zone.contains(step.reach.into()) || cells.contains(step.clear.into()) {
                continue;
            }
            let mut before = boxes;
            before.remove(square);
            before.insert(step.to.into());
            let free = model.plane.floor.without(model.cells(before));
            let lowest = model.plane.zone(free, step.lands.into()).lowest();
            if known(model.rank.key(before, lowest)) {
                let (from, direction) = match side {
                    Side::Forward => (usize::from(step.to), direction.opposite()),
                    Side::Backward => (square, direction),
                };
                return Some((Push { from: board.square(board.cell(from)), direction }, before, lowest));
            }
        }
    }
    None
}
