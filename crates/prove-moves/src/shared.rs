//! What all threads of a search have in common: the level, the bounds, the spots, and the best solution.

use crate::bounds::{Bounds, pushes};
use crate::parity::ParityBound;
use crate::shards::{Shard, Shards};
use crate::store::{Cost, DEAD};
use crate::{Ceiling, Settings};
use lurd_level::Direction;
use lurd_rules::Figures;
use lurd_rules::dense::board::{DenseBoard, Plane};
use lurd_rules::dense::corral::CorralRules;
use lurd_rules::dense::dead_sets::DeadSets;
use lurd_rules::dense::learned_index::LearnedIndex;
use lurd_rules::dense::set::Set;
use lurd_rules::feature::dead_ends::DeadEndStore;
use lurd_search::sync::lock;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

/// What became of a stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stood {
    /// Another is known that is no dearer.
    Known,
    /// No solution that is sought leads through it.
    Useless,
    /// It waits for its bucket.
    Waits,
    /// It waits in the bucket at hand.
    Due,
}

/// A solution: the push that ends it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Found<const L: usize> {
    /// What it took, the push included.
    pub(crate) after: Cost,
    /// The boxes before the push.
    pub(crate) boxes: Set<L>,
    /// The cell of the box before the push.
    pub(crate) cell: usize,
    pub(crate) direction: Direction,
}

/// Counts of all threads.
#[derive(Debug, Default)]
pub(crate) struct Counts {
    expanded: AtomicU64,
    generated: AtomicU64,
    duplicates: AtomicU64,
}

impl Counts {
    pub(crate) fn add(&self, figures: &mut Figures) {
        self.expanded.fetch_add(figures.expanded, Ordering::Relaxed);
        self.generated.fetch_add(figures.generated, Ordering::Relaxed);
        self.duplicates.fetch_add(figures.duplicates, Ordering::Relaxed);
        *figures = Figures::default();
    }

    pub(crate) fn figures(&self) -> Figures {
        Figures {
            expanded: self.expanded.load(Ordering::Relaxed),
            generated: self.generated.load(Ordering::Relaxed),
            duplicates: self.duplicates.load(Ordering::Relaxed),
            ..Figures::default()
        }
    }
}

/// What the threads share.
pub(crate) struct Shared<const L: usize, const G: usize> {
    pub(crate) board: Arc<DenseBoard>,
    pub(crate) plane: Plane<G>,
    pub(crate) settings: Settings,
    pub(crate) goals: Set<L>,
    pub(crate) rules: CorralRules<G>,
    pub(crate) patterns: DeadSets,
    pub(crate) bounds: Bounds<L>,
    /// What is known of dead ends, once they are looked for.
    pub(crate) dead_ends: Option<DeadEndStore>,
    /// What they have taught, filed by the box pushed.
    pub(crate) lessons: LearnedIndex<L>,
    pub(crate) shards: Shards<L>,
    /// The cost of the best solution known: what others must stay below.
    pub(crate) ceiling: Ceiling,
    found: Mutex<Option<Found<L>>>,
    pub(crate) counts: Counts,
    /// Threads that expand or may soon: while there are any, the bucket at hand may fill again.
    pub(crate) active: AtomicUsize,
    /// Raised when everybody is to stop.
    pub(crate) halt: AtomicBool,
}

impl<const L: usize, const G: usize> Shared<L, G> {
    pub(crate) fn new(board: &Arc<DenseBoard>, settings: Settings, bounds: Bounds<L>) -> Self {
        let mut goals = Set::EMPTY;
        board.goals().iter().for_each(|&goal| goals.insert(goal.into()));
        Self {
            board: Arc::clone(board),
            plane: board.plane(),
            settings,
            goals,
            rules: CorralRules::new(board),
            patterns: DeadSets::none(board.live_words(), board.live_count()),
            bounds,
            dead_ends: None,
            lessons: LearnedIndex::new(board),
            shards: Shards::new(settings.threads),
            ceiling: Ceiling::default(),
            found: Mutex::new(None),
            counts: Counts::default(),
            active: AtomicUsize::new(0),
            halt: AtomicBool::new(false),
        }
    }

    pub(crate) fn cells(&self, boxes: Set<L>) -> Set<G> {
        let mut cells = Set::EMPTY;
        boxes.iter().for_each(|square| cells.insert(self.board.cell(square)));
        cells
    }

    /// Whether a solution of at least so many moves, and pushes, is of no use.
    #[inline]
    pub(crate) fn is_useless(&self, so_far: Cost, moves: u32, pushes: u32) -> bool {
        let least = Cost { moves: so_far.moves + moves, pushes: so_far.pushes + pushes };
        self.judged(least) >= self.ceiling.get()
    }

    /// What of a cost makes one solution better than another.
    #[inline]
    fn judged(&self, cost: Cost) -> Cost {
        Cost { pushes: if self.settings.then_pushes { cost.pushes } else { 0 }, ..cost }
    }

    /// Records that the player can stand on a cell of a spot, of which the tariffs say so much, and puts that into its bucket.
    pub(crate) fn stand(
        &self,
        shard: &mut Shard<L>,
        spot: u32,
        cell: usize,
        cost: Cost,
        by_tariffs: ParityBound,
    ) -> Stood {
        let here = shard.store.spot(spot);
        if here.pairings[0] == DEAD {
            return Stood::Useless;
        }
        let bounds = &self.bounds;
        let by_end = bounds.with_potentials(by_tariffs, here.boxes, &here.pairings, here.known(), cell);
        let bound = bounds.least(by_end, cell);
        if self.is_useless(cost, bound, pushes(&here.pairings)) {
            return Stood::Useless;
        }
        let mut bucket = cost.moves + bound;
        if let Some(most) = self.settings.most_pushes {
            if cost.pushes + pushes(&here.pairings) > most {
                return Stood::Useless;
            }
            // A way with more pushes to the same boxes and zone is part of no solution with the fewest.
            if shard.store.stands(spot).any(|(_, stand)| stand.cost().pushes < cost.pushes) {
                return Stood::Known;
            }
            bucket = cost.pushes;
        }
        if !shard.store.reach(spot, cell, cost, bucket) {
            return Stood::Known;
        }
        if self.shards.enqueue(shard, spot, bucket) { Stood::Due } else { Stood::Waits }
    }

    /// Takes a solution if it is the best so far.
    pub(crate) fn offer(&self, solution: Found<L>) {
        let mut found = lock(&self.found);
        let cost = self.judged(solution.after);
        let allowed = self.settings.most_pushes.is_none_or(|most| solution.after.pushes <= most);
        if allowed && cost < self.ceiling.get() {
            self.ceiling.lower(cost);
            *found = Some(solution);
        }
    }

    /// The best solution, if it was found here.
    pub(crate) fn found(&self) -> Option<Found<L>> {
        let found = *lock(&self.found);
        found.filter(|found| self.judged(found.after) <= self.ceiling.get())
    }
}
