//! All detectors, for players: the rule that reports a deadlock, and the boxes that cause it.

use crate::deadlock::{DetectorName, Detectors};
use crate::distance::Distances;
use crate::{Bits, Board, Square};
use lurd_base::Budget;

/// A certain deadlock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deadlock {
    /// The rule that reports it.
    pub rule: DetectorName,
    /// The boxes that cause it, ascending.
    pub boxes: Vec<Square>,
}

/// Finds deadlocks during a game.
pub struct Deadlocks<'b> {
    detectors: Detectors<'b>,
}

impl<'b> Deadlocks<'b> {
    /// The distances that [`new`](Self::new) needs.
    pub fn distances(board: &Board) -> Distances {
        // Without limits the distances are always completed.
        Distances::to_goals(board, &Budget::unlimited()).unwrap_or_else(|_| unreachable!())
    }

    pub fn new(board: &'b Board, distances: &'b Distances) -> Self {
        Self { detectors: Detectors::new(board, distances, DetectorName::ALL) }
    }

    /// The deadlock that a push has caused, if a rule finds it. `boxes` is the position after the push, `pushed` the new
    /// square of the box, `player` the square it left.
    pub fn after_push(&mut self, boxes: &Bits, pushed: Square, player: Square) -> Option<Deadlock> {
        let rule = self.detectors.verdict(boxes, pushed, player)?;
        let mut boxes = self.detectors.blamed(rule, boxes, pushed);
        boxes.sort_unstable();
        Some(Deadlock { rule, boxes })
    }

    /// A deadlock anywhere in a position, if a rule finds one.
    pub fn anywhere(&mut self, boxes: &Bits, player: Square) -> Option<Deadlock> {
        boxes.iter().find_map(|square| self.after_push(boxes, square, player))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::State;
    use crate::oracle::{levels, reachable};
    use lurd_level::Map;

    #[test]
    fn the_boxes_that_cause_a_deadlock_are_named() {
        let cases = [
            ("#####\n#$ .#\n#@  #\n#####", DetectorName::Corner, 1),
            ("#######\n#.$$  #\n#  @  #\n#    .#\n#######", DetectorName::WallLine, 2),
            ("########\n#      #\n# $$   #\n# $$ @ #\n# .... #\n########", DetectorName::Freeze, 4),
        ];
        for (level, rule, count) in cases {
            let board = Board::new(&Map::from_xsb(level).unwrap()).unwrap();
            let state = State::start(&board);
            let distances = Deadlocks::distances(&board);
            let found = Deadlocks::new(&board, &distances).anywhere(&state.boxes, state.player).unwrap();
            assert_eq!((found.rule, found.boxes.len()), (rule, count), "{level}");
        }
    }

    /// The detectors are reused, and their answers do not depend on earlier queries.
    #[test]
    fn a_query_does_not_depend_on_earlier_ones() {
        for map in levels(55, 300) {
            let board = Board::new(&map).unwrap();
            let distances = Deadlocks::distances(&board);
            let mut reused = Deadlocks::new(&board, &distances);
            for state in reachable(&board) {
                let fresh = Deadlocks::new(&board, &distances).anywhere(&state.boxes, state.player);
                assert_eq!(reused.anywhere(&state.boxes, state.player), fresh, "{map}");
            }
        }
    }
}
