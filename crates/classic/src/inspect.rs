//! A small search, node by node: which state was chosen, what its successors were, and which of
//! them were cut by what.
//!
//! The search runs as it always does and only the order of its expansions is written down; the
//! successors are made again afterwards by the same space, so the record cannot disagree with it.

use crate::formulation::{Formulation, MoveSpace, PullSpace, PushSpace, UnmoveSpace, WalkSpace};
use crate::heuristic::Estimator;
use crate::names::{AlgorithmName, FormulationName};
use crate::plan::{Plan, informed};
use crate::{ChoiceError, run};
use lurd_rules::distance::Distances;
use lurd_rules::{Board, Square, State};
use lurd_search::{Budget, Cancel, Cost, Heuristic, Limits, Observer, StateSpace, Successors, Verdict};
use std::collections::HashMap;

/// What became of a successor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// Not seen before: it joined the frontier.
    New,
    /// Seen before, and this way is cheaper.
    Cheaper,
    /// Seen before, and this way is no better.
    Known,
    /// A detector cut it.
    Cut(&'static str),
    /// The estimate calls it dead, under this name.
    Dead(&'static str),
}

/// A successor of a chosen state. Squares are those of the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Successor {
    /// The box that moves, from and to; `None` for a step of the player alone.
    pub moved: Option<(Square, Square)>,
    /// Where the player is afterwards, or the lowest square of his zone.
    pub player: Square,
    /// The number of the state, where it is kept.
    pub node: Option<usize>,
    /// Cost so far.
    pub g: Cost,
    /// The estimate; `None` where none is asked or the state is dead or cut.
    pub h: Option<Cost>,
    /// What became of it.
    pub fate: Fate,
}

/// A state that was chosen, and what came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expansion {
    /// The number of the state, in the order states were first met.
    pub node: usize,
    /// The expansion it was reached from on the cheapest way known then.
    pub parent: Option<usize>,
    /// The boxes.
    pub boxes: Vec<Square>,
    /// The player, or the lowest square of his zone.
    pub player: Square,
    /// Cost so far.
    pub g: Cost,
    /// The estimate the search had; 0 where it asks none.
    pub h: Cost,
    /// States met and not yet expanded, this one not counted.
    pub waiting: usize,
    /// Its successors.
    pub successors: Vec<Successor>,
}

/// A search, node by node.
#[derive(Clone, Debug)]
pub struct Trace {
    /// The board its squares belong to.
    pub board: Board,
    /// The expansions in order.
    pub expansions: Vec<Expansion>,
    /// Whether the search ended by itself within the record.
    pub complete: bool,
    /// Whether it found a solution.
    pub solved: bool,
}

/// Runs a search and records up to `most` expansions.
///
/// # Errors
/// When the algorithm has no single order of expansions to show, or time runs out before it begins.
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
    let detectors = plan.asked_detectors();
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

/// Writes down which states were expanded, and ends the search when it has enough.
struct Recorder {
    chosen: Vec<(State, Cost, Cost)>,
    most: usize,
    full: Cancel,
}

impl<S: StateSpace<State = State>> Observer<S> for Recorder {
    fn expanded(&mut self, state: &State, g: Cost, h: Cost) {
        if self.chosen.len() < self.most {
            self.chosen.push((state.clone(), g, h));
        } else {
            self.full.cancel();
        }
    }

    fn tick(&mut self, _: &lurd_search::Statistics, _: Option<Cost>) {}
}

/// What is known of a state while the record is made.
struct Met {
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
        let mut recorder = Recorder { chosen: Vec::new(), most: self.most, full: full.clone() };
        let budget = Budget::new(*self.budget.limits(), full.clone());
        let (algorithm, tie_break) = run::algorithm_and_tie_break(self.plan);
        let ended = lurd_search::search(algorithm, tie_break, &mut space, estimator, &budget, &mut recorder);
        let solved = matches!(ended.verdict, Verdict::Solved { .. });
        let complete = !full.is_cancelled() && !matches!(ended.verdict, Verdict::Stopped(_));
        // Telling starts every estimate from scratch, so it gets as much time again and no more.
        let recorded = recorder.chosen.len();
        let patience = Budget::new(*self.budget.limits(), self.budget.cancel().clone());
        let told = self.tell(&mut space, estimator, recorder.chosen, &patience);
        let complete = complete && told.len() == recorded;
        (told, complete, solved)
    }

    /// Makes the successors of every chosen state again and says what became of them.
    fn tell<S: Formulation>(
        &self,
        space: &mut S,
        estimator: &mut Estimator<'_>,
        chosen: Vec<(State, Cost, Cost)>,
        patience: &Budget,
    ) -> Vec<Expansion> {
        let informed = informed(self.plan.algorithm);
        let dead_reason = Heuristic::<S>::dead_reason(estimator);
        let mut key = vec![0; space.key_words()];
        let mut met: HashMap<Vec<u64>, Met> = HashMap::new();
        let mut numbers: HashMap<Vec<u64>, usize> = HashMap::new();
        let mut waiting = 0usize;
        let mut successors = Successors::default();
        let mut told = Vec::new();
        let roots: Vec<State> = space.starts();
        for (index, (state, g, h)) in chosen.into_iter().enumerate() {
            // A deepening search begins anew at its root: what it met before counts no more.
            if g == 0 && index > 0 && roots.contains(&state) {
                met.clear();
                waiting = 0;
            }
            space.pack(&state, &mut key);
            let count = numbers.len();
            let node = *numbers.entry(key.clone()).or_insert(count);
            let entry = met.entry(key.clone()).or_insert_with(|| {
                waiting += 1;
                Met { node, g, parent: None, expanded: false }
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
                if patience.out_of_time() {
                    return told;
                }
                child.clone_from(&state);
                space.apply(&mut child, edge.action);
                space.pack(&child, &mut key);
                let child_g = g.saturating_add(edge.cost);
                let estimate = if informed { estimator.estimate(space, &child) } else { Some(0) };
                let fate = match (estimate, met.get_mut(&key)) {
                    (None, _) => Fate::Dead(dead_reason),
                    (_, Some(known)) if child_g < known.g => {
                        known.g = child_g;
                        known.parent = Some(index);
                        if known.expanded {
                            known.expanded = false;
                            waiting += 1;
                        }
                        Fate::Cheaper
                    }
                    (_, Some(_)) => Fate::Known,
                    (_, None) => {
                        let count = numbers.len();
                        let node = *numbers.entry(key.clone()).or_insert(count);
                        met.insert(key.clone(), Met { node, g: child_g, parent: Some(index), expanded: false });
                        waiting += 1;
                        Fate::New
                    }
                };
                list.push(Successor {
                    moved: space.shifted(edge.action),
                    player: child.player,
                    node: met.get(&key).map(|known| known.node),
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
            told.push(Expansion {
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
        told
    }
}
