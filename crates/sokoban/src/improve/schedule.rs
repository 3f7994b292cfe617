//! In which order the budget is spent: sweeps over the whole solution and over windows of it,
//! again and again, with more places each round.
//!
//! No single kind of search is best. Short windows searched with all boxes free repair what is
//! clumsy in one place; the whole solution searched with one or two boxes off their usual squares
//! finds boxes that are better pushed earlier, later, or to another goal. They take turns.

use super::Goal;
use super::meter::Meter;
use super::nearness::Nearness;
use super::route::{Push, Route};
use super::vicinity::{Detail, Found, Scope, Vicinity};
use crate::board::Board;
use crate::deadlock::Detectors;
use crate::distance::Distances;
use crate::engine::DetectorName;

/// Places for the positions of one cost in the first round.
const FIRST_WIDTH: usize = 4;

/// Every box may stand elsewhere.
const ALL_BOXES: u16 = u16::MAX;

/// The shortest window worth a search, in pushes.
const SHORTEST: usize = 8;

/// The most bytes the table of nearness may take; longer stretches are cut into windows.
const NEARNESS_BYTES: usize = 64 << 20;

/// The share of the budget after which solutions of few moves are no longer sought by way of few pushes.
const PUSHES_FIRST: f64 = 0.4;

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
    sweep(4, 2, 4, Detail::Zones),
    sweep(1, 1, 4, Detail::Zones),
    sweep(1, 2, 1, Detail::Zones),
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
    /// Fewer of what counts first.
    gained: bool,
    /// Some search had more positions than places.
    crowded: bool,
    /// Nothing was left out of any window.
    exhaustive: bool,
}

/// The best route so far and how to make it better.
pub(super) struct Schedule<'a> {
    board: &'a Board,
    goal: Goal,
    route: Route,
    told: &'a mut dyn FnMut(&Route),
}

impl<'a> Schedule<'a> {
    pub(super) fn new(board: &'a Board, goal: Goal, route: Route, told: &'a mut dyn FnMut(&Route)) -> Self {
        Self { board, goal, route, told }
    }

    pub(super) fn into_route(self) -> Route {
        self.route
    }

    /// Takes a route if it is better.
    fn take(&mut self, pushes: Vec<Push>, meter: &mut Meter) {
        meter.add_work(pushes.len() * self.board.len() / 64);
        let Some(route) = Route::of(self.board, pushes) else {
            debug_assert!(false, "a search makes only pushes that can be made");
            return;
        };
        if route.cost(self.goal) < self.route.cost(self.goal) {
            self.route = route;
            self.cut_loops();
            (self.told)(&self.route);
        }
    }

    /// Leaves out what leads back to where it began.
    pub(super) fn cut_loops(&mut self) {
        while let Some(route) = self.route.without_loops(self.board, self.goal) {
            self.route = route;
        }
    }

    /// Spends the budget. Says whether nothing better can exist.
    pub(super) fn run(&mut self, distances: &Distances, meter: &mut Meter) -> bool {
        if self.goal == Goal::Moves {
            self.by_way_of_pushes(distances, meter);
        }
        let sweeps: &[Sweep] = if self.goal == Goal::Pushes { &FOR_PUSHES } else { &FOR_MOVES };
        self.rounds(sweeps, distances, meter, |_, _| false)
    }

    /// Looks for fewer moves among solutions of few pushes: they are found faster, and mostly walk less.
    fn by_way_of_pushes(&mut self, distances: &Distances, meter: &mut Meter) {
        let (goal, given) = (self.goal, self.route.clone());
        let mut told = |route: &Route| {
            if route.cost(goal) < self.route.cost(goal) {
                self.route = route.clone();
                (self.told)(route);
            }
        };
        let mut other = Schedule::new(self.board, Goal::Pushes, given, &mut told);
        other.rounds(&FOR_PUSHES, distances, meter, |meter, gained| !gained || meter.share_spent() > PUSHES_FIRST);
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
        let detectors = Detectors::new(self.board, distances, &[DetectorName::Freeze]);
        let mut vicinity = Vicinity::new(self.board, self.goal, distances, detectors);
        let mut sweeps = sweeps.to_vec();
        let mut width = FIRST_WIDTH;
        while !sweeps.is_empty() {
            let before = self.route.cost(self.goal);
            for sweep in &mut sweeps {
                loop {
                    let swept = self.sweep(&mut vicinity, *sweep, width, meter);
                    if meter.is_over() {
                        return false;
                    }
                    if swept.gained {
                        continue;
                    }
                    if swept.exhaustive && sweep.parts == 1 {
                        // Nothing better exists, or nothing better in what counts first.
                        sweep.parts = 0;
                    } else if swept.exhaustive {
                        sweep.parts = (sweep.parts * 2 / 3).max(1);
                    } else if !swept.crowded {
                        sweep.astray = sweep.astray.saturating_add(1);
                    }
                    break;
                }
            }
            if sweeps.iter().any(|sweep| sweep.parts == 0 && sweep.detail == Detail::Squares) {
                return true;
            }
            if sweeps.iter().any(|sweep| sweep.parts == 0) {
                sweeps.retain(|sweep| sweep.detail == Detail::Squares);
            }
            let gained = self.route.cost(self.goal) < before;
            // Wider searches would end at the memory limit like these.
            if enough(meter, gained) || (meter.memory_full() && !gained) {
                return false;
            }
            width = width.saturating_mul(2);
        }
        false
    }

    /// Searches the windows of the solution one after the other.
    fn sweep(&mut self, vicinity: &mut Vicinity, sweep: Sweep, width: usize, meter: &mut Meter) -> Swept {
        let before = self.route.cost(self.goal);
        let scope = Scope { width: width.saturating_mul(sweep.width), astray: sweep.astray, detail: sweep.detail };
        let longest = NEARNESS_BYTES / Nearness::bytes(self.board.len(), 1);
        let length = self.route.len().div_ceil(sweep.parts).clamp(SHORTEST, longest.max(SHORTEST));
        let mut swept = Swept { gained: false, crowded: false, exhaustive: true };
        let mut start = 0;
        while start < self.route.len() && !meter.is_over() {
            let end = (start + length).min(self.route.len());
            let Found { pushes, exhaustive, crowded } = vicinity.search(&self.route, start..end, scope, meter);
            swept.exhaustive &= exhaustive && (sweep.parts > 1 || end - start == self.route.len());
            swept.crowded |= crowded;
            if let Some(pushes) = pushes {
                self.take(pushes, meter);
            }
            if end >= self.route.len() {
                break;
            }
            start += length / 2;
        }
        swept.gained = self.route.cost(self.goal).first < before.first;
        swept
    }
}
