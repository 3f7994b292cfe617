//! A level as read from a file: its map, title, author, notes and saved games.

use crate::Map;

/// A position in a file; line and column count from 1.
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

/// A solution or saved game stored with a level.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SavedGame {
    /// Its title line, such as `Solution`.
    pub title: String,
    /// The moves, in LURD, decoded (no counts, no groups).
    pub moves: String,
    /// The lines below the moves.
    pub notes: Vec<String>,
    /// The number of moves before the mark of the current position, if there is a mark.
    pub mark: Option<usize>,
    /// Whether the moves solve the level: determined by replay, not by the title.
    pub solves: bool,
}

/// A level as read from a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Level {
    /// The squares.
    pub map: Map,
    /// The title, if the file gives one.
    pub title: Option<String>,
    /// The author, if the file gives one.
    pub author: Option<String>,
    /// Other lines about the level, `Key: value` or free text.
    pub notes: Vec<String>,
    /// Solutions and saved games.
    pub games: Vec<SavedGame>,
    /// The place of the first row in the file.
    pub place: Place,
    /// The position among all levels of the file, from 1; defective levels count. It identifies the level, because
    /// titles may repeat.
    pub number: usize,
}

impl Level {
    /// A figure that a note states under one of these names, such as `Pushes: 12`.
    ///
    /// ```
    /// let level = lurd_level::Level::parse("#####\n#@$.#\n#####")?;
    /// let level = lurd_level::Level { notes: vec!["Pushes: 1".into()], ..level };
    /// assert_eq!(level.figure(&["pushes"]), Some(1));
    /// # Ok::<(), lurd_level::ParseError>(())
    /// ```
    pub fn figure(&self, names: &[&str]) -> Option<u64> {
        self.notes.iter().find_map(|note| {
            let (name, value) = note.split_once(':')?;
            let named = names.iter().any(|known| name.trim().eq_ignore_ascii_case(known));
            if named { value.trim().parse().ok() } else { None }
        })
    }

    /// A level with a map and no other data.
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
