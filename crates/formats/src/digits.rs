//! The character matrix of a Java A* project: `1` player, `0` box, `$` goal, `*` box on goal,
//! `+` player on goal, `#` wall.
//!
//! Here `$` is a goal and digits are squares, so only boards that no count can explain are recognised: rows with `0` for a
//! box and `$` for a goal, with walls or with the player `1`, and no `@` anywhere. Boards may be open: as that program
//! does, short rows are filled with walls and a ring of walls is added.

use crate::annotations::{CommentBlocks, Outline, entry};
use crate::draft::{Drawn, too_large};
use crate::limits::{Budget, MAX_SIDE};
use crate::text::{Line, Text};
use crate::xsb::{below, draw_rows, header};
use crate::{Collection, DefectKind, Findings, ReadError, WarningKind, validity};
use lurd_level::validity::{FlawKind, check};
use lurd_level::{Cell, Map, Place};

fn cell(c: char) -> Option<Cell> {
    Some(match c {
        '#' => Cell::Wall,
        ' ' | '-' | '_' => Cell::Floor,
        '1' => Cell::Player,
        '+' => Cell::PlayerOnGoal,
        '0' => Cell::Box,
        '*' => Cell::BoxOnGoal,
        '$' => Cell::Goal,
        _ => return None,
    })
}

fn is_row(text: &str) -> bool {
    !text.trim().is_empty() && text.chars().all(|c| cell(c).is_some())
}

/// The kinds of characters in consecutive rows.
#[derive(Default)]
struct Tally {
    rows: usize,
    walls: bool,
    players: bool,
    players_on_goal: bool,
    boxes: bool,
    goals: bool,
}

impl Tally {
    fn add(&mut self, text: &str) {
        self.rows += 1;
        for c in text.chars() {
            self.walls |= c == '#';
            self.players |= c == '1';
            self.players_on_goal |= c == '+';
            self.boxes |= c == '0';
            self.goals |= matches!(c, '$' | '*');
        }
    }

    /// Whether the rows cannot be of another format. Without `+`, `@` and `p` no board with counts has a player; without
    /// `1` a `0` is no count.
    fn is_certain(&self) -> bool {
        let drawn = self.rows > 1 && self.boxes && self.goals;
        drawn && (self.players && !self.players_on_goal || self.walls && !self.players)
    }

    /// Whether the rows are a board, given the format.
    fn is_board(&self) -> bool {
        self.walls && self.rows > 1 || self.boxes && (self.players || self.players_on_goal)
    }
}

/// Whether some board is certainly of this format and none is plain XSB.
pub(super) fn recognises(text: &Text) -> bool {
    if !text.as_str().contains('0') {
        return false;
    }
    let mut tally = Tally::default();
    let mut found = false;
    for line in text.lines() {
        if is_row(line.text) {
            tally.add(line.text);
        } else {
            if line.text.contains('#') && line.text.contains('@') {
                return false;
            }
            found |= std::mem::take(&mut tally).is_certain();
        }
    }
    found || tally.is_certain()
}

pub(super) fn read(text: &Text, budget: &mut Budget) -> Result<Findings, ReadError> {
    let mut outline = Outline::new();
    let mut blocks = CommentBlocks::new(text);
    let mut rows: Vec<Line<'_>> = Vec::new();
    let mut tally = Tally::default();
    let end = Line { place: Place::default(), text: "" };
    for line in text.lines().chain(Some(end)) {
        let inside = blocks.take(line);
        if inside.is_none() && is_row(line.text) {
            tally.add(line.text);
            // One row beyond the limit shows that the board is too tall.
            if rows.len() <= MAX_SIDE {
                rows.push(line);
            }
            continue;
        }
        if std::mem::take(&mut tally).is_board() {
            let (drawn, walled_in) = board(&rows, budget)?;
            if walled_in {
                let number = outline.boards.len() + 1;
                outline.findings.warn(drawn.place, WarningKind::WalledIn(number));
            }
            outline.board(drawn);
        } else {
            rows.iter().for_each(|&row| outline.entry(entry(row), budget));
        }
        rows.clear();
        outline.line(line, inside, budget);
    }
    Ok(outline.annotate(budget))
}

/// The board of the rows, and whether it had to be walled in.
fn board(rows: &[Line<'_>], budget: &mut Budget) -> Result<(Drawn, bool), ReadError> {
    let place = rows.first().map_or(Place::default(), |row| row.place);
    let bad = |place, kind| Drawn { map: Map::from_rows(&[]), place, defect: Some((place, kind)), decoration: 0 };
    if let Some(row) = rows.iter().find(|row| row.text.len() > MAX_SIDE) {
        budget.board(0)?;
        return Ok((bad(Place { column: row.place.column + MAX_SIDE, ..row.place }, DefectKind::TooWide), false));
    }
    if let Some(row) = rows.get(MAX_SIDE) {
        budget.board(0)?;
        return Ok((bad(row.place, DefectKind::TooTall), false));
    }
    // Blanks at the end of a row are floor here: only missing squares are filled.
    let cells: Vec<Vec<Cell>> = rows.iter().map(|row| row.text.chars().filter_map(cell).collect()).collect();
    let width = cells.iter().map(Vec::len).max().unwrap_or(0);
    budget.board((width + 2) * (cells.len() + 2))?;
    let mut map = Map::from_rows(&cells);
    let is_open = check(&map).is_err_and(|flaw| flaw.kind == FlawKind::NotEnclosed);
    if is_open {
        map = Map::enclosed(&cells, width);
        if let Some(kind) = too_large(&map) {
            return Ok((bad(place, kind), false));
        }
    }
    let shift = usize::from(is_open);
    let place_of = |row: usize, column: usize| match rows.get(row.saturating_sub(shift)) {
        Some(line) => Place { line: line.place.line, column: line.place.column + column.saturating_sub(shift) },
        None => place,
    };
    let mut drawn = Drawn { place, defect: None, decoration: 0, map: if is_open { map } else { map.trimmed() } };
    // Trimming a closed board shifts it left by its margin, which is added back to the place.
    let margin = if is_open { 0 } else { margin(&cells) };
    match validity(&drawn.map, |row, column| place_of(row, column + margin)) {
        Ok(decoration) => drawn.decoration = decoration,
        Err((place, DefectKind::Flaw(FlawKind::NoPlayer))) => drawn.defect = Some((place, DefectKind::NoDigitPlayer)),
        Err(defect) => drawn.defect = Some(defect),
    }
    Ok((drawn, is_open))
}

fn margin(rows: &[Vec<Cell>]) -> usize {
    rows.iter().filter_map(|row| row.iter().position(|&cell| cell != Cell::Floor)).min().unwrap_or(0)
}

/// Writes full rectangles, so that the program reads them unchanged.
pub(super) fn write(collection: &Collection) -> String {
    let mut out = String::new();
    header(&mut out, collection);
    for level in &collection.levels {
        draw_rows(&mut out, &level.map.rectangular(), |cell| match cell {
            Cell::Wall => '#',
            Cell::Floor => ' ',
            Cell::Player => '1',
            Cell::PlayerOnGoal => '+',
            Cell::Box => '0',
            Cell::BoxOnGoal => '*',
            Cell::Goal => '$',
        });
        below(&mut out, level);
    }
    out
}
