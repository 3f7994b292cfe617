//! Approach databases: how many more pushes boxes outside a chokepoint need together, until each has been on it, than apart.
//!
//! Boxes on the squares of a set outside a [`Chokepoint`], alone on the board, are brought to it one by one, and each vanishes
//! there; the interaction of the set is how many more pushes that takes than the boxes need each for itself. In any
//! solution the pushes of these boxes, each until it is first on the chokepoint, do the same when all else is left out: a
//! box that is not there blocks nothing. So they are at least as many, and each of them is outside.
//!
//! The chokepoint serves as the intermediate goal of a pattern database (Pereira, Ritt and Buriol 2015), but the boxes are
//! counted by interaction, which is new here. No goals are chosen between, so one search from the chokepoint finds all
//! sets of a size, where the interaction on the way to goals ([`group_interaction`](crate::group_interaction)) takes one
//! for every set of goals. It is never more than that, but what happens in the room may be added to it
//! ([`goal_room`](crate::goal_room)).

use crate::chokepoint::Chokepoint;
use crate::group_interaction::{DEAD, Listed, MOST_INTERACTION, collect};
use lurd_rules::dense::board::{DenseBoard, NONE, Plane, Side};
use lurd_rules::dense::dead_sets::Masks;
use lurd_rules::dense::set::Set;
use lurd_rules::groups::board::{GroupBoard, Slots, slot_in_zone};
use lurd_rules::groups::packing::Group;
use lurd_rules::groups::subsets::{MOST, Ranks, Subsets, moved};
use lurd_rules::groups::sweep::{GroupState, SlotCosts, Sweep, UNKNOWN};
use std::sync::Arc;

/// How often a long computation asks whether to stop, in sets.
const POLL: usize = 1 << 12;

/// The interaction of every set of so many boxes outside a chokepoint.
#[derive(Debug)]
pub(crate) struct ApproachDatabase<const L: usize, const G: usize> {
    board: Arc<DenseBoard>,
    plane: Plane<G>,
    size: usize,
    ranks: Ranks,
    /// The squares outside and the place of each live square among them.
    outside: Vec<u16>,
    outside_at: Vec<u16>,
    /// By `4 * size * rank of the places + slot`. Zero where other groups inside are worth as much.
    values: Vec<u8>,
    /// The lowest partners of groups with a value; with the lowest the next; with the two lowest the next. All by places,
    /// and of an arrival, or after all arrivals of the lowest square of a group.
    partners: [Masks; 3],
    /// All squares of such groups.
    members: Masks,
}

/// A set that a box makes when it appears on the chokepoint and is pulled away, the slot of the player then, and the cost.
type Seed = ([u16; MOST], u16, u16);

/// The searches from the chokepoint. A box on it is the place after those outside.
struct Appearances<'a, const G: usize> {
    board: GroupBoard<G>,
    ranks: &'a Ranks,
    chokepoint: u16,
}

impl<const G: usize> Appearances<'_, G> {
    /// The least pushes of all sets of a size until all boxes have been on the chokepoint.
    fn search(&self, size: usize, stop: &(dyn Fn() -> bool + Sync)) -> Option<SlotCosts> {
        // With no box on the board the player is anywhere.
        let empty = GroupState { places: [0; MOST], slots: Slots(0), zone: self.board.plane.floor };
        let mut seeds = Vec::new();
        self.appear(&empty, 0, 1, &mut seeds);
        for smaller in 1..size {
            let mut larger = Vec::new();
            self.one_size(smaller, &seeds, Some(&mut larger), stop)?;
            seeds = larger;
        }
        self.one_size(size, &seeds, None, stop)
    }

    /// Searches the sets of one size from its seeds, cheapest first, and adds those of the next size in the same order.
    fn one_size(
        &self,
        size: usize,
        seeds: &[Seed],
        mut larger: Option<&mut Vec<Seed>>,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Option<SlotCosts> {
        let mut sweep = Sweep::new(size, SlotCosts::new(self.ranks, size));
        let mut seeds = seeds.iter().peekable();
        let mut expanded = 0usize;
        for cost in 1u16.. {
            // Steps from the level before were entered at this cost already; so are the boxes that appear now.
            while let Some(&(places, slot, _)) = seeds.next_if(|seed| seed.2 == cost) {
                sweep.enter_slot(&self.board, self.ranks, places, slot.into(), cost);
            }
            if sweep.open.is_empty() && seeds.peek().is_none() {
                break;
            }
            for state in std::mem::take(&mut sweep.open) {
                expanded += 1;
                if expanded.is_multiple_of(POLL) && stop() {
                    return None;
                }
                if let Some(larger) = &mut larger {
                    self.appear(&state, size, cost + 1, larger);
                }
                sweep.expand(&self.board, self.ranks, &state, cost + 1);
            }
        }
        Some(sweep.table)
    }

    /// Adds the sets that a box makes with those of a state when it appears on the chokepoint and is pulled one step away.
    fn appear(&self, state: &GroupState<G>, size: usize, cost: u16, seeds: &mut Vec<Seed>) {
        let boxes = self.board.cells(state.places[..size].iter().copied());
        for step in (0..4).map(|direction| self.board.step(self.chokepoint, direction)) {
            if step.to != NONE && state.zone.contains(step.reach.into()) && !boxes.contains(step.clear.into()) {
                let mut with = state.places;
                with[size] = u16::MAX;
                let (with, place) = moved(&with, size + 1, size, step.to);
                seeds.push((with, 4 * place as u16 + step.arrival % 4, cost));
            }
        }
    }
}

