//! The terminal screens of lurd.

mod board_view;
mod game;
mod level_id;
mod path;
mod playback;
mod progress;
mod session;
mod solver;
mod theme;
mod watch;

pub use game::{Game, Stepped};
pub use level_id::LevelId;
pub use playback::Playback;
pub use progress::{DATA_VARIABLE, Record, Solution, Store, data_folder};
pub use session::{Event, Finished, Found, Hint, Request, Session};
pub use solver::{Answer, Solver};
pub use theme::{Colours, Role, Theme};
