//! What came of a run, as data: every entry with its result in its own orientation, counts, collections.

use crate::job::RunOptions;
use lurd::Record;
use lurd_library::{JobEnd, Library, LibraryError, RunEntry, RunRow};
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::{BTreeMap, HashSet};

/// What came of one entry.
#[derive(Clone, Debug, PartialEq)]
pub struct EntryResult {
    /// The entry with all its results.
    pub entry: RunEntry,
    /// How it ended; `None` if it was not tried yet.
    pub end: Option<JobEnd>,
    /// Pushes of the solution.
    pub pushes: Option<usize>,
    /// Moves of the solution.
    pub moves: Option<usize>,
    /// Seconds of all rungs together.
    pub seconds: f64,
    /// Why it is not solved.
    pub reason: Option<String>,
}

impl EntryResult {
    fn new(entry: RunEntry) -> Self {
        let last = entry.last();
        Self {
            end: last.map(|result| result.end),
            pushes: last.and_then(|result| result.pushes),
            moves: last.and_then(|result| result.moves),
            seconds: entry.seconds(),
            reason: last.and_then(|result| result.reason.clone()),
            entry,
        }
    }

    /// Its place and title for people.
    pub fn label(&self) -> String {
        let title = self.entry.title.as_deref().unwrap_or_default();
        format!("{} {} {title}", self.entry.collection, self.entry.number).trim_end().to_owned()
    }

    /// The result as `solve --json` prints it, with the solution in the orientation of the entry, and what a run adds.
    pub fn record(&self) -> EntryRecord {
        let stored =
            self.entry.last().and_then(|last| serde_json::from_str::<Option<Record>>(&last.record).ok().flatten());
        let mut record = stored.unwrap_or_else(|| match &self.reason {
            Some(reason) if self.end == Some(JobEnd::Failed) => Record::failed(reason),
            _ => Record::default(),
        });
        record.solution = record.solution.map(|lurd| self.entry.symmetry.inverse().apply_to_lurd(&lurd));
        record.level = Some(self.entry.number);
        record.title = self.entry.title.clone().unwrap_or_default();
        EntryRecord {
            record,
            end: self.end.map_or("untried", JobEnd::name),
            collection: self.entry.collection.clone(),
            key: self.entry.key.to_string(),
            reason: self.reason.clone(),
            total_seconds: self.seconds,
        }
    }
}

/// A record with its place in a run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EntryRecord {
    /// What came of the last search.
    #[serde(flatten)]
    pub record: Record,
    /// `solved`, `unsolvable`, `open`, `failed` or `untried`.
    pub end: &'static str,
    /// The collection of the entry.
    pub collection: String,
    /// The key of its level.
    pub key: String,
    /// Why it is not solved.
    pub reason: Option<String>,
    /// Seconds of all rungs together.
    pub total_seconds: f64,
}

/// Counts of one collection.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct CollectionSummary {
    /// Its name.
    pub name: String,
    /// Its levels.
    pub levels: usize,
    /// Levels by how they ended, in the order of [`JobEnd::ALL`].
    pub counts: [usize; 4],
    /// Levels whose solution is as short as the best known, in the count that the run minimises.
    pub best: usize,
    /// Pushes and moves of its solutions.
    pub lengths: (usize, usize),
    /// Seconds of its searches.
    pub seconds: f64,
}

/// What came of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Summary {
    /// The run.
    pub run: RunRow,
    /// Its options.
    pub options: RunOptions,
    /// Its entries in order.
    pub results: Vec<EntryResult>,
}

impl Summary {
    /// Reads the summary of a run.
    ///
    /// # Errors
    /// When there is no such run or the library cannot be read.
    pub fn read(library: &Library, name: &str) -> Result<Self, LibraryError> {
        let run = library.run(name)?;
        let results = library.run_entries(run.id)?.into_iter().map(EntryResult::new).collect();
        let options = serde_json::from_str(&run.run.options).unwrap_or_default();
        Ok(Self { run, options, results })
    }

