//! Goal-room databases: the fewest pushes in a room until a box is on every goal, whatever happens outside.
//!
//! All goals are in the room behind a [`Chokepoint`]. Take a solution and only its pushes onto and off squares of the room:
//! they lead from the boxes that are in the room now to one on every goal, where boxes come in through the chokepoint one by
//! one and may leave wherever there is a way out, and boxes elsewhere, left out, block nothing. So they are at least as
//! many as on the shortest way of that kind, which one search from the full room finds for every set of boxes in it.
//!
//! The other pushes are outside. Each box there has to get to the chokepoint, which takes at least the pushes of the box
//! alone; and groups of such boxes need at least what all of them need together until each has been on the chokepoint
//! ([`approach`](crate::approach)). So pushes in the room, pushes of single boxes to the chokepoint, and the interaction of
//! disjoint groups over these may be added: every push is counted once. The interaction of groups on their way to goals
//! ([`group_interaction`](crate::group_interaction)) may not be added, because it may lie in the room. So there are two
//! bounds, this one and the matching with those groups, and the larger holds. Splitting the cost at a chokepoint follows
//! the goal zone of Pereira, Ritt and Buriol (2015); the database of all sets in the room is new here.
//!
//! A set from which the room cannot be filled is dead, however many boxes are in it.
//!
//! The sets have any number of boxes and most of them are never met, so the values are hashed by set and zone instead of
//! stored by rank and slot: the search is not a [`Sweep`](lurd_rules::groups::sweep::Sweep).

use crate::chokepoint::Chokepoint;
use lurd_rules::KeyHasher;
use lurd_rules::dense::board::{DenseBoard, NONE, Plane, Side};
use lurd_rules::dense::set::Set;
use lurd_rules::groups::board::GroupBoard;
use lurd_rules::groups::subsets::binomials;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::BuildHasherDefault;
use std::sync::Arc;

/// The largest room is chosen among those with so few sets; otherwise the smallest, with at most so many.
const FEW_SETS: u128 = 1 << 18;
const MOST_SETS: u128 = 1 << 26;

/// The most that are kept.
const MOST_ENTRIES: usize = 1 << 22;

/// The most squares of a room: a bit each.
const MOST_SQUARES: usize = 32;

/// How often a long computation asks whether to stop, in states.
const POLL: usize = 1 << 12;

/// The bound of a position by its room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Filled {
    /// Pushes in the room.
    pub(crate) inside: u32,
    /// Pushes of single boxes to the chokepoint.
    pub(crate) alone: u32,
}

/// Pushes until the room is full, for all sets of boxes in it.
#[derive(Debug)]
pub(crate) struct GoalRoomDatabase<const L: usize, const G: usize> {
    board: Arc<DenseBoard>,
    plane: Plane<G>,
    chokepoint: Chokepoint,
    pushes: Pushes,
}

/// Pushes by [`key`].
type Pushes = HashMap<u64, u16, BuildHasherDefault<KeyHasher>>;

