//! What lurd.exe is asked to do for a call, and what its result means to the host.

use crate::message::{Ending, Progress};
use crate::metric::{MOVES, Metric, PUSHES, SOLUTION, Wanted};
use crate::return_code::ReturnCode;
use crate::settings::Settings;
use crate::status::count;
use std::num::NonZeroU32;
use std::time::Duration;

/// What ends each text on lurd's standard input, which stays open behind it (`lurd solve --attached`).
const END_MARK: char = '\u{4}';

/// What the optimizer minimises where neither the host nor anybody else says.
const OWN_CHOICE: Metric = Metric::Pushes;

/// The work of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Task {
    /// Find a solution.
    Solve {
        /// The board as lines.
        board: String,
        /// What to minimise, with proof; none takes any solution.
        goal: Wanted,
    },
    /// Make the best of some games shorter.
    Optimize {
        /// The board as lines.
        board: String,
        /// What to minimise.
        metric: Metric,
        /// The games.
        games: Vec<String>,
    },
}

/// What a call returns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The result.
    pub code: ReturnCode,
    /// What goes into the host's buffer.
    pub game: Option<String>,
    /// What the game is; `None` leaves the host's flags.
    pub flags: Option<u32>,
    /// A sentence for the status text.
    pub text: String,
    /// Positions generated, where lurd.exe has told them.
    pub states: u64,
}

impl Answer {
    fn with_game(game: String, flags: u32, text: String) -> Self {
        Self { code: ReturnCode::Success, game: Some(game), flags: Some(flags), text, states: 0 }
    }

    /// An answer without a game.
    pub fn without_game(code: ReturnCode, text: impl Into<String>) -> Self {
        Self { code, game: None, flags: None, text: text.into(), states: 0 }
    }
}

impl Task {
    /// A call of the solver. The settings choose where the host does not.
    pub fn solve(board: String, wanted: Wanted, settings: &Settings) -> Self {
        let first = wanted.first.or(settings.solver_goal.metric());
        Self::Solve { board, goal: Wanted { first, second: wanted.second } }
    }

    /// A call of the optimizer.
    pub fn optimize(board: String, wanted: Wanted, games: Vec<String>) -> Self {
        Self::Optimize { board, metric: wanted.first.unwrap_or(OWN_CHOICE), games }
    }

    /// The command line of lurd.exe.
    pub fn arguments(&self, settings: &Settings) -> Vec<String> {
        let mut words = match self {
            Self::Solve { goal, .. } => {
                let mut words = vec!["solve", "-", "--format", "xsb"];
                if let Some(first) = goal.first {
                    words.extend(["--goal", first.name()]);
                    if goal.second {
                        words.extend(["--then", first.other().name()]);
                    }
                }
                words
            }
            Self::Optimize { metric, .. } => vec!["improve", "-", "--goal", metric.name()],
        };
        words.extend(["--level", "1", "--json", "--progress", "--attached"]);
        let mut words: Vec<String> = words.into_iter().map(str::to_owned).collect();
        let mut option =
            |name: &str, value: Option<String>| words.extend(value.map(|value| format!("--{name}={value}")));
        option("threads", settings.threads.map(|threads| threads.to_string()));
        option("memory-limit", settings.memory_mib.map(|size| format!("{size}MiB")));
        option("time-limit", self.seconds(settings).map(|seconds| seconds.to_string()));
        words
    }

    /// The time limit of the settings.
    pub fn time_limit(&self, settings: &Settings) -> Option<Duration> {
        self.seconds(settings).map(|seconds| Duration::from_secs(seconds.get().into()))
    }

    fn seconds(&self, settings: &Settings) -> Option<NonZeroU32> {
        match self {
            Self::Solve { .. } => settings.solver_seconds,
            Self::Optimize { .. } => settings.optimizer_seconds,
        }
    }

