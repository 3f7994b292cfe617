//! One thread at work: takes a spot, spreads a wave from its stands that are due, pushes every box beside it.

use crate::bounds::Pairings;
use crate::shared::{Found, Shared, Stood};
use crate::store::{Arrival, Cost, DEAD, POTENTIALS};
use crate::wave;
use lurd_level::Direction;
use lurd_rules::Figures;
use lurd_rules::dense::board::{NONE, Side, Step};
use lurd_rules::dense::frozen_walls::FrozenWalls;
use lurd_rules::dense::set::Set;
use lurd_rules::feature::dead_ends::DeadEnds;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// How long a thread with nothing to do waits before it looks again.
const PAUSE: Duration = Duration::from_micros(20);

/// A spot being expanded.
struct Parent<const L: usize, const G: usize> {
    boxes: Set<L>,
    cells: Set<G>,
    free: Set<G>,
    zone: usize,
    /// Whether its boxes are paired with the goals yet: only when something new turns up, because a spot taken up
    /// again leads mostly to what is known.
    ready: bool,
}

/// The working memory of a thread.
#[derive(Debug, Default)]
pub(crate) struct Worker<const G: usize> {
    pub(crate) pairings: Pairings,
    /// What was done since it was last told.
    pub(crate) figures: Figures,
    stands: Vec<(Arrival, bool)>,
    /// Stands that have to wait longer than was thought, by number, and until which bucket.
    put_off: Vec<(u32, u32)>,
    dominated: Vec<Arrival>,
    events: Vec<(u32, Set<G>)>,
    /// The shard of the last child that is due.
    next: Option<usize>,
    /// Made when they are first asked.
    walls: Option<FrozenWalls<G>>,
    dead_ends: Option<DeadEnds>,
}

impl<const G: usize> Worker<G> {
    /// Bytes it remembers dead ends with.
    pub(crate) fn bytes(&self) -> usize {
        self.dead_ends.as_ref().map_or(0, DeadEnds::bytes)
    }

    /// Works off spots of the bucket at hand until it is empty and stays so, so many are expanded, or a halt is called;
    /// `look` is called after each.
    pub(crate) fn work<const L: usize>(
        &mut self,
        shared: &Shared<L, G>,
        first: usize,
        most: u64,
        look: &mut dyn FnMut(&mut Self),
    ) {
        self.pairings.grow(&shared.board, &shared.bounds);
        let mut shard = first;
        let mut done = 0;
        while !shared.halt.load(Ordering::Relaxed) {
            let expanded = self.figures.expanded;
            let Some(from) = self.expand_one(shared, shard) else {
                if !self.wait(shared) {
                    return;
                }
                continue;
            };
            // Whoever has come on goes on first.
            shard = self.next.take().unwrap_or(from);
            done += self.figures.expanded - expanded;
            look(self);
            if done >= most {
                break;
            }
        }
        shared.active.fetch_sub(1, Ordering::SeqCst);
    }

    /// Waits for others to fill the bucket at hand; `false` if nobody will.
    fn wait<const L: usize>(&self, shared: &Shared<L, G>) -> bool {
        shared.active.fetch_sub(1, Ordering::SeqCst);
        loop {
            // In this order: whoever is active fills the bucket before he rests.
            let alone = shared.active.load(Ordering::SeqCst) == 0;
            if shared.shards.waiting() > 0 {
                shared.active.fetch_add(1, Ordering::SeqCst);
                return true;
            }
            if alone || shared.halt.load(Ordering::Relaxed) {
                return false;
            }
            std::thread::sleep(PAUSE);
        }
    }

