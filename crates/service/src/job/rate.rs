//! Rating a level, as a job: the proofs may take a while.

use super::state::{JobResult, Live};
use super::{Job, Work};
use lurd::{Ending, Level, Limits, Progress, Proof, Record};
use lurd_rate::{Effort, RateError, Rating, rate};

/// A level to be rated.
pub(super) struct RateJob {
    pub(super) level: Level,
    pub(super) limits: Limits,
}

impl Work for RateJob {
    fn kind(&self) -> &'static str {
        "rate"
    }

    fn run(&mut self, job: &Job) -> JobResult {
        job.phase("proving the shortest solutions".to_owned());
        let usual = Effort::default();
        let nodes = self.limits.nodes.or(usual.proof.nodes);
        let effort = Effort { proof: Limits { nodes, ..self.limits }, ..usual };
        let mut last = Live::default();
        let mut tell = |progress: &Progress| {
            let Progress { seconds, expanded, generated, bytes, lower_bound, .. } = *progress;
            last = Live { seconds, expanded, generated, bytes, lower_bound, ..Live::default() };
            job.update(last.clone());
        };
        let rated = rate(&self.level, &effort, job.cancelled(), &mut tell);
        let Live { seconds, expanded, generated, bytes, .. } = last;
        let algorithm = "rate".to_owned();
        let counts = Record { algorithm, expanded, generated, peak_bytes: bytes, seconds, ..Record::default() };
        match rated {
            Ok(rating) => JobResult::rated(Record { notes: bounds(&rating), ..counts }, rating),
            Err(RateError::Unsolvable) => Record { outcome: Ending::Unsolvable, ..counts }.into(),
            Err(RateError::Stopped(stop)) => Record { stopped_by: Some(stop.name().into()), ..counts }.into(),
            Err(RateError::NotFound) => counts.into(),
            Err(RateError::Cancelled) => Record { outcome: Ending::Cancelled, ..counts }.into(),
            Err(error) => Record::failed(error.to_string()).into(),
        }
    }
}

/// What is not proved about a rating.
fn bounds(rating: &Rating) -> Vec<String> {
    let told = |length: lurd_rate::Length, what: &str| {
        (!length.is_proved()).then(|| format!("the fewest {what} are not proved: {length}"))
    };
    [told(rating.pushes, "pushes"), told(rating.moves, "moves")].into_iter().flatten().collect()
}

impl JobResult {
    /// The result of a level that was rated.
    pub(super) fn rated(counts: Record, rating: Rating) -> Self {
        let record = Record {
            outcome: Ending::Solved,
            proof: if rating.pushes.is_proved() { Proof::OptimalPushes } else { Proof::None },
            solution: Some(rating.solution.lurd.clone()),
            moves: Some(rating.solution.moves),
            pushes: Some(rating.solution.pushes),
            lower_bound: Some(rating.pushes.lower),
            formulation: "push".to_owned(),
            ..counts
        };
        Self { record, rating: Some(Box::new(rating)), made: None }
    }
}
