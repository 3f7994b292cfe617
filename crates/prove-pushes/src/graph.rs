//! All positions of a few boxes alone on the board, and how pulls lead from one to another.
//!
//! A node is a set of `J` live squares with a zone of the player. The floor is connected, so every zone touches
//! one of the boxes: a node is found by a set and a cell beside one of its boxes, a *slot*. A pull starts
//! with the player beside the box on the side he pulls to, which is a slot too; so the edges of a node are
//! read off its slots. The graph is made once, and a breadth-first search over it knows nothing of squares.
//! For ways from the start every edge is turned round: what a pull undoes is a push.

use lurd_rules::dense::board::{DenseBoard, NONE, Plane, Side};
use lurd_rules::dense::set::Set;
use lurd_rules::groups::subsets::{MOST, Ranks, Subsets, moved};

/// No node: a wall or a box is there.
pub(crate) const NOWHERE: u32 = u32::MAX;

/// How often a long computation looks whether it is to stop.
const LOOK: usize = 1 << 12;

/// The graph of the sets of `J` boxes.
#[derive(Debug)]
pub(crate) struct Graph<const J: usize> {
    pub(crate) ranks: Ranks,
    /// The node of each slot, by `number of the set * 4 J + 4 * place of the box + direction`.
    pub(crate) slots: Vec<u32>,
    /// The rows of distances of the boxes of each node.
    pub(crate) rows: Vec<[u16; J]>,
    /// Where the edges of each node begin.
    first: Vec<u32>,
    heads: Vec<u32>,
}

impl<const J: usize> Graph<J> {
    /// Nodes and edges for `sets` sets, about; and bytes they take.
    pub(crate) fn forecast(board: &DenseBoard) -> (usize, usize) {
        let ranks = Ranks::new(board.live_count());
        let sets = ranks.count(J);
        let size = sets.saturating_mul(4 * J) / 2;
        (size, size.saturating_mul(16))
    }

