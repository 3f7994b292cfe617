//! A problem as the search core sees it.

use crate::board::{Board, MAX_CELLS};
use crate::moves::Direction;
use crate::problem::Problem;
use lurd_search::{StateSpace, Successors};

/// The boards that can be reached from the start of a [`Problem`].
///
/// Boards up to 4x4 pack into one word, four bits a cell; 5x5 into two, five bits a cell
/// for the first 24, which say what the last one holds.
#[derive(Clone, Debug)]
pub struct TileSpace {
    problem: Problem,
    /// For each cell of the blank, where it may go.
    steps: Vec<Vec<(Direction, u8)>>,
    /// All tiles added up.
    tile_sum: u32,
}

impl TileSpace {
    pub fn new(problem: &Problem) -> Self {
        let side = problem.side();
        let from = |cell| {
            let step = |&direction: &Direction| Some((direction, direction.from_cell(cell, side)? as u8));
            problem.moves().directions().iter().filter_map(step).collect()
        };
        let cells = side * side;
        let tile_sum = (0..cells as u32).sum();
        Self { problem: *problem, steps: (0..cells).map(from).collect(), tile_sum }
    }

    pub fn problem(&self) -> &Problem {
        &self.problem
    }

    /// Where the blank may go from a cell.
    pub(crate) fn steps(&self, blank: usize) -> &[(Direction, u8)] {
        &self.steps[blank]
    }
}

impl StateSpace for TileSpace {
    type State = Board;
    type Action = Direction;

    fn starts(&self) -> Vec<Board> {
        vec![*self.problem.start()]
    }

    fn is_goal(&self, state: &Board) -> bool {
        state == self.problem.goal()
    }

    fn successors(&mut self, state: &Board, out: &mut Successors<Direction>) {
        for &(direction, _) in self.steps(state.blank()) {
            out.push(direction, 1);
        }
    }

    fn apply(&mut self, state: &mut Board, action: Direction) {
        if let Some(to) = state.neighbour(action) {
            state.swap_blank(to);
        }
    }

    fn key_words(&self) -> usize {
        if self.problem.side() <= 4 { 1 } else { 2 }
    }

    fn pack(&self, state: &Board, words: &mut [u64]) {
        let Packing { bits, cells, per_word } = Packing::of(state.side());
        words.fill(0);
        for (cell, &tile) in state.tiles()[..cells].iter().enumerate() {
            words[cell / per_word] |= u64::from(tile) << (bits * (cell % per_word));
        }
    }

    fn unpack(&self, words: &[u64], state: &mut Board) {
        let side = self.problem.side();
        let Packing { bits, cells, per_word } = Packing::of(side);
        let mut tiles = [0; MAX_CELLS];
        let mut left = self.tile_sum;
        for (cell, tile) in tiles[..cells].iter_mut().enumerate() {
            *tile = (words[cell / per_word] >> (bits * (cell % per_word)) & ((1 << bits) - 1)) as u8;
            left -= u32::from(*tile);
        }
        if cells < side * side {
            tiles[cells] = left as u8;
        }
        *state = Board::from_cells(side, &tiles[..side * side]);
    }

    fn continues(&self, previous: Direction, action: Direction) -> bool {
        previous == action
    }
}

/// How cells go into words.
struct Packing {
    bits: usize,
    /// Cells that are stored; one that is not is the tile that is left.
    cells: usize,
    per_word: usize,
}

impl Packing {
    fn of(side: usize) -> Self {
        match side {
            5 => Self { bits: 5, cells: 24, per_word: 12 },
            side => Self { bits: 4, cells: side * side, per_word: 16 },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::moves::MoveSet;
    use crate::random::random_board;

    #[test]
    fn packed_boards_unpack_to_themselves() {
        for side in 2..=5 {
            let goal = Board::standard_goal(side);
            let mut keys = std::collections::HashSet::new();
            let mut boards = std::collections::HashSet::new();
            for seed in 0..500 {
                let board = random_board(&goal, MoveSet::Diagonal, seed);
                let space = TileSpace::new(&Problem::new(board, goal, MoveSet::Diagonal).unwrap());
                let mut words = vec![u64::MAX; space.key_words()];
                space.pack(&board, &mut words);
                let mut back = goal;
                space.unpack(&words, &mut back);
                assert_eq!(back, board);
                keys.insert(words);
                boards.insert(board);
            }
            assert_eq!(keys.len(), boards.len());
        }
    }
}
