//! One leader for a run: two processes that lead the same run would search every level twice.

use fs4::{FileExt, TryLockError};
use std::fs::{File, OpenOptions};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Why a run cannot be led.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LockError {
    /// Another process leads it.
    #[error("the run `{0}` is under way in another process; wait until it ends, or stop it")]
    Taken(String),
    /// The lock file cannot be made.
    #[error("{}: the lock of the run cannot be made: {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
}

/// How often a lock that is taken is tried: somebody may only be looking whether the run is led.
const TRIES: u32 = 5;

/// The pause between tries.
const PAUSE: Duration = Duration::from_millis(10);

/// The right to lead a run. It ends with the process, however that ends.
#[derive(Debug)]
pub struct RunLock {
    file: File,
    path: PathBuf,
}

impl RunLock {
    /// Takes the right to lead a run of a library.
    ///
    /// # Errors
    /// When another process has it, or the file beside the library cannot be made.
    pub fn take(library: &Path, token: &str, name: &str) -> Result<Self, LockError> {
        let path = path_of(library, token);
        let mut tries = 1;
        let fail = |source| LockError::File { path: path.clone(), source };
        loop {
            let file = OpenOptions::new().create(true).truncate(false).write(true).open(&path).map_err(fail)?;
            match FileExt::try_lock(&file) {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) if tries < TRIES => {
                    tries += 1;
                    std::thread::sleep(PAUSE);
                    continue;
                }
                Err(TryLockError::WouldBlock) => return Err(LockError::Taken(name.to_owned())),
                Err(TryLockError::Error(source)) => return Err(fail(source)),
            }
            // The leader before may have removed the file after it was opened here.
            if is_at(&file, &path) {
                return Ok(Self { file, path });
            }
        }
    }
}

/// Whether a process leads a run of a library, this one or another.
pub fn is_led(library: &Path, token: &str) -> bool {
    // A leader that was killed leaves its file behind, though not the lock.
    let Ok(file) = OpenOptions::new().write(true).open(path_of(library, token)) else { return false };
    match FileExt::try_lock(&file) {
        Ok(()) => {
            let _ = FileExt::unlock(&file);
            false
        }
        Err(TryLockError::WouldBlock) => true,
        Err(TryLockError::Error(_)) => false,
    }
}

fn path_of(library: &Path, token: &str) -> PathBuf {
    let mut path = library.as_os_str().to_owned();
    path.push(format!(".{token}.lock"));
    PathBuf::from(path)
}

/// Whether an open file is the one that has this path now.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let (Ok(open), Ok(there)) = (file.metadata(), std::fs::metadata(path)) else { return false };
    (open.dev(), open.ino()) == (there.dev(), there.ino())
}

/// An open file cannot be removed here.
#[cfg(not(unix))]
fn is_at(_: &File, _: &Path) -> bool {
    true
}

impl Drop for RunLock {
    fn drop(&mut self) {
        // Removed while it is still held: whoever opens it now makes a new one.
        let _ = std::fs::remove_file(&self.path);
        let _ = FileExt::unlock(&self.file);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        let library = folder.path().join("library.db");
        let first = RunLock::take(&library, "abc", "x").unwrap();
        assert!(RunLock::take(&library, "def", "y").is_ok(), "another run");
        assert!(is_led(&library, "abc") && !is_led(&library, "other"));
        let taken = RunLock::take(&library, "abc", "x").unwrap_err();
        assert!(taken.to_string().contains("under way in another process"));
        drop(first);
        assert!(!is_led(&library, "abc"));
        assert!(RunLock::take(&library, "abc", "x").is_ok());
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
