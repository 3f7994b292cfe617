//! Layers: all positions reached with so many pushes and not with fewer, as sorted keys in memory, in a file, or both.
//!
//! Threads hand in what they generate as sorted runs. A new layer is made from the runs piece by piece of the key
//! range: each piece is small, so it is sorted in the cache, several are made at a time, and the wish to
//! stop is heard between them. Runs that were put on disk are layers, too, and come in the same way.

use crate::digest::Digest;
use crate::disk::{Disk, Fault};
use crate::filed::{Encoded, Filed, Writer};
use crate::key::Key;
use lurd_search::sync::lock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Keys in a piece, about.
const PIECE: usize = 1 << 15;

/// Sorted keys, none twice. What is neither held nor filed was let go.
#[derive(Debug)]
pub(crate) struct Layer<K> {
    /// In ascending pieces.
    held: Option<Vec<Vec<K>>>,
    filed: Option<Filed<K>>,
    len: usize,
}

/// What a layer is made from.
pub(crate) struct Parts<'a, K> {
    /// Sorted runs.
    pub(crate) runs: &'a [Vec<K>],
    /// Runs that were put on disk.
    pub(crate) filed: &'a [Layer<K>],
    /// Layers whose keys are left out.
    pub(crate) earlier: &'a [&'a Layer<K>],
}

/// How a layer is made.
pub(crate) struct Making<'a> {
    pub(crate) threads: usize,
    pub(crate) stop: &'a (dyn Fn() -> bool + Sync),
    /// Where it goes, under what name, and whether it is to last; else it is held.
    pub(crate) to: Option<(&'a Arc<Disk>, &'static str, bool)>,
}

impl<K: Key> Layer<K> {
    /// One that was let go.
    pub(crate) fn gone() -> Self {
        Self { held: None, filed: None, len: 0 }
    }

    /// A few keys, sorted and none twice.
    pub(crate) fn of(keys: Vec<K>) -> Self {
        Self { len: keys.len(), held: Some(vec![keys]), filed: None }
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Bytes in memory.
    pub(crate) fn bytes(&self) -> usize {
        self.held.iter().flatten().map(|piece| piece.capacity() * size_of::<K>()).sum()
    }

    pub(crate) fn is_held(&self) -> bool {
        self.held.is_some()
    }

    /// The name of its file.
    pub(crate) fn name(&self) -> Option<&str> {
        self.filed.as_ref().map(Filed::name)
    }

    /// The pieces in memory, each sorted.
    pub(crate) fn into_pieces(self) -> Vec<Vec<K>> {
        self.held.unwrap_or_default()
    }

    /// Puts the layer on disk, unless it is there.
    pub(crate) fn file(&mut self, disk: &Arc<Disk>) -> Result<(), Fault> {
        if let (Some(held), None) = (&self.held, &self.filed) {
            let mut writer = Writer::new(disk, "layer")?;
            held.iter().try_for_each(|piece| writer.add(&Encoded::new(piece)))?;
            self.filed = Some(writer.finish(true)?);
        }
        Ok(())
    }

    /// Takes up a layer of an earlier run.
    pub(crate) fn take_up(disk: &Arc<Disk>, name: &str) -> Result<Self, Fault> {
        let filed = Filed::take_up(disk, name)?;
        Ok(Self { held: None, len: filed.len(), filed: Some(filed) })
    }

    /// Lets go of what is in memory. Returns how many bytes that was.
    pub(crate) fn forget(&mut self) -> usize {
        let bytes = self.bytes();
        self.held = None;
        bytes
    }

    /// Removes the file as well, whoever may name it.
    pub(crate) fn discard(self) {
        if let Some(filed) = self.filed {
            filed.discard();
        }
    }

    /// What it holds, read anew.
    pub(crate) fn digest(&self) -> Result<Digest, Fault> {
        let mut digest = Digest::default();
        let units = self.units(PIECE);
        let mut space = Vec::new();
        for unit in 0..units.len() {
            digest.join(&Digest::of(units.get(unit, &mut space)?));
        }
        Ok(digest)
    }

    pub(crate) fn contains(&self, key: K) -> Result<bool, Fault> {
        if let Some(pieces) = &self.held {
            let place = pieces.partition_point(|piece| piece.last().is_some_and(|&last| last < key));
            return Ok(pieces.get(place).is_some_and(|piece| piece.binary_search(&key).is_ok()));
        }
        let Some(filed) = &self.filed else { return Ok(false) };
        let place = filed.blocks.partition_point(|block| block.last < key);
        let Some(block) = filed.blocks.get(place).filter(|block| block.first <= key) else { return Ok(false) };
        let mut keys = Vec::with_capacity(block.count as usize);
        filed.read_block(block, &mut keys)?;
        Ok(keys.binary_search(&key).is_ok())
    }

    /// The keys in units of at most `size`, or as they are on disk.
    pub(crate) fn units(&self, size: usize) -> Units<'_, K> {
        match (&self.held, &self.filed) {
            (Some(pieces), _) => Units::Held(pieces.iter().flat_map(|piece| piece.chunks(size)).collect()),
            (None, Some(filed)) => Units::Filed(filed),
            (None, None) => Units::Held(Vec::new()),
        }
    }

