//! The folder of a proof: files of layers and runs within a size limit, deleted when nothing refers to them.
//!
//! A file is written under a temporary name, synchronised to the disk, and only then renamed, so no file is ever
//! incomplete. A file is deleted when this run does not use it any more and no checkpoint names it.

use lurd_base::sync::lock;
use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::{fs, io};

const KEYS: &str = ".keys";
const TEMPORARY: &str = ".part";

/// The file that a run locks: its lock ends with the run, however that ends.
const LOCK: &str = "lock";

/// Why a file or folder could not be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct DiskError {
    message: String,
    /// Whether there is no space left.
    pub(crate) full: bool,
}

impl DiskError {
    pub(crate) fn new(path: &Path, what: &str, error: &io::Error) -> Self {
        use io::ErrorKind::{FileTooLarge, QuotaExceeded, StorageFull};
        let full = matches!(error.kind(), StorageFull | QuotaExceeded | FileTooLarge);
        let why = if full { "the disk is full".into() } else { error.to_string() };
        Self { message: format!("{}: {what}: {why}", path.display()), full }
    }

    pub(crate) fn message(message: String) -> Self {
        Self { message, full: false }
    }

    pub(crate) fn damaged(path: &Path) -> Self {
        Self::message(format!("{}: the file is damaged", path.display()))
    }
}

#[derive(Debug)]
pub(crate) struct Disk {
    folder: PathBuf,
    limit: Option<u64>,
    used: AtomicU64,
    next: AtomicU64,
    references: Mutex<FileReferences>,
    /// Held open for its lock.
    _lock: Option<File>,
}

/// The files that are still needed.
#[derive(Debug, Default)]
struct FileReferences {
    /// Files in use by this run, and how often each is open.
    open: HashMap<String, usize>,
    /// Files that checkpoints name.
    checkpointed: HashSet<String>,
}

impl FileReferences {
    fn contains(&self, name: &str) -> bool {
        self.open.contains_key(name) || self.checkpointed.contains(name)
    }
}

impl Disk {
    /// Opens a folder, creating it if necessary. Files that no checkpoint names are removed later, by
    /// [`remove_unreferenced`](Self::remove_unreferenced).
    pub(crate) fn open(folder: &Path, limit: Option<u64>) -> Result<Arc<Self>, DiskError> {
        let failure = |error: io::Error| DiskError::new(folder, "the folder cannot be used", &error);
        fs::create_dir_all(folder).map_err(failure)?;
        let lock = lock_folder(folder)?;
        let (mut next, mut used) = (0, 0);
        for entry in fs::read_dir(folder).map_err(failure)? {
            let entry = entry.map_err(failure)?;
            let name = entry.file_name().to_string_lossy().into_owned();
            next = next.max(number(&name).map_or(0, |number| number + 1));
            if is_keys(&name) {
                used += entry.metadata().map_or(0, |size| size.len());
            }
        }
        Ok(Arc::new(Self {
            folder: folder.to_owned(),
            limit,
            used: AtomicU64::new(used),
            next: AtomicU64::new(next),
            references: Mutex::default(),
            _lock: lock,
        }))
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// A name that no file has.
    pub(crate) fn new_name(&self, prefix: &str, suffix: &str) -> String {
        format!("{prefix}-{}{suffix}", self.next.fetch_add(1, Ordering::Relaxed))
    }

    /// Creates a file of keys.
    pub(crate) fn create(self: &Arc<Self>, prefix: &str) -> Result<FileWriter, DiskError> {
        let name = self.new_name(prefix, KEYS);
        let temporary = self.path(&(name.clone() + TEMPORARY));
        let file = File::create(&temporary)
            .map_err(|error| DiskError::new(&temporary, "the file cannot be created", &error))?;
        Ok(FileWriter { disk: Arc::clone(self), name, temporary, file: Some(file), bytes: 0 })
    }

    /// Opens a file of an earlier run.
    pub(crate) fn open_file(self: &Arc<Self>, name: &str) -> Result<StoredFile, DiskError> {
        let path = self.path(name);
        // A name from a checkpoint must not be a path to somewhere else.
        let plain = is_keys(name) && !name.contains(['/', '\\']);
        let size = fs::metadata(&path).map_err(|error| DiskError::new(&path, "the file cannot be read", &error))?;
        if !plain || !size.is_file() {
            return Err(DiskError::damaged(&path));
        }
        *self.references().open.entry(name.to_owned()).or_default() += 1;
        Ok(StoredFile { disk: Arc::clone(self), name: name.to_owned(), bytes: size.len() })
    }

    /// Writes a small file atomically. The facade's way to replace a file keeps permissions and follows links, which files of
    /// people need; these are the prover's own, in a folder that is locked.
    pub(crate) fn write(&self, name: &str, bytes: &[u8]) -> Result<(), DiskError> {
        let (path, temporary) = (self.path(name), self.path(&format!("{name}{TEMPORARY}")));
        let written = (|| {
            let mut file = File::create(&temporary)?;
            file.write_all(bytes)?;
            file.sync_all()?;
            fs::rename(&temporary, &path)?;
            self.sync_folder()
        })();
        written.map_err(|error| {
            let _ = fs::remove_file(&temporary);
            DiskError::new(&path, "the file cannot be written", &error)
        })
    }

    /// Synchronises the names of files to the disk, where the system supports it.
    fn sync_folder(&self) -> io::Result<()> {
        if cfg!(unix) { File::open(&self.folder)?.sync_all() } else { Ok(()) }
    }

    /// From now on checkpoints name exactly these files. Removes files that this makes unreferenced.
    pub(crate) fn set_checkpointed(&self, names: HashSet<String>) {
        let mut references = self.references();
        let old = std::mem::replace(&mut references.checkpointed, names);
        let unreferenced: Vec<String> = old.into_iter().filter(|name| !references.contains(name)).collect();
        drop(references);
        unreferenced.iter().for_each(|name| self.remove(name));
    }

    /// Removes files that neither this run nor a checkpoint needs: remains of a killed run.
    pub(crate) fn remove_unreferenced(&self) {
        let Ok(entries) = fs::read_dir(&self.folder) else { return };
        for entry in entries.flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            let temporary = name.strip_suffix(TEMPORARY).is_some_and(|name| number(name).is_some());
            let needed = self.references().contains(&name);
            if temporary {
                let _ = fs::remove_file(entry.path());
            } else if is_keys(&name) && !needed {
                self.remove(&name);
            }
        }
    }

