//! How a room is filled: the fewest pushes in it until a box stands on every goal, whatever happens outside.
//!
//! All goals are in the room behind a [`Chokepoint`]. Look at a solution and at its pushes onto and off squares of the room alone:
//! they lead from the boxes that are in the room now to one on every goal, where boxes come in through the door one
//! by one and may leave wherever there is a way out, and boxes elsewhere, left out, hinder nobody. So they are at least
//! as many as on the shortest way of that kind, which is found for every set of boxes in the room by one search
//! from the full room.
//!
//! The other pushes are outside. Each box that is there has to come to the door, which takes at least the pushes of the
//! box alone; and of groups of such boxes at least what all of them need together until each has been in the door
//! ([`approach`](crate::approach)). So pushes in the room, ways of single boxes to the door, and the excess
//! of disjoint groups over these may be added up: every push is counted once. The excess of groups on their way to goals
//! ([`excess`](crate::excess)) may not be added, because it may lie in the room. So there are two bounds, this one and
//! the matching with those groups, and the larger holds.
//!
//! A set from which the room cannot be filled is dead, however many boxes are in it.

use crate::chokepoint::Chokepoint;
use lurd_rules::dense::board::{DenseBoard, NONE, Plane, Side};
use lurd_rules::dense::set::Set;

/// Sets of boxes in a room that take no time to speak of, and the most there may be.
const FEW_SETS: usize = 1 << 18;
const MOST_SETS: usize = 1 << 26;

/// The most that are kept.
const MOST_ENTRIES: usize = 1 << 22;

/// The most squares of a room: a bit each.
const MOST_SQUARES: usize = 32;

/// No entry.
const FREE: u64 = u64::MAX;

/// How often a long computation looks whether it is to stop.
const LOOK: usize = 1 << 12;

/// What a position is worth by its room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Filled {
    /// Pushes in the room.
    pub(crate) inside: u32,
    /// Pushes of single boxes to the door.
    pub(crate) alone: u32,
}

/// Pushes until the room is full, for all sets of boxes in it.
#[derive(Debug)]
pub(crate) struct GoalRoomDatabase {
    door: Chokepoint,
    /// Sets with the lowest cell of the player's zone, hashed, and their pushes.
    keys: Vec<u64>,
    pushes: Vec<u16>,
    entries: usize,
}

/// How many sets of at most so many boxes there are.
fn sets(squares: usize, boxes: usize) -> usize {
    let mut total = 0usize;
    let mut sets = 1usize;
    for size in 0..=boxes.min(squares) {
        total = total.saturating_add(sets);
        sets = sets.saturating_mul(squares - size) / (size + 1);
    }
    total
}

impl GoalRoomDatabase {
    /// The door with the largest room of few sets, or else the smallest room.
    pub(crate) fn door(board: &DenseBoard) -> Option<Chokepoint> {
        let sets = |door: &Chokepoint| sets(door.room.len(), board.boxes());
        let size = |door: &Chokepoint| door.room.len() as isize;
        let door = Chokepoint::find(board, |door| if sets(door) <= FEW_SETS { size(door) } else { -size(door) })?;
        (door.room.len() <= MOST_SQUARES && sets(&door) <= MOST_SETS).then_some(door)
    }

    /// Microseconds the table will take, about: not every set can be filled up.
    pub(crate) fn work(board: &DenseBoard, door: &Chokepoint) -> u64 {
        sets(door.room.len(), board.boxes()) as u64 / 2
    }

    /// Bytes needed while the table is made.
    pub(crate) fn bytes_needed(board: &DenseBoard, door: &Chokepoint) -> usize {
        sets(door.room.len(), board.boxes()).min(MOST_ENTRIES) * 40
    }

