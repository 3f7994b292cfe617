//! Sorted keys in a file: blocks of differences with their checksums, and a list of the blocks at the end.
//!
//! The list stays in memory, so a block is found and read without touching the others. Everything that is read is held
//! against a checksum first.

use crate::checksum::checksum;
use crate::disk::{Disk, Draft, Fault, Kept};
use crate::key::Key;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::sync::Arc;

/// Keys in a block at most.
const BLOCK: usize = 1 << 12;

/// Bytes of one entry of the list, and of what follows the list: its length and checksum, and the mark of the form.
const ENTRY: usize = 16 + 16 + 4 + 4 + 8 + 8;
const TAIL: usize = 8 + 8 + 8;
const MARK: [u8; 8] = *b"lurdkey1";

/// Some keys in a row.
#[derive(Clone, Copy, Debug)]
pub(super) struct Block<K> {
    pub(super) first: K,
    pub(super) last: K,
    pub(super) count: u32,
    bytes: u32,
    place: u64,
    check: u64,
}

/// Sorted keys, none twice, in a file.
#[derive(Debug)]
pub(crate) struct Filed<K> {
    file: Kept,
    pub(super) blocks: Vec<Block<K>>,
}

/// Keys made ready for a file.
pub(super) struct Encoded<K> {
    bytes: Vec<u8>,
    blocks: Vec<Block<K>>,
}

impl<K: Key> Encoded<K> {
    pub(super) fn new(keys: &[K]) -> Self {
        let mut encoded = Self { bytes: Vec::with_capacity(keys.len() * 4), blocks: Vec::new() };
        for keys in keys.chunks(BLOCK) {
            let place = encoded.bytes.len();
            for pair in keys.windows(2) {
                write_number(pair[1].minus(pair[0]).wide(), &mut encoded.bytes);
            }
            let bytes = &encoded.bytes[place..];
            encoded.blocks.push(Block {
                first: keys[0],
                last: keys[keys.len() - 1],
                count: keys.len() as u32,
                bytes: bytes.len() as u32,
                place: place as u64,
                check: checksum(bytes),
            });
        }
        encoded
    }
}

/// A file of keys that is being written. Parts may come in any order, as long as none reaches into another.
pub(super) struct Writer<K> {
    draft: Draft,
    blocks: Vec<Block<K>>,
}

impl<K: Key> Writer<K> {
    pub(super) fn new(disk: &Arc<Disk>, word: &str) -> Result<Self, Fault> {
        Ok(Self { draft: disk.begin(word)?, blocks: Vec::new() })
    }

    pub(super) fn add(&mut self, part: &Encoded<K>) -> Result<(), Fault> {
        let start = self.draft.append(&part.bytes)?;
        self.blocks.extend(part.blocks.iter().map(|block| Block { place: start + block.place, ..*block }));
        Ok(())
    }

    /// Ends the file; if it is to `last`, it reaches the disk first.
    pub(super) fn finish(mut self, last: bool) -> Result<Filed<K>, Fault> {
        self.blocks.sort_unstable_by_key(|block| block.first);
        let mut list = Vec::with_capacity(self.blocks.len() * ENTRY + TAIL);
        for block in &self.blocks {
            list.extend(block.first.wide().to_le_bytes());
            list.extend(block.last.wide().to_le_bytes());
            list.extend(block.count.to_le_bytes());
            list.extend(block.bytes.to_le_bytes());
            list.extend(block.place.to_le_bytes());
            list.extend(block.check.to_le_bytes());
        }
        let check = checksum(&list);
        list.extend((self.blocks.len() as u64).to_le_bytes());
        list.extend(check.to_le_bytes());
        list.extend(MARK);
        self.draft.append(&list)?;
        Ok(Filed { file: self.draft.finish(last)?, blocks: self.blocks })
    }
}

impl<K: Key> Filed<K> {
    /// Takes up a file of an earlier run. Its list is checked here, its blocks when they are read.
    pub(super) fn take_up(disk: &Arc<Disk>, name: &str) -> Result<Self, Fault> {
        let file = disk.take_up(name)?;
        let blocks = Self::read_list(&file)?;
        Ok(Self { file, blocks })
    }

