//! Fewest moves, proved: exact search over boxes and the player's square, with bounds that count his walks.
//!
//! A position is known by its boxes and the player's zone; inside the zone, by the squares where pushes left him
//! ([`store`]), in shards that several threads fill ([`shards`]). One walk from all of them at once ([`wave`]) makes every
//! push of a zone at its least cost ([`worker`]). The bound that carries the search counts the ways back as well as the
//! pushes ([`potential`]), with heights fitted to the start and to where the search stands ([`potentials`]); the strongest counts
//! the ways round boxes as well, all together, by the dual of a linear program ([`flow_lp`], [`dual_bound`], [`dual_bounds`],
//! [`bound_table`]), with what two boxes pay beyond that when they are looked at together ([`pair_interaction`]). Another looks at each box
//! alone ([`lone_box`]); what two boxes cost each other in pushes is added to the first ([`push_interaction`]).

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
mod wave;
mod worker;

use lurd_rules::dense::board::DenseBoard;
use lurd_rules::{Board, Figures, Push};
use lurd_search::{Budget, Stop};
use search::Search;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use store::Cost;

/// What the search may use and what it looks for.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Among solutions with the fewest moves, one with the fewest pushes.
    pub then_pushes: bool,
    /// Only solutions with at most so many pushes, which must be the fewest: the search goes from push to push then.
    pub most_pushes: Option<u32>,
    /// How many potentials are fitted to the start and positions on the way; 0 leaves the push bound alone for good.
    pub fitted: usize,
    /// Whether boxes pay for walks round them too.
    pub tolls: bool,
    /// Whether heights and shares come from linear programs where a level is small enough for them.
    pub flows: bool,
    /// Whether the excess of pairs is added.
    pub pairs: bool,
    /// Whether the bound of lone boxes is asked.
    pub lone: bool,
    /// Whether dead sets, frozen boxes and corrals that never open are looked for.
    pub rules: bool,
    /// Expansions before heights are first fitted to more than the start.
    pub refit_after: u64,
    /// Threads, at least one. With one the search repeats itself exactly.
    pub threads: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            then_pushes: false,
            most_pushes: None,
            fitted: 3,
            tolls: true,
            flows: true,
            pairs: true,
            lone: true,
            rules: true,
            refit_after: 1_000,
            threads: 1,
        }
    }
}

impl Settings {
    /// Whether pushes are counted at all.
    fn counts_pushes(&self) -> bool {
        self.then_pushes || self.most_pushes.is_some()
    }
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// Nothing below the upper bound is left: it is proved, or without one there is no solution.
    Done,
    /// The work granted is used up.
    Open,
    /// A limit of the budget was reached.
    Stopped(Stop),
    /// Somebody cancelled.
    Cancelled,
}

/// The search as others see it, whatever the size of the level.
pub trait Prover {
    /// Goes on for so many expansions. `tick` is called now and then.
    fn run(&mut self, work: u64, budget: &Budget, tick: &mut dyn FnMut(&dyn Prover)) -> Ended;
    /// Looks only for solutions cheaper than one that is known.
    fn undercut(&mut self, moves: u32, pushes: u32);
    /// The pushes of the best solution found here, if one was found and nobody knows a better.
    fn answer(&self) -> Option<Vec<Push>>;
    /// No solution has fewer moves; where pushes are limited, the pushes up to which everything is done.
    fn lower(&self) -> u32;
    /// What was done so far.
    fn figures(&self) -> Figures;
    /// Bytes held.
    fn bytes(&self) -> usize;
    /// Spots, and stands in them.
    fn counts(&self) -> (usize, usize);
}

/// The most moves that fit a stand.
const MOST_MOVES: u32 = u16::MAX as u32 - 1;

/// The cost of the best solution, which only falls: moves in the upper half, pushes in the lower.
#[derive(Debug)]
pub struct Ceiling(AtomicU64);

impl Default for Ceiling {
    fn default() -> Self {
        Self(AtomicU64::new(u64::from(MOST_MOVES) << 32))
    }
}

impl Ceiling {
    #[inline]
    fn get(&self) -> Cost {
        let both = self.0.load(Ordering::Relaxed);
        Cost { moves: (both >> 32) as u32, pushes: both as u32 }
    }

    /// Whether no solution is known yet.
    fn is_open(&self) -> bool {
        self.get().moves == MOST_MOVES
    }

    fn lower(&self, to: Cost) {
        self.0.fetch_min(u64::from(to.moves) << 32 | u64::from(to.pushes), Ordering::Relaxed);
    }
}

/// A search for a level, in the words it needs; `None` if the level is too large.
pub fn prover(board: &Board, dense: &Arc<DenseBoard>, settings: Settings, budget: &Budget) -> Option<Box<dyn Prover>> {
    Some(match (dense.live_words(), dense.cell_words()) {
        (1, 1) => Box::new(Search::<1, 1>::new(board, dense, settings, budget)),
        (1, 2) => Box::new(Search::<1, 2>::new(board, dense, settings, budget)),
        (2, ..=2) => Box::new(Search::<2, 2>::new(board, dense, settings, budget)),
        (2, ..=4) => Box::new(Search::<2, 4>::new(board, dense, settings, budget)),
        (4, ..=8) => Box::new(Search::<4, 8>::new(board, dense, settings, budget)),
        (4, ..=16) => Box::new(Search::<4, 16>::new(board, dense, settings, budget)),
        _ => return None,
    })
}
