//! Solving for the fewest moves: a first search, an upper bound, and the proof.
//!
//! On most levels the search alone ends at once. Where it does not, the portfolio and the improver supply a solution. The
//! search then prunes whatever cannot improve on it, and a search that is stopped early still has an answer, with a lower
//! bound on the moves.

use crate::complete::Complete;
use crate::report::{EngineNames, Outcome, Progress, Proof, ProofProgress, Report, Solution, judged};
use crate::watch::{Ticks, Watch};
use crate::{Goal, Request, Share, SolveError, race};
use lurd_base::clock::Instant;
use lurd_base::{Budget, Limits};
use lurd_improve::{Metric, shorten_on};
use lurd_level::Level;
use lurd_prove_moves::{Ended, Prover, Settings, prover};
use lurd_rules::Board;
use lurd_rules::dense::board::DenseBoard;
use lurd_rules::push::written;
use lurd_search::Statistics;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::Duration;

pub(crate) const NAMES: EngineNames = EngineNames {
    algorithm: "a-star-by-zones",
    formulation: "walk",
    heuristic: "matching+potentials+cost-partitioning+flow-lp+pair-interactions+lone-box",
    deadlocks: &["dead-square", "freeze", "bipartite", "dead-set", "corral"],
};

/// A turn of the search, and the work on the upper bound before it.
struct Stage {
    /// Nodes for the improver; 0 where no upper bound is wanted yet.
    improving: u64,
    expansions: u64,
}

/// The work on the upper bound stays in proportion to that of the search.
const STAGES: [Stage; 4] = [
    Stage { improving: 0, expansions: 20_000 },
    Stage { improving: 100_000, expansions: 300_000 },
    Stage { improving: 1_000_000, expansions: 2_000_000 },
    Stage { improving: 10_000_000, expansions: u64::MAX },
];

/// Expansions between two looks at what another program has found: about a second.
const HELPED_TURN: u64 = 200_000;

/// The stages of a proof. Where another program seeks solutions for it, that one races; if it finds nothing for a while, or
/// is dead, so does this one. Then there are turns without an end.
fn stages(is_helped: bool) -> Box<dyn Iterator<Item = Stage>> {
    if !is_helped {
        return Box::new(STAGES.into_iter());
    }
    let [first, second, third, _] = STAGES;
    let waiting = Stage { improving: 0, ..second };
    let turns = std::iter::repeat_with(|| Stage { improving: 0, expansions: HELPED_TURN });
    Box::new([first, waiting, third].into_iter().chain(turns))
}

/// Whether the config asks for the fewest moves and leaves everything else to the engine.
pub(crate) fn applies(config: &Request) -> bool {
    config.goal == Goal::Moves && config.classic.are_open()
}

