//! The parity that splits the classic boards into two halves.
//!
//! Every move is one swap of the blank with a tile, so the number of moves between two
//! boards is odd exactly if the permutation between them is. Under classic moves the
//! blank also crosses exactly one cell each time, so the number of moves is odd exactly
//! if the blank has an odd number of rows and columns to go. Where the two disagree
//! there is no way (Johnson and Story, 1879), and where they agree there is one.
//!
//! A diagonal move crosses two cells: the second half of the argument falls, and every
//! board can be reached (Wilson, 1974: the moves generate all permutations).

use crate::board::Board;
use std::fmt;

/// Why parity rules out every way between two boards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParityReason {
    /// Whether turning the one into the other takes an odd number of swaps.
    pub odd_swaps: bool,
    /// Rows plus columns between the two blanks.
    pub blank_steps: usize,
}

impl fmt::Display for ParityReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let swaps = if self.odd_swaps { "an odd" } else { "an even" };
        let steps = if self.blank_steps % 2 == 1 { "odd" } else { "even" };
        write!(
            f,
            "turning the start into the goal takes {swaps} number of swaps, but the blank is {} steps from its goal, \
             which is {steps}; each move is one swap and one step of the blank, so both would have to be odd or both even",
            self.blank_steps
        )
    }
}

/// Whether the permutation that turns one board into the other is odd. Both must have the same size.
pub(crate) fn is_odd(start: &Board, goal: &Board) -> bool {
    let places = goal.places();
    let mut seen = 0u32;
    let mut odd = false;
    for first in 0..start.len() {
        // A cycle of n cells is n - 1 swaps.
        let mut cell = first;
        let mut length = 0;
        while seen & 1 << cell == 0 {
            seen |= 1 << cell;
            length += 1;
            cell = usize::from(places[start.tile(cell)]);
        }
        odd ^= length > 0 && length % 2 == 0;
    }
    odd
}

/// Why classic moves cannot lead from `start` to `goal`, or `None` if they can.
pub(crate) fn classic_obstacle(start: &Board, goal: &Board) -> Option<ParityReason> {
    let side = start.side();
    let (from, to) = (start.blank(), goal.blank());
    let blank_steps = (from / side).abs_diff(to / side) + (from % side).abs_diff(to % side);
    let odd_swaps = is_odd(start, goal);
    (odd_swaps != (blank_steps % 2 == 1)).then_some(ParityReason { odd_swaps, blank_steps })
}
