//! A search that is asked for.

use crate::options::{OPTIONS, OptionError, option};
use lurd_base::{Limits, Share};
use lurd_classic::{Choices, EstimateName, PlayerTerm};
use lurd_rules::Goal;
use lurd_rules::deadlock::DetectorName;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value};
use std::path::PathBuf;

/// Everything that may be asked of a search of one level.
///
/// As JSON it is one flat object with the names of [`OPTIONS`]; what is left out is open or has its default, and an unknown
/// name is refused.
///
/// ```
/// use lurd_contract::Request;
/// let request: Request = serde_json::from_str(r#"{"goal": "pushes", "time_limit": 2.5, "memory_limit": "1GiB"}"#)?;
/// assert_eq!(request.limits.memory, Some(1 << 30));
/// assert_eq!(serde_json::to_string(&request)?, r#"{"goal":"pushes","time_limit":2.5,"memory_limit":1073741824}"#);
/// let wrong = serde_json::from_str::<Request>(r#"{"time_limt": 2}"#).unwrap_err();
/// assert!(wrong.to_string().contains("`time_limit`"), "{wrong}");
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    /// What the answer should be good for.
    pub goal: Goal,
    /// What decides between answers that are equally good for the goal.
    pub then: Option<Goal>,
    /// The choices of a textbook search. Where any of them decides which search runs, that search does the work.
    pub classic: Choices,
    /// Which of the eight images of the level is searched: other ties, the same optima.
    pub seed: u8,
    /// Limits.
    pub limits: Limits,
    /// Threads that work on one level, where the engine can use more than one.
    pub threads: usize,
    /// A solution that is known already, in LURD. Where any solution will do it is the answer; proofs begin with it as
    /// their upper bound; chosen parts of a textbook search do not look at it. One that the referee refuses is not used.
    pub known: Option<String>,
    /// The part of the work, where other programs do the rest: some strategies of the portfolio; of a proof the first share is
    /// the proof and the others seek short solutions for it. The whole by default. It crosses no border: who divides the
    /// work says it beside the request.
    pub share: Share,
    /// Whether the proof must leave a certificate that others can check (fewest pushes only). It crosses no border.
    pub certify: bool,
    /// Where the proof keeps checkpoints, and what does not fit into memory (fewest pushes only). It crosses no border: no
    /// path of a request from elsewhere is ever used.
    pub disk: Option<Disk>,
}

impl Default for Request {
    fn default() -> Self {
        Self {
            goal: Goal::Any,
            then: None,
            classic: Choices::default(),
            seed: 0,
            limits: Limits::default(),
            threads: 1,
            known: None,
            share: Share::default(),
            certify: false,
            disk: None,
        }
    }
}

/// A folder for a proof.
///
/// ```
/// use lurd_contract::{Disk, Request};
/// let disk = Disk { folder: "proof".into(), limit: Some(10 << 30), resume: false };
/// assert_eq!(serde_json::to_string(&Request { disk: Some(disk), ..Request::default() })?, "{}", "it stays here");
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Disk {
    /// The folder; it is made if need be, and belongs to one level.
    pub folder: PathBuf,
    /// The most bytes its files may take.
    pub limit: Option<u64>,
    /// Go on with what an earlier run left there.
    pub resume: bool,
}

/// An estimate for the boxes and, if wanted, one for the player: `nearest-push+player-bfs`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Heuristic {
    /// The boxes' part.
    pub estimate: EstimateName,
    /// The player's part.
    pub player: Option<PlayerTerm>,
}

impl std::str::FromStr for Heuristic {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (estimate, player) = match text.split_once('+') {
            None => (text, None),
            Some((estimate, player)) => (estimate, Some(player.parse()?)),
        };
        Ok(Self { estimate: estimate.parse()?, player })
    }
}

impl std::fmt::Display for Heuristic {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.player {
            None => write!(f, "{}", self.estimate),
            Some(player) => write!(f, "{}+{player}", self.estimate),
        }
    }
}

