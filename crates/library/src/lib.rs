//! A library of levels in one SQLite file that several processes may use at once.
//!
//! A level is known by its normal form under the eight symmetries ([`Form`]), so one level in many collections, mirrored or
//! turned, is one row with one set of solutions. Solutions are stored for the normal form and carried into the orientation
//! of each entry. Every solution is replayed by the referee before it is stored; [`Library::verify`] replays all of them
//! again.
//!
//! | I want to | use |
//! |---|---|
//! | put a file of levels in | [`Library::add`] |
//! | store what a search found, now or in the background | [`Library::record`], [`Recorder`] |
//! | read the best solutions and what is proved about them | [`Library::knowledge`] |
//! | browse and search | [`Library::collections`], [`Library::find`] |
//! | keep batch runs | [`Library::create_run`], [`Library::pending`], [`Library::finish_job`], [`Library::run_entries`] |
//!
//! A write is one transaction under write-ahead logging: a process that is killed loses nothing that was reported and
//! leaves nothing half done.
//!
//! ```
//! use lurd_library::{Finding, Library, Origin};
//! let mut library = Library::in_memory()?;
//! let drawn = lurd::Level::parse("######\n#@$ .#\n######")?;
//! let mirrored = lurd::Level::parse("######\n#. $@#\n######")?;
//! library.record(&drawn.map, &Finding::solution("RR"), &Origin::new("somebody", "by hand"))?;
//! let known = library.knowledge(&mirrored.map)?.ok_or("it is the same level")?;
//! assert_eq!(known.best(lurd::improve::Metric::Pushes).map(|best| best.lurd.as_str()), Some("LL"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod collections;
mod date;
mod error;
mod find;
mod form;
mod knowledge;
mod location;
mod picture;
mod record;
mod recorder;
mod runs;
mod schema;
mod stats;
mod store;
mod verify;

pub use collections::{Added, CollectionRow, EntryRow};
pub use date::date;
pub use error::LibraryError;
pub use find::{Hit, Page, Query, Sorting, Standing};
pub use form::{Form, KeyError, LevelKey};
pub use knowledge::{Bound, Knowledge, KnownSolution, Origin, Proved};
pub use location::{DATA_VARIABLE, data_folder, default_path};
pub use picture::{Palette, coloured_svg, escape, svg};
pub use record::{Finding, Recorded};
pub use recorder::Recorder;
pub use runs::{JobEnd, NewRun, PendingJob, ResultRow, RunEntry, RunRow};
pub use stats::Stats;
pub use store::Library;
pub use verify::{Damage, Verification};
