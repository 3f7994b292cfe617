//! One level from its plain drawing.

use crate::validity::{Flaw, check};
use crate::{Cell, Level, Map, Place};
use std::str::FromStr;

/// Why a text is not a level.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ParseError {
    /// A character that means nothing on a board.
    #[error("{place}: {character:?} is no square; a board is drawn with `#`, `@`, `+`, `$`, `*`, `.` and spaces")]
    Character {
        /// The character.
        character: char,
        /// Where it stands.
        place: Place,
    },
    /// A board that cannot be played.
    #[error(transparent)]
    Flaw(#[from] Flaw),
}

impl Level {
    /// Reads one level drawn in XSB (`#` wall, `@` player, `$` box, `.` goal, `*` box on a goal, `+` player on a goal).
    /// Empty lines around the board do not count; a line after `;` is the title. Files of several levels, and all other
    /// formats, are read by the crate `lurd-formats`.
    ///
    /// # Errors
    /// A character that means nothing, or what keeps the board from being played, with its place.
    ///
    /// ```
    /// use lurd_level::Level;
    /// let level = Level::parse("; first steps\n#####\n#@$.#\n#####")?;
    /// assert_eq!(level.title.as_deref(), Some("first steps"));
    /// assert!(Level::parse("#####\n#@$ #\n#####").is_err(), "a box and no goal");
    /// # Ok::<(), lurd_level::ParseError>(())
    /// ```
    pub fn parse(text: &str) -> Result<Self, ParseError> {
        let mut title = None;
        let mut rows: Vec<Vec<Cell>> = Vec::new();
        let mut place = Place { line: 1, column: 1 };
        for (line, row) in (1..).zip(text.lines()) {
            let row = row.trim_end();
            if let Some(comment) = row.strip_prefix(';') {
                title.get_or_insert_with(|| comment.trim().to_owned());
                continue;
            }
            if rows.is_empty() {
                if row.is_empty() {
                    continue;
                }
                place.line = line;
            }
            let cell = |(column, character)| {
                let place = Place { line, column };
                Cell::from_xsb(character).ok_or(ParseError::Character { character, place })
            };
            rows.push((1..).zip(row.chars()).map(cell).collect::<Result<_, _>>()?);
        }
        while rows.last().is_some_and(Vec::is_empty) {
            rows.pop();
        }
        let map = Map::from_rows(&rows);
        check(&map)?;
        Ok(Self { title, place, ..Self::new(map) })
    }
}

impl FromStr for Level {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        Self::parse(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::validity::FlawKind;

    #[test]
    fn a_wrong_character_is_named_with_its_place() {
        let error = Level::parse("\n#####\n#@x.#\n#####").unwrap_err();
        assert_eq!(error, ParseError::Character { character: 'x', place: Place { line: 3, column: 3 } });
    }

    #[test]
    fn a_board_is_checked() {
        let flaw = |text: &str| match Level::parse(text) {
            Err(ParseError::Flaw(flaw)) => flaw.kind,
            other => panic!("{other:?}"),
        };
        assert_eq!(flaw(""), FlawKind::NoPlayer);
        assert_eq!(flaw("#####\n#@$.#\n## ##"), FlawKind::NotEnclosed);
    }

    #[test]
    fn empty_lines_and_the_title_are_not_part_of_the_board() {
        let level: Level = "\n; A title\n\n#####\n#@$.#\n#####\n\n".parse().unwrap();
        assert_eq!((level.map.width(), level.map.height()), (5, 3));
        assert_eq!((level.title.as_deref(), level.place.line), (Some("A title"), 4));
    }
}
