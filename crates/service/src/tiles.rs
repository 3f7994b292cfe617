//! Sliding tiles: boards for the page. Solving them is a job.

use crate::Refusal;
use lurd_tiles::{Board, MoveSet, Problem, random_board, scramble};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

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

/// The board that is wanted.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Shuffling {
    side: usize,
    goal: Option<String>,
    moves: Option<String>,
    seed: Option<u64>,
    /// So many random moves from the goal; any board that can be solved if left out.
    steps: Option<usize>,
}

/// A shuffled board.
#[derive(Serialize, ToSchema)]
pub struct Shuffled {
    #[schema(value_type = Vec<u8>)]
    board: Board,
}

/// `/tiles/shuffle`: a board in disorder.
///
/// # Errors
/// When there is no such board.
pub fn shuffle(shuffling: Shuffling) -> Result<Shuffled, Refusal> {
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
    Ok(Shuffled { board })
}

/// A problem that may have a solution.
#[derive(Deserialize, ToSchema)]
#[schema(as = TilesChecking)]
#[serde(deny_unknown_fields)]
pub struct Checking {
    start: String,
    goal: Option<String>,
    moves: Option<String>,
}

/// A problem, and whether it has a solution.
#[derive(Serialize, ToSchema)]
pub struct CheckedTiles {
    #[schema(value_type = Vec<u8>)]
    start: Board,
    #[schema(value_type = Vec<u8>)]
    goal: Board,
    side: usize,
    solvable: bool,
    /// Why it has no solution.
    reason: Option<String>,
}

/// `/tiles/check`: whether a board can be put in order.
///
/// # Errors
/// When a text is no board, or the two differ in size.
pub fn check_tiles(checking: Checking) -> Result<CheckedTiles, Refusal> {
    let start = board(&checking.start)?;
    let goal = goal(checking.goal.as_deref(), start.side())?;
    let problem = Problem::new(start, goal, move_set(checking.moves.as_deref())?);
    if let Err(error @ lurd_tiles::ProblemError::Sizes { .. }) = problem {
        return Err(Refusal::unprocessable(error));
    }
    let reason = problem.err().map(|error| error.to_string());
    Ok(CheckedTiles { start, goal, side: start.side(), solvable: reason.is_none(), reason })
}
