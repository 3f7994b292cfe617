//! The classic engine: one plan, one search of the core, one answer for the referee.

use super::config::{AlgorithmName, Config, FormulationName, TieBreakName};
use super::plan::Plan;
use super::report::{Outcome, Progress, Proof, Report, Solution};
use super::watch::Watch;
use crate::Level;
use crate::board::Board;
use crate::distance::Distances;
use crate::formulation::{Formulation, MoveSpace, PullSpace, PushSpace, UnmoveSpace, WalkSpace};
use crate::heuristic::Estimator;
use crate::state::State;
use search::{Algorithm, Budget, Cost, Limits, Observer, StateSpace, Statistics, Stop, TieBreak, Verdict};

/// Passes on what the core tells.
struct Ticker<'p> {
    watcher: &'p mut dyn Watch,
    /// Whether the watcher wants to see every state: a search that nobody watches closely must
    /// not pay for it.
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
        self.watcher.counted(statistics);
        self.watcher.progress(&Progress {
            seconds: statistics.seconds,
            expanded: statistics.expanded,
            generated: statistics.generated,
            bytes: statistics.peak_bytes,
            lower_bound: lower,
        });
    }
}

/// What a search came to, whatever its actions were.
struct Ended {
    outcome: Outcome,
    lurd: Option<String>,
    proof: search::Proof,
    lower_bound: Option<Cost>,
    statistics: Statistics,
    notes: Vec<String>,
}

impl Ended {
    /// Ended before a search began.
    fn early(outcome: Outcome, note: impl Into<String>) -> Self {
        Self {
            outcome,
            lurd: None,
            proof: search::Proof::None,
            lower_bound: None,
            statistics: Statistics::default(),
            notes: vec![note.into()],
        }
    }
}

/// Runs a plan on a board and reports.
pub(super) fn run(
    level: &Level,
    board: &Board,
    config: &Config,
    plan: &Plan,
    budget: &Budget,
    watcher: &mut dyn Watch,
) -> Report {
    let closely = watcher.closely();
    let mut ended = search_board(board, config, plan, budget, &mut Ticker { watcher, closely });
    ended.statistics.seconds = budget.elapsed().as_secs_f64();
    let mut notes = plan.notes.clone();
    notes.append(&mut ended.notes);
    let counts_pushes = plan.formulation == FormulationName::Push;
    let mut outcome = ended.outcome;
    let mut proof = match ended.proof {
        search::Proof::Optimal if counts_pushes => Proof::OptimalPushes,
        search::Proof::Optimal => Proof::OptimalMoves,
        search::Proof::AtMost(factor) => Proof::AtMost(factor),
        search::Proof::None => Proof::None,
    };
    let solution = ended.lurd.and_then(|lurd| match judged(level, lurd) {
        Ok(solution) => Some(solution),
        Err(sentence) => {
            // Cannot happen unless an engine is wrong: then nothing it says is worth passing on.
            notes.push(sentence);
            outcome = Outcome::Exhausted;
            proof = Proof::None;
            None
        }
    });
    Report {
        outcome,
        solution,
        proof,
        lower_bound: ended.lower_bound,
        algorithm: plan.algorithm.to_string(),
        formulation: plan.formulation.to_string(),
        heuristic: plan.heuristic_name(),
        deadlocks: plan.detectors.iter().map(|name| name.name()).collect(),
        statistics: ended.statistics,
        notes,
    }
}

/// Has the referee replay an answer on the level's own text.
pub(super) fn judged(level: &Level, lurd: String) -> Result<Solution, String> {
    match referee::judge(&level.map.to_string(), &lurd) {
        Ok(verdict) if verdict.solved => Ok(Solution { lurd, moves: verdict.moves, pushes: verdict.pushes }),
        Ok(_) => {
            Err("the referee refused the answer: boxes were left off their goals; please report this level".into())
        }
        Err(fault) => Err(format!("the referee refused the answer: {fault}; please report this level")),
    }
}