    /// Calls `take` with the keys from `low` on and below `high`, in ascending parts.
    fn range(&self, low: Option<K>, high: Option<K>, take: &mut dyn FnMut(&[K])) -> Result<(), Fault> {
        if let Some(pieces) = &self.held {
            let first = low.map_or(0, |low| pieces.partition_point(|piece| piece.last().is_some_and(|&key| key < low)));
            for piece in &pieces[first..] {
                if high.is_some_and(|high| piece.first().is_some_and(|&key| key >= high)) {
                    break;
                }
                take(within(piece, low, high));
            }
        } else if let Some(filed) = &self.filed {
            let first = low.map_or(0, |low| filed.blocks.partition_point(|block| block.last < low));
            let mut keys = Vec::new();
            for block in &filed.blocks[first..] {
                if high.is_some_and(|high| block.first >= high) {
                    break;
                }
                keys.clear();
                filed.read_block(block, &mut keys)?;
                take(within(&keys, low, high));
            }
        }
        Ok(())
    }

    /// Takes out of `keys`, which is sorted and lies in the range, what this layer holds.
    fn subtract(&self, low: Option<K>, high: Option<K>, keys: &mut Vec<K>) -> Result<(), Fault> {
        // Those before `read` are decided, those before `kept` stay.
        let (mut read, mut kept) = (0, 0);
        self.range(low, high, &mut |mine| {
            let mut mine = mine;
            while let (Some(&head), true) = (mine.first(), read < keys.len()) {
                let key = keys[read];
                if head < key {
                    mine = &mine[1..];
                } else {
                    keys[kept] = key;
                    kept += usize::from(head != key);
                    read += 1;
                }
            }
        })?;
        keys.copy_within(read.., kept);
        keys.truncate(kept + keys.len() - read);
        Ok(())
    }

    /// A key that another layer holds as well.
    pub(crate) fn shared(&self, other: &Self) -> Result<Option<K>, Fault> {
        let units = self.units(PIECE);
        let (mut space, mut found) = (Vec::new(), None);
        for unit in 0..units.len() {
            let keys = units.get(unit, &mut space)?;
            let (Some(&first), Some(&last)) = (keys.first(), keys.last()) else { continue };
            let mut mine = keys;
            other.range(Some(first), Some(last.plus(K::small(1))), &mut |theirs| {
                let mut theirs = theirs;
                while let (Some(&key), Some(&head), None) = (mine.first(), theirs.first(), found) {
                    match key.cmp(&head) {
                        std::cmp::Ordering::Less => mine = &mine[1..],
                        std::cmp::Ordering::Greater => theirs = &theirs[1..],
                        std::cmp::Ordering::Equal => found = Some(key),
                    }
                }
            })?;
            if found.is_some() {
                break;
            }
        }
        Ok(found)
    }

