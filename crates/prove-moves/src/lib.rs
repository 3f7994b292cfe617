//! Proves the fewest moves of a Sokoban level: A* over boxes and the player's square, with bounds that count his walks.
//!
//! A state is a set of boxes with the player's zone; within it, the squares on which pushes left him are kept apart
//! ([`store`]), in shards that several threads fill ([`shards`]). One breadth-first search from all of these squares
//! ([`wavefront`]) generates every push of a zone at its least cost ([`worker`], [`search`]).
//!
//! | bound | module |
//! |---|---|
//! | the zero potential: pushes by matching; fitted potentials: pushes and the player's ways back | [`potential`], [`potentials`] |
//! | with it, what two boxes cost each other in pushes | [`push_interaction`] |
//! | cost partitioning: the player's walks round boxes too | [`cost_partition`], [`ownership`], [`box_paths`] |
//! | the best of these for given positions, by the dual of a flow LP | [`flow_lp`], [`dual_bound`], [`dual_bounds`], [`bound_table`] |
//! | with it, what two boxes pay beyond their sum | [`pair_interaction`] |
//! | each box alone | [`lone_box`] |
//! | rounding by the colour of squares | [`parity`] |

#![allow(missing_docs, reason = "items are public for the crate `lurd`; a name that says it all needs no sentence")]

mod bound_table;
mod bounds;
mod box_paths;
mod cost_partition;
mod dual_bound;
mod dual_bounds;
mod exclusive;
mod flow_lp;
mod lone_box;
mod lp_threads;
mod ownership;
mod pair_interaction;
mod parity;
mod potential;
mod potentials;
mod push_interaction;
mod retrace;
mod search;
mod shards;
mod shared;
mod store;
#[cfg(test)]
mod tests;
mod wavefront;
mod worker;

use lurd_base::{Budget, Halt};
use lurd_rules::dense::board::DenseBoard;
use lurd_rules::{Board, Figures, Push, for_word_counts};
use search::Search;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use store::Cost;

/// What the search looks for, and what it uses.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Among solutions with the fewest moves, one with the fewest pushes.
    pub then_pushes: bool,
    /// Only solutions with at most so many pushes, which must be the fewest: states are then expanded in order of pushes.
    pub most_pushes: Option<u32>,
    /// How many potentials are fitted to the start and to intermediate positions; 0 leaves the push bound alone.
    pub fitted: usize,
    /// Whether the cost of walks is partitioned among boxes.
    pub cost_partitioning: bool,
    /// Whether LP dual bounds are used where a level is small enough for them.
    pub flow_lp: bool,
    /// Whether the interactions of pairs of boxes are added to potentials.
    pub pair_interactions: bool,
    pub lone_box: bool,
    /// Whether dead sets, frozen boxes and corrals that never open are detected.
    pub deadlocks: bool,
    /// Expansions before bounds are first fitted to more than the start.
    pub refit_after: u64,
    /// Threads, at least one. With one the search is deterministic.
    pub threads: usize,
    /// Only solutions with fewer moves are sought: at most as many as an arrival can store.
    pub most_moves: u32,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            then_pushes: false,
            most_pushes: None,
            fitted: 3,
            cost_partitioning: true,
            flow_lp: true,
            pair_interactions: true,
            lone_box: true,
            deadlocks: true,
            refit_after: 1_000,
            threads: 1,
            most_moves: MOST_MOVES,
        }
    }
}

impl Settings {
    /// Whether pushes are counted at all.
    fn counts_pushes(&self) -> bool {
        self.then_pushes || self.most_pushes.is_some()
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// Nothing below the upper bound is left: it is proved, or without one there is no solution.
    Done,
    /// Solutions with more moves than can be stored were left out, and nothing else: the lower bound is all that is proved.
    TooLong,
    /// The expansions granted are used up.
    Open,
    /// A limit of the budget was reached, or somebody cancelled.
    Halted(Halt),
}

/// A search of any size.
pub trait Prover {
    /// Continues for so many expansions. `tick` is called now and then.
    fn run(&mut self, work: u64, budget: &Budget, tick: &mut dyn FnMut(&dyn Prover)) -> Ended;
    /// Searches only for solutions that improve on this one.
    fn improve_on(&self, moves: u32, pushes: u32);
    /// The pushes of the best solution found here, unless a better one is known.
    fn answer(&self) -> Option<Vec<Push>>;
    /// No solution has fewer moves; where pushes are limited, the pushes up to which everything is searched.
    fn lower_bound(&self) -> u32;
    fn figures(&self) -> Figures;
    /// Bytes held, those of abandoned solver threads included.
    fn bytes(&self) -> usize;
    /// Zone states, and player arrivals in them.
    fn counts(&self) -> (usize, usize);
}

/// The most moves that an arrival can store.
const MOST_MOVES: u32 = u16::MAX as u32 - 1;

/// The cost of the best solution known, which only falls: moves in the upper half, pushes in the lower.
#[derive(Debug)]
struct UpperBound {
    both: AtomicU64,
    /// The moves as long as no solution is known.
    open: u32,
}

impl UpperBound {
    fn new(most_moves: u32) -> Self {
        let open = most_moves.min(MOST_MOVES);
        Self { both: AtomicU64::new(u64::from(open) << 32), open }
    }

    #[inline]
    fn get(&self) -> Cost {
        let both = self.both.load(Ordering::Relaxed);
        Cost { moves: (both >> 32) as u32, pushes: both as u32 }
    }

    /// Whether no solution is known yet that can be stored.
    fn is_open(&self) -> bool {
        self.get().moves == self.open
    }

    fn lower(&self, to: Cost) {
        self.both.fetch_min(u64::from(to.moves) << 32 | u64::from(to.pushes), Ordering::Relaxed);
    }
}

/// A search for a level, compiled for its number of words; `None` if the level is too large.
pub fn prover(board: &Board, dense: &Arc<DenseBoard>, settings: Settings, budget: &Budget) -> Option<Box<dyn Prover>> {
    for_word_counts!(dense, |L, G| Box::new(Search::<L, G>::new(board, dense, settings, budget)) as Box<dyn Prover>)
}
