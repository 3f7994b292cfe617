//! A level as it was written: the map and what the file says about it.

use crate::Map;

/// Where in a file something stands; both count from 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// Line.
    pub line: usize,
    /// Column, in characters.
    pub column: usize,
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}

/// A solution or a saved game that came with a level, as written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SavedGame {
    /// Its title line, such as `Solution`.
    pub title: String,
    /// The moves, in LURD, decoded (no counts, no groups).
    pub moves: String,
    /// What is written below it.
    pub notes: Vec<String>,
    /// How many moves stand before the mark of the current position, if it has one.
    pub mark: Option<usize>,
    /// Whether the moves solve the level; found by replay, whatever the title says.
    pub solves: bool,
}

/// A level as it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Level {
    /// The squares.
    pub map: Map,
    /// Its name, if it has one.
    pub title: Option<String>,
    /// Who made it, if the file says so.
    pub author: Option<String>,
    /// Other lines about it, `Key: value` or free text.
    pub notes: Vec<String>,
    /// Solutions and saved games that came with it.
    pub games: Vec<SavedGame>,
    /// Where its first row stands in the file.
    pub place: Place,
    /// Its position among all the levels of the file, from 1, those with defects counted. This is
    /// what tells levels apart; titles may repeat.
    pub number: usize,
}

impl Level {
    /// A level that is nothing but a map.
    pub fn new(map: Map) -> Self {
        Self {
            map,
            title: None,
            author: None,
            notes: Vec::new(),
            games: Vec::new(),
            place: Place { line: 1, column: 1 },
            number: 1,
        }
    }
}
