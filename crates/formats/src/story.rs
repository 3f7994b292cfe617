//! What stands around the boards of a text: titles, authors, notes, solutions and saved games.
//!
//! There is no standard, so the habits of a file are found first: titles before or after the
//! boards, as `Title: x`, as `; x`, or as a bare line. A key below a board wins over a line above it.

use crate::draft::Drawn;
use crate::game::Attempt;
use crate::limits::Budget;
use crate::text::Line;
use crate::{DefectKind, Findings, Found, WarningKind, game};
use lurd_level::lurd::looks_like_moves;
use lurd_level::{Level, Place};

/// A line that draws no board.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry<'a> {
    pub(super) place: Place,
    pub(super) kind: EntryKind<'a>,
}

/// What a line that draws no board is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EntryKind<'a> {
    Blank,
    /// `:: text`, which nobody is meant to see.
    Hidden,
    /// `; text` and its relatives.
    Remark(&'a str),
    /// `Key: value`, for keys that are known; a title may have a colon too.
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

/// Names a line that draws no board.
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

/// Whether a line opens (true) or closes (false) a block of comment.
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

/// How the titles of a file stand to its boards.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Habit {
    /// Keys below the board, lines above it.
    Usual,
    /// Keys above the board.
    KeysBefore,
    /// A bare line below the board.
    LineAfter,
}

impl Habit {
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

/// A title says something; a rule of dashes does not.
fn is_title(text: &str) -> bool {
    text.chars().any(char::is_alphanumeric)
}

/// Gives every board its title, notes and games.
pub(super) fn tell(
    boards: Vec<Drawn>,
    gaps: &[Vec<Entry<'_>>],
    mut findings: Findings,
    budget: &mut Budget,
) -> Findings {
    let habit = Habit::of(gaps);
    let mut file_variant = None;
    let mut boards = boards.into_iter();
    for (index, gap) in gaps.iter().enumerate() {
        // This gap ends the story of the board above it and begins that of the board below.
        let is_last = index + 1 == gaps.len();
        let start = if is_last { gap.len() } else { split(gap, habit, findings.found.last(), budget) };
        let (above, below) = gap.split_at(start);
        if let Some(found) = findings.found.last_mut() {
            let mut teller =
                Teller { found, warnings: Vec::new(), number: index, budget, title_after: habit == Habit::LineAfter };
            teller.tell(above);
            for (place, kind) in teller.warnings {
                findings.warn(place, kind);
            }
        } else {
            file_variant = head(above, &mut findings);
        }
        let Some(drawn) = boards.next() else { break };
        let mut level = Level::new(drawn.map);
        level.place = drawn.place;
        if drawn.decoration > 0 {
            let kind = WarningKind::Decoration { number: index + 1, boxes: drawn.decoration };
            findings.warn(drawn.place, kind);
        }
        let mut found = Found { level, defect: drawn.defect };
        heading(below, &mut found, &mut findings.title);
        if let Some(name) = &file_variant {
            found.defect = Some((found.level.place, DefectKind::Variant(String::clone(name))));
        }
        findings.found.push(found);
    }
    findings
}

/// Where in a gap the story of the next board begins.
fn split(gap: &[Entry<'_>], habit: Habit, above: Option<&Found>, budget: &mut Budget) -> usize {
    let is_blank = |entry: &Entry<'_>| entry.kind == EntryKind::Blank;
    match habit {
        Habit::LineAfter if above.is_some() => return gap.len(),
        Habit::KeysBefore => {
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
                && matches!(game::attempt(&found.level.map, text, budget), Attempt::Played(game) if game.solves || game.moves.len() >= game::CERTAIN)
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

/// What stands before the first board and is about the file. Returns a variant that is not Sokoban.
fn head(entries: &[Entry<'_>], findings: &mut Findings) -> Option<String> {
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

/// What stands above a board and is about it.
fn heading(entries: &[Entry<'_>], found: &mut Found, set: &mut Option<String>) {
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

/// Goes through what stands below a board.
struct Teller<'a> {
    found: &'a mut Found,
    warnings: Vec<(Place, WarningKind)>,
    number: usize,
    budget: &'a mut Budget,
    title_after: bool,
}

impl Teller<'_> {
    fn tell(&mut self, entries: &[Entry<'_>]) {
        let mut index = 0;
        // The line directly above, which may be the title of a game.
        let mut caption: Option<&str> = None;
        let mut below_board = true;
        while let Some(entry) = entries.get(index) {
            index += 1;
            match entry.kind {
                EntryKind::Blank => {
                    self.settle(&mut caption);
                    continue;
                }
                EntryKind::Hidden => {}
                EntryKind::Key(key, value) => {
                    self.settle(&mut caption);
                    if key.eq_ignore_ascii_case("solution") {
                        let mut moves = vec![value];
                        moves.extend(move_lines(entries, &mut index));
                        self.game("Solution", &moves, entry.place);
                    } else {
                        self.key(key, value, entry.place);
                    }
                }
                EntryKind::Block(text) => {
                    self.settle(&mut caption);
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
                    self.settle(&mut caption);
                    if self.title_after && self.found.level.title.is_none() && is_title(text) {
                        self.found.level.title = Some(text.to_owned());
                    } else {
                        caption = Some(text);
                    }
                }
            }
            below_board = false;
        }
        self.settle(&mut caption);
    }

    /// A line that turned out to be no caption is a note.
    fn settle(&mut self, caption: &mut Option<&str>) {
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
                // The key wins; what stood above the board is kept as a note.
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

    /// Takes moves as a game where they can be played, and as notes where not.
    fn game(&mut self, title: &str, lines: &[&str], place: Place) {
        let lower = title.to_ascii_lowercase();
        let announced = ["solution", "snapshot", "saved", "game", "moves"].iter().any(|word| lower.contains(word));
        let moves = lines.join("\n");
        let warning = if self.found.defect.is_some() {
            None
        } else if self.found.level.games.len() >= crate::MAX_GAMES {
            Some(WarningKind::GamesDropped)
        } else {
            match game::attempt(&self.found.level.map, &moves, self.budget) {
                Attempt::Played(mut game) => {
                    // `dull` is a legal walk as well as a word.
                    let certain = announced || game.solves || game.moves.len() >= game::CERTAIN;
                    if certain {
                        game.title = title.to_owned();
                        self.found.level.games.push(game);
                        return;
                    }
                    None
                }
                Attempt::Illegal(fault) => announced.then_some(WarningKind::IllegalGame { number: self.number, fault }),
                Attempt::Unreadable(kind) => {
                    announced.then_some(WarningKind::UnreadableGame { number: self.number, kind })
                }
                Attempt::TooDear => Some(WarningKind::GamesDropped),
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

/// The lines of moves that follow directly.
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