    fn read_list(file: &Kept) -> Result<Vec<Block<K>>, Fault> {
        let damaged = || Fault::damaged(&file.path());
        let size = file.bytes();
        let tail = read(file, size.checked_sub(TAIL as u64).ok_or_else(damaged)?, TAIL)?;
        let word = |bytes: &[u8]| u64::from_le_bytes(bytes[..8].try_into().expect("eight bytes"));
        let count = word(&tail);
        let long = count.checked_mul(ENTRY as u64).filter(|&long| tail[16..] == MARK && long <= size - TAIL as u64);
        let long = long.ok_or_else(damaged)?;
        let end = size - TAIL as u64 - long;
        let list = read(file, end, usize::try_from(long).map_err(|_| damaged())?)?;
        if checksum(&list) != word(&tail[8..]) {
            return Err(damaged());
        }
        let wide = |bytes: &[u8]| u128::from_le_bytes(bytes[..16].try_into().expect("sixteen bytes"));
        let half = |bytes: &[u8]| u32::from_le_bytes(bytes[..4].try_into().expect("four bytes"));
        let mut blocks: Vec<Block<K>> = Vec::with_capacity(list.len() / ENTRY);
        for entry in list.chunks_exact(ENTRY) {
            let (first, last) = (K::fit(wide(entry)), K::fit(wide(&entry[16..])));
            let (Some(first), Some(last)) = (first, last) else { return Err(damaged()) };
            let block = Block {
                first,
                last,
                count: half(&entry[32..]),
                bytes: half(&entry[36..]),
                place: word(&entry[40..]),
                check: word(&entry[48..]),
            };
            let inside = block.place.checked_add(block.bytes.into()).is_some_and(|reach| reach <= end);
            let ascends = first <= last && blocks.last().is_none_or(|before| before.last < first);
            if !inside || !ascends || !(1..=BLOCK as u32).contains(&block.count) {
                return Err(damaged());
            }
            blocks.push(block);
        }
        Ok(blocks)
    }

    pub(super) fn name(&self) -> &str {
        self.file.name()
    }

    pub(super) fn discard(self) {
        self.file.discard();
    }

    pub(super) fn len(&self) -> usize {
        self.blocks.iter().map(|block| block.count as usize).sum()
    }

    /// Adds the keys of a block to `keys`.
    pub(super) fn read_block(&self, block: &Block<K>, keys: &mut Vec<K>) -> Result<(), Fault> {
        let bytes = read(&self.file, block.place, block.bytes as usize)?;
        let damaged = || Fault::damaged(&self.file.path());
        if checksum(&bytes) != block.check {
            return Err(damaged());
        }
        let mut rest = &bytes[..];
        let mut key = block.first;
        keys.push(key);
        for _ in 1..block.count {
            let gap = read_number(&mut rest).and_then(K::fit).ok_or_else(damaged)?;
            key = K::fit(key.wide().checked_add(gap.wide()).ok_or_else(damaged)?).ok_or_else(damaged)?;
            keys.push(key);
        }
        if key == block.last && rest.is_empty() { Ok(()) } else { Err(damaged()) }
    }
}

/// Reads a part of a file. Files are opened for each part: there are more of them than may be open at a time.
fn read(file: &Kept, place: u64, size: usize) -> Result<Vec<u8>, Fault> {
    let path = file.path();
    let mut bytes = vec![0; size];
    let read = (|| {
        let mut file = File::open(&path)?;
        file.seek(SeekFrom::Start(place))?;
        file.read_exact(&mut bytes)
    })();
    read.map_err(|error| Fault::new(&path, "the file cannot be read", &error))?;
    Ok(bytes)
}

/// Seven bits a byte, the lowest first; the top bit says that more follow.
fn write_number(mut number: u128, bytes: &mut Vec<u8>) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

fn read_number(bytes: &mut &[u8]) -> Option<u128> {
    let (mut number, mut shift) = (0u128, 0);
    loop {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        if shift > 126 {
            return None;
        }
        number |= u128::from(byte & 0x7F) << shift;
        if byte < 0x80 {
            return Some(number);
        }
        shift += 7;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lurd_search::random::SplitMix64;
    use std::collections::BTreeSet;

    #[test]
    fn keys_come_back_and_every_damage_is_noticed() {
        let folder = std::env::temp_dir().join(format!("lurd-filed-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        let disk = Disk::open(&folder, None).unwrap();
        let mut dice = SplitMix64::new(11);
        let keys: BTreeSet<u128> = (0..9_000).map(|_| (dice.below(1 << 30) as u128) << dice.below(97)).collect();
        let keys: Vec<u128> = keys.into_iter().collect();
        let (low, high) = keys.split_at(5_000);
        let mut writer = Writer::new(&disk, "layer").unwrap();
        // In any order.
        writer.add(&Encoded::new(high)).unwrap();
        writer.add(&Encoded::new(low)).unwrap();
        let filed = writer.finish(true).unwrap();
        let all = |filed: &Filed<u128>| {
            let mut all = Vec::new();
            filed.blocks.iter().try_for_each(|block| filed.read_block(block, &mut all)).map(|()| all)
        };
        assert_eq!(all(&filed).unwrap(), keys);
        assert_eq!(filed.len(), keys.len());
        let path = disk.path(filed.name());
        let whole = std::fs::read(&path).unwrap();
        assert!(whole.len() < keys.len() * 16);
        let copy = disk.path("layer-1000.keys");
        let looked_at = |bytes: &[u8]| {
            std::fs::write(&copy, bytes).unwrap();
            let filed = Filed::<u128>::take_up(&disk, "layer-1000.keys")?;
            all(&filed)
        };
        assert_eq!(looked_at(&whole).unwrap(), keys);
        for _ in 0..300 {
            let mut other = whole.clone();
            other[dice.below(whole.len())] ^= 1 << dice.below(8);
            assert!(looked_at(&other).is_err());
            assert!(looked_at(&whole[..dice.below(whole.len())]).is_err());
        }
        drop(filed);
        assert!(!path.exists());
        std::fs::remove_dir_all(folder).unwrap();
    }
}
