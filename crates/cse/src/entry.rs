//! Moves as a person types them: row, column, letter.

use crate::board::{Cell, Letter};
use crate::rules::Move;

/// Why an entry cannot be read as a move.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EntryError {
    #[error("expected row, column and letter, for example `1 3 C`, but found `{0}`")]
    Shape(String),
    #[error("`{0}` is no row; rows are 1, 2 and 3 from the top")]
    Row(String),
    #[error("`{0}` is no column; columns are 1, 2 and 3 from the left")]
    Column(String),
    #[error("`{0}` is no letter of this game; use C, S or E")]
    Letter(String),
}

/// Reads `1 3 C`, `1,3,c` or `13C`: row and column from 1, and a letter.
pub fn parse_move(text: &str) -> Result<Move, EntryError> {
    let mut parts: Vec<&str> =
        text.split(|c: char| c.is_whitespace() || c == ',').filter(|part| !part.is_empty()).collect();
    // The short form without separators.
    if let [whole] = parts[..]
        && whole.len() == 3
        && whole.is_ascii()
    {
        parts = vec![&whole[..1], &whole[1..2], &whole[2..]];
    }
    let [row, column, letter] = parts[..] else {
        return Err(EntryError::Shape(text.trim().to_string()));
    };
    let number = |part: &str| part.parse::<usize>().ok().and_then(|n| n.checked_sub(1)).filter(|&n| n < 3);
    let row = number(row).ok_or_else(|| EntryError::Row(row.to_string()))?;
    let column = number(column).ok_or_else(|| EntryError::Column(column.to_string()))?;
    let mut letters = letter.chars();
    let read = letters.next().and_then(Letter::from_char).filter(|_| letters.next().is_none());
    let letter = read.ok_or_else(|| EntryError::Letter(letter.to_string()))?;
    let cell = Cell::at(row, column).ok_or_else(|| EntryError::Shape(text.trim().to_string()))?;
    Ok(Move { cell, letter })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_move_reads_back_as_it_prints() {
        for cell in Cell::ALL {
            for letter in Letter::ALL {
                let mv = Move { cell, letter };
                let text = mv.to_string();
                for form in [text.clone(), text.replace(' ', ","), text.replace(' ', ""), text.to_lowercase()] {
                    assert_eq!(parse_move(&form), Ok(mv), "{form}");
                }
            }
        }
    }

    #[test]
    fn wrong_entries_name_what_is_wrong() {
        let error = |text: &str| parse_move(text).unwrap_err();
        assert_eq!(error(""), EntryError::Shape(String::new()));
        assert_eq!(error("1 2"), EntryError::Shape("1 2".into()));
        assert_eq!(error("1 2 C 3"), EntryError::Shape("1 2 C 3".into()));
        assert_eq!(error("0 2 C"), EntryError::Row("0".into()));
        assert_eq!(error("x 2 C"), EntryError::Row("x".into()));
        assert_eq!(error("1 4 C"), EntryError::Column("4".into()));
        assert_eq!(error("1 -2 C"), EntryError::Column("-2".into()));
        assert_eq!(error("1 2 X"), EntryError::Letter("X".into()));
        assert_eq!(error("1 2 CS"), EntryError::Letter("CS".into()));
        assert_eq!(error("1 2 Σ"), EntryError::Letter("Σ".into()));
        assert_eq!(error("99999999999999999999 1 C"), EntryError::Row("99999999999999999999".into()));
    }
}
