//! The character matrix of a Java A* project: `1` player, `0` box, `$` goal, `*` box on goal,
//! `+` player on goal, `#` wall.
//!
//! Here `$` is a goal and digits are squares, so nothing but a board with `1` and `0` and without
//! `@` is taken for it. Boards may be open: as that program does, short rows are filled with walls
//! and a ring of walls is put around the matrix.

use crate::draft::Drawn;
use crate::limits::{Budget, MAX_SIDE};
use crate::story::{Entry, EntryKind};
use crate::text::{Line, Text};
use crate::{Collection, DefectKind, Findings, ReadError, WarningKind, soundness, story};
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

/// What characters a run of rows has.
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

    /// Whether it can be nothing else. Without `+`, `@` and `p` no board with counts has a player.
    fn is_certain(&self) -> bool {
        self.rows > 1 && self.walls && self.players && !self.players_on_goal && self.boxes && self.goals
    }

    /// Whether it is a board at all, where the format is known.
    fn is_board(&self) -> bool {
        self.walls && self.rows > 1 || self.boxes && (self.players || self.players_on_goal)
    }
}

/// Whether some board is surely drawn this way and none in the usual way.
pub(super) fn recognises(text: &Text) -> bool {
    if !text.as_str().contains('0') || !text.as_str().contains('1') {
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
    let mut findings = Findings::default();
    let (mut boards, mut gaps) = (Vec::new(), vec![Vec::new()]);
    let mut gap: Vec<Entry<'_>> = Vec::new();
    let mut rows: Vec<Line<'_>> = Vec::new();
    let mut tally = Tally::default();
    let end = Line { place: Place::default(), text: "" };
    for line in text.lines().chain(Some(end)) {
        if is_row(line.text) {
            tally.add(line.text);
            // One row too many tells that the board is too tall.
            if rows.len() <= MAX_SIDE {
                rows.push(line);
            }
            continue;
        }
        if std::mem::take(&mut tally).is_board() {
            let (drawn, walled_in) = board(&rows, budget)?;
            if walled_in {
                findings.warn(drawn.place, WarningKind::WalledIn(boards.len() + 1));
            }
            boards.push(drawn);
            if let Some(last) = gaps.last_mut() {
                *last = std::mem::take(&mut gap);
            }
            gaps.push(Vec::new());
        } else {
            gap.extend(rows.iter().filter(|_| budget.note()).map(|&row| story::entry(row)));
        }
        rows.clear();
        let entry = story::entry(line);
        if budget.note() && !(entry.kind == EntryKind::Blank && gap.last().is_some_and(|e| e.kind == EntryKind::Blank))
        {
            gap.push(entry);
        }
    }
    if let Some(last) = gaps.last_mut() {
        *last = gap;
    }
    Ok(story::tell(boards, &gaps, findings, budget))
}

/// Makes a map of the rows; says whether it had to be walled in.
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
    // Blanks at a row's end are floor here: only what is missing is filled.
    let cells: Vec<Vec<Cell>> = rows.iter().map(|row| row.text.chars().filter_map(cell).collect()).collect();
    let width = cells.iter().map(Vec::len).max().unwrap_or(0);
    budget.board((width + 2) * (cells.len() + 2))?;
    let mut map = Map::from_rows(&cells);
    let is_open = check(&map).is_err_and(|flaw| flaw.kind == FlawKind::NotEnclosed);
    if is_open {
        let ring = vec![Cell::Wall; width + 2];
        let mut ringed = vec![ring.clone()];
        for row in &cells {
            let mut filled = ring.clone();
            filled[1..=row.len()].copy_from_slice(row);
            ringed.push(filled);
        }
        ringed.push(ring);
        map = Map::from_rows(&ringed);
    }
    let shift = usize::from(is_open);
    let place_of = |row: usize, column: usize| match rows.get(row.saturating_sub(shift)) {
        Some(line) => Place { line: line.place.line, column: line.place.column + column.saturating_sub(shift) },
        None => place,
    };
    let mut drawn = Drawn { place, defect: None, decoration: 0, map: if is_open { map } else { map.trimmed() } };
    // Trimming a closed board moves nothing up or left but blanks, which are given back to the place.
    let margin = if is_open { 0 } else { margin(&cells) };
    match soundness(&drawn.map, |row, column| place_of(row, column + margin)) {
        Ok(decoration) => drawn.decoration = decoration,
        Err(defect) => drawn.defect = Some(defect),
    }
    Ok((drawn, is_open))
}

fn margin(rows: &[Vec<Cell>]) -> usize {
    rows.iter().filter_map(|row| row.iter().position(|&cell| cell != Cell::Floor)).min().unwrap_or(0)
}

/// Writes full rectangles, so that the program they are for has nothing to fill in.
pub(super) fn write(collection: &Collection) -> String {
    let mut out = String::new();
    crate::xsb::header(&mut out, collection);
    for level in &collection.levels {
        let map = level.map.rectangular();
        for row in 0..map.height() {
            let character = |column| match map.get(row, column) {
                Cell::Wall => '#',
                Cell::Floor => ' ',
                Cell::Player => '1',
                Cell::PlayerOnGoal => '+',
                Cell::Box => '0',
                Cell::BoxOnGoal => '*',
                Cell::Goal => '$',
            };
            out.extend((0..map.width()).map(character));
            out.push('\n');
        }
        crate::xsb::footer(&mut out, level);
        out.push('\n');
    }
    out
}
