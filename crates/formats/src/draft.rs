//! A board read row by row from a file.
//!
//! It keeps the place of every square in the file, so that defects of the map can be reported by line and column.

use crate::limits::{Budget, MAX_SIDE};
use crate::{DefectKind, ReadError, validity};
use lurd_level::validity::FlawKind;
use lurd_level::{Cell, Map, Place};

/// The places of the squares of a row.
enum Columns {
    /// One character per square, from this column on.
    Plain(usize),
    /// One place per square.
    Each(Vec<Place>),
}

struct Row {
    /// The cells up to the last one that is not floor.
    cells: Vec<Cell>,
    /// The number of squares written, floor at the end included.
    written: usize,
    line: usize,
    columns: Columns,
}

impl Row {
    fn place(&self, index: usize) -> Place {
        match &self.columns {
            Columns::Plain(first) => Place { line: self.line, column: first + index },
            Columns::Each(places) => match (places.get(index), places.last()) {
                (Some(&place), _) => place,
                (None, Some(last)) => Place { column: last.column + 1 + index - places.len(), ..*last },
                (None, None) => Place { line: self.line, column: 1 + index },
            },
        }
    }
}

/// A board being read.
#[derive(Default)]
pub(super) struct Draft {
    rows: Vec<Row>,
    defect: Option<(Place, DefectKind)>,
}

/// A complete board: its map, its place, its first defect, and the number of boxes that are decoration.
pub(super) struct Drawn {
    pub(super) map: Map,
    pub(super) place: Place,
    pub(super) defect: Option<(Place, DefectKind)>,
    pub(super) decoration: usize,
}

impl Draft {
    pub(super) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    pub(super) fn height(&self) -> usize {
        self.rows.len()
    }

    /// Whether the last row has only walls, so that the board may be complete.
    pub(super) fn is_closed_below(&self) -> bool {
        let walls_only = |row: &Row| row.cells.iter().all(|cell| matches!(cell, Cell::Wall | Cell::Floor));
        self.rows.len() > 2 && self.rows.last().is_some_and(walls_only)
    }

    /// Records a defect; the first one is kept.
    pub(super) fn fault(&mut self, place: Place, kind: DefectKind) {
        self.defect.get_or_insert((place, kind));
    }

    /// Adds a row of one character per square that begins at `place`; a character that `cell` does not know is a defect.
    pub(super) fn text_row(&mut self, place: Place, text: &str, cell: impl Fn(char) -> Option<Cell>) {
        let mut cells = Vec::with_capacity(text.len());
        for (index, c) in text.trim_end().chars().enumerate() {
            cells.push(cell(c).unwrap_or_else(|| {
                self.fault(Place { column: place.column + index, ..place }, DefectKind::Character(c));
                Cell::Floor
            }));
        }
        self.plain_row(place, cells);
    }

    /// Adds a row of one character per square that begins at `place`.
    pub(super) fn plain_row(&mut self, place: Place, cells: Vec<Cell>) {
        let written = cells.len();
        self.push(Row { cells, written, line: place.line, columns: Columns::Plain(place.column) });
    }

    /// Adds a row of a line whose squares have the places given.
    pub(super) fn row(&mut self, line: usize, cells: Vec<(Cell, Place)>) {
        let written = cells.len();
        let (cells, columns) = cells.into_iter().unzip();
        self.push(Row { cells, written, line, columns: Columns::Each(columns) });
    }

    fn push(&mut self, mut row: Row) {
        let end = row.cells.iter().rposition(|&cell| cell != Cell::Floor).map_or(0, |last| last + 1);
        row.cells.truncate(end);
        row.written = row.written.min(MAX_SIDE);
        if end > MAX_SIDE {
            self.fault(row.place(MAX_SIDE), DefectKind::TooWide);
            row.cells = Vec::new();
        }
        if self.rows.len() == MAX_SIDE {
            // A row of floor at the bottom does not count.
            if end > 0 {
                self.fault(row.place(0), DefectKind::TooTall);
            }
        } else {
            self.rows.push(row);
        }
    }

    /// Removes rows at the end that satisfy the test.
    pub(super) fn pop_rows(&mut self, test: impl Fn(&[Cell]) -> bool) {
        while self.rows.last().is_some_and(|row| test(&row.cells)) {
            self.rows.pop();
        }
    }

