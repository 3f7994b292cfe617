//! In which order the budget is spent: sweeps over the whole solution and over windows of it,
//! again and again, with more places each round.
//!
//! No single kind of search is best. Short windows searched with all boxes free repair what is
//! clumsy in one place; the whole solution searched with some boxes off their usual squares
//! finds boxes that are better pushed earlier, later, or to another goal. They take turns. Threads that
//! share a level all walk through the same turns and take the windows that nobody has taken yet.

use crate::Goal;
use crate::meter::Meter;
use crate::nearness::Nearness;
use crate::route::{Push, Route};
use crate::shared::{Claim, Shared};
use crate::vicinity::{Detail, Found, Scope, Vicinity};
use lurd_rules::deadlock::{DetectorName, Detectors};
use lurd_rules::distance::Distances;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Range;
use std::time::Duration;

/// Places for the positions of one cost in the first round.
const FIRST_WIDTH: usize = 1;

/// Every box may stand elsewhere.
const ALL_BOXES: u16 = u16::MAX;

/// The shortest window worth a search, in pushes.
const SHORTEST: usize = 8;

/// The most bytes the table of nearness may take; longer stretches are cut into windows.
const NEARNESS_BYTES: usize = 64 << 20;

/// The share of the budget after which solutions of few moves are no longer sought by way of few pushes.
const PUSHES_FIRST: f64 = 0.4;

/// How long a thread waits when others have taken all there is to do.
const NAP: Duration = Duration::from_millis(1);

/// One kind of search that takes its turn in every round.
#[derive(Clone, Copy, Debug)]
struct Sweep {
    /// Into how many parts the solution is cut; windows are that long and overlap by half.
    parts: usize,
    /// How many boxes may stray.
    astray: u16,
    /// Places, as a multiple of the round's.
    width: usize,
    detail: Detail,
}

const fn sweep(parts: usize, astray: u16, width: usize, detail: Detail) -> Sweep {
    Sweep { parts, astray, width, detail }
}

/// For fewest pushes. The last two look for fewer moves among the same pushes.
const FOR_PUSHES: [Sweep; 7] = [
    sweep(16, ALL_BOXES, 8, Detail::Zones),
    sweep(8, 4, 8, Detail::Zones),
    sweep(3, 3, 8, Detail::Zones),
    sweep(1, 1, 16, Detail::Zones),
    sweep(1, 5, 8, Detail::Zones),
    sweep(16, ALL_BOXES, 2, Detail::Squares),
    sweep(1, 1, 2, Detail::Squares),
];

/// For fewest moves.
const FOR_MOVES: [Sweep; 5] = [
    sweep(16, ALL_BOXES, 8, Detail::Squares),
    sweep(8, 4, 8, Detail::Squares),
    sweep(4, 2, 4, Detail::Squares),
    sweep(1, 1, 4, Detail::Squares),
    sweep(1, 2, 1, Detail::Squares),
];

/// What a sweep brought.
#[derive(Clone, Copy, Debug)]
struct Swept {
    /// Some search had more positions than places.
    crowded: bool,
    /// Nothing was left out of any window.
    exhaustive: bool,
    /// Some search ended because memory was full.
    full: bool,
    /// Some window was searched, not only found to be taken.
    searched: bool,
}

/// The work of one thread on a level.
pub(super) struct Schedule<'a, 'b> {
    shared: &'a Shared<'b>,
    goal: Goal,
    /// The best route when it was looked at last, and its number.
    route: Route,
    seen: u64,
}

impl<'a, 'b> Schedule<'a, 'b> {
    pub(super) fn new(shared: &'a Shared<'b>) -> Self {
        let (route, seen) = shared.best();
        Self { shared, goal: shared.goal(), route, seen }
    }

    /// Spends the budget. Says whether nothing better can exist.
    pub(super) fn run(mut self, distances: &Distances, meter: &mut Meter) -> bool {
        let sweeps: &[Sweep] = if self.goal == Goal::Pushes { &FOR_PUSHES } else { &FOR_MOVES };
        self.rounds(sweeps, distances, meter, |_, _| false)
    }

    /// Spends a share of the budget on fewer pushes, for whoever wants few moves: such solutions are
    /// found faster, and mostly walk less.
    pub(super) fn run_first(mut self, distances: &Distances, meter: &mut Meter) {
        self.rounds(&FOR_PUSHES, distances, meter, |meter, gained| !gained || meter.share_spent() > PUSHES_FIRST);
    }

