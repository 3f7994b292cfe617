//! A record of a small search, node by node: the state expanded, its successors, and why successors were pruned.

use crate::formulation::{Formulation, MoveSpace, PullSpace, PushSpace, UnmoveSpace, WalkSpace};
use crate::heuristic::Estimator;
use crate::names::{AlgorithmName, FormulationName};
use crate::plan::Plan;
use crate::{ChoiceError, run};
use lurd_base::{Budget, Cancel, Limits};
use lurd_rules::distance::Distances;
use lurd_rules::{Board, Square};
use lurd_search::{Cost, Heuristic, Record, RecordEnd, SuccessorFate, record};

/// The result for a successor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// A new state: added to the open list.
    New,
    /// A known state, reached at a lower cost.
    Cheaper,
    /// A known state, reached at no lower cost.
    Known,
    /// Beyond the limit of the iteration.
    Beyond,
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
    /// The player's square after the action.
    pub player: Square,
    /// The number of the state, if it is stored.
    pub node: Option<usize>,
    pub g: Cost,
    /// The estimate; `None` if the algorithm uses none or the state is dead or pruned.
    pub h: Option<Cost>,
    pub fate: Fate,
    /// Whether the search may end here.
    pub goal: bool,
}

/// An expanded state and its successors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expansion {
    /// The number of the state, in the order of generation.
    pub node: usize,
    /// The expansion it was reached from.
    pub parent: Option<usize>,
    pub boxes: Vec<Square>,
    /// The player's square after the last action. Where a state is a zone of the player, he may stand on any square of it.
    pub player: Square,
    pub g: Cost,
    /// The estimate of the search; 0 if it uses none.
    pub h: Cost,
    /// The size of the open list after the state was removed from it.
    pub waiting: usize,
    /// The iteration of a search under a limit, from 1; 0 for a search without one.
    pub iteration: usize,
    /// The limit of the iteration.
    pub limit: Option<Cost>,
    pub successors: Vec<Successor>,
}

/// The goal that ended a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GoalReached {
    /// The number of the state.
    pub node: Option<usize>,
    /// The expansion it was reached from.
    pub parent: Option<usize>,
    pub boxes: Vec<Square>,
    pub player: Square,
    /// The cost of the solution.
    pub g: Cost,
}

/// A search, node by node.
#[derive(Clone, Debug)]
pub struct Trace {
    /// The board its squares belong to.
    pub board: Board,
    /// The expansions in order.
    pub expansions: Vec<Expansion>,
    /// The goal it found.
    pub goal: Option<GoalReached>,
    /// How the search ends.
    pub end: RecordEnd,
}

impl Trace {
    /// Whether the search found a solution.
    pub fn solved(&self) -> bool {
        self.end == RecordEnd::Solved
    }

    /// Whether the record covers the whole search.
    pub fn complete(&self) -> bool {
        self.end != RecordEnd::Cut
    }
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
    let job = Job { plan, limits, cancel, most };
    let (expansions, goal, end) = match (plan.formulation, plan.reverse) {
        (FormulationName::Push, false) => job.record(PushSpace::new(&board, &distances, &detectors), &mut estimator),
        (FormulationName::Push, true) => job.record(PullSpace::new(&board, &distances, &detectors), &mut estimator),
        (FormulationName::Move, false) => job.record(MoveSpace::new(&board, &distances, &detectors), &mut estimator),
        (FormulationName::Move, true) => job.record(UnmoveSpace::new(&board, &distances, &detectors), &mut estimator),
        (FormulationName::Walk, _) => job.record(WalkSpace::new(&board, &distances, &detectors), &mut estimator),
    };
    Ok(Trace { board, expansions, goal, end })
}

struct Job<'a> {
    plan: &'a Plan,
    limits: Limits,
    cancel: &'a Cancel,
    most: usize,
}

impl Job<'_> {
    fn record<S: Formulation>(
        &self,
        mut space: S,
        estimator: &mut Estimator<'_>,
    ) -> (Vec<Expansion>, Option<GoalReached>, RecordEnd) {
        let kind = run::algorithm_and_tie_break(self.plan);
        let dead = Heuristic::<S>::dead_reason(estimator);
        let Record { expansions, goal, end } = record(kind, &mut space, estimator, self.most, self.limits, self.cancel);
        // Forwards the player begins where the level has him; backwards anywhere in his zone.
        let begins = |player| if self.plan.reverse { player } else { space.board().start_player() };
        let stands = |action: S::Action, player| space.stands(action).unwrap_or(player);
        let expansions = expansions
            .into_iter()
            .map(|one| Expansion {
                node: one.node,
                parent: one.parent.map(|(index, _)| index),
                boxes: one.state.boxes.iter().collect(),
                player: one
                    .parent
                    .map_or_else(|| begins(one.state.player), |(_, action)| stands(action, one.state.player)),
                g: one.g,
                h: one.h,
                waiting: one.waiting,
                iteration: one.iteration,
                limit: one.limit,
                successors: one
                    .successors
                    .into_iter()
                    .map(|next| Successor {
                        moved: space.shifted(next.action),
                        player: next.state.map_or(one.state.player, |state| stands(next.action, state.player)),
                        node: next.node,
                        g: next.g,
                        h: next.h,
                        fate: match next.fate {
                            SuccessorFate::New => Fate::New,
                            SuccessorFate::Cheaper => Fate::Cheaper,
                            SuccessorFate::Known => Fate::Known,
                            SuccessorFate::Beyond => Fate::Beyond,
                            SuccessorFate::Cut(reason) => Fate::Cut(space.reasons()[usize::from(reason)]),
                            SuccessorFate::Dead => Fate::Dead(dead),
                        },
                        goal: next.goal,
                    })
                    .collect(),
            })
            .collect();
        let goal = goal.map(|goal| GoalReached {
            node: goal.node,
            parent: goal.parent.map(|(index, _)| index),
            boxes: goal.state.boxes.iter().collect(),
            player: goal
                .parent
                .map_or_else(|| begins(goal.state.player), |(_, action)| stands(action, goal.state.player)),
            g: goal.g,
        });
        (expansions, goal, end)
    }
}
