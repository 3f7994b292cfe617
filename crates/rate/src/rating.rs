//! Everything that is measured about a level, and how it is measured.

use crate::choice::{Choice, choice};
use crate::decomposition::switches_between_halves;
use crate::plain::{self, Cost};
use crate::{Grade, Replay, metrics};
use lurd::{
    Board, BoardError, Budget, Cancel, Deadlocks, Goal, Level, Limits, Outcome, Progress, Proof, Report, Request,
    Solution, SolveError, Stop,
};
use serde::Serialize;
use utoipa::ToSchema;

/// How much work a rating may be.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Limits of each of the two proofs, and of the search for a solution where the proofs find none; the time is for all of
    /// them together. Without a time limit and with one thread a rating is the same on every machine.
    pub proof: Limits,
    /// Positions each plain search may generate; 0 leaves these searches out.
    pub plain_nodes: u64,
    /// Threads that work on a proof.
    pub threads: usize,
}

impl Default for Effort {
    fn default() -> Self {
        let proof = Limits { nodes: Some(2_000_000), ..Limits::default() };
        Self { proof, plain_nodes: 200_000, threads: 1 }
    }
}

/// The length of the best solution known, and what no solution is below.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Length {
    /// The best known.
    pub best: usize,
    /// The proved lower bound; 0 where nothing is proved.
    pub lower: u32,
}

impl Length {
    /// Whether the best known is proved to be the best there is.
    pub fn is_proved(self) -> bool {
        self.lower as usize == self.best
    }
}

impl std::fmt::Display for Length {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match (self.is_proved(), self.lower) {
            (true, _) => write!(f, "{}", self.best),
            (false, 0) => write!(f, "at most {}", self.best),
            (false, lower) => write!(f, "{lower} to {}", self.best),
        }
    }
}

/// What was measured about a level. The figures of a solution are those of the solution with the fewest pushes known.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[non_exhaustive]
pub struct Rating {
    /// The solution the figures belong to.
    #[serde(skip)]
    pub solution: Solution,
    /// Fewest pushes.
    pub pushes: Length,
    /// Fewest moves.
    pub moves: Length,
    /// Boxes the player can reach.
    pub boxes: usize,
    /// Squares of the floor.
    pub squares: usize,
    /// See [`metrics::box_lines`].
    pub box_lines: usize,
    /// See [`metrics::box_changes`].
    pub box_changes: usize,
    /// See [`metrics::pushing_sessions`].
    pub pushing_sessions: usize,
    /// See [`metrics::player_lines`].
    pub player_lines: usize,
    /// See [`metrics::boxes_pushed`].
    pub boxes_pushed: usize,
    /// See [`metrics::counterintuitive_pushes`].
    pub counterintuitive_pushes: usize,
    /// See [`switches_between_halves`].
    pub switches_between_halves: usize,
    /// See [`Choice::mean`].
    pub choice: f64,
    /// See [`Choice::traps`].
    pub traps: usize,
    /// See [`Choice::losing_pushes`].
    pub losing_pushes: usize,
    /// See [`metrics::dead_share`].
    pub dead_share: f64,
    /// See [`plain::breadth_first`].
    pub breadth_first: Option<Cost>,
    /// See [`plain::student_a_star`].
    pub student_a_star: Option<Cost>,
    /// The grade.
    pub grade: Grade,
}

/// Why a level has no rating.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RateError {
    /// The level cannot be played, or the limits contradict each other.
    #[error(transparent)]
    Solve(#[from] SolveError),
    /// The level cannot be played.
    #[error(transparent)]
    Board(#[from] BoardError),
    /// There is no solution.
    #[error("it is proved that the level has no solution, so there is nothing to rate")]
    Unsolvable,
    /// No solution was found within the limits.
    #[error("no solution was found within the limit on {}, and the figures are those of a solution", .0.name())]
    Stopped(Stop),
    /// The search gave up, which proves nothing.
    #[error("no solution was found, and the figures are those of a solution")]
    NotFound,
    /// It was asked to stop.
    #[error("the rating was stopped")]
    Cancelled,
    /// The moves given do not solve the level.
    #[error("the moves do not solve the level")]
    WrongSolution,
}

impl RateError {
    fn of(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Unsolvable => Self::Unsolvable,
            Outcome::Stopped(stop) => Self::Stopped(stop),
            Outcome::Cancelled => Self::Cancelled,
            Outcome::Solved | Outcome::Exhausted => Self::NotFound,
        }
    }
}

