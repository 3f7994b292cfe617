//! What lurd.exe is asked to do for a call, and what its result means to the host.

use crate::message::{Answered, Progress};
use crate::metric::{MOVES, PUSHES, SOLUTION, Wanted};
use crate::return_code::ReturnCode;
use crate::settings::Settings;
use crate::status::count;
use lurd_contract::{Ending, Goal, Proof, Request};
use std::time::Duration;

/// What ends each text on lurd's standard input, which stays open behind it (`lurd solve --attached`).
const END_MARK: char = '\u{4}';

/// What the optimizer minimises where neither the host nor anybody else says.
const OWN_CHOICE: Goal = Goal::Pushes;

/// The work of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Task {
    /// Find a solution.
    Solve {
        /// The board as lines.
        board: String,
        /// What to minimise, with proof; where the host does not say, the settings do.
        goal: Wanted,
    },
    /// Make the best of some games shorter.
    Optimize {
        /// The board as lines.
        board: String,
        /// What to minimise.
        metric: Goal,
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
    /// A call of the solver.
    pub fn solve(board: String, wanted: Wanted) -> Self {
        Self::Solve { board, goal: wanted }
    }

    /// A call of the optimizer.
    pub fn optimize(board: String, wanted: Wanted, games: Vec<String>) -> Self {
        Self::Optimize { board, metric: wanted.first.unwrap_or(OWN_CHOICE), games }
    }

    /// The command line of lurd.exe.
    pub fn arguments(&self, settings: &Settings) -> Vec<String> {
        let mut words: Vec<String> = match self {
            Self::Solve { .. } => vec!["solve".into(), "-".into(), "--format".into(), "xsb".into()],
            Self::Optimize { .. } => vec!["improve".into(), "-".into()],
        };
        let (request, given) = self.request(settings);
        words.extend(given.into_iter().map(|name| match request.words(name).as_str() {
            "true" => format!("--{}", name.replace('_', "-")),
            value => format!("--{}={value}", name.replace('_', "-")),
        }));
        words.extend(["--level=1", "--json", "--progress", "--attached"].map(str::to_owned));
        words
    }

    /// What is asked of lurd.exe, and which options are said.
    fn request(&self, settings: &Settings) -> (Request, Vec<&'static str>) {
        let mut request = settings.request.clone();
        let mut given = settings.given.clone();
        match self {
            Self::Solve { goal, .. } => {
                if let Some(first) = goal.first {
                    given.retain(|name| !["goal", "then"].contains(name));
                    (request.goal, request.then) = (first, None);
                    given.push("goal");
                    if goal.second {
                        request.then = Some(if first == Goal::Moves { Goal::Pushes } else { Goal::Moves });
                        given.push("then");
                    }
                }
            }
            Self::Optimize { metric, .. } => {
                given.retain(|name| ["threads", "memory_limit", "node_limit"].contains(name));
                request.goal = *metric;
                given.push("goal");
                request.limits.time = settings.optimizer_time;
                given.extend(settings.optimizer_time.map(|_| "time_limit"));
            }
        }
        (request, given)
    }

    /// The time limit of the settings.
    pub fn time_limit(&self, settings: &Settings) -> Option<Duration> {
        self.request(settings).0.limits.time
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
    pub fn answer(&self, answered: Answered) -> Answer {
        let states = answered.record.generated;
        let answer = match self {
            Self::Solve { .. } => solved(answered),
            Self::Optimize { metric, .. } => optimized(*metric, answered),
        };
        Answer { states, ..answer }
    }
}

fn solved(answered: Answered) -> Answer {
    let record = answered.record;
    if let Some(game) = record.solution {
        let lengths = lengths(record.pushes.unwrap_or_default(), record.moves.unwrap_or_default());
        let (flag, proof) = match record.proof {
            Proof::OptimalMoves => (MOVES, ", the fewest moves (proved)"),
            Proof::OptimalPushes => (PUSHES, ", the fewest pushes (proved)"),
            _ => (0, ""),
        };
        let text = format!("solved: {lengths}{proof}");
        return Answer::with_game(game, SOLUTION | flag, text);
    }
    match (record.outcome, record.stopped_by.as_deref()) {
        (Ending::Unsolvable, _) => {
            Answer::without_game(ReturnCode::Unsolvable, "it is proved that there is no solution")
        }
        (Ending::Cancelled, _) => stopped(),
        (_, Some("time")) => timeout(),
        (_, Some(limit)) => Answer::without_game(ReturnCode::GaveUp, format!("stopped by the limit on {limit}")),
        (_, None) => Answer::without_game(ReturnCode::GaveUp, "nothing found"),
    }
}

fn optimized(metric: Goal, answered: Answered) -> Answer {
    let record = answered.record;
    let (Some(game), Some(pushes), Some(moves)) = (record.solution, record.pushes, record.moves) else {
        return Answer::without_game(ReturnCode::Failure, "lurd.exe did not say what it found");
    };
    let order = |pushes, moves| match metric {
        Goal::Moves => (moves, pushes),
        _ => (pushes, moves),
    };
    let before = order(answered.pushes_before.unwrap_or(pushes), answered.moves_before.unwrap_or(moves));
    if order(pushes, moves) < before {
        let flags = SOLUTION | if metric == Goal::Moves { MOVES } else { PUSHES };
        let text = format!("better: {}", lengths(pushes, moves));
        return Answer::with_game(game, flags, text);
    }
    let text = if answered.exhausted { "it is proved that nothing better exists" } else { "nothing better found" };
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

fn lengths(pushes: usize, moves: usize) -> String {
    format!("{} pushes, {} moves", count(pushes as u64), count(moves as u64))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metric::wanted;
    use lurd_contract::Record;

    fn solve(flags: u32) -> Task {
        Task::solve("#\n".into(), wanted(flags).unwrap())
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
        let end = " --level=1 --json --progress --attached";
        assert_eq!(line(&solve(0), &none), format!("solve - --format xsb{end}"));
        assert_eq!(line(&solve(4), &none), format!("solve - --format xsb --goal=pushes{end}"));
        assert_eq!(line(&solve(258), &none), format!("solve - --format xsb --goal=moves --then=pushes{end}"));
        assert_eq!(line(&optimize(0), &none), format!("improve - --goal=pushes{end}"));
        assert_eq!(line(&optimize(2), &none), format!("improve - --goal=moves{end}"));
    }

    #[test]
    fn settings_become_switches() {
        let mut request = Request::default();
        for (name, value) in [("threads", "2"), ("memory_limit", "64MiB"), ("goal", "moves"), ("time_limit", "7")] {
            request.set(name, &value.into()).unwrap();
        }
        let settings = Settings {
            request,
            given: vec!["threads", "memory_limit", "goal", "time_limit"],
            optimizer_time: Some(Duration::from_secs(9)),
        };
        let (solver, optimizer) = (line(&solve(1), &settings), line(&optimize(4), &settings));
        assert!(solver.contains("--threads=2 --memory-limit=67108864 --goal=moves --time-limit=7.0"), "{solver}");
        assert!(optimizer.contains("--goal=pushes --time-limit=9.0"), "{optimizer}");
        assert!(line(&solve(4), &settings).contains("--goal=pushes"), "the host decides where it says");
    }

    #[test]
    fn games_stand_under_the_board() {
        assert_eq!(optimize(0).input(), "#\n\nSolution\nrR\n\nSolution\nlL\n\u{4}");
    }

    #[test]
    fn every_ending_has_its_code() {
        let task = solve(0);
        let code = |outcome: Ending, stopped_by: Option<&str>| {
            let record = Record { outcome, stopped_by: stopped_by.map(str::to_owned), ..Record::default() };
            task.answer(Answered { record, ..Answered::default() }).code
        };
        assert_eq!(code(Ending::Unsolvable, None), ReturnCode::Unsolvable);
        assert_eq!(code(Ending::Cancelled, None), ReturnCode::Stopped);
        assert_eq!(code(Ending::Stopped, Some("time")), ReturnCode::Timeout);
        assert_eq!(code(Ending::Stopped, Some("memory")), ReturnCode::GaveUp);
        assert_eq!(code(Ending::Stopped, None), ReturnCode::GaveUp);
    }

    #[test]
    fn a_solution_is_kept_whatever_ended_the_search() {
        let record = Record {
            outcome: Ending::Cancelled,
            solution: Some("rR".into()),
            proof: Proof::OptimalMoves,
            ..Record::default()
        };
        let answer = solve(2).answer(Answered { record, ..Answered::default() });
        assert_eq!((answer.code, answer.flags), (ReturnCode::Success, Some(SOLUTION | MOVES)));
    }

    #[test]
    fn only_a_better_game_is_a_success_of_the_optimizer() {
        let ending = |pushes, moves| Answered {
            record: Record {
                solution: Some("R".into()),
                pushes: Some(pushes),
                moves: Some(moves),
                ..Record::default()
            },
            pushes_before: Some(10),
            moves_before: Some(20),
            ..Answered::default()
        };
        assert_eq!(optimize(2).answer(ending(11, 19)).code, ReturnCode::Success);
        assert_eq!(optimize(4).answer(ending(10, 19)).code, ReturnCode::Success);
        assert_eq!(optimize(4).answer(ending(10, 20)).code, ReturnCode::GaveUp);
        assert_eq!(optimize(4).answer(Answered::default()).code, ReturnCode::Failure);
    }
}
