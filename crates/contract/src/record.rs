//! What came of a search, and how far one is.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;
use utoipa::ToSchema;

/// How a search ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Ending {
    /// With a solution.
    Solved,
    /// Everything was searched under sound rules: there is none.
    Unsolvable,
    /// By a limit, which `stopped_by` names; by none where the search does not try everything and had nothing left: the
    /// notes say why.
    #[default]
    Stopped,
    /// From outside.
    Cancelled,
    /// By a fault of the program.
    Failed,
}

impl Ending {
    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Solved => "solved",
            Self::Unsolvable => "unsolvable",
            Self::Stopped => "stopped",
            Self::Cancelled => "cancelled",
            Self::Failed => "failed",
        }
    }

    /// The word for people: of a search that a limit stopped, the limit.
    pub fn in_words(self, stopped_by: Option<&str>) -> String {
        match (self, stopped_by) {
            (Self::Stopped, Some(limit)) => format!("{limit} limit").replace("nodes", "node"),
            (Self::Stopped, None) => "nothing found".into(),
            (ending, _) => ending.name().into(),
        }
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// What is known about the quality of an answer.
///
/// ```
/// use lurd_contract::Proof;
/// assert_eq!(Proof::OptimalMoves.to_string(), "optimal-moves");
/// assert_eq!("at-most-1.5".parse(), Ok(Proof::AtMost(1.5)));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum Proof {
    /// No solution has fewer pushes.
    OptimalPushes,
    /// No solution has fewer moves.
    OptimalMoves,
    /// No solution is shorter (puzzles whose moves are all of one kind).
    Optimal,
    /// No solution is shorter by more than this factor (in pushes or moves, as the goal says).
    AtMost(f64),
    /// Nothing.
    #[default]
    None,
}

impl Proof {
    /// What a solution of this length is worth while nothing below the bound exists: the factor is rounded up, so
    /// that what it says stays true.
    pub fn between(lower: u32, length: usize) -> Self {
        const DIGITS: f64 = 1000.0;
        Self::AtMost((length as f64 / f64::from(lower) * DIGITS).ceil() / DIGITS)
    }
}

impl fmt::Display for Proof {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OptimalPushes => f.pad("optimal-pushes"),
            Self::OptimalMoves => f.pad("optimal-moves"),
            Self::Optimal => f.pad("optimal"),
            Self::AtMost(factor) => f.pad(&format!("at-most-{factor}")),
            Self::None => f.pad("none"),
        }
    }
}

impl FromStr for Proof {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let known = [Self::OptimalPushes, Self::OptimalMoves, Self::Optimal, Self::None];
        let factor = text.strip_prefix("at-most-").and_then(|factor| factor.parse().ok()).map(Self::AtMost);
        known
            .into_iter()
            .find(|proof| proof.to_string() == text)
            .or(factor)
            .ok_or_else(|| format!("`{text}` is no proof; it is optimal-pushes, optimal-moves, at-most-FACTOR or none"))
    }
}

impl From<Proof> for String {
    fn from(proof: Proof) -> Self {
        proof.to_string()
    }
}

impl TryFrom<String> for Proof {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

/// How far the proof of what was asked for came.
///
/// ```
/// assert_eq!(lurd_contract::ProofProgress::Unfinished.name(), Some("unfinished"));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ProofProgress {
    /// Nothing was to be proved.
    #[default]
    NotAsked,
    /// It was to be proved, and is not.
    Unfinished,
    /// It is proved: the answer is optimal, or there is none.
    Finished,
}

impl ProofProgress {
    /// The word for it; none if nothing was to be proved.
    ///
    /// ```
    /// assert_eq!(lurd_contract::ProofProgress::Finished.name(), Some("finished"));
    /// ```
    pub fn name(self) -> Option<&'static str> {
        match self {
            Self::NotAsked => None,
            Self::Unfinished => Some("unfinished"),
            Self::Finished => Some("finished"),
        }
    }

    /// Finished or not.
    pub fn finished_if(finished: bool) -> Self {
        if finished { Self::Finished } else { Self::Unfinished }
    }
}

impl Serialize for ProofProgress {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.name().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for ProofProgress {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let word: Option<String> = Option::deserialize(deserializer)?;
        let known = [Self::NotAsked, Self::Unfinished, Self::Finished];
        known
            .into_iter()
            .find(|progress| progress.name() == word.as_deref())
            .ok_or_else(|| serde::de::Error::custom("a proof is finished, unfinished or null"))
    }
}

/// An answer, replayed by the referee.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Solution {
    /// The moves in LURD, pushes in capitals.
    pub lurd: String,
    /// All letters.
    pub moves: usize,
    /// Capital letters.
    pub pushes: usize,
}

