//! `/admissibility`: every estimate against the true distance, over all states of a small level.

use crate::allowance::QUESTION;
use crate::look::cell;
use crate::{Refusal, levels};
use lurd::{Board, Request, StateCase};
use lurd_base::Cancel;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The most states of a level that is measured.
const STATES: usize = 200_000;

/// A level whose estimates are to be measured.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Measuring {
    board: String,
    /// The formulation and the player term count; the rest is left aside.
    #[serde(default)]
    request: Request,
}

#[derive(Serialize, ToSchema)]
#[schema(as = StateCase)]
struct CaseView {
    boxes: Vec<usize>,
    player: usize,
    /// Null where the estimate calls the state dead.
    h: Option<u32>,
    distance: u32,
}

#[derive(Serialize, ToSchema)]
#[schema(as = EstimateQuality)]
struct EstimateView {
    name: &'static str,
    admissible: bool,
    consistent: bool,
    exact: usize,
    /// The mean of true distance - estimate over the states that can be solved.
    mean_error: f64,
    dead_found: usize,
    /// Triples of estimate, true distance and number of states.
    counts: Vec<(u32, u32, usize)>,
    worst: Option<CaseView>,
    above: Option<CaseView>,
}

/// How good the estimates are. Cells are numbered row * width + column.
#[derive(Serialize, ToSchema)]
pub struct Measured {
    width: usize,
    height: usize,
    formulation: String,
    player_term: Option<&'static str>,
    states: usize,
    solvable: usize,
    /// The true distance of the start; null where it has no solution.
    start: Option<u32>,
    estimates: Vec<EstimateView>,
}

fn case(board: &Board, case: &StateCase) -> CaseView {
    CaseView {
        boxes: case.boxes.iter().map(|&square| cell(board, square)).collect(),
        player: cell(board, case.player),
        h: case.h,
        distance: case.distance,
    }
}

/// `/admissibility`: every estimate against the true distance.
///
/// # Errors
/// When the board is no level, the request contradicts itself, or there are too many states.
pub fn admissibility(measuring: Measuring) -> Result<Measured, Refusal> {
    let level = levels::level(&measuring.board)?;
    let config = Request { limits: QUESTION, ..measuring.request };
    let explanation = lurd::explain(&config).map_err(Refusal::unprocessable)?;
    let measured = lurd::admissibility(&level, &config, STATES, &Cancel::new()).map_err(Refusal::unprocessable)?;
    let counted = |quality: &lurd::EstimateQuality| quality.counts.values().sum::<usize>().max(1) as f64;
    let estimates = measured.estimates.iter().map(|quality| EstimateView {
        name: quality.name.name(),
        admissible: quality.admissible,
        consistent: quality.consistent,
        exact: quality.exact,
        mean_error: quality.error as f64 / counted(quality),
        dead_found: quality.dead_found,
        counts: quality.counts.iter().map(|(&(h, distance), &states)| (h, distance, states)).collect(),
        worst: quality.worst.as_ref().map(|worst| case(&measured.board, worst)),
        above: quality.above.as_ref().map(|above| case(&measured.board, above)),
    });
    Ok(Measured {
        width: level.map.width(),
        height: level.map.height(),
        formulation: explanation.formulation,
        player_term: config.classic.player_term.map(lurd::PlayerTerm::name),
        states: measured.states,
        solvable: measured.solvable,
        start: measured.start,
        estimates: estimates.collect(),
    })
}
