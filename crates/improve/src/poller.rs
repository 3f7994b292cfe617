//! The counters of a search, and the test whether its budget is spent.

use lurd_base::Budget;
use std::sync::atomic::{AtomicBool, Ordering};

/// Expansions between two readings of the clock: a few milliseconds on the largest boards.
const STRIDE: u64 = 32;

/// The work of an expansion of a beam search.
const EXPANSION_WORK: u64 = 60;

/// The work between two readings of the clock: below a millisecond.
const LOOK_WORK: u64 = 1 << 13;

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counters {
    pub(super) expanded: u64,
    pub(super) generated: u64,
    pub(super) peak_bytes: usize,
    /// Whether some search ended at the memory limit.
    pub(super) memory_full: bool,
}

impl Counters {
    pub(super) fn plus(self, other: Self) -> Self {
        Self {
            expanded: self.expanded + other.expanded,
            generated: self.generated + other.generated,
            peak_bytes: self.peak_bytes + other.peak_bytes,
            memory_full: self.memory_full || other.memory_full,
        }
    }
}

/// The counters and the budget of one thread.
#[derive(Debug)]
pub(super) struct Poller<'a> {
    pub(super) budget: &'a Budget,
    pub(super) counters: Counters,
    /// The work done, in units of about 50 ns, from which the schedule follows; it repeats, unlike time.
    pub(super) work: u64,
    /// The work at the last look at the budget.
    looked: u64,
    /// Whether some thread has proved the route optimal.
    finished: &'a AtomicBool,
}

impl<'a> Poller<'a> {
    pub(super) fn new(budget: &'a Budget, finished: &'a AtomicBool) -> Self {
        Self { budget, counters: Counters::default(), work: 0, looked: 0, finished }
    }

    /// Counts an expansion of a search of this size; returns whether the search must end.
    #[inline]
    pub(super) fn expand(&mut self, bytes: impl Fn() -> usize) -> bool {
        self.counters.expanded += 1;
        self.work += EXPANSION_WORK;
        if self.counters.expanded % STRIDE == 1 {
            self.counters.peak_bytes = self.counters.peak_bytes.max(bytes());
            if self.lacks_memory(bytes()) || self.is_over() {
                return true;
            }
        }
        self.budget.out_of_nodes(self.counters.generated)
    }

    /// Counts expansions of so much work each in a search of this size; returns whether the search must end.
    #[inline]
    pub(super) fn work(&mut self, count: u64, work: u64, bytes: impl Fn() -> usize) -> bool {
        self.counters.expanded += count;
        self.work += count * work;
        if self.work - self.looked < LOOK_WORK {
            return false;
        }
        self.looked = self.work;
        self.counters.peak_bytes = self.counters.peak_bytes.max(bytes());
        self.lacks_memory(bytes()) || self.is_over()
    }

    /// Counts a position; false if the limit is reached, which ends the search.
    #[inline]
    pub(super) fn generate(&mut self) -> bool {
        let within = !self.budget.out_of_nodes(self.counters.generated);
        self.counters.generated += u64::from(within);
        within
    }

    /// Counts work as positions, so that a node limit means about the same time whatever is searched.
    #[inline]
    pub(super) fn charge(&mut self, positions: u64) {
        let left = self.budget.limits().nodes.map_or(u64::MAX, |limit| limit.saturating_sub(self.counters.generated));
        self.counters.generated += positions.min(left);
    }

    /// Whether this many bytes exceed the memory limit; this is recorded.
    pub(super) fn lacks_memory(&mut self, bytes: usize) -> bool {
        // A growing table exists twice while it is copied.
        let lacking = bytes + bytes / 2 > self.budget.allowance();
        self.counters.memory_full |= lacking;
        lacking
    }

    /// Whether the budget is spent, the search is cancelled, or the route is proved optimal.
    pub(super) fn is_over(&self) -> bool {
        self.budget.is_over()
            || self.finished.load(Ordering::Relaxed)
            || self.budget.out_of_nodes(self.counters.generated)
    }

    /// The share of the budget that is spent, of nodes if they are limited, else of time.
    pub(super) fn share_spent(&self) -> f64 {
        let limits = self.budget.limits();
        match (limits.nodes, limits.time) {
            (Some(nodes), _) => self.counters.generated as f64 / nodes.max(1) as f64,
            (None, Some(time)) => self.budget.elapsed().as_secs_f64() / time.as_secs_f64().max(f64::MIN_POSITIVE),
            (None, None) => 0.0,
        }
    }
}
