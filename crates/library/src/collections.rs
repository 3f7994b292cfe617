//! Collections: files of levels with their order and titles, put in and taken out.

use crate::form::{LevelKey, map_in, symmetry_in, symmetry_number};
use crate::record::{insert_level, record_on_form};
use crate::store::{Trouble, now};
use crate::{Finding, Form, Library, LibraryError, Origin};
use lurd::formats::Collection;
use lurd::{Level, Map, SavedGame, Symmetry};
use rusqlite::types::ValueRef;
use rusqlite::{OptionalExtension, Transaction, params};

/// What came of adding a collection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Added {
    /// The name it has now.
    pub name: String,
    /// Its levels.
    pub entries: usize,
    /// Those that were not in the library before.
    pub new_levels: usize,
    /// Solutions of the file that are better than all before.
    pub new_best: usize,
    /// A collection of this name was replaced.
    pub replaced: bool,
}

/// A collection in a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CollectionRow {
    /// Its name, by which it is called.
    pub name: String,
    /// The title its file gives.
    pub title: Option<String>,
    /// The author its file gives.
    pub author: Option<String>,
    /// The file it came from.
    pub source: String,
    /// When it was added, in seconds since 1970.
    pub added: i64,
    /// Its levels.
    pub entries: usize,
    /// Levels with a solution.
    pub solved: usize,
}

/// A level in a collection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntryRow {
    /// The name of its collection.
    pub collection: String,
    /// Its place in the collection.
    pub number: usize,
    /// Its title there.
    pub title: Option<String>,
    /// The name of the level.
    pub key: LevelKey,
    /// The level as its file draws it.
    pub map: Map,
    /// Carries moves on that map to moves on the normal form.
    pub symmetry: Symmetry,
    /// Its author there.
    pub author: Option<String>,
    /// What else the file says of it, line by line.
    pub notes: Vec<String>,
    /// How hard the file calls it, from 1 to 10.
    pub grade: Option<u8>,
    pub(crate) level: i64,
}

impl Library {
    /// Adds a collection. A name that is taken gets a number behind it, unless the old collection is to be replaced.
    /// Solutions that the file holds are taken in after the referee has replayed them.
    ///
    /// # Errors
    /// When the file of the library cannot be written; then nothing is added.
    pub fn add(
        &mut self,
        name: &str,
        source: &str,
        collection: &Collection,
        replace: bool,
    ) -> Result<Added, LibraryError> {
        self.write(|transaction| {
            let replaced = replace && transaction.execute("DELETE FROM collection WHERE name = ?1", [name])? > 0;
            let name = free_name(transaction, name)?;
            transaction.execute(
                "INSERT INTO collection (name, title, author, notes, source, added) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
                params![name, collection.title, collection.author, collection.notes.join("\n"), source, now()],
            )?;
            let row = transaction.last_insert_rowid();
            let origin = Origin::new(format!("the file {source}"), "with the level");
            let mut added = Added { name, entries: 0, new_levels: 0, new_best: 0, replaced };
            for level in &collection.levels {
                let (new_level, new_best) = add_entry(transaction, row, level, &origin)?;
                added.entries += 1;
                added.new_levels += usize::from(new_level);
                added.new_best += usize::from(new_best);
            }
            Ok(added)
        })
    }

    /// Takes a collection out. Its levels and their solutions stay.
    ///
    /// # Errors
    /// When there is none of this name, or the file cannot be written.
    pub fn remove(&mut self, name: &str) -> Result<(), LibraryError> {
        let name = self.collection_named(name)?;
        self.write(|transaction| Ok(transaction.execute("DELETE FROM collection WHERE name = ?1", [name])?))?;
        Ok(())
    }

