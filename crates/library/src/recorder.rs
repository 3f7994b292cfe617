//! Storing findings in the background, for commands that must not wait for a library and must not fail because of it.

use crate::{Finding, Library, LibraryError, Origin};
use lurd::Map;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

/// How long one attempt waits for another process.
const ATTEMPT: Duration = Duration::from_millis(50);

/// How long the end of a command waits for a library that another process holds.
const LAST_CHANCE: Duration = Duration::from_millis(100);

/// How long the end of a command waits for a slow disk.
const SLOW_DISK: Duration = Duration::from_secs(5);

/// Something to store.
type Order = (Map, Finding, Origin);

/// What became of all findings: a sentence says what was not stored.
type Stored = Result<(), String>;

/// Stores findings on a thread of its own. The thread starts with the first finding, so that a command that finds nothing
/// never touches the file.
#[derive(Debug)]
pub struct Recorder {
    path: PathBuf,
    thread: Option<(Sender<Order>, Receiver<Stored>)>,
    /// Why there is no thread.
    trouble: Option<String>,
}

impl Recorder {
    /// A recorder for a library, which need not be there yet.
    pub fn new(path: PathBuf) -> Self {
        Self { path, thread: None, trouble: None }
    }

    /// Takes a finding; it is stored within moments.
    pub fn record(&mut self, map: &Map, finding: Finding, origin: Origin) {
        if self.thread.is_none() && self.trouble.is_none() {
            let (orders, inbox) = channel();
            let (said, done) = channel();
            let path = self.path.clone();
            let work = move || drop(said.send(store_all(&path, &inbox)));
            match std::thread::Builder::new().name("library".into()).spawn(work) {
                Ok(_) => self.thread = Some((orders, done)),
                Err(error) => self.trouble = Some(format!("nothing is kept in the library: {error}")),
            }
        }
        if let Some((orders, _)) = &self.thread {
            // The thread has ended only if the library cannot be used; `finish` says why.
            let _ = orders.send((map.clone(), finding, origin));
        }
    }

    /// Waits until everything is stored, though never long. Says in a sentence what could not be stored, and why.
    /// What is recorded afterwards starts another thread.
    pub fn finish(&mut self) -> Option<String> {
        let Some((orders, done)) = self.thread.take() else { return self.trouble.take() };
        drop(orders);
        match done.recv_timeout(SLOW_DISK) {
            Ok(Ok(())) => None,
            Ok(Err(sentence)) => Some(sentence),
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {
                Some(format!("{}: not everything is in the library: the disk is too slow", self.path.display()))
            }
        }
    }
}

/// Stores what comes in until the other side hangs up. The library is locked only now and then: what comes meanwhile is
/// kept and tried again.
fn store_all(path: &Path, inbox: &Receiver<Order>) -> Stored {
    let mut library = None;
    let mut waiting: Vec<Order> = Vec::new();
    let mut refused = None;
    let mut last_chance = None;
    loop {
        if waiting.is_empty() {
            match inbox.recv() {
                Ok(order) => waiting.push(order),
                Err(_) => return refused.map_or(Ok(()), Err),
            }
        }
        waiting.extend(inbox.try_iter());
        match store(path, &mut library, &mut waiting, &mut refused) {
            Ok(()) => last_chance = None,
            Err(LibraryError::Locked(_)) if !expired(inbox, &mut waiting, &mut last_chance) => {}
            Err(error) => return Err(format!("not in the library: {error}")),
        }
    }
}

/// Whether nothing more comes and the last chance is over.
fn expired(inbox: &Receiver<Order>, waiting: &mut Vec<Order>, last_chance: &mut Option<Instant>) -> bool {
    match inbox.recv_timeout(Duration::from_millis(1)) {
        Ok(order) => waiting.push(order),
        Err(RecvTimeoutError::Timeout) => {}
        Err(RecvTimeoutError::Disconnected) => {
            return last_chance.get_or_insert_with(Instant::now).elapsed() >= LAST_CHANCE;
        }
    }
    false
}

fn store(
    path: &Path,
    library: &mut Option<Library>,
    waiting: &mut Vec<Order>,
    refused: &mut Option<String>,
) -> Result<(), LibraryError> {
    let library = match library {
        Some(library) => library,
        None => library.insert(Library::open_briefly(path, ATTEMPT)?),
    };
    match library.record_all(waiting.iter().map(|(map, finding, origin)| (map, finding, origin))) {
        Ok(_) => waiting.clear(),
        // One of them is wrong: the others are stored one by one.
        Err(LibraryError::WrongSolution { .. } | LibraryError::Unplayable(_)) => {
            while let Some((map, finding, origin)) = waiting.last() {
                match library.record(map, finding, origin) {
                    Err(error @ (LibraryError::WrongSolution { .. } | LibraryError::Unplayable(_))) => {
                        *refused = Some(format!("not in the library: {error}"));
                    }
                    Err(error) => return Err(error),
                    Ok(_) => {}
                }
                waiting.pop();
            }
        }
        Err(error) => return Err(error),
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use rusqlite::Connection;

    fn level() -> Map {
        Map::from_xsb("######\n#@$ .#\n######").unwrap()
    }

    fn origin() -> Origin {
        Origin::new("a test", "by hand")
    }

    #[test]
    fn findings_reach_the_file_and_wrong_ones_are_told() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("new/library.db");
        assert_eq!(Recorder::new(path.clone()).finish(), None);
        assert!(!path.exists(), "nothing was found, so there is no file");
        let mut recorder = Recorder::new(path.clone());
        recorder.record(&level(), Finding::solution("L"), origin());
        recorder.record(&level(), Finding::solution("RR"), origin());
        assert!(recorder.finish().unwrap().contains("do not solve"));
        let library = Library::open_existing(&path).unwrap();
        assert_eq!(library.knowledge(&level()).unwrap().unwrap().front.len(), 1);
    }

    #[test]
    fn a_locked_library_is_told_and_does_not_hold_anybody_up() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("library.db");
        drop(Library::open(&path).unwrap());
        let other = Connection::open(&path).unwrap();
        other.execute_batch("BEGIN IMMEDIATE").unwrap();
        let mut recorder = Recorder::new(path.clone());
        recorder.record(&level(), Finding::solution("RR"), origin());
        assert!(recorder.finish().unwrap().contains("locked by another program"));
        // A short lock is waited for.
        let mut recorder = Recorder::new(path.clone());
        recorder.record(&level(), Finding::solution("RR"), origin());
        std::thread::sleep(Duration::from_millis(100));
        other.execute_batch("COMMIT").unwrap();
        assert_eq!(recorder.finish(), None);
    }

    #[test]
    fn a_library_that_cannot_be_used_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("library.db");
        std::fs::write(&path, "this is no database, although it is as long as one might be, and longer".repeat(20))
            .unwrap();
        let mut recorder = Recorder::new(path);
        recorder.record(&level(), Finding::solution("RR"), origin());
        assert!(recorder.finish().unwrap().contains("damaged"));
    }
}
