//! Estimates of the cost that remains.

use crate::{Cost, StateSpace};

/// The cost that remains, as far as an estimate can tell; `None` means the state is dead:
/// no goal can be reached from it. An estimate that takes long may also say so when the budget is used up; no search
/// believes it then.
pub type Estimate = Option<Cost>;

/// What an estimate promises.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Guarantee {
    /// Nothing: it may be above the true cost.
    Inadmissible,
    /// Never above the true cost. Along an edge it may fall by more than the edge costs.
    Admissible,
    /// Admissible, and along an edge it never falls by more than the edge costs.
    Consistent,
}

/// An estimate of the cost from a state to the nearest goal.
pub trait Heuristic<S: StateSpace> {
    /// Estimates one state from scratch.
    fn estimate(&mut self, space: &S, state: &S::State) -> Estimate;

    /// Says that children of `parent` come next, so that work they share is done once.
    fn family(&mut self, space: &S, parent: &S::State) {
        let _ = (space, parent);
    }

    /// Estimates `child`, reached by `action` from the parent last named to
    /// [`family`](Self::family). Must give what [`estimate`](Self::estimate) gives.
    fn estimate_child(&mut self, space: &S, action: S::Action, child: &S::State) -> Estimate {
        let _ = action;
        self.estimate(space, child)
    }

    /// What the estimate promises.
    fn guarantee(&self) -> Guarantee;

    /// Under which name states it calls dead are counted.
    fn dead_reason(&self) -> &'static str {
        "heuristic"
    }

    /// Whether its "dead" is always true. An inadmissible estimate can still be right about that.
    fn dead_is_proof(&self) -> bool {
        true
    }

    /// The most memory it used for one estimate, in bytes, where it keeps count.
    fn peak_bytes(&self) -> usize {
        0
    }
}

/// The estimate that knows nothing: always 0.
#[derive(Clone, Copy, Debug, Default)]
pub struct Zero;

impl<S: StateSpace> Heuristic<S> for Zero {
    fn estimate(&mut self, _: &S, _: &S::State) -> Estimate {
        Some(0)
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::Consistent
    }
}
