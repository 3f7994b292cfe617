//! Rearrangement and vicinity searches of one route, in turns: what is cheap to a fixpoint, then a ladder of wider and
//! wider vicinities. After a rung that gained, it goes back to what is cheap and one rung down.

use crate::Metric;
use crate::poller::Poller;
use crate::rearrange::Rearranger;
use crate::route::Route;
use crate::shared::{Claim, Shared};
use crate::usefulness::MOST_DISPLACED;
use crate::vicinity::{Searched, Vicinity, VicinitySearch};
use lurd_rules::Push;
use lurd_rules::deadlock::{DetectorName, Detectors};
use lurd_rules::distance::Distances;
use std::ops::Range;

/// One kind of vicinity search: the windows have the length of the solution divided by `parts` and overlap by half.
#[derive(Clone, Copy, Debug)]
struct Rung {
    displaced: usize,
    slack: u32,
    parts: usize,
}

const fn rung(displaced: usize, slack: u32, parts: usize) -> Rung {
    Rung { displaced, slack, parts }
}

const FOR_MOVES: [Rung; 8] = [
    rung(2, 0, 8),
    rung(2, 0, 3),
    rung(2, 10, 2),
    rung(2, 40, 1),
    rung(3, 0, 12),
    rung(3, 6, 8),
    rung(2, 100, 1),
    rung(3, 20, 6),
];

const FOR_PUSHES: [Rung; 6] =
    [rung(2, 0, 6), rung(2, 2, 2), rung(2, 4, 1), rung(3, 0, 6), rung(2, 8, 1), rung(3, 2, 6)];

/// The vicinity that is searched after every gain.
const CHEAP: Vicinity = Vicinity { displaced: 1, slack: 20 };

/// The minimum length of a window in pushes.
const SHORTEST: usize = 8;

/// After a gain, so many pushes before and after the change are searched again.
const MARGIN: usize = 30;

/// The pushes of two boxes may be made earlier by so many pushes.
const BAND: usize = 150;

/// The most of the work that is spent on the order of the pushes of two boxes: one part of so many.
const PAIRS_SHARE: u64 = 10;

/// How often the ladder is climbed, with twice the slack each time.
const ROUNDS: u32 = 3;

/// What is next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Cheap,
    Pairs,
    /// The window of the current rung that begins with this push.
    Ladder(usize),
    /// The ladder has been climbed as often as makes sense.
    Spent,
}

/// The climb of one thread on a route.
pub(super) struct Climb<'a, 'b> {
    shared: &'a Shared<'b>,
    route: Route,
    version: u64,
    rearranger: Rearranger<'a>,
    vicinity: VicinitySearch<'a>,
    phase: Phase,
    rung: usize,
    round: u32,
    /// The current rung has gained.
    gained: bool,
    work: u64,
    pairs_work: u64,
    /// Whether single boxes are rearranged before the vicinity is searched: fast, but it ends in another optimum.
    orders_first: bool,
}

impl<'a, 'b> Climb<'a, 'b> {
    pub(super) fn new(shared: &'a Shared<'b>, distances: &'a Distances, orders_first: bool) -> Self {
        let (route, version) = shared.best();
        let detectors = Detectors::new(shared.board, distances, &[DetectorName::Freeze]);
        Self {
            shared,
            route,
            version,
            rearranger: Rearranger::new(shared.board),
            vicinity: VicinitySearch::new(shared.board, shared.metric, distances, detectors),
            phase: Phase::Cheap,
            rung: 0,
            round: 0,
            gained: false,
            work: 0,
            pairs_work: 0,
            orders_first,
        }
    }

    pub(super) fn is_spent(&self) -> bool {
        self.phase == Phase::Spent && self.shared.version() == self.version
    }

    /// Climbs for so much work, or a little more.
    pub(super) fn turn(&mut self, work: u64, poller: &mut Poller) {
        let end = poller.work + work;
        while poller.work < end && !self.is_spent() && !poller.is_over() {
            let before = poller.work;
            self.step(poller);
            self.work += poller.work - before;
        }
    }

    fn step(&mut self, poller: &mut Poller) {
        if self.shared.version() != self.version {
            (self.route, self.version) = self.shared.best();
            if self.phase == Phase::Spent {
                self.phase = Phase::Cheap;
            }
        }
        match self.phase {
            Phase::Cheap => {
                while self.orders_first && self.rearrange_boxes(poller)
                    || self.search(0..self.route.len(), CHEAP, poller)
                {}
                self.phase = Phase::Pairs;
            }
            Phase::Pairs => {
                let before = poller.work;
                let gained = self.pairs_work * PAIRS_SHARE <= self.work && self.rearrange_pairs(poller);
                self.pairs_work += poller.work - before;
                self.phase = if gained { Phase::Cheap } else { Phase::Ladder(0) };
            }
            Phase::Ladder(start) => self.ladder(start, poller),
            Phase::Spent => {}
        }
    }

