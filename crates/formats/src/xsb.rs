//! Drawn boards in text: the reader that `.xsb`, `.txt`, `.sok` and counted boards share, and the
//! writer of plain XSB.
//!
//! The text is cut into boards and what stands around them; `story` makes titles, notes and
//! saved games of the latter.

use crate::board_text::{Look, RowKind, draw, look};
use crate::draft::{Draft, Drawn};
use crate::limits::Budget;
use crate::story::{Entry, EntryKind};
use crate::text::{Line, Text};
use crate::{Collection, Findings, Format, ReadError, WarningKind, story};
use lurd_level::Level;

/// The boards of a text and what stands around them: `gaps[i]` stands before `boards[i]`, and one
/// more gap ends the file.
struct Cut<'a> {
    boards: Vec<Drawn>,
    gaps: Vec<Vec<Entry<'a>>>,
    findings: Findings,
    habits: Habits,
    notes_dropped: bool,
}

/// What tells one kind of drawn text from another.
#[derive(Default)]
struct Habits {
    runs: bool,
    hidden_comments: bool,
    blanks: bool,
    dashes: bool,
}

/// Reads drawn boards.
pub(super) fn read(text: &Text, budget: &mut Budget) -> Result<(Findings, Format), ReadError> {
    let cut = cut(text, budget)?;
    let (habits, text_lines) =
        (cut.habits, cut.gaps.iter().flatten().filter(|entry| entry.kind != EntryKind::Blank).count());
    let dashes_only = habits.dashes && !habits.blanks && text_lines == 0 && cut.boards.len() == 1;
    let findings = story::tell(cut.boards, &cut.gaps, cut.findings, budget);
    let ten_by_ten = |level: &Level| {
        (level.map.width(), level.map.height()) == (10, 10)
            && level.title.as_ref().is_some_and(|title| title.bytes().all(|b| b.is_ascii_digit()))
    };
    let format = if habits.hidden_comments || findings.found.iter().any(|found| !found.level.games.is_empty()) {
        Format::Sok
    } else if habits.runs {
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

fn cut<'a>(text: &'a Text, budget: &mut Budget) -> Result<Cut<'a>, ReadError> {
    let blocks = comment_blocks(text);
    let mut blocks = blocks.iter().copied().peekable();
    let mut cut = Cut {
        boards: Vec::new(),
        gaps: vec![Vec::new()],
        findings: Findings::default(),
        habits: Habits::default(),
        notes_dropped: false,
    };
    let mut board = Board::default();
    let mut block_until: Option<usize> = None;
    for line in text.lines() {
        if let Some(last) = block_until {
            if line.place.line < last {
                cut.note(Entry { place: line.place, kind: EntryKind::Block(line.text) }, budget);
                continue;
            }
            block_until = None;
            if line.place.line == last {
                continue;
            }
        }
        if blocks.next_if(|&(first, _)| first <= line.place.line).map(|(_, last)| block_until = Some(last)).is_some() {
            cut.end(&mut board, budget)?;
            let first = line.text.split_once(':').map_or("", |(_, rest)| rest.trim());
            if !first.is_empty() {
                cut.note(Entry { place: line.place, kind: EntryKind::Block(first) }, budget);
            }
            continue;
        }
        let entry = story::entry(line);
        if matches!(entry.kind, EntryKind::Key(name, "") if name.eq_ignore_ascii_case("comment")) {
            cut.findings.warn(line.place, WarningKind::UnclosedComment);
        }
        // A remark is a remark even where its characters would draw a row.
        let row = match entry.kind {
            EntryKind::Blank => None,
            EntryKind::Remark(_) | EntryKind::Hidden => None,
            _ => Some(look(line.text, !board.draft.is_empty(), board.runs)),
        };
        match row {
            Some(row) if row.kind == RowKind::Wall || (row.kind == RowKind::Inside && !board.draft.is_empty()) => {
                if row.bars && board.bars && board.draft.is_closed_below() && row.opens_with_walls {
                    cut.end(&mut board, budget)?;
                }
                cut.begin(&mut board, budget);
                board.add(line, &row, &mut cut, budget);
            }
            row => {
                cut.end(&mut board, budget)?;
                if matches!(entry.kind, EntryKind::Hidden) {
                    cut.habits.hidden_comments = true;
                    continue;
                }
                if let Some(row) = row
                    && row.kind == RowKind::Decoration
                {
                    board.above.push((line, row));
                } else {
                    board.above.clear();
                }
                cut.note(entry, budget);
            }
        }
    }
    cut.end(&mut board, budget)?;
    Ok(cut)
}

