//! Makes a solution shorter, in pushes or in moves.
//!
//! [`shorten`] first makes all walks shortest and removes cycles. Then it spends its budget on plan neighbourhood graph
//! searches (module `neighbourhood`; Nakhost and Müller 2010), of the whole solution and of windows of it, with
//! increasing beam width (`schedule`), on one thread or several (`shared`). It is an anytime algorithm: the best solution
//! so far is never longer than the one given, and the referee replays it before it is returned.

mod climb;
mod configurations;
mod deviation;
#[cfg(test)]
mod exact_tests;
mod grid;
mod matching;
mod merge;
mod neighbourhood;
mod poller;
mod position;
mod rearrange;
mod route;
mod schedule;
mod shared;
mod store;
mod sweeps;
#[cfg(test)]
mod tests;
mod usefulness;
mod vicinity;

use lurd_base::{Budget, Limits};
use lurd_level::Map;
use lurd_rules::distance::Distances;
use lurd_rules::{Board, BoardError};
use poller::{Counters, Poller};
use route::{Cost, Route};
use schedule::Starts;
use shared::Shared;
use std::num::NonZeroUsize;
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

/// What is minimised first; the other metric breaks ties.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Metric {
    /// Pushes first, then moves.
    #[default]
    Pushes,
    /// Moves first, then pushes.
    Moves,
}

impl Metric {
    /// Two numbers, the more important one first.
    fn order<T>(self, pushes: T, moves: T) -> (T, T) {
        match self {
            Self::Pushes => (pushes, moves),
            Self::Moves => (moves, pushes),
        }
    }
}

/// A shortened solution and the cost of the search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Improved {
    /// The moves in LURD, pushes in capitals.
    pub lurd: String,
    /// The number of moves, pushes included.
    pub moves: usize,
    /// The number of pushes.
    pub pushes: usize,
    /// The moves of the solution given.
    pub moves_before: usize,
    /// The pushes of the solution given.
    pub pushes_before: usize,
    /// Positions expanded.
    pub expanded: u64,
    /// Positions generated, which the node limit counts.
    pub generated: u64,
    /// The maximum memory of all searches together, in bytes.
    pub peak_bytes: usize,
    /// Whether searches ended at the memory limit.
    pub memory_full: bool,
    /// Whether an exhaustive search has proved that no better solution exists.
    pub exhausted: bool,
}

/// The best solution so far.
#[derive(Clone, Copy, Debug)]
pub struct Best<'r> {
    /// The number of pushes.
    pub pushes: usize,
    /// The number of moves.
    pub moves: usize,
    route: &'r Route,
    board: &'r Board,
}

impl Best<'_> {
    /// Its moves in LURD, pushes in capitals. The referee has not replayed them.
    pub fn lurd(&self) -> String {
        self.route.write(self.board)
    }
}

/// Why a solution cannot be improved.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ImproveError {
    /// The level is invalid.
    #[error(transparent)]
    Board(#[from] BoardError),
    /// A move is illegal.
    #[error("{0}")]
    Fault(lurd_referee::Fault),
    /// The moves do not solve the level.
    #[error("the moves do not solve the level: {0} of its boxes are not on goals at the end")]
    NotSolved(usize),
}

impl From<lurd_referee::Fault> for ImproveError {
    fn from(fault: lurd_referee::Fault) -> Self {
        Self::Fault(fault)
    }
}

/// Shortens a solution within a budget; without limits it runs until the solution is proved optimal, which may be never.
/// With a node limit alone the result is deterministic. `progress` is called for every better solution.
///
/// # Errors
/// When the level is invalid or `lurd`, plain letters of either case, does not solve it.
///
/// ```
/// let map = lurd_level::Map::from_xsb("#######\n#@ $ .#\n#######").unwrap();
/// let budget = lurd_base::Budget::unlimited();
/// let better = lurd_improve::shorten(&map, "rlrRR", lurd_improve::Metric::Pushes, &budget, &mut |_| ()).unwrap();
/// assert_eq!(better.lurd, "rRR");
/// ```
pub fn shorten(
    map: &Map,
    lurd: &str,
    metric: Metric,
    budget: &Budget,
    progress: &mut (dyn FnMut(&Best) + Send),
) -> Result<Improved, ImproveError> {
    shorten_on(NonZeroUsize::MIN, map, lurd, metric, budget, progress)
}

