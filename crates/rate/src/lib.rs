//! How hard a level is for people: figures of its best solution and its board, and one grade from 1 to 10 with reasons.
//!
//! [`rate`] proves the fewest pushes and moves as far as its [`Effort`] allows, replays the solution with the fewest pushes,
//! and counts. Every metric is a small function with its definition: those of the solution in [`metrics`], how far it falls
//! into two parts in [`decomposition`], what the player could do instead in [`choice`], and what textbook searches need in
//! [`plain`]. [`Grade`] weighs them; the weights are fitted to the order in which people arranged levels
//! (`examples/fit.rs`).
//!
//! ```
//! use lurd_rate::{Effort, rate};
//! let level = lurd::Level::parse("#######\n#@ $ .#\n#######")?;
//! let rating = rate(&level, &Effort::default(), &lurd::Cancel::new(), &mut |_| ())?;
//! assert_eq!((rating.pushes.best, rating.grade.number), (2, 1));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod choice;
pub mod decomposition;
mod grade;
pub mod metrics;
pub mod plain;
mod rating;
mod replay;
mod weights;

pub use grade::{FEATURES, Grade, features};
pub use rating::{Effort, Length, RateError, Rating, rate, rate_solution};
pub use replay::{Replay, ReplayError, ReplayedPush};
