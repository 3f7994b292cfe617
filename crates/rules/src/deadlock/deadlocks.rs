//! All detectors for someone who plays: which rule says the level is lost, and which boxes
//! are at fault.

use crate::deadlock::{DetectorName, Detectors};
use crate::distance::Distances;
use crate::{Bits, Board, Square};
use lurd_search::Budget;

/// A position that is certainly lost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deadlock {
    /// The rule that says so.
    pub rule: DetectorName,
    /// The boxes at fault, ascending.
    pub boxes: Vec<Square>,
}

/// Watches a game for deadlocks.
pub struct Deadlocks<'b> {
    board: &'b Board,
    distances: Distances,
}

impl<'b> Deadlocks<'b> {
    /// Prepares the tables for a board.
    pub fn new(board: &'b Board) -> Self {
        // Without limits the distances are always finished; a board is small enough to measure.
        let distances = Distances::to_goals(board, &Budget::unlimited()).unwrap_or_else(|_| unreachable!());
        Self { board, distances }
    }

    /// Whether a push lost the level. `boxes` is the position after it, `pushed` where the box
    /// came to stand, `player` the square it left.
    pub fn after_push(&self, boxes: &Bits, pushed: Square, player: Square) -> Option<Deadlock> {
        let mut detectors = Detectors::new(self.board, &self.distances, DetectorName::ALL);
        let rule = detectors.verdict(boxes, pushed, player)?;
        let mut boxes = detectors.blamed(rule, boxes, pushed);
        boxes.sort_unstable();
        Some(Deadlock { rule, boxes })
    }

    /// Whether a whole position is lost as far as the rules can see.
    pub fn anywhere(&self, boxes: &Bits, player: Square) -> Option<Deadlock> {
        boxes.iter().find_map(|square| self.after_push(boxes, square, player))
    }

    /// Whether a box on a square is lost wherever the player is.
    pub fn is_dead_square(&self, square: Square) -> bool {
        self.distances.is_dead(square)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::State;
    use lurd_level::Map;

    /// The boxes named are the ones a person would point at.
    #[test]
    fn blames_the_boxes_at_fault() {
        let cases = [
            ("#####\n#$ .#\n#@  #\n#####", DetectorName::Corner, 1),
            ("#######\n#.$$  #\n#  @  #\n#    .#\n#######", DetectorName::WallLine, 2),
            ("########\n#      #\n# $$   #\n# $$ @ #\n# .... #\n########", DetectorName::Freeze, 4),
        ];
        for (level, rule, count) in cases {
            let board = Board::new(&Map::from_xsb(level).unwrap()).unwrap();
            let state = State::start(&board);
            let found = Deadlocks::new(&board).anywhere(&state.boxes, state.player).unwrap();
            assert_eq!((found.rule, found.boxes.len()), (rule, count), "{level}");
        }
    }
}
