//! The text around the boards of a file: titles, authors, notes, solutions and saved games.
//!
//! There is no standard, so the style of a file is determined first: titles before or after the boards, as `Title: x`,
//! as `; x`, or as a bare line. A key below a board takes precedence over a line above it.

use crate::draft::Drawn;
use crate::game::Replay;
use crate::limits::Budget;
use crate::text::{Line, Text};
use crate::{DefectKind, Findings, Found, WarningKind, game};
use lurd_level::Place;
use lurd_level::lurd::looks_like_moves;
use std::iter::Peekable;
use std::vec::IntoIter;

/// A line that is not part of a board.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry<'a> {
    pub(super) place: Place,
    pub(super) kind: EntryKind<'a>,
}

/// The kind of an [`Entry`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EntryKind<'a> {
    Blank,
    /// `:: text`, a comment that programs do not show.
    Hidden,
    /// `; text` and similar marks.
    Remark(&'a str),
    /// `Key: value` with a known key; a title may contain a colon too.
    Key(&'a str, &'a str),
    /// A line between `Comment:` and `Comment-End:`.
    Block(&'a str),
    Text(&'a str),
}

const KEYS: [&str; 24] = [
    "title",
    "author",
    "comment",
    "comment-end",
    "comment_end",
    "set",
    "collection",
    "date",
    "date created",
    "date of last change",
    "copyright",
    "email",
    "homepage",
    "url",
    "authormail",
    "author mail",
    "limit",
    "source",
    "solution",
    "variant",
    "tessellation",
    "difficulty",
    "description",
    "remark",
];

/// Classifies a line that is not part of a board.
pub(super) fn entry(line: Line<'_>) -> Entry<'_> {
    let invisible = |c: char| c.is_whitespace() || matches!(c, '\u{200b}' | '\u{feff}');
    let text = line.text.trim_matches(invisible);
    let kind = if text.is_empty() {
        EntryKind::Blank
    } else if text.starts_with("::") {
        EntryKind::Hidden
    } else if let Some(rest) = [";", "//", "'", "%"].iter().find_map(|mark| text.strip_prefix(mark)) {
        EntryKind::Remark(rest.trim_start_matches([';', '/', '%']).trim())
    } else if let Some((key, value)) = text.split_once(':')
        && is_key(key)
    {
        EntryKind::Key(key.trim(), value.trim())
    } else {
        EntryKind::Text(text)
    };
    Entry { place: line.place, kind }
}

fn is_key(text: &str) -> bool {
    let text = text.trim();
    KEYS.iter().any(|key| key.eq_ignore_ascii_case(text))
}

/// Whether a line opens (true) or closes (false) a comment block.
pub(super) fn comment_mark(text: &str) -> Option<bool> {
    let text = text.trim();
    let word = text.get(..7).filter(|word| word.eq_ignore_ascii_case("comment"))?;
    match &text[word.len()..] {
        rest if rest.starts_with(':') => Some(true),
        rest => {
            let end = rest.trim_start_matches(['-', '_', ' ']);
            end.get(..3).is_some_and(|word| word.eq_ignore_ascii_case("end")).then_some(false)
        }
    }
}

/// The blocks between `Comment:` and `Comment-End:` of a text whose lines are read in order. Nothing in them is a board.
pub(super) struct CommentBlocks {
    /// The first and last line of each.
    blocks: Peekable<IntoIter<(usize, usize)>>,
    last: Option<usize>,
}

impl CommentBlocks {
    pub(super) fn new(text: &Text) -> Self {
        let mut blocks = Vec::new();
        // Most files have none and need not be scanned.
        if text.as_str().contains("omment") || text.as_str().contains("OMMENT") {
            let mut open = None;
            for line in text.lines() {
                match comment_mark(line.text) {
                    Some(true) => open = Some(line.place.line),
                    Some(false) => blocks.extend(open.take().map(|first| (first, line.place.line))),
                    None => {}
                }
            }
        }
        Self { blocks: blocks.into_iter().peekable(), last: None }
    }

    /// Whether a line belongs to a block, and the entry that it is there; the marks themselves are none.
    pub(super) fn take<'a>(&mut self, line: Line<'a>) -> Option<Option<Entry<'a>>> {
        let block = |text| Entry { place: line.place, kind: EntryKind::Block(text) };
        if let Some(last) = self.last {
            if line.place.line < last {
                return Some(Some(block(line.text)));
            }
            self.last = None;
            if line.place.line == last {
                return Some(None);
            }
        }
        let (_, last) = self.blocks.next_if(|&(first, _)| first <= line.place.line)?;
        self.last = Some(last);
        let first = line.text.split_once(':').map_or("", |(_, rest)| rest.trim());
        Some((!first.is_empty()).then(|| block(first)))
    }
}

/// Where the titles of a file are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum TitleStyle {
    /// Keys below the board, lines above it.
    Usual,
    /// Keys above the board.
    KeysBefore,
    /// A bare line below the board.
    LineAfter,
}