/// Which deadlock rules are at work: `all`, `none`, or names with commas between.
///
/// ```
/// use lurd_contract::RuleSet;
/// assert_eq!("freeze, corner".parse::<RuleSet>().map(|rules| rules.to_string()), Ok("corner,freeze".into()));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RuleSet(
    /// The rules; `None` for all that fit the formulation.
    pub Option<Vec<DetectorName>>,
);

impl RuleSet {
    /// These rules alone.
    pub fn these(mut rules: Vec<DetectorName>) -> Self {
        rules.sort_unstable();
        rules.dedup();
        Self(Some(rules))
    }

    /// No rule.
    pub fn none() -> Self {
        Self(Some(Vec::new()))
    }
}

impl std::str::FromStr for RuleSet {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.trim() {
            "all" => Ok(Self(None)),
            "none" => Ok(Self::none()),
            names => names.split(',').map(|name| name.trim().parse()).collect::<Result<_, _>>().map(Self::these),
        }
    }
}

impl std::fmt::Display for RuleSet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0.as_deref() {
            None => f.write_str("all"),
            Some([]) => f.write_str("none"),
            Some(rules) => f.write_str(&rules.iter().map(|rule| rule.name()).collect::<Vec<_>>().join(",")),
        }
    }
}

impl Request {
    /// Sets an option by its name. `null` leaves it open or puts its default back.
    ///
    /// # Errors
    /// When there is no such option or the value is not one of its values.
    ///
    /// ```
    /// use lurd_contract::Request;
    /// let mut request = Request::default();
    /// request.set("heuristic", &"nearest-push+player-bfs".into())?;
    /// assert!(request.set("weight", &0.5.into()).unwrap_err().to_string().starts_with("`weight`: "));
    /// # Ok::<(), lurd_contract::OptionError>(())
    /// ```
    pub fn set(&mut self, name: &str, value: &Value) -> Result<(), OptionError> {
        let option = option(name)?;
        option.apply(self, value).map_err(|reason| OptionError::Value { name: option.name, reason })
    }

    /// The value of an option; `null` where it is open.
    ///
    /// # Errors
    /// When there is no such option.
    ///
    /// ```
    /// assert_eq!(lurd_contract::Request::default().get("weight"), Ok(1.5.into()));
    /// ```
    pub fn get(&self, name: &str) -> Result<Value, OptionError> {
        Ok(option(name)?.value_in(self))
    }

    /// The value of an option as a command line has it; empty where it is open.
    ///
    /// ```
    /// let mut request = lurd_contract::Request::default();
    /// request.set("deadlocks", &serde_json::json!(["corner", "freeze"]))?;
    /// assert_eq!(request.words("deadlocks"), "corner,freeze");
    /// # Ok::<(), lurd_contract::OptionError>(())
    /// ```
    pub fn words(&self, name: &str) -> String {
        match self.get(name) {
            Ok(Value::String(text)) => text,
            Ok(Value::Array(_)) => RuleSet(self.classic.detectors.clone()).to_string(),
            Ok(Value::Null) | Err(_) => String::new(),
            Ok(value) => value.to_string(),
        }
    }

    /// The options that differ from their defaults, in the order of the table.
    pub fn changed(&self) -> impl Iterator<Item = (&'static str, Value)> {
        let usual = Self::default();
        OPTIONS.iter().filter_map(move |option| {
            let value = option.value_in(self);
            (value != option.value_in(&usual)).then_some((option.name, value))
        })
    }

    /// Whether the proof is to leave something behind.
    pub fn leaves_proof(&self) -> bool {
        self.certify || self.disk.is_some()
    }

    /// The heuristic that is chosen.
    pub fn heuristic(&self) -> Option<Heuristic> {
        self.classic.estimate.map(|estimate| Heuristic { estimate, player: self.classic.player_term })
    }
}

impl Serialize for Request {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.changed())
    }
}

