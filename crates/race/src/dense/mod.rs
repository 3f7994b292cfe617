//! The dense engine: fast greedy best-first search, backwards and forwards, for small crowded levels.
//!
//! Where every square counts, plans help little and speed helps much. A set of boxes is one or two machine words, the
//! player's zone a few shifts, a move a table row; exact tables of small dead sets ([`DeadSetTables`]) cut most
//! positions that have no solution. All searches of a level share one table of positions ([`positions`]) with exact
//! keys, so a meeting of the two directions is a solution and an exhausted search is a proof.

mod memory;
mod positions;
mod search;
mod solution_path;
#[cfg(test)]
mod tests;

pub(crate) use search::Order;

use crate::strategy::Strategy;
use lurd_base::Budget;
use lurd_rules::Board;
use lurd_rules::dense::board::{DenseBoard, Side};
use lurd_rules::dense::dead_set_tables::DeadSetTables;
use lurd_rules::feature::learned::LearnedStore;
use lurd_rules::for_word_counts;
use lurd_rules::groups::subsets::MOST;
use memory::Shared;
use search::Greedy;
use std::sync::Arc;

/// A level prepared for the dense engine: a factory of searches that share their positions.
pub(crate) struct Dense {
    board: Arc<DenseBoard>,
    tables: [Arc<DeadSetTables>; 2],
    learned: Arc<LearnedStore>,
    factory: Factory,
    shared_bytes: Box<dyn Fn() -> usize + Send + Sync>,
}

type Factory = Box<dyn Fn(Order) -> Box<dyn Strategy> + Send + Sync>;

impl std::fmt::Debug for Dense {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Dense").field("tables", &self.tables).finish_non_exhaustive()
    }
}

impl Dense {
    /// Prepares a level. `None` if it is too large for this engine or if time ran out. All searches and tables
    /// together hold at most about `memory` bytes.
    pub(crate) fn new(board: &Board, memory: usize, budget: &Budget) -> Option<Self> {
        let dense = Arc::new(DenseBoard::new(board, budget).ok()??);
        let tables = dead_set_tables(&dense)?;
        let learned = Arc::default();
        let variant = for_word_counts!(dense, |L, G| factory::<L, G>(&dense, &tables, &learned, memory));
        let (factory, shared_bytes) = variant?;
        Some(Self { board: dense, tables, learned, factory, shared_bytes })
    }

    /// A search of this order. Searches of one level may run on different threads; in turn on one thread they are
    /// deterministic.
    pub(crate) fn search(&self, order: Order) -> Box<dyn Strategy> {
        (self.factory)(order)
    }

    /// The level on bit sets.
    pub(crate) fn board(&self) -> &Arc<DenseBoard> {
        &self.board
    }

    /// Whether the live squares fit in one machine word and the cells in two: where this engine is at its best.
    pub(crate) fn is_small(&self) -> bool {
        self.board.live_count() <= 64 && self.board.cells() <= 128
    }

    /// The dead-set tables of a side.
    pub(crate) fn tables(&self, side: Side) -> &Arc<DeadSetTables> {
        &self.tables[side as usize]
    }

    /// Where other searches store the dead sets they learn, for these to use.
    pub(crate) fn learned(&self) -> &Arc<LearnedStore> {
        &self.learned
    }

    /// Bytes that all searches share: positions, tables, the board.
    pub(crate) fn bytes(&self) -> usize {
        (self.shared_bytes)()
    }
}

/// The tables of dead sets for pushes and for pulls, still empty. `None` if the level is too large even for pairs.
fn dead_set_tables(dense: &Arc<DenseBoard>) -> Option<[Arc<DeadSetTables>; 2]> {
    let tables = |side| DeadSetTables::new(dense, side, MOST).map(Arc::new);
    Some([tables(Side::Forward)?, tables(Side::Backward)?])
}

fn factory<const L: usize, const G: usize>(
    dense: &Arc<DenseBoard>,
    tables: &[Arc<DeadSetTables>; 2],
    learned: &Arc<LearnedStore>,
    memory: usize,
) -> (Factory, Box<dyn Fn() -> usize + Send + Sync>) {
    let shared = Arc::new(Shared::<L>::new(dense, tables, learned, memory));
    let counted = Arc::clone(&shared);
    (Box::new(move |order| Box::new(Greedy::<L, G>::new(&shared, order))), Box::new(move || counted.bytes()))
}
