//! Jobs on NATS JetStream, for workers on other machines.
//!
//! Two streams of work-queue retention: jobs under `lurd.job.RUN.KEY`, reports under `lurd.report.RUN.KEY`. A subject
//! holds at most one message and refuses a second, so a job that is put in twice is there once, and of two reports of one
//! job the first counts. A worker writes its report first and acknowledges the job then: whatever is killed when, a job is
//! in the stream of jobs, or its report is in the stream of reports, or its result is in the library.
//!
//! NATS has no dead letters. A job that was handed out [`TRIES`] times without an answer is not run any more: whoever gets
//! it next reports that it failed. Jobs that workers gave back on purpose do not count.

mod access;
mod queue;
mod streams;
mod worker;

pub use access::Access;
pub use queue::NatsQueue;
pub use worker::{Served, Worker, serve};

/// How often a job is handed out before it counts as failed.
pub const TRIES: i64 = 5;

/// Why the server cannot be used. No sentence holds a user name, a password or a token.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NatsError {
    /// The address is no address.
    #[error("{0} is no address of a NATS server; write for instance nats://host:4222 or tls://host:4222")]
    Address(String),
    /// A file with credentials or certificates cannot be read.
    #[error("{path}: the file cannot be used: {reason}")]
    File {
        /// The file.
        path: String,
        /// What is wrong with it.
        reason: String,
    },
    /// Nobody answers.
    #[error("{address}: the NATS server cannot be reached: {reason}")]
    Unreachable {
        /// The server, without credentials.
        address: String,
        /// What the system says.
        reason: String,
    },
    /// The server refuses the credentials.
    #[error("{0}: the NATS server refuses these credentials")]
    Refused(String),
    /// The encrypted connection cannot be made.
    #[error("{address}: there is no encrypted connection to the NATS server: {reason}")]
    Tls {
        /// The server, without credentials.
        address: String,
        /// What is wrong.
        reason: String,
    },
    /// The server has no JetStream.
    #[error("{address}: the NATS server has no JetStream, which keeps the jobs; start it with -js ({reason})")]
    NoJetStream {
        /// The server, without credentials.
        address: String,
        /// What the server says.
        reason: String,
    },
    /// Another version.
    #[error(
        "{address}: the jobs there are those of lurd {theirs} and this is lurd {ours}; results of two versions do not mix: use lurd {theirs}, or wait until its jobs are done"
    )]
    Version {
        /// The server, without credentials.
        address: String,
        /// The version of the jobs.
        theirs: String,
        /// This version.
        ours: String,
    },
    /// This machine gives no threads.
    #[error("no connection can be led: {0}")]
    Machine(String),
}
