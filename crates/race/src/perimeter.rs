//! The table where forward and backward searches meet.
//!
//! A perimeter (Dillenburg and Nelson 1994) that grows from both ends and is shared by all searches, as in the solver
//! Festival (Shoham): each inserts the positions it expands, with the move that made them and the position before. A
//! position that the other side has inserted joins a path from the start to a path from the solved board, and the
//! solution is read off both. Positions are known here by a 64-bit key only; a solution is replayed by the referee
//! before it counts.

use crate::macros::BoxMove;
use lurd_base::sync::lock;
use lurd_rules::ByKey;
use lurd_rules::dense::board::Side;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard};

/// A position and how it was reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Reached {
    /// The key of the position before; zero for a root.
    pub(crate) parent: u64,
    /// The move that made it: pushes forwards, pulls backwards.
    pub(crate) step: BoxMove,
    pub(crate) side: Side,
}

/// Parts of the table, each with a lock: threads seldom wait for each other.
const SHARDS: usize = 64;

/// The positions both sides have expanded.
#[derive(Debug)]
pub(crate) struct Perimeter {
    shards: Vec<Mutex<ByKey<Reached>>>,
    most_in_shard: usize,
    /// Whether each side has inserted anything: until then the other need not ask.
    in_use: [AtomicBool; 2],
}

impl Perimeter {
    /// A table of at most about `bytes`; when it is full, new positions are not inserted.
    pub(crate) fn new(bytes: usize) -> Self {
        // A map may be half empty after it has grown.
        let most_in_shard = bytes / SHARDS / (2 * (size_of::<(u64, Reached)>() + 1));
        Self { shards: (0..SHARDS).map(|_| Mutex::default()).collect(), most_in_shard, in_use: Default::default() }
    }

    /// Inserts a position under its key; a known position stays as it is.
    pub(crate) fn insert(&self, key: u64, reached: Reached) {
        self.in_use[reached.side as usize].store(true, Ordering::Relaxed);
        let mut shard = self.shard(key);
        if shard.len() < self.most_in_shard {
            shard.entry(key).or_insert(reached);
        }
    }

    fn find(&self, key: u64) -> Option<Reached> {
        self.shard(key).get(&key).copied()
    }

    /// Whether the side opposite to `side` has reached the position.
    pub(crate) fn meets(&self, key: u64, side: Side) -> bool {
        self.in_use[side.opposite() as usize].load(Ordering::Relaxed)
            && self.find(key).is_some_and(|reached| reached.side != side)
    }

    /// The path from a position to the root of its side, the position itself first; empty if a link is missing.
    fn path(&self, key: u64) -> Vec<Reached> {
        let before = |reached: &Reached| if reached.parent == 0 { None } else { self.find(reached.parent) };
        let path: Vec<Reached> = std::iter::successors(self.find(key), before).collect();
        if path.last().is_some_and(|root| root.parent == 0) { path } else { Vec::new() }
    }

    /// The moves from the start to a position of the forward side.
    pub(crate) fn moves_from_start(&self, key: u64) -> Vec<BoxMove> {
        self.path(key).iter().rev().skip(1).map(|reached| reached.step).collect()
    }

    /// The moves from a position of the backward side to the solved board.
    pub(crate) fn moves_to_solved(&self, key: u64) -> Vec<BoxMove> {
        // A pull took the box from `from` to `to`; the push takes it back and leaves the player where the position
        // before the pull has him.
        let back =
            |pair: &[Reached]| BoxMove { from: pair[0].step.to, to: pair[0].step.from, player: pair[1].step.player };
        self.path(key).windows(2).map(back).collect()
    }

    pub(crate) fn bytes(&self) -> usize {
        let slots: usize = self.shards.iter().map(|shard| lock(shard).capacity()).sum();
        slots * (size_of::<(u64, Reached)>() + 1)
    }

    fn shard(&self, key: u64) -> MutexGuard<'_, ByKey<Reached>> {
        lock(&self.shards[(key >> 58) as usize % SHARDS])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reached(parent: u64, side: Side) -> Reached {
        Reached { parent, step: BoxMove { from: 1, to: 2, player: 3 }, side }
    }

    #[test]
    fn a_path_leads_to_the_root_of_its_side() {
        let perimeter = Perimeter::new(1 << 20);
        perimeter.insert(10, reached(0, Side::Backward));
        perimeter.insert(11, reached(10, Side::Backward));
        perimeter.insert(12, reached(11, Side::Backward));
        assert_eq!(perimeter.path(12).len(), 3);
        assert_eq!(perimeter.moves_to_solved(12), [BoxMove { from: 2, to: 1, player: 3 }; 2]);
        assert!(perimeter.meets(12, Side::Forward));
        assert!(!perimeter.meets(12, Side::Backward));
        assert!(!perimeter.meets(13, Side::Forward));
    }

    #[test]
    fn a_path_with_a_missing_link_is_empty() {
        let perimeter = Perimeter::new(1 << 20);
        perimeter.insert(11, reached(10, Side::Forward));
        assert!(perimeter.path(11).is_empty());
    }

    #[test]
    fn a_full_table_takes_nothing_more() {
        let perimeter = Perimeter::new(SHARDS * 200);
        for key in 1..100_000u64 {
            perimeter.insert(key.wrapping_mul(0x9E37_79B9_7F4A_7C15), reached(0, Side::Forward));
        }
        assert!(perimeter.bytes() < SHARDS * 1000, "{}", perimeter.bytes());
    }
}
