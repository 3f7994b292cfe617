//! Sokoban as an environment for reinforcement learning, without any of its frameworks.
//!
//! A [`Batch`] plays many boards at once. Each call of [`Batch::step`] takes one action for each board and writes
//! observations, rewards and the two flags of an episode's end into buffers of the caller. Only the squares that a move
//! changed are written, so the caller hands in the same observations each time and does not write to them.
//!
//! [`Rules`] say what the actions are, what is rewarded and when an episode ends; [`View`] says what an observation looks
//! like. [`Preset`] names the combinations of published environments. A [`LevelSet`] holds the boards, from files or from
//! [`rooms`](Rooms).
//!
//! ```
//! use lurd_env::{Autoreset, Batch, Buffers, LevelSet, Order, Preset};
//! use lurd_level::Level;
//!
//! let level = Level::parse("#####\n#@$.#\n#####")?;
//! let set = LevelSet::new([&level.map], Some((3, 5)))?;
//! let preset = Preset::Jumanji;
//! let mut batch = Batch::new(set, preset.rules(), preset.view(), 1, Order::Random, Autoreset::NextStep, 1)?;
//! let (mut observations, mut rewards) = (vec![0; batch.observation_len()], [0.0_f64]);
//! let (mut terminated, mut truncated) = ([false], [false]);
//! let mut buffers = Buffers {
//!     observations: &mut observations,
//!     rewards: &mut rewards,
//!     terminated: &mut terminated,
//!     truncated: &mut truncated,
//!     last_observations: None,
//! };
//! batch.reset(Some(1), None, &mut buffers)?;
//! batch.step(&[1], &mut buffers)?; // Jumanji's action 1 is right.
//! assert!(terminated[0] && (rewards[0] - 10.9).abs() < 1e-9);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod batch;
mod episode;
mod level_set;
mod preset;
mod rooms;
mod rules;
mod sprites;
mod tile;
mod view;

pub use batch::{Autoreset, Batch, BatchError, Buffers, Reward};
pub use level_set::{LevelSet, Order, SetError};
pub use preset::Preset;
pub use rooms::{RoomError, Rooms};
pub use rules::{Action, Rewards, Rules};
pub use tile::Tile;
pub use view::{Layout, View};
