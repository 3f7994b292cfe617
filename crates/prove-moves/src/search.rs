//! The search: A* (Hart, Nilsson and Raphael 1968) over zone states and player arrivals, by f = moves so far + bound.
//!
//! Arrivals are in buckets by f. A zone state taken from its bucket spreads one wavefront from all of its arrivals that are
//! due; each box beside the wavefront is pushed, and the zone state after the push gets an arrival
//! ([`worker`](crate::worker)). Buckets are emptied in rising order, so no solution has fewer moves than the current bucket.
//! An arrival that is reached at a lower cost later is expanded again: so the bounds need not be consistent, nor does the
//! order within a bucket matter. Several threads may work on a bucket at a time; the next one follows only when it is empty
//! and all of them are idle. What cannot improve on the best solution known is pruned; when nothing is left, that solution
//! is proved.
//!
//! Only rules that lose no solution are used: squares and sides that no box has in a solution, exact dead sets, frozen
//! boxes, no matching with the goals, corrals that never open. Rules about the order of pushes, such as PI-corrals and
//! gates, preserve the fewest pushes but not the fewest moves.

use crate::bounds::Bounds;
use crate::exclusive::Exclusive;
use crate::parity::ParityBound;
use crate::shared::Shared;
use crate::store::{Cost, POTENTIALS};
use crate::worker::Worker;
use crate::{Ended, Prover, Settings, dual_bounds, lp_threads, potentials};
use lurd_base::{Budget, Halt, Stop};
use lurd_rules::dense::board::{DenseBoard, Side};
use lurd_rules::dense::dead_set_tables::DeadSetTables;
use lurd_rules::dense::set::Set;
use lurd_rules::feature::dead_ends::DeadEndStore;
use lurd_rules::{Board, Figures, Push};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread;

/// Expansions of a thread between two checks of the limits.
const POLL: u64 = 64;

/// Expansions of a thread before all threads join: tables and bounds change only then.
const TURN: u64 = 4_096;

/// A bucket with fewer states for each thread is expanded by one alone, for a short turn.
const FEW: usize = 32;
const SHORT_TURN: u64 = 256;

/// Bytes that all threads together may take between two checks, at the very most.
const AHEAD: usize = 1 << 20;

/// States of a table of dead sets built in a turn, for each of its expansions.
const BUILD: u64 = 64;

/// A table is begun when it has no more sets than this times the expansions so far.
const TABLE_SHARE: u64 = 4;

/// The largest dead sets for which a table pays here.
const TABLE_SIZE: usize = 4;

pub(crate) struct Search<const L: usize, const G: usize> {
    shared: Shared<L, G>,
    workers: Vec<Worker<L, G>>,
    tables: Option<DeadSetTables>,
    table_size: usize,
    /// Expansions at which bounds are fitted to the open list next.
    refit_at: u64,
    refitted: bool,
    /// The level for the search for dead ends, which begins with the first refit.
    board: Arc<Board>,
    /// Whether refits solve linear programs; and the exclusive squares, once they are needed.
    programs: bool,
    exclusive: Option<Arc<Exclusive>>,
}

impl<const L: usize, const G: usize> Search<L, G> {
    pub(crate) fn new(board: &Board, dense: &Arc<DenseBoard>, settings: Settings, budget: &Budget) -> Self {
        let mut bounds = Bounds::new(dense, settings);
        potentials::first(dense, settings, budget).into_iter().for_each(|potential| bounds.add(potential, budget));
        // Where every state is expanded once, bounds fitted to the open list come too late.
        let refits = settings.fitted > 0 && settings.most_pushes.is_none() && !dense.is_hopeless();
        let programs = dual_bounds::are_possible(dense, settings);
        let mut search = Self {
            shared: Shared::new(dense, settings, bounds),
            workers: (0..settings.threads).map(|_| Worker::default()).collect(),
            tables: settings.deadlocks.then(|| DeadSetTables::new(dense, Side::Forward, TABLE_SIZE)).flatten(),
            table_size: 1,
            refit_at: match (refits, programs) {
                (false, _) => u64::MAX,
                (true, false) => settings.refit_after.max(potentials::patience(dense)),
                (true, true) => dual_bounds::first_after(dense, settings).max(potentials::patience(dense)),
            },
            refitted: false,
            board: Arc::new(board.clone()),
            programs,
            exclusive: None,
        };
        search.start();
        search
    }

    fn start(&mut self) {
        let shared = &self.shared;
        let dense = &shared.board;
        if dense.is_hopeless() {
            return;
        }
        let boxes: Set<L> = dense.starts().iter().map(|&square| square.into()).collect();
        let free = shared.plane.floor.without(shared.cells(boxes));
        let zone = shared.plane.zone(free, dense.start_player()).lowest();
        let mut costs = [0; POTENTIALS];
        self.workers[0].matchings.grow(&shared.bounds);
        if self.workers[0].matchings.solve(&shared.bounds, boxes, zone, 0, &mut costs) {
            let mut shard = shared.shards.lock(shared.shards.of(&boxes, zone as u16));
            let state = shard.store.add(boxes, zone as u16, costs, shared.bounds.count());
            shared.insert(&mut shard, state, dense.start_player(), Cost::ZERO, ParityBound::ZERO);
        }
    }