    /// All collections by name.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn collections(&self) -> Result<Vec<CollectionRow>, LibraryError> {
        let rows = || -> rusqlite::Result<Vec<CollectionRow>> {
            let mut statement = self.connection.prepare_cached(
                "SELECT name, collection.title, collection.author, source, collection.added, count(level.id), count(best_pushes)
                 FROM collection LEFT JOIN entry ON entry.collection = collection.id
                 LEFT JOIN level ON level.id = entry.level GROUP BY collection.id ORDER BY name COLLATE NOCASE",
            )?;
            let rows = statement.query_map([], |row| {
                Ok(CollectionRow {
                    name: row.get(0)?,
                    title: row.get(1)?,
                    author: row.get(2)?,
                    source: row.get(3)?,
                    added: row.get(4)?,
                    entries: row.get(5)?,
                    solved: row.get(6)?,
                })
            })?;
            rows.collect()
        };
        self.wrap(rows())
    }

    /// The name of a collection as it is written, whatever the case of the letters.
    ///
    /// # Errors
    /// When there is none, with names like it.
    pub fn collection_named(&self, name: &str) -> Result<String, LibraryError> {
        self.named("collection", name)?.map_err(|near| LibraryError::NoCollection { name: name.to_owned(), near })
    }

    /// The exact name in a table, or else names like it.
    pub(crate) fn named(&self, table: &str, name: &str) -> Result<Result<String, Vec<String>>, LibraryError> {
        let sql = format!("SELECT name FROM {table} WHERE name = ?1 COLLATE NOCASE ORDER BY name <> ?1 LIMIT 1");
        let found = self.connection.query_row(&sql, [name], |row| row.get(0)).optional();
        if let Some(name) = self.wrap(found)? {
            return Ok(Ok(name));
        }
        let near = || -> rusqlite::Result<Vec<String>> {
            let sql = format!("SELECT name FROM {table} ORDER BY name LIKE '%' || ?1 || '%' DESC, name LIMIT 8");
            let mut statement = self.connection.prepare(&sql)?;
            let names = statement.query_map([name], |row| row.get(0))?;
            names.collect()
        };
        Ok(Err(self.wrap(near())?))
    }

    /// The levels of a collection in their order.
    ///
    /// # Errors
    /// When there is no such collection or the file cannot be read.
    pub fn entries(&self, collection: &str) -> Result<Vec<EntryRow>, LibraryError> {
        let name = self.collection_named(collection)?;
        self.entries_where("collection.name = ?1 ORDER BY entry.number", params![name])
    }

    /// Every place where a level stands.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn entries_of(&self, key: LevelKey) -> Result<Vec<EntryRow>, LibraryError> {
        self.entries_where("level.key = ?1 ORDER BY collection.name, entry.number", params![key.bytes()])
    }

    fn entries_where(&self, condition: &str, parameters: impl rusqlite::Params) -> Result<Vec<EntryRow>, LibraryError> {
        let rows = || -> rusqlite::Result<Vec<EntryRow>> {
            let mut statement = self.connection.prepare(&format!(
                "SELECT collection.name, entry.number, entry.title, level.key, entry.symmetry, level.id, entry.author,
                     entry.notes, entry.board, level.form, entry.grade
                 FROM entry JOIN collection ON collection.id = entry.collection JOIN level ON level.id = entry.level
                 WHERE {condition}"
            ))?;
            let rows = statement.query_map(parameters, |row| {
                let symmetry = symmetry_in(row, 4)?;
                let drawn = row.get_ref(8)? != ValueRef::Null;
                Ok(EntryRow {
                    collection: row.get(0)?,
                    number: row.get(1)?,
                    title: row.get(2)?,
                    key: row.get(3)?,
                    map: if drawn { map_in(row, 8)? } else { symmetry.inverse().apply(&map_in(row, 9)?) },
                    symmetry,
                    level: row.get(5)?,
                    author: row.get(6)?,
                    notes: lines(&row.get::<_, Option<String>>(7)?.unwrap_or_default()),
                    grade: row.get(10)?,
                })
            })?;
            rows.collect()
        };
        self.wrap(rows())
    }

    /// A collection as it was added, each level with its best solutions.
    ///
    /// # Errors
    /// When there is no such collection or the file cannot be read.
    pub fn export(&self, collection: &str) -> Result<Collection, LibraryError> {
        let name = self.collection_named(collection)?;
        let (title, author, notes): (Option<String>, Option<String>, String) = self.wrap(self.connection.query_row(
            "SELECT title, author, notes FROM collection WHERE name = ?1",
            [&name],
            |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)),
        ))?;
        let mut levels = Vec::new();
        for entry in self.entries(&name)? {
            let known = self.knowledge_of(entry.level, entry.key, entry.symmetry.inverse())?;
            let mut level =
                Level { number: entry.number, title: entry.title, author: entry.author, ..Level::new(entry.map) };
            level.notes = entry.notes;
            level.games = known
                .front
                .iter()
                .map(|solution| SavedGame {
                    title: "Solution".into(),
                    moves: solution.lurd.clone(),
                    notes: vec![format!(
                        "{} pushes, {} moves, {}",
                        solution.pushes, solution.moves, solution.origin.finder
                    )],
                    mark: None,
                    solves: true,
                })
                .collect();
            levels.push(level);
        }
        Ok(Collection { title, author, notes: lines(&notes), ..Collection::new(levels) })
    }
}

fn lines(text: &str) -> Vec<String> {
    text.lines().map(str::to_owned).collect()
}

/// The name, with a number behind it where it is taken.
fn free_name(transaction: &Transaction<'_>, name: &str) -> rusqlite::Result<String> {
    let mut free = name.to_owned();
    let mut number = 1;
    let mut find = transaction.prepare_cached("SELECT 1 FROM collection WHERE name = ?1 COLLATE NOCASE")?;
    while find.exists([&free])? {
        number += 1;
        free = format!("{name} ({number})");
    }
    Ok(free)
}