    /// Joins parts into a layer, with its digest. `None` if told to stop.
    pub(crate) fn merged(parts: &Parts<'_, K>, making: &Making<'_>) -> Result<Option<(Self, Digest)>, Fault> {
        let bounds = bounds(parts);
        let next = AtomicUsize::new(0);
        let writer = making.to.map(|(disk, word, _)| Writer::new(disk, word)).transpose()?.map(Mutex::new);
        let done: Mutex<Vec<(usize, Vec<K>, Digest)>> = Mutex::new(Vec::new());
        let fault: Mutex<Option<Fault>> = Mutex::new(None);
        let piece = |number: usize| -> Result<(), Fault> {
            let low = number.checked_sub(1).map(|before| bounds[before]);
            let high = bounds.get(number).copied();
            let mut keys = Vec::new();
            parts.runs.iter().for_each(|run| keys.extend_from_slice(within(run, low, high)));
            parts.filed.iter().try_for_each(|run| run.range(low, high, &mut |part| keys.extend_from_slice(part)))?;
            // The stable sort makes use of the runs.
            keys.sort();
            keys.dedup();
            parts.earlier.iter().try_for_each(|layer| layer.subtract(low, high, &mut keys))?;
            let digest = Digest::of(&keys);
            if let Some(writer) = &writer {
                let encoded = Encoded::new(&keys);
                keys = Vec::new();
                lock(writer).add(&encoded)?;
            }
            keys.shrink_to_fit();
            lock(&done).push((number, keys, digest));
            Ok(())
        };
        let work = || {
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number > bounds.len() || (making.stop)() {
                    return;
                }
                if let Err(found) = piece(number) {
                    lock(&fault).get_or_insert(found);
                    return;
                }
            }
        };
        std::thread::scope(|scope| {
            for _ in 1..making.threads.min(bounds.len() + 1) {
                scope.spawn(work);
            }
            work();
        });
        if let Some(fault) = fault.into_inner().unwrap_or_else(PoisonError::into_inner) {
            return Err(fault);
        }
        let mut pieces = done.into_inner().unwrap_or_else(PoisonError::into_inner);
        if pieces.len() <= bounds.len() {
            return Ok(None);
        }
        pieces.sort_unstable_by_key(|&(number, ..)| number);
        let mut digest = Digest::default();
        pieces.iter().for_each(|(.., part)| digest.join(part));
        let len = digest.positions as usize;
        let layer = match (writer, making.to) {
            (Some(writer), Some((.., last))) => {
                let filed = writer.into_inner().unwrap_or_else(PoisonError::into_inner).finish(last)?;
                Self { held: None, filed: Some(filed), len }
            }
            _ => {
                let held = pieces.into_iter().map(|(_, keys, _)| keys).filter(|keys| !keys.is_empty()).collect();
                Self { held: Some(held), filed: None, len }
            }
        };
        Ok(Some((layer, digest)))
    }
}

/// The units of a layer.
pub(crate) enum Units<'a, K> {
    Held(Vec<&'a [K]>),
    Filed(&'a Filed<K>),
}

impl<K: Key> Units<'_, K> {
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Held(slices) => slices.len(),
            Self::Filed(filed) => filed.blocks.len(),
        }
    }

    /// The keys of a unit; `space` is for those that must be read.
    pub(crate) fn get<'s>(&'s self, number: usize, space: &'s mut Vec<K>) -> Result<&'s [K], Fault> {
        match self {
            Self::Held(slices) => Ok(slices[number]),
            Self::Filed(filed) => {
                space.clear();
                filed.read_block(&filed.blocks[number], space)?;
                Ok(space)
            }
        }
    }
}

/// The part of sorted keys from `low` on and below `high`.
fn within<K: Key>(keys: &[K], low: Option<K>, high: Option<K>) -> &[K] {
    let first = low.map_or(0, |low| keys.partition_point(|&key| key < low));
    let last = high.map_or(keys.len(), |high| keys.partition_point(|&key| key < high));
    &keys[first..last]
}

/// Keys that cut the range into pieces of about the same size.
fn bounds<K: Key>(parts: &Parts<'_, K>) -> Vec<K> {
    const STEP: usize = 512;
    let total = parts.runs.iter().map(Vec::len).sum::<usize>() + parts.filed.iter().map(Layer::len).sum::<usize>();
    let pieces = total / PIECE;
    if pieces == 0 {
        return Vec::new();
    }
    let mut sample: Vec<K> = parts.runs.iter().flat_map(|run| run.iter().step_by(STEP).copied()).collect();
    // Of a block only its first key is at hand: it stands for all.
    for block in parts.filed.iter().filter_map(|run| run.filed.as_ref()).flat_map(|filed| &filed.blocks) {
        sample.extend(std::iter::repeat_n(block.first, (block.count as usize).div_ceil(STEP)));
    }
    sample.sort_unstable();
    let mut bounds: Vec<K> = (1..=pieces).map(|piece| sample[piece * sample.len() / (pieces + 1)]).collect();
    bounds.dedup();
    bounds
}

