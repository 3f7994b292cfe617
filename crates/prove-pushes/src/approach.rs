//! What boxes outside a door cost each other until all of them have been in it.
//!
//! Boxes on the squares of a set outside a [`Chokepoint`], alone on the board, are brought to the door, where each vanishes; the
//! excess of the set is how many more pushes that takes than the boxes need each for itself. In any solution the pushes
//! of these boxes before each has first been in the door do the same, when everything else is left out: a box that is not
//! there hinders nobody. So they are at least as many, and each of them is outside.
//!
//! No goals are chosen between, so one search from the door finds all sets of a size, where the excess on the way to goals
//! ([`excess`](crate::excess)) takes one for every set of goals. It is never more than that, but what happens
//! in the room may be added to it ([`goal_room`](crate::goal_room)).

use crate::chokepoint::Chokepoint;
use crate::excess::{DEAD, Dead, Group, collect};
use crate::graph::{beside, touched};
use lurd_rules::dense::board::{DenseBoard, NONE, Plane, Side, Step};
use lurd_rules::dense::dead_sets::Masks;
use lurd_rules::dense::set::Set;
use lurd_rules::groups::subsets::{MOST, Ranks, Subsets, moved};

const UNSEEN: u16 = u16::MAX;

/// Larger values count as this one.
const MOST_EXCESS: i32 = 254;

/// How often a long computation looks whether it is to stop.
const LOOK: usize = 1 << 12;

/// The excess of every set of so many boxes outside a door.
#[derive(Debug)]
pub(crate) struct ApproachDatabase {
    size: usize,
    ranks: Ranks,
    outside: Vec<u16>,
    outside_at: Vec<u16>,
    /// By sets of places and slots. Zero where other groups inside say as much.
    values: Vec<u8>,
    /// The lowest partners of groups that are worth something; with the lowest the next; with the two lowest the next. All by
    /// places, and of an arrival, or after all arrivals of the lowest square of a group.
    partners: [Masks; 3],
    /// All squares of such groups.
    members: Masks,
}

/// All ways of up to so many boxes to the door, from the door.
struct Sweep<'a, const G: usize> {
    board: &'a DenseBoard,
    plane: Plane<G>,
    door: &'a Chokepoint,
    ranks: &'a Ranks,
    size: usize,
    pushes: Vec<u16>,
    next: Vec<([u16; MOST], Set<G>)>,
}

/// A set that a box appearing in the door makes, the slot where the player stands then, and its pushes.
type Seed = ([u16; MOST], u16, u16);

