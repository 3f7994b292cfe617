//! The depth-aware table of the depth-first searches.
//!
//! Remembers at what cost a state was searched in the running iteration. A visit may be
//! skipped only if the same state was searched at no higher cost under the same bound: a
//! table that ignores the cost loses optimality, one that outlives its iteration finds
//! nothing. Full keys decide. Open addressing with linear probing; where the table is full and
//! may not grow, new visits replace old ones, which costs repeated work and never an answer.
//!
//! It also remembers states that were only seen beyond the bound. When the iteration ends
//! and there is no such state, everything that can be reached was searched.

use crate::Cost;
use crate::table::hash;

const FIRST: usize = 256;

/// A full table replaces one of this many entries from a state's home on.
const CHOICE: usize = 4;

/// Set in an entry's cost word: the state was seen beyond the bound and not searched.
const BEYOND: u64 = 1 << 32;
const GENERATION: u32 = 33;

#[derive(Debug)]
pub(crate) struct Visits {
    words: usize,
    /// Key words, then generation, [`BEYOND`] and cost in one word.
    entries: Vec<u64>,
    /// Entries there is place for.
    places: usize,
    generation: u64,
    /// Entries of this generation.
    live: usize,
    /// How many of them are beyond the bound.
    beyond: u64,
    /// Whether a state beyond the bound was forgotten.
    lost: bool,
}

enum Place {
    Found(usize),
    Free(usize),
}

/// What a visit finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Visit {
    /// Not searched in this iteration as far as is known.
    First,
    /// Searched, at a higher cost.
    Cheaper,
    /// Searched at no higher cost: nothing to do.
    Done,
}

impl Visits {
    pub(crate) fn new(words: usize) -> Self {
        let mut visits =
            Self { words, entries: Vec::new(), places: FIRST, generation: 1, live: 0, beyond: 0, lost: false };
        visits.entries = vec![0; visits.places * visits.stride()];
        visits
    }

    fn stride(&self) -> usize {
        self.words + 1
    }

    pub(crate) fn bytes(&self) -> usize {
        self.entries.capacity() * size_of::<u64>()
    }

    /// Forgets everything: a new bound begins.
    pub(crate) fn begin(&mut self) {
        self.generation += 1;
        (self.live, self.beyond, self.lost) = (0, 0, false);
    }

    /// Whether every state seen in this iteration was searched.
    pub(crate) fn is_complete(&self) -> bool {
        self.beyond == 0 && !self.lost
    }

    /// Whether it is time to grow.
    #[inline]
    pub(crate) fn is_crowded(&self) -> bool {
        self.live * 8 > self.places * 5
    }

    /// Whether new entries must replace old ones: probing needs empty places to end at.
    #[inline]
    fn is_full(&self) -> bool {
        self.live * 4 >= self.places * 3
    }

    /// Bytes held at once while it grows.
    pub(crate) fn growing_bytes(&self) -> usize {
        self.bytes() * 3
    }

    /// Doubles the table.
    pub(crate) fn grow(&mut self) {
        let stride = self.stride();
        let old = std::mem::take(&mut self.entries);
        self.places *= 2;
        self.entries = vec![0; self.places * stride];
        for entry in old.chunks_exact(stride) {
            if entry[self.words] >> GENERATION == self.generation
                && let Place::Free(at) = self.locate(&entry[..self.words])
            {
                self.entries[at..at + stride].copy_from_slice(entry);
            }
        }
    }

    /// Where a state is, or else the empty place where the probing for it ended.
    #[inline]
    fn locate(&self, key: &[u64]) -> Place {
        let mut at = self.home(key);
        loop {
            if self.entries[at + self.words] >> GENERATION != self.generation {
                return Place::Free(at);
            }
            if &self.entries[at..at + self.words] == key {
                return Place::Found(at);
            }
            at = self.after(at);
        }
    }

    #[inline]
    fn home(&self, key: &[u64]) -> usize {
        ((u128::from(hash(key)) * self.places as u128) >> 64) as usize * self.stride()
    }

    #[inline]
    fn after(&self, at: usize) -> usize {
        let next = at + self.stride();
        if next == self.entries.len() { 0 } else { next }
    }

