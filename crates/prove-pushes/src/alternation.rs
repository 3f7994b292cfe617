//! Alternation between two push limits: the next one of the schedule, and the final one just below the best solution.
//!
//! Where the bound is weak, the final limit costs hardly more than any other, and searching it is the whole proof.
//! Where the bound is strong, the final limit is out of reach, and the schedule raises the lower bound step by step.
//! Which case holds is not known beforehand, so both searches get the same number of positions: together at most twice
//! what the better one needs.

use crate::bidirectional::BidirectionalSearch;
use crate::control::Control;
use crate::key::Key;

/// The search that waits, and the work of both.
pub(crate) struct Alternation<K> {
    waiting: Option<BidirectionalSearch<K>>,
    /// Whether the final limit is the active one.
    pub(crate) is_final: bool,
    /// Positions of the schedule and of the final limit.
    work: [u64; 2],
}

impl<K> Default for Alternation<K> {
    fn default() -> Self {
        Self { waiting: None, is_final: false, work: [0; 2] }
    }
}

impl<K: Key> Alternation<K> {
    /// Makes the search with less work the active one.
    pub(crate) fn next(&mut self, search: &mut Option<BidirectionalSearch<K>>) {
        let is_final = self.work[1] < self.work[0];
        if is_final != self.is_final {
            self.is_final = is_final;
            std::mem::swap(search, &mut self.waiting);
        }
    }

    /// Adds to the work of the active search.
    pub(crate) fn count(&mut self, positions: u64) {
        let work = &mut self.work[usize::from(self.is_final)];
        *work = work.saturating_add(positions);
    }

    /// Positions of the final limit.
    pub(crate) fn final_work(&self) -> u64 {
        self.work[1]
    }

    /// Ends the schedule, where its limit has become the final one too: the search with more positions stays.
    pub(crate) fn merge(
        &mut self,
        search: &mut Option<BidirectionalSearch<K>>,
        final_limit: u32,
        control: &Control<'_>,
    ) {
        let done = |search: &Option<BidirectionalSearch<K>>| {
            search.as_ref().filter(|search| search.limit() == final_limit).map(BidirectionalSearch::positions)
        };
        if done(&self.waiting) > done(search) {
            std::mem::swap(search, &mut self.waiting);
        }
        self.is_final = true;
        self.end_schedule(control);
    }

    /// Keeps the final limit alone.
    pub(crate) fn end_schedule(&mut self, control: &Control<'_>) {
        self.work[0] = u64::MAX;
        self.drop_waiting(control);
    }

    pub(crate) fn drop_waiting(&mut self, control: &Control<'_>) {
        if let Some(waiting) = self.waiting.take() {
            waiting.release(control);
        }
    }
}
