//! Choosing what to expand by value: down from the root to the most promising leaf.
//!
//! The value of a node is that of the best position below it that waits to be expanded, so the way down always ends
//! there; but once in so many visits a node sends the search to its next child in turn, whatever that is worth,
//! so that a valuation that is wrong somewhere does not starve the rest. For this the tree must be a tree: a position
//! belongs to the node that found it first.

use crate::tree::{Move, NONE, Score, Tree};

/// What a node knows of what is below it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Branch {
    /// The best value of a position below that waits; zero if none does.
    value: Score,
    visits: u32,
    /// The place of the child whose turn comes next.
    turn: u32,
}

/// The choice by value.
#[derive(Clone, Debug)]
pub(super) struct Descent {
    /// One visit in so many goes to the next child in turn.
    every: u32,
    branches: Vec<Branch>,
    roots: Vec<u32>,
}

impl Descent {
    pub(super) fn new(every: u32) -> Self {
        Self { every: every.max(2), branches: Vec::new(), roots: Vec::new() }
    }

    pub(super) fn bytes(&self) -> usize {
        self.branches.capacity() * size_of::<Branch>()
    }

    /// Takes in a node that was just added.
    pub(super) fn add(&mut self, tree: &Tree, number: u32) {
        debug_assert_eq!(self.branches.len(), number as usize);
        self.branches.push(Branch { value: 0, visits: 0, turn: 0 });
        if tree.nodes[number as usize].parent == NONE {
            self.roots.push(number);
        }
        self.back_up(tree, number);
    }

    /// Values a node and everything above it anew.
    pub(super) fn back_up(&mut self, tree: &Tree, mut number: u32) {
        while number != NONE {
            let best = tree.moves_of(number).iter().map(|step| self.value(tree, number, step)).max().unwrap_or(0);
            self.branches[number as usize].value = best;
            number = tree.nodes[number as usize].parent;
        }
    }

    /// What a move of a node leads to at best; zero if nothing waits there.
    fn value(&self, tree: &Tree, number: u32, step: &Move) -> Score {
        let state = tree.state(step.state);
        match state.node {
            _ if state.dead => 0,
            NONE => state.score.max(1),
            node if tree.nodes[node as usize].parent == number => self.branches[node as usize].value,
            _ => 0,
        }
    }

    /// The next node and move to expand; none if nothing waits.
    pub(super) fn select(&mut self, tree: &Tree) -> Option<(u32, Move)> {
        let open = self.roots.iter().copied().filter(|&root| self.branches[root as usize].value > 0);
        let mut number = open.min_by_key(|&root| self.branches[root as usize].visits)?;
        loop {
            let moves = tree.moves_of(number);
            let branch = &mut self.branches[number as usize];
            branch.visits += 1;
            let in_turn = branch.visits.is_multiple_of(self.every);
            let first = branch.turn as usize;
            let step = if in_turn {
                // The first from its turn on below which something waits.
                let place = (0..moves.len())
                    .map(|offset| (first + offset) % moves.len())
                    .find(|&place| self.value(tree, number, &moves[place]) > 0)?;
                self.branches[number as usize].turn = place as u32 + 1;
                moves[place]
            } else {
                let best = self.branches[number as usize].value;
                *moves.iter().find(|step| self.value(tree, number, step) == best)?
            };
            match tree.state(step.state).node {
                NONE => return Some((number, step)),
                node => number = node,
            }
        }
    }
}
