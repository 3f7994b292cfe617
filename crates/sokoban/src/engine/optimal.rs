//! The push-optimal engine behind the one door: proofs from below, solutions from above, until they meet.
//!
//! Easy levels are proved at once. For the others a solution is found by racing, as for any solution, and made
//! shorter; its length is the upper bound. Proving and shortening then take turns, each time with twice the work.

use super::champion;
use super::classic;
use super::config::{Config, Goal};
use super::report::{Outcome, Progress, Proof, Report, Solution};
use super::watch::Watch;
use crate::Level;
use crate::board::Board;
use crate::improve;
use crate::optimal::{self, Control, Found, Halt, Options, Prover};
use search::{Budget, Cancel, Limits, Statistics, Stop};
use std::time::{Duration, Instant};

/// What the engine is called in reports.
pub(super) const ALGORITHM: &str = "proof-by-layers";
/// What bounds it.
pub(super) const HEURISTIC: &str = "matching+group-excess";
/// The rules at work in it.
pub(super) const DEADLOCKS: [&str; 6] = ["dead-square", "freeze", "bipartite", "corral", "dead-set", "gate"];

/// Positions expanded before anything else is tried.
const AT_ONCE: u64 = 20_000;
/// Time for a first solution: this share of the limit, or so long where there is none.
const RACE_SHARE: u32 = 7;
const RACE: Duration = Duration::from_secs(60);
/// Positions the first turn of shortening may generate; every later turn twice as many.
const SHORTEN: u64 = 200_000;
/// Expansions of the first turn of proving; every later turn twice as many.
const PROVE: u64 = 400_000;
/// The watcher hears something about so often.
const TICK: Duration = Duration::from_millis(200);

/// Whether the config asks for the fewest pushes and leaves everything else to the engine.
pub(super) fn applies(config: &Config) -> bool {
    config.goal == Goal::Pushes && champion::leaves_everything_open(config)
}

/// Works on a level until it is proved or a limit ends it. `None` if the level is too large for this engine.
pub(super) fn run(
    level: &Level,
    board: &Board,
    config: &Config,
    budget: &Budget,
    watcher: &mut dyn Watch,
) -> Option<Report> {
    let halted = |stop: Stop| Ends { outcome: Outcome::Stopped(stop), proved: false };
    let control = Control::new(budget);
    let mut work = Work::new(level, config, budget, watcher);
    let prover = match optimal::prover(board, Options::new(config.threads), budget) {
        Ok(prover) => prover?,
        Err(_) => {
            let halt = control.halt().unwrap_or(Halt::Cancelled);
            return Some(work.report(None, &control, halt.stop().map_or(Ends::CANCELLED, halted)));
        }
    };
    let mut prover = prover;
    let ends = work.meet(board, &mut *prover, &control);
    Some(work.report(Some(&*prover), &control, ends))
}

/// How it ended.
struct Ends {
    outcome: Outcome,
    proved: bool,
}

impl Ends {
    const CANCELLED: Self = Self { outcome: Outcome::Cancelled, proved: false };
}

/// The work on one level.
struct Work<'a> {
    level: &'a Level,
    config: &'a Config,
    budget: &'a Budget,
    watcher: &'a mut dyn Watch,
    best: Option<Solution>,
    /// Where the best solution comes from.
    source: String,
    /// What racing and shortening cost.
    aside: Statistics,
    last_tick: Instant,
    notes: Vec<String>,
}

impl<'a> Work<'a> {
    fn new(level: &'a Level, config: &'a Config, budget: &'a Budget, watcher: &'a mut dyn Watch) -> Self {
        Self {
            level,
            config,
            budget,
            watcher,
            best: None,
            source: String::new(),
            aside: Statistics::default(),
            last_tick: Instant::now(),
            notes: Vec::new(),
        }
    }

    /// Brings lower and upper bound together.
    fn meet(&mut self, board: &Board, prover: &mut dyn Prover, control: &Control<'_>) -> Ends {
        if let Some(ends) = self.prove(board, prover, AT_ONCE, control) {
            return ends;
        }
        if let Some(ends) = self.race(control) {
            return ends;
        }
        let (mut positions, mut expansions) = (SHORTEN, PROVE);
        loop {
            self.shorten(prover.lower(), positions, control);
            if let Some(ends) = self.prove(board, prover, expansions, control) {
                return ends;
            }
            positions = positions.saturating_mul(2);
            expansions = expansions.saturating_mul(2);
        }
    }

