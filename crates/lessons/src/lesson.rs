//! A lesson: a text, a level, and a task the program checks.

use crate::contest::{Contest, SearchPicture};
use lurd::{
    AlgorithmName, Board, Cancel, Choices, Deadlocks, DetectorName, Direction, EstimateName, FormulationName, Goal,
    Level, Request, State,
};
use lurd_cse::MethodCost;
use lurd_rules::deadlock::Detectors;

/// What the student is asked to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Task {
    /// Solve the level.
    Solve,
    /// Solve it with the fewest pushes there can be.
    FewestPushes,
    /// Lose the level by a push that this rule sees.
    Lose(DetectorName),
    /// Say which of two searches opens fewer positions on the level.
    FewerPositions(Contest),
    /// Say whether the estimate is ever above the true number of pushes on the level.
    IsAdmissible,
    /// Say which method opens fewer positions of the letter game.
    GameSearch,
}

/// What the student did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer<'a> {
    /// Moves on the lesson's level, in LURD.
    Play(&'a str),
    /// The option chosen, from 0.
    Option(usize),
}

/// What came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// Whether the task is done.
    pub done: bool,
    /// A sentence for the student, with the figures that were measured.
    pub words: String,
}

/// What there is to see of a lesson about search.
#[derive(Clone, Debug)]
pub enum Picture {
    /// What two searches opened on the lesson's level.
    Searches([SearchPicture; 2]),
    /// The estimates against the true distances, over all states of the lesson's level: see [`lurd::admissibility`].
    Estimates,
    /// What each method of the letter game looks at.
    Methods(Vec<MethodCost>),
}

/// Why an answer could not be checked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LessonError {
    /// Moves where an option was asked for, or the other way round.
    #[error("this task wants {0}")]
    WrongKind(&'static str),
    /// A move that breaks the rules, in the words of the referee.
    #[error("{0}")]
    Illegal(String),
    /// The check was stopped.
    #[error("the check was stopped")]
    Stopped,
}

/// A lesson. Its name is the address a teacher links to.
#[derive(Clone, Copy, Debug)]
pub struct Lesson {
    /// A short name without spaces, never changed.
    pub name: &'static str,
    /// The title.
    pub title: &'static str,
    /// What there is to learn.
    pub text: &'static str,
    /// The board in XSB.
    pub board: &'static str,
    /// The task.
    pub task: Task,
}

impl Lesson {
    /// The level of the lesson.
    pub fn level(&self) -> Option<Level> {
        let mut level = Level::parse(self.board).ok()?;
        level.title = Some(self.title.to_owned());
        Some(level)
    }

    /// The task in words.
    pub fn task_words(&self) -> String {
        match self.task {
            Task::Solve => "Solve the level.".into(),
            Task::FewestPushes => "Solve the level with as few pushes as can be.".into(),
            Task::Lose(rule) => format!("Lose the level on purpose: make {}.", rule.about()),
            Task::FewerPositions(_) => "Which search opens fewer positions on this level?".into(),
            Task::IsAdmissible => "Can the estimate at the start be above the fewest pushes?".into(),
            Task::GameSearch => "Which method looks at fewer positions of the letter game?".into(),
        }
    }

