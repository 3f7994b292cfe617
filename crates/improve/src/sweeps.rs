//! Rounds of beam searches over the whole solution and over windows of it, with a wider beam in each round.
//!
//! No single kind of search is best. Short windows with all boxes free repair local detours; the whole solution with few
//! displaced boxes finds boxes that are better pushed earlier, later, or to another goal. So they alternate. Threads
//! that share a level all follow the same schedule and search the windows that no other thread has claimed.

use crate::Metric;
use crate::deviation::Deviation;
use crate::neighbourhood::{Equality, Found, Neighbourhood, Scope};
use crate::poller::Poller;
use crate::route::{Cost, Route};
use crate::shared::{Claim, Shared};
use lurd_rules::Push;
use lurd_rules::deadlock::{DetectorName, Detectors};
use lurd_rules::distance::Distances;
use std::time::Duration;

/// The width of the beam in the first round.
const FIRST_WIDTH: usize = 1;

/// Every box may be displaced.
const ALL_BOXES: u16 = u16::MAX;

/// The minimum length of a window in pushes.
const SHORTEST: usize = 8;

/// The maximum size of the deviation table in bytes; longer routes are divided into windows.
const DEVIATION_BYTES: usize = 64 << 20;

/// The waiting time of a thread if other threads have claimed all windows.
const RETRY_INTERVAL: Duration = Duration::from_millis(1);

/// One kind of search.
#[derive(Clone, Copy, Debug)]
struct Sweep {
    /// The length of a window is the length of the solution divided by this; windows overlap by half.
    parts: usize,
    displaced: u16,
    /// The width of the beam as a multiple of that of the round.
    width: usize,
    equality: Equality,
}

const fn sweep(parts: usize, displaced: u16, width: usize, equality: Equality) -> Sweep {
    Sweep { parts, displaced, width, equality }
}

/// For fewest pushes. The last two search for fewer moves with the same pushes.
const FOR_PUSHES: [Sweep; 7] = [
    sweep(16, ALL_BOXES, 8, Equality::Zones),
    sweep(8, 4, 8, Equality::Zones),
    sweep(3, 3, 8, Equality::Zones),
    sweep(1, 1, 16, Equality::Zones),
    sweep(1, 5, 8, Equality::Zones),
    sweep(16, ALL_BOXES, 2, Equality::Squares),
    sweep(1, 1, 2, Equality::Squares),
];

const FOR_MOVES: [Sweep; 5] = [
    sweep(16, ALL_BOXES, 8, Equality::Squares),
    sweep(8, 4, 8, Equality::Squares),
    sweep(4, 2, 4, Equality::Squares),
    sweep(1, 1, 4, Equality::Squares),
    sweep(1, 2, 1, Equality::Squares),
];

#[derive(Clone, Copy, Debug)]
struct Swept {
    /// The beam of some search was too narrow.
    pruned: bool,
    /// The search of every window was exhaustive.
    exhaustive: bool,
    /// Some search ended at the memory limit.
    full: bool,
    /// Some window was searched, not only found to be claimed.
    searched: bool,
}

impl Swept {
    const NOTHING: Self = Self { pruned: false, exhaustive: true, full: false, searched: false };
}

/// How a round of sweeps ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Turn {
    /// The work of the turn is done, or the budget is spent.
    Open,
    /// A round has ended without a gain.
    Barren,
    /// The route is proved optimal.
    Proved,
    /// All kinds of search have ended at the memory limit.
    Spent,
}

/// The sweeps of one thread on a route.
pub(super) struct Sweeps<'a, 'b> {
    shared: &'a Shared<'b>,
    metric: Metric,
    neighbourhood: Neighbourhood<'a>,
    sweeps: Vec<Sweep>,
    /// The width of the beam in this round.
    width: usize,
    /// The current sweep, the push its next window begins with, and what it has met so far.
    current: usize,
    start: usize,
    swept: Swept,
    /// Some window of this round was searched, not only found to be claimed.
    searched: bool,
    /// The cost of the route when the round began.
    before: Cost,
    /// The best route when it was last read, and its number.
    route: Route,
    version: u64,
}

impl<'a, 'b> Sweeps<'a, 'b> {
    pub(super) fn new(shared: &'a Shared<'b>, distances: &'a Distances) -> Self {
        let (route, version) = shared.best();
        let (board, metric) = (shared.board, shared.metric);
        let detectors = Detectors::new(board, distances, &[DetectorName::Freeze]);
        Self {
            shared,
            metric,
            neighbourhood: Neighbourhood::new(board, metric, distances, detectors),
            sweeps: if metric == Metric::Pushes { FOR_PUSHES.to_vec() } else { FOR_MOVES.to_vec() },
            width: FIRST_WIDTH,
            current: 0,
            start: 0,
            swept: Swept::NOTHING,
            searched: false,
            before: route.cost(metric),
            route,
            version,
        }
    }

