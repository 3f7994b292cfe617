//! The switches of a two-player search.

use std::fmt;

/// Which savings a search makes over plain minimax. None of them changes a score.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Strategy {
    /// Leave out moves that cannot matter (alpha-beta, fail-soft: Fishburn 1983).
    pub alpha_beta: bool,
    /// Remember positions that were searched before.
    pub memo: bool,
    /// Search the moves the game finds promising first; saves work only with alpha-beta.
    pub ordering: bool,
}

impl Strategy {
    /// Plain minimax: every line of play to its end.
    pub const MINIMAX: Self = Self { alpha_beta: false, memo: false, ordering: false };
    /// Alpha-beta in the game's order of moves.
    pub const ALPHA_BETA: Self = Self { alpha_beta: true, memo: false, ordering: false };
    /// Alpha-beta, promising moves first.
    pub const ORDERED_ALPHA_BETA: Self = Self { alpha_beta: true, memo: false, ordering: true };
    /// Minimax that searches no position twice.
    pub const MEMO: Self = Self { alpha_beta: false, memo: true, ordering: false };
    /// Alpha-beta with a memo of bounds.
    pub const ALPHA_BETA_MEMO: Self = Self { alpha_beta: true, memo: true, ordering: false };
    /// Everything.
    pub const BEST: Self = Self { alpha_beta: true, memo: true, ordering: true };

    /// The strategies that differ in effort, from the plainest to the one that saves most.
    pub const ALL: [Self; 6] =
        [Self::MINIMAX, Self::ALPHA_BETA, Self::ORDERED_ALPHA_BETA, Self::MEMO, Self::ALPHA_BETA_MEMO, Self::BEST];

    /// Its name, as printed in tables.
    pub fn name(self) -> &'static str {
        match (self.alpha_beta, self.memo, self.ordering) {
            (false, false, false) => "minimax",
            (false, false, true) => "minimax+ordering",
            (false, true, false) => "memo",
            (false, true, true) => "memo+ordering",
            (true, false, false) => "alpha-beta",
            (true, false, true) => "alpha-beta+ordering",
            (true, true, false) => "alpha-beta+memo",
            (true, true, true) => "alpha-beta+memo+ordering",
        }
    }
}

impl fmt::Display for Strategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