/// What came of a search of one level: the object that `lurd solve --json` prints, the page and Python get, batch runs store.
///
/// The names and their order are a contract; new fields come at the end.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct Record {
    /// The level's number in its file, from 1; null where it came alone.
    pub level: Option<usize>,
    /// Its title, empty if it has none.
    pub title: String,
    /// How the search ended.
    pub outcome: Ending,
    /// The limit that ended the search, or a proof that has an answer already: `time`, `memory`, `nodes`, `depth` or `disk`.
    pub stopped_by: Option<String>,
    /// The answer in LURD (for tiles: the directions of the blank with commas between).
    pub solution: Option<String>,
    /// All its moves.
    pub moves: Option<usize>,
    /// Its pushes.
    pub pushes: Option<usize>,
    /// What is proved about its length: `optimal-pushes`, `optimal-moves`, `optimal` (tiles), `at-most-FACTOR` or `none`.
    #[schema(value_type = String)]
    pub proof: Proof,
    /// No solution is below this, in what the search counted.
    pub lower_bound: Option<u32>,
    /// The algorithm that ran.
    pub algorithm: String,
    /// What a step was: `push`, `move` or `walk`; empty for tiles.
    pub formulation: String,
    /// The heuristic, the player's part included.
    pub heuristic: String,
    /// The deadlock rules at work.
    pub deadlocks: Vec<String>,
    /// States expanded.
    pub expanded: u64,
    /// Successors made.
    pub generated: u64,
    /// Successors known already.
    pub duplicates: u64,
    /// Successors cut, by rule.
    pub pruned: BTreeMap<String, u64>,
    /// Wall-clock time.
    pub seconds: f64,
    /// Most bytes the search held.
    pub peak_bytes: usize,
    /// `finished` or `unfinished`, where the goal asks for a proof.
    #[schema(value_type = Option<String>)]
    pub goal_proof: ProofProgress,
    /// The same for the second goal.
    #[schema(value_type = Option<String>)]
    pub then_proof: ProofProgress,
    /// What a reader should know.
    pub notes: Vec<String>,
    /// States expanded again because a cheaper way to them was found.
    pub reopened: u64,
    /// Most states that waited at once.
    pub peak_frontier: u64,
    /// Bytes of the heuristic's tables.
    pub heuristic_bytes: usize,
}

impl Record {
    /// A search that was cancelled before it began.
    pub fn cancelled() -> Self {
        Self { outcome: Ending::Cancelled, ..Self::default() }
    }

    /// A search that a fault of the program ended.
    pub fn failed(sentence: impl Into<String>) -> Self {
        Self { outcome: Ending::Failed, notes: vec![sentence.into()], ..Self::default() }
    }

    /// How the search ended, for people: the limit by its name.
    ///
    /// ```
    /// use lurd_contract::Record;
    /// assert_eq!(Record { stopped_by: Some("time".into()), ..Record::default() }.in_words(), "time limit");
    /// assert_eq!(Record::default().in_words(), "nothing found");
    /// ```
    pub fn in_words(&self) -> String {
        self.outcome.in_words(self.stopped_by.as_deref())
    }
}

/// The work on one level, under way.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Progress {
    /// Seconds since the start.
    pub seconds: f64,
    /// States expanded.
    pub expanded: u64,
    /// States generated.
    pub generated: u64,
    /// Bytes held.
    pub bytes: usize,
    /// No solution is below this.
    pub lower_bound: Option<u32>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_object_has_the_fields_of_the_contract_in_its_order() {
        let record = Record {
            level: Some(3),
            title: "Ti\"tle".into(),
            outcome: Ending::Solved,
            solution: Some("rR".into()),
            moves: Some(2),
            pushes: Some(1),
            proof: Proof::AtMost(1.5),
            lower_bound: Some(1),
            algorithm: "weighted-a-star".into(),
            formulation: "push".into(),
            heuristic: "matching".into(),
            deadlocks: vec!["corner".into(), "freeze".into()],
            expanded: 5,
            generated: 8,
            duplicates: 2,
            pruned: BTreeMap::from([("corner".to_owned(), 3)]),
            seconds: 0.25,
            peak_bytes: 4096,
            then_proof: ProofProgress::Unfinished,
            ..Record::default()
        };
        let text = serde_json::to_string(&record).unwrap();
        assert_eq!(
            text,
            r#"{"level":3,"title":"Ti\"tle","outcome":"solved","stopped_by":null,"solution":"rR","moves":2,"pushes":1,"#
                .to_owned()
                + r#""proof":"at-most-1.5","lower_bound":1,"algorithm":"weighted-a-star","formulation":"push","#
                + r#""heuristic":"matching","deadlocks":["corner","freeze"],"expanded":5,"generated":8,"duplicates":2,"#
                + r#""pruned":{"corner":3},"seconds":0.25,"peak_bytes":4096,"goal_proof":null,"then_proof":"unfinished","#
                + r#""notes":[],"reopened":0,"peak_frontier":0,"heuristic_bytes":0}"#
        );
        assert_eq!(serde_json::from_str::<Record>(&text).unwrap(), record);
        assert_eq!(serde_json::from_str::<Record>("{}").unwrap(), Record::default());
        assert!(serde_json::from_str::<Record>(r#"{"proof":"best"}"#).is_err());
    }
}
