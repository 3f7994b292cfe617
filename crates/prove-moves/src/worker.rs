//! One thread of the search: takes a zone state, spreads a wavefront from its arrivals that are due, and pushes every box
//! beside it.

use crate::bounds::{Matchings, least_pushes};
use crate::shared::{Insertion, LastPush, Shared};
use crate::store::{Arrival, Cost, DEAD, POTENTIALS};
use crate::wavefront::{least_costs, spread};
use lurd_base::NodeShare;
use lurd_level::Direction;
use lurd_rules::Figures;
use lurd_rules::dense::board::{NONE, Side, Step};
use lurd_rules::dense::frozen_walls::FrozenWalls;
use lurd_rules::dense::set::Set;
use lurd_rules::feature::dead_ends::DeadEnds;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// How long an idle thread sleeps before it checks the current bucket again.
const PAUSE: Duration = Duration::from_micros(20);

/// A zone state being expanded.
struct Parent<const L: usize, const G: usize> {
    boxes: Set<L>,
    cells: Set<G>,
    free: Set<G>,
    zone: usize,
    /// Whether its matchings are computed: only when the first new child turns up, because a state that is expanded
    /// again leads mostly to known ones.
    matched: bool,
}

/// The working memory of a thread.
#[derive(Debug, Default)]
pub(crate) struct Worker<const L: usize, const G: usize> {
    pub(crate) matchings: Matchings<L, G>,
    /// Counts since they were last added to those of all threads.
    pub(crate) figures: Figures,
    /// Arrivals of the state being expanded, each with whether it is new.
    arrivals: Vec<(Arrival, bool)>,
    /// Indices of arrivals whose bound has risen, with their new buckets.
    postponed: Vec<(u32, u32)>,
    dominated: Vec<Arrival>,
    fronts: Vec<(u32, Set<G>)>,
    /// The shard of the last child in the current bucket.
    next: Option<usize>,
    /// Made at first use.
    walls: Option<FrozenWalls<G>>,
    dead_ends: Option<DeadEnds>,
}

impl<const L: usize, const G: usize> Worker<L, G> {
    /// Bytes of the dead ends it remembers.
    pub(crate) fn bytes(&self) -> usize {
        self.dead_ends.as_ref().map_or(0, DeadEnds::bytes)
    }

    /// Expands states of the current bucket until it is empty for good, `most` are expanded, the nodes are used up, or
    /// `halt` is set; calls `poll` after each.
    pub(crate) fn work(
        &mut self,
        shared: &Shared<L, G>,
        first: usize,
        most: u64,
        mut nodes: NodeShare<'_>,
        poll: &mut dyn FnMut(&mut Self),
    ) {
        self.matchings.grow(&shared.bounds);
        let mut shard = first;
        let mut done = 0;
        while !shared.halt.load(Ordering::Relaxed) {
            let expanded = self.figures.expanded;
            let Some(from) = self.expand_one(shared, shard, &mut nodes) else {
                if !self.wait(shared) {
                    return;
                }
                continue;
            };
            // Depth first: a child that is due is expanded next.
            shard = self.next.take().unwrap_or(from);
            done += self.figures.expanded - expanded;
            poll(self);
            if done >= most {
                break;
            }
        }
        shared.active.fetch_sub(1, Ordering::SeqCst);
    }

    /// Waits until other threads refill the current bucket; `false` if none will.
    fn wait(&self, shared: &Shared<L, G>) -> bool {
        shared.active.fetch_sub(1, Ordering::SeqCst);
        loop {
            // In this order: an active thread fills the bucket before it becomes inactive.
            let alone = shared.active.load(Ordering::SeqCst) == 0;
            if shared.shards.pending() > 0 {
                shared.active.fetch_add(1, Ordering::SeqCst);
                return true;
            }
            if alone || shared.halt.load(Ordering::Relaxed) {
                return false;
            }
            lurd_base::clock::pause(PAUSE);
        }
    }

