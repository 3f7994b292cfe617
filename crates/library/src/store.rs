//! The open file: how it is opened, what is promised about its writes, and its transactions.

use crate::error::classify;
use crate::schema;
use crate::{Form, LibraryError};
use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags, OptionalExtension, Transaction, TransactionBehavior};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// How long a writer waits for another one.
const PATIENCE: Duration = Duration::from_secs(15);

/// Pages of the log after which a command in a hurry writes them into the file. Whoever opens a library alone reads the whole
/// log first, so for many short commands a short one is faster.
const SHORT_LOG: &str = "64";

/// The pause between attempts where SQLite does not wait by itself.
const PAUSE: Duration = Duration::from_millis(5);

/// An open library.
#[derive(Debug)]
pub struct Library {
    pub(crate) connection: Connection,
    path: PathBuf,
}

impl Library {
    /// Opens a library; a file that is not there is made, with its folder.
    ///
    /// # Errors
    /// A sentence that names the file: it is locked, damaged, read-only, foreign or written by a newer version.
    pub fn open(path: &Path) -> Result<Self, LibraryError> {
        let library = Self::open_within(path, PATIENCE)?;
        // What was reported survives a power cut: every commit reaches the disk.
        library.setting("synchronous", "FULL")?;
        Ok(library)
    }

    /// Opens a library that is there already.
    ///
    /// # Errors
    /// As [`open`](Self::open), and [`LibraryError::Missing`].
    pub fn open_existing(path: &Path) -> Result<Self, LibraryError> {
        if path.exists() { Self::open(path) } else { Err(LibraryError::Missing(path.to_owned())) }
    }

    /// Opens a library for somebody in a hurry: no call waits longer than `patience` for another process, and closing
    /// it leaves the tidying of the log to others.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn open_briefly(path: &Path, patience: Duration) -> Result<Self, LibraryError> {
        let library = Self::open_within(path, patience)?;
        library.setting("synchronous", "NORMAL")?;
        library.setting("wal_autocheckpoint", SHORT_LOG)?;
        library.wrap(library.connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true))?;
        Ok(library)
    }

    /// A library that is gone when it is dropped, for tests and examples.
    ///
    /// # Errors
    /// When there is no memory for it.
    pub fn in_memory() -> Result<Self, LibraryError> {
        let path = PathBuf::from(":memory:");
        let connection = Connection::open_in_memory().map_err(|error| classify(&path, error))?;
        let mut library = Self { connection, path };
        library.setting("foreign_keys", "ON")?;
        library.migrate()?;
        Ok(library)
    }

    fn open_within(path: &Path, patience: Duration) -> Result<Self, LibraryError> {
        if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty() && !folder.exists()) {
            std::fs::create_dir_all(folder)
                .map_err(|error| LibraryError::Unopened { path: path.to_owned(), reason: error.to_string() })?;
        }
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(path, flags).map_err(|error| classify(path, error))?;
        let mut library = Self { connection, path: path.to_owned() };
        library.wrap(library.connection.busy_timeout(patience))?;
        library.setting("foreign_keys", "ON")?;
        library.refuse_strangers()?;
        library.use_log(patience)?;
        library.migrate()?;
        Ok(library)
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// A database of another program is left as it is.
    fn refuse_strangers(&self) -> Result<(), LibraryError> {
        // One snapshot: another process may be making the library just now.
        let snapshot = self.wrap(self.connection.unchecked_transaction())?;
        let (application, version) = (self.pragma("application_id")?, self.pragma("user_version")?);
        let tables: i64 = self.one("SELECT count(*) FROM sqlite_schema")?;
        self.wrap(snapshot.finish())?;
        if application != schema::APPLICATION && (tables > 0 || application != 0 || version != 0) {
            return Err(LibraryError::Foreign(self.path.clone()));
        }
        let known = schema::newest();
        if version > known {
            return Err(LibraryError::Newer { path: self.path.clone(), found: version, known });
        }
        Ok(())
    }

    /// Turns write-ahead logging on. SQLite does not wait for others here, so this does.
    fn use_log(&self, patience: Duration) -> Result<(), LibraryError> {
        let begun = Instant::now();
        loop {
            let mode = self.connection.query_row("PRAGMA journal_mode = WAL", [], |row| row.get::<_, String>(0));
            match mode.map_err(|error| classify(&self.path, error)) {
                Err(LibraryError::Locked(_)) if begun.elapsed() < patience => std::thread::sleep(PAUSE),
                Err(error) => return Err(error),
                Ok(_) => return Ok(()),
            }
        }
    }

    /// Brings the layout up to date, one transaction for all steps.
    fn migrate(&mut self) -> Result<(), LibraryError> {
        if self.pragma("user_version")? == schema::newest() {
            return Ok(());
        }
        self.write(|transaction| {
            // Another process may have done it while this one waited.
            let version: i64 = transaction.query_row("PRAGMA user_version", [], |row| row.get(0))?;
            for step in schema::STEPS.iter().skip(usize::try_from(version).unwrap_or(0)) {
                transaction.execute_batch(step)?;
            }
            transaction.pragma_update(None, "application_id", schema::APPLICATION)?;
            transaction.pragma_update(None, "user_version", schema::newest())?;
            Ok(())
        })
    }

    fn setting(&self, name: &str, value: &str) -> Result<(), LibraryError> {
        self.wrap(self.connection.pragma_update(None, name, value))
    }

    fn pragma(&self, name: &str) -> Result<i64, LibraryError> {
        self.wrap(self.connection.pragma_query_value(None, name, |row| row.get(0)))
    }

    /// The only value of a query without parameters.
    pub(crate) fn one(&self, sql: &str) -> Result<i64, LibraryError> {
        self.wrap(self.connection.query_row(sql, [], |row| row.get(0)))
    }

    pub(crate) fn wrap<T>(&self, result: rusqlite::Result<T>) -> Result<T, LibraryError> {
        result.map_err(|error| classify(&self.path, error))
    }

    /// One transaction that writes: all of it, or nothing.
    pub(crate) fn write<T>(
        &mut self,
        work: impl FnOnce(&Transaction<'_>) -> Result<T, Trouble>,
    ) -> Result<T, LibraryError> {
        let path = &self.path;
        let fail = |error| classify(path, error);
        let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(fail)?;
        let done = work(&transaction).map_err(|trouble| trouble.at(path))?;
        transaction.commit().map_err(fail)?;
        Ok(done)
    }

    /// The row of a level, if it is there.
    pub(crate) fn level_id(&self, form: &Form) -> Result<Option<i64>, LibraryError> {
        let mut statement = self.wrap(self.connection.prepare_cached("SELECT id FROM level WHERE key = ?1"))?;
        self.wrap(statement.query_row([form.key.bytes()], |row| row.get(0)).optional())
    }
}

