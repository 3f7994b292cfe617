//! `/hint`: the next push of a solution, told by degrees.

use crate::look::cell;
use crate::{Refusal, levels};
use lurd::{Board, State};
use lurd_lessons::{Degree, Hint};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A position and a solution from it on. A job finds one.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Hinting {
    board: String,
    /// Moves in LURD, counts allowed.
    solution: String,
}

/// How much a hint gives away.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
enum DegreeName {
    Where,
    Box,
    Push,
    Way,
}

/// A degree of a hint. Cells are numbered row * width + column.
#[derive(Serialize, ToSchema)]
#[schema(as = HintDegree)]
struct HintView {
    degree: DegreeName,
    words: String,
    /// The part of the board, or the box.
    cells: Vec<usize>,
    /// The cell the box is pushed to, once that is told.
    to: Option<usize>,
    /// The moves, once they are told.
    moves: Option<String>,
}

/// A hint by degrees, each giving away a little more than the one before.
#[derive(Serialize, ToSchema)]
pub struct Hints {
    degrees: Vec<HintView>,
}

/// `/hint`: where to look, which box, which push, the whole way.
///
/// # Errors
/// When the board is no level, or the moves do not solve it.
pub fn hint(hinting: Hinting) -> Result<Hints, Refusal> {
    let level = levels::level(&hinting.board)?;
    let moves = lurd::notation::decode(&hinting.solution).map_err(Refusal::unprocessable)?.letters;
    let verdict = lurd::check(&level, &moves).map_err(Refusal::unprocessable)?;
    if !verdict.solved {
        return Err(Refusal::unprocessable("the moves do not solve the level; give a whole solution"));
    }
    let board = Board::new(&level.map).map_err(Refusal::unprocessable)?;
    let hint = Hint::of_moves(&board, &State::start(&board), &moves)
        .ok_or_else(|| Refusal::unprocessable("the level is solved already"))?;
    let boxed = cell(&board, hint.boxed);
    let to = cell(&board, board.neighbour(hint.boxed, hint.direction));
    let region = hint.region(&board).into_iter().map(|square| cell(&board, square)).collect();
    let told =
        |degree, name, cells, to| HintView { degree: name, words: hint.words(&board, degree), cells, to, moves: None };
    let words = match verdict.pushes {
        1 => "One push from here solves the level.".to_owned(),
        pushes => format!("{pushes} pushes from here solve the level."),
    };
    let way = HintView { degree: DegreeName::Way, words, cells: vec![boxed], to: Some(to), moves: Some(verdict.lurd) };
    Ok(Hints {
        degrees: vec![
            told(Degree::Where, DegreeName::Where, region, None),
            told(Degree::Box, DegreeName::Box, vec![boxed], None),
            told(Degree::Push, DegreeName::Push, vec![boxed], Some(to)),
            way,
        ],
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hints(solution: &str) -> Result<Hints, Refusal> {
        let board = "########\n#@$   .#\n#      #\n#      #\n########".to_owned();
        hint(Hinting { board, solution: solution.to_owned() })
    }

    #[test]
    fn each_degree_tells_more() {
        let degrees = hints("4R").unwrap().degrees;
        let told: Vec<_> =
            degrees.iter().map(|one| (one.degree, one.cells.len(), one.to, one.moves.as_deref())).collect();
        assert_eq!(
            told,
            [
                (DegreeName::Where, 2, None, None),
                (DegreeName::Box, 1, None, None),
                (DegreeName::Push, 1, Some(11), None),
                (DegreeName::Way, 1, Some(11), Some("RRRR"))
            ]
        );
        assert_eq!(degrees[3].words, "4 pushes from here solve the level.");
    }

    #[test]
    fn what_solves_nothing_is_no_hint() {
        assert!(["R", "u", "", "x"].iter().all(|moves| hints(moves).is_err()));
    }
}
