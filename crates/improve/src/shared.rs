//! What the threads that work on one level share: the best route, and which windows somebody has searched.

use crate::Goal;
use crate::merge::merged;
use crate::route::Route;
use lurd_rules::Board;
use lurd_search::sync::lock;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard};

/// Windows remembered; when there are more they are forgotten, and some may be searched twice.
const MOST_WINDOWS: usize = 1 << 18;

/// What is known about a search of a window. Used to choose what to do next, never for a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Claim {
    /// Nobody has searched it: it is the caller's now.
    Free,
    /// Somebody is at it.
    Taken,
    /// It was searched in vain.
    Done {
        /// Nothing was left out.
        exhaustive: bool,
        /// There were more positions than places.
        crowded: bool,
    },
}

/// A listener for better routes.
pub(super) type Told<'a> = dyn FnMut(&Route) + Send + 'a;

/// The best route and the windows searched.
pub(super) struct Shared<'a> {
    board: &'a Board,
    goal: Goal,
    best: Mutex<(Route, &'a mut Told<'a>)>,
    /// Counts the routes that were best.
    version: AtomicU64,
    windows: Mutex<HashMap<u64, Claim>>,
}

impl<'a> Shared<'a> {
    pub(super) fn new(board: &'a Board, goal: Goal, route: Route, told: &'a mut Told<'a>) -> Self {
        let route = without_loops(board, goal, route);
        Self { board, goal, best: Mutex::new((route, told)), version: AtomicU64::new(0), windows: Mutex::default() }
    }

    pub(super) fn board(&self) -> &'a Board {
        self.board
    }

    pub(super) fn goal(&self) -> Goal {
        self.goal
    }

    fn lock(&self) -> MutexGuard<'_, (Route, &'a mut Told<'a>)> {
        lock(&self.best)
    }

    /// The best route, and its number.
    pub(super) fn best(&self) -> (Route, u64) {
        let best = self.lock();
        (best.0.clone(), self.version())
    }

    /// The number of the best route.
    pub(super) fn version(&self) -> u64 {
        self.version.load(Ordering::Acquire)
    }

    /// Offers a route made from the best one of number `from`. If another has become best meanwhile, the two are put
    /// together. Returns the best route after that, and its number.
    pub(super) fn offer(&self, route: Route, from: u64) -> (Route, u64) {
        let mut best = self.lock();
        let mut route = without_loops(self.board, self.goal, route);
        if self.version() != from
            && let Some(both) = merged(self.board, self.goal, [&best.0, &route])
        {
            route = both;
        }
        if route.cost(self.goal) < best.0.cost(self.goal) {
            best.0 = route;
            self.version.fetch_add(1, Ordering::Release);
            let (route, told) = &mut *best;
            told(route);
        }
        (best.0.clone(), self.version())
    }

    fn windows(&self) -> MutexGuard<'_, HashMap<u64, Claim>> {
        lock(&self.windows)
    }

    /// Asks for a window.
    pub(super) fn claim(&self, window: u64) -> Claim {
        let mut windows = self.windows();
        if windows.len() >= MOST_WINDOWS {
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

    /// Tells what came of a window.
    pub(super) fn done(&self, window: u64, outcome: Claim) {
        self.windows().insert(window, outcome);
    }
}

/// The route without what leads back to where it began.
fn without_loops(board: &Board, goal: Goal, mut route: Route) -> Route {
    while let Some(shorter) = route.without_loops(board, goal) {
        route = shorter;
    }
    route
}