#[cfg(test)]
mod tests {
    use super::*;
    use lurd_search::random::SplitMix64;
    use std::collections::BTreeSet;

    #[test]
    fn a_merged_layer_holds_each_new_key_once_and_no_old_one() {
        let folder = std::env::temp_dir().join(format!("lurd-layer-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        let disk = Disk::open(&folder, None).unwrap();
        let mut dice = SplitMix64::new(3);
        for (size, range, threads) in [(50, 100, 1), (200_000, 150_000, 2), (300_000, 1 << 40, 2), (0, 1, 2)] {
            let mut runs = || -> Vec<Vec<u64>> {
                let make = |dice: &mut SplitMix64| {
                    let keys: BTreeSet<u64> = (0..size / 3).map(|_| dice.below(range) as u64).collect();
                    keys.into_iter().collect()
                };
                (0..3).map(|_| make(&mut dice)).collect()
            };
            let (old, older, new) = (runs(), runs(), runs());
            let known: BTreeSet<u64> = old.iter().chain(&older).flatten().copied().collect();
            let wanted: BTreeSet<u64> = new.iter().flatten().copied().filter(|key| !known.contains(key)).collect();
            let making =
                |on_disk: bool| Making { threads, stop: &|| false, to: on_disk.then_some((&disk, "layer", true)) };
            let plain = |runs: &[Vec<u64>], on_disk| {
                Layer::merged(&Parts { runs, filed: &[], earlier: &[] }, &making(on_disk)).unwrap().unwrap().0
            };
            for (old_on_disk, new_on_disk, runs_on_disk) in
                [(false, false, 0), (true, false, 0), (false, true, 0), (true, true, 1), (true, false, 3)]
            {
                let (first, second) = (plain(&old, old_on_disk), plain(&older, old_on_disk));
                let filed: Vec<Layer<u64>> =
                    new[..runs_on_disk].iter().map(|run| plain(std::slice::from_ref(run), true)).collect();
                let parts = Parts { runs: &new[runs_on_disk..], filed: &filed, earlier: &[&first, &second] };
                let (mut merged, digest) = Layer::merged(&parts, &making(new_on_disk)).unwrap().unwrap();
                let stopped = Layer::merged(&parts, &Making { stop: &|| true, ..making(false) });
                assert!(stopped.unwrap().is_none());
                for forgotten in [false, true] {
                    if forgotten {
                        merged.file(&disk).unwrap();
                        merged.forget();
                    }
                    let units = merged.units(100);
                    let (mut found, mut space) = (Vec::<u64>::new(), Vec::new());
                    (0..units.len()).for_each(|unit| found.extend(units.get(unit, &mut space).unwrap()));
                    assert_eq!(found, wanted.iter().copied().collect::<Vec<_>>());
                    assert_eq!(merged.len(), wanted.len());
                    assert_eq!((digest, merged.digest().unwrap()), (Digest::of(&found), digest));
                    let asked = wanted.iter().step_by(1 + wanted.len() / 500);
                    assert!(asked.copied().all(|key| merged.contains(key).unwrap()));
                    let strange = known.iter().filter(|key| !wanted.contains(key)).step_by(1 + known.len() / 500);
                    assert!(strange.copied().all(|key| !merged.contains(key).unwrap()));
                }
                let name = merged.name().unwrap().to_owned();
                disk.set_named(std::collections::HashSet::from([name.clone()]));
                drop(merged);
                let again = Layer::<u64>::take_up(&disk, &name).unwrap();
                assert_eq!(again.digest().unwrap(), digest);
                again.discard();
                assert!(!disk.path(&name).exists());
            }
        }
        std::fs::remove_dir_all(folder).unwrap();
    }
}
