//! The player's walks: the zone he can reach without pushing, and the distances in it.

use crate::{Bits, Board, NO_SQUARE, Square};
use lurd_level::Direction;

/// Flood fill of the player's zone. Marks are stamped with a generation, so that nothing is cleared between fills.
#[derive(Clone, Debug)]
pub struct Walker {
    stamps: Vec<u32>,
    generation: u32,
    queue: Vec<Square>,
    distances: Vec<u16>,
}

impl Walker {
    pub fn new(board: &Board) -> Self {
        Self {
            stamps: vec![0; board.len()],
            generation: 0,
            queue: Vec::with_capacity(board.len()),
            distances: vec![0; board.len()],
        }
    }

    fn next_generation(&mut self) {
        self.generation = self.generation.wrapping_add(1);
        if self.generation == 0 {
            self.stamps.fill(0);
            self.generation = 1;
        }
    }

    /// Fills the zone of a player on `from`; returns its lowest square.
    pub fn fill(&mut self, board: &Board, boxes: &Bits, from: Square) -> Square {
        let mut lowest = from;
        self.flood(board, boxes, from, |_, _, square| lowest = lowest.min(square));
        lowest
    }

    /// As [`fill`](Self::fill), with the number of steps to every square.
    pub fn measure(&mut self, board: &Board, boxes: &Bits, from: Square) {
        self.distances[usize::from(from)] = 0;
        self.flood(board, boxes, from, |distances, near, square| {
            distances[usize::from(square)] = distances[usize::from(near)] + 1;
        });
    }

    #[inline]
    fn flood(&mut self, board: &Board, boxes: &Bits, from: Square, mut visit: impl FnMut(&mut [u16], Square, Square)) {
        self.next_generation();
        let Self { stamps, generation, queue, distances } = self;
        queue.clear();
        queue.push(from);
        stamps[usize::from(from)] = *generation;
        board.flood(queue, |near, square| {
            let is_new = stamps[usize::from(square)] != *generation && !boxes.contains(square);
            if is_new {
                stamps[usize::from(square)] = *generation;
                visit(distances, near, square);
            }
            is_new
        });
    }

    /// Whether the last fill reached a square.
    #[inline]
    pub fn reached(&self, square: Square) -> bool {
        self.stamps[usize::from(square)] == self.generation
    }

    /// Steps to a square that the last [`measure`](Self::measure) reached.
    #[inline]
    pub fn steps(&self, square: Square) -> u16 {
        self.distances[usize::from(square)]
    }

    /// The number of squares the last fill reached.
    pub fn zone_size(&self) -> usize {
        self.queue.len()
    }

    /// The squares the last fill reached, nearest first.
    pub fn zone(&self) -> &[Square] {
        &self.queue
    }

    /// Appends a shortest walk between two squares as LURD letters; false if there is none.
    pub fn walk(&mut self, board: &Board, boxes: &Bits, from: Square, to: Square, out: &mut String) -> bool {
        // Measured from the end, so that the letters are found in order.
        self.measure(board, boxes, to);
        if !self.reached(from) {
            return false;
        }
        let mut square = from;
        while square != to {
            let closer = Direction::ALL.into_iter().find(|&direction| {
                let next = board.neighbour(square, direction);
                next != NO_SQUARE && self.reached(next) && self.steps(next) < self.steps(square)
            });
            let Some(direction) = closer else { return false };
            out.push(direction.letter(false));
            square = board.neighbour(square, direction);
        }
        true
    }
}
