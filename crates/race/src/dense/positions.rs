//! The positions that all dense searches of a level have reached, in one table.
//!
//! Keys are exact: the set of boxes and the lowest cell of the player's zone. Each search has a mark of its own in a
//! position, so searches of different order do not disturb each other and yet share the memory; a position that the
//! other side has reached joins a path from the start to a path from the solved board, and the level is solved. The
//! table is cut into shards with a lock each; on one thread a lock costs next to nothing.
//!
//! When memory is full, positions that lead to no open one are reduced to a key in their slot: "this side has been
//! here". Such a slot knows a position by 38 bits of its hash only, so an exhausted search proves nothing any more.
//!
//! The table is written by hand, with linear probing in slots of 8 bytes: a slot is turned into a key without its
//! position in place, is rehashed from its own bits without looking at the position, and its size decides when memory
//! is full. A general hash table has none of these.

use lurd_base::sync::lock;
use lurd_rules::dense::board::Side;
use lurd_rules::dense::set::Set;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard};

pub(crate) const NO_POSITION: u32 = u32::MAX;

/// A position and how it was reached.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DensePosition<const L: usize> {
    pub(crate) boxes: Set<L>,
    /// The position before, or [`NO_POSITION`].
    pub(crate) parent: u32,
    /// The live square the moved box came from.
    pub(crate) from: u16,
    pub(crate) arrival: u16,
    /// The lowest cell of the player's zone.
    pub(crate) zone: u16,
    /// The searches that have been here, a bit each.
    pub(crate) marks: u8,
    pub(crate) side: Side,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Inserted {
    /// No search has been here.
    New(u32),
    /// Another search of the same side has been here.
    Shared(u32),
    /// The same search has been here.
    Known,
    /// The other side has been here.
    Met(u32),
}

const SHARDS: u32 = 64;

/// In a slot in place of a position's number: only the key of a position of the forward side is left. The backward
/// side's is one less.
const KEY_ONLY: u32 = u32::MAX;

#[derive(Debug, Default)]
struct Shard<const L: usize> {
    /// The upper half of the hash and the number of the position plus one; zero is free.
    slots: Vec<u64>,
    /// Slots that are not free.
    used: usize,
    key_only: usize,
    positions: Vec<DensePosition<L>>,
    /// Places of dropped positions.
    vacant: Vec<u32>,
}

#[derive(Debug)]
pub(crate) struct Positions<const L: usize> {
    shards: Vec<Mutex<Shard<L>>>,
    /// Memory is short: drop keys rather than grow.
    memory_is_short: AtomicBool,
}

impl<const L: usize> Positions<L> {
    pub(crate) fn new() -> Self {
        let shard = |_| Mutex::new(Shard { slots: vec![0; 16], ..Shard::default() });
        Self { shards: (0..SHARDS).map(shard).collect(), memory_is_short: AtomicBool::new(false) }
    }

    /// Inserts a position for the search with its mark. How a known position was reached stays as it is.
    pub(crate) fn insert(&self, position: DensePosition<L>) -> Inserted {
        let hash = hash(&position.boxes, position.zone);
        let number = hash as u32 % SHARDS;
        let mut guard = lock(&self.shards[number as usize]);
        let shard = &mut *guard;
        let mask = shard.slots.len() - 1;
        let tag = hash >> 32;
        // The bits of the tag choose the slot, so that the table can grow from the tags alone.
        let mut slot = tag as usize & mask;
        loop {
            let entry = shard.slots[slot];
            if entry == 0 {
                break;
            }
            if entry >> 32 == tag && is_key_only(entry) {
                if entry as u32 == key_only(position.side) {
                    return Inserted::Known;
                }
                // How the other side came here is not known any more: the slot is taken over.
                shard.slots[slot] = 0;
                shard.used -= 1;
                shard.key_only -= 1;
                break;
            }
            if entry >> 32 == tag {
                let index = (entry as u32 - 1) as usize;
                let known = &mut shard.positions[index];
                if known.boxes == position.boxes && known.zone == position.zone {
                    let id = index as u32 * SHARDS + number;
                    if known.side != position.side {
                        return Inserted::Met(id);
                    }
                    if known.marks & position.marks != 0 {
                        return Inserted::Known;
                    }
                    known.marks |= position.marks;
                    return Inserted::Shared(id);
                }
            }
            slot = (slot + 1) & mask;
        }
        let index = shard.place(position);
        shard.slots[slot] = tag << 32 | (index as u64 + 1);
        shard.used += 1;
        if shard.used * 4 > mask * 3 {
            shard.grow(self.memory_is_short.load(Ordering::Relaxed));
        }
        Inserted::New(index as u32 * SHARDS + number)
    }

