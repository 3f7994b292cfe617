//! The CSE letter game.
//!
//! Two players, MAX and MIN, in turn put C, S or E into an empty cell of a 3x3 board
//! that starts with an S in the left or the right cell of the middle row. Who first
//! completes CSE or ESC in a row, a column or a diagonal wins; a full board is a draw.
//!
//! [`Position`] knows the rules, [`Match`] plays a person against the computer,
//! [`Advice`] says what every move of a position is worth, and [`analyse`] solves the
//! whole game. The search itself is [`lurd_search::game`].
//!
//! ```
//! use lurd_cse::{Advice, Position, Start};
//! use lurd_search::game::{Side, Strategy};
//!
//! let start = Position::new(Start::Left, Side::Max);
//! let advice = Advice::of(&start, Strategy::BEST);
//! println!("MAX plays {} and gets {}", advice.best.unwrap().mv, advice.value);
//! ```
#![allow(missing_docs, reason = "items are public for cli, play and web; a self-explanatory name needs no comment")]

mod advice;
mod analysis;
mod board;
mod entry;
mod play;
mod rules;
mod tree;

pub use advice::{Advice, MethodCost, RatedMove, method_costs};
pub use analysis::{Analysis, CaseAnalysis, analyse};
pub use board::{Board, Cell, Letter};
pub use entry::{EntryError, parse_move};
pub use play::{Match, Turn, TurnError};
pub use rules::{Cse, Ending, Line, Move, Position, Refusal, Start};
pub use tree::{TreeNode, TreeView, search_tree};
