//! The rules: who may do what, and who has won.

use crate::board::{Board, Cell, Letter};
use lurd_base::random::SplitMix64;
use lurd_search::game::{Game, Side, Value};
use serde::Serialize;
use std::fmt;
use utoipa::ToSchema;

/// Where the first S stands: an end of the middle row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Start {
    Left,
    Right,
}

impl Start {
    pub const ALL: [Self; 2] = [Self::Left, Self::Right];

    /// One of the two, each for half of all seeds; equal seeds give equal starts.
    pub fn random(seed: u64) -> Self {
        // One round of a strong mixer: neighbouring seeds (such as clock ticks) must not
        // give a pattern a player can see.
        if SplitMix64::new(seed).next_u64() & 1 == 0 { Self::Left } else { Self::Right }
    }

    /// The cell of the first S.
    pub fn cell(self) -> Cell {
        match self {
            Self::Left => Cell::from_index(3),
            Self::Right => Cell::from_index(5),
        }
    }

    /// `left` or `right`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Left => "left",
            Self::Right => "right",
        }
    }
}

impl fmt::Display for Start {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A letter put into a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(into = "CseMove")]
pub struct Move {
    pub cell: Cell,
    pub letter: Letter,
}

/// `2 1 S`: row, column (both from 1) and letter, as a person enters it.
impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.cell.row() + 1, self.cell.column() + 1, self.letter)
    }
}

/// `{"row":2,"column":1,"letter":"S"}`, both from 1 as in what a person enters.
#[derive(Serialize, ToSchema)]
pub(crate) struct CseMove {
    row: usize,
    column: usize,
    #[schema(value_type = String)]
    letter: Letter,
}

impl From<Move> for CseMove {
    fn from(mv: Move) -> Self {
        Self { row: mv.cell.row() + 1, column: mv.cell.column() + 1, letter: mv.letter }
    }
}

/// Three cells in a row.
pub type Line = [Cell; 3];

const fn line(a: u8, b: u8, c: u8) -> Line {
    [Cell::from_index(a), Cell::from_index(b), Cell::from_index(c)]
}

/// The rows, the columns and the diagonals.
const LINES: [Line; 8] = [
    line(0, 1, 2),
    line(3, 4, 5),
    line(6, 7, 8),
    line(0, 3, 6),
    line(1, 4, 7),
    line(2, 5, 8),
    line(0, 4, 8),
    line(2, 4, 6),
];

/// For each cell, which of [`LINES`] run through it.
const LINES_THROUGH: [&[usize]; 9] =
    [&[0, 3, 6], &[0, 4], &[0, 5, 7], &[1, 3], &[1, 4, 6, 7], &[1, 5], &[2, 3, 7], &[2, 4], &[2, 5, 6]];

/// Whether the line reads CSE or ESC.
fn reads_cse(board: Board, line: Line) -> bool {
    let [a, b, c] = line.map(|cell| board.get(cell));
    b == Some(Letter::S) && matches!((a, c), (Some(Letter::C), Some(Letter::E)) | (Some(Letter::E), Some(Letter::C)))
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// This side completed a line.
    Won(Side),
    /// The board is full.
    Draw,
}

/// Why a move is refused. The turn stays where it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    #[error("row {row}, column {column} already holds {letter}; choose an empty cell")]
    Taken { row: usize, column: usize, letter: Letter },
    #[error("the game is over; no more letters can be placed")]
    Over,
}

/// A board and who moves next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    board: Board,
    to_move: Side,
    /// Whether the last move completed a line.
    won: bool,
}

impl Position {
    pub fn new(start: Start, first: Side) -> Self {
        Self { board: Board::default().with(start.cell(), Letter::S), to_move: first, won: false }
    }

    pub fn board(&self) -> Board {
        self.board
    }

    /// Who moves next; after the end, who would.
    pub fn side_to_move(&self) -> Side {
        self.to_move
    }

    /// How the game ended, if it did.
    pub fn ending(&self) -> Option<Ending> {
        if self.won { Some(Ending::Won(self.to_move.other())) } else { self.board.is_full().then_some(Ending::Draw) }
    }

    /// The completed lines, for highlighting; empty unless a side has won. One move can
    /// complete several.
    pub fn completed_lines(&self) -> Vec<Line> {
        LINES.into_iter().filter(|&line| reads_cse(self.board, line)).collect()
    }

    /// The legal moves in a fixed order: cells row by row, letters C, S, E. None after the end.
    pub fn moves(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        if self.ending().is_none() {
            Cse.moves(self, &mut moves);
        }
        moves
    }

    /// The position after a move, or why the move is refused.
    pub fn play(&self, mv: Move) -> Result<Self, Refusal> {
        if self.ending().is_some() {
            return Err(Refusal::Over);
        }
        match self.board.get(mv.cell) {
            Some(letter) => Err(Refusal::Taken { row: mv.cell.row() + 1, column: mv.cell.column() + 1, letter }),
            None => Ok(self.after(mv)),
        }
    }

    /// The position after a legal move.
    fn after(&self, mv: Move) -> Self {
        let board = self.board.with(mv.cell, mv.letter);
        let won = LINES_THROUGH[mv.cell.index()].iter().any(|&line| reads_cse(board, LINES[line]));
        Self { board, to_move: self.to_move.other(), won }
    }

    /// Whether the side to move can complete a line at once.
    fn can_win_at_once(&self) -> bool {
        // One empty cell and the right two letters: C?E, ?SE, ES?, CS?, ?SC.
        LINES.into_iter().any(|line| {
            let [a, b, c] = line.map(|cell| self.board.get(cell));
            match (a, b, c) {
                (Some(a), None, Some(c)) => a != Letter::S && c != Letter::S && a != c,
                (None, Some(Letter::S), Some(end)) | (Some(end), Some(Letter::S), None) => end != Letter::S,
                _ => false,
            }
        })
    }
}

/// The game as [`lurd_search::game`] sees it. A win of MAX is worth 1, of MIN -1.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cse;

impl Game for Cse {
    type Position = Position;
    type Move = Move;
    type Key = Board;

    fn side_to_move(&self, position: &Position) -> Side {
        position.to_move
    }

    fn end_value(&self, position: &Position) -> Option<Value> {
        position.ending().map(|ending| match ending {
            Ending::Won(side) => side.sign(),
            Ending::Draw => 0,
        })
    }

    fn moves(&self, position: &Position, out: &mut Vec<Move>) {
        for cell in Cell::ALL {
            if position.board.get(cell).is_none() {
                out.extend(Letter::ALL.map(|letter| Move { cell, letter }));
            }
        }
    }

    fn play(&self, position: &Position, mv: Move) -> Position {
        position.after(mv)
    }

    fn key(&self, position: &Position) -> Board {
        position.board
    }

    /// Wins first; then moves that leave the opponent no win at once.
    fn promise(&self, position: &Position, mv: Move) -> i32 {
        let after = position.after(mv);
        match after {
            Position { won: true, .. } => 2,
            after if after.can_win_at_once() => 0,
            _ => 1,
        }
    }
}

#[cfg(test)]
mod tests;
