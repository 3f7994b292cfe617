//! What a search may claim: the one place that decides about proofs.

use crate::{Cost, Guarantee, Heuristic, Optimality, Pruning, StateSpace, Verdict};

/// What the cuts of a space and the promises of an estimate allow to be claimed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Claims {
    /// Lower bounds on the cost are true ones.
    pub(crate) bounds: bool,
    /// Finding nothing anywhere means that there is nothing.
    pub(crate) exhaustion: bool,
}

impl Claims {
    /// For a search that does not ask an estimate.
    pub(crate) fn uninformed(space: &impl StateSpace) -> Self {
        let pruning = space.pruning();
        Self { bounds: pruning == Pruning::KeepsOptimum, exhaustion: pruning != Pruning::Unsound }
    }

    /// For a search that follows an estimate and drops the states it calls dead.
    pub(crate) fn informed<S: StateSpace>(space: &S, heuristic: &impl Heuristic<S>) -> Self {
        let cuts = Self::uninformed(space);
        let dead_is_proof = heuristic.dead_is_proof();
        Self {
            bounds: cuts.bounds && dead_is_proof && heuristic.guarantee() >= Guarantee::Admissible,
            exhaustion: cuts.exhaustion && dead_is_proof,
        }
    }

    /// What both searches of a pair may claim together.
    pub(crate) fn and(self, other: Self) -> Self {
        Self { bounds: self.bounds && other.bounds, exhaustion: self.exhaustion && other.exhaustion }
    }

    /// The verdict on a space that was searched to its end without finding a goal.
    pub(crate) fn nothing_found<A>(self) -> Verdict<A> {
        if self.exhaustion { Verdict::Unsolvable } else { Verdict::Exhausted }
    }

    /// What is known of a path of this cost, when nothing is cheaper than `lower` and the way it
    /// was found promises it to be within `factor`.
    pub(crate) fn proof(self, cost: Cost, lower: Option<Cost>, factor: Option<f64>) -> Optimality {
        if !self.bounds {
            return Optimality::None;
        }
        let ratio = match lower {
            Some(lower) if cost <= lower => return Optimality::Optimal,
            Some(lower) if lower > 0 => f64::from(cost) / f64::from(lower),
            _ => f64::INFINITY,
        };
        match factor.map(|factor| factor.min(ratio)) {
            Some(factor) if factor.is_finite() => Optimality::AtMost(factor),
            _ => Optimality::None,
        }
    }
}
