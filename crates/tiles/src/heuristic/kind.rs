//! The heuristics by name, and what each promises.

use super::HeuristicError;
use crate::moves::MoveSet;
use lurd_search::Guarantee;
use serde::Serialize;
use std::fmt;
use std::str::FromStr;

/// An estimate of the moves that remain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum HeuristicKind {
    /// Nothing is known: always 0.
    Zero,
    /// Tiles not in their goal cell; the blank is left out.
    Misplaced,
    /// Rows plus columns each tile has to go.
    Manhattan,
    /// The larger of rows and columns each tile has to go.
    Chebyshev,
    /// Chebyshev, rounded up to the parity every solution has.
    ChebyshevParity,
    /// Manhattan, and two moves more for each tile that must leave its line to let others
    /// of the line past (Hansson, Mayer and Yung, 1992).
    LinearConflict,
    /// Sums of exact costs of three groups of tiles (Korf and Felner, 2002).
    PatternDatabase,
}

impl HeuristicKind {
    pub const ALL: [Self; 7] = [
        Self::Zero,
        Self::Misplaced,
        Self::Manhattan,
        Self::Chebyshev,
        Self::ChebyshevParity,
        Self::LinearConflict,
        Self::PatternDatabase,
    ];

    /// Those that work on boards of every size and need no tables.
    pub const WITHOUT_TABLES: [Self; 6] =
        [Self::Zero, Self::Misplaced, Self::Manhattan, Self::Chebyshev, Self::ChebyshevParity, Self::LinearConflict];

    /// The strongest one with a promise.
    pub fn recommended(side: usize, moves: MoveSet) -> Self {
        match moves {
            MoveSet::Diagonal => Self::ChebyshevParity,
            MoveSet::Classic if side == 4 => Self::PatternDatabase,
            MoveSet::Classic => Self::LinearConflict,
        }
    }

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Zero => "zero",
            Self::Misplaced => "misplaced",
            Self::Manhattan => "manhattan",
            Self::Chebyshev => "chebyshev",
            Self::ChebyshevParity => "chebyshev-parity",
            Self::LinearConflict => "linear-conflict",
            Self::PatternDatabase => "pattern-database",
        }
    }

    /// What it promises under these moves. On 3x3 boards [`statistics`](crate::statistics)
    /// checks every promise on every board and every move.
    pub fn guarantee(self, moves: MoveSet) -> Guarantee {
        match (self, moves) {
            (Self::Zero | Self::Misplaced | Self::Chebyshev | Self::ChebyshevParity, _) => Guarantee::Consistent,
            (Self::Manhattan | Self::LinearConflict, MoveSet::Classic) => Guarantee::Consistent,
            // The tables forget where the blank is, so an estimate can fall by more than one in a move.
            (Self::PatternDatabase, MoveSet::Classic) => Guarantee::Admissible,
            // One diagonal move brings a tile two nearer by this measure.
            (Self::Manhattan | Self::LinearConflict | Self::PatternDatabase, MoveSet::Diagonal) => {
                Guarantee::Inadmissible
            }
        }
    }

    /// The promise as a sentence.
    pub fn promise(self, moves: MoveSet) -> &'static str {
        match (self, moves, self.guarantee(moves)) {
            (Self::PatternDatabase, MoveSet::Diagonal, _) => "not offered: the tables count classic moves",
            (_, MoveSet::Diagonal, Guarantee::Inadmissible) => {
                "inadmissible under diagonal moves, where one move can save two: answers may be too long"
            }
            (_, _, Guarantee::Inadmissible) => "inadmissible: answers may be too long",
            (_, _, Guarantee::Admissible) => {
                "admissible: A* answers are shortest; inconsistent, so A* may take boards up again"
            }
            (_, _, Guarantee::Consistent) => "consistent: A* answers are shortest and no board is taken up twice",
        }
    }

    /// Whether it can be used on boards of this size with these moves.
    pub fn check(self, side: usize, moves: MoveSet) -> Result<(), HeuristicError> {
        match self {
            Self::PatternDatabase if side != 4 || moves != MoveSet::Classic => {
                Err(HeuristicError::NoDatabase { side, moves })
            }
            _ => Ok(()),
        }
    }
}

impl fmt::Display for HeuristicKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for HeuristicKind {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        Self::ALL.into_iter().find(|kind| kind.name() == name).ok_or_else(|| {
            let names = Self::ALL.map(Self::name).join(", ");
            format!("`{name}` is no heuristic for tiles; choose one of {names}")
        })
    }
}
