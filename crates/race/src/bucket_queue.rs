//! The open list of the greedy searches: buckets by key (Dial 1969), last in, first out inside a bucket.
//!
//! One pop in so many takes not the best bucket but the next one above a cursor that roves through all of them, so
//! that positions with bad keys are expanded too (the roving pop of YASS: Damgaard). A queue that had to drop its worst
//! entries refuses more of their kind until it has become shorter.

/// Entries in a block of a bucket.
const BLOCK: usize = 62;

const NONE: u32 = u32::MAX;

#[derive(Clone, Debug)]
struct Block {
    entries: [u64; BLOCK],
    below: u32,
    used: u32,
}

/// A bucket queue of entries of one word each.
#[derive(Clone, Debug, Default)]
pub(crate) struct BucketQueue {
    blocks: Vec<Block>,
    free: Vec<u32>,
    /// The top block of each bucket.
    tops: Vec<u32>,
    lengths: Vec<u64>,
    filled: Vec<u64>,
    length: u64,
    cursor: usize,
    pops: u64,
    interval: u64,
    /// Keys from this one on are refused, as long as there are more than so many entries.
    refused: (usize, u64),
}

impl BucketQueue {
    /// Keys run from 0 to 4095; larger ones are treated as the largest. Buckets are made when first used: a trivial
    /// level needs few.
    const KEYS: usize = 4096;

    /// An empty queue that roves once in `interval` pops; never if it is zero.
    pub(crate) fn new(interval: u64) -> Self {
        Self { interval, refused: (Self::KEYS, 0), ..Self::default() }
    }

    pub(crate) fn push(&mut self, key: usize, entry: u64) {
        let key = key.min(Self::KEYS - 1);
        if key >= self.refused.0 {
            if self.length > self.refused.1 {
                return;
            }
            self.refused = (Self::KEYS, 0);
        }
        if key >= self.tops.len() {
            self.widen(key);
        }
        let top = self.tops[key];
        let block = match self.blocks.get(top as usize) {
            Some(block) if (block.used as usize) < BLOCK => top,
            _ => self.stack(key),
        };
        let block = &mut self.blocks[block as usize];
        block.entries[block.used as usize] = entry;
        block.used += 1;
        self.lengths[key] += 1;
        self.length += 1;
    }

    /// Makes buckets up to a key.
    #[cold]
    fn widen(&mut self, key: usize) {
        let words = key / 64 + 1;
        self.tops.resize(64 * words, NONE);
        self.lengths.resize(64 * words, 0);
        self.filled.resize(words, 0);
    }

    /// Adds a block to a bucket.
    #[cold]
    fn stack(&mut self, key: usize) -> u32 {
        let number = self.free.pop().unwrap_or_else(|| {
            if self.blocks.len() == self.blocks.capacity() {
                self.blocks.reserve_exact(64 + self.blocks.len() / 8);
            }
            self.blocks.push(Block { entries: [0; BLOCK], below: NONE, used: 0 });
            self.blocks.len() as u32 - 1
        });
        let block = &mut self.blocks[number as usize];
        (block.below, block.used) = (self.tops[key], 0);
        self.tops[key] = number;
        self.filled[key / 64] |= 1 << (key % 64);
        number
    }

    pub(crate) fn pop(&mut self) -> Option<(usize, u64)> {
        self.pops += 1;
        let key = if self.interval != 0 && self.pops.is_multiple_of(self.interval) {
            self.cursor = self.first_from(self.cursor + 1).or_else(|| self.first_from(0))?;
            self.cursor
        } else {
            self.first_from(0)?
        };
        let number = self.tops[key];
        let block = &mut self.blocks[number as usize];
        block.used -= 1;
        let entry = block.entries[block.used as usize];
        if block.used == 0 {
            self.tops[key] = block.below;
            self.free.push(number);
            if self.tops[key] == NONE {
                self.filled[key / 64] &= !(1 << (key % 64));
            }
        }
        self.lengths[key] -= 1;
        self.length -= 1;
        Some((key, entry))
    }

