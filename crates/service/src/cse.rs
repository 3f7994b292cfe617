//! `/cse/position`: a position of the letter game, its moves' values and the search tree.

use crate::Refusal;
use lurd_cse::{
    Advice, Board, Cell, Ending, Letter, MethodCost, Move, Position, Start, TreeView, method_costs, search_tree,
};
use lurd_search::game::{Side, Strategy};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The deepest tree that is told.
const DEEPEST: usize = 3;
/// With fewer letters on the board plain minimax takes seconds.
const LETTERS_FOR_MINIMAX: usize = 3;

#[derive(Deserialize, ToSchema)]
#[schema(as = CseEntry)]
#[serde(deny_unknown_fields)]
struct Entry {
    row: usize,
    column: usize,
    letter: String,
}

/// A game up to some position, and what to tell of it.
#[derive(Deserialize, ToSchema)]
#[schema(as = CseAsking)]
#[serde(deny_unknown_fields)]
pub struct Asking {
    /// Where the first S stands: `left` or `right`.
    start: String,
    /// Who moves first: `max` or `min`.
    first: String,
    /// The moves made so far; rows and columns from 1.
    #[serde(default)]
    moves: Vec<Entry>,
    /// How to search; the best if left out.
    strategy: Option<String>,
    /// Record the tree to this depth.
    tree: Option<usize>,
    /// Whether to run every method for comparison.
    #[serde(default)]
    costs: bool,
}

/// A position and what is known of it.
#[derive(Serialize, ToSchema)]
#[schema(as = CsePosition)]
pub struct PositionView {
    #[schema(value_type = [String; 3])]
    board: Board,
    to_move: &'static str,
    /// `max`, `min` or `draw` where the game is over.
    ending: Option<&'static str>,
    /// Completed lines, three cells each, numbered 3 * row + column from 0.
    lines: Vec<[usize; 3]>,
    advice: Advice,
    tree: Option<TreeView>,
    costs: Option<Vec<MethodCost>>,
}

fn name(side: Side) -> &'static str {
    match side {
        Side::Max => "max",
        Side::Min => "min",
    }
}

fn played(asking: &Asking) -> Result<Position, Refusal> {
    let start = Start::ALL
        .into_iter()
        .find(|start| start.name() == asking.start)
        .ok_or_else(|| Refusal::unprocessable("start must be left or right"))?;
    let first = match asking.first.as_str() {
        "max" => Side::Max,
        "min" => Side::Min,
        _ => return Err(Refusal::unprocessable("first must be max or min")),
    };
    let mut position = Position::new(start, first);
    for entry in &asking.moves {
        let place = entry.row.checked_sub(1).zip(entry.column.checked_sub(1));
        let cell = place
            .and_then(|(row, column)| Cell::at(row, column))
            .ok_or_else(|| Refusal::unprocessable("rows and columns are 1, 2 and 3"))?;
        let mut letters = entry.letter.chars();
        let letter = letters.next().and_then(Letter::from_char).filter(|_| letters.next().is_none());
        let letter = letter.ok_or_else(|| Refusal::unprocessable("letters are C, S and E"))?;
        position = position.play(Move { cell, letter }).map_err(Refusal::unprocessable)?;
    }
    Ok(position)
}

/// `/cse/position`: a position after some moves.
///
/// # Errors
/// When the game cannot have gone that way, or the question would take seconds.
pub fn position(asking: Asking) -> Result<PositionView, Refusal> {
    let strategy = match asking.strategy.as_deref() {
        None => Strategy::BEST,
        Some(name) => Strategy::ALL.into_iter().find(|strategy| strategy.name() == name).ok_or_else(|| {
            let names = Strategy::ALL.map(Strategy::name).join(", ");
            Refusal::unprocessable(format!("there is no strategy `{name}`; choose one of {names}"))
        })?,
    };
    if asking.tree.is_some_and(|depth| depth == 0 || depth > DEEPEST) {
        return Err(Refusal::unprocessable(format!("tree must lie between 1 and {DEEPEST}")));
    }
    let position = played(&asking)?;
    if strategy == Strategy::MINIMAX && position.board().filled() < LETTERS_FOR_MINIMAX {
        return Err(Refusal::unprocessable(
            "plain minimax takes seconds on a board this empty; choose another strategy until three letters stand",
        ));
    }
    let ending = position.ending().map(|ending| match ending {
        Ending::Won(side) => name(side),
        Ending::Draw => "draw",
    });
    Ok(PositionView {
        board: position.board(),
        to_move: name(position.side_to_move()),
        ending,
        lines: position.completed_lines().into_iter().map(|line| line.map(Cell::index)).collect(),
        advice: Advice::of(&position, strategy),
        tree: asking.tree.map(|depth| search_tree(&position, strategy, depth)),
        costs: asking.costs.then(|| method_costs(&position)),
    })
}
