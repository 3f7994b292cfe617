//! Files of levels: reads every common format, recognised by content, and writes any of them.
//!
//! One module per format. Shared modules: `text` turns bytes into lines; `draft` turns rows into a map and keeps the
//! place of every square in the file, so that every message names a line and a column; `annotations` assigns titles,
//! notes and games to boards. The README of the crate lists the formats.
//!
//! One invalid level does not affect the others: [`read`] returns the valid levels and the defects of the rest. Only a
//! file without any valid level is an error.
//!
//! ```
//! let file = b"; first\n#####\n#@$.#\n#####\n";
//! let collection = lurd_formats::read(file, None).unwrap();
//! assert_eq!(collection.levels[0].title.as_deref(), Some("first"));
//! ```

mod annotations;
mod board_text;
mod boxoban;
mod course;
mod defect;
mod digits;
mod draft;
mod game;
mod limits;
mod mf8;
mod rle;
mod slc;
mod sok;
mod sokobot;
mod solutions;
mod ssx;
mod text;
mod xml;
mod xsb;

pub use defect::{Defect, DefectKind, ReadError, Warning, WarningKind, WriteError};
pub use limits::{MAX_BYTES, MAX_GAMES, MAX_LEVELS, MAX_NOTES, MAX_SIDE, MAX_TOTAL_SQUARES};
pub use sokobot::{BEST_MOVES, FEWEST_PUSHES};
pub use solutions::{Solutions, SolutionsError};

use limits::Budget;
use lurd_level::validity::check;
use lurd_level::{Level, Place};
use std::fmt;
use std::str::FromStr;

/// A format of level files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// Boards drawn in text.
    Xsb,
    /// Boards drawn in text with counts.
    Rle,
    /// Sokoban YASC.
    Sok,
    /// XML of Sokoban for Windows.
    Slc,
    /// JSON of SokoBOT.
    SokoBot,
    /// The character matrix of a Java A* project.
    Digits,
    /// Boards of 10x10, many per file.
    Boxoban,
    /// One level per file, `-` for floor.
    Course,
    /// The tags of the mf8 forum.
    Mf8,
    /// XML of SokoSolve.
    Ssx,
}

impl Format {
    /// Every format, in the order help lists them.
    pub const ALL: &'static [Self] = &[
        Self::Xsb,
        Self::Rle,
        Self::Sok,
        Self::Slc,
        Self::SokoBot,
        Self::Digits,
        Self::Boxoban,
        Self::Course,
        Self::Mf8,
        Self::Ssx,
    ];

    /// The name on the command line, the file name extension and one sentence.
    fn texts(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Self::Xsb => ("xsb", "xsb", "text, one character a square, with titles and notes; what most programs read"),
            Self::Rle => ("rle", "txt", "text with counts, `4#` for `####`, one line a level"),
            Self::Sok => ("sok", "sok", "Sokoban YASC: text with notes, solutions and saved games"),
            Self::Slc => ("slc", "slc", "XML of Sokoban for Windows, with titles and copyright"),
            Self::SokoBot => {
                ("sokobot", "json", "JSON of SokoBOT, one level a file; a box or player on a goal is our extension")
            }
            Self::Digits => {
                ("digits", "txt", "text of a Java A* project: 1 player, 0 box, $ goal; open levels are walled in")
            }
            Self::Boxoban => ("boxoban", "txt", "Boxoban: numbered boards of 10x10 with walls outside"),
            Self::Course => ("course", "xsb", "one level a file, every floor square `-`, no titles"),
            Self::Mf8 => ("mf8", "txt", "the [soko] tags of the mf8 forum: H wall, a player, x player on goal"),
            Self::Ssx => ("ssx", "ssx", "XML of SokoSolve, with titles and solutions"),
        }
    }

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        self.texts().0
    }

    /// What it is, in one sentence.
    pub fn about(self) -> &'static str {
        self.texts().2
    }

    /// Whether the format can store solutions and saved games.
    pub fn holds_games(self) -> bool {
        matches!(self, Self::Xsb | Self::Rle | Self::Sok | Self::Digits | Self::Mf8 | Self::Ssx)
    }

    /// The file name extension, without the dot.
    pub fn extension(self) -> &'static str {
        self.texts().1
    }
}

impl lurd_base::Choice for Format {
    const ALL: &'static [Self] = Self::ALL;

