//! What a file may cost. Every reader draws on one [`Budget`], so that no file, however
//! it is built, takes more time or memory than a large honest one.

use crate::ReadError;

/// The longest file that is read.
pub const MAX_BYTES: usize = 64 << 20;
/// The most rows and the most columns of a board.
pub const MAX_SIDE: usize = 1000;
/// The most boards in a file.
pub const MAX_LEVELS: usize = 1_000_000;
/// The most squares of all boards of a file together, replays of saved games counted.
pub const MAX_TOTAL_SQUARES: usize = 64 << 20;
/// The most lines of notes that are kept of a file.
pub const MAX_NOTES: usize = 200_000;
/// The most solutions and saved games that are kept of a level.
pub const MAX_GAMES: usize = 1000;
/// The most moves of one of them.
pub(super) const MAX_GAME_MOVES: usize = 1_000_000;
/// The most warnings that are kept of a file.
pub(super) const MAX_WARNINGS: usize = 1000;

/// What is left of the limits.
pub(super) struct Budget {
    squares: usize,
    levels: usize,
    notes: usize,
    /// Whether open levels are walled in instead of refused.
    pub(super) walls_in: bool,
}

impl Default for Budget {
    fn default() -> Self {
        Self { squares: MAX_TOTAL_SQUARES, levels: MAX_LEVELS, notes: MAX_NOTES, walls_in: false }
    }
}

impl Budget {
    /// Takes squares (or work of that size); false when none are left.
    pub(super) fn try_squares(&mut self, count: usize) -> bool {
        let enough = self.squares >= count;
        self.squares = self.squares.saturating_sub(count);
        enough
    }

    /// Takes one board of so many squares.
    pub(super) fn board(&mut self, squares: usize) -> Result<(), ReadError> {
        self.levels = self.levels.checked_sub(1).ok_or(ReadError::TooManyLevels)?;
        if self.try_squares(squares) { Ok(()) } else { Err(ReadError::TooManySquares) }
    }

    /// Takes one line of notes; false when no more are kept.
    pub(super) fn note(&mut self) -> bool {
        let enough = self.notes > 0;
        self.notes = self.notes.saturating_sub(1);
        enough
    }
}