    /// Sweeps for so much work, or a little more.
    pub(super) fn turn(&mut self, work: u64, poller: &mut Poller) -> Turn {
        let end = poller.work + work;
        while poller.work < end && !poller.is_over() {
            if self.sweeps.is_empty() {
                return Turn::Spent;
            }
            if self.current < self.sweeps.len() {
                if !self.next_window(poller) {
                    self.end_sweep();
                }
                continue;
            }
            let gained = self.route.cost(self.metric) < self.before;
            if self.end_round() {
                return Turn::Proved;
            }
            if !gained {
                return Turn::Barren;
            }
        }
        Turn::Open
    }

    /// Draws the conclusions from a sweep.
    fn end_sweep(&mut self) {
        let sweep = &mut self.sweeps[self.current];
        let swept = std::mem::replace(&mut self.swept, Swept::NOTHING);
        self.searched |= swept.searched;
        if swept.full {
            // A wider beam would reach the memory limit too; the other sweeps continue.
            sweep.width = 0;
        } else if swept.exhaustive && sweep.parts == 1 {
            // Proved optimal, by the primary metric or by both.
            sweep.parts = 0;
        } else if swept.exhaustive {
            sweep.parts = (sweep.parts * 2 / 3).max(1);
        } else if !swept.pruned {
            sweep.displaced = sweep.displaced.saturating_add(1);
        }
        (self.current, self.start) = (self.current + 1, 0);
    }

    /// Begins the next round. Returns whether the route is proved optimal.
    fn end_round(&mut self) -> bool {
        if self.sweeps.iter().any(|sweep| sweep.parts == 0 && sweep.equality == Equality::Squares) {
            return true;
        }
        if self.sweeps.iter().any(|sweep| sweep.parts == 0) {
            self.sweeps.retain(|sweep| sweep.equality == Equality::Squares);
        }
        self.sweeps.retain(|sweep| sweep.width > 0);
        if !std::mem::take(&mut self.searched) {
            lurd_base::clock::pause(RETRY_INTERVAL);
        }
        self.width = self.width.saturating_mul(2);
        self.current = 0;
        self.before = self.route.cost(self.metric);
        false
    }

    /// Searches the next window of the current sweep. After an improvement it returns to the first window that has
    /// changed, so that in the end no window has an improvement. Returns whether there is another window.
    fn next_window(&mut self, poller: &mut Poller) -> bool {
        let sweep = self.sweeps[self.current];
        let Sweep { displaced, equality, .. } = sweep;
        let scope = Scope { width: self.width.saturating_mul(sweep.width), displaced, equality };
        let longest = DEVIATION_BYTES / Deviation::bytes(self.shared.board.len(), 1);
        let length = self.route.len().div_ceil(sweep.parts).clamp(SHORTEST, longest.max(SHORTEST));
        if self.shared.version() != self.version {
            // Another search has found a better route: windows before this one may have changed.
            (self.route, self.version) = self.shared.best();
            self.swept.exhaustive &= self.start == 0;
        }
        let start = self.start;
        if start >= self.route.len() {
            return false;
        }
        let end = (start + length).min(self.route.len());
        let window = self.route.window(self.shared.board, start..end, scope);
        match self.shared.claim(window) {
            Claim::Free => {
                self.swept.searched = true;
                let Found { pushes, exhaustive, pruned, full } =
                    self.neighbourhood.search(&self.route, start..end, scope, poller);
                self.swept.full |= full;
                if let Some(pushes) = pushes
                    && let Some(unchanged) = self.take(pushes)
                {
                    self.start = start.min(unchanged.saturating_sub(length / 2));
                    return true;
                }
                if poller.is_over() {
                    self.swept.exhaustive = false;
                    return true;
                }
                self.shared.done(window, Claim::Done { exhaustive, pruned });
                self.swept.exhaustive &= exhaustive && (sweep.parts > 1 || end - start == self.route.len());
                self.swept.pruned |= pruned;
            }
            Claim::Taken => {
                self.swept.exhaustive = false;
                self.swept.pruned = true;
            }
            Claim::Done { exhaustive, pruned } => {
                // A window is identified by a hash alone, which proves nothing about the whole solution.
                self.swept.exhaustive &= exhaustive && sweep.parts > 1;
                self.swept.pruned |= pruned || sweep.parts == 1;
            }
        }
        self.start += length / 2;
        end < self.route.len()
    }

    /// Offers the result of a search. If the route becomes better, returns the number of unchanged pushes at its
    /// beginning.
    fn take(&mut self, pushes: Vec<Push>) -> Option<usize> {
        let Some(route) = Route::of(self.shared.board, pushes) else {
            debug_assert!(false, "a search makes only legal pushes");
            return None;
        };
        let before = std::mem::replace(&mut self.route, route);
        (self.route, self.version) = self.shared.offer(self.route.clone(), self.version);
        let better = self.route.cost(self.metric) < before.cost(self.metric);
        better.then(|| self.route.changed_since(&before).start)
    }
}
