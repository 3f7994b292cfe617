//! Flags out of the contract's table of options.

use super::choice::{listing, possible};
use clap::builder::{PossibleValue, PossibleValuesParser, StringValueParser, TypedValueParser, ValueParser};
use clap::error::ErrorKind;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};
use lurd::Request;
use lurd::contract::{Group, Kind, OPTIONS, RequestOption};
use serde_json::Value;
use std::ffi::OsStr;
use std::marker::PhantomData;

/// A part of the table that a command takes.
pub trait Part: Clone + std::fmt::Debug + Send + Sync + 'static {
    /// The heading in help.
    const HEADING: &'static str;

    /// Whether an option belongs to it.
    fn has(option: &RequestOption) -> bool;
}

/// What to search for and how.
#[derive(Clone, Debug)]
pub struct Searching;

/// Finer choices, beside what a command compares.
#[derive(Clone, Debug)]
pub struct Tuning;

/// When to give up.
#[derive(Clone, Debug)]
pub struct Limiting;

impl Part for Searching {
    const HEADING: &'static str = "Search";

    fn has(option: &RequestOption) -> bool {
        option.group == Group::Search
    }
}

impl Part for Tuning {
    const HEADING: &'static str = "Search";

    fn has(option: &RequestOption) -> bool {
        const COMPARED: [&str; 6] = ["goal", "then", "algorithm", "formulation", "heuristic", "deadlocks"];
        option.group == Group::Search && !COMPARED.contains(&option.name)
    }
}

impl Part for Limiting {
    const HEADING: &'static str = "Limits";

    fn has(option: &RequestOption) -> bool {
        option.group == Group::Limits
    }
}

/// The flags of a part of the table, and the request they make.
#[derive(Clone, Debug)]
pub struct Flags<P: Part> {
    /// What was asked; limits are what was written.
    pub request: Box<Request>,
    /// The options that were given.
    given: Vec<&'static str>,
    part: PhantomData<P>,
}

impl<P: Part> Flags<P> {
    /// Whether an option was given.
    pub fn has(&self, name: &str) -> bool {
        self.given.contains(&name)
    }

    /// Puts what was given into a request, and nothing else.
    pub fn apply(&self, request: &mut Request) {
        for &name in &self.given {
            let value = self.request.get(name).and_then(|value| request.set(name, &value));
            debug_assert!(value.is_ok(), "what was read once can be read again");
        }
    }
}

impl<P: Part> FromArgMatches for Flags<P> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut flags = Self { request: Box::default(), given: Vec::new(), part: PhantomData };
        flags.update_from_arg_matches(matches)?;
        Ok(flags)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        for option in OPTIONS.iter().filter(|option| P::has(option)) {
            let value = match option.kind {
                Kind::Switch => matches.get_flag(option.name).then_some(Value::Bool(true)),
                _ => matches.get_one::<String>(option.name).map(|text| Value::String(text.clone())),
            };
            if let Some(value) = value {
                let refused = |error| clap::Error::raw(ErrorKind::ValueValidation, format!("{error}\n"));
                self.request.set(option.name, &value).map_err(refused)?;
                self.given.push(option.name);
            }
        }
        Ok(())
    }
}

impl<P: Part> Args for Flags<P> {
    fn augment_args(command: Command) -> Command {
        command.args(OPTIONS.iter().filter(|option| P::has(option)).map(|option| flag(option, P::HEADING)))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

fn flag(option: &'static RequestOption, heading: &'static str) -> Arg {
    let arg = Arg::new(option.name).long(option.flag()).help_heading(heading);
    if let Kind::Switch = option.kind {
        return arg.help(option.about).action(ArgAction::SetTrue);
    }
    let default = if option.default.is_empty() { String::new() } else { format!(" [default: {}]", option.default) };
    let help = format!("{}{default}", option.about);
    let (parser, more) = match option.kind {
        Kind::Choice(choices) => (ValueParser::new(PossibleValuesParser::new(possible(&choices()))), String::new()),
        Kind::Several(choices) => {
            (ValueParser::new(Words(option)), format!(". None of them loses a solution:{}", listing(&choices())))
        }
        Kind::Sum(_, players) => (
            ValueParser::new(Words(option)),
            format!(
                ".\nIn the formulations move and walk it may be followed by the player's part, as in\nnearest-push+player-bfs:{}",
                listing(&players())
            ),
        ),
        _ => (ValueParser::new(Words(option)), String::new()),
    };
    // A negative number is no flag: it gets the sentence of its option.
    let arg = arg.allow_negative_numbers(true).value_name(option.placeholder).value_parser(parser);
    if more.is_empty() { arg.help(help) } else { arg.long_help(format!("{help}{more}")).help(help) }
}

/// Checks a value where clap can still say which flag it belongs to.
#[derive(Clone)]
struct Words(&'static RequestOption);

impl TypedValueParser for Words {
    type Value = String;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<String, clap::Error> {
        let text = StringValueParser::new().parse_ref(command, arg, value)?;
        match self.0.apply(&mut Request::default(), &Value::String(text.clone())) {
            Ok(()) => Ok(text),
            Err(reason) => {
                let flag = arg.map_or_else(String::new, |arg| format!(" for '{arg}'"));
                let sentence = format!("invalid value '{text}'{flag}: {reason}\n");
                Err(clap::Error::raw(ErrorKind::ValueValidation, sentence).with_cmd(command))
            }
        }
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        match self.0.kind {
            Kind::Sum(estimates, _) => Some(Box::new(possible(&estimates()).into_iter())),
            _ => None,
        }
    }
}
