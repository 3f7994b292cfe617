//! The library of this server under `/api/v1/library`: levels and collections (`browse`), batch runs (`runs`, `run_routes`)
//! and what came of them (`report`).
//!
//! It stands here and not in `lurd-service` because SQLite and child processes have no place in a page without a server.

mod browse;
mod filter;
mod report;
mod run_routes;
mod runs;
mod start;

use crate::api::App;
use crate::error::Refused;
use crate::limits::Limits;
use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::http::StatusCode;
use axum::routing::{get, post};
use lurd_batch::{Launcher, LockError, QueueError, Unresumable};
use lurd_library::{Library, LibraryError, Recorder};
pub(crate) use runs::Runs;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;

// A library is opened for each question, which takes less than a millisecond: a file that somebody moves away, restores or
// damages while the server runs is seen as it is.

/// How long a question waits for another process that has the library locked.
const PATIENCE: Duration = Duration::from_secs(2);

/// What the page says where there is no library.
pub(crate) const NONE: &str =
    "This server was started without a library. Start lurd with one to browse levels and to run batches.";

/// The library of a server, and how its batch runs search.
#[derive(Clone, Debug)]
pub struct LibraryAccess {
    /// The file, which need not be there yet.
    pub path: PathBuf,
    /// Where what searches of the page find goes.
    pub recorder: Arc<Mutex<Recorder>>,
    /// How a search of a batch run is started.
    pub launcher: Launcher,
    /// The name of this machine.
    pub machine: String,
}

impl LibraryAccess {
    /// The library in a file.
    pub fn new(path: PathBuf, recorder: Arc<Mutex<Recorder>>, launcher: Launcher, machine: String) -> Self {
        Self { path, recorder, launcher, machine }
    }

    /// Reads the library. One that is not there yet is empty, and reading makes no file.
    pub(crate) fn read<T>(&self, question: impl FnOnce(&Library) -> Result<T, Refused>) -> Result<T, Refused> {
        let library =
            if self.path.exists() { Library::open_briefly(&self.path, PATIENCE)? } else { Library::in_memory()? };
        question(&library)
    }

    /// Opens the library to write; it is made if it is not there. What is told to be stored survives a power cut.
    pub(crate) fn write(&self) -> Result<Library, Refused> {
        Ok(Library::open(&self.path)?)
    }
}

impl App {
    /// The library, or a sentence.
    pub(crate) fn library(&self) -> Result<LibraryAccess, Refused> {
        self.library.clone().ok_or_else(|| Refused::not_found(NONE))
    }

    /// Asks the library on a thread that may block.
    async fn ask_library<T: Send + 'static>(
        &self,
        question: impl FnOnce(&Library) -> Result<T, Refused> + Send + 'static,
    ) -> Result<T, Refused> {
        let access = self.library()?;
        self.think(move || access.read(question)).await
    }
}

impl From<LibraryError> for Refused {
    fn from(error: LibraryError) -> Self {
        let status = match &error {
            LibraryError::NoCollection { .. } | LibraryError::NoRun { .. } | LibraryError::Missing(_) => {
                StatusCode::NOT_FOUND
            }
            LibraryError::RunExists(_) => StatusCode::CONFLICT,
            LibraryError::Unplayable(_) | LibraryError::WrongSolution { .. } => StatusCode::UNPROCESSABLE_ENTITY,
            // The file is locked, damaged, read-only or foreign, or its disk is full: nothing that a request could mend.
            _ => StatusCode::SERVICE_UNAVAILABLE,
        };
        Self::new(status, error.to_string())
    }
}

impl From<LockError> for Refused {
    fn from(error: LockError) -> Self {
        let status = match error {
            LockError::Taken(_) => StatusCode::CONFLICT,
            _ => StatusCode::SERVICE_UNAVAILABLE,
        };
        Self::new(status, error.to_string())
    }
}

impl From<QueueError> for Refused {
    fn from(error: QueueError) -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, error.to_string())
    }
}

impl From<Unresumable> for Refused {
    fn from(error: Unresumable) -> Self {
        Self::new(StatusCode::CONFLICT, error.to_string())
    }
}

/// A run or a file that stands against what is asked.
fn conflict(sentence: impl Into<String>) -> Refused {
    Refused::new(StatusCode::CONFLICT, sentence)
}

/// What is understood and cannot be done.
fn unprocessable(sentence: impl Into<String>) -> Refused {
    Refused::new(StatusCode::UNPROCESSABLE_ENTITY, sentence)
}

/// A name for people: one line, neither empty nor endless.
fn name(what: &str, text: &str) -> Result<String, Refused> {
    let name = text.trim();
    if name.is_empty() || name.chars().count() > 100 || name.chars().any(char::is_control) {
        return Err(unprocessable(format!("the name of a {what} has between 1 and 100 characters on one line")));
    }
    Ok(name.to_owned())
}

/// The addresses of the library.
pub(crate) fn routes() -> Router<App> {
    let files = Router::new()
        .route("/library/collections", get(browse::collections).post(browse::add))
        .layer(DefaultBodyLimit::max(Limits::FILE));
    Router::new()
        .route("/library", get(browse::overview))
        .route("/library/levels", get(browse::find))
        .route("/library/levels/{key}", get(browse::level))
        .route("/library/runs", get(run_routes::list).post(run_routes::start))
        .route("/library/runs/{id}", get(run_routes::state))
        .route("/library/runs/{id}/events", get(run_routes::events))
        .route("/library/runs/{id}/stop", post(run_routes::stop))
        .route("/library/runs/{id}/resume", post(run_routes::resume))
        .route("/library/runs/{id}/report", get(report::run))
        .route("/library/runs/{id}/report/{form}", get(report::run_file))
        .route("/library/comparison", get(report::comparison))
        .route("/library/comparison/{form}", get(report::comparison_file))
        .layer(DefaultBodyLimit::max(Limits::BODY))
        .merge(files)
}
