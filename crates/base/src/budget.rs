//! How much a search may spend, and how it is told to stop.

use crate::clock::Instant;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Upper limits on what a search may spend; `None` means no limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Wall-clock time.
    pub time: Option<Duration>,
    /// Bytes held by the search's own tables, nodes and queues.
    pub memory: Option<usize>,
    /// Nodes generated.
    pub nodes: Option<u64>,
}

/// Which limit ended a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The time limit.
    Time,
    /// The memory limit.
    Memory,
    /// The node limit.
    Nodes,
    /// The depth limit of a depth-limited search: deeper solutions may exist.
    Depth,
    /// The disk limit of a search that keeps positions on disk.
    Disk,
}

impl Stop {
    /// The word for the limit.
    pub fn name(self) -> &'static str {
        match self {
            Self::Time => "time",
            Self::Memory => "memory",
            Self::Nodes => "nodes",
            Self::Depth => "depth",
            Self::Disk => "disk",
        }
    }
}

/// A flag that ends a running search from another thread.
#[derive(Clone, Debug, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// A flag that is not raised.
    pub fn new() -> Self {
        Self::default()
    }

    /// Raises the flag. A search that watches it ends within milliseconds.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether the flag is raised.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Limits, the moment they count from, and the flag that ends the search early.
#[derive(Clone, Debug)]
pub struct Budget {
    limits: Limits,
    started: Instant,
    cancel: Cancel,
}

impl Budget {
    /// A budget that starts now.
    pub fn new(limits: Limits, cancel: Cancel) -> Self {
        Self { limits, started: Instant::now(), cancel }
    }

    /// The same start and flag under other limits.
    pub fn with_limits(&self, limits: Limits) -> Self {
        Self { limits, ..self.clone() }
    }

    /// No limits, no way to cancel.
    pub fn unlimited() -> Self {
        Self::new(Limits::default(), Cancel::new())
    }

    /// The limits.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// The cancel flag.
    pub fn cancel(&self) -> &Cancel {
        &self.cancel
    }

    /// Time since the budget was made.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Whether time is up. Reads the clock: call it every few hundred nodes.
    pub fn out_of_time(&self) -> bool {
        self.limits.time.is_some_and(|limit| self.started.elapsed() >= limit)
    }

    /// Whether `bytes` is past the memory limit.
    pub fn out_of_memory(&self, bytes: usize) -> bool {
        self.limits.memory.is_some_and(|limit| bytes > limit)
    }

    /// Whether `nodes` is past the node limit.
    pub fn out_of_nodes(&self, nodes: u64) -> bool {
        self.limits.nodes.is_some_and(|limit| nodes >= limit)
    }
}
