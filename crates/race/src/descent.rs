//! Selection by value: down from the root to the most promising leaf.
//!
//! The value of a node is that of the best open position below it, backed up to the root (as the solver Festival does
//! with its value function; Shoham). The descent follows the best value; but one visit in `interval` takes the next
//! child in rotation, whatever its value, so that a value function that is wrong somewhere does not starve the rest.
//! This needs a tree: a position belongs to the node that found it first.

use crate::features::Score;
use crate::tree::{Move, NONE, Tree};

/// The statistics of a node.
#[derive(Clone, Copy, Debug)]
struct Branch {
    /// The best value of an open position below; zero if there is none.
    value: Score,
    visits: u32,
    rotation: u32,
}

#[derive(Clone, Debug)]
pub(super) struct Descent {
    /// One visit in so many takes the next child in rotation.
    interval: u32,
    branches: Vec<Branch>,
    roots: Vec<u32>,
}

impl Descent {
    pub(super) fn new(interval: u32) -> Self {
        Self { interval: interval.max(2), branches: Vec::new(), roots: Vec::new() }
    }

    pub(super) fn bytes(&self) -> usize {
        self.branches.capacity() * size_of::<Branch>()
    }

    /// Takes in a node that was just added.
    pub(super) fn add(&mut self, tree: &Tree, number: u32) {
        debug_assert_eq!(self.branches.len(), number as usize);
        self.branches.push(Branch { value: 0, visits: 0, rotation: 0 });
        if tree.nodes[number as usize].parent == NONE {
            self.roots.push(number);
        }
        self.back_up(tree, number);
    }

    /// Recomputes the values of a node and of all its ancestors.
    pub(super) fn back_up(&mut self, tree: &Tree, mut number: u32) {
        while number != NONE {
            let best = tree.moves_of(number).iter().map(|step| self.value(tree, number, step)).max().unwrap_or(0);
            self.branches[number as usize].value = best;
            number = tree.nodes[number as usize].parent;
        }
    }

    /// The best value a move of a node leads to; zero if nothing is open there.
    fn value(&self, tree: &Tree, number: u32, step: &Move) -> Score {
        let state = tree.state(step.state);
        match state.node {
            _ if state.dead => 0,
            NONE => state.score.max(1),
            node if tree.nodes[node as usize].parent == number => self.branches[node as usize].value,
            _ => 0,
        }
    }

    /// The next node and move to expand; none if nothing is open.
    pub(super) fn select(&mut self, tree: &Tree) -> Option<(u32, Move)> {
        let open = self.roots.iter().copied().filter(|&root| self.branches[root as usize].value > 0);
        let mut number = open.min_by_key(|&root| self.branches[root as usize].visits)?;
        loop {
            let moves = tree.moves_of(number);
            let branch = &mut self.branches[number as usize];
            branch.visits += 1;
            let step = if branch.visits.is_multiple_of(self.interval) {
                let first = branch.rotation as usize;
                let place = (0..moves.len())
                    .map(|offset| (first + offset) % moves.len())
                    .find(|&place| self.value(tree, number, &moves[place]) > 0)?;
                self.branches[number as usize].rotation = place as u32 + 1;
                moves[place]
            } else {
                let best = branch.value;
                *moves.iter().find(|step| self.value(tree, number, step) == best)?
            };
            match tree.state(step.state).node {
                NONE => return Some((number, step)),
                node => number = node,
            }
        }
    }
}
