//! Freeze deadlocks (Damgaard, YASS): boxes that can never move again, one of them off its goal.
//!
//! A set of boxes is frozen if each of them is blocked along both axes by a wall, by another box of the set, or by dead
//! squares on both sides: the first of them to move would have to move along a blocked axis. The largest such set is
//! found by elimination: start from all boxes connected to the one just pushed and repeatedly remove those that are not
//! blocked. A neighbour blocks only while it is in the set itself; counting every neighbouring box as a wall is a common
//! error.

use crate::deadlock::Detector;
use crate::distance::Distances;
use crate::{Bits, Board, NO_SQUARE, Square};
use lurd_level::Direction;

pub(super) struct Freeze<'b> {
    board: &'b Board,
    distances: &'b Distances,
    cluster: Vec<Square>,
    /// The boxes of the cluster that are not eliminated.
    frozen: Bits,
}

impl<'b> Freeze<'b> {
    pub(super) fn new(board: &'b Board, distances: &'b Distances) -> Self {
        Self { board, distances, cluster: Vec::new(), frozen: Bits::empty(board.len()) }
    }

    /// Whether a box is blocked along an axis, given the immovable boxes.
    fn blocked(&self, immovable: &Bits, square: Square, axis: [Direction; 2]) -> bool {
        let [a, b] = axis.map(|direction| self.board.neighbour(square, direction));
        let solid = |side: Square| side == NO_SQUARE || immovable.contains(side);
        solid(a) || solid(b) || (self.distances.is_dead(a) && self.distances.is_dead(b))
    }

    fn stuck(&self, immovable: &Bits, square: Square) -> bool {
        self.blocked(immovable, square, [Direction::Left, Direction::Right])
            && self.blocked(immovable, square, [Direction::Up, Direction::Down])
    }
}

/// Every frozen box of a position, on a goal or not. A frozen box could at most be pushed onto a dead square.
pub fn frozen_boxes(board: &Board, distances: &Distances, boxes: &Bits) -> Bits {
    let rule = Freeze::new(board, distances);
    let mut frozen = boxes.clone();
    loop {
        let free: Vec<Square> = frozen.iter().filter(|&square| !rule.stuck(&frozen, square)).collect();
        if free.is_empty() {
            return frozen;
        }
        for square in free {
            frozen.remove(square);
        }
    }
}

impl Detector for Freeze<'_> {
    fn is_dead(&mut self, boxes: &Bits, pushed: Square, _: Square) -> bool {
        // If the box can move even with every other box immovable, the push froze nothing.
        if !self.stuck(boxes, pushed) {
            return false;
        }
        for &square in &self.cluster {
            self.frozen.remove(square);
        }
        self.cluster.clear();
        self.cluster.push(pushed);
        self.frozen.insert(pushed);
        let frozen = &mut self.frozen;
        self.board.flood(&mut self.cluster, |_, square| {
            let is_new = boxes.contains(square) && !frozen.contains(square);
            if is_new {
                frozen.insert(square);
            }
            is_new
        });
        let mut removed = true;
        while removed {
            removed = false;
            for index in 0..self.cluster.len() {
                let square = self.cluster[index];
                if self.frozen.contains(square) && !self.stuck(&self.frozen, square) {
                    if square == pushed {
                        return false;
                    }
                    self.frozen.remove(square);
                    removed = true;
                }
            }
        }
        !self.frozen.is_subset(self.board.goal_set())
    }

    fn blamed(&self, _: &Bits, _: Square) -> Vec<Square> {
        self.frozen.iter().collect()
    }
}
