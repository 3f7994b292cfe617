//! What is known of a search while it runs and after it ended.

use super::make::Made;
use lurd::{Ending, Record};
use lurd_base::clock::Instant;
use lurd_rate::Rating;
use lurd_search::Statistics;
use serde::Serialize;
use std::collections::BTreeMap;
use utoipa::ToSchema;

/// Points of a chart; when there are more, every second one is dropped.
const POINTS: usize = 240;

/// Where a job stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Status {
    Waiting,
    Running,
    Done,
}

/// The most promising position so far.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Best {
    /// The board as text (Sokoban: XSB; tiles: numbers).
    pub(crate) board: String,
    /// What it took to get there, where the search knows.
    pub(crate) g: Option<u32>,
    /// What is to go, at least.
    pub(crate) h: u32,
    /// Boxes or tiles in place.
    pub(crate) in_place: usize,
}

/// One of several searches that race.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Strategy {
    pub(crate) name: &'static str,
    /// `later`, `waiting`, `working`, `spent`, `dropped` or `answered`.
    pub(crate) state: &'static str,
    pub(crate) expanded: u64,
    pub(crate) generated: u64,
    pub(crate) bytes: usize,
    /// Whether its best position was reached by pulls from the solved board, and is near the start.
    pub(crate) backwards: bool,
    /// The best position by its own measure.
    pub(crate) best: Option<Best>,
}

/// The figures of a running search.
#[derive(Clone, Debug, Default, Serialize, ToSchema)]
pub(crate) struct Live {
    pub(crate) seconds: f64,
    pub(crate) expanded: u64,
    pub(crate) generated: u64,
    pub(crate) frontier: u64,
    pub(crate) bytes: usize,
    pub(crate) lower_bound: Option<u32>,
    pub(crate) pruned: BTreeMap<&'static str, u64>,
    pub(crate) best: Option<Best>,
    /// How often each cell was visited, 0 for never, 1 to 255 on a logarithmic scale of three powers
    /// of ten; row by row.
    pub(crate) heat: Option<Vec<u8>>,
    /// The searches that race; none where one search runs.
    pub(crate) strategies: Vec<Strategy>,
}

impl Live {
    /// What the counts of a search and its lower bound say.
    pub(super) fn of(statistics: &Statistics, lower_bound: Option<u32>) -> Self {
        Self {
            seconds: statistics.seconds,
            expanded: statistics.expanded,
            generated: statistics.generated,
            frontier: statistics.frontier,
            bytes: statistics.peak_bytes,
            lower_bound,
            pruned: statistics.pruned.clone(),
            ..Self::default()
        }
    }
}

/// What came of a job.
#[derive(Clone, Debug, Default, Serialize, ToSchema)]
pub struct JobResult {
    /// The record of its search.
    #[serde(flatten)]
    pub record: Record,
    /// What was measured about the level, where that was asked for.
    pub(crate) rating: Option<Box<Rating>>,
    /// The level that was made.
    pub(crate) made: Option<Box<Made>>,
}

impl From<Record> for JobResult {
    fn from(record: Record) -> Self {
        Self { record, ..Self::default() }
    }
}

/// A point of the charts: seconds, expanded, generated, frontier, bytes, lower bound.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Point(f64, u64, u64, u64, usize, Option<u32>);

pub(super) struct State {
    pub(super) status: Status,
    pub(super) phase: Option<String>,
    pub(super) watchers: usize,
    /// When somebody last asked.
    pub(super) asked: Instant,
    pub(super) ended: Option<Instant>,
    pub(super) cancelled_because: Option<String>,
    live: Live,
    history: Vec<Point>,
    /// One of so many updates becomes a point.
    stride: usize,
    updates: usize,
    pub(super) result: Option<JobResult>,
}

/// A job as the API tells it.
#[derive(Serialize, ToSchema)]
#[schema(as = Job)]
pub struct View {
    id: String,
    kind: &'static str,
    status: Status,
    /// What it does before it counts anything.
    phase: Option<String>,
    live: Live,
    /// The points of its charts: seconds, expanded, generated, frontier, bytes, lower bound. Only the first event of a stream has
    /// them, and answers to questions.
    #[schema(value_type = Option<Vec<(f64, u64, u64, u64, usize, Option<u32>)>>)]
    history: Option<Vec<Point>>,
    result: Option<JobResult>,
    cancelled_because: Option<String>,
}

impl View {
    /// Whether nothing will change any more.
    pub fn is_final(&self) -> bool {
        self.status == Status::Done
    }
}

/// A job in a list.
#[derive(Serialize, ToSchema)]
#[schema(as = JobSummary)]
pub struct Summary {
    id: String,
    kind: &'static str,
    status: Status,
    outcome: Option<Ending>,
    watchers: usize,
}

impl State {
    pub(super) fn new() -> Self {
        Self {
            status: Status::Waiting,
            phase: None,
            watchers: 0,
            asked: Instant::now(),
            ended: None,
            cancelled_because: None,
            live: Live::default(),
            history: Vec::new(),
            stride: 1,
            updates: 0,
            result: None,
        }
    }

    pub(super) fn begin(&mut self) {
        self.status = Status::Running;
    }

    pub(super) fn update(&mut self, live: Live) {
        self.phase = None;
        if self.updates.is_multiple_of(self.stride) {
            let Live { seconds, expanded, generated, frontier, bytes, lower_bound, .. } = live;
            self.history.push(Point(seconds, expanded, generated, frontier, bytes, lower_bound));
            if self.history.len() > POINTS {
                let mut index = 0;
                self.history.retain(|_| {
                    index += 1;
                    index % 2 == 1
                });
                self.stride *= 2;
            }
        }
        self.updates += 1;
        self.live = live;
    }

    pub(super) fn finish(&mut self, result: JobResult) {
        self.status = Status::Done;
        self.phase = None;
        self.ended = Some(Instant::now());
        self.result = Some(result);
    }

    pub(super) fn view(&self, id: &str, kind: &'static str, with_history: bool) -> View {
        View {
            id: id.to_owned(),
            kind,
            status: self.status,
            phase: self.phase.clone(),
            live: self.live.clone(),
            history: with_history.then(|| self.history.clone()),
            result: self.result.clone(),
            cancelled_because: self.cancelled_because.clone(),
        }
    }

    pub(super) fn summary(&self, id: &str, kind: &'static str) -> Summary {
        Summary {
            id: id.to_owned(),
            kind,
            status: self.status,
            outcome: self.result.as_ref().map(|result| result.record.outcome),
            watchers: self.watchers,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_history_is_thinned_and_stays_in_order() {
        let mut state = State::new();
        for index in 0..10_000u32 {
            state.update(Live { seconds: f64::from(index), ..Live::default() });
        }
        assert!(state.history.len() <= POINTS + 1 && state.history.len() > POINTS / 4);
        assert!(state.history.windows(2).all(|pair| pair[0].0 < pair[1].0));
        assert!(state.history[0].0 == 0.0 && state.history[state.history.len() - 1].0 > 9_000.0);
    }
}
