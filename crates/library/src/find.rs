//! Searching the library: a page of levels by title, collection, size, boxes, grade and what is known of them.

use crate::form::{LevelKey, map_in, symmetry_in};
use crate::{Library, LibraryError, Proved};
use lurd::{Map, Symmetry};
use rusqlite::Row;
use rusqlite::types::{Value, ValueRef};
use std::ops::RangeInclusive;

/// What is looked for; an empty query finds everything.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Query {
    /// A part of a title, an author or the name of a collection; letter case does not matter.
    pub text: Option<String>,
    /// Only levels of this collection (its exact name).
    pub collection: Option<String>,
    /// Only levels of which so much is known.
    pub standing: Option<Standing>,
    /// Boxes the player can get at.
    pub boxes: Option<RangeInclusive<usize>>,
    /// Squares the player can get at.
    pub squares: Option<RangeInclusive<usize>>,
    /// How hard their files call them, from 1 to 10.
    pub grades: Option<RangeInclusive<usize>>,
    /// The order.
    pub sorting: Sorting,
    /// How many hits are left out at the beginning.
    pub skip: usize,
    /// The most hits that are returned; 0 for all.
    pub most: usize,
}

/// How much is known of a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It has a solution.
    Solved,
    /// It has none yet.
    Unsolved,
    /// The fewest pushes or the fewest moves are known.
    Proved,
    /// It has a solution, and neither the fewest pushes nor the fewest moves are known.
    Unproved,
    /// It is proved to have no solution.
    Unsolvable,
}

/// The order of a page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sorting {
    /// As they were added; those of one collection by their place in it.
    #[default]
    Added,
    /// Those that were added last come first.
    Newest,
    /// Few boxes first, then few squares.
    Boxes,
    /// Few squares first.
    Squares,
    /// Few pushes of the best solution first; unsolved levels last.
    Pushes,
}

/// A level that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hit {
    /// The name of the level.
    pub key: LevelKey,
    /// Its normal form.
    pub map: Map,
    /// Carries moves on the drawing of its place in a collection to moves on the normal form.
    pub symmetry: Symmetry,
    /// Boxes the player can get at.
    pub boxes: usize,
    /// Squares the player can get at.
    pub squares: usize,
    /// Pushes of the best solution by pushes.
    pub best_pushes: Option<usize>,
    /// Moves of the best solution by moves.
    pub best_moves: Option<usize>,
    /// What is proved of it.
    pub proved: Proved,
    /// A collection it is in, by which it was found where that matters.
    pub collection: Option<String>,
    /// Its place in that collection.
    pub number: Option<usize>,
    /// Its title in that collection.
    pub title: Option<String>,
    /// How hard the file of that collection calls it, from 1 to 10.
    pub grade: Option<u8>,
}

/// A page of hits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    /// The hits of this page.
    pub hits: Vec<Hit>,
    /// All hits of the query.
    pub total: usize,
}

/// A query in the words of SQLite. Parameters are numbered, so that a condition can stand in several places.
pub(crate) struct Search {
    /// The conditions on a row of `level`, those on its entries apart.
    levels: Vec<String>,
    /// The conditions on an entry, `@` standing for the name of its table.
    entries: Vec<String>,
    /// The parameters.
    pub(crate) values: Vec<Value>,
    sorting: Sorting,
    by_place: bool,
    by_text: bool,
}

impl Search {
    fn parameter(&mut self, value: impl Into<Value>) -> String {
        self.values.push(value.into());
        format!("?{}", self.values.len())
    }

    fn within(&mut self, column: &str, range: &RangeInclusive<usize>) -> String {
        let [least, most] =
            [*range.start(), *range.end()].map(|end| self.parameter(i64::try_from(end).unwrap_or(i64::MAX)));
        format!("{column} BETWEEN {least} AND {most}")
    }

    /// The conditions on an entry, with the table it is taken from.
    fn on_entry(&self, table: &str) -> Vec<String> {
        self.entries.iter().map(|condition| condition.replace('@', table)).collect()
    }

    /// The condition on a level.
    fn condition(&self) -> String {
        let mut conditions = self.levels.clone();
        if !self.entries.is_empty() {
            let entries = self.on_entry("entry").join(" AND ");
            conditions.push(format!("level.id IN (SELECT level FROM entry WHERE {entries})"));
        }
        if conditions.is_empty() { "1".to_owned() } else { conditions.join(" AND ") }
    }

