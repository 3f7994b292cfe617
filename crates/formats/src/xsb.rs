//! Drawn boards in text: the reader of `.xsb`, `.txt`, `.sok` and run-length boards, and the writer of plain XSB.
//!
//! The text is split into boards and the lines around them; `annotations` interprets the lines.

use crate::annotations::{CommentBlocks, Entry, EntryKind, Outline, comment_mark, entry};
use crate::board_text::{RowKind, RowTraits, classify, draw};
use crate::draft::Draft;
use crate::limits::Budget;
use crate::text::{Line, Text};
use crate::{Collection, Findings, Format, ReadError, WarningKind};
use lurd_level::lurd::looks_like_moves;
use lurd_level::{Cell, Level, Map, Place};

/// The outline of a text and its traits.
struct Reader<'a> {
    outline: Outline<'a>,
    traits: Traits,
}

/// What distinguishes the formats of drawn text.
#[derive(Default)]
struct Traits {
    runs: bool,
    hidden_comments: bool,
    blanks: bool,
    dashes: bool,
}

/// Reads drawn boards.
pub(super) fn read(text: &Text, budget: &mut Budget) -> Result<(Findings, Format), ReadError> {
    let Reader { outline, traits } = outline(text, budget)?;
    let dashes_only = traits.dashes && !traits.blanks && outline.has_boards_only() && outline.boards.len() == 1;
    let findings = outline.annotate(budget);
    let ten_by_ten = |level: &Level| {
        (level.map.width(), level.map.height()) == (10, 10)
            && level.title.as_ref().is_some_and(|title| title.bytes().all(|b| b.is_ascii_digit()))
    };
    let format = if traits.hidden_comments || findings.found.iter().any(|found| !found.level.games.is_empty()) {
        Format::Sok
    } else if traits.runs {
        Format::Rle
    } else if dashes_only {
        Format::Course
    } else if !findings.found.is_empty() && findings.found.iter().all(|found| ten_by_ten(&found.level)) {
        Format::Boxoban
    } else {
        Format::Xsb
    };
    Ok((findings, format))
}

fn outline<'a>(text: &'a Text, budget: &mut Budget) -> Result<Reader<'a>, ReadError> {
    let mut blocks = CommentBlocks::new(text);
    let mut reader = Reader { outline: Outline::new(), traits: Traits::default() };
    let mut board = Board::default();
    for line in text.lines() {
        if let Some(inside) = blocks.take(line) {
            reader.end(&mut board, budget)?;
            inside.into_iter().for_each(|entry| reader.outline.entry(entry, budget));
            continue;
        }
        let entry = entry(line);
        if matches!(entry.kind, EntryKind::Key(name, "") if name.eq_ignore_ascii_case("comment")) {
            reader.outline.findings.warn(line.place, WarningKind::UnclosedComment);
        }
        // A remark is a remark even if its characters are those of a row.
        let row = match entry.kind {
            EntryKind::Blank | EntryKind::Remark(_) | EntryKind::Hidden => None,
            _ => Some(classify(line.text, !board.draft.is_empty(), board.runs)),
        };
        match row {
            Some(row) if row.kind == RowKind::Wall || (row.kind == RowKind::Inside && !board.draft.is_empty()) => {
                if row.bars && board.bars && board.draft.is_closed_below() && row.opens_with_walls {
                    reader.end(&mut board, budget)?;
                }
                reader.begin(&mut board, budget);
                board.add(line, &row, &mut reader, budget);
            }
            row => {
                reader.end(&mut board, budget)?;
                if entry.kind == EntryKind::Hidden {
                    reader.traits.hidden_comments = true;
                    continue;
                }
                if let Some(row) = row
                    && row.kind == RowKind::Decoration
                {
                    board.above.push((line, row));
                } else {
                    board.above.clear();
                }
                reader.outline.entry(entry, budget);
            }
        }
    }
    reader.end(&mut board, budget)?;
    Ok(reader)
}

