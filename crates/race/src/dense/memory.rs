//! What all dense searches of a level share, and what they forget when memory is full.
//!
//! Step by step: a queue that has more than its share forgets its worst third and takes in no more of that kind; when
//! all is full, every queue does, and positions that lead to nothing that waits become bare keys, their places
//! used again; when the table of keys is full, bare keys go; and a search that has not come nearer for long
//! gives up what it holds to the others. Nothing is proved by a search after anything was forgotten.

use crate::dense::positions::Positions;
use crate::dense::queue::Queue;
use lurd_rules::dense::board::DenseBoard;
use lurd_rules::dense::dead_set_tables::DeadSetTables;
use lurd_rules::feature::learned::LearnedStore;
use lurd_search::sync::lock;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

/// A search's queue between two bouts.
#[derive(Debug)]
pub(crate) struct Parked {
    pub(crate) queue: Queue,
    /// The position with the lowest key.
    pub(crate) nearest: Option<u32>,
}

/// What all searches of a level share.
#[derive(Debug)]
pub(crate) struct Shared<const L: usize> {
    pub(crate) board: Arc<DenseBoard>,
    pub(crate) positions: Positions<L>,
    pub(crate) tables: [Arc<DeadSetTables>; 2],
    /// Dead sets that searches of another kind have learned.
    pub(crate) learned: Arc<LearnedStore>,
    memory: usize,
    queues: AtomicUsize,
    parked: Mutex<Vec<Arc<Mutex<Parked>>>>,
    /// How often something of all was forgotten.
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
            queues: AtomicUsize::new(0),
            parked: Mutex::default(),
            epoch: AtomicU64::new(0),
        }
    }

    /// Bytes of what is shared: positions, tables, the board.
    pub(crate) fn bytes(&self) -> usize {
        let tables: usize = self.tables.iter().map(|tables| tables.bytes()).sum();
        self.positions.bytes() + tables + self.board.bytes()
    }

    /// A place for one search more, and its number.
    pub(crate) fn join(&self) -> (usize, Arc<Mutex<Parked>>) {
        let mut all = lock(&self.parked);
        let parked = Arc::new(Mutex::new(Parked { queue: Queue::new(0), nearest: None }));
        all.push(Arc::clone(&parked));
        (all.len() - 1, parked)
    }

    /// How often something of all was forgotten.
    pub(crate) fn epoch(&self) -> u64 {
        self.epoch.load(Ordering::Relaxed)
    }

    /// A search's queue held so many bytes and now holds others.
    pub(crate) fn account(&self, before: usize, now: usize) {
        self.queues.fetch_add(now, Ordering::Relaxed);
        self.queues.fetch_sub(before, Ordering::Relaxed);
    }

    /// DeadSetTables grow in steps of an eighth or a quarter: stop before the next step.
    fn ceiling(&self) -> usize {
        self.memory - self.memory / 8
    }

    /// What a queue may hold. Its blocks are used again but never given back, so that queues must not take all.
    pub(crate) fn queue_share(&self) -> usize {
        self.ceiling() / 5 * 2 / lock(&self.parked).len().max(1)
    }

    /// Whether there is neither memory to grow into nor room left from what was forgotten.
    pub(crate) fn is_full(&self) -> bool {
        if self.bytes() + self.queues.load(Ordering::Relaxed) <= self.ceiling() {
            return false;
        }
        let (places, vacant) = self.positions.places();
        vacant < places / 64
    }

    /// Forgets the worst of all queues and what leads to nothing else. False if that does not make room, or if it
    /// was told to stop.
    pub(crate) fn make_room(&self, stop: &dyn Fn() -> bool) -> bool {
        let all: Vec<Arc<Mutex<Parked>>> = lock(&self.parked).clone();
        // While these are held, nobody searches; always in the same order, so that two never wait for each other.
        let mut parked: Vec<MutexGuard<'_, Parked>> = all.iter().map(|parked| lock(parked)).collect();
        if !self.is_full() {
            return true;
        }
        // From here on nobody's empty queue proves anything.
        self.epoch.fetch_add(1, Ordering::Relaxed);
        for parked in &mut parked {
            parked.queue.forget_worst();
        }
        let wanted = parked.iter().flat_map(|parked| {
            let owners = parked.queue.entries().map(|entry| (entry >> 32) as u32);
            owners.chain(parked.nearest)
        });
        if !self.positions.forget_others(wanted, stop) {
            // Whoever stops it ends the search.
            return true;
        }
        let (places, vacant) = self.positions.places();
        vacant >= places / 16
    }
}
