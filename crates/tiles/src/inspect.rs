//! A small search on tiles, node by node.

use crate::board::Board;
use crate::heuristic::Estimator;
use crate::method::Method;
use crate::moves::Direction;
use crate::problem::Problem;
use crate::space::TileSpace;
use lurd_base::{Cancel, Limits};
use lurd_search::{Record, TieBreak, record};

/// Runs a search and records up to `most` expansions; `None` for bidirectional search, which has no single order of
/// expansions.
///
/// ```
/// use lurd_base::{Cancel, Limits};
/// use lurd_search::RecordEnd;
/// use lurd_tiles::{Board, Estimator, HeuristicKind, Method, MoveSet, Problem, inspect};
///
/// let problem = Problem::new("1 2 3 4 5 6 0 7 8".parse()?, Board::standard_goal(3), MoveSet::Classic)?;
/// let mut estimator = Estimator::new(&problem, HeuristicKind::Manhattan)?;
/// let record = inspect(&problem, Method::A_STAR, &mut estimator, 100, Limits::default(), &Cancel::new()).unwrap();
/// assert_eq!((record.end, record.goal.unwrap().g), (RecordEnd::Solved, 2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn inspect(
    problem: &Problem,
    method: Method,
    estimator: &mut Estimator,
    most: usize,
    limits: Limits,
    cancel: &Cancel,
) -> Option<Record<Board, Direction>> {
    let Method::Forward(algorithm) = method else { return None };
    let kind = (algorithm, TieBreak::default());
    Some(record(kind, &mut TileSpace::new(problem), estimator, most, limits, cancel))
}
