//! The positions a search has generated: packed without an allocation for each, and identified by all their boxes, never
//! by a hash alone.

use crate::route::Cost;
use lurd_level::Direction;
use lurd_rules::{NO_SQUARE, Push, Square};

pub(super) const NONE: u32 = u32::MAX;

/// The data of a position except its boxes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub(super) parent: u32,
    /// The cost of the cheapest path found.
    pub(super) cost: Cost,
    /// The player's square: the square the box pushed last has left.
    pub(super) player: Square,
    /// The lowest square of the player's zone, once expanded.
    pub(super) zone: Square,
    pub(super) direction: Direction,
    /// Whether some position of the route has the same boxes.
    pub(super) on_route: bool,
}

impl Node {
    /// A position that is not expanded.
    pub(super) fn new(parent: u32, cost: Cost, push: Push, on_route: bool) -> Self {
        Self { parent, cost, player: push.from, zone: NO_SQUARE, direction: push.direction, on_route }
    }

    pub(super) fn push(&self) -> Push {
        Push { from: self.player, direction: self.direction }
    }
}

/// A hash table with open addressing: hash and number of each entry. It is written by hand: it is cleared for each of
/// thousands of small searches, at a cost that follows their size, and grows from its own slots.
#[derive(Debug)]
pub(super) struct Index {
    slots: Vec<(u32, u32)>,
    used: usize,
}

impl Index {
    const SMALLEST: usize = 1 << 10;

    pub(super) fn new() -> Self {
        Self { slots: vec![(0, NONE); Self::SMALLEST], used: 0 }
    }

    pub(super) fn clear(&mut self) {
        // Clearing a table that was once large would slow down every small search.
        if self.slots.len() > Self::SMALLEST && self.used * 16 < self.slots.len() {
            self.slots = vec![(0, NONE); Self::SMALLEST];
        } else {
            self.slots.fill((0, NONE));
        }
        self.used = 0;
    }

    /// The entry with this hash that satisfies a predicate.
    #[inline]
    pub(super) fn find(&self, hash: u32, is_equal: impl Fn(u32) -> bool) -> Option<u32> {
        let mask = self.slots.len() - 1;
        let mut at = hash as usize & mask;
        loop {
            let (tag, number) = self.slots[at];
            if number == NONE {
                return None;
            }
            if tag == hash && is_equal(number) {
                return Some(number);
            }
            at = (at + 1) & mask;
        }
    }

    /// The number at the place where the search for a hash begins.
    #[inline]
    pub(super) fn touch(&self, hash: u32) -> u32 {
        self.slots[hash as usize & (self.slots.len() - 1)].1
    }

    pub(super) fn insert(&mut self, hash: u32, number: u32) {
        if self.used * 2 >= self.slots.len() {
            let wider = vec![(0, NONE); self.slots.len() * 2];
            let old = std::mem::replace(&mut self.slots, wider);
            old.into_iter().filter(|&(_, number)| number != NONE).for_each(|(hash, number)| self.put(hash, number));
        }
        self.used += 1;
        self.put(hash, number);
    }

    fn put(&mut self, hash: u32, number: u32) {
        let mask = self.slots.len() - 1;
        let mut at = hash as usize & mask;
        while self.slots[at].1 != NONE {
            at = (at + 1) & mask;
        }
        self.slots[at] = (hash, number);
    }

    pub(super) fn bytes(&self) -> usize {
        self.slots.len() * size_of::<(u32, u32)>()
    }
}

#[derive(Debug)]
pub(super) struct PositionStore {
    /// The number of words of the boxes of a position.
    stride: usize,
    words: Vec<u64>,
    nodes: Vec<Node>,
    /// All positions by boxes and the player's square.
    by_square: Index,
    /// Expanded positions by boxes and the player's zone.
    by_zone: Index,
}

impl PositionStore {
    /// An empty store for positions of `stride` words.
    pub(super) fn new(stride: usize) -> Self {
        Self { stride, words: Vec::new(), nodes: Vec::new(), by_square: Index::new(), by_zone: Index::new() }
    }

    pub(super) fn clear(&mut self) {
        self.words.clear();
        self.nodes.clear();
        self.by_square.clear();
        self.by_zone.clear();
    }

    /// Clears the store and frees its memory.
    pub(super) fn release(&mut self) {
        *self = Self::new(self.stride);
    }

    /// The size in bytes, including one open-list entry for each position.
    pub(super) fn bytes(&self) -> usize {
        self.words.len() * size_of::<u64>()
            + self.nodes.len() * (size_of::<Node>() + size_of::<(u32, u32)>())
            + self.by_square.bytes()
            + self.by_zone.bytes()
    }

    #[inline]
    pub(super) fn node(&self, number: u32) -> &Node {
        &self.nodes[number as usize]
    }

    #[inline]
    pub(super) fn node_mut(&mut self, number: u32) -> &mut Node {
        &mut self.nodes[number as usize]
    }

    #[inline]
    pub(super) fn boxes(&self, number: u32) -> &[u64] {
        &self.words[number as usize * self.stride..][..self.stride]
    }

    /// The position with these boxes and the player on this square.
    #[inline]
    pub(super) fn find(&self, hash: u64, boxes: &[u64], player: Square) -> Option<u32> {
        self.by_square.find(fold(hash), |number| self.node(number).player == player && self.boxes(number) == boxes)
    }

    /// Adds a new position; `None` if there are no numbers left.
    pub(super) fn add(&mut self, hash: u64, boxes: &[u64], node: Node) -> Option<u32> {
        let number = u32::try_from(self.nodes.len()).ok().filter(|&number| number != NONE)?;
        self.words.extend_from_slice(boxes);
        self.nodes.push(node);
        self.by_square.insert(fold(hash), number);
        Some(number)
    }

    /// The expanded position with these boxes and this zone.
    #[inline]
    pub(super) fn find_zone(&self, hash: u64, boxes: &[u64], zone: Square) -> Option<u32> {
        self.by_zone.find(fold(hash), |number| self.node(number).zone == zone && self.boxes(number) == boxes)
    }

    /// Records that a position with this zone is expanded.
    pub(super) fn add_zone(&mut self, hash: u64, number: u32, zone: Square) {
        self.nodes[number as usize].zone = zone;
        self.by_zone.insert(fold(hash), number);
    }
}

pub(super) fn fold(hash: u64) -> u32 {
    (hash ^ hash >> 32) as u32
}
