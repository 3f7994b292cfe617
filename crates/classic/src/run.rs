//! Runs a plan: one search of `lurd-search`.

use crate::formulation::{Formulation, MoveSpace, PullSpace, PushSpace, UnmoveSpace, WalkSpace};
use crate::heuristic::Estimator;
use crate::names::{AlgorithmName, FormulationName, TieBreakName};
use crate::plan::Plan;
use crate::supplied::{Chosen, Ruled, Supplied};
use lurd_base::{Budget, Halt, Stop};
use lurd_rules::distance::Distances;
use lurd_rules::{Board, State};
use lurd_search::{Algorithm, Cost, Heuristic, Observer, StateSpace, Statistics, TieBreak, Verdict};

/// An observer of a search.
pub trait Watcher {
    /// Called a few times a second, with the lower bound proved so far.
    fn tick(&mut self, statistics: &Statistics, lower: Option<Cost>);

    /// Whether [`expanded`](Self::expanded) is to be called. Queried once, before the search.
    fn closely(&self) -> bool {
        false
    }

    /// A state was taken from the open list.
    fn expanded(&mut self, state: &State, g: Cost, h: Cost) {
        let _ = (state, g, h);
    }
}

const MEASURING: &str = "the limit was reached while distances were measured";

/// The outcome of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// A solution was found.
    Solved,
    /// It is proved that there is no solution.
    Unsolvable,
    /// The search space was exhausted without a solution, but rules that can prune solutions were used: nothing is
    /// proved.
    Exhausted,
    /// A limit was reached.
    Stopped(Stop),
    /// The search was cancelled.
    Cancelled,
}

impl From<Halt> for Outcome {
    fn from(halt: Halt) -> Self {
        match halt {
            Halt::Cancelled => Self::Cancelled,
            Halt::Limit(stop) => Self::Stopped(stop),
        }
    }
}

/// Adapts a [`Watcher`] to the observer of `lurd-search`.
struct Ticker<'p> {
    watcher: &'p mut dyn Watcher,
    /// Whether every expansion is reported; other searches must not pay for it.
    closely: bool,
}

impl<S: StateSpace<State = State>> Observer<S> for Ticker<'_> {
    #[inline]
    fn expanded(&mut self, state: &State, g: Cost, h: Cost) {
        if self.closely {
            self.watcher.expanded(state, g, h);
        }
    }

    fn tick(&mut self, statistics: &Statistics, lower: Option<Cost>) {
        self.watcher.tick(statistics, lower);
    }
}

/// The result of a search, for any type of actions. The referee has not replayed the solution yet.
#[derive(Clone, Debug)]
pub struct Ended {
    pub outcome: Outcome,
    pub lurd: Option<String>,
    pub proof: lurd_search::Optimality,
    pub lower_bound: Option<Cost>,
    pub statistics: Statistics,
    pub notes: Vec<String>,
}

impl Ended {
    /// The result of a plan that ended before the search.
    fn early(outcome: Outcome, note: impl Into<String>) -> Self {
        Self {
            outcome,
            lurd: None,
            proof: lurd_search::Optimality::None,
            lower_bound: None,
            statistics: Statistics::default(),
            notes: vec![note.into()],
        }
    }
}

/// Runs a plan on a board.
pub fn run(board: &Board, plan: &Plan, budget: &Budget, watcher: &mut dyn Watcher) -> Ended {
    let closely = watcher.closely();
    finished(plan, budget, search_board(board, plan, None, budget, &mut Ticker { watcher, closely }))
}

/// As [`run`], with parts that the caller supplies. They work in forward searches only: in a plan that runs backwards they
/// are ignored.
pub fn run_supplied(
    board: &Board,
    plan: &Plan,
    supplied: Supplied<'_>,
    budget: &Budget,
    watcher: &mut dyn Watcher,
) -> Ended {
    let closely = watcher.closely();
    let supplied = (!supplied.is_empty()).then_some(supplied);
    finished(plan, budget, search_board(board, plan, supplied, budget, &mut Ticker { watcher, closely }))
}

