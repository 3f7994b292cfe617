//! How much a host is willing to do for its searches, and what one question may take.

use crate::Refusal;
use std::time::Duration;

/// The most of everything that concerns searches.
#[derive(Clone, Copy, Debug)]
pub struct Allowance {
    /// Searches that run at the same time.
    pub running: usize,
    /// Searches that may wait for their turn.
    pub waiting: usize,
    /// Time of one search.
    pub time: Duration,
    /// Memory of one search, in bytes.
    pub memory: usize,
    /// How long a search goes on when nobody watches or asks.
    pub grace: Duration,
}

/// Squares of all levels in one answer.
pub(crate) const SQUARES_TOLD: usize = 2 << 20;
/// Expansions of an inspected search.
const INSPECTED: usize = 2000;
/// How many expansions to record, of those asked for.
pub(crate) fn inspected(asked: Option<usize>) -> Result<usize, Refusal> {
    let most = asked.unwrap_or(500);
    if most == 0 || most > INSPECTED {
        return Err(Refusal::unprocessable(format!("nodes must lie between 1 and {INSPECTED}")));
    }
    Ok(most)
}

/// What one question outside jobs may take.
pub(crate) const QUESTION: lurd_base::Limits =
    lurd_base::Limits { time: Some(Duration::from_secs(5)), memory: Some(256 << 20), nodes: None };
