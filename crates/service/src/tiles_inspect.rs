//! `/tiles/inspect`: a small search on tiles, node by node.

use crate::allowance::{QUESTION, inspected};
use crate::inspect::{EndName, FateName};
use crate::{Refusal, tiles};
use lurd_base::Cancel;
use lurd_search::{RecordedSuccessor, SuccessorFate};
use lurd_tiles::{Board, Direction, Estimator, HeuristicKind, Method, Parameters, Problem, inspect as record};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A search on tiles to be recorded.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct InspectingTiles {
    start: String,
    goal: Option<String>,
    moves: Option<String>,
    algorithm: Option<String>,
    heuristic: Option<String>,
    /// Expansions to record.
    nodes: Option<usize>,
}

#[derive(Serialize, ToSchema)]
struct TileSuccessor {
    /// Where the blank goes.
    direction: &'static str,
    #[schema(value_type = Option<Vec<u8>>)]
    board: Option<Board>,
    node: Option<usize>,
    g: u32,
    h: Option<u32>,
    fate: FateName,
    goal: bool,
}

#[derive(Serialize, ToSchema)]
struct TileExpansion {
    node: usize,
    parent: Option<usize>,
    #[schema(value_type = Vec<u8>)]
    board: Board,
    g: u32,
    h: u32,
    waiting: usize,
    iteration: usize,
    limit: Option<u32>,
    successors: Vec<TileSuccessor>,
}

#[derive(Serialize, ToSchema)]
struct TileGoal {
    node: Option<usize>,
    parent: Option<usize>,
    #[schema(value_type = Vec<u8>)]
    board: Board,
    g: u32,
}

/// A recorded search on tiles.
#[derive(Serialize, ToSchema)]
pub struct TileTrace {
    side: usize,
    algorithm: &'static str,
    heuristic: Option<&'static str>,
    end: EndName,
    goal: Option<TileGoal>,
    expansions: Vec<TileExpansion>,
}

fn successor(next: RecordedSuccessor<Board, Direction>) -> TileSuccessor {
    TileSuccessor {
        direction: next.action.name(),
        board: next.state,
        node: next.node,
        g: next.g,
        h: next.h,
        fate: match next.fate {
            SuccessorFate::New => FateName::New,
            SuccessorFate::Cheaper => FateName::Cheaper,
            SuccessorFate::Known => FateName::Known,
            SuccessorFate::Beyond => FateName::Beyond,
            // The space of tiles prunes nothing and no estimate of it calls a board dead.
            SuccessorFate::Cut(_) | SuccessorFate::Dead => FateName::Cut,
        },
        goal: next.goal,
    }
}

/// `/tiles/inspect`: a small search on tiles, node by node.
///
/// # Errors
/// When a text is no board, a choice is unknown, or the search has no single order.
pub fn inspect_tiles(inspecting: InspectingTiles) -> Result<TileTrace, Refusal> {
    let most = inspected(inspecting.nodes)?;
    let moves = tiles::move_set(inspecting.moves.as_deref())?;
    let start = tiles::board(&inspecting.start)?;
    let goal = tiles::goal(inspecting.goal.as_deref(), start.side())?;
    let problem = Problem::new(start, goal, moves).map_err(Refusal::unprocessable)?;
    let name = inspecting.algorithm.as_deref().unwrap_or("a-star");
    let method = Method::named(name, &Parameters::default()).map_err(Refusal::unprocessable)?;
    let kind = match &inspecting.heuristic {
        Some(name) => name.parse().map_err(Refusal::unprocessable)?,
        None => match HeuristicKind::recommended(problem.side(), moves) {
            HeuristicKind::PatternDatabase => HeuristicKind::LinearConflict,
            kind => kind,
        },
    };
    if kind == HeuristicKind::PatternDatabase {
        let sentence = "making the pattern tables takes longer than a search to step through; choose another heuristic";
        return Err(Refusal::unprocessable(sentence));
    }
    let mut estimator = Estimator::new(&problem, kind).map_err(Refusal::unprocessable)?;
    let record = record(&problem, method, &mut estimator, most, QUESTION, &Cancel::new()).ok_or_else(|| {
        Refusal::unprocessable("bidirectional search grows two frontiers at once and has no single order to step through; choose another algorithm")
    })?;
    Ok(TileTrace {
        side: problem.side(),
        algorithm: method.name(),
        heuristic: method.asks_estimate().then(|| kind.name()),
        end: record.end.into(),
        goal: record.goal.map(|goal| TileGoal {
            node: goal.node,
            parent: goal.parent.map(|(index, _)| index),
            board: goal.state,
            g: goal.g,
        }),
        expansions: record
            .expansions
            .into_iter()
            .map(|one| TileExpansion {
                node: one.node,
                parent: one.parent.map(|(index, _)| index),
                board: one.state,
                g: one.g,
                h: one.h,
                waiting: one.waiting,
                iteration: one.iteration,
                limit: one.limit,
                successors: one.successors.into_iter().map(successor).collect(),
            })
            .collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(algorithm: &str, heuristic: Option<&str>) -> Result<TileTrace, Refusal> {
        inspect_tiles(InspectingTiles {
            start: "1 2 3 4 5 6 0 7 8".to_owned(),
            goal: None,
            moves: None,
            algorithm: Some(algorithm.to_owned()),
            heuristic: heuristic.map(str::to_owned),
            nodes: Some(100),
        })
    }

    #[test]
    fn every_search_with_one_order_is_stepped_through() {
        for algorithm in ["breadth-first", "a-star", "ida-star", "iterative-deepening"] {
            let trace = asked(algorithm, None).unwrap();
            assert_eq!((trace.end, trace.goal.map(|goal| goal.g)), (EndName::Solved, Some(2)), "{algorithm}");
        }
        assert!(asked("bidirectional", None).is_err() && asked("a-star", Some("pattern-database")).is_err());
    }
}
