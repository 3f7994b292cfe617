//! The states of the search: box configurations with the player's zone, and the squares at which he can enter them.
//!
//! A *zone state* is a set of boxes with a zone of the player. Its matchings with the goals, which bound the rest of the
//! solution, depend on nothing else, so they are computed once. A *player arrival* (short: arrival) is a cell of the zone
//! on which a push ended, with the least cost so far; the bound of an arrival adds what depends on the player's cell.
//! Zone states are compared by their full boxes and zone, never by a hash alone: a proof must not rest on the absence of
//! collisions. Nothing is allocated for a single state: states and arrivals lie in chunked arenas and are found through an
//! open-addressing table of indices. The table is written by hand: a slot of 8 bytes holds half of the hash, so that it
//! grows without looking at a state, and its bytes are known exactly. There are no parent links:
//! [`retrace`](crate::retrace) rebuilds the path from costs.

use lurd_rules::dense::set::Set;

/// No zone state, no arrival.
pub(crate) const NO_INDEX: u32 = u32::MAX;

/// The most potentials for which a zone state keeps the cost of its matching.
pub(crate) const POTENTIALS: usize = 16;

/// The costs of a zone state's matchings, by potential.
pub(crate) type MatchingCosts = [u16; POTENTIALS];

/// In place of the first matching cost: no solution from here.
pub(crate) const DEAD: u16 = u16::MAX;

/// The cost so far: moves, then pushes where these count among equal moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Cost {
    pub(crate) moves: u32,
    pub(crate) pushes: u32,
}

impl Cost {
    pub(crate) const ZERO: Self = Self { moves: 0, pushes: 0 };
}

/// Boxes and a zone.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ZoneState<const L: usize> {
    pub(crate) boxes: Set<L>,
    /// Of the potentials up to `known`; or [`DEAD`] first.
    pub(crate) matchings: MatchingCosts,
    /// How many potentials the state was evaluated with: later ones are added when it is expanded.
    known: u16,
    /// The lowest cell of the zone.
    pub(crate) zone: u16,
    /// The first of its arrivals, in two halves: aligned to four bytes the state would be larger.
    first: [u16; 2],
}

/// A cell of the zone on which a push ended, and its cost so far.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arrival {
    next: [u16; 2],
    cell: u16,
    moves: u16,
    pushes: u16,
    /// The bucket of the open list in which it is.
    bucket: u16,
}

/// In `known`: the state was searched for dead ends.
const CHECKED: u16 = 1 << 15;

impl<const L: usize> ZoneState<L> {
    /// How many potentials the state was evaluated with.
    pub(crate) fn known(&self) -> usize {
        usize::from(self.known & !CHECKED)
    }

    /// The costs of its matchings by these.
    pub(crate) fn costs(&self) -> &[u16] {
        &self.matchings[..self.known()]
    }

    /// Whether the state was searched for dead ends.
    pub(crate) fn is_checked(&self) -> bool {
        self.known & CHECKED != 0
    }
}

/// In the cell of an arrival: its pushes have been generated.
const EXPANDED: u16 = 1 << 15;

impl Arrival {
    pub(crate) fn cell(&self) -> usize {
        usize::from(self.cell & !EXPANDED)
    }

    pub(crate) fn is_expanded(&self) -> bool {
        self.cell & EXPANDED != 0
    }

    /// The bucket of the open list in which it is, or was.
    pub(crate) fn bucket(&self) -> u32 {
        self.bucket.into()
    }

    pub(crate) fn cost(&self) -> Cost {
        Cost { moves: self.moves.into(), pushes: self.pushes.into() }
    }
}

fn halves(index: u32) -> [u16; 2] {
    [index as u16, (index >> 16) as u16]
}

fn whole(halves: [u16; 2]) -> u32 {
    u32::from(halves[0]) | u32::from(halves[1]) << 16
}

/// A growing list in chunks: no item moves, and growth never needs twice the memory.
#[derive(Debug)]
struct Arena<T> {
    chunks: Vec<Vec<T>>,
    len: usize,
}

const CHUNK: usize = 1 << 10;

