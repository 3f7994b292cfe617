//! Two limits searched by turns: the next of the ladder, and at once the last that matters.
//!
//! Where the bound tells little, the limit just below the best solution costs hardly more than any other, and searching it
//! is the whole proof. Where the bound is strong it is out of reach, and the ladder raises what is proved step by
//! step. Nobody knows beforehand which it is, so both get the same amount of work: at most twice what the better needs.

use crate::control::Control;
use crate::key::Key;
use crate::two_sided::TwoSided;

/// The one of two searches whose turn it is not.
pub(crate) struct Alternation<K> {
    waiting: Option<TwoSided<K>>,
    /// Whether it is the turn of the last limit.
    pub(crate) is_direct: bool,
    /// Positions each has had: the ladder, and the last limit.
    had: [u64; 2],
}

impl<K> Default for Alternation<K> {
    fn default() -> Self {
        Self { waiting: None, is_direct: false, had: [0; 2] }
    }
}

impl<K: Key> Alternation<K> {
    /// Changes places if it is the other's turn.
    pub(crate) fn next(&mut self, search: &mut Option<TwoSided<K>>) {
        let is_direct = self.had[1] < self.had[0];
        if is_direct != self.is_direct {
            self.is_direct = is_direct;
            std::mem::swap(search, &mut self.waiting);
        }
    }

    /// Notes what the one whose turn it is has had.
    pub(crate) fn count(&mut self, positions: u64) {
        let had = &mut self.had[usize::from(self.is_direct)];
        *had = had.saturating_add(positions);
    }

    /// Positions the last limit has had.
    pub(crate) fn direct(&self) -> u64 {
        self.had[1]
    }

    /// From now on the last limit alone, by whichever of the two has come further with it.
    pub(crate) fn unite(&mut self, search: &mut Option<TwoSided<K>>, last: u32, control: &Control<'_>) {
        let done = |search: &Option<TwoSided<K>>| {
            search.as_ref().filter(|search| search.limit() == last).map(TwoSided::positions)
        };
        if done(&self.waiting) > done(search) {
            std::mem::swap(search, &mut self.waiting);
        }
        self.is_direct = true;
        self.settle(control);
    }

    /// From now on the last limit alone.
    pub(crate) fn settle(&mut self, control: &Control<'_>) {
        self.had[0] = u64::MAX;
        self.leave(control);
    }

    /// Gives up the one that waits.
    pub(crate) fn leave(&mut self, control: &Control<'_>) {
        if let Some(waiting) = self.waiting.take() {
            waiting.release(control);
        }
    }
}
