//! Decides by replay whether a line of letters is a solution, a saved game, or a word such as `lurd`.

use crate::limits::{Budget, MAX_GAME_MOVES};
use lurd_level::lurd::{LurdErrorKind, decode_up_to};
use lurd_level::run_length::RunsErrorKind;
use lurd_level::{Map, SavedGame};

/// A legal sequence of this many moves is not a word of a language.
pub(super) const CERTAIN: usize = 8;

/// The result of [`replay`].
pub(super) enum Replay {
    Legal(SavedGame),
    Illegal(String),
    Unreadable(LurdErrorKind),
    OverBudget,
}

/// Replays a line of letters, counts and groups on a map.
pub(super) fn replay(map: &Map, text: &str, budget: &mut Budget) -> Replay {
    if !budget.try_squares(map.width() * map.height() + text.len()) {
        return Replay::OverBudget;
    }
    let moves = match decode_up_to(text, MAX_GAME_MOVES) {
        Ok(moves) => moves,
        Err(error) => {
            if matches!(error.kind, LurdErrorKind::Runs(RunsErrorKind::TooLong(_))) {
                budget.try_squares(MAX_GAME_MOVES);
            }
            return Replay::Unreadable(error.kind);
        }
    };
    if !budget.try_squares(moves.letters.len()) {
        return Replay::OverBudget;
    }
    match lurd_referee::judge(&map.to_string(), &moves.letters) {
        Ok(verdict) => Replay::Legal(SavedGame {
            title: String::new(),
            moves: moves.letters,
            notes: Vec::new(),
            mark: moves.mark,
            solves: verdict.solved,
        }),
        Err(fault) => Replay::Illegal(fault.to_string()),
    }
}
