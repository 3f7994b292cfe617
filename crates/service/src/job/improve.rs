//! Making a solution shorter, as a job.

use super::state::{JobResult, Live};
use super::{Job, Work};
use lurd::improve::{Improved, Metric, shorten};
use lurd::{Ending, Level, Map, Proof, Record};
use lurd_base::{Budget, Limits};

/// A solution to be made shorter.
pub(crate) struct ImproveJob {
    pub(crate) level: Level,
    /// A solution the referee has passed.
    pub(crate) lurd: String,
    pub(crate) metric: Metric,
    pub(crate) limits: Limits,
}

impl Work for ImproveJob {
    fn kind(&self) -> &'static str {
        "improve"
    }

    fn map(&self) -> Option<&Map> {
        Some(&self.level.map)
    }

    fn run(&mut self, job: &Job) -> JobResult {
        let budget = Budget::new(self.limits, job.cancelled().clone());
        let mut tell = |better: &lurd::improve::Best| {
            job.phase(format!("down to {} pushes and {} moves", better.pushes, better.moves));
        };
        job.phase("looking for shorter ways".to_owned());
        let ended = shorten(&self.level.map, &self.lurd, self.metric, &budget, &mut tell);
        let seconds = budget.elapsed().as_secs_f64();
        match ended {
            Ok(improved) => {
                let (expanded, generated, bytes) = (improved.expanded, improved.generated, improved.peak_bytes);
                job.update(Live { seconds, expanded, generated, bytes, ..Live::default() });
                result(improved, self.metric, seconds).into()
            }
            Err(error) => Record::failed(error.to_string()).into(),
        }
    }
}

/// What it gives is a solution in any case: at worst the one that was given.
fn result(improved: Improved, metric: Metric, seconds: f64) -> Record {
    let mut notes = Vec::new();
    let (pushes, moves) = (improved.pushes_before, improved.moves_before);
    if (improved.pushes, improved.moves) == (pushes, moves) {
        notes.push("nothing shorter was found".to_owned());
    } else {
        notes.push(format!("before: {pushes} pushes and {moves} moves"));
    }
    if improved.memory_full {
        notes.push("the memory limit was reached, and with more memory it might have found more".to_owned());
    }
    let (proof, formulation) = match metric {
        Metric::Pushes => (Proof::OptimalPushes, "push"),
        Metric::Moves => (Proof::OptimalMoves, "move"),
    };
    Record {
        outcome: Ending::Solved,
        proof: if improved.exhausted { proof } else { Proof::None },
        solution: Some(improved.lurd),
        moves: Some(improved.moves),
        pushes: Some(improved.pushes),
        algorithm: "improve".to_owned(),
        formulation: formulation.to_owned(),
        heuristic: "none".to_owned(),
        expanded: improved.expanded,
        generated: improved.generated,
        peak_bytes: improved.peak_bytes,
        seconds,
        notes,
        ..Record::default()
    }
}