    /// Takes a spot and works off those of its stands that are due. Gives the shard it came from; `None` if there is
    /// nothing to take.
    fn expand_one<const L: usize>(&mut self, shared: &Shared<L, G>, first: usize) -> Option<usize> {
        let shards = &shared.shards;
        let (index, number, mut shard) = shards.take(first)?;
        let level = shards.level() as u32;
        let mut spot = *shard.store.spot(number);
        let known = shared.bounds.count();
        if usize::from(spot.known()) < known && spot.pairings[0] != DEAD {
            // There are potentials it was not judged by.
            let (board, zone) = (&shared.board, usize::from(spot.zone));
            self.pairings.solve(board, &shared.bounds, spot.boxes, zone, spot.known().into(), &mut spot.pairings);
            shard.store.revise(number, spot.pairings, known);
        }
        self.stands.clear();
        if spot.pairings[0] == DEAD {
            return Some(index);
        }
        let mut due = false;
        self.put_off.clear();
        for (place, stand) in shard.store.stands(number) {
            let new = !stand.is_worked_off();
            // Where pushes are limited, all stands of a spot have as many, and are due together.
            if new && shared.settings.most_pushes.is_none() {
                if stand.bucket() > level {
                    continue;
                }
                let moves = stand.cost().moves;
                let bounds = &shared.bounds;
                let mut by_end = bounds.of(spot.boxes, &spot.pairings, known as u16, stand.cell());
                let mut bound = bounds.least(by_end, stand.cell());
                if moves + bound <= level {
                    by_end.raise_each(self.pairings.by_tariffs(bounds, spot.boxes, stand.cell(), level - moves));
                    bound = bounds.least(by_end, stand.cell());
                }
                if moves + bound > level {
                    // It has to wait for a later bucket, or for ever.
                    let least = crate::bounds::pushes(&spot.pairings);
                    let useless = shared.is_useless(stand.cost(), bound, least);
                    self.put_off.push((place, if useless { u32::from(u16::MAX) } else { moves + bound }));
                    continue;
                }
            }
            due |= new;
            self.stands.push((stand, new));
        }
        for &(place, bucket) in &self.put_off {
            shard.store.put_off(place, bucket);
            if bucket < u32::from(u16::MAX) {
                shards.enqueue(&mut shard, number, bucket);
            }
        }
        if due {
            // Whoever takes the spot up meanwhile may count on these.
            self.stands.iter().filter(|(_, new)| *new).for_each(|(stand, _)| shard.store.work_off(number, stand));
        }
        shards.account(&mut shard);
        drop(shard);
        if !due {
            return Some(index);
        }
        if let (Some(known), false) = (&shared.dead_ends, spot.is_looked_at()) {
            let board = &shared.board;
            let dead_ends = self.dead_ends.get_or_insert_with(|| DeadEnds::new(known));
            let boxes = spot.boxes.iter().map(|square| board.square(board.cell(square)));
            let player = self.stands.iter().find(|(_, new)| *new).map_or(spot.zone.into(), |(stand, _)| stand.cell());
            let dead = dead_ends.is_dead(known, boxes, board.square(player));
            shards.lock(index).store.look_at(number, dead);
            if dead {
                return Some(index);
            }
        }
        let cells = shared.cells(spot.boxes);
        let free = shared.plane.floor.without(cells);
        let mut parent = Parent { boxes: spot.boxes, cells, free, zone: spot.zone.into(), ready: false };
        if shared.settings.then_pushes {
            self.push_by_both(shared, &mut parent);
        } else {
            self.push_by_moves(shared, &mut parent);
            if !self.dominated.is_empty() {
                let mut shard = shards.lock(index);
                self.dominated.iter().for_each(|stand| shard.store.take_out(number, stand));
            }
        }
        self.figures.expanded += 1;
        Some(index)
    }

    /// Makes the pushes of the stands that are due, by one wave.
    fn push_by_moves<const L: usize>(&mut self, shared: &Shared<L, G>, parent: &mut Parent<L, G>) {
        let mut events = std::mem::take(&mut self.events);
        events.clear();
        let latest = shared.ceiling.get().moves;
        wave::spread(&shared.plane, parent.free, &mut self.stands, &mut self.dominated, |time, front| {
            events.push((time, front));
            time + 1 < latest
        });
        let pushes = self.stands.first().map_or(0, |(stand, _)| stand.cost().pushes);
        for &(moves, front) in &events {
            self.push_boxes(shared, parent, Cost { moves, pushes }, front);
        }
        self.events = events;
    }

    /// The same where pushes count among equal moves.
    fn push_by_both<const L: usize>(&mut self, shared: &Shared<L, G>, parent: &mut Parent<L, G>) {
        let count = shared.board.cells();
        let stands = |new_too: bool| {
            let chosen = self.stands.iter().filter(move |(_, new)| new_too || !new);
            let seeds = chosen.map(|(stand, _)| (stand.cell(), stand.cost()));
            wave::arrivals(&shared.plane, parent.free, seeds, count)
        };
        let (before, now) = (stands(false), stands(true));
        for cell in 0..count {
            if let Some(cost) = now[cell].filter(|cost| before[cell].is_none_or(|known| *cost < known)) {
                self.push_boxes(shared, parent, cost, Set::single(cell));
            }
        }
    }

