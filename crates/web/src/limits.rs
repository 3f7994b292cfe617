//! How much the server is willing to do. Whatever is over a limit gets a clear refusal.

use lurd_service::Allowance;
use std::time::Duration;

/// The most of everything.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Searches that run at the same time.
    pub running: usize,
    /// Searches that may wait for their turn.
    pub waiting: usize,
    /// Time of one search.
    pub time: Duration,
    /// Memory of one search, in bytes.
    pub memory: usize,
    /// Connections that are open at the same time, those of event streams included.
    pub connections: usize,
    /// Event streams that are open at the same time.
    pub streams: usize,
    /// Time to receive the head of a request, and again to receive its body and answer it, streams apart.
    pub request: Duration,
    /// How long a search goes on when nobody watches or asks.
    pub grace: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            running: std::thread::available_parallelism().map_or(2, |cores| cores.get().max(2)),
            waiting: 64,
            time: Duration::from_secs(3600),
            memory: 1 << 30,
            // Systems give a process 1024 files, sockets included, unless they are told otherwise.
            connections: 768,
            streams: 512,
            request: Duration::from_secs(30),
            grace: Duration::from_secs(30),
        }
    }
}

impl Limits {
    /// Ended searches whose answers are kept.
    pub(crate) const KEPT: usize = 256;
    /// How long an answer is kept.
    pub(crate) const KEPT_FOR: Duration = Duration::from_secs(900);
    /// Bytes of an ordinary request.
    pub(crate) const BODY: usize = 1 << 20;
    /// Bytes of a file of levels.
    pub(crate) const FILE: usize = 8 << 20;
    /// Questions that are thought about at the same time, outside jobs.
    pub(crate) const QUESTIONS: usize = 4;

    /// The part that concerns searches.
    pub(crate) fn allowance(&self) -> Allowance {
        let Self { running, waiting, time, memory, grace, .. } = *self;
        Allowance { running, waiting, time, memory, grace }
    }
}
