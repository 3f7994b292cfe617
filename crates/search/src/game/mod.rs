//! Two-player search: minimax, alpha-beta, a memo and move ordering, each a switch.
//!
//! A game of perfect information describes itself as a [`Game`]; a [`Solver`] then
//! finds the [`Score`] of a position under a [`Strategy`], and its [`Effort`] says
//! what that cost. Every strategy gives the same score: they differ in effort only.
//!
//! Two decisions a reader must know:
//!
//! * **Sooner wins are better.** A score is the value of the end of the game and the
//!   number of plies to it; a side that wins prefers to win soon, a side that loses
//!   prefers to lose late. Between draws nobody prefers anything.
//! * **Equal moves are taken in the game's own order.** The best move and the best
//!   line are the same under every strategy, whatever order the moves were searched in.
//!
//! ```
//! use lurd_search::game::{Game, Side, Solver, Strategy};
//!
//! /// Take one or two from a heap; who takes the last one wins.
//! struct Heap;
//!
//! impl Game for Heap {
//!     type Position = (u8, Side);
//!     type Move = u8;
//!     type Key = u8;
//!     fn side_to_move(&self, position: &(u8, Side)) -> Side {
//!         position.1
//!     }
//!     fn end_value(&self, position: &(u8, Side)) -> Option<i32> {
//!         // Who is to move on the empty heap has lost.
//!         (position.0 == 0).then(|| -position.1.sign())
//!     }
//!     fn moves(&self, position: &(u8, Side), out: &mut Vec<u8>) {
//!         out.extend(1..=position.0.min(2));
//!     }
//!     fn play(&self, position: &(u8, Side), taken: u8) -> (u8, Side) {
//!         (position.0 - taken, position.1.other())
//!     }
//!     fn key(&self, position: &(u8, Side)) -> u8 {
//!         position.0
//!     }
//! }
//!
//! let mut solver = Solver::new(&Heap, Strategy::BEST);
//! let score = solver.score(&(4, Side::Max));
//! assert_eq!((score.value(), score.plies()), (1, Some(3)));
//! assert_eq!(solver.best_line(&(4, Side::Max)), [1, 1, 2]);
//! ```

mod score;
mod size;
mod solver;
mod strategy;
mod tree;

pub use score::{Score, Value};
pub use size::{TreeSize, positions, tree_size};
pub use solver::{Effort, MoveScore, Solver};
pub use strategy::Strategy;
pub use tree::{Fate, Node, Tree, record_tree};

use std::fmt::Debug;
use std::hash::Hash;

/// One of the two players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Side {
    /// Wants the value high.
    Max,
    /// Wants the value low.
    Min,
}

impl Side {
    /// The opponent.
    pub fn other(self) -> Self {
        match self {
            Side::Max => Side::Min,
            Side::Min => Side::Max,
        }
    }

    /// 1 for MAX, -1 for MIN: the value of a plain win of this side.
    pub fn sign(self) -> Value {
        match self {
            Side::Max => 1,
            Side::Min => -1,
        }
    }

    /// Whether `a` is strictly better than `b` for this side.
    pub fn prefers(self, a: Score, b: Score) -> bool {
        match self {
            Side::Max => a > b,
            Side::Min => a < b,
        }
    }
}

/// A finite game of two players with perfect information and no chance.
pub trait Game {
    /// A position, with the side to move in it.
    type Position: Clone;
    /// A move; small and cheap to copy.
    type Move: Copy + PartialEq + Debug;
    /// What tells two positions with the same side to move apart.
    ///
    /// The solver joins the side to move to it, so a key of the bare board cannot mix
    /// up two games in which the other player began.
    type Key: Copy + Eq + Hash;

    /// Who moves next.
    fn side_to_move(&self, position: &Self::Position) -> Side;

    /// The value for MAX if the game is over here, else `None`.
    fn end_value(&self, position: &Self::Position) -> Option<Value>;

    /// Adds the legal moves to `out` (which comes in empty), in a fixed order. At least
    /// one where the game is not over.
    fn moves(&self, position: &Self::Position, out: &mut Vec<Self::Move>);

    /// The position after a legal move.
    fn play(&self, position: &Self::Position, mv: Self::Move) -> Self::Position;

    /// The key of a position.
    fn key(&self, position: &Self::Position) -> Self::Key;

    /// How promising a move looks to the side that makes it: move ordering searches
    /// the highest first, equals in the game's order.
    fn promise(&self, position: &Self::Position, mv: Self::Move) -> i32 {
        let _ = (position, mv);
        0
    }
}