    /// Proves for a while.
    fn prove(&mut self, board: &Board, prover: &mut dyn Prover, most: u64, control: &Control<'_>) -> Option<Ends> {
        let upper = self.best.as_ref().map(|best| best.pushes as u32);
        let found = prover.prove(upper, most, control, &mut |lower| self.tick(lower, control));
        let solved = |proved| Some(Ends { outcome: Outcome::Solved, proved });
        match found {
            Found::Shortest(pushes) => match classic::judged(self.level, champion::written(board, &pushes)) {
                Ok(solution) => {
                    self.source = "the proof met it".into();
                    self.best = Some(solution);
                    solved(true)
                }
                Err(sentence) => {
                    self.notes.push(sentence);
                    Some(Ends { outcome: Outcome::Exhausted, proved: false })
                }
            },
            Found::Length(length) if upper != Some(length) => {
                self.notes.push(format!(
                    "a solution of {length} pushes exists, but the way to it was let go for want of memory"
                ));
                let outcome = if upper.is_some() { Outcome::Solved } else { Outcome::Stopped(Stop::Memory) };
                Some(Ends { outcome, proved: false })
            }
            Found::Length(_) | Found::Proved => solved(true),
            Found::Unsolvable if self.best.is_some() => {
                // Cannot happen unless the engine is wrong: then nothing it says is worth passing on.
                self.notes.push("the proof found no solution where there is one; please report this level".into());
                solved(false)
            }
            Found::Unsolvable => {
                self.notes.push("every position was searched".into());
                Some(Ends { outcome: Outcome::Unsolvable, proved: true })
            }
            Found::Capped => None,
            Found::Halted(_) if self.best.is_some() => solved(false),
            Found::Halted(Halt::Cancelled) => Some(Ends::CANCELLED),
            Found::Halted(Halt::Stop(stop)) => Some(Ends { outcome: Outcome::Stopped(stop), proved: false }),
        }
    }

    /// Limits for something that is done aside.
    fn limits(&self, control: &Control<'_>, nodes: Option<u64>, time: Option<Duration>) -> Limits {
        let limits = self.budget.limits();
        let time_left = limits.time.map(|time| time.saturating_sub(self.budget.elapsed()));
        let nodes_left = limits.nodes.map(|nodes| nodes.saturating_sub(control.generated()));
        let least = |a: Option<u64>, b: Option<u64>| a.into_iter().chain(b).min();
        Limits { time: time.into_iter().chain(time_left).min(), memory: limits.memory, nodes: least(nodes, nodes_left) }
    }

    /// Finds any solution.
    fn race(&mut self, control: &Control<'_>) -> Option<Ends> {
        let time = self.budget.limits().time.map_or(RACE, |time| time / RACE_SHARE);
        let config = Config {
            limits: self.limits(control, None, Some(time)),
            threads: self.config.threads,
            ..Config::default()
        };
        let mut relay = Relay { watcher: self.watcher, seconds: self.budget.elapsed().as_secs_f64() };
        let report = super::watch(self.level, &config, self.budget.cancel(), &mut relay).ok()?;
        self.account(&report.statistics, control);
        if let Some(solution) = report.solution {
            self.source = report.notes.join(", ");
            self.best = Some(solution);
        }
        match report.outcome {
            Outcome::Unsolvable => {
                self.notes.extend(report.notes);
                Some(Ends { outcome: Outcome::Unsolvable, proved: true })
            }
            Outcome::Cancelled => Some(Ends::CANCELLED),
            _ => None,
        }
    }

    /// Makes the best solution shorter for a while, not below what is proved.
    fn shorten(&mut self, lower: u32, positions: u64, control: &Control<'_>) {
        let Some(best) = self.best.clone().filter(|best| best.pushes as u32 > lower) else { return };
        if control.halt().is_some() {
            return;
        }
        let enough = Cancel::new();
        let short = Budget::new(self.limits(control, Some(positions), None), enough.clone());
        let cancel = self.budget.cancel().clone();
        let improved = std::thread::scope(|scope| {
            let (done, over) = std::sync::mpsc::channel::<()>();
            let flag = enough.clone();
            // Two reasons to stop and one flag: somebody must pass the other on.
            scope.spawn(move || {
                while over.recv_timeout(Duration::from_millis(20)) == Err(std::sync::mpsc::RecvTimeoutError::Timeout) {
                    if cancel.is_cancelled() {
                        flag.cancel();
                    }
                }
            });
            let improved =
                improve::shorten(&self.level.map, &best.lurd, improve::Goal::Pushes, &short, &mut |better| {
                    if better.pushes as u32 <= lower {
                        enough.cancel();
                    }
                });
            drop(done);
            improved
        });
        let Ok(improved) = improved else { return };
        let statistics = Statistics {
            expanded: improved.expanded,
            generated: improved.generated,
            peak_bytes: improved.peak_bytes,
            ..Statistics::default()
        };
        self.account(&statistics, control);
        if improved.pushes < best.pushes {
            self.source = format!("{}, then shortened to {}", self.source, improved.pushes);
        }
        self.best = Some(Solution { lurd: improved.lurd, moves: improved.moves, pushes: improved.pushes });
    }