/// The board under way.
#[derive(Default)]
struct Board<'a> {
    draft: Draft,
    runs: bool,
    /// Its last line had `|`.
    bars: bool,
    /// Its first line, and whether it draws nothing but walls: then it may be a line of text.
    first: Option<(Line<'a>, bool)>,
    /// Rows directly above that are decoration if a board begins below.
    above: Vec<(Line<'a>, Look)>,
}

impl<'a> Board<'a> {
    fn add(&mut self, line: Line<'a>, row: &Look, cut: &mut Cut<'a>, budget: &mut Budget) {
        self.runs |= row.runs;
        self.bars = row.bars;
        self.first.get_or_insert((line, !row.pieces && !row.runs && row.spoilt.is_none()));
        cut.habits.runs |= row.runs;
        cut.habits.blanks |= row.blanks;
        cut.habits.dashes |= row.dashes;
        let found = [(row.tabs, WarningKind::Tabs), (row.web, WarningKind::WebCharacters)];
        for (is, kind) in found {
            // Once a file is enough.
            if is && !cut.findings.warnings.iter().any(|warning| warning.kind == kind) {
                cut.findings.warn(line.place, kind);
            }
        }
        draw(&mut self.draft, line, row, budget);
    }
}

impl<'a> Cut<'a> {
    fn gap(&mut self) -> &mut Vec<Entry<'a>> {
        if self.gaps.is_empty() {
            self.gaps.push(Vec::new());
        }
        let last = self.gaps.len() - 1;
        &mut self.gaps[last]
    }

    fn note(&mut self, entry: Entry<'a>, budget: &mut Budget) {
        // A run of blank lines says no more than one.
        let blank = matches!(entry.kind, EntryKind::Blank);
        if blank && matches!(self.gap().last(), Some(Entry { kind: EntryKind::Blank, .. })) {
            return;
        }
        if blank || budget.note() {
            self.gap().push(entry);
        } else if !std::mem::replace(&mut self.notes_dropped, true) {
            self.findings.warn(entry.place, WarningKind::NotesDropped);
        }
    }

    /// Takes the decoration directly above into a board that begins.
    fn begin(&mut self, board: &mut Board<'a>, budget: &mut Budget) {
        for (line, row) in std::mem::take(&mut board.above) {
            self.gap().pop();
            draw(&mut board.draft, line, &row, budget);
        }
    }

    /// Ends the board, if one is under way.
    fn end(&mut self, board: &mut Board<'a>, budget: &mut Budget) -> Result<(), ReadError> {
        let Some((first, only_walls)) = board.first.take() else { return Ok(()) };
        let mut draft = std::mem::take(&mut board.draft);
        (board.runs, board.bars) = (false, false);
        if only_walls && draft.height() == 1 {
            // A rule such as `#####` or a title such as `# Bob`, with nothing below.
            self.note(Entry { place: first.place, kind: EntryKind::Text(first.text.trim()) }, budget);
            return Ok(());
        }
        // Below a board, `....` and `***` are rules that part it from the next.
        draft.pop_rows(|cells| {
            cells.len() >= 3 && cells[0] != lurd_level::Cell::Wall && cells.iter().all(|&c| c == cells[0])
        });
        self.boards.push(draft.finish(budget)?);
        self.gaps.push(Vec::new());
        Ok(())
    }
}

/// The lines of `Comment:` and of the `Comment-End:` that closes it, in pairs.
fn comment_blocks(text: &Text) -> Vec<(usize, usize)> {
    let mut blocks = Vec::new();
    // Most files have none and need not be walked for them.
    if !text.as_str().contains("omment") && !text.as_str().contains("OMMENT") {
        return blocks;
    }
    let mut open = None;
    for line in text.lines() {
        match story::comment_mark(line.text) {
            Some(true) => open = Some(line.place.line),
            Some(false) => blocks.extend(open.take().map(|first| (first, line.place.line))),
            None => {}
        }
    }
    blocks
}

/// Writes boards with titles, notes and games below them.
pub(super) fn write(collection: &Collection) -> String {
    let mut out = String::new();
    header(&mut out, collection);
    for level in &collection.levels {
        for row in drawn_rows(level) {
            out.push_str(&row);
            out.push('\n');
        }
        footer(&mut out, level);
        games(&mut out, level);
        out.push('\n');
    }
    out
}

/// What stands before the first board.
pub(super) fn header(out: &mut String, collection: &Collection) {
    let before = out.len();
    key(out, "Collection", collection.title.as_deref());
    key(out, "Author", collection.author.as_deref());
    comment(out, &collection.notes);
    if out.len() > before {
        out.push('\n');
    }
}

/// What stands below a board.
pub(super) fn footer(out: &mut String, level: &Level) {
    key(out, "Title", level.title.as_deref());
    key(out, "Author", level.author.as_deref());
    comment(out, &level.notes);
}

/// The solutions and saved games of a level, as Sokoban YASC and JSoko write them: a title line, the moves, notes.
pub(super) fn games(out: &mut String, level: &Level) {
    for game in &level.games {
        let title = match one_line(&game.title) {
            title if title.trim().is_empty() && game.solves => "Solution".to_owned(),
            title if title.trim().is_empty() => "Snapshot".to_owned(),
            title => title,
        };
        let (before, after) = game.moves.split_at(game.mark.unwrap_or(game.moves.len()).min(game.moves.len()));
        let mark = if game.mark.is_some() { "*" } else { "" };
        out.push_str(&format!("\n{title}\n{before}{mark}{after}\n"));
        for note in &game.notes {
            out.push_str(&one_line(note));
            out.push('\n');
        }
    }
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
        // Words that would end the block or change the level are kept from being read so.
        if ["comment", "boxorder", "goalorder"].iter().any(|word| lower.starts_with(word)) {
            out.push_str("; ");
        }
        out.push_str(&note);
        out.push('\n');
    }
    out.push_str("Comment-End:\n");
}

/// The text without line ends, which would make it two lines.
pub(super) fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// The rows of a board; an empty row inside is written `-`, since a blank line would end it.
pub(super) fn drawn_rows(level: &Level) -> impl Iterator<Item = String> + '_ {
    level.map.rows().map(|row| if row.is_empty() { "-".to_owned() } else { row })
}
