//! The folder a proof may use: files of layers and runs, within a limit, and who still needs them.
//!
//! A file is written under a passing name, brought to the disk, and only then takes its own name, so no file is ever
//! half there. A file goes when nobody holds it any more and no checkpoint names it.

use lurd_search::sync::lock;
use std::collections::HashSet;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::{fs, io};

/// What the names of our files end in.
const KEYS: &str = ".keys";
const PASSING: &str = ".part";

/// Why something could not be kept on disk, in a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    pub(crate) sentence: String,
    /// Whether it is for want of room.
    pub(crate) full: bool,
}

impl Fault {
    pub(crate) fn new(path: &Path, what: &str, error: &io::Error) -> Self {
        use io::ErrorKind::{FileTooLarge, QuotaExceeded, StorageFull};
        let full = matches!(error.kind(), StorageFull | QuotaExceeded | FileTooLarge);
        let why = if full { "the disk is full".into() } else { error.to_string() };
        Self { sentence: format!("{}: {what}: {why}", path.display()), full }
    }

    pub(crate) fn damaged(path: &Path) -> Self {
        Self { sentence: format!("{}: the file is damaged", path.display()), full: false }
    }
}

/// The folder.
#[derive(Debug)]
pub(crate) struct Disk {
    folder: PathBuf,
    limit: Option<u64>,
    used: AtomicU64,
    next: AtomicU64,
    books: Mutex<Books>,
}

/// Who needs which file.
#[derive(Debug, Default)]
struct Books {
    /// Files that are held in this run.
    held: HashSet<String>,
    /// Files that checkpoints name.
    named: HashSet<String>,
}

impl Disk {
    /// Opens a folder, making it if need be. Files that no checkpoint can need are removed later, by
    /// [`sweep`](Self::sweep).
    pub(crate) fn open(folder: &Path, limit: Option<u64>) -> Result<Arc<Self>, Fault> {
        let fault = |error: &io::Error| Fault::new(folder, "the folder cannot be used", error);
        fs::create_dir_all(folder).map_err(|error| fault(&error))?;
        let (mut next, mut used) = (0, 0);
        for entry in fs::read_dir(folder).map_err(|error| fault(&error))? {
            let entry = entry.map_err(|error| fault(&error))?;
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
            books: Mutex::default(),
        }))
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// A name no file has, made of a word and a number.
    pub(crate) fn name(&self, word: &str, ending: &str) -> String {
        format!("{word}-{}{ending}", self.next.fetch_add(1, Ordering::Relaxed))
    }

    /// Begins a file of keys.
    pub(crate) fn begin(self: &Arc<Self>, word: &str) -> Result<Draft, Fault> {
        let name = self.name(word, KEYS);
        let passing = self.path(&(name.clone() + PASSING));
        let file = File::create(&passing).map_err(|error| Fault::new(&passing, "the file cannot be made", &error))?;
        Ok(Draft { disk: Arc::clone(self), name, passing, file: Some(file), bytes: 0 })
    }

    /// Takes up a file of an earlier run.
    pub(crate) fn take_up(self: &Arc<Self>, name: &str) -> Result<Kept, Fault> {
        let path = self.path(name);
        // A name out of a checkpoint is a name, not a way through the file system.
        let plain = is_keys(name) && !name.contains(['/', '\\']);
        let size = fs::metadata(&path).map_err(|error| Fault::new(&path, "the file cannot be read", &error))?;
        if !plain || !size.is_file() {
            return Err(Fault::damaged(&path));
        }
        self.books().held.insert(name.to_owned());
        Ok(Kept { disk: Arc::clone(self), name: name.to_owned(), bytes: size.len() })
    }

    /// Writes a small file so that it is there whole or not at all.
    pub(crate) fn write(&self, name: &str, bytes: &[u8]) -> Result<(), Fault> {
        let (path, passing) = (self.path(name), self.path(&format!("{name}{PASSING}")));
        let written = (|| {
            let mut file = File::create(&passing)?;
            file.write_all(bytes)?;
            file.sync_all()?;
            fs::rename(&passing, &path)?;
            self.sync_folder()
        })();
        written.map_err(|error| {
            let _ = fs::remove_file(&passing);
            Fault::new(&path, "the file cannot be written", &error)
        })
    }

    /// Brings the names of files to the disk, where the system can.
    fn sync_folder(&self) -> io::Result<()> {
        if cfg!(unix) { File::open(&self.folder)?.sync_all() } else { Ok(()) }
    }

    /// From now on checkpoints name these files and no others; what nobody needs any more goes.
    pub(crate) fn set_named(&self, names: HashSet<String>) {
        let mut books = self.books();
        let old = std::mem::replace(&mut books.named, names);
        let gone: Vec<String> =
            old.into_iter().filter(|name| !books.named.contains(name) && !books.held.contains(name)).collect();
        drop(books);
        gone.iter().for_each(|name| self.remove(name));
    }

    /// Removes what neither this run nor a checkpoint needs: the rest of a run that was killed.
    pub(crate) fn sweep(&self) {
        let Ok(entries) = fs::read_dir(&self.folder) else { return };
        for entry in entries.flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            let passing = name.strip_suffix(PASSING).is_some_and(|name| number(name).is_some());
            let books = self.books();
            let needed = books.held.contains(&name) || books.named.contains(&name);
            drop(books);
            if passing {
                let _ = fs::remove_file(entry.path());
            } else if is_keys(&name) && !needed {
                self.remove(&name);
            }
        }
    }

    /// Whether so many bytes more are within the limit.
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

    fn books(&self) -> MutexGuard<'_, Books> {
        lock(&self.books)
    }
}

