//! The certificate of a proof: the level, the claim about it, and the record of the work that supports the claim.
//!
//! It is a self-contained JSON file: [`recheck`](crate::recheck) repeats the work, on any number of threads, and must
//! obtain the same layers. Its checksum distinguishes damage from a false claim.

use crate::report::Solution;
use lurd_level::{Level, Map};
use lurd_prove_pushes::{LimitRecord, Prover, RULES, StartRecord, checksum, hexadecimal};
use serde::{Deserialize, Serialize};

/// The format name in the file.
const FORMAT: &str = "lurd-proof";
const VERSION: u32 = 1;

/// The claim of a certificate.
///
/// ```
/// # use lurd::{Goal, Level, Solver};
/// # let level = Level::parse("#######\n#@ $ .#\n#######")?;
/// # let certificate = Solver::new().goal(Goal::Pushes).certify(&level)?.1.ok_or("a proof leaves a certificate")?;
/// assert_eq!(certificate.claim, lurd::Claim::Optimal);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Claim {
    /// The solution has the fewest pushes.
    Optimal,
    /// There is no solution.
    Unsolvable,
    /// No solution has fewer pushes than the lower bound.
    LowerBound,
}

/// A proof as it is stored.
///
/// ```
/// use lurd::{Certificate, Goal, Level, Solver};
/// let level = Level::parse("#######\n#@ $ .#\n#######")?;
/// let certificate = Solver::new().goal(Goal::Pushes).certify(&level)?.1.ok_or("a proof leaves a certificate")?;
/// assert_eq!((certificate.goal.as_str(), certificate.lower_bound), ("pushes", Some(2)));
/// assert_eq!(Certificate::read(&certificate.text())?, certificate);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Certificate {
    format: String,
    version: u32,
    /// The program that wrote it.
    pub engine: String,
    /// The version of the rules that determine the contents of a layer.
    pub rules: u32,
    /// The level's title, empty if it has none.
    pub title: String,
    /// The level, row by row.
    pub level: Vec<String>,
    /// The checksum of its text.
    #[serde(with = "hexadecimal")]
    pub level_hash: u64,
    /// What the solution minimises.
    pub goal: String,
    /// What the certificate claims.
    pub claim: Claim,
    /// No solution has fewer pushes; `None` if there is no solution.
    pub lower_bound: Option<u32>,
    /// What the lower bound rests on, in words.
    pub reason: String,
    /// The best known solution.
    pub solution: Option<SolutionRecord>,
    /// The start when its bound last raised the lower bound.
    pub start: StartRecord,
    /// The completed push limits.
    pub limits: Vec<LimitRecord>,
    /// The checksum of all other fields.
    #[serde(with = "hexadecimal")]
    checksum: u64,
}

/// A solution and its figures.
///
/// ```
/// # use lurd::{Goal, Level, Solver};
/// # let level = Level::parse("#######\n#@ $ .#\n#######")?;
/// # let certificate = Solver::new().goal(Goal::Pushes).certify(&level)?.1.ok_or("a proof leaves a certificate")?;
/// let solution = certificate.solution.ok_or("the proof found a solution")?;
/// assert_eq!((solution.lurd.as_str(), solution.pushes, solution.moves), ("rRR", 2, 3));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
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

/// Why a certificate cannot be used.
///
/// ```
/// use lurd::{Certificate, CertificateError};
/// assert!(matches!(Certificate::read("{}"), Err(CertificateError::Syntax(_))));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CertificateError {
    /// It is not JSON, or a field is missing or unknown.
    #[error("the certificate is damaged: {0}")]
    Syntax(String),
    /// Another format, or another version of it.
    #[error("this is not a certificate of version {VERSION}; another version of lurd may read it")]
    Version,
    /// The checksum is wrong.
    #[error("the certificate is damaged: wrong checksum")]
    Checksum,
    /// Its layers were computed under other rules.
    #[error(
        "it was written by {engine} under rules {rules}, and this program has rules {RULES}: use the program that wrote it"
    )]
    Rules {
        /// The program that wrote it.
        engine: String,
        /// Its rules.
        rules: u32,
    },
    /// It is not about pushes.
    #[error("certificates exist for pushes only, not for `{0}`")]
    Goal(String),
    /// The rows are not a level.
    #[error("the rows of its level are not a Sokoban level")]
    Level,
    /// The rows are not the level of the checksum.
    #[error("the rows of its level do not match their checksum")]
    LevelChecksum,
}

