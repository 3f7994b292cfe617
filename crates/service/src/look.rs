//! `/look`: what can be seen in a position.

use crate::allowance::QUESTION;
use crate::{Refusal, levels};
use lurd::overlay::Overlay;
use lurd::{Board, Square};
use lurd_base::{Budget, Cancel};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A position to be looked at.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Looking {
    board: String,
    /// The goal that distances are to, as row * width + column; the nearest if left out.
    goal: Option<usize>,
}

#[derive(Serialize, ToSchema)]
#[schema(as = Corral)]
struct CorralView {
    cells: Vec<usize>,
    fence: Vec<usize>,
}

#[derive(Serialize, ToSchema)]
#[schema(as = Deadlock)]
struct DeadlockView {
    rule: &'static str,
    about: &'static str,
    boxes: Vec<usize>,
}

/// What can be seen. Cells are numbered row * width + column.
#[derive(Serialize, ToSchema)]
pub struct Seen {
    width: usize,
    height: usize,
    dead: Vec<usize>,
    tunnels: Vec<usize>,
    rooms: Vec<Vec<usize>>,
    zone: Vec<usize>,
    corrals: Vec<CorralView>,
    pushed_first: Vec<usize>,
    frozen: Vec<usize>,
    /// Pairs of cell and pushes.
    distances: Vec<(usize, u16)>,
    deadlock: Option<DeadlockView>,
    solved: bool,
}

/// The number of a square's cell in its map.
pub(crate) fn cell(board: &Board, square: Square) -> usize {
    let (row, column) = board.place(square);
    row * board.map().width() + column
}

/// `/look`: what can be seen in a position.
///
/// # Errors
/// When the board is no level.
pub fn look(looking: Looking) -> Result<Seen, Refusal> {
    let map = levels::level(&looking.board)?.map;
    let board = Board::new(&map).map_err(Refusal::unprocessable)?;
    let goal = looking.goal.map(|cell| {
        let square = board.square_at(cell / map.width(), cell % map.width());
        let goal = square.filter(|&square| board.is_goal(square));
        goal.ok_or_else(|| Refusal::unprocessable("goal is no goal of this board"))
    });
    let overlay = Overlay::new(&board, goal.transpose()?, &Budget::new(QUESTION, Cancel::new()))
        .ok_or_else(|| Refusal::unprocessable("the level is too large to be looked at this closely"))?;
    let cells = |squares: &[Square]| squares.iter().map(|&square| cell(&board, square)).collect::<Vec<_>>();
    Ok(Seen {
        width: map.width(),
        height: map.height(),
        dead: cells(&overlay.dead),
        tunnels: cells(&overlay.tunnels),
        rooms: overlay.rooms.iter().map(|room| cells(room)).collect(),
        zone: cells(&overlay.zone),
        corrals: overlay
            .corrals
            .iter()
            .map(|corral| CorralView { cells: cells(&corral.squares), fence: cells(&corral.fence) })
            .collect(),
        pushed_first: cells(&overlay.pushed_first),
        frozen: cells(&overlay.frozen),
        distances: board
            .squares()
            .zip(&overlay.distances)
            .filter_map(|(square, &pushes)| Some((cell(&board, square), pushes?)))
            .collect(),
        deadlock: overlay.deadlock.map(|deadlock| DeadlockView {
            rule: deadlock.rule.name(),
            about: deadlock.rule.about(),
            boxes: cells(&deadlock.boxes),
        }),
        solved: board.start_boxes().iter().all(|&square| board.is_goal(square)),
    })
}
