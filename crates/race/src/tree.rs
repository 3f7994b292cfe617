//! The tree of a feature-space search.
//!
//! Every expanded position is filed in a cell: a small tuple of features, taken from the best score
//! on its path, so that a passing sacrifice stays in the good cell. A visit to a cell hands out one move:
//! the one of least weight on its path, best score first. Every second visit goes to the cell of the
//! best position so far, the others go round all cells in turn: half of the work goes to the front,
//! and no cell starves (Shoham and Schaeffer, "The FESS algorithm", 2020).

use crate::descent::Descent;
use lurd_rules::{KeyHasher, Square};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};
use std::hash::BuildHasherDefault;

/// No node.
pub(super) const NONE: u32 = u32::MAX;

/// Features as one number, greater is better: the order of the fields is the order of importance.
pub(super) type Score = u64;

/// A move found at an expansion.
#[derive(Clone, Copy, Debug)]
pub(super) struct Move {
    pub(super) from: Square,
    pub(super) to: Square,
    pub(super) player: Square,
    /// Whether the moved box leaves the board (planning only).
    pub(super) removes: bool,
    /// 0 if an advisor named it.
    pub(super) weight: u8,
    /// The position it leads to.
    pub(super) state: u32,
}

/// A position met by anybody in this tree.
#[derive(Clone, Copy, Debug)]
pub(super) struct State {
    pub(super) score: Score,
    /// The node that expanded it.
    pub(super) node: u32,
    pub(super) dead: bool,
}

/// An expanded position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub(super) parent: u32,
    pub(super) state: u32,
    pub(super) from: Square,
    pub(super) to: Square,
    pub(super) player: Square,
    pub(super) removed: bool,
    pub(super) key: u64,
    /// The best score on the path.
    pub(super) best: Score,
    first_move: u32,
    end_move: u32,
    /// The next move to hand out; moves are sorted.
    cursor: u32,
    weight: u32,
    cell: u32,
}

/// A node in its cell's heap: least weight first, then best score of the move, then older.
type Entry = Reverse<(u32, Reverse<Score>, u32)>;

#[derive(Clone, Debug, Default)]
struct Cell {
    heap: BinaryHeap<Entry>,
}

type ByKey = HashMap<u64, u32, BuildHasherDefault<KeyHasher>>;

/// The tree.
#[derive(Clone, Debug)]
pub(super) struct Tree {
    words: usize,
    sets: Vec<u64>,
    pub(super) nodes: Vec<Node>,
    moves: Vec<Move>,
    states: Vec<State>,
    by_key: ByKey,
    cells: Vec<Cell>,
    cell_of: ByKey,
    cursor: usize,
    to_best: bool,
    best: u32,
    /// The choice by value, instead of by cells.
    descent: Option<Box<Descent>>,
}

/// How a new node came to be.
#[derive(Clone, Copy, Debug)]
pub(super) struct Origin {
    pub(super) parent: u32,
    pub(super) step: Move,
    pub(super) key: u64,
}

impl Tree {
    /// An empty tree whose nodes keep `words` words each.
    pub(super) fn new(words: usize) -> Self {
        Self {
            words,
            sets: Vec::new(),
            nodes: Vec::new(),
            moves: Vec::new(),
            states: Vec::new(),
            by_key: ByKey::default(),
            cells: Vec::new(),
            cell_of: ByKey::default(),
            cursor: 0,
            to_best: false,
            best: NONE,
            descent: None,
        }
    }

    /// The same, with the choice by value; one visit in so many goes to the next child in turn.
    pub(super) fn by_value(words: usize, every: usize) -> Self {
        Self { descent: Some(Box::new(Descent::new(every as u32))), ..Self::new(words) }
    }

    /// Calls the choice by value to something, if that is how this tree chooses; says whether it is.
    fn descending(&mut self, call: impl FnOnce(&mut Descent, &Self)) -> bool {
        let Some(mut descent) = self.descent.take() else { return false };
        call(&mut descent, self);
        self.descent = Some(descent);
        true
    }

    /// The words of a node.
    pub(super) fn set(&self, node: u32) -> &[u64] {
        &self.sets[node as usize * self.words..][..self.words]
    }

    /// The node whose path has the best score.
    pub(super) fn best(&self) -> u32 {
        self.best
    }

    /// The state of a key, if it is known.
    pub(super) fn find(&self, key: u64) -> Option<u32> {
        self.by_key.get(&key).copied()
    }

    /// Files a state that is not known yet.
    pub(super) fn file(&mut self, key: u64, score: Score) -> u32 {
        let state = self.states.len() as u32;
        self.states.push(State { score, node: NONE, dead: false });
        self.by_key.insert(key, state);
        state
    }

    pub(super) fn state(&self, state: u32) -> &State {
        &self.states[state as usize]
    }

    /// The moves of a node, in the order they are handed out.
    pub(super) fn moves_of(&self, node: u32) -> &[Move] {
        let node = &self.nodes[node as usize];
        &self.moves[node.first_move as usize..node.end_move as usize]
    }

