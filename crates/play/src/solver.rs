//! A solver on a thread of its own, for hints and for "solve from here".

use crate::background::Background;
use lurd::{Level, Outcome, Progress, Request, Solution};
use lurd_base::Limits;
use lurd_base::sync::lock;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// How long a hint may take: nobody waits longer for one.
const TIME: Duration = Duration::from_secs(120);
/// What a hint may use.
const MEMORY: usize = 1 << 30;

/// A solution from the position that was asked about, none where that is proved, or why nothing is known.
pub(crate) type Answer = Result<Option<Solution>, String>;

/// A solver at work. Dropping it stops it.
#[derive(Debug)]
pub(crate) struct Solver {
    pub(crate) work: Background<Option<Solution>>,
    progress: Arc<Mutex<Progress>>,
}

impl Solver {
    /// Starts work on a position.
    pub(crate) fn start(level: Level) -> Self {
        let progress = Arc::new(Mutex::new(Progress::default()));
        let told = progress.clone();
        let work = Background::start(move |cancel| {
            let limits = Limits { time: Some(TIME), memory: Some(MEMORY), nodes: None };
            let config = Request { limits, ..Request::default() };
            let mut tell = |progress: &Progress| *lock(&told) = progress.clone();
            let report = lurd::solve_with(&level, &config, &cancel, &mut tell).map_err(|error| error.to_string())?;
            match (report.outcome, report.solution) {
                (_, Some(solution)) => Ok(Some(solution)),
                (Outcome::Unsolvable, None) => Ok(None),
                (Outcome::Cancelled, None) => Err("the solver was stopped".to_owned()),
                (_, None) => Err("the solver found nothing within its limits".to_owned()),
            }
        });
        Self { work, progress }
    }

    /// States expanded, as it last said.
    pub(crate) fn expanded(&self) -> u64 {
        lock(&self.progress).expanded
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lurd::Map;

    #[test]
    fn it_solves_or_says_why_not() {
        let ask = |level: &str| Solver::start(Level::new(Map::from_xsb(level).unwrap())).work.wait();
        assert_eq!(ask("######\n#@$ .#\n######").unwrap().unwrap().lurd, "RR");
        assert_eq!(ask("######\n#$ @.#\n######"), Ok(None));
        assert!(ask("###\n#@#\n###\n#$#\n###").is_err());
    }
}