    /// Whether so many more bytes are within the limit.
    pub(crate) fn fits(&self, bytes: u64) -> bool {
        self.limit.is_none_or(|limit| self.used.load(Ordering::Relaxed).saturating_add(bytes) <= limit)
    }

    fn remove(&self, name: &str) {
        let path = self.path(name);
        let bytes = fs::metadata(&path).map_or(0, |size| size.len());
        if fs::remove_file(&path).is_ok() {
            let _ =
                self.used.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |used| Some(used.saturating_sub(bytes)));
        }
    }

    fn references(&self) -> MutexGuard<'_, FileReferences> {
        lock(&self.references)
    }
}

/// Locks a folder for this run. None where the file system has no locks.
#[cfg(any(unix, windows))]
fn lock_folder(folder: &Path) -> Result<Option<File>, DiskError> {
    let path = folder.join(LOCK);
    let file = File::options().create(true).truncate(false).write(true).open(&path);
    let file = file.map_err(|error| DiskError::new(&path, "the file cannot be created", &error))?;
    match fs4::FileExt::try_lock(&file) {
        Ok(()) => Ok(Some(file)),
        Err(fs4::TryLockError::WouldBlock) => Err(DiskError::message(format!(
            "{}: another run works in this folder; wait until it has ended, or choose another folder",
            folder.display()
        ))),
        Err(fs4::TryLockError::Error(_)) => Ok(None),
    }
}

#[cfg(not(any(unix, windows)))]
fn lock_folder(_: &Path) -> Result<Option<File>, DiskError> {
    Ok(None)
}

/// Whether this is the name of a file of keys.
fn is_keys(name: &str) -> bool {
    name.ends_with(KEYS) && number(name).is_some()
}

/// The number in the name of a file of this folder.
pub(crate) fn number(name: &str) -> Option<u64> {
    let (prefix, rest) = name.split_once('-')?;
    let (number, _) = rest.split_once('.')?;
    prefix.bytes().all(|byte| byte.is_ascii_lowercase()).then(|| number.parse().ok()).flatten()
}

#[derive(Debug)]
pub(crate) struct FileWriter {
    disk: Arc<Disk>,
    name: String,
    temporary: PathBuf,
    file: Option<File>,
    bytes: u64,
}