    /// Searches the next window of the current rung.
    fn ladder(&mut self, start: usize, poller: &mut Poller) {
        let rungs: &[Rung] = if self.shared.metric == Metric::Pushes { &FOR_PUSHES } else { &FOR_MOVES };
        let rung = rungs[self.rung];
        let length = self.route.len().div_ceil(rung.parts).max(SHORTEST);
        let scope = Vicinity {
            displaced: (rung.displaced + self.round as usize / 2).min(MOST_DISPLACED),
            slack: rung.slack << self.round,
        };
        let end = (start + length).min(self.route.len());
        self.gained |= self.search(start.min(end)..end, scope, poller);
        if end < self.route.len() {
            self.phase = Phase::Ladder(start + length / 2);
            return;
        }
        if std::mem::take(&mut self.gained) {
            self.rung = self.rung.saturating_sub(1);
            self.phase = Phase::Cheap;
            return;
        }
        self.phase = Phase::Ladder(0);
        self.rung += 1;
        if self.rung == rungs.len() {
            (self.rung, self.round) = (0, self.round + 1);
            if self.round == ROUNDS {
                self.round = 0;
                self.phase = Phase::Spent;
            }
        }
    }

    /// Searches a window, after a gain what has changed, and where a search ended early the rest. Returns whether it gained.
    fn search(&mut self, range: Range<usize>, scope: Vicinity, poller: &mut Poller) -> bool {
        let mut gained = false;
        // What lies behind the first window, counted from the end, is searched later.
        let mut windows = vec![(range.start, self.route.len() - range.end)];
        while let Some((start, behind)) = windows.pop() {
            let end = self.route.len().saturating_sub(behind);
            if start >= end || poller.is_over() {
                continue;
            }
            let claim = self.route.window(self.shared.board, start..end, scope);
            if self.shared.claim(claim) != Claim::Free {
                continue;
            }
            let Searched { pushes, cut, full } = self.vicinity.search(&self.route, start..end, scope, poller);
            self.shared.done(claim, Claim::Done { exhaustive: false, pruned: false });
            if let Some(reached) = cut.filter(|_| !full) {
                let next = start.midpoint(reached);
                if next > start {
                    windows.push((next, behind));
                }
            }
            if let Some(change) = pushes.and_then(|pushes| self.take(pushes)) {
                gained = true;
                let after = self.route.len() - change.end;
                windows.push((change.start.saturating_sub(MARGIN), after.saturating_sub(MARGIN)));
            }
        }
        gained
    }

    /// The pushes of each box in their best order among the others, until none gains.
    fn rearrange_boxes(&mut self, poller: &mut Poller) -> bool {
        let count = self.shared.board.start_boxes().len() as u16;
        let mut gained = false;
        let (mut number, mut failed) = (0, 0);
        while failed < count && !poller.is_over() {
            if self.rearrange(&[number], usize::MAX, poller) {
                (gained, failed) = (true, 0);
            } else {
                failed += 1;
            }
            number = (number + 1) % count;
        }
        gained
    }

    /// As [`rearrange_boxes`](Self::rearrange_boxes) for each pair of boxes, once.
    fn rearrange_pairs(&mut self, poller: &mut Poller) -> bool {
        let count = self.shared.board.start_boxes().len() as u16;
        let mut gained = false;
        for first in 0..count {
            for second in first + 1..count {
                if poller.is_over() {
                    return gained;
                }
                gained |= self.rearrange(&[first, second], BAND, poller);
            }
        }
        gained
    }

    fn rearrange(&mut self, boxes: &[u16], band: usize, poller: &mut Poller) -> bool {
        let owners = self.route.owners(self.shared.board);
        let pushes = self.rearranger.rearranged(&self.route, &owners, boxes, band, poller);
        pushes.and_then(|pushes| self.take(pushes)).is_some()
    }

    /// Offers the result of a search. If the route becomes better, returns the pushes of the new one that are new.
    fn take(&mut self, pushes: Vec<Push>) -> Option<Range<usize>> {
        let Some(route) = Route::of(self.shared.board, pushes) else {
            debug_assert!(false, "a search makes only legal pushes");
            return None;
        };
        let before = std::mem::replace(&mut self.route, route);
        (self.route, self.version) = self.shared.offer(self.route.clone(), self.version);
        let metric = self.shared.metric;
        (self.route.cost(metric) < before.cost(metric)).then(|| self.route.changed_since(&before))
    }
}
