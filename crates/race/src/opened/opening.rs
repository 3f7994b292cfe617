//! The opening: a few pushes that free the player as far as possible.
//!
//! In a lattice of boxes the player is locked in. A search from the start, best-first by the size of his zone less a price
//! for each push, finds the *opened position*, the target of the pulls. Every position it generates is known with the way
//! to it, so a pull search that meets any of them has found a solution.

use crate::opened::scene::Grid;
use crate::strategy::HaltPoller;
use lurd_base::random::SplitMix64;
use lurd_level::Direction;
use lurd_rules::cuts::Rule;
use lurd_rules::dense::board::{DenseBoard, NONE, Side};
use lurd_rules::dense::set::Set;
use lurd_rules::{ByKey, Figures, Push};
use std::collections::BinaryHeap;
use std::collections::hash_map::Entry;

/// Positions expanded at most.
const EXPANSIONS: usize = 3_000;

/// How an opening weighs pushes against room for the player.
#[derive(Clone, Copy, Debug)]
pub(super) struct OpeningOptions {
    /// The free cells that a push must win, in hundredths.
    price: i32,
    /// The range of random numbers added to a key, in hundredths of cells.
    noise: usize,
    seed: u64,
}

impl OpeningOptions {
    /// The first opening is the plain one; others have other prices and much chance.
    pub(super) fn of_run(run: u64) -> Self {
        let price = [100, 100, 60, 160, 230, 30][run as usize % 6];
        Self { price, noise: if run == 0 { 30 } else { 500 }, seed: run + 1 }
    }
}

#[derive(Clone, Debug)]
struct Node<const G: usize> {
    boxes: Set<G>,
    boxes_key: u64,
    player: u16,
    parent: u32,
    /// The push that led here, as the live square and direction before it.
    push: u16,
    depth: u16,
}

/// An opening: its last position and the ways to all positions on its way.
pub(super) struct Opening<const G: usize> {
    nodes: Vec<Node<G>>,
    known: ByKey<u32>,
    opened: u32,
}

impl<const G: usize> Opening<G> {
    /// `None` after a halt.
    pub(super) fn new(
        grid: &Grid<G>,
        options: OpeningOptions,
        figures: &mut Figures,
        poller: &mut HaltPoller<'_>,
    ) -> Option<Self> {
        let Grid { board, plane, rules, keys, .. } = grid;
        let mut random = SplitMix64::new(options.seed);
        let starts: Set<G> = board.starts().iter().map(|&square| board.cell(square.into())).collect();
        let boxes_key = starts.iter().fold(0, |key, cell| key ^ keys.of_box(cell));
        let player = board.start_player() as u16;
        let root = Node { boxes: starts, boxes_key, player, parent: u32::MAX, push: 0, depth: 0 };
        let zone = plane.zone(plane.floor.without(starts), player.into());
        let key = keys.position(boxes_key, zone.lowest());
        let mut opening = Self { nodes: vec![root], known: std::iter::once((key, 0)).collect(), opened: 0 };
        let mut open = BinaryHeap::from([(0, 0)]);
        let mut best = i32::MIN;
        let mut expanded = 0;
        while let Some((_, id)) = open.pop().filter(|_| expanded < EXPANSIONS) {
            expanded += 1;
            figures.expanded += 1;
            let Node { boxes, boxes_key, player, depth, .. } = opening.nodes[id as usize];
            let zone = plane.zone(plane.floor.without(boxes), player.into());
            let value = 100 * zone.len() as i32 - options.price * i32::from(depth);
            if value > best {
                (best, opening.opened) = (value, id);
            }
            for cell in boxes.and(plane.beside(zone)).iter() {
                let square = usize::from(board.live_at(cell));
                if square == usize::from(NONE) {
                    continue;
                }
                for push in 4 * square..4 * square + 4 {
                    let step = board.way(Side::Forward).steps[push];
                    if step.to == NONE || !zone.contains(step.reach.into()) || boxes.contains(step.clear.into()) {
                        continue;
                    }
                    if !poller.take() || poller.poll(figures.generated) {
                        return None;
                    }
                    figures.generated += 1;
                    let to = board.cell(step.to.into());
                    let mut after = boxes;
                    after.remove(cell);
                    after.insert(to);
                    let zone = plane.zone(plane.floor.without(after), cell);
                    let boxes_key = boxes_key ^ keys.of_box(cell) ^ keys.of_box(to);
                    let Entry::Vacant(place) = opening.known.entry(keys.position(boxes_key, zone.lowest())) else {
                        figures.duplicates += 1;
                        continue;
                    };
                    if rules.is_frozen(after) {
                        figures.cuts.count(Rule::Freeze);
                        continue;
                    }
                    let child = opening.nodes.len() as u32;
                    place.insert(child);
                    let (parent, push, depth) = (id, push as u16, depth + 1);
                    opening.nodes.push(Node { boxes: after, boxes_key, player: cell as u16, parent, push, depth });
                    let noise = random.below(options.noise + 1) as i32;
                    open.push((100 * zone.len() as i32 - 2 * options.price * i32::from(depth) - noise, child));
                }
            }
        }
        Some(opening)
    }

    /// The boxes of the opened position, as live squares.
    pub(super) fn squares(&self, board: &DenseBoard) -> Vec<u16> {
        self.nodes[self.opened as usize].boxes.iter().map(|cell| board.live_at(cell)).collect()
    }

    /// The number of its positions.
    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The position with this key.
    #[inline]
    pub(super) fn find(&self, key: u64) -> Option<u32> {
        self.known.get(&key).copied()
    }

    /// The pushes from the start to a position.
    pub(super) fn pushes_to(&self, board: &DenseBoard, position: u32) -> Vec<Push> {
        let node = |id: u32| &self.nodes[id as usize];
        let path = std::iter::successors(Some(position), |&id| Some(node(id).parent));
        let mut pushes: Vec<Push> = path
            .take_while(|&id| node(id).parent != u32::MAX)
            .map(|id| {
                let push = usize::from(node(id).push);
                Push { from: board.square(board.cell(push / 4)), direction: Direction::ALL[push % 4] }
            })
            .collect();
        pushes.reverse();
        pushes
    }

    pub(super) fn bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<Node<G>>() + self.known.capacity() * 13
    }
}