    /// Makes the graph, unless told to stop: its edges lead away from what the side looks for.
    pub(crate) fn new<const G: usize>(
        board: &DenseBoard,
        side: Side,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Option<Self> {
        let live = board.live_count();
        let ranks = Ranks::new(live);
        let plane: Plane<G> = board.plane();
        let mut slots = vec![NOWHERE; ranks.count(J) * 4 * J];
        let mut rows = Vec::new();
        let subsets = Subsets::new(J, live);
        let mut looks = 0usize;
        for squares in subsets {
            looks += 1;
            if looks.is_multiple_of(LOOK) && stop() {
                return None;
            }
            let squares = &squares[..J];
            let mut free = plane.floor;
            squares.iter().for_each(|&square| free.remove(board.cell(square.into())));
            let slots = &mut slots[ranks.rank(squares) * 4 * J..][..4 * J];
            for slot in 0..4 * J {
                let cell = beside(board, squares, slot);
                if slots[slot] != NOWHERE || cell == NONE || !free.contains(cell.into()) {
                    continue;
                }
                let zone = plane.zone(free, cell.into());
                let node = rows.len() as u32;
                for (other, slot) in slots.iter_mut().enumerate().skip(slot) {
                    let cell = beside(board, squares, other);
                    if cell != NONE && zone.contains(cell.into()) {
                        *slot = node;
                    }
                }
                rows.push(std::array::from_fn(|place| board.row_at(squares[place].into(), cell.into())));
            }
        }
        let mut graph = Self { ranks, slots, first: vec![0; rows.len() + 1], rows, heads: Vec::new() };
        if !graph.join(board, stop) {
            return None;
        }
        if side == Side::Backward {
            graph.turn();
        }
        Some(graph)
    }

    /// Turns every edge round.
    fn turn(&mut self) {
        let mut first = vec![0u32; self.first.len()];
        self.heads.iter().for_each(|&head| first[head as usize + 1] += 1);
        for node in 1..first.len() {
            first[node] += first[node - 1];
        }
        let mut filled = first.clone();
        let mut heads = vec![0u32; self.heads.len()];
        for node in 0..self.rows.len() as u32 {
            for &head in self.next(node) {
                heads[filled[head as usize] as usize] = node;
                filled[head as usize] += 1;
            }
        }
        (self.first, self.heads) = (first, heads);
    }

    /// Finds the edges, counting them first. `false` if told to stop.
    fn join(&mut self, board: &DenseBoard, stop: &(dyn Fn() -> bool + Sync)) -> bool {
        let mut filled: Vec<u32> = Vec::new();
        for counting in [true, false] {
            let subsets = Subsets::new(J, board.live_count());
            let mut looks = 0usize;
            for squares in subsets {
                looks += 1;
                if looks.is_multiple_of(LOOK) && stop() {
                    return false;
                }
                let base = self.ranks.rank(&squares[..J]) * 4 * J;
                for slot in 0..4 * J {
                    let node = self.slots[base + slot];
                    if node == NOWHERE {
                        continue;
                    }
                    let head = self.pulled(board, &squares, slot);
                    if head == NOWHERE {
                        continue;
                    }
                    if counting {
                        self.first[node as usize + 1] += 1;
                    } else {
                        self.heads[filled[node as usize] as usize] = head;
                        filled[node as usize] += 1;
                    }
                }
            }
            if counting {
                for node in 1..self.first.len() {
                    self.first[node] += self.first[node - 1];
                }
                filled = self.first.clone();
                self.heads = vec![0; self.first.last().copied().unwrap_or(0) as usize];
            }
        }
        true
    }

    /// Where the pull that starts from a slot leads.
    fn pulled(&self, board: &DenseBoard, squares: &[u16; MOST], slot: usize) -> u32 {
        let step = &board.way(Side::Backward).steps[4 * usize::from(squares[slot / 4]) + slot % 4];
        if step.to == NONE {
            return NOWHERE;
        }
        let beyond = board.live_at(step.clear.into());
        if beyond != NONE && squares[..J].contains(&beyond) {
            return NOWHERE;
        }
        let (next, place) = moved(squares, J, slot / 4, step.to);
        self.slots[self.ranks.rank(&next[..J]) * 4 * J + 4 * place + usize::from(step.arrival % 4)]
    }

    /// Nodes and edges.
    pub(crate) fn size(&self) -> usize {
        self.rows.len() + self.heads.len()
    }

    /// The nodes of a set in ascending order, one for each zone.
    pub(crate) fn nodes(&self, squares: &[u16]) -> Vec<u32> {
        let mut nodes = self.slots[self.ranks.rank(squares) * 4 * J..][..4 * J].to_vec();
        nodes.sort_unstable();
        nodes.dedup();
        nodes.retain(|&node| node != NOWHERE);
        nodes
    }

    /// The node of a set in ascending order with the player in a zone.
    pub(crate) fn node<const G: usize>(&self, board: &DenseBoard, squares: &[u16], zone: Set<G>) -> Option<u32> {
        let touched = |&slot: &usize| {
            let cell = beside(board, squares, slot);
            cell != NONE && zone.contains(cell.into())
        };
        (0..4 * J).find(touched).map(|slot| self.slots[self.ranks.rank(squares) * 4 * J + slot])
    }

    /// Where edges lead from a node.
    #[inline]
    pub(crate) fn next(&self, node: u32) -> &[u32] {
        &self.heads[self.first[node as usize] as usize..self.first[node as usize + 1] as usize]
    }
}

/// A slot of a set of squares in whose place the player can stand, from a zone of the whole position. Other boxes may keep
/// him from touching the set; then his way to it counts without them.
pub(crate) fn touched<const G: usize>(
    board: &DenseBoard,
    plane: &Plane<G>,
    squares: &[u16],
    zone: Set<G>,
) -> Option<usize> {
    let slot_in = |zone: Set<G>| {
        (0..4 * squares.len()).find(|&slot| {
            let cell = beside(board, squares, slot);
            cell != NONE && zone.contains(cell.into())
        })
    };
    slot_in(zone).or_else(|| {
        let mut free = plane.floor;
        squares.iter().for_each(|&square| free.remove(board.cell(square.into())));
        slot_in(plane.zone(free, zone.lowest()))
    })
}

/// The cell of a slot of a set.
#[inline]
pub(crate) fn beside(board: &DenseBoard, squares: &[u16], slot: usize) -> u16 {
    board.beside(4 * usize::from(squares[slot / 4]) + slot % 4)
}
