//! Batch runs: what a run works on, what is left to do, and the results.
//!
//! What is left follows from the results alone: a level is due on a rung of the ladder of limits if it has no result there
//! and was left open on the rung before. So a run that is killed at any moment goes on where it was.

use crate::form::{LevelKey, map_in, symmetry_in};
use crate::record::record_on_form;
use crate::store::{Trouble, now};
use crate::{Finding, Library, LibraryError, Origin, Query};
use lurd::{Map, Symmetry};
use rusqlite::types::Value;
use rusqlite::{OptionalExtension, Row, Transaction, params, params_from_iter};
use serde::{Deserialize, Serialize};

/// A run to be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewRun {
    /// Its name.
    pub name: String,
    /// A random word that no other run anywhere has.
    pub token: String,
    /// The options as JSON; the library does not look into it.
    pub options: String,
    /// Rungs of the ladder of limits.
    pub rungs: usize,
    /// The program with its version.
    pub version: String,
    /// The machine it began on.
    pub machine: String,
}

/// A run in the library.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunRow {
    /// Its number in this library.
    pub id: i64,
    /// What it was made with.
    pub run: NewRun,
    /// When it began, in seconds since 1970.
    pub created: i64,
    /// When it was done.
    pub ended: Option<i64>,
}

/// How the work on a level ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum JobEnd {
    /// There is a solution.
    Solved,
    /// It is proved that there is none.
    Unsolvable,
    /// A limit was reached.
    Open,
    /// The search crashed, took too much memory or did not end.
    Failed,
}

impl JobEnd {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Solved, Self::Unsolvable, Self::Open, Self::Failed];

    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Solved => "solved",
            Self::Unsolvable => "unsolvable",
            Self::Open => "open",
            Self::Failed => "failed",
        }
    }

    fn in_column(row: &Row<'_>, column: usize) -> rusqlite::Result<Self> {
        let name: String = row.get(column)?;
        let known = Self::ALL.into_iter().find(|end| end.name() == name);
        known.ok_or_else(|| rusqlite::Error::InvalidColumnType(column, name, rusqlite::types::Type::Text))
    }
}

/// A level that is due.
#[derive(Clone, Debug, PartialEq)]
pub struct PendingJob {
    /// The level.
    pub key: LevelKey,
    /// Its normal form, which is what is searched.
    pub form: String,
    /// Boxes the player can get at.
    pub boxes: usize,
    /// Squares the player can get at.
    pub squares: usize,
    /// The longest that any search of it took, if there was one.
    pub seconds: Option<f64>,
}

/// The result of one search.
#[derive(Clone, Debug, PartialEq)]
pub struct ResultRow {
    /// The rung of the ladder, from 0.
    pub rung: usize,
    /// How it ended.
    pub end: JobEnd,
    /// Pushes of the solution.
    pub pushes: Option<usize>,
    /// Moves of the solution.
    pub moves: Option<usize>,
    /// Wall-clock time of the search.
    pub seconds: f64,
    /// Why it is not solved.
    pub reason: Option<String>,
    /// The result as a JSON object, on the normal form.
    pub record: String,
    /// Who did it.
    pub worker: String,
}

/// An entry of a run with the results of its level.
#[derive(Clone, Debug, PartialEq)]
pub struct RunEntry {
    /// The collection, by its name when the run began.
    pub collection: String,
    /// Its place there.
    pub number: usize,
    /// Its title there.
    pub title: Option<String>,
    /// The level.
    pub key: LevelKey,
    /// The normal form.
    pub form: Map,
    /// Carries moves on the entry to moves on the normal form.
    pub symmetry: Symmetry,
    /// Boxes the player can get at.
    pub boxes: usize,
    /// Best known pushes.
    pub best_pushes: Option<usize>,
    /// Best known moves.
    pub best_moves: Option<usize>,
    /// No solution has fewer pushes.
    pub pushes_bound: Option<usize>,
    /// No solution has fewer moves.
    pub moves_bound: Option<usize>,
    /// The results, rung by rung.
    pub results: Vec<ResultRow>,
}

impl RunEntry {
    /// The result of the last rung that was tried.
    pub fn last(&self) -> Option<&ResultRow> {
        self.results.last()
    }

    /// Seconds of all rungs together.
    pub fn seconds(&self) -> f64 {
        self.results.iter().map(|result| result.seconds).sum()
    }
}

const RUN_COLUMNS: &str = "id, name, token, options, rungs, version, machine, created, ended";

