//! `POST /inspect`: a small search, node by node.

use super::config::AskedConfig;
use super::look::cell;
use super::{App, levels};
use crate::error::{Answer, Asked, Refusal};
use crate::limits::Limits;
use axum::Json;
use axum::extract::State;
use lurd::{AlgorithmName, Config, Fate, Trace};
use lurd_search::Cancel;
use serde::{Deserialize, Serialize};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Inspecting {
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
pub(crate) struct TraceView {
    width: usize,
    height: usize,
    algorithm: String,
    formulation: String,
    heuristic: String,
    complete: bool,
    solved: bool,
    expansions: Vec<ExpansionView>,
}

/// `POST /inspect`
pub(crate) async fn inspect(State(app): State<App>, Asked(inspecting): Asked<Inspecting>) -> Answer<TraceView> {
    let most = inspecting.nodes.unwrap_or(500);
    if most == 0 || most > Limits::INSPECTED {
        return Err(Refusal::unprocessable(format!("nodes must lie between 1 and {}", Limits::INSPECTED)));
    }
    app.think(move || {
        let level = levels::level(&inspecting.board)?;
        let mut config = Config { limits: Limits::QUESTION, ..inspecting.config.config()? };
        // What is inspected is one search: A* where none is named.
        config.classic.algorithm.get_or_insert(AlgorithmName::AStar);
        let explanation = lurd::explain(&config).map_err(Refusal::unprocessable)?;
        let trace = lurd::inspect(&level, &config, most, &Cancel::new()).map_err(Refusal::unprocessable)?;
        Ok(Json(TraceView {
            width: level.map.width(),
            height: level.map.height(),
            algorithm: explanation.algorithm,
            formulation: explanation.formulation,
            heuristic: explanation.heuristic,
            complete: trace.complete,
            solved: trace.solved,
            expansions: expansions(&trace),
        }))
    })
    .await
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
