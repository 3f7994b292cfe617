//! Watching a search from outside.

use crate::{Cost, Reason, StateSpace, Statistics};

/// Told what a search does. Every method does nothing unless overridden, and an
/// unused observer compiles away.
pub trait Observer<S: StateSpace> {
    /// A state was taken from the frontier and its successors are about to be made.
    fn expanded(&mut self, state: &S::State, g: Cost, h: Cost) {
        let _ = (state, g, h);
    }

    /// A state that was not known before (or is now known to be cheaper) joined the frontier.
    fn generated(&mut self, state: &S::State, g: Cost, h: Cost) {
        let _ = (state, g, h);
    }

    /// An action out of `parent` was cut by the space.
    fn pruned(&mut self, parent: &S::State, action: S::Action, reason: Reason) {
        let _ = (parent, action, reason);
    }

    /// Every solution is now known to cost at least `lower`.
    fn bound(&mut self, lower: Cost) {
        let _ = lower;
    }

    /// A search under a limit begins an iteration: nothing beyond `limit` is searched in it.
    fn iteration(&mut self, limit: Cost) {
        let _ = limit;
    }

    /// Called a few times a second at least, for progress displays.
    fn tick(&mut self, statistics: &Statistics, lower: Option<Cost>) {
        let _ = (statistics, lower);
    }
}

/// The observer that does not look.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl<S: StateSpace> Observer<S> for Silent {}