    fn name(self) -> &'static str {
        self.name()
    }

    fn about(self) -> &'static str {
        self.about()
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Format {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        Self::ALL.iter().copied().find(|format| format.name() == text).ok_or_else(|| {
            let names: Vec<_> = Self::ALL.iter().map(|format| format.name()).collect();
            format!("there is no format `{text}`; choose one of {}", names.join(", "))
        })
    }
}

/// The content of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Collection {
    /// The title of the collection.
    pub title: Option<String>,
    /// The author of the collection.
    pub author: Option<String>,
    /// Other lines about the collection.
    pub notes: Vec<String>,
    /// The valid levels in file order; `number` is the position in the file.
    pub levels: Vec<Level>,
    /// The defects of the invalid levels, in file order.
    pub defects: Vec<Defect>,
    /// Warnings about levels that can be played.
    pub warnings: Vec<Warning>,
    /// The format that was recognised.
    pub format: Format,
}

impl Collection {
    /// A collection made in memory; the levels are numbered in the order given.
    pub fn new(mut levels: Vec<Level>) -> Self {
        for (index, level) in levels.iter_mut().enumerate() {
            level.number = index + 1;
        }
        let (notes, defects, warnings) = (Vec::new(), Vec::new(), Vec::new());
        Self { title: None, author: None, notes, levels, defects, warnings, format: Format::Xsb }
    }
}

/// A level found by a reader, and its first known defect.
struct Found {
    level: Level,
    defect: Option<(Place, DefectKind)>,
}

/// The result of a reader.
#[derive(Default)]
struct Findings {
    title: Option<String>,
    author: Option<String>,
    notes: Vec<String>,
    found: Vec<Found>,
    warnings: Vec<Warning>,
}

impl Findings {
    fn warn(&mut self, place: Place, kind: WarningKind) {
        if self.warnings.len() < limits::MAX_WARNINGS {
            self.warnings.push(Warning { place, kind });
        }
    }

    /// The next level, without annotations.
    fn found(&mut self, drawn: draft::Drawn) -> Found {
        let level = Level { place: drawn.place, ..Level::new(drawn.map) };
        if drawn.decoration > 0 {
            let number = self.found.len() + 1;
            self.warn(drawn.place, WarningKind::Decoration { number, boxes: drawn.decoration });
        }
        Found { level, defect: drawn.defect }
    }
}

/// Reads a file of levels. Without a hint the format is recognised by the content.
///
/// # Errors
/// When the file is not text, violates the syntax of its format, exceeds a limit, or holds no valid level; in the last
/// case the error lists the defects.
pub fn read(bytes: &[u8], hint: Option<Format>) -> Result<Collection, ReadError> {
    read_within(Budget::default(), bytes, hint)
}

/// As [`read`], but a level that is not enclosed is completed instead of rejected: short rows are filled with wall and a
/// ring of walls is added. Written floor stays floor.
///
/// # Errors
/// As [`read`].
pub fn read_and_wall_in(bytes: &[u8], hint: Option<Format>) -> Result<Collection, ReadError> {
    read_within(Budget::walling_in(), bytes, hint)
}

fn read_within(mut budget: Budget, bytes: &[u8], hint: Option<Format>) -> Result<Collection, ReadError> {
    if bytes.len() > MAX_BYTES {
        return Err(ReadError::TooManyBytes(bytes.len()));
    }
    let text = text::decode(bytes)?;
    let (findings, format) = match hint.unwrap_or_else(|| detect(&text)) {
        Format::Slc => (slc::read(&text, &mut budget)?, Format::Slc),
        Format::Ssx => (ssx::read(&text, &mut budget)?, Format::Ssx),
        Format::SokoBot => (sokobot::read(&text, &mut budget)?, Format::SokoBot),
        Format::Digits => (digits::read(&text, &mut budget)?, Format::Digits),
        Format::Mf8 => (mf8::read(&text, &mut budget)?, Format::Mf8),
        Format::Xsb | Format::Rle | Format::Sok | Format::Boxoban | Format::Course => xsb::read(&text, &mut budget)?,
    };
    collect(findings, format)
}

/// Writes a collection.
///
/// # Errors
/// When the format cannot represent the collection.
pub fn write(collection: &Collection, format: Format) -> Result<Vec<u8>, WriteError> {
    if collection.levels.is_empty() {
        return Err(WriteError::Empty);
    }
    match format {
        Format::Xsb => Ok(xsb::write(collection, "")),
        Format::Rle => Ok(rle::write(collection)),
        Format::Sok => Ok(sok::write(collection)),
        Format::Slc => Ok(slc::write(collection)),
        Format::Ssx => Ok(ssx::write(collection)),
        Format::SokoBot => sokobot::write(collection),
        Format::Digits => Ok(digits::write(collection)),
        Format::Boxoban => boxoban::write(collection),
        Format::Course => course::write(collection),
        Format::Mf8 => Ok(mf8::write(collection)),
    }
    .map(String::into_bytes)
}