impl<const G: usize> Sweep<'_, G> {
    fn squares(&self, places: &[u16; MOST], size: usize) -> [u16; MOST] {
        let mut squares = [0; MOST];
        (0..size).for_each(|index| squares[index] = self.door.outside[usize::from(places[index])]);
        squares
    }

    /// Enters a set with the player on a cell, unless it is known.
    fn mark(&mut self, places: [u16; MOST], slot: usize, player: usize, cost: u16) {
        let size = self.size;
        let base = self.ranks.rank(&places[..size]) * 4 * size;
        if self.pushes[base + slot] != UNSEEN {
            return;
        }
        let squares = self.squares(&places, size);
        let mut free = self.plane.floor;
        squares[..size].iter().for_each(|&square| free.remove(self.board.cell(square.into())));
        let zone = self.plane.zone(free, player);
        for slot in 0..4 * size {
            let cell = beside(self.board, &squares[..size], slot);
            if cell != NONE && zone.contains(cell.into()) {
                self.pushes[base + slot] = cost;
            }
        }
        self.next.push((places, zone));
    }

    /// Works off all sets of one size, and returns what the sets of the next size begin with, the cheapest first.
    fn run(&mut self, size: usize, seeds: &[Seed], more: bool, stop: &(dyn Fn() -> bool + Sync)) -> Option<Vec<Seed>> {
        self.size = size;
        self.pushes = vec![UNSEEN; self.ranks.count(size) * 4 * size];
        let steps = &self.board.way(Side::Backward).steps;
        let (mut seeds, mut larger) = (seeds.iter().peekable(), Vec::new());
        let mut looks = 0usize;
        for cost in 1u16.. {
            // Steps from the level before were entered at this cost already; so are the boxes that appear now.
            while let Some((places, slot, _)) = seeds.next_if(|seed| seed.2 == cost) {
                let squares = self.squares(places, size);
                let player = beside(self.board, &squares[..size], usize::from(*slot));
                self.mark(*places, usize::from(*slot), player.into(), cost);
            }
            if self.next.is_empty() && seeds.peek().is_none() {
                break;
            }
            for (places, zone) in std::mem::take(&mut self.next) {
                looks += 1;
                if looks.is_multiple_of(LOOK) && stop() {
                    return None;
                }
                let squares = self.squares(&places, size);
                let holds = |cell: u16| {
                    let live = self.board.live_at(cell.into());
                    live != NONE && squares[..size].contains(&live)
                };
                if more {
                    larger.extend(
                        appear(self.door, steps, &places, size, |reach, clear| {
                            zone.contains(reach.into()) && !holds(clear)
                        })
                        .map(|(places, slot)| (places, slot, cost + 1)),
                    );
                }
                for (index, &square) in squares[..size].iter().enumerate() {
                    let from = usize::from(square);
                    for step in &steps[4 * from..4 * from + 4] {
                        if step.to == NONE || !zone.contains(step.reach.into()) || holds(step.clear) {
                            continue;
                        }
                        let to = self.door.outside_at[usize::from(step.to)];
                        if to == NONE {
                            continue;
                        }
                        let (next, place) = moved(&places, size, index, to);
                        self.mark(next, 4 * place + usize::from(step.arrival % 4), step.lands.into(), cost + 1);
                    }
                }
            }
        }
        Some(larger)
    }
}

/// The sets that a box makes which appears in the door and goes one step back.
fn appear<'a>(
    door: &'a Chokepoint,
    steps: &'a [Step],
    places: &'a [u16; MOST],
    size: usize,
    may: impl Fn(u16, u16) -> bool + 'a,
) -> impl Iterator<Item = ([u16; MOST], u16)> + 'a {
    let first = 4 * usize::from(door.square);
    steps[first..first + 4].iter().filter(move |step| step.to != NONE && may(step.reach, step.clear)).filter_map(
        move |step| {
            let to = door.outside_at[usize::from(step.to)];
            if to == NONE || places[..size].contains(&to) {
                return None;
            }
            let mut with = *places;
            with[size] = u16::MAX;
            let (with, place) = moved(&with, size + 1, size, to);
            Some((with, (4 * place) as u16 + step.arrival % 4))
        },
    )
}

impl ApproachDatabase {
    /// How many sets of a size there are.
    pub(crate) fn sets(door: &Chokepoint, size: usize) -> u64 {
        Ranks::new(door.outside.len()).count(size) as u64
    }

    /// Bytes needed while the table of a size is made.
    pub(crate) fn bytes_needed(door: &Chokepoint, size: usize) -> usize {
        let count = door.outside.len();
        let masks = 8 * count.div_ceil(64) * 5 * count * (count + count * count / 2);
        // A push count and a value for each slot, and the sets that the next size begins with.
        Self::sets(door, size) as usize * (3 * 4 * size) + Self::sets(door, size - 1) as usize * 20 + masks
    }

