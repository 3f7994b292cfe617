//! The searches by name.

use crate::best_first::{Plan, Rule, best_first};
use crate::bounded::Measure;
use crate::deepening::deepening;
use crate::depth_first::depth_first;
use crate::memory_bounded::memory_bounded;
use crate::weight::Weight;
use crate::{Heuristic, Observer, Outcome, StateSpace};
use lurd_base::Budget;

/// How to search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Algorithm {
    /// By number of actions. Cheapest where every action costs 1. Asks no estimate.
    BreadthFirst,
    /// By path cost (Dijkstra). Cheapest. Asks no estimate.
    UniformCost,
    /// Down the first way, each state once. Promises nothing. Asks no estimate.
    DepthFirst,
    /// Depth-first, no deeper than this many actions. Promises nothing. Asks no estimate.
    DepthLimited(u32),
    /// Depth-first under a rising bound on the path cost. Cheapest. Asks no estimate.
    IterativeDeepening,
    /// By estimate alone. Promises nothing.
    Greedy,
    /// By path cost + estimate. Cheapest, if the estimate is admissible.
    AStar {
        /// After how many expansions to go on greedily instead, if at all.
        fallback_after: Option<u64>,
    },
    /// By path cost + weight * estimate: at most that factor above the cheapest, if the estimate is
    /// admissible. Weights count in hundredths and are at least 1.
    WeightedAStar(f64),
    /// Depth-first under a rising bound on path cost + estimate. Cheapest, if the estimate is
    /// admissible.
    IdaStar,
    /// A* that goes on depth-first from its frontier when its memory is full. Cheapest, if the
    /// estimate is admissible.
    MemoryBoundedAStar,
}

impl Algorithm {
    /// Whether it asks an estimate.
    pub fn asks_estimate(self) -> bool {
        use Algorithm::{BreadthFirst, DepthFirst, DepthLimited, IterativeDeepening, UniformCost};
        !matches!(self, BreadthFirst | UniformCost | DepthFirst | DepthLimited(_) | IterativeDeepening)
    }
}

/// Which of several equally promising states comes first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TieBreak {
    /// The newest.
    #[default]
    Lifo,
    /// The oldest.
    Fifo,
    /// One whose last action [continues](StateSpace::continues) the one before; then the newest.
    Inertia,
}

/// Searches `space` from its start states for a goal.
///
/// Equal calls give equal paths and equal counts, unless a limit on time or the cancel flag
/// ends them.
///
/// ```
/// use lurd_base::*;
/// use lurd_search::*;
///
/// /// From 1, by "double" (cost 3) and "add one" (cost 2), to a number.
/// struct Numbers(u64);
///
/// impl StateSpace for Numbers {
///     type State = u64;
///     type Action = char;
///
///     fn starts(&self) -> Vec<u64> {
///         vec![1]
///     }
///     fn is_goal(&self, state: &u64) -> bool {
///         *state == self.0
///     }
///     fn successors(&mut self, state: &u64, out: &mut Successors<char>) {
///         if *state < self.0 {
///             out.push('d', 3);
///             out.push('a', 2);
///         }
///     }
///     fn apply(&mut self, state: &mut u64, action: char) {
///         *state = if action == 'd' { *state * 2 } else { *state + 1 };
///     }
///     fn key_words(&self) -> usize {
///         1
///     }
///     fn pack(&self, state: &u64, words: &mut [u64]) {
///         words[0] = *state;
///     }
///     fn unpack(&self, words: &[u64], state: &mut u64) {
///         *state = words[0];
///     }
/// }
///
/// let algorithm = Algorithm::AStar { fallback_after: None };
/// let mut space = Numbers(10);
/// let outcome = search(algorithm, TieBreak::Lifo, &mut space, &mut Zero, &Budget::unlimited(), &mut Silent);
/// let Verdict::Solved { path, cost, proof, .. } = outcome.verdict else { panic!() };
/// assert_eq!((path.iter().collect::<String>(), cost, proof), ("adad".to_string(), 10, Optimality::Optimal));
/// ```
pub fn search<S: StateSpace, H: Heuristic<S>, O: Observer<S>>(
    algorithm: Algorithm,
    tie_break: TieBreak,
    space: &mut S,
    heuristic: &mut H,
    budget: &Budget,
    observer: &mut O,
) -> Outcome<S::Action> {
    let plan = |rule| Plan { rule, tie_break, fallback_after: None };
    let plan = match algorithm {
        Algorithm::BreadthFirst => plan(Rule::Depth),
        Algorithm::UniformCost => plan(Rule::PathCost),
        Algorithm::Greedy => plan(Rule::Estimate),
        Algorithm::AStar { fallback_after } => Plan { fallback_after, ..plan(Rule::Sum(Weight::ONE)) },
        Algorithm::WeightedAStar(weight) => plan(Rule::Sum(Weight::new(weight))),
        Algorithm::DepthFirst => return depth_first(space, heuristic, budget, observer),
        Algorithm::DepthLimited(limit) => {
            return deepening(Measure::Depth, Some(limit), space, heuristic, budget, observer);
        }
        Algorithm::IterativeDeepening => return deepening(Measure::Cost, None, space, heuristic, budget, observer),
        Algorithm::IdaStar => return deepening(Measure::Sum, None, space, heuristic, budget, observer),
        Algorithm::MemoryBoundedAStar => return memory_bounded(tie_break, space, heuristic, budget, observer),
    };
    best_first(plan, space, heuristic, budget, observer)
}