    /// Lets the sweeps take turns, with more places each round, until the budget is spent, nothing
    /// is left to search (then the answer is yes), or `enough` says so after a round.
    fn rounds(
        &mut self,
        sweeps: &[Sweep],
        distances: &Distances,
        meter: &mut Meter,
        enough: impl Fn(&Meter, bool) -> bool,
    ) -> bool {
        let board = self.shared.board();
        let detectors = Detectors::new(board, distances, &[DetectorName::Freeze]);
        let mut vicinity = Vicinity::new(board, self.goal, distances, detectors);
        let mut sweeps = sweeps.to_vec();
        let mut width = FIRST_WIDTH;
        while !sweeps.is_empty() {
            let before = self.route.cost(self.goal);
            let mut searched = false;
            for sweep in &mut sweeps {
                let swept = self.sweep(&mut vicinity, *sweep, width, meter);
                if meter.is_over() {
                    return false;
                }
                searched |= swept.searched;
                if swept.full {
                    // Wider ones would end at the memory limit like this; the others go on.
                    sweep.width = 0;
                } else if swept.exhaustive && sweep.parts == 1 {
                    // Nothing better exists, or nothing better in what counts first.
                    sweep.parts = 0;
                } else if swept.exhaustive {
                    sweep.parts = (sweep.parts * 2 / 3).max(1);
                } else if !swept.crowded {
                    sweep.astray = sweep.astray.saturating_add(1);
                }
            }
            if sweeps.iter().any(|sweep| sweep.parts == 0 && sweep.detail == Detail::Squares) {
                return true;
            }
            if sweeps.iter().any(|sweep| sweep.parts == 0) {
                sweeps.retain(|sweep| sweep.detail == Detail::Squares);
            }
            sweeps.retain(|sweep| sweep.width > 0);
            if enough(meter, self.route.cost(self.goal) < before) {
                return false;
            }
            if !searched {
                std::thread::sleep(NAP);
            }
            width = width.saturating_mul(2);
        }
        false
    }

    /// Searches the windows of the solution one after the other. After a gain it goes back to the
    /// first window that has changed, so that in the end each was searched in vain.
    fn sweep(&mut self, vicinity: &mut Vicinity, sweep: Sweep, width: usize, meter: &mut Meter) -> Swept {
        let scope = Scope { width: width.saturating_mul(sweep.width), astray: sweep.astray, detail: sweep.detail };
        let longest = NEARNESS_BYTES / Nearness::bytes(self.shared.board().len(), 1);
        let length = self.route.len().div_ceil(sweep.parts).clamp(SHORTEST, longest.max(SHORTEST));
        let mut swept = Swept { crowded: false, exhaustive: true, full: false, searched: false };
        let mut start = 0;
        while !meter.is_over() {
            if self.shared.version() != self.seen {
                // Somebody else has a better route: windows before this one may have changed.
                (self.route, self.seen) = self.shared.best();
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
                    let Found { pushes, exhaustive, crowded, full } =
                        vicinity.search(&self.route, start..end, scope, meter);
                    swept.full |= full;
                    if let Some(pushes) = pushes
                        && let Some(unchanged) = self.take(pushes, meter)
                    {
                        start = start.min(unchanged.saturating_sub(length / 2));
                        continue;
                    }
                    self.shared.done(window, Claim::Done { exhaustive, crowded });
                    swept.exhaustive &= exhaustive && (sweep.parts > 1 || end - start == self.route.len());
                    swept.crowded |= crowded;
                }
                Claim::Taken => {
                    swept.exhaustive = false;
                    swept.crowded = true;
                }
                Claim::Done { exhaustive, crowded } => {
                    // A window is recognised by a hash, which is no ground for a claim about the whole.
                    swept.exhaustive &= exhaustive && sweep.parts > 1;
                    swept.crowded |= crowded || sweep.parts == 1;
                }
            }
            if end >= self.route.len() {
                break;
            }
            start += length / 2;
        }
        swept
    }

    /// Takes what a search has found. If that makes the route better, says how many pushes at its beginning are
    /// unchanged.
    fn take(&mut self, pushes: Vec<Push>, meter: &mut Meter) -> Option<usize> {
        let board = self.shared.board();
        meter.add_work(pushes.len() * board.len() / 64);
        let Some(route) = Route::of(board, pushes) else {
            debug_assert!(false, "a search makes only pushes that can be made");
            return None;
        };
        let before = std::mem::replace(&mut self.route, route);
        (self.route, self.seen) = self.shared.offer(self.route.clone(), self.seen);
        let better = self.route.cost(self.goal) < before.cost(self.goal);
        better.then(|| before.pushes.iter().zip(&self.route.pushes).take_while(|(old, new)| old == new).count())
    }

    /// A number for a window of the route and the way it is searched.
    fn window(&self, stretch: Range<usize>, scope: Scope) -> u64 {
        let mut hasher = DefaultHasher::new();
        let state = self.route.position(self.shared.board(), stretch.start);
        (state.boxes, state.player, stretch.end == self.route.len()).hash(&mut hasher);
        (scope.width, scope.astray, scope.detail == Detail::Zones).hash(&mut hasher);
        for push in &self.route.pushes[stretch] {
            (push.from, push.direction as u8).hash(&mut hasher);
        }
        hasher.finish()
    }
}