/// Proves what the effort allows and measures the level. `progress` is called a few times a second.
///
/// # Errors
/// When the level cannot be played, has no solution, or none is found within the effort.
pub fn rate(
    level: &Level,
    effort: &Effort,
    cancel: &Cancel,
    progress: &mut dyn FnMut(&Progress),
) -> Result<Rating, RateError> {
    let budget = Budget::new(effort.proof, cancel.clone());
    let mut solve = |goal| {
        let time = effort.proof.time.map(|time| time.saturating_sub(budget.elapsed()));
        let limits = Limits { time, ..effort.proof };
        let config = Request { goal, limits, threads: effort.threads, ..Request::default() };
        lurd::solve_with(level, &config, cancel, progress)
    };
    let by_pushes = solve(Goal::Pushes)?;
    if by_pushes.outcome == Outcome::Unsolvable {
        return Err(RateError::Unsolvable);
    }
    let found = match by_pushes.solution.clone() {
        Some(solution) => solution,
        None => {
            let any = solve(Goal::Any)?;
            any.solution.ok_or(RateError::of(any.outcome))?
        }
    };
    let by_moves = solve(Goal::Moves)?;
    let lower = |report: &Report, wanted: Proof| match report.lower_bound {
        Some(bound) => bound,
        None if report.proof == wanted => report.solution.as_ref().map_or(0, |solution| match wanted {
            Proof::OptimalMoves => solution.moves as u32,
            _ => solution.pushes as u32,
        }),
        None => 0,
    };
    let pushes = Length { best: found.pushes, lower: lower(&by_pushes, Proof::OptimalPushes) };
    let fewest = by_moves.solution.as_ref().map_or(found.moves, |solution| solution.moves.min(found.moves));
    let moves = Length { best: fewest, lower: lower(&by_moves, Proof::OptimalMoves) };
    measure(level, found, pushes, moves, effort.plain_nodes, cancel)
}

/// Measures a level by a solution that is known, without proofs: for searches that rate many levels.
///
/// # Errors
/// When the level cannot be played or the moves do not solve it.
pub fn rate_solution(level: &Level, lurd: &str, plain_nodes: u64, cancel: &Cancel) -> Result<Rating, RateError> {
    let verdict = lurd::check(level, lurd).ok().filter(|verdict| verdict.solved).ok_or(RateError::WrongSolution)?;
    let solution = Solution { lurd: verdict.lurd, moves: verdict.moves, pushes: verdict.pushes };
    let length = |best| Length { best, lower: 0 };
    let (pushes, moves) = (length(solution.pushes), length(solution.moves));
    measure(level, solution, pushes, moves, plain_nodes, cancel)
}

fn measure(
    level: &Level,
    solution: Solution,
    pushes: Length,
    moves: Length,
    plain_nodes: u64,
    cancel: &Cancel,
) -> Result<Rating, RateError> {
    let board = Board::new(&level.map)?;
    let distances = Deadlocks::distances(&board);
    let replay = Replay::new(&board, &solution.lurd).map_err(|_| RateError::WrongSolution)?;
    let Choice { mean, traps, losing_pushes } = choice(&board, &distances, &replay);
    let plain = |search: fn(&Level, u64, &Cancel) -> Option<Cost>| {
        if plain_nodes == 0 { None } else { search(level, plain_nodes, cancel) }
    };
    let mut rating = Rating {
        pushes,
        moves,
        boxes: board.goals().len(),
        squares: board.len(),
        box_lines: metrics::box_lines(&replay),
        box_changes: metrics::box_changes(&replay),
        pushing_sessions: metrics::pushing_sessions(&replay),
        player_lines: metrics::player_lines(&replay),
        boxes_pushed: metrics::boxes_pushed(&replay),
        counterintuitive_pushes: metrics::counterintuitive_pushes(&board, &distances, &replay),
        switches_between_halves: switches_between_halves(&replay),
        choice: mean,
        traps,
        losing_pushes,
        dead_share: metrics::dead_share(&board, &distances),
        breadth_first: plain(plain::breadth_first),
        student_a_star: plain(plain::student_a_star),
        solution,
        grade: Grade::default(),
    };
    if cancel.is_cancelled() {
        return Err(RateError::Cancelled);
    }
    rating.grade = Grade::of(&rating);
    Ok(rating)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn level(text: &str) -> Level {
        Level::parse(text).unwrap()
    }

    #[test]
    fn a_small_level_is_proved_and_measured() {
        let room = level("########\n#      #\n#@ $  .#\n# $ .  #\n########");
        let rating = rate(&room, &Effort::default(), &Cancel::new(), &mut |_| ()).unwrap();
        assert!(rating.pushes.is_proved() && rating.moves.is_proved(), "{rating:?}");
        assert_eq!((rating.boxes, rating.boxes_pushed, rating.pushes.best), (2, 2, 5));
        assert!(rating.breadth_first.unwrap().expanded > rating.student_a_star.unwrap().expanded);
        let again = rate_solution(&room, &rating.solution.lurd, 0, &Cancel::new()).unwrap();
        assert_eq!((again.box_lines, again.player_lines), (rating.box_lines, rating.player_lines));
        assert_eq!(again.pushes.to_string(), "at most 5");
    }

    #[test]
    fn what_cannot_be_rated_says_why() {
        let fails = |text: &str, effort: &Effort| {
            rate(&level(text), effort, &Cancel::new(), &mut |_| ()).unwrap_err().to_string()
        };
        assert!(fails("#####\n#$  #\n#@ .#\n#####", &Effort::default()).contains("no solution"));
        let nothing = Effort {
            proof: Limits { time: Some(std::time::Duration::ZERO), ..Limits::default() },
            ..Effort::default()
        };
        assert!(fails("######\n#@ $.#\n######", &nothing).contains("limit on time"));
        let easy = level("#####\n#@$.#\n#####");
        assert!(matches!(rate_solution(&easy, "", 0, &Cancel::new()), Err(RateError::WrongSolution)));
        let cancel = Cancel::new();
        cancel.cancel();
        assert!(matches!(rate(&easy, &Effort::default(), &cancel, &mut |_| ()), Err(RateError::Cancelled)));
    }
}