    /// What lurd.exe reads.
    pub fn input(&self) -> String {
        match self {
            Self::Solve { board, .. } => format!("{board}{END_MARK}"),
            Self::Optimize { board, games, .. } => {
                let games: String = games.iter().map(|game| format!("\nSolution\n{game}\n")).collect();
                format!("{board}{games}{END_MARK}")
            }
        }
    }

    /// What to say while it runs.
    pub fn progress(&self, progress: &Progress) -> String {
        let mut parts = Vec::new();
        if let (Some(pushes), Some(moves)) = (progress.pushes, progress.moves) {
            parts.push(format!("best so far: {}", lengths(pushes, moves)));
        }
        if let Some(generated) = progress.generated {
            parts.push(format!("{} positions", count(generated)));
        }
        if let Some(bound) = progress.lower_bound {
            parts.push(format!("no solution is below {}", count(bound)));
        }
        if parts.is_empty() { "searching".to_owned() } else { parts.join(", ") }
    }

    /// What the result of lurd.exe means. A game is never lost: where there is one the call has succeeded, whatever
    /// ended the search.
    pub fn answer(&self, ending: Ending) -> Answer {
        let states = ending.generated;
        let answer = match self {
            Self::Solve { .. } => solved(ending),
            Self::Optimize { metric, .. } => optimized(*metric, ending),
        };
        Answer { states, ..answer }
    }
}

fn solved(ending: Ending) -> Answer {
    if let Some(game) = ending.solution {
        let lengths = lengths(ending.pushes.unwrap_or_default(), ending.moves.unwrap_or_default());
        let (flag, proof) = match ending.proof.as_deref() {
            Some("optimal-moves") => (MOVES, ", the fewest moves (proved)"),
            Some("optimal-pushes") => (PUSHES, ", the fewest pushes (proved)"),
            _ => (0, ""),
        };
        let text = format!("solved: {lengths}{proof}");
        return Answer::with_game(game, SOLUTION | flag, text);
    }
    match (ending.outcome.as_deref(), ending.stopped_by.as_deref()) {
        (Some("unsolvable"), _) => {
            Answer::without_game(ReturnCode::Unsolvable, "it is proved that there is no solution")
        }
        (Some("cancelled"), _) => stopped(),
        (_, Some("time")) => timeout(),
        (_, Some(limit)) => Answer::without_game(ReturnCode::GaveUp, format!("stopped by the limit on {limit}")),
        (_, None) => Answer::without_game(ReturnCode::GaveUp, "nothing found"),
    }
}

fn optimized(metric: Metric, ending: Ending) -> Answer {
    let (Some(game), Some(pushes), Some(moves)) = (ending.solution, ending.pushes, ending.moves) else {
        return Answer::without_game(ReturnCode::Failure, "lurd.exe did not say what it found");
    };
    let order = |pushes, moves| match metric {
        Metric::Moves => (moves, pushes),
        Metric::Pushes => (pushes, moves),
    };
    let before = order(ending.pushes_before.unwrap_or(pushes), ending.moves_before.unwrap_or(moves));
    if order(pushes, moves) < before {
        let flags = SOLUTION | if metric == Metric::Moves { MOVES } else { PUSHES };
        let text = format!("better: {}", lengths(pushes, moves));
        return Answer::with_game(game, flags, text);
    }
    let text = if ending.exhausted { "it is proved that nothing better exists" } else { "nothing better found" };
    Answer::without_game(ReturnCode::GaveUp, text)
}

/// The answer to a host that asked for a stop.
pub fn stopped() -> Answer {
    Answer::without_game(ReturnCode::Stopped, "stopped")
}

/// The answer when the time is up.
pub fn timeout() -> Answer {
    Answer::without_game(ReturnCode::Timeout, "the time limit of the settings was reached")
}

