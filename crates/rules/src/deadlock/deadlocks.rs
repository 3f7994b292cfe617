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
    use crate::oracle::{levels, reachable, step};
    use lurd_level::{Direction, Map};
    use std::collections::{HashMap, HashSet};

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

    /// The boxes that are blamed are a deadlock without all others: from their position no sequence of moves brings them all
    /// home, whatever rule it is.
    #[test]
    fn the_boxes_that_are_blamed_are_dead_without_the_others() {
        let mut found: HashMap<DetectorName, (usize, usize)> = HashMap::new();
        let corridor = "########\n#     ##\n# #$####\n# #.####\n#  $   #\n#.  @# #\n########";
        let maps = [Map::from_xsb(corridor).unwrap()].into_iter().chain(levels(56, 1_500));
        for map in maps {
            let board = Board::new(&map).unwrap();
            let distances = Deadlocks::distances(&board);
            for &rule in DetectorName::ALL {
                let mut detectors = Detectors::new(&board, &distances, &[rule]);
                for state in reachable(&board).iter().step_by(7) {
                    for pushed in state.boxes.iter() {
                        if detectors.verdict(&state.boxes, pushed, state.player).is_none() {
                            continue;
                        }
                        let blamed = detectors.blamed(rule, &state.boxes, pushed);
                        let few = blamed.iter().fold(Bits::empty(board.len()), |mut boxes, &square| {
                            boxes.insert(square);
                            boxes
                        });
                        let (all, several) = found.entry(rule).or_default();
                        *all += 1;
                        *several += usize::from(blamed.len() > 1);
                        let home = comes_home(&board, State { boxes: few, player: state.player });
                        assert!(!home, "{rule:?} blames {blamed:?} in\n{map}");
                    }
                }
            }
        }
        println!("{found:?}");
        assert!(found[&DetectorName::Corridor].1 > 20, "{found:?}");
    }

    /// Whether some sequence of moves brings all boxes of a position to goals, of which there may be more.
    fn comes_home(board: &Board, start: State) -> bool {
        let mut seen = HashSet::from([start.clone()]);
        let mut list = vec![start];
        while let Some(state) = list.pop() {
            if state.boxes.iter().all(|square| board.is_goal(square)) {
                return true;
            }
            let next = Direction::ALL.iter().filter_map(|&direction| step(board, &state, direction));
            list.extend(next.filter(|next| seen.insert(next.clone())));
        }
        false
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
