//! What the functions of the interface return.

/// The result of a call. The numbers are those of the interface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub enum ReturnCode {
    /// Solved, or a better game found: it is in the buffer.
    Success = 0,
    /// The board is larger than [`GetConstraints`](crate::board::MAX_SIDE) allows.
    ConstraintsViolated = 1,
    /// The board cannot be played, or the games given to the optimizer do not solve it.
    InvalidLevel = 2,
    /// It is proved that there is no solution.
    Unsolvable = 3,
    /// Ended without a solution, or without a better game.
    GaveUp = 4,
    /// The solution does not fit into the buffer.
    TooLong = 5,
    /// The settings file has an error.
    InvalidSettings = 6,
    /// lurd.exe is missing, broke down or was killed.
    Failure = 7,
    /// The time limit of the settings was reached.
    Timeout = 8,
    /// The host asked for a stop.
    Stopped = 9,
}
