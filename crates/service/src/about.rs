//! `/about`: what the program is, which choices there are and what each promises. The page makes its controls from
//! this.

use crate::Allowance;
use lurd::contract::{Group, Kind, Named, OPTIONS, RequestOption};
use lurd::formats::Format;
use lurd_search::game::Strategy;
use lurd_tiles::{HeuristicKind, Method, MoveSet, Parameters};
use serde::Serialize;
use utoipa::ToSchema;

/// What the value of an option is.
#[derive(Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
enum KindName {
    Choice,
    Several,
    Sum,
    Switch,
    Count,
    Number,
    Seconds,
    Bytes,
    Text,
}

/// One thing that may be asked of a search.
#[derive(Serialize, ToSchema)]
#[schema(as = RequestOption)]
struct OptionView {
    name: &'static str,
    group: Group,
    kind: KindName,
    /// What it can be, if it is one or several of something.
    choices: Vec<Named>,
    /// Of a sum, what may stand behind the `+`.
    parts: Vec<Named>,
    least: Option<f64>,
    most: Option<f64>,
    /// What holds where it is left out, in words; empty if nothing does.
    default: &'static str,
    about: &'static str,
    /// The algorithm that it concerns; empty if all of them.
    concerns: &'static str,
}

impl OptionView {
    fn new(option: &RequestOption) -> Self {
        let (nothing, open) = (Vec::new, (None, None));
        let (kind, choices, parts, (least, most)) = match option.kind {
            Kind::Choice(choices) => (KindName::Choice, choices(), nothing(), open),
            Kind::Several(choices) => (KindName::Several, choices(), nothing(), open),
            Kind::Sum(choices, parts) => (KindName::Sum, choices(), parts(), open),
            Kind::Switch => (KindName::Switch, nothing(), nothing(), open),
            Kind::Count(most) => (KindName::Count, nothing(), nothing(), (Some(0.0), Some(most as f64))),
            Kind::Number(least, most) => (KindName::Number, nothing(), nothing(), (Some(least), Some(most))),
            Kind::Seconds => (KindName::Seconds, nothing(), nothing(), (Some(0.0), None)),
            Kind::Bytes => (KindName::Bytes, nothing(), nothing(), (Some(0.0), None)),
            Kind::Text => (KindName::Text, nothing(), nothing(), open),
        };
        let RequestOption { name, group, default, about, concerns, .. } = *option;
        Self { name, group, kind, choices, parts, least, most, default, about, concerns }
    }
}

#[derive(Serialize, ToSchema)]
#[schema(as = Format)]
struct FormatView {
    name: &'static str,
    about: &'static str,
    extension: &'static str,
}

#[derive(Serialize, ToSchema)]
struct TileHeuristic {
    name: &'static str,
    classic: &'static str,
    diagonal: &'static str,
}

#[derive(Serialize, ToSchema)]
struct Tiles {
    algorithms: Vec<&'static str>,
    heuristics: Vec<TileHeuristic>,
}

#[derive(Serialize, ToSchema)]
#[schema(as = HostLimits)]
struct LimitsView {
    running: usize,
    waiting: usize,
    seconds: u64,
    mebibytes: usize,
    grace_seconds: f64,
}

/// Whether there is a library of levels and batch runs.
#[derive(Serialize, ToSchema)]
#[schema(as = LibraryAccess)]
struct LibraryView {
    open: bool,
    /// Why there is none, and what to do.
    why_not: Option<&'static str>,
}

/// What the program is and offers.
#[derive(Serialize, ToSchema)]
pub struct About {
    name: &'static str,
    version: &'static str,
    /// What may be asked of a search.
    options: Vec<OptionView>,
    formats: Vec<FormatView>,
    tiles: Tiles,
    strategies: Vec<&'static str>,
    limits: LimitsView,
    library: LibraryView,
}

/// What the program is and offers, within these limits. A host without a library says why in a sentence.
pub fn about(limits: &Allowance, no_library: Option<&'static str>) -> About {
    About {
        name: "lurd",
        version: env!("CARGO_PKG_VERSION"),
        options: OPTIONS.iter().map(OptionView::new).collect(),
        formats: Format::ALL
            .iter()
            .map(|format| FormatView { name: format.name(), about: format.about(), extension: format.extension() })
            .collect(),
        tiles: Tiles {
            algorithms: Method::all(&Parameters::default()).iter().map(|method| method.name()).collect(),
            heuristics: HeuristicKind::ALL
                .iter()
                .map(|kind| TileHeuristic {
                    name: kind.name(),
                    classic: kind.promise(MoveSet::Classic),
                    diagonal: kind.promise(MoveSet::Diagonal),
                })
                .collect(),
        },
        strategies: Strategy::ALL.iter().map(|strategy| strategy.name()).collect(),
        limits: LimitsView {
            running: limits.running,
            waiting: limits.waiting,
            seconds: limits.time.as_secs(),
            mebibytes: limits.memory >> 20,
            grace_seconds: limits.grace.as_secs_f64(),
        },
        library: LibraryView { open: no_library.is_none(), why_not: no_library },
    }
}
