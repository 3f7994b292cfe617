//! What all dense searches of a level share, and what is dropped when memory is full.
//!
//! In this order: an open list that has more than its share drops its worst third and refuses more of that kind; when
//! all is full, every open list does, and positions that lead to no open one are reduced to their keys and their places
//! reused; when the table of keys is full, keys are dropped; and a search that has made no progress for long gives up
//! what it holds to the others. After anything was dropped, an exhausted search proves nothing.

use crate::bucket_queue::BucketQueue;
use crate::dense::positions::Positions;
use lurd_base::sync::lock;
use lurd_rules::dense::board::DenseBoard;
use lurd_rules::dense::dead_set_tables::DeadSetTables;
use lurd_rules::feature::learned::LearnedStore;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

/// The open list of a search while it does not run.
#[derive(Debug)]
pub(crate) struct IdleQueue {
    pub(crate) queue: BucketQueue,
    /// The position with the lowest key.
    pub(crate) nearest: Option<u32>,
}

/// What all searches of a level share.
#[derive(Debug)]
pub(crate) struct Shared<const L: usize> {
    pub(crate) board: Arc<DenseBoard>,
    pub(crate) positions: Positions<L>,
    pub(crate) tables: [Arc<DeadSetTables>; 2],
    /// Dead sets learned by searches of other kinds.
    pub(crate) learned: Arc<LearnedStore>,
    memory: usize,
    queue_bytes: AtomicUsize,
    queues: Mutex<Vec<Arc<Mutex<IdleQueue>>>>,
    /// How often positions were dropped.
    epoch: AtomicU64,
}

impl<const L: usize> Shared<L> {
    pub(crate) fn new(
        board: &Arc<DenseBoard>,
        tables: &[Arc<DeadSetTables>; 2],
        learned: &Arc<LearnedStore>,
        memory: usize,
    ) -> Self {
        Self {
            board: Arc::clone(board),
            positions: Positions::new(),
            tables: tables.clone(),
            learned: Arc::clone(learned),
            memory,
            queue_bytes: AtomicUsize::new(0),
            queues: Mutex::default(),
            epoch: AtomicU64::new(0),
        }
    }

    /// Bytes of what is shared: positions, tables, the board.
    pub(crate) fn bytes(&self) -> usize {
        let tables: usize = self.tables.iter().map(|tables| tables.bytes()).sum();
        self.positions.bytes() + tables + self.board.bytes()
    }

    /// The number of a new search, and a place for its open list.
    pub(crate) fn join(&self) -> (usize, Arc<Mutex<IdleQueue>>) {
        let mut all = lock(&self.queues);
        let idle = Arc::new(Mutex::new(IdleQueue { queue: BucketQueue::new(0), nearest: None }));
        all.push(Arc::clone(&idle));
        (all.len() - 1, idle)
    }

    pub(crate) fn epoch(&self) -> u64 {
        self.epoch.load(Ordering::Relaxed)
    }

    /// Replaces the bytes counted for a search's open list.
    pub(crate) fn account(&self, before: usize, now: usize) {
        self.queue_bytes.fetch_add(now, Ordering::Relaxed);
        self.queue_bytes.fetch_sub(before, Ordering::Relaxed);
    }

    /// Tables grow in steps of an eighth or a quarter: stop before the next step.
    fn ceiling(&self) -> usize {
        self.memory - self.memory / 8
    }

    /// What one open list may hold. Its blocks are reused but never freed, so open lists must not take everything.
    pub(crate) fn queue_share(&self) -> usize {
        self.ceiling() / 5 * 2 / lock(&self.queues).len().max(1)
    }

    /// Whether there is neither memory to grow into nor a free place of a dropped position.
    pub(crate) fn is_full(&self) -> bool {
        if self.bytes() + self.queue_bytes.load(Ordering::Relaxed) <= self.ceiling() {
            return false;
        }
        let (places, vacant) = self.positions.places();
        vacant < places / 64
    }

    /// Drops the worst entries of all open lists and the positions that lead to no others. False if that does not
    /// free enough. `stop` ends it early.
    pub(crate) fn free_memory(&self, stop: &dyn Fn() -> bool) -> bool {
        let all: Vec<Arc<Mutex<IdleQueue>>> = lock(&self.queues).clone();
        // While all are locked, no search runs; always in the same order, so that there is no deadlock.
        let mut queues: Vec<MutexGuard<'_, IdleQueue>> = all.iter().map(|idle| lock(idle)).collect();
        if !self.is_full() {
            return true;
        }
        // From here on an exhausted search proves nothing.
        self.epoch.fetch_add(1, Ordering::Relaxed);
        for idle in &mut queues {
            idle.queue.drop_worst();
        }
        let wanted = queues.iter().flat_map(|idle| {
            let owners = idle.queue.entries().map(|entry| (entry >> 32) as u32);
            owners.chain(idle.nearest)
        });
        if !self.positions.keep_paths_to(wanted, stop) {
            // A stop ends the search.
            return true;
        }
        let (places, vacant) = self.positions.places();
        vacant >= places / 16
    }
}