/// How many sets of a size there are.
pub(crate) fn sets(chokepoint: &Chokepoint, size: usize) -> u64 {
    Ranks::new(chokepoint.outside.len()).count(size) as u64
}

/// Bytes needed while the table of a size is made.
pub(crate) fn bytes_needed(chokepoint: &Chokepoint, size: usize) -> usize {
    let count = chokepoint.outside.len();
    let masks = 8 * count.div_ceil(64) * 5 * count * (count + count * count / 2);
    // A push count and a value for each slot, and the seeds of the next size.
    sets(chokepoint, size) as usize * (3 * 4 * size) + sets(chokepoint, size - 1) as usize * 20 + masks
}

impl<const L: usize, const G: usize> ApproachDatabase<L, G> {
    /// Makes the table, unless told to stop. `smaller` says what groups inside a set are worth already.
    pub(crate) fn new(
        board: &Arc<DenseBoard>,
        chokepoint: &Chokepoint,
        size: usize,
        stop: &(dyn Fn() -> bool + Sync),
        smaller: &dyn Fn(&[u16], Set<G>) -> u8,
    ) -> Option<Self> {
        let Chokepoint { outside, outside_at, .. } = chokepoint;
        let count = outside.len();
        let ranks = Ranks::new(count);
        let group = GroupBoard::<G>::part(board, Side::Backward, outside, &[chokepoint.square]);
        let search = Appearances { board: group, ranks: &ranks, chokepoint: count as u16 };
        let pushes = search.search(size, stop)?;
        let group = search.board;
        let words = count.div_ceil(64);
        let mut table = Self {
            board: Arc::clone(board),
            plane: board.plane(),
            size,
            values: vec![0; 4 * size * ranks.count(size)],
            outside: outside.clone(),
            outside_at: outside_at.clone(),
            partners: [
                Masks::new(words, 5 * count),
                Masks::new(words, if size > 2 { 5 * count * count } else { 0 }),
                Masks::new(words, if size > 3 { 5 * count * ranks.count(2) } else { 0 }),
            ],
            members: Masks::new(board.live_words(), 1),
            ranks,
        };
        for (number, places) in Subsets::new(size, count).enumerate() {
            if number % POLL == POLL - 1 && stop() {
                return None;
            }
            let (places, squares) = (&places[..size], table.squares(&places));
            let squares = &squares[..size];
            let rank = table.ranks.rank(places);
            let value = |slot: usize, cell: u16| {
                let mut apart = 0i32;
                for &square in squares {
                    let pushes = chokepoint.pushes[usize::from(board.row_at(square.into(), cell.into()))];
                    // A box that is lost alone is never met in a group.
                    if pushes == NONE {
                        return None;
                    }
                    apart += i32::from(pushes);
                }
                let value = match pushes.get(rank, slot) {
                    UNKNOWN => DEAD,
                    pushes => (i32::from(pushes) - apart).clamp(0, MOST_INTERACTION) as u8,
                };
                (value > 0).then_some(value)
            };
            group.each_zone(places, value, |value, zone, slots| {
                if smaller(squares, zone) < value {
                    for slot in slots {
                        table.values[4 * size * rank + slot] = value;
                        table.file(places, slot);
                    }
                }
            });
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

    /// Which of the `partners` may be next after so many were chosen.
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
    fn places(&self, boxes: Set<L>) -> Set<L> {
        boxes.and(self.members.get(0)).iter().map(|square| self.outside_at[square].into()).collect()
    }

    /// The groups that a box forms with `others` after an arrival.
    #[inline]
    pub(crate) fn of_arrival(&self, arrival: usize, others: Set<L>, groups: &mut Vec<Group<L>>) -> Listed {
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
    fn choose<F: FnMut(&[u16; MOST]) -> Listed>(
        &self,
        key: usize,
        others: Set<L>,
        chosen: &mut [u16; MOST],
        have: usize,
        found: &mut F,
    ) -> Listed {
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
    pub(crate) fn of_position(&self, boxes: Set<L>, zone: Set<G>, groups: &mut Vec<Group<L>>) -> Listed {
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
                let slot = slot_in_zone(&self.board, &self.plane, squares, zone);
                collect(squares, slot.map_or(0, |slot| values[slot]), groups)
            })?;
        }
        Ok(())
    }

    pub(crate) fn bytes(&self) -> usize {
        self.values.len() + self.partners.iter().map(Masks::bytes).sum::<usize>()
    }
}
