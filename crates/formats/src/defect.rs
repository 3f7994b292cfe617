//! Defects, warnings and errors of files. Each message names the place and a remedy.

use crate::Format;
use crate::limits::{MAX_BYTES, MAX_GAMES, MAX_LEVELS, MAX_NOTES, MAX_SIDE, MAX_TOTAL_SQUARES};
use lurd_level::Place;
use lurd_level::lurd::LurdErrorKind;
use lurd_level::run_length::RunsErrorKind;
use lurd_level::validity::FlawKind;
use std::fmt;

/// What is wrong with one level.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DefectKind {
    /// The map is not a playable level.
    #[error(transparent)]
    Flaw(#[from] FlawKind),
    /// A board of digits without a player.
    #[error("there is no player; put one on the board (`1` in this format, or `+` on a goal)")]
    NoDigitPlayer,
    /// Too many columns.
    #[error("the row is longer than {MAX_SIDE} squares, which is the most that can be read; make the level smaller")]
    TooWide,
    /// Too many rows.
    #[error("the level has more than {MAX_SIDE} rows, which is the most that can be read; make the level smaller")]
    TooTall,
    /// A count or group is malformed.
    #[error(transparent)]
    Runs(#[from] RunsErrorKind),
    /// A character inside a board that is not a square.
    #[error("{0:?} stands for no square; remove it or replace it by a character of the format")]
    Character(char),
    /// A cell of a JSON matrix that is not a square.
    #[error("the cell {0:?} stands for no square; use W, E, S, B, G, BG or SG")]
    CellName(String),
    /// A variant of Sokoban.
    #[error(
        "the level is of the variant {0}, which is played on another grid or by other rules; only plain Sokoban is played here"
    )]
    Variant(String),
    /// Numbered boxes and goals.
    #[error(
        "the boxes and goals are numbered (Sokoban+), which changes the answer; remove the lines boxorder and goalorder to play it as plain Sokoban"
    )]
    SokobanPlus,
}

/// An invalid level and the reason.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct Defect {
    /// The position among all levels of the file, from 1.
    pub number: usize,
    /// The title of the level.
    pub title: Option<String>,
    /// The place in the file.
    pub place: Place,
    /// What is wrong.
    pub kind: DefectKind,
}

impl fmt::Display for Defect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: level {}", self.place, self.number)?;
        if let Some(title) = &self.title {
            write!(f, " ({:?})", shortened(title))?;
        }
        write!(f, ": {}", self.kind)
    }
}

/// A warning about levels that can be played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "the fields of every variant are named in its sentence")]
pub enum WarningKind {
    /// Tabs in a board.
    #[error(
        "there are tabs in a board; they were read as blanks up to the next column that is a multiple of 8, which may shift rows"
    )]
    Tabs,
    /// Blanks or dashes of web pages or word processors.
    #[error("special blanks or dashes, as web pages have them, were read as plain ones")]
    WebCharacters,
    /// Boxes outside the player's region.
    #[error("level {number} has {boxes} {} on goals that the player can never reach; they are decoration", if *boxes == 1 { "box" } else { "boxes" })]
    Decoration { number: usize, boxes: usize },
    /// A solution or saved game with an illegal move.
    #[error("this game cannot be played on level {number}: {fault}; it was kept as a note")]
    IllegalGame { number: usize, fault: String },
    /// A solution or saved game that cannot be read.
    #[error("the moves of this game of level {number} cannot be read: {kind}; it was kept as a note")]
    UnreadableGame { number: usize, kind: LurdErrorKind },
    /// More games than are kept.
    #[error(
        "more than {MAX_GAMES} games stand with one level, or they are too long altogether; the others were left out"
    )]
    GamesDropped,
    /// More notes than are kept.
    #[error("there are more than {MAX_NOTES} lines of notes; those from here on were left out")]
    NotesDropped,
    /// `Comment:` without `Comment-End:`.
    #[error(
        "the block opened by `Comment:` is never closed by `Comment-End:`; only its first line was taken as a comment"
    )]
    UnclosedComment,
    /// An open level of the digits format.
    #[error(
        "level {0} is open; as the program that made this format does, short rows were filled with walls and a ring of walls was put around it"
    )]
    WalledIn(usize),
}

/// A warning and its place.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {kind}")]
pub struct Warning {
    /// The place in the file.
    pub place: Place,
    /// The warning.
    pub kind: WarningKind,
}

/// Why no level can be read from a file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "the fields of every variant are named in its sentence")]
pub enum ReadError {
    /// The file is too long.
    #[error("the file has {0} bytes and {MAX_BYTES} is the most that is read; split it into several files")]
    TooManyBytes(usize),
    /// Not a text.
    #[error("the file is not a text but binary data; give a file of levels, or save it as text")]
    Binary,
    /// A text without a board.
    #[error(
        "there is no level in the file; a level is drawn in rows with `#` for walls, or name the format if it draws them otherwise"
    )]
    NoLevel,
    /// No valid level; the defects of those found.
    #[error("{}", no_valid_level(.0))]
    NoSoundLevel(Vec<Defect>),
    /// Too many boards.
    #[error("the file has more than {MAX_LEVELS} levels; split it into several files")]
    TooManyLevels,
    /// Too many squares.
    #[error(
        "the levels of the file have more than {MAX_TOTAL_SQUARES} squares altogether; split it into several files"
    )]
    TooManySquares,
    /// Malformed XML.
    #[error("{place}: the XML cannot be read: {what}; correct the file there")]
    Xml { place: Place, what: String },
    /// Malformed JSON.
    #[error("{place}: the JSON cannot be read: {what}; a SokoBOT level has the key `content`, a matrix of letters")]
    Json { place: Place, what: String },
}

/// Why a collection cannot be written in a format.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "the fields of every variant are named in its sentence")]
pub enum WriteError {
    /// No level.
    #[error("there is no level to write; choose at least one")]
    Empty,
    /// Several levels for a format that holds one.
    #[error("a file of the format {format} holds one level and there are {levels}; choose one of them")]
    OneLevel { format: Format, levels: usize },
    /// Too large for Boxoban.
    #[error("level {number} needs {width}x{height} squares and a Boxoban level has 10x10; choose another format")]
    NotTenByTen { number: usize, width: usize, height: usize },
    /// A box or the player on a goal, which Boxoban cannot represent.
    #[error(
        "level {number} starts with a box or the player on a goal, for which Boxoban has no character; choose another format"
    )]
    OnGoal { number: usize },
}

fn no_valid_level(defects: &[Defect]) -> String {
    const SHOWN: usize = 3;
    let mut text = match defects {
        [_] => String::from("the only level of the file cannot be played"),
        _ => format!("none of the {} levels of the file can be played", defects.len()),
    };
    for defect in defects.iter().take(SHOWN) {
        text.push_str(&format!("\n  {defect}"));
    }
    if defects.len() > SHOWN {
        text.push_str(&format!("\n  and {} more", defects.len() - SHOWN));
    }
    text
}

/// A title, abbreviated for a message.
fn shortened(title: &str) -> String {
    const LONGEST: usize = 60;
    match title.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &title[..end]),
        None => title.to_owned(),
    }
}