fn run_of(row: &Row<'_>) -> rusqlite::Result<RunRow> {
    Ok(RunRow {
        id: row.get(0)?,
        run: NewRun {
            name: row.get(1)?,
            token: row.get(2)?,
            options: row.get(3)?,
            rungs: row.get(4)?,
            version: row.get(5)?,
            machine: row.get(6)?,
        },
        created: row.get(7)?,
        ended: row.get(8)?,
    })
}

/// The result in the columns rung, outcome, pushes, moves, seconds, reason, record, worker.
fn result_of(row: &Row<'_>) -> rusqlite::Result<ResultRow> {
    Ok(ResultRow {
        rung: row.get(0)?,
        end: JobEnd::in_column(row, 1)?,
        pushes: row.get(2)?,
        moves: row.get(3)?,
        seconds: row.get(4)?,
        reason: row.get(5)?,
        record: row.get(6)?,
        worker: row.get(7)?,
    })
}

/// Makes the row of a run, whose name must be free.
fn insert_run(transaction: &Transaction<'_>, run: &NewRun) -> Result<i64, Trouble> {
    let taken = transaction.prepare("SELECT 1 FROM run WHERE name = ?1 COLLATE NOCASE")?.exists([&run.name])?;
    if taken {
        return Err(LibraryError::RunExists(run.name.clone()).into());
    }
    transaction.execute(
        "INSERT INTO run (name, token, options, rungs, version, machine, created) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
        params![run.name, run.token, run.options, run.rungs, run.version, run.machine, now()],
    )?;
    Ok(transaction.last_insert_rowid())
}

impl Library {
    /// Makes a run over collections, each once and in the order given.
    ///
    /// # Errors
    /// When the name is taken, a collection is not there, or the file cannot be written.
    pub fn create_run(&mut self, run: &NewRun, collections: &[String]) -> Result<RunRow, LibraryError> {
        let mut names: Vec<String> = Vec::new();
        for name in collections {
            let name = self.collection_named(name)?;
            if !names.contains(&name) {
                names.push(name);
            }
        }
        let id = self.write(|transaction| {
            let id = insert_run(transaction, run)?;
            for name in &names {
                transaction.execute(
                    "INSERT INTO run_entry (run, place, level, symmetry, collection, number, title)
                     SELECT ?1, (SELECT count(*) FROM run_entry WHERE run = ?1) + row_number() OVER (ORDER BY number),
                         level, symmetry, ?2, number, entry.title
                     FROM entry JOIN collection ON collection.id = entry.collection WHERE collection.name = ?2",
                    params![id, name],
                )?;
            }
            Ok(id)
        })?;
        Ok(RunRow { id, run: run.clone(), created: now(), ended: None })
    }

    /// Makes a run over what a query finds, whatever page of it is asked for. A level in no collection is numbered by its
    /// place in the run.
    ///
    /// # Errors
    /// When the name is taken, a collection is not there, or the file cannot be written.
    pub fn create_run_of(&mut self, run: &NewRun, query: &Query) -> Result<RunRow, LibraryError> {
        let search = self.search(query)?;
        let id = self.write(|transaction| {
            let id = insert_run(transaction, run)?;
            let found = transaction
                .prepare(&search.hits(""))?
                .query_map(params_from_iter(&search.values), |row| row.get(0))?
                .collect::<rusqlite::Result<Vec<i64>>>()?;
            let parameters = search.values.len();
            let mut insert = transaction.prepare(&format!(
                "INSERT INTO run_entry (run, place, level, symmetry, collection, number, title)
                 SELECT ?{run}, ?{place}, level.id, coalesce(entry.symmetry, 0),
                     coalesce(collection.name, 'in no collection'), coalesce(entry.number, ?{place}), entry.title
                 FROM level {entry} WHERE level.id = ?{level}",
                run = parameters + 1,
                place = parameters + 2,
                level = parameters + 3,
                entry = search.entry()
            ))?;
            for (place, level) in (1_i64..).zip(found) {
                let own = [id, place, level].map(Value::from);
                insert.execute(params_from_iter(search.values.iter().cloned().chain(own)))?;
            }
            Ok(id)
        })?;
        Ok(RunRow { id, run: run.clone(), created: now(), ended: None })
    }