    /// Entries that ended in a way.
    pub fn count(&self, end: JobEnd) -> usize {
        self.results.iter().filter(|result| result.end == Some(end)).count()
    }

    /// Entries nobody has tried yet.
    pub fn untried(&self) -> usize {
        self.results.iter().filter(|result| result.end.is_none()).count()
    }

    /// Different levels among the entries.
    pub fn different(&self) -> usize {
        self.results.iter().map(|result| result.entry.key).collect::<HashSet<_>>().len()
    }

    /// Whether the run minimises moves.
    pub fn by_moves(&self) -> bool {
        self.options.request.goal == lurd::Goal::Moves
    }

    /// The length of a result in the count that the run minimises, with the best known length and lower bound.
    pub fn lengths(&self, result: &EntryResult) -> (Option<usize>, Option<usize>, Option<usize>) {
        let entry = &result.entry;
        if self.by_moves() {
            (result.moves, entry.best_moves, entry.moves_bound)
        } else {
            (result.pushes, entry.best_pushes, entry.pushes_bound)
        }
    }

    /// The seconds after which each solved entry was solved, in order: the curve.
    pub fn solved_by_time(&self) -> Vec<f64> {
        let solved = self.results.iter().filter(|result| result.end == Some(JobEnd::Solved));
        let mut seconds: Vec<f64> = solved.map(|result| result.seconds).collect();
        seconds.sort_by(f64::total_cmp);
        seconds
    }

    /// Counts by collection, in the order of the run.
    pub fn collections(&self) -> Vec<CollectionSummary> {
        let mut order: Vec<CollectionSummary> = Vec::new();
        let mut places: BTreeMap<&str, usize> = BTreeMap::new();
        for result in &self.results {
            let name = result.entry.collection.as_str();
            let place = *places.entry(name).or_insert_with(|| {
                order.push(CollectionSummary { name: name.to_owned(), ..CollectionSummary::default() });
                order.len() - 1
            });
            let summary = &mut order[place];
            summary.levels += 1;
            summary.seconds += result.seconds;
            for (count, end) in summary.counts.iter_mut().zip(JobEnd::ALL) {
                *count += usize::from(result.end == Some(end));
            }
            if let (Some(length), Some(best), _) = self.lengths(result) {
                summary.best += usize::from(length <= best);
            }
            summary.lengths.0 += result.pushes.unwrap_or(0);
            summary.lengths.1 += result.moves.unwrap_or(0);
        }
        order
    }

    /// The slowest entries that came to an end.
    pub fn slowest(&self, most: usize) -> Vec<&EntryResult> {
        let ended = |result: &&EntryResult| matches!(result.end, Some(JobEnd::Solved | JobEnd::Unsolvable));
        let mut slowest: Vec<_> = self.results.iter().filter(ended).collect();
        slowest.sort_by(|a, b| b.seconds.total_cmp(&a.seconds));
        slowest.truncate(most);
        slowest
    }

    /// Entries without an answer.
    pub fn unsolved(&self) -> Vec<&EntryResult> {
        self.results.iter().filter(|result| matches!(result.end, None | Some(JobEnd::Open | JobEnd::Failed))).collect()
    }

    /// The whole as one JSON object.
    pub fn json(&self) -> Value {
        json!({
            "name": self.run.run.name,
            "version": self.run.run.version,
            "machine": self.run.run.machine,
            "created": self.run.created,
            "ended": self.run.ended,
            "options": self.options,
            "levels": self.results.len(),
            "different_levels": self.different(),
            "solved": self.count(JobEnd::Solved),
            "unsolvable": self.count(JobEnd::Unsolvable),
            "open": self.count(JobEnd::Open),
            "failed": self.count(JobEnd::Failed),
            "untried": self.untried(),
            "collections": self.collections(),
            "results": self.results.iter().map(EntryResult::record).collect::<Vec<_>>(),
        })
    }
}
