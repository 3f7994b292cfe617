//! Layers: all positions reached with so many pushes and not with fewer, as sorted keys.
//!
//! Threads hand in what they generate as sorted runs. A new layer is made from the runs piece by piece of the key
//! range: each piece is small, so it is sorted in the cache, several are made at a time, and the wish to
//! stop is heard between them.

use super::key::Key;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Keys in a piece, about.
const PIECE: usize = 1 << 15;

/// Sorted keys, none twice, in ascending pieces.
#[derive(Clone, Debug)]
pub(crate) struct Layer<K> {
    pieces: Vec<Vec<K>>,
    len: usize,
}

impl<K: Key> Layer<K> {
    pub(crate) fn empty() -> Self {
        Self { pieces: Vec::new(), len: 0 }
    }

    pub(crate) fn of(key: K) -> Self {
        Self { pieces: vec![vec![key]], len: 1 }
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    pub(crate) fn bytes(&self) -> usize {
        self.pieces.iter().map(|piece| piece.capacity() * size_of::<K>()).sum()
    }

    pub(crate) fn contains(&self, key: K) -> bool {
        let place = self.pieces.partition_point(|piece| piece.last().is_some_and(|&last| last < key));
        self.pieces.get(place).is_some_and(|piece| piece.binary_search(&key).is_ok())
    }

    /// The keys in slices of at most `size`.
    pub(crate) fn slices(&self, size: usize) -> Vec<&[K]> {
        self.pieces.iter().flat_map(|piece| piece.chunks(size)).collect()
    }

    /// Takes out of `keys`, which is sorted, what this layer holds.
    fn subtract(&self, keys: &mut Vec<K>) {
        let (Some(&low), Some(&high)) = (keys.first(), keys.last()) else { return };
        let first = self.pieces.partition_point(|piece| piece.last().is_some_and(|&last| last < low));
        let mut mine = self.pieces[first..].iter().take_while(|piece| piece.first().is_some_and(|&key| key <= high));
        let mut rest: &[K] = &[];
        keys.retain(|&key| {
            loop {
                let Some(&head) = rest.first() else {
                    let Some(piece) = mine.next() else { return true };
                    rest = &piece[piece.partition_point(|&known| known < key)..];
                    continue;
                };
                if head >= key {
                    return head != key;
                }
                rest = &rest[1..];
            }
        });
    }

    /// Joins sorted runs into a layer without what is in `earlier` ones. `None` if told to stop.
    pub(crate) fn merged(
        runs: &[Vec<K>],
        earlier: &[&Layer<K>],
        threads: usize,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Option<Self> {
        let total: usize = runs.iter().map(Vec::len).sum();
        let bounds = bounds(runs, total);
        let next = AtomicUsize::new(0);
        let done: Mutex<Vec<(usize, Vec<K>)>> = Mutex::new(Vec::new());
        let work = || {
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number > bounds.len() || stop() {
                    return;
                }
                let low = number.checked_sub(1).map(|before| bounds[before]);
                let high = bounds.get(number).copied();
                let mut keys = Vec::new();
                for run in runs {
                    let first = low.map_or(0, |low| run.partition_point(|&key| key < low));
                    let last = high.map_or(run.len(), |high| run.partition_point(|&key| key < high));
                    keys.extend_from_slice(&run[first..last]);
                }
                // The stable sort makes use of the runs.
                keys.sort();
                keys.dedup();
                earlier.iter().for_each(|layer| layer.subtract(&mut keys));
                keys.shrink_to_fit();
                done.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push((number, keys));
            }
        };
        std::thread::scope(|scope| {
            for _ in 1..threads.min(bounds.len() + 1) {
                scope.spawn(work);
            }
            work();
        });
        let mut pieces = done.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
        if pieces.len() <= bounds.len() {
            return None;
        }
        pieces.sort_unstable_by_key(|&(number, _)| number);
        let pieces: Vec<Vec<K>> = pieces.into_iter().map(|(_, keys)| keys).filter(|keys| !keys.is_empty()).collect();
        Some(Self { len: pieces.iter().map(Vec::len).sum(), pieces })
    }
}

/// Keys that cut the range into pieces of about the same size.
fn bounds<K: Key>(runs: &[Vec<K>], total: usize) -> Vec<K> {
    let pieces = total / PIECE;
    if pieces == 0 {
        return Vec::new();
    }
    let mut sample: Vec<K> = runs.iter().flat_map(|run| run.iter().step_by(512).copied()).collect();
    sample.sort_unstable();
    let mut bounds: Vec<K> = (1..=pieces).map(|piece| sample[piece * sample.len() / (pieces + 1)]).collect();
    bounds.dedup();
    bounds
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle::Dice;
    use std::collections::BTreeSet;

    #[test]
    fn a_merged_layer_holds_each_new_key_once_and_no_old_one() {
        let mut dice = Dice(3);
        for (size, range, threads) in [(50, 100, 1), (200_000, 150_000, 2), (300_000, 1 << 40, 2), (0, 1, 2)] {
            let mut runs = || -> Vec<Vec<u64>> {
                let make = |dice: &mut Dice| {
                    let keys: BTreeSet<u64> = (0..size / 3).map(|_| dice.below(range) as u64).collect();
                    keys.into_iter().collect()
                };
                (0..3).map(|_| make(&mut dice)).collect()
            };
            let (old, older, new) = (runs(), runs(), runs());
            let layer = |runs: &[Vec<u64>]| Layer::merged(runs, &[], threads, &|| false).unwrap();
            let (first, second) = (layer(&old), layer(&older));
            let merged = Layer::merged(&new, &[&first, &second], threads, &|| false).unwrap();
            let known: BTreeSet<u64> = old.iter().chain(&older).flatten().copied().collect();
            let wanted: BTreeSet<u64> = new.iter().flatten().copied().filter(|key| !known.contains(key)).collect();
            let found: Vec<u64> = merged.slices(100).concat();
            assert_eq!(found, wanted.iter().copied().collect::<Vec<_>>());
            assert_eq!(merged.len(), wanted.len());
            assert!(found.iter().all(|&key| merged.contains(key)));
            assert!(known.iter().filter(|key| !wanted.contains(key)).all(|&key| !merged.contains(key)));
            assert!(Layer::merged(&new, &[], threads, &|| true).is_none());
        }
    }
}