/// Proves the fewest moves, as far as the limits allow. `None` if the level is too large for this engine.
pub(crate) fn run(
    level: &Level,
    board: &Board,
    config: &Request,
    budget: &Budget,
    watcher: &mut dyn Watch,
) -> Result<Option<Report>, SolveError> {
    let Ok(Some(dense)) = DenseBoard::new(board, budget) else { return Ok(None) };
    if board.start_boxes() == board.goals() {
        return Ok(None);
    }
    let dense = Arc::new(dense);
    if budget.out_of_memory(8 * dense.bytes()) {
        return Ok(None);
    }
    let both = config.then == Some(Goal::Pushes);
    let threads = NonZeroUsize::new(config.threads).unwrap_or(NonZeroUsize::MIN);
    let settings = Settings { then_pushes: both, threads: threads.get(), ..Settings::default() };
    let Some(mut prover) = prover(board, &dense, settings, budget) else { return Ok(None) };
    let mut ticker = Ticker::new(watcher, budget);
    let mut upper = UpperBoundWork { budget, threads, spent: Statistics::default() };
    let mut notes = Vec::new();
    let mut best: Option<Solution> = config.known.clone().and_then(|known| judged(level, known).ok());
    if let Some(known) = &best {
        notes.push(format!("a solution with {} moves was known before", known.moves));
        prover.improve_on(known.moves as u32, known.pushes as u32);
    }
    let mut ended = Ended::Open;
    let mut finder = "the portfolio and the improver";
    let is_helped = !config.share.is_whole();
    for stage in stages(is_helped) {
        ticker.take_better(level, &mut best, &mut finder);
        if stage.improving > 0 {
            if best.is_none() {
                best = upper.any_solution(level, board, config, &*prover)?;
            }
            if !is_helped {
                best = best.map(|known| upper.improved(level, known, stage.improving, &*prover));
            }
        }
        if let Some(known) = &best {
            prover.improve_on(known.moves as u32, known.pushes as u32);
        }
        let left = rest(budget, &upper.spent);
        ended = prover.run(stage.expansions, &left, &mut |prover| {
            ticker.tick(prover, &upper.spent, Some(prover.lower_bound()));
        });
        if ended != Ended::Open {
            break;
        }
    }
    if ended != Ended::Done {
        ticker.take_better(level, &mut best, &mut finder);
    }
    if let Some(known) = &best {
        prover.improve_on(known.moves as u32, known.pushes as u32);
        if config.known.is_none() {
            notes.push(format!("{finder} found a solution with {} moves", known.moves));
        }
    }
    let lower = prover.lower_bound();
    let mut refusal = None;
    if let Some(pushes) = prover.answer() {
        match judged(level, written(board, &pushes)) {
            Ok(better) => best = Some(better),
            Err(sentence) => refusal = Some(sentence),
        }
    }
    let (states, arrivals) = prover.counts();
    notes.push(format!("{states} states of boxes and player zone, {arrivals} player squares in them"));
    let proved = ended == Ended::Done && refusal.is_none();
    // A limit may end the search when nothing shorter than the best solution is left.
    let shortest = proved || refusal.is_none() && best.as_ref().is_some_and(|best| best.moves as u32 <= lower);
    let proof = match &best {
        Some(_) if shortest => Proof::OptimalMoves,
        Some(best) if lower > 0 => Proof::between(lower, best.moves),
        _ => Proof::None,
    };
    if proved && both && best.is_some() {
        notes.push("no solution with as few moves has fewer pushes".into());
    }
    if let (false, Some(best), None) = (shortest, &best, &refusal) {
        notes.push(format!(
            "not proved when {}: the fewest moves lie between {lower} and {}",
            reason(ended),
            best.moves
        ));
    }
    let outcome = match (&best, ended) {
        (Some(_), _) => Outcome::Solved,
        (None, Ended::Done) => Outcome::Unsolvable,
        (None, Ended::Cancelled) => Outcome::Cancelled,
        (None, Ended::Stopped(stop)) => Outcome::Stopped(stop),
        (None, Ended::Open | Ended::TooLong) => Outcome::Exhausted,
    };
    let lower_bound = (outcome != Outcome::Unsolvable).then_some(match (&best, shortest) {
        (Some(best), true) => best.moves as u32,
        _ => lower,
    });
    let blank = NAMES.report(outcome, statistics(&*prover, &upper.spent, budget), notes);
    let stopped_by = match ended {
        Ended::Stopped(stop) if both || !shortest => Some(stop),
        _ => None,
    };
    // One search orders by both goals.
    let then_proof = ProofProgress::finished_if(proved && both);
    Ok(Some(Report { proof, lower_bound, then_proof, stopped_by, solution: best, ..blank }.without_claims_if(refusal)))
}

/// The reason, for a note, why a search ended without a proof.
pub(crate) fn reason(ended: Ended) -> String {
    match ended {
        Ended::Cancelled => "it was cancelled".into(),
        Ended::Stopped(stop) => format!("the limit on {} was reached", stop.name()),
        Ended::TooLong => "the search reached the longest solutions that it can store".into(),
        // Only where the referee refused the answer, which a note of its own says.
        Ended::Open | Ended::Done => "it ended".into(),
    }
}

