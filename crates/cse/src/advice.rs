//! What the moves of a position are worth, and what finding out costs.

use crate::rules::{Cse, CseMove, Move, Position};
use lurd_search::game::{Effort, MoveScore, Solver, Strategy, tree_size};
use serde::Serialize;
use utoipa::ToSchema;

/// A move and what it is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct RatedMove {
    #[serde(rename = "move")]
    #[schema(value_type = CseMove)]
    pub mv: Move,
    /// 1 if MAX wins after it, -1 if MIN does, 0 for a draw.
    pub value: i32,
    /// Moves until then, this one included; `None` for a draw.
    pub plies: Option<u32>,
}

impl From<MoveScore<Move>> for RatedMove {
    fn from(MoveScore { mv, score }: MoveScore<Move>) -> Self {
        Self { mv, value: score.value(), plies: score.plies() }
    }
}

/// Nodes one method visits to find the value of a position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct MethodCost {
    pub method: &'static str,
    /// Positions visited, with the root, ended games and answers of the memo.
    pub nodes: u64,
    /// Nodes that alpha-beta left early.
    pub cutoffs: u64,
    /// Nodes answered by the memo.
    pub memo_hits: u64,
    /// Positions in the memo at the end.
    pub memo_entries: u64,
}

impl MethodCost {
    pub(crate) fn of(strategy: Strategy, effort: Effort) -> Self {
        let Effort { nodes, cutoffs, memo_hits, memo_entries, .. } = effort;
        Self { method: strategy.name(), nodes, cutoffs, memo_hits, memo_entries }
    }

    /// Plain minimax by the number of nodes it visits, which [`tree_size`] knows without walking.
    pub(crate) fn minimax(nodes: u64) -> Self {
        Self::of(Strategy::MINIMAX, Effort { nodes, ..Effort::default() })
    }

    pub(crate) fn measure(position: &Position, strategy: Strategy) -> Self {
        let mut solver = Solver::new(&Cse, strategy);
        solver.score(position);
        Self::of(strategy, solver.effort())
    }
}

/// What every method costs on a position, plain minimax first.
///
/// All but plain minimax are run. Its count is exact too, but added up from subtrees
/// (see [`tree_size`]), because the full tree of an empty board takes seconds to walk.
pub fn method_costs(position: &Position) -> Vec<MethodCost> {
    let cost = |strategy| match strategy {
        Strategy::MINIMAX => MethodCost::minimax(tree_size(&Cse, position).nodes),
        strategy => MethodCost::measure(position, strategy),
    };
    Strategy::ALL.into_iter().map(cost).collect()
}

/// What to do in a position.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Advice {
    /// 1 if MAX wins with best play, -1 if MIN does, 0 for a draw.
    pub value: i32,
    /// Moves until the end, where one side wins.
    pub plies: Option<u32>,
    /// The best move, the first of equals; `None` where the game is over.
    pub best: Option<RatedMove>,
    /// Every legal move with its value, cells row by row, letters C, S, E.
    pub moves: Vec<RatedMove>,
    /// Best play of both sides to the end.
    #[schema(value_type = Vec<CseMove>)]
    pub principal_variation: Vec<Move>,
    /// The method that found the best move.
    pub method: &'static str,
    /// Positions it visited to rate every move.
    pub nodes: u64,
}

impl Advice {
    /// Rates every move of a position.
    pub fn of(position: &Position, strategy: Strategy) -> Self {
        let mut solver = Solver::new(&Cse, strategy);
        let scores = solver.move_scores(position);
        let side = position.side_to_move();
        let best =
            scores.iter().copied().reduce(|best, next| if side.prefers(next.score, best.score) { next } else { best });
        let score = best.map_or_else(|| solver.score(position), |best| best.score);
        Self {
            value: score.value(),
            plies: score.plies(),
            best: best.map(RatedMove::from),
            moves: scores.into_iter().map(RatedMove::from).collect(),
            principal_variation: solver.best_line(position),
            method: strategy.name(),
            nodes: solver.effort().nodes,
        }
    }
}
