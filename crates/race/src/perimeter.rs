//! Where forward and backward searches meet.
//!
//! Every search files the positions it expands, with the move that made them and the
//! position they came from. A position that the other side has filed closes a chain from the
//! start to the solved board: following both chains gives the answer at once. Positions are
//! known here by a 64-bit key only; an answer is replayed before anybody believes it.

use lurd_rules::KeyHasher;
use lurd_rules::Square;
use lurd_search::sync::lock;
use std::collections::HashMap;
use std::hash::BuildHasherDefault;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

/// Which way a search goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    /// From the start, pushing.
    Forward,
    /// From the solved board, pulling.
    Backward,
}

/// A position that was reached, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Reached {
    /// The key of the position before; zero for a first position.
    pub(crate) parent: u64,
    /// Where the moved box stood before the move (pushed or pulled, any number of squares).
    pub(crate) from: Square,
    /// Where it stands now.
    pub(crate) to: Square,
    /// A square of the player's zone now.
    pub(crate) player: Square,
    /// Which side found it.
    pub(crate) side: Side,
}

/// Parts of the table, each under its own lock: threads seldom wait for each other.
const SHARDS: usize = 64;

/// The positions both sides have expanded.
#[derive(Debug)]
pub(crate) struct Perimeter {
    shards: Vec<Mutex<HashMap<u64, Reached, BuildHasherDefault<KeyHasher>>>>,
    most_in_shard: usize,
    /// Whether each side has filed anything: as long as one has not, nobody need ask.
    filed: [AtomicBool; 2],
}

impl Perimeter {
    /// A table that holds at most about `bytes`; when it is full, new positions are not filed.
    pub(crate) fn new(bytes: usize) -> Self {
        // A map may be half empty after it has grown.
        let most_in_shard = bytes / SHARDS / (2 * (size_of::<(u64, Reached)>() + 1));
        Self { shards: (0..SHARDS).map(|_| Mutex::default()).collect(), most_in_shard, filed: Default::default() }
    }

    /// Files a position under its key, unless it is known. Whoever comes first keeps the place.
    pub(crate) fn file(&self, key: u64, reached: Reached) {
        self.filed[reached.side as usize].store(true, Ordering::Relaxed);
        let mut shard = self.shard(key);
        if shard.len() < self.most_in_shard {
            shard.entry(key).or_insert(reached);
        }
    }

    /// What is known about a position.
    pub(crate) fn find(&self, key: u64) -> Option<Reached> {
        self.shard(key).get(&key).copied()
    }

    /// Whether the side opposite to `side` has filed the position.
    pub(crate) fn met(&self, key: u64, side: Side) -> bool {
        self.filed[1 - side as usize].load(Ordering::Relaxed)
            && self.find(key).is_some_and(|reached| reached.side != side)
    }

    /// The chain from a position to the first one of its side, the position itself first.
    pub(crate) fn chain(&self, key: u64) -> Vec<Reached> {
        let mut chain = Vec::new();
        let mut next = key;
        while let Some(reached) = self.find(next) {
            chain.push(reached);
            if reached.parent == 0 {
                return chain;
            }
            next = reached.parent;
        }
        Vec::new()
    }

    /// Bytes it holds now.
    pub(crate) fn bytes(&self) -> usize {
        let slots: usize = self.shards.iter().map(|shard| lock(shard).capacity()).sum();
        slots * (size_of::<(u64, Reached)>() + 1)
    }

    fn shard(&self, key: u64) -> std::sync::MutexGuard<'_, HashMap<u64, Reached, BuildHasherDefault<KeyHasher>>> {
        lock(&self.shards[(key >> 58) as usize % SHARDS])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reached(parent: u64, side: Side) -> Reached {
        Reached { parent, from: 1, to: 2, player: 3, side }
    }

    #[test]
    fn a_chain_leads_to_the_first_position_of_its_side() {
        let perimeter = Perimeter::new(1 << 20);
        perimeter.file(10, reached(0, Side::Backward));
        perimeter.file(11, reached(10, Side::Backward));
        perimeter.file(12, reached(11, Side::Backward));
        assert_eq!(perimeter.chain(12).len(), 3);
        assert!(perimeter.met(12, Side::Forward));
        assert!(!perimeter.met(12, Side::Backward));
        assert!(!perimeter.met(13, Side::Forward));
    }

    #[test]
    fn a_chain_with_a_missing_link_is_no_chain() {
        let perimeter = Perimeter::new(1 << 20);
        perimeter.file(11, reached(10, Side::Forward));
        assert!(perimeter.chain(11).is_empty());
    }

    #[test]
    fn a_full_table_files_nothing_more() {
        let perimeter = Perimeter::new(SHARDS * 200);
        for key in 1..100_000u64 {
            perimeter.file(key.wrapping_mul(0x9E37_79B9_7F4A_7C15), reached(0, Side::Forward));
        }
        assert!(perimeter.bytes() < SHARDS * 1000, "{}", perimeter.bytes());
    }
}