    /// Makes the table, unless told to stop. `smaller` says what groups inside a set are worth already.
    pub(crate) fn new<const G: usize>(
        board: &DenseBoard,
        door: &Chokepoint,
        size: usize,
        stop: &(dyn Fn() -> bool + Sync),
        smaller: &dyn Fn(&[u16], Set<G>) -> u8,
    ) -> Option<Self> {
        let ranks = Ranks::new(door.outside.len());
        let plane: Plane<G> = board.plane();
        let mut sweep = Sweep { board, plane, door, ranks: &ranks, size: 0, pushes: Vec::new(), next: Vec::new() };
        let steps = &board.way(Side::Backward).steps;
        // With no box on the board the player is anywhere.
        let mut seeds: Vec<Seed> =
            appear(door, steps, &[0; MOST], 0, |_, _| true).map(|(places, slot)| (places, slot, 1)).collect();
        for boxes in 1..=size {
            seeds = sweep.run(boxes, &seeds, boxes < size, stop)?;
        }
        let pushes = sweep.pushes;
        let count = door.outside.len();
        let words = count.div_ceil(64);
        let mut table = Self {
            size,
            values: vec![0; pushes.len()],
            outside: door.outside.clone(),
            outside_at: door.outside_at.clone(),
            partners: [
                Masks::new(words, 5 * count),
                Masks::new(words, if size > 2 { 5 * count * count } else { 0 }),
                Masks::new(words, if size > 3 { 5 * count * ranks.count(2) } else { 0 }),
            ],
            members: Masks::new(board.live_words(), 1),
            ranks,
        };
        let subsets = Subsets::new(size, count);
        let mut looks = 0usize;
        for places in subsets {
            looks += 1;
            if looks.is_multiple_of(LOOK) && stop() {
                return None;
            }
            let mut squares = [0; MOST];
            (0..size).for_each(|index| squares[index] = door.outside[usize::from(places[index])]);
            let squares = &squares[..size];
            let base = table.ranks.rank(&places[..size]) * 4 * size;
            let mut free = plane.floor;
            squares.iter().for_each(|&square| free.remove(board.cell(square.into())));
            let mut rest = (1u32 << (4 * size)) - 1;
            while rest != 0 {
                let slot = rest.trailing_zeros() as usize;
                rest &= rest - 1;
                let cell = beside(board, squares, slot);
                if cell == NONE || !free.contains(cell.into()) {
                    continue;
                }
                let mut alone = 0i32;
                let mut counts = true;
                for &square in squares {
                    let pushes = door.pushes[usize::from(board.row_at(square.into(), cell.into()))];
                    counts &= pushes != NONE;
                    alone += i32::from(pushes);
                }
                if !counts {
                    continue;
                }
                let value = match pushes[base + slot] {
                    UNSEEN => DEAD,
                    pushes => (i32::from(pushes) - alone).clamp(0, MOST_EXCESS) as u8,
                };
                if value == 0 {
                    continue;
                }
                let zone = plane.zone(free, cell.into());
                let value = if smaller(squares, zone) >= value { 0 } else { value };
                for slot in slot..4 * size {
                    let cell = beside(board, squares, slot);
                    if cell != NONE && zone.contains(cell.into()) {
                        rest &= !(1 << slot);
                        if value > 0 {
                            table.values[base + slot] = value;
                            table.file(&places[..size], slot);
                        }
                    }
                }
            }
        }
        Some(table)
    }

    fn file(&mut self, places: &[u16], slot: usize) {
        let count = self.outside.len();
        for (key, left_out) in
            [(4 * usize::from(places[slot / 4]) + slot % 4, slot / 4), (4 * count + usize::from(places[0]), 0)]
        {
            let mut chosen = [0u16; MOST];
            let others = places.iter().enumerate().filter(|&(place, _)| place != left_out);
            for (have, (_, &place)) in others.enumerate() {
                if let Some(number) = self.number(key, &chosen, have) {
                    self.partners[have].insert(number, place.into());
                }
                chosen[have] = place;
            }
        }
        for &place in places {
            self.members.insert(0, self.outside[usize::from(place)].into());
        }
    }

