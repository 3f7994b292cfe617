//! `/about`: what the program is, which choices there are and what each promises. The page makes its controls from
//! this.

use crate::Allowance;
use lurd::formats::Format;
use lurd::{AlgorithmName, DetectorName, EstimateName, FormulationName, Goal, PlayerTerm, TieBreakName};
use lurd_search::game::Strategy;
use lurd_tiles::{HeuristicKind, Method, MoveSet, Parameters};
use serde::Serialize;

#[derive(Serialize)]
struct Choice {
    name: &'static str,
    about: &'static str,
}

#[derive(Serialize)]
struct Solver {
    goals: Vec<Choice>,
    algorithms: Vec<Choice>,
    formulations: Vec<Choice>,
    estimates: Vec<Choice>,
    player_terms: Vec<Choice>,
    detectors: Vec<Choice>,
    tie_breaks: Vec<Choice>,
}

#[derive(Serialize)]
struct FormatView {
    name: &'static str,
    about: &'static str,
    extension: &'static str,
}

#[derive(Serialize)]
struct TileHeuristic {
    name: &'static str,
    classic: &'static str,
    diagonal: &'static str,
}

#[derive(Serialize)]
struct Tiles {
    algorithms: Vec<&'static str>,
    heuristics: Vec<TileHeuristic>,
}

#[derive(Serialize)]
struct LimitsView {
    running: usize,
    waiting: usize,
    seconds: u64,
    mebibytes: usize,
    grace_seconds: f64,
}

/// Whether there is a library of levels and batch runs.
#[derive(Serialize)]
struct LibraryView {
    open: bool,
    /// Why there is none, and what to do.
    why_not: Option<&'static str>,
}

/// What the program is and offers.
#[derive(Serialize)]
pub struct About {
    name: &'static str,
    version: &'static str,
    solver: Solver,
    formats: Vec<FormatView>,
    tiles: Tiles,
    strategies: Vec<&'static str>,
    limits: LimitsView,
    library: LibraryView,
}

macro_rules! choices {
    ($type:ty) => {
        <$type>::ALL.iter().map(|choice| Choice { name: choice.name(), about: choice.about() }).collect()
    };
}

/// What the program is and offers, within these limits. A host without a library says why in a sentence.
pub fn about(limits: &Allowance, no_library: Option<&'static str>) -> About {
    About {
        name: "lurd",
        version: env!("CARGO_PKG_VERSION"),
        solver: Solver {
            goals: choices!(Goal),
            algorithms: choices!(AlgorithmName),
            formulations: choices!(FormulationName),
            estimates: choices!(EstimateName),
            player_terms: choices!(PlayerTerm),
            detectors: choices!(DetectorName),
            tie_breaks: choices!(TieBreakName),
        },
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
