//! The flags by which a host says what a game should be good for.
//!
//! Primary goals have one layout: find a solution 1, moves 2, pushes 4, box lines 8, box changes 16, pushing sessions 32.
//! Secondary goals have two. In the published header they follow at 64 (moves) and 128 (pushes); Sokoban YASC puts
//! player lines at 64 and the secondary goals one bit higher. Nobody means a secondary goal that equals the primary
//! one, so both layouts can be told apart where moves and pushes alone are concerned.

/// Any solution will do.
pub const SOLUTION: u32 = 1;
/// Fewest moves.
pub const MOVES: u32 = 2;
/// Fewest pushes.
pub const PUSHES: u32 = 4;

/// What becomes fewest first; the other one decides between equals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Metric {
    /// Moves, then pushes.
    Moves,
    /// Pushes, then moves.
    Pushes,
}

impl Metric {
    /// The name of it on lurd's command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Moves => "moves",
            Self::Pushes => "pushes",
        }
    }

    /// The other one.
    pub fn other(self) -> Self {
        match self {
            Self::Moves => Self::Pushes,
            Self::Pushes => Self::Moves,
        }
    }
}

/// What a host asks for by its flags.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// The first goal; none leaves the choice to the plug-in.
    pub first: Option<Metric>,
    /// Whether the other metric was asked for as the second goal.
    pub second: bool,
}

/// Reads the flags; `None` where they ask for something lurd does not do.
pub fn wanted(flags: u32) -> Option<Wanted> {
    let (first, second) = match flags & !SOLUTION {
        0 => (None, false),
        MOVES => (Some(Metric::Moves), false),
        PUSHES => (Some(Metric::Pushes), false),
        130 | 258 => (Some(Metric::Moves), true),
        68 | 132 => (Some(Metric::Pushes), true),
        _ => return None,
    };
    Some(Wanted { first, second })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_layouts_of_the_second_goal_are_read() {
        let both = |first| Some(Wanted { first: Some(first), second: true });
        for flags in [130, 258, 131, 259] {
            assert_eq!(wanted(flags), both(Metric::Moves), "{flags}");
        }
        for flags in [68, 132, 69, 133] {
            assert_eq!(wanted(flags), both(Metric::Pushes), "{flags}");
        }
    }

    #[test]
    fn single_goals_and_none_are_read() {
        assert_eq!(wanted(2), Some(Wanted { first: Some(Metric::Moves), second: false }));
        assert_eq!(wanted(5), Some(Wanted { first: Some(Metric::Pushes), second: false }));
        assert_eq!(wanted(0), Some(Wanted { first: None, second: false }));
        assert_eq!(wanted(1), wanted(0));
    }

    #[test]
    fn lines_changes_sessions_and_mixtures_are_refused() {
        for flags in [8, 16, 32, 64, 6, 2 + 64, 4 + 256, 2 + 512, 4 + 1024, 128, u32::MAX] {
            assert_eq!(wanted(flags), None, "{flags}");
        }
    }
}
