//! Solving a board of tiles.

use super::state::{Best, JobResult, Live};
use super::{Job, Work};
use lurd::{Ending, Record};
use lurd_base::sync::lock;
use lurd_base::{Budget, Limits};
use lurd_search::{Cost, Observer, Statistics, TieBreak};
use lurd_tiles::{
    Board, BuildProgress, Estimator, HeuristicKind, Method, PatternDatabase, PatternError, Problem, Report, TileSpace,
    solve,
};
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex};

/// The tables made last: they serve every goal with the blank in the same kind of place.
static TABLES: Mutex<Option<Arc<PatternDatabase>>> = Mutex::new(None);

/// A problem to be solved.
pub(super) struct TilesJob {
    pub(super) problem: Problem,
    pub(super) method: Method,
    pub(super) heuristic: HeuristicKind,
    pub(super) limits: Limits,
}

impl Work for TilesJob {
    fn kind(&self) -> &'static str {
        "tiles"
    }

    fn run(&mut self, job: &Job) -> JobResult {
        let mut estimator = match self.estimator(job) {
            Ok(Some(estimator)) => estimator,
            Ok(None) => return Record::cancelled().into(),
            Err(sentence) => return Record::failed(sentence).into(),
        };
        let budget = Budget::new(self.limits, job.cancelled().clone());
        let mut watcher = Watcher { job, goal: *self.problem.goal(), best: None };
        let report = solve(&self.problem, self.method, TieBreak::default(), &mut estimator, &budget, &mut watcher);
        job.update(Live {
            seconds: report.seconds,
            expanded: report.expanded,
            generated: report.generated,
            frontier: report.peak_frontier,
            bytes: report.peak_bytes,
            lower_bound: report.lower_bound,
            pruned: report.pruned.clone(),
            best: watcher.best(),
            ..Live::default()
        });
        result(report).into()
    }
}

impl TilesJob {
    /// The estimate; `None` if somebody cancelled while its tables were made.
    fn estimator(&self, job: &Job) -> Result<Option<Estimator>, String> {
        if self.heuristic != HeuristicKind::PatternDatabase || !self.method.asks_estimate() {
            let kind = if self.method.asks_estimate() { self.heuristic } else { HeuristicKind::Zero };
            return Estimator::new(&self.problem, kind).map(Some).map_err(|error| error.to_string());
        }
        let mut tables = lock(&TABLES);
        if let Some(known) = tables.as_ref()
            && let Ok(estimator) = Estimator::with_patterns(&self.problem, known.clone())
        {
            return Ok(Some(estimator));
        }
        let mut told = 0;
        let built = PatternDatabase::build(self.problem.goal(), &mut |BuildProgress { done, total }| {
            let percent = done * 100 / total.max(1);
            if percent > told {
                told = percent;
                job.phase(format!("making the pattern tables, {percent} %"));
            }
            if job.cancelled().is_cancelled() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        match built {
            Ok(built) => {
                let built = Arc::new(built);
                *tables = Some(built.clone());
                Estimator::with_patterns(&self.problem, built).map(Some).map_err(|error| error.to_string())
            }
            Err(PatternError::Interrupted) => Ok(None),
            Err(error) => Err(error.to_string()),
        }
    }
}

struct Watcher<'j> {
    job: &'j Job,
    goal: Board,
    best: Option<(Board, Cost, Cost)>,
}

impl Watcher<'_> {
    fn best(&self) -> Option<Best> {
        self.best.as_ref().map(|(board, g, h)| Best {
            board: board.to_string(),
            g: Some(*g),
            h: *h,
            in_place: board.tiles().iter().zip(self.goal.tiles()).filter(|(a, b)| a == b && **a != 0).count(),
        })
    }
}

impl Observer<TileSpace> for Watcher<'_> {
    fn expanded(&mut self, board: &Board, g: Cost, h: Cost) {
        if self.best.as_ref().is_none_or(|&(_, _, nearest)| h < nearest) {
            self.best = Some((*board, g, h));
        }
    }

    fn tick(&mut self, statistics: &Statistics, lower: Option<Cost>) {
        self.job.update(Live { best: self.best(), ..Live::of(statistics, lower) });
    }
}

fn result(report: Report) -> Record {
    let names: Vec<&str> = report.steps.iter().map(|step| step.direction.name()).collect();
    Record {
        outcome: match report.outcome {
            "solved" => Ending::Solved,
            "unsolvable" => Ending::Unsolvable,
            "cancelled" => Ending::Cancelled,
            _ => Ending::Stopped,
        },
        stopped_by: report.stopped_by.map(str::to_owned),
        proof: report.proof.as_deref().and_then(|proof| proof.parse().ok()).unwrap_or_default(),
        solution: report.is_solved().then(|| names.join(",")),
        moves: report.depth,
        lower_bound: report.lower_bound,
        algorithm: report.algorithm.into(),
        formulation: report.moves.name().into(),
        heuristic: report.heuristic.map_or_else(|| "none".into(), |kind| kind.name().into()),
        expanded: report.expanded,
        generated: report.generated,
        duplicates: report.duplicates,
        reopened: report.reopened,
        peak_frontier: report.peak_frontier,
        peak_bytes: report.peak_bytes,
        pruned: report.pruned.into_iter().map(|(rule, count)| (rule.to_owned(), count)).collect(),
        seconds: report.seconds,
        notes: report.notes,
        ..Record::default()
    }
}
