//! The library as the commands use it: which file, and what happens to solutions that other commands find.

use crate::exit::{Failure, complain};
use clap::Args;
use lurd::improve::Metric;
use lurd::{Goal, Level, Map, Report, Request};
use lurd_base::sync::lock;
use lurd_library::{DATA_VARIABLE, Finding, Library, LibraryError, Origin, Recorder, default_path};
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// How long a command that only asks waits for another process.
const PATIENCE: Duration = Duration::from_millis(300);

/// Which library a command works on.
#[derive(Args, Clone, Debug, Default)]
pub struct LibraryFile {
    /// The file of the library [default: library.db in your data folder, which LURD_DATA names]
    #[arg(long, value_name = "FILE")]
    pub library: Option<PathBuf>,
}

impl LibraryFile {
    /// Where it is, whether it is there or not.
    ///
    /// # Errors
    /// When there is no home folder and nobody names a file.
    pub fn path(&self) -> Result<PathBuf, Failure> {
        let none = || {
            Failure::usage(format!("there is no home folder for a library; name one by --library or {DATA_VARIABLE}"))
        };
        self.library.clone().or_else(default_path).ok_or_else(none)
    }

    /// The library, made if it is not there.
    ///
    /// # Errors
    /// A sentence that names the file.
    pub fn open(&self) -> Result<Library, Failure> {
        Ok(Library::open(&self.path()?)?)
    }

    /// The library that is there.
    ///
    /// # Errors
    /// A sentence that names the file.
    pub fn open_existing(&self) -> Result<Library, Failure> {
        Ok(Library::open_existing(&self.path()?)?)
    }
}

impl From<LibraryError> for Failure {
    fn from(error: LibraryError) -> Self {
        let switch = match &error {
            LibraryError::Missing(_) => " (lurd library add FILE)",
            LibraryError::RunExists(_) => " (lurd batch resume, --name)",
            LibraryError::NoRun { .. } => " (lurd batch list)",
            LibraryError::NoCollection { .. } => " (lurd library list)",
            _ => "",
        };
        Self::usage(format!("{error}{switch}"))
    }
}

/// What a command that finds solutions does with them.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Library")]
pub struct LibraryFlags {
    #[command(flatten)]
    #[allow(missing_docs, reason = "clap would print the comment as the help of the flag")]
    pub file: LibraryFile,

    /// Keep nothing of what is found in the library
    #[arg(long, conflicts_with = "library")]
    pub no_library: bool,
}

impl LibraryFlags {
    /// Keeps what is found, in the background; `None` if nothing is to be kept.
    pub fn keeper(&self) -> Option<Keeper> {
        if self.no_library {
            return None;
        }
        self.file.path().ok().map(|path| Keeper(Recorder::new(path)))
    }

    /// The best known solutions of levels by number, for the goal of a search.
    ///
    /// # Errors
    /// A sentence that names the file.
    pub fn known(&self, config: &Request, levels: &[&Level]) -> Result<HashMap<usize, String>, Failure> {
        let path = self.file.path()?;
        if !path.exists() {
            return Ok(HashMap::new());
        }
        let library = Library::open_briefly(&path, PATIENCE)?;
        let metric = if config.goal == Goal::Moves { Metric::Moves } else { Metric::Pushes };
        let mut solutions = HashMap::new();
        for level in levels {
            let known = library.knowledge(&level.map)?;
            if let Some(best) = known.as_ref().and_then(|known| known.best(metric)) {
                solutions.insert(level.number, best.lurd.clone());
            }
        }
        Ok(solutions)
    }
}

/// What finders are called.
pub fn this_program() -> String {
    concat!("lurd ", env!("CARGO_PKG_VERSION")).to_owned()
}

/// Keeps what a command finds. A library that cannot be used is said in one line and costs nothing else.
#[derive(Debug)]
pub struct Keeper(Recorder);

impl Keeper {
    /// Keeps what a search proved.
    pub fn keep_report(&mut self, map: &Map, report: &Report) {
        if let Some(finding) = Finding::of_report(report) {
            self.0.record(map, finding, Origin::new(this_program(), &report.algorithm));
        }
    }

    /// Keeps a solution.
    pub fn keep_solution(&mut self, map: &Map, lurd: &str, method: &str) {
        self.0.record(map, Finding::solution(lurd), Origin::new(this_program(), method));
    }

    /// The same for a game that runs while it is used.
    pub fn shared(self) -> SharedKeeper {
        SharedKeeper { recorder: Arc::new(Mutex::new(self.0)) }
    }

    /// Waits until everything is kept, though never long.
    pub fn finish(mut self) {
        finish(&mut self.0);
    }
}

/// A keeper that a game uses too.
#[derive(Debug)]
pub struct SharedKeeper {
    /// What the game uses.
    pub recorder: Arc<Mutex<Recorder>>,
}

impl SharedKeeper {
    /// Waits until everything is kept, though never long.
    pub fn finish(self) {
        finish(&mut lock(&self.recorder));
    }
}

fn finish(recorder: &mut Recorder) {
    if let Some(trouble) = recorder.finish() {
        complain(&trouble);
    }
}
