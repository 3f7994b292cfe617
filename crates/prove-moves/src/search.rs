//! The search: A* over spots and stands, by the moves so far and the bound on those to come.
//!
//! Stands wait in buckets by that sum, newest first in each. A spot taken from its bucket spreads one wave from all of
//! its stands that are due; each box beside the wave is pushed, and the pushed box's spot gets a stand
//! ([`worker`](crate::worker)). Buckets are worked off in rising order, so the bucket at hand is a number of moves that no
//! solution is below. A stand reached more cheaply later is worked off again, so nothing depends on the bounds being
//! consistent, nor on the order within a bucket: several threads may work on it at a time, and only when it is empty and
//! all of them rest does the next one follow. What could not be better than the best solution known is dropped; when
//! nothing is left, that solution is proved.
//!
//! Only rules that lose no solution are used: squares and sides no box has in a solution, exact dead sets, frozen
//! boxes, no pairing with the goals, corrals that never open. Rules about the order of pushes, such as PI-corrals and gates, keep the fewest pushes and
//! not the fewest moves.

use crate::bounds::Bounds;
use crate::exclusive::Exclusive;
use crate::parity::ParityBound;
use crate::shared::Shared;
use crate::store::{Cost, POTENTIALS};
use crate::worker::Worker;
use crate::{Ended, Prover, Settings, dual_bounds, flow_lp, pair_interaction, potentials};
use lurd_rules::dense::board::{DenseBoard, Side};
use lurd_rules::dense::dead_set_tables::DeadSetTables;
use lurd_rules::dense::set::Set;
use lurd_rules::feature::dead_ends::DeadEndStore;
use lurd_rules::{Board, Figures, Push};
use lurd_search::{Budget, Stop};
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// Expansions of a thread between two looks at the limits.
const LOOK: u64 = 64;

/// Expansions of a thread before all meet: tables and heights change only then.
const TURN: u64 = 4_096;

/// A bucket with fewer spots for each thread is worked off by one alone, for a short turn.
const FEW: usize = 32;
const SHORT_TURN: u64 = 256;

/// Bytes that all threads together may take between two looks, at the very most.
const AHEAD: usize = 1 << 20;

/// States of a table of dead sets built in a turn, for each of its expansions.
const BUILD: u64 = 64;

/// A table is begun when it has no more sets than this times the expansions so far.
const TABLE_SHARE: u64 = 4;

/// The largest dead sets worth a table here.
const TABLE_SIZE: usize = 4;

/// The search.
pub(crate) struct Search<const L: usize, const G: usize> {
    shared: Shared<L, G>,
    workers: Vec<Worker<G>>,
    tables: Option<DeadSetTables>,
    table_size: usize,
    /// Expansions at which heights are fitted next.
    refit_at: u64,
    refitted: bool,
    /// The level for those who look for dead ends, which begins with the first refit.
    board: Arc<Board>,
    /// Whether refits make tariffs, and the squares that exclude each other, once they are asked for.
    programs: bool,
    exclusive: Option<Arc<Exclusive>>,
}

