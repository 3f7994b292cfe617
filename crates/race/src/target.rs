//! A pose: a picture of all boxes, pulled well apart from the solved board, for a forward search to walk into.
//!
//! Where boxes are tangled, packing order is not the question; getting them into the open is. A
//! backward search that keeps all boxes finds an uncrowded picture from which the rest is known. The forward
//! search counts boxes that stand in the picture, squares crowded by boxes that do not, and how far they have to go.

use lurd_rules::Square;
use lurd_rules::feature::board::{FAR, FeatureBoard};
use lurd_rules::feature::position::Position;

/// Where all boxes are to stand.
#[derive(Clone, Debug)]
pub(super) struct TargetConfiguration {
    squares: Vec<Square>,
    wanted: Vec<bool>,
}

/// Pushes charged for a box that reaches no free place of the picture.
const LOST: u32 = 200;

impl TargetConfiguration {
    pub(super) fn new(board: &FeatureBoard, squares: Vec<Square>) -> Self {
        let mut wanted = vec![false; board.len() + 1];
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
    pub(super) fn crowded(&self, board: &FeatureBoard, position: &Position) -> usize {
        let alone = |square: Square| !board.neighbours(square).iter().any(|&next| position.has_box(next));
        position.boxes.iter().filter(|&&square| !self.wants(square) && !alone(square)).count()
    }
}

/// Which box goes to which place of a picture: each to the nearest free place that no earlier one took. An ordering,
/// no bound.
#[derive(Clone, Debug, Default)]
pub(super) struct TargetPlaces {
    /// The place of each box; none if it stands in one or reaches none.
    of: Vec<Option<Square>>,
    taken: Vec<bool>,
}

impl TargetPlaces {
    /// Boxes up to which places are given out anew for every position; for more, only when one is expanded.
    const FEW: usize = 48;

    pub(super) fn assign(&mut self, board: &FeatureBoard, position: &Position, pose: &TargetConfiguration) {
        self.taken.clear();
        self.taken.resize(pose.squares.len(), false);
        self.of.clear();
        for &square in &position.boxes {
            let row = board.pushes_from(square);
            let free = |place: usize| !self.taken[place] && !position.has_box(pose.squares[place]);
            let nearest = (0..pose.squares.len())
                .filter(|&place| !pose.wants(square) && free(place))
                .min_by_key(|&place| row[usize::from(pose.squares[place])])
                .filter(|&place| row[usize::from(pose.squares[place])] != FAR);
            if let Some(place) = nearest {
                self.taken[place] = true;
            }
            self.of.push(nearest.map(|place| pose.squares[place]));
        }
    }

    /// Pushes to bring the boxes into the picture.
    pub(super) fn distance(&mut self, board: &FeatureBoard, position: &Position, pose: &TargetConfiguration) -> u32 {
        if position.boxes.len() <= Self::FEW {
            self.assign(board, position, pose);
        }
        let out = position.boxes.iter().zip(&self.of).filter(|&(&square, _)| !pose.wants(square));
        out.map(|(&square, place)| match place.map(|place| board.pushes_from(square)[usize::from(place)]) {
            None | Some(FAR) => LOST,
            Some(pushes) => u32::from(pushes),
        })
        .sum()
    }
}
