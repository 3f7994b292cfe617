//! What a search found, what it proved, and what it cost.

use crate::Cost;
use lurd_base::{Halt, Stop};
use std::collections::BTreeMap;

/// What is known about the quality of a path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Optimality {
    /// No path is cheaper.
    Optimal,
    /// No path is cheaper by more than this factor.
    AtMost(f64),
    /// Nothing.
    None,
}

/// How a search ended.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict<A> {
    /// A goal was reached.
    Solved {
        /// The actions from the start to the goal.
        path: Vec<A>,
        /// What they cost together.
        cost: Cost,
        /// Which of [`StateSpace::starts`](crate::StateSpace::starts) the path begins at.
        start: usize,
        /// What is known about its quality.
        proof: Optimality,
    },
    /// The whole space was searched, cut only by rules that lose no solution: there is none.
    Unsolvable,
    /// The whole space was searched, but rules that may lose solutions were at work:
    /// nothing was found and nothing is proved.
    Exhausted,
    /// A limit was reached.
    Stopped(Stop),
    /// The cancel flag was raised.
    Cancelled,
}

impl<A> From<Halt> for Verdict<A> {
    fn from(halt: Halt) -> Self {
        match halt {
            Halt::Cancelled => Self::Cancelled,
            Halt::Limit(stop) => Self::Stopped(stop),
        }
    }
}

/// An ended search.
#[derive(Clone, Debug)]
pub struct Outcome<A> {
    /// How it ended.
    pub verdict: Verdict<A>,
    /// A cost that no solution is below, if anything was proved.
    pub lower_bound: Option<Cost>,
    /// What it cost.
    pub statistics: Statistics,
    /// What a reader should know about how it went, in full sentences.
    pub notes: Vec<String>,
}

/// What a search cost.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Statistics {
    /// States whose successors were made.
    pub expanded: u64,
    /// Successors made (cut ones not counted, duplicates counted).
    pub generated: u64,
    /// Successors that were known already and not cheaper this time.
    pub duplicates: u64,
    /// States taken up again because a cheaper way to them was found after their expansion.
    pub reopened: u64,
    /// Successors cut, by reason.
    pub pruned: BTreeMap<&'static str, u64>,
    /// States waiting when the last one joined them.
    pub frontier: u64,
    /// Most states waiting at one time.
    pub peak_frontier: u64,
    /// Most bytes held by the search's own tables, nodes and queues.
    pub peak_bytes: usize,
    /// Most bytes the heuristic used for one estimate, where it keeps count.
    pub heuristic_bytes: usize,
    /// Wall-clock time.
    pub seconds: f64,
}
