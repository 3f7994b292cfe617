//! A solution board by board, with the g and h values of the search.

use crate::formulation::{Formulation, MoveSpace, PushSpace, WalkSpace};
use crate::heuristic::Estimator;
use crate::names::FormulationName;
use crate::plan::Plan;
use lurd_base::Budget;
use lurd_level::Direction;
use lurd_rules::distance::Distances;
use lurd_rules::{Board, State};
use lurd_search::Heuristic;

/// A board of a solution with its values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The move that led here, `None` for the first board.
    pub letter: Option<char>,
    /// The board as XSB text.
    pub board: String,
    /// Cost so far.
    pub g: u32,
    /// The estimate of the remaining cost; `None` if the heuristic finds the state dead.
    pub h: Option<u32>,
}

/// The boards of a LURD string that the referee has accepted.
pub fn steps(board: &Board, plan: &Plan, lurd: &str) -> Vec<Step> {
    let budget = Budget::unlimited();
    let Ok(distances) = Distances::to_goals(board, &budget) else { return Vec::new() };
    let mut estimator = Estimator::new(board, &distances, board.goals(), plan.estimate, plan.player_term, &budget);
    match plan.formulation {
        FormulationName::Push => along(board, &PushSpace::new(board, &distances, &[]), &mut estimator, lurd, false),
        FormulationName::Move => along(board, &MoveSpace::new(board, &distances, &[]), &mut estimator, lurd, true),
        FormulationName::Walk => along(board, &WalkSpace::new(board, &distances, &[]), &mut estimator, lurd, true),
    }
}

fn along<S: Formulation>(
    board: &Board,
    space: &S,
    estimator: &mut Estimator<'_>,
    lurd: &str,
    counts_moves: bool,
) -> Vec<Step> {
    let mut state = State::start(board);
    let mut g = 0;
    let mut step = |letter, state: &State, g| Step {
        letter,
        board: board.picture(&state.boxes, state.player).to_string(),
        g,
        h: estimator.estimate(space, state),
    };
    let mut all = vec![step(None, &state, g)];
    for letter in lurd.chars() {
        let Some(direction) = Direction::from_letter(letter) else { break };
        let Some(push) = state.step(board, direction) else { break };
        let push = push.is_some();
        g += u32::from(push || counts_moves);
        all.push(step(Some(direction.letter(push)), &state, g));
    }
    all
}
