//! What the library refuses, in the words of the command line: the library's sentences name no switch.

use lurd::{ChoiceError, JournalError, SolveError};

/// The sentence to print for a refusal, with the switch to change.
pub fn sentence(error: &SolveError) -> String {
    let switch = match error {
        SolveError::Choices(choice) => match choice {
            ChoiceError::ReversedBidirectional | ChoiceError::NoSingleOrder => "--reverse",
            ChoiceError::PlayerTermCountsSteps(_)
            | ChoiceError::MovesByPushes
            | ChoiceError::PushesByMoves(_)
            | ChoiceError::WalkBackwards => "--formulation",
            ChoiceError::DetectorLosesMoves(_) => "--deadlocks, --formulation",
            ChoiceError::FallbackWithoutAStar => "--fallback-after",
            ChoiceError::Weight(_) => "--weight",
            ChoiceError::OutOfTime => "--time-limit",
            _ => return error.to_string(),
        },
        SolveError::SecondGoalOfClassic { .. } => "--then, --algorithm",
        SolveError::SecondGoalAny | SolveError::SecondGoalTwice { .. } => "--then",
        SolveError::SecondGoalOfAny { .. } => "--goal, --then",
        SolveError::NotDurable => "--goal pushes",
        SolveError::Folder(JournalError::Exists(_)) => "--resume",
        _ => return error.to_string(),
    };
    format!("{error} ({switch})")
}
