//! Sorted keys in a file: delta-coded blocks with checksums, and an index of the blocks at the end.
//!
//! The index stays in memory, so one block can be found and read without the others. Everything that is read is checked
//! against a checksum first.

use crate::checksum::checksum;
use crate::disk::{Disk, DiskError, FileWriter, StoredFile};
use crate::key::Key;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::sync::Arc;

/// Keys in a block, at most.
const BLOCK: usize = 1 << 12;

/// Bytes of an index entry, and of the tail after the index: number of entries, checksum, and format mark.
const ENTRY: usize = 16 + 16 + 4 + 4 + 8 + 8;
const TAIL: usize = 8 + 8 + 8;
const MARK: [u8; 8] = *b"lurdkey1";

/// Consecutive keys.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Block<K> {
    pub(crate) first: K,
    pub(crate) last: K,
    pub(crate) count: u32,
    bytes: u32,
    offset: u64,
    check: u64,
}

/// Sorted distinct keys in a file.
#[derive(Debug)]
pub(crate) struct KeyFile<K> {
    file: StoredFile,
    pub(crate) blocks: Vec<Block<K>>,
}

/// Keys encoded for a file.
pub(crate) struct EncodedKeys<K> {
    bytes: Vec<u8>,
    blocks: Vec<Block<K>>,
}

impl<K: Key> EncodedKeys<K> {
    pub(crate) fn new(keys: &[K]) -> Self {
        let mut encoded = Self { bytes: Vec::with_capacity(keys.len() * 4), blocks: Vec::new() };
        for keys in keys.chunks(BLOCK) {
            let offset = encoded.bytes.len();
            for pair in keys.windows(2) {
                write_number((pair[1] - pair[0]).wide(), &mut encoded.bytes);
            }
            let bytes = &encoded.bytes[offset..];
            encoded.blocks.push(Block {
                first: keys[0],
                last: keys[keys.len() - 1],
                count: keys.len() as u32,
                bytes: bytes.len() as u32,
                offset: offset as u64,
                check: checksum(bytes),
            });
        }
        encoded
    }
}

/// A file of keys that is being written. Parts may come in any order, as long as their ranges do not overlap.
pub(crate) struct KeyFileWriter<K> {
    file: FileWriter,
    blocks: Vec<Block<K>>,
}

impl<K: Key> KeyFileWriter<K> {
    pub(crate) fn new(disk: &Arc<Disk>, prefix: &str) -> Result<Self, DiskError> {
        Ok(Self { file: disk.create(prefix)?, blocks: Vec::new() })
    }

    pub(crate) fn add(&mut self, part: &EncodedKeys<K>) -> Result<(), DiskError> {
        let start = self.file.append(&part.bytes)?;
        self.blocks.extend(part.blocks.iter().map(|block| Block { offset: start + block.offset, ..*block }));
        Ok(())
    }

    /// Completes the file.
    pub(crate) fn finish(mut self) -> Result<KeyFile<K>, DiskError> {
        self.blocks.sort_unstable_by_key(|block| block.first);
        let mut index = Vec::with_capacity(self.blocks.len() * ENTRY + TAIL);
        for block in &self.blocks {
            index.extend(block.first.wide().to_le_bytes());
            index.extend(block.last.wide().to_le_bytes());
            index.extend(block.count.to_le_bytes());
            index.extend(block.bytes.to_le_bytes());
            index.extend(block.offset.to_le_bytes());
            index.extend(block.check.to_le_bytes());
        }
        let check = checksum(&index);
        index.extend((self.blocks.len() as u64).to_le_bytes());
        index.extend(check.to_le_bytes());
        index.extend(MARK);
        self.file.append(&index)?;
        Ok(KeyFile { file: self.file.finish()?, blocks: self.blocks })
    }
}

impl<K: Key> KeyFile<K> {
    /// Opens a file of an earlier run. Its index is checked here, its blocks when they are read.
    pub(crate) fn open(disk: &Arc<Disk>, name: &str) -> Result<Self, DiskError> {
        let file = disk.open_file(name)?;
        let blocks = Self::read_index(&file)?;
        Ok(Self { file, blocks })
    }