    #[inline]
    pub(crate) fn get(&self, id: u32) -> DensePosition<L> {
        lock(&self.shards[(id % SHARDS) as usize]).positions[(id / SHARDS) as usize]
    }

    pub(crate) fn bytes(&self) -> usize {
        let size = |shard: MutexGuard<'_, Shard<L>>| {
            let positions = shard.positions.capacity() * size_of::<DensePosition<L>>();
            8 * shard.slots.len() + positions + 4 * shard.vacant.capacity()
        };
        self.shards.iter().map(lock).map(size).sum()
    }

    /// Places for positions, and how many of them are free.
    pub(crate) fn places(&self) -> (usize, usize) {
        self.shards
            .iter()
            .map(lock)
            .fold((0, 0), |(places, vacant), shard| (places + shard.positions.len(), vacant + shard.vacant.len()))
    }

    /// Reduces every position to its key that is neither one of `wanted`, nor on the path to one, nor a root. No search
    /// may run. False, with nothing dropped, if `stop` says so.
    pub(crate) fn keep_paths_to(&self, wanted: impl Iterator<Item = u32>, stop: &dyn Fn() -> bool) -> bool {
        let mut shards: Vec<MutexGuard<'_, Shard<L>>> = self.shards.iter().map(lock).collect();
        let mut kept: Vec<Vec<u64>> = shards.iter().map(|shard| vec![0; shard.positions.len().div_ceil(64)]).collect();
        for (count, mut id) in wanted.enumerate() {
            if count % 4096 == 0 && stop() {
                return false;
            }
            while id != NO_POSITION {
                let (number, index) = ((id % SHARDS) as usize, (id / SHARDS) as usize);
                let word = &mut kept[number][index / 64];
                if *word >> (index % 64) & 1 != 0 {
                    break;
                }
                *word |= 1 << (index % 64);
                id = shards[number].positions[index].parent;
            }
        }
        self.memory_is_short.store(true, Ordering::Relaxed);
        for (shard, kept) in shards.iter_mut().zip(&kept) {
            shard.reduce_to_keys(kept);
        }
        true
    }
}

fn is_key_only(entry: u64) -> bool {
    entry as u32 >= KEY_ONLY - 1
}

fn key_only(side: Side) -> u32 {
    KEY_ONLY - u32::from(side == Side::Backward)
}

impl<const L: usize> Shard<L> {
    /// Puts a position on a free place, or on a new one.
    fn place(&mut self, position: DensePosition<L>) -> usize {
        if let Some(index) = self.vacant.pop() {
            self.positions[index as usize] = position;
            return index as usize;
        }
        let index = self.positions.len();
        if index == self.positions.capacity() {
            self.positions.reserve_exact(16 + index / 4);
        }
        self.positions.push(position);
        index
    }

    /// Reduces all positions to their keys but those kept and the roots.
    fn reduce_to_keys(&mut self, kept: &[u64]) {
        for entry in self.slots.iter_mut().filter(|entry| **entry != 0 && !is_key_only(**entry)) {
            let index = (*entry as u32 - 1) as usize;
            let position = &self.positions[index];
            if kept[index / 64] >> (index % 64) & 1 == 0 && position.parent != NO_POSITION {
                *entry = *entry >> 32 << 32 | u64::from(key_only(position.side));
                self.vacant.push(index as u32);
                self.key_only += 1;
            }
        }
    }

    /// Doubles the table; if memory is short and many slots hold keys only, drops these instead.
    fn grow(&mut self, memory_is_short: bool) {
        let drop_keys = memory_is_short && self.key_only * 3 > self.used;
        let mask = if drop_keys { self.slots.len() } else { 2 * self.slots.len() } - 1;
        let mut slots = vec![0u64; mask + 1];
        for &entry in self.slots.iter().filter(|&&entry| entry != 0 && !(drop_keys && is_key_only(entry))) {
            let mut slot = (entry >> 32) as usize & mask;
            while slots[slot] != 0 {
                slot = (slot + 1) & mask;
            }
            slots[slot] = entry;
        }
        if drop_keys {
            self.used -= self.key_only;
            self.key_only = 0;
        }
        self.slots = slots;
    }
}

#[inline]
fn hash<const L: usize>(boxes: &Set<L>, zone: u16) -> u64 {
    let mut hash = u64::from(zone).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    for word in boxes.0 {
        let product = u128::from(hash ^ word).wrapping_mul(0xD6E8_FEB8_6659_FD93_A076_1D64_78BD_642F);
        hash = (product >> 64) as u64 ^ product as u64;
    }
    hash ^= hash >> 32;
    hash = hash.wrapping_mul(0xE703_7ED1_A0B4_28DB);
    hash ^ hash >> 29
}
