//! Layers: all positions at one depth of the search, as sorted keys in memory, in a file, or both.
//!
//! Duplicates are detected when a layer is complete, not when a position is generated (delayed duplicate detection, Korf
//! 2003). Threads deliver the keys they generate as sorted runs. The runs are merged in pieces of the key range: a piece
//! fits into the cache, several are merged in parallel, and between pieces the stop condition is polled. Runs on disk are
//! layers as well and are merged in the same way.

use crate::digest::LayerRecord;
use crate::disk::{Disk, DiskError};
use crate::key::Key;
use crate::key_file::{EncodedKeys, KeyFile, KeyFileWriter};
use lurd_base::sync::lock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Keys in a piece, approximately.
const PIECE: usize = 1 << 15;

/// Sorted distinct keys. A layer neither in memory nor on disk was freed.
#[derive(Debug)]
pub(crate) struct Layer<K> {
    /// In ascending pieces.
    in_memory: Option<Vec<Vec<K>>>,
    on_disk: Option<KeyFile<K>>,
    len: usize,
}

pub(crate) struct MergeInput<'a, K> {
    /// Sorted runs.
    pub(crate) runs: &'a [Vec<K>],
    pub(crate) disk_runs: &'a [Layer<K>],
    /// Layers whose keys are removed.
    pub(crate) earlier: &'a [&'a Layer<K>],
}

pub(crate) struct MergeOptions<'a> {
    pub(crate) threads: usize,
    pub(crate) stop: &'a (dyn Fn() -> bool + Sync),
    /// Where the result is written; without a destination it stays in memory.
    pub(crate) to: Option<Destination<'a>>,
}

/// A new file for a layer or a run.
#[derive(Clone, Copy)]
pub(crate) struct Destination<'a> {
    pub(crate) disk: &'a Arc<Disk>,
    pub(crate) prefix: &'static str,
}

/// A merged layer and its digest; `None` if the merge was stopped.
pub(crate) type Merged<K> = Result<Option<(Layer<K>, LayerRecord)>, DiskError>;

impl<K: Key> Layer<K> {
    pub(crate) fn freed() -> Self {
        Self { in_memory: None, on_disk: None, len: 0 }
    }

    pub(crate) fn from_sorted(keys: Vec<K>) -> Self {
        Self { len: keys.len(), in_memory: Some(vec![keys]), on_disk: None }
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Bytes in memory.
    pub(crate) fn bytes(&self) -> usize {
        self.in_memory.iter().flatten().map(|piece| piece.capacity() * size_of::<K>()).sum()
    }

    pub(crate) fn is_in_memory(&self) -> bool {
        self.in_memory.is_some()
    }

    pub(crate) fn file_name(&self) -> Option<&str> {
        self.on_disk.as_ref().map(KeyFile::name)
    }

    /// The pieces in memory, each sorted.
    pub(crate) fn into_pieces(self) -> Vec<Vec<K>> {
        self.in_memory.unwrap_or_default()
    }

    /// Writes the layer to disk, unless it is there.
    pub(crate) fn write_to(&mut self, disk: &Arc<Disk>) -> Result<(), DiskError> {
        if let (Some(in_memory), None) = (&self.in_memory, &self.on_disk) {
            let mut writer = KeyFileWriter::new(disk, "layer")?;
            in_memory.iter().try_for_each(|piece| writer.add(&EncodedKeys::new(piece)))?;
            self.on_disk = Some(writer.finish()?);
        }
        Ok(())
    }

    /// Opens a layer of an earlier run.
    pub(crate) fn open(disk: &Arc<Disk>, name: &str) -> Result<Self, DiskError> {
        let on_disk = KeyFile::open(disk, name)?;
        Ok(Self { in_memory: None, len: on_disk.len(), on_disk: Some(on_disk) })
    }

    /// Frees the keys in memory and returns their bytes.
    pub(crate) fn free_memory(&mut self) -> usize {
        let bytes = self.bytes();
        self.in_memory = None;
        bytes
    }

    /// Removes the file as well, even if a checkpoint names it.
    pub(crate) fn delete(self) {
        if let Some(on_disk) = self.on_disk {
            on_disk.delete();
        }
    }

    /// The digest of the keys as they are stored; `None` if it was stopped.
    pub(crate) fn digest(&self, stop: &dyn Fn() -> bool) -> Result<Option<LayerRecord>, DiskError> {
        let mut digest = LayerRecord::default();
        let units = self.units(PIECE);
        let mut space = Vec::new();
        for unit in 0..units.len() {
            if stop() {
                return Ok(None);
            }
            digest.join(&LayerRecord::of(units.get(unit, &mut space)?));
        }
        Ok(Some(digest))
    }

    pub(crate) fn contains(&self, key: K) -> Result<bool, DiskError> {
        if let Some(pieces) = &self.in_memory {
            let place = pieces.partition_point(|piece| piece.last().is_some_and(|&last| last < key));
            return Ok(pieces.get(place).is_some_and(|piece| piece.binary_search(&key).is_ok()));
        }
        let Some(on_disk) = &self.on_disk else { return Ok(false) };
        let place = on_disk.blocks.partition_point(|block| block.last < key);
        let Some(block) = on_disk.blocks.get(place).filter(|block| block.first <= key) else { return Ok(false) };
        let mut keys = Vec::with_capacity(block.count as usize);
        on_disk.read_block(block, &mut keys)?;
        Ok(keys.binary_search(&key).is_ok())
    }

    /// The keys in units of at most `size`, or as they are on disk.
    pub(crate) fn units(&self, size: usize) -> Units<'_, K> {
        self.units_after(None, size)
    }

