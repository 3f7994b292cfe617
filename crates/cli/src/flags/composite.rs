//! Flags that combine several choices: an estimate with a player's share, a set of detectors.

use super::choice::{Named, listing, possible_values};
use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use clap::error::ErrorKind;
use lurd::{Config, DetectorName, EstimateName, PlayerTerm};
use std::ffi::OsStr;
use std::fmt;
use std::str::FromStr;

/// An estimate for the boxes and, if wanted, one for the player: `nearest-push+player-bfs`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Heuristic {
    /// The boxes' share.
    pub estimate: EstimateName,
    /// The player's share.
    pub player: Option<PlayerTerm>,
}

impl FromStr for Heuristic {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (estimate, player) = match text.split_once('+') {
            None => (text, None),
            Some((estimate, player)) => (estimate, Some(player.parse()?)),
        };
        Ok(Self { estimate: estimate.parse()?, player })
    }
}

impl fmt::Display for Heuristic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.player {
            None => write!(f, "{}", self.estimate),
            Some(player) => write!(f, "{}+{player}", self.estimate),
        }
    }
}

impl Heuristic {
    /// Puts it into a configuration.
    pub fn apply(self, config: &mut Config) {
        config.classic.estimate = Some(self.estimate);
        config.classic.player_term = self.player;
    }

    /// The parser of a flag that takes a heuristic; completion offers the estimates.
    pub(super) fn parser() -> impl TypedValueParser<Value = Self> {
        HeuristicParser
    }

    pub(super) fn long_help() -> String {
        format!(
            "The estimate of what remains [default: chosen by the goal].\n\
             In the formulations move and walk it may be followed by the player's share, as in\n\
             nearest-push+player-bfs:{}",
            listing(PlayerTerm::CHOICES)
        )
    }
}

#[derive(Clone)]
struct HeuristicParser;

impl TypedValueParser for HeuristicParser {
    type Value = Heuristic;

    fn parse_ref(
        &self,
        command: &clap::Command,
        arg: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<Heuristic, clap::Error> {
        let text = StringValueParser::new().parse_ref(command, arg, value)?;
        text.parse().map_err(|reason: String| {
            let flag = arg.map_or_else(String::new, |arg| format!(" for '{arg}'"));
            clap::Error::raw(ErrorKind::ValueValidation, format!("invalid value '{text}'{flag}: {reason}\n"))
                .with_cmd(command)
        })
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(possible_values::<EstimateName>()))
    }
}

/// Which detectors are at work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Detectors {
    /// All that fit the formulation.
    All,
    /// These alone; none if empty.
    These(Vec<DetectorName>),
}

impl Detectors {
    /// Reads `all`, `none` or names with commas between.
    ///
    /// # Errors
    /// A sentence that lists the names.
    pub fn parse(text: &str) -> Result<Self, String> {
        match text.trim() {
            "all" => Ok(Self::All),
            "none" => Ok(Self::These(Vec::new())),
            names => {
                let mut detectors: Vec<DetectorName> =
                    names.split(',').map(|name| name.trim().parse()).collect::<Result<_, _>>()?;
                detectors.sort_unstable();
                detectors.dedup();
                Ok(Self::These(detectors))
            }
        }
    }

    /// Puts them into a configuration.
    pub fn apply(&self, config: &mut Config) {
        config.classic.detectors = match self {
            Self::All => None,
            Self::These(detectors) => Some(detectors.clone()),
        };
    }

    pub(super) fn long_help() -> String {
        format!(
            "The rules that recognise dead positions: all, none, or names with commas between\n\
             [default: all that fit the formulation]. None of them loses a solution.{}",
            listing(DetectorName::CHOICES)
        )
    }
}

impl fmt::Display for Detectors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::All => f.write_str("all"),
            Self::These(detectors) if detectors.is_empty() => f.write_str("none"),
            Self::These(detectors) => {
                let names: Vec<_> = detectors.iter().map(|detector| detector.name()).collect();
                f.write_str(&names.join(","))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heuristics_are_read_as_they_are_printed() {
        for &estimate in EstimateName::ALL {
            for player in PlayerTerm::ALL.iter().copied().map(Some).chain([None]) {
                let heuristic = Heuristic { estimate, player };
                assert_eq!(heuristic.to_string().parse(), Ok(heuristic));
            }
        }
        assert!("matching+".parse::<Heuristic>().is_err());
        assert!("+player-ids".parse::<Heuristic>().is_err());
    }

    #[test]
    fn detectors_are_read_as_they_are_printed() {
        for text in ["all", "none", "corner", "corner,freeze"] {
            assert_eq!(Detectors::parse(text).unwrap().to_string(), text);
        }
        assert_eq!(Detectors::parse("freeze, corner,freeze").unwrap().to_string(), "corner,freeze");
        assert!(Detectors::parse("").unwrap_err().contains("corner"));
    }
}