impl TitleStyle {
    fn of(gaps: &[Vec<Entry<'_>>]) -> Self {
        let (Some(first), Some(last)) = (gaps.first(), gaps.last()) else { return Self::Usual };
        let inner = gaps.get(1..gaps.len() - 1).unwrap_or_default();
        if has_title_key(first)
            && !has_title_key(last)
            && (inner.is_empty() || inner.iter().any(|gap| has_title_key(gap)))
        {
            return Self::KeysBefore;
        }
        let line = |entry: &Entry<'_>| match entry.kind {
            EntryKind::Text(text) | EntryKind::Remark(text) => is_title(text) && !looks_like_moves(text),
            _ => false,
        };
        if !first.iter().any(line) && last.first().is_some_and(line) { Self::LineAfter } else { Self::Usual }
    }
}

fn has_title_key(gap: &[Entry<'_>]) -> bool {
    gap.iter().any(|entry| matches!(entry.kind, EntryKind::Key(key, _) if key.eq_ignore_ascii_case("title")))
}

/// A title has a letter or digit; a rule of dashes has none.
fn is_title(text: &str) -> bool {
    text.chars().any(char::is_alphanumeric)
}

/// The boards of a text and the entries around them: `gaps[i]` precedes `boards[i]`, and the last gap ends the file.
pub(super) struct Outline<'a> {
    pub(super) boards: Vec<Drawn>,
    gaps: Vec<Vec<Entry<'a>>>,
    pub(super) findings: Findings,
    notes_dropped: bool,
}

impl<'a> Outline<'a> {
    pub(super) fn new() -> Self {
        Self { boards: Vec::new(), gaps: vec![Vec::new()], findings: Findings::default(), notes_dropped: false }
    }

    /// The entries after the last board.
    pub(super) fn gap(&mut self) -> &mut Vec<Entry<'a>> {
        let last = self.boards.len();
        &mut self.gaps[last]
    }

    /// Whether no entry has any text.
    pub(super) fn has_boards_only(&self) -> bool {
        self.gaps.iter().flatten().all(|entry| entry.kind == EntryKind::Blank)
    }

    /// Appends an entry. Of consecutive blank lines one is kept.
    pub(super) fn entry(&mut self, entry: Entry<'a>, budget: &mut Budget) {
        let is_blank = entry.kind == EntryKind::Blank;
        if is_blank && self.gap().last().is_some_and(|last| last.kind == EntryKind::Blank) {
            return;
        }
        if is_blank || budget.note() {
            self.gap().push(entry);
        } else if !std::mem::replace(&mut self.notes_dropped, true) {
            self.findings.warn(entry.place, WarningKind::NotesDropped);
        }
    }

    /// Appends a line that is not part of a board; `inside` is what [`CommentBlocks::take`] says of it.
    pub(super) fn line(&mut self, line: Line<'a>, inside: Option<Option<Entry<'a>>>, budget: &mut Budget) {
        if let Some(entry) = inside.unwrap_or_else(|| Some(entry(line))) {
            self.entry(entry, budget);
        }
    }

    /// Appends a board.
    pub(super) fn board(&mut self, drawn: Drawn) {
        self.boards.push(drawn);
        self.gaps.push(Vec::new());
    }

    /// Assigns titles, notes and games to the boards.
    pub(super) fn annotate(self, budget: &mut Budget) -> Findings {
        let Self { boards, gaps, mut findings, .. } = self;
        let style = TitleStyle::of(&gaps);
        let mut file_variant = None;
        let mut boards = boards.into_iter();
        for (index, gap) in gaps.iter().enumerate() {
            // The first part of a gap belongs to the board above it, the rest to the board below.
            let is_last = index + 1 == gaps.len();
            let start = if is_last { gap.len() } else { split(gap, style, findings.found.last(), budget) };
            let (above, below) = gap.split_at(start);
            if let Some(found) = findings.found.last_mut() {
                let title_after = style == TitleStyle::LineAfter;
                let mut footer = Footer { found, warnings: Vec::new(), number: index, budget, title_after };
                footer.read(above);
                for (place, kind) in footer.warnings {
                    findings.warn(place, kind);
                }
            } else {
                file_variant = file_header(above, &mut findings);
            }
            let Some(drawn) = boards.next() else { break };
            let mut found = findings.found(drawn);
            header(below, &mut found, &mut findings.title);
            if let Some(name) = &file_variant {
                found.defect = Some((found.level.place, DefectKind::Variant(String::clone(name))));
            }
            findings.found.push(found);
        }
        findings
    }
}

