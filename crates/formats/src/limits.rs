//! Limits on the cost of reading a file. Every reader uses one [`Budget`], so that no file, however it is constructed,
//! takes more time or memory than a large ordinary one.

use crate::ReadError;

/// Bytes of a file.
pub const MAX_BYTES: usize = 64 << 20;
/// Rows, and columns, of a board.
pub const MAX_SIDE: usize = 1000;
/// Boards in a file.
pub const MAX_LEVELS: usize = 1_000_000;
/// Squares of all boards of a file; replays of saved games count as squares.
pub const MAX_TOTAL_SQUARES: usize = 64 << 20;
/// Lines of notes kept per file.
pub const MAX_NOTES: usize = 200_000;
/// Solutions and saved games kept per level.
pub const MAX_GAMES: usize = 1000;
/// Moves of one solution or saved game.
pub(super) const MAX_GAME_MOVES: usize = 1_000_000;
/// Warnings kept per file.
pub(super) const MAX_WARNINGS: usize = 1000;

/// The remaining budget.
pub(super) struct Budget {
    squares: usize,
    levels: usize,
    notes: usize,
    /// Whether open levels are walled in instead of rejected.
    pub(super) walls_in: bool,
}

impl Default for Budget {
    fn default() -> Self {
        Self { squares: MAX_TOTAL_SQUARES, levels: MAX_LEVELS, notes: MAX_NOTES, walls_in: false }
    }
}

impl Budget {
    /// The default budget, with open levels walled in.
    pub(super) fn walling_in() -> Self {
        Self { walls_in: true, ..Self::default() }
    }

    /// Spends squares (or work of that size); false if too few are left.
    pub(super) fn try_squares(&mut self, count: usize) -> bool {
        let enough = self.squares >= count;
        self.squares = self.squares.saturating_sub(count);
        enough
    }

    /// Spends one board of this many squares.
    pub(super) fn board(&mut self, squares: usize) -> Result<(), ReadError> {
        self.levels = self.levels.checked_sub(1).ok_or(ReadError::TooManyLevels)?;
        if self.try_squares(squares) { Ok(()) } else { Err(ReadError::TooManySquares) }
    }

    /// Spends one line of notes; false if none is left.
    pub(super) fn note(&mut self) -> bool {
        let enough = self.notes > 0;
        self.notes = self.notes.saturating_sub(1);
        enough
    }
}
