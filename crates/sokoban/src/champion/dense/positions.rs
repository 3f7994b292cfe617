//! The positions every dense search of a level has expanded, in one table.
//!
//! Keys are exact: the set of boxes and the lowest cell of the player's zone. Each search has a
//! mark of its own in a position, so searches of different order go their own ways and yet share the memory;
//! a position that carries a mark of the other side joins a chain from the start to a chain from the
//! solved board, and the level is solved. The table is cut into parts under locks of their own;
//! on one thread a lock costs next to nothing.

use super::ground::Side;
use super::set::Set;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// No position.
pub(crate) const NOBODY: u32 = u32::MAX;

/// A position and how it was reached.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Position<const L: usize> {
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

#[derive(Debug)]
struct Shard<const L: usize> {
    /// The upper half of the hash and the number of the position plus one; zero is free.
    slots: Vec<u64>,
    positions: Vec<Position<L>>,
}

/// The table.
#[derive(Debug)]
pub(crate) struct Positions<const L: usize> {
    shards: Vec<Mutex<Shard<L>>>,
}

impl<const L: usize> Positions<L> {
    pub(crate) fn new() -> Self {
        let shard = || Mutex::new(Shard { slots: vec![0; 16], positions: Vec::new() });
        Self { shards: (0..SHARDS).map(|_| shard()).collect() }
    }

    /// Files a position for the search with a mark. How a known position was reached stays as whoever came
    /// first has it.
    pub(crate) fn file(&self, side: Side, mark: u8, position: Reached<L>) -> Filed {
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
        let index = shard.positions.len();
        shard.slots[slot] = tag << 32 | (index as u64 + 1);
        if index == shard.positions.capacity() {
            shard.positions.reserve_exact(16 + index / 4);
        }
        let Reached { boxes, parent, from, arrival, zone } = position;
        shard.positions.push(Position { boxes, parent, from, arrival, zone, marks: mark, side });
        if index * 4 > mask * 3 {
            shard.grow();
        }
        Filed::New(index as u32 * SHARDS + number)
    }

    /// The position with a number.
    #[inline]
    pub(crate) fn get(&self, id: u32) -> Position<L> {
        lock(&self.shards[(id % SHARDS) as usize]).positions[(id / SHARDS) as usize]
    }

    /// Bytes it holds; when a part grows, what it grows into counts.
    pub(crate) fn bytes(&self) -> usize {
        self.shards
            .iter()
            .map(|shard| {
                let shard = lock(shard);
                8 * shard.slots.len() + shard.positions.capacity() * size_of::<Position<L>>()
            })
            .sum()
    }
}

impl<const L: usize> Shard<L> {
    fn grow(&mut self) {
        let mask = 2 * self.slots.len() - 1;
        let mut slots = vec![0u64; mask + 1];
        for &entry in self.slots.iter().filter(|&&entry| entry != 0) {
            let mut slot = (entry >> 32) as usize & mask;
            while slots[slot] != 0 {
                slot = (slot + 1) & mask;
            }
            slots[slot] = entry;
        }
        self.slots = slots;
    }
}

/// A position to be filed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reached<const L: usize> {
    pub(crate) boxes: Set<L>,
    pub(crate) parent: u32,
    pub(crate) from: u16,
    pub(crate) arrival: u16,
    pub(crate) zone: u16,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
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
