//! What a run is asked for.

use crate::certificate::CertificateError;
use lurd_base::Limits;
use lurd_classic::{ChoiceError, Choices};
use lurd_prove_pushes::JournalError;
use lurd_race::Share;
use lurd_rules::{BoardError, Goal};
use std::path::PathBuf;

/// All the choices for one run, for programs that keep settings as data. [`Solver`](crate::Solver) sets the same by name.
///
/// ```
/// use lurd::{Cancel, Config, Goal, Level, solve_with};
/// let level = Level::parse("#######\n#@ $ .#\n#######")?;
/// let config = Config { goal: Goal::Moves, threads: 2, ..Config::default() };
/// let report = solve_with(&level, &config, &Cancel::new(), &mut |_| ())?;
/// assert_eq!(report.solution.map(|solution| solution.moves), Some(3));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Config {
    /// What the answer should be good for.
    pub goal: Goal,
    /// What decides between answers that are equally good for the goal.
    pub then: Option<Goal>,
    /// The choices of the classic engine. Where any of them decides which search runs, that engine does the work.
    pub classic: Choices,
    /// Limits.
    pub limits: Limits,
    /// Threads that work on one level, where the engine can use more than one.
    pub threads: usize,
    /// The part of the work, where other programs do the rest: some strategies of the portfolio; of a proof the first share is
    /// the proof and the others seek short solutions for it. The whole by default.
    pub share: Share,
    /// Whether the proof must leave a certificate that others can check (fewest pushes only).
    pub certify: bool,
    /// Where the proof keeps checkpoints, and what does not fit into memory (fewest pushes only).
    pub disk: Option<DiskChoice>,
    /// A solution that is known already, in LURD. Where any solution will do it is the answer; proofs begin with it as
    /// their upper bound; chosen parts of a classic search do not look at it. One that the referee refuses is not used.
    pub known: Option<String>,
}

impl Config {
    /// The most threads that it is sensible to ask for. More are not refused here, but each takes a stack of its own.
    ///
    /// ```
    /// let wanted = 1_000_000;
    /// let config = lurd::Config { threads: wanted.min(lurd::Config::MOST_THREADS), ..lurd::Config::default() };
    /// assert_eq!(config.threads, 1024);
    /// ```
    pub const MOST_THREADS: usize = 1024;
}

impl Default for Config {
    fn default() -> Self {
        Self {
            goal: Goal::Any,
            then: None,
            classic: Choices::default(),
            limits: Limits::default(),
            threads: 1,
            share: Share::default(),
            certify: false,
            disk: None,
            known: None,
        }
    }
}

impl Config {
    /// Whether the proof is to leave something behind.
    pub(crate) fn is_durable(&self) -> bool {
        self.certify || self.disk.is_some()
    }

    /// Refuses a second goal that the first leaves no room for, or that the search asked for does not look at.
    pub(crate) fn check_second_goal(&self) -> Result<(), SolveError> {
        let Some(then) = self.then else { return Ok(()) };
        let goal = self.goal;
        Err(match (goal, then) {
            (Goal::Moves, Goal::Pushes) | (Goal::Pushes, Goal::Moves) if self.classic.are_open() => return Ok(()),
            (Goal::Moves, Goal::Pushes) | (Goal::Pushes, Goal::Moves) => SolveError::SecondGoalOfClassic { goal, then },
            (_, Goal::Any) => SolveError::SecondGoalAny,
            (Goal::Any, _) => SolveError::SecondGoalOfAny { then },
            _ => SolveError::SecondGoalTwice { goal },
        })
    }
}

/// A folder for a proof.
///
/// ```
/// use lurd::{Config, DiskChoice, Goal};
/// let disk = DiskChoice { folder: "proof".into(), limit: Some(10 << 30), resume: false };
/// let config = Config { goal: Goal::Pushes, disk: Some(disk), ..Config::default() };
/// assert!(lurd::explain(&config).is_ok());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DiskChoice {
    /// The folder; it is made if need be, and belongs to one level.
    pub folder: PathBuf,
    /// The most bytes its files may take.
    pub limit: Option<u64>,
    /// Go on with what an earlier run left there.
    pub resume: bool,
}

/// Why a level cannot be worked on as asked.
///
/// ```
/// use lurd::{Config, Goal, SolveError};
/// let config = Config { goal: Goal::Moves, then: Some(Goal::Moves), ..Config::default() };
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
