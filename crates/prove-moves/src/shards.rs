//! All spots in shards that lock apart, each with its share of the queue.
//!
//! Boxes and zone choose the shard. Spots wait in buckets by the least moves of a solution through one of their
//! stands; the bucket at hand is the *level*, and nothing is ever put below it. With one thread there is one shard, and
//! what comes out of it comes in the same order every time.

use crate::store::{Cost, NOBODY, ZoneStore, hash};
use lurd_rules::dense::set::Set;
use lurd_search::sync::lock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard};

/// Shards for each thread, where there are several: few enough to be filled, many enough to be free.
const EACH: usize = 16;

/// The most spots of a shard that are lined up: limits are heard only after that, and it takes memory nobody counts.
const MOST_IN_LINE: usize = 1 << 16;

/// A share of the spots and of the queue.
#[derive(Debug)]
pub(crate) struct Shard<const L: usize> {
    pub(crate) store: ZoneStore<L>,
    queue: Vec<Vec<u32>>,
    /// The bucket that was lined up last.
    lined_up: usize,
    /// Bytes of the buckets, and all bytes the shards were last told of.
    queued: usize,
    told: usize,
}

impl<const L: usize> Shard<L> {
    fn put(&mut self, bucket: usize, spot: u32) {
        if bucket >= self.queue.len() {
            self.queue.resize_with(bucket + 1, Vec::new);
        }
        let bucket = &mut self.queue[bucket];
        let before = bucket.capacity();
        bucket.push(spot);
        self.queued += 4 * (bucket.capacity() - before);
    }

    /// Puts those who have come farthest last in a bucket, so that they are the first to go on: where the bound is nearly
    /// the truth there is least to look through, and a solution is found soonest.
    fn line_up(&mut self, bucket: usize) {
        let Self { store, queue, .. } = self;
        let Some(spots) = queue.get_mut(bucket) else { return };
        let come = |spot: u32| {
            let due =
                store.stands(spot).filter(|(_, stand)| !stand.is_worked_off() && stand.bucket() as usize <= bucket);
            due.map(|(_, stand)| stand.cost().moves).max()
        };
        let first = spots.len().saturating_sub(MOST_IN_LINE);
        spots[first..].sort_by_cached_key(|&spot| come(spot));
    }

    fn pop(&mut self, bucket: usize) -> Option<u32> {
        if self.lined_up != bucket {
            self.lined_up = bucket;
            self.line_up(bucket);
        }
        let bucket = self.queue.get_mut(bucket)?;
        let spot = bucket.pop();
        if bucket.is_empty() && bucket.capacity() > 0 {
            self.queued -= 4 * std::mem::take(bucket).capacity();
        }
        spot
    }
}

/// All shards.
#[derive(Debug)]
pub(crate) struct Shards<const L: usize> {
    shards: Vec<Mutex<Shard<L>>>,
    level: AtomicUsize,
    /// Spots in the buckets of the level.
    waiting: AtomicUsize,
    bytes: AtomicUsize,
}

impl<const L: usize> Shards<L> {
    pub(crate) fn new(threads: usize) -> Self {
        let count = if threads == 1 { 1 } else { (EACH * threads).next_power_of_two() };
        let shard =
            || Mutex::new(Shard { store: ZoneStore::new(), queue: Vec::new(), lined_up: 0, queued: 0, told: 0 });
        Self {
            shards: (0..count).map(|_| shard()).collect(),
            level: AtomicUsize::new(0),
            waiting: AtomicUsize::new(0),
            bytes: AtomicUsize::new(0),
        }
    }

    /// The shard of these boxes and this zone.
    #[inline]
    pub(crate) fn of(&self, boxes: &Set<L>, zone: u16) -> usize {
        (hash(boxes, zone) as u32 >> 16) as usize & (self.shards.len() - 1)
    }

