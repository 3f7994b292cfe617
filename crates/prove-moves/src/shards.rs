//! All zone states in shards, each under a lock of its own and with its part of the open list.
//!
//! The hash of boxes and zone chooses the shard, as it chooses the process in hash-distributed A* (Kishimoto, Fukunaga and
//! Botea 2009); here threads share memory, so a thread locks the shard of a child instead of sending the child to an
//! owner. The open list is an array of buckets (Dial 1969) by f, the least number of moves of a solution through one of a
//! state's arrivals. Nothing is ever put below the *current* bucket. With one thread there is one shard, and states are
//! taken in the same order in every run.

use crate::store::{Arrival, Cost, NO_INDEX, ZoneStore, hash};
use lurd_base::sync::lock;
use lurd_rules::dense::set::Set;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard};

/// Shards for each thread, where there are several: few enough that each is well filled, many enough that locks are
/// mostly free.
const SHARDS_EACH: usize = 16;

/// The most states of a bucket that are sorted: no limit is checked meanwhile, and the memory it takes is not counted.
const MOST_SORTED: usize = 1 << 16;

/// A part of the states and of the open list.
#[derive(Debug)]
pub(crate) struct Shard<const L: usize> {
    pub(crate) store: ZoneStore<L>,
    buckets: Vec<Vec<u32>>,
    /// The bucket that was sorted last.
    sorted: usize,
    /// Bytes of the buckets.
    queued: usize,
    /// Bytes of the shard that are part of the sum of all shards.
    accounted: usize,
}

impl<const L: usize> Shard<L> {
    fn put(&mut self, bucket: usize, state: u32) {
        if bucket >= self.buckets.len() {
            self.buckets.resize_with(bucket + 1, Vec::new);
        }
        let bucket = &mut self.buckets[bucket];
        let before = bucket.capacity();
        bucket.push(state);
        self.queued += 4 * (bucket.capacity() - before);
    }

    /// Sorts a bucket so that the states with most moves behind them are taken first: where the bound is nearly exact
    /// they have the least left to search, and a solution is found soonest.
    fn sort(&mut self, bucket: usize) {
        let Self { store, buckets, .. } = self;
        let Some(states) = buckets.get_mut(bucket) else { return };
        let most_moves = |state: u32| {
            let open = |arrival: &Arrival| !arrival.is_expanded() && arrival.bucket() as usize <= bucket;
            let arrivals = store.arrivals(state).map(|(_, arrival)| arrival);
            arrivals.filter(open).map(|arrival| arrival.cost().moves).max()
        };
        let first = states.len().saturating_sub(MOST_SORTED);
        states[first..].sort_by_cached_key(|&state| most_moves(state));
    }

    fn pop(&mut self, bucket: usize) -> Option<u32> {
        if self.sorted != bucket {
            self.sorted = bucket;
            self.sort(bucket);
        }
        let bucket = self.buckets.get_mut(bucket)?;
        let state = bucket.pop();
        if bucket.is_empty() && bucket.capacity() > 0 {
            self.queued -= 4 * std::mem::take(bucket).capacity();
        }
        state
    }
}

#[derive(Debug)]
pub(crate) struct Shards<const L: usize> {
    shards: Vec<Mutex<Shard<L>>>,
    current: AtomicUsize,
    /// Entries in the current buckets of all shards.
    pending: AtomicUsize,
    bytes: AtomicUsize,
}

impl<const L: usize> Shards<L> {
    pub(crate) fn new(threads: usize) -> Self {
        let count = if threads == 1 { 1 } else { (SHARDS_EACH * threads).next_power_of_two() };
        let shard =
            || Mutex::new(Shard { store: ZoneStore::new(), buckets: Vec::new(), sorted: 0, queued: 0, accounted: 0 });
        Self {
            shards: (0..count).map(|_| shard()).collect(),
            current: AtomicUsize::new(0),
            pending: AtomicUsize::new(0),
            bytes: AtomicUsize::new(0),
        }
    }

    /// The shard of these boxes and this zone.
    #[inline]
    pub(crate) fn of(&self, boxes: &Set<L>, zone: u16) -> usize {
        (hash(boxes, zone) as u32 >> 16) as usize & (self.shards.len() - 1)
    }

