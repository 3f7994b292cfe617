//! The race as an observer sees it: the state of each strategy, where boxes are moved, the best positions.
//!
//! Every strategy has a slot of a [`RaceObserver`] and publishes a snapshot of itself when a time slice ends; one
//! with long slices checks in between whether the observer has asked. Snapshots only copy what strategies count
//! anyway, so an observed race makes the same decisions as an unobserved one.

use crate::strategy::{Halt, SliceEnd, Strategy};
use lurd_base::Cancel;
use lurd_base::sync::lock;
use lurd_rules::feature::board::{FAR, FeatureBoard};
use lurd_rules::{Board, Figures, Square};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

lurd_base::choices! {
    /// The state of a strategy in the race.
    #[derive(Default)]
    RacerState {
        #[default]
        Later = "later": "It joins later, if the first ones find nothing.",
        Waiting = "waiting": "It waits for its next time slice.",
        Working = "working": "It runs.",
        Spent = "spent": "It has nothing left to try.",
        Dropped = "dropped": "It was dropped because memory was short.",
        Answered = "answered": "It has ended the race.",
    }
}

/// The best position of a strategy by its own measure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Nearest {
    /// The boxes.
    pub boxes: Vec<Square>,
    /// A square of the player's zone.
    pub player: Square,
    /// Whether it was reached by pulls from the solved board: then it is near the start.
    pub backwards: bool,
    /// A lower bound for the pushes, or pulls, that are left.
    pub to_go: u32,
}

impl Nearest {
    /// A position reached by pushes; the bound is the sum of the boxes' distances to their nearest goals.
    pub(super) fn forwards(features: &FeatureBoard, boxes: Vec<Square>, player: Square) -> Self {
        let to_go = boxes.iter().map(|&square| features.to_goal(square)).filter(|&pushes| pushes != FAR);
        let to_go = to_go.map(u32::from).sum();
        Self { boxes, player, backwards: false, to_go }
    }
}

/// A strategy in the race.
#[derive(Clone, Debug)]
pub struct Racer {
    /// Its name; variants of a strategy share it.
    pub name: &'static str,
    /// Its state.
    pub state: RacerState,
    /// Positions expanded.
    pub expanded: u64,
    /// Positions generated.
    pub generated: u64,
    /// Bytes of its own.
    pub bytes: usize,
    /// The best position by its own measure.
    pub nearest: Option<Nearest>,
}

/// All strategies of a race.
#[derive(Clone, Debug, Default)]
pub struct Race {
    /// The strategies.
    pub racers: Vec<Racer>,
    /// How often a box was moved to each square of the board.
    pub visits: Vec<u64>,
}

/// How often a box was moved to each square.
#[derive(Clone, Debug, Default)]
pub struct VisitCounts(Vec<u64>);

impl VisitCounts {
    pub fn new(squares: usize) -> Self {
        Self(vec![0; squares])
    }

    /// Whether there are no squares to count on.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    #[inline]
    pub fn count(&mut self, square: Square) {
        self.0[usize::from(square)] += 1;
    }

    /// Counts several visits.
    pub fn add(&mut self, square: Square, times: u64) {
        self.0[usize::from(square)] += times;
    }

    pub fn merge(&mut self, other: &Self) {
        for (here, there) in self.0.iter_mut().zip(&other.0) {
            *here += there;
        }
    }
}

/// What a strategy publishes besides its figures.
#[derive(Clone, Debug, Default)]
pub struct Snapshot {
    pub visits: VisitCounts,
    pub nearest: Option<Nearest>,
}

#[derive(Debug, Default)]
struct Published {
    state: RacerState,
    figures: Figures,
    bytes: usize,
    snapshot: Snapshot,
}

/// Where one strategy publishes itself.
#[derive(Debug)]
pub struct StrategySlot {
    name: &'static str,
    squares: usize,
    published: Mutex<Published>,
    /// The observer has asked since the strategy last published.
    requested: AtomicBool,
}

impl StrategySlot {
    fn set_state(&self, state: RacerState) {
        lock(&self.published).state = state;
    }

    /// Whether a strategy in the middle of a slice should publish itself.
    pub fn is_requested(&self) -> bool {
        self.requested.load(Ordering::Relaxed)
    }

    /// Replaces what was published; `fill` completes an empty snapshot.
    pub fn publish(&self, figures: Figures, bytes: usize, fill: impl FnOnce(&mut Snapshot)) {
        self.requested.store(false, Ordering::Relaxed);
        let mut snapshot = Snapshot { visits: VisitCounts::new(self.squares), ..Snapshot::default() };
        fill(&mut snapshot);
        let mut published = lock(&self.published);
        published.figures = figures;
        published.bytes = bytes;
        published.snapshot = snapshot;
    }
}

/// Collects the slots of all strategies.
#[derive(Debug)]
pub struct RaceObserver {
    squares: usize,
    slots: Mutex<Vec<Arc<StrategySlot>>>,
}

impl RaceObserver {
    pub fn new(board: &Board) -> Self {
        Self { squares: board.len(), slots: Mutex::default() }
    }

