//! The closed table: finds the node of a packed state.
//!
//! Open addressing with linear probing. A slot holds 32 bits of the hash beside the
//! node's number, so that a probe rarely has to touch the arena; a match of those bits
//! is never trusted, the full key decides. The table can have any size (the hash is
//! scaled to it, not masked), so it grows by halves and, to have no spike, frees itself
//! first and is filled again from the arena.

use crate::arena::{Arena, NodeId};

const FIRST: usize = 1024;

/// Where a state was found, or where it would go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lookup {
    Known(NodeId),
    /// The slot and hash for [`Table::insert`].
    New(usize, u64),
}

#[derive(Debug)]
pub(crate) struct Table {
    /// Hash bits above, number + 1 below; 0 is empty.
    slots: Vec<u64>,
    used: usize,
    /// How many entries it takes before it must grow.
    room: usize,
}

/// Mixes a packed state into 64 well spread bits.
#[inline]
pub(crate) fn hash(key: &[u64]) -> u64 {
    let mut hash = 0x51ed_270b_27d5_1e4d_u64;
    for &word in key {
        hash = (hash ^ word).wrapping_mul(0x9e6c_63d0_876a_3f6b);
        hash ^= hash >> 32;
    }
    hash = hash.wrapping_mul(0xd1b5_4a32_d192_ed03);
    hash ^ (hash >> 29)
}

impl Table {
    pub(crate) fn new() -> Self {
        let mut table = Self { slots: Vec::new(), used: 0, room: 0 };
        table.resize(FIRST);
        table
    }

    #[inline]
    pub(crate) fn is_full(&self) -> bool {
        self.used >= self.room
    }

    pub(crate) fn bytes(&self) -> usize {
        self.slots.capacity() * size_of::<u64>()
    }

    #[inline]
    fn home(&self, hash: u64) -> usize {
        ((u128::from(hash) * self.slots.len() as u128) >> 64) as usize
    }

    #[inline]
    fn next(&self, slot: usize) -> usize {
        if slot + 1 == self.slots.len() { 0 } else { slot + 1 }
    }

    #[inline]
    pub(crate) fn find<A: Copy>(&self, key: &[u64], arena: &Arena<A>) -> Lookup {
        let hash = hash(key);
        let mut slot = self.home(hash);
        loop {
            let entry = self.slots[slot];
            if entry == 0 {
                return Lookup::New(slot, hash);
            }
            if (entry >> 32) as u32 == hash as u32 {
                let id = entry as u32 - 1;
                if arena.key(id) == key {
                    return Lookup::Known(id);
                }
            }
            slot = self.next(slot);
        }
    }

    /// Enters a node at the place a failed [`find`](Self::find) gave.
    #[inline]
    pub(crate) fn insert(&mut self, slot: usize, hash: u64, id: NodeId) {
        debug_assert!(self.slots[slot] == 0 && !self.is_full());
        self.slots[slot] = hash << 32 | u64::from(id + 1);
        self.used += 1;
    }

    /// Grows if `spare` bytes allow it; when they do not, lets the table fill up tighter.
    /// Says whether there is room for one more.
    pub(crate) fn reserve<A: Copy>(&mut self, arena: &Arena<A>, spare: usize) -> bool {
        if !self.is_full() {
            return true;
        }
        let more = self.slots.len() / 2;
        if more * size_of::<u64>() <= spare {
            let size = self.slots.len() + more;
            self.resize(size);
            for id in 0..arena.len() as NodeId {
                let hash = hash(arena.key(id));
                let mut slot = self.home(hash);
                while self.slots[slot] != 0 {
                    slot = self.next(slot);
                }
                self.slots[slot] = hash << 32 | u64::from(id + 1);
            }
        } else {
            self.room = self.slots.len() / 10 * 9;
        }
        !self.is_full()
    }

    fn resize(&mut self, size: usize) {
        // Free first: the old and the new table are never held at once.
        self.slots = Vec::new();
        self.slots = vec![0; size];
        self.room = size / 4 * 3;
    }
}
