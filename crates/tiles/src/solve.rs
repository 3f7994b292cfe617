//! Solves a problem and reports all there is to print.

use crate::board::Board;
use crate::heuristic::{Estimator, HeuristicKind};
use crate::method::Method;
use crate::moves::{Direction, MoveSet};
use crate::pattern::ida_star;
use crate::problem::Problem;
use crate::space::TileSpace;
use lurd_base::Budget;
use lurd_search::{Cost, Meeting, Observer, Optimality, Outcome, Silent, TieBreak, Verdict};
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
    pub algorithm: &'static str,
    /// The heuristic; `None` for algorithms that ask none.
    pub heuristic: Option<HeuristicKind>,
    /// What the heuristic promises under these moves.
    pub promise: Option<&'static str>,
    pub moves: MoveSet,
    pub start: Board,
    pub goal: Board,
    /// `solved`, `unsolvable`, `exhausted`, `stopped` or `cancelled`.
    pub outcome: &'static str,
    /// Which limit stopped it: `time`, `memory`, `nodes` or `depth`.
    pub stopped_by: Option<&'static str>,
    /// The solution, move by move with the board after each; empty unless solved.
    pub steps: Vec<Step>,
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
    pub seconds: f64,
    /// What a reader should know about how it went.
    pub notes: Vec<String>,
}

impl Report {
    fn new(method: Method, problem: &Problem, kind: HeuristicKind, outcome: Outcome<Direction>) -> Self {
        let kind = method.asks_estimate().then_some(kind);
        let mut report = Self {
            algorithm: method.name(),
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
                    Optimality::Optimal => "optimal".to_string(),
                    Optimality::AtMost(factor) => format!("at-most-{factor}"),
                    Optimality::None => "none".to_string(),
                });
            }
            Verdict::Unsolvable => report.outcome = "unsolvable",
            Verdict::Exhausted => report.outcome = "exhausted",
            Verdict::Stopped(stop) => {
                report.outcome = "stopped";
                report.stopped_by = Some(stop.name());
            }
            Verdict::Cancelled => report.outcome = "cancelled",
        }
        report
    }

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
    method: Method,
    tie_break: TieBreak,
    estimator: &mut Estimator,
    budget: &Budget,
    observer: &mut O,
) -> Report {
    let outcome = match (method, estimator.patterns()) {
        (Method::IDA_STAR, Some(lookup)) => ida_star(problem, lookup, budget, observer),
        (Method::Forward(algorithm), _) => {
            lurd_search::search(algorithm, tie_break, &mut TileSpace::new(problem), estimator, budget, observer)
        }
        (Method::Bidirectional, _) => from_both_ends(problem, estimator, budget, observer),
    };
    Report::new(method, problem, estimator.kind(), outcome)
}

/// Searches from the start and from the goal at once. Moves can be taken back, so the
/// space seen from the goal is the reversed problem.
fn from_both_ends<O: Observer<TileSpace>>(
    problem: &Problem,
    estimator: &mut Estimator,
    budget: &Budget,
    observer: &mut O,
) -> Outcome<Direction> {
    let reversed = problem.reversed();
    // The tables are for the goal; towards the start the best estimate without tables has to do.
    let kind = match estimator.kind() {
        HeuristicKind::PatternDatabase => HeuristicKind::LinearConflict,
        kind => kind,
    };
    let mut toward_start = Estimator::for_goal(reversed.goal(), reversed.moves(), kind);
    let (mut forward, mut backward) = (TileSpace::new(problem), TileSpace::new(&reversed));
    let outcome =
        lurd_search::bidirectional(&mut forward, &mut backward, estimator, &mut toward_start, budget, observer);
    let mut notes = outcome.notes;
    if kind != estimator.kind() {
        notes.push(format!("Towards the start the estimate was {kind}: the tables are for the goal only."));
    }
    let verdict = match outcome.verdict {
        Verdict::Solved { path, cost, start, proof } => {
            let join = |meeting: Meeting<Direction, Direction>| {
                let back = meeting.backward.into_iter().rev().map(Direction::reverse);
                meeting.forward.into_iter().chain(back)
            };
            Verdict::Solved { path: path.into_iter().flat_map(join).collect(), cost, start, proof }
        }
        Verdict::Unsolvable => Verdict::Unsolvable,
        Verdict::Exhausted => Verdict::Exhausted,
        Verdict::Stopped(stop) => Verdict::Stopped(stop),
        Verdict::Cancelled => Verdict::Cancelled,
    };
    Outcome { verdict, lower_bound: outcome.lower_bound, statistics: outcome.statistics, notes }
}

/// The classic assignment: uniform cost and then A* on the same start. Each gets a budget of its own.
pub fn solve_both(problem: &Problem, estimator: &mut Estimator, budget: &dyn Fn() -> Budget) -> [Report; 2] {
    [Method::UNIFORM_COST, Method::A_STAR]
        .map(|method| solve(problem, method, TieBreak::default(), estimator, &budget(), &mut Silent))
}