    /// Counts the hits.
    fn count(&self) -> String {
        if self.levels.is_empty() && !self.entries.is_empty() {
            let entries = self.on_entry("entry").join(" AND ");
            return format!("SELECT count(DISTINCT level) FROM entry WHERE {entries}");
        }
        format!("SELECT count(*) FROM level WHERE {}", self.condition())
    }

    /// Selects the hits in their order, as the column `hit` beside others.
    pub(crate) fn hits(&self, more: &str) -> String {
        if self.by_place {
            // A level that stands in the collection twice is found at its first place.
            let first = "NOT EXISTS (SELECT 1 FROM entry AS twin WHERE twin.level = entry.level
                AND twin.collection = entry.collection AND twin.number < entry.number)";
            let conditions =
                [self.on_entry("entry"), self.levels.clone(), vec![first.to_owned()]].concat().join(" AND ");
            return format!(
                "SELECT level.id AS hit{more} FROM entry JOIN level ON level.id = entry.level WHERE {conditions}
                 ORDER BY entry.number"
            );
        }
        let order = match self.sorting {
            Sorting::Added => "level.id",
            Sorting::Newest => "level.id DESC",
            Sorting::Boxes => "boxes, squares, level.id",
            Sorting::Squares => "squares, level.id",
            Sorting::Pushes => "best_pushes IS NULL, best_pushes, level.id",
        };
        format!("SELECT level.id AS hit{more} FROM level WHERE {} ORDER BY {order}", self.condition())
    }

    /// Joins the entry by which a level was found to a row of `level`.
    pub(crate) fn entry(&self) -> String {
        let conditions = [vec!["e.level = level.id".to_owned()], self.on_entry("e")].concat().join(" AND ");
        format!(
            "LEFT JOIN entry ON entry.level = level.id AND (entry.collection, entry.number) =
                 (SELECT e.collection, e.number FROM entry AS e WHERE {conditions} ORDER BY 1, 2 LIMIT 1)
             LEFT JOIN collection ON collection.id = entry.collection"
        )
    }
}

impl Library {
    /// A query in the words of SQLite.
    ///
    /// # Errors
    /// When there is no such collection.
    pub(crate) fn search(&self, query: &Query) -> Result<Search, LibraryError> {
        let by_place = query.collection.is_some() && query.sorting == Sorting::Added;
        let (levels, entries, values) = (Vec::new(), Vec::new(), Vec::new());
        let by_text = query.text.is_some();
        let mut search = Search { levels, entries, values, sorting: query.sorting, by_place, by_text };
        if let Some(name) = &query.collection {
            let name = search.parameter(self.collection_named(name)?);
            search.entries.push(format!("@.collection = (SELECT id FROM collection WHERE name = {name})"));
        }
        if let Some(text) = &query.text {
            let text = search.parameter(format!("%{}%", escaped(text)));
            search.entries.push(format!(
                "(@.title LIKE {text} ESCAPE '\\' OR @.author LIKE {text} ESCAPE '\\'
                  OR @.collection IN (SELECT id FROM collection WHERE name LIKE {text} ESCAPE '\\'))"
            ));
        }
        if let Some(grades) = &query.grades {
            // A search for text reads every title: the index of grades would only lead it there one by one.
            let column = if search.by_text { "coalesce(@.grade, 0)" } else { "@.grade" };
            let condition = search.within(column, grades);
            search.entries.push(condition);
        }
        let standing = query.standing.map(|standing| match standing {
            Standing::Solved => "(best_pushes IS NULL) = 0",
            Standing::Unsolved => "(best_pushes IS NULL) = 1",
            Standing::Proved => "proved IN (1, 2, 3)",
            Standing::Unproved => "(best_pushes IS NULL) = 0 AND +proved = 0",
            Standing::Unsolvable => "proved >= 4",
        });
        search.levels.extend(standing.map(str::to_owned));
        for (range, column) in [(&query.boxes, "boxes"), (&query.squares, "squares")] {
            if let Some(range) = range {
                let condition = search.within(column, range);
                search.levels.push(condition);
            }
        }
        Ok(search)
    }

    /// Finds levels.
    ///
    /// # Errors
    /// When there is no such collection or the file cannot be read.
    pub fn find(&self, query: &Query) -> Result<Page, LibraryError> {
        let search = self.search(query)?;
        let parameters = || rusqlite::params_from_iter(&search.values);
        let count = search.count();
        let counted = || self.wrap(self.connection.query_row(&count, parameters(), |row| row.get(0)));
        // A search for text reads every title, so it counts while it reads; other conditions are counted by an index.
        let counts = if search.by_text { ", count(*) OVER ()" } else { ", NULL" };
        let limit = if query.most == 0 { "-1".to_owned() } else { query.most.to_string() };
        let found = format!("{} LIMIT {limit} OFFSET {}", search.hits(counts), query.skip);
        // Boards and places in collections are looked up for the hits of the page only.
        let details = format!(
            "SELECT key, form, boxes, squares, best_pushes, best_moves, proved, collection.name, entry.number,
                 entry.title, entry.grade, entry.symmetry FROM level {} WHERE level.id = ?{}",
            search.entry(),
            search.values.len() + 1
        );
        let mut total: Option<usize> = None;
        let mut hits = || -> rusqlite::Result<Vec<Hit>> {
            let mut found = self.connection.prepare(&found)?;
            let rows = found.query_map(parameters(), |row| {
                total = row.get(1)?;
                row.get::<_, i64>(0)
            })?;
            let rows: Vec<i64> = rows.collect::<rusqlite::Result<_>>()?;
            let mut details = self.connection.prepare(&details)?;
            let hit = |id: i64| {
                let values = search.values.iter().cloned().chain([Value::from(id)]);
                details.query_row(rusqlite::params_from_iter(values), hit_of)
            };
            rows.into_iter().map(hit).collect()
        };
        let hits = self.wrap(hits())?;
        let total = total.map_or_else(counted, Ok)?;
        Ok(Page { hits, total })
    }
}

