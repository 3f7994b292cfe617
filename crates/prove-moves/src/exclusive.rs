//! Squares of which at most one holds a box while the player is on a cell.
//!
//! Two boxes alone on the board, with the player's zone, are searched backwards from every pair of goals and forwards from
//! every pair of start squares. A state that one of the searches does not reach occurs in no solution: with the player on a
//! cell of that zone the two squares *exclude* each other. There are many such pairs in tunnels, at chokepoints and along
//! walls. Squares that all exclude each other, a *clique*, hold at most one box while the player steps from that cell: what
//! is paid for one of them is not paid for another ([`flow_lp`](crate::flow_lp)). They are mutex groups, which here depend
//! on the player's zone.

use lurd_rules::dense::board::{DenseBoard, Side};
use lurd_rules::groups::board::targets;
use lurd_rules::groups::graph::{Graph, UNREACHED};
use lurd_rules::groups::queue::BucketQueue;
use lurd_rules::groups::subsets::{Subsets, pair_count, pair_rank};

/// Which live squares exclude each other, and cliques that cover every such pair and every square.
#[derive(Debug)]
pub(crate) struct Exclusive {
    pairs: usize,
    /// Whether two squares exclude each other, a bit by `pairs * cell + rank of the pair`.
    excluded: Vec<u64>,
    /// By the player's cell.
    pub(crate) cliques: Vec<Vec<Vec<usize>>>,
}

impl Exclusive {
    pub(crate) fn new<const G: usize>(board: &DenseBoard) -> Self {
        let (live, cells) = (board.live_count(), board.cells());
        let pairs = pair_count(live);
        let (graph, solvable) = reached::<G>(board, Side::Forward);
        let (_, reachable) = reached::<G>(board, Side::Backward);
        let mut exclusive =
            Self { pairs, excluded: vec![0; (pairs * cells).div_ceil(64)], cliques: vec![Vec::new(); cells] };
        for squares in Subsets::new(2, live) {
            let rank = graph.ranks.rank(&squares[..2]);
            let excluded = |slot: usize, _| {
                let node = graph.node(rank, slot) as usize;
                (!solvable[node] || !reachable[node]).then_some(())
            };
            graph.board.each_zone(&squares[..2], excluded, |(), zone, _| {
                for bit in zone.iter().map(|cell| pairs * cell + rank) {
                    exclusive.excluded[bit / 64] |= 1 << (bit % 64);
                }
            });
        }
        for cell in board.floor_cells() {
            exclusive.cliques[cell] = exclusive.gather(board, cell);
        }
        exclusive
    }

    /// Whether two squares never hold boxes together while the player is on a cell, which is neither of them.
    pub(crate) fn exclude(&self, cell: usize, one: usize, other: usize) -> bool {
        let bit = self.pairs * cell + pair_rank(one, other);
        self.excluded[bit / 64] >> (bit % 64) & 1 != 0
    }

    /// Gathers cliques greedily: each begins with a pair that none has yet, and grows by the square that adds most such pairs.
    fn gather(&self, board: &DenseBoard, cell: usize) -> Vec<Vec<usize>> {
        let squares: Vec<usize> = (0..board.live_count()).filter(|&square| board.cell(square) != cell).collect();
        let count = squares.len();
        let mut excluded = vec![false; count * count];
        for one in 0..count {
            for other in 0..one {
                let exclude = self.exclude(cell, squares[one], squares[other]);
                (excluded[one * count + other], excluded[other * count + one]) = (exclude, exclude);
            }
        }
        let mut left = excluded.clone();
        let mut alone = vec![true; count];
        let mut cliques = Vec::new();
        for low in 0..count {
            for high in low + 1..count {
                if !left[low * count + high] {
                    continue;
                }
                let mut clique = vec![low, high];
                let mut fits: Vec<usize> = (0..count).collect();
                let mut newest = 0;
                loop {
                    for &member in &clique[newest..] {
                        fits.retain(|&new| excluded[member * count + new]);
                    }
                    newest = clique.len();
                    let most = fits.iter().copied().max_by_key(|&new| {
                        let gained = clique.iter().filter(|&&member| left[member * count + new]).count();
                        (gained, std::cmp::Reverse(new))
                    });
                    let Some(new) = most else { break };
                    clique.push(new);
                }
                for &one in &clique {
                    alone[one] = false;
                    clique.iter().for_each(|&other| left[one * count + other] = false);
                }
                cliques.push(clique);
            }
        }
        cliques.extend((0..count).filter(|&square| alone[square]).map(|square| vec![square]));
        cliques.iter_mut().flatten().for_each(|square| *square = squares[*square]);
        cliques
    }
}

/// The graph of pushes of two boxes, and which of its nodes a search from the targets of a side reaches: backwards from the
/// goals, or forwards from the start.
fn reached<const G: usize>(board: &DenseBoard, side: Side) -> (Graph<2, G>, Vec<bool>) {
    let graph = Graph::<2, G>::new(board, Side::Forward, side == Side::Forward, |_| (), &|| false);
    let graph = graph.expect("nothing stops it");
    let pairs = Subsets::new(2, targets(board, side).len());
    let seeds: Vec<u32> = pairs.flat_map(|pair| graph.target_nodes(board, side, [pair[0], pair[1]])).collect();
    let mut costs = vec![UNREACHED; graph.rows.len()];
    graph.search(&seeds, &mut costs, &mut BucketQueue::default(), |_, _| true);
    let reached = costs.into_iter().map(|cost| cost != UNREACHED).collect();
    (graph, reached)
}
