//! Random boards from a seed: equal seeds give equal boards on every machine.

use crate::board::Board;
use crate::moves::{Direction, MoveSet};
use crate::parity::classic_obstacle;
use lurd_base::random::SplitMix64;

/// A board from which the goal can be reached, all such boards equally likely.
pub fn random_board(goal: &Board, moves: MoveSet, seed: u64) -> Board {
    let mut random = SplitMix64::new(seed);
    let mut tiles = goal.tiles().to_vec();
    for last in (1..tiles.len()).rev() {
        tiles.swap(last, random.below(last + 1));
    }
    let board = Board::from_cells(goal.side(), &tiles);
    if moves == MoveSet::Diagonal || classic_obstacle(&board, goal).is_none() {
        return board;
    }
    // The wrong half: swapping two tiles maps it one to one onto the right one.
    let mut of_tiles = (0..tiles.len()).filter(|&cell| tiles[cell] != 0);
    if let (Some(a), Some(b)) = (of_tiles.next(), of_tiles.next()) {
        tiles.swap(a, b);
    }
    Board::from_cells(goal.side(), &tiles)
}

/// The board after `steps` random moves from `from`, none of which takes back the one
/// before. It is at most `steps` moves away.
pub fn scramble(from: &Board, moves: MoveSet, steps: usize, seed: u64) -> Board {
    let mut random = SplitMix64::new(seed);
    let mut board = *from;
    let mut last: Option<Direction> = None;
    for _ in 0..steps {
        let forward = |direction: &&Direction| last.is_none_or(|last| **direction != last.reverse());
        let choices: Vec<(Direction, Board)> =
            moves.directions().iter().filter(forward).filter_map(|&d| board.moved(d).map(|b| (d, b))).collect();
        let (direction, next) = choices[random.below(choices.len())];
        (last, board) = (Some(direction), next);
    }
    board
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::Problem;

    #[test]
    fn random_boards_are_solvable_repeatable_and_different() {
        for side in 2..=5 {
            for moves in MoveSet::ALL {
                let goal = Board::blank_first_goal(side);
                let boards: Vec<Board> = (0..50).map(|seed| random_board(&goal, moves, seed)).collect();
                assert!(boards.iter().all(|&board| Problem::new(board, goal, moves).is_ok()));
                assert_eq!(boards[7], random_board(&goal, moves, 7));
                assert!(side == 2 || boards.iter().collect::<std::collections::HashSet<_>>().len() == 50);
                let walked = scramble(&goal, moves, 31, 5);
                assert!(walked != goal && Problem::new(walked, goal, moves).is_ok());
            }
        }
    }
}