fn finished(plan: &Plan, budget: &Budget, mut ended: Ended) -> Ended {
    ended.statistics.seconds = budget.elapsed().as_secs_f64();
    ended.notes.splice(0..0, plan.notes.iter().cloned());
    ended
}

fn search_board(
    board: &Board,
    plan: &Plan,
    supplied: Option<Supplied<'_>>,
    budget: &Budget,
    ticker: &mut Ticker<'_>,
) -> Ended {
    let two_sided = plan.algorithm == AlgorithmName::Bidirectional;
    let directions = 1 + usize::from(two_sided || plan.reverse);
    let tables = (Distances::bytes(board) + Estimator::bytes(board, plan.estimate)) * directions;
    if budget.out_of_memory(tables) {
        return Ended::early(
            Outcome::Stopped(Stop::Memory),
            format!("the distance tables of this level alone take {tables} bytes, more than the memory limit"),
        );
    }
    let to_goals = match Distances::to_goals(board, budget) {
        Ok(distances) => distances,
        Err(halt) => return Ended::early(halt.into(), MEASURING),
    };
    let budget = &budget.with_memory(budget.limits().memory.map(|limit| limit - tables));
    let own_heuristic = supplied.as_ref().is_some_and(|supplied| supplied.heuristic.is_some());
    let detectors = if own_heuristic { plan.detectors.clone() } else { plan.evaluated_detectors() };
    let push = || PushSpace::new(board, &to_goals, &detectors);
    let moves = || MoveSpace::new(board, &to_goals, &detectors);
    let walk = || WalkSpace::new(board, &to_goals, &detectors);
    if let Some(name) = push().dead_at_start() {
        return Ended::early(Outcome::Unsolvable, format!("the start is dead: {} (`{name}`)", name.about()));
    }
    let goals = board.goals();
    let forward_estimate = || Estimator::new(board, &to_goals, goals, plan.estimate, plan.player_term, budget);
    if !two_sided
        && !plan.reverse
        && let Some(Supplied { heuristic, rule }) = supplied
    {
        let by_name = || Chosen::ByName(Box::new(forward_estimate()));
        let heuristic = &mut heuristic.map_or_else(by_name, Chosen::Supplied);
        return match plan.formulation {
            FormulationName::Push => one_way(board, Ruled::new(push(), rule), heuristic, plan, budget, ticker),
            FormulationName::Move => one_way(board, Ruled::new(moves(), rule), heuristic, plan, budget, ticker),
            FormulationName::Walk => one_way(board, Ruled::new(walk(), rule), heuristic, plan, budget, ticker),
        };
    }
    if !two_sided && !plan.reverse {
        let heuristic = &mut forward_estimate();
        return match plan.formulation {
            FormulationName::Push => one_way(board, push(), heuristic, plan, budget, ticker),
            FormulationName::Move => one_way(board, moves(), heuristic, plan, budget, ticker),
            FormulationName::Walk => one_way(board, walk(), heuristic, plan, budget, ticker),
        };
    }
    let from_starts = match Distances::from_starts(board, budget) {
        Ok(distances) => distances,
        Err(halt) => return Ended::early(halt.into(), MEASURING),
    };
    let pull = || PullSpace::new(board, &from_starts, &detectors);
    let unmove = || UnmoveSpace::new(board, &from_starts, &detectors);
    let starts = board.start_boxes();
    let backward = &mut Estimator::new(board, &from_starts, starts, plan.estimate, plan.player_term, budget);
    match (two_sided, plan.formulation) {
        (false, FormulationName::Push) => one_way(board, pull(), backward, plan, budget, ticker),
        (false, _) => one_way(board, unmove(), backward, plan, budget, ticker),
        (true, FormulationName::Push) => {
            two_way(board, push(), pull(), &mut forward_estimate(), backward, budget, ticker)
        }
        (true, _) => two_way(board, moves(), unmove(), &mut forward_estimate(), backward, budget, ticker),
    }
}