    /// Pushes every box that a player on one of these cells can push.
    fn push_boxes<const L: usize>(
        &mut self,
        shared: &Shared<L, G>,
        parent: &mut Parent<L, G>,
        cost: Cost,
        front: Set<G>,
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
                if shared.is_useless(after, 0, 0) {
                    continue;
                }
                self.figures.generated += 1;
                let mut boxes = parent.boxes;
                boxes.remove(from);
                boxes.insert(step.to.into());
                if boxes == shared.goals {
                    shared.offer(Found { after, boxes: parent.boxes, cell, direction });
                    continue;
                }
                let arrival = usize::from(step.arrival);
                if shared.patterns.dead_pair(arrival, boxes) || shared.patterns.dead_triple(arrival, boxes) {
                    continue;
                }
                if !parent.ready || !self.is_far(shared, from, &step, after) {
                    self.child(shared, parent, from, &step, boxes, after);
                }
            }
        }
    }

    /// Whether a push is too far from a solution, by a quick bound.
    fn is_far<const L: usize>(&self, shared: &Shared<L, G>, from: usize, step: &Step, after: Cost) -> bool {
        let ceiling = shared.ceiling.get();
        // Where pushes count too, as many moves may be good enough.
        let left = ceiling.moves.saturating_sub(after.moves) + u32::from(shared.settings.then_pushes);
        !shared.ceiling.is_open() && self.pairings.is_far(&shared.bounds, from, step, left)
    }

    /// Whether boxes that can never move again are off the goals, or keep others from theirs.
    fn is_walled_in<const L: usize>(
        &mut self,
        shared: &Shared<L, G>,
        boxes: Set<L>,
        cells: Set<G>,
        player: usize,
    ) -> bool {
        let frozen = shared.rules.frozen(cells);
        if frozen.is_empty() {
            return false;
        }
        let zone = shared.plane.zone(shared.plane.floor.without(cells), player);
        let walls = self.walls.get_or_insert_with(|| FrozenWalls::new(&shared.board));
        walls.bound(&shared.board, &shared.plane, frozen, boxes, zone).is_none()
    }

    /// Files what a push leads to.
    fn child<const L: usize>(
        &mut self,
        shared: &Shared<L, G>,
        parent: &mut Parent<L, G>,
        from: usize,
        step: &Step,
        boxes: Set<L>,
        after: Cost,
    ) {
        let lands = usize::from(step.lands);
        // What tariffs say is quickly added up, and spares the rest where it is too much.
        let bounds = &shared.bounds;
        let by_tariffs = bounds.by_tariffs(boxes, lands);
        if shared.is_useless(after, bounds.least(by_tariffs, lands), 0) {
            return;
        }
        let mut cells = parent.cells;
        cells.remove(step.lands.into());
        cells.insert(step.clear.into());
        let zone = shared.plane.zone(shared.plane.floor.without(cells), lands).lowest() as u16;
        let index = shared.shards.of(&boxes, zone);
        let mut shard = shared.shards.lock(index);
        let spot = match shard.store.find(&boxes, zone) {
            Some(spot) => spot,
            None => {
                drop(shard);
                if !parent.ready {
                    parent.ready = true;
                    self.pairings.prepare(&shared.board, &shared.bounds, parent.boxes, parent.zone);
                    if self.is_far(shared, from, step, after) {
                        return;
                    }
                }
                let dead = shared.settings.rules
                    && (shared.patterns.dead_larger(step.arrival.into(), boxes)
                        || shared.lessons.are_dead(step.arrival.into(), boxes)
                        || self.is_walled_in(shared, boxes, cells, lands));
                let costs =
                    if dead { [DEAD; POTENTIALS] } else { self.pairings.child(&shared.bounds, from, step, boxes) };
                shard = shared.shards.lock(index);
                // Somebody else may have been faster.
                let known = shard.store.find(&boxes, zone);
                known.unwrap_or_else(|| shard.store.add(boxes, zone, costs, shared.bounds.count()))
            }
        };
        match shared.stand(&mut shard, spot, lands, after, by_tariffs) {
            Stood::Known => self.figures.duplicates += 1,
            Stood::Due => self.next = Some(index),
            Stood::Useless | Stood::Waits => {}
        }
        shared.shards.account(&mut shard);
    }
}
