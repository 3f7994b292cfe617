//! The engine of fewest moves in the drive, and as a second goal: among solutions with the fewest pushes, one with the
//! fewest moves.
//!
//! For the second goal the fewest pushes are proved first, as without it. Then the search for the fewest moves exhausts
//! everything that so many pushes allow, in order of pushes: on a path with the fewest pushes every zone state is reached
//! with the fewest pushes to it, so each is expanded once, with all its player arrivals. The solution of the proof,
//! shortened in moves, is the upper bound.

use super::{Drive, Engine, Live, Round, TurnEnd};
use crate::incumbent::{IMPROVER_MEMORY, Incumbent};
use crate::report::{EngineNames, Outcome, Report, judged};
use crate::watch::Watch;
use crate::{Goal, Proof, ProofProgress, SolveError, Task};
use lurd_base::{Budget, Halt, Limits, Stop};
use lurd_improve::Metric;
use lurd_prove_moves::{Ended, Prover, Settings, prover};
use lurd_rules::Push;
use lurd_rules::dense::board::DenseBoard;
use lurd_rules::push::written;
use lurd_search::Statistics;
use std::sync::Arc;

pub(super) const NAMES: EngineNames = EngineNames {
    algorithm: "a-star-by-zones",
    formulation: "walk",
    heuristic: "matching+potentials+cost-partitioning+flow-lp+pair-interactions+lone-box",
    deadlocks: &["dead-square", "freeze", "bipartite", "dead-set", "corral"],
};

/// The work on the incumbent stays in proportion to that of the search, which ends in the last round.
const ROUNDS: [Round; 3] = [
    Round { improving: 100_000, expansions: 300_000 },
    Round { improving: 1_000_000, expansions: 2_000_000 },
    Round { improving: 10_000_000, expansions: u64::MAX },
];

/// The part of what is left that a race may use.
const RACE_PART: u32 = 4;

/// Positions generated to shorten the solution before the search for the second goal, and the part of the time left.
const SHORTEN: u64 = 200_000;
const SHORTEN_PART: u32 = 8;

/// Proves the fewest moves, as far as the limits allow. `None` if the level is too large for this engine.
pub(super) fn run(task: Task<'_>, watcher: &mut dyn Watch) -> Result<Option<Report>, SolveError> {
    let Task { board, config, budget, .. } = task;
    if board.start_boxes() == board.goals() {
        return Ok(Some(NAMES.report(Outcome::Solved, Statistics::default(), Vec::new())));
    }
    let both = config.then == Some(Goal::Pushes);
    let incumbent = &Incumbent::new(task, Metric::Moves, &|_, _| ());
    let over = || budget.halt().is_some();
    let mut drive = Drive::new(task, incumbent, &over, watcher);
    let settings = Settings { then_pushes: both, threads: config.threads.max(1), ..Settings::default() };
    let mut engine = match MoveProof::new(task, settings) {
        Ok(engine) => engine,
        // A* needs no tables.
        Err(Obstacle::TooLarge | Obstacle::Halted(Halt::Limit(Stop::Memory))) => return Ok(None),
        Err(Obstacle::Halted(halt)) => return Ok(Some(drive.report_unprepared(halt, None))),
    };
    let improves = !drive.is_helped();
    let ending = drive.begin(&mut engine).unwrap_or_else(|| drive.alternate(&mut engine, improves));
    let mut report = drive.report_on(ending, &engine);
    // One search orders by both goals.
    let is_complete = both && report.proof == Proof::OptimalMoves && ending.halted.is_none();
    if is_complete {
        report.notes.push("no solution with as few moves has fewer pushes".into());
    }
    report.then_proof = ProofProgress::finished_if(is_complete);
    Ok(Some(report))
}

/// Searches for fewer moves among solutions with the fewest pushes, if these are proved, with what is left of the budget.
pub(super) fn refine(task: Task<'_>, watcher: &mut dyn Watch, mut report: Report) -> Report {
    const NOT_SEARCHED: &str = "the fewest moves among solutions with the fewest pushes were not searched for";
    let (Some(given), true) = (report.solution.clone(), report.proof == Proof::OptimalPushes) else {
        if report.solution.is_some() {
            report.notes.push(format!("{NOT_SEARCHED}: the fewest pushes are not proved"));
        }
        return report;
    };
    if given.pushes == 0 {
        return report;
    }
    let most_pushes = Some(given.pushes as u32);
    let settings = Settings { most_pushes, threads: task.config.threads.max(1), ..Settings::default() };
    let mut engine = match MoveProof::new(task, settings) {
        Ok(engine) => engine,
        Err(obstacle) => {
            report.stopped_by = obstacle.limit();
            report.notes.push(format!("{NOT_SEARCHED}: {obstacle}"));
            return report;
        }
    };
    let incumbent = Incumbent::new(task, Metric::Pushes, &|_, _| ());
    incumbent.take(given.clone(), |_| String::new());
    incumbent.count(&report.statistics, 0);
    let left = task.budget.left();
    let shorten = Limits {
        time: left.time.map(|time| time / SHORTEN_PART),
        memory: left.memory.map(|memory| memory / IMPROVER_MEMORY),
        nodes: Some(SHORTEN),
    };
    incumbent.improve(shorten, 1, 0, None);
    let mut live = Live::new(task, &incumbent, watcher);
    let end = engine.prove(u64::MAX, &mut live);
    let all = live.together(engine.statistics());
    let duplicates = report.statistics.duplicates + all.duplicates;
    let Statistics { expanded, generated, peak_bytes, seconds, .. } = all;
    report.statistics = Statistics { expanded, generated, duplicates, peak_bytes, seconds, ..report.statistics };
    let mut is_proved = matches!(end, TurnEnd::Optimal);
    if let Some(pushes) = engine.answer() {
        match judged(task.level, written(task.board, &pushes)) {
            Ok(better) if better.pushes == given.pushes => incumbent.take(better, |_| String::new()),
            Ok(_) => is_proved = false,
            Err(sentence) => {
                report.notes.push(sentence);
                is_proved = false;
            }
        }
    }
    let best = incumbent.solution().unwrap_or(given);
    report.then_proof = ProofProgress::finished_if(is_proved);
    report.notes.push(match end {
        _ if is_proved => {
            format!("{} moves: no solution with as few pushes has fewer, which is proved", best.moves)
        }
        TurnEnd::Halted(halt) => {
            report.stopped_by = halt.limit();
            format!("{} moves, not proved to be the fewest among the fewest pushes when {halt}", best.moves)
        }
        _ => format!("{} moves, not proved to be the fewest among the fewest pushes", best.moves),
    });
    report.solution = Some(best);
    report
}

