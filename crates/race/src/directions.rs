//! The backward and the forward searches of a strategy.

use crate::observe::Snapshot;
use crate::planning::Planning;
use crate::round_robin::RoundRobin;
use crate::strategy::Ended;
use lurd_rules::Figures;

/// The searches of a strategy that searches backwards first, and the account of those that have ended.
pub(super) struct Directions<'g> {
    pub(super) backward: Option<Planning<'g>>,
    pub(super) forward: Option<RoundRobin<'g>>,
    ended: Ended,
}

impl Directions<'_> {
    pub(super) fn new(squares: usize) -> Self {
        Self { backward: None, forward: None, ended: Ended::new(squares) }
    }

    pub(super) fn end_backward(&mut self) {
        if let Some(backward) = self.backward.take() {
            self.ended.add(backward.figures, backward.effort(), &backward.visits);
        }
    }

    pub(super) fn end_forward(&mut self) {
        if let Some(forward) = self.forward.take() {
            let Ended { figures, effort, visits } = forward.end_all();
            self.ended.add(figures, effort, &visits);
        }
    }

    /// What everything has cost, in positions generated.
    pub(super) fn effort(&self) -> u64 {
        let backward = self.backward.as_ref().map_or(0, Planning::effort);
        self.ended.effort + backward + self.forward.as_ref().map_or(0, RoundRobin::effort)
    }

    pub(super) fn bytes(&self) -> usize {
        self.backward.as_ref().map_or(0, Planning::bytes) + self.forward.as_ref().map_or(0, RoundRobin::bytes)
    }

    pub(super) fn figures(&self) -> Figures {
        let backward = self.backward.as_ref().map(|backward| backward.figures).unwrap_or_default();
        let forward = self.forward.as_ref().map(RoundRobin::figures).unwrap_or_default();
        self.ended.figures.plus(backward).plus(forward)
    }

    /// Adds the visit counts, and the best position of the direction that runs.
    pub(super) fn snapshot(&self, snapshot: &mut Snapshot) {
        snapshot.visits.merge(&self.ended.visits);
        if let Some(backward) = &self.backward {
            snapshot.visits.merge(&backward.visits);
            snapshot.nearest = backward.nearest();
        }
        if let Some(forward) = &self.forward {
            forward.snapshot(snapshot);
        }
    }
}
