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

use crate::api::{App, Own};
use crate::error::Refused;
use axum::http::StatusCode;
use axum::routing::{get, post};
use lurd_batch::{Launcher, LockError, QueueError, Unresumable};
use lurd_library::{Library, LibraryError, Recorder};
use lurd_service::{Address, Body, Reply, asked, told, told_list};
pub(crate) use runs::Runs;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use utoipa::IntoParams;

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

/// The formats of a report as a file.
const FORMS: &[&str] = &["html", "csv", "json", "md"];

/// The addresses of the library.
pub(crate) static ROUTES: &[Own] = &[
    (Address::get("/library", "Figures of the whole library", Reply::Json(told::<browse::Overview>)), || {
        get(browse::overview)
    }),
    (
        Address::get(
            "/library/levels",
            "Levels of the library by what is known of them, a page at a time",
            Reply::Json(told::<browse::Found>),
        )
        .with_query(|| filter::PageOf::into_params(|| None)),
        || get(browse::find),
    ),
    (
        Address::get(
            "/library/levels/{key}",
            "All that the library knows of a level",
            Reply::Json(told::<browse::LevelView>),
        )
        .with_query(|| browse::Turned::into_params(|| None)),
        || get(browse::level),
    ),
    (
        Address::get(
            "/library/collections",
            "The collections of the library",
            Reply::Json(told_list::<browse::CollectionView>),
        ),
        || get(browse::collections),
    ),
    (
        Address::post(
            "/library/collections",
            "Put a file of levels in any format into the library, as a collection",
            Body::File,
            Reply::CreatedOrKnown(told::<browse::AddedView>),
        )
        .with_query(|| browse::Adding::into_params(|| None)),
        || post(browse::add),
    ),
    (
        Address::get(
            "/library/runs",
            "The batch runs of the library, the newest first",
            Reply::Json(told_list::<runs::RunView>),
        ),
        || get(run_routes::list),
    ),
    (
        Address::post(
            "/library/runs",
            "Start a batch run; this server leads one at a time",
            Body::Json(asked::<start::Starting>),
            Reply::Created(told::<runs::RunView>),
        ),
        || post(run_routes::start),
    ),
    (Address::get("/library/runs/{id}", "A batch run as it stands", Reply::Json(told::<runs::RunView>)), || {
        get(run_routes::state)
    }),
    (
        Address::get(
            "/library/runs/{id}/events",
            "Follow a run: at most five events a second, until it ends or stops",
            Reply::Events,
        ),
        || get(run_routes::events),
    ),
    (
        Address::post(
            "/library/runs/{id}/stop",
            "Stop a run that this server leads; what it found stays, and it can be resumed",
            Body::Nothing,
            Reply::Json(told::<runs::RunView>),
        ),
        || post(run_routes::stop),
    ),
    (
        Address::post(
            "/library/runs/{id}/resume",
            "Go on with a run that was stopped or killed",
            Body::Json(asked::<start::Resuming>),
            Reply::Json(told::<runs::RunView>),
        ),
        || post(run_routes::resume),
    ),
    (
        Address::get(
            "/library/runs/{id}/report",
            "What came of a run: solved by time, by collection, the slowest, the unsolved, against the best known",
            Reply::Json(told::<report::ReportView>),
        ),
        || get(report::run),
    ),
    (
        Address::get("/library/runs/{id}/report/{form}", "The same as a file, with every level", Reply::File(FORMS)),
        || get(report::run_file),
    ),
    (
        Address::get(
            "/library/comparison",
            "Two runs compared on the levels that both have: won, lost, faster, slower, shorter, longer",
            Reply::Json(told::<report::ReportView>),
        )
        .with_query(|| report::Pair::into_params(|| None)),
        || get(report::comparison),
    ),
    (
        Address::get("/library/comparison/{form}", "The same as a file, with every level", Reply::File(FORMS))
            .with_query(|| report::Pair::into_params(|| None)),
        || get(report::comparison_file),
    ),
];