/// As [`shorten`], on several threads: they search different windows, and their improvements are merged. The limits on
/// nodes and memory are for all threads together. On more than one thread the result is not deterministic.
///
/// # Errors
/// As [`shorten`].
pub fn shorten_on(
    threads: NonZeroUsize,
    map: &Map,
    lurd: &str,
    metric: Metric,
    budget: &Budget,
    progress: &mut (dyn FnMut(&Best) + Send),
) -> Result<Improved, ImproveError> {
    let text = map.to_string();
    let given = lurd_referee::judge(&text, lurd)?;
    if !given.solved {
        return Err(ImproveError::NotSolved(given.boxes_off_goal));
    }
    let board = Board::new(map)?;
    let (mut exhausted, mut counters) = (false, Counters::default());
    let mut best = given.lurd.clone();
    if let Some(route) = Route::read(&board, &given.lurd) {
        let mut report = |route: &Route| {
            let Cost { first, second } = route.cost(Metric::Pushes);
            progress(&Best { pushes: first as usize, moves: second as usize, route, board: &board });
        };
        let shared = Shared::new(&board, metric, route, &mut report);
        (exhausted, counters) = search(&shared, budget, threads.get());
        best = shared.best().0.write(&board);
    }
    // A result that the referee does not confirm is not returned.
    let before = metric.order(given.pushes, given.moves);
    let judged = lurd_referee::judge(&text, &best)
        .ok()
        .filter(|verdict| verdict.solved && metric.order(verdict.pushes, verdict.moves) <= before);
    debug_assert!(judged.is_some(), "a route solves the level and is no longer than the one given");
    let (moves_before, pushes_before) = (given.moves, given.pushes);
    let verdict = judged.unwrap_or(given);
    let Counters { expanded, generated, peak_bytes, memory_full } = counters;
    Ok(Improved {
        lurd: verdict.lurd,
        moves: verdict.moves,
        pushes: verdict.pushes,
        moves_before,
        pushes_before,
        expanded,
        generated,
        peak_bytes,
        memory_full,
        exhausted,
    })
}

/// Searches for a better route. Returns whether the route is proved optimal.
fn search(shared: &Shared, budget: &Budget, threads: usize) -> (bool, Counters) {
    let finished = AtomicBool::new(false);
    let board = shared.board;
    if Poller::new(budget, &finished).is_over() {
        return (false, Counters::default());
    }
    let Ok(distances) = Distances::to_goals(board, budget) else { return (false, Counters::default()) };
    let given = shared.best().0;
    let mut offers: [_; 3] = std::array::from_fn(|_| |route: &Route| shared.merge(route));
    let routes = (shared.metric == Metric::Moves).then(|| {
        let [first, second, third] = &mut offers;
        [
            Shared::new(board, Metric::Moves, given.clone(), first),
            Shared::new(board, Metric::Pushes, given.clone(), second),
            Shared::new(board, Metric::Moves, given, third),
        ]
    });
    let starts = routes.as_ref().map(|[given, fewest_pushes, second]| Starts {
        given,
        fewest_pushes,
        second,
        begun: Once::new(),
    });
    let work = |budget: &Budget| {
        let mut poller = Poller::new(budget, &finished);
        if schedule::run(shared, starts.as_ref(), &distances, &mut poller) {
            finished.store(true, Ordering::Relaxed);
        }
        poller.counters
    };
    let counters = if threads <= 1 {
        work(budget)
    } else {
        let limits = budget.limits();
        let memory = limits.memory.map(|memory| memory / threads);
        // The first has the rest of the division.
        let share = |first: bool| {
            let part = |all: u64| all / threads as u64 + if first { all % threads as u64 } else { 0 };
            budget.with_limits(Limits { nodes: limits.nodes.map(part), memory, ..*limits })
        };
        let (own, other) = (share(true), share(false));
        thread::scope(|scope| {
            // This thread works too, so that there is one even if no other can be started.
            let start = |_| thread::Builder::new().spawn_scoped(scope, || work(&other)).ok();
            let others: Vec<_> = (1..threads).filter_map(start).collect();
            let own = work(&own);
            others.into_iter().filter_map(|other| other.join().ok()).fold(own, Counters::plus)
        })
    };
    (finished.load(Ordering::Relaxed), counters)
}