    /// A shard for oneself.
    #[inline]
    pub(crate) fn lock(&self, shard: usize) -> MutexGuard<'_, Shard<L>> {
        // Whoever panicked with a lock ends the whole search.
        lock(&self.shards[shard])
    }

    /// The bucket at hand: no solution that is still sought has fewer moves.
    #[inline]
    pub(crate) fn level(&self) -> usize {
        self.level.load(Ordering::Relaxed)
    }

    /// Puts a spot into a bucket, or into the one at hand if that is higher; whether it is that one.
    pub(crate) fn enqueue(&self, shard: &mut Shard<L>, spot: u32, moves: u32) -> bool {
        let level = self.level();
        let bucket = level.max(moves as usize);
        shard.put(bucket, spot);
        if bucket == level {
            self.waiting.fetch_add(1, Ordering::SeqCst);
        }
        bucket == level
    }

    /// Takes the newest spot of the bucket at hand out of a shard, beginning to look at one of them.
    pub(crate) fn take(&self, first: usize) -> Option<(usize, u32, MutexGuard<'_, Shard<L>>)> {
        if self.waiting() == 0 {
            return None;
        }
        let level = self.level();
        for index in 0..self.shards.len() {
            let index = (first + index) & (self.shards.len() - 1);
            let mut shard = self.lock(index);
            if let Some(spot) = shard.pop(level) {
                self.waiting.fetch_sub(1, Ordering::SeqCst);
                return Some((index, spot, shard));
            }
        }
        None
    }

    /// How many shards there are.
    pub(crate) fn len(&self) -> usize {
        self.shards.len()
    }

    /// Spots in the bucket at hand.
    #[inline]
    pub(crate) fn waiting(&self) -> usize {
        self.waiting.load(Ordering::SeqCst)
    }

    /// Goes on to the next bucket with something in it, if the one at hand is empty. `false` if there is none.
    pub(crate) fn advance(&self) -> bool {
        while self.waiting() == 0 {
            let level = self.level() + 1;
            let (mut waiting, mut more) = (0, false);
            for index in 0..self.shards.len() {
                let shard = self.lock(index);
                more |= level < shard.queue.len();
                waiting += shard.queue.get(level).map_or(0, Vec::len);
            }
            if !more {
                return false;
            }
            self.level.store(level, Ordering::SeqCst);
            self.waiting.store(waiting, Ordering::SeqCst);
        }
        true
    }

    /// Raises the level where nothing below is left to look for.
    pub(crate) fn raise(&self, level: usize) {
        self.level.fetch_max(level, Ordering::SeqCst);
    }

    /// About so many of the spots that wait, from the lowest buckets, evenly.
    pub(crate) fn sample(&self, count: usize) -> Vec<(usize, u32)> {
        let mut picked = Vec::new();
        let mut bucket = self.level();
        while picked.len() < count {
            let (mut here, mut more) = (Vec::new(), false);
            for index in 0..self.shards.len() {
                let shard = self.lock(index);
                more |= bucket < shard.queue.len();
                here.extend(shard.queue.get(bucket).into_iter().flatten().map(|&spot| (index, spot)));
            }
            if !more {
                break;
            }
            let wanted = count - picked.len();
            let stride = here.len().div_ceil(wanted).max(1);
            picked.extend(here.into_iter().step_by(stride));
            bucket += 1;
        }
        picked
    }

    /// Tells what a shard has grown by since it was last told.
    #[inline]
    pub(crate) fn account(&self, shard: &mut Shard<L>) {
        let now = shard.store.bytes() + shard.queued;
        if now != shard.told {
            // Wraps round where a bucket was given up.
            self.bytes.fetch_add(now.wrapping_sub(shard.told), Ordering::Relaxed);
            shard.told = now;
        }
    }

    /// Bytes held.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes.load(Ordering::Relaxed)
    }

    /// Bytes that may be taken for a moment when a table or a bucket doubles.
    pub(crate) fn spare(&self) -> usize {
        // Shards are about equal. Of a shard's bytes less than a sixth is its table, for a moment three times as large.
        self.bytes() / self.shards.len() / 2
    }

    /// Spots, and stands in them.
    pub(crate) fn counts(&self) -> (usize, usize) {
        let counts = (0..self.shards.len()).map(|index| self.lock(index).store.counts());
        counts.fold((0, 0), |sum, (spots, stands)| (sum.0 + spots, sum.1 + stands))
    }

    /// Whether the numbers of some shard are about to run out.
    pub(crate) fn is_full(&self) -> bool {
        self.bytes() / self.shards.len() > NOBODY as usize / 2 && {
            (0..self.shards.len()).any(|index| self.lock(index).store.is_full())
        }
    }

    /// What was paid for each square of a spot on which the player can stand, and the spot's number.
    pub(crate) fn stands_of(&self, boxes: &Set<L>, zone: u16) -> Option<Vec<(usize, Cost)>> {
        let shard = self.lock(self.of(boxes, zone));
        let spot = shard.store.find(boxes, zone)?;
        Some(shard.store.stands(spot).map(|(_, stand)| (stand.cell(), stand.cost())).collect())
    }
}
