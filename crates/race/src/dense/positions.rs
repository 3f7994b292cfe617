//! The positions every dense search of a level has expanded, in one table.
//!
//! Keys are exact: the set of boxes and the lowest cell of the player's zone. Each search has a
//! mark of its own in a position, so searches of different order go their own ways and yet share the memory;
//! a position that carries a mark of the other side joins a chain from the start to a chain from the
//! solved board, and the level is solved. The table is cut into parts under locks of their own;
//! on one thread a lock costs next to nothing.
//!
//! When memory is full, positions from which nothing waits any more are forgotten up to their place in the table:
//! a bare key that says "somebody of this side has been here". It knows a position by 38 bits of its hash
//! only, so that nothing is proved any more once there are such keys.

use lurd_rules::dense::board::Side;
use lurd_rules::dense::set::Set;
use lurd_search::sync::lock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard};

/// No position.
pub(crate) const NOBODY: u32 = u32::MAX;

/// A position and how it was reached.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DensePosition<const L: usize> {
    pub(crate) boxes: Set<L>,
    /// The position before, or [`NOBODY`].
    pub(crate) parent: u32,
    /// The live square the moved box came from.
    pub(crate) from: u16,
    /// The arrival of the moved box.
    pub(crate) arrival: u16,
    /// The lowest cell of the player's zone.
    pub(crate) zone: u16,
    /// The searches that have been here, a bit each.
    marks: u8,
    side: Side,
}

/// What filing a position found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Filed {
    /// Nobody has been here.
    New(u32),
    /// Another search of the same side has been here.
    Shared(u32),
    /// The asking search has been here.
    Known,
    /// The other side has been here.
    Met(u32),
}

const SHARDS: u32 = 64;

/// In a slot in place of a position's number: a bare key of the forward side. The backward side's is one less.
const BARE: u32 = u32::MAX;

#[derive(Debug)]
struct Shard<const L: usize> {
    /// The upper half of the hash and the number of the position plus one; zero is free.
    slots: Vec<u64>,
    /// Slots that are not free.
    used: usize,
    /// Slots with bare keys.
    bare: usize,
    positions: Vec<DensePosition<L>>,
    /// Places of forgotten positions.
    vacant: Vec<u32>,
}

/// The table.
#[derive(Debug)]
pub(crate) struct Positions<const L: usize> {
    shards: Vec<Mutex<Shard<L>>>,
    /// Memory is short: rather than grow, forget bare keys.
    tight: AtomicBool,
}

impl<const L: usize> Positions<L> {
    pub(crate) fn new() -> Self {
        let shard =
            || Mutex::new(Shard { slots: vec![0; 16], used: 0, bare: 0, positions: Vec::new(), vacant: Vec::new() });
        Self { shards: (0..SHARDS).map(|_| shard()).collect(), tight: AtomicBool::new(false) }
    }

    /// Files a position for the search with a mark. How a known position was reached stays as whoever came
    /// first has it.
    pub(crate) fn file(&self, side: Side, mark: u8, position: Parent<L>) -> Filed {
        let hash = hash(&position.boxes, position.zone);
        let number = hash as u32 % SHARDS;
        let mut guard = lock(&self.shards[number as usize]);
        let shard = &mut *guard;
        let mask = shard.slots.len() - 1;
        let tag = hash >> 32;
        // The tag's own bits choose the slot, so that a larger table needs nothing but the tags.
        let mut slot = tag as usize & mask;
        loop {
            let entry = shard.slots[slot];
            if entry == 0 {
                break;
            }
            if entry >> 32 == tag && is_bare(entry) {
                if entry as u32 == bare_key(side) {
                    return Filed::Known;
                }
                // The other side was here but no longer knows how it came: the place is taken over.
                shard.slots[slot] = 0;
                shard.used -= 1;
                shard.bare -= 1;
                break;
            }
            if entry >> 32 == tag {
                let index = (entry as u32 - 1) as usize;
                let known = &mut shard.positions[index];
                if known.boxes == position.boxes && known.zone == position.zone {
                    let id = index as u32 * SHARDS + number;
                    if known.side != side {
                        return Filed::Met(id);
                    }
                    if known.marks & mark != 0 {
                        return Filed::Known;
                    }
                    known.marks |= mark;
                    return Filed::Shared(id);
                }
            }
            slot = (slot + 1) & mask;
        }
        let Parent { boxes, parent, from, arrival, zone } = position;
        let index = shard.place(DensePosition { boxes, parent, from, arrival, zone, marks: mark, side });
        shard.slots[slot] = tag << 32 | (index as u64 + 1);
        shard.used += 1;
        if shard.used * 4 > mask * 3 {
            shard.grow(self.tight.load(Ordering::Relaxed));
        }
        Filed::New(index as u32 * SHARDS + number)
    }

