//! A board of numbered tiles and one blank.

use crate::moves::Direction;
use serde::{Serialize, Serializer};
use std::fmt;
use std::str::FromStr;

/// Cells of the largest board.
pub(crate) const MAX_CELLS: usize = 25;

/// The tiles of a square board, row by row; 0 is the blank.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Board {
    side: u8,
    blank: u8,
    /// Cells beyond side * side are 0.
    cells: [u8; MAX_CELLS],
}

/// Why some numbers are no board. Entries count from 1; `missing` is the smallest number that does not occur.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BoardError {
    #[error("`{token}` (entry {entry}) is not a number; write tiles as numbers and the blank as 0 or _")]
    NotANumber { token: String, entry: usize },
    #[error("found {found} numbers; a board has 4 (2x2), 9 (3x3), 16 (4x4) or 25 (5x5), with 0 for the blank")]
    Count { found: usize },
    #[error("{tile} (entry {entry}) is out of range; a {side}x{side} board holds 0 to {largest}")]
    OutOfRange { tile: usize, entry: usize, side: usize, largest: usize },
    #[error("{tile} occurs twice (entries {first} and {second}) and {missing} is missing; each number occurs once")]
    Repeated { tile: usize, first: usize, second: usize, missing: usize },
}

impl Board {
    /// Checks numbers given row by row: a square count, each number exactly once.
    pub fn new(tiles: &[usize]) -> Result<Self, BoardError> {
        let side = (2..=5).find(|side| side * side == tiles.len()).ok_or(BoardError::Count { found: tiles.len() })?;
        let mut place = [None; MAX_CELLS];
        let mut repeated = None;
        let mut cells = [0; MAX_CELLS];
        for (index, &tile) in tiles.iter().enumerate() {
            if tile >= tiles.len() {
                let largest = tiles.len() - 1;
                return Err(BoardError::OutOfRange { tile, entry: index + 1, side, largest });
            }
            if let Some(first) = place[tile] {
                repeated = repeated.or(Some((tile, first, index + 1)));
            }
            place[tile] = Some(index + 1);
            cells[index] = tile as u8;
        }
        if let Some((tile, first, second)) = repeated {
            let missing = place.iter().position(Option::is_none).unwrap_or(0);
            return Err(BoardError::Repeated { tile, first, second, missing });
        }
        let blank = place[0].map_or(0, |place| place - 1) as u8;
        Ok(Self { side: side as u8, blank, cells })
    }

    /// A board from cells known to be a permutation.
    pub(crate) fn from_cells(side: usize, tiles: &[u8]) -> Self {
        let mut cells = [0; MAX_CELLS];
        cells[..tiles.len()].copy_from_slice(tiles);
        let blank = tiles.iter().position(|&tile| tile == 0).unwrap_or(0);
        Self { side: side as u8, blank: blank as u8, cells }
    }

    /// The usual goal: 1, 2, 3, ... row by row, the blank in the last cell. `side` is 2 to 5.
    ///
    /// # Panics
    /// If `side` is not 2 to 5.
    pub fn standard_goal(side: usize) -> Self {
        assert!((2..=5).contains(&side), "boards are 2x2 to 5x5");
        let last = side * side;
        let tiles: Vec<u8> = (1..=last).map(|tile| (tile % last) as u8).collect();
        Self::from_cells(side, &tiles)
    }

    /// The other usual goal: the blank in the first cell, then 1, 2, 3, ... `side` is 2 to 5.
    ///
    /// # Panics
    /// If `side` is not 2 to 5.
    pub fn blank_first_goal(side: usize) -> Self {
        assert!((2..=5).contains(&side), "boards are 2x2 to 5x5");
        let tiles: Vec<u8> = (0..(side * side) as u8).collect();
        Self::from_cells(side, &tiles)
    }

    /// Cells along an edge.
    pub fn side(&self) -> usize {
        usize::from(self.side)
    }

    pub fn len(&self) -> usize {
        self.side() * self.side()
    }

    /// Never: a board has at least four cells.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// The tiles row by row, 0 for the blank.
    pub fn tiles(&self) -> &[u8] {
        &self.cells[..self.len()]
    }

    pub fn rows(&self) -> impl Iterator<Item = &[u8]> {
        self.tiles().chunks(self.side())
    }

    pub fn blank(&self) -> usize {
        usize::from(self.blank)
    }

    pub fn tile(&self, cell: usize) -> usize {
        usize::from(self.cells[cell])
    }

    /// The cell of every tile.
    pub(crate) fn places(&self) -> [u8; MAX_CELLS] {
        let mut places = [0; MAX_CELLS];
        for (cell, &tile) in self.tiles().iter().enumerate() {
            places[usize::from(tile)] = cell as u8;
        }
        places
    }

    /// The cell next to the blank in a direction, if the board has one.
    pub fn neighbour(&self, direction: Direction) -> Option<usize> {
        direction.from_cell(self.blank(), self.side())
    }

