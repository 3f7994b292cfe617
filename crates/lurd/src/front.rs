//! One call each for what most programs want.

use crate::formats::{self, Collection, ReadError};
use crate::{Deadlocks, DetectorName, Goal, Level, Place, Report, SolveError, Solver};
use lurd_base::Budget;
use lurd_improve::{ImproveError, Improved};
use lurd_referee::{Fault, Verdict};
use lurd_rules::{Board, BoardError, State};
use std::path::Path;

/// Why a file gave no levels.
///
/// ```
/// assert!(matches!(lurd::load("no-such-file.xsb"), Err(lurd::LoadError::Io(_))));
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LoadError {
    /// The file cannot be read.
    #[error("the file cannot be read: {0}")]
    Io(#[from] std::io::Error),
    /// It holds no sound level.
    #[error(transparent)]
    Read(#[from] ReadError),
}

/// Reads the levels of a text in any supported format, recognised by its content.
///
/// # Errors
/// When nothing in it is a sound level; the error says what is wrong and where.
///
/// ```
/// let collection = lurd::parse("; one\n#####\n#@$.#\n#####\n\n; two\n####\n#@*#\n####\n")?;
/// let titles: Vec<_> = collection.into_iter().filter_map(|level| level.title).collect();
/// assert_eq!(titles, ["one", "two"]);
/// # Ok::<(), lurd::formats::ReadError>(())
/// ```
pub fn parse(text: impl AsRef<[u8]>) -> Result<Collection, ReadError> {
    formats::read(text.as_ref(), None)
}

/// Reads the levels of a file in any supported format, recognised by its content.
///
/// # Errors
/// When the file cannot be read or nothing in it is a sound level.
///
/// ```no_run
/// for level in &lurd::load("levels.xsb")? {
///     println!("{:?}", lurd::solve(level)?.outcome);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn load(path: impl AsRef<Path>) -> Result<Collection, LoadError> {
    Ok(formats::read(&std::fs::read(path)?, None)?)
}

/// Finds any solution, without limits. [`Solver`] has them, and all other settings.
///
/// # Errors
/// When the level cannot be played.
///
/// ```
/// let level = lurd::Level::parse("#######\n#@ $ .#\n#######")?;
/// let report = lurd::solve(&level)?;
/// assert_eq!(report.solution.map(|solution| solution.lurd).as_deref(), Some("rRR"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn solve(level: &Level) -> Result<Report, SolveError> {
    Solver::new().solve(level)
}

/// Finds a solution with the fewest pushes or moves and proves that there is none with fewer, without limits.
///
/// # Errors
/// When the level cannot be played.
///
/// ```
/// use lurd::{Goal, Level, Proof};
/// let level = Level::parse("#######\n#@ $ .#\n#######")?;
/// assert_eq!(lurd::prove(&level, Goal::Moves)?.proof, Proof::OptimalMoves);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn prove(level: &Level, goal: Goal) -> Result<Report, SolveError> {
    Solver::new().goal(goal).solve(level)
}

/// Makes a solution shorter: first in `metric`, then in the other count. Spends what the budget allows.
///
/// # Errors
/// When the level cannot be played or the moves do not solve it.
///
/// ```
/// use lurd::{Budget, Level, improve::Metric};
/// let level = Level::parse("#######\n#@ $ .#\n#######")?;
/// let better = lurd::improve(&level, "rlrRR", Metric::Pushes, &Budget::unlimited())?;
/// assert_eq!(better.lurd, "rRR");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn improve(
    level: &Level,
    lurd: &str,
    metric: lurd_improve::Metric,
    budget: &Budget,
) -> Result<Improved, ImproveError> {
    lurd_improve::shorten(&level.map, lurd, metric, budget, &mut |_| ())
}

/// Replays moves by the bare rules, in code that shares nothing with the solver.
///
/// # Errors
/// The first move that breaks a rule.
///
/// ```
/// let level = lurd::Level::parse("#####\n#@$.#\n#####")?;
/// let verdict = lurd::check(&level, "R")?;
/// assert!(verdict.solved && verdict.pushes == 1);
/// assert!(lurd::check(&level, "L").is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn check(level: &Level, lurd: &str) -> Result<Verdict, Fault> {
    lurd_referee::judge(&level.map.to_string(), lurd)
}

/// Boxes that can never all be brought to goals.
///
/// ```
/// let level = lurd::Level::parse("######\n#@$$.#\n#  $.#\n#   .#\n######")?;
/// for lost in lurd::deadlocks(&level)? {
///     println!("{}: {:?}", lost.rule, lost.boxes);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LostBoxes {
    /// The rule that says so.
    pub rule: DetectorName,
    /// Where they stand on the level's map.
    pub boxes: Vec<Place>,
}

/// The deadlocks that simple rules see in a level as it stands. None found does not mean that it can be solved.
///
/// # Errors
/// When the level cannot be played.
///
/// ```
/// use lurd::{DetectorName, Level, Place};
/// let level = Level::parse("#####\n#$  #\n#@ .#\n#####")?;
/// let found = lurd::deadlocks(&level)?;
/// assert_eq!((found[0].rule, &found[0].boxes[..]), (DetectorName::Corner, &[Place { line: 2, column: 2 }][..]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn deadlocks(level: &Level) -> Result<Vec<LostBoxes>, BoardError> {
    let board = Board::new(&level.map)?;
    let State { boxes, player } = State::start(&board);
    let distances = Deadlocks::distances(&board);
    let mut rules = Deadlocks::new(&board, &distances);
    let place = |&square: &_| {
        let (row, column) = board.place(square);
        Place { line: row + 1, column: column + 1 }
    };
    let mut found: Vec<LostBoxes> = Vec::new();
    for pushed in boxes.iter() {
        if let Some(deadlock) = rules.after_push(&boxes, pushed, player) {
            let lost = LostBoxes { rule: deadlock.rule, boxes: deadlock.boxes.iter().map(place).collect() };
            if !found.contains(&lost) {
                found.push(lost);
            }
        }
    }
    Ok(found)
}
