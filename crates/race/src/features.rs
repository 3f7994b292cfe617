//! Features, scores and children of the feature-space searches (FESS: Shoham and Schaeffer 2020).

use crate::macros::Macro;

/// Features packed into one number, greater is better: the order of the fields is the order of importance.
pub(super) type Score = u64;

/// The field of a score in which fewer are better.
#[inline]
pub(super) fn fewer(value: u32, bits: u32) -> Score {
    let most = (1 << bits) - 1;
    most - u64::from(value).min(most)
}

/// Features of a position. The backward search fills in regions, rooms and spread only.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Features {
    /// Steps of the plan that are done, or boxes on squares of the target configuration.
    pub(super) packed: u32,
    /// Regions that the boxes cut the floor into.
    pub(super) regions: u32,
    /// Links between rooms that are lost.
    pub(super) rooms: u32,
    /// Boxes on squares from which no remaining target of the plan can be reached.
    pub(super) out_of_plan: u32,
    /// Boxes that hinder others, or boxes beside others and off the target configuration.
    pub(super) hotspots: u32,
    /// Pushes between the boxes and goals, or squares of the target configuration.
    pub(super) spread: u32,
}

/// A move of the position that is expanded.
#[derive(Clone, Copy, Debug)]
pub(super) struct Child {
    pub(super) step: Macro,
    /// Whether the moved box is removed from the board (backward search only).
    pub(super) removes: bool,
    pub(super) features: Features,
    pub(super) score: Score,
    /// The position in the tree that it leads to.
    pub(super) state: u32,
}
