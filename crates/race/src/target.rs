//! A target configuration: the squares of all boxes in an uncrowded position, for a forward search to reach.
//!
//! Where boxes are tangled, the packing order is not the question; getting them apart is. A backward search that keeps
//! all boxes finds an uncrowded configuration from which the solution is known. The forward search counts boxes on its
//! squares, boxes beside others that are off them, and how far these have to go. (The solver Festival works in the
//! same way; Shoham.)

use lurd_rules::Square;
use lurd_rules::bits::marks;
use lurd_rules::feature::board::{FAR, FeatureBoard};
use lurd_rules::feature::position::Position;

/// The squares of all boxes.
#[derive(Clone, Debug)]
pub(super) struct TargetConfiguration {
    squares: Vec<Square>,
    contains: Vec<bool>,
}

/// Pushes charged for a box that reaches no free target square.
const UNREACHABLE: u32 = 200;

impl TargetConfiguration {
    pub(super) fn new(board: &FeatureBoard, squares: Vec<Square>) -> Self {
        let contains = marks(board.len() + 1, &squares);
        Self { squares, contains }
    }

    #[inline]
    pub(super) fn contains(&self, square: Square) -> bool {
        self.contains[usize::from(square)]
    }

    /// How many boxes stand on target squares.
    pub(super) fn matched(&self, position: &Position) -> usize {
        position.boxes.iter().filter(|&&square| self.contains(square)).count()
    }

    /// Boxes off the target squares with another box beside them.
    pub(super) fn crowded(&self, board: &FeatureBoard, position: &Position) -> usize {
        let alone = |square: Square| !board.neighbours(square).iter().any(|&next| position.has_box(next));
        position.boxes.iter().filter(|&&square| !self.contains(square) && !alone(square)).count()
    }
}

/// A greedy assignment of boxes to target squares: each gets the nearest free one that no earlier box got. It orders
/// positions and bounds nothing.
#[derive(Clone, Debug, Default)]
pub(super) struct TargetAssignment {
    /// The target square of each box; none if it stands on one or reaches none.
    targets: Vec<Option<Square>>,
    assigned: Vec<bool>,
}

impl TargetAssignment {
    /// The most boxes for which the assignment is made for every position; with more, only for an expanded one.
    const FEW: usize = 48;

    pub(super) fn assign(&mut self, board: &FeatureBoard, position: &Position, target: &TargetConfiguration) {
        self.assigned.clear();
        self.assigned.resize(target.squares.len(), false);
        self.targets.clear();
        for &square in &position.boxes {
            let row = board.pushes_from(square);
            let free = |place: usize| !self.assigned[place] && !position.has_box(target.squares[place]);
            let nearest = (0..target.squares.len())
                .filter(|&place| !target.contains(square) && free(place))
                .min_by_key(|&place| row[usize::from(target.squares[place])])
                .filter(|&place| row[usize::from(target.squares[place])] != FAR);
            if let Some(place) = nearest {
                self.assigned[place] = true;
            }
            self.targets.push(nearest.map(|place| target.squares[place]));
        }
    }

    /// Pushes to bring the boxes to the target configuration.
    pub(super) fn distance(&mut self, board: &FeatureBoard, position: &Position, target: &TargetConfiguration) -> u32 {
        if position.boxes.len() <= Self::FEW {
            self.assign(board, position, target);
        }
        let off = position.boxes.iter().zip(&self.targets).filter(|&(&square, _)| !target.contains(square));
        off.map(|(&square, place)| match place.map(|place| board.pushes_from(square)[usize::from(place)]) {
            None | Some(FAR) => UNREACHABLE,
            Some(pushes) => u32::from(pushes),
        })
        .sum()
    }
}