    fn read_index(file: &StoredFile) -> Result<Vec<Block<K>>, DiskError> {
        let damaged = || DiskError::damaged(&file.path());
        let size = file.bytes();
        let tail = read(file, size.checked_sub(TAIL as u64).ok_or_else(damaged)?, TAIL)?;
        let word = |bytes: &[u8]| u64::from_le_bytes(bytes[..8].try_into().expect("eight bytes"));
        let count = word(&tail);
        let length = count.checked_mul(ENTRY as u64).filter(|&bytes| tail[16..] == MARK && bytes <= size - TAIL as u64);
        let length = length.ok_or_else(damaged)?;
        let end = size - TAIL as u64 - length;
        let index = read(file, end, usize::try_from(length).map_err(|_| damaged())?)?;
        if checksum(&index) != word(&tail[8..]) {
            return Err(damaged());
        }
        let wide = |bytes: &[u8]| u128::from_le_bytes(bytes[..16].try_into().expect("sixteen bytes"));
        let half = |bytes: &[u8]| u32::from_le_bytes(bytes[..4].try_into().expect("four bytes"));
        let mut blocks: Vec<Block<K>> = Vec::with_capacity(index.len() / ENTRY);
        for entry in index.chunks_exact(ENTRY) {
            let (first, last) = (K::try_from(wide(entry)), K::try_from(wide(&entry[16..])));
            let (Ok(first), Ok(last)) = (first, last) else { return Err(damaged()) };
            let block = Block {
                first,
                last,
                count: half(&entry[32..]),
                bytes: half(&entry[36..]),
                offset: word(&entry[40..]),
                check: word(&entry[48..]),
            };
            let inside = block.offset.checked_add(block.bytes.into()).is_some_and(|block_end| block_end <= end);
            let ascends = first <= last && blocks.last().is_none_or(|before| before.last < first);
            if !inside || !ascends || !(1..=BLOCK as u32).contains(&block.count) {
                return Err(damaged());
            }
            blocks.push(block);
        }
        Ok(blocks)
    }

    pub(crate) fn name(&self) -> &str {
        self.file.name()
    }

    pub(crate) fn delete(self) {
        self.file.delete();
    }

    pub(crate) fn len(&self) -> usize {
        self.blocks.iter().map(|block| block.count as usize).sum()
    }

    /// Appends the keys of a block to `keys`.
    pub(crate) fn read_block(&self, block: &Block<K>, keys: &mut Vec<K>) -> Result<(), DiskError> {
        let bytes = read(&self.file, block.offset, block.bytes as usize)?;
        let damaged = || DiskError::damaged(&self.file.path());
        if checksum(&bytes) != block.check {
            return Err(damaged());
        }
        let mut rest = &bytes[..];
        let mut key = block.first;
        keys.push(key);
        for _ in 1..block.count {
            let next = read_number(&mut rest).and_then(|gap| key.wide().checked_add(gap));
            key = next.and_then(|next| K::try_from(next).ok()).ok_or_else(damaged)?;
            keys.push(key);
        }
        if key == block.last && rest.is_empty() { Ok(()) } else { Err(damaged()) }
    }
}

/// Reads a part of a file. The file is opened for each part: there are more files than may be open at a time.
fn read(file: &StoredFile, offset: u64, size: usize) -> Result<Vec<u8>, DiskError> {
    let path = file.path();
    let mut bytes = vec![0; size];
    let read = (|| {
        let mut file = File::open(&path)?;
        file.seek(SeekFrom::Start(offset))?;
        file.read_exact(&mut bytes)
    })();
    read.map_err(|error| DiskError::new(&path, "the file cannot be read", &error))?;
    Ok(bytes)
}

/// LEB128: seven bits a byte, the lowest first; the top bit says that more follow.
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
    use crate::disk::tests::folder;
    use lurd_base::random::SplitMix64;
    use std::collections::BTreeSet;

    #[test]
    fn keys_are_read_back_and_damage_is_detected() {
        let folder = folder("key-file");
        let disk = Disk::open(&folder, None).unwrap();
        let mut random = SplitMix64::new(11);
        let keys: BTreeSet<u128> = (0..9_000).map(|_| (random.below(1 << 30) as u128) << random.below(97)).collect();
        let keys: Vec<u128> = keys.into_iter().collect();
        let (low, high) = keys.split_at(5_000);
        let mut writer = KeyFileWriter::new(&disk, "layer").unwrap();
        // In any order.
        writer.add(&EncodedKeys::new(high)).unwrap();
        writer.add(&EncodedKeys::new(low)).unwrap();
        let written = writer.finish().unwrap();
        let all = |written: &KeyFile<u128>| {
            let mut all = Vec::new();
            written.blocks.iter().try_for_each(|block| written.read_block(block, &mut all)).map(|()| all)
        };
        assert_eq!(all(&written).unwrap(), keys);
        assert_eq!(written.len(), keys.len());
        let path = disk.path(written.name());
        let whole = std::fs::read(&path).unwrap();
        assert!(whole.len() < keys.len() * 16);
        let copy = disk.path("layer-1000.keys");
        let read_back = |bytes: &[u8]| {
            std::fs::write(&copy, bytes).unwrap();
            let written = KeyFile::<u128>::open(&disk, "layer-1000.keys")?;
            all(&written)
        };
        assert_eq!(read_back(&whole).unwrap(), keys);
        for _ in 0..300 {
            let mut other = whole.clone();
            other[random.below(whole.len())] ^= 1 << random.below(8);
            assert!(read_back(&other).is_err());
            assert!(read_back(&whole[..random.below(whole.len())]).is_err());
        }
        drop(written);
        assert!(!path.exists());
        std::fs::remove_dir_all(folder).unwrap();
    }
}