    /// Takes a state and expands those of its arrivals that are due. Returns the shard it came from; `None` if no state
    /// is left to take.
    fn expand_one(&mut self, shared: &Shared<L, G>, first: usize, nodes: &mut NodeShare<'_>) -> Option<usize> {
        let shards = &shared.shards;
        let (index, number, mut shard) = shards.take(first)?;
        let current = shards.current() as u32;
        let mut state = *shard.store.state(number);
        let known = shared.bounds.count();
        if state.known() < known && state.matchings[0] != DEAD {
            // Potentials were added since it was evaluated.
            let (first, costs) = (state.known(), &mut state.matchings);
            self.matchings.solve(&shared.bounds, state.boxes, state.zone.into(), first, costs);
            shard.store.set_matchings(number, state.matchings, known);
        }
        self.arrivals.clear();
        if state.matchings[0] == DEAD {
            return Some(index);
        }
        let mut due = false;
        self.postponed.clear();
        for (place, arrival) in shard.store.arrivals(number) {
            let new = !arrival.is_expanded();
            // Where pushes are limited, all arrivals of a state have the same number of pushes and are due together.
            if new && shared.settings.most_pushes.is_none() {
                if arrival.bucket() > current {
                    continue;
                }
                let (moves, cell) = (arrival.cost().moves, arrival.cell());
                let bounds = &shared.bounds;
                let mut by_parity = bounds.of(state.boxes, &state.matchings[..known], cell);
                let mut bound = bounds.least(by_parity, cell);
                if moves + bound <= current {
                    by_parity.raise_each(self.matchings.by_duals(bounds, state.boxes, cell, current - moves));
                    bound = bounds.least(by_parity, cell);
                }
                if moves + bound > current {
                    // It belongs to a later bucket, or to none.
                    let pruned = shared.is_pruned(arrival.cost(), bound, least_pushes(&state.matchings));
                    self.postponed.push((place, if pruned { u32::from(u16::MAX) } else { moves + bound }));
                    continue;
                }
            }
            due |= new;
            self.arrivals.push((arrival, new));
        }
        for &(place, bucket) in &self.postponed {
            shard.store.postpone(place, bucket);
            if bucket < u32::from(u16::MAX) {
                shards.enqueue(&mut shard, number, bucket);
            }
        }
        if due {
            // Marked before the lock is released: a thread that takes the state meanwhile may rely on it.
            let new = self.arrivals.iter().filter(|(_, new)| *new);
            new.for_each(|(arrival, _)| shard.store.mark_expanded(number, arrival));
        }
        shards.account(&mut shard);
        drop(shard);
        if !due {
            return Some(index);
        }
        if let (Some(known), false) = (&shared.dead_ends, state.is_checked()) {
            let board = &shared.board;
            let dead_ends = self.dead_ends.get_or_insert_with(|| DeadEnds::new(known));
            let boxes = state.boxes.iter().map(|square| board.square(board.cell(square)));
            let new = self.arrivals.iter().find(|(_, new)| *new);
            let player = new.map_or(state.zone.into(), |(arrival, _)| arrival.cell());
            let dead = dead_ends.is_dead(known, boxes, board.square(player));
            shards.lock(index).store.set_checked(number, dead);
            if dead {
                return Some(index);
            }
        }
        let cells = shared.cells(state.boxes);
        let free = shared.plane.floor.without(cells);
        let mut parent = Parent { boxes: state.boxes, cells, free, zone: state.zone.into(), matched: false };
        if shared.settings.then_pushes {
            self.push_by_moves_and_pushes(shared, &mut parent, nodes);
        } else {
            self.push_by_moves(shared, &mut parent, nodes);
            if !self.dominated.is_empty() {
                let mut shard = shards.lock(index);
                self.dominated.iter().for_each(|arrival| shard.store.remove_dominated(number, arrival));
            }
        }
        self.figures.expanded += 1;
        Some(index)
    }

    /// Generates the pushes of the arrivals that are due, by one wavefront.
    fn push_by_moves(&mut self, shared: &Shared<L, G>, parent: &mut Parent<L, G>, nodes: &mut NodeShare<'_>) {
        let mut fronts = std::mem::take(&mut self.fronts);
        fronts.clear();
        let latest = shared.upper_bound.get().moves;
        spread(&shared.plane, parent.free, &mut self.arrivals, &mut self.dominated, |moves, front| {
            fronts.push((moves, front));
            let goes_on = moves + 1 < latest;
            if !goes_on {
                shared.note_left_out();
            }
            goes_on
        });
        let pushes = self.arrivals.first().map_or(0, |(arrival, _)| arrival.cost().pushes);
        for &(moves, front) in &fronts {
            self.push_boxes(shared, parent, Cost { moves, pushes }, front, nodes);
        }
        self.fronts = fronts;
    }

    /// The same where pushes count among equal moves.
    fn push_by_moves_and_pushes(
        &mut self,
        shared: &Shared<L, G>,
        parent: &mut Parent<L, G>,
        nodes: &mut NodeShare<'_>,
    ) {
        let count = shared.board.cells();
        let reached = |with_new: bool| {
            let chosen = self.arrivals.iter().filter(move |(_, new)| with_new || !new);
            let sources = chosen.map(|(arrival, _)| (arrival.cell(), arrival.cost()));
            least_costs(&shared.plane, parent.free, sources, count)
        };
        let (before, now) = (reached(false), reached(true));
        for cell in 0..count {
            if let Some(cost) = now[cell].filter(|cost| before[cell].is_none_or(|known| *cost < known)) {
                self.push_boxes(shared, parent, cost, Set::single(cell), nodes);
            }
        }
    }

