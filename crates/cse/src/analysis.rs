//! The whole game, solved.

use crate::advice::{MethodCost, RatedMove};
use crate::rules::{Cse, Move, Position, Start};
use lurd_search::game::{Side, Solver, Strategy, TreeSize, positions, tree_size};
use serde::Serialize;

/// Both starts, each begun by either side.
#[derive(Clone, Debug, Serialize)]
pub struct Analysis {
    pub cases: Vec<CaseAnalysis>,
}

/// One start and first mover.
#[derive(Clone, Debug, Serialize)]
pub struct CaseAnalysis {
    /// Where the first S stands.
    pub start: Start,
    /// Who moves first: `max` or `min`.
    #[serde(serialize_with = "lowercase_side")]
    pub first: Side,
    /// 1 if MAX wins with best play, -1 if MIN does, 0 for a draw.
    pub value: i32,
    /// Moves until then, where one side wins.
    pub plies: Option<u32>,
    /// Different positions that can come up, the start and ended games included.
    pub positions: u64,
    /// The same by number of moves made.
    pub positions_by_depth: Vec<u64>,
    /// Lines of play: leaves of the full tree.
    pub games: u64,
    /// Nodes of the full tree by depth.
    pub tree_by_depth: Vec<u64>,
    /// What each method visits.
    pub methods: Vec<MethodCost>,
    /// The first moves with their values.
    pub first_moves: Vec<RatedMove>,
    /// Best play of both sides.
    pub principal_variation: Vec<Move>,
}

pub(crate) fn side_name(side: Side) -> &'static str {
    match side {
        Side::Max => "max",
        Side::Min => "min",
    }
}

fn lowercase_side<S: serde::Serializer>(side: &Side, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(side_name(*side))
}

/// Solves the game from both starts and for both first movers, and runs every method
/// on each. With `walk_minimax` plain minimax is really run; without, its node count is
/// added up from subtrees: the same number, in far less time.
pub fn analyse(walk_minimax: bool) -> Analysis {
    let case = |start| [Side::Max, Side::Min].map(|first| analyse_case(start, first, walk_minimax));
    Analysis { cases: Start::ALL.into_iter().flat_map(case).collect() }
}

fn analyse_case(start: Start, first: Side, walk_minimax: bool) -> CaseAnalysis {
    let position = Position::new(start, first);
    let TreeSize { nodes, ends, by_depth } = tree_size(&Cse, &position);
    let positions_by_depth = positions(&Cse, &position);
    let method = |strategy: Strategy| match strategy {
        Strategy::MINIMAX if !walk_minimax => MethodCost::minimax(nodes),
        _ => MethodCost::measure(&position, strategy),
    };
    let mut solver = Solver::new(&Cse, Strategy::BEST);
    let score = solver.score(&position);
    CaseAnalysis {
        start,
        first,
        value: score.value(),
        plies: score.plies(),
        positions: positions_by_depth.iter().sum(),
        positions_by_depth,
        games: ends,
        tree_by_depth: by_depth,
        methods: Strategy::ALL.into_iter().map(method).collect(),
        first_moves: solver.move_scores(&position).into_iter().map(RatedMove::from).collect(),
        principal_variation: solver.best_line(&position),
    }
}
