//! The board as hosts hand it over, into the text that lurd reads.

/// The most columns and rows of a board: what lurd reads from a file.
pub const MAX_SIDE: u32 = 1000;

/// A host marks selected squares by this bit.
const SELECTED: u8 = 0x80;

/// Why a board is refused before lurd sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BoardError {
    /// It is larger than lurd reads.
    #[error("the board has {0} columns and {1} rows; lurd takes up to {MAX_SIDE} of each")]
    TooLarge(u32, u32),
    /// It has no squares.
    #[error("the board is empty")]
    Empty,
    /// A character that means nothing on a board.
    #[error("row {row}, column {column}: the byte {byte} is no square of a board")]
    Unknown {
        /// From 1.
        row: usize,
        /// From 1.
        column: usize,
        /// What stands there.
        byte: u8,
    },
}

/// The number of squares of a board whose sides are within the limits.
///
/// # Errors
/// When they are not.
pub fn squares(width: u32, height: u32) -> Result<usize, BoardError> {
    if width > MAX_SIDE || height > MAX_SIDE {
        return Err(BoardError::TooLarge(width, height));
    }
    match width as usize * height as usize {
        0 => Err(BoardError::Empty),
        squares => Ok(squares),
    }
}

/// The rows of a board as lines. Floor is written `-`, so that a row without walls does not end the level.
///
/// # Errors
/// When a byte is no square.
pub fn lines<'a>(rows: impl Iterator<Item = &'a [u8]>) -> Result<String, BoardError> {
    let mut text = String::new();
    for (row, squares) in rows.enumerate() {
        for (column, byte) in squares.iter().enumerate() {
            match byte & !SELECTED {
                b' ' | b'_' | b'-' => text.push('-'),
                known @ (b'#' | b'@' | b'+' | b'$' | b'*' | b'.') => text.push(char::from(known)),
                byte => return Err(BoardError::Unknown { row: row + 1, column: column + 1, byte }),
            }
        }
        text.push('\n');
    }
    if text.contains('#') { Ok(text) } else { Err(BoardError::Empty) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_is_that_of_the_reader() {
        assert_eq!(MAX_SIDE as usize, lurd_formats::MAX_SIDE);
    }

    #[test]
    fn sides_are_checked_before_anything_is_read() {
        assert_eq!(squares(3, 4), Ok(12));
        assert_eq!(squares(0, 4), Err(BoardError::Empty));
        assert_eq!(squares(u32::MAX, 4), Err(BoardError::TooLarge(u32::MAX, 4)));
    }

    #[test]
    fn rows_become_lines_without_marks() {
        let mut board = *b"######@$.##_ -##";
        board[5] |= SELECTED;
        let text = lines(board.chunks(5)).unwrap();
        assert_eq!(text, "#####\n#@$.#\n#---#\n#\n");
    }

    #[test]
    fn what_is_no_square_is_named() {
        let error = lines(b"####x###".chunks(4)).unwrap_err();
        assert_eq!(error.to_string(), "row 2, column 1: the byte 120 is no square of a board");
        assert_eq!(lines(b"    ".chunks(2)), Err(BoardError::Empty));
    }
}