    /// The board after the blank moves, if it can.
    pub fn moved(&self, direction: Direction) -> Option<Self> {
        let to = self.neighbour(direction)?;
        let mut board = *self;
        board.swap_blank(to);
        Some(board)
    }

    /// Moves the blank to a cell next to it; the tile there takes its place.
    pub(crate) fn swap_blank(&mut self, to: usize) {
        self.cells[self.blank()] = self.cells[to];
        self.cells[to] = 0;
        self.blank = to as u8;
    }
}

/// Numbers between spaces, commas, slashes, bars or line ends, the blank as `0` or `_`;
/// boards up to 3x3 also as digits without spaces.
impl FromStr for Board {
    type Err = BoardError;

    fn from_str(text: &str) -> Result<Self, BoardError> {
        let separator = |c: char| c.is_whitespace() || matches!(c, ',' | ';' | '/' | '|' | '[' | ']');
        let mut tokens: Vec<&str> = text.split(separator).filter(|token| !token.is_empty()).collect();
        if let [digits] = tokens[..]
            && matches!(digits.len(), 4 | 9)
            && digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b'_')
        {
            tokens = (0..digits.len()).map(|index| &digits[index..=index]).collect();
        }
        let number = |(index, token): (usize, &&str)| match *token {
            "_" => Ok(0),
            token => token.parse().map_err(|_| BoardError::NotANumber { token: token.to_string(), entry: index + 1 }),
        };
        let tiles: Vec<usize> = tokens.iter().enumerate().map(number).collect::<Result<_, _>>()?;
        Self::new(&tiles)
    }
}

/// One line of numbers, `1 2 3 4 5 6 7 8 0`; with `{:#}` rows on lines of their own, the
/// blank as `_`, columns aligned.
impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, &tile) in self.tiles().iter().enumerate() {
            let gap = if index == 0 { "" } else { " " };
            if f.alternate() {
                let line_end = index % self.side() == 0;
                f.write_str(if index == 0 || !line_end { gap } else { "\n" })?;
                let width = if self.side > 3 { 2 } else { 1 };
                match tile {
                    0 => write!(f, "{:>width$}", "_")?,
                    tile => write!(f, "{tile:>width$}")?,
                }
            } else {
                write!(f, "{gap}{tile}")?;
            }
        }
        Ok(())
    }
}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Board({self})")
    }
}

/// A flat list of numbers.
impl Serialize for Board {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.tiles())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_read_back_as_they_print() {
        for side in 2..=5 {
            for board in [Board::standard_goal(side), Board::blank_first_goal(side)] {
                assert_eq!(board.to_string().parse(), Ok(board));
                assert_eq!(format!("{board:#}").parse(), Ok(board));
            }
        }
        assert_eq!("123456780".parse(), Ok(Board::standard_goal(3)));
        assert_eq!("12345678_".parse(), Ok(Board::standard_goal(3)));
        assert_eq!("1,2,3/4,5,6/7,8,_".parse(), Ok(Board::standard_goal(3)));
        assert_eq!(format!("{:#}", Board::standard_goal(3)), "1 2 3\n4 5 6\n7 8 _");
    }

    #[test]
    fn wrong_boards_are_refused_with_the_reason() {
        let error = |text: &str| text.parse::<Board>().unwrap_err();
        assert_eq!(error(""), BoardError::Count { found: 0 });
        assert_eq!(error("1 2 3"), BoardError::Count { found: 3 });
        assert_eq!(error(&"0 ".repeat(36)), BoardError::Count { found: 36 });
        assert_eq!(error("1 2 x 0"), BoardError::NotANumber { token: "x".into(), entry: 3 });
        assert_eq!(error("1 2 -3 0"), BoardError::NotANumber { token: "-3".into(), entry: 3 });
        assert_eq!(error("1 2 4 0"), BoardError::OutOfRange { tile: 4, entry: 3, side: 2, largest: 3 });
        assert_eq!(error("1 2 1 0"), BoardError::Repeated { tile: 1, first: 1, second: 3, missing: 3 });
        assert_eq!(error("1 2 3 3"), BoardError::Repeated { tile: 3, first: 3, second: 4, missing: 0 });
        assert_eq!(
            error("1 2 1 0").to_string(),
            "1 occurs twice (entries 1 and 3) and 3 is missing; each number occurs once"
        );
    }

    #[test]
    fn the_blank_changes_places_with_its_neighbour() {
        let board = Board::standard_goal(3);
        let up = board.moved(Direction::Up).unwrap();
        assert_eq!(up.tiles(), [1, 2, 3, 4, 5, 0, 7, 8, 6]);
        assert_eq!(up.moved(Direction::Down), Some(board));
        assert_eq!(board.moved(Direction::Right), None);
        assert_eq!(board.moved(Direction::UpLeft).unwrap().tiles(), [1, 2, 3, 4, 0, 6, 7, 8, 5]);
    }
}
