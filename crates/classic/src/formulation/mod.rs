//! What counts as one action and what it costs: one file for each way of seeing the game.
//!
//! | | forwards | backwards |
//! |---|---|---|
//! | pushes | [`PushSpace`] | [`PullSpace`] |
//! | single steps | [`MoveSpace`] | [`UnmoveSpace`] |
//! | a walk and a push | [`WalkSpace`] | |
//!
//! All share [`State`](lurd_rules::State) and its packing, so the two directions of one
//! formulation can meet in a table.

mod moves;
mod pull;
mod push;
mod unmove;
mod walk;

pub use moves::{MoveSpace, Step};
pub use pull::PullSpace;
pub use push::{Push, PushSpace};
pub use unmove::UnmoveSpace;
pub use walk::WalkSpace;

use lurd_level::Direction;
use lurd_rules::deadlock::DetectorName;
use lurd_rules::{Board, Square, State};
use lurd_search::StateSpace;

/// What estimates and the engine need to know of every formulation.
pub trait Formulation: StateSpace<State = State> {
    /// The board.
    fn board(&self) -> &Board;

    /// The box an action moves, as (from, to) in the direction of the search.
    fn shifted(&self, action: Self::Action) -> Option<(Square, Square)>;

    /// The player's path under an action of the game, appended as directions; `true` marks a push.
    /// `player` is where the player stands before it and is moved along.
    fn write(&mut self, boxes: &mut lurd_rules::Bits, player: &mut Square, action: Self::Action, out: &mut String);
}

/// The part of a space that is the same for all: states packed by `self.packing`, cuts named by
/// `self.reasons`.
macro_rules! packed {
    () => {
        fn key_words(&self) -> usize {
            self.packing.words()
        }

        fn pack(&self, state: &State, words: &mut [u64]) {
            self.packing.pack(state, words);
        }

        fn unpack(&self, words: &[u64], state: &mut State) {
            self.packing.unpack(words, state);
        }

        fn reasons(&self) -> &[&'static str] {
            &self.reasons
        }
    };
}
use packed;

/// The names under which cuts are counted, in the order of [`DetectorName::ALL`].
fn reasons() -> Vec<&'static str> {
    DetectorName::ALL.iter().map(|name| name.name()).collect()
}

/// Pushes the box in front of the player one square.
fn push_once(board: &Board, boxes: &mut lurd_rules::Bits, from: Square, direction: Direction) -> Square {
    let to = board.neighbour(from, direction);
    boxes.shift(from, to);
    to
}
