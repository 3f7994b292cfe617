//! A rectangle of cells, as drawn in a level's text.

use std::fmt;

/// The content of a square in the start position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Cell {
    /// `#`
    Wall,
    /// A space, inside or outside the walls.
    Floor,
    /// `.`
    Goal,
    /// `$`
    Box,
    /// `*`
    BoxOnGoal,
    /// `@`
    Player,
    /// `+`
    PlayerOnGoal,
}

impl Cell {
    /// The cell of an XSB character, main or alternate.
    pub fn from_xsb(c: char) -> Option<Self> {
        Some(match c {
            '#' => Self::Wall,
            ' ' | '-' | '_' => Self::Floor,
            '.' | 'o' => Self::Goal,
            '$' | 'b' => Self::Box,
            '*' | 'B' => Self::BoxOnGoal,
            '@' | 'p' => Self::Player,
            '+' | 'P' => Self::PlayerOnGoal,
            _ => return None,
        })
    }

    /// The main XSB character.
    pub fn to_xsb(self) -> char {
        // In the order of the variants.
        ['#', ' ', '.', '$', '*', '@', '+'][self as usize]
    }

    /// Whether a box stands here.
    pub fn has_box(self) -> bool {
        matches!(self, Self::Box | Self::BoxOnGoal)
    }

    /// Whether the square is a goal.
    pub fn is_goal(self) -> bool {
        matches!(self, Self::Goal | Self::BoxOnGoal | Self::PlayerOnGoal)
    }

    /// Whether the player stands here.
    pub fn has_player(self) -> bool {
        matches!(self, Self::Player | Self::PlayerOnGoal)
    }
}

/// A rectangle of cells in row order. Squares beyond the end of a short text row are floor.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Map {
    width: usize,
    height: usize,
    cells: Vec<Cell>,
}

impl Map {
    /// A map of the given rows; short rows are filled with floor.
    pub fn from_rows(rows: &[Vec<Cell>]) -> Self {
        let width = rows.iter().map(Vec::len).max().unwrap_or(0);
        let mut cells = Vec::with_capacity(width * rows.len());
        for row in rows {
            cells.extend_from_slice(row);
            cells.resize(cells.len() + width - row.len(), Cell::Floor);
        }
        Self { width, height: rows.len(), cells }
    }

    /// The rows in a ring of walls; rows shorter than `width` are filled with wall.
    pub fn enclosed(rows: &[Vec<Cell>], width: usize) -> Self {
        let ring = vec![Cell::Wall; width + 2];
        let row = |row: &Vec<Cell>| {
            let mut cells = ring.clone();
            cells[1..=row.len()].copy_from_slice(row);
            cells
        };
        Self::from_rows(&[vec![ring.clone()], rows.iter().map(row).collect(), vec![ring]].concat())
    }

    /// Reads the rows of one plain XSB board: `None` if any character does not belong to a board. For files use the
    /// crate `lurd-formats`, which reports errors.
    pub fn from_xsb(text: &str) -> Option<Self> {
        let rows: Option<Vec<Vec<Cell>>> =
            text.lines().map(|line| line.trim_end().chars().map(Cell::from_xsb).collect()).collect();
        rows.map(|rows| Self::from_rows(&rows))
    }

    /// The number of columns.
    pub fn width(&self) -> usize {
        self.width
    }

    /// The number of rows.
    pub fn height(&self) -> usize {
        self.height
    }

    /// The cell at a place; floor outside the rectangle.
    pub fn get(&self, row: usize, column: usize) -> Cell {
        if row < self.height && column < self.width { self.cells[row * self.width + column] } else { Cell::Floor }
    }

    /// Sets the cell at a place.
    ///
    /// # Panics
    /// When the place is outside the rectangle.
    pub fn set(&mut self, row: usize, column: usize, cell: Cell) {
        assert!(row < self.height && column < self.width, "the square lies inside the map");
        self.cells[row * self.width + column] = cell;
    }

    /// Every cell with its row and column, in reading order.
    pub fn cells(&self) -> impl Iterator<Item = (usize, usize, Cell)> + '_ {
        self.cells.iter().enumerate().map(|(i, &cell)| (i / self.width, i % self.width, cell))
    }

    /// The rows as XSB text, without trailing spaces.
    pub fn rows(&self) -> impl Iterator<Item = String> + '_ {
        self.cells.chunks(self.width.max(1)).map(|row| {
            let text: String = row.iter().map(|cell| cell.to_xsb()).collect();
            text.trim_end().to_owned()
        })
    }
}

impl fmt::Display for Map {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.rows().try_for_each(|row| writeln!(f, "{row}"))
    }
}

impl fmt::Debug for Map {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Map {}x{}\n{self}", self.width, self.height)
    }
}
