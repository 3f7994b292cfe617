//! A solver on a thread of its own, for hints and for "solve from here".

use lurd::Level;
use lurd::{Config, Outcome, Progress, Solution};
use lurd_search::{Cancel, Limits};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::time::{Duration, Instant};

/// How long a hint may take: nobody waits longer for one.
const TIME: Duration = Duration::from_secs(120);
/// What a hint may use.
const MEMORY: usize = 1 << 30;

/// How the work ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// A solution from the position that was asked about.
    Solved(Solution),
    /// It is proved that there is none.
    Unsolvable,
    /// Nothing is known, and this is why.
    Unknown(String),
}

enum News {
    Progress(Progress),
    Done(Answer),
}

/// A solver at work. Dropping it stops it.
#[derive(Debug)]
pub struct Solver {
    cancel: Cancel,
    news: Receiver<News>,
    started: Instant,
    progress: Progress,
}

impl Solver {
    /// Starts work on a position.
    pub fn start(level: Level) -> Self {
        let cancel = Cancel::new();
        let (sender, news) = channel();
        let watched = cancel.clone();
        std::thread::spawn(move || {
            let limits = Limits { time: Some(TIME), memory: Some(MEMORY), nodes: None };
            let config = Config { limits, ..Config::default() };
            let mut tell = |progress: &Progress| {
                let _ = sender.send(News::Progress(progress.clone()));
            };
            // A fault of the solver must not take the player's game with it.
            let result = catch_unwind(AssertUnwindSafe(|| lurd::solve_with(&level, &config, &watched, &mut tell)));
            let answer = match result {
                Ok(Ok(report)) => match (report.outcome, report.solution) {
                    (_, Some(solution)) => Answer::Solved(solution),
                    (Outcome::Unsolvable, None) => Answer::Unsolvable,
                    (Outcome::Cancelled, None) => Answer::Unknown("the solver was stopped".into()),
                    (_, None) => Answer::Unknown("the solver found nothing within its limits".into()),
                },
                Ok(Err(error)) => Answer::Unknown(error.to_string()),
                Err(_) => Answer::Unknown("the solver failed".into()),
            };
            let _ = sender.send(News::Done(answer));
        });
        Self { cancel, news, started: Instant::now(), progress: Progress::default() }
    }

    /// What has come in, without waiting: the answer, once there is one.
    pub fn poll(&mut self) -> Option<Answer> {
        loop {
            match self.news.try_recv() {
                Ok(News::Progress(progress)) => self.progress = progress,
                Ok(News::Done(answer)) => return Some(answer),
                Err(TryRecvError::Empty) => return None,
                Err(TryRecvError::Disconnected) => return Some(Answer::Unknown("the solver failed".into())),
            }
        }
    }

    /// Waits for the answer.
    pub fn wait(&mut self) -> Answer {
        loop {
            match self.news.recv() {
                Ok(News::Progress(progress)) => self.progress = progress,
                Ok(News::Done(answer)) => return answer,
                Err(_) => return Answer::Unknown("the solver failed".into()),
            }
        }
    }

    /// Time since the start.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// What it last said of itself.
    pub fn progress(&self) -> &Progress {
        &self.progress
    }
}

impl Drop for Solver {
    fn drop(&mut self) {
        self.cancel.cancel();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lurd::Map;

    fn ask(level: &str) -> Answer {
        Solver::start(Level::new(Map::from_xsb(level).unwrap())).wait()
    }

    #[test]
    fn it_solves_or_says_why_not() {
        let level = "######\n#@$ .#\n######";
        assert!(matches!(ask(level), Answer::Solved(solution) if solution.lurd == "RR"));
        assert_eq!(ask("######\n#$ @.#\n######"), Answer::Unsolvable);
        assert!(matches!(ask("###\n#@#\n###\n#$#\n###"), Answer::Unknown(_)));
    }
}
