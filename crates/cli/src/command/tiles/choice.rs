//! The algorithms, heuristics and goals by name: help lists each with what it promises.

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use lurd_search::{Algorithm, Guarantee};
use lurd_tiles::{Board, HeuristicKind, Method, MoveSet, Parameters};
use std::str::FromStr;

/// The parser of a flag that takes an algorithm's name.
pub(super) fn algorithms() -> PossibleValuesParser {
    let methods = Method::all(&Parameters::default());
    PossibleValuesParser::new(methods.map(|method| PossibleValue::new(method.name()).help(about(method))))
}

fn about(method: Method) -> &'static str {
    let Method::Forward(algorithm) = method else {
        return "from both ends until they meet; optimal where the heuristic is admissible";
    };
    match algorithm {
        Algorithm::BreadthFirst => "level by level; optimal, every move costs 1",
        Algorithm::UniformCost => "cheapest board first (Dijkstra); optimal, asks no heuristic",
        Algorithm::DepthFirst => "the deepest board first; promises nothing, paths are very long",
        Algorithm::DepthLimited(_) => "depth-first down to --depth-limit; promises nothing",
        Algorithm::IterativeDeepening => "depth-limited with a growing limit; optimal, little memory",
        Algorithm::Greedy => "the board that looks nearest first; fast, promises nothing",
        Algorithm::AStar { .. } => "least cost so far plus estimate first; optimal where the heuristic is admissible",
        Algorithm::WeightedAStar(_) => {
            "A* that trusts the estimate --weight times as much; at most that factor above the optimum"
        }
        Algorithm::IdaStar => "depth-first under a growing bound; optimal where the heuristic is admissible",
        Algorithm::MemoryBoundedAStar => {
            "A* up to the memory limit, then depth-first from its frontier inside that limit; optimal as A*"
        }
    }
}

/// The parser of a flag that takes a heuristic.
pub(super) fn heuristics() -> impl TypedValueParser<Value = HeuristicKind> {
    let value = |kind: HeuristicKind| PossibleValue::new(kind.name()).help(heuristic_help(kind));
    PossibleValuesParser::new(HeuristicKind::ALL.map(value)).try_map(|name| name.parse::<HeuristicKind>())
}

fn heuristic_help(kind: HeuristicKind) -> String {
    let what = match kind {
        HeuristicKind::Zero => "always 0",
        HeuristicKind::Misplaced => "tiles not in their place",
        HeuristicKind::Manhattan => "rows plus columns each tile has to go",
        HeuristicKind::Chebyshev => "the larger of rows and columns each tile has to go",
        HeuristicKind::ChebyshevParity => "chebyshev, rounded up to the parity every solution has",
        HeuristicKind::LinearConflict => "manhattan, and two more for each tile in the way of others of its line",
        HeuristicKind::PatternDatabase => {
            "exact costs of three groups of tiles, from tables built on first use; 4x4 with classic moves"
        }
    };
    let classic = guarantee(kind.guarantee(MoveSet::Classic));
    let promise = match (kind, kind.guarantee(MoveSet::Diagonal)) {
        (HeuristicKind::PatternDatabase, _) => classic.to_owned(),
        (_, Guarantee::Inadmissible) => format!("{classic}, but inadmissible with --diagonal"),
        _ => format!("{classic}, with --diagonal too"),
    };
    format!("{what}; {promise}")
}

fn guarantee(guarantee: Guarantee) -> &'static str {
    match guarantee {
        Guarantee::Consistent => "consistent",
        Guarantee::Admissible => "admissible",
        Guarantee::Inadmissible => "inadmissible",
    }
}

/// The boards that a command is about.
#[derive(Args, Debug)]
pub(super) struct SpaceFlags {
    #[arg(long, value_name = "BOARD", default_value = "blank-last", help = Goal::HELP)]
    pub(super) goal: Goal,

    /// Cells along an edge of a random board, 2 to 5 [default: 3]
    #[arg(long, value_name = "N", value_parser = parse_side)]
    pub(super) size: Option<usize>,

    /// Let the blank move diagonally too; every move costs 1
    #[arg(long)]
    pub(super) diagonal: bool,
}

impl SpaceFlags {
    pub(super) fn moves(&self) -> MoveSet {
        if self.diagonal { MoveSet::Diagonal } else { MoveSet::Classic }
    }
}

/// Where the tiles are to go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Goal {
    /// In order, the blank last.
    BlankLast,
    /// The blank first, then in order.
    BlankFirst,
    /// A board of its own.
    Board(Board),
}

impl Goal {
    /// What help says about the values.
    pub(super) const HELP: &'static str =
        "The goal: blank-last (1 2 3 ... 0), blank-first (0 1 2 ...), or a board written as BOARD is";

    /// The goal board for boards of this size.
    pub(super) fn board(self, side: usize) -> Board {
        match self {
            Self::BlankLast => Board::standard_goal(side),
            Self::BlankFirst => Board::blank_first_goal(side),
            Self::Board(board) => board,
        }
    }

    /// The size, where the goal itself has one.
    pub(super) fn side(self) -> Option<usize> {
        match self {
            Self::Board(board) => Some(board.side()),
            Self::BlankLast | Self::BlankFirst => None,
        }
    }
}

impl FromStr for Goal {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.trim() {
            "blank-last" => Ok(Self::BlankLast),
            "blank-first" => Ok(Self::BlankFirst),
            numbers => {
                numbers.parse().map(Self::Board).map_err(|error| format!("{error}; or write blank-last or blank-first"))
            }
        }
    }
}

/// Reads the number of cells along an edge: `4` or `4x4`.
fn parse_side(text: &str) -> Result<usize, String> {
    let number = text.split_once(['x', 'X']).filter(|(a, b)| a == b).map_or(text, |(side, _)| side);
    number
        .trim()
        .parse()
        .ok()
        .filter(|side| (2..=5).contains(side))
        .ok_or_else(|| "boards are 2x2 to 5x5; write 2, 3, 4 or 5".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn goals_are_read_by_name_and_as_boards() {
        assert_eq!("blank-first".parse(), Ok(Goal::BlankFirst));
        assert_eq!("123804765".parse::<Goal>().unwrap().side(), Some(3));
        assert!("1 2 3".parse::<Goal>().unwrap_err().contains("found 3 numbers"));
        assert_eq!(Goal::BlankLast.board(2).to_string(), "1 2 3 0");
    }

    #[test]
    fn sizes_are_read_in_both_ways() {
        assert_eq!(parse_side("4"), Ok(4));
        assert_eq!(parse_side("5x5"), Ok(5));
        for wrong in ["", "1", "6", "3x4", "x", "-3"] {
            assert!(parse_side(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn what_manhattan_loses_under_diagonal_moves_is_in_its_help() {
        assert!(heuristic_help(HeuristicKind::Manhattan).ends_with("but inadmissible with --diagonal"));
        assert!(heuristic_help(HeuristicKind::Chebyshev).ends_with("consistent, with --diagonal too"));
    }
}