    /// The first bucket from `key` on that holds something.
    fn first_from(&self, key: usize) -> Option<usize> {
        let mut word = key / 64;
        let mut bits = self.filled.get(word)? & (u64::MAX << (key % 64));
        while bits == 0 {
            word += 1;
            bits = *self.filled.get(word)?;
        }
        Some(word * 64 + bits.trailing_zeros() as usize)
    }

    /// All entries, in no order.
    pub(crate) fn entries(&self) -> impl Iterator<Item = u64> + '_ {
        let blocks = self.tops.iter().flat_map(|&top| {
            std::iter::successors(self.blocks.get(top as usize), |block| self.blocks.get(block.below as usize))
        });
        blocks.flat_map(|block| block.entries[..block.used as usize].iter().copied())
    }

    pub(crate) fn clear(&mut self) {
        *self = Self::new(self.interval);
    }

    /// Drops about a third of the entries, worst keys first, and refuses others like them until half of the rest is
    /// gone. Returns whether anything was dropped.
    pub(crate) fn drop_worst(&mut self) -> bool {
        let mut left = self.length / 3;
        let before = self.length;
        for key in (0..self.tops.len()).rev() {
            // The best bucket stays, so that the search goes on.
            if left == 0 || self.first_from(0) == Some(key) {
                break;
            }
            if self.lengths[key] == 0 {
                continue;
            }
            while self.tops[key] != NONE {
                let number = self.tops[key];
                self.tops[key] = self.blocks[number as usize].below;
                self.free.push(number);
            }
            self.filled[key / 64] &= !(1 << (key % 64));
            left = left.saturating_sub(self.lengths[key]);
            self.length -= self.lengths[key];
            self.lengths[key] = 0;
            self.refused = (key, self.length / 2);
        }
        before != self.length
    }

    /// Bytes of the blocks, used or not.
    pub(crate) fn bytes(&self) -> usize {
        self.blocks.capacity() * size_of::<Block>() + self.free.capacity() * 4 + self.tops.capacity() * 12
    }

    /// Bytes that can be filled before the queue grows.
    pub(crate) fn spare(&self) -> usize {
        (self.blocks.capacity() - self.blocks.len() + self.free.len()) * size_of::<Block>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lowest_key_goes_first_and_the_newest_among_equals() {
        let mut queue = BucketQueue::new(0);
        for entry in 0..1000 {
            queue.push(entry as usize % 3, entry);
        }
        let popped: Vec<_> = std::iter::from_fn(|| queue.pop()).collect();
        let mut sorted = popped.clone();
        sorted.sort_by_key(|&(key, entry)| (key, std::cmp::Reverse(entry)));
        assert_eq!(popped, sorted);
        assert_eq!(popped.len(), 1000);
    }

    #[test]
    fn roving_pops_go_through_all_keys() {
        let mut queue = BucketQueue::new(4);
        for entry in 0..100 {
            queue.push(entry as usize % 10, entry);
        }
        let keys: Vec<_> = std::iter::from_fn(|| queue.pop()).map(|(key, _)| key).take(12).collect();
        assert_eq!(keys, [0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3]);
    }

    #[test]
    fn the_worst_are_dropped_and_their_blocks_are_reused() {
        let mut queue = BucketQueue::new(0);
        for entry in 0..9000 {
            queue.push(entry as usize % 9, entry);
        }
        assert!(queue.drop_worst());
        let bytes = queue.bytes();
        assert_eq!(queue.length, 6000);
        for entry in 0..2000 {
            queue.push(0, entry);
        }
        assert_eq!(queue.bytes(), bytes);
        assert!(std::iter::from_fn(|| queue.pop()).all(|(key, _)| key < 6));
        assert!(!queue.drop_worst(), "nothing is left");
    }
}
