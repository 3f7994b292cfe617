//! A record of a small search, node by node: the state expanded, its successors, and why successors were pruned.
//!
//! The search runs unchanged and only the order of its expansions is recorded; the successors are generated again
//! afterwards by the same space, so the record agrees with the search.

use crate::formulation::{Formulation, MoveSpace, PullSpace, PushSpace, UnmoveSpace, WalkSpace};
use crate::heuristic::Estimator;
use crate::names::{AlgorithmName, FormulationName};
use crate::plan::{Plan, informed};
use crate::{ChoiceError, run};
use lurd_rules::distance::Distances;
use lurd_rules::{Board, Square, State};
use lurd_search::{Budget, Cancel, Cost, Heuristic, Limits, Observer, StateSpace, Successors, Verdict};
use std::collections::HashMap;

/// The result for a successor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// A new state: added to the open list.
    New,
    /// A known state, reached at a lower cost.
    Cheaper,
    /// A known state, reached at no lower cost.
    Known,
    /// Pruned by this detector.
    Cut(&'static str),
    /// Dead by the heuristic, under this name.
    Dead(&'static str),
}

/// A successor of an expanded state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Successor {
    /// The old and the new square of the box that moves; `None` for a step of the player alone.
    pub moved: Option<(Square, Square)>,
    /// The player's square after the action, or the lowest square of his zone.
    pub player: Square,
    /// The number of the state, if it is stored.
    pub node: Option<usize>,
    pub g: Cost,
    /// The estimate; `None` if the algorithm uses none or the state is dead or pruned.
    pub h: Option<Cost>,
    pub fate: Fate,
}

/// An expanded state and its successors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expansion {
    /// The number of the state, in the order of generation.
    pub node: usize,
    /// The expansion it was reached from on the cheapest path known at the time.
    pub parent: Option<usize>,
    pub boxes: Vec<Square>,
    /// The player's square, or the lowest square of his zone.
    pub player: Square,
    pub g: Cost,
    /// The estimate of the search; 0 if it uses none.
    pub h: Cost,
    /// The size of the open list after the state was removed from it.
    pub waiting: usize,
    pub successors: Vec<Successor>,
}

/// A search, node by node.
#[derive(Clone, Debug)]
pub struct Trace {
    /// The board its squares belong to.
    pub board: Board,
    /// The expansions in order.
    pub expansions: Vec<Expansion>,
    /// Whether the record covers the whole search.
    pub complete: bool,
    /// Whether the search found a solution.
    pub solved: bool,
}

/// Runs a search and records up to `most` expansions.
///
/// # Errors
/// When the algorithm has no single order of expansions, or the time limit is reached before the search.
pub fn inspect(board: Board, plan: &Plan, most: usize, limits: Limits, cancel: &Cancel) -> Result<Trace, ChoiceError> {
    if plan.algorithm == AlgorithmName::Bidirectional {
        return Err(ChoiceError::NoSingleOrder);
    }
    let budget = Budget::new(limits, cancel.clone());
    let late = |_| ChoiceError::OutOfTime;
    let distances = if plan.reverse {
        Distances::from_starts(&board, &budget).map_err(late)?
    } else {
        Distances::to_goals(&board, &budget).map_err(late)?
    };
    let detectors = plan.evaluated_detectors();
    let targets = if plan.reverse { board.start_boxes() } else { board.goals() };
    let mut estimator = Estimator::new(&board, &distances, targets, plan.estimate, plan.player_term, &budget);
    let job = Job { plan, budget: &budget, most };
    let (expansions, complete, solved) = match (plan.formulation, plan.reverse) {
        (FormulationName::Push, false) => job.record(PushSpace::new(&board, &distances, &detectors), &mut estimator),
        (FormulationName::Push, true) => job.record(PullSpace::new(&board, &distances, &detectors), &mut estimator),
        (FormulationName::Move, false) => job.record(MoveSpace::new(&board, &distances, &detectors), &mut estimator),
        (FormulationName::Move, true) => job.record(UnmoveSpace::new(&board, &distances, &detectors), &mut estimator),
        (FormulationName::Walk, _) => job.record(WalkSpace::new(&board, &distances, &detectors), &mut estimator),
    };
    Ok(Trace { board, expansions, complete, solved })
}

/// Records the expanded states, and ends the search when the record is full.
struct Recorder {
    expanded: Vec<(State, Cost, Cost)>,
    most: usize,
    full: Cancel,
}

impl<S: StateSpace<State = State>> Observer<S> for Recorder {
    fn expanded(&mut self, state: &State, g: Cost, h: Cost) {
        if self.expanded.len() < self.most {
            self.expanded.push((state.clone(), g, h));
        } else {
            self.full.cancel();
        }
    }
}

