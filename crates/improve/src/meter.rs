//! What the improver has spent, and when it must stop.

use lurd_search::Budget;
use std::sync::atomic::{AtomicBool, Ordering};

/// The clock is read after so much work, a millisecond or two.
const STRIDE: u64 = 2_000;

/// Memory kept free for the rest of the process.
const HEADROOM: usize = 8 << 20;

/// The account of one thread.
#[derive(Debug)]
pub(super) struct Meter<'a> {
    budget: &'a Budget,
    /// Another thread has found that nothing better exists.
    finished: &'a AtomicBool,
    generated: u64,
    /// What was done so far and what may be done, in units of about half a microsecond: unlike
    /// positions they know that a large board takes longer, and unlike time they repeat.
    work: u64,
    most_work: u64,
    expanded: u64,
    next_look: u64,
    over: bool,
    memory_full: bool,
    peak_bytes: usize,
}

impl<'a> Meter<'a> {
    pub(super) fn new(budget: &'a Budget, most_work: u64, finished: &'a AtomicBool) -> Self {
        Self {
            budget,
            finished,
            generated: 0,
            work: 0,
            most_work,
            expanded: 0,
            next_look: 0,
            over: false,
            memory_full: false,
            peak_bytes: 0,
        }
    }

    pub(super) fn budget(&self) -> &'a Budget {
        self.budget
    }

    /// Counts work.
    pub(super) fn add_work(&mut self, units: usize) {
        self.work += units as u64;
    }

    /// Counts an expansion of so much work and says whether the search must end.
    #[inline]
    pub(super) fn expand(&mut self, work: u64, bytes: usize) -> bool {
        self.expanded += 1;
        self.work += work;
        if self.work >= self.next_look {
            self.next_look = self.work + STRIDE;
            self.peak_bytes = self.peak_bytes.max(bytes);
            if self.lacks_room(bytes) || self.is_over() {
                return true;
            }
        }
        self.work >= self.most_work || self.budget.out_of_nodes(self.generated)
    }

    /// Whether so many bytes are more than memory has room for; it is remembered.
    pub(super) fn lacks_room(&mut self, bytes: usize) -> bool {
        // Tables that grow are for a moment there twice.
        let lacking = self.budget.out_of_memory(bytes + bytes / 2 + HEADROOM);
        self.memory_full |= lacking;
        lacking
    }

    /// Counts a position.
    #[inline]
    pub(super) fn generate(&mut self) {
        self.generated += 1;
        self.work += 1;
    }

    /// Whether the whole budget is spent or somebody cancelled.
    pub(super) fn is_over(&mut self) -> bool {
        self.over = self.over
            || self.work >= self.most_work
            || self.budget.out_of_time()
            || self.budget.cancel().is_cancelled()
            || self.finished.load(Ordering::Relaxed)
            || self.budget.out_of_nodes(self.generated);
        self.over
    }

    /// How much of the budget is spent, of nodes if they are limited, else of time.
    pub(super) fn share_spent(&self) -> f64 {
        let limits = self.budget.limits();
        match (limits.nodes, limits.time) {
            (Some(nodes), _) => self.generated as f64 / nodes.max(1) as f64,
            (None, Some(time)) => self.budget.elapsed().as_secs_f64() / time.as_secs_f64().max(f64::MIN_POSITIVE),
            (None, None) => 0.0,
        }
    }

    /// Whether any search ended because the memory limit was reached.
    pub(super) fn memory_full(&self) -> bool {
        self.memory_full
    }

    pub(super) fn generated(&self) -> u64 {
        self.generated
    }

    pub(super) fn expanded(&self) -> u64 {
        self.expanded
    }

    pub(super) fn peak_bytes(&self) -> usize {
        self.peak_bytes
    }
}
