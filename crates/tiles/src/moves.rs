//! How the blank may move.

use serde::Serialize;
use std::fmt;

/// Where the blank goes. The tile that was there takes its place, so it moves the other way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Direction {
    Up,
    Right,
    Down,
    Left,
    UpRight,
    DownRight,
    DownLeft,
    UpLeft,
}

impl Direction {
    /// All eight in the order of their declaration, the classic four first.
    pub const ALL: [Self; 8] =
        [Self::Up, Self::Right, Self::Down, Self::Left, Self::UpRight, Self::DownRight, Self::DownLeft, Self::UpLeft];

    /// Rows down and columns right.
    pub fn offset(self) -> (isize, isize) {
        match self {
            Self::Up => (-1, 0),
            Self::Right => (0, 1),
            Self::Down => (1, 0),
            Self::Left => (0, -1),
            Self::UpRight => (-1, 1),
            Self::DownRight => (1, 1),
            Self::DownLeft => (1, -1),
            Self::UpLeft => (-1, -1),
        }
    }

    /// The way back.
    pub fn reverse(self) -> Self {
        // In each group of four opposites are two apart.
        Self::ALL[self as usize ^ 2]
    }

    /// The cell one step from `cell`, unless it is off the board.
    pub fn from_cell(self, cell: usize, side: usize) -> Option<usize> {
        let (down, right) = self.offset();
        let row = (cell / side).checked_add_signed(down).filter(|&row| row < side)?;
        let column = (cell % side).checked_add_signed(right).filter(|&column| column < side)?;
        Some(row * side + column)
    }

    /// `up`, `down-left`, ...
    pub fn name(self) -> &'static str {
        match self {
            Self::Up => "up",
            Self::Right => "right",
            Self::Down => "down",
            Self::Left => "left",
            Self::UpRight => "up-right",
            Self::DownRight => "down-right",
            Self::DownLeft => "down-left",
            Self::UpLeft => "up-left",
        }
    }
}

impl fmt::Display for Direction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Which moves are allowed; each costs 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum MoveSet {
    /// Up, right, down, left.
    Classic,
    /// These and the four diagonals.
    Diagonal,
}

impl MoveSet {
    pub const ALL: [Self; 2] = [Self::Classic, Self::Diagonal];

    /// The allowed directions, in a fixed order.
    pub fn directions(self) -> &'static [Direction] {
        match self {
            Self::Classic => &Direction::ALL[..4],
            Self::Diagonal => &Direction::ALL,
        }
    }

    /// `classic` or `diagonal`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Classic => "classic",
            Self::Diagonal => "diagonal",
        }
    }
}

impl fmt::Display for MoveSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_step_leads_back() {
        for side in 2..=5 {
            for cell in 0..side * side {
                for direction in Direction::ALL {
                    if let Some(to) = direction.from_cell(cell, side) {
                        assert_eq!(direction.reverse().from_cell(to, side), Some(cell));
                    }
                }
            }
        }
    }
}