impl FileWriter {
    /// Appends bytes and returns their offset.
    pub(crate) fn append(&mut self, bytes: &[u8]) -> Result<u64, DiskError> {
        let offset = self.bytes;
        if !self.disk.fits(bytes.len() as u64) {
            let limit = self.disk.limit.unwrap_or(0);
            let message = format!("{}: the disk limit of {limit} bytes is reached", self.disk.folder.display());
            return Err(DiskError { message, full: true });
        }
        let file = self.file.as_mut().ok_or_else(|| DiskError::damaged(&self.temporary))?;
        file.write_all(bytes).map_err(|error| DiskError::new(&self.temporary, "the file cannot be written", &error))?;
        self.bytes += bytes.len() as u64;
        self.disk.used.fetch_add(bytes.len() as u64, Ordering::Relaxed);
        Ok(offset)
    }

    /// Gives the file its name, after it is synchronised to the disk.
    pub(crate) fn finish(mut self) -> Result<StoredFile, DiskError> {
        let path = self.disk.path(&self.name);
        let finished = (|| {
            if let Some(file) = self.file.take() {
                file.sync_all()?;
            }
            fs::rename(&self.temporary, &path)
        })();
        finished.map_err(|error| DiskError::new(&path, "the file cannot be written", &error))?;
        *self.disk.references().open.entry(self.name.clone()).or_default() += 1;
        let stored = StoredFile { disk: Arc::clone(&self.disk), name: self.name.clone(), bytes: self.bytes };
        // From now on the stored file accounts for the bytes.
        self.bytes = 0;
        Ok(stored)
    }
}

impl Drop for FileWriter {
    fn drop(&mut self) {
        self.file = None;
        // After `finish` there is no temporary file.
        if fs::remove_file(&self.temporary).is_ok() {
            self.disk.used.fetch_sub(self.bytes, Ordering::Relaxed);
        }
    }
}

/// A complete file in use. It is removed when dropped, unless a checkpoint names it.
#[derive(Debug)]
pub(crate) struct StoredFile {
    disk: Arc<Disk>,
    name: String,
    bytes: u64,
}

impl StoredFile {
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    pub(crate) fn path(&self) -> PathBuf {
        self.disk.path(&self.name)
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Removes the file even if a checkpoint names it.
    pub(crate) fn delete(self) {
        self.disk.references().checkpointed.remove(&self.name);
    }
}

impl Drop for StoredFile {
    fn drop(&mut self) {
        let mut references = self.disk.references();
        if let Some(handles) = references.open.get_mut(&self.name) {
            *handles -= 1;
            if *handles == 0 {
                references.open.remove(&self.name);
            }
        }
        let needed = references.contains(&self.name);
        drop(references);
        if !needed {
            self.disk.remove(&self.name);
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A folder that does not exist yet, for the test of this name.
    pub(crate) fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("lurd-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        folder
    }

    /// The names of its files in order, the lock aside.
    pub(crate) fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.retain(|name| name != LOCK);
        names.sort();
        names
    }

    #[test]
    fn a_folder_belongs_to_one_run_at_a_time() {
        let folder = folder("lock");
        let first = Disk::open(&folder, None).unwrap();
        assert!(Disk::open(&folder, None).unwrap_err().to_string().contains("another run"));
        drop(first);
        assert!(Disk::open(&folder, None).is_ok());
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn unreferenced_files_are_removed() {
        let folder = folder("disk");
        let disk = Disk::open(&folder, Some(100)).unwrap();
        let file = |bytes: &[u8]| {
            let mut writer = disk.create("layer").unwrap();
            writer.append(bytes).unwrap();
            writer.finish().unwrap()
        };
        let (first, second) = (file(&[1; 40]), file(&[2; 40]));
        assert_eq!(names(&folder), [first.name(), second.name()]);
        let mut third = disk.create("layer").unwrap();
        assert!(third.append(&[3; 40]).unwrap_err().full);
        drop(third);
        disk.set_checkpointed(HashSet::from([first.name().to_owned()]));
        let (kept, gone) = (first.name().to_owned(), second.name().to_owned());
        drop((first, second));
        assert_eq!(names(&folder), std::slice::from_ref(&kept));
        assert!(disk.open_file(&gone).is_err() && disk.open_file("../layer-0.keys").is_err());
        let again = disk.open_file(&kept).unwrap();
        fs::write(folder.join("layer-77.keys"), "left over").unwrap();
        fs::write(folder.join("layer-78.keys.part"), "half").unwrap();
        fs::write(folder.join("mine.txt"), "not ours").unwrap();
        disk.remove_unreferenced();
        assert_eq!(names(&folder), [kept.as_str(), "mine.txt"]);
        again.delete();
        assert_eq!(names(&folder), ["mine.txt"]);
        assert!(disk.fits(100) && !disk.fits(101));
        assert!(Disk::open(&folder.join("mine.txt"), None).is_err());
        fs::remove_dir_all(folder).unwrap();
    }
}
