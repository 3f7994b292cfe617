//! Fewest moves behind the one door: a first search, a solution to undercut, and the proof.
//!
//! Most levels are small, and the search alone ends at once. Where it does not, the champion engine and the improver
//! supply a solution: the search then drops whatever cannot be better, and whoever stops it early still gets an
//! answer, with a number of moves that no solution is below.

use crate::complete::Complete;
use crate::report::{Outcome, Progress, Proof, Report, Solution, judged};
use crate::watch::{Ticks, Watch};
use crate::{Config, Goal, SolveError, race};
use lurd_level::Level;
use lurd_prove_moves::{Ended, Prover, Settings, prover};
use lurd_rules::Board;
use lurd_rules::dense::board::DenseBoard;
use lurd_rules::push::written;
use lurd_search::{Budget, Limits, Statistics};
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// What the engine is called in reports.
pub(crate) const ALGORITHM: &str = "a-star-by-zones";
/// What bounds the rest of the way.
pub(crate) const HEURISTIC: &str = "matching+heights+tolls+flows+pair-excess+lone-box";
/// The rules at work in it.
pub(crate) const DEADLOCKS: [&str; 5] = ["dead-square", "freeze", "bipartite", "dead-set", "corral"];

/// A turn of the search, and the work on a solution to undercut before it.
struct Stage {
    /// Nodes for the improver; none where no solution is asked for yet.
    improving: u64,
    expansions: u64,
}

/// What is spent on a solution stays in proportion to what the search has taken.
const STAGES: [Stage; 4] = [
    Stage { improving: 0, expansions: 20_000 },
    Stage { improving: 100_000, expansions: 300_000 },
    Stage { improving: 1_000_000, expansions: 2_000_000 },
    Stage { improving: 10_000_000, expansions: u64::MAX },
];

/// Whether the config leaves everything to the engine.
pub(crate) fn applies(config: &Config) -> bool {
    config.goal == Goal::Moves && config.classic.are_open()
}

/// Proves the fewest moves, as far as the limits allow. `None` if the level is too large for this engine.
pub(crate) fn run(
    level: &Level,
    board: &Board,
    config: &Config,
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
    let mut ticker = Ticker { watcher, budget, last: Instant::now() };
    let mut aside = Aside { budget, threads, spent: Statistics::default() };
    let mut notes = Vec::new();
    let mut best: Option<Solution> = None;
    let mut ended = Ended::Open;
    for stage in STAGES {
        if stage.improving > 0 {
            best = match best {
                None => aside.any_solution(level, board, config, &*prover)?,
                known => known,
            };
            best = best.map(|known| aside.improved(level, known, stage.improving, &*prover));
            if let Some(known) = &best {
                prover.undercut(known.moves as u32, known.pushes as u32);
            }
        }
        let left = aside.left_to_prove();
        ended = prover.run(stage.expansions, &left, &mut |prover| ticker.tick(prover, &aside.spent));
        if ended != Ended::Open {
            break;
        }
    }
    if let Some(known) = &best {
        notes.push(format!("the champion engine and the improver came down to {} moves", known.moves));
    }
    let lower = prover.lower();
    let mut faulty = false;
    if let Some(pushes) = prover.answer() {
        match judged(level, written(board, &pushes)) {
            Ok(better) => best = Some(better),
            Err(sentence) => {
                notes.push(sentence);
                faulty = true;
            }
        }
    }
    let (spots, stands) = prover.counts();
    notes.push(format!("{spots} places of boxes and zone, {stands} of the player in them"));
    let proved = ended == Ended::Done && !faulty;
    let proof = match &best {
        Some(_) if proved => Proof::OptimalMoves,
        Some(best) if lower > 0 && !faulty => Proof::between(lower, best.moves),
        _ => Proof::None,
    };
    if proved && both && best.is_some() {
        notes.push("no solution with as few moves has fewer pushes".into());
    }
    if let (false, Some(best)) = (proved, &best) {
        notes.push(format!(
            "not proved when {}: the fewest moves lie between {lower} and {}",
            reason(ended),
            best.moves
        ));
    }
    let outcome = match (&best, ended) {
        (Some(_), _) => Outcome::Solved,
        (None, _) if faulty => Outcome::Exhausted,
        (None, Ended::Done) => Outcome::Unsolvable,
        (None, Ended::Cancelled) => Outcome::Cancelled,
        (None, Ended::Stopped(stop)) => Outcome::Stopped(stop),
        (None, Ended::Open) => Outcome::Exhausted,
    };
    Ok(Some(Report {
        outcome,
        proof,
        lower_bound: (outcome != Outcome::Unsolvable && !faulty).then_some(match (&best, proved) {
            (Some(best), true) => best.moves as u32,
            _ => lower,
        }),
        solution: best,
        algorithm: ALGORITHM.into(),
        formulation: "walk".into(),
        heuristic: HEURISTIC.into(),
        deadlocks: DEADLOCKS.to_vec(),
        statistics: statistics(&*prover, &aside.spent, budget),
        notes,
    }))
}

/// What ended a search that had not done, for people.
pub(crate) fn reason(ended: Ended) -> String {
    match ended {
        Ended::Cancelled => "it was cancelled".into(),
        Ended::Stopped(stop) => format!("the limit on {} was reached", stop.name()),
        // Ends so only by a fault, which a note of its own tells.
        Ended::Open | Ended::Done => "it ended".into(),
    }
}

/// What works on a solution beside the proof, and what that has cost. The proof waits meanwhile and keeps what it holds.
struct Aside<'b> {
    budget: &'b Budget,
    threads: NonZeroUsize,
    /// Expansions and positions; the bytes are the most held at one time, those of the waiting proof among them.
    spent: Statistics,
}

