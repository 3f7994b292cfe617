//! The 3x3 board of letters.

use serde::{Serialize, Serializer};
use std::fmt;

/// What a player can put into a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
pub enum Letter {
    C,
    S,
    E,
}

impl Letter {
    /// The letters, in the order moves are tried.
    pub const ALL: [Self; 3] = [Self::C, Self::S, Self::E];

    /// Reads a letter, large or small.
    pub fn from_char(letter: char) -> Option<Self> {
        Self::ALL.into_iter().find(|known| known.as_char() == letter.to_ascii_uppercase())
    }

    /// The letter as written.
    pub fn as_char(self) -> char {
        match self {
            Self::C => 'C',
            Self::S => 'S',
            Self::E => 'E',
        }
    }
}

impl fmt::Display for Letter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.as_char())
    }
}

/// A cell by row and column, both 0, 1 or 2.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Cell(u8);

impl Cell {
    /// The cells row by row.
    pub const ALL: [Self; 9] = [Self(0), Self(1), Self(2), Self(3), Self(4), Self(5), Self(6), Self(7), Self(8)];

    /// The cell at a row and column counted from 0; `None` off the board.
    pub fn at(row: usize, column: usize) -> Option<Self> {
        (row < 3 && column < 3).then(|| Self((3 * row + column) as u8))
    }

    /// Its row, from 0.
    pub fn row(self) -> usize {
        usize::from(self.0 / 3)
    }

    /// Its column, from 0.
    pub fn column(self) -> usize {
        usize::from(self.0 % 3)
    }

    /// Its place in [`ALL`](Self::ALL).
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    pub(crate) const fn from_index(index: u8) -> Self {
        assert!(index < 9);
        Self(index)
    }
}

/// Nine cells, two bits each: 0 is empty.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Board(u32);

impl Board {
    pub fn get(self, cell: Cell) -> Option<Letter> {
        match self.code(cell) {
            0 => None,
            code => Some(Letter::ALL[code as usize - 1]),
        }
    }

    /// The board with a letter put into an empty cell.
    #[must_use]
    pub fn with(self, cell: Cell, letter: Letter) -> Self {
        debug_assert!(self.get(cell).is_none());
        Self(self.0 | (letter as u32 + 1) << (2 * cell.0))
    }

    pub fn is_full(self) -> bool {
        // A cell is filled if either of its bits is set.
        (self.0 | self.0 >> 1) & 0x15555 == 0x15555
    }

    /// How many cells hold a letter.
    pub fn filled(self) -> usize {
        Cell::ALL.into_iter().filter(|&cell| self.get(cell).is_some()).count()
    }

    pub(crate) fn code(self, cell: Cell) -> u32 {
        self.0 >> (2 * cell.0) & 3
    }

    /// Three rows of letters, `.` for an empty cell.
    pub fn rows(self) -> [String; 3] {
        [0, 1, 2].map(|row| {
            let letter = |column: u8| self.get(Cell(3 * row + column)).map_or('.', Letter::as_char);
            (0..3).map(letter).collect()
        })
    }
}

/// The three rows, one a line.
impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.rows().join("\n"))
    }
}

/// A list of three strings.
impl Serialize for Board {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.rows().serialize(serializer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_board_is_full_when_every_cell_holds_a_letter() {
        let mut board = Board::default();
        for (filled, cell) in Cell::ALL.into_iter().enumerate() {
            assert!(!board.is_full());
            assert_eq!(board.filled(), filled);
            let letter = Letter::ALL[filled % 3];
            board = board.with(cell, letter);
            assert_eq!(board.get(cell), Some(letter));
        }
        assert!(board.is_full());
        assert_eq!(board.to_string(), "CSE\nCSE\nCSE");
    }
}