/// The key of a set and the player's zone: a bijection whose bits are well mixed.
#[inline]
fn key<const G: usize>(boxes: u32, zone: Set<G>) -> u64 {
    (u64::from(boxes) << 16 | zone.lowest() as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(32)
}

/// How many sets of at most so many boxes there are.
fn sets(squares: usize, boxes: usize) -> u128 {
    let counts = binomials(boxes.min(squares), squares);
    counts.iter().fold(0, |total, row| total.saturating_add(row[squares]))
}

/// The places of boxes in the room, which have a bit each.
fn places(boxes: u32) -> impl Iterator<Item = u16> {
    Set([boxes.into()]).iter().map(|place| place as u16)
}

/// The chokepoint with the largest room of few sets, or else the smallest room.
pub(crate) fn chokepoint(board: &DenseBoard) -> Option<Chokepoint> {
    let sets = |found: &Chokepoint| sets(found.room.len(), board.boxes());
    let size = |found: &Chokepoint| found.room.len() as isize;
    let found = Chokepoint::find(board, |found| if sets(found) <= FEW_SETS { size(found) } else { -size(found) })?;
    (found.room.len() <= MOST_SQUARES && sets(&found) <= MOST_SETS).then_some(found)
}

/// About how many microseconds the table takes: not every set can be completed.
pub(crate) fn work(board: &DenseBoard, chokepoint: &Chokepoint) -> u64 {
    sets(chokepoint.room.len(), board.boxes()) as u64 / 2
}

/// Bytes needed while the table is made.
pub(crate) fn bytes_needed(board: &DenseBoard, chokepoint: &Chokepoint) -> usize {
    (sets(chokepoint.room.len(), board.boxes()) as usize).min(MOST_ENTRIES) * 40
}

impl<const L: usize, const G: usize> GoalRoomDatabase<L, G> {
    /// Makes the table, unless told to stop.
    pub(crate) fn new(
        board: &Arc<DenseBoard>,
        chokepoint: &Chokepoint,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Option<Self> {
        let (entrance, room_at) = (chokepoint.room.len() as u16, &chokepoint.room_at);
        // Places: the room, the chokepoint, all others.
        let squares: Vec<u16> = chokepoint.room.iter().copied().chain([chokepoint.square]).collect();
        let others: Vec<u16> = (0..board.live_count() as u16).filter(|square| !squares.contains(square)).collect();
        let group = GroupBoard::<G>::part(board, Side::Backward, &squares, &others);
        let leads_in = |&place: &u16| (0..4).any(|direction| group.step(place, direction).to < entrance);
        // Where boxes are pushed to from the room.
        let exits: Vec<u16> = (entrance..=entrance + others.len() as u16).filter(leads_in).collect();
        let mut known = Pushes::default();
        let full = board.goals().iter().fold(0u32, |set, &goal| set | 1 << room_at[usize::from(goal)]);
        let goals: Vec<u16> = places(full).collect();
        let mut level: Vec<(u32, Set<G>)> = Vec::new();
        for zone in group.target_zones(board, Side::Forward, &goals) {
            known.insert(key(full, zone), 0);
            level.push((full, zone));
        }
        let mut next: Vec<(u32, Set<G>)> = Vec::new();
        let mut expanded = 0usize;
        for pushes in 1u16.. {
            for (boxes, zone) in level.drain(..) {
                expanded += 1;
                if expanded.is_multiple_of(POLL) && (stop() || known.len() > MOST_ENTRIES) {
                    return None;
                }
                let occupied = group.cells(places(boxes));
                // A box may come back that had been pushed out.
                let out = if (boxes.count_ones() as usize) < board.boxes() { &exits[..] } else { &[] };
                for place in places(boxes).chain(out.iter().copied()) {
                    for step in (0..4).map(|direction| group.step(place, direction)) {
                        if step.to == NONE || !zone.contains(step.reach.into()) || occupied.contains(step.clear.into())
                        {
                            continue;
                        }
                        let boxes = match (place < entrance, step.to < entrance) {
                            (true, true) => boxes & !(1 << place) | 1 << step.to,
                            // On the chokepoint the box is gone: it came in there.
                            (true, false) => boxes & !(1 << place),
                            (false, true) => boxes | 1 << step.to,
                            (false, false) => continue,
                        };
                        let zone = group.plane.zone(group.free(places(boxes)), step.lands.into());
                        if let Entry::Vacant(entry) = known.entry(key(boxes, zone)) {
                            entry.insert(pushes);
                            next.push((boxes, zone));
                        }
                    }
                }
            }
            if next.is_empty() {
                break;
            }
            std::mem::swap(&mut level, &mut next);
        }
        Some(Self { board: Arc::clone(board), plane: group.plane, chokepoint: chokepoint.clone(), pushes: known })
    }

    /// The bound of a position with the player on a cell; `None` if it is dead.
    pub(crate) fn of_position(&self, boxes: Set<L>, player: usize) -> Option<Filled> {
        let mut alone = 0;
        for square in boxes.iter() {
            let pushes = self.chokepoint.pushes[usize::from(self.board.row_at(square, player))];
            if pushes == NONE {
                return None;
            }
            alone += u32::from(pushes);
        }
        Some(Filled { inside: self.inside(boxes, player)?, alone })
    }

    fn inside(&self, boxes: Set<L>, player: usize) -> Option<u32> {
        let (mut set, mut free) = (0u32, self.plane.floor);
        for square in boxes.iter().filter(|&square| self.chokepoint.room_at[square] != NONE) {
            set |= 1 << self.chokepoint.room_at[square];
            free.remove(self.board.cell(square));
        }
        self.pushes.get(&key(set, self.plane.zone(free, player))).map(|&pushes| pushes.into())
    }

    /// The bound after a push that took a box from one row of distances to another; `boxes` are those after the push, and
    /// the player is on the cell that the box left.
    pub(crate) fn of_push(&self, before: Filled, rows: [u16; 2], boxes: Set<L>, player: usize) -> Option<Filled> {
        let [from, to] = rows.map(|row| (self.board.row_live(row), self.chokepoint.pushes[usize::from(row)]));
        if to.1 == NONE {
            return None;
        }
        let alone = before.alone + u32::from(to.1) - u32::from(from.1);
        // After a push outside the room the player's zone between the boxes in it is unchanged.
        let untouched = self.chokepoint.room_at[from.0] == NONE && self.chokepoint.room_at[to.0] == NONE;
        let inside = if untouched { before.inside } else { self.inside(boxes, player)? };
        Some(Filled { inside, alone })
    }

    pub(crate) fn bytes(&self) -> usize {
        self.pushes.capacity() * size_of::<(u64, u16)>()
    }
}
