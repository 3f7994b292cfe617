//! What two boxes cost each other: how many more moves a pair needs than its boxes do apart.
//!
//! The matching sees each box alone on the board. A breadth-first search over all pairs of boxes, backwards
//! from the ends like that of the dead sets, gives the exact number of moves for two boxes
//! together; what exceeds the cheapest pairing of the two is the price of being in each other's
//! way. Summed over all pairs it is no lower bound, but it tells a greedy search what is still to be untangled.

use crate::dense::board::{DenseBoard, INFINITE, NONE, Plane, Side};
use crate::dense::set::Set;
use std::collections::VecDeque;

/// The excess of every pair, by arrival of one box and square of the other.
#[derive(Clone, Debug)]
pub struct PairInteraction {
    live: usize,
    values: Vec<u8>,
}

/// The most live squares a table is made for.
const MOST_LIVE: usize = 150;

const UNKNOWN: u16 = u16::MAX;

impl PairInteraction {
    /// The table of a side; `None` if the level is too large for it.
    pub fn new<const G: usize>(board: &DenseBoard, side: Side) -> Option<Self> {
        let live = board.live_count();
        if live > MOST_LIVE {
            return None;
        }
        let plane: Plane<G> = board.plane();
        let ends = match side {
            Side::Forward => board.goals(),
            Side::Backward => board.starts(),
        };
        let mut search =
            PairSearch { board, plane, live, moves: vec![UNKNOWN; 4 * live * live], open: VecDeque::new() };
        for (index, &first) in ends.iter().enumerate() {
            for &second in &ends[..index] {
                let boxes = [usize::from(first), usize::from(second)];
                let mut rest = match side {
                    Side::Forward => plane.floor,
                    Side::Backward => Set::single(board.start_player()),
                };
                let free = search.free(boxes);
                rest = rest.and(free);
                while !rest.is_empty() {
                    let zone = plane.zone(free, rest.lowest());
                    rest = rest.without(zone);
                    search.mark(boxes, zone, 0);
                }
            }
        }
        let steps = &board.way(side.opposite()).steps;
        while let Some((boxes, zone, moves)) = search.open.pop_front() {
            for (moved, other) in [(boxes[0], boxes[1]), (boxes[1], boxes[0])] {
                for step in &steps[4 * moved..4 * moved + 4] {
                    let blocked = |cell: u16| usize::from(cell) == board.cell(other);
                    if step.to == NONE || !zone.contains(step.reach.into()) || blocked(step.clear) {
                        continue;
                    }
                    if search.moves[usize::from(step.arrival) * live + other] == UNKNOWN {
                        let boxes = [usize::from(step.to), other];
                        let zone = plane.zone(search.free(boxes), step.lands.into());
                        search.mark(boxes, zone, moves + 1);
                    }
                }
            }
        }
        let way = board.way(side);
        let mut values = vec![0; 4 * live * live];
        for arrival in (0..4 * live).filter(|&arrival| board.is_good(arrival)) {
            let player = usize::from(board.beside(arrival));
            let own = way.row(board.row_at(arrival / 4, player));
            for other in (0..live).filter(|&other| board.cell(other) != player && other != arrival / 4) {
                let moves = search.moves[arrival * live + other];
                if moves != UNKNOWN {
                    let apart = cheapest_two(own, way.row(board.row_at(other, player)), ends.len());
                    values[arrival * live + other] = i32::from(moves).saturating_sub(apart).clamp(0, 255) as u8;
                }
            }
        }
        Some(Self { live, values })
    }

    /// What the box that arrived so costs together with all of `others`.
    #[inline]
    pub fn of<const L: usize>(&self, arrival: usize, others: Set<L>) -> u32 {
        let row = &self.values[arrival * self.live..][..self.live];
        others.iter().map(|other| u32::from(row[other])).sum()
    }

    pub fn bytes(&self) -> usize {
        self.values.len()
    }
}

struct PairSearch<'a, const G: usize> {
    board: &'a DenseBoard,
    plane: Plane<G>,
    live: usize,
    /// Moves by `arrival * live + other`.
    moves: Vec<u16>,
    open: VecDeque<([usize; 2], Set<G>, u16)>,
}

impl<const G: usize> PairSearch<'_, G> {
    fn free(&self, boxes: [usize; 2]) -> Set<G> {
        let mut free = self.plane.floor;
        boxes.iter().for_each(|&square| free.remove(self.board.cell(square)));
        free
    }

    fn mark(&mut self, boxes: [usize; 2], zone: Set<G>, moves: u16) {
        let mut new = false;
        for (square, other) in [(boxes[0], boxes[1]), (boxes[1], boxes[0])] {
            for arrival in 4 * square..4 * square + 4 {
                let cell = self.board.beside(arrival);
                if cell != NONE && zone.contains(cell.into()) {
                    let known = &mut self.moves[arrival * self.live + other];
                    new |= *known == UNKNOWN;
                    *known = (*known).min(moves);
                }
            }
        }
        if new {
            self.open.push_back((boxes, zone, moves));
        }
    }
}

/// The least sum of two entries in different columns.
fn cheapest_two(first: &[i16], second: &[i16], columns: usize) -> i32 {
    let mut best = i32::from(INFINITE);
    for (place, &a) in first[..columns].iter().enumerate() {
        for (other, &b) in second[..columns].iter().enumerate() {
            if place != other && a != INFINITE && b != INFINITE {
                best = best.min(i32::from(a) + i32::from(b));
            }
        }
    }
    best
}
