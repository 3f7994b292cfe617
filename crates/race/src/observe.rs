//! The race seen from outside: who runs, where boxes are moved, how near each strategy came.
//!
//! Every strategy stands behind a pane of a [`RaceObserver`] and is looked at when its turn ends; one whose turns are long
//! looks up in between whether somebody wants to see it. Looking only reads what strategies count
//! anyway, so a race that is watched goes as one that is not.

use crate::strategy::{Halt, Strategy, Turn};
use lurd_rules::feature::board::{FAR, FeatureBoard};
use lurd_rules::{Board, Figures, Square};
use lurd_search::Cancel;
use lurd_search::sync::lock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

/// What a strategy is at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RacerState {
    /// It joins when the first ones have not led anywhere.
    #[default]
    Later,
    /// It has turns and waits for its next one.
    Waiting,
    /// It has its turn now.
    Working,
    /// It has nothing left to try.
    Spent,
    /// It was let go for want of memory.
    LetGo,
    /// It has ended the race.
    Answered,
}

impl RacerState {
    /// One word for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Later => "later",
            Self::Waiting => "waiting",
            Self::Working => "working",
            Self::Spent => "spent",
            Self::LetGo => "let-go",
            Self::Answered => "answered",
        }
    }
}

/// A position near the end that a strategy looks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Nearest {
    /// The boxes.
    pub boxes: Vec<Square>,
    /// A square of the player's zone.
    pub player: Square,
    /// Whether it was reached by pulls from the solved board: then it is near the start.
    pub backwards: bool,
    /// At least so many pushes, or pulls, are to go.
    pub to_go: u32,
}

impl Nearest {
    /// A position reached by pushes: each box is at least its distance from the nearest goal away.
    pub(super) fn forwards(features: &FeatureBoard, boxes: Vec<Square>, player: Square) -> Self {
        let to_go = boxes.iter().map(|&square| features.to_goal(square)).filter(|&pushes| pushes != FAR);
        let to_go = to_go.map(u32::from).sum();
        Self { boxes, player, backwards: false, to_go }
    }
}

/// A strategy as it is seen.
#[derive(Clone, Debug)]
pub struct Racer {
    /// Its name; variants of a strategy share it.
    pub name: &'static str,
    /// What it is at.
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

/// A race as it is seen.
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

    /// A box comes to stand here.
    #[inline]
    pub fn count(&mut self, square: Square) {
        self.0[usize::from(square)] += 1;
    }

    /// So many boxes came to stand here.
    pub fn add(&mut self, square: Square, times: u64) {
        self.0[usize::from(square)] += times;
    }

    /// Takes in the tracks of another search.
    pub fn join(&mut self, other: &Self) {
        for (here, there) in self.0.iter_mut().zip(&other.0) {
            *here += there;
        }
    }
}

/// What a strategy shows of itself besides its figures.
#[derive(Clone, Debug, Default)]
pub struct Snapshot {
    pub tracks: VisitCounts,
    pub nearest: Option<Nearest>,
}

#[derive(Debug, Default)]
struct Observed {
    state: RacerState,
    figures: Figures,
    bytes: usize,
    sight: Snapshot,
}

/// Where one strategy is seen.
#[derive(Debug)]
pub struct StrategySlot {
    name: &'static str,
    squares: usize,
    seen: Mutex<Observed>,
    /// Somebody has looked since the strategy last showed itself.
    wanted: AtomicBool,
}

impl StrategySlot {
    fn seen(&self) -> MutexGuard<'_, Observed> {
        lock(&self.seen)
    }

    /// Whether a strategy in the middle of a turn should show itself.
    pub fn is_wanted(&self) -> bool {
        self.wanted.load(Ordering::Relaxed)
    }

    /// Takes in what a strategy shows.
    pub fn show(&self, figures: Figures, bytes: usize, show: impl FnOnce(&mut Snapshot)) {
        self.wanted.store(false, Ordering::Relaxed);
        let mut sight = Snapshot { tracks: VisitCounts::new(self.squares), ..Snapshot::default() };
        show(&mut sight);
        let mut seen = self.seen();
        seen.figures = figures;
        seen.bytes = bytes;
        seen.sight = sight;
    }
}

/// Where a race is seen.
#[derive(Debug)]
pub struct RaceObserver {
    squares: usize,
    panes: Mutex<Vec<Arc<StrategySlot>>>,
}

impl RaceObserver {
    pub fn new(board: &Board) -> Self {
        Self { squares: board.len(), panes: Mutex::default() }
    }

    /// The strategy behind a pane; `later` if it does not join from the beginning.
    pub(super) fn watch<'g>(&self, strategy: Box<dyn Strategy + 'g>, later: bool) -> Box<dyn Strategy + 'g> {
        let pane = Arc::new(StrategySlot {
            name: strategy.name(),
            squares: self.squares,
            seen: Mutex::default(),
            wanted: AtomicBool::new(false),
        });
        pane.show(Figures::default(), 0, |sight| strategy.show(sight));
        pane.seen().state = if later { RacerState::Later } else { RacerState::Waiting };
        lock(&self.panes).push(Arc::clone(&pane));
        Box::new(ObservedStrategy { strategy, pane, over: None })
    }

    /// The race as it was last shown. Strategies that run just now will show themselves anew.
    pub fn look(&self) -> (Race, Figures) {
        let mut tracks = VisitCounts::new(self.squares);
        let mut all = Figures::default();
        let mut racers = Vec::new();
        for pane in lock(&self.panes).iter() {
            pane.wanted.store(true, Ordering::Relaxed);
            let seen = pane.seen();
            tracks.join(&seen.sight.tracks);
            all = all.plus(seen.figures);
            racers.push(Racer {
                name: pane.name,
                state: seen.state,
                expanded: seen.figures.expanded,
                generated: seen.figures.generated,
                bytes: seen.bytes,
                nearest: seen.sight.nearest.clone(),
            });
        }
        (Race { racers, visits: tracks.0 }, all)
    }
}