    /// Whether a state was searched at `cost` or less.
    #[inline]
    pub(crate) fn is_done(&self, key: &[u64], cost: Cost) -> bool {
        let Place::Found(at) = self.locate(key) else { return false };
        let meta = self.entries[at + self.words];
        meta & BEYOND == 0 && meta as u32 <= cost
    }

    /// Records that a state is now searched at `cost`, unless that is done.
    pub(crate) fn visit(&mut self, key: &[u64], cost: Cost) -> Visit {
        let meta = self.generation << GENERATION | u64::from(cost);
        let free = match self.locate(key) {
            Place::Free(at) => at,
            Place::Found(at) => {
                let known = std::mem::replace(&mut self.entries[at + self.words], meta);
                if known & BEYOND != 0 {
                    self.beyond -= 1;
                    return Visit::First;
                }
                if known as u32 > cost {
                    return Visit::Cheaper;
                }
                self.entries[at + self.words] = known;
                return Visit::Done;
            }
        };
        if !self.is_full() {
            self.live += 1;
            self.write(free, key, meta);
        } else if let Some(at) = self.victim(key, free) {
            if self.entries[at + self.words] & BEYOND != 0 {
                self.beyond -= 1;
                self.lost = true;
            }
            self.write(at, key, meta);
        }
        Visit::First
    }

    /// The least useful of the first entries from the home of `key` to `free`: a state beyond the
    /// bound, else the one with the least left to search. Replacing leaves no hole in any probing.
    fn victim(&self, key: &[u64], free: usize) -> Option<usize> {
        let first = self.home(key);
        let probed = std::iter::successors(Some(first), |&at| Some(self.after(at))).take_while(|&at| at != free);
        probed.take(CHOICE).max_by_key(|at| self.entries[at + self.words] & (BEYOND | (BEYOND - 1)))
    }

    /// Records that a state was seen beyond the bound.
    pub(crate) fn see_beyond(&mut self, key: &[u64]) {
        let Place::Free(at) = self.locate(key) else { return };
        if self.is_full() {
            self.lost = true;
        } else {
            self.live += 1;
            self.beyond += 1;
            self.write(at, key, self.generation << GENERATION | BEYOND);
        }
    }

    #[inline]
    fn write(&mut self, at: usize, key: &[u64], meta: u64) {
        self.entries[at..at + self.words].copy_from_slice(key);
        self.entries[at + self.words] = meta;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_visit_is_skipped_only_when_the_state_was_searched_at_no_higher_cost_in_this_iteration() {
        let mut visits = Visits::new(1);
        visits.begin();
        assert_eq!(visits.visit(&[5], 10), Visit::First);
        assert_eq!(visits.visit(&[5], 10), Visit::Done);
        assert_eq!(visits.visit(&[5], 11), Visit::Done);
        assert_eq!(visits.visit(&[5], 9), Visit::Cheaper);
        assert!(visits.is_done(&[5], 9) && !visits.is_done(&[5], 8));
        visits.begin();
        assert!(!visits.is_done(&[5], 9));
        assert_eq!(visits.visit(&[5], 10), Visit::First);
    }

    #[test]
    fn is_complete_only_when_no_state_beyond_the_bound_is_left_or_was_forgotten() {
        let mut visits = Visits::new(1);
        visits.begin();
        visits.see_beyond(&[1]);
        assert!(!visits.is_complete());
        visits.visit(&[1], 3);
        visits.see_beyond(&[1]);
        assert!(visits.is_complete());
        // More states than fit: some are forgotten.
        for i in 0..10_000 {
            visits.see_beyond(&[i]);
        }
        for i in 0..10_000 {
            visits.visit(&[i], 1);
        }
        assert!(!visits.is_complete());
    }

    #[test]
    fn growing_keeps_what_was_visited() {
        let mut visits = Visits::new(2);
        visits.begin();
        for i in 0..5000 {
            visits.visit(&[i, 1], 7);
            if visits.is_crowded() {
                visits.grow();
            }
        }
        for i in 0..5000 {
            assert!(visits.is_done(&[i, 1], 7) && !visits.is_done(&[i, 1], 6));
        }
    }
}