    #[inline]
    pub(crate) fn lock(&self, shard: usize) -> MutexGuard<'_, Shard<L>> {
        // A thread that panics under a lock ends the whole search, so a poisoned shard is never searched.
        lock(&self.shards[shard])
    }

    fn all(&self) -> impl Iterator<Item = MutexGuard<'_, Shard<L>>> {
        self.shards.iter().map(lock)
    }

    /// The current bucket: no solution that is still sought has fewer moves.
    #[inline]
    pub(crate) fn current(&self) -> usize {
        self.current.load(Ordering::Relaxed)
    }

    /// Puts a state into the bucket of so many moves, or into the current one if that is higher. Returns whether it is
    /// the current one.
    pub(crate) fn enqueue(&self, shard: &mut Shard<L>, state: u32, moves: u32) -> bool {
        let current = self.current();
        let bucket = current.max(moves as usize);
        shard.put(bucket, state);
        if bucket == current {
            self.pending.fetch_add(1, Ordering::SeqCst);
        }
        bucket == current
    }

    /// Takes a state of the current bucket out of the first shard that has one, from shard `first` on.
    pub(crate) fn take(&self, first: usize) -> Option<(usize, u32, MutexGuard<'_, Shard<L>>)> {
        if self.pending() == 0 {
            return None;
        }
        let current = self.current();
        for index in 0..self.shards.len() {
            let index = (first + index) & (self.shards.len() - 1);
            let mut shard = self.lock(index);
            if let Some(state) = shard.pop(current) {
                self.pending.fetch_sub(1, Ordering::SeqCst);
                return Some((index, state, shard));
            }
        }
        None
    }

    pub(crate) fn len(&self) -> usize {
        self.shards.len()
    }

    /// Entries in the current buckets.
    #[inline]
    pub(crate) fn pending(&self) -> usize {
        self.pending.load(Ordering::SeqCst)
    }

    /// Goes on to the next bucket that is not empty, if the current one is. `false` if there is none. No other thread may
    /// use the shards meanwhile.
    pub(crate) fn advance(&self) -> bool {
        while self.pending() == 0 {
            let current = self.current() + 1;
            let (mut pending, mut more) = (0, false);
            for shard in self.all() {
                more |= current < shard.buckets.len();
                pending += shard.buckets.get(current).map_or(0, Vec::len);
            }
            if !more {
                return false;
            }
            self.current.store(current, Ordering::SeqCst);
            self.pending.store(pending, Ordering::SeqCst);
        }
        true
    }

    /// Raises the current bucket where nothing below is left to search.
    pub(crate) fn raise(&self, bucket: usize) {
        self.current.fetch_max(bucket, Ordering::SeqCst);
    }

    /// About so many states of the lowest buckets, evenly spread.
    pub(crate) fn sample(&self, count: usize) -> Vec<(usize, u32)> {
        let mut picked = Vec::new();
        let mut bucket = self.current();
        while picked.len() < count {
            let (mut here, mut more) = (Vec::new(), false);
            for (index, shard) in self.all().enumerate() {
                more |= bucket < shard.buckets.len();
                here.extend(shard.buckets.get(bucket).into_iter().flatten().map(|&state| (index, state)));
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

    /// Adds what a shard has grown by since the last call to the sum of bytes.
    #[inline]
    pub(crate) fn account(&self, shard: &mut Shard<L>) {
        let now = shard.store.bytes() + shard.queued;
        if now != shard.accounted {
            // Wraps round where a bucket was freed.
            self.bytes.fetch_add(now.wrapping_sub(shard.accounted), Ordering::Relaxed);
            shard.accounted = now;
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        self.bytes.load(Ordering::Relaxed)
    }

    /// Bytes that are taken for a moment when a table or a bucket doubles.
    pub(crate) fn spare(&self) -> usize {
        // Shards are of about equal size. Less than a sixth of a shard is its table, for a moment three times as large.
        self.bytes() / self.shards.len() / 2
    }

    /// Zone states, and arrivals in them.
    pub(crate) fn counts(&self) -> (usize, usize) {
        let counts = self.all().map(|shard| shard.store.counts());
        counts.fold((0, 0), |sum, (states, arrivals)| (sum.0 + states, sum.1 + arrivals))
    }

    /// Whether the indices of some shard are about to run out.
    pub(crate) fn is_full(&self) -> bool {
        self.bytes() / self.shards.len() > NO_INDEX as usize / 2 && self.all().any(|shard| shard.store.is_full())
    }

    /// The cells and costs of a state's arrivals; `None` if there is no such state.
    pub(crate) fn arrivals_of(&self, boxes: &Set<L>, zone: u16) -> Option<Vec<(usize, Cost)>> {
        let shard = self.lock(self.of(boxes, zone));
        let state = shard.store.find(boxes, zone)?;
        Some(shard.store.arrivals(state).map(|(_, arrival)| (arrival.cell(), arrival.cost())).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::{POTENTIALS, ZoneState};
    use lurd_base::random::SplitMix64;
    use std::collections::{HashMap, HashSet};

    const THREADS: usize = 8;
    const OPERATIONS: usize = 400_000;
    /// Cells, and the first of those whose arrivals are removed at random.
    const CELLS: usize = 60;
    const REMOVED: usize = 50;

    /// Boxes, zone and cell of an arrival.
    type Key = ([u64; 2], u16, usize);

    /// What one thread did.
    #[derive(Default)]
    struct Log {
        inserted: Vec<(Key, Cost)>,
        expanded: Vec<(Key, Cost)>,
        enqueued: usize,
        taken: usize,
        removed: usize,
    }

    /// A box set and zone: often one of few, for contention, else one of many, so that tables grow.
    fn random_state(random: &mut SplitMix64) -> (Set<2>, u16) {
        let number = if random.below(2) == 0 { random.below(100) } else { random.below(200_000) };
        let mut of_number = SplitMix64::new(number as u64 / 3);
        ((0..6).map(|_| of_number.below(128)).collect(), (number % 3) as u16)
    }

    fn insert(shards: &Shards<2>, random: &mut SplitMix64, log: &mut Log) {
        let (boxes, zone) = random_state(random);
        let (cell, cost) = (random.below(CELLS), Cost { moves: random.below(300) as u32, pushes: 0 });
        let mut shard = shards.lock(shards.of(&boxes, zone));
        let known = shard.store.find(&boxes, zone);
        let state = known.unwrap_or_else(|| shard.store.add(boxes, zone, [0; POTENTIALS], 1));
        let bucket = cost.moves + cell as u32 % 10;
        if shard.store.arrive(state, cell, cost, bucket) {
            shards.enqueue(&mut shard, state, bucket);
            log.enqueued += 1;
        }
        shards.account(&mut shard);
        log.inserted.push(((boxes.0, zone, cell), cost));
    }

    /// Takes a state and expands its arrivals that are due; a quarter of them is first postponed.
    fn expand(shards: &Shards<2>, first: usize, log: &mut Log) -> bool {
        let Some((_, state, mut shard)) = shards.take(first) else { return false };
        log.taken += 1;
        let current = shards.current() as u32;
        let ZoneState { boxes, zone, .. } = *shard.store.state(state);
        let due: Vec<(u32, Arrival)> = shard.store.arrivals(state).collect();
        let due = due.into_iter().filter(|(_, arrival)| !arrival.is_expanded() && arrival.bucket() <= current);
        for (index, arrival) in due {
            let (cost, cell) = (arrival.cost(), arrival.cell());
            let later = cost.moves + 40;
            if (cost.moves as usize + cell).is_multiple_of(4) && arrival.bucket() < later {
                shard.store.postpone(index, later);
                shards.enqueue(&mut shard, state, later);
                log.enqueued += 1;
            } else {
                shard.store.mark_expanded(state, &arrival);
                log.expanded.push(((boxes.0, zone, cell), cost));
            }
        }
        shards.account(&mut shard);
        true
    }

    /// Removes an arrival on one of the cells set apart for that.
    fn remove(shards: &Shards<2>, random: &mut SplitMix64, log: &mut Log) {
        let (boxes, zone) = random_state(random);
        let mut shard = shards.lock(shards.of(&boxes, zone));
        if let Some(state) = shard.store.find(&boxes, zone) {
            let cell = REMOVED + random.below(CELLS - REMOVED);
            let found = shard.store.arrivals(state).find(|(_, arrival)| arrival.cell() == cell);
            if let Some((_, arrival)) = found {
                shard.store.remove_dominated(state, &arrival);
                log.removed += 1;
            }
        }
    }

    fn work(shards: &Shards<2>, seed: u64, log: &mut Log) {
        let mut random = SplitMix64::new(seed);
        for _ in 0..OPERATIONS / THREADS / 4 {
            match random.below(8) {
                0..=4 => insert(shards, &mut random, log),
                5 | 6 => _ = expand(shards, random.below(shards.len()), log),
                _ => remove(shards, &mut random, log),
            }
        }
    }

    /// Random inserts, improvements, removals and expansions by many threads at once, in four turns between which the
    /// current bucket rises, leave the same arrivals as one map filled by one thread; every entry of the open list is taken
    /// once, every least cost is expanded once, and bytes and free arrivals add up.
    #[test]
    fn shards_under_contention_agree_with_one_map() {
        // Few shards for the threads, so that they often wait for each other.
        let shards = Shards::<2>::new(2);
        let mut logs: Vec<Log> = (0..THREADS).map(|_| Log::default()).collect();
        for turn in 0..4 {
            shards.advance();
            std::thread::scope(|scope| {
                for (thread, log) in logs.iter_mut().enumerate() {
                    let shards = &shards;
                    scope.spawn(move || work(shards, (turn * THREADS + thread) as u64, log));
                }
            });
            for _ in 0..30 {
                while expand(&shards, 0, &mut logs[0]) {}
                shards.advance();
            }
        }
        while shards.advance() {
            assert!(expand(&shards, 0, &mut logs[0]), "an entry is pending and in no shard");
        }

        let mut least: HashMap<Key, Cost> = HashMap::new();
        let mut inserted: HashSet<(Key, u32)> = HashSet::new();
        for &(key, cost) in logs.iter().flat_map(|log| &log.inserted) {
            let known = least.entry(key).or_insert(cost);
            *known = cost.min(*known);
            inserted.insert((key, cost.moves));
        }
        let states: HashSet<([u64; 2], u16)> = least.keys().map(|&(boxes, zone, _)| (boxes, zone)).collect();
        let (mut kept, mut others) = (0, 0);
        for &(boxes, zone) in &states {
            let arrivals = shards.arrivals_of(&Set(boxes), zone).expect("the state was added");
            let cells: HashSet<usize> = arrivals.iter().map(|&(cell, _)| cell).collect();
            assert_eq!(cells.len(), arrivals.len(), "two arrivals on one cell");
            for (cell, cost) in arrivals {
                let key = (boxes, zone, cell);
                if cell < REMOVED {
                    assert_eq!(least[&key], cost);
                    kept += 1;
                } else {
                    assert!(inserted.contains(&(key, cost.moves)));
                    others += 1;
                }
            }
        }
        assert_eq!(kept, least.keys().filter(|&&(_, _, cell)| cell < REMOVED).count());

        let mut expanded: HashSet<(Key, u32)> = HashSet::new();
        for &(key, cost) in logs.iter().flat_map(|log| &log.expanded).filter(|((_, _, cell), _)| *cell < REMOVED) {
            assert!(expanded.insert((key, cost.moves)), "expanded twice at one cost");
        }
        assert!(least.iter().all(|(&key, cost)| key.2 >= REMOVED || expanded.contains(&(key, cost.moves))));
        let sum = |count: fn(&Log) -> usize| logs.iter().map(count).sum::<usize>();
        assert_eq!(sum(|log| log.enqueued), sum(|log| log.taken));
        assert_eq!(shards.pending(), 0);

        let (mut free, mut bytes) = (0, 0);
        for mut shard in shards.all() {
            shards.account(&mut shard);
            free += shard.store.free_arrivals();
            bytes += shard.store.bytes() + shard.buckets.iter().map(|bucket| 4 * bucket.capacity()).sum::<usize>();
        }
        assert_eq!(shards.counts(), (states.len(), kept + others + free));
        assert_eq!(shards.bytes(), bytes);
        let removed = sum(|log| log.removed);
        println!("{} states, {kept} arrivals, {} expanded, {removed} removed", states.len(), expanded.len());
        assert!(states.len() > 30_000 && removed > 1_000 && expanded.len() > kept);
    }
}
