//! `/lost`: why a position cannot be solved any more.

use crate::allowance::QUESTION;
use crate::look::cell;
use crate::{Refusal, levels};
use lurd::{Board, Budget, Cancel, State};
use lurd_lessons::why_lost;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A position that may be lost.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct LossAsking {
    board: String,
}

/// Boxes that can never all be brought to goals. Cells are numbered row * width + column.
#[derive(Serialize, ToSchema)]
#[schema(as = LossReason)]
struct LossView {
    /// A smallest such set: no smaller one is dead by itself.
    boxes: Vec<usize>,
    /// Moves that bring as many of them home as can be, on the board without the other boxes.
    line: String,
    /// How many are home then.
    home: usize,
    /// Positions of these boxes: all of them were tried.
    positions: usize,
}

/// Why a position is lost.
#[derive(Serialize, ToSchema)]
pub struct Loss {
    /// Null where no small set of boxes is dead by itself; the position may be lost all the same.
    reason: Option<LossView>,
    words: String,
}

/// `/lost`: a smallest set of boxes that can never all get home.
///
/// # Errors
/// When the board is no level.
pub fn lost(asking: LossAsking) -> Result<Loss, Refusal> {
    let map = levels::level(&asking.board)?.map;
    let board = Board::new(&map).map_err(Refusal::unprocessable)?;
    let State { boxes, player } = State::start(&board);
    let budget = Budget::new(QUESTION, Cancel::new());
    let Some(reason) = why_lost(&board, &boxes, player, &budget) else {
        let words =
            "No four boxes were found that are lost by themselves. A search tells whether it can still be solved.";
        return Ok(Loss { reason: None, words: words.to_owned() });
    };
    let words = format!("Lost: {}.", reason.words());
    let boxes = reason.boxes.iter().map(|&square| cell(&board, square)).collect();
    let reason = LossView { boxes, line: reason.line, home: reason.home, positions: reason.positions };
    Ok(Loss { reason: Some(reason), words })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(board: &str) -> Loss {
        lost(LossAsking { board: board.to_owned() }).unwrap()
    }

    #[test]
    fn a_corner_is_a_reason_and_a_level_that_can_be_solved_has_none() {
        let corner = asked("#######\n#$    #\n# @$ .#\n#    .#\n#######");
        let reason = corner.reason.unwrap();
        assert_eq!((reason.boxes, reason.home), (vec![8], 0));
        assert!(corner.words.starts_with("Lost: the marked box can never get home"), "{}", corner.words);
        assert!(asked("######\n#@$ .#\n######").reason.is_none());
        assert!(lost(LossAsking { board: "###".to_owned() }).is_err());
    }
}
