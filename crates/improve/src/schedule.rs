//! The schedule of searches: rounds of sweeps over the whole solution and over windows of it, with a wider beam in each
//! round.
//!
//! No single kind of search is best. Short windows with all boxes free repair local detours; the whole solution with few
//! displaced boxes finds boxes that are better pushed earlier, later, or to another goal. So they alternate. Threads
//! that share a level all follow the same schedule and search the windows that no other thread has claimed.

use crate::Metric;
use crate::deviation::Deviation;
use crate::neighbourhood::{Equality, Found, Neighbourhood, Scope};
use crate::poller::Poller;
use crate::route::Route;
use crate::shared::{Claim, Shared};
use lurd_rules::Push;
use lurd_rules::deadlock::{DetectorName, Detectors};
use lurd_rules::distance::Distances;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Range;
use std::time::Duration;

/// The width of the beam in the first round.
const FIRST_WIDTH: usize = 1;

/// Every box may be displaced.
const ALL_BOXES: u16 = u16::MAX;

/// The minimum length of a window in pushes.
const SHORTEST: usize = 8;

/// The maximum size of the deviation table in bytes; longer routes are divided into windows.
const DEVIATION_BYTES: usize = 64 << 20;

/// The share of the budget for fewer pushes in a search for fewer moves.
const PUSHES_FIRST: f64 = 0.4;

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

/// The schedule of one thread on a level.
pub(super) struct Schedule<'a, 'b> {
    shared: &'a Shared<'b>,
    metric: Metric,
    /// The best route when it was last read, and its number.
    route: Route,
    version: u64,
}

impl<'a, 'b> Schedule<'a, 'b> {
    pub(super) fn new(shared: &'a Shared<'b>) -> Self {
        let (route, version) = shared.best();
        Self { shared, metric: shared.metric, route, version }
    }

    /// Spends the budget. Returns whether the route is proved optimal.
    pub(super) fn run(mut self, distances: &Distances, poller: &mut Poller) -> bool {
        let sweeps: &[Sweep] = if self.metric == Metric::Pushes { &FOR_PUSHES } else { &FOR_MOVES };
        self.rounds(sweeps, distances, poller, |_, _| false)
    }

    /// Spends a share of the budget on fewer pushes before a search for fewer moves: such solutions are found faster and
    /// mostly have fewer moves.
    pub(super) fn run_first(mut self, distances: &Distances, poller: &mut Poller) {
        self.rounds(&FOR_PUSHES, distances, poller, |poller, improved| {
            !improved || poller.share_spent() > PUSHES_FIRST
        });
    }

    /// Runs rounds of sweeps with increasing width until the budget is spent, the route is proved optimal (then it
    /// returns true), or `enough` is true after a round.
    fn rounds(
        &mut self,
        sweeps: &[Sweep],
        distances: &Distances,
        poller: &mut Poller,
        enough: impl Fn(&Poller, bool) -> bool,
    ) -> bool {
        let board = self.shared.board;
        let detectors = Detectors::new(board, distances, &[DetectorName::Freeze]);
        let mut neighbourhood = Neighbourhood::new(board, self.metric, distances, detectors);
        let mut sweeps = sweeps.to_vec();
        let mut width = FIRST_WIDTH;
        while !sweeps.is_empty() {
            let before = self.route.cost(self.metric);
            let mut searched = false;
            for sweep in &mut sweeps {
                let swept = self.sweep(&mut neighbourhood, *sweep, width, poller);
                if poller.is_over() {
                    return false;
                }
                searched |= swept.searched;
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
            }
            if sweeps.iter().any(|sweep| sweep.parts == 0 && sweep.equality == Equality::Squares) {
                return true;
            }
            if sweeps.iter().any(|sweep| sweep.parts == 0) {
                sweeps.retain(|sweep| sweep.equality == Equality::Squares);
            }
            sweeps.retain(|sweep| sweep.width > 0);
            if enough(poller, self.route.cost(self.metric) < before) {
                return false;
            }
            if !searched {
                lurd_base::clock::pause(RETRY_INTERVAL);
            }
            width = width.saturating_mul(2);
        }
        false
    }

    /// Searches the windows of the solution in order. After an improvement it returns to the first window that has
    /// changed, so that in the end no window has an improvement.
    fn sweep(&mut self, neighbourhood: &mut Neighbourhood, sweep: Sweep, width: usize, poller: &mut Poller) -> Swept {
        let Sweep { displaced, equality, .. } = sweep;
        let scope = Scope { width: width.saturating_mul(sweep.width), displaced, equality };
        let longest = DEVIATION_BYTES / Deviation::bytes(self.shared.board.len(), 1);
        let length = self.route.len().div_ceil(sweep.parts).clamp(SHORTEST, longest.max(SHORTEST));
        let mut swept = Swept { pruned: false, exhaustive: true, full: false, searched: false };
        let mut start = 0;
        while !poller.is_over() {
            if self.shared.version() != self.version {
                // Another thread has found a better route: windows before this one may have changed.
                (self.route, self.version) = self.shared.best();
                swept.exhaustive &= start == 0;
            }
            if start >= self.route.len() {
                break;
            }
            let end = (start + length).min(self.route.len());
            let window = self.window(start..end, scope);
            match self.shared.claim(window) {
                Claim::Free => {
                    swept.searched = true;
                    let Found { pushes, exhaustive, pruned, full } =
                        neighbourhood.search(&self.route, start..end, scope, poller);
                    swept.full |= full;
                    if let Some(pushes) = pushes
                        && let Some(unchanged) = self.take(pushes)
                    {
                        start = start.min(unchanged.saturating_sub(length / 2));
                        continue;
                    }
                    self.shared.done(window, Claim::Done { exhaustive, pruned });
                    swept.exhaustive &= exhaustive && (sweep.parts > 1 || end - start == self.route.len());
                    swept.pruned |= pruned;
                }
                Claim::Taken => {
                    swept.exhaustive = false;
                    swept.pruned = true;
                }
                Claim::Done { exhaustive, pruned } => {
                    // A window is identified by a hash alone, which proves nothing about the whole solution.
                    swept.exhaustive &= exhaustive && sweep.parts > 1;
                    swept.pruned |= pruned || sweep.parts == 1;
                }
            }
            if end >= self.route.len() {
                break;
            }
            start += length / 2;
        }
        swept
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
        better.then(|| before.pushes.iter().zip(&self.route.pushes).take_while(|(old, new)| old == new).count())
    }

    /// The hash of a window of the route and the scope of its search.
    fn window(&self, window: Range<usize>, scope: Scope) -> u64 {
        let mut hasher = DefaultHasher::new();
        let state = self.route.position(self.shared.board, window.start);
        (state.boxes, state.player, window.end == self.route.len()).hash(&mut hasher);
        (scope.width, scope.displaced, scope.equality == Equality::Zones).hash(&mut hasher);
        for push in &self.route.pushes[window] {
            (push.from, push.direction as u8).hash(&mut hasher);
        }
        hasher.finish()
    }
}
