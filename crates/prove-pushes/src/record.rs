//! What a proof leaves behind: for every limit that was searched to its end the tables in use, and for every layer how many
//! positions it held and two checksums of them.
//!
//! All of it follows from the level alone, so whoever does the same work again must come to the same numbers.

use crate::digest::Digest;
use crate::key::Key;
use crate::knowledge::Table;
use crate::proof::LayerSearch;
use crate::two_sided::TwoSided;
use serde::{Deserialize, Serialize};

/// Raised whenever a change to bounds, rules or tables changes what a layer holds: records of other rules cannot be
/// compared.
pub const RULES: u32 = 3;

/// How a limit came to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LimitEnd {
    /// Every way of fewer pushes than `at_least` was searched and none is a solution.
    Exhausted,
    /// Both ends met; no solution is shorter.
    Solved,
    /// Every position was searched, and the limit cut none: there is no solution.
    Unsolvable,
}

/// The start as some tables see it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StartRecord {
    /// The tables, in the order they were made.
    pub tables: Vec<String>,
    /// The bound of the start, `None` if they show that it is dead.
    pub bound: Option<u32>,
}

/// One limit searched to its end. One that met a solution is not recorded: that none is shorter was known before.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LimitRecord {
    /// Pushes that a solution was allowed.
    pub limit: u32,
    /// The bound of the start.
    pub start: u32,
    /// The tables in use, in the order they were made.
    pub tables: Vec<String>,
    /// How many layers, every other one back, each new layer was compared with.
    pub compared: usize,
    /// How it ended.
    pub ended: LimitEnd,
    /// No solution has fewer pushes than this.
    pub at_least: u32,
    /// The complete layers from the start, by pushes.
    pub layers: Vec<LayerRecord>,
    /// The complete layers from the solved board, by pulls.
    pub backward: Vec<LayerRecord>,
}

/// One layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LayerRecord {
    /// How many positions.
    pub positions: u64,
    /// The exclusive or of their scrambled keys.
    #[serde(with = "hexadecimal")]
    pub xor: u64,
    /// The sum of their scrambled keys.
    #[serde(with = "hexadecimal")]
    pub sum: u64,
}

impl From<&Digest> for LayerRecord {
    fn from(digest: &Digest) -> Self {
        Self { positions: digest.positions, xor: digest.xor, sum: digest.sum }
    }
}

impl From<&LayerRecord> for Digest {
    fn from(record: &LayerRecord) -> Self {
        Self { positions: record.positions, xor: record.xor, sum: record.sum }
    }
}

impl LimitRecord {
    /// The record of a search that has come to its end.
    pub(crate) fn new<K: Key>(search: &TwoSided<K>, tables: &[Table], ended: LimitEnd, at_least: u32) -> Self {
        let layers = |search: &LayerSearch<K>| search.digests.iter().map(LayerRecord::from).collect();
        Self {
            limit: search.limit(),
            start: search.forward.root,
            tables: names(tables),
            compared: search.forward.compared(),
            ended,
            at_least,
            layers: layers(&search.forward),
            backward: layers(&search.backward),
        }
    }

    /// No solution has fewer pushes, by this limit; `None` if there is none at all.
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

/// The names of tables.
pub(crate) fn names(tables: &[Table]) -> Vec<String> {
    tables.iter().map(|table| table.name().to_owned()).collect()
}

/// Words of sixteen digits: numbers beyond 53 bits are not safe in every reader of JSON.
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
            .ok_or_else(|| D::Error::custom(format!("`{text}` is no word of sixteen hexadecimal digits")))
    }
}