impl<const L: usize, const G: usize> Search<L, G> {
    pub(crate) fn new(board: &Board, dense: &Arc<DenseBoard>, settings: Settings, budget: &Budget) -> Self {
        let potentials = potentials::first(dense, settings, budget);
        let bounds = Bounds::new::<G>(dense, potentials, settings, budget);
        // Where every spot is expanded once, what is fitted to those that wait comes too late.
        let refits = settings.fitted > 0 && settings.most_pushes.is_none() && !dense.is_hopeless();
        let programs = dual_bounds::are_possible(dense, settings);
        let mut search = Self {
            shared: Shared::new(dense, settings, bounds),
            workers: (0..settings.threads).map(|_| Worker::default()).collect(),
            tables: settings.rules.then(|| DeadSetTables::new(dense, Side::Forward, TABLE_SIZE)).flatten(),
            table_size: 1,
            refit_at: match (refits, programs) {
                (false, _) => u64::MAX,
                (true, false) => settings.refit_after,
                (true, true) => dual_bounds::first_after(dense, settings),
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
        let mut boxes = Set::<L>::EMPTY;
        dense.starts().iter().for_each(|&square| boxes.insert(square.into()));
        let free = shared.plane.floor.without(shared.cells(boxes));
        let zone = shared.plane.zone(free, dense.start_player()).lowest();
        let mut costs = [0; POTENTIALS];
        self.workers[0].pairings.grow(dense, &shared.bounds);
        if self.workers[0].pairings.solve(dense, &shared.bounds, boxes, zone, 0, &mut costs) {
            let mut shard = shared.shards.lock(shared.shards.of(&boxes, zone as u16));
            let spot = shard.store.add(boxes, zone as u16, costs, shared.bounds.count());
            shared.stand(&mut shard, spot, dense.start_player(), Cost { moves: 0, pushes: 0 }, ParityBound::NOUGHT);
        }
    }

    /// A turn of all threads, of at most so many expansions each.
    fn turn(&mut self, most: u64, budget: &Budget) {
        let shared = &self.shared;
        let few = shared.shards.waiting() < FEW * self.workers.len();
        let (threads, most) = if few { (1, most.min(SHORT_TURN)) } else { (self.workers.len(), most) };
        let fixed = self.fixed_bytes();
        shared.halt.store(false, Ordering::Relaxed);
        shared.active.store(threads, Ordering::SeqCst);
        let (own, others) = self.workers[..threads].split_at_mut(1);
        let look = &mut |worker: &mut Worker<G>| {
            if worker.figures.expanded >= LOOK {
                shared.counts.add(&mut worker.figures);
                if limit(shared, fixed, budget).is_some() {
                    shared.halt.store(true, Ordering::Relaxed);
                }
            }
        };
        if threads == 1 {
            own[0].work(shared, 0, most, look);
        } else {
            std::thread::scope(|scope| {
                let each = shared.shards.len() / threads;
                for (index, worker) in others.iter_mut().enumerate() {
                    scope.spawn(move || {
                        worker.work(shared, (index + 1) * each, most, &mut |worker| {
                            if worker.figures.expanded >= LOOK {
                                shared.counts.add(&mut worker.figures);
                            }
                        });
                    });
                }
                own[0].work(shared, 0, most, look);
            });
        }
        self.workers.iter_mut().for_each(|worker| self.shared.counts.add(&mut worker.figures));
    }

    /// Works on the tables of dead sets, as far as the search has earned it.
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

    /// Fits heights to where the search stands, when it is time.
    fn refit(&mut self, budget: &Budget) {
        let expanded = self.shared.counts.figures().expanded;
        if expanded < self.refit_at {
            return;
        }
        let held = self.bytes();
        if self.shared.settings.rules && self.shared.dead_ends.is_none() {
            self.shared.dead_ends = Some(DeadEndStore::new(&self.board));
        }
        let Shared { board: dense, settings, bounds, shards, .. } = &mut self.shared;
        self.refit_at *= if self.programs { dual_bounds::FACTOR } else { potentials::FACTOR };
        if self.programs {
            if budget.out_of_memory(held + settings.threads * (flow_lp::bytes(dense) + pair_interaction::bytes(dense)))
            {
                return;
            }
            let exclusive = self.exclusive.get_or_insert_with(|| Arc::new(Exclusive::new::<G>(dense)));
            dual_bounds::refit(dense, exclusive, bounds, shards, expanded, settings.threads, budget);
        } else {
            if !std::mem::replace(&mut self.refitted, true) {
                potentials::more::<L, G>(dense, *settings, bounds, budget);
            }
            potentials::refit::<L, G>(dense, *settings, bounds, shards, expanded, budget);
        }
    }

    fn fixed_bytes(&self) -> usize {
        self.tables.as_ref().map_or(0, DeadSetTables::bytes)
            + self.shared.bounds.bytes(&self.shared.board)
            + self.shared.lessons.bytes()
            + self.workers.iter().map(Worker::bytes).sum::<usize>()
    }
}

/// The limit that ends the search now, if one does.
fn limit<const L: usize, const G: usize>(shared: &Shared<L, G>, fixed: usize, budget: &Budget) -> Option<Ended> {
    let shards = &shared.shards;
    if budget.cancel().is_cancelled() {
        Some(Ended::Cancelled)
    } else if budget.out_of_time() {
        Some(Ended::Stopped(Stop::Time))
    } else if budget.out_of_nodes(shared.counts.figures().generated) {
        Some(Ended::Stopped(Stop::Nodes))
    } else if shards.is_full() || budget.out_of_memory(shards.bytes() + shards.spare() + fixed + AHEAD) {
        Some(Ended::Stopped(Stop::Memory))
    } else {
        None
    }
}

impl<const L: usize, const G: usize> Prover for Search<L, G> {
    fn run(&mut self, work: u64, budget: &Budget, tick: &mut dyn FnMut(&dyn Prover)) -> Ended {
        let until = self.figures().expanded.saturating_add(work);
        loop {
            if let Some(ended) = limit(&self.shared, self.fixed_bytes(), budget) {
                return ended;
            }
            tick(self);
            let more = self.shared.shards.advance();
            let Settings { then_pushes, most_pushes, .. } = self.shared.settings;
            // In the bucket of the upper bound itself only fewer pushes could help.
            let upper = most_pushes.unwrap_or(self.shared.ceiling.get().moves) as usize;
            let last = if then_pushes || most_pushes.is_some() { upper } else { upper - 1 };
            if !more || self.shared.shards.level() > last {
                self.shared.shards.raise(upper);
                return Ended::Done;
            }
            let expanded = self.figures().expanded;
            if expanded >= until {
                return Ended::Open;
            }
            let most = (until - expanded).min(TURN).min(self.refit_at.saturating_sub(expanded).max(1));
            self.turn(most, budget);
            let Shared { board: dense, dead_ends, lessons, .. } = &mut self.shared;
            if let Some(known) = dead_ends {
                lessons.refresh(dense, known.learned());
            }
            self.widen_tables(self.figures().expanded - expanded);
            self.refit(budget);
        }
    }

    fn undercut(&mut self, moves: u32, pushes: u32) {
        let pushes = if self.shared.settings.then_pushes { pushes } else { 0 };
        self.shared.ceiling.lower(Cost { moves, pushes });
    }

    fn answer(&self) -> Option<Vec<Push>> {
        self.shared.retrace()
    }

    fn lower(&self) -> u32 {
        (self.shared.shards.level() as u32).min(self.shared.ceiling.get().moves)
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