    /// Where the partners stand that may be next after so many were chosen.
    #[inline]
    fn number(&self, key: usize, chosen: &[u16; MOST], have: usize) -> Option<usize> {
        match have {
            0 => Some(key),
            1 => Some(key * self.outside.len() + usize::from(chosen[0])),
            2 => Some(key * self.ranks.count(2) + self.ranks.rank(&chosen[..2])),
            _ => None,
        }
    }

    /// The boxes that are in any group, by places.
    #[inline]
    fn places<const L: usize>(&self, boxes: Set<L>) -> Set<L> {
        let mut places = Set::EMPTY;
        for square in boxes.and(self.members.get::<L>(0)).iter() {
            places.insert(self.outside_at[square].into());
        }
        places
    }

    /// The groups that the box which arrived so forms with `others`.
    #[inline]
    pub(crate) fn of_arrival<const L: usize>(
        &self,
        arrival: usize,
        others: Set<L>,
        groups: &mut Vec<Group<L>>,
    ) -> Result<(), Dead> {
        let here = self.outside_at[arrival / 4];
        if here == NONE {
            return Ok(());
        }
        let key = 4 * usize::from(here) + arrival % 4;
        if self.partners[0].part::<L>(key).is_empty() {
            return Ok(());
        }
        let size = self.size;
        self.choose(key, self.places(others), &mut [0; MOST], 0, &mut |chosen| {
            let mut places = *chosen;
            places[size - 1] = u16::MAX;
            let (places, place) = moved(&places, size, size - 1, here);
            let value = self.values[self.ranks.rank(&places[..size]) * 4 * size + 4 * place + key % 4];
            if value == 0 {
                return Ok(());
            }
            collect(&self.squares(&places)[..size], value, groups)
        })
    }

    /// Chooses partners one by one, in ascending order.
    fn choose<const L: usize, F: FnMut(&[u16; MOST]) -> Result<(), Dead>>(
        &self,
        key: usize,
        others: Set<L>,
        chosen: &mut [u16; MOST],
        have: usize,
        found: &mut F,
    ) -> Result<(), Dead> {
        if have + 1 == self.size {
            return found(chosen);
        }
        let next = match self.number(key, chosen, have) {
            Some(number) => self.partners[have].part(number).and(others),
            None => others,
        };
        let least = if have == 0 { 0 } else { usize::from(chosen[have - 1]) + 1 };
        for next in next.iter().filter(|&next| next >= least) {
            chosen[have] = next as u16;
            self.choose(key, others, chosen, have + 1, found)?;
        }
        Ok(())
    }

    /// The live squares of places.
    fn squares(&self, places: &[u16; MOST]) -> [u16; MOST] {
        std::array::from_fn(|index| if index < self.size { self.outside[usize::from(places[index])] } else { 0 })
    }

    /// The groups of a whole position, with the player in a zone.
    pub(crate) fn of_position<const L: usize, const G: usize>(
        &self,
        board: &DenseBoard,
        plane: &Plane<G>,
        boxes: Set<L>,
        zone: Set<G>,
        groups: &mut Vec<Group<L>>,
    ) -> Result<(), Dead> {
        let (size, boxes) = (self.size, self.places(boxes));
        for first in boxes.iter() {
            self.choose(4 * self.outside.len() + first, boxes, &mut [0; MOST], 0, &mut |chosen| {
                let mut places = [first as u16; MOST];
                places[1..].copy_from_slice(&chosen[..MOST - 1]);
                let values = &self.values[self.ranks.rank(&places[..size]) * 4 * size..][..4 * size];
                if values.iter().all(|&value| value == 0) {
                    return Ok(());
                }
                let squares = self.squares(&places);
                let squares = &squares[..size];
                let slot = touched(board, plane, squares, zone);
                collect(squares, slot.map_or(0, |slot| values[slot]), groups)
            })?;
        }
        Ok(())
    }

    pub(crate) fn bytes(&self) -> usize {
        self.values.len() + self.partners.iter().map(Masks::bytes).sum::<usize>()
    }
}
