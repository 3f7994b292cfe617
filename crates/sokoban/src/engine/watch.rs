//! Watching a search more closely than its progress: every state it opens, every count.

use super::report::Progress;
use crate::State;
use search::Statistics;

/// Told what a search does. What is not overridden costs nothing.
pub trait Watch {
    /// Called a few times a second.
    fn progress(&mut self, progress: &Progress);

    /// The full counts, just before [`progress`](Self::progress), where the engine keeps them.
    fn counted(&mut self, statistics: &Statistics) {
        let _ = statistics;
    }

    /// Whether [`expanded`](Self::expanded) is wanted. Asked once, before the search.
    fn closely(&self) -> bool {
        false
    }

    /// A state was taken from the frontier.
    fn expanded(&mut self, state: &State, g: u32, h: u32) {
        let _ = (state, g, h);
    }
}

/// Progress alone.
pub(super) struct Ticks<'p>(pub(super) &'p mut dyn FnMut(&Progress));

impl Watch for Ticks<'_> {
    fn progress(&mut self, progress: &Progress) {
        (self.0)(progress);
    }
}
