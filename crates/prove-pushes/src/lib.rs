//! Proves the fewest pushes of a Sokoban level.
//!
//! The proof is a breadth-first heuristic search (Zhou and Hansen 2006): all positions whose depth plus lower bound
//! stays within a *push limit*, layer by layer, with delayed duplicate detection on sorted layers (Korf 2003) that may
//! lie on disk. The limit rises as the cost bound of IDA* does (Korf 1985), in steps of two or more, because all
//! solutions of a level have lengths of one parity ([`schedule`]). Each limit is searched from both ends
//! ([`bidirectional`]). A limit whose layers run empty raises the lower bound, and the first position that both ends
//! share lies on a shortest solution.
//!
//! Positions are exact keys ([`rank`]), not hashes: a hash collision cannot spoil a proof. The bound is a minimum
//! matching on distances that take the player's side of the box into account, plus the exact interaction of small
//! disjoint groups of boxes, an additive pattern database (Korf and Felner 2002; [`group_interaction`]). Tables that
//! take time are built when the search has taken about as long.

#![allow(missing_docs, reason = "items are public for the crate `lurd`; a name that says it all needs no sentence")]

mod alternation;
mod approach;
mod beam;
mod bidirectional;
mod checkpoint;
mod checksum;
mod chokepoint;
mod control;
mod digest;
mod disk;
mod expand;
mod forecast;
mod goal_room;
mod group_interaction;
mod key;
mod key_file;
mod layer;
mod layer_search;
mod level_prover;
mod load;
mod memory;
mod model;
mod neighbourhood;
mod rank;
mod reconstruct;
mod record;
#[cfg(test)]
mod record_tests;
mod rerun;
mod resume;
mod schedule;
mod shorter;
mod tables;
#[cfg(test)]
mod tests;

pub use checkpoint::{FoundCheckpoints, Journal, JournalError};
pub use checksum::checksum;
pub use control::{Control, Halt};
pub use digest::LayerRecord;
pub use disk::DiskError;
pub use expand::Counts;
pub use forecast::Forecast;
pub use record::{LimitEnd, LimitRecord, RULES, StartRecord, hexadecimal};
pub use rerun::{Confirmed, Rerun, Unconfirmed, bound_text};
pub use shorter::{BestSolution, ShorterSearch};

use level_prover::LevelProver;
use lurd_base::Budget;
use lurd_rules::dense::board::DenseBoard;
use lurd_rules::{Board, Push, for_word_counts};
use std::sync::Arc;

/// The parts of the engine in use. Every part is admissible, so no choice changes the optimum; tests switch parts off.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Interaction of pairs, triples, four boxes.
    pub pairs: bool,
    pub triples: bool,
    pub fours: bool,
    /// Where all boxes pass one chokepoint: the goal-room database and the approach databases.
    pub chokepoints: bool,
    /// Search with pulls from the solved board as well.
    pub bidirectional: bool,
    /// PI-corral pruning.
    pub corrals: bool,
    /// Forced pushes of a box that confines the player.
    pub gates: bool,
    /// Exact tables of small dead sets.
    pub dead_sets: bool,
    /// Distances with frozen boxes as walls.
    pub frozen_walls: bool,
    /// Build every table at once, however long it takes.
    pub eager: bool,
    /// Recompute from scratch what a child inherits from its parent, for one generated child in so many; 0 for none.
    pub check_every: u64,
    /// Layers depend on the level alone, not on the memory available: needed for certificates and checkpoints.
    pub reproducible: bool,
    pub threads: usize,
}

impl Options {
    /// All parts.
    pub fn new(threads: usize) -> Self {
        Self {
            pairs: true,
            triples: true,
            fours: true,
            chokepoints: true,
            bidirectional: true,
            corrals: true,
            gates: true,
            dead_sets: true,
            frozen_walls: true,
            eager: false,
            check_every: if cfg!(debug_assertions) { 61 } else { 0 },
            reproducible: false,
            threads: threads.max(1),
        }
    }
}

/// How a call of [`Prover::prove`] ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProofOutcome {
    /// A shortest solution.
    Optimal(Vec<Push>),
    /// The length of a shortest solution; layers needed to reconstruct it were freed.
    OptimalLength(u32),
    /// The lower bound has reached the upper bound of the [`Control`].
    BoundsMet,
    Unsolvable,
    ExpansionLimit,
    /// A limit of the budget, a cancellation or another thread ended it.
    Halted(Halt),
}

/// How a search of some of the positions ended: [`Prover::search_neighbourhood`] or [`Prover::search_beam`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PartialOutcome {
    /// A solution as short as was asked for.
    Found(Vec<Push>),
    /// No such solution. `complete` if no position lay outside the neighbourhood; a beam is never complete.
    Nothing {
        complete: bool,
    },
    ExpansionLimit,
    /// A limit of the budget, a cancellation or another thread ended it.
    Halted,
}

/// A turn of a search of some of the positions.
pub struct Turn<'a> {
    /// About so many positions may be expanded.
    pub expansions: u64,
    pub control: &'a Control<'a>,
    /// Called now and then.
    pub tick: &'a mut dyn FnMut(),
}

impl Turn<'_> {
    /// The total of expansions at which the turn ends.
    fn expansion_limit(&self) -> u64 {
        self.control.expanded().saturating_add(self.expansions)
    }
}

/// A level prepared for proofs.
pub trait Prover: Rerun + Send {
    /// No solution has fewer pushes than this.
    fn lower(&self) -> u32;

    /// What the lower bound rests on, in words.
    fn reason(&self) -> String;

    /// Raises the lower bound until it meets the upper bound, a solution is found, or about `expansions` positions are
    /// expanded. Continues where the last call ended.
    fn prove(&mut self, expansions: u64, control: &Control<'_>, tick: &mut dyn FnMut()) -> ProofOutcome;

    /// Searches for a solution shorter than the given one among positions in which at most `deviation` boxes stand
    /// elsewhere than in some position of it.
    fn search_neighbourhood(&mut self, board: &Board, given: &[Push], deviation: u32, turn: Turn<'_>)
    -> PartialOutcome;

    /// Searches for a solution of at most `limit` pushes with a stochastic beam of `width` positions. An even seed samples
    /// the backward layers, an odd one the forward layers.
    fn search_beam(&mut self, limit: u32, width: usize, seed: u64, turn: Turn<'_>) -> PartialOutcome;

    fn key_bytes(&self) -> usize;

    /// Resumes from the checkpoints found, and writes checkpoints from now on. Returns notes for the report.
    fn resume(&mut self, journal: Journal, found: FoundCheckpoints, control: &Control<'_>) -> Vec<String>;

    /// Writes a checkpoint if there is a journal. If the proof is `finished` no search is stored with it.
    fn checkpoint(&mut self, finished: bool, control: &Control<'_>);

    /// The completed push limits.
    fn records(&self) -> &[LimitRecord];

    /// The start when its bound last raised the lower bound.
    fn start(&self) -> &StartRecord;
}

/// Prepares a level. `Ok(None)` if it is too large for this engine.
pub fn prover(board: &Board, options: Options, budget: &Budget) -> Result<Option<Box<dyn Prover>>, lurd_base::Halt> {
    let Some(dense) = DenseBoard::new(board, budget)? else { return Ok(None) };
    let dense = Arc::new(dense);
    Ok(for_word_counts!(dense, |K, L, G| {
        LevelProver::<K, L, G>::new(&dense, options).map(|prover| Box::new(prover) as Box<dyn Prover>)
    }))
}
