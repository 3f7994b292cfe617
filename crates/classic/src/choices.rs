//! The choices of a classic search.

use crate::{AlgorithmName, EstimateName, FormulationName, PlayerTerm, TieBreakName};
use lurd_rules::deadlock::DetectorName;

/// The choices of one search. `None` means the default for the goal.
#[derive(Clone, Debug, PartialEq)]
pub struct Choices {
    /// The algorithm.
    pub algorithm: Option<AlgorithmName>,
    /// The formulation.
    pub formulation: Option<FormulationName>,
    /// The estimate for the boxes.
    pub estimate: Option<EstimateName>,
    /// The estimate for the player.
    pub player_term: Option<PlayerTerm>,
    /// The detectors; `None` means all that fit the formulation.
    pub detectors: Option<Vec<DetectorName>>,
    /// The tie-break.
    pub tie_break: Option<TieBreakName>,
    /// Search backwards from the solved positions.
    pub reverse: bool,
    /// A* switches to greedy search after this many expansions.
    pub fallback_after: Option<u64>,
    /// The weight of weighted A*.
    pub weight: f64,
    /// The limit of depth-limited search.
    pub depth_limit: u32,
}

impl Default for Choices {
    fn default() -> Self {
        Self {
            algorithm: None,
            formulation: None,
            estimate: None,
            player_term: None,
            detectors: None,
            tie_break: None,
            reverse: false,
            fallback_after: None,
            weight: 1.5,
            depth_limit: 200,
        }
    }
}

impl Choices {
    /// Whether no component of the search is chosen.
    pub fn are_open(&self) -> bool {
        self.algorithm.is_none()
            && self.formulation.is_none()
            && self.estimate.is_none()
            && self.player_term.is_none()
            && self.detectors.is_none()
            && self.fallback_after.is_none()
            && !self.reverse
    }
}

/// A contradiction between choices.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ChoiceError {
    /// Bidirectional search has no direction to reverse.
    #[error("bidirectional search runs both ways already; leave out the reversed direction")]
    ReversedBidirectional,
    /// A player term in a formulation that does not count steps.
    #[error(
        "`{0}` counts the player's steps, and formulation `push` counts only pushes; use formulation `move` or `walk`"
    )]
    PlayerTermCountsSteps(PlayerTerm),
    /// Greedy fallback without A*.
    #[error("the greedy fallback belongs to algorithm `a-star`")]
    FallbackWithoutAStar,
    /// A weight out of range.
    #[error("the weight of weighted A* must lie between 1 and 1000, and {0} does not")]
    Weight(f64),
    /// Fewest moves by a formulation that does not count walking.
    #[error(
        "formulation `push` cannot find the fewest moves, because it does not count walking; use formulation `walk` or `move`"
    )]
    MovesByPushes,
    /// Fewest pushes by a formulation that counts every step.
    #[error("formulation `{0}` cannot find the fewest pushes, because it counts every step; use formulation `push`")]
    PushesByMoves(FormulationName),
    /// A formulation without a backward form in a backward search.
    #[error(
        "formulation `walk` has no backward form; use formulation `move` or `push` for reverse and bidirectional search"
    )]
    WalkBackwards,
    /// A detector that preserves only the fewest pushes, in a search for moves.
    #[error("`{0}` keeps the fewest pushes but not the fewest moves; leave it out or use formulation `push`")]
    DetectorLosesMoves(DetectorName),
    /// A search with two frontiers has no single order of expansions.
    #[error(
        "bidirectional search grows two frontiers at once and has no single order to step through; inspect each half by \
         itself: `a-star` for the one that pushes, `a-star` reversed for the one that pulls"
    )]
    NoSingleOrder,
    /// A supplied part in a search that does not run forwards.
    #[error(
        "a heuristic or deadlock rule of your own works in forward searches only; choose another algorithm or leave out the reversed direction"
    )]
    SuppliedBackwards,
    /// A level with more states than may be measured.
    #[error("the level has more than {0} states, too many to measure them all; choose a smaller one")]
    TooManyStates(usize),
    /// The time limit was reached before the search began.
    #[error("the limit was reached while distances were measured; raise it")]
    OutOfTime,
}
