//! Searching the library: a page of levels by title, collection, size, boxes and whether they are solved.

use crate::form::{LevelKey, map_in};
use crate::{Library, LibraryError};
use lurd::Map;
use rusqlite::types::Value;
use std::ops::RangeInclusive;

/// What is looked for; an empty query finds everything.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Query {
    /// A part of a title, an author or the name of a collection; letter case does not matter.
    pub text: Option<String>,
    /// Only levels of this collection (its exact name).
    pub collection: Option<String>,
    /// Only solved levels, or only those that are not.
    pub solved: Option<bool>,
    /// Boxes the player can get at.
    pub boxes: Option<RangeInclusive<usize>>,
    /// Squares the player can get at.
    pub squares: Option<RangeInclusive<usize>>,
    /// The order.
    pub sorting: Sorting,
    /// How many hits are left out at the beginning.
    pub skip: usize,
    /// The most hits that are returned; 0 for all.
    pub most: usize,
}

/// The order of a page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sorting {
    /// As they were added.
    #[default]
    Added,
    /// Few boxes first, then few squares.
    Boxes,
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
    /// Boxes the player can get at.
    pub boxes: usize,
    /// Squares the player can get at.
    pub squares: usize,
    /// Pushes of the best solution by pushes.
    pub best_pushes: Option<usize>,
    /// Moves of the best solution by moves.
    pub best_moves: Option<usize>,
    /// A collection it is in.
    pub collection: Option<String>,
    /// Its place in that collection.
    pub number: Option<usize>,
    /// Its title in that collection.
    pub title: Option<String>,
}

/// A page of hits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    /// The hits of this page.
    pub hits: Vec<Hit>,
    /// All hits of the query.
    pub total: usize,
}

impl Library {
    /// Finds levels.
    ///
    /// # Errors
    /// When there is no such collection or the file cannot be read.
    pub fn find(&self, query: &Query) -> Result<Page, LibraryError> {
        let mut conditions: Vec<&str> = Vec::new();
        let mut values: Vec<Value> = Vec::new();
        let mut entries: Vec<&str> = Vec::new();
        if let Some(name) = &query.collection {
            values.push(self.collection_named(name)?.into());
            entries.push("entry.collection = (SELECT id FROM collection WHERE name = ?)");
        }
        if let Some(text) = &query.text {
            let pattern = format!("%{}%", escaped(text));
            values.extend(std::iter::repeat_n(Value::from(pattern), 3));
            entries.push(
                "(entry.title LIKE ? ESCAPE '\\' OR entry.author LIKE ? ESCAPE '\\'
                  OR entry.collection IN (SELECT id FROM collection WHERE name LIKE ? ESCAPE '\\'))",
            );
        }
        let among;
        if !entries.is_empty() {
            among = format!("level.id IN (SELECT level FROM entry WHERE {})", entries.join(" AND "));
            conditions.push(&among);
        }
        match query.solved {
            Some(true) => conditions.push("(best_pushes IS NULL) = 0"),
            Some(false) => conditions.push("(best_pushes IS NULL) = 1"),
            None => {}
        }
        for (range, condition) in [(&query.boxes, "boxes BETWEEN ? AND ?"), (&query.squares, "squares BETWEEN ? AND ?")]
        {
            if let Some(range) = range {
                conditions.push(condition);
                values.extend(
                    [*range.start(), *range.end()].map(|end| Value::from(i64::try_from(end).unwrap_or(i64::MAX))),
                );
            }
        }
        let condition = if conditions.is_empty() { "1".to_owned() } else { conditions.join(" AND ") };
        let order = match query.sorting {
            Sorting::Added => "level.id",
            Sorting::Boxes => "boxes, squares, level.id",
            Sorting::Pushes => "best_pushes IS NULL, best_pushes, level.id",
        };
        let count = format!("SELECT count(*) FROM level WHERE {condition}");
        let parameters = || rusqlite::params_from_iter(&values);
        let counted = || self.wrap(self.connection.query_row(&count, parameters(), |row| row.get(0)));
        // A search for text reads every title, so it counts while it reads; other conditions are counted by an index.
        let total = if query.text.is_some() { "count(*) OVER ()" } else { "NULL" };
        let limit = if query.most == 0 { "-1".to_owned() } else { query.most.to_string() };
        // Boards and places in collections are looked up for the hits of the page only.
        let page = format!(
            "SELECT key, form, boxes, squares, best_pushes, best_moves, collection.name, entry.number, entry.title, total
             FROM (SELECT id AS hit, {total} AS total FROM level WHERE {condition} ORDER BY {order} LIMIT {limit} OFFSET {skip})
             JOIN level ON level.id = hit
             LEFT JOIN entry ON entry.level = level.id AND (entry.collection, entry.number) =
                 (SELECT e.collection, e.number FROM entry AS e WHERE e.level = level.id ORDER BY 1, 2 LIMIT 1)
             LEFT JOIN collection ON collection.id = entry.collection ORDER BY {order}",
            skip = query.skip
        );
        let mut total: Option<usize> = None;
        let mut hits = || -> rusqlite::Result<Vec<Hit>> {
            let mut statement = self.connection.prepare(&page)?;
            let hits = statement.query_map(parameters(), |row| {
                total = row.get(9)?;
                Ok(Hit {
                    key: row.get(0)?,
                    map: map_in(row, 1)?,
                    boxes: row.get(2)?,
                    squares: row.get(3)?,
                    best_pushes: row.get(4)?,
                    best_moves: row.get(5)?,
                    collection: row.get(6)?,
                    number: row.get(7)?,
                    title: row.get(8)?,
                })
            })?;
            hits.collect()
        };
        let hits = self.wrap(hits())?;
        let total = total.map_or_else(counted, Ok)?;
        Ok(Page { hits, total })
    }
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
        assert_eq!(titles(Query { solved: Some(true), ..Query::default() }), ["50% done"]);
        assert_eq!(titles(Query { solved: Some(false), most: 1, ..Query::default() }), ["Big one"]);
        assert_eq!(titles(Query { boxes: Some(2..=9), ..Query::default() }), ["Big one"]);
        assert_eq!(titles(Query { squares: Some(0..=5), ..Query::default() }), ["50% done", "none"]);
        assert_eq!(titles(Query { sorting: Sorting::Boxes, skip: 1, ..Query::default() }), ["50% done", "Big one"]);
        assert_eq!(titles(Query { sorting: Sorting::Pushes, ..Query::default() }), ["50% done", "Big one", "none"]);
        assert!(library.find(&Query { collection: Some("x".into()), ..Query::default() }).is_err());
    }
}
