//! The certificate of a proof: the level, what is claimed about it, and the record of the work the claim rests on.
//!
//! It is a JSON file that needs nothing else to be checked: [`recheck`](crate::recheck) does the work again, on
//! as many threads as one likes, and must come to the same layers. Its checksum tells damage from a false claim.

use crate::report::Solution;
use lurd_level::{Level, Map};
use lurd_prove_pushes::{LimitEnd, LimitRecord, RULES, StartRecord, checksum, hexadecimal};
use serde::{Deserialize, Serialize};

/// What the file calls itself.
const FORMAT: &str = "lurd-proof";

/// The version of the file's form.
const VERSION: u32 = 1;

/// What is claimed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Claim {
    /// The solution has the fewest pushes.
    Optimal,
    /// There is no solution.
    Unsolvable,
    /// No solution has fewer pushes than the lower bound; more is not known.
    LowerBound,
}

/// A proof as it is written down.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Certificate {
    format: String,
    version: u32,
    /// The program that wrote it.
    pub engine: String,
    /// The version of the rules that decide what a layer holds.
    pub rules: u32,
    /// The level's title, empty if it has none.
    pub title: String,
    /// The level, row by row.
    pub level: Vec<String>,
    /// The checksum of its text.
    #[serde(with = "hexadecimal")]
    pub level_hash: u64,
    /// What was counted.
    pub goal: String,
    /// What is claimed.
    pub claim: Claim,
    /// No solution has fewer pushes; `None` where there is none at all.
    pub lower_bound: Option<u32>,
    /// Why, in words.
    pub reason: String,
    /// The best solution that was found.
    pub solution: Option<SolutionRecord>,
    /// The start when its bound last raised what is proved.
    pub start: StartRecord,
    /// The limits that were searched to their end.
    pub limits: Vec<LimitRecord>,
    /// The checksum of all the rest.
    #[serde(with = "hexadecimal")]
    checksum: u64,
}

/// A solution and its figures.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SolutionRecord {
    /// Capital letters.
    pub pushes: usize,
    /// All letters.
    pub moves: usize,
    /// The moves in LURD.
    pub lurd: String,
}

/// What goes into a certificate.
pub(crate) struct Findings {
    pub(crate) claim: Claim,
    pub(crate) lower_bound: Option<u32>,
    pub(crate) reason: String,
    pub(crate) start: StartRecord,
    pub(crate) limits: Vec<LimitRecord>,
}

impl Certificate {
    pub(crate) fn new(level: &Level, solution: Option<&Solution>, findings: Findings) -> Self {
        let solution =
            solution.map(|found| SolutionRecord { pushes: found.pushes, moves: found.moves, lurd: found.lurd.clone() });
        let mut certificate = Self {
            format: FORMAT.into(),
            version: VERSION,
            engine: format!("lurd {}", env!("CARGO_PKG_VERSION")),
            rules: RULES,
            title: level.title.clone().unwrap_or_default(),
            level: level.map.rows().collect(),
            level_hash: level_hash(&level.map),
            goal: "pushes".into(),
            claim: findings.claim,
            lower_bound: findings.lower_bound,
            reason: findings.reason,
            solution,
            start: findings.start,
            limits: findings.limits,
            checksum: 0,
        };
        certificate.checksum = certificate.sum();
        certificate
    }

    /// Whether a text wants to be a certificate.
    pub fn is_one(text: &str) -> bool {
        let start: String = text.chars().filter(|letter| !letter.is_whitespace()).take(40).collect();
        start.starts_with(&format!("{{\"format\":\"{FORMAT}\""))
    }

    /// Reads a certificate.
    ///
    /// # Errors
    /// A sentence, if the text is damaged or not one this program can check.
    pub fn read(text: &str) -> Result<Self, String> {
        let certificate: Self =
            serde_json::from_str(text).map_err(|error| format!("the certificate is damaged: {error}"))?;
        if certificate.format != FORMAT || certificate.version != VERSION {
            return Err(format!("this is no certificate of version {VERSION}; another version of lurd may read it"));
        }
        if certificate.checksum != certificate.sum() {
            return Err("the certificate is damaged: its checksum does not fit its text".into());
        }
        if certificate.rules != RULES {
            return Err(format!(
                "it was written by {} under rules {}, and this program has rules {RULES}: take the program that wrote it",
                certificate.engine, certificate.rules
            ));
        }
        if certificate.goal != "pushes" {
            return Err(format!("there are certificates for pushes only, not for `{}`", certificate.goal));
        }
        Ok(certificate)
    }

    /// The text of the file.
    pub fn text(&self) -> String {
        // Layers take one line each.
        let mut text = serde_json::to_string_pretty(self).unwrap_or_default();
        for (spread, tight) in
            [("{\n          \"positions\"", "{ \"positions\""), (",\n          \"", ", \""), ("\"\n        }", "\" }")]
        {
            text = text.replace(spread, tight);
        }
        text.push('\n');
        text
    }

    /// The level.
    ///
    /// # Errors
    /// A sentence, if its rows are no level or not the one that was hashed.
    pub fn level(&self) -> Result<Level, String> {
        let map = Map::from_xsb(&self.level.join("\n")).ok_or("the rows of its level are no Sokoban level")?;
        if level_hash(&map) != self.level_hash {
            return Err("the rows of its level do not fit the checksum beside them".into());
        }
        Ok(Level { title: Some(self.title.clone()).filter(|title| !title.is_empty()), ..Level::new(map) })
    }

    /// No solution has fewer pushes, by the records; `None` if there is none at all.
    pub(crate) fn proved(&self) -> Option<u32> {
        if self.start.bound.is_none() || self.limits.iter().any(|limit| limit.ended == LimitEnd::Unsolvable) {
            return None;
        }
        self.limits.iter().filter_map(LimitRecord::lower).chain(self.start.bound).max()
    }

    fn sum(&self) -> u64 {
        let bare = Self { checksum: 0, ..self.clone() };
        checksum(serde_json::to_string(&bare).unwrap_or_default().as_bytes())
    }
}

/// The checksum a level is known by.
pub(crate) fn level_hash(map: &Map) -> u64 {
    checksum(map.to_string().as_bytes())
}
