//! Whether a level is dead as drawn, asked before anything is prepared.
//!
//! A box that can never be pushed and is off the goals, or boxes that cannot all have goals, each alone among the walls
//! and the frozen boxes, leave no solution. A room strewn with boxes is mostly like that, and a search would take long to
//! find out.

use lurd_rules::bipartite::BipartiteMatching;
use lurd_rules::feature::articulation::GROUPS;
use lurd_rules::feature::board::FeatureBoard;
use lurd_rules::feature::freeze::FrozenBoards;
use lurd_rules::feature::position::Position;

/// Words of the sets of goals that are computed at most: larger levels are asked for frozen boxes only.
const MOST_WORDS: usize = 1 << 20;

/// Whether the start has no solution.
pub(super) fn is_dead(board: &FeatureBoard) -> bool {
    let mut position = Position::with(board, board.starts(), board.player());
    let mut frozen_boards = FrozenBoards::default();
    let Ok(frozen) = frozen_boards.freeze(board, &mut position, &mut Vec::new()) else {
        return true;
    };
    if board.len() * GROUPS * board.goals().len().div_ceil(64) > MOST_WORDS {
        return false;
    }
    !frozen_boards.of(board, &position, frozen).fits(board, &position, &mut BipartiteMatching::default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_support::board;
    use lurd_rules::oracle::{Truth, levels};
    use lurd_rules::{Board, State};
    use std::sync::Arc;

    /// A start called dead has no solution, and many without one are called dead.
    #[test]
    fn dead_starts_have_no_solution() {
        let [mut dead, mut lost] = [0; 2];
        for map in levels(19, 3_000) {
            let board = Arc::new(Board::new(&map).unwrap());
            let is_lost = !Truth::new(&board).pushes.contains_key(&State::start(&board));
            let is_dead = is_dead(&FeatureBoard::new(board));
            assert!(is_lost || !is_dead, "{map}");
            dead += usize::from(is_dead);
            lost += usize::from(is_lost);
        }
        assert!(dead > 100 && dead * 2 > lost, "{dead} of {lost}");
    }

    /// A block of four boxes; two boxes in a row that has one goal.
    #[test]
    fn frozen_boxes_and_boxes_without_goals_are_found() {
        for level in [
            "########\n#@     #\n#  $$  #\n#  $$  #\n#  ....#\n########",
            "########\n#@ $ $.#\n#      #\n#   .  #\n########",
        ] {
            assert!(is_dead(&FeatureBoard::new(board(level))), "{level}");
        }
    }
}
