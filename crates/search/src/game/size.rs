//! How large a game is, counted without playing all of it.

use super::{Game, Side};
use std::collections::{HashMap, HashSet};

/// The size of the tree of all lines of play from a position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TreeSize {
    /// Nodes: exactly what plain minimax visits.
    pub nodes: u64,
    /// Nodes in which the game is over.
    pub ends: u64,
    /// Nodes at each depth, the root at depth 0.
    pub by_depth: Vec<u64>,
}

/// Counts the nodes plain minimax visits, exactly, by adding up the sizes of subtrees
/// that occur many times instead of walking each of them.
pub fn tree_size<G: Game>(game: &G, position: &G::Position) -> TreeSize {
    let mut known = HashMap::new();
    subtree(game, position, &mut known)
}

type Sizes<G> = HashMap<(<G as Game>::Key, Side), TreeSize>;

fn subtree<G: Game>(game: &G, position: &G::Position, known: &mut Sizes<G>) -> TreeSize {
    if game.end_value(position).is_some() {
        return TreeSize { nodes: 1, ends: 1, by_depth: vec![1] };
    }
    let key = (game.key(position), game.side_to_move(position));
    if let Some(size) = known.get(&key) {
        return size.clone();
    }
    let mut size = TreeSize { nodes: 1, ends: 0, by_depth: vec![1] };
    let mut moves = Vec::new();
    game.moves(position, &mut moves);
    for mv in moves {
        let child = subtree(game, &game.play(position, mv), known);
        size.nodes += child.nodes;
        size.ends += child.ends;
        if size.by_depth.len() <= child.by_depth.len() {
            size.by_depth.resize(child.by_depth.len() + 1, 0);
        }
        for (total, nodes) in size.by_depth[1..].iter_mut().zip(&child.by_depth) {
            *total += nodes;
        }
    }
    known.insert(key, size.clone());
    size
}

/// How many different positions can come up from `position` on, at each depth; with
/// `position` itself and ended games. A position that comes up at two depths counts at the first.
pub fn positions<G: Game>(game: &G, position: &G::Position) -> Vec<u64> {
    let mut seen = HashSet::from([(game.key(position), game.side_to_move(position))]);
    let mut layer = vec![position.clone()];
    let mut counts = Vec::new();
    let mut moves = Vec::new();
    while !layer.is_empty() {
        counts.push(layer.len() as u64);
        let mut next = Vec::new();
        for position in layer.iter().filter(|position| game.end_value(position).is_none()) {
            moves.clear();
            game.moves(position, &mut moves);
            for &mv in &moves {
                let child = game.play(position, mv);
                if seen.insert((game.key(&child), game.side_to_move(&child))) {
                    next.push(child);
                }
            }
        }
        layer = next;
    }
    counts
}
