//! How much a search may spend, and how it is told to stop.

use crate::clock::Instant;
use crate::node_pool::NodePool;
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

/// Why work ends before it is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Halt {
    /// Somebody cancelled it.
    Cancelled,
    /// A limit was reached.
    Limit(Stop),
}

impl Halt {
    /// The limit, if one was reached.
    pub fn limit(self) -> Option<Stop> {
        match self {
            Self::Cancelled => None,
            Self::Limit(stop) => Some(stop),
        }
    }
}

impl std::fmt::Display for Halt {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Cancelled => f.write_str("it was cancelled"),
            Self::Limit(stop) => write!(f, "the limit on {} was reached", stop.name()),
        }
    }
}

impl std::error::Error for Halt {}

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

/// Limits, the moment they count from, the flag that ends the search early, and the nodes that are left. Clones are one
/// account: what one takes is gone for all.
#[derive(Clone, Debug)]
pub struct Budget {
    limits: Limits,
    started: Instant,
    cancel: Cancel,
    nodes: Arc<NodePool>,
}

impl Budget {
    /// A budget that starts now.
    pub fn new(limits: Limits, cancel: Cancel) -> Self {
        Self { limits, started: Instant::now(), cancel, nodes: Arc::new(NodePool::new(limits.nodes)) }
    }

    /// The same account under another memory limit.
    pub fn with_memory(&self, memory: Option<usize>) -> Self {
        Self { limits: Limits { memory, ..self.limits }, ..self.clone() }
    }

    /// The same start and flag under other limits, with nodes of its own.
    pub fn with_limits(&self, limits: Limits) -> Self {
        Self { limits, nodes: Arc::new(NodePool::new(limits.nodes)), ..self.clone() }
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

    /// The nodes that may still be generated, for whoever takes them one by one or reserves them.
    pub fn nodes(&self) -> &NodePool {
        &self.nodes
    }

    /// Time since the budget was made.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// The limits less what is spent of time and nodes.
    pub fn left(&self) -> Limits {
        Limits {
            time: self.limits.time.map(|time| time.saturating_sub(self.elapsed())),
            memory: self.limits.memory,
            nodes: self.nodes.left(),
        }
    }

    /// A budget for a piece of the work: it starts now, with these limits or what is left, and the same flag. Its nodes are
    /// taken from this one until it is [settled](Self::settle).
    pub fn reserve(&self, limits: Limits) -> Self {
        let left = self.left();
        let nodes = limits.nodes.or(left.nodes).map(|nodes| self.nodes.reserve(nodes));
        let time = limits.time.into_iter().chain(left.time).min();
        let memory = limits.memory.into_iter().chain(left.memory).min();
        Self::new(Limits { time, memory, nodes }, self.cancel.clone())
    }

    /// Gives back the nodes that were reserved for a piece of the work and not generated.
    pub fn settle(&self, piece: &Self, generated: u64) {
        self.nodes.give_back(piece.limits.nodes.unwrap_or(0).saturating_sub(generated));
    }

    /// Whether the work must end, and why. Reads the clock: call it every few hundred nodes. Memory is for each search to
    /// watch, and so are nodes that it counts itself.
    pub fn halt(&self) -> Option<Halt> {
        if self.cancel.is_cancelled() {
            Some(Halt::Cancelled)
        } else if self.out_of_time() {
            Some(Halt::Limit(Stop::Time))
        } else if self.nodes.is_exhausted() {
            Some(Halt::Limit(Stop::Nodes))
        } else {
            None
        }
    }

    /// An error if the work must end, as [`halt`](Self::halt) says.
    ///
    /// # Errors
    /// Why it must.
    pub fn check(&self) -> Result<(), Halt> {
        self.halt().map_or(Ok(()), Err)
    }

    /// Whether the work must end.
    pub fn is_over(&self) -> bool {
        self.halt().is_some()
    }

    /// The bytes that a search may hold within the memory limit: some are kept free for the rest of the process.
    pub fn allowance(&self) -> usize {
        const HEADROOM: usize = 8 << 20;
        self.limits.memory.map_or(usize::MAX, |limit| limit - HEADROOM.min(limit / 4))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_piece_takes_what_is_left_and_gives_back_what_it_does_not_use() {
        let limits = Limits { nodes: Some(100), memory: Some(10), time: Some(Duration::from_secs(1000)) };
        let whole = Budget::new(limits, Cancel::new());
        let piece = whole.reserve(Limits { nodes: Some(70), memory: Some(20), time: None });
        assert_eq!((piece.limits().nodes, piece.limits().memory, whole.left().nodes), (Some(70), Some(10), Some(30)));
        assert!(piece.limits().time.is_some_and(|time| time <= Duration::from_secs(1000)));
        assert_eq!(whole.reserve(Limits::default()).limits().nodes, Some(30));
        whole.settle(&piece, 20);
        assert_eq!(whole.with_memory(None).left().nodes, Some(50));
        whole.cancel().cancel();
        assert_eq!(piece.halt(), Some(Halt::Cancelled));
    }

    #[test]
    fn a_halt_names_its_limit() {
        let late = Budget::new(Limits { time: Some(Duration::ZERO), ..Limits::default() }, Cancel::new());
        assert_eq!(late.halt(), Some(Halt::Limit(Stop::Time)));
        let few = Budget::new(Limits { nodes: Some(1), ..Limits::default() }, Cancel::new());
        let mut share = few.nodes().share();
        assert!(share.take() && few.halt().is_none() && !share.take());
        assert_eq!(few.halt().map(|halt| halt.to_string()).as_deref(), Some("the limit on nodes was reached"));
    }
}