/// Why the search cannot begin.
#[derive(Debug, thiserror::Error)]
enum Obstacle {
    #[error("the level is too large")]
    TooLarge,
    #[error(transparent)]
    Halted(#[from] Halt),
}

impl Obstacle {
    fn limit(&self) -> Option<Stop> {
        match self {
            Self::TooLarge => None,
            Self::Halted(halt) => halt.limit(),
        }
    }
}

struct MoveProof<'a> {
    prover: Box<dyn Prover>,
    budget: &'a Budget,
    /// The fewest pushes, where the moves are the second goal.
    most_pushes: Option<u32>,
    races: u32,
}

impl<'a> MoveProof<'a> {
    fn new(task: Task<'a>, settings: Settings) -> Result<Self, Obstacle> {
        let Task { board, budget, .. } = task;
        let dense = Arc::new(DenseBoard::new(board, budget)?.ok_or(Obstacle::TooLarge)?);
        if budget.out_of_memory(8 * dense.bytes()) {
            return Err(Halt::Limit(Stop::Memory).into());
        }
        let most_pushes = settings.most_pushes;
        let prover = prover(board, &dense, settings, budget).ok_or(Obstacle::TooLarge)?;
        Ok(Self { prover, budget, most_pushes, races: 0 })
    }
}

impl Engine for MoveProof<'_> {
    const IMPROVER_PART: u32 = 8;

    fn round(&self, number: u32) -> Round {
        let [first, second, last] = ROUNDS;
        match number {
            0 => first,
            1 => second,
            _ => last,
        }
    }

    fn race(&mut self, left: Limits) -> Option<Limits> {
        self.races += 1;
        (self.races as usize <= ROUNDS.len()).then(|| Limits {
            time: left.time.map(|time| time / RACE_PART),
            memory: left.memory.map(|all| (all / RACE_PART as usize).min(all.saturating_sub(self.bytes()))),
            nodes: left.nodes.map(|nodes| nodes / u64::from(RACE_PART)),
        })
    }

    fn prove(&mut self, expansions: u64, live: &mut Live<'_>) -> TurnEnd {
        let incumbent = live.incumbent;
        let aim = |prover: &dyn Prover| {
            if let Some(known) = incumbent.solution() {
                prover.improve_on(known.moves as u32, known.pushes as u32);
            }
        };
        aim(&*self.prover);
        let most_pushes = self.most_pushes;
        let ended = self.prover.run(expansions, self.budget, &mut |prover| {
            live.tick(|| lower(prover, most_pushes), || (statistics(prover), None));
            aim(prover);
        });
        match ended {
            Ended::Open => TurnEnd::Open,
            Ended::Done if incumbent.is_known() || self.answer().is_some() => TurnEnd::Optimal,
            Ended::Done => TurnEnd::Unsolvable,
            Ended::TooLong => TurnEnd::TooLong,
            Ended::Halted(halt) => TurnEnd::Halted(halt),
        }
    }

    fn answer(&self) -> Option<Vec<Push>> {
        self.prover.answer()
    }

    fn lower(&self) -> u32 {
        lower(&*self.prover, self.most_pushes)
    }

    fn statistics(&self) -> Statistics {
        statistics(&*self.prover)
    }

    fn bytes(&self) -> usize {
        self.prover.bytes()
    }

    fn notes(&self, _: Option<u32>, _: bool) -> Vec<String> {
        let (states, arrivals) = self.prover.counts();
        vec![format!("{states} states of boxes and player zone, {arrivals} player squares in them")]
    }
}

/// The lower bound of the goal: where moves are the second, the first is proved.
fn lower(prover: &dyn Prover, most_pushes: Option<u32>) -> u32 {
    most_pushes.unwrap_or_else(|| prover.lower_bound())
}

fn statistics(prover: &dyn Prover) -> Statistics {
    let figures = prover.figures();
    Statistics {
        expanded: figures.expanded,
        generated: figures.generated,
        duplicates: figures.duplicates,
        peak_bytes: prover.bytes(),
        ..Statistics::default()
    }
}
