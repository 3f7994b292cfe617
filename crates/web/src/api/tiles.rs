//! Sliding tiles: boards for the page. Solving them is a job.

use crate::error::{Answer, Asked, Refusal};
use axum::Json;
use lurd_tiles::{Board, MoveSet, Problem, random_board, scramble};
use serde::{Deserialize, Serialize};

/// `classic` or `diagonal`.
pub(crate) fn move_set(name: Option<&str>) -> Result<MoveSet, Refusal> {
    match name {
        None => Ok(MoveSet::Classic),
        Some(name) => MoveSet::ALL
            .into_iter()
            .find(|moves| moves.name() == name)
            .ok_or_else(|| Refusal::unprocessable(format!("there are no `{name}` moves; choose classic or diagonal"))),
    }
}

/// Longer text than any board.
const LONGEST: usize = 400;

/// A board as it was typed.
pub(crate) fn board(text: &str) -> Result<Board, Refusal> {
    if text.len() > LONGEST {
        return Err(Refusal::unprocessable("the text is too long for a board of tiles"));
    }
    text.parse().map_err(Refusal::unprocessable)
}

/// The goal as it was typed, or the usual one.
pub(crate) fn goal(text: Option<&str>, side: usize) -> Result<Board, Refusal> {
    text.map_or_else(|| Ok(Board::standard_goal(side)), board)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Shuffling {
    side: usize,
    goal: Option<String>,
    moves: Option<String>,
    seed: Option<u64>,
    /// So many random moves from the goal; any board that can be solved if left out.
    steps: Option<usize>,
}

#[derive(Serialize)]
pub(crate) struct Shuffled {
    board: Board,
}

/// `POST /tiles/shuffle`
pub(crate) async fn shuffle(Asked(shuffling): Asked<Shuffling>) -> Answer<Shuffled> {
    if !(2..=5).contains(&shuffling.side) {
        return Err(Refusal::unprocessable("side must be 2, 3, 4 or 5"));
    }
    let moves = move_set(shuffling.moves.as_deref())?;
    let goal = goal(shuffling.goal.as_deref(), shuffling.side)?;
    let seed = shuffling.seed.unwrap_or(0);
    let board = match shuffling.steps {
        None => random_board(&goal, moves, seed),
        Some(steps) if steps <= 10_000 => scramble(&goal, moves, steps, seed),
        Some(_) => return Err(Refusal::unprocessable("steps must be at most 10000")),
    };
    Ok(Json(Shuffled { board }))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Checking {
    start: String,
    goal: Option<String>,
    moves: Option<String>,
}

#[derive(Serialize)]
pub(crate) struct CheckedTiles {
    start: Board,
    goal: Board,
    side: usize,
    solvable: bool,
    /// Why it has no solution.
    reason: Option<String>,
}

/// `POST /tiles/check`
pub(crate) async fn check(Asked(checking): Asked<Checking>) -> Answer<CheckedTiles> {
    let start = board(&checking.start)?;
    let goal = goal(checking.goal.as_deref(), start.side())?;
    let problem = Problem::new(start, goal, move_set(checking.moves.as_deref())?);
    if let Err(error @ lurd_tiles::ProblemError::Sizes { .. }) = problem {
        return Err(Refusal::unprocessable(error));
    }
    let reason = problem.err().map(|error| error.to_string());
    Ok(Json(CheckedTiles { start, goal, side: start.side(), solvable: reason.is_none(), reason }))
}
