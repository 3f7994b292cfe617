//! The rulebook of Sokoban search: everything about the game that several engines share.
//!
//! | part | where |
//! |---|---|
//! | squares, the compiled board, states, the player's walks | [`Board`], [`State`], [`Bits`], [`Walker`] |
//! | push distances of a lone box, the player's side of it | [`distance`], [`sides`] |
//! | minimum-cost matching, bipartite matching | [`assignment`], [`bipartite`] |
//! | deadlock rules by name, for the classic engine and for players | [`deadlock`] |
//! | the board of the dense searches and the provers: bit sets of fixed size, step tables, matching, dead-set databases | [`dense`] |
//! | databases of small groups of boxes: ranks, searches over all states of a group, packing | [`groups`] |
//! | the board of the feature-space searches: articulation points, freeze, corral search, learned dead sets | [`feature`] |
//! | brute force on small generated levels, for tests | `oracle` (feature `oracle`) |
//!
//! The crate is public for the engines of lurd; a program uses the crate `lurd`.
#![allow(missing_docs, reason = "items are public for the engines only; a self-explanatory name needs no comment")]

#[cfg(test)]
mod agreement;
pub mod assignment;
pub mod bipartite;
pub mod bits;
mod board;
pub mod cuts;
pub mod deadlock;
pub mod dense;
pub mod distance;
pub mod feature;
mod flood;
mod goal;
pub mod groups;
mod key_hasher;
#[doc(hidden)]
pub mod oracle;
pub mod push;
pub mod sides;
mod square;
pub mod state;
mod walker;

pub use bits::Bits;
pub use board::{Board, BoardError};
pub use cuts::Figures;
pub use deadlock::{Deadlock, Deadlocks};
pub use goal::Goal;
pub use key_hasher::{ByKey, KeyHasher};
pub use push::Push;
pub use square::{NO_SQUARE, Square};
pub use state::State;
pub use walker::Walker;
