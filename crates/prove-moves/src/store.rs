//! Positions met by the search: places of boxes with the player's zone, and where in the zone he can start from.
//!
//! A *spot* is a set of boxes with a zone. What bounds the rest of the way depends, but for the player's height,
//! only on the spot, so it is worked out once. A *stand* is a square of the zone with what it cost to stand there
//! after a push. Spots are known by their full boxes and zone, never by a hash alone. Nothing is allocated for a
//! single position: spots and stands lie in long chunks, found through a table of numbers. There are no links to
//! parents: the way back is found from the costs.

use lurd_rules::dense::set::Set;

/// No spot, no stand.
pub(crate) const NOBODY: u32 = u32::MAX;

/// The most potentials a spot keeps a pairing's cost for.
pub(crate) const POTENTIALS: usize = 16;

/// In place of the first cost: no solution from here.
pub(crate) const DEAD: u16 = u16::MAX;

/// What it took to get somewhere: moves, and where they count, pushes among equal moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Cost {
    pub(crate) moves: u32,
    pub(crate) pushes: u32,
}

/// Boxes and a zone.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ZoneState<const L: usize> {
    pub(crate) boxes: Set<L>,
    /// What the pairing costs by each potential that is known here, or [`DEAD`] first.
    pub(crate) pairings: [u16; POTENTIALS],
    /// How many potentials are known here: later ones are looked at when the spot's turn comes.
    known: u16,
    /// The lowest cell of the zone.
    pub(crate) zone: u16,
    /// The first of its stands, in two halves to save the space that aligning a whole would take.
    first: [u16; 2],
}

/// A square of a spot's zone on which a push ended.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arrival {
    next: [u16; 2],
    cell: u16,
    moves: u16,
    pushes: u16,
    /// The bucket in which it waits.
    bucket: u16,
}

/// In what a spot knows: dead ends have been looked for.
const LOOKED_AT: u16 = 1 << 15;

impl<const L: usize> ZoneState<L> {
    /// How many potentials are known here.
    pub(crate) fn known(&self) -> u16 {
        self.known & !LOOKED_AT
    }

    /// Whether dead ends have been looked for.
    pub(crate) fn is_looked_at(&self) -> bool {
        self.known & LOOKED_AT != 0
    }
}

/// In a stand's cell: its pushes have been made.
const WORKED_OFF: u16 = 1 << 15;

impl Arrival {
    pub(crate) fn cell(&self) -> usize {
        usize::from(self.cell & !WORKED_OFF)
    }

    pub(crate) fn is_worked_off(&self) -> bool {
        self.cell & WORKED_OFF != 0
    }

    /// The bucket in which it waits, or waited.
    pub(crate) fn bucket(&self) -> u32 {
        self.bucket.into()
    }

    pub(crate) fn cost(&self) -> Cost {
        Cost { moves: self.moves.into(), pushes: self.pushes.into() }
    }
}

fn halves(number: u32) -> [u16; 2] {
    [number as u16, (number >> 16) as u16]
}

fn whole(halves: [u16; 2]) -> u32 {
    u32::from(halves[0]) | u32::from(halves[1]) << 16
}

/// A list that never moves its items.
#[derive(Debug)]
pub(crate) struct Pile<T> {
    chunks: Vec<Vec<T>>,
    len: usize,
}

const CHUNK: usize = 1 << 10;

impl<T: Copy> Pile<T> {
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

/// All spots and stands.
#[derive(Debug)]
pub(crate) struct ZoneStore<const L: usize> {
    spots: Pile<ZoneState<L>>,
    stands: Pile<Arrival>,
    /// Stands taken out, to be used again.
    free: u32,
    /// The upper half of the hash, and the number of the spot plus one; zero is free.
    slots: Vec<u64>,
}

impl<const L: usize> ZoneStore<L> {
    pub(crate) fn new() -> Self {
        Self { spots: Pile::new(), stands: Pile::new(), free: NOBODY, slots: vec![0; 1 << 10] }
    }

    pub(crate) fn spot(&self, number: u32) -> &ZoneState<L> {
        self.spots.get(number)
    }