impl<'de> Deserialize<'de> for Request {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut request = Self::default();
        for (name, value) in Map::<String, Value>::deserialize(deserializer)? {
            request.set(&name, &value).map_err(serde::de::Error::custom)?;
        }
        Ok(request)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_request_is_read_as_it_is_written() {
        let text = r#"{"goal":"moves","then":"pushes","algorithm":"weighted-a-star","formulation":"move","heuristic":"nearest-push+player-bfs","deadlocks":["corner","freeze"],"tie_break":"fifo","reverse":true,"fallback_after":10,"weight":2.5,"depth_limit":7,"seed":3,"time_limit":1.5,"memory_limit":2000000,"node_limit":9,"threads":2,"known":"rR"}"#;
        let request: Request = serde_json::from_str(text).unwrap();
        assert_eq!(serde_json::to_string(&request).unwrap(), text);
        let names: Vec<&str> = request.changed().map(|(name, _)| name).collect();
        assert_eq!(names, OPTIONS.iter().map(|option| option.name).collect::<Vec<_>>(), "no option is forgotten here");
        assert_eq!(serde_json::to_string(&Request::default()).unwrap(), "{}");
    }

    /// Text and JSON are read alike, and null puts the default back.
    #[test]
    fn values_may_be_words() {
        let mut request = Request::default();
        for (name, word, value) in [
            ("weight", "2.5", json!(2.5)),
            ("time_limit", "0.25", json!(0.25)),
            ("memory_limit", "64MiB", json!(64 << 20)),
            ("threads", "3", json!(3)),
            ("deadlocks", "corner, freeze", json!(["corner", "freeze"])),
            ("deadlocks", "none", json!([])),
            ("reverse", "true", json!(true)),
        ] {
            request.set(name, &json!(word)).unwrap();
            assert_eq!(request.get(name).unwrap(), value, "{name}");
            request.set(name, &value).unwrap();
            assert_eq!(request.get(name).unwrap(), value, "{name}");
            request.set(name, &Value::Null).unwrap();
            assert_eq!(request, Request::default(), "{name}");
        }
        request.set("deadlocks", &json!("all")).unwrap();
        assert_eq!(request, Request::default());
    }

    #[test]
    fn nonsense_gets_a_sentence() {
        for (name, value) in [
            ("goal", json!("best")),
            ("goal", json!(1)),
            ("heuristic", json!("matching+")),
            ("deadlocks", json!(["corner", "x"])),
            ("weight", json!(0.5)),
            ("weight", json!("NaN")),
            ("weight", json!(1001)),
            ("time_limit", json!(-1)),
            ("time_limit", json!(1e300)),
            ("time_limit", json!("inf")),
            ("memory_limit", json!("-1")),
            ("memory_limit", json!(1)),
            ("node_limit", json!(-1)),
            ("node_limit", json!(1.5)),
            ("depth_limit", json!(1_u64 << 40)),
            ("seed", json!(8)),
            ("threads", json!(0)),
            ("threads", json!(100_000)),
            ("reverse", json!("perhaps")),
            ("known", json!(3)),
        ] {
            let sentence = Request::default().set(name, &value).unwrap_err().to_string();
            assert!(sentence.starts_with(&format!("`{name}`: ")) && sentence.len() > name.len() + 12, "{sentence}");
        }
        for unknown in ["share", "disk", "certify", "colour"] {
            assert!(Request::default().set(unknown, &json!(1)).unwrap_err().to_string().contains("there is no option"));
        }
    }

    #[test]
    fn rule_sets_are_read_as_they_are_printed() {
        for text in ["all", "none", "corner", "corner,freeze"] {
            assert_eq!(text.parse::<RuleSet>().unwrap().to_string(), text);
        }
        assert!("".parse::<RuleSet>().unwrap_err().contains("corner"));
    }

    #[test]
    fn heuristics_are_read_as_they_are_printed() {
        for &estimate in EstimateName::ALL {
            for player in PlayerTerm::ALL.iter().copied().map(Some).chain([None]) {
                let heuristic = Heuristic { estimate, player };
                assert_eq!(heuristic.to_string().parse(), Ok(heuristic));
            }
        }
        assert!("+player-ids".parse::<Heuristic>().is_err());
    }
}
