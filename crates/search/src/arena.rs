//! Where the nodes of a search live: packed state, parent, path cost, estimate, action.
//!
//! A node is named by a 32-bit number and never moves. Everything else (queues, the
//! closed table) holds such numbers only.

use crate::Cost;
use crate::chunked::Chunked;

/// The name of a node.
pub(crate) type NodeId = u32;

/// The parent of a node that has none.
const NO_PARENT: NodeId = NodeId::MAX;

/// Set in [`Link::h`] once a node was expanded.
const CLOSED: u32 = 1 << 31;

#[derive(Clone, Copy, Debug)]
struct Link {
    parent: NodeId,
    g: Cost,
    /// The estimate in the low 31 bits, [`CLOSED`] above.
    h: u32,
}

/// All nodes of a search, in the order they were made. The start states come first.
#[derive(Debug)]
pub(crate) struct Arena<A> {
    keys: Chunked<u64>,
    links: Chunked<Link>,
    /// Actions of the nodes after the roots: roots have none.
    actions: Chunked<A>,
    /// For each root, which start state it is.
    roots: Vec<usize>,
}

impl<A: Copy> Arena<A> {
    pub(crate) fn new(words: usize) -> Self {
        Self { keys: Chunked::new(words), links: Chunked::new(1), actions: Chunked::new(1), roots: Vec::new() }
    }

    pub(crate) fn len(&self) -> usize {
        self.links.len()
    }

    /// Whether the next node takes new memory.
    #[inline]
    pub(crate) fn is_full(&self) -> bool {
        // Keys are as many as links, actions are fewer by the number of roots.
        self.links.is_full() || self.actions.is_full()
    }

    /// How many bytes the next node may take.
    pub(crate) fn growth(&self) -> usize {
        self.keys.growth() + self.links.growth() + self.actions.growth()
    }

    pub(crate) fn bytes(&self) -> usize {
        self.keys.bytes() + self.links.bytes() + self.actions.bytes() + self.roots.capacity() * size_of::<usize>()
    }

    /// Whether every name is used up.
    pub(crate) fn is_exhausted(&self) -> bool {
        self.len() >= (NO_PARENT - 1) as usize
    }

    /// Adds start state number `start`. Must come before every [`push`](Self::push).
    pub(crate) fn push_root(&mut self, key: &[u64], start: usize, h: Cost) -> NodeId {
        debug_assert_eq!(self.roots.len(), self.len());
        self.roots.push(start);
        self.push_link(key, Link { parent: NO_PARENT, g: 0, h: h.min(CLOSED - 1) })
    }

    #[inline]
    pub(crate) fn push(&mut self, key: &[u64], parent: NodeId, action: A, g: Cost, h: Cost) -> NodeId {
        self.actions.push(&[action]);
        self.push_link(key, Link { parent, g, h: h.min(CLOSED - 1) })
    }

    #[inline]
    fn push_link(&mut self, key: &[u64], link: Link) -> NodeId {
        let id = self.len() as NodeId;
        self.keys.push(key);
        self.links.push(&[link]);
        id
    }

    #[inline]
    pub(crate) fn key(&self, id: NodeId) -> &[u64] {
        self.keys.get(id as usize)
    }

    #[inline]
    fn link(&self, id: NodeId) -> &Link {
        &self.links.get(id as usize)[0]
    }

    #[inline]
    fn link_mut(&mut self, id: NodeId) -> &mut Link {
        &mut self.links.get_mut(id as usize)[0]
    }

    #[inline]
    pub(crate) fn g(&self, id: NodeId) -> Cost {
        self.link(id).g
    }

    #[inline]
    pub(crate) fn h(&self, id: NodeId) -> Cost {
        self.link(id).h & !CLOSED
    }

    /// Path cost and estimate together.
    #[inline]
    pub(crate) fn f(&self, id: NodeId) -> Cost {
        let link = self.link(id);
        link.g.saturating_add(link.h & !CLOSED)
    }

    /// Whether the node was expanded at its present path cost.
    #[inline]
    pub(crate) fn is_closed(&self, id: NodeId) -> bool {
        self.link(id).h & CLOSED != 0
    }

    #[inline]
    pub(crate) fn close(&mut self, id: NodeId) {
        self.link_mut(id).h |= CLOSED;
    }

    pub(crate) fn open(&mut self, id: NodeId) {
        self.link_mut(id).h &= !CLOSED;
    }

    /// Gives a node a cheaper way to it.
    pub(crate) fn reroute(&mut self, id: NodeId, parent: NodeId, action: A, g: Cost) {
        let link = self.link_mut(id);
        debug_assert!(g < link.g);
        (link.parent, link.g) = (parent, g);
        let index = id as usize - self.roots.len();
        self.actions.get_mut(index)[0] = action;
    }

    /// The action that led to a node; roots have none.
    #[inline]
    pub(crate) fn action(&self, id: NodeId) -> Option<A> {
        (id as usize).checked_sub(self.roots.len()).map(|index| self.actions.get(index)[0])
    }

    /// The nodes not expanded yet, in the order they were made.
    pub(crate) fn frontier(&self) -> impl Iterator<Item = NodeId> + '_ {
        (0..self.len() as NodeId).filter(|&id| !self.is_closed(id))
    }

    /// The actions from a start state to a node, and which start state that is.
    pub(crate) fn path(&self, mut id: NodeId) -> (Vec<A>, usize) {
        let mut path = Vec::new();
        while let Some(action) = self.action(id) {
            path.push(action);
            id = self.link(id).parent;
        }
        path.reverse();
        (path, self.roots[id as usize])
    }
}
