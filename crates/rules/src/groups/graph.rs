//! All states of `J` boxes alone on the board and the steps between them, in memory.
//!
//! The graph is made once; a search over it knows nothing of squares. A step begins with the player beside its box and ends
//! with the player beside it, so its tail and its head are slots of their sets.

use crate::dense::board::{DenseBoard, NONE, Side};
use crate::groups::board::{GroupBoard, to_targets};
use crate::groups::queue::BucketQueue;
use crate::groups::subsets::{MOST, Ranks, Subsets, moved};

/// No node: the cell of the slot is a wall or a box.
pub const NOWHERE: u32 = u32::MAX;

/// A node that a search has not reached.
pub const UNREACHED: u16 = u16::MAX;

/// How often a long computation asks whether to stop, in sets.
const POLL: usize = 1 << 12;

/// What an edge costs.
pub trait EdgeCost: Copy + Default {
    fn cost(self) -> u16;
}

impl EdgeCost for () {
    #[inline]
    fn cost(self) -> u16 {
        1
    }
}

impl EdgeCost for u8 {
    #[inline]
    fn cost(self) -> u16 {
        self.into()
    }
}

/// The graph of the sets of `J` boxes. An edge takes four bytes, and as many again if it has a cost.
#[derive(Debug)]
pub struct Graph<const J: usize, const G: usize, E = ()> {
    pub board: GroupBoard<G>,
    pub ranks: Ranks,
    /// The node of each slot, by `4 * J * rank of the set + slot`.
    slots: Vec<u32>,
    /// The rows of distances of the boxes of each node.
    pub rows: Vec<[u16; J]>,
    /// Where the edges of each node begin.
    first: Vec<u32>,
    edges: Vec<(u32, E)>,
}

impl<const J: usize, const G: usize, E: EdgeCost> Graph<J, G, E> {
    /// Makes the graph of the steps of a side, unless told to stop. Edges lead from the state before a step to that after
    /// it, or the other way if `reversed`. `cost` is asked with the number of the step in the table of that side.
    pub fn new(
        board: &DenseBoard,
        steps_of: Side,
        reversed: bool,
        cost: impl Fn(usize) -> E,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Option<Self> {
        let live = board.live_count();
        let (group, ranks) = (GroupBoard::new(board, steps_of), Ranks::new(live));
        let mut slots = vec![NOWHERE; ranks.count(J) * 4 * J];
        let mut rows = Vec::new();
        for (number, squares) in Subsets::new(J, live).enumerate() {
            if number % POLL == POLL - 1 && stop() {
                return None;
            }
            let squares = &squares[..J];
            let slots = &mut slots[ranks.rank(squares) * 4 * J..][..4 * J];
            let any = |_, cell: u16| Some(cell);
            group.each_zone(squares, any, |cell, _, zone_slots| {
                zone_slots.for_each(|slot| slots[slot] = rows.len() as u32);
                rows.push(std::array::from_fn(|place| board.row_at(squares[place].into(), cell.into())));
            });
        }
        let first = vec![0; rows.len() + 1];
        let mut graph = Self { board: group, ranks, slots, rows, first, edges: Vec::new() };
        let flip = usize::from(steps_of == Side::Forward);
        graph.connect(live, reversed, |arrival| cost(arrival ^ flip), stop).then_some(graph)
    }

    /// Finds the edges, counting them first. `false` if told to stop.
    fn connect(
        &mut self,
        live: usize,
        reversed: bool,
        cost: impl Fn(usize) -> E,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> bool {
        let mut filled: Vec<u32> = Vec::new();
        for counting in [true, false] {
            for (number, squares) in Subsets::new(J, live).enumerate() {
                if number % POLL == POLL - 1 && stop() {
                    return false;
                }
                let base = self.ranks.rank(&squares[..J]) * 4 * J;
                for slot in 0..4 * J {
                    let before = self.slots[base + slot];
                    if before == NOWHERE {
                        continue;
                    }
                    let after = self.after_step(&squares, slot);
                    if after == NOWHERE {
                        continue;
                    }
                    let (tail, head) = if reversed { (after, before) } else { (before, after) };
                    if counting {
                        self.first[tail as usize + 1] += 1;
                    } else {
                        let cost = cost(4 * usize::from(squares[slot / 4]) + slot % 4);
                        self.edges[filled[tail as usize] as usize] = (head, cost);
                        filled[tail as usize] += 1;
                    }
                }
            }
            if counting {
                for node in 1..self.first.len() {
                    self.first[node] += self.first[node - 1];
                }
                filled = self.first.clone();
                self.edges = vec![(0, E::default()); self.first.last().copied().unwrap_or(0) as usize];
            }
        }
        true
    }

    /// The node to which the step leads that begins with the player at a slot.
    fn after_step(&self, squares: &[u16; MOST], slot: usize) -> u32 {
        let step = self.board.step(squares[slot / 4], slot % 4);
        // A push may not lead onto a box. The cell behind a pull is that of the slot after it: with a box it has no node.
        if step.to == NONE || squares[..J].contains(&step.to) {
            return NOWHERE;
        }
        let (next, place) = moved(squares, J, slot / 4, step.to);
        self.slots[self.ranks.rank(&next[..J]) * 4 * J + 4 * place + usize::from(step.arrival % 4)]
    }

    /// How many nodes and edges there are.
    pub fn size(&self) -> usize {
        self.rows.len() + self.edges.len()
    }

    /// The node of a slot of a set, or [`NOWHERE`].
    #[inline]
    pub fn node(&self, rank: usize, slot: usize) -> u32 {
        self.slots[rank * 4 * J + slot]
    }

    /// Where a search for a side begins with boxes on some of its target squares, given by their numbers.
    pub fn target_nodes(&self, board: &DenseBoard, side: Side, numbers: [u16; J]) -> Vec<u32> {
        let mut squares = numbers;
        to_targets(board, side, &mut squares);
        let rank = self.ranks.rank(&squares);
        let node = |zone| self.board.slots(&squares, zone).first().map(|slot| self.node(rank, slot));
        self.board.target_zones(board, side, &squares).filter_map(node).collect()
    }

    /// Finds the least cost of a path to every node from any of the seeds; [`UNREACHED`] where there is none. `visit` is
    /// called with every node and its cost, in order of cost; if it returns `false`, so does the search, at once.
    ///
    /// Costs above the largest number below [`UNREACHED`] count as that one: a cost is never too large.
    pub fn search(
        &self,
        seeds: &[u32],
        costs: &mut [u16],
        queue: &mut BucketQueue<u32>,
        mut visit: impl FnMut(u32, u16) -> bool,
    ) -> bool {
        costs.fill(UNREACHED);
        queue.clear();
        for &node in seeds {
            costs[node as usize] = 0;
            queue.push(0, node);
        }
        while let Some((cost, node)) = queue.pop() {
            let here = cost as u16;
            if costs[node as usize] != here {
                continue;
            }
            if !visit(node, here) {
                return false;
            }
            let edges = self.first[node as usize] as usize..self.first[node as usize + 1] as usize;
            for &(next, edge) in &self.edges[edges] {
                let cost = here.saturating_add(edge.cost()).min(UNREACHED - 1);
                if cost < costs[next as usize] {
                    costs[next as usize] = cost;
                    queue.push(cost.into(), next);
                }
            }
        }
        true
    }
}
