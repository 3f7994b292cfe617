//! No way to give every box a goal of its own.
//!
//! A box can only end on goals it can be pushed to on an empty board. If no assignment
//! of different goals to all boxes exists, the position is dead (Hall's condition). Found
//! by augmenting paths (Kuhn), with the last assignment kept as a first guess: after a
//! push most boxes keep the goal they had.

use crate::deadlock::Detector;
use crate::distance::{Distances, FAR};
use crate::{Bits, Board, NO_SQUARE, Square};

pub(super) struct Bipartite<'b> {
    distances: &'b Distances,
    goals: usize,
    /// The goal each square's box was given last time; `usize::MAX` for none.
    guess: Vec<usize>,
    /// The box that holds each goal.
    holder: Vec<Square>,
    seen: Vec<u32>,
    generation: u32,
    /// Depth-first stack of the augmenting search: (box, next goal to try, goal taken).
    path: Vec<(Square, usize, usize)>,
}

impl<'b> Bipartite<'b> {
    pub(super) fn new(board: &Board, distances: &'b Distances) -> Self {
        let goals = board.goals().len();
        Self {
            distances,
            goals,
            guess: vec![usize::MAX; board.len()],
            holder: vec![NO_SQUARE; goals],
            seen: vec![0; goals],
            generation: 0,
            path: Vec::new(),
        }
    }

    fn fits(&self, square: Square, player: Square, goal: usize) -> bool {
        self.distances.row(square, player)[goal] != FAR
    }

    /// Finds a goal for a box, moving other boxes to other goals if need be.
    fn augment(&mut self, player: Square, square: Square) -> bool {
        self.generation = self.generation.wrapping_add(1);
        if self.generation == 0 {
            self.seen.fill(0);
            self.generation = 1;
        }
        self.path.clear();
        self.path.push((square, 0, usize::MAX));
        while let Some(&(square, first, _)) = self.path.last() {
            let row = self.distances.row(square, player);
            let found = (first..self.goals).find(|&goal| row[goal] != FAR && self.seen[goal] != self.generation);
            let depth = self.path.len() - 1;
            let Some(goal) = found else {
                self.path.pop();
                continue;
            };
            self.seen[goal] = self.generation;
            self.path[depth].1 = goal + 1;
            self.path[depth].2 = goal;
            if self.holder[goal] == NO_SQUARE {
                for &(square, _, goal) in &self.path {
                    self.holder[goal] = square;
                    self.guess[usize::from(square)] = goal;
                }
                return true;
            }
            self.path.push((self.holder[goal], 0, usize::MAX));
        }
        false
    }
}

impl Detector for Bipartite<'_> {
    fn is_dead(&mut self, boxes: &Bits, _: Square, player: Square) -> bool {
        self.holder.fill(NO_SQUARE);
        for square in boxes.iter() {
            let goal = self.guess[usize::from(square)];
            if goal != usize::MAX && self.holder[goal] == NO_SQUARE && self.fits(square, player, goal) {
                self.holder[goal] = square;
            } else {
                self.guess[usize::from(square)] = usize::MAX;
            }
        }
        for square in boxes.iter() {
            if self.guess[usize::from(square)] == usize::MAX && !self.augment(player, square) {
                return true;
            }
        }
        false
    }

    // The box left over and those whose goals it competes for are not told apart: all are named.
    fn blamed(&self, boxes: &Bits, _: Square) -> Vec<Square> {
        boxes.iter().collect()
    }
}
