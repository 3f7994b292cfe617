//! Pair interaction under a potential: what two boxes pay for their pushes beyond the matching, as an addition that keeps
//! it a lower bound.
//!
//! For two boxes alone on the board, the player's zone, and two goals, a search backwards from the goals gives the least
//! that both together pay for pushes, each at its price under the potential. What exceeds the cheaper assignment of the
//! two goals, paid apart, is the interaction for these goals; the least over all pairs of goals is the *interaction* of the
//! pair. The prover of pushes has the same for groups of two to four boxes, with each push at price 1.
//!
//! The matching plus the interactions of disjoint pairs of boxes is a lower bound. Take a solution and the goals that its
//! boxes get. Seen from two boxes alone it is a solution for these two, so the pushes of a pair pay at least what its
//! two goals cost by the cheaper assignment, plus the interaction. Swap the goals inside pairs to the cheaper assignment:
//! that is still an assignment of all boxes to all goals, so the sum is no less than the cheapest plus the interactions.
//! Each push belongs to one box, so disjoint pairs add up (as in additive pattern databases, Korf and Felner 2002).
//!
//! Where boxes also pay for walks ([`cost_partition`](crate::cost_partition)), the search for two boxes leaves the walks
//! out. It finds less then, and the interaction is smaller.
//!
//! The sum may fall by more than a push pays, since an interaction can vanish at once: the search must expand a position
//! again when it becomes cheaper, and does.

use crate::potential::Potential;
use lurd_base::Budget;
use lurd_rules::dense::board::{DenseBoard, INFINITE, Side};
use lurd_rules::dense::set::Set;
use lurd_rules::groups::graph::{Graph, NOWHERE, UNREACHED};
use lurd_rules::groups::packing::{Pair, pack_pairs};
use lurd_rules::groups::queue::BucketQueue;
use lurd_rules::groups::subsets::{Subsets, pair_count, pair_rank};

/// The interaction of every pair of live squares, by the player's cell, in units.
#[derive(Clone, Debug)]
pub(crate) struct PushInteraction<const L: usize> {
    cells: usize,
    /// For each live square, those above it with which it has an interaction in some zone.
    partners: Vec<Set<L>>,
    /// For each pair, the number of its row of values; [`NOWHERE`] if it never has an interaction.
    row: Vec<u32>,
    /// By `cells * row + cell of the player`.
    values: Vec<u16>,
}

/// The most states of all searches together, at eight for each pair of squares.
const MOST_STATES: usize = 60_000_000;

/// The most live squares.
const MOST_LIVE: usize = 160;

/// The most pairs that are considered in a position: any disjoint choice is a lower bound.
const MOST_PAIRS: usize = 32;

impl<const L: usize> PushInteraction<L> {
    /// The table for a potential. `None` if it would take too long or the budget ran out.
    pub(crate) fn new<const G: usize>(board: &DenseBoard, potential: &Potential, budget: &Budget) -> Option<Self> {
        let (live, boxes) = (board.live_count(), board.boxes());
        // Where some goal can never be filled there is nothing to search.
        if board.is_hopeless() || boxes < 2 || live > MOST_LIVE {
            return None;
        }
        if pair_count(boxes) * pair_count(live) * 8 > MOST_STATES {
            return None;
        }
        let price = |push: usize| potential.price(board, push) as u8;
        // Pushes by the state they lead to.
        let graph = Graph::<2, G, u8>::new(board, Side::Forward, true, price, &|| false)?;
        let mut least = vec![UNREACHED; graph.rows.len()];
        let mut costs = vec![UNREACHED; graph.rows.len()];
        let mut queue = BucketQueue::default();
        for goals in Subsets::new(2, boxes) {
            if budget.is_over() {
                return None;
            }
            let [first, second] = [goals[0], goals[1]].map(usize::from);
            let apart = |rows: [u16; 2]| {
                let [one, other] = rows.map(|row| potential.way.row(row));
                let sum = |a: i16, b: i16| if a.max(b) == INFINITE { i32::MAX } else { i32::from(a) + i32::from(b) };
                sum(one[first], other[second]).min(sum(one[second], other[first]))
            };
            let seeds = graph.target_nodes(board, Side::Forward, [goals[0], goals[1]]);
            graph.search(&seeds, &mut costs, &mut queue, |node, together| {
                let least = &mut least[node as usize];
                if *least > 0 {
                    let interaction = i32::from(together).saturating_sub(apart(graph.rows[node as usize])).max(0);
                    *least = (*least).min(interaction as u16);
                }
                true
            });
        }
        Some(Self::kept(board, &graph, &least))
    }

    fn kept<const G: usize>(board: &DenseBoard, graph: &Graph<2, G, u8>, least: &[u16]) -> Self {
        let (live, cells) = (board.live_count(), board.cells());
        let mut table =
            Self { cells, partners: vec![Set::EMPTY; live], row: vec![NOWHERE; pair_count(live)], values: Vec::new() };
        for squares in Subsets::new(2, live) {
            let squares = &squares[..2];
            let rank = graph.ranks.rank(squares);
            // A pair that never gets to goals is dead, which other rules detect: here it adds nothing.
            let value = |slot: usize, _| {
                let value = least[graph.node(rank, slot) as usize];
                (value > 0 && value != UNREACHED).then_some(value)
            };
            graph.board.each_zone(squares, value, |value, zone, _| {
                if table.row[rank] == NOWHERE {
                    table.row[rank] = (table.values.len() / cells) as u32;
                    table.values.resize(table.values.len() + cells, 0);
                    table.partners[usize::from(squares[0])].insert(squares[1].into());
                }
                let first = table.row[rank] as usize * cells;
                zone.iter().for_each(|cell| table.values[first + cell] = value);
            });
        }
        table
    }

    /// The sum of interactions of disjoint pairs of these boxes, the player on a cell.
    pub(crate) fn of(&self, boxes: Set<L>, player: usize) -> i32 {
        let mut pairs: [Pair; MOST_PAIRS] = [(0, 0, 0); MOST_PAIRS];
        let mut count = 0;
        'all: for low in boxes.iter() {
            for high in self.partners[low].and(boxes).iter() {
                let row = self.row[pair_rank(low, high)] as usize;
                let value = self.values[row * self.cells + player];
                if value > 0 {
                    pairs[count] = (value, low as u16, high as u16);
                    count += 1;
                    if count == MOST_PAIRS {
                        break 'all;
                    }
                }
            }
        }
        pack_pairs::<L>(&mut pairs[..count]) as i32
    }

    pub(crate) fn bytes(&self) -> usize {
        size_of_val(&self.values[..]) + size_of_val(&self.row[..]) + size_of_val(&self.partners[..])
    }
}
