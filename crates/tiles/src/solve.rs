//! Solves a problem and reports all there is to print.

use crate::board::Board;
use crate::heuristic::{Estimator, HeuristicKind};
use crate::moves::{Direction, MoveSet};
use crate::pattern::ida_star;
use crate::problem::Problem;
use crate::space::TileSpace;
use search::{Algorithm, Budget, Cost, Observer, Outcome, Proof, Silent, Stop, TieBreak, Verdict};
use serde::Serialize;
use std::collections::BTreeMap;

/// One move of a solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Step {
    /// Where the blank goes.
    pub direction: Direction,
    /// The tile that takes its place.
    pub tile: u8,
    /// The board after the move.
    pub board: Board,
}

/// What a search found and what it cost.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// The algorithm, by name.
    pub algorithm: String,
    /// The heuristic; `None` for algorithms that ask none.
    pub heuristic: Option<HeuristicKind>,
    /// What the heuristic promises under these moves.
    pub promise: Option<&'static str>,
    /// The allowed moves.
    pub moves: MoveSet,
    /// Where it started.
    pub start: Board,
    /// Where it was to end.
    pub goal: Board,
    /// `solved`, `unsolvable`, `exhausted`, `stopped` or `cancelled`.
    pub outcome: &'static str,
    /// Which limit stopped it: `time`, `memory`, `nodes` or `depth`.
    pub stopped_by: Option<&'static str>,
    /// The solution, move by move with the board after each; empty unless solved.
    pub steps: Vec<Step>,
    /// What the solution costs.
    pub cost: Option<Cost>,
    /// How many moves it has. With every move at cost 1 the same number.
    pub depth: Option<usize>,
    /// What is known of its quality: `optimal`, `at-most-1.5` (times the optimum) or `none`.
    pub proof: Option<String>,
    /// A number of moves no solution is below.
    pub lower_bound: Option<Cost>,
    /// Boards whose successors were made.
    pub expanded: u64,
    /// Successors made.
    pub generated: u64,
    /// Successors that were known already.
    pub duplicates: u64,
    /// Boards taken up again because a shorter way to them was found.
    pub reopened: u64,
    /// Successors cut, by reason.
    pub pruned: BTreeMap<&'static str, u64>,
    /// Most boards waiting at one time.
    pub peak_frontier: u64,
    /// Most bytes held by the search.
    pub peak_bytes: usize,
    /// Wall-clock time.
    pub seconds: f64,
    /// What a reader should know about how it went.
    pub notes: Vec<String>,
}

impl Report {
    fn new(algorithm: String, problem: &Problem, kind: Option<HeuristicKind>, outcome: Outcome<Direction>) -> Self {
        let mut report = Self {
            algorithm,
            heuristic: kind,
            promise: kind.map(|kind| kind.promise(problem.moves())),
            moves: problem.moves(),
            start: *problem.start(),
            goal: *problem.goal(),
            outcome: "solved",
            stopped_by: None,
            steps: Vec::new(),
            cost: None,
            depth: None,
            proof: None,
            lower_bound: outcome.lower_bound,
            expanded: outcome.statistics.expanded,
            generated: outcome.statistics.generated,
            duplicates: outcome.statistics.duplicates,
            reopened: outcome.statistics.reopened,
            pruned: outcome.statistics.pruned,
            peak_frontier: outcome.statistics.peak_frontier,
            peak_bytes: outcome.statistics.peak_bytes,
            seconds: outcome.statistics.seconds,
            notes: outcome.notes,
        };
        match outcome.verdict {
            Verdict::Solved { path, cost, proof, .. } => {
                report.steps = replay(problem.start(), &path);
                report.cost = Some(cost);
                report.depth = Some(path.len());
                report.proof = Some(match proof {
                    Proof::Optimal => "optimal".to_string(),
                    Proof::AtMost(factor) => format!("at-most-{factor}"),
                    Proof::None => "none".to_string(),
                });
            }
            Verdict::Unsolvable => report.outcome = "unsolvable",
            Verdict::Exhausted => report.outcome = "exhausted",
            Verdict::Stopped(stop) => {
                report.outcome = "stopped";
                report.stopped_by = Some(match stop {
                    Stop::Time => "time",
                    Stop::Memory => "memory",
                    Stop::Nodes => "nodes",
                    Stop::Depth => "depth",
                });
            }
            Verdict::Cancelled => report.outcome = "cancelled",
        }
        report
    }

    /// Whether a solution was found.
    pub fn is_solved(&self) -> bool {
        self.cost.is_some()
    }

    /// Every board from the start to the last one reached.
    pub fn boards(&self) -> impl Iterator<Item = &Board> {
        std::iter::once(&self.start).chain(self.steps.iter().map(|step| &step.board))
    }
}

/// Plays a path by the rules of the board alone. A path that broke them would end early,
/// short of the goal.
fn replay(start: &Board, path: &[Direction]) -> Vec<Step> {
    let mut board = *start;
    let step = |&direction: &Direction| {
        let next = board.moved(direction)?;
        let tile = next.tile(board.blank()) as u8;
        board = next;
        Some(Step { direction, tile, board })
    };
    path.iter().map_while(step).collect()
}

/// Solves a problem by one algorithm.
pub fn solve<O: Observer<TileSpace>>(
    problem: &Problem,
    algorithm: Algorithm,
    tie_break: TieBreak,
    estimator: &mut Estimator,
    budget: &Budget,
    observer: &mut O,
) -> Report {
    let mut space = TileSpace::new(problem);
    let outcome = match (algorithm, estimator.patterns()) {
        (Algorithm::IdaStar, Some(lookup)) => ida_star(problem, lookup, budget, observer),
        _ => search::search(algorithm, tie_break, &mut space, estimator, budget, observer),
    };
    Report::new(format!("{algorithm:?}"), problem, asked(algorithm, estimator), outcome)
}

/// The heuristic an algorithm really asks.
fn asked(algorithm: Algorithm, estimator: &Estimator) -> Option<HeuristicKind> {
    match algorithm {
        Algorithm::BreadthFirst | Algorithm::UniformCost => None,
        _ => Some(estimator.kind()),
    }
}

/// The classic assignment: uniform cost and then A* on the same start. Each gets a budget of its own.
pub fn solve_both(problem: &Problem, estimator: &mut Estimator, budget: &dyn Fn() -> Budget) -> [Report; 2] {
    [Algorithm::UniformCost, Algorithm::AStar { fallback_after: None }]
        .map(|algorithm| solve(problem, algorithm, TieBreak::default(), estimator, &budget(), &mut Silent))
}
