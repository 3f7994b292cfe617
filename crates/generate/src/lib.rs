//! New levels: boards of a style, the exact farthest starts on them, and evolution towards a wanted grade.
//!
//! [`Maker`] makes the levels of a [`Wish`]. Every level is solved, its optima are proved as far as limits allow, and the
//! referee has replayed its solution. A level is the same on every machine, whatever the number of threads.
//!
//! ```
//! use lurd_generate::{Aim, Maker, Wish};
//! let wish = Wish { boxes: 1..=2, width: 6..=7, height: 6..=7, aim: Aim::Grade(1..=3), seed: 1, ..Wish::default() };
//! let made = Maker::new(wish)?.make(1, 0, &lurd::Budget::unlimited())?;
//! assert!(made.as_wished && made.rating.pushes.is_proved());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | part | where |
//! |---|---|
//! | exact backward search: all positions from which a board can be solved | `pulls.rs` |
//! | walls by style; how walls and goals are varied | `template.rs`, `design.rs` |
//! | towards the wish; walls without use | `make.rs`, `polish.rs` |
//! | no level twice | [`Seen`] |

mod design;
mod farthest;
mod grid;
mod make;
mod polish;
mod pulls;
mod seen;
mod template;
mod wish;

pub use farthest::{FarBoard, Farthest};
pub use make::{Generated, MakeError, Maker};
pub use pulls::{MOST_BOXES, Measure, PullError};
pub use seen::Seen;
pub use wish::{Aim, Style, Wish, WishError};