impl<T: Copy> Arena<T> {
    fn new() -> Self {
        Self { chunks: Vec::new(), len: 0 }
    }

    fn push(&mut self, item: T) -> u32 {
        if self.len == self.chunks.len() * CHUNK {
            self.chunks.push(Vec::with_capacity(CHUNK));
        }
        self.chunks[self.len / CHUNK].push(item);
        self.len += 1;
        self.len as u32 - 1
    }

    #[inline]
    fn get(&self, index: u32) -> &T {
        &self.chunks[index as usize / CHUNK][index as usize % CHUNK]
    }

    #[inline]
    fn get_mut(&mut self, index: u32) -> &mut T {
        &mut self.chunks[index as usize / CHUNK][index as usize % CHUNK]
    }

    fn bytes(&self) -> usize {
        self.chunks.len() * CHUNK * size_of::<T>()
    }
}

/// Zone states and their arrivals.
#[derive(Debug)]
pub(crate) struct ZoneStore<const L: usize> {
    states: Arena<ZoneState<L>>,
    arrivals: Arena<Arrival>,
    /// The first of the removed arrivals, which are used again.
    free: u32,
    /// The upper half of the hash, and the index of the state plus one; zero is an empty slot.
    slots: Vec<u64>,
}

impl<const L: usize> ZoneStore<L> {
    pub(crate) fn new() -> Self {
        Self { states: Arena::new(), arrivals: Arena::new(), free: NO_INDEX, slots: vec![0; 1 << 10] }
    }

    pub(crate) fn state(&self, index: u32) -> &ZoneState<L> {
        self.states.get(index)
    }

    /// The state with these boxes and this zone.
    #[inline]
    pub(crate) fn find(&self, boxes: &Set<L>, zone: u16) -> Option<u32> {
        let mask = self.slots.len() - 1;
        let tag = hash(boxes, zone) >> 32;
        let mut slot = tag as usize & mask;
        loop {
            let entry = self.slots[slot];
            if entry == 0 {
                return None;
            }
            if entry >> 32 == tag {
                let index = entry as u32 - 1;
                let state = self.states.get(index);
                if state.zone == zone && state.boxes == *boxes {
                    return Some(index);
                }
            }
            slot = (slot + 1) & mask;
        }
    }

    /// Adds a state that is not there yet.
    pub(crate) fn add(&mut self, boxes: Set<L>, zone: u16, matchings: MatchingCosts, known: usize) -> u32 {
        let state = ZoneState { boxes, matchings, known: known as u16, zone, first: halves(NO_INDEX) };
        let index = self.states.push(state);
        if self.states.len * 4 > self.slots.len() * 3 {
            let old = std::mem::take(&mut self.slots);
            self.slots = vec![0; 2 * old.len()];
            old.into_iter().filter(|&entry| entry != 0).for_each(|entry| self.put(entry));
        }
        self.put(hash(&boxes, zone) >> 32 << 32 | (u64::from(index) + 1));
        index
    }

    fn put(&mut self, entry: u64) {
        let mask = self.slots.len() - 1;
        let mut slot = (entry >> 32) as usize & mask;
        while self.slots[slot] != 0 {
            slot = (slot + 1) & mask;
        }
        self.slots[slot] = entry;
    }

