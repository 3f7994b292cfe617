//! Fewest moves behind the one door: a first search, a solution to undercut, and the proof.
//!
//! Most levels are small, and the search alone ends at once. Where it does not, the champion engine and the improver
//! supply a solution: the search then drops whatever cannot be better, and whoever stops it early still gets an
//! answer, with a number of moves that no solution is below.

use super::champion;
use super::classic;
use super::config::{Config, Goal};
use super::plan::Plan;
use super::report::{Outcome, Progress, Proof, Report, Solution};
use super::watch::{Ticks, Watch};
use super::{ConfigError, complete};
use crate::Level;
use crate::board::Board;
use crate::champion::dense::ground::Ground;
use crate::improve;
use crate::optimal_moves::{Ended, Prover, Settings, prover};
use search::{Budget, Limits, Statistics};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// What the engine is called in reports.
pub(super) const ALGORITHM: &str = "a-star-by-zones";
/// What bounds the rest of the way.
pub(super) const HEURISTIC: &str = "matching+heights+pair-excess+lone-box";
/// The rules at work in it.
pub(super) const DEADLOCKS: [&str; 4] = ["dead-square", "freeze", "bipartite", "dead-set"];

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
pub(super) fn applies(config: &Config) -> bool {
    config.goal == Goal::Moves && champion::applies(&Config { goal: Goal::Any, ..config.clone() })
}

/// Refuses a second goal that the first leaves no room for, or that no search at hand looks for.
pub(super) fn check_then(config: &Config) -> Result<(), ConfigError> {
    let Some(then) = config.then else { return Ok(()) };
    let sentence = match (config.goal, then) {
        (Goal::Moves, Goal::Pushes) if applies(config) => return Ok(()),
        (Goal::Moves, Goal::Pushes) => {
            "--then pushes belongs to the search that --goal moves chooses itself; leave the algorithm and its choices out"
                .to_owned()
        }
        (_, Goal::Any) => "--then any decides nothing; leave it out".to_owned(),
        (Goal::Any, _) => format!("--goal any takes the first answer, so --then {then} has nothing to decide; use --goal moves or pushes"),
        (goal, then) if goal == then => format!("--goal {goal} --then {then} asks for the same twice; leave out --then"),
        (goal, _) => format!("--then {then} after --goal {goal} is not to be had; --goal moves --then pushes is"),
    };
    Err(ConfigError(sentence))
}

/// Proves the fewest moves, as far as the limits allow. `None` if the level is too large for this engine.
pub(super) fn run(
    level: &Level,
    board: &Board,
    config: &Config,
    budget: &Budget,
    watcher: &mut dyn Watch,
) -> Result<Option<Report>, ConfigError> {
    let Ok(Some(ground)) = Ground::new(board, budget) else { return Ok(None) };
    if board.start_boxes() == board.goals() {
        return Ok(None);
    }
    let ground = Arc::new(ground);
    if budget.out_of_memory(8 * ground.bytes()) {
        return Ok(None);
    }
    let both = config.then == Some(Goal::Pushes);
    let settings = Settings { then_pushes: both, ..Settings::default() };
    let Some(mut prover) = prover(&ground, settings, budget) else { return Ok(None) };
    let mut ticker = Ticker { watcher, budget, last: Instant::now() };
    let mut notes = Vec::new();
    let mut best: Option<Solution> = None;
    let mut ended = Ended::Open;
    for stage in STAGES {
        if stage.improving > 0 {
            best = match best {
                None => any_solution(level, board, config, budget)?,
                known => known,
            };
            best = best.map(|known| improved(level, known, stage.improving, budget));
            if let Some(known) = &best {
                prover.undercut(known.moves as u32, known.pushes as u32);
            }
        }
        ended = prover.run(stage.expansions, budget, &mut |prover| ticker.tick(prover));
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
        match classic::judged(level, champion::written(board, &pushes)) {
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
            "not proved when it {}: the fewest moves lie between {lower} and {}",
            if ended == Ended::Cancelled { "was stopped" } else { "reached its limit" },
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
        statistics: statistics(&*prover, budget),
        notes,
    }))
}

/// A share of what is left of the limits.
fn share(budget: &Budget, part: u32) -> Limits {
    let left = budget.limits().time.map(|time| time.saturating_sub(budget.elapsed()));
    Limits {
        time: left.map(|left| left / part),
        memory: budget.limits().memory.map(|memory| memory / 4),
        nodes: budget.limits().nodes.map(|nodes| nodes / u64::from(part)),
    }
}

/// Some solution, by the champion engine, if it finds one in its share of the limits.
fn any_solution(
    level: &Level,
    board: &Board,
    config: &Config,
    budget: &Budget,
) -> Result<Option<Solution>, ConfigError> {
    let any = Config { goal: Goal::Any, then: None, ..config.clone() };
    let plans = [Plan::new(&any)?, Plan::new(&complete::Complete::pulling(&any))?];
    let race = Budget::new(share(budget, 4), budget.cancel().clone());
    let silent = &mut |_: &Progress| ();
    Ok(champion::run(level, board.clone(), plans, &any, &race, &mut Ticks(silent)).solution)
}

/// The same solution or one with fewer moves, by the improver.
fn improved(level: &Level, known: Solution, nodes: u64, budget: &Budget) -> Solution {
    let mut limits = share(budget, 8);
    limits.nodes = Some(limits.nodes.unwrap_or(u64::MAX).min(nodes));
    let short = Budget::new(limits, budget.cancel().clone());
    match improve::shorten(&level.map, &known.lurd, improve::Goal::Moves, &short, &mut |_| ()) {
        Ok(better) => Solution { lurd: better.lurd, moves: better.moves, pushes: better.pushes },
        Err(_) => known,
    }
}

struct Ticker<'w> {
    watcher: &'w mut dyn Watch,
    budget: &'w Budget,
    last: Instant,
}

impl Ticker<'_> {
    fn tick(&mut self, prover: &dyn Prover) {
        const EACH: Duration = Duration::from_millis(200);
        if self.last.elapsed() < EACH {
            return;
        }
        self.last = Instant::now();
        let statistics = statistics(prover, self.budget);
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

fn statistics(prover: &dyn Prover, budget: &Budget) -> Statistics {
    let figures = prover.figures();
    Statistics {
        expanded: figures.expanded,
        generated: figures.generated,
        duplicates: figures.duplicates,
        peak_bytes: prover.bytes(),
        seconds: budget.elapsed().as_secs_f64(),
        ..Statistics::default()
    }
}