    /// All runs, the newest last.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn runs(&self) -> Result<Vec<RunRow>, LibraryError> {
        let rows = || -> rusqlite::Result<Vec<RunRow>> {
            let mut statement = self.connection.prepare(&format!("SELECT {RUN_COLUMNS} FROM run ORDER BY id"))?;
            let rows = statement.query_map([], run_of)?;
            rows.collect()
        };
        self.wrap(rows())
    }

    /// The run of a name.
    ///
    /// # Errors
    /// When there is none, with names like it.
    pub fn run(&self, name: &str) -> Result<RunRow, LibraryError> {
        let name = self.named("run", name)?.map_err(|near| LibraryError::NoRun { name: name.to_owned(), near })?;
        let sql = format!("SELECT {RUN_COLUMNS} FROM run WHERE name = ?1");
        self.wrap(self.connection.query_row(&sql, [name], run_of))
    }

    /// The run of a token.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn run_of_token(&self, token: &str) -> Result<Option<RunRow>, LibraryError> {
        let sql = format!("SELECT {RUN_COLUMNS} FROM run WHERE token = ?1");
        self.wrap(self.connection.query_row(&sql, [token], run_of).optional())
    }

    /// What came of a level in each run that tried it, the newest run last: the run and the result of its last rung.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn results_of(&self, key: LevelKey) -> Result<Vec<(RunRow, ResultRow)>, LibraryError> {
        let mut rows = Vec::new();
        for run in self.runs()? {
            let sql = "SELECT rung, outcome, pushes, moves, seconds, reason, record, worker FROM result
                WHERE run = ?1 AND level = (SELECT id FROM level WHERE key = ?2) ORDER BY rung DESC LIMIT 1";
            let row = self.connection.query_row(sql, params![run.id, key.bytes()], result_of).optional();
            rows.extend(self.wrap(row)?.map(|result| (run, result)));
        }
        Ok(rows)
    }

    /// Notes that a run is done.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn end_run(&mut self, run: i64) -> Result<(), LibraryError> {
        self.write(|transaction| {
            Ok(transaction.execute("UPDATE run SET ended = ?2 WHERE id = ?1 AND ended IS NULL", params![run, now()])?)
        })?;
        Ok(())
    }

    /// The different levels of a run.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn run_levels(&self, run: i64) -> Result<usize, LibraryError> {
        let sql = "SELECT count(DISTINCT level) FROM run_entry WHERE run = ?1";
        self.wrap(self.connection.query_row(sql, [run], |row| row.get(0)))
    }

    /// How many levels of a run have ended in each way so far, in the order of [`JobEnd::ALL`].
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn run_counts(&self, run: i64) -> Result<[usize; 4], LibraryError> {
        let mut counts = [0; 4];
        for (place, end) in JobEnd::ALL.into_iter().enumerate() {
            // Only a level that was left open is tried again.
            let sql = "SELECT count(*) FROM result AS r WHERE run = ?1 AND outcome = ?2 AND (?2 <> 'open' OR NOT EXISTS
                (SELECT 1 FROM result WHERE run = r.run AND level = r.level AND rung > r.rung))";
            counts[place] = self.wrap(self.connection.query_row(sql, params![run, end.name()], |row| row.get(0)))?;
        }
        Ok(counts)
    }

    /// The levels that are due on a rung.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn pending(&self, run: i64, rung: usize) -> Result<Vec<PendingJob>, LibraryError> {
        let rows = || -> rusqlite::Result<Vec<PendingJob>> {
            let mut statement = self.connection.prepare(
                "SELECT key, form, boxes, squares, (SELECT max(seconds) FROM result WHERE result.level = level.id)
                 FROM level WHERE id IN (SELECT level FROM run_entry WHERE run = ?1)
                 AND NOT EXISTS (SELECT 1 FROM result WHERE run = ?1 AND level = level.id AND rung = ?2)
                 AND (?2 = 0 OR EXISTS
                     (SELECT 1 FROM result WHERE run = ?1 AND level = level.id AND rung = ?2 - 1 AND outcome = 'open'))
                 ORDER BY id",
            )?;
            let rows = statement.query_map(params![run, rung], |row| {
                Ok(PendingJob {
                    key: row.get(0)?,
                    form: row.get(1)?,
                    boxes: row.get(2)?,
                    squares: row.get(3)?,
                    seconds: row.get(4)?,
                })
            })?;
            rows.collect()
        };
        self.wrap(rows())
    }

    /// Stores a result and what it found, in one transaction. Says whether it is the first for its level and rung; a
    /// second one changes nothing.
    ///
    /// # Errors
    /// When the level is not there, the solution is wrong, or the file cannot be written.
    pub fn finish_job(
        &mut self,
        run: i64,
        key: LevelKey,
        result: &ResultRow,
        finding: Option<&Finding>,
        origin: &Origin,
    ) -> Result<bool, LibraryError> {
        self.write(|transaction| {
            let row = transaction.query_row("SELECT id, form FROM level WHERE key = ?1", [key.bytes()], |row| {
                Ok((row.get::<_, i64>(0)?, row.get::<_, String>(1)?))
            });
            let (level, form) = row?;
            let stored = transaction.execute(
                "INSERT OR IGNORE INTO result
                     (run, level, rung, outcome, pushes, moves, seconds, reason, record, worker, ended)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
                params![
                    run,
                    level,
                    result.rung,
                    result.end.name(),
                    result.pushes,
                    result.moves,
                    result.seconds,
                    result.reason,
                    result.record,
                    result.worker,
                    now()
                ],
            )?;
            if stored == 0 {
                return Ok(false);
            }
            if let Some(finding) = finding {
                record_on_form(transaction, level, &form, key, finding, origin)?;
            }
            Ok(true)
        })
    }

    /// All entries of a run with their results.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn run_entries(&self, run: i64) -> Result<Vec<RunEntry>, LibraryError> {
        let rows = || -> rusqlite::Result<Vec<RunEntry>> {
            let mut results = self.connection.prepare(
                "SELECT rung, outcome, pushes, moves, seconds, reason, record, worker FROM result
                 WHERE run = ?1 AND level = ?2 ORDER BY rung",
            )?;
            let mut entries = self.connection.prepare(
                "SELECT collection, number, title, key, form, symmetry, boxes, best_pushes, best_moves, level.id,
                     (SELECT value FROM bound WHERE bound.level = level.id AND metric = 'pushes'),
                     (SELECT value FROM bound WHERE bound.level = level.id AND metric = 'moves')
                 FROM run_entry JOIN level ON level.id = run_entry.level WHERE run = ?1 ORDER BY place",
            )?;
            let entries = entries.query_map([run], |row| {
                let level: i64 = row.get(9)?;
                let found = results.query_map(params![run, level], result_of)?;
                Ok(RunEntry {
                    collection: row.get(0)?,
                    number: row.get(1)?,
                    title: row.get(2)?,
                    key: row.get(3)?,
                    form: map_in(row, 4)?,
                    symmetry: symmetry_in(row, 5)?,
                    boxes: row.get(6)?,
                    best_pushes: row.get(7)?,
                    best_moves: row.get(8)?,
                    pushes_bound: row.get(10)?,
                    moves_bound: row.get(11)?,
                    results: found.collect::<rusqlite::Result<_>>()?,
                })
            })?;
            entries.collect()
        };
        self.wrap(rows())
    }

    /// The collection that has exactly these levels in this order, under whatever name.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn same_collection(&self, levels: &[lurd::Level]) -> Result<Option<String>, LibraryError> {
        let Some(first) = levels.first() else { return Ok(None) };
        let forms: Vec<_> = levels.iter().map(|level| crate::Form::of(&level.map)).collect();
        let places = self.entries_of(crate::Form::of(&first.map).key)?;
        let mut names: Vec<&str> = places.iter().map(|entry| entry.collection.as_str()).collect();
        names.dedup();
        for name in names {
            let sql = "SELECT count(*) FROM entry JOIN collection ON id = collection WHERE name = ?1";
            let size: Option<usize> = self.wrap(self.connection.query_row(sql, [name], |row| row.get(0)).optional())?;
            if size != Some(levels.len()) {
                continue;
            }
            let same = self.entries(name)?.iter().zip(levels).zip(&forms).all(|((entry, level), form)| {
                (entry.number, &entry.title, entry.key, entry.symmetry)
                    == (level.number, &level.title, form.key, form.symmetry)
            });
            if same {
                return Ok(Some(name.to_owned()));
            }
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn new_run(name: &str) -> NewRun {
        let word = String::new;
        NewRun { name: name.into(), token: word(), options: "{}".into(), rungs: 2, version: word(), machine: word() }
    }

    fn result(rung: usize, end: JobEnd) -> ResultRow {
        let (pushes, moves, reason) = (None, None, None);
        ResultRow { rung, end, pushes, moves, seconds: 1.5, reason, record: "{}".into(), worker: "me".into() }
    }

    /// Three entries, two of them of one level.
    fn library() -> Library {
        let mut library = Library::in_memory().unwrap();
        let levels = "; A\n#######\n#@ $ .#\n#######\n\n; B\n#####\n#@$.#\n#####\n\n; C\n#######\n#. $ @#\n#######\n";
        library.add("three", "three.xsb", &lurd::parse(levels).unwrap(), false).unwrap();
        library
    }

    #[test]
    fn what_is_due_follows_from_the_results() {
        let mut library = library();
        let run = library.create_run(&new_run("x"), &["three".into(), "THREE".into()]).unwrap();
        assert!(matches!(library.create_run(&new_run("X"), &[]), Err(LibraryError::RunExists(_))));
        let due = library.pending(run.id, 0).unwrap();
        assert_eq!((due.len(), library.run_levels(run.id).unwrap()), (2, 2), "the third is the first, mirrored");
        assert!(library.pending(run.id, 1).unwrap().is_empty());
        let origin = Origin::new("a", "b");
        assert!(library.finish_job(run.id, due[0].key, &result(0, JobEnd::Open), None, &origin).unwrap());
        assert!(!library.finish_job(run.id, due[0].key, &result(0, JobEnd::Failed), None, &origin).unwrap());
        assert_eq!(library.pending(run.id, 0).unwrap().len(), 1);
        let again = library.pending(run.id, 1).unwrap();
        assert_eq!((again.len(), again[0].key, again[0].seconds), (1, due[0].key, Some(1.5)));
        assert_eq!(library.run_counts(run.id).unwrap(), [0, 0, 1, 0]);
        let level = lurd::Level::parse(&due[1].form).unwrap();
        let finding = Finding::solution(lurd::solve(&level).unwrap().solution.unwrap().lurd);
        library.finish_job(run.id, due[1].key, &result(0, JobEnd::Solved), Some(&finding), &origin).unwrap();
        library.finish_job(run.id, due[0].key, &result(1, JobEnd::Failed), None, &origin).unwrap();
        assert_eq!(library.run_counts(run.id).unwrap(), [1, 0, 0, 1]);
        let entries = library.run_entries(run.id).unwrap();
        assert_eq!(entries.iter().map(|entry| entry.results.len()).collect::<Vec<_>>(), [2, 1, 2]);
        assert_eq!((entries[1].best_pushes, entries[0].seconds()), (Some(1), 3.0));
        library.end_run(run.id).unwrap();
        assert!(library.run("x").unwrap().ended.is_some());
        assert!(library.run("y").unwrap_err().to_string().contains("it has x"));
    }

    #[test]
    fn a_run_can_be_made_of_what_was_found() {
        let mut library = library();
        let alone = lurd::Map::from_xsb("########\n#@$  . #\n########").unwrap();
        library.record(&alone, &Finding::solution("RRR"), &Origin::new("a", "b")).unwrap();
        let query = Query { squares: Some(4..=9), most: 1, ..Query::default() };
        let run = NewRun { token: "abc".into(), ..new_run("x") };
        let run = library.create_run_of(&run, &query).unwrap();
        assert!(matches!(library.create_run_of(&new_run("X"), &query), Err(LibraryError::RunExists(_))));
        let entries = library.run_entries(run.id).unwrap();
        let places: Vec<_> = entries.iter().map(|entry| (entry.collection.as_str(), entry.number)).collect();
        assert_eq!(places, [("three", 1), ("in no collection", 2)], "all of it, not a page");
        assert_eq!(library.run_of_token("abc").unwrap().unwrap().id, run.id);
        assert_eq!(library.run_of_token("abd").unwrap(), None);
        let key = entries[0].key;
        assert_eq!(library.results_of(key).unwrap().len(), 0);
        library.finish_job(run.id, key, &result(0, JobEnd::Open), None, &Origin::new("a", "b")).unwrap();
        library.finish_job(run.id, key, &result(1, JobEnd::Failed), None, &Origin::new("a", "b")).unwrap();
        let results = library.results_of(key).unwrap();
        assert_eq!((results.len(), results[0].1.end), (1, JobEnd::Failed), "the last rung counts");
    }

    #[test]
    fn a_wrong_solution_leaves_no_result() {
        let mut library = library();
        let run = library.create_run(&new_run("x"), &["three".into()]).unwrap();
        let due = library.pending(run.id, 0).unwrap();
        let wrong = Finding::solution("RRRR");
        let refused =
            library.finish_job(run.id, due[0].key, &result(0, JobEnd::Solved), Some(&wrong), &Origin::new("a", "b"));
        assert!(matches!(refused, Err(LibraryError::WrongSolution { .. })));
        assert_eq!(library.pending(run.id, 0).unwrap().len(), 2);
    }

    #[test]
    fn a_file_that_is_there_is_found_again() {
        let library = library();
        let levels = library.export("three").unwrap().levels;
        assert_eq!(library.same_collection(&levels).unwrap().as_deref(), Some("three"));
        assert_eq!(library.same_collection(&levels[..2]).unwrap(), None);
        let mut renamed = levels.clone();
        renamed[1].title = None;
        assert_eq!(library.same_collection(&renamed).unwrap(), None);
    }
}
