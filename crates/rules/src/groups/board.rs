//! The board as a group of boxes uses it: some squares, numbered by *places*, the steps between them, zones and slots.

use crate::dense::board::{DenseBoard, NONE, Plane, Side, Step};
use crate::dense::set::Set;

/// Squares for the boxes of a group and the steps between them.
#[derive(Clone, Debug)]
pub struct GroupBoard<const G: usize> {
    pub plane: Plane<G>,
    /// The cell of each place.
    cells: Vec<u16>,
    /// The cell beside a place, by `4 * place + direction`; [`NONE`] where a wall is.
    beside: Vec<u16>,
    /// By `4 * place + direction` in which the player stands when the step begins. `to` is a place.
    steps: Vec<Step>,
}

impl<const G: usize> GroupBoard<G> {
    /// All live squares, each its own place, with the steps of a side.
    pub fn new(board: &DenseBoard, steps_of: Side) -> Self {
        let squares: Vec<u16> = (0..board.live_count() as u16).collect();
        Self::part(board, steps_of, &squares, &[])
    }

    /// Some live squares, followed by others from which boxes come but to which no step leads.
    pub fn part(board: &DenseBoard, steps_of: Side, squares: &[u16], sources: &[u16]) -> Self {
        let mut place_of = vec![NONE; board.live_count()];
        squares.iter().enumerate().for_each(|(place, &square)| place_of[usize::from(square)] = place as u16);
        let steps = &board.way(steps_of).steps;
        let all = || squares.iter().chain(sources).map(|&square| usize::from(square));
        let arrivals = || all().flat_map(|square| 4 * square..4 * square + 4);
        let step_from = |arrival: usize| {
            // A pull goes where the player stands, a push away from there.
            let step = steps[if steps_of == Side::Backward { arrival } else { arrival ^ 1 }];
            match step.to {
                NONE => step,
                to => Step { to: place_of[usize::from(to)], ..step },
            }
        };
        Self {
            plane: board.plane(),
            cells: all().map(|square| board.cell(square) as u16).collect(),
            beside: arrivals().map(|arrival| board.beside(arrival)).collect(),
            steps: arrivals().map(step_from).collect(),
        }
    }

    /// The step of the box on a place that begins with the player on a side of it; it leads nowhere if `to` is [`NONE`].
    #[inline]
    pub fn step(&self, place: u16, direction: usize) -> &Step {
        &self.steps[4 * usize::from(place) + direction]
    }

    /// The cells of boxes.
    #[inline]
    pub fn cells(&self, places: impl IntoIterator<Item = u16>) -> Set<G> {
        places.into_iter().map(|place| self.cells[usize::from(place)].into()).collect()
    }

    /// The floor without boxes.
    #[inline]
    pub fn free(&self, places: impl IntoIterator<Item = u16>) -> Set<G> {
        self.plane.floor.without(self.cells(places))
    }

    /// The cell of a slot of a set.
    #[inline]
    pub fn cell(&self, places: &[u16], slot: usize) -> u16 {
        self.beside[4 * usize::from(places[slot / 4]) + slot % 4]
    }

    /// The slots of a set whose cells are in a zone.
    #[inline]
    pub fn slots(&self, places: &[u16], zone: Set<G>) -> Slots {
        let mut slots = 0;
        for slot in 0..4 * places.len() {
            let cell = self.cell(places, slot);
            if cell != NONE && zone.contains(cell.into()) {
                slots |= 1 << slot;
            }
        }
        Slots(slots)
    }

    /// Calls `each` with zones of a set and their slots. A slot and its cell are first shown to `wanted`: where it returns
    /// nothing no zone is computed, otherwise `each` gets what it returns.
    pub fn each_zone<T>(
        &self,
        places: &[u16],
        mut wanted: impl FnMut(usize, u16) -> Option<T>,
        mut each: impl FnMut(T, Set<G>, Slots),
    ) {
        let free = self.free(places.iter().copied());
        let mut rest = Slots((1 << (4 * places.len())) - 1);
        while let Some(slot) = rest.next() {
            let cell = self.cell(places, slot);
            if cell == NONE || !free.contains(cell.into()) {
                continue;
            }
            if let Some(value) = wanted(slot, cell) {
                let zone = self.plane.zone(free, cell.into());
                let slots = self.slots(places, zone);
                rest.0 &= !slots.0;
                each(value, zone, slots);
            }
        }
    }

    /// The zones in which a search for a side begins with boxes on its target squares: backwards from goals all zones,
    /// forwards from start squares the zone of the player's start cell.
    pub fn target_zones(
        &self,
        board: &DenseBoard,
        side: Side,
        places: &[u16],
    ) -> impl Iterator<Item = Set<G>> + use<G> {
        let free = self.free(places.iter().copied());
        let begin = match side {
            Side::Forward => free,
            Side::Backward => Set::single(board.start_player()).and(free),
        };
        self.plane.zones(free, begin)
    }
}

/// A set of slots, a bit each; iterates from the lowest.
#[derive(Clone, Copy, Debug)]
pub struct Slots(pub u32);

impl Slots {
    #[inline]
    pub fn first(mut self) -> Option<usize> {
        self.next()
    }
}

impl Iterator for Slots {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        (self.0 != 0).then(|| {
            let slot = self.0.trailing_zeros() as usize;
            self.0 &= self.0 - 1;
            slot
        })
    }
}

/// The squares to which the boxes of a side have to get: goals, or for pulls the start squares.
pub fn targets(board: &DenseBoard, side: Side) -> &[u16] {
    match side {
        Side::Forward => board.goals(),
        Side::Backward => board.starts(),
    }
}

/// Turns numbers of target squares of a side into these squares, in ascending order.
pub fn to_targets(board: &DenseBoard, side: Side, numbers: &mut [u16]) {
    numbers.iter_mut().for_each(|number| *number = targets(board, side)[usize::from(*number)]);
    numbers.sort_unstable();
}

/// A slot of some live squares for the player in a zone of a whole position. If other boxes keep him from touching these
/// squares, they are removed first.
pub fn slot_in_zone<const G: usize>(
    board: &DenseBoard,
    plane: &Plane<G>,
    squares: &[u16],
    zone: Set<G>,
) -> Option<usize> {
    let slot_in = |zone: Set<G>| {
        (0..4 * squares.len()).find(|&slot| board.is_beside(4 * usize::from(squares[slot / 4]) + slot % 4, zone))
    };
    slot_in(zone).or_else(|| {
        let mut free = plane.floor;
        squares.iter().for_each(|&square| free.remove(board.cell(square.into())));
        slot_in(plane.zone(free, zone.lowest()))
    })
}
