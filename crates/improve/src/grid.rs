//! The board as a grid of cells in rows of equal width with a wall between rows, so that a step of many players at once is
//! a shift of a bit set.

use lurd_level::Direction;
use lurd_rules::{Bits, Board, Square};

/// A cell of the grid.
pub(super) type Cell = u32;

/// The grid of a board.
#[derive(Clone, Debug)]
pub(super) struct Grid {
    /// The number of words of a set of cells.
    pub(super) words: usize,
    /// The distance of a cell to the one below.
    pub(super) width: usize,
    /// The cell of each square, and the square of each cell that has one.
    cells: Vec<Cell>,
    squares: Vec<Square>,
    /// The cells without a square.
    pub(super) walls: Vec<u64>,
}

impl Grid {
    pub(super) fn new(board: &Board) -> Self {
        let places: Vec<(usize, usize)> = board.squares().map(|square| board.place(square)).collect();
        let top = places.iter().map(|&(row, _)| row).min().unwrap_or(0);
        let left = places.iter().map(|&(_, column)| column).min().unwrap_or(0);
        let bottom = places.iter().map(|&(row, _)| row).max().unwrap_or(0);
        let right = places.iter().map(|&(_, column)| column).max().unwrap_or(0);
        let width = right - left + 2;
        let words = ((bottom - top + 1) * width).div_ceil(64);
        let cells: Vec<Cell> =
            places.iter().map(|&(row, column)| ((row - top) * width + column - left) as Cell).collect();
        let mut squares = vec![0; words * 64];
        let mut walls = vec![u64::MAX; words];
        for (square, &cell) in board.squares().zip(&cells) {
            squares[cell as usize] = square;
            walls[cell as usize / 64] &= !(1 << (cell % 64));
        }
        Self { words, width, cells, squares, walls }
    }

    #[inline]
    pub(super) fn cell(&self, square: Square) -> Cell {
        self.cells[usize::from(square)]
    }

    #[inline]
    pub(super) fn square(&self, cell: Cell) -> Square {
        self.squares[cell as usize]
    }

    /// Whether a cell has no square; all beyond the edge have none.
    #[inline]
    pub(super) fn is_wall(&self, cell: Cell) -> bool {
        self.walls.get(cell as usize / 64).is_none_or(|word| word >> (cell % 64) & 1 != 0)
    }

    /// The next cell in a direction, perhaps beyond the edge.
    #[inline]
    pub(super) fn next(&self, cell: Cell, direction: Direction) -> Cell {
        let width = self.width as Cell;
        match direction {
            Direction::Left => cell.wrapping_sub(1),
            Direction::Right => cell.wrapping_add(1),
            Direction::Up => cell.wrapping_sub(width),
            Direction::Down => cell.wrapping_add(width),
        }
    }

    /// The cells of a set of squares.
    pub(super) fn cells_of(&self, squares: &Bits) -> Vec<u64> {
        let mut cells = vec![0; self.words];
        squares.iter().for_each(|square| insert(&mut cells, self.cell(square)));
        cells
    }
}

#[inline]
pub(super) fn contains(set: &[u64], cell: Cell) -> bool {
    set.get(cell as usize / 64).is_some_and(|word| word >> (cell % 64) & 1 != 0)
}

#[inline]
pub(super) fn insert(set: &mut [u64], cell: Cell) {
    set[cell as usize / 64] |= 1 << (cell % 64);
}

/// Calls a function for each cell of a word of a set.
#[inline]
pub(super) fn each(mut bits: u64, word: usize, mut visit: impl FnMut(usize)) {
    while bits != 0 {
        visit(word * 64 + bits.trailing_zeros() as usize);
        bits &= bits - 1;
    }
}

/// The players of a step, with empty words on both sides, so that shifts need no test for the edge.
#[derive(Debug)]
pub(super) struct Padded {
    pad: usize,
    words: Vec<u64>,
}

impl Padded {
    pub(super) fn new(grid: &Grid) -> Self {
        let pad = grid.width / 64 + 2;
        Self { pad, words: vec![0; grid.words + 2 * pad] }
    }

    /// Sets some words, from `first` on; the others are empty.
    #[inline]
    pub(super) fn set(&mut self, first: usize, words: &[u64]) {
        self.words[self.pad + first..][..words.len()].copy_from_slice(words);
    }

    #[inline]
    pub(super) fn clear(&mut self, first: usize, count: usize) {
        self.words[self.pad + first..][..count].fill(0);
    }

    /// A word of the set moved by so many cells towards higher numbers.
    #[inline]
    pub(super) fn up(&self, word: usize, cells: usize) -> u64 {
        let (at, bits) = (self.pad + word - cells / 64, cells % 64);
        self.words[at] << bits | self.words[at - 1] >> 1 >> (63 - bits)
    }

    /// A word of the set moved by so many cells towards lower numbers.
    #[inline]
    pub(super) fn down(&self, word: usize, cells: usize) -> u64 {
        let (at, bits) = (self.pad + word + cells / 64, cells % 64);
        self.words[at] >> bits | self.words[at + 1] << 1 << (63 - bits)
    }
}
