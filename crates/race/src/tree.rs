//! The tree of a feature-space search (FESS: Shoham and Schaeffer 2020).
//!
//! Every expanded position belongs to a cell of the feature space: a small tuple of features, taken from the best
//! score on its path, so that a temporary sacrifice stays in the good cell. A visit to a cell expands one move: the
//! one with the least weight on its path, then the best score. Every second visit goes to the cell of the best
//! position so far, the others go round all cells: half of the work goes to the front, and no cell starves.

use crate::descent::Descent;
use crate::features::{Child, Score};
use crate::macros::BoxMove;
use lurd_rules::ByKey;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

pub(super) const NONE: u32 = u32::MAX;

/// A move of an expanded position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Move {
    pub(super) step: BoxMove,
    /// Whether the moved box is removed from the board (backward search only).
    pub(super) removes: bool,
    /// 0 if an advisor suggests it.
    weight: u8,
    /// The position it leads to.
    pub(super) state: u32,
}

impl Move {
    /// The root of a tree.
    pub(super) fn root(step: BoxMove, state: u32) -> Self {
        Self { step, removes: false, weight: 0, state }
    }
}

/// A position that was generated.
#[derive(Clone, Copy, Debug)]
pub(super) struct State {
    pub(super) score: Score,
    /// The node that expanded it.
    pub(super) node: u32,
    pub(super) dead: bool,
}

impl State {
    /// Whether it may still be expanded.
    fn is_open(&self) -> bool {
        !self.dead && self.node == NONE
    }
}

/// An expanded position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub(super) parent: u32,
    state: u32,
    pub(super) step: BoxMove,
    pub(super) removes: bool,
    pub(super) key: u64,
    /// The best score on the path.
    pub(super) best: Score,
    first_move: u32,
    end_move: u32,
    /// The next move to expand; moves are sorted.
    cursor: u32,
    weight: u32,
    cell: u32,
}

/// A node in its cell's heap: least weight first, then best score of the move, then older.
type Entry = Reverse<(u32, Reverse<Score>, u32)>;

#[derive(Clone, Debug, Default)]
pub(super) struct Tree {
    words: usize,
    sets: Vec<u64>,
    pub(super) nodes: Vec<Node>,
    moves: Vec<Move>,
    states: Vec<State>,
    by_key: ByKey<u32>,
    cells: Vec<BinaryHeap<Entry>>,
    cell_of: ByKey<u32>,
    cursor: usize,
    to_best: bool,
    /// The node with the best score on its path.
    pub(super) best: u32,
    /// Selection by value instead of by cells.
    descent: Option<Box<Descent>>,
}

/// How a new node was reached.
#[derive(Clone, Copy, Debug)]
pub(super) struct Origin {
    pub(super) parent: u32,
    pub(super) via: Move,
    pub(super) key: u64,
}

impl Tree {
    /// An empty tree whose nodes keep `words` words each.
    pub(super) fn new(words: usize) -> Self {
        Self { words, best: NONE, ..Self::default() }
    }

    /// The same with selection by value; one visit in `interval` takes the next child in rotation.
    pub(super) fn by_value(words: usize, interval: usize) -> Self {
        Self { descent: Some(Box::new(Descent::new(interval as u32))), ..Self::new(words) }
    }

    /// Calls the selection by value, if this tree uses it; says whether it does.
    fn with_descent(&mut self, call: impl FnOnce(&mut Descent, &Self)) -> bool {
        let Some(mut descent) = self.descent.take() else { return false };
        call(&mut descent, self);
        self.descent = Some(descent);
        true
    }

    /// The words of a node.
    pub(super) fn set(&self, node: u32) -> &[u64] {
        &self.sets[node as usize * self.words..][..self.words]
    }

    pub(super) fn find(&self, key: u64) -> Option<u32> {
        self.by_key.get(&key).copied()
    }

    /// Inserts a state that is not known yet.
    pub(super) fn insert(&mut self, key: u64, score: Score) -> u32 {
        let state = self.states.len() as u32;
        self.states.push(State { score, node: NONE, dead: false });
        self.by_key.insert(key, state);
        state
    }

    pub(super) fn state(&self, state: u32) -> &State {
        &self.states[state as usize]
    }

    /// The moves of a node, in the order of expansion.
    pub(super) fn moves_of(&self, node: u32) -> &[Move] {
        let node = &self.nodes[node as usize];
        &self.moves[node.first_move as usize..node.end_move as usize]
    }

