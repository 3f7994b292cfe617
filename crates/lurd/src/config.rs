//! What a search is asked for, held against what there is, and why it may be refused.

use crate::certificate::CertificateError;
use lurd_classic::ChoiceError;
use lurd_contract::Request;
use lurd_prove_pushes::JournalError;
use lurd_rules::{BoardError, Goal};

/// Refuses a second goal that the first leaves no room for, or that the search asked for does not look at.
pub(crate) fn check_second_goal(request: &Request) -> Result<(), SolveError> {
    let Some(then) = request.then else { return Ok(()) };
    let goal = request.goal;
    Err(match (goal, then) {
        (Goal::Moves, Goal::Pushes) | (Goal::Pushes, Goal::Moves) if request.classic.are_open() => return Ok(()),
        (Goal::Moves, Goal::Pushes) | (Goal::Pushes, Goal::Moves) => SolveError::SecondGoalOfClassic { goal, then },
        (_, Goal::Any) => SolveError::SecondGoalAny,
        (Goal::Any, _) => SolveError::SecondGoalOfAny { then },
        _ => SolveError::SecondGoalTwice { goal },
    })
}

/// Why a level cannot be worked on as asked.
///
/// ```
/// use lurd::{Request, Goal, SolveError};
/// let config = Request { goal: Goal::Moves, then: Some(Goal::Moves), ..Request::default() };
/// assert_eq!(lurd::explain(&config).err(), Some(SolveError::SecondGoalTwice { goal: Goal::Moves }));
/// ```
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SolveError {
    /// Choices that do not go together.
    #[error(transparent)]
    Choices(#[from] ChoiceError),
    /// The level cannot be played.
    #[error(transparent)]
    Board(#[from] BoardError),
    /// A second goal beside chosen parts of a search.
    #[error(
        "the second goal `{then}` belongs to the search that the goal `{goal}` chooses itself; leave the algorithm and its choices open"
    )]
    SecondGoalOfClassic {
        /// The goal.
        goal: Goal,
        /// The second goal.
        then: Goal,
    },
    /// A second goal that decides nothing.
    #[error("the second goal `any` decides nothing; leave it out")]
    SecondGoalAny,
    /// A second goal where the first answer is taken.
    #[error(
        "the goal `any` takes the first answer, so the second goal `{then}` has nothing to decide; ask for moves or pushes first"
    )]
    SecondGoalOfAny {
        /// The second goal.
        then: Goal,
    },
    /// The same goal twice.
    #[error("the goal `{goal}` is asked for twice; leave out the second goal")]
    SecondGoalTwice {
        /// The goal.
        goal: Goal,
    },
    /// Certificates and checkpoints of a search that leaves none.
    #[error(
        "only the proof of fewest pushes leaves certificates and checkpoints; ask for the fewest pushes and leave everything \
         else open"
    )]
    NotDurable,
    /// A seed beside a certificate or a checkpoint.
    #[error("a certificate and a checkpoint are of the level as it is drawn; leave the seed out")]
    SeedOfDurable,
    /// The level is too large for the proof of fewest pushes.
    #[error("the level is too large for the engine of proofs: there can be no certificate and no checkpoint")]
    TooLargeForProof,
    /// The folder for checkpoints cannot be used.
    #[error(transparent)]
    Folder(#[from] JournalError),
    /// A certificate is damaged or belongs to another version.
    #[error(transparent)]
    Certificate(#[from] CertificateError),
}