/// The index in a gap where the entries of the next board begin.
fn split(gap: &[Entry<'_>], style: TitleStyle, above: Option<&Found>, budget: &mut Budget) -> usize {
    let is_blank = |entry: &Entry<'_>| entry.kind == EntryKind::Blank;
    match style {
        TitleStyle::LineAfter if above.is_some() => return gap.len(),
        TitleStyle::KeysBefore => {
            let title = gap.iter().position(|entry| has_title_key(std::slice::from_ref(entry))).unwrap_or(gap.len());
            return gap[..title].iter().rposition(is_blank).map_or(0, |blank| blank + 1);
        }
        _ => {}
    }
    let end = gap.iter().rposition(|entry| !is_blank(entry)).map_or(0, |last| last + 1);
    let lines =
        gap[..end].iter().rposition(|entry| !matches!(entry.kind, EntryKind::Key(..))).map_or(0, |last| last + 1);
    let Some(last) = lines.checked_sub(1) else { return gap.len() };
    match gap[last].kind {
        EntryKind::Remark(_) => gap[..last]
            .iter()
            .rposition(|entry| !matches!(entry.kind, EntryKind::Remark(_)))
            .map_or(0, |other| other + 1),
        EntryKind::Text(text) if lines == end && is_title(text) => {
            if let Some(found) = above
                && looks_like_moves(text)
                && found.defect.is_none()
                && matches!(game::replay(&found.level.map, text, budget), Replay::Legal(game) if game.solves || game.moves.len() >= game::CERTAIN)
            {
                return gap.len();
            }
            let texts = gap.iter().filter(|entry| matches!(entry.kind, EntryKind::Text(_))).count();
            let after_blank = last == 0 || is_blank(&gap[last - 1]);
            let touches_board = end == gap.len() && gap[..last].iter().any(is_blank);
            if after_blank || texts == 1 || touches_board { last } else { gap.len() }
        }
        _ => gap.len(),
    }
}

/// Reads the entries about the file, before the first board. Returns a variant that is not Sokoban.
fn file_header(entries: &[Entry<'_>], findings: &mut Findings) -> Option<String> {
    let mut foreign = None;
    for entry in entries {
        match entry.kind {
            EntryKind::Blank | EntryKind::Hidden => {}
            EntryKind::Remark(text) | EntryKind::Block(text) | EntryKind::Text(text) => {
                findings.notes.push(text.to_owned());
            }
            EntryKind::Key(key, value) => match key.to_ascii_lowercase().as_str() {
                "collection" | "set" => findings.title = Some(value.to_owned()),
                "title" if findings.title.is_none() => findings.title = Some(value.to_owned()),
                "author" if findings.author.is_none() => findings.author = Some(value.to_owned()),
                name => {
                    foreign = foreign.or_else(|| variant(name, value));
                    findings.notes.push(format!("{key}: {value}"));
                }
            },
        }
    }
    foreign
}

/// Reads the entries above a board.
fn header(entries: &[Entry<'_>], found: &mut Found, set: &mut Option<String>) {
    let level = &mut found.level;
    let mut line = None;
    for entry in entries {
        match entry.kind {
            EntryKind::Blank | EntryKind::Hidden => {}
            EntryKind::Remark(text) | EntryKind::Text(text) if is_title(text) => {
                level.notes.extend(line.replace(text).map(str::to_owned));
            }
            EntryKind::Remark(_) | EntryKind::Text(_) => {}
            EntryKind::Block(text) => level.notes.push(text.to_owned()),
            EntryKind::Key(key, value) => match key.to_ascii_lowercase().as_str() {
                "title" => level.title = Some(value.to_owned()),
                "author" => level.author = Some(value.to_owned()),
                "collection" | "set" if set.is_none() => *set = Some(value.to_owned()),
                name => {
                    refuse_variant(&mut found.defect, name, value, entry.place);
                    level.notes.push(format!("{key}: {value}"));
                }
            },
        }
    }
    match line {
        Some(line) if level.title.is_none() => level.title = Some(line.to_owned()),
        line => level.notes.extend(line.map(str::to_owned)),
    }
}

/// The name of a variant that is not plain Sokoban.
fn variant(key: &str, value: &str) -> Option<String> {
    let plain = ["", "sokoban", "square", "squares", "none", "normal"];
    let foreign = matches!(key, "variant" | "tessellation") && !plain.contains(&value.to_ascii_lowercase().as_str());
    foreign.then(|| value.to_owned())
}

fn refuse_variant(defect: &mut Option<(Place, DefectKind)>, key: &str, value: &str, place: Place) {
    if let Some(name) = variant(key, value) {
        *defect = Some((place, DefectKind::Variant(name)));
    }
}

/// Reads the entries below a board.
struct Footer<'a> {
    found: &'a mut Found,
    warnings: Vec<(Place, WarningKind)>,
    number: usize,
    budget: &'a mut Budget,
    title_after: bool,
}

impl Footer<'_> {
    fn read(&mut self, entries: &[Entry<'_>]) {
        let mut index = 0;
        // The line directly above, possibly the title of a game.
        let mut caption: Option<&str> = None;
        let mut below_board = true;
        while let Some(entry) = entries.get(index) {
            index += 1;
            match entry.kind {
                EntryKind::Blank => {
                    self.flush(&mut caption);
                    continue;
                }
                EntryKind::Hidden => {}
                EntryKind::Key(key, value) => {
                    self.flush(&mut caption);
                    if key.eq_ignore_ascii_case("solution") {
                        let mut moves = vec![value];
                        moves.extend(move_lines(entries, &mut index));
                        self.game("Solution", &moves, entry.place);
                    } else {
                        self.key(key, value, entry.place);
                    }
                }
                EntryKind::Block(text) => {
                    self.flush(&mut caption);
                    let word = text.split_whitespace().next().unwrap_or("");
                    if word.eq_ignore_ascii_case("boxorder") || word.eq_ignore_ascii_case("goalorder") {
                        self.found.defect.get_or_insert((entry.place, DefectKind::SokobanPlus));
                    }
                    self.note(text);
                }
                EntryKind::Text(text) if looks_like_moves(text) && (caption.is_some() || below_board) => {
                    let mut moves = vec![text];
                    moves.extend(move_lines(entries, &mut index));
                    let title = caption.take().unwrap_or("");
                    self.game(title, &moves, entry.place);
                }
                EntryKind::Text(text) | EntryKind::Remark(text) => {
                    self.flush(&mut caption);
                    if self.title_after && self.found.level.title.is_none() && is_title(text) {
                        self.found.level.title = Some(text.to_owned());
                    } else {
                        caption = Some(text);
                    }
                }
            }
            below_board = false;
        }
        self.flush(&mut caption);
    }

    /// Stores a line that is not the title of a game as a note.
    fn flush(&mut self, caption: &mut Option<&str>) {
        if let Some(text) = caption.take() {
            self.note(text);
        }
    }

    fn note(&mut self, text: &str) {
        let level = &mut self.found.level;
        let notes = level.games.last_mut().map_or(&mut level.notes, |game| &mut game.notes);
        notes.push(text.to_owned());
    }

    fn key(&mut self, key: &str, value: &str, place: Place) {
        match key.to_ascii_lowercase().as_str() {
            "title" => {
                // The key takes precedence; the line above the board becomes a note.
                let level = &mut self.found.level;
                if let Some(line) = level.title.replace(value.to_owned())
                    && line != value
                {
                    level.notes.push(line);
                }
            }
            "author" => self.found.level.author = Some(value.to_owned()),
            name => {
                refuse_variant(&mut self.found.defect, name, value, place);
                self.note(&format!("{key}: {value}"));
            }
        }
    }

    /// Stores moves as a game if they are legal, else as notes.
    fn game(&mut self, title: &str, lines: &[&str], place: Place) {
        let lower = title.to_ascii_lowercase();
        let announced = ["solution", "snapshot", "saved", "game", "moves"].iter().any(|word| lower.contains(word));
        let moves = lines.join("\n");
        let warning = if self.found.defect.is_some() {
            None
        } else if self.found.level.games.len() >= crate::MAX_GAMES {
            Some(WarningKind::GamesDropped)
        } else {
            match game::replay(&self.found.level.map, &moves, self.budget) {
                Replay::Legal(mut game) => {
                    // A word such as `dull` may be a legal walk.
                    let certain = announced || game.solves || game.moves.len() >= game::CERTAIN;
                    if certain {
                        game.title = title.to_owned();
                        self.found.level.games.push(game);
                        return;
                    }
                    None
                }
                Replay::Illegal(fault) => announced.then_some(WarningKind::IllegalGame { number: self.number, fault }),
                Replay::Unreadable(kind) => {
                    announced.then_some(WarningKind::UnreadableGame { number: self.number, kind })
                }
                Replay::OverBudget => Some(WarningKind::GamesDropped),
            }
        };
        let dropped = warning == Some(WarningKind::GamesDropped);
        self.warnings.extend(warning.map(|kind| (place, kind)));
        if !dropped {
            for text in [title].iter().chain(lines).filter(|text| !text.is_empty()) {
                self.note(text);
            }
        }
    }
}

/// The consecutive lines of moves from `index` on.
fn move_lines<'a>(entries: &[Entry<'a>], index: &mut usize) -> Vec<&'a str> {
    let mut lines = Vec::new();
    while let Some(Entry { kind: EntryKind::Text(text), .. }) = entries.get(*index)
        && looks_like_moves(text)
    {
        lines.push(*text);
        *index += 1;
    }
    lines
}
