//! The data shared by the threads that work on one level: the best route, and the windows searched.

use crate::Metric;
use crate::merge::merged;
use crate::route::Route;
use lurd_base::sync::lock;
use lurd_rules::Board;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// The number of windows stored; a full table is cleared, and then some windows may be searched twice.
const MAX_WINDOWS: usize = 1 << 18;

/// The state of a window. It decides what is searched next, but proves nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Claim {
    /// Not searched yet: the caller searches it.
    Free,
    /// Another thread searches it.
    Taken,
    /// It was searched without an improvement.
    Done {
        /// No position was omitted.
        exhaustive: bool,
        /// The beam was too narrow for all positions.
        pruned: bool,
    },
}

pub(super) type Listener<'a> = dyn FnMut(&Route) + Send + 'a;

pub(super) struct Shared<'a> {
    pub(super) board: &'a Board,
    pub(super) metric: Metric,
    best: Mutex<(Route, &'a mut Listener<'a>)>,
    /// The number of the best route.
    version: AtomicU64,
    windows: Mutex<HashMap<u64, Claim>>,
}

impl<'a> Shared<'a> {
    pub(super) fn new(board: &'a Board, metric: Metric, route: Route, listener: &'a mut Listener<'a>) -> Self {
        let best = Mutex::new((without_cycles(board, metric, route), listener));
        Self { board, metric, best, version: AtomicU64::new(0), windows: Mutex::default() }
    }

    /// The best route and its number.
    pub(super) fn best(&self) -> (Route, u64) {
        let best = lock(&self.best);
        (best.0.clone(), self.version())
    }

    pub(super) fn version(&self) -> u64 {
        self.version.load(Ordering::Acquire)
    }

    /// Offers a route derived from the best route of number `from`. If the best route has changed since, the two are
    /// merged. Returns the new best route and its number.
    pub(super) fn offer(&self, route: Route, from: u64) -> (Route, u64) {
        let mut best = lock(&self.best);
        let mut route = without_cycles(self.board, self.metric, route);
        if self.version() != from
            && let Some(both) = merged(self.board, self.metric, [&best.0, &route])
        {
            route = both;
        }
        if route.cost(self.metric) < best.0.cost(self.metric) {
            best.0 = route;
            self.version.fetch_add(1, Ordering::Release);
            let (route, listener) = &mut *best;
            listener(route);
        }
        (best.0.clone(), self.version())
    }

    /// Merges a route of any origin into the best one.
    pub(super) fn merge(&self, route: &Route) {
        self.offer(route.clone(), u64::MAX);
    }

    /// Takes a route instead of the best one, even if it is longer. Nobody is told.
    pub(super) fn replace(&self, route: &Route) {
        let mut best = lock(&self.best);
        best.0 = without_cycles(self.board, self.metric, route.clone());
        self.version.fetch_add(1, Ordering::Release);
    }

    /// The state of a window; a free one becomes the caller's.
    pub(super) fn claim(&self, window: u64) -> Claim {
        let mut windows = lock(&self.windows);
        if windows.len() >= MAX_WINDOWS {
            windows.clear();
        }
        match windows.entry(window) {
            Entry::Occupied(entry) => *entry.get(),
            Entry::Vacant(entry) => {
                entry.insert(Claim::Taken);
                Claim::Free
            }
        }
    }

    pub(super) fn done(&self, window: u64, result: Claim) {
        lock(&self.windows).insert(window, result);
    }
}

fn without_cycles(board: &Board, metric: Metric, mut route: Route) -> Route {
    while let Some(shorter) = route.without_cycles(board, metric) {
        route = shorter;
    }
    route
}
