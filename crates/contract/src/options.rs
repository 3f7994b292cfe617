//! The table of options: what may be asked of a search, said once.

use crate::amount::{read_memory, read_seconds, read_threads, read_weight};
use crate::request::{Heuristic, Request, RuleSet};
use lurd_base::Choice;
use lurd_classic::{AlgorithmName, EstimateName, FormulationName, PlayerTerm, TieBreakName};
use lurd_rules::Goal;
use lurd_rules::deadlock::DetectorName;
use serde_json::{Value, json};
use std::str::FromStr;

/// One of several named values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, utoipa::ToSchema)]
pub struct Named {
    /// How it is written.
    pub name: &'static str,
    /// What it is and what it promises.
    pub about: &'static str,
}

impl Named {
    /// Every value of a type.
    pub fn all<T: Choice>() -> Vec<Self> {
        T::ALL.iter().map(|choice| Self { name: choice.name(), about: choice.about() }).collect()
    }
}

/// What an option's value is.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// One of these.
    Choice(fn() -> Vec<Named>),
    /// `all`, `none`, or several of these.
    Several(fn() -> Vec<Named>),
    /// One of the first, and if wanted one of the second behind a `+`.
    Sum(fn() -> Vec<Named>, fn() -> Vec<Named>),
    /// Yes or no.
    Switch,
    /// A whole number from 0 up to this.
    Count(u64),
    /// A number in this range.
    Number(f64, f64),
    /// Seconds, decimals allowed.
    Seconds,
    /// Bytes: a number, or a text such as `4GiB`.
    Bytes,
    /// A text.
    Text,
}

impl Kind {
    /// The values that have names; of a sum the first ones.
    pub fn names(self) -> Vec<Named> {
        match self {
            Self::Choice(names) | Self::Several(names) | Self::Sum(names, _) => names(),
            _ => Vec::new(),
        }
    }
}

/// What an option is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, utoipa::ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Group {
    /// What is searched for and how.
    Search,
    /// When to give up.
    Limits,
    /// What the search works with.
    Work,
}

/// One thing that may be asked.
#[derive(Clone, Copy, Debug)]
pub struct RequestOption {
    /// Its name in JSON and Python; as a flag it has hyphens.
    pub name: &'static str,
    /// What it is about.
    pub group: Group,
    /// What its value is.
    pub kind: Kind,
    /// How the value is called in a usage line.
    pub placeholder: &'static str,
    /// What it does, in a sentence.
    pub about: &'static str,
    /// What holds where it is left out, in words.
    pub default: &'static str,
    /// The algorithm, formulation or goal that it concerns; empty if all of them.
    pub concerns: &'static str,
    get: fn(&Request) -> Value,
    set: fn(&mut Request, &Value) -> Result<(), String>,
}

impl RequestOption {
    /// The name as a flag without its hyphens in front.
    pub fn flag(&self) -> String {
        self.name.replace('_', "-")
    }

    pub(crate) fn value_in(&self, request: &Request) -> Value {
        (self.get)(request)
    }

    /// Puts a value into a request.
    ///
    /// # Errors
    /// What is wrong with the value.
    pub fn apply(&self, request: &mut Request, value: &Value) -> Result<(), String> {
        match value {
            Value::Null => (self.set)(request, &self.value_in(&Request::default())),
            value => (self.set)(request, value),
        }
    }
}

/// Why an option cannot be set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum OptionError {
    /// There is none of this name.
    #[error("there is no option `{name}`; {hint}")]
    Unknown {
        /// The name.
        name: String,
        /// What to write.
        hint: String,
    },
    /// It cannot have this value.
    #[error("`{name}`: {reason}")]
    Value {
        /// The option.
        name: &'static str,
        /// What is wrong.
        reason: String,
    },
}

/// The option of a name.
///
/// # Errors
/// When there is none; the sentence names the nearest.
///
/// ```
/// assert_eq!(lurd_contract::option("goal").map(|option| option.default), Ok("any"));
/// let error = lurd_contract::option("node-limit").unwrap_err();
/// assert_eq!(error.to_string(), "there is no option `node-limit`; did you mean `node_limit`?");
/// ```
pub fn option(name: &str) -> Result<&'static RequestOption, OptionError> {
    OPTIONS.iter().find(|option| option.name == name).ok_or_else(|| {
        let nearest = OPTIONS.iter().min_by_key(|option| changes(option.name, name)).map(|option| option.name);
        let hint = match nearest {
            Some(nearest) if changes(nearest, name) <= 2 => format!("did you mean `{nearest}`?"),
            _ => format!("choose from {}", OPTIONS.iter().map(|option| option.name).collect::<Vec<_>>().join(", ")),
        };
        OptionError::Unknown { name: name.chars().take(40).collect(), hint }
    })
}

