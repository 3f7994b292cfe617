//! What a page or a script asks of lurd, as plain functions: a request of serde types in, an answer of serde types out.
//!
//! `lurd-web` puts the functions behind HTTP. `lurd-wasm` has no server: it hands a [`Question`] from a worker of a
//! browser to [`answer`]. Both answer with the same JSON, which [`description`] describes. What cannot be
//! answered is a [`Refusal`]: a sentence and the status that HTTP would give it.
//!
//! A search is a [`Work`] made from a [`Starting`]. The host decides where it runs: it makes a [`Job`], calls
//! [`Job::run`] on a thread or in a worker of its choice, and is told through the job whenever something changes.

mod about;
mod admissibility;
mod allowance;
mod cse;
mod description;
mod hint;
mod host;
mod inspect;
mod job;
mod lessons;
mod levels;
mod look;
mod lost;
mod misfit;
mod question;
mod referee;
mod refusal;
mod request;
mod routes;
mod tiles;
mod tiles_inspect;

pub use about::{About, about};
pub use admissibility::{Measured, Measuring, admissibility};
pub use allowance::Allowance;
pub use cse::{Asking, PositionView, position};
pub use description::{Address, Body, Method, Reply, Shape, Shapes, asked, description, told, told_list};
pub use hint::{Hinting, Hints, hint};
pub use host::Host;
pub use inspect::{Inspecting, TraceView, inspect};
pub use job::{AskedWish, Job, JobHost, JobResult, Series, Starting, Summary, View, Work};
pub use lessons::{
    LessonAnswer, LessonVerdict, LessonView, PictureAsking, PictureView, Tour, check_lesson, lesson, lesson_picture,
    tour,
};
pub use levels::{Checked, CollectionView, Drawing, Reading, Text, Writing, check, offered, read, write};
pub use look::{Looking, Seen, look};
pub use lost::{Loss, LossAsking, lost};
pub use misfit::misfit;
pub use question::{Answer, answer};
pub use referee::{Judgement, Judging, judge};
pub use refusal::{Refusal, RefusalKind};
pub use request::{PlanView, plan};
pub use routes::{Effort, Question, ROUTES, Route, Site, addresses, parsed, route, written};
pub use tiles::{CheckedTiles, Checking, Shuffled, Shuffling, check_tiles, shuffle};
pub use tiles_inspect::{InspectingTiles, TileTrace, inspect_tiles};
