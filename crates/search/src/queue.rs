//! The frontier: a bucket queue of node numbers.
//!
//! Priorities are pairs of integers, smallest first; there are far fewer of them than
//! nodes. Each priority in use has a bucket, a list of small blocks from a common pool,
//! taken from its end (LIFO) or its front (FIFO). A heap orders the buckets, not the
//! nodes, so that pushing and popping a node mostly touches one block only. Nothing is
//! ever removed from the middle: who pops skips what is out of date.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};
use std::hash::{BuildHasherDefault, Hasher};

use crate::arena::NodeId;
use crate::chunked::Chunked;

/// Smallest first.
pub(crate) type Priority = (u64, u32);

/// Which of the nodes of equal priority comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    Lifo,
    Fifo,
}

const BLOCK: usize = 30;
const NONE: u32 = u32::MAX;

#[derive(Clone, Copy, Debug)]
struct Block {
    ids: [NodeId; BLOCK],
    previous: u32,
    next: u32,
}

/// A list of blocks; nodes lie from `front` in the first to before `back` in the last.
#[derive(Clone, Copy, Debug)]
struct Bucket {
    first: u32,
    last: u32,
    front: u32,
    back: u32,
}

/// Hashes a priority; the standard hash is slow for so small a key.
#[derive(Default)]
struct Mix(u64);

