//! The boards of a batch: levels as bytes of one size.

use crate::tile::{BOX, GOAL, PLAYER, Tile, WALL, square, tile};
use lurd_level::validity::{self, Flaw};
use lurd_level::{Cell, Map};

/// In which order a board of a batch takes the levels of a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Each time one at random.
    Random,
    /// One after the other: of `n` boards, board `i` takes the levels `i`, `i + n`, `i + 2n`, and so on, and starts again
    /// at the end.
    Sequential,
}

/// Why levels cannot be played in one batch.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SetError {
    /// No level.
    #[error("there is no level to play; give at least one")]
    Empty,
    /// A level that cannot be played.
    #[error("level {number}: {flaw}")]
    Flaw {
        /// The position among the levels given, from 1.
        number: usize,
        /// What is wrong with it.
        flaw: Flaw,
    },
    /// A level larger than the observations.
    #[error(
        "level {number} has {height} rows and {width} columns, and boards of this environment have {rows} and {columns}; \
         choose a larger size or leave the level out"
    )]
    TooLarge {
        /// The position among the levels given, from 1.
        number: usize,
        /// Its rows.
        height: usize,
        /// Its columns.
        width: usize,
        /// Rows of the environment.
        rows: usize,
        /// Columns of the environment.
        columns: usize,
    },
}

/// What is known of a level beside its squares.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Start {
    pub(crate) player: u32,
    pub(crate) boxes_on_goals: u32,
    pub(crate) boxes: u32,
}

/// Levels as boards of one size. A smaller level stands in the upper left corner, with walls around it; floor outside a
/// level's walls is wall.
#[derive(Clone, Debug)]
pub struct LevelSet {
    height: usize,
    width: usize,
    squares: Vec<u8>,
    starts: Vec<Start>,
}

impl LevelSet {
    /// Compiles levels to boards of `size` (rows, columns), or of the size of the largest.
    ///
    /// # Errors
    /// When there is none, one cannot be played, or one is larger than `size`.
    pub fn new<'m>(maps: impl IntoIterator<Item = &'m Map>, size: Option<(usize, usize)>) -> Result<Self, SetError> {
        let maps: Vec<&Map> = maps.into_iter().collect();
        if maps.is_empty() {
            return Err(SetError::Empty);
        }
        let largest = |side: fn(&Map) -> usize| maps.iter().map(|map| side(map)).max().unwrap_or(0);
        let (height, width) = size.unwrap_or_else(|| (largest(Map::height), largest(Map::width)));
        let mut set = Self { height, width, squares: Vec::new(), starts: Vec::new() };
        for (number, map) in (1..).zip(maps) {
            validity::check(map).map_err(|flaw| SetError::Flaw { number, flaw })?;
            if map.height() > height || map.width() > width {
                let (rows, columns) = (height, width);
                return Err(SetError::TooLarge { number, height: map.height(), width: map.width(), rows, columns });
            }
            set.add(map);
        }
        Ok(set)
    }

    fn add(&mut self, map: &Map) {
        let outside = outside(map);
        let first = self.squares.len();
        self.squares.resize(first + self.area(), WALL);
        let mut start = Start { player: 0, boxes_on_goals: 0, boxes: 0 };
        for (row, column, cell) in map.cells() {
            let at = row * self.width + column;
            let byte = if outside[row * map.width() + column] { WALL } else { square(cell) };
            self.squares[first + at] = byte;
            start.boxes += u32::from(byte & BOX != 0);
            start.boxes_on_goals += u32::from(byte & (BOX | GOAL) == BOX | GOAL);
            if byte & PLAYER != 0 {
                start.player = at as u32;
            }
        }
        self.starts.push(start);
    }

    /// The number of levels.
    #[allow(clippy::len_without_is_empty, reason = "a set has at least one level")]
    pub fn len(&self) -> usize {
        self.starts.len()
    }

    /// Rows of every board.
    pub fn height(&self) -> usize {
        self.height
    }

    /// Columns of every board.
    pub fn width(&self) -> usize {
        self.width
    }

    /// The tiles of a level, row by row.
    pub fn tiles(&self, level: usize) -> impl Iterator<Item = Tile> + '_ {
        self.squares(level).iter().map(|&square| tile(square))
    }

    /// Squares of every board.
    pub(crate) fn area(&self) -> usize {
        self.height * self.width
    }

    pub(crate) fn squares(&self, level: usize) -> &[u8] {
        &self.squares[level * self.area()..][..self.area()]
    }

    pub(crate) fn start(&self, level: usize) -> Start {
        self.starts[level]
    }
}

/// Marks floor that can be reached from the rim of the rectangle without crossing a wall.
fn outside(map: &Map) -> Vec<bool> {
    let (height, width) = (map.height(), map.width());
    let mut marks = vec![false; height * width];
    let on_rim = |&(row, column): &(usize, usize)| row == 0 || column == 0 || row + 1 == height || column + 1 == width;
    let mut open: Vec<(usize, usize)> = map.cells().map(|(row, column, _)| (row, column)).filter(on_rim).collect();
    while let Some((row, column)) = open.pop() {
        if row >= height || column >= width || marks[row * width + column] || map.get(row, column) != Cell::Floor {
            continue;
        }
        marks[row * width + column] = true;
        let around =
            [(row.wrapping_sub(1), column), (row + 1, column), (row, column.wrapping_sub(1)), (row, column + 1)];
        open.extend(around);
    }
    marks
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map(text: &str) -> Map {
        Map::from_xsb(text).unwrap()
    }

    #[test]
    fn outside_is_wall_and_closed_pockets_stay_floor() {
        let set = LevelSet::new([&map("  #####\n###@$.#\n#   # #\n#######")], Some((5, 8))).unwrap();
        let tiles: Vec<Tile> = set.tiles(0).collect();
        assert_eq!(tiles[..3], [Tile::Wall; 3]);
        assert_eq!(tiles[2 * 8 + 5], Tile::Floor);
        assert_eq!(tiles[8 + 3..8 + 6], [Tile::Player, Tile::Box, Tile::Goal]);
        assert!(tiles[4 * 8..].iter().all(|&tile| tile == Tile::Wall));
    }

    #[test]
    fn wrong_levels_are_named() {
        assert_eq!(LevelSet::new([], None).unwrap_err(), SetError::Empty);
        let sound = map("#####\n#@$.#\n#####");
        let open = map("#####\n#@$. \n#####");
        assert!(matches!(LevelSet::new([&sound, &open], None), Err(SetError::Flaw { number: 2, .. })));
        assert!(matches!(LevelSet::new([&sound], Some((3, 4))), Err(SetError::TooLarge { number: 1, .. })));
    }
}