    /// The strategy with a slot; `later` if it does not join from the beginning.
    pub(super) fn observe<'g>(&self, strategy: Box<dyn Strategy + 'g>, later: bool) -> Box<dyn Strategy + 'g> {
        let slot = Arc::new(StrategySlot {
            name: strategy.name(),
            squares: self.squares,
            published: Mutex::default(),
            requested: AtomicBool::new(false),
        });
        slot.publish(Figures::default(), 0, |snapshot| strategy.snapshot(snapshot));
        slot.set_state(if later { RacerState::Later } else { RacerState::Waiting });
        lock(&self.slots).push(Arc::clone(&slot));
        Box::new(ObservedStrategy { strategy, slot, race_over: None })
    }

    /// The race as it was last published, and the sum of the figures. Asks running strategies to publish again.
    pub fn race(&self) -> (Race, Figures) {
        let mut visits = VisitCounts::new(self.squares);
        let mut all = Figures::default();
        let mut racers = Vec::new();
        for slot in lock(&self.slots).iter() {
            slot.requested.store(true, Ordering::Relaxed);
            let published = lock(&slot.published);
            visits.merge(&published.snapshot.visits);
            all = all.plus(published.figures);
            racers.push(Racer {
                name: slot.name,
                state: published.state,
                expanded: published.figures.expanded,
                generated: published.figures.generated,
                bytes: published.bytes,
                nearest: published.snapshot.nearest.clone(),
            });
        }
        (Race { racers, visits: visits.0 }, all)
    }
}

/// A strategy with a slot.
struct ObservedStrategy<'g> {
    strategy: Box<dyn Strategy + 'g>,
    slot: Arc<StrategySlot>,
    /// The flag raised when the race is over; known from the first slice on.
    race_over: Option<Cancel>,
}

impl Strategy for ObservedStrategy<'_> {
    fn name(&self) -> &'static str {
        self.strategy.name()
    }

    fn run(&mut self, work: u64, halt: &Halt) -> SliceEnd {
        self.race_over.get_or_insert_with(|| halt.done().clone());
        self.slot.set_state(RacerState::Working);
        let end = self.strategy.run(work, &halt.with_slot(&self.slot));
        self.slot.publish(self.strategy.figures(), self.strategy.bytes(), |snapshot| self.strategy.snapshot(snapshot));
        self.slot.set_state(match end {
            SliceEnd::Open => RacerState::Waiting,
            SliceEnd::Spent | SliceEnd::OutOfMemory => RacerState::Spent,
            SliceEnd::Solved(_) | SliceEnd::Unsolvable => RacerState::Answered,
        });
        end
    }

    fn bytes(&self) -> usize {
        self.strategy.bytes()
    }

    fn free_memory(&mut self) -> bool {
        self.strategy.free_memory()
    }

    fn figures(&self) -> Figures {
        self.strategy.figures()
    }

    fn snapshot(&self, snapshot: &mut Snapshot) {
        self.strategy.snapshot(snapshot);
    }
}

impl Drop for ObservedStrategy<'_> {
    /// A strategy that is freed while the race is on and it still has something to try was dropped to save memory.
    fn drop(&mut self) {
        let mut published = lock(&self.slot.published);
        if self.race_over.as_ref().is_some_and(|over| !over.is_cancelled())
            && matches!(published.state, RacerState::Waiting | RacerState::Later)
        {
            published.state = RacerState::Dropped;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_support::board;
    use lurd_base::Budget;

    /// Asks the observer for itself in the middle of its slice.
    struct SelfObserving<'w> {
        observer: &'w RaceObserver,
        figures: Figures,
        observed: Vec<(RacerState, u64)>,
    }

    impl<'w> SelfObserving<'w> {
        fn new(observer: &'w RaceObserver) -> Box<Self> {
            Box::new(Self { observer, figures: Figures::default(), observed: Vec::new() })
        }
    }

    impl Strategy for SelfObserving<'_> {
        fn name(&self) -> &'static str {
            "self-observing"
        }

        fn run(&mut self, work: u64, halt: &Halt) -> SliceEnd {
            for _ in 0..2 {
                self.figures.expanded += work;
                halt.publish(self);
                let (race, _) = self.observer.race();
                self.observed.push((race.racers[0].state, race.racers[0].expanded));
            }
            if self.observed.len() > 2 {
                assert_eq!(self.observed[0], (RacerState::Working, 0), "not requested yet");
                assert_eq!(self.observed[1], (RacerState::Working, 2 * work), "requested");
                return SliceEnd::Spent;
            }
            SliceEnd::Open
        }

        fn bytes(&self) -> usize {
            7
        }

        fn free_memory(&mut self) -> bool {
            true
        }

        fn figures(&self) -> Figures {
            self.figures
        }

        fn snapshot(&self, snapshot: &mut Snapshot) {
            snapshot.visits.add(1, self.figures.expanded);
        }
    }

    const LEVEL: &str = "#######\n#@ $ .#\n#######";

    #[test]
    fn a_strategy_is_observed_between_slices_and_within_them() {
        let observer = RaceObserver::new(&board(LEVEL));
        let halt = Halt::new(Budget::unlimited());
        let mut observed = observer.observe(SelfObserving::new(&observer), false);
        assert_eq!(observed.run(5, &halt), SliceEnd::Open);
        let (race, figures) = observer.race();
        assert_eq!((race.racers[0].state, race.racers[0].bytes), (RacerState::Waiting, 7));
        assert_eq!((figures.expanded, race.visits[1]), (10, 10));
        assert!(observed.free_memory(), "an observed strategy frees memory as any other");
        assert_eq!(observed.run(5, &halt), SliceEnd::Spent);
        drop(observed);
        assert_eq!(observer.race().0.racers[0].state, RacerState::Spent);
    }

    #[test]
    fn a_strategy_freed_before_the_end_was_dropped() {
        for over in [false, true] {
            let observer = RaceObserver::new(&board(LEVEL));
            let halt = Halt::new(Budget::unlimited());
            let mut observed = observer.observe(SelfObserving::new(&observer), false);
            observed.run(5, &halt);
            if over {
                halt.request();
            }
            drop(observed);
            let state = observer.race().0.racers[0].state;
            assert_eq!(state, if over { RacerState::Waiting } else { RacerState::Dropped });
        }
    }
}
