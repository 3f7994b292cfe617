//! What crosses a border: the request of a search, the record of its answer, its progress.
//!
//! Command line, service, page, Python, batch runs and plug-in send and receive these types and no others. What may be asked
//! stands in one table, [`OPTIONS`]: name, kind and range of the value, default, whom it concerns, and a sentence. Flags and
//! their help, the page's form, the API's schema and the settings of the plug-in are made from it.

mod amount;
mod options;
mod record;
mod request;
mod schema;
mod text;

pub use amount::{MOST_THREADS, bytes, read_bytes, read_memory, read_seconds, read_threads, read_weight};
pub use lurd_rules::Goal;
pub use options::{Group, Kind, Named, OPTIONS, OptionError, RequestOption, option};
pub use record::{Ending, Progress, Proof, ProofProgress, Record, Solution};
pub use request::{Disk, Heuristic, Request, RuleSet};
pub use text::{csv_line, printable, read_range};