/// The fewest letters to change, add or leave out between two words (Levenshtein 1966).
fn changes(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().take(40).collect();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (i, a) in one.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, &b) in other.iter().enumerate() {
            let changed = diagonal + usize::from(a != b);
            diagonal = row[j + 1];
            row[j + 1] = changed.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[other.len()]
}

/// A text, as it is or where it stands for a number or a word of JSON.
fn text(value: &Value) -> Result<String, String> {
    match value {
        Value::String(text) => Ok(text.clone()),
        Value::Number(_) | Value::Bool(_) => Ok(value.to_string()),
        _ => Err("one value is wanted here, and this is a list or an object".into()),
    }
}

fn choice<T: FromStr<Err = String>>(value: &Value) -> Result<T, String> {
    text(value)?.parse()
}

fn open<T>(value: &Value, read: impl FnOnce(&Value) -> Result<T, String>) -> Result<Option<T>, String> {
    if value.is_null() { Ok(None) } else { read(value).map(Some) }
}

fn switch(value: &Value) -> Result<bool, String> {
    let text = text(value)?;
    text.parse().map_err(|_| format!("`{text}` is neither true nor false"))
}

fn count<T: TryFrom<u64>>(value: &Value) -> Result<T, String> {
    let text = text(value)?;
    let number: Option<u64> = text.trim().parse().ok();
    number.and_then(|number| T::try_from(number).ok()).ok_or_else(|| {
        let most = (0..=64).rev().map(|bits| u64::MAX.checked_shr(64 - bits).unwrap_or(0));
        let most = most.into_iter().find(|&most| T::try_from(most).is_ok()).unwrap_or(0);
        format!("`{text}` is no whole number from 0 to {most}")
    })
}

fn deadlocks(value: &Value) -> Result<RuleSet, String> {
    match value {
        Value::Null => Ok(RuleSet(None)),
        Value::Array(names) => names.iter().map(choice).collect::<Result<_, _>>().map(RuleSet::these),
        value => choice(value),
    }
}

fn lurd(value: &Value) -> Result<String, String> {
    match value {
        Value::String(lurd) => Ok(lurd.clone()),
        _ => Err("moves are written as a text such as rrUL".into()),
    }
}

fn name(choice: Option<impl Choice>) -> Value {
    json!(choice.map(Choice::name))
}

