//! Which small sets of boxes can still be solved, computed exactly by retrograde analysis.
//!
//! If a few boxes alone on the board cannot all get to goals, no position that contains them can be solved
//! ([`groups`](crate::groups)). All solvable states of `size` boxes are found at once by pulls from the sets of goals, with
//! the player in any zone. For the search that pulls the question is mirrored: which sets can the start produce? There
//! the seeds are the sets of start squares with the player's real zone, and the steps are pushes.
//!
//! Dead sets found by search go back to the pattern search of Junghanns and Schaeffer (2001); here all of one size are
//! computed in advance. A set that is not marked alive is dead only when the search is complete.

use crate::dense::board::{DenseBoard, Side};
use crate::groups::board::{GroupBoard, Slots, targets};
use crate::groups::subsets::{Ranks, Subsets};
use crate::groups::sweep::{SlotTable, Sweep};

/// The alive bits of all sets of one size, one word for each set and one bit for each slot.
#[derive(Clone, Debug)]
pub struct Alive {
    pub size: usize,
    bits: Vec<u32>,
}

impl Alive {
    pub fn bytes(&self) -> usize {
        size_of_val(&self.bits[..])
    }
}

impl SlotTable for Alive {
    #[inline]
    fn is_known(&self, rank: usize, slot: usize) -> bool {
        self.bits[rank] >> slot & 1 != 0
    }

    #[inline]
    fn enter(&mut self, rank: usize, slots: Slots, _: u16) {
        self.bits[rank] |= slots.0;
    }
}

/// A computation of [`Alive`] that can be interrupted. It goes depth first, and seeds enter one by one, so that the open
/// list stays short.
#[derive(Clone, Debug)]
pub struct Retrograde<const G: usize> {
    board: GroupBoard<G>,
    /// The side that uses the table; the steps of the computation are those of the other side.
    side: Side,
    sweep: Sweep<G, Alive>,
    seeds: Subsets,
}

impl<const G: usize> Retrograde<G> {
    pub fn new(board: &DenseBoard, ranks: &Ranks, side: Side, size: usize) -> Self {
        Self {
            board: GroupBoard::new(board, side.opposite()),
            side,
            sweep: Sweep::new(size, Alive { size, bits: vec![0; ranks.count(size)] }),
            seeds: Subsets::new(size, targets(board, side).len()),
        }
    }

    /// Expands about `work` states. Returns how much work is left when the table is complete.
    pub fn run(&mut self, board: &DenseBoard, ranks: &Ranks, mut work: u64) -> Option<u64> {
        while work > 0 {
            work -= 1;
            if let Some(state) = self.sweep.open.pop() {
                self.sweep.expand(&self.board, ranks, &state, 0);
            } else {
                let Some(numbers) = self.seeds.next() else { return Some(work) };
                self.sweep.seed(board, self.side, &self.board, ranks, numbers);
            }
        }
        None
    }

    /// The finished table; only after [`run`](Self::run) has returned that it is complete.
    pub fn finish(self) -> Alive {
        debug_assert!(self.sweep.open.is_empty() && self.seeds.is_done(), "nothing follows from an unfinished table");
        self.sweep.table
    }

    /// Bytes it holds while it works.
    pub fn bytes(&self) -> usize {
        self.sweep.table.bytes() + size_of_val(&self.sweep.open[..])
    }
}
