//! The push-optimal engine: proves that no solution has fewer pushes.
//!
//! Positions are exact keys ([`rank`]). The bound is a matching by distances that know the player's side, plus what
//! small groups of boxes cost each other, exactly ([`group_interaction`]). The proof goes by layers under a
//! limit that rises by two, since all solutions of a level have lengths of one parity ([`proof`]): a limit
//! under which the layers run empty raises what is proved, and a solved position met is a shortest solution.
//! Tables that cost time are made when the search has taken about as long.

#![allow(missing_docs, reason = "items are public for the crate `lurd`; a name that says it all needs no sentence")]

#[cfg(test)]
mod ablation;
mod alternation;
mod approach;
mod beam;
mod checkpoint;
mod checksum;
mod chokepoint;
mod control;
mod digest;
mod disk;
mod expand;
mod filed;
mod forecast;
mod goal_room;
mod group_interaction;
mod key;
mod knowledge;
mod layer;
mod level;
mod memory;
mod neighbourhood;
mod proof;
mod rank;
mod record;
mod rerun;
mod resume;
mod retrace;
mod scene;
mod schedule;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod tests_of_records;
mod two_sided;

pub use beam::Beamed;
pub use checkpoint::{FoundCheckpoints, Journal, JournalError};
pub use checksum::checksum;
pub use control::{Control, Halt};
pub use expand::Counts;
pub use forecast::Forecast;
pub use record::{LayerRecord, LimitEnd, LimitRecord, StartRecord};
pub use record::{RULES, hexadecimal};
pub use rerun::{Unconfirmed, said};

use key::Key;
use level::LevelProver;
use lurd_rules::dense::board::DenseBoard;
use lurd_rules::distance::OutOfBudget;
use lurd_rules::{Board, Push};
use lurd_search::Budget;
use std::sync::Arc;

/// What the engine uses. All of it is sound and nothing changes the optimum; tests switch parts off.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Excess of pairs.
    pub pairs: bool,
    /// Excess of triples.
    pub triples: bool,
    /// Excess of four boxes.
    pub fours: bool,
    /// Fillings of the room behind a door, and excess of boxes on their way to it.
    pub doors: bool,
    /// Pulls from the solved board, to meet the pushes from the start.
    pub two_sided: bool,
    /// PI-corrals.
    pub corrals: bool,
    /// Boxes that shut the player in.
    pub gates: bool,
    /// Exact small dead sets.
    pub dead_sets: bool,
    /// Distances with frozen boxes as walls.
    pub walls: bool,
    /// Makes every table at once, however long it takes.
    pub eager: bool,
    /// Compares what is carried from parent to child with the same found anew, for one child in so many; 0 for none.
    pub check_every: u64,
    /// Whether the layers must be such that the same work makes the same again, however short memory is.
    pub strict: bool,
    /// Threads.
    pub threads: usize,
}

impl Options {
    /// Everything.
    pub fn new(threads: usize) -> Self {
        Self {
            pairs: true,
            triples: true,
            fours: true,
            doors: true,
            two_sided: true,
            corrals: true,
            gates: true,
            dead_sets: true,
            walls: true,
            eager: false,
            check_every: if cfg!(debug_assertions) { 61 } else { 0 },
            strict: false,
            threads: threads.max(1),
        }
    }
}

/// How a call ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProofOutcome {
    /// A shortest solution.
    Shortest(Vec<Push>),
    /// A shortest solution has so many pushes, but the way to it was let go for want of memory.
    Length(u32),
    /// The lower bound has reached what was asked for.
    Proved,
    /// There is no solution.
    Unsolvable,
    /// So many positions as were allowed have been expanded.
    Capped,
    /// A limit or somebody ended it.
    Halted(Halt),
}

/// What a neighbourhood held.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Nearby {
    /// A shorter solution.
    Shorter(Vec<Push>),
    /// No shorter solution; whether all positions were in the neighbourhood.
    Nothing { all: bool },
    /// So many positions as were allowed have been expanded.
    Capped,
    /// A limit or somebody ended it.
    Halted,
}

/// A level made ready for proofs.
pub trait Prover: Send {
    /// No solution has fewer pushes than this.
    fn lower(&self) -> u32;

    /// What the lower bound rests on, in words.
    fn reason(&self) -> String;

    /// Raises the lower bound until it meets the upper one, a solution is found, or about `most` positions are expanded.
    fn prove(&mut self, most: u64, control: &Control<'_>, tick: &mut dyn FnMut()) -> ProofOutcome;

    /// Looks for a shorter solution than the one given where at most so many boxes stand elsewhere than in it.
    fn search_near(
        &mut self,
        board: &Board,
        pushes: &[Push],
        astray: u32,
        most: u64,
        control: &Control<'_>,
        tick: &mut dyn FnMut(),
    ) -> Nearby;

    /// Looks for a solution of at most `limit` pushes by layers thinned to `width` positions, by the lot of that number.
    fn search_beam(
        &mut self,
        limit: u32,
        width: usize,
        lot: u64,
        most: u64,
        control: &Control<'_>,
        tick: &mut dyn FnMut(),
    ) -> Beamed;

    /// Bytes of a key.
    fn key_bytes(&self) -> usize;

    /// Keeps checkpoints from now on, and takes up those that were found. Returns what a reader should know of that.
    fn keep(&mut self, journal: Journal, found: FoundCheckpoints, control: &Control<'_>) -> Vec<String>;

    /// Writes a checkpoint, if they are kept. Nothing is under way any more when it is `over`.
    fn checkpoint(&mut self, over: bool, control: &Control<'_>);

    /// The limits that were searched to their end.
    fn records(&self) -> &[LimitRecord];

    /// The start when its bound last raised what is proved.
    fn start(&self) -> &StartRecord;

    /// Bounds the start again with the tables of a record.
    fn confirm_start(&mut self, start: &StartRecord, control: &Control<'_>) -> Result<(), Unconfirmed>;

    /// Does the work of a record again.
    fn confirm(
        &mut self,
        record: &LimitRecord,
        control: &Control<'_>,
        tick: &mut dyn FnMut(),
    ) -> Result<(), Unconfirmed>;
}

/// Makes a level ready. `Ok(None)` if it is too large for this engine.
pub fn prover(board: &Board, options: Options, budget: &Budget) -> Result<Option<Box<dyn Prover>>, OutOfBudget> {
    let Some(dense) = DenseBoard::new(board, budget)? else { return Ok(None) };
    let dense = Arc::new(dense);
    Ok(match (dense.live_words(), dense.cell_words()) {
        // So few cells never need two words for a key, and so many mostly do.
        (1, 1) => of_size::<u64, 1, 1>(&dense, options),
        (1, 2) => of_size::<u64, 1, 2>(&dense, options).or_else(|| of_size::<u128, 1, 2>(&dense, options)),
        (2, ..=2) => of_size::<u64, 2, 2>(&dense, options).or_else(|| of_size::<u128, 2, 2>(&dense, options)),
        (2, ..=4) => of_size::<u64, 2, 4>(&dense, options).or_else(|| of_size::<u128, 2, 4>(&dense, options)),
        (4, ..=8) => of_size::<u128, 4, 8>(&dense, options),
        (4, ..=16) => of_size::<u128, 4, 16>(&dense, options),
        _ => None,
    })
}

fn of_size<K: Key, const L: usize, const G: usize>(
    dense: &Arc<DenseBoard>,
    options: Options,
) -> Option<Box<dyn Prover>> {
    Some(Box::new(LevelProver::<K, L, G>::new(dense, options)?))
}