/// The board being read.
#[derive(Default)]
struct Board<'a> {
    draft: Draft,
    runs: bool,
    /// Whether the last line had `|`.
    bars: bool,
    /// The first line, and whether it has only walls: then it may be a line of text.
    first: Option<(Line<'a>, bool)>,
    /// Lines directly above that are decoration if a board begins below them.
    above: Vec<(Line<'a>, RowTraits)>,
}

impl<'a> Board<'a> {
    fn add(&mut self, line: Line<'a>, row: &RowTraits, reader: &mut Reader<'a>, budget: &mut Budget) {
        self.runs |= row.runs;
        self.bars = row.bars;
        self.first.get_or_insert((line, !row.pieces && !row.runs && row.unknown.is_none()));
        reader.traits.runs |= row.runs;
        reader.traits.blanks |= row.blanks;
        reader.traits.dashes |= row.dashes;
        let findings = &mut reader.outline.findings;
        for (found, kind) in [(row.tabs, WarningKind::Tabs), (row.web, WarningKind::WebCharacters)] {
            // Once per file.
            if found && !findings.warnings.iter().any(|warning| warning.kind == kind) {
                findings.warn(line.place, kind);
            }
        }
        draw(&mut self.draft, line, row, budget);
    }
}

impl<'a> Reader<'a> {
    /// Moves the decoration directly above into a board that begins.
    fn begin(&mut self, board: &mut Board<'a>, budget: &mut Budget) {
        for (line, row) in std::mem::take(&mut board.above) {
            self.outline.gap().pop();
            draw(&mut board.draft, line, &row, budget);
        }
    }

    /// Completes the board, if there is one.
    fn end(&mut self, board: &mut Board<'a>, budget: &mut Budget) -> Result<(), ReadError> {
        let Some((first, only_walls)) = board.first.take() else { return Ok(()) };
        let mut draft = std::mem::take(&mut board.draft);
        (board.runs, board.bars) = (false, false);
        if only_walls && draft.height() == 1 {
            // A rule such as `#####` or a title such as `# Bob`, with nothing below.
            self.outline.entry(Entry { place: first.place, kind: EntryKind::Text(first.text.trim()) }, budget);
            return Ok(());
        }
        // Below a board, `....` and `***` are rules that separate it from the next.
        draft.pop_rows(|cells| cells.len() >= 3 && cells[0] != Cell::Wall && cells.iter().all(|&c| c == cells[0]));
        self.outline.board(draft.finish(budget)?);
        Ok(())
    }
}

/// Writes boards with titles, notes and games below them; `gap` separates each board from the rest.
pub(super) fn write(collection: &Collection, gap: &str) -> String {
    let mut out = String::new();
    header(&mut out, collection);
    for level in &collection.levels {
        for row in drawn_rows(level) {
            out.push_str(&row);
            out.push('\n');
        }
        out.push_str(gap);
        below(&mut out, level);
    }
    out
}

/// Appends every row of a map, one character per square.
pub(super) fn draw_rows(out: &mut String, map: &Map, character: fn(Cell) -> char) {
    for row in 0..map.height() {
        out.extend((0..map.width()).map(|column| character(map.get(row, column))));
        out.push('\n');
    }
}

/// Everything below a board.
pub(super) fn below(out: &mut String, level: &Level) {
    footer(out, level);
    games(out, level);
    out.push('\n');
}

/// The lines before the first board.
pub(super) fn header(out: &mut String, collection: &Collection) {
    let before = out.len();
    key(out, "Collection", collection.title.as_deref());
    key(out, "Author", collection.author.as_deref());
    comment(out, &collection.notes);
    if out.len() > before {
        out.push('\n');
    }
}

/// The lines below a board, without its games.
pub(super) fn footer(out: &mut String, level: &Level) {
    key(out, "Title", level.title.as_deref());
    key(out, "Author", level.author.as_deref());
    comment(out, &level.notes);
}

/// The solutions and saved games of a level in the form of Sokoban YASC and JSoko: a title line, the moves, notes.
fn games(out: &mut String, level: &Level) {
    for game in &level.games {
        let title = match one_line(&game.title) {
            title if title.trim().is_empty() && game.solves => "Solution".to_owned(),
            title if title.trim().is_empty() => "Snapshot".to_owned(),
            title if is_plain(&title) => title,
            title => format!("; {title}"),
        };
        let (before, after) = game.moves.split_at(game.mark.unwrap_or(game.moves.len()).min(game.moves.len()));
        let mark = if game.mark.is_some() { "*" } else { "" };
        out.push_str(&format!("\n{title}\n{before}{mark}{after}\n"));
        if game.notes.iter().all(|note| is_plain(note)) {
            game.notes.iter().for_each(|note| out.push_str(&format!("{note}\n")));
        } else {
            comment(out, &game.notes);
        }
    }
}

/// Whether a line is mere text in every format: no row of a board, no key, no mark of a comment, no moves.
fn is_plain(text: &str) -> bool {
    let line = Line { place: Place::default(), text };
    !text.starts_with('[')
        && text.contains(char::is_alphabetic)
        && !text.contains(char::is_control)
        && entry(line).kind == EntryKind::Text(text)
        && classify(text, false, false).kind == RowKind::Text
        && comment_mark(text).is_none()
        && !looks_like_moves(text)
}

fn key(out: &mut String, name: &str, value: Option<&str>) {
    if let Some(value) = value {
        out.push_str(&format!("{name}: {}\n", one_line(value)));
    }
}

fn comment(out: &mut String, notes: &[String]) {
    if notes.is_empty() {
        return;
    }
    out.push_str("Comment:\n");
    for note in notes {
        let note = one_line(note);
        let lower = note.trim_start().to_ascii_lowercase();
        // Words that would end the block or change the level are marked as remarks.
        if ["comment", "boxorder", "goalorder"].iter().any(|word| lower.starts_with(word)) {
            out.push_str("; ");
        }
        out.push_str(&note);
        out.push('\n');
    }
    out.push_str("Comment-End:\n");
}

/// The text with control characters, line ends among them, replaced by blanks.
pub(super) fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// The rows of a board; an empty row is written `-`, because a blank line would end the board.
pub(super) fn drawn_rows(level: &Level) -> impl Iterator<Item = String> + '_ {
    level.map.rows().map(|row| if row.is_empty() { "-".to_owned() } else { row })
}