    /// Makes the table, unless told to stop.
    pub(crate) fn new<const G: usize>(
        board: &DenseBoard,
        door: &Chokepoint,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Option<Self> {
        let plane: Plane<G> = board.plane();
        let mut table = Self { door: door.clone(), keys: vec![FREE; 1 << 10], pushes: vec![0; 1 << 10], entries: 0 };
        let full = board.goals().iter().fold(0u32, |set, &goal| set | 1 << door.room_at[usize::from(goal)]);
        let mut level: Vec<(u32, Set<G>)> = Vec::new();
        let mut rest = table.free(board, &plane, full);
        while !rest.is_empty() {
            let zone = plane.zone(table.free(board, &plane, full), rest.lowest());
            rest = rest.without(zone);
            table.insert(full, zone.lowest(), 0);
            level.push((full, zone));
        }
        let steps = &board.way(Side::Backward).steps;
        let leads_in = |square: &u16| {
            let steps = &steps[4 * usize::from(*square)..][..4];
            steps.iter().any(|step| step.to != NONE && door.room_at[usize::from(step.to)] != NONE)
        };
        // Where boxes are pushed to from the room.
        let exits: Vec<u16> = (0..board.live_count() as u16)
            .filter(|&square| door.room_at[usize::from(square)] == NONE)
            .filter(leads_in)
            .collect();
        let mut next: Vec<(u32, Set<G>)> = Vec::new();
        let mut looks = 0usize;
        for pushes in 1u16.. {
            for (boxes, zone) in level.drain(..) {
                looks += 1;
                if looks.is_multiple_of(LOOK) && (stop() || table.entries > MOST_ENTRIES) {
                    return None;
                }
                let mut enter = |boxes: u32, player: u16| {
                    let zone = plane.zone(table.free(board, &plane, boxes), player.into());
                    if table.insert(boxes, zone.lowest(), pushes) {
                        next.push((boxes, zone));
                    }
                };
                let holds = |place: u16| place != NONE && boxes >> place & 1 != 0;
                let holds_cell = |cell: u16| match board.live_at(cell.into()) {
                    NONE => false,
                    live => holds(door.room_at[usize::from(live)]),
                };
                // A box may come back that had been pushed out.
                let out = if (boxes.count_ones() as usize) < board.boxes() { &exits[..] } else { &[] };
                let places = (0..door.room.len()).filter(|&place| boxes >> place & 1 != 0);
                let from =
                    places.map(|place| (door.room[place], 1u32 << place)).chain(out.iter().map(|&exit| (exit, 0)));
                for (square, bit) in from {
                    for step in &steps[4 * usize::from(square)..][..4] {
                        if step.to == NONE || !zone.contains(step.reach.into()) || holds_cell(step.clear) {
                            continue;
                        }
                        match door.room_at[usize::from(step.to)] {
                            // In the door it is gone: it came in there.
                            NONE if step.to == door.square && bit != 0 => enter(boxes & !bit, step.lands),
                            NONE => {}
                            to => enter(boxes & !bit | 1 << to, step.lands),
                        }
                    }
                }
            }
            if next.is_empty() {
                break;
            }
            std::mem::swap(&mut level, &mut next);
        }
        Some(table)
    }

    /// The floor without boxes of the room.
    fn free<const G: usize>(&self, board: &DenseBoard, plane: &Plane<G>, boxes: u32) -> Set<G> {
        let mut free = plane.floor;
        let mut rest = boxes;
        while rest != 0 {
            free.remove(board.cell(self.door.room[rest.trailing_zeros() as usize].into()));
            rest &= rest - 1;
        }
        free
    }

    fn slot(&self, key: u64) -> usize {
        let mask = self.keys.len() - 1;
        let mut slot = (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize & mask;
        while self.keys[slot] != FREE && self.keys[slot] != key {
            slot = (slot + 1) & mask;
        }
        slot
    }

    /// Enters a set, unless it is known.
    fn insert(&mut self, boxes: u32, lowest: usize, pushes: u16) -> bool {
        let key = u64::from(boxes) << 16 | lowest as u64;
        let slot = self.slot(key);
        if self.keys[slot] == key {
            return false;
        }
        self.keys[slot] = key;
        self.pushes[slot] = pushes;
        self.entries += 1;
        if 2 * self.entries > self.keys.len() {
            let size = 2 * self.keys.len();
            let keys = std::mem::replace(&mut self.keys, vec![FREE; size]);
            let values = std::mem::replace(&mut self.pushes, vec![0; size]);
            for (key, pushes) in keys.into_iter().zip(values).filter(|&(key, _)| key != FREE) {
                let slot = self.slot(key);
                self.keys[slot] = key;
                self.pushes[slot] = pushes;
            }
        }
        true
    }

    /// What a position is worth, with the player on a cell; `None` if it is dead.
    pub(crate) fn of_position<const L: usize, const G: usize>(
        &self,
        board: &DenseBoard,
        plane: &Plane<G>,
        boxes: Set<L>,
        player: usize,
    ) -> Option<Filled> {
        let mut alone = 0;
        for square in boxes.iter() {
            let pushes = self.door.pushes[usize::from(board.row_at(square, player))];
            if pushes == NONE {
                return None;
            }
            alone += u32::from(pushes);
        }
        Some(Filled { inside: self.inside(board, plane, boxes, player)?, alone })
    }

    fn inside<const L: usize, const G: usize>(
        &self,
        board: &DenseBoard,
        plane: &Plane<G>,
        boxes: Set<L>,
        player: usize,
    ) -> Option<u32> {
        let places = boxes.iter().map(|square| self.door.room_at[square]).filter(|&place| place != NONE);
        let set = places.fold(0u32, |set, place| set | 1 << place);
        let zone = plane.zone(self.free(board, plane, set), player);
        let key = u64::from(set) << 16 | zone.lowest() as u64;
        let slot = self.slot(key);
        (self.keys[slot] == key).then(|| self.pushes[slot].into())
    }

    /// What a position is worth after a box went from one square, with the player on a cell, to another, the player on the
    /// cell it left: `boxes` are those after the push.
    pub(crate) fn of_push<const L: usize, const G: usize>(
        &self,
        board: &DenseBoard,
        plane: &Plane<G>,
        before: Filled,
        rows: (u16, u16),
        boxes: Set<L>,
        player: usize,
    ) -> Option<Filled> {
        let [from, to] = [rows.0, rows.1].map(|row| (board.row_live(row), self.door.pushes[usize::from(row)]));
        if to.1 == NONE {
            return None;
        }
        let alone = before.alone + u32::from(to.1) - u32::from(from.1);
        // Outside the room the player's zone between the boxes in it stays what it was.
        let untouched = self.door.room_at[from.0] == NONE && self.door.room_at[to.0] == NONE;
        let inside = if untouched { before.inside } else { self.inside(board, plane, boxes, player)? };
        Some(Filled { inside, alone })
    }

    pub(crate) fn bytes(&self) -> usize {
        size_of_val(&self.keys[..]) + size_of_val(&self.pushes[..])
    }
}