    /// The same for the keys after this one.
    pub(crate) fn units_after(&self, after: Option<K>, size: usize) -> Units<'_, K> {
        match (&self.in_memory, &self.on_disk) {
            (Some(pieces), _) => {
                let rest = pieces.iter().map(|piece| beyond(piece, after));
                Units::InMemory(rest.flat_map(|piece| piece.chunks(size)).collect())
            }
            (None, Some(on_disk)) => {
                let first = after.map_or(0, |after| on_disk.blocks.partition_point(|block| block.last <= after));
                Units::OnDisk { file: on_disk, first, after }
            }
            (None, None) => Units::InMemory(Vec::new()),
        }
    }

    /// Calls `take` with the keys from `low` on and below `high`, in ascending parts.
    fn range(&self, low: Option<K>, high: Option<K>, take: &mut dyn FnMut(&[K])) -> Result<(), DiskError> {
        if let Some(pieces) = &self.in_memory {
            let first = low.map_or(0, |low| pieces.partition_point(|piece| piece.last().is_some_and(|&key| key < low)));
            for piece in &pieces[first..] {
                if high.is_some_and(|high| piece.first().is_some_and(|&key| key >= high)) {
                    break;
                }
                take(within(piece, low, high));
            }
        } else if let Some(on_disk) = &self.on_disk {
            let first = low.map_or(0, |low| on_disk.blocks.partition_point(|block| block.last < low));
            let mut keys = Vec::new();
            for block in &on_disk.blocks[first..] {
                if high.is_some_and(|high| block.first >= high) {
                    break;
                }
                keys.clear();
                on_disk.read_block(block, &mut keys)?;
                take(within(&keys, low, high));
            }
        }
        Ok(())
    }

    /// Removes from `keys`, sorted and within the range, the keys of this layer.
    fn subtract(&self, low: Option<K>, high: Option<K>, keys: &mut Vec<K>) -> Result<(), DiskError> {
        // Keys before `read` are decided, those before `kept` stay.
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

    /// A key of both layers.
    pub(crate) fn shared(&self, other: &Self) -> Result<Option<K>, DiskError> {
        let units = self.units(PIECE);
        let (mut space, mut found) = (Vec::new(), None);
        for unit in 0..units.len() {
            let keys = units.get(unit, &mut space)?;
            let (Some(&first), Some(&last)) = (keys.first(), keys.last()) else { continue };
            let mut mine = keys;
            other.range(Some(first), Some(last + K::from(1)), &mut |theirs| {
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

    pub(crate) fn merge(input: &MergeInput<'_, K>, options: &MergeOptions<'_>) -> Merged<K> {
        let bounds = bounds(input);
        let next = AtomicUsize::new(0);
        let writer = options.to.map(|to| KeyFileWriter::new(to.disk, to.prefix)).transpose()?.map(Mutex::new);
        let done: Mutex<Vec<(usize, Vec<K>, LayerRecord)>> = Mutex::new(Vec::new());
        let failure: Mutex<Option<DiskError>> = Mutex::new(None);
        let piece = |number: usize| -> Result<(), DiskError> {
            let low = number.checked_sub(1).map(|before| bounds[before]);
            let high = bounds.get(number).copied();
            let mut keys = Vec::new();
            input.runs.iter().for_each(|run| keys.extend_from_slice(within(run, low, high)));
            input
                .disk_runs
                .iter()
                .try_for_each(|run| run.range(low, high, &mut |part| keys.extend_from_slice(part)))?;
            // The stable sort takes advantage of the sorted runs.
            keys.sort();
            keys.dedup();
            input.earlier.iter().try_for_each(|layer| layer.subtract(low, high, &mut keys))?;
            let digest = LayerRecord::of(&keys);
            if let Some(writer) = &writer {
                let encoded = EncodedKeys::new(&keys);
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
                if number > bounds.len() || (options.stop)() {
                    return;
                }
                if let Err(found) = piece(number) {
                    lock(&failure).get_or_insert(found);
                    return;
                }
            }
        };
        std::thread::scope(|scope| {
            for _ in 1..options.threads.min(bounds.len() + 1) {
                scope.spawn(work);
            }
            work();
        });
        if let Some(failure) = failure.into_inner().unwrap_or_else(PoisonError::into_inner) {
            return Err(failure);
        }
        let mut pieces = done.into_inner().unwrap_or_else(PoisonError::into_inner);
        if pieces.len() <= bounds.len() {
            return Ok(None);
        }
        pieces.sort_unstable_by_key(|&(number, ..)| number);
        let mut digest = LayerRecord::default();
        pieces.iter().for_each(|(.., part)| digest.join(part));
        let len = digest.positions as usize;
        let layer = match writer {
            Some(writer) => {
                let on_disk = writer.into_inner().unwrap_or_else(PoisonError::into_inner).finish()?;
                Self { in_memory: None, on_disk: Some(on_disk), len }
            }
            None => {
                let in_memory = pieces.into_iter().map(|(_, keys, _)| keys).filter(|keys| !keys.is_empty()).collect();
                Self { in_memory: Some(in_memory), on_disk: None, len }
            }
        };
        Ok(Some((layer, digest)))
    }
}

/// The keys of a layer in units of work.
pub(crate) enum Units<'a, K> {
    InMemory(Vec<&'a [K]>),
    /// The blocks from the first one on, without keys up to `after`.
    OnDisk {
        file: &'a KeyFile<K>,
        first: usize,
        after: Option<K>,
    },
}

impl<K: Key> Units<'_, K> {
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::InMemory(slices) => slices.len(),
            Self::OnDisk { file, first, .. } => file.blocks.len() - first,
        }
    }

    /// The last key of a unit.
    pub(crate) fn last(&self, number: usize) -> Option<K> {
        match self {
            Self::InMemory(slices) => slices.get(number)?.last().copied(),
            Self::OnDisk { file, first, .. } => file.blocks.get(first + number).map(|block| block.last),
        }
    }

    /// The keys of a unit; `space` receives those that are read from disk.
    pub(crate) fn get<'s>(&'s self, number: usize, space: &'s mut Vec<K>) -> Result<&'s [K], DiskError> {
        match self {
            Self::InMemory(slices) => Ok(slices[number]),
            Self::OnDisk { file, first, after } => {
                space.clear();
                file.read_block(&file.blocks[first + number], space)?;
                Ok(beyond(space, *after))
            }
        }
    }
}

/// The part of sorted keys after a key.
fn beyond<K: Key>(keys: &[K], after: Option<K>) -> &[K] {
    after.map_or(keys, |after| &keys[keys.partition_point(|&key| key <= after)..])
}

/// The part of sorted keys from `low` on and below `high`.
fn within<K: Key>(keys: &[K], low: Option<K>, high: Option<K>) -> &[K] {
    let first = low.map_or(0, |low| keys.partition_point(|&key| key < low));
    let last = high.map_or(keys.len(), |high| keys.partition_point(|&key| key < high));
    &keys[first..last]
}

/// Keys that divide the range into pieces of about the same size.
fn bounds<K: Key>(input: &MergeInput<'_, K>) -> Vec<K> {
    const STEP: usize = 512;
    let total = input.runs.iter().map(Vec::len).sum::<usize>() + input.disk_runs.iter().map(Layer::len).sum::<usize>();
    let pieces = total / PIECE;
    if pieces == 0 {
        return Vec::new();
    }
    let mut sample: Vec<K> = input.runs.iter().flat_map(|run| run.iter().step_by(STEP).copied()).collect();
    // Only the first key of a block is in memory: it stands for all keys of the block.
    for block in input.disk_runs.iter().filter_map(|run| run.on_disk.as_ref()).flat_map(|on_disk| &on_disk.blocks) {
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
    use crate::disk::tests::folder;
    use lurd_base::random::SplitMix64;
    use std::collections::BTreeSet;

    #[test]
    fn a_merged_layer_holds_each_new_key_once_and_no_earlier_one() {
        let folder = folder("layer");
        let disk = Disk::open(&folder, None).unwrap();
        let mut random = SplitMix64::new(3);
        for (size, range, threads) in [(50, 100, 1), (200_000, 150_000, 2), (300_000, 1 << 40, 2), (0, 1, 2)] {
            let mut runs = || -> Vec<Vec<u64>> {
                let make = |random: &mut SplitMix64| {
                    let keys: BTreeSet<u64> = (0..size / 3).map(|_| random.below(range) as u64).collect();
                    keys.into_iter().collect()
                };
                (0..3).map(|_| make(&mut random)).collect()
            };
            let (old, older, new) = (runs(), runs(), runs());
            let known: BTreeSet<u64> = old.iter().chain(&older).flatten().copied().collect();
            let wanted: BTreeSet<u64> = new.iter().flatten().copied().filter(|key| !known.contains(key)).collect();
            let destination = Destination { disk: &disk, prefix: "layer" };
            let options = |on_disk: bool| MergeOptions { threads, stop: &|| false, to: on_disk.then_some(destination) };
            let plain = |runs: &[Vec<u64>], on_disk| {
                Layer::merge(&MergeInput { runs, disk_runs: &[], earlier: &[] }, &options(on_disk)).unwrap().unwrap().0
            };
            for (old_on_disk, new_on_disk, runs_on_disk) in
                [(false, false, 0), (true, false, 0), (false, true, 0), (true, true, 1), (true, false, 3)]
            {
                let (first, second) = (plain(&old, old_on_disk), plain(&older, old_on_disk));
                let disk_runs: Vec<Layer<u64>> =
                    new[..runs_on_disk].iter().map(|run| plain(std::slice::from_ref(run), true)).collect();
                let input =
                    MergeInput { runs: &new[runs_on_disk..], disk_runs: &disk_runs, earlier: &[&first, &second] };
                let (mut merged, digest) = Layer::merge(&input, &options(new_on_disk)).unwrap().unwrap();
                let stopped = Layer::merge(&input, &MergeOptions { stop: &|| true, ..options(false) });
                assert!(stopped.unwrap().is_none());
                for freed in [false, true] {
                    if freed {
                        merged.write_to(&disk).unwrap();
                        merged.free_memory();
                    }
                    let units = merged.units(100);
                    let (mut found, mut space) = (Vec::<u64>::new(), Vec::new());
                    (0..units.len()).for_each(|unit| found.extend(units.get(unit, &mut space).unwrap()));
                    assert_eq!(found, wanted.iter().copied().collect::<Vec<_>>());
                    assert_eq!(merged.len(), wanted.len());
                    for place in [0, wanted.len() / 3, wanted.len().saturating_sub(1)] {
                        let after = found.get(place).copied();
                        let rest = merged.units_after(after, 100);
                        let mut left = Vec::<u64>::new();
                        for unit in 0..rest.len() {
                            left.extend(rest.get(unit, &mut space).unwrap());
                            assert_eq!(rest.last(unit), left.last().copied());
                        }
                        assert_eq!(left, found[(place + 1).min(found.len())..], "after {after:?}");
                    }
                    assert_eq!((digest, merged.digest(&|| false).unwrap().unwrap()), (LayerRecord::of(&found), digest));
                    let present = wanted.iter().step_by(1 + wanted.len() / 500);
                    assert!(present.copied().all(|key| merged.contains(key).unwrap()));
                    let absent = known.iter().filter(|key| !wanted.contains(key)).step_by(1 + known.len() / 500);
                    assert!(absent.copied().all(|key| !merged.contains(key).unwrap()));
                }
                let name = merged.file_name().unwrap().to_owned();
                disk.set_checkpointed(std::collections::HashSet::from([name.clone()]));
                drop(merged);
                let again = Layer::<u64>::open(&disk, &name).unwrap();
                assert_eq!(again.digest(&|| false).unwrap(), Some(digest));
                again.delete();
                assert!(!disk.path(&name).exists());
            }
        }
        std::fs::remove_dir_all(folder).unwrap();
    }
}
