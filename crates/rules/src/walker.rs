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
    /// A walker for boards of this size.
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
        self.next_generation();
        self.queue.clear();
        self.queue.push(from);
        self.stamps[usize::from(from)] = self.generation;
        let mut lowest = from;
        let mut next = 0;
        while let Some(&square) = self.queue.get(next) {
            next += 1;
            lowest = lowest.min(square);
            for direction in Direction::ALL {
                let neighbour = board.neighbour(square, direction);
                if neighbour != NO_SQUARE
                    && self.stamps[usize::from(neighbour)] != self.generation
                    && !boxes.contains(neighbour)
                {
                    self.stamps[usize::from(neighbour)] = self.generation;
                    self.queue.push(neighbour);
                }
            }
        }
        lowest
    }

    /// As [`fill`](Self::fill), with the number of steps to every square. A loop of its own, because `fill` runs once
    /// per generated state.
    pub fn measure(&mut self, board: &Board, boxes: &Bits, from: Square) {
        self.next_generation();
        self.queue.clear();
        self.queue.push(from);
        self.stamps[usize::from(from)] = self.generation;
        self.distances[usize::from(from)] = 0;
        let mut next = 0;
        while let Some(&square) = self.queue.get(next) {
            next += 1;
            let distance = self.distances[usize::from(square)] + 1;
            for direction in Direction::ALL {
                let neighbour = board.neighbour(square, direction);
                if neighbour != NO_SQUARE
                    && self.stamps[usize::from(neighbour)] != self.generation
                    && !boxes.contains(neighbour)
                {
                    self.stamps[usize::from(neighbour)] = self.generation;
                    self.distances[usize::from(neighbour)] = distance;
                    self.queue.push(neighbour);
                }
            }
        }
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
