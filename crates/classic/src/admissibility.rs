//! Every estimate against the true distance, over all states of a small level.
//!
//! The whole space is enumerated without detectors, and the true distances come from one Dijkstra search back from the
//! goals over the recorded edges; no estimate takes part in either.

use crate::ChoiceError;
use crate::formulation::{Formulation, MoveSpace, PushSpace, WalkSpace};
use crate::heuristic::Estimator;
use crate::names::{EstimateName, FormulationName};
use crate::plan::Plan;
use lurd_rules::distance::Distances;
use lurd_rules::{Board, Square, State};
use lurd_search::{Budget, Cancel, Cost, Heuristic, Limits, Successors};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, HashMap};

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
    let budget = Budget::new(limits, cancel.clone());
    let distances = Distances::to_goals(&board, &budget).map_err(|_| ChoiceError::OutOfTime)?;
    let job = Job { board: &board, distances: &distances, plan, most, budget: &budget };
    let (space, estimates) = match plan.formulation {
        FormulationName::Push => job.measure(PushSpace::new(&board, &distances, &[])),
        FormulationName::Move => job.measure(MoveSpace::new(&board, &distances, &[])),
        FormulationName::Walk => job.measure(WalkSpace::new(&board, &distances, &[])),
    }?;
    let solvable = space.distance.iter().flatten().count();
    Ok(Admissibility { states: space.states.len(), solvable, start: space.distance[0], estimates, board })
}

struct Job<'a> {
    board: &'a Board,
    distances: &'a Distances,
    plan: &'a Plan,
    most: usize,
    budget: &'a Budget,
}

/// A whole state space; the start is state 0.
struct Explored {
    states: Vec<State>,
    /// Edges as (from, to, cost).
    edges: Vec<(u32, u32, Cost)>,
    /// The true distances; `None` where no goal can be reached.
    distance: Vec<Option<Cost>>,
}

impl Job<'_> {
    fn measure<S: Formulation>(&self, mut space: S) -> Result<(Explored, Vec<EstimateQuality>), ChoiceError> {
        let explored = self.explore(&mut space)?;
        let estimates = EstimateName::ALL.iter().map(|&name| self.quality(&space, &explored, name));
        let estimates = estimates.collect::<Result<_, _>>()?;
        Ok((explored, estimates))
    }

    fn in_time(&self) -> Result<(), ChoiceError> {
        let over = self.budget.out_of_time() || self.budget.cancel().is_cancelled();
        if over { Err(ChoiceError::OutOfTime) } else { Ok(()) }
    }

    fn explore<S: Formulation>(&self, space: &mut S) -> Result<Explored, ChoiceError> {
        let mut key = vec![0; space.key_words()];
        let mut numbers: HashMap<Vec<u64>, u32> = HashMap::new();
        let mut states = space.starts();
        let mut edges = Vec::new();
        for (number, state) in (0..).zip(&states) {
            space.pack(state, &mut key);
            numbers.insert(key.clone(), number);
        }
        let mut successors = Successors::default();
        let mut next = 0;
        while next < states.len() {
            if next.is_multiple_of(256) {
                self.in_time()?;
            }
            let state = states[next].clone();
            successors.clear();
            space.successors(&state, &mut successors);
            for edge in successors.edges() {
                let mut child = state.clone();
                space.apply(&mut child, edge.action);
                space.pack(&child, &mut key);
                let number = match numbers.get(&key) {
                    Some(&number) => number,
                    None if states.len() == self.most => return Err(ChoiceError::TooManyStates(self.most)),
                    None => {
                        let number = states.len() as u32;
                        numbers.insert(key.clone(), number);
                        states.push(child);
                        number
                    }
                };
                edges.push((next as u32, number, edge.cost));
            }
            next += 1;
        }
        let goals = states.iter().map(|state| space.is_goal(state));
        let distance = distances_to(goals, &edges);
        Ok(Explored { states, edges, distance })
    }

    fn quality<S: Formulation>(
        &self,
        space: &S,
        explored: &Explored,
        name: EstimateName,
    ) -> Result<EstimateQuality, ChoiceError> {
        let goals = self.board.goals();
        let mut estimator = Estimator::new(self.board, self.distances, goals, name, self.plan.player_term, self.budget);
        let mut estimates = Vec::with_capacity(explored.states.len());
        for (number, state) in explored.states.iter().enumerate() {
            if number.is_multiple_of(256) {
                self.in_time()?;
            }
            estimates.push(estimator.estimate(space, state));
        }
        let mut quality = EstimateQuality {
            name,
            admissible: true,
            consistent: is_consistent(&explored.edges, &estimates),
            exact: 0,
            error: 0,
            dead_found: 0,
            counts: BTreeMap::new(),
            worst: None,
            above: None,
        };
        let (mut lowest, mut highest) = (0, 0);
        for ((state, &h), &distance) in explored.states.iter().zip(&estimates).zip(&explored.distance) {
            let Some(distance) = distance else {
                quality.dead_found += usize::from(h.is_none());
                continue;
            };
            let case = || Some(StateCase { boxes: state.boxes.iter().collect(), player: state.player, h, distance });
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

/// Whether no estimate falls by more than an edge costs.
fn is_consistent(edges: &[(u32, u32, Cost)], estimates: &[Option<Cost>]) -> bool {
    edges.iter().all(|&(from, to, cost)| match (estimates[from as usize], estimates[to as usize]) {
        (Some(before), Some(after)) => before <= after.saturating_add(cost),
        (None, Some(_)) => false,
        (_, None) => true,
    })
}

/// The distance of every state to the nearest goal, by a search back over the edges.
fn distances_to(goals: impl Iterator<Item = bool>, edges: &[(u32, u32, Cost)]) -> Vec<Option<Cost>> {
    let mut queue = BinaryHeap::new();
    let mut distance = Vec::new();
    for (number, goal) in (0..).zip(goals) {
        distance.push(goal.then_some(0));
        if goal {
            queue.push(Reverse((0, number)));
        }
    }
    let mut into: Vec<Vec<(u32, Cost)>> = vec![Vec::new(); distance.len()];
    for &(from, to, cost) in edges {
        into[to as usize].push((from, cost));
    }
    while let Some(Reverse((known, state))) = queue.pop() {
        if distance[state as usize] != Some(known) {
            continue;
        }
        for &(from, cost) in &into[state as usize] {
            let longer: Cost = known + cost;
            let before = &mut distance[from as usize];
            if before.is_none_or(|before| longer < before) {
                *before = Some(longer);
                queue.push(Reverse((longer, from)));
            }
        }
    }
    distance
}