    /// The position with a number.
    #[inline]
    pub(crate) fn get(&self, id: u32) -> DensePosition<L> {
        lock(&self.shards[(id % SHARDS) as usize]).positions[(id / SHARDS) as usize]
    }

    /// Bytes it holds; when a part grows, what it grows into counts.
    pub(crate) fn bytes(&self) -> usize {
        self.shards
            .iter()
            .map(|shard| {
                let shard = lock(shard);
                8 * shard.slots.len()
                    + shard.positions.capacity() * size_of::<DensePosition<L>>()
                    + 4 * shard.vacant.capacity()
            })
            .sum()
    }

    /// Places for positions, and how many of them are free to be used again.
    pub(crate) fn places(&self) -> (usize, usize) {
        self.shards
            .iter()
            .map(lock)
            .fold((0, 0), |(places, vacant), shard| (places + shard.positions.len(), vacant + shard.vacant.len()))
    }

    /// Forgets every position that is neither one of `wanted`, nor on the way to one, nor a first one: of the others a
    /// bare key stays. No search may be at work. False, with nothing forgotten, if `stop` says so.
    pub(crate) fn forget_others(&self, wanted: impl Iterator<Item = u32>, stop: &dyn Fn() -> bool) -> bool {
        let mut shards: Vec<MutexGuard<'_, Shard<L>>> = self.shards.iter().map(lock).collect();
        let mut kept: Vec<Vec<u64>> = shards.iter().map(|shard| vec![0; shard.positions.len().div_ceil(64)]).collect();
        for (count, mut id) in wanted.enumerate() {
            if count % 4096 == 0 && stop() {
                return false;
            }
            while id != NOBODY {
                let (number, index) = ((id % SHARDS) as usize, (id / SHARDS) as usize);
                let word = &mut kept[number][index / 64];
                if *word >> (index % 64) & 1 != 0 {
                    break;
                }
                *word |= 1 << (index % 64);
                id = shards[number].positions[index].parent;
            }
        }
        self.tight.store(true, Ordering::Relaxed);
        for (shard, kept) in shards.iter_mut().zip(&kept) {
            shard.forget_others(kept);
        }
        true
    }
}

/// Whether a slot holds a bare key.
fn is_bare(entry: u64) -> bool {
    entry as u32 >= BARE - 1
}

fn bare_key(side: Side) -> u32 {
    BARE - u32::from(side == Side::Backward)
}

impl<const L: usize> Shard<L> {
    /// Puts a position on a place that is free, or on a new one.
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

    /// Makes bare keys of all positions but those kept and the first ones.
    fn forget_others(&mut self, kept: &[u64]) {
        for entry in self.slots.iter_mut().filter(|entry| **entry != 0 && !is_bare(**entry)) {
            let index = (*entry as u32 - 1) as usize;
            let position = &self.positions[index];
            if kept[index / 64] >> (index % 64) & 1 == 0 && position.parent != NOBODY {
                *entry = *entry >> 32 << 32 | u64::from(bare_key(position.side));
                self.vacant.push(index as u32);
                self.bare += 1;
            }
        }
    }

    /// Makes the table larger; where memory is short, bare keys go first.
    fn grow(&mut self, tight: bool) {
        let forget = tight && self.bare * 3 > self.used;
        let mask = if forget { self.slots.len() } else { 2 * self.slots.len() } - 1;
        let mut slots = vec![0u64; mask + 1];
        for &entry in self.slots.iter().filter(|&&entry| entry != 0 && !(forget && is_bare(entry))) {
            let mut slot = (entry >> 32) as usize & mask;
            while slots[slot] != 0 {
                slot = (slot + 1) & mask;
            }
            slots[slot] = entry;
        }
        if forget {
            self.used -= self.bare;
            self.bare = 0;
        }
        self.slots = slots;
    }
}

/// A position to be filed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Parent<const L: usize> {
    pub(crate) boxes: Set<L>,
    pub(crate) parent: u32,
    pub(crate) from: u16,
    pub(crate) arrival: u16,
    pub(crate) zone: u16,
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