fn search_board(board: &Board, config: &Config, plan: &Plan, budget: &Budget, ticker: &mut Ticker<'_>) -> Ended {
    let two_sided = plan.algorithm == AlgorithmName::Bidirectional;
    let tables = Distances::bytes(board) * (1 + usize::from(two_sided || plan.reverse));
    if budget.out_of_memory(tables) {
        return Ended::early(
            Outcome::Stopped(Stop::Memory),
            format!("the distance tables of this level alone take {tables} bytes, more than the memory limit"),
        );
    }
    let Ok(to_goals) = Distances::to_goals(board, budget) else {
        return Ended::early(stopped_early(budget), "the limit was reached while distances were measured");
    };
    let limits = Limits { memory: budget.limits().memory.map(|limit| limit - tables), ..*budget.limits() };
    let budget = &budget.with_limits(limits);
    let detectors = plan.asked_detectors();
    if let Some(name) = PushSpace::new(board, &to_goals, &detectors).dead_at_start() {
        return Ended::early(Outcome::Unsolvable, format!("the start is dead: {} (`{name}`)", name.about()));
    }
    let goals = board.goals();
    let forward_estimate = || Estimator::new(board, &to_goals, goals, plan.estimate, plan.player_term, budget);
    if !two_sided && !plan.reverse {
        let heuristic = &mut forward_estimate();
        return match plan.formulation {
            FormulationName::Push => {
                one_way(board, PushSpace::new(board, &to_goals, &detectors), heuristic, config, plan, budget, ticker)
            }
            FormulationName::Move => {
                one_way(board, MoveSpace::new(board, &to_goals, &detectors), heuristic, config, plan, budget, ticker)
            }
            FormulationName::Walk => {
                one_way(board, WalkSpace::new(board, &to_goals, &detectors), heuristic, config, plan, budget, ticker)
            }
        };
    }
    let Ok(from_starts) = Distances::from_starts(board, budget) else {
        return Ended::early(stopped_early(budget), "the limit was reached while distances were measured");
    };
    let starts = board.start_boxes();
    let backward = &mut Estimator::new(board, &from_starts, starts, plan.estimate, plan.player_term, budget);
    match (two_sided, plan.formulation) {
        (false, FormulationName::Push) => {
            one_way(board, PullSpace::new(board, &from_starts, &detectors), backward, config, plan, budget, ticker)
        }
        (false, _) => {
            one_way(board, UnmoveSpace::new(board, &from_starts, &detectors), backward, config, plan, budget, ticker)
        }
        (true, FormulationName::Push) => two_way(
            board,
            PushSpace::new(board, &to_goals, &detectors),
            PullSpace::new(board, &from_starts, &detectors),
            &mut forward_estimate(),
            backward,
            budget,
            ticker,
        ),
        (true, _) => two_way(
            board,
            MoveSpace::new(board, &to_goals, &detectors),
            UnmoveSpace::new(board, &from_starts, &detectors),
            &mut forward_estimate(),
            backward,
            budget,
            ticker,
        ),
    }
}

fn stopped_early(budget: &Budget) -> Outcome {
    if budget.cancel().is_cancelled() { Outcome::Cancelled } else { Outcome::Stopped(Stop::Time) }
}

/// The algorithm with its parameters, and which of equals it takes first.
pub(super) fn algorithm_and_tie_break(config: &Config, plan: &Plan) -> (Algorithm, TieBreak) {
    let tie_break = match plan.tie_break {
        TieBreakName::Lifo => TieBreak::Lifo,
        TieBreakName::Fifo => TieBreak::Fifo,
        TieBreakName::Inertia => TieBreak::Inertia,
    };
    let algorithm = match plan.algorithm {
        AlgorithmName::BreadthFirst => Algorithm::BreadthFirst,
        AlgorithmName::UniformCost => Algorithm::UniformCost,
        AlgorithmName::DepthFirst => Algorithm::DepthFirst,
        AlgorithmName::DepthLimited => Algorithm::DepthLimited(config.depth_limit),
        AlgorithmName::IterativeDeepening => Algorithm::IterativeDeepening,
        AlgorithmName::Greedy => Algorithm::Greedy,
        AlgorithmName::WeightedAStar => Algorithm::WeightedAStar(config.weight),
        AlgorithmName::IdaStar => Algorithm::IdaStar,
        AlgorithmName::MemoryBoundedAStar => Algorithm::MemoryBoundedAStar,
        AlgorithmName::AStar | AlgorithmName::Bidirectional => Algorithm::AStar { fallback_after: plan.fallback_after },
    };
    (algorithm, tie_break)
}

fn one_way<S: Formulation>(
    board: &Board,
    mut space: S,
    heuristic: &mut Estimator<'_>,
    config: &Config,
    plan: &Plan,
    budget: &Budget,
    ticker: &mut Ticker<'_>,
) -> Ended {
    let (algorithm, tie_break) = algorithm_and_tie_break(config, plan);
    let ended = search::search(algorithm, tie_break, &mut space, heuristic, budget, ticker);
    let (outcome, lurd, proof) = match ended.verdict {
        Verdict::Solved { mut path, proof, .. } => {
            if plan.reverse {
                path.reverse();
            }
            (Outcome::Solved, Some(written(board, &mut space, &path)), proof)
        }
        other => (outcome(&other), None, search::Proof::None),
    };
    Ended { outcome, lurd, proof, lower_bound: ended.lower_bound, statistics: ended.statistics, notes: ended.notes }
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
    let ended = search::bidirectional(&mut forward, &mut backward, ahead, behind, budget, ticker);
    let (outcome, lurd, proof) = match ended.verdict {
        Verdict::Solved { path, proof, .. } => {
            // Actions of the backward space are named by what they undo, so its half reads backwards.
            let actions: Vec<_> = path
                .into_iter()
                .flat_map(|meeting| meeting.forward.into_iter().chain(meeting.backward.into_iter().rev()))
                .collect();
            (Outcome::Solved, Some(written(board, &mut forward, &actions)), proof)
        }
        other => (outcome(&other), None, search::Proof::None),
    };
    Ended { outcome, lurd, proof, lower_bound: ended.lower_bound, statistics: ended.statistics, notes: ended.notes }
}

fn outcome<A>(verdict: &Verdict<A>) -> Outcome {
    match verdict {
        Verdict::Solved { .. } => Outcome::Solved,
        Verdict::Unsolvable => Outcome::Unsolvable,
        Verdict::Exhausted => Outcome::Exhausted,
        Verdict::Stopped(stop) => Outcome::Stopped(*stop),
        Verdict::Cancelled => Outcome::Cancelled,
    }
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