    /// The options to choose from; empty where the task is to play.
    pub fn options(&self) -> &'static [&'static str] {
        match self.task {
            Task::Solve | Task::FewestPushes | Task::Lose(_) => &[],
            Task::FewerPositions(contest) => contest.names(),
            Task::IsAdmissible => &["never", "sometimes"],
            Task::GameSearch => &["minimax", "alpha-beta"],
        }
    }

    /// Checks an answer. What is claimed is measured, not written down.
    ///
    /// # Errors
    /// When the answer is of the wrong kind or breaks the rules of the game, or the check is cancelled.
    pub fn check(&self, answer: &Answer<'_>, cancel: &Cancel) -> Result<Verdict, LessonError> {
        match (self.task, answer) {
            (Task::Solve | Task::FewestPushes | Task::Lose(_), Answer::Option(_)) => {
                Err(LessonError::WrongKind("moves"))
            }
            (Task::Solve | Task::FewestPushes, Answer::Play(moves)) => self.check_solution(moves, cancel),
            (Task::Lose(rule), Answer::Play(moves)) => self.check_loss(rule, moves),
            (_, Answer::Play(_)) => Err(LessonError::WrongKind("one of the options")),
            (task, Answer::Option(chosen)) => {
                let (figures, right) = self.measured(task, cancel).ok_or(LessonError::Stopped)?;
                let done = *chosen == right;
                let word = if done { "Right" } else { "No" };
                Ok(Verdict { done, words: format!("{word}: {figures}.") })
            }
        }
    }

    /// A picture of what the lesson is about. `None` for a lesson to be played, or when it is cancelled.
    pub fn picture(&self, cancel: &Cancel) -> Option<Picture> {
        match self.task {
            Task::Solve | Task::FewestPushes | Task::Lose(_) => None,
            Task::FewerPositions(contest) => contest.run(&self.level()?, cancel).map(Picture::Searches),
            Task::IsAdmissible => Some(Picture::Estimates),
            Task::GameSearch => Some(Picture::Methods(game_costs())),
        }
    }

    fn check_solution(&self, moves: &str, cancel: &Cancel) -> Result<Verdict, LessonError> {
        let level = self.level().ok_or(LessonError::Stopped)?;
        let verdict = lurd::check(&level, moves).map_err(|fault| LessonError::Illegal(fault.to_string()))?;
        if !verdict.solved {
            return Ok(Verdict { done: false, words: "Not yet: a box is off its goal.".into() });
        }
        if self.task == Task::Solve {
            return Ok(Verdict { done: true, words: format!("Solved with {} pushes.", verdict.pushes) });
        }
        let config = Request { goal: Goal::Pushes, ..Request::default() };
        let report = lurd::solve_with(&level, &config, cancel, &mut |_| ()).map_err(|_| LessonError::Stopped)?;
        let fewest = report.solution.ok_or(LessonError::Stopped)?.pushes;
        let done = verdict.pushes == fewest;
        let words = if done {
            format!("Solved with {fewest} pushes, and it is proved that nobody needs fewer.")
        } else {
            format!("Solved with {} pushes; {fewest} are enough.", verdict.pushes)
        };
        Ok(Verdict { done, words })
    }

    fn check_loss(&self, rule: DetectorName, moves: &str) -> Result<Verdict, LessonError> {
        let level = self.level().ok_or(LessonError::Stopped)?;
        lurd::check(&level, moves).map_err(|fault| LessonError::Illegal(fault.to_string()))?;
        let board = Board::new(&level.map).map_err(|_| LessonError::Stopped)?;
        let distances = Deadlocks::distances(&board);
        let mut rules = Detectors::new(&board, &distances, &[rule]);
        let mut state = State::start(&board);
        // The referee has replayed the moves: every one of them can be made.
        for direction in moves.chars().filter_map(Direction::from_letter) {
            if let Some(Some(push)) = state.step(&board, direction)
                && rules.verdict(&state.boxes, push.to(&board), push.from).is_some()
            {
                return Ok(Verdict { done: true, words: format!("That is it: {}.", rule.about()) });
            }
        }
        Ok(Verdict { done: false, words: "Not yet: the level is not lost in this way.".into() })
    }

    /// The figures of a question in words, and the right option.
    fn measured(&self, task: Task, cancel: &Cancel) -> Option<(String, usize)> {
        match task {
            Task::FewerPositions(contest) => {
                let [first, second] = contest.run(&self.level()?, cancel)?;
                let words = format!("{} opens {}, {} {}", first.name, first.expanded, second.name, second.expanded);
                Some((words, usize::from(second.expanded < first.expanded)))
            }
            Task::IsAdmissible => {
                let level = self.level()?;
                let choices = Choices {
                    algorithm: Some(AlgorithmName::AStar),
                    estimate: Some(EstimateName::NearestManhattan),
                    formulation: Some(FormulationName::Push),
                    ..Choices::default()
                };
                let config = Request { goal: Goal::Pushes, classic: choices, ..Request::default() };
                let report = lurd::solve_with(&level, &config, cancel, &mut |_| ()).ok()?;
                let solution = report.solution?;
                let estimate = lurd::steps(&level, &config, &solution.lurd).ok()?.first()?.h?;
                let fewest = solution.pushes;
                let words = format!(
                    "the estimate is {estimate}, the fewest pushes are {fewest}: a push moves one box one square, so no \
                     box comes nearer by more than one"
                );
                Some((words, usize::from(estimate as usize > fewest)))
            }
            Task::GameSearch => {
                let costs = game_costs();
                let nodes = |name: &str| costs.iter().find(|cost| cost.method == name).map(|cost| cost.nodes);
                let (minimax, alpha_beta) = (nodes("minimax")?, nodes("alpha-beta")?);
                let words =
                    format!("minimax looks at {minimax}, alpha-beta at {alpha_beta}, and both find the same value");
                Some((words, usize::from(alpha_beta < minimax)))
            }
            Task::Solve | Task::FewestPushes | Task::Lose(_) => None,
        }
    }
}

/// What each method looks at in the letter game, from its start.
fn game_costs() -> Vec<MethodCost> {
    lurd_cse::method_costs(&lurd_cse::Position::new(lurd_cse::Start::Left, lurd_search::game::Side::Max))
}
