//! A Sokoban level as it was written: its [`Map`], what the file says about it, and what makes it playable.
//!
//! [`validity`] checks that a map is a playable level, [`Region`] is the part of it that matters to play,
//! [`Map::canonical`] its normal form, and [`lurd`] reads the notation of moves. File formats are in the crate `lurd-formats`, so that no engine depends on them.

mod direction;
mod level;
pub mod lurd;
mod map;
mod normal_form;
mod parse;
mod region;
pub mod run_length;
pub mod validity;

pub use direction::Direction;
pub use level::{Level, Place, SavedGame};
pub use map::{Cell, Map};
pub use normal_form::Symmetry;
pub use parse::ParseError;
pub use region::Region;