/// A generated state.
struct Generated {
    node: usize,
    g: Cost,
    parent: Option<usize>,
    expanded: bool,
}

struct Job<'a> {
    plan: &'a Plan,
    budget: &'a Budget,
    most: usize,
}

impl Job<'_> {
    fn record<S: Formulation>(&self, mut space: S, estimator: &mut Estimator<'_>) -> (Vec<Expansion>, bool, bool) {
        let full = Cancel::new();
        let mut recorder = Recorder { expanded: Vec::new(), most: self.most, full: full.clone() };
        let budget = Budget::new(*self.budget.limits(), full.clone());
        let (algorithm, tie_break) = run::algorithm_and_tie_break(self.plan);
        let ended = lurd_search::search(algorithm, tie_break, &mut space, estimator, &budget, &mut recorder);
        let solved = matches!(ended.verdict, Verdict::Solved { .. });
        let complete = !full.is_cancelled() && !matches!(ended.verdict, Verdict::Stopped(_));
        // Every estimate is computed from scratch, so the second pass has a time limit of its own.
        let recorded = recorder.expanded.len();
        let budget = Budget::new(*self.budget.limits(), self.budget.cancel().clone());
        let expansions = self.expand(&mut space, estimator, recorder.expanded, &budget);
        let complete = complete && expansions.len() == recorded;
        (expansions, complete, solved)
    }

    /// Generates the successors of every expanded state again and determines their fates.
    fn expand<S: Formulation>(
        &self,
        space: &mut S,
        estimator: &mut Estimator<'_>,
        expanded: Vec<(State, Cost, Cost)>,
        budget: &Budget,
    ) -> Vec<Expansion> {
        let informed = informed(self.plan.algorithm);
        let dead_reason = Heuristic::<S>::dead_reason(estimator);
        let mut key = vec![0; space.key_words()];
        let mut known: HashMap<Vec<u64>, Generated> = HashMap::new();
        let mut numbers: HashMap<Vec<u64>, usize> = HashMap::new();
        let mut waiting = 0usize;
        let mut successors = Successors::default();
        let mut expansions = Vec::new();
        let roots: Vec<State> = space.starts();
        for (index, (state, g, h)) in expanded.into_iter().enumerate() {
            // An iteration of a deepening search begins at the root with empty tables.
            if g == 0 && index > 0 && roots.contains(&state) {
                known.clear();
                waiting = 0;
            }
            space.pack(&state, &mut key);
            let count = numbers.len();
            let node = *numbers.entry(key.clone()).or_insert(count);
            let entry = known.entry(key.clone()).or_insert_with(|| {
                waiting += 1;
                Generated { node, g, parent: None, expanded: false }
            });
            if !entry.expanded {
                entry.expanded = true;
                waiting -= 1;
            }
            let parent = entry.parent;
            successors.clear();
            space.successors(&state, &mut successors);
            let mut list = Vec::new();
            let mut child = state.clone();
            let open_before = waiting;
            for edge in successors.edges() {
                if budget.out_of_time() {
                    return expansions;
                }
                child.clone_from(&state);
                space.apply(&mut child, edge.action);
                space.pack(&child, &mut key);
                let child_g = g.saturating_add(edge.cost);
                let estimate = if informed { estimator.estimate(space, &child) } else { Some(0) };
                let fate = match (estimate, known.get_mut(&key)) {
                    (None, _) => Fate::Dead(dead_reason),
                    (_, Some(entry)) if child_g < entry.g => {
                        entry.g = child_g;
                        entry.parent = Some(index);
                        if entry.expanded {
                            entry.expanded = false;
                            waiting += 1;
                        }
                        Fate::Cheaper
                    }
                    (_, Some(_)) => Fate::Known,
                    (_, None) => {
                        let count = numbers.len();
                        let node = *numbers.entry(key.clone()).or_insert(count);
                        known.insert(key.clone(), Generated { node, g: child_g, parent: Some(index), expanded: false });
                        waiting += 1;
                        Fate::New
                    }
                };
                list.push(Successor {
                    moved: space.shifted(edge.action),
                    player: child.player,
                    node: known.get(&key).map(|entry| entry.node),
                    g: child_g,
                    h: estimate.filter(|_| informed),
                    fate,
                });
            }
            for &(action, reason) in successors.cuts() {
                list.push(Successor {
                    moved: space.shifted(action),
                    player: state.player,
                    node: None,
                    g,
                    h: None,
                    fate: Fate::Cut(space.reasons()[usize::from(reason)]),
                });
            }
            expansions.push(Expansion {
                node,
                parent,
                boxes: state.boxes.iter().collect(),
                player: state.player,
                g,
                h,
                waiting: open_before,
                successors: list,
            });
        }
        expansions
    }
}