/// The format by content. Text without any other mark is read as drawn boards.
fn detect(text: &text::Text) -> Format {
    let start = text.as_str().trim_start();
    if slc::recognises(start) && ssx::recognises(start) {
        Format::Ssx
    } else if slc::recognises(start) {
        Format::Slc
    } else if mf8::recognises(text) {
        Format::Mf8
    } else if sokobot::recognises(start) {
        Format::SokoBot
    } else if digits::recognises(text) {
        Format::Digits
    } else {
        Format::Xsb
    }
}

/// Numbers the levels and separates the valid ones from the others.
fn collect(findings: Findings, format: Format) -> Result<Collection, ReadError> {
    let Findings { title, author, notes, found, warnings } = findings;
    let mut collection = Collection { title, author, notes, levels: Vec::new(), defects: Vec::new(), warnings, format };
    if found.is_empty() {
        return Err(ReadError::NoLevel);
    }
    for (index, Found { mut level, defect }) in found.into_iter().enumerate() {
        level.number = index + 1;
        match defect {
            Some((place, kind)) => {
                collection.defects.push(Defect { number: level.number, title: level.title, place, kind });
            }
            None => collection.levels.push(level),
        }
    }
    collection.warnings.sort_by_key(|warning| warning.place);
    if collection.levels.is_empty() { Err(ReadError::NoSoundLevel(collection.defects)) } else { Ok(collection) }
}

/// Checks a map and counts its decoration; `place` maps a square to its place in the file.
fn validity(map: &lurd_level::Map, place: impl Fn(usize, usize) -> Place) -> Result<usize, (Place, DefectKind)> {
    match check(map) {
        Ok(census) => Ok(census.boxes - census.reachable_boxes),
        Err(flaw) => Err((place(flaw.row, flaw.column), DefectKind::Flaw(flaw.kind))),
    }
}

impl IntoIterator for Collection {
    type Item = Level;
    type IntoIter = std::vec::IntoIter<Level>;

    /// The levels in file order.
    fn into_iter(self) -> Self::IntoIter {
        self.levels.into_iter()
    }
}

impl<'a> IntoIterator for &'a Collection {
    type Item = &'a Level;
    type IntoIter = std::slice::Iter<'a, Level>;

    fn into_iter(self) -> Self::IntoIter {
        self.levels.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn open_levels_are_walled_in_on_request_and_written_floor_stays_floor() {
        let text = "####\n#@$ .  \n#\n";
        let Err(ReadError::NoSoundLevel(defects)) = read(text.as_bytes(), None) else { panic!("it is open") };
        assert_eq!(defects[0].kind, DefectKind::Flaw(lurd_level::validity::FlawKind::NotEnclosed));
        let collection = read_and_wall_in(text.as_bytes(), None).unwrap();
        let rows: Vec<String> = collection.levels[0].map.rows().collect();
        assert_eq!(rows, ["#########", "#########", "##@$ .  #", "#########", "#########"].map(String::from));
    }

    #[test]
    fn walls_around_a_level_count_among_its_rows_and_columns() {
        let wide = |walls: usize, row: &str| format!("{}\n{row}\n###\n", "#".repeat(walls));
        let tall = |rows: usize| format!("####\n#@$.\n{}", "#\n".repeat(rows - 2));
        const MOST: usize = MAX_SIDE - 2;
        for (largest, larger, format, kind) in [
            (wide(MOST, "#@$.#"), wide(MOST + 1, "#@$.#"), Format::Xsb, DefectKind::TooWide),
            (wide(MOST, "#10$#"), wide(MOST + 1, "#10$#"), Format::Digits, DefectKind::TooWide),
            (tall(MOST), tall(MOST + 1), Format::Xsb, DefectKind::TooTall),
        ] {
            let collection = read_and_wall_in(largest.as_bytes(), Some(format)).unwrap();
            assert!(read(&write(&collection, format).unwrap(), Some(format)).is_ok());
            let Err(ReadError::NoSoundLevel(defects)) = read_and_wall_in(larger.as_bytes(), Some(format)) else {
                panic!("{format:?}, {kind:?}")
            };
            assert_eq!(defects[0].kind, kind);
        }
    }
}
