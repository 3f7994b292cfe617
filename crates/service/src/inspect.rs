//! `/inspect`: a small search, node by node.

use crate::allowance::{INSPECTED, QUESTION};
use crate::look::cell;
use crate::{AskedConfig, Refusal, levels};
use lurd::{AlgorithmName, Config, Fate, Trace};
use lurd_search::Cancel;
use serde::{Deserialize, Serialize};

/// A search to be recorded.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Inspecting {
    board: String,
    #[serde(default)]
    config: AskedConfig,
    /// Expansions to record.
    nodes: Option<usize>,
}

#[derive(Serialize)]
struct SuccessorView {
    /// The cells a box leaves and enters; null for a step of the player alone.
    from: Option<usize>,
    to: Option<usize>,
    player: usize,
    node: Option<usize>,
    g: u32,
    h: Option<u32>,
    /// `new`, `cheaper`, `known`, `cut` or `dead`.
    fate: &'static str,
    /// The rule that cut it.
    rule: Option<&'static str>,
}

#[derive(Serialize)]
struct ExpansionView {
    node: usize,
    parent: Option<usize>,
    boxes: Vec<usize>,
    player: usize,
    g: u32,
    h: u32,
    waiting: usize,
    successors: Vec<SuccessorView>,
}

/// A recorded search. Cells are numbered row * width + column.
#[derive(Serialize)]
pub struct TraceView {
    width: usize,
    height: usize,
    algorithm: String,
    formulation: String,
    heuristic: String,
    complete: bool,
    solved: bool,
    expansions: Vec<ExpansionView>,
}

/// `/inspect`: a small search, node by node.
///
/// # Errors
/// When the board is no level or the configuration contradicts itself.
pub fn inspect(inspecting: Inspecting) -> Result<TraceView, Refusal> {
    let most = inspecting.nodes.unwrap_or(500);
    if most == 0 || most > INSPECTED {
        return Err(Refusal::unprocessable(format!("nodes must lie between 1 and {INSPECTED}")));
    }
    let level = levels::level(&inspecting.board)?;
    let mut config = Config { limits: QUESTION, ..inspecting.config.config()? };
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
        complete: trace.complete,
        solved: trace.solved,
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
            successors: expansion
                .successors
                .iter()
                .map(|successor| {
                    let (fate, rule) = match successor.fate {
                        Fate::New => ("new", None),
                        Fate::Cheaper => ("cheaper", None),
                        Fate::Known => ("known", None),
                        Fate::Cut(rule) => ("cut", Some(rule)),
                        Fate::Dead(rule) => ("dead", Some(rule)),
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
                    }
                })
                .collect(),
        })
        .collect()
}
