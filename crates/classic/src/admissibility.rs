//! Every estimate against the true distance, over all states of a small level.
//!
//! The whole space is enumerated without detectors; no estimate takes part in its distances.

use crate::ChoiceError;
use crate::formulation::{Formulation, MoveSpace, PushSpace, WalkSpace};
use crate::heuristic::Estimator;
use crate::names::{EstimateName, FormulationName};
use crate::plan::Plan;
use crate::whole_space::WholeSpace;
use lurd_base::{Budget, Cancel, Halt, Limits, Stop};
use lurd_rules::distance::Distances;
use lurd_rules::{Board, Square, State};
use lurd_search::{Cost, Heuristic};
use std::collections::BTreeMap;

/// A state with its estimate and its true distance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StateCase {
    pub boxes: Vec<Square>,
    /// The player's square, or the lowest square of his zone.
    pub player: Square,
    /// The estimate; `None` if it calls the state dead.
    pub h: Option<Cost>,
    /// The true distance to the nearest goal.
    pub distance: Cost,
}

/// How good one estimate is over all states.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EstimateQuality {
    pub name: EstimateName,
    /// Whether it never exceeds the true distance.
    pub admissible: bool,
    /// Whether it never falls by more than an action costs.
    pub consistent: bool,
    /// States that can be solved and whose estimate is exact.
    pub exact: usize,
    /// The sum of true distance - estimate over the states that can be solved and are not called dead.
    pub error: i64,
    /// States that cannot be solved, recognised by the estimate.
    pub dead_found: usize,
    /// How many states have each pair of estimate and true distance; those called dead are left out.
    pub counts: BTreeMap<(Cost, Cost), usize>,
    /// The state whose estimate is furthest below the truth.
    pub worst: Option<StateCase>,
    /// The state whose estimate is furthest above the truth.
    pub above: Option<StateCase>,
}

/// All estimates over all states of a level.
#[derive(Clone, Debug)]
pub struct Admissibility {
    /// The board its squares belong to.
    pub board: Board,
    /// All states that can be reached.
    pub states: usize,
    /// Those that can be solved.
    pub solvable: usize,
    /// The true distance of the start.
    pub start: Option<Cost>,
    pub estimates: Vec<EstimateQuality>,
}

/// Measures every estimate, with the plan's player term, in the plan's formulation, forwards. Refuses a level with more
/// than `most` states.
///
/// # Errors
/// When there are more states, or the limits are reached.
pub fn admissibility(
    board: Board,
    plan: &Plan,
    most: usize,
    limits: Limits,
    cancel: &Cancel,
) -> Result<Admissibility, ChoiceError> {
    let nodes = limits.nodes.unwrap_or(u64::MAX).min(most as u64);
    let budget = Budget::new(Limits { nodes: Some(nodes), ..limits }, cancel.clone());
    let distances = Distances::to_goals(&board, &budget).map_err(|_| ChoiceError::OutOfTime)?;
    let job = Job { board: &board, distances: &distances, plan, budget: &budget };
    let (whole, estimates) = match plan.formulation {
        FormulationName::Push => job.measure(PushSpace::new(&board, &distances, &[])),
        FormulationName::Move => job.measure(MoveSpace::new(&board, &distances, &[])),
        FormulationName::Walk => job.measure(WalkSpace::new(&board, &distances, &[])),
    }
    .map_err(|halt| match halt {
        Halt::Limit(Stop::Nodes) => ChoiceError::TooManyStates(most),
        _ => ChoiceError::OutOfTime,
    })?;
    let solvable = (0..whole.len()).filter(|&at| whole.distance(at).is_some()).count();
    Ok(Admissibility { states: whole.len(), solvable, start: whole.distance(0), estimates, board })
}

struct Job<'a> {
    board: &'a Board,
    distances: &'a Distances,
    plan: &'a Plan,
    budget: &'a Budget,
}

impl Job<'_> {
    fn measure<S: Formulation>(&self, mut space: S) -> Result<(WholeSpace, Vec<EstimateQuality>), Halt> {
        let whole = WholeSpace::explore(&mut space, self.budget)?;
        let estimates = EstimateName::ALL.iter().map(|&name| self.quality(&space, &whole, name));
        let estimates = estimates.collect::<Result<_, _>>()?;
        Ok((whole, estimates))
    }

    fn quality<S: Formulation>(
        &self,
        space: &S,
        whole: &WholeSpace,
        name: EstimateName,
    ) -> Result<EstimateQuality, Halt> {
        let goals = self.board.goals();
        let mut estimator = Estimator::new(self.board, self.distances, goals, name, self.plan.player_term, self.budget);
        let mut estimates = Vec::with_capacity(whole.len());
        let mut state = State::start(self.board);
        for at in 0..whole.len() {
            if at.is_multiple_of(256) {
                self.budget.check()?;
            }
            space.unpack(whole.key(at), &mut state);
            estimates.push(estimator.estimate(space, &state));
        }
        let mut quality = EstimateQuality {
            name,
            admissible: true,
            consistent: whole.inconsistency(&estimates).is_none(),
            exact: 0,
            error: 0,
            dead_found: 0,
            counts: BTreeMap::new(),
            worst: None,
            above: None,
        };
        let (mut lowest, mut highest) = (0, 0);
        for (at, &h) in estimates.iter().enumerate() {
            let Some(distance) = whole.distance(at) else {
                quality.dead_found += usize::from(h.is_none());
                continue;
            };
            let mut case = || {
                space.unpack(whole.key(at), &mut state);
                Some(StateCase { boxes: state.boxes.iter().collect(), player: state.player, h, distance })
            };
            // A state called dead by mistake is as far above the truth as can be.
            let error = h.map_or(i64::MIN, |h| i64::from(distance) - i64::from(h));
            quality.admissible &= error >= 0;
            if error > lowest {
                lowest = error;
                quality.worst = case();
            }
            if error < highest {
                highest = error;
                quality.above = case();
            }
            if let Some(h) = h {
                quality.exact += usize::from(error == 0);
                quality.error += error;
                *quality.counts.entry((h, distance)).or_default() += 1;
            }
        }
        Ok(quality)
    }
}
