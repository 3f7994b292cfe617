//! Whether a line of letters is a game on a board. Only a replay tells a solution from a saved
//! game, and both from a word such as `lurd`.

use crate::limits::{Budget, MAX_GAME_MOVES};
use lurd_level::lurd::{LurdErrorKind, decode_up_to};
use lurd_level::run_length::RunsErrorKind;
use lurd_level::{Map, SavedGame};

/// So many moves that can be played are no word of a language.
pub(super) const CERTAIN: usize = 8;

/// What came of playing a line.
pub(super) enum Attempt {
    Played(SavedGame),
    Illegal(String),
    Unreadable(LurdErrorKind),
    TooDear,
}

/// Plays a line of letters, counts and groups on a map.
pub(super) fn attempt(map: &Map, text: &str, budget: &mut Budget) -> Attempt {
    if !budget.try_squares(map.width() * map.height() + text.len()) {
        return Attempt::TooDear;
    }
    let moves = match decode_up_to(text, MAX_GAME_MOVES) {
        Ok(moves) => moves,
        Err(error) => {
            if matches!(error.kind, LurdErrorKind::Runs(RunsErrorKind::TooLong(_))) {
                budget.try_squares(MAX_GAME_MOVES);
            }
            return Attempt::Unreadable(error.kind);
        }
    };
    if !budget.try_squares(moves.letters.len()) {
        return Attempt::TooDear;
    }
    match lurd_referee::judge(&map.to_string(), &moves.letters) {
        Ok(verdict) => Attempt::Played(SavedGame {
            title: String::new(),
            moves: moves.letters,
            notes: Vec::new(),
            mark: moves.mark,
            solves: verdict.solved,
        }),
        Err(fault) => Attempt::Illegal(fault.to_string()),
    }
}