    /// Adds an expanded position with its children. `words` appends its set. Only moves in `advised` have no weight,
    /// and the first of at most two; without advice none has. `cell` turns a score into the key of a cell.
    pub(super) fn add(
        &mut self,
        origin: Origin,
        words: impl FnOnce(&mut Vec<u64>),
        children: &[Child],
        advised: Option<&[usize]>,
        cell: impl FnOnce(Score) -> u64,
    ) -> u32 {
        let number = self.nodes.len() as u32;
        words(&mut self.sets);
        debug_assert_eq!(self.sets.len(), self.nodes.len() * self.words + self.words);
        let few = children.len() <= 2;
        let is_free = |child: usize| advised.is_none_or(|advised| advised.contains(&child) || few && child == 0);
        let first_move = self.moves.len() as u32;
        self.moves.extend(children.iter().enumerate().map(|(number, child)| Move {
            step: child.step.box_move(),
            removes: child.removes,
            weight: u8::from(!is_free(number)),
            state: child.state,
        }));
        // A stable sort: among equals the first found goes first.
        self.moves[first_move as usize..]
            .sort_by_key(|step| (step.weight, Reverse(self.states[step.state as usize].score)));
        let state = origin.via.state;
        self.states[state as usize].node = number;
        let own = self.states[state as usize].score;
        let (weight, inherited) = match origin.parent {
            NONE => (0, 0),
            parent => {
                let parent = &self.nodes[parent as usize];
                (parent.weight + u32::from(origin.via.weight), parent.best)
            }
        };
        let best = own.max(inherited);
        let cell = if self.descent.is_some() { 0 } else { self.cell(cell(best)) };
        self.nodes.push(Node {
            parent: origin.parent,
            state,
            step: origin.via.step,
            removes: origin.via.removes,
            key: origin.key,
            best,
            first_move,
            end_move: self.moves.len() as u32,
            cursor: first_move,
            weight,
            cell,
        });
        if self.best == NONE || best > self.nodes[self.best as usize].best {
            self.best = number;
        }
        if !self.with_descent(|descent, tree| descent.add(tree, number)) {
            self.requeue(number);
        }
        number
    }

    fn cell(&mut self, key: u64) -> u32 {
        let next = self.cells.len() as u32;
        let cell = *self.cell_of.entry(key).or_insert(next);
        if cell == next {
            self.cells.push(BinaryHeap::new());
            self.cursor = next as usize;
        }
        cell
    }

    /// Queues a node in its cell under its next open move; a node without one is dead if all its moves are.
    fn requeue(&mut self, number: u32) {
        let node = &mut self.nodes[number as usize];
        let is_open = |&at: &u32| self.states[self.moves[at as usize].state as usize].is_open();
        node.cursor = (node.cursor..node.end_move).find(is_open).unwrap_or(node.end_move);
        if node.cursor < node.end_move {
            let step = &self.moves[node.cursor as usize];
            let weight = node.weight + u32::from(step.weight);
            let score = self.states[step.state as usize].score;
            self.cells[node.cell as usize].push(Reverse((weight, Reverse(score), number)));
        } else {
            self.propagate_dead(number);
        }
    }

    /// The next node and move to expand; none if there is nothing left.
    pub(super) fn select(&mut self) -> Option<(u32, Move)> {
        let mut chosen = None;
        if self.with_descent(|descent, tree| chosen = descent.select(tree)) {
            return chosen;
        }
        let count = self.cells.len();
        for _ in 0..2 * count + 2 {
            self.to_best = !self.to_best;
            let cell = if self.to_best && self.best != NONE {
                self.nodes[self.best as usize].cell as usize
            } else {
                let cell = self.cursor % count.max(1);
                self.cursor = (cell + 1) % count.max(1);
                cell
            };
            if cell < count
                && let Some(found) = self.pop(cell)
            {
                return Some(found);
            }
        }
        None
    }

    fn pop(&mut self, cell: usize) -> Option<(u32, Move)> {
        while let Some(Reverse((_, _, number))) = self.cells[cell].pop() {
            let node = &self.nodes[number as usize];
            if self.states[node.state as usize].dead {
                continue;
            }
            let step = self.moves[node.cursor as usize];
            let is_open = self.states[step.state as usize].is_open();
            self.nodes[number as usize].cursor += u32::from(is_open);
            self.requeue(number);
            if is_open {
                return Some((number, step));
            }
        }
        None
    }

    /// Marks a position as dead, and every node all of whose moves are.
    pub(super) fn mark_dead(&mut self, state: u32, parent: u32) {
        self.states[state as usize].dead = true;
        if parent != NONE {
            self.with_descent(|descent, tree| descent.back_up(tree, parent));
            self.propagate_dead(parent);
        }
    }

    fn propagate_dead(&mut self, mut number: u32) {
        while number != NONE {
            let node = &self.nodes[number as usize];
            let all_dead = self.moves_of(number).iter().all(|step| self.states[step.state as usize].dead);
            if !all_dead || self.states[node.state as usize].dead {
                return;
            }
            self.states[node.state as usize].dead = true;
            if self.best == number {
                self.find_best();
            }
            number = self.nodes[number as usize].parent;
        }
    }

    fn find_best(&mut self) {
        let live = |number: &u32| !self.states[self.nodes[*number as usize].state as usize].dead;
        self.best = (0..self.nodes.len() as u32)
            .filter(live)
            .max_by_key(|&number| (self.nodes[number as usize].best, Reverse(number)))
            .unwrap_or(NONE);
    }

    /// The nodes from a node to its root, both included.
    pub(super) fn path_to_root(&self, node: u32) -> impl Iterator<Item = &Node> {
        std::iter::successors(self.nodes.get(node as usize), |node| self.nodes.get(node.parent as usize))
    }

    pub(super) fn bytes(&self) -> usize {
        let heaps: usize = self.cells.iter().map(|cell| cell.capacity() * size_of::<Entry>()).sum();
        self.sets.capacity() * 8
            + self.nodes.capacity() * size_of::<Node>()
            + self.moves.capacity() * size_of::<Move>()
            + self.states.capacity() * size_of::<State>()
            + self.by_key.capacity() * (size_of::<(u64, u32)>() + 1) * 8 / 7
            + heaps
            + self.descent.as_ref().map_or(0, |descent| descent.bytes())
    }
}
