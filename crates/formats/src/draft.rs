//! A board as drawn in a file, row by row, on its way to a map.
//!
//! It remembers where in the file every square stands, so that what is wrong with the map can
//! be shown in the text.

use crate::limits::{Budget, MAX_SIDE};
use crate::{DefectKind, ReadError, soundness};
use lurd_level::validity::FlawKind;
use lurd_level::{Cell, Map, Place};

/// Where the squares of a row stand.
enum Columns {
    /// One character a square, from this column on.
    Plain(usize),
    /// Given for each.
    Each(Vec<Place>),
}

struct Row {
    /// Up to the last square that is not floor.
    cells: Vec<Cell>,
    /// How many squares are written, floor at the end included.
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

/// A board under way.
#[derive(Default)]
pub(super) struct Draft {
    rows: Vec<Row>,
    defect: Option<(Place, DefectKind)>,
}

/// A board that ended: its map, where it stands, what is wrong with it, and the boxes that are decoration.
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

    /// Whether its last row draws nothing but walls, so that it may be the last of a whole board.
    pub(super) fn is_closed_below(&self) -> bool {
        let walls_only = |row: &Row| row.cells.iter().all(|cell| matches!(cell, Cell::Wall | Cell::Floor));
        self.rows.len() > 2 && self.rows.last().is_some_and(walls_only)
    }

    /// Notes what is wrong; the first word counts.
    pub(super) fn fault(&mut self, place: Place, kind: DefectKind) {
        self.defect.get_or_insert((place, kind));
    }

    /// Adds a row of one character a square that begins at `place`.
    pub(super) fn plain_row(&mut self, place: Place, cells: Vec<Cell>) {
        let written = cells.len();
        self.push(Row { cells, written, line: place.line, columns: Columns::Plain(place.column) });
    }

    /// Adds a row that begins in a line and whose squares stand at the places given.
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
            // Floor at the bottom is nothing; anything else is a row too many.
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

    /// Ends the board: cuts the margins that hold nothing and checks the map.
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
        let map = Map::from_rows(&rows);
        let mut drawn = Drawn { map, place, defect: self.defect.take(), decoration: 0 };
        if drawn.defect.is_none() {
            let place_of = |row: usize, column: usize| match self.rows.get(row) {
                // What has no place of its own is shown at the board's beginning.
                Some(_) if (row, column) == (0, 0) => place,
                Some(row) => row.place(column + margin),
                None => place,
            };
            let mut found = soundness(&drawn.map, place_of);
            if budget.walls_in && matches!(found, Err((_, DefectKind::Flaw(FlawKind::NotEnclosed)))) {
                drawn.map = self.walled_in(margin);
                // The ring moves every square down and right by one.
                found = soundness(&drawn.map, |row, column| place_of(row.saturating_sub(1), column.saturating_sub(1)));
            }
            match found {
                Ok(decoration) => drawn.decoration = decoration,
                Err(defect) => drawn.defect = Some(defect),
            }
        }
        Ok(drawn)
    }

    /// The map in a ring of walls, with wall where a row has nothing written.
    fn walled_in(&self, margin: usize) -> Map {
        let width = self.rows.iter().map(|row| row.written.saturating_sub(margin)).max().unwrap_or(0);
        let ring = vec![Cell::Wall; width + 2];
        let mut rows = vec![ring.clone()];
        for row in &self.rows {
            let mut walled = ring.clone();
            let written = row.written.saturating_sub(margin);
            walled[1..=written].fill(Cell::Floor);
            let cells = row.cells.get(margin..).unwrap_or_default();
            walled[1..=cells.len()].copy_from_slice(cells);
            rows.push(walled);
        }
        rows.push(ring);
        Map::from_rows(&rows)
    }
}