    /// Completes the board: removes empty margins and checks the map.
    pub(super) fn finish(mut self, budget: &mut Budget) -> Result<Drawn, ReadError> {
        self.pop_rows(|cells| cells.is_empty());
        let top = self.rows.iter().position(|row| !row.cells.is_empty()).unwrap_or(0);
        self.rows.drain(..top);
        let floor_before = |row: &Row| row.cells.iter().position(|&cell| cell != Cell::Floor);
        let margin = self.rows.iter().filter_map(floor_before).min().unwrap_or(0);
        let width = self.rows.iter().map(|row| row.cells.len()).max().unwrap_or(0).saturating_sub(margin);
        budget.board(width * self.rows.len())?;
        let rows: Vec<Vec<Cell>> =
            self.rows.iter().map(|row| row.cells.get(margin..).unwrap_or_default().to_vec()).collect();
        let place = match self.rows.first() {
            Some(row) => row.place(floor_before(row).unwrap_or(0)),
            None => self.defect.as_ref().map_or(Place { line: 1, column: 1 }, |&(place, _)| place),
        };
        if is_hexagonal(&rows) {
            self.fault(place, DefectKind::Variant("Hexoban".into()));
        }
        let map = Map::from_rows(&rows);
        let mut drawn = Drawn { map, place, defect: self.defect.take(), decoration: 0 };
        if drawn.defect.is_none() {
            let place_of = |row: usize, column: usize| match self.rows.get(row) {
                // Defects without a square of their own are reported at the beginning of the board.
                Some(_) if (row, column) == (0, 0) => place,
                Some(row) => row.place(column + margin),
                None => place,
            };
            let mut found = validity(&drawn.map, place_of);
            if budget.walls_in && matches!(found, Err((_, DefectKind::Flaw(FlawKind::NotEnclosed)))) {
                drawn.map = self.walled_in(margin);
                if !budget.try_squares(drawn.map.width() * drawn.map.height() - width * self.rows.len()) {
                    return Err(ReadError::TooManySquares);
                }
                found = match too_large(&drawn.map) {
                    Some(kind) => Err((place, kind)),
                    // The ring moves every square down and right by one.
                    None => {
                        validity(&drawn.map, |row, column| place_of(row.saturating_sub(1), column.saturating_sub(1)))
                    }
                };
            }
            match found {
                Ok(decoration) => drawn.decoration = decoration,
                Err(defect) => drawn.defect = Some(defect),
            }
        }
        Ok(drawn)
    }

    /// The map in a ring of walls, with wall beyond the end of each written row.
    fn walled_in(&self, margin: usize) -> Map {
        let written = |row: &Row| {
            let mut cells = row.cells.get(margin..).unwrap_or_default().to_vec();
            cells.resize(row.written.saturating_sub(margin), Cell::Floor);
            cells
        };
        let rows: Vec<Vec<Cell>> = self.rows.iter().map(written).collect();
        Map::enclosed(&rows, rows.iter().map(Vec::len).max().unwrap_or(0))
    }
}

/// What is wrong with a map whose ring of walls takes it over the limits of rows and columns.
pub(super) fn too_large(walled_in: &Map) -> Option<DefectKind> {
    if walled_in.width() > MAX_SIDE {
        Some(DefectKind::TooWide)
    } else if walled_in.height() > MAX_SIDE {
        Some(DefectKind::TooTall)
    } else {
        None
    }
}

/// Whether a board is drawn in hexagons, as Hexoban is: every second square of a row is blank, and the rows are staggered.
/// No player can be enclosed by walls that touch only at corners.
fn is_hexagonal(rows: &[Vec<Cell>]) -> bool {
    const LEAST: usize = 8;
    let mut parities = [0_usize; 2];
    for (index, row) in rows.iter().enumerate() {
        let drawn = row.iter().enumerate().filter(|&(_, &cell)| cell != Cell::Floor);
        drawn.for_each(|(column, _)| parities[(index + column) % 2] += 1);
    }
    let has_walls = rows.iter().flatten().filter(|&&cell| cell == Cell::Wall).count() >= LEAST;
    rows.len() > 2 && has_walls && parities.contains(&0)
}
