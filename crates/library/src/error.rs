//! What can go wrong with the file of a library.

use crate::form::LevelKey;
use rusqlite::ErrorCode;
use std::path::{Path, PathBuf};

/// Why a library could not be used; every sentence names the file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LibraryError {
    /// There is no such file.
    #[error("{}: there is no library here yet; add levels to make one", .0.display())]
    Missing(PathBuf),
    /// Another process is writing and does not end.
    #[error("{}: the library is locked by another program; try again when it has ended", .0.display())]
    Locked(PathBuf),
    /// The file is not a database, or parts of it are damaged.
    #[error("{}: the library is damaged ({reason}); restore a copy, or move it away and add your levels again", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What SQLite says.
        reason: String,
    },
    /// The file is a database of something else.
    #[error("{}: this file is a database of another program, not a library of lurd", .0.display())]
    Foreign(PathBuf),
    /// The file or its folder may not be written.
    #[error("{}: the library cannot be written: the file or its folder is read-only", .0.display())]
    ReadOnly(PathBuf),
    /// The file or its folder cannot be opened.
    #[error("{}: the library cannot be opened: {reason}", path.display())]
    Unopened {
        /// The file.
        path: PathBuf,
        /// What the system says.
        reason: String,
    },
    /// The disk is full.
    #[error("{}: the disk is full: nothing was lost, and nothing new was kept", .0.display())]
    Full(PathBuf),
    /// A newer lurd has written the file.
    #[error("{}: a newer version of lurd has written this library (layout {found}, this version knows {known}); use that version", path.display())]
    Newer {
        /// The file.
        path: PathBuf,
        /// The layout found.
        found: i64,
        /// The newest layout this version knows.
        known: i64,
    },
    /// Moves that do not solve the level.
    #[error("these moves do not solve the level {level}: {reason}")]
    WrongSolution {
        /// The level.
        level: LevelKey,
        /// What the referee says.
        reason: String,
    },
    /// A map that is no playable level.
    #[error("this is no playable level: {0}")]
    Unplayable(#[from] lurd::validity::Flaw),
    /// A name that no collection has.
    #[error("there is no collection `{name}` in the library{}", said(.near))]
    NoCollection {
        /// The name asked for.
        name: String,
        /// Names like it.
        near: Vec<String>,
    },
    /// A name that no run has.
    #[error("there is no run `{name}` in the library{}", said(.near))]
    NoRun {
        /// The name asked for.
        name: String,
        /// Names like it.
        near: Vec<String>,
    },
    /// A name that a run has already.
    #[error("there is a run `{0}` already; resume it, or choose another name")]
    RunExists(String),
    /// Anything else SQLite says.
    #[error("{}: {source}", path.display())]
    Database {
        /// The file.
        path: PathBuf,
        /// What SQLite says.
        source: rusqlite::Error,
    },
}

fn said(names: &[String]) -> String {
    if names.is_empty() { String::new() } else { format!("; it has {}", names.join(", ")) }
}

/// The error of a call to SQLite, by its code.
pub(crate) fn classify(path: &Path, error: rusqlite::Error) -> LibraryError {
    use rusqlite::Error::{FromSqlConversionFailure, IntegralValueOutOfRange, InvalidColumnType};
    let path = path.to_owned();
    if let FromSqlConversionFailure(..) | IntegralValueOutOfRange(..) | InvalidColumnType(..) = error {
        return LibraryError::Damaged { path, reason: error.to_string() };
    }
    match error.sqlite_error_code() {
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => LibraryError::Locked(path),
        Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => {
            LibraryError::Damaged { path, reason: error.to_string() }
        }
        Some(ErrorCode::ReadOnly) => LibraryError::ReadOnly(path),
        Some(ErrorCode::PermissionDenied) => LibraryError::ReadOnly(path),
        Some(ErrorCode::DiskFull) => LibraryError::Full(path),
        Some(ErrorCode::CannotOpen) => {
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
            let reason = match folder {
                Some(folder) if !folder.exists() => format!("there is no folder {}", folder.display()),
                _ if path.is_dir() => "it is a folder".to_owned(),
                _ if path.exists() => return LibraryError::ReadOnly(path),
                _ => "the file cannot be made there".to_owned(),
            };
            LibraryError::Unopened { path, reason }
        }
        _ => LibraryError::Database { path, source: error },
    }
}