impl Aside<'_> {
    /// The limits less what was spent here.
    fn left_to_prove(&self) -> Budget {
        let limits = self.budget.limits();
        let nodes = limits.nodes.map(|nodes| nodes.saturating_sub(self.spent.generated));
        self.budget.with_limits(Limits { nodes, ..*limits })
    }

    /// A share of what is left of the limits, memory among them.
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

    /// Some solution, by the champion engine, if it finds one in its share of the limits.
    fn any_solution(
        &mut self,
        level: &Level,
        board: &Board,
        config: &Config,
        prover: &dyn Prover,
    ) -> Result<Option<Solution>, SolveError> {
        let any = Config { goal: Goal::Any, then: None, ..config.clone() };
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
        match lurd_improve::shorten_on(
            self.threads,
            &level.map,
            &known.lurd,
            lurd_improve::Metric::Moves,
            &short,
            &mut |_| (),
        ) {
            Ok(better) => {
                self.account(better.expanded, better.generated, better.peak_bytes, prover);
                Solution { lurd: better.lurd, moves: better.moves, pushes: better.pushes }
            }
            Err(_) => known,
        }
    }
}

struct Ticker<'w> {
    watcher: &'w mut dyn Watch,
    budget: &'w Budget,
    last: Instant,
}

impl Ticker<'_> {
    fn tick(&mut self, prover: &dyn Prover, aside: &Statistics) {
        const EACH: Duration = Duration::from_millis(200);
        if self.last.elapsed() < EACH {
            return;
        }
        self.last = Instant::now();
        let statistics = statistics(prover, aside, self.budget);
        self.watcher.counted(&statistics);
        self.watcher.progress(&Progress {
            seconds: statistics.seconds,
            expanded: statistics.expanded,
            generated: statistics.generated,
            bytes: statistics.peak_bytes,
            lower_bound: Some(prover.lower()),
        });
    }
}

fn statistics(prover: &dyn Prover, aside: &Statistics, budget: &Budget) -> Statistics {
    let figures = prover.figures();
    Statistics {
        expanded: aside.expanded + figures.expanded,
        generated: aside.generated + figures.generated,
        duplicates: figures.duplicates,
        peak_bytes: aside.peak_bytes.max(prover.bytes()),
        seconds: budget.elapsed().as_secs_f64(),
        ..Statistics::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solve_with as solve;
    use lurd_level::Map;
    use lurd_search::Cancel;

    /// A wide room that is easily solved, and whose fewest moves no search of a few million positions proves.
    fn wide() -> Level {
        let rows = "############\n#          #\n# $ $ $ $  #\n#          #\n# $ $ $ $  #\n#     @    #\n#.......   #\n#.         #\n############";
        Level::new(Map::from_xsb(rows).unwrap())
    }

    /// What finds and shortens a solution counts: against the node limit, and in the statistics.
    #[test]
    fn work_beside_the_proof_is_counted() {
        let level = wide();
        let board = Board::new(&level.map).unwrap();
        let limits = Limits { nodes: Some(4_000_000), ..Limits::default() };
        let budget = Budget::new(limits, Cancel::new());
        let dense = Arc::new(DenseBoard::new(&board, &budget).unwrap().unwrap());
        let mut prover = prover(&board, &dense, Settings::default(), &budget).unwrap();
        let mut aside = Aside { budget: &budget, threads: NonZeroUsize::MIN, spent: Statistics::default() };
        let config = Config { goal: Goal::Moves, limits, ..Config::default() };
        let found = aside.any_solution(&level, &board, &config, &*prover).unwrap().expect("a race finds a solution");
        let raced = aside.spent.clone();
        assert!(raced.expanded > 0 && raced.generated > 0 && raced.peak_bytes > prover.bytes());
        aside.improved(&level, found, 10_000, &*prover);
        assert!(aside.spent.expanded > raced.expanded && aside.spent.generated > raced.generated);
        assert_eq!(aside.left_to_prove().limits().nodes, Some(4_000_000 - aside.spent.generated));
        assert_eq!(prover.run(10, &aside.left_to_prove(), &mut |_| ()), Ended::Open);
        let all = statistics(&*prover, &aside.spent, &budget);
        assert_eq!(all.generated, aside.spent.generated + prover.figures().generated);
        assert_eq!(all.expanded, aside.spent.expanded + prover.figures().expanded);
        assert!(all.peak_bytes >= aside.spent.peak_bytes);
    }

    /// The limit that ended an answer without proof is named.
    #[test]
    fn an_unproved_answer_names_its_limit() {
        let note = |limits: Limits| {
            let config = Config { goal: Goal::Moves, limits, ..Config::default() };
            let report = solve(&wide(), &config, &Cancel::new(), &mut |_| ()).unwrap();
            assert_eq!(report.outcome, Outcome::Solved);
            assert_ne!(report.proof, Proof::OptimalMoves);
            if let Some(nodes) = limits.nodes {
                // A look every few expansions: a little over, never much.
                assert!((nodes..nodes + 10_000).contains(&report.statistics.generated), "{:?}", report.statistics);
            }
            report.notes.into_iter().find(|note| note.contains("not proved")).expect("a note about the limit")
        };
        assert!(note(Limits { nodes: Some(1_500_000), ..Limits::default() }).contains("limit on nodes"));
        assert!(note(Limits { memory: Some(80 << 20), ..Limits::default() }).contains("limit on memory"));
    }
}
