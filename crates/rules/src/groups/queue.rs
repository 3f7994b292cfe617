//! A bucket queue (Dial 1969): entries by a small integer cost, the cheapest first.
//!
//! For searches over databases, whose costs never fall. The open lists of the searches for solutions are other queues:
//! that of `lurd-search` has pairs as priorities, two orders among equals and a memory limit; that of the greedy searches
//! of `lurd-race` has keys that fall, a roving pop, and drops its worst entries.

/// Entries in one bucket for each cost. Nothing may be pushed below the cost that was popped last. An empty queue keeps
/// its memory and is ready for another search.
#[derive(Clone, Debug)]
pub struct BucketQueue<T> {
    buckets: Vec<Vec<T>>,
    at: usize,
}

impl<T> Default for BucketQueue<T> {
    fn default() -> Self {
        Self { buckets: Vec::new(), at: 0 }
    }
}

impl<T> BucketQueue<T> {
    #[inline]
    pub fn push(&mut self, cost: usize, entry: T) {
        debug_assert!(cost >= self.at, "costs never fall");
        if self.buckets.len() <= cost {
            self.buckets.resize_with(cost + 1, Vec::new);
        }
        self.buckets[cost].push(entry);
    }

    /// Removes an entry of the least cost, the newest first.
    #[inline]
    pub fn pop(&mut self) -> Option<(usize, T)> {
        while let Some(bucket) = self.buckets.get_mut(self.at) {
            if let Some(entry) = bucket.pop() {
                return Some((self.at, entry));
            }
            self.at += 1;
        }
        self.at = 0;
        None
    }

    pub fn clear(&mut self) {
        self.buckets.iter_mut().for_each(Vec::clear);
        self.at = 0;
    }
}