/// The budget less the nodes that were spent before.
pub(crate) fn rest(budget: &Budget, spent: &Statistics) -> Budget {
    let limits = budget.limits();
    let nodes = limits.nodes.map(|nodes| nodes.saturating_sub(spent.generated));
    budget.with_limits(Limits { nodes, ..*limits })
}

/// The work on the upper bound, and its cost. The proof waits meanwhile and keeps its memory.
struct UpperBoundWork<'b> {
    budget: &'b Budget,
    threads: NonZeroUsize,
    /// The bytes are the most held at one time, those of the waiting proof included.
    spent: Statistics,
}

impl UpperBoundWork<'_> {
    /// A share of what is left of the limits.
    fn share(&self, part: u32, prover: &dyn Prover) -> Limits {
        let limits = self.budget.limits();
        let time = limits.time.map(|time| time.saturating_sub(self.budget.elapsed()));
        let nodes = limits
            .nodes
            .map(|nodes| nodes.saturating_sub(self.spent.generated).saturating_sub(prover.figures().generated));
        Limits {
            time: time.map(|time| time / part),
            memory: limits.memory.map(|memory| (memory / 4).min(memory.saturating_sub(prover.bytes()))),
            nodes: nodes.map(|nodes| nodes / u64::from(part)),
        }
    }

    fn account(&mut self, expanded: u64, generated: u64, bytes: usize, prover: &dyn Prover) {
        self.spent.expanded += expanded;
        self.spent.generated += generated;
        self.spent.peak_bytes = self.spent.peak_bytes.max(bytes + prover.bytes());
    }

    /// A solution by the portfolio, if it finds one in its share of the limits.
    fn any_solution(
        &mut self,
        level: &Level,
        board: &Board,
        config: &Request,
        prover: &dyn Prover,
    ) -> Result<Option<Solution>, SolveError> {
        let any = Request { goal: Goal::Any, then: None, share: Share::default(), ..config.clone() };
        let plans = Complete::plans(&any.classic)?;
        let race = Budget::new(self.share(4, prover), self.budget.cancel().clone());
        let silent = &mut |_: &Progress| ();
        let report = race::run(level, board.clone(), plans, &any, &race, &mut Ticks(silent));
        let Statistics { expanded, generated, peak_bytes, .. } = report.statistics;
        self.account(expanded, generated, peak_bytes, prover);
        Ok(report.solution)
    }

    /// The same solution or one with fewer moves, by the improver.
    fn improved(&mut self, level: &Level, known: Solution, nodes: u64, prover: &dyn Prover) -> Solution {
        let mut limits = self.share(8, prover);
        limits.nodes = Some(limits.nodes.unwrap_or(u64::MAX).min(nodes));
        let short = Budget::new(limits, self.budget.cancel().clone());
        match shorten_on(self.threads, &level.map, &known.lurd, Metric::Moves, &short, &mut |_| ()) {
            Ok(better) => {
                self.account(better.expanded, better.generated, better.peak_bytes, prover);
                Solution { lurd: better.lurd, moves: better.moves, pushes: better.pushes }
            }
            Err(_) => known,
        }
    }
}

/// Reports progress a few times a second.
pub(crate) struct Ticker<'w> {
    watcher: &'w mut dyn Watch,
    budget: &'w Budget,
    last: Instant,
}

impl<'w> Ticker<'w> {
    pub(crate) fn new(watcher: &'w mut dyn Watch, budget: &'w Budget) -> Self {
        Self { watcher, budget, last: Instant::now() }
    }

    /// Takes the best solution that other programs have found meanwhile, if it is better than the one that is known.
    fn take_better(&mut self, level: &Level, known: &mut Option<Solution>, finder: &mut &str) {
        let cost = |solution: &Solution| (solution.moves, solution.pushes);
        while let Some(lurd) = self.watcher.told() {
            if let Ok(told) = judged(level, lurd)
                && known.as_ref().is_none_or(|known| cost(&told) < cost(known))
            {
                *known = Some(told);
                *finder = "the search beside the proof";
            }
        }
    }