    /// Notes what something done aside cost.
    fn account(&mut self, statistics: &Statistics, control: &Control<'_>) {
        control.spend(statistics.generated);
        self.aside.expanded += statistics.expanded;
        self.aside.generated += statistics.generated;
        self.aside.peak_bytes = self.aside.peak_bytes.max(statistics.peak_bytes);
    }

    fn tick(&mut self, lower: u32, control: &Control<'_>) {
        if self.last_tick.elapsed() < TICK {
            return;
        }
        self.last_tick = Instant::now();
        let statistics = self.statistics(control);
        self.watcher.counted(&statistics);
        self.watcher.progress(&Progress {
            seconds: statistics.seconds,
            expanded: statistics.expanded,
            generated: statistics.generated,
            bytes: statistics.peak_bytes,
            lower_bound: Some(lower),
        });
    }

    fn statistics(&self, control: &Control<'_>) -> Statistics {
        let counts = control.counts();
        let cut = [
            ("dead-set", counts.dead_set),
            ("bipartite", counts.bipartite),
            ("freeze", counts.freeze),
            ("corral", counts.corral),
            ("limit", counts.limit),
        ];
        Statistics {
            expanded: self.aside.expanded + control.expanded(),
            generated: self.aside.generated + counts.generated,
            duplicates: control.duplicates(),
            pruned: cut.into_iter().filter(|&(_, count)| count > 0).collect(),
            peak_frontier: control.stored() as u64,
            peak_bytes: self.aside.peak_bytes.max(control.peak()),
            seconds: self.budget.elapsed().as_secs_f64(),
            ..Statistics::default()
        }
    }

    fn report(mut self, prover: Option<&dyn Prover>, control: &Control<'_>, ends: Ends) -> Report {
        let statistics = self.statistics(control);
        let mut notes = std::mem::take(&mut self.notes);
        let mut lower_bound = prover.map(|prover| prover.lower()).filter(|_| ends.outcome != Outcome::Unsolvable);
        let pushes = self.best.as_ref().map(|best| best.pushes as u32);
        let proof = match (pushes, lower_bound) {
            (Some(_), _) if ends.proved => Proof::OptimalPushes,
            (Some(pushes), Some(lower)) if lower > 0 && lower <= pushes => {
                Proof::AtMost((f64::from(pushes) / f64::from(lower) * 1000.0).ceil() / 1000.0)
            }
            _ => Proof::None,
        };
        if let Some(pushes) = pushes {
            if ends.proved {
                lower_bound = Some(pushes);
            }
            notes.push(format!("upper bound {pushes}: {}", self.source));
        }
        if let (Some(prover), Some(lower)) = (prover, lower_bound) {
            let met = ends.proved && prover.lower() < lower;
            let reason = if met { format!("no way of up to {} pushes", lower - 2) } else { prover.reason() };
            notes.push(format!("lower bound {lower}: {reason}"));
        }
        if let Some(prover) = prover.filter(|_| control.expanded() > 0) {
            notes.push(format!(
                "the proof expanded {} positions; at most {} were held at a time, {} bytes each",
                control.expanded(),
                control.stored(),
                prover.key_bytes()
            ));
        }
        Report {
            outcome: ends.outcome,
            solution: self.best,
            proof,
            lower_bound,
            algorithm: ALGORITHM.into(),
            formulation: "push".into(),
            heuristic: HEURISTIC.into(),
            deadlocks: DEADLOCKS.to_vec(),
            statistics,
            notes,
        }
    }
}

/// Passes progress on with the time that went before.
struct Relay<'a> {
    watcher: &'a mut dyn Watch,
    seconds: f64,
}

impl Watch for Relay<'_> {
    fn progress(&mut self, progress: &Progress) {
        self.watcher.progress(&Progress { seconds: progress.seconds + self.seconds, ..progress.clone() });
    }
}
