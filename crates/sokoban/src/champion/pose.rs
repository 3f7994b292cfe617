//! A pose: a picture of all boxes, pulled well apart from the solved board, for a forward search to walk into.
//!
//! Where boxes are tangled, packing order is not the question; getting them into the open is. A
//! backward search that keeps all boxes finds an uncrowded picture from which the rest is known. The forward
//! search counts boxes that stand in the picture, squares crowded by boxes that do not, and how far they have to go.

use super::ground::{FAR, Ground};
use super::position::Position;
use crate::square::Square;

/// Where all boxes are to stand.
#[derive(Clone, Debug)]
pub(super) struct Pose {
    squares: Vec<Square>,
    wanted: Vec<bool>,
}

/// Pushes charged for a box that reaches no free place of the picture.
const LOST: u32 = 200;

impl Pose {
    pub(super) fn new(ground: &Ground, squares: Vec<Square>) -> Self {
        let mut wanted = vec![false; ground.len() + 1];
        for &square in &squares {
            wanted[usize::from(square)] = true;
        }
        Self { squares, wanted }
    }

    /// Whether a box is wanted on a square.
    #[inline]
    pub(super) fn wants(&self, square: Square) -> bool {
        self.wanted[usize::from(square)]
    }

    /// How many boxes stand in the picture.
    pub(super) fn matched(&self, position: &Position) -> usize {
        position.boxes.iter().filter(|&&square| self.wants(square)).count()
    }

    /// Boxes out of the picture with another box beside them.
    pub(super) fn crowded(&self, ground: &Ground, position: &Position) -> usize {
        let alone = |square: Square| !ground.neighbours(square).iter().any(|&next| position.has_box(next));
        position.boxes.iter().filter(|&&square| !self.wants(square) && !alone(square)).count()
    }

    /// Pushes to bring the boxes into the picture, each to the nearest place that no earlier one took: an ordering, no bound.
    pub(super) fn distance(&self, ground: &Ground, position: &Position, taken: &mut Vec<bool>) -> u32 {
        taken.clear();
        taken.resize(self.squares.len(), false);
        let mut sum = 0;
        for &square in position.boxes.iter().filter(|&&square| !self.wants(square)) {
            let row = ground.pushes_from(square);
            let nearest = (0..self.squares.len())
                .filter(|&place| !taken[place] && !position.has_box(self.squares[place]))
                .min_by_key(|&place| row[usize::from(self.squares[place])]);
            match nearest {
                Some(place) if row[usize::from(self.squares[place])] != FAR => {
                    taken[place] = true;
                    sum += u32::from(row[usize::from(self.squares[place])]);
                }
                _ => sum += LOST,
            }
        }
        sum
    }
}