    pub(crate) fn tick(&mut self, prover: &dyn Prover, before: &Statistics, lower_bound: Option<u32>) {
        const EACH: Duration = Duration::from_millis(200);
        if self.last.elapsed() < EACH {
            return;
        }
        self.last = Instant::now();
        let statistics = statistics(prover, before, self.budget);
        self.watcher.counted(&statistics);
        self.watcher.progress(&crate::report::progress_of(&statistics, lower_bound));
    }
}

/// The statistics of a search and of the work before it.
pub(crate) fn statistics(prover: &dyn Prover, before: &Statistics, budget: &Budget) -> Statistics {
    let figures = prover.figures();
    Statistics {
        expanded: before.expanded + figures.expanded,
        generated: before.generated + figures.generated,
        duplicates: before.duplicates + figures.duplicates,
        peak_bytes: before.peak_bytes.max(prover.bytes()),
        seconds: budget.elapsed().as_secs_f64(),
        ..before.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solve_with as solve;
    use lurd_base::Cancel;
    use lurd_level::Map;

    /// A wide room that is easy to solve, but whose fewest moves no search of a few million positions proves.
    fn wide() -> Level {
        let rows = "############\n#          #\n# $ $ $ $  #\n#          #\n# $ $ $ $  #\n#     @    #\n#.......   #\n#.         #\n############";
        Level::new(Map::from_xsb(rows).unwrap())
    }

    /// Finding and shortening a solution counts against the node limit and in the statistics.
    #[test]
    fn work_on_the_upper_bound_is_counted() {
        let level = wide();
        let board = Board::new(&level.map).unwrap();
        let limits = Limits { nodes: Some(4_000_000), ..Limits::default() };
        let budget = Budget::new(limits, Cancel::new());
        let dense = Arc::new(DenseBoard::new(&board, &budget).unwrap().unwrap());
        let mut prover = prover(&board, &dense, Settings::default(), &budget).unwrap();
        let mut upper = UpperBoundWork { budget: &budget, threads: NonZeroUsize::MIN, spent: Statistics::default() };
        let config = Request { goal: Goal::Moves, limits, ..Request::default() };
        let found =
            upper.any_solution(&level, &board, &config, &*prover).unwrap().expect("the portfolio finds a solution");
        let raced = upper.spent.clone();
        assert!(raced.expanded > 0 && raced.generated > 0 && raced.peak_bytes > prover.bytes());
        upper.improved(&level, found, 10_000, &*prover);
        assert!(upper.spent.expanded > raced.expanded && upper.spent.generated > raced.generated);
        assert_eq!(rest(&budget, &upper.spent).limits().nodes, Some(4_000_000 - upper.spent.generated));
        assert_eq!(prover.run(10, &rest(&budget, &upper.spent), &mut |_| ()), Ended::Open);
        let all = statistics(&*prover, &upper.spent, &budget);
        assert_eq!(all.generated, upper.spent.generated + prover.figures().generated);
        assert_eq!(all.expanded, upper.spent.expanded + prover.figures().expanded);
        assert!(all.peak_bytes >= upper.spent.peak_bytes);
    }

    /// The limit that ended an answer without proof is named.
    #[test]
    fn an_unproved_answer_names_its_limit() {
        let note = |limits: Limits| {
            let config = Request { goal: Goal::Moves, limits, ..Request::default() };
            let report = solve(&wide(), &config, &Cancel::new(), &mut |_| ()).unwrap();
            assert_eq!(report.outcome, Outcome::Solved);
            assert_ne!(report.proof, Proof::OptimalMoves);
            if let Some(nodes) = limits.nodes {
                assert_eq!(report.statistics.generated, nodes, "{:?}", report.statistics);
            }
            report.notes.into_iter().find(|note| note.contains("not proved")).expect("a note about the limit")
        };
        assert!(note(Limits { nodes: Some(500_000), ..Limits::default() }).contains("limit on nodes"));
        assert!(note(Limits { memory: Some(40 << 20), ..Limits::default() }).contains("limit on memory"));
    }
}
