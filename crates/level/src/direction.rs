//! The four directions and their LURD letters.

/// A direction. The order of the variants is the order in which every search tries moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Direction {
    /// One column less.
    Left,
    /// One column more.
    Right,
    /// One row less.
    Up,
    /// One row more.
    Down,
}

impl Direction {
    /// All four, in the order moves are tried.
    pub const ALL: [Self; 4] = [Self::Left, Self::Right, Self::Up, Self::Down];

    /// The opposite direction.
    pub fn opposite(self) -> Self {
        match self {
            Self::Left => Self::Right,
            Self::Right => Self::Left,
            Self::Up => Self::Down,
            Self::Down => Self::Up,
        }
    }

    /// The two directions at a right angle to this one.
    pub fn sideways(self) -> [Self; 2] {
        match self {
            Self::Left | Self::Right => [Self::Up, Self::Down],
            Self::Up | Self::Down => [Self::Left, Self::Right],
        }
    }

    /// The LURD letter of a step (`l`) or a push (`L`).
    pub fn letter(self, push: bool) -> char {
        let letters = if push { ['L', 'R', 'U', 'D'] } else { ['l', 'r', 'u', 'd'] };
        letters[self as usize]
    }

    /// The direction of a LURD letter of either case.
    pub fn from_letter(letter: char) -> Option<Self> {
        Self::ALL.into_iter().find(|direction| direction.letter(false) == letter.to_ascii_lowercase())
    }

    /// The change of (row, column) by one step.
    pub fn delta(self) -> (isize, isize) {
        [(0, -1), (0, 1), (-1, 0), (1, 0)][self as usize]
    }
}
