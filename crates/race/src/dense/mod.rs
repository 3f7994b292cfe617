//! The dense engine: very fast greedy search, backwards and forwards, for small crowded levels.
//!
//! Where every square counts, plans help little and speed helps much. A position is one or two
//! machine words, the player's zone a few shifts, a move a table row; exact tables of small dead sets
//! ([`DeadSetTables`]) cut most of what cannot be finished. All searches of a level share one table of
//! positions ([`positions`]), exact to the bit, so a meeting of the two directions is an answer and an
//! exhausted search is a proof.

mod chain;
mod memory;
mod positions;
pub(super) mod queue;
mod search;
#[cfg(test)]
mod tests;

pub(crate) use lurd_rules::dense::board::Side;
pub(crate) use search::Order;

use crate::strategy::Strategy;
use lurd_rules::Board;
use lurd_rules::dense::board::DenseBoard;
use lurd_rules::dense::dead_set_tables::DeadSetTables;
use lurd_rules::feature::learned::LearnedStore;
use lurd_rules::groups::subsets::MOST;
use lurd_search::Budget;
use memory::Shared;
use search::Greedy;
use std::sync::Arc;

/// A level made ready for the dense engine: a source of searches that know of each other.
pub(crate) struct Dense {
    board: Arc<DenseBoard>,
    tables: [Arc<DeadSetTables>; 2],
    learned: Arc<LearnedStore>,
    make: Make,
    shared_bytes: Box<dyn Fn() -> usize + Send + Sync>,
}

/// Makes searches that share one table of positions.
type Make = Box<dyn Fn(Order) -> Box<dyn Strategy> + Send + Sync>;

impl std::fmt::Debug for Dense {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Dense").field("tables", &self.tables).finish_non_exhaustive()
    }
}

/// The tables of dead sets alone, for pushes and for pulls, with nothing in them yet. `None` if the level is
/// too large even for pairs or if time ran out.
#[cfg(test)]
fn dead_sets(board: &Board, budget: &Budget) -> Option<[Arc<DeadSetTables>; 2]> {
    let dense = Arc::new(DenseBoard::new(board, budget).ok()??);
    both_tables(&dense)
}

fn both_tables(dense: &Arc<DenseBoard>) -> Option<[Arc<DeadSetTables>; 2]> {
    let tables = |side| DeadSetTables::new(dense, side, MOST).map(Arc::new);
    Some([tables(Side::Forward)?, tables(Side::Backward)?])
}

impl Dense {
    /// Makes a level ready. `None` if it is too large for this engine or if time ran out. All searches
    /// and tables together hold at most about `memory` bytes.
    pub(crate) fn new(board: &Board, memory: usize, budget: &Budget) -> Option<Self> {
        let dense = Arc::new(DenseBoard::new(board, budget).ok()??);
        let tables = both_tables(&dense)?;
        let learned = Arc::default();
        let (make, shared_bytes) = match (dense.live_words(), dense.cell_words()) {
            (1, 1) => maker::<1, 1>(&dense, &tables, &learned, memory),
            (1, 2) => maker::<1, 2>(&dense, &tables, &learned, memory),
            (2, ..=2) => maker::<2, 2>(&dense, &tables, &learned, memory),
            (2, ..=4) => maker::<2, 4>(&dense, &tables, &learned, memory),
            (4, ..=8) => maker::<4, 8>(&dense, &tables, &learned, memory),
            (4, ..=16) => maker::<4, 16>(&dense, &tables, &learned, memory),
            _ => return None,
        };
        Some(Self { board: dense, tables, learned, make, shared_bytes })
    }

    /// A search of this order. Searches made from one level may run on different threads; on one
    /// thread, taking turns, they are deterministic.
    pub(crate) fn search(&self, order: Order) -> Box<dyn Strategy> {
        (self.make)(order)
    }

    /// Whether the squares that matter fit in one machine word: where this engine is at its best.
    pub(crate) fn is_small(&self) -> bool {
        self.board.live_words() == 1
    }

    /// The tables of dead sets that a side uses.
    pub(crate) fn tables(&self, side: Side) -> &Arc<DeadSetTables> {
        &self.tables[usize::from(side == Side::Backward)]
    }

    /// Where searches of another kind leave the dead sets they learn, for these to use.
    pub(crate) fn learned(&self) -> &Arc<LearnedStore> {
        &self.learned
    }

    /// Bytes of what all searches share: positions, tables, the dense.
    pub(crate) fn bytes(&self) -> usize {
        (self.shared_bytes)()
    }
}

fn maker<const L: usize, const G: usize>(
    dense: &Arc<DenseBoard>,
    tables: &[Arc<DeadSetTables>; 2],
    learned: &Arc<LearnedStore>,
    memory: usize,
) -> (Make, Box<dyn Fn() -> usize + Send + Sync>) {
    let shared = Arc::new(Shared::<L>::new(dense, tables, learned, memory));
    let counted = Arc::clone(&shared);
    (Box::new(move |order| Box::new(Greedy::<L, G>::new(&shared, order))), Box::new(move || counted.bytes()))
}
