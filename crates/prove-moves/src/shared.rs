//! What all threads of a search share: the level, the bounds, the zone states, and the best solution.

use crate::bounds::{Bounds, least_pushes};
use crate::parity::ParityBound;
use crate::shards::{Shard, Shards};
use crate::store::{Cost, DEAD};
use crate::{Settings, UpperBound};
use lurd_base::sync::lock;
use lurd_level::Direction;
use lurd_rules::Figures;
use lurd_rules::dense::board::{DenseBoard, Plane};
use lurd_rules::dense::corral::CorralRules;
use lurd_rules::dense::dead_sets::DeadSets;
use lurd_rules::dense::learned_index::LearnedIndex;
use lurd_rules::dense::set::Set;
use lurd_rules::feature::dead_ends::DeadEndStore;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

/// What became of a player arrival.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Insertion {
    /// One is known that costs no more.
    Duplicate,
    /// No solution that is sought leads through it.
    Pruned,
    /// It is in a later bucket.
    Queued,
    /// It is in the current bucket.
    Due,
}

/// A solution, given by its last push.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LastPush<const L: usize> {
    /// The cost of the solution, this push included.
    pub(crate) cost: Cost,
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
    /// Adds the counts of a thread and clears them there.
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
    pub(crate) bounds: Bounds<L, G>,
    /// Known dead ends; `None` until the search for them begins.
    pub(crate) dead_ends: Option<DeadEndStore>,
    /// Dead sets learned from dead ends, indexed by the box pushed.
    pub(crate) learned: LearnedIndex<L>,
    pub(crate) shards: Shards<L>,
    /// The cost of the best solution known: only cheaper ones are sought.
    pub(crate) upper_bound: UpperBound,
    /// Whether anything was pruned because it is too long to be stored, not because a better solution is known.
    pub(crate) left_out: AtomicBool,
    best: Mutex<Option<LastPush<L>>>,
    pub(crate) counts: Counts,
    /// Threads that expand or may soon: while there are any, the current bucket may fill again.
    pub(crate) active: AtomicUsize,
    /// Tells all threads to stop.
    pub(crate) halt: AtomicBool,
}

impl<const L: usize, const G: usize> Shared<L, G> {
    pub(crate) fn new(board: &Arc<DenseBoard>, settings: Settings, bounds: Bounds<L, G>) -> Self {
        Self {
            board: Arc::clone(board),
            plane: board.plane(),
            settings,
            goals: board.goals().iter().map(|&goal| goal.into()).collect(),
            rules: CorralRules::new(board),
            patterns: DeadSets::none(board.live_words(), board.live_count()),
            bounds,
            dead_ends: None,
            learned: LearnedIndex::new(board),
            shards: Shards::new(settings.threads),
            upper_bound: UpperBound::new(settings.most_moves),
            left_out: AtomicBool::new(false),
            best: Mutex::new(None),
            counts: Counts::default(),
            active: AtomicUsize::new(0),
            halt: AtomicBool::new(false),
        }
    }

    pub(crate) fn cells(&self, boxes: Set<L>) -> Set<G> {
        boxes.iter().map(|square| self.board.cell(square)).collect()
    }

    /// Whether a solution that needs at least so many moves and pushes more is no improvement.
    #[inline]
    pub(crate) fn is_pruned(&self, so_far: Cost, moves: u32, pushes: u32) -> bool {
        let least = Cost { moves: so_far.moves + moves, pushes: so_far.pushes + pushes };
        let pruned = self.compared(least) >= self.upper_bound.get();
        if pruned {
            self.note_left_out();
        }
        pruned
    }

    /// Notes that something was pruned, if that is not because a better solution is known.
    pub(crate) fn note_left_out(&self) {
        if self.upper_bound.is_open() {
            self.left_out.store(true, Ordering::Relaxed);
        }
    }

    /// The part of a cost by which solutions are compared.
    #[inline]
    fn compared(&self, cost: Cost) -> Cost {
        Cost { pushes: if self.settings.then_pushes { cost.pushes } else { 0 }, ..cost }
    }

    /// Records a player arrival in a zone state, given its bound by the LP duals, and puts the state into its bucket.
    pub(crate) fn insert(
        &self,
        shard: &mut Shard<L>,
        state: u32,
        cell: usize,
        cost: Cost,
        by_duals: ParityBound,
    ) -> Insertion {
        let here = shard.store.state(state);
        if here.matchings[0] == DEAD {
            return Insertion::Pruned;
        }
        let bounds = &self.bounds;
        let bound = bounds.with_potentials(by_duals, here.boxes, here.costs(), cell);
        let bound = bounds.least(bound, cell);
        let pushes = least_pushes(&here.matchings);
        if self.is_pruned(cost, bound, pushes) {
            return Insertion::Pruned;
        }
        let mut bucket = cost.moves + bound;
        if let Some(most) = self.settings.most_pushes {
            if cost.pushes + pushes > most {
                return Insertion::Pruned;
            }
            // A path with more pushes to the same boxes and zone is part of no solution with the fewest pushes.
            if shard.store.arrivals(state).any(|(_, arrival)| arrival.cost().pushes < cost.pushes) {
                return Insertion::Duplicate;
            }
            bucket = cost.pushes;
        }
        if !shard.store.arrive(state, cell, cost, bucket) {
            return Insertion::Duplicate;
        }
        if self.shards.enqueue(shard, state, bucket) { Insertion::Due } else { Insertion::Queued }
    }

    /// Keeps a solution if it is the best so far.
    pub(crate) fn offer(&self, solution: LastPush<L>) {
        let mut best = lock(&self.best);
        let cost = self.compared(solution.cost);
        let allowed = self.settings.most_pushes.is_none_or(|most| solution.cost.pushes <= most);
        if allowed && cost < self.upper_bound.get() {
            self.upper_bound.lower(cost);
            *best = Some(solution);
        }
    }

    /// The best solution found here, unless a better one is known from elsewhere.
    pub(crate) fn best(&self) -> Option<LastPush<L>> {
        let best = *lock(&self.best);
        best.filter(|best| self.compared(best.cost) <= self.upper_bound.get())
    }
}