fn hit_of(row: &Row<'_>) -> rusqlite::Result<Hit> {
    let has_entry = row.get_ref(11)? != ValueRef::Null;
    Ok(Hit {
        key: row.get(0)?,
        map: map_in(row, 1)?,
        symmetry: if has_entry { symmetry_in(row, 11)? } else { Symmetry::IDENTITY },
        boxes: row.get(2)?,
        squares: row.get(3)?,
        best_pushes: row.get(4)?,
        best_moves: row.get(5)?,
        proved: Proved::of_column(row.get(6)?),
        collection: row.get(7)?,
        number: row.get(8)?,
        title: row.get(9)?,
        grade: row.get(10)?,
    })
}

/// A text for LIKE that stands for itself.
fn escaped(text: &str) -> String {
    text.chars().flat_map(|c| ['%', '_', '\\'].contains(&c).then_some('\\').into_iter().chain([c])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Finding, Origin};

    #[test]
    fn every_filter_counts() {
        let mut library = Library::in_memory().unwrap();
        let levels = "; 50% done\n#######\n#@ $ .#\n#######\n\n; Big one\n########\n#@ $$..#\n#      #\n########\n";
        let collection = lurd::parse(levels).unwrap();
        library.add("Small set", "a.xsb", &collection, false).unwrap();
        library.add("Other", "b.xsb", &lurd::parse("#####\n#@$.#\n#####").unwrap(), false).unwrap();
        library.record(&collection.levels[0].map, &Finding::solution("rRR"), &Origin::new("a", "b")).unwrap();
        let titles = |query: Query| -> Vec<String> {
            let page = library.find(&query).unwrap();
            let all = library.find(&Query { skip: 0, most: 0, ..query.clone() }).unwrap();
            assert_eq!((page.total, all.hits.len()), (all.total, all.total));
            page.hits.into_iter().map(|hit| hit.title.unwrap_or_else(|| "none".into())).collect()
        };
        assert_eq!(titles(Query::default()), ["50% done", "Big one", "none"]);
        assert_eq!(titles(Query { text: Some("0%".into()), ..Query::default() }), ["50% done"]);
        assert_eq!(titles(Query { text: Some("small".into()), ..Query::default() }), ["50% done", "Big one"]);
        assert_eq!(titles(Query { collection: Some("other".into()), ..Query::default() }), ["none"]);
        assert_eq!(titles(Query { standing: Some(Standing::Solved), ..Query::default() }), ["50% done"]);
        assert_eq!(titles(Query { standing: Some(Standing::Unsolved), most: 1, ..Query::default() }), ["Big one"]);
        assert_eq!(titles(Query { boxes: Some(2..=9), ..Query::default() }), ["Big one"]);
        assert_eq!(titles(Query { squares: Some(0..=5), ..Query::default() }), ["50% done", "none"]);
        assert_eq!(titles(Query { sorting: Sorting::Boxes, skip: 1, ..Query::default() }), ["50% done", "Big one"]);
        assert_eq!(titles(Query { sorting: Sorting::Pushes, ..Query::default() }), ["50% done", "Big one", "none"]);
        assert!(library.find(&Query { collection: Some("x".into()), ..Query::default() }).is_err());
    }

    #[test]
    fn proofs_and_grades_are_found() {
        let mut library = Library::in_memory().unwrap();
        let levels = "#######\n#@ $ .#\n#######\nTitle: A\nComment:\nGrade: 3\nComment-End:\n\n#####\n#@$.#\n#####\nTitle: B\nComment:\nGrade: 12\nComment-End:\n\n########\n#@$  $ #\n# .  . #\n########\nTitle: C\nComment:\nGrade: 7\nComment-End:\n";
        let collection = lurd::parse(levels).unwrap();
        library.add("graded", "a.xsb", &collection, false).unwrap();
        let origin = Origin::new("a", "b");
        let mut record = |at: usize, finding| {
            library.record(&collection.levels[at].map, &finding, &origin).unwrap();
        };
        record(0, Finding { bound: Some((lurd::improve::Metric::Pushes, 2)), ..Finding::solution("rRR") });
        record(1, Finding::solution("R"));
        record(2, Finding { unsolvable: true, ..Finding::default() });
        let titles = |query: Query| -> Vec<String> {
            let page = library.find(&query).unwrap();
            assert_eq!(page.total, page.hits.len());
            page.hits.into_iter().filter_map(|hit| hit.title).collect()
        };
        let standing = |standing| titles(Query { standing: Some(standing), ..Query::default() });
        assert_eq!(standing(Standing::Proved), ["A"]);
        assert_eq!(standing(Standing::Unproved), ["B"]);
        assert_eq!(standing(Standing::Unsolvable), ["C"]);
        assert_eq!(titles(Query { grades: Some(1..=10), ..Query::default() }), ["A", "C"], "12 is no grade");
        assert_eq!(titles(Query { grades: Some(5..=10), sorting: Sorting::Newest, ..Query::default() }), ["C"]);
        assert_eq!(library.verify(&mut |_| true).unwrap().damages, []);
        library.connection.execute("UPDATE level SET proved = 0", []).unwrap();
        assert_eq!(library.verify(&mut |_| true).unwrap().damages.len(), 2, "what is proved is looked at again");
    }

    #[test]
    fn a_level_is_shown_where_it_was_found() {
        let mut library = Library::in_memory().unwrap();
        let set = |text: &str| lurd::parse(text).unwrap();
        library.add("first", "a.xsb", &set("; One\n######\n#@$ .#\n######"), false).unwrap();
        let other =
            "; Two\n#####\n#@$.#\n#####\n\n; Mirrored\n######\n#. $@#\n######\n\n; Again\n######\n#. $@#\n######\n";
        library.add("other", "b.xsb", &set(other), false).unwrap();
        let places = |query: Query| -> Vec<(String, usize)> {
            let page = library.find(&query).unwrap();
            assert_eq!(page.total, page.hits.len());
            let place = |hit: Hit| (hit.collection.unwrap(), hit.number.unwrap());
            page.hits.into_iter().map(place).collect()
        };
        let by = |name: &str| Query { collection: Some(name.into()), ..Query::default() };
        assert_eq!(places(Query::default()), [("first".into(), 1), ("other".into(), 1)]);
        assert_eq!(places(by("other")), [("other".into(), 1), ("other".into(), 2)], "in the order of the collection");
        assert_eq!(places(Query { text: Some("mirr".into()), ..Query::default() }), [("other".into(), 2)]);
        let hit = &library.find(&Query { text: Some("mirr".into()), ..Query::default() }).unwrap().hits[0];
        assert_eq!(hit.symmetry.inverse().apply(&hit.map), set(other).levels[1].map, "as its file draws it");
    }
}