    /// Pushes every box that a player on one of these cells can push. Where the nodes are used up, pushes are missing, and
    /// all threads are told to stop.
    fn push_boxes(
        &mut self,
        shared: &Shared<L, G>,
        parent: &mut Parent<L, G>,
        cost: Cost,
        front: Set<G>,
        nodes: &mut NodeShare<'_>,
    ) {
        let board = &*shared.board;
        for direction in Direction::ALL {
            let behind = shared.plane.shifted(front, direction);
            let ahead = shared.plane.shifted(parent.free, direction.opposite());
            for cell in parent.cells.and(behind).and(ahead).iter() {
                let from = usize::from(board.live_at(cell));
                let step = board.way(Side::Forward).steps[4 * from + direction as usize];
                if step.to == NONE {
                    continue;
                }
                let push = u32::from(shared.settings.counts_pushes());
                let after = Cost { moves: cost.moves + 1, pushes: cost.pushes + push };
                if shared.is_pruned(after, 0, 0) {
                    continue;
                }
                if !nodes.take() {
                    shared.halt.store(true, Ordering::Relaxed);
                    return;
                }
                self.figures.generated += 1;
                let mut boxes = parent.boxes;
                boxes.remove(from);
                boxes.insert(step.to.into());
                if boxes == shared.goals {
                    shared.offer(LastPush { cost: after, boxes: parent.boxes, cell, direction });
                    continue;
                }
                let box_arrival = usize::from(step.arrival);
                if shared.patterns.dead_pair(box_arrival, boxes) || shared.patterns.dead_triple(box_arrival, boxes) {
                    continue;
                }
                if !parent.matched || !self.is_pruned_by_parent(shared, from, &step, after) {
                    self.insert_child(shared, parent, from, &step, boxes, after);
                }
            }
        }
    }

    /// Whether a push is pruned by the fast bound from the parent's matchings.
    fn is_pruned_by_parent(&self, shared: &Shared<L, G>, from: usize, step: &Step, after: Cost) -> bool {
        let upper_bound = shared.upper_bound.get();
        // Where pushes count too, a solution with as many moves may be an improvement.
        let left = upper_bound.moves.saturating_sub(after.moves) + u32::from(shared.settings.then_pushes);
        !shared.upper_bound.is_open() && self.matchings.needs(&shared.bounds, from, step, left)
    }

    /// Whether boxes that can never move again are off the goals, or keep others from reaching theirs.
    fn is_freeze_deadlock(&mut self, shared: &Shared<L, G>, boxes: Set<L>, cells: Set<G>, player: usize) -> bool {
        let frozen = shared.rules.frozen(cells);
        if frozen.is_empty() {
            return false;
        }
        let zone = shared.plane.zone(shared.plane.floor.without(cells), player);
        let walls = self.walls.get_or_insert_with(|| FrozenWalls::new(&shared.board));
        walls.bound(&shared.board, &shared.plane, frozen, boxes, zone).is_none()
    }

    /// Inserts the player arrival to which a push leads, and its zone state if that is new.
    fn insert_child(
        &mut self,
        shared: &Shared<L, G>,
        parent: &mut Parent<L, G>,
        from: usize,
        step: &Step,
        boxes: Set<L>,
        after: Cost,
    ) {
        let lands = usize::from(step.lands);
        // The LP dual bounds are sums of table entries; where they prune, the flood fill of the zone is saved.
        let bounds = &shared.bounds;
        let by_duals = bounds.by_duals(boxes, lands);
        if shared.is_pruned(after, bounds.least(by_duals, lands), 0) {
            return;
        }
        let mut cells = parent.cells;
        cells.remove(step.lands.into());
        cells.insert(step.clear.into());
        let zone = shared.plane.zone(shared.plane.floor.without(cells), lands).lowest() as u16;
        let index = shared.shards.of(&boxes, zone);
        let mut shard = shared.shards.lock(index);
        let state = match shard.store.find(&boxes, zone) {
            Some(state) => state,
            None => {
                drop(shard);
                if !parent.matched {
                    parent.matched = true;
                    self.matchings.prepare(&shared.bounds, parent.boxes, parent.zone);
                    if self.is_pruned_by_parent(shared, from, step, after) {
                        return;
                    }
                }
                let dead = shared.settings.deadlocks
                    && (shared.patterns.dead_larger(step.arrival.into(), boxes)
                        || shared.learned.are_dead(step.arrival.into(), boxes)
                        || self.is_freeze_deadlock(shared, boxes, cells, lands));
                let costs =
                    if dead { [DEAD; POTENTIALS] } else { self.matchings.child(&shared.bounds, from, step, boxes) };
                shard = shared.shards.lock(index);
                // Another thread may have added it meanwhile.
                let known = shard.store.find(&boxes, zone);
                known.unwrap_or_else(|| shard.store.add(boxes, zone, costs, shared.bounds.count()))
            }
        };
        match shared.insert(&mut shard, state, lands, after, by_duals) {
            Insertion::Duplicate => self.figures.duplicates += 1,
            Insertion::Due => self.next = Some(index),
            Insertion::Pruned | Insertion::Queued => {}
        }
        shared.shards.account(&mut shard);
    }
}
