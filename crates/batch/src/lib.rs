//! Batch runs: many levels, one search each, in processes of their own, on this machine or on many.
//!
//! A [`Job`] is a level with the options of its search. A [`Queue`] takes jobs and hands back [`JobReport`]s:
//! [`LocalQueue`] has threads of this process, [`nats::NatsQueue`] workers anywhere. Whoever takes a job runs it by
//! [`execute`], in a child process that may crash, eat memory or never end without harm to the others. [`work`] leads a
//! run: it asks the library what is due, and stores every report at once, so that a run can be killed at any moment.
//!
//! [`Summary`] and [`Comparison`] are what came of one run and of two; [`Document`] shows them as text, Markdown and HTML.

mod chart;
mod compare;
mod csv;
mod document;
mod execute;
mod html;
mod job;
mod local;
mod lock;
mod markdown;
pub mod nats;
mod queue;
mod sign_test;
mod summary;

mod work;

pub use chart::{Chart, Series};
pub use compare::{Comparison, Pair};
pub use csv::{comparison_csv, summary_csv};
pub use document::{Board, Document, Section, Table};
pub use execute::{Launcher, execute};
pub use html::html;
pub use job::{Fault, FaultError, Job, JobReport, RunOptions, Unresumable, VERSION};
pub use local::LocalQueue;
pub use lock::{LockError, RunLock, is_led};
pub use markdown::markdown;
pub use queue::{Delivery, Queue, QueueError};
pub use sign_test::sign_test;
pub use summary::{CollectionSummary, EntryResult, Summary};

pub use work::{BatchError, RunEnd, RunProgress, free_name, new_token, work};
