//! Formulations of the game as a state space, one module each.
//!
//! | | forwards | backwards |
//! |---|---|---|
//! | pushes | [`PushSpace`] | [`PullSpace`] |
//! | single steps | [`MoveSpace`] | [`UnmoveSpace`] |
//! | a walk and a push | [`WalkSpace`] | |
//!
//! All share [`State`] and its packing, so the two directions of one
//! formulation can meet in a table.

mod moves;
mod pull;
mod push;
mod unmove;
mod walk;

pub use moves::{Move, MoveSpace};
pub use pull::PullSpace;
pub use push::{Push, PushSpace};
pub use unmove::UnmoveSpace;
pub use walk::WalkSpace;

use lurd_level::Direction;
use lurd_rules::deadlock::DetectorName;
use lurd_rules::{Bits, Board, Square, State};
use lurd_search::StateSpace;

/// A state space with what heuristics and the engine need.
pub trait Formulation: StateSpace<State = State> {
    /// The board.
    fn board(&self) -> &Board;

    /// The box an action moves, as (from, to) in the direction of the search.
    fn shifted(&self, action: Self::Action) -> Option<(Square, Square)>;

    /// Where an action leaves the player, if a state keeps only his zone.
    fn stands(&self, action: Self::Action) -> Option<Square> {
        let _ = action;
        None
    }

    /// Makes an action of the game on `boxes` and `player`, and appends it as LURD.
    fn write(&mut self, boxes: &mut Bits, player: &mut Square, action: Self::Action, out: &mut String);
}

/// The methods that all spaces share: states packed by `self.packing`, reasons of pruning named by `self.reasons`.
macro_rules! packed {
    () => {
        fn key_words(&self) -> usize {
            self.packing.words()
        }

        #[inline]
        fn pack(&self, state: &State, words: &mut [u64]) {
            self.packing.pack(state, words);
        }

        #[inline]
        fn unpack(&self, words: &[u64], state: &mut State) {
            self.packing.unpack(words, state);
        }

        fn reasons(&self) -> &[&'static str] {
            &self.reasons
        }
    };
}
use packed;

/// The names of the reasons of pruning, in the order of [`DetectorName::ALL`].
fn reasons() -> Vec<&'static str> {
    DetectorName::ALL.iter().map(|name| name.name()).collect()
}

/// Pushes a box by one square; returns its new square.
fn push_once(board: &Board, boxes: &mut Bits, from: Square, direction: Direction) -> Square {
    let to = board.neighbour(from, direction);
    boxes.shift(from, to);
    to
}
