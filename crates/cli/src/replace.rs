//! Writing files with the sentence of the command line when it fails.

use crate::exit::Failure;
use std::path::Path;

/// Writes `bytes` to `path` so that it is either the old file or the new one, never half of it.
///
/// # Errors
/// A sentence that names the file.
pub fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    lurd::files::replace(path, bytes)
        .map_err(|error| Failure::usage(format!("{}: the file could not be written: {error}", path.display())))
}
