//! Two runs side by side: won, lost, faster, slower, shorter, longer.

use crate::sign_test::sign_test;
use crate::summary::{EntryResult, Summary};
use lurd_library::JobEnd;
use serde_json::{Value, json};
use std::collections::HashMap;

/// Times closer than this factor count as equal: searches repeat no better.
const FACTOR: f64 = 1.1;

/// Times closer than this many seconds count as equal.
const INSTANT: f64 = 0.05;

/// A level that both runs have.
#[derive(Clone, Copy, Debug)]
pub struct Pair<'a> {
    /// In the first run.
    pub a: &'a EntryResult,
    /// In the second run.
    pub b: &'a EntryResult,
}

impl Pair<'_> {
    fn ends(&self) -> (bool, bool) {
        let settled = |result: &EntryResult| matches!(result.end, Some(JobEnd::Solved | JobEnd::Unsolvable));
        (settled(self.a), settled(self.b))
    }

    fn is_faster(&self) -> bool {
        self.ends() == (true, true) && quicker(self.b.seconds, self.a.seconds)
    }

    fn is_slower(&self) -> bool {
        self.ends() == (true, true) && quicker(self.a.seconds, self.b.seconds)
    }
}

fn quicker(one: f64, other: f64) -> bool {
    one * FACTOR < other && one + INSTANT < other
}

/// What differs between two runs, seen from the second.
#[derive(Clone, Debug)]
pub struct Comparison<'a> {
    /// The first run.
    pub a: &'a Summary,
    /// The second run.
    pub b: &'a Summary,
    /// Levels that both have, each once.
    pub pairs: Vec<Pair<'a>>,
}

impl<'a> Comparison<'a> {
    /// Compares two runs by the levels they share.
    pub fn new(a: &'a Summary, b: &'a Summary) -> Self {
        let mut others: HashMap<_, &EntryResult> = HashMap::new();
        for result in &b.results {
            others.entry(result.entry.key).or_insert(result);
        }
        let pair = |a: &'a EntryResult| others.remove(&a.entry.key).map(|b| Pair { a, b });
        let pairs = a.results.iter().filter_map(pair).collect();
        Self { a, b, pairs }
    }

    fn those(&self, wanted: impl Fn(&Pair<'a>) -> bool) -> Vec<Pair<'a>> {
        self.pairs.iter().filter(|pair| wanted(pair)).copied().collect()
    }

    /// Settled by the second alone.
    pub fn won(&self) -> Vec<Pair<'a>> {
        self.those(|pair| pair.ends() == (false, true))
    }

    /// Settled by the first alone.
    pub fn lost(&self) -> Vec<Pair<'a>> {
        self.those(|pair| pair.ends() == (true, false))
    }

    /// Settled by both, by the second clearly sooner.
    pub fn faster(&self) -> Vec<Pair<'a>> {
        self.those(Pair::is_faster)
    }

    /// Settled by both, by the second clearly later.
    pub fn slower(&self) -> Vec<Pair<'a>> {
        self.those(Pair::is_slower)
    }

    /// Solved by both, by the second with a shorter solution in the count that the first run minimises.
    pub fn shorter(&self) -> Vec<Pair<'a>> {
        self.those(|pair| self.lengths(pair).is_some_and(|(a, b)| b < a))
    }

    /// Solved by both, by the second with a longer solution.
    pub fn longer(&self) -> Vec<Pair<'a>> {
        self.those(|pair| self.lengths(pair).is_some_and(|(a, b)| b > a))
    }

    /// The lengths of both solutions, then the other count where they are equal.
    fn lengths(&self, pair: &Pair<'a>) -> Option<((usize, usize), (usize, usize))> {
        let cost = |result: &EntryResult| {
            let (pushes, moves) = (result.pushes?, result.moves?);
            Some(if self.a.by_moves() { (moves, pushes) } else { (pushes, moves) })
        };
        Some((cost(pair.a)?, cost(pair.b)?))
    }

    /// The three questions, each with its counts in favour of the second and of the first.
    pub fn questions(&self) -> [(&'static str, usize, usize); 3] {
        [
            ("solved", self.won().len(), self.lost().len()),
            ("time", self.faster().len(), self.slower().len()),
            ("length", self.shorter().len(), self.longer().len()),
        ]
    }

    /// The whole as one JSON object.
    pub fn json(&self) -> Value {
        let row = |pair: &Pair<'a>| {
            json!({
                "collection": pair.a.entry.collection,
                "level": pair.a.entry.number,
                "title": pair.a.entry.title,
                "key": pair.a.entry.key.to_string(),
                "outcome": [pair.a.end.map(JobEnd::name), pair.b.end.map(JobEnd::name)],
                "seconds": [pair.a.seconds, pair.b.seconds],
                "pushes": [pair.a.pushes, pair.b.pushes],
                "moves": [pair.a.moves, pair.b.moves],
            })
        };
        let rows = |pairs: Vec<Pair<'a>>| pairs.iter().map(row).collect::<Vec<_>>();
        let tests: serde_json::Map<String, Value> = self
            .questions()
            .into_iter()
            .map(|(name, better, worse)| {
                (name.to_owned(), json!({"better": better, "worse": worse, "p": sign_test(better, worse)}))
            })
            .collect();
        json!({
            "a": self.a.run.run.name,
            "b": self.b.run.run.name,
            "levels": self.pairs.len(),
            "sign_tests": tests,
            "won": rows(self.won()),
            "lost": rows(self.lost()),
            "faster": rows(self.faster()),
            "slower": rows(self.slower()),
            "shorter": rows(self.shorter()),
            "longer": rows(self.longer()),
        })
    }
}
