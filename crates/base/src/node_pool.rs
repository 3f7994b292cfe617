//! The nodes of a limit, shared by several searches or threads.
//!
//! Each takes a few at a time and generates none that it has not taken, so the limit holds exactly, whoever is in the
//! middle of what. Where there is no limit, the first share never ends.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// The nodes that are left of a limit.
#[derive(Debug)]
pub struct NodePool {
    /// `None` without a limit.
    left: Option<AtomicU64>,
    /// Somebody asked for nodes when none were left.
    refused: AtomicBool,
}

impl NodePool {
    /// The nodes of a limit.
    pub fn new(limit: Option<u64>) -> Self {
        Self { left: limit.map(AtomicU64::new), refused: AtomicBool::new(false) }
    }

    /// A share that takes nodes as it needs them.
    pub fn share(&self) -> NodeShare<'_> {
        NodeShare { pool: self, left: if self.left.is_some() { 0 } else { u64::MAX } }
    }

    /// Takes as many of the wanted nodes as are left: all of them without a limit.
    pub fn reserve(&self, wanted: u64) -> u64 {
        self.take(|left| wanted.min(left)).unwrap_or(wanted)
    }

    /// Gives back what was taken and not used.
    pub fn give_back(&self, nodes: u64) {
        if let Some(left) = &self.left {
            left.fetch_add(nodes, Ordering::Relaxed);
        }
    }

    /// The nodes that nobody has taken; `None` without a limit.
    pub fn left(&self) -> Option<u64> {
        self.left.as_ref().map(|left| left.load(Ordering::Relaxed))
    }

    /// Whether somebody asked for a node in vain: the limit ends the search.
    pub fn is_exhausted(&self) -> bool {
        self.refused.load(Ordering::Relaxed)
    }

    /// Records that somebody needs more nodes than there are.
    pub fn refuse(&self) {
        self.refused.store(true, Ordering::Relaxed);
    }

    /// Takes the part of what is left that `part` says; `None` without a limit.
    fn take(&self, part: impl Fn(u64) -> u64) -> Option<u64> {
        let rest = |left| Some(left - part(left));
        let before = self.left.as_ref()?.fetch_update(Ordering::Relaxed, Ordering::Relaxed, rest);
        Some(before.map_or(0, part))
    }
}

/// What one search may generate. The rest goes back to the pool when it is dropped.
#[derive(Debug)]
pub struct NodeShare<'p> {
    pool: &'p NodePool,
    left: u64,
}

impl NodeShare<'_> {
    /// Takes one node; false if the limit is reached.
    #[inline]
    #[must_use]
    pub fn take(&mut self) -> bool {
        if self.left == 0 && !self.refill() {
            return false;
        }
        self.left -= 1;
        true
    }

    /// Takes more from the pool: little when little is left, so that no share keeps what others need.
    #[cold]
    fn refill(&mut self) -> bool {
        self.left = self.pool.take(|left| (left / 16).clamp(1, 1024).min(left)).unwrap_or(u64::MAX);
        if self.left == 0 {
            self.pool.refuse();
        }
        self.left > 0
    }
}

impl Drop for NodeShare<'_> {
    fn drop(&mut self) {
        self.pool.give_back(self.left);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_take_exactly_the_nodes_of_the_limit() {
        for limit in [0, 1, 10, 1_000, 100_000] {
            for threads in [1, 3] {
                let pool = NodePool::new(Some(limit));
                let taken = AtomicU64::new(0);
                std::thread::scope(|scope| {
                    for _ in 0..threads {
                        scope.spawn(|| {
                            // Shares end and begin, as slices do.
                            while !pool.is_exhausted() {
                                let mut share = pool.share();
                                let took = (0..700).take_while(|_| share.take()).count();
                                taken.fetch_add(took as u64, Ordering::Relaxed);
                            }
                        });
                    }
                });
                let taken = taken.into_inner();
                assert_eq!(taken + pool.left().unwrap(), limit, "{threads} threads");
                assert!(threads > 1 || taken == limit, "one thread takes all: {taken} of {limit}");
            }
        }
    }

    #[test]
    fn what_is_reserved_is_nobody_elses() {
        let pool = NodePool::new(Some(100));
        assert_eq!((pool.reserve(70), pool.reserve(70), pool.reserve(70)), (70, 30, 0));
        assert!(!pool.is_exhausted() && !pool.share().take() && pool.is_exhausted());
        pool.give_back(5);
        assert_eq!(pool.left(), Some(5));
        assert!(pool.share().take());
        let open = NodePool::new(None);
        assert_eq!((open.reserve(u64::MAX), open.left()), (u64::MAX, None));
        assert!(open.share().take() && !open.is_exhausted());
    }
}