    /// Adds an expanded position. `words` appends its set; `moves` are sorted here. `cell` turns a
    /// score into the key of a cell.
    pub(super) fn add(
        &mut self,
        origin: Origin,
        words: impl FnOnce(&mut Vec<u64>),
        moves: &mut [Move],
        cell: impl FnOnce(Score) -> u64,
    ) -> u32 {
        let number = self.nodes.len() as u32;
        words(&mut self.sets);
        debug_assert_eq!(self.sets.len(), self.nodes.len() * self.words + self.words);
        // A stable sort: among equals the first found goes first.
        moves.sort_by_key(|step| (step.weight, Reverse(self.states[step.state as usize].score)));
        let first_move = self.moves.len() as u32;
        self.moves.extend_from_slice(moves);
        let state = origin.step.state;
        self.states[state as usize].node = number;
        let own = self.states[state as usize].score;
        let (weight, inherited) = match origin.parent {
            NONE => (0, 0),
            parent => {
                let parent = &self.nodes[parent as usize];
                (parent.weight + u32::from(origin.step.weight), parent.best)
            }
        };
        let best = own.max(inherited);
        let cell = if self.descent.is_some() { 0 } else { self.cell(cell(best)) };
        self.nodes.push(Node {
            parent: origin.parent,
            state,
            from: origin.step.from,
            to: origin.step.to,
            player: origin.step.player,
            removed: origin.step.removes,
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
        if !self.descending(|descent, tree| descent.add(tree, number)) {
            self.put_back(number);
        }
        number
    }

    fn cell(&mut self, key: u64) -> u32 {
        let next = self.cells.len() as u32;
        let cell = *self.cell_of.entry(key).or_insert(next);
        if cell == next {
            self.cells.push(Cell::default());
            self.cursor = next as usize;
        }
        cell
    }

    /// Files a node in its cell under its next live move; a node without one dies if all its moves have.
    fn put_back(&mut self, number: u32) {
        let node = &self.nodes[number as usize];
        let (mut cursor, end) = (node.cursor, node.end_move);
        while cursor < end {
            let state = &self.states[self.moves[cursor as usize].state as usize];
            if !state.dead && state.node == NONE {
                break;
            }
            cursor += 1;
        }
        let node = &mut self.nodes[number as usize];
        node.cursor = cursor;
        if cursor < end {
            let step = &self.moves[cursor as usize];
            let weight = node.weight + u32::from(step.weight);
            let score = self.states[step.state as usize].score;
            let cell = node.cell as usize;
            self.cells[cell].heap.push(Reverse((weight, Reverse(score), number)));
        } else {
            self.check(number);
        }
    }

    /// The next node and move to expand; none if there is nothing left.
    pub(super) fn select(&mut self) -> Option<(u32, Move)> {
        let mut chosen = None;
        if self.descending(|descent, tree| chosen = descent.select(tree)) {
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
                && let Some(found) = self.take(cell)
            {
                return Some(found);
            }
        }
        None
    }

    fn take(&mut self, cell: usize) -> Option<(u32, Move)> {
        while let Some(Reverse((_, _, number))) = self.cells[cell].heap.pop() {
            let node = &self.nodes[number as usize];
            if self.states[node.state as usize].dead {
                continue;
            }
            let step = self.moves[node.cursor as usize];
            let state = &self.states[step.state as usize];
            let live = !state.dead && state.node == NONE;
            self.nodes[number as usize].cursor += u32::from(live);
            self.put_back(number);
            if live {
                return Some((number, step));
            }
        }
        None
    }

    /// A position is dead, and so is every node all of whose moves are.
    pub(super) fn kill(&mut self, state: u32, parent: u32) {
        self.states[state as usize].dead = true;
        if parent != NONE {
            self.descending(|descent, tree| descent.back_up(tree, parent));
            self.check(parent);
        }
    }

    fn check(&mut self, mut number: u32) {
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

    /// The nodes from the root to a node, both included.
    pub(super) fn path(&self, node: u32) -> Vec<u32> {
        let mut path = vec![node];
        let mut parent = self.nodes[node as usize].parent;
        while parent != NONE {
            path.push(parent);
            parent = self.nodes[parent as usize].parent;
        }
        path.reverse();
        path
    }

    /// Bytes it holds.
    pub(super) fn bytes(&self) -> usize {
        let heaps: usize = self.cells.iter().map(|cell| cell.heap.capacity() * size_of::<Entry>()).sum();
        self.sets.capacity() * 8
            + self.nodes.capacity() * size_of::<Node>()
            + self.moves.capacity() * size_of::<Move>()
            + self.states.capacity() * size_of::<State>()
            + self.by_key.capacity() * (size_of::<(u64, u32)>() + 1) * 8 / 7
            + heaps
            + self.descent.as_ref().map_or(0, |descent| descent.bytes())
    }
}
