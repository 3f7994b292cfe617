//! The flags by which a host says what a game should be good for.
//!
//! Primary goals have one layout: find a solution 1, moves 2, pushes 4, box lines 8, box changes 16, pushing sessions 32.
//! Secondary goals have two. In the published header they follow at 64 (moves) and 128 (pushes); Sokoban YASC puts
//! player lines at 64 and the secondary goals one bit higher. Nobody means a secondary goal that equals the primary
//! one, so both layouts can be told apart where moves and pushes alone are concerned.

use lurd_contract::Goal;

/// Any solution will do.
pub const SOLUTION: u32 = 1;
/// Fewest moves.
pub const MOVES: u32 = 2;
/// Fewest pushes.
pub const PUSHES: u32 = 4;

/// What a host asks for by its flags.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// The first goal; none leaves the choice to the plug-in.
    pub first: Option<Goal>,
    /// Whether the other metric was asked for as the second goal.
    pub second: bool,
}

/// Reads the flags; `None` where they ask for something lurd does not do.
pub fn wanted(flags: u32) -> Option<Wanted> {
    let (first, second) = match flags & !SOLUTION {
        0 => (None, false),
        MOVES => (Some(Goal::Moves), false),
        PUSHES => (Some(Goal::Pushes), false),
        130 | 258 => (Some(Goal::Moves), true),
        68 | 132 => (Some(Goal::Pushes), true),
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
            assert_eq!(wanted(flags), both(Goal::Moves), "{flags}");
        }
        for flags in [68, 132, 69, 133] {
            assert_eq!(wanted(flags), both(Goal::Pushes), "{flags}");
        }
    }

    #[test]
    fn single_goals_and_none_are_read() {
        assert_eq!(wanted(2), Some(Wanted { first: Some(Goal::Moves), second: false }));
        assert_eq!(wanted(5), Some(Wanted { first: Some(Goal::Pushes), second: false }));
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
