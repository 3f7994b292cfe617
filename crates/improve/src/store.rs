//! The positions a search has met: packed, without an allocation for each, and found again by
//! comparing all their boxes, never by a hash alone.

use crate::route::{Cost, Push};
use lurd_level::Direction;
use lurd_rules::{NO_SQUARE, Square};

/// No position.
pub(super) const NONE: u32 = u32::MAX;

/// What is kept of a position beside its boxes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    /// The position it was reached from.
    pub(super) parent: u32,
    /// The cheapest way to it that is known.
    pub(super) cost: Cost,
    /// Where the player stands: where the box pushed last stood before.
    pub(super) player: Square,
    /// The lowest square of his zone, once it is expanded.
    pub(super) zone: Square,
    /// Which way the last push went.
    pub(super) direction: Direction,
    /// Whether the boxes stand as somewhere on the route.
    pub(super) on_route: bool,
}

impl Node {
    /// A position not yet expanded.
    pub(super) fn new(parent: u32, cost: Cost, push: Push, on_route: bool) -> Self {
        Self { parent, cost, player: push.from, zone: NO_SQUARE, direction: push.direction, on_route }
    }

    /// The push that led to it.
    pub(super) fn push(&self) -> Push {
        Push { from: self.player, direction: self.direction }
    }
}

/// Open addressing: hash and number of each entry.
#[derive(Debug)]
struct Index {
    slots: Vec<(u32, u32)>,
    used: usize,
}

impl Index {
    const SMALLEST: usize = 1 << 10;

    fn new() -> Self {
        Self { slots: vec![(0, NONE); Self::SMALLEST], used: 0 }
    }

    fn clear(&mut self) {
        // A table that was once large must not make every small search pay for clearing it.
        if self.slots.len() > Self::SMALLEST && self.used * 16 < self.slots.len() {
            self.slots = vec![(0, NONE); Self::SMALLEST];
        } else {
            self.slots.fill((0, NONE));
        }
        self.used = 0;
    }

    /// The entry with this hash that `is_it` recognises.
    #[inline]
    fn find(&self, hash: u32, is_it: impl Fn(u32) -> bool) -> Option<u32> {
        let mask = self.slots.len() - 1;
        let mut at = hash as usize & mask;
        loop {
            let (tag, number) = self.slots[at];
            if number == NONE {
                return None;
            }
            if tag == hash && is_it(number) {
                return Some(number);
            }
            at = (at + 1) & mask;
        }
    }

    fn insert(&mut self, hash: u32, number: u32) {
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

    fn bytes(&self) -> usize {
        self.slots.len() * size_of::<(u32, u32)>()
    }
}

/// All positions met by one search.
#[derive(Debug)]
pub(super) struct PositionStore {
    /// Words of boxes for each position.
    stride: usize,
    words: Vec<u64>,
    nodes: Vec<Node>,
    /// By boxes and the player's square.
    met: Index,
    /// Expanded ones by boxes and zone.
    zones: Index,
}

impl PositionStore {
    /// An empty store for positions of so many words.
    pub(super) fn new(stride: usize) -> Self {
        Self { stride, words: Vec::new(), nodes: Vec::new(), met: Index::new(), zones: Index::new() }
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.words.clear();
        self.nodes.clear();
        self.met.clear();
        self.zones.clear();
    }

    /// Forgets everything and gives the memory back.
    pub(super) fn release(&mut self) {
        *self = Self::new(self.stride);
    }

    /// Bytes in use, a place in a queue for each position included.
    pub(super) fn bytes(&self) -> usize {
        self.words.len() * size_of::<u64>()
            + self.nodes.len() * (size_of::<Node>() + size_of::<(u32, u32)>())
            + self.met.bytes()
            + self.zones.bytes()
    }

    /// A position by number.
    #[inline]
    pub(super) fn node(&self, number: u32) -> &Node {
        &self.nodes[number as usize]
    }

    /// A position by number, to be changed.
    #[inline]
    pub(super) fn node_mut(&mut self, number: u32) -> &mut Node {
        &mut self.nodes[number as usize]
    }

    /// Its boxes.
    #[inline]
    pub(super) fn boxes(&self, number: u32) -> &[u64] {
        &self.words[number as usize * self.stride..][..self.stride]
    }

    /// The position with these boxes and the player on this square.
    #[inline]
    pub(super) fn find(&self, hash: u64, boxes: &[u64], player: Square) -> Option<u32> {
        self.met.find(fold(hash), |number| self.node(number).player == player && self.boxes(number) == boxes)
    }

    /// Adds a position that is not there yet; `None` when there are no numbers left.
    pub(super) fn add(&mut self, hash: u64, boxes: &[u64], node: Node) -> Option<u32> {
        let number = u32::try_from(self.nodes.len()).ok().filter(|&number| number != NONE)?;
        self.words.extend_from_slice(boxes);
        self.nodes.push(node);
        self.met.insert(fold(hash), number);
        Some(number)
    }

    /// The expanded position with these boxes and this zone.
    #[inline]
    pub(super) fn find_zone(&self, hash: u64, boxes: &[u64], zone: Square) -> Option<u32> {
        self.zones.find(fold(hash), |number| self.node(number).zone == zone && self.boxes(number) == boxes)
    }

    /// Records that a position of this zone is expanded.
    pub(super) fn add_zone(&mut self, hash: u64, number: u32, zone: Square) {
        self.nodes[number as usize].zone = zone;
        self.zones.insert(fold(hash), number);
    }
}

fn fold(hash: u64) -> u32 {
    (hash ^ hash >> 32) as u32
}