/// A strategy behind a pane.
struct ObservedStrategy<'g> {
    strategy: Box<dyn Strategy + 'g>,
    pane: Arc<StrategySlot>,
    /// Raised when the race is over; known from the first turn on.
    over: Option<Cancel>,
}

impl Strategy for ObservedStrategy<'_> {
    fn name(&self) -> &'static str {
        self.strategy.name()
    }

    fn run(&mut self, work: u64, halt: &Halt) -> Turn {
        self.over.get_or_insert_with(|| halt.done().clone());
        self.pane.seen().state = RacerState::Working;
        let turn = self.strategy.run(work, &halt.behind(&self.pane));
        self.pane.show(self.strategy.figures(), self.strategy.bytes(), |sight| self.strategy.show(sight));
        match turn {
            Turn::Open => self.pane.seen().state = RacerState::Waiting,
            Turn::Spent => self.pane.seen().state = RacerState::Spent,
            Turn::Solved(_) | Turn::Unsolvable => self.pane.seen().state = RacerState::Answered,
        }
        turn
    }

    fn bytes(&self) -> usize {
        self.strategy.bytes()
    }

    fn figures(&self) -> Figures {
        self.strategy.figures()
    }

    fn show(&self, sight: &mut Snapshot) {
        self.strategy.show(sight);
    }
}

impl Drop for ObservedStrategy<'_> {
    /// A strategy that goes while the race is on and it still had something to try was let go.
    fn drop(&mut self) {
        let mut seen = self.pane.seen();
        if self.over.as_ref().is_some_and(|over| !over.is_cancelled())
            && matches!(seen.state, RacerState::Waiting | RacerState::Later)
        {
            seen.state = RacerState::LetGo;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lurd_level::Map;
    use lurd_search::Budget;

    /// Looks at itself through the window in the middle of its turn.
    struct Vain<'w> {
        window: &'w RaceObserver,
        figures: Figures,
        noticed: Vec<(RacerState, u64)>,
    }

    impl Strategy for Vain<'_> {
        fn name(&self) -> &'static str {
            "vain"
        }

        fn run(&mut self, work: u64, halt: &Halt) -> Turn {
            for _ in 0..2 {
                self.figures.expanded += work;
                halt.show(self);
                let (race, _) = self.window.look();
                self.noticed.push((race.racers[0].state, race.racers[0].expanded));
            }
            if self.noticed.len() > 2 {
                assert_eq!(self.noticed[0], (RacerState::Working, 0), "nobody had looked");
                assert_eq!(self.noticed[1], (RacerState::Working, 2 * work), "somebody had");
                return Turn::Spent;
            }
            Turn::Open
        }

        fn bytes(&self) -> usize {
            7
        }

        fn figures(&self) -> Figures {
            self.figures
        }

        fn show(&self, sight: &mut Snapshot) {
            sight.tracks.add(1, self.figures.expanded);
        }
    }

    #[test]
    fn a_strategy_is_seen_between_turns_and_within_them() {
        let board = Board::new(&Map::from_xsb("#######\n#@ $ .#\n#######").unwrap()).unwrap();
        let window = RaceObserver::new(&board);
        let halt = Halt::new(Budget::unlimited());
        let vain = Vain { window: &window, figures: Figures::default(), noticed: Vec::new() };
        let mut watched = window.watch(Box::new(vain), false);
        // The window itself has been looked through by nobody yet.
        assert_eq!(watched.run(5, &halt), Turn::Open);
        let (race, figures) = window.look();
        assert_eq!((race.racers[0].state, race.racers[0].bytes), (RacerState::Waiting, 7));
        assert_eq!((figures.expanded, race.visits[1]), (10, 10));
        assert_eq!(watched.run(5, &halt), Turn::Spent);
        drop(watched);
        assert_eq!(window.look().0.racers[0].state, RacerState::Spent);
    }

    #[test]
    fn one_that_goes_before_the_end_was_let_go() {
        let board = Board::new(&Map::from_xsb("#######\n#@ $ .#\n#######").unwrap()).unwrap();
        for over in [false, true] {
            let window = RaceObserver::new(&board);
            let halt = Halt::new(Budget::unlimited());
            let vain = Vain { window: &window, figures: Figures::default(), noticed: Vec::new() };
            let mut watched = window.watch(Box::new(vain), false);
            watched.run(5, &halt);
            if over {
                halt.call();
            }
            drop(watched);
            let state = window.look().0.racers[0].state;
            assert_eq!(state, if over { RacerState::Waiting } else { RacerState::LetGo });
        }
    }
}
