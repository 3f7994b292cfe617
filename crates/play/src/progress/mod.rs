//! What a player has done, kept on disk.
//!
//! Each level has one small file, named by its [`LevelId`]. A file is replaced as a
//! whole (written beside, synced, renamed), so at any moment, also when the program is
//! killed, the disk holds either the old record or the new one. Writing happens on a
//! thread of its own: the screen never waits for the disk.

mod record;
mod writer;

pub(crate) use record::Record;

use crate::level_id::LevelId;
use lurd::Map;
use lurd_base::sync::lock;
use lurd_library::{DATA_VARIABLE, Finding, Origin, Recorder, data_folder};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use writer::Writer;

/// The records of all levels.
#[derive(Debug)]
pub(crate) struct Store {
    folder: Option<PathBuf>,
    known: HashMap<LevelId, Record>,
    writer: Option<Writer>,
    trouble: Option<String>,
    /// Where solutions go beside the player's own records.
    library: Option<Arc<Mutex<Recorder>>>,
}

impl Store {
    /// Opens (and makes, if need be) the store in a folder. A folder that cannot be used is no
    /// reason not to play: [`trouble`](Self::trouble) then says why nothing is kept.
    pub(crate) fn open(folder: &Path) -> Self {
        let levels = folder.join("levels");
        match std::fs::create_dir_all(&levels).and_then(|()| Writer::start()) {
            Ok(writer) => Self { folder: Some(levels), writer: Some(writer), ..Self::forgetful() },
            Err(error) => {
                let trouble = Some(format!("progress is not kept: {}: {error}", levels.display()));
                Self { trouble, ..Self::forgetful() }
            }
        }
    }

    /// A store that forgets everything at the end.
    pub(crate) fn forgetful() -> Self {
        Self { folder: None, known: HashMap::new(), writer: None, trouble: None, library: None }
    }

    /// The store where this user's data belongs.
    pub(crate) fn for_user() -> Self {
        data_folder().map_or_else(
            || Self {
                trouble: Some(format!("progress is not kept: there is no home folder; set {DATA_VARIABLE}")),
                ..Self::forgetful()
            },
            |folder| Self::open(&folder),
        )
    }

    /// What is known of a level. `board` is its [normal form](crate::level_id::normal_form).
    pub(crate) fn record(&mut self, id: LevelId, board: &str) -> Record {
        if let Some(record) = self.known.get(&id) {
            return record.clone();
        }
        match self.folder.as_deref().map(|folder| record::load(&path(folder, id), board)) {
            Some(Ok(Some(record))) => {
                self.known.insert(id, record.clone());
                return record;
            }
            Some(Err(trouble)) => self.trouble = Some(trouble),
            // Nobody has played it. That is not remembered: a file can hold a million such levels.
            Some(Ok(None)) | None => {}
        }
        Record::new(board)
    }

    /// Keeps a record; it reaches the disk within moments.
    pub(crate) fn keep(&mut self, id: LevelId, record: Record) {
        if let (Some(folder), Some(writer)) = (&self.folder, &self.writer) {
            writer.write(path(folder, id), record.clone());
        }
        self.known.insert(id, record);
    }

    /// The same store that passes solutions on to a library.
    pub(crate) fn with_library(self, library: Option<Arc<Mutex<Recorder>>>) -> Self {
        Self { library, ..self }
    }

    /// Passes a solution on to the library, if there is one.
    pub(crate) fn solved(&self, map: &Map, lurd: &str) {
        if let Some(library) = &self.library {
            let variable = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
            let player = variable("USER").or_else(|| variable("USERNAME")).unwrap_or_else(|| "a player".to_owned());
            lock(library).record(map, Finding::solution(lurd), Origin::new(player, "play"));
        }
    }

    /// Waits until everything kept is on disk.
    pub(crate) fn flush(&self) {
        if let Some(writer) = &self.writer {
            writer.flush();
        }
    }

    /// Why something could not be read or kept, in a sentence.
    pub(crate) fn trouble(&self) -> Option<String> {
        self.trouble.clone().or_else(|| self.writer.as_ref()?.trouble())
    }
}

fn path(folder: &Path, id: LevelId) -> PathBuf {
    folder.join(format!("{id}.json"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::level_id::normal_form;
    use lurd::{Board, Map};

    fn level() -> (LevelId, String) {
        let board = Board::new(&Map::from_xsb("######\n#@$ .#\n######").unwrap()).unwrap();
        (LevelId::of(&board), normal_form(&board))
    }

    #[test]
    fn what_was_kept_is_found_again() {
        let folder = tempfile::tempdir().unwrap();
        let (id, board) = level();
        let mut store = Store::open(folder.path());
        let mut record = store.record(id, &board);
        assert_eq!(record, Record::new(&board));
        record.current = "R".into();
        assert!(record.finish("RR").unwrap());
        store.keep(id, record.clone());
        store.flush();
        let mut again = Store::open(folder.path());
        assert_eq!(again.record(id, &board), record);
        assert_eq!(again.trouble(), None);
        let names: Vec<_> = std::fs::read_dir(folder.path().join("levels")).unwrap().collect();
        assert_eq!(names.len(), 1, "no temporary file is left");
    }

    #[test]
    fn many_quick_changes_end_with_the_last() {
        let folder = tempfile::tempdir().unwrap();
        let (id, board) = level();
        let mut store = Store::open(folder.path());
        for moves in 0..500 {
            let mut record = store.record(id, &board);
            record.current = "l".repeat(moves);
            store.keep(id, record);
        }
        drop(store);
        assert_eq!(Store::open(folder.path()).record(id, &board).current.len(), 499);
    }

    #[test]
    fn a_damaged_record_is_put_aside_and_reported() {
        let folder = tempfile::tempdir().unwrap();
        let (id, board) = level();
        let mut store = Store::open(folder.path());
        let file = path(&folder.path().join("levels"), id);
        std::fs::write(&file, "{ half a rec").unwrap();
        assert_eq!(store.record(id, &board), Record::new(&board));
        assert!(store.trouble().unwrap().contains("damaged"), "{:?}", store.trouble());
        assert!(file.with_extension("json.damaged").exists() && !file.exists());
    }

    #[test]
    fn another_program_s_best_solution_is_not_lost() {
        let folder = tempfile::tempdir().unwrap();
        let (id, board) = level();
        let (mut one, mut two) = (Store::open(folder.path()), Store::open(folder.path()));
        let (mut first, second) = (one.record(id, &board), two.record(id, &board));
        first.finish("RR").unwrap();
        one.keep(id, first);
        one.flush();
        two.keep(id, second);
        two.flush();
        assert!(Store::open(folder.path()).record(id, &board).best_pushes.is_some());
    }

    #[test]
    fn a_folder_that_cannot_be_made_is_trouble_but_no_failure() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        std::fs::write(&file, "").unwrap();
        let (id, board) = level();
        let mut store = Store::open(&file);
        let mut record = store.record(id, &board);
        record.current = "R".into();
        store.keep(id, record);
        assert_eq!(store.record(id, &board).current, "R");
        assert!(store.trouble().unwrap().starts_with("progress is not kept"));
    }
}