fn lengths(pushes: u64, moves: u64) -> String {
    format!("{} pushes, {} moves", count(pushes), count(moves))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metric::wanted;

    fn solve(flags: u32, settings: &Settings) -> Task {
        Task::solve("#\n".into(), wanted(flags).unwrap(), settings)
    }

    fn optimize(flags: u32) -> Task {
        Task::optimize("#\n".into(), wanted(flags).unwrap(), vec!["rR".into(), "lL".into()])
    }

    fn line(task: &Task, settings: &Settings) -> String {
        task.arguments(settings).join(" ")
    }

    #[test]
    fn goals_become_switches() {
        let none = Settings::default();
        let end = " --level 1 --json --progress --attached";
        assert_eq!(line(&solve(0, &none), &none), format!("solve - --format xsb{end}"));
        assert_eq!(line(&solve(4, &none), &none), format!("solve - --format xsb --goal pushes{end}"));
        assert_eq!(line(&solve(258, &none), &none), format!("solve - --format xsb --goal moves --then pushes{end}"));
        assert_eq!(line(&optimize(0), &none), format!("improve - --goal pushes{end}"));
        assert_eq!(line(&optimize(2), &none), format!("improve - --goal moves{end}"));
    }

    #[test]
    fn settings_become_switches() {
        let number = NonZeroU32::new;
        let settings = Settings {
            threads: number(2),
            memory_mib: number(64),
            solver_goal: crate::settings::SolverGoal::Moves,
            solver_seconds: number(7),
            optimizer_seconds: number(9),
        };
        let (solver, optimizer) = (line(&solve(1, &settings), &settings), line(&optimize(4), &settings));
        assert!(solver.contains("--goal moves") && solver.ends_with("--threads=2 --memory-limit=64MiB --time-limit=7"));
        assert!(optimizer.contains("--goal pushes") && optimizer.ends_with("--time-limit=9"));
        assert!(line(&solve(4, &settings), &settings).contains("--goal pushes"), "the host decides where it says");
    }

    #[test]
    fn games_stand_under_the_board() {
        assert_eq!(optimize(0).input(), "#\n\nSolution\nrR\n\nSolution\nlL\n\u{4}");
    }

    #[test]
    fn every_ending_has_its_code() {
        let task = solve(0, &Settings::default());
        let code = |outcome: &str, stopped_by: Option<&str>| {
            let ending = Ending {
                outcome: Some(outcome.into()),
                stopped_by: stopped_by.map(str::to_owned),
                ..Ending::default()
            };
            task.answer(ending).code
        };
        assert_eq!(code("unsolvable", None), ReturnCode::Unsolvable);
        assert_eq!(code("cancelled", None), ReturnCode::Stopped);
        assert_eq!(code("stopped", Some("time")), ReturnCode::Timeout);
        assert_eq!(code("stopped", Some("memory")), ReturnCode::GaveUp);
        assert_eq!(code("stopped", None), ReturnCode::GaveUp);
    }

    #[test]
    fn a_solution_is_kept_whatever_ended_the_search() {
        let ending = Ending {
            outcome: Some("cancelled".into()),
            solution: Some("rR".into()),
            proof: Some("optimal-moves".into()),
            ..Ending::default()
        };
        let answer = solve(2, &Settings::default()).answer(ending);
        assert_eq!((answer.code, answer.flags), (ReturnCode::Success, Some(SOLUTION | MOVES)));
    }

    #[test]
    fn only_a_better_game_is_a_success_of_the_optimizer() {
        let ending = |pushes, moves| Ending {
            solution: Some("R".into()),
            pushes: Some(pushes),
            moves: Some(moves),
            pushes_before: Some(10),
            moves_before: Some(20),
            ..Ending::default()
        };
        assert_eq!(optimize(2).answer(ending(11, 19)).code, ReturnCode::Success);
        assert_eq!(optimize(4).answer(ending(10, 19)).code, ReturnCode::Success);
        assert_eq!(optimize(4).answer(ending(10, 20)).code, ReturnCode::GaveUp);
        assert_eq!(optimize(4).answer(Ending::default()).code, ReturnCode::Failure);
    }
}