/// Whether a file of keys has this name.
fn is_keys(name: &str) -> bool {
    name.ends_with(KEYS) && number(name).is_some()
}

/// The number in the name of one of our files.
pub(crate) fn number(name: &str) -> Option<u64> {
    let (word, rest) = name.split_once('-')?;
    let (number, _) = rest.split_once('.')?;
    word.bytes().all(|byte| byte.is_ascii_lowercase()).then(|| number.parse().ok()).flatten()
}

/// A file that is being written.
#[derive(Debug)]
pub(crate) struct Draft {
    disk: Arc<Disk>,
    name: String,
    passing: PathBuf,
    file: Option<File>,
    bytes: u64,
}

impl Draft {
    /// Adds bytes. Returns where they begin.
    pub(crate) fn append(&mut self, bytes: &[u8]) -> Result<u64, Fault> {
        let place = self.bytes;
        if !self.disk.fits(bytes.len() as u64) {
            let limit = self.disk.limit.unwrap_or(0);
            let sentence = format!("{}: the disk limit of {limit} bytes is reached", self.disk.folder.display());
            return Err(Fault { sentence, full: true });
        }
        let file = self.file.as_mut().ok_or_else(|| Fault::damaged(&self.passing))?;
        file.write_all(bytes).map_err(|error| Fault::new(&self.passing, "the file cannot be written", &error))?;
        self.bytes += bytes.len() as u64;
        self.disk.used.fetch_add(bytes.len() as u64, Ordering::Relaxed);
        Ok(place)
    }

    /// Gives the file its name; if it is to `last`, only after it has reached the disk.
    pub(crate) fn finish(mut self, last: bool) -> Result<Kept, Fault> {
        let path = self.disk.path(&self.name);
        let finished = (|| {
            if let Some(file) = self.file.take().filter(|_| last) {
                file.sync_all()?;
            }
            fs::rename(&self.passing, &path)
        })();
        finished.map_err(|error| Fault::new(&path, "the file cannot be written", &error))?;
        self.disk.books().held.insert(self.name.clone());
        let kept = Kept { disk: Arc::clone(&self.disk), name: self.name.clone(), bytes: self.bytes };
        // It is counted by what is kept from now on.
        self.bytes = 0;
        Ok(kept)
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        self.file = None;
        // After `finish` there is nothing under this name.
        if fs::remove_file(&self.passing).is_ok() {
            self.disk.used.fetch_sub(self.bytes, Ordering::Relaxed);
        }
    }
}

/// A complete file that is held; it goes when dropped, unless a checkpoint names it.
#[derive(Debug)]
pub(crate) struct Kept {
    disk: Arc<Disk>,
    name: String,
    bytes: u64,
}

impl Kept {
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
    pub(crate) fn discard(self) {
        self.disk.books().named.remove(&self.name);
    }
}

impl Drop for Kept {
    fn drop(&mut self) {
        let mut books = self.disk.books();
        books.held.remove(&self.name);
        let named = books.named.contains(&self.name);
        drop(books);
        if !named {
            self.disk.remove(&self.name);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder() -> PathBuf {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("lurd-disk-{}-{number}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        folder
    }

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn files_go_when_nobody_needs_them() {
        let folder = folder();
        let disk = Disk::open(&folder, Some(100)).unwrap();
        let file = |bytes: &[u8]| {
            let mut draft = disk.begin("layer").unwrap();
            draft.append(bytes).unwrap();
            draft.finish(true).unwrap()
        };
        let (first, second) = (file(&[1; 40]), file(&[2; 40]));
        assert_eq!(names(&folder), [first.name(), second.name()]);
        let mut third = disk.begin("layer").unwrap();
        assert!(third.append(&[3; 40]).unwrap_err().full);
        drop(third);
        disk.set_named(HashSet::from([first.name().to_owned()]));
        let (kept, gone) = (first.name().to_owned(), second.name().to_owned());
        drop((first, second));
        assert_eq!(names(&folder), std::slice::from_ref(&kept));
        assert!(disk.take_up(&gone).is_err() && disk.take_up("../layer-0.keys").is_err());
        let again = disk.take_up(&kept).unwrap();
        fs::write(folder.join("layer-77.keys"), "left over").unwrap();
        fs::write(folder.join("layer-78.keys.part"), "half").unwrap();
        fs::write(folder.join("mine.txt"), "not ours").unwrap();
        disk.sweep();
        assert_eq!(names(&folder), [kept.as_str(), "mine.txt"]);
        again.discard();
        assert_eq!(names(&folder), ["mine.txt"]);
        assert!(disk.fits(100) && !disk.fits(101));
        assert!(Disk::open(&folder.join("mine.txt"), None).is_err());
        fs::remove_dir_all(folder).unwrap();
    }
}