    /// A turn of all threads, of at most so many expansions each.
    fn turn(&mut self, most: u64, budget: &Budget) {
        let shared = &self.shared;
        let few = shared.shards.pending() < FEW * self.workers.len();
        let (threads, most) = if few { (1, most.min(SHORT_TURN)) } else { (self.workers.len(), most) };
        let fixed = self.fixed_bytes();
        let nodes = budget.nodes();
        shared.halt.store(false, Ordering::Relaxed);
        shared.active.store(threads, Ordering::SeqCst);
        let (own, others) = self.workers[..threads].split_at_mut(1);
        let poll = &mut |worker: &mut Worker<L, G>| {
            if worker.figures.expanded >= POLL {
                shared.counts.add(&mut worker.figures);
                if halt(shared, fixed, budget).is_some() {
                    shared.halt.store(true, Ordering::Relaxed);
                }
            }
        };
        thread::scope(|scope| {
            let each = shared.shards.len() / threads;
            for (index, worker) in others.iter_mut().enumerate() {
                let work = move || {
                    worker.work(shared, (index + 1) * each, most, nodes.share(), &mut |worker| {
                        if worker.figures.expanded >= POLL {
                            shared.counts.add(&mut worker.figures);
                        }
                    });
                };
                if thread::Builder::new().spawn_scoped(scope, work).is_err() {
                    // The other threads do its work.
                    shared.active.fetch_sub(1, Ordering::SeqCst);
                }
            }
            own[0].work(shared, 0, most, nodes.share(), poll);
        });
        self.workers.iter_mut().for_each(|worker| self.shared.counts.add(&mut worker.figures));
    }

    /// Builds tables of dead sets, in proportion to the expansions.
    fn widen_tables(&mut self, expansions: u64) {
        let Some(tables) = &self.tables else { return };
        if let Some((_, sets)) = tables.next()
            && sets as u64 <= TABLE_SHARE * self.shared.counts.figures().expanded
        {
            tables.build(BUILD * expansions);
        }
        if tables.finished() != self.table_size {
            self.table_size = tables.finished();
            self.shared.patterns = tables.patterns();
        }
    }

    /// Fits bounds to the open list, when it is time.
    fn refit(&mut self, budget: &Budget) {
        let expanded = self.shared.counts.figures().expanded;
        if expanded < self.refit_at {
            return;
        }
        let held = self.bytes();
        if self.shared.settings.deadlocks && self.shared.dead_ends.is_none() {
            self.shared.dead_ends = Some(DeadEndStore::new(&self.board));
        }
        self.refit_at *= if self.programs { dual_bounds::FACTOR } else { potentials::FACTOR };
        if self.programs {
            let dense = &self.shared.board;
            if budget.out_of_memory(held + self.shared.settings.threads * dual_bounds::bytes(dense)) {
                return;
            }
            let exclusive = self.exclusive.get_or_insert_with(|| Arc::new(Exclusive::new::<G>(dense)));
            self.shared.refit_duals(exclusive, expanded, budget);
        } else {
            if !std::mem::replace(&mut self.refitted, true) {
                self.shared.add_potentials(budget);
            }
            self.shared.refit_potentials(expanded, budget);
        }
    }

    fn fixed_bytes(&self) -> usize {
        self.tables.as_ref().map_or(0, DeadSetTables::bytes)
            + self.shared.bounds.bytes()
            + self.shared.learned.bytes()
            + self.workers.iter().map(Worker::bytes).sum::<usize>()
            + lp_threads::bytes()
    }
}

/// Why the search ends now, if it does.
fn halt<const L: usize, const G: usize>(shared: &Shared<L, G>, fixed: usize, budget: &Budget) -> Option<Halt> {
    let shards = &shared.shards;
    let is_full = || shards.is_full() || budget.out_of_memory(shards.bytes() + shards.spare() + fixed + AHEAD);
    budget.halt().or_else(|| is_full().then_some(Halt::Limit(Stop::Memory)))
}

impl<const L: usize, const G: usize> Prover for Search<L, G> {
    fn run(&mut self, work: u64, budget: &Budget, tick: &mut dyn FnMut(&dyn Prover)) -> Ended {
        let until = self.figures().expanded.saturating_add(work);
        loop {
            if let Some(halt) = halt(&self.shared, self.fixed_bytes(), budget) {
                return Ended::Halted(halt);
            }
            tick(self);
            let more = self.shared.shards.advance();
            let Settings { then_pushes, most_pushes, .. } = self.shared.settings;
            // In the bucket of the upper bound itself only fewer pushes could improve on it.
            let upper = most_pushes.unwrap_or(self.shared.upper_bound.get().moves) as usize;
            let last = if then_pushes || most_pushes.is_some() { upper } else { upper - 1 };
            if !more || self.shared.shards.current() > last {
                self.shared.shards.raise(upper);
                let left_out = self.shared.upper_bound.is_open() && self.shared.left_out.load(Ordering::Relaxed);
                return if left_out { Ended::TooLong } else { Ended::Done };
            }
            let expanded = self.figures().expanded;
            if expanded >= until {
                return Ended::Open;
            }
            let most = (until - expanded).min(TURN).min(self.refit_at.saturating_sub(expanded).max(1));
            self.turn(most, budget);
            let Shared { board: dense, dead_ends, learned, .. } = &mut self.shared;
            if let Some(known) = dead_ends {
                learned.refresh(dense, known.learned());
            }
            self.widen_tables(self.figures().expanded - expanded);
            self.refit(budget);
        }
    }

    fn improve_on(&self, moves: u32, pushes: u32) {
        let pushes = if self.shared.settings.then_pushes { pushes } else { 0 };
        self.shared.upper_bound.lower(Cost { moves, pushes });
    }

    fn answer(&self) -> Option<Vec<Push>> {
        self.shared.retrace()
    }

    fn lower_bound(&self) -> u32 {
        (self.shared.shards.current() as u32).min(self.shared.upper_bound.get().moves)
    }

    fn figures(&self) -> Figures {
        self.shared.counts.figures()
    }

    fn bytes(&self) -> usize {
        self.shared.shards.bytes() + self.fixed_bytes()
    }

    fn counts(&self) -> (usize, usize) {
        self.shared.shards.counts()
    }
}
