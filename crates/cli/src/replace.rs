//! Writing files with the sentence of the command line when it fails.

use crate::exit::Failure;
use lurd::files;
use std::io;
use std::path::Path;

/// Writes `bytes` to `path` so that it is either the old file or the new one, never half of it.
///
/// # Errors
/// A sentence that names the file.
pub fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    told(path, files::replace(path, bytes))
}

/// As [`write()`], for a file that is written again and again.
///
/// # Errors
/// A sentence that names the file.
pub fn write_for_now(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    told(path, files::replace_for_now(path, bytes))
}

/// Finds out before the work whether a file can be written after it.
///
/// # Errors
/// A sentence that names the file.
pub fn check(path: &Path) -> Result<(), Failure> {
    told(path, files::check_writable(path))
}

fn told(path: &Path, result: io::Result<()>) -> Result<(), Failure> {
    result.map_err(|error| {
        let why = match error.kind() {
            io::ErrorKind::NotFound => "there is no such folder".into(),
            io::ErrorKind::PermissionDenied => "you may not write there".into(),
            io::ErrorKind::IsADirectory => "this is a folder; name a file in it".into(),
            _ => error.to_string(),
        };
        Failure::usage(format!("{}: the file cannot be written: {why}", path.display()))
    })
}