/// Adds a level to a collection; says whether it is new and whether it brings a best solution.
fn add_entry(
    transaction: &Transaction<'_>,
    collection: i64,
    level: &Level,
    origin: &Origin,
) -> Result<(bool, bool), Trouble> {
    let form = Form::of(&level.map);
    let (id, new_level) = insert_level(transaction, &form)?;
    let board = (form.symmetry.inverse().apply(&form.map) != level.map).then(|| level.map.to_string());
    let notes = (!level.notes.is_empty()).then(|| level.notes.join("\n"));
    let mut insert = transaction.prepare_cached(
        "INSERT INTO entry (collection, number, level, symmetry, title, author, notes, board, grade)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
    )?;
    insert.execute(params![
        collection,
        level.number,
        id,
        symmetry_number(form.symmetry),
        level.title,
        level.author,
        notes,
        board,
        level.figure(&["Grade"]).filter(|grade| (1..=10).contains(grade))
    ])?;
    let mut new_best = false;
    for game in level.games.iter().filter(|game| game.solves) {
        let finding = Finding::solution(form.symmetry.apply_to_lurd(&game.moves));
        new_best |= record_on_form(transaction, id, &form.text, form.key, &finding, origin)?.new_best;
    }
    Ok((new_level, new_best))
}

#[cfg(test)]
mod tests {
    use super::*;
    use lurd::improve::Metric;

    const FILE: &str = "; First\n#######\n#@ $ .#\n#######\n\n; Second\n#####   *\n#@$.#\n#####\n";

    /// The file with every level carried over by a symmetry.
    fn image(symmetry: Symmetry) -> Collection {
        let mut collection = lurd::parse(FILE).unwrap();
        for level in &mut collection.levels {
            level.map = symmetry.apply(&level.map);
        }
        collection
    }

    #[test]
    fn images_of_a_collection_are_the_same_levels_and_share_solutions() {
        let mut library = Library::in_memory().unwrap();
        for (index, symmetry) in Symmetry::ALL.into_iter().enumerate() {
            let added = library.add("levels", "levels.xsb", &image(symmetry), false).unwrap();
            assert_eq!((added.entries, added.new_levels), (2, if index == 0 { 2 } else { 0 }));
            assert_eq!(added.name, if index == 0 { "levels".into() } else { format!("levels ({})", index + 1) });
        }
        library
            .record(&image(Symmetry::IDENTITY).levels[0].map, &Finding::solution("rRR"), &Origin::new("a", "b"))
            .unwrap();
        for collection in library.collections().unwrap() {
            assert_eq!((collection.entries, collection.solved), (2, 1));
            let exported = library.export(&collection.name).unwrap();
            let level = &exported.levels[0];
            assert!(lurd::check(level, &level.games[0].moves).unwrap().solved, "{}", level.map);
            assert!(exported.levels[1].games.is_empty());
        }
        for symmetry in Symmetry::ALL {
            let known = library.knowledge(&image(symmetry).levels[0].map).unwrap().unwrap();
            assert_eq!(known.best(Metric::Moves).unwrap().lurd, symmetry.apply_to_lurd("rRR"));
        }
    }

    #[test]
    fn a_collection_comes_out_as_it_went_in() {
        let mut library = Library::in_memory().unwrap();
        let given = lurd::parse(format!("Title: Two levels\nAuthor: Nobody\n\n{FILE}")).unwrap();
        library.add("two", "two.xsb", &given, false).unwrap();
        let taken = library.export("TWO").unwrap();
        assert_eq!((&taken.title, &taken.author, &taken.notes), (&given.title, &given.author, &given.notes));
        for (taken, given) in taken.levels.iter().zip(&given.levels) {
            assert_eq!((&taken.map, &taken.title, taken.number), (&given.map, &given.title, given.number));
        }
    }

    #[test]
    fn solutions_of_the_file_are_taken_in_and_names_are_found() {
        let mut library = Library::in_memory().unwrap();
        let solved = lurd::parse("#######\n#@ $ .#\n#######\n\nSolution\nrRR\n").unwrap();
        assert_eq!(library.add("solved", "solved.sok", &solved, false).unwrap().new_best, 1);
        assert_eq!(library.add("solved", "solved.sok", &solved, true).unwrap().new_best, 0);
        assert_eq!(library.collections().unwrap().len(), 1, "it was replaced");
        let missing = library.entries("sold").unwrap_err().to_string();
        assert_eq!(missing, "there is no collection `sold` in the library; it has solved");
        library.remove("solved").unwrap();
        assert!(library.collections().unwrap().is_empty());
        assert!(library.knowledge(&solved.levels[0].map).unwrap().is_some(), "its levels stay");
    }
}