/// What ends a transaction: SQLite, or a reason of our own.
pub(crate) enum Trouble {
    Sql(rusqlite::Error),
    Own(LibraryError),
}

impl Trouble {
    fn at(self, path: &Path) -> LibraryError {
        match self {
            Self::Sql(error) => classify(path, error),
            Self::Own(error) => error,
        }
    }
}

impl From<rusqlite::Error> for Trouble {
    fn from(error: rusqlite::Error) -> Self {
        Self::Sql(error)
    }
}

impl From<LibraryError> for Trouble {
    fn from(error: LibraryError) -> Self {
        Self::Own(error)
    }
}

/// Seconds since 1970.
pub(crate) fn now() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs() as i64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path() -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("library.db");
        (folder, path)
    }

    #[test]
    fn a_library_is_made_once_and_opened_again() {
        let (_folder, path) = path();
        assert!(matches!(Library::open_existing(&path), Err(LibraryError::Missing(_))));
        drop(Library::open(&path).unwrap());
        let library = Library::open_existing(&path).unwrap();
        assert_eq!(library.pragma("user_version").unwrap(), schema::newest());
        assert_eq!(library.pragma("application_id").unwrap(), schema::APPLICATION);
    }

    #[test]
    fn many_processes_may_make_it_at_once() {
        let (_folder, path) = path();
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| Library::open(&path).unwrap());
            }
        });
    }

    #[test]
    fn wrong_files_are_told_apart_and_left_alone() {
        let (folder, path) = path();
        let other = Connection::open(&path).unwrap();
        other.execute_batch("CREATE TABLE a (b)").unwrap();
        drop(other);
        let before = std::fs::read(&path).unwrap();
        assert!(matches!(Library::open(&path), Err(LibraryError::Foreign(_))));
        assert_eq!(std::fs::read(&path).unwrap(), before);

        let path = folder.path().join("newer.db");
        let library = Library::open(&path).unwrap();
        library.connection.pragma_update(None, "user_version", 99).unwrap();
        drop(library);
        assert!(Library::open(&path).unwrap_err().to_string().contains("newer version of lurd"));

        let path = folder.path().join("damaged.db");
        std::fs::write(&path, vec![7; 5000]).unwrap();
        assert!(matches!(Library::open(&path), Err(LibraryError::Damaged { .. })));
        assert!(matches!(Library::open(folder.path()), Err(LibraryError::Unopened { .. })));
        let inside = path.join("library.db");
        assert!(matches!(Library::open(&inside), Err(LibraryError::Unopened { .. })), "a file is no folder");
    }

    #[test]
    fn a_library_of_the_first_layout_is_brought_up_to_date() {
        let (_folder, path) = path();
        let old = Connection::open(&path).unwrap();
        old.execute_batch(schema::STEPS[0]).unwrap();
        let form = Form::of(&lurd::Map::from_xsb("######\n#@$ .#\n######").unwrap());
        old.execute(
            "INSERT INTO level (id, key, form, width, height, boxes, squares, added, best_pushes, best_moves)
             VALUES (1, ?1, ?2, 6, 3, 1, 4, 0, 2, 2)",
            rusqlite::params![form.key.bytes(), form.text],
        )
        .unwrap();
        old.execute_batch(
            "INSERT INTO solution VALUES (1, 2, 2, 'RR', 'a', 'b', 0);
             INSERT INTO bound VALUES (1, 'pushes', 2, 'a', 'b', 0), (1, 'moves', 1, 'a', 'b', 0);
             INSERT INTO collection (id, name, notes, source, added) VALUES (1, 'old', '', 'old.xsb', 0);
             INSERT INTO entry (collection, number, level, symmetry, notes)
                 VALUES (1, 1, 1, 0, 'Pushes: 2\nGrade: 4'), (1, 2, 1, 0, 'Grade: hard'), (1, 3, 1, 0, NULL);",
        )
        .unwrap();
        old.pragma_update(None, "application_id", schema::APPLICATION).unwrap();
        old.pragma_update(None, "user_version", 1).unwrap();
        drop(old);
        let library = Library::open(&path).unwrap();
        assert_eq!(library.pragma("user_version").unwrap(), schema::newest());
        let hit = library.find(&crate::Query::default()).unwrap().hits.remove(0);
        assert!(hit.proved.fewest_pushes && !hit.proved.fewest_moves && !hit.proved.unsolvable);
        let grades: Vec<_> = library.entries("old").unwrap().iter().map(|entry| entry.grade).collect();
        assert_eq!(grades, [Some(4), None, None]);
    }

    #[test]
    fn a_lock_that_stays_is_told() {
        let (_folder, path) = path();
        drop(Library::open(&path).unwrap());
        let other = Connection::open(&path).unwrap();
        other.execute_batch("BEGIN IMMEDIATE").unwrap();
        let mut library = Library::open_briefly(&path, Duration::from_millis(20)).unwrap();
        let locked = library.write(|_| Ok(()));
        assert!(matches!(locked, Err(LibraryError::Locked(_))), "{locked:?}");
    }

    #[test]
    fn a_full_disk_is_told_and_loses_nothing() {
        let (_folder, path) = path();
        let mut library = Library::open(&path).unwrap();
        library.add("a", "a", &lurd::parse("#####\n#@$.#\n#####").unwrap(), false).unwrap();
        let pages = library.pragma("page_count").unwrap();
        library.setting("max_page_count", &pages.to_string()).unwrap();
        let many: String = (2..200)
            .map(|n| format!("#{}#\n#@$.{}#\n#{}#\n\n", "#".repeat(n + 3), " ".repeat(n), "#".repeat(n + 3)))
            .collect();
        let full = library.add("b", "b", &lurd::parse(&many).unwrap(), false);
        assert!(matches!(full, Err(LibraryError::Full(_))), "{full:?}");
        assert_eq!(library.stats().unwrap().levels, 1);
        assert_eq!(library.verify(&mut |_| true).unwrap().damages, []);
    }
}