/// The algorithm with its parameters, and the tie-break.
pub(crate) fn algorithm_and_tie_break(plan: &Plan) -> (Algorithm, TieBreak) {
    let tie_break = match plan.tie_break {
        TieBreakName::Lifo => TieBreak::Lifo,
        TieBreakName::Fifo => TieBreak::Fifo,
        TieBreakName::Inertia => TieBreak::Inertia,
    };
    let algorithm = match plan.algorithm {
        AlgorithmName::BreadthFirst => Algorithm::BreadthFirst,
        AlgorithmName::UniformCost => Algorithm::UniformCost,
        AlgorithmName::DepthFirst => Algorithm::DepthFirst,
        AlgorithmName::DepthLimited => Algorithm::DepthLimited(plan.depth_limit),
        AlgorithmName::IterativeDeepening => Algorithm::IterativeDeepening,
        AlgorithmName::Greedy => Algorithm::Greedy,
        AlgorithmName::WeightedAStar => Algorithm::WeightedAStar(plan.weight),
        AlgorithmName::IdaStar => Algorithm::IdaStar,
        AlgorithmName::MemoryBoundedAStar => Algorithm::MemoryBoundedAStar,
        AlgorithmName::AStar | AlgorithmName::Bidirectional => Algorithm::AStar { fallback_after: plan.fallback_after },
    };
    (algorithm, tie_break)
}

fn one_way<S: Formulation>(
    board: &Board,
    mut space: S,
    heuristic: &mut impl Heuristic<S>,
    plan: &Plan,
    budget: &Budget,
    ticker: &mut Ticker<'_>,
) -> Ended {
    let (algorithm, tie_break) = algorithm_and_tie_break(plan);
    let ended = lurd_search::search(algorithm, tie_break, &mut space, heuristic, budget, ticker);
    finish(board, &mut space, ended, |mut path| {
        if plan.reverse {
            path.reverse();
        }
        path
    })
}

fn two_way<F: Formulation, B: Formulation<Action = F::Action>>(
    board: &Board,
    mut forward: F,
    mut backward: B,
    ahead: &mut Estimator<'_>,
    behind: &mut Estimator<'_>,
    budget: &Budget,
    ticker: &mut Ticker<'_>,
) -> Ended {
    let ended = lurd_search::bidirectional(&mut forward, &mut backward, ahead, behind, budget, ticker);
    finish(board, &mut forward, ended, |path| {
        // Actions of the backward space are named by the actions they reverse, so its path is reversed.
        let halves = path.into_iter().map(|meeting| (meeting.forward, meeting.backward));
        halves.flat_map(|(forward, backward)| forward.into_iter().chain(backward.into_iter().rev())).collect()
    })
}

/// The result of a search whose path is a list of actions of the game by `actions`.
fn finish<A, S: Formulation>(
    board: &Board,
    space: &mut S,
    ended: lurd_search::Outcome<A>,
    actions: impl FnOnce(Vec<A>) -> Vec<S::Action>,
) -> Ended {
    let (mut lurd, mut proof) = (None, lurd_search::Optimality::None);
    let outcome = match ended.verdict {
        Verdict::Solved { path, proof: proved, .. } => {
            (lurd, proof) = (Some(written(board, space, &actions(path))), proved);
            Outcome::Solved
        }
        Verdict::Unsolvable => Outcome::Unsolvable,
        Verdict::Exhausted => Outcome::Exhausted,
        Verdict::Stopped(stop) => Outcome::Stopped(stop),
        Verdict::Cancelled => Outcome::Cancelled,
    };
    Ended { outcome, lurd, proof, lower_bound: ended.lower_bound, statistics: ended.statistics, notes: ended.notes }
}

/// Actions of the game, first to last, as LURD from the level's start.
fn written<S: Formulation>(board: &Board, space: &mut S, path: &[S::Action]) -> String {
    let State { mut boxes, mut player } = State::start(board);
    let mut lurd = String::new();
    for &action in path {
        space.write(&mut boxes, &mut player, action, &mut lurd);
    }
    lurd
}
