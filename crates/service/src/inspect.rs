//! `/inspect`: a small search, node by node.

use crate::allowance::{QUESTION, inspected};
use crate::look::cell;
use crate::{Refusal, levels};
use lurd::{AlgorithmName, Fate, Request, Trace};
use lurd_base::{Cancel, Stop};
use lurd_search::RecordEnd;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A search to be recorded.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Inspecting {
    board: String,
    #[serde(default)]
    request: Request,
    /// Expansions to record.
    nodes: Option<usize>,
}

/// What became of a successor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum FateName {
    New,
    /// Known already, and reached cheaper now.
    Cheaper,
    Known,
    /// Beyond the limit of the iteration.
    Beyond,
    /// Cut by a rule.
    Cut,
    /// Dead by a rule or by the estimate.
    Dead,
}

/// How a recorded search ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum EndName {
    Solved,
    Unsolvable,
    /// Nothing is left, and not everything was searched under sound rules.
    Exhausted,
    /// It goes on beyond the record.
    Cut,
    /// By its depth limit.
    Depth,
    Time,
    Memory,
    Nodes,
    Disk,
}

#[derive(Serialize, ToSchema)]
#[schema(as = Successor)]
struct SuccessorView {
    /// The cells a box leaves and enters; null for a step of the player alone.
    from: Option<usize>,
    to: Option<usize>,
    player: usize,
    node: Option<usize>,
    g: u32,
    h: Option<u32>,
    fate: FateName,
    /// The rule that cut it.
    rule: Option<&'static str>,
    /// Whether the search may end here.
    goal: bool,
}

#[derive(Serialize, ToSchema)]
#[schema(as = Expansion)]
struct ExpansionView {
    node: usize,
    parent: Option<usize>,
    boxes: Vec<usize>,
    player: usize,
    g: u32,
    h: u32,
    waiting: usize,
    /// The iteration of a search under a limit, from 1; 0 for a search without one.
    iteration: usize,
    limit: Option<u32>,
    successors: Vec<SuccessorView>,
}

#[derive(Serialize, ToSchema)]
#[schema(as = Goal)]
struct GoalView {
    node: Option<usize>,
    parent: Option<usize>,
    boxes: Vec<usize>,
    player: usize,
    g: u32,
}

/// A recorded search. Cells are numbered row * width + column.
#[derive(Serialize, ToSchema)]
#[schema(as = Trace)]
pub struct TraceView {
    width: usize,
    height: usize,
    algorithm: String,
    formulation: String,
    heuristic: String,
    complete: bool,
    solved: bool,
    end: EndName,
    /// The goal it found.
    goal: Option<GoalView>,
    expansions: Vec<ExpansionView>,
}

impl From<RecordEnd> for EndName {
    fn from(end: RecordEnd) -> Self {
        match end {
            RecordEnd::Solved => Self::Solved,
            RecordEnd::Unsolvable => Self::Unsolvable,
            RecordEnd::Exhausted => Self::Exhausted,
            RecordEnd::Cut => Self::Cut,
            RecordEnd::Stopped(Stop::Depth) => Self::Depth,
            RecordEnd::Stopped(Stop::Time) => Self::Time,
            RecordEnd::Stopped(Stop::Memory) => Self::Memory,
            RecordEnd::Stopped(Stop::Nodes) => Self::Nodes,
            RecordEnd::Stopped(Stop::Disk) => Self::Disk,
        }
    }
}

/// `/inspect`: a small search, node by node.
///
/// # Errors
/// When the board is no level or the request contradicts itself.
pub fn inspect(inspecting: Inspecting) -> Result<TraceView, Refusal> {
    let most = inspected(inspecting.nodes)?;
    let level = levels::level(&inspecting.board)?;
    let mut config = Request { limits: QUESTION, ..inspecting.request };
    // What is inspected is one search: A* where none is named.
    config.classic.algorithm.get_or_insert(AlgorithmName::AStar);
    let explanation = lurd::explain(&config).map_err(Refusal::unprocessable)?;
    let trace = lurd::inspect(&level, &config, most, &Cancel::new()).map_err(Refusal::unprocessable)?;
    Ok(TraceView {
        width: level.map.width(),
        height: level.map.height(),
        algorithm: explanation.algorithm,
        formulation: explanation.formulation,
        heuristic: explanation.heuristic,
        complete: trace.complete(),
        solved: trace.solved(),
        end: trace.end.into(),
        goal: trace.goal.as_ref().map(|goal| GoalView {
            node: goal.node,
            parent: goal.parent,
            boxes: goal.boxes.iter().map(|&square| cell(&trace.board, square)).collect(),
            player: cell(&trace.board, goal.player),
            g: goal.g,
        }),
        expansions: expansions(&trace),
    })
}

fn expansions(trace: &Trace) -> Vec<ExpansionView> {
    let at = |square| cell(&trace.board, square);
    trace
        .expansions
        .iter()
        .map(|expansion| ExpansionView {
            node: expansion.node,
            parent: expansion.parent,
            boxes: expansion.boxes.iter().map(|&square| at(square)).collect(),
            player: at(expansion.player),
            g: expansion.g,
            h: expansion.h,
            waiting: expansion.waiting,
            iteration: expansion.iteration,
            limit: expansion.limit,
            successors: expansion
                .successors
                .iter()
                .map(|successor| {
                    let (fate, rule) = match successor.fate {
                        Fate::New => (FateName::New, None),
                        Fate::Cheaper => (FateName::Cheaper, None),
                        Fate::Known => (FateName::Known, None),
                        Fate::Beyond => (FateName::Beyond, None),
                        Fate::Cut(rule) => (FateName::Cut, Some(rule)),
                        Fate::Dead(rule) => (FateName::Dead, Some(rule)),
                    };
                    SuccessorView {
                        from: successor.moved.map(|(from, _)| at(from)),
                        to: successor.moved.map(|(_, to)| at(to)),
                        player: at(successor.player),
                        node: successor.node,
                        g: successor.g,
                        h: successor.h,
                        fate,
                        rule,
                        goal: successor.goal,
                    }
                })
                .collect(),
        })
        .collect()
}