/// An entry of the table with the fields every option has.
macro_rules! options {
    ($($(#[concerns = $concerns:literal])? $group:ident $name:ident: $kind:expr, $placeholder:literal, $default:literal, $about:literal,
        $get:expr, $set:expr;)*) => {
        /// Everything that may be asked, in the order of help.
        pub static OPTIONS: &[RequestOption] = &[$(RequestOption {
            name: stringify!($name),
            group: Group::$group,
            kind: $kind,
            placeholder: $placeholder,
            about: $about,
            default: $default,
            concerns: concat!($($concerns)?),
            get: $get,
            set: |request, value| {
                let set: fn(&mut Request, &Value) -> Result<(), String> = $set;
                set(request, value)
            },
        }),*];
    };
}

options! {
    Search goal: Kind::Choice(Named::all::<Goal>), "GOAL", "any",
        "What the solution should be good for",
        |r| json!(r.goal.name()), |r, v| { r.goal = choice(v)?; Ok(()) };
    Search then: Kind::Choice(Named::all::<Goal>), "GOAL", "",
        "What decides between solutions equally good for the goal: after moves pushes, after pushes moves",
        |r| name(r.then), |r, v| { r.then = open(v, choice)?; Ok(()) };
    Search algorithm: Kind::Choice(Named::all::<AlgorithmName>), "NAME", "chosen by the goal",
        "The search algorithm",
        |r| name(r.classic.algorithm), |r, v| { r.classic.algorithm = open(v, choice)?; Ok(()) };
    Search formulation: Kind::Choice(Named::all::<FormulationName>), "NAME", "chosen by the goal",
        "What counts as one action",
        |r| name(r.classic.formulation), |r, v| { r.classic.formulation = open(v, choice)?; Ok(()) };
    Search heuristic: Kind::Sum(Named::all::<EstimateName>, Named::all::<PlayerTerm>), "NAME[+PLAYER]", "chosen by the goal",
        "The estimate of what remains, with the player's part in it if wanted",
        |r| json!(r.heuristic().map(|heuristic| heuristic.to_string())),
        |r, v| {
            let heuristic: Option<Heuristic> = open(v, choice)?;
            r.classic.estimate = heuristic.map(|heuristic| heuristic.estimate);
            r.classic.player_term = heuristic.and_then(|heuristic| heuristic.player);
            Ok(())
        };
    Search deadlocks: Kind::Several(Named::all::<DetectorName>), "all|none|NAME,...", "all that fit the formulation",
        "The rules that recognise dead positions: all, none, or names with commas between",
        |r| json!(r.classic.detectors.as_ref().map(|rules| rules.iter().map(|rule| rule.name()).collect::<Vec<_>>())),
        |r, v| { r.classic.detectors = deadlocks(v)?.0; Ok(()) };
    Search tie_break: Kind::Choice(Named::all::<TieBreakName>), "NAME", "chosen by the algorithm",
        "Which of two equally promising states is taken first",
        |r| name(r.classic.tie_break), |r, v| { r.classic.tie_break = open(v, choice)?; Ok(()) };
    Search reverse: Kind::Switch, "", "false",
        "Search backwards from the solved boards, by pulls",
        |r| json!(r.classic.reverse), |r, v| { r.classic.reverse = switch(v)?; Ok(()) };
    #[concerns = "a-star"]
    Search fallback_after: Kind::Count(u64::MAX), "N", "",
        "Let A* turn into greedy search after N expansions; what it finds then is not proved optimal",
        |r| json!(r.classic.fallback_after), |r, v| { r.classic.fallback_after = open(v, count)?; Ok(()) };
    #[concerns = "weighted-a-star"]
    Search weight: Kind::Number(1.0, 1000.0), "W", "1.5",
        "The weight of weighted-a-star: solutions cost at most W times the optimum",
        |r| json!(r.classic.weight), |r, v| { r.classic.weight = read_weight(&text(v)?)?; Ok(()) };
    #[concerns = "depth-limited"]
    Search depth_limit: Kind::Count(u32::MAX as u64), "N", "200",
        "How deep depth-limited goes",
        |r| json!(r.classic.depth_limit), |r, v| { r.classic.depth_limit = count(v)?; Ok(()) };
    Search seed: Kind::Count(7), "N", "0",
        "Break ties in another way, from 0 to 7: the search sees another image of the level, with the same optima",
        |r| json!(r.seed),
        |r, v| {
            let seed: u8 = count(v)?;
            r.seed = if seed < 8 { seed } else { return Err(format!("{seed} is not between 0 and 7")) };
            Ok(())
        };
    Limits time_limit: Kind::Seconds, "SECONDS", "",
        "Seconds for one search, decimals allowed",
        |r| json!(r.limits.time.map(|time| time.as_secs_f64())),
        |r, v| { r.limits.time = open(v, |v| read_seconds(&text(v)?))?; Ok(()) };
    Limits memory_limit: Kind::Bytes, "SIZE", "80 % of what is available",
        "Memory for all searches that run side by side, such as 4GiB or 512MB",
        |r| json!(r.limits.memory), |r, v| { r.limits.memory = open(v, |v| read_memory(&text(v)?))?; Ok(()) };
    Limits node_limit: Kind::Count(u64::MAX), "N", "",
        "Nodes generated by one search",
        |r| json!(r.limits.nodes), |r, v| { r.limits.nodes = open(v, count)?; Ok(()) };
    Work threads: Kind::Count(crate::MOST_THREADS as u64), "N", "1",
        "Threads that work on one level",
        |r| json!(r.threads), |r, v| { r.threads = read_threads(&text(v)?)?.get(); Ok(()) };
    Work known: Kind::Text, "LURD", "",
        "A solution that is known already: the answer where any will do, a bound from above where the fewest are to be proved",
        |r| json!(r.known), |r, v| { r.known = open(v, lurd)?; Ok(()) };
}
