//! Results in a file while they are still being found.
//!
//! A thread writes the file again whenever something new has come in, so that a program that is killed loses the level
//! under way and nothing else. It rests for a multiple of what a write takes: large files are not written all the time.

use crate::exit::{Failure, complain};
use crate::input::Source;
use crate::output::{Answer, Answers, Stage, Target};
use lurd::Level;
use lurd::formats::Collection;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::{Builder, JoinHandle};
use std::time::{Duration, Instant};

/// The rest after a write, as a multiple of its time, and at most.
const REST: u32 = 10;
const LONGEST_REST: Duration = Duration::from_secs(1);

/// The levels whose solutions are written, and where.
#[derive(Clone, Debug)]
pub struct SolvedFile {
    /// Where they go.
    pub target: Target,
    /// Where they come from.
    pub source: Source,
    /// All levels of the source.
    pub collection: Collection,
    /// The numbers of those that were chosen, in their order.
    pub chosen: Vec<usize>,
}

impl SolvedFile {
    fn write(&self, answers: &Answers, stage: Stage) -> Result<(), Failure> {
        let levels = &self.collection.levels;
        let by_number = |number| levels.binary_search_by_key(number, |level| level.number).ok();
        let chosen: Vec<&Level> = self.chosen.iter().filter_map(by_number).map(|at| &levels[at]).collect();
        self.target.write_solved(&self.collection, &chosen, &self.source, answers, stage)
    }
}

/// Keeps a file of results up to date.
#[derive(Debug)]
pub struct Saver {
    news: Sender<(usize, Answer)>,
    thread: JoinHandle<Result<(), Failure>>,
}

impl Saver {
    /// Begins with the solutions that are known. Nothing is written until a new one comes in.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub fn start(file: SolvedFile, known: Answers) -> Result<Self, Failure> {
        let (news, inbox) = channel();
        let started = Builder::new().name("saver".into()).spawn(move || keep(&file, known, &inbox));
        let thread = started.map_err(|error| Failure::usage(format!("the system gives no thread: {error}")))?;
        Ok(Self { news, thread })
    }

    /// Takes a solution of a level, in place of what was known.
    pub fn found(&self, level: usize, answer: Answer) {
        // The thread ends only when this sender does.
        let _ = self.news.send((level, answer));
    }

    /// Writes the file for the last time.
    ///
    /// # Errors
    /// A sentence, when it cannot be written.
    pub fn finish(self) -> Result<(), Failure> {
        drop(self.news);
        self.thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    }
}

fn keep(file: &SolvedFile, mut answers: Answers, inbox: &Receiver<(usize, Answer)>) -> Result<(), Failure> {
    let (mut is_pending, mut is_told, mut rested) = (false, false, Instant::now());
    loop {
        let news = if is_pending {
            inbox.recv_timeout(rested.saturating_duration_since(Instant::now()))
        } else {
            inbox.recv().map_err(|_| RecvTimeoutError::Disconnected)
        };
        match news {
            Ok((level, answer)) => {
                answers.insert(level, answer);
                is_pending = true;
            }
            Err(RecvTimeoutError::Timeout) => {
                let begun = Instant::now();
                if let Err(failure) = file.write(&answers, Stage::Interim)
                    && !is_told
                {
                    is_told = true;
                    complain(&format!("{failure}; the search goes on, and it is tried again"));
                }
                is_pending = false;
                rested = Instant::now() + (begun.elapsed() * REST).min(LONGEST_REST);
            }
            Err(RecvTimeoutError::Disconnected) => return file.write(&answers, Stage::Final),
        }
    }
}
