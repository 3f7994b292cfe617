//! The record of a proof: for every completed push limit the tables in use, and for every layer the number of its
//! positions and two checksums.
//!
//! All of it depends on the level alone, so repeating the work must give the same numbers.

use crate::bidirectional::BidirectionalSearch;
use crate::digest::LayerRecord;
use crate::key::Key;
use crate::tables::Table;
use serde::{Deserialize, Serialize};

/// Raised whenever a change to bounds, rules or tables changes the contents of a layer: records of other rules are not
/// comparable.
pub const RULES: u32 = 3;

/// How the search of a push limit ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LimitEnd {
    /// There is no solution of fewer than `at_least` pushes.
    Exhausted,
    /// Both ends met; no solution is shorter.
    Solved,
    /// A side ran empty and the limit pruned nothing of it: there is no solution.
    Unsolvable,
}

/// The bound of the start with some tables.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StartRecord {
    /// The tables, in the order they were built.
    pub tables: Vec<String>,
    /// The bound, `None` if it shows that the start is dead.
    pub bound: Option<u32>,
}

/// A completed push limit. One that found a solution is recorded only if it raised the lower bound.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LimitRecord {
    /// The most pushes of a solution.
    pub limit: u32,
    /// The bound of the start.
    pub start: u32,
    /// The tables in use, in the order they were built.
    pub tables: Vec<String>,
    /// How many earlier layers, every other one, each new layer was compared with.
    pub compared: usize,
    pub ended: LimitEnd,
    /// No solution has fewer pushes than this.
    pub at_least: u32,
    /// The complete layers from the start, by pushes.
    pub layers: Vec<LayerRecord>,
    /// The complete layers from the solved board, by pulls.
    pub backward: Vec<LayerRecord>,
}

#[cfg(test)]
impl LimitRecord {
    /// An exhausted limit with forward layers of these sizes.
    pub(crate) fn of_sizes(limit: u32, sizes: &[u64]) -> Self {
        Self {
            limit,
            start: 8,
            tables: Vec::new(),
            compared: 1,
            ended: LimitEnd::Exhausted,
            at_least: limit + 2,
            layers: sizes.iter().map(|&positions| LayerRecord { positions, ..LayerRecord::default() }).collect(),
            backward: Vec::new(),
        }
    }
}

impl LimitRecord {
    /// The record of a search that has ended.
    pub(crate) fn new<K: Key>(
        search: &BidirectionalSearch<K>,
        tables: &[Table],
        ended: LimitEnd,
        at_least: u32,
    ) -> Self {
        Self {
            limit: search.limit(),
            start: search.forward.root,
            tables: names(tables),
            compared: search.forward.compared(),
            ended,
            at_least,
            layers: search.forward.digests.clone(),
            backward: search.backward.digests.clone(),
        }
    }

    /// No solution has fewer pushes; `None` if there is no solution.
    pub fn lower(&self) -> Option<u32> {
        match self.ended {
            LimitEnd::Exhausted | LimitEnd::Solved => Some(self.at_least),
            LimitEnd::Unsolvable => None,
        }
    }

    /// Positions in all its layers.
    pub fn positions(&self) -> u64 {
        self.layers.iter().chain(&self.backward).map(|layer| layer.positions).fold(0, u64::saturating_add)
    }
}

pub(crate) fn names(tables: &[Table]) -> Vec<String> {
    tables.iter().map(|table| table.name().to_owned()).collect()
}

/// A word as sixteen hexadecimal digits: numbers beyond 53 bits are not safe in every reader of JSON.
pub mod hexadecimal {
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serializer};

    pub fn serialize<S: Serializer>(value: &u64, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&format!("{value:016x}"))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
        let text = String::deserialize(deserializer)?;
        let digits = text.len() == 16 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        digits
            .then(|| u64::from_str_radix(&text, 16).ok())
            .flatten()
            .ok_or_else(|| D::Error::custom(format!("`{text}` is not sixteen hexadecimal digits")))
    }
}