    /// The spot with these boxes and this zone.
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
                let number = entry as u32 - 1;
                let spot = self.spots.get(number);
                if spot.zone == zone && spot.boxes == *boxes {
                    return Some(number);
                }
            }
            slot = (slot + 1) & mask;
        }
    }

    /// Adds a spot that is not there yet.
    pub(crate) fn add(&mut self, boxes: Set<L>, zone: u16, pairings: [u16; POTENTIALS], known: usize) -> u32 {
        let number = self.spots.push(ZoneState { boxes, pairings, known: known as u16, zone, first: halves(NOBODY) });
        if self.spots.len * 4 > self.slots.len() * 3 {
            let old = std::mem::take(&mut self.slots);
            self.slots = vec![0; 2 * old.len()];
            old.into_iter().filter(|&entry| entry != 0).for_each(|entry| self.put(entry));
        }
        self.put(hash(&boxes, zone) >> 32 << 32 | (u64::from(number) + 1));
        number
    }

    fn put(&mut self, entry: u64) {
        let mask = self.slots.len() - 1;
        let mut slot = (entry >> 32) as usize & mask;
        while self.slots[slot] != 0 {
            slot = (slot + 1) & mask;
        }
        self.slots[slot] = entry;
    }

    /// The stands of a spot, with their numbers.
    pub(crate) fn stands(&self, spot: u32) -> impl Iterator<Item = (u32, Arrival)> + '_ {
        let mut next = whole(self.spots.get(spot).first);
        std::iter::from_fn(move || {
            if next == NOBODY {
                return None;
            }
            let stand = *self.stands.get(next);
            let number = std::mem::replace(&mut next, whole(stand.next));
            Some((number, stand))
        })
    }

    /// Records that the player can stand on a cell at a cost, and in which bucket that is to wait. `false` if it is nothing
    /// new.
    pub(crate) fn reach(&mut self, spot: u32, cell: usize, cost: Cost, bucket: u32) -> bool {
        let known = self.stands(spot).find(|(_, stand)| stand.cell() == cell);
        let fresh = Arrival {
            next: halves(NOBODY),
            cell: cell as u16,
            moves: cost.moves as u16,
            pushes: cost.pushes as u16,
            bucket: bucket as u16,
        };
        match known {
            Some((_, stand)) if stand.cost() <= cost => false,
            Some((number, stand)) => {
                *self.stands.get_mut(number) = Arrival { next: stand.next, ..fresh };
                true
            }
            None => {
                let stand = Arrival { next: self.spots.get(spot).first, ..fresh };
                let number = if self.free == NOBODY {
                    self.stands.push(stand)
                } else {
                    let number = self.free;
                    self.free = whole(std::mem::replace(self.stands.get_mut(number), stand).next);
                    number
                };
                self.spots.get_mut(spot).first = halves(number);
                true
            }
        }
    }

    /// Records that the pushes of a stand are being made.
    pub(crate) fn work_off(&mut self, spot: u32, stand: &Arrival) {
        let known = self.stands(spot).find(|(_, known)| known.cell() == stand.cell());
        if let Some((number, _)) = known {
            self.stands.get_mut(number).cell |= WORKED_OFF;
        }
    }

    /// Records that a stand waits in another bucket now.
    pub(crate) fn put_off(&mut self, stand: u32, bucket: u32) {
        self.stands.get_mut(stand).bucket = bucket as u16;
    }

    /// Takes a stand out: others of its spot reach its cell no later. Nothing happens if it has become cheaper since.
    pub(crate) fn take_out(&mut self, spot: u32, dominated: &Arrival) {
        let (mut before, mut at) = (NOBODY, whole(self.spots.get(spot).first));
        while at != NOBODY {
            let stand = *self.stands.get(at);
            if stand.cell() == dominated.cell() {
                if stand.cost() != dominated.cost() {
                    return;
                }
                if before == NOBODY {
                    self.spots.get_mut(spot).first = stand.next;
                } else {
                    self.stands.get_mut(before).next = stand.next;
                }
                self.stands.get_mut(at).next = halves(self.free);
                self.free = at;
                return;
            }
            (before, at) = (at, whole(stand.next));
        }
    }

    /// Records what the pairing of a spot costs by further potentials.
    pub(crate) fn revise(&mut self, spot: u32, pairings: [u16; POTENTIALS], known: usize) {
        let spot = self.spots.get_mut(spot);
        (spot.pairings, spot.known) = (pairings, known as u16 | (spot.known & LOOKED_AT));
    }

    /// Records whether a spot is a dead end.
    pub(crate) fn look_at(&mut self, spot: u32, dead: bool) {
        let spot = self.spots.get_mut(spot);
        spot.known |= LOOKED_AT;
        if dead {
            spot.pairings = [DEAD; POTENTIALS];
        }
    }

    /// How many spots, and how many stands were ever in use at one time.
    pub(crate) fn counts(&self) -> (usize, usize) {
        (self.spots.len, self.stands.len)
    }

    /// Bytes it holds.
    pub(crate) fn bytes(&self) -> usize {
        self.spots.bytes() + self.stands.bytes() + 8 * self.slots.len()
    }

    /// Whether numbers are about to run out.
    pub(crate) fn is_full(&self) -> bool {
        self.stands.len.max(self.spots.len) + (1 << 20) > NOBODY as usize
    }
}

/// Mixes boxes and zone: the upper half is the tag in the table, the lower chooses the shard.
#[inline]
pub(crate) fn hash<const L: usize>(boxes: &Set<L>, zone: u16) -> u64 {
    let mut hash = u64::from(zone).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    for &word in &boxes.0 {
        hash = (hash ^ word).wrapping_mul(0xD6E8_FEB8_6659_FD93);
        hash ^= hash >> 32;
    }
    hash.wrapping_mul(0x9E37_79B9_7F4A_7C15)
}