impl Certificate {
    /// The certificate of what a prover has found.
    pub(crate) fn new(level: &Level, solution: Option<&Solution>, claim: Claim, prover: &dyn Prover) -> Self {
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
            claim,
            lower_bound: (claim != Claim::Unsolvable).then(|| prover.lower()),
            reason: prover.reason(),
            solution,
            start: prover.start().clone(),
            limits: prover.records().to_vec(),
            checksum: 0,
        };
        certificate.checksum = certificate.sum();
        certificate
    }

    /// Whether a text begins like a certificate.
    ///
    /// ```
    /// assert!(lurd::Certificate::is_one("{ \"format\": \"lurd-proof\", \"version\": 1 }"));
    /// assert!(!lurd::Certificate::is_one("#####\n#@$.#\n#####"));
    /// ```
    pub fn is_one(text: &str) -> bool {
        let start: String = text.chars().filter(|letter| !letter.is_whitespace()).take(40).collect();
        start.starts_with(&format!("{{\"format\":\"{FORMAT}\""))
    }

    /// Reads a certificate.
    ///
    /// # Errors
    /// When the text is damaged or belongs to another version.
    ///
    /// ```
    /// # use lurd::{Certificate, Goal, Level, Solver};
    /// # let level = Level::parse("#######\n#@ $ .#\n#######")?;
    /// # let certificate = Solver::new().goal(Goal::Pushes).certify(&level)?.1.ok_or("a proof leaves a certificate")?;
    /// let text = certificate.text();
    /// assert_eq!(Certificate::read(&text)?, certificate);
    /// assert!(Certificate::read(&text.replace("rRR", "rrR")).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn read(text: &str) -> Result<Self, CertificateError> {
        let certificate: Self =
            serde_json::from_str(text).map_err(|error| CertificateError::Syntax(error.to_string()))?;
        if certificate.format != FORMAT || certificate.version != VERSION {
            return Err(CertificateError::Version);
        }
        if certificate.checksum != certificate.sum() {
            return Err(CertificateError::Checksum);
        }
        if certificate.rules != RULES {
            return Err(CertificateError::Rules { engine: certificate.engine, rules: certificate.rules });
        }
        if certificate.goal != "pushes" {
            return Err(CertificateError::Goal(certificate.goal));
        }
        Ok(certificate)
    }

    /// The text of the file.
    ///
    /// ```
    /// # use lurd::{Certificate, Goal, Level, Solver};
    /// # let level = Level::parse("#######\n#@ $ .#\n#######")?;
    /// # let certificate = Solver::new().goal(Goal::Pushes).certify(&level)?.1.ok_or("a proof leaves a certificate")?;
    /// assert!(Certificate::is_one(&certificate.text()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn text(&self) -> String {
        // One line for each layer.
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
    /// When its rows are not a level, or not the one of the checksum.
    ///
    /// ```
    /// # use lurd::{Goal, Level, Solver};
    /// # let level = Level::parse("#######\n#@ $ .#\n#######")?;
    /// # let certificate = Solver::new().goal(Goal::Pushes).certify(&level)?.1.ok_or("a proof leaves a certificate")?;
    /// assert_eq!(certificate.level()?.map, level.map);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn level(&self) -> Result<Level, CertificateError> {
        let map = Map::from_xsb(&self.level.join("\n")).ok_or(CertificateError::Level)?;
        if level_hash(&map) != self.level_hash {
            return Err(CertificateError::LevelChecksum);
        }
        Ok(Level { title: Some(self.title.clone()).filter(|title| !title.is_empty()), ..Level::new(map) })
    }

    /// The lower bound that the records prove; `None` if they prove that there is no solution.
    pub(crate) fn proved(&self) -> Option<u32> {
        strongest(self.limits.iter().map(LimitRecord::lower).chain([self.start.bound]))
    }

    /// Makes the checksums those of the fields.
    #[cfg(test)]
    pub(crate) fn correct_checksums(&mut self) {
        self.level_hash = Map::from_xsb(&self.level.join("\n")).map_or(0, |map| level_hash(&map));
        self.checksum = self.sum();
    }

    fn sum(&self) -> u64 {
        let bare = Self { checksum: 0, ..self.clone() };
        checksum(serde_json::to_string(&bare).unwrap_or_default().as_bytes())
    }
}

/// The strongest of some lower bounds: `None`, that there is no solution, is stronger than any number.
pub(crate) fn strongest(bounds: impl IntoIterator<Item = Option<u32>>) -> Option<u32> {
    bounds.into_iter().try_fold(0, |best, bound| Some(best.max(bound?)))
}

/// The checksum that identifies a level.
pub(crate) fn level_hash(map: &Map) -> u64 {
    checksum(map.to_string().as_bytes())
}
