//! The states a search knows: the arena that owns them and the table that finds them.

use crate::Cost;
use crate::arena::{Arena, NodeId};
use crate::table::{Lookup, Table};

#[derive(Debug)]
pub(crate) struct Nodes<A> {
    pub(crate) arena: Arena<A>,
    table: Table,
}

impl<A: Copy> Nodes<A> {
    pub(crate) fn new(words: usize) -> Self {
        Self { arena: Arena::new(words), table: Table::new() }
    }

    /// Whether one more node takes new memory.
    #[inline]
    pub(crate) fn is_full(&self) -> bool {
        self.arena.is_full() || self.table.is_full()
    }

    pub(crate) fn bytes(&self) -> usize {
        self.arena.bytes() + self.table.bytes()
    }

    /// Makes room for one more node out of `spare` bytes, if they suffice and numbers are left.
    /// Must be asked before [`find`](Self::find): it moves what `find` returns.
    pub(crate) fn reserve(&mut self, spare: usize) -> bool {
        let needed = self.arena.growth();
        !self.arena.is_exhausted() && needed <= spare && self.table.reserve(&self.arena, spare - needed)
    }

    #[inline]
    pub(crate) fn find(&self, key: &[u64]) -> Lookup {
        self.table.find(key, &self.arena)
    }

    /// The node of a state, if it is known.
    pub(crate) fn id(&self, key: &[u64]) -> Option<NodeId> {
        match self.find(key) {
            Lookup::Known(id) => Some(id),
            Lookup::New(..) => None,
        }
    }

    /// Adds start state number `start` unless an equal one is there already.
    pub(crate) fn insert_root(&mut self, key: &[u64], start: usize, h: Cost) -> Option<NodeId> {
        let Lookup::New(slot, hash) = self.find(key) else { return None };
        let id = self.arena.push_root(key, start, h);
        self.table.insert(slot, hash, id);
        Some(id)
    }

    /// Adds a node at the place a failed [`find`](Self::find) gave.
    #[inline]
    pub(crate) fn insert(
        &mut self,
        (slot, hash): (usize, u64),
        key: &[u64],
        (parent, action): (NodeId, A),
        (g, h): (Cost, Cost),
    ) -> NodeId {
        let id = self.arena.push(key, parent, action, g, h);
        self.table.insert(slot, hash, id);
        id
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_every_state_and_no_other_while_it_grows() {
        let mut nodes = Nodes::<u8>::new(2);
        let key = |i: u64| [i / 7, i % 7];
        for i in 0..50_000u64 {
            assert!(nodes.reserve(usize::MAX));
            match nodes.find(&key(i)) {
                Lookup::New(slot, hash) if i == 0 => {
                    let id = nodes.arena.push_root(&key(i), 0, 0);
                    nodes.table.insert(slot, hash, id);
                }
                Lookup::New(slot, hash) => {
                    nodes.insert((slot, hash), &key(i), (0, 0), (1, 0));
                }
                Lookup::Known(id) => panic!("state {i} taken for node {id}"),
            }
        }
        for i in 0..50_000u64 {
            assert_eq!(nodes.id(&key(i)), Some(i as NodeId));
        }
        assert_eq!(nodes.id(&key(50_000)), None);
    }

    #[test]
    fn never_takes_more_than_it_is_given() {
        let mut nodes = Nodes::<u8>::new(1);
        let limit = 300_000;
        nodes.insert_root(&[u64::MAX], 0, 0);
        let mut i = 0;
        while nodes.reserve(limit - nodes.bytes()) {
            let Lookup::New(slot, hash) = nodes.find(&[i]) else { panic!() };
            nodes.insert((slot, hash), &[i], (0, 0), (1, 0));
            i += 1;
            assert!(nodes.bytes() <= limit);
        }
        assert!(i > 5000, "only {i} states fitted");
    }
}