    /// The arrivals of a state, with their indices.
    pub(crate) fn arrivals(&self, state: u32) -> impl Iterator<Item = (u32, Arrival)> + '_ {
        let mut next = whole(self.states.get(state).first);
        std::iter::from_fn(move || {
            if next == NO_INDEX {
                return None;
            }
            let arrival = *self.arrivals.get(next);
            let index = std::mem::replace(&mut next, whole(arrival.next));
            Some((index, arrival))
        })
    }

    /// Records an arrival and its bucket. `false` if one on the same cell costs no more.
    pub(crate) fn arrive(&mut self, state: u32, cell: usize, cost: Cost, bucket: u32) -> bool {
        let known = self.arrivals(state).find(|(_, arrival)| arrival.cell() == cell);
        let new = Arrival {
            next: halves(NO_INDEX),
            cell: cell as u16,
            moves: cost.moves as u16,
            pushes: cost.pushes as u16,
            bucket: bucket as u16,
        };
        match known {
            Some((_, arrival)) if arrival.cost() <= cost => false,
            Some((index, arrival)) => {
                *self.arrivals.get_mut(index) = Arrival { next: arrival.next, ..new };
                true
            }
            None => {
                let arrival = Arrival { next: self.states.get(state).first, ..new };
                let index = if self.free == NO_INDEX {
                    self.arrivals.push(arrival)
                } else {
                    let index = self.free;
                    self.free = whole(std::mem::replace(self.arrivals.get_mut(index), arrival).next);
                    index
                };
                self.states.get_mut(state).first = halves(index);
                true
            }
        }
    }

    /// Marks an arrival whose pushes are about to be generated.
    pub(crate) fn mark_expanded(&mut self, state: u32, arrival: &Arrival) {
        let known = self.arrivals(state).find(|(_, known)| known.cell() == arrival.cell());
        if let Some((index, _)) = known {
            self.arrivals.get_mut(index).cell |= EXPANDED;
        }
    }

    /// Records the later bucket of an arrival whose bound has risen.
    pub(crate) fn postpone(&mut self, arrival: u32, bucket: u32) {
        self.arrivals.get_mut(arrival).bucket = bucket as u16;
    }

    /// Removes an arrival: from others of its state the player reaches its cell no later. Does nothing if the arrival
    /// has become cheaper since.
    pub(crate) fn remove_dominated(&mut self, state: u32, dominated: &Arrival) {
        let (mut before, mut at) = (NO_INDEX, whole(self.states.get(state).first));
        while at != NO_INDEX {
            let arrival = *self.arrivals.get(at);
            if arrival.cell() == dominated.cell() {
                if arrival.cost() != dominated.cost() {
                    return;
                }
                if before == NO_INDEX {
                    self.states.get_mut(state).first = arrival.next;
                } else {
                    self.arrivals.get_mut(before).next = arrival.next;
                }
                self.arrivals.get_mut(at).next = halves(self.free);
                self.free = at;
                return;
            }
            (before, at) = (at, whole(arrival.next));
        }
    }

    /// Records the costs of a state's matchings by further potentials.
    pub(crate) fn set_matchings(&mut self, state: u32, matchings: MatchingCosts, known: usize) {
        let state = self.states.get_mut(state);
        (state.matchings, state.known) = (matchings, known as u16 | (state.known & CHECKED));
    }

    /// Records that a state was searched for dead ends, and whether it is dead.
    pub(crate) fn set_checked(&mut self, state: u32, dead: bool) {
        let state = self.states.get_mut(state);
        state.known |= CHECKED;
        if dead {
            state.matchings = [DEAD; POTENTIALS];
        }
    }

    /// How many states there are, and how many arrivals were ever stored at one time.
    pub(crate) fn counts(&self) -> (usize, usize) {
        (self.states.len, self.arrivals.len)
    }

    /// How many removed arrivals wait to be used again.
    #[cfg(test)]
    pub(crate) fn free_arrivals(&self) -> usize {
        let next = |&index: &u32| Some(whole(self.arrivals.get(index).next)).filter(|&next| next != NO_INDEX);
        std::iter::successors(Some(self.free).filter(|&free| free != NO_INDEX), next).count()
    }

    pub(crate) fn bytes(&self) -> usize {
        self.states.bytes() + self.arrivals.bytes() + 8 * self.slots.len()
    }

    /// Whether the indices are about to run out.
    pub(crate) fn is_full(&self) -> bool {
        self.arrivals.len.max(self.states.len) + (1 << 20) > NO_INDEX as usize
    }
}

/// Hashes boxes and zone: the upper half is the tag in the table, the lower chooses the shard.
#[inline]
pub(crate) fn hash<const L: usize>(boxes: &Set<L>, zone: u16) -> u64 {
    let mut hash = u64::from(zone).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    for &word in &boxes.0 {
        hash = (hash ^ word).wrapping_mul(0xD6E8_FEB8_6659_FD93);
        hash ^= hash >> 32;
    }
    hash.wrapping_mul(0x9E37_79B9_7F4A_7C15)
}
