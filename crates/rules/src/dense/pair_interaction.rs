//! How many more steps a pair of boxes needs together than its boxes need apart.
//!
//! The matching sees each box alone on the board. A breadth-first search over all pairs of boxes, backwards from the
//! targets, gives the exact number of steps for two boxes together; what exceeds the cheapest assignment of two targets is
//! their interaction. Summed over all pairs it is no lower bound, but it tells a greedy search how much there is still to
//! untangle.

use crate::dense::board::{DenseBoard, INFINITE, Side};
use crate::dense::set::Set;
use crate::groups::board::{GroupBoard, targets};
use crate::groups::subsets::{Ranks, Subsets, pair_rank};
use crate::groups::sweep::{SlotCosts, Sweep, UNKNOWN};

/// The interaction of every pair, by arrival of one box and square of the other.
#[derive(Clone, Debug)]
pub struct PairInteraction {
    live: usize,
    values: Vec<u8>,
}

/// The most live squares a table is made for.
const MOST_LIVE: usize = 150;

impl PairInteraction {
    /// The table of a side; `None` if the level is too large for it.
    pub fn new<const G: usize>(board: &DenseBoard, side: Side) -> Option<Self> {
        let live = board.live_count();
        if live > MOST_LIVE {
            return None;
        }
        let steps = steps::<G>(board, side);
        let (way, columns) = (board.way(side), targets(board, side).len());
        let mut values = vec![0; 4 * live * live];
        for arrival in (0..4 * live).filter(|&arrival| board.is_good(arrival)) {
            let (square, player) = (arrival / 4, usize::from(board.beside(arrival)));
            let own = way.row(board.row_at(square, player));
            for other in (0..live).filter(|&other| board.cell(other) != player && other != square) {
                let slot = 4 * usize::from(other < square) + arrival % 4;
                let together = steps.get(pair_rank(square, other), slot);
                if together != UNKNOWN {
                    let apart = cheapest_two(own, way.row(board.row_at(other, player)), columns);
                    values[arrival * live + other] = i32::from(together).saturating_sub(apart).clamp(0, 255) as u8;
                }
            }
        }
        Some(Self { live, values })
    }

    /// The interactions of the box that arrived so with all of `others`.
    #[inline]
    pub fn of<const L: usize>(&self, arrival: usize, others: Set<L>) -> u32 {
        let row = &self.values[arrival * self.live..][..self.live];
        others.iter().map(|other| u32::from(row[other])).sum()
    }

    pub fn bytes(&self) -> usize {
        self.values.len()
    }
}

/// The steps of every pair of boxes to any two targets of a side.
fn steps<const G: usize>(board: &DenseBoard, side: Side) -> SlotCosts {
    let (group, ranks) = (GroupBoard::<G>::new(board, side.opposite()), Ranks::new(board.live_count()));
    let mut sweep = Sweep::new(2, SlotCosts::new(&ranks, 2));
    for numbers in Subsets::new(2, targets(board, side).len()) {
        sweep.seed(board, side, &group, &ranks, numbers);
    }
    for cost in 1.. {
        if sweep.open.is_empty() {
            break;
        }
        for state in std::mem::take(&mut sweep.open) {
            sweep.expand(&group, &ranks, &state, cost);
        }
    }
    sweep.table
}

/// The least sum of two entries in different columns.
fn cheapest_two(first: &[i16], second: &[i16], columns: usize) -> i32 {
    let mut best = i32::from(INFINITE);
    for (place, &a) in first[..columns].iter().enumerate() {
        for (other, &b) in second[..columns].iter().enumerate() {
            if place != other && a != INFINITE && b != INFINITE {
                best = best.min(i32::from(a) + i32::from(b));
            }
        }
    }
    best
}
