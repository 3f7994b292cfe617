//! LURD, the notation of moves: `l u r d` walk, `L U R D` push.
//!
//! [`decode`] reads the forms in use: counts (`3r2U`), nested groups (`2(ul)`), white space, and `*`, the mark of the
//! current position in a saved game. Letter case is kept as written. It is only a hint: which moves are pushes is
//! known after a replay. Reverse mode (`[ ]`) and several players (`{ }`) are different games and are rejected.

use crate::run_length::{self, RunsErrorKind};

/// The maximum number of moves a text may decode to.
pub const MAX_MOVES: usize = 10_000_000;

/// Decoded moves.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Moves {
    /// Only the letters `l u r d L U R D`.
    pub letters: String,
    /// The number of moves before the mark `*` of the current position, if there is a mark.
    pub mark: Option<usize>,
}

/// What is wrong with a move string.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LurdErrorKind {
    /// A character that is not a move.
    #[error("{0:?} is no move; moves are the letters l, u, r, d and L, U, R, D")]
    Letter(char),
    /// A jump of reverse mode.
    #[error("`{0}` belongs to a game in reverse mode, where boxes are pulled; write the game out forwards")]
    Reverse(char),
    /// A change of player.
    #[error("`{0}` belongs to a game with several players, which lurd does not play")]
    Multiban(char),
    /// A second `*`.
    #[error("a second `*` marks a position; a saved game has one current position")]
    SecondMark,
    /// A count or a group is malformed.
    #[error(transparent)]
    Runs(#[from] RunsErrorKind),
}

/// An error in a move string and its position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("character {position} of the moves: {kind}")]
pub struct LurdError {
    /// The index of the character in the text, from 1.
    pub position: usize,
    /// What is wrong.
    pub kind: LurdErrorKind,
}

/// Reads a move string.
///
/// # Errors
/// The first character that has no meaning, or a count or group that is malformed or too large.
///
/// ```
/// assert_eq!(lurd_level::lurd::decode("2(ul) 3R").unwrap().letters, "ululRRR");
/// ```
pub fn decode(text: &str) -> Result<Moves, LurdError> {
    decode_up_to(text, MAX_MOVES)
}

/// [`decode`] with the given limit on the number of moves.
pub fn decode_up_to(text: &str, limit: usize) -> Result<Moves, LurdError> {
    // Checked before the runs are expanded, so that a wrong letter is reported rather than a wrong count.
    for (index, c) in text.chars().enumerate() {
        let kind = match c {
            'l' | 'u' | 'r' | 'd' | 'L' | 'U' | 'R' | 'D' | '*' | '(' | ')' | '0'..='9' => continue,
            c if c.is_whitespace() => continue,
            '[' | ']' => LurdErrorKind::Reverse(c),
            '{' | '}' => LurdErrorKind::Multiban(c),
            c => LurdErrorKind::Letter(c),
        };
        return Err(LurdError { position: index + 1, kind });
    }
    // A line end may separate a count from its letter: white space is removed first, positions are kept.
    let (kept, places): (Vec<char>, Vec<usize>) =
        text.chars().enumerate().filter(|(_, c)| !c.is_whitespace()).map(|(index, c)| (c, index + 1)).unzip();
    let place = |index: usize| places.get(index).copied().unwrap_or(1);
    let runs = run_length::expand(kept.into_iter(), limit)
        .map_err(|error| LurdError { position: place(error.index), kind: error.kind.into() })?;
    let mut moves = Moves { letters: String::with_capacity(runs.len()), mark: None };
    for (c, index) in runs {
        if c != '*' {
            moves.letters.push(c);
        } else if moves.mark.replace(moves.letters.len()).is_some() {
            return Err(LurdError { position: place(index as usize), kind: LurdErrorKind::SecondMark });
        }
    }
    Ok(moves)
}

/// Whether a line consists of characters of moves only and has at least one letter. This is also true of words such as
/// `dull`: only a replay can decide.
pub fn looks_like_moves(line: &str) -> bool {
    let mut letter = false;
    line.chars().all(|c| {
        let is_letter = "lurdLURD".contains(c);
        letter |= is_letter;
        is_letter || c.is_ascii_digit() || "*()[]{} \t".contains(c)
    }) && letter
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(text: &str) -> LurdErrorKind {
        decode(text).unwrap_err().kind
    }

    #[test]
    fn counts_groups_white_space_and_the_mark_are_decoded() {
        assert_eq!(decode("3r2U").unwrap().letters, "rrrUU");
        assert_eq!(decode("2(u2(lR))d").unwrap().letters, "ulRlRulRlRd");
        assert_eq!(decode(" r\nR\r\n 2\nu ").unwrap().letters, "rRuu");
        assert_eq!(decode("rr*U").unwrap(), Moves { letters: "rrU".into(), mark: Some(2) });
        assert_eq!(decode("").unwrap(), Moves::default());
    }

    #[test]
    fn other_games_are_rejected_with_their_position() {
        assert_eq!(decode("r[]L[u]d").unwrap_err(), LurdError { position: 2, kind: LurdErrorKind::Reverse('[') });
        assert_eq!(kind("{1}r"), LurdErrorKind::Multiban('{'));
        assert_eq!(decode("rrx").unwrap_err(), LurdError { position: 3, kind: LurdErrorKind::Letter('x') });
        assert_eq!(decode("r * *").unwrap_err(), LurdError { position: 5, kind: LurdErrorKind::SecondMark });
        assert_eq!(kind("2(r*)"), LurdErrorKind::SecondMark);
    }

    #[test]
    fn huge_and_malformed_counts_are_rejected() {
        assert_eq!(kind("99999999999999r"), LurdErrorKind::Runs(RunsErrorKind::TooLong(MAX_MOVES)));
        assert_eq!(decode("rr 3").unwrap_err().position, 4);
        assert_eq!(
            decode("u3").unwrap_err().to_string(),
            "character 2 of the moves: the count 3 has nothing after it; write the character it counts behind it"
        );
    }

    #[test]
    fn decode_inverts_compress() {
        for letters in ["", "r", "rrrUUdlLL", "uuuuuuuuuuuu"] {
            assert_eq!(decode(&run_length::compress(letters)).unwrap().letters, letters);
        }
        assert_eq!(run_length::compress("uuuuuuuuuuuuR"), "12uR");
    }

    #[test]
    fn words_of_move_letters_look_like_moves() {
        assert!(looks_like_moves("dull") && looks_like_moves("3(rU) l") && looks_like_moves("[]L"));
        assert!(!looks_like_moves("12") && !looks_like_moves("") && !looks_like_moves("ladder"));
    }
}