impl Hasher for Mix {
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(u64::from(byte));
        }
    }

    fn write_u32(&mut self, value: u32) {
        self.write_u64(u64::from(value));
    }

    fn write_u64(&mut self, value: u64) {
        self.0 = (self.0 ^ value).wrapping_mul(0x9e6c_63d0_876a_3f6b);
        self.0 ^= self.0 >> 32;
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

#[derive(Debug)]
pub(crate) struct Queue {
    order: Order,
    blocks: Chunked<Block>,
    free_blocks: u32,
    /// Blocks in the free list.
    spare_blocks: usize,
    buckets: Vec<Bucket>,
    free_buckets: Vec<u32>,
    index: HashMap<Priority, u32, BuildHasherDefault<Mix>>,
    heap: BinaryHeap<Reverse<(Priority, u32)>>,
}

impl Queue {
    pub(crate) fn new(order: Order) -> Self {
        Self {
            order,
            blocks: Chunked::new(1),
            free_blocks: NONE,
            spare_blocks: 0,
            buckets: Vec::new(),
            free_buckets: Vec::new(),
            index: HashMap::default(),
            heap: BinaryHeap::new(),
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        self.blocks.bytes()
            + self.buckets.capacity() * size_of::<Bucket>()
            + self.free_buckets.capacity() * 4
            + index_bytes(self.index.capacity())
            + self.heap.capacity() * size_of::<Reverse<(Priority, u32)>>()
    }

    /// Whether the next push may take new memory.
    #[inline]
    pub(crate) fn is_full(&self) -> bool {
        (self.spare_blocks == 0 && self.blocks.is_full()) || self.lists_are_full()
    }

    /// Whether the next bucket may take new memory.
    #[inline]
    fn lists_are_full(&self) -> bool {
        self.index.len() == self.index.capacity()
            || self.heap.len() == self.heap.capacity()
            || (self.free_buckets.is_empty() && self.buckets.len() == self.buckets.capacity())
    }

    /// Makes room for one more node out of `spare` bytes, if they suffice.
    pub(crate) fn reserve(&mut self, spare: usize) -> bool {
        if !self.is_full() {
            return true;
        }
        let blocks = if self.spare_blocks == 0 { self.blocks.growth() } else { 0 };
        // The lists of buckets double; while they do, the old and the new one are held at once.
        let count = self.index.capacity().max(self.buckets.capacity()).max(self.heap.capacity()).max(16) * 2;
        let buckets =
            index_bytes(count * 2) + count * (size_of::<Bucket>() + 4 + size_of::<Reverse<(Priority, u32)>>());
        let lists_full = self.lists_are_full();
        if blocks + if lists_full { buckets } else { 0 } > spare {
            return false;
        }
        if lists_full {
            self.index.reserve(1);
            self.heap.reserve(1);
            self.buckets.reserve(1);
            self.free_buckets.reserve(self.buckets.capacity() - self.free_buckets.len());
        }
        if self.spare_blocks == 0 && self.blocks.is_full() {
            let block = self.new_block();
            self.free_block(block);
        }
        true
    }

    /// Adds a node. Room for it must have been [reserved](Self::reserve).
    pub(crate) fn push(&mut self, priority: Priority, id: NodeId) {
        let number = match self.index.get(&priority) {
            Some(&number) => number,
            None => self.add_bucket(priority),
        };
        let mut bucket = self.buckets[number as usize];
        if bucket.back as usize == BLOCK {
            let block = self.take_block();
            self.block_mut(block).previous = bucket.last;
            self.block_mut(bucket.last).next = block;
            (bucket.last, bucket.back) = (block, 0);
        }
        self.block_mut(bucket.last).ids[bucket.back as usize] = id;
        bucket.back += 1;
        self.buckets[number as usize] = bucket;
    }

    /// What [`pop`](Self::pop) would take.
    pub(crate) fn peek(&self) -> Option<(Priority, NodeId)> {
        let &Reverse((priority, number)) = self.heap.peek()?;
        let bucket = self.buckets[number as usize];
        let id = match self.order {
            Order::Lifo => self.block(bucket.last).ids[bucket.back as usize - 1],
            Order::Fifo => self.block(bucket.first).ids[bucket.front as usize],
        };
        Some((priority, id))
    }

    /// Takes a node of smallest priority.
    pub(crate) fn pop(&mut self) -> Option<(Priority, NodeId)> {
        let &Reverse((priority, number)) = self.heap.peek()?;
        let mut bucket = self.buckets[number as usize];
        let id = match self.order {
            Order::Lifo => {
                bucket.back -= 1;
                self.block(bucket.last).ids[bucket.back as usize]
            }
            Order::Fifo => {
                bucket.front += 1;
                self.block(bucket.first).ids[bucket.front as usize - 1]
            }
        };
        let single = bucket.first == bucket.last;
        if single && bucket.front == bucket.back {
            self.heap.pop();
            self.index.remove(&priority);
            self.free_block(bucket.first);
            self.free_buckets.push(number);
            return Some((priority, id));
        }
        if bucket.back == 0 {
            let emptied = bucket.last;
            (bucket.last, bucket.back) = (self.block(emptied).previous, BLOCK as u32);
            self.free_block(emptied);
        } else if bucket.front as usize == BLOCK {
            let emptied = bucket.first;
            (bucket.first, bucket.front) = (self.block(emptied).next, 0);
            self.free_block(emptied);
        }
        self.buckets[number as usize] = bucket;
        Some((priority, id))
    }

    fn add_bucket(&mut self, priority: Priority) -> u32 {
        let block = self.take_block();
        let bucket = Bucket { first: block, last: block, front: 0, back: 0 };
        let number = match self.free_buckets.pop() {
            Some(number) => {
                self.buckets[number as usize] = bucket;
                number
            }
            None => {
                self.buckets.push(bucket);
                self.buckets.len() as u32 - 1
            }
        };
        self.index.insert(priority, number);
        self.heap.push(Reverse((priority, number)));
        number
    }

    #[inline]
    fn block(&self, block: u32) -> &Block {
        &self.blocks.get(block as usize)[0]
    }

    #[inline]
    fn block_mut(&mut self, block: u32) -> &mut Block {
        &mut self.blocks.get_mut(block as usize)[0]
    }

    fn take_block(&mut self) -> u32 {
        if self.spare_blocks > 0 {
            let block = self.free_blocks;
            self.free_blocks = self.block(block).next;
            self.spare_blocks -= 1;
            return block;
        }
        self.new_block()
    }

    fn new_block(&mut self) -> u32 {
        self.blocks.push(&[Block { ids: [0; BLOCK], previous: NONE, next: NONE }]);
        self.blocks.len() as u32 - 1
    }

    fn free_block(&mut self, block: u32) {
        self.block_mut(block).next = self.free_blocks;
        self.free_blocks = block;
        self.spare_blocks += 1;
    }
}

/// What a hash map of this capacity holds: 8/7 slots of entry and control byte, a power of two.
fn index_bytes(capacity: usize) -> usize {
    if capacity == 0 { 0 } else { (capacity * 8 / 7).next_power_of_two() * (size_of::<(Priority, u32)>() + 1) + 16 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::{BTreeMap, VecDeque};

    #[test]
    fn pops_what_a_sorted_map_of_lists_would_pop() {
        for order in [Order::Lifo, Order::Fifo] {
            let mut queue = Queue::new(order);
            let mut model: BTreeMap<Priority, VecDeque<NodeId>> = BTreeMap::new();
            let mut seed = 1u64;
            for id in 0..200_000u32 {
                seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                if seed >> 40 & 7 < 5 {
                    let priority = (seed >> 50 & 15, (seed >> 60) as u32 & 7);
                    let foretold = queue.bytes();
                    assert!(queue.reserve(usize::MAX) && (queue.bytes() >= foretold));
                    let held = queue.bytes();
                    queue.push(priority, id);
                    assert_eq!(queue.bytes(), held, "a push takes no memory that was not reserved");
                    model.entry(priority).or_default().push_back(id);
                } else {
                    let expected = model.first_entry().map(|mut entry| {
                        let list = entry.get_mut();
                        let id = if order == Order::Lifo { list.pop_back() } else { list.pop_front() };
                        let pair = (*entry.key(), id.unwrap());
                        if entry.get().is_empty() {
                            entry.remove();
                        }
                        pair
                    });
                    assert_eq!(queue.peek(), expected);
                    assert_eq!(queue.pop(), expected);
                }
            }
        }
    }
}
