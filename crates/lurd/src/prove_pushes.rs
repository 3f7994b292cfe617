//! The push-optimal engine behind the one door: proofs from below, solutions from above, until they meet.
//!
//! Easy levels are proved at once. For the others a solution is found by racing, as for any solution; its length is
//! the upper bound. The proof takes turns with searches near the best solution, which have the same strong bound and
//! so few positions; each time with twice the work. With two threads or more one of them shortens the solution
//! in its own way meanwhile; one thread alone does that by turns, too.

use crate::certificate::{Certificate, Claim, Findings};
use crate::report::{Outcome, Progress, Proof, Report, judged};
use crate::upper::UpperBound;
use crate::watch::Watch;
use crate::{Config, Goal, SolveError, upper};
use lurd_level::Level;
use lurd_prove_pushes::{Beamed, Control, Halt, Journal, Nearby, Options, ProofOutcome, Prover};
use lurd_rules::Board;
use lurd_rules::push::written;
use lurd_search::{Budget, Cancel, Limits, Statistics, Stop};
use std::time::{Duration, Instant};

/// What the engine is called in reports.
pub(crate) const ALGORITHM: &str = "proof-by-layers";
/// What bounds it.
pub(crate) const HEURISTIC: &str = "matching+group-excess";
/// The rules at work in it.
pub(crate) const DEADLOCKS: [&str; 6] = ["dead-square", "freeze", "bipartite", "corral", "dead-set", "gate"];

/// Positions expanded before anything else is tried.
const AT_ONCE: u64 = 20_000;
/// Time for a first solution: this share of the limit, or so long where there is none.
const RACE_SHARE: u32 = 7;
const RACE: Duration = Duration::from_secs(60);
/// Positions the first turn of shortening may generate; every later turn twice as many, up to the last.
const SHORTEN: u64 = 200_000;
const LAST_SHORTEN: u64 = 60_000_000;
/// After so many turns that brought nothing shortening ends.
const IN_VAIN: u32 = 4;
/// Expansions of the first search near a solution; every later turn twice as many, and the proof as many again.
const NEAR: u64 = 50_000;
/// What searches for shorter solutions have of the work, each, for that of the proof; thinned layers have more when a
/// solution of one length only is in question.
const BESIDE: u64 = 4;
const CLOSE: u64 = 2;
/// Positions kept in a thinned layer at first, and how often lots are drawn before it is twice as many.
const NARROW: usize = 250;
const LOTS: u64 = 4;
/// The watcher hears something about so often.
const TICK: Duration = Duration::from_millis(200);

/// Whether the config asks for the fewest pushes and leaves everything else to the engine.
pub(crate) fn applies(config: &Config) -> bool {
    config.goal == Goal::Pushes && config.classic.are_open()
}

/// Works on a level until it is proved or a limit ends it. `None` if the level is too large for this engine.
///
/// # Errors
/// A sentence, when the folder for checkpoints cannot be used or holds something else.
pub(crate) fn run(
    level: &Level,
    board: &Board,
    config: &Config,
    budget: &Budget,
    watcher: &mut dyn Watch,
) -> Result<Option<Report>, SolveError> {
    let opened = config
        .disk
        .as_ref()
        .map(|disk| Journal::open(&disk.folder, disk.limit, level.map.rows().collect(), disk.resume));
    let opened = opened.transpose()?;
    // What shortens a solution meanwhile needs its share of the memory.
    let memory = budget.limits().memory.map(|limit| limit - limit / upper::MEMORY_SHARE);
    let own = budget.with_limits(Limits { memory, ..*budget.limits() });
    let control = Control::new(&own);
    let upper = UpperBound::new(level, budget, &control);
    let mut work = Work { level, board, config, budget, control: &control, upper: &upper, notes: Vec::new() };
    // Layers that are to be taken up or checked must not depend on how much memory there was.
    let strict = config.certify || opened.is_some();
    let Ok(prover) = lurd_prove_pushes::prover(board, Options { strict, ..Options::new(config.threads) }, budget)
    else {
        let ends = work.halted(control.halt().unwrap_or(Halt::Cancelled));
        return Ok(Some(work.report(None, ends)));
    };
    let Some(mut prover) = prover else { return Ok(None) };
    if let Some((journal, found)) = opened {
        work.take_up(&found);
        work.notes.extend(prover.keep(journal, found, &control));
    }
    let ends = work.meet(&mut *prover, watcher);
    prover.checkpoint(ends.proved, &control);
    if config.certify {
        work.certify(&*prover, ends, watcher);
    }
    Ok(Some(work.report(Some(&*prover), ends)))
}

/// The next search by thinned layers.
#[derive(Clone, Copy, Debug)]
struct Width {
    width: usize,
    lot: u64,
    /// Expansions it may make.
    credit: u64,
}

/// How it ended.
#[derive(Clone, Copy, Debug)]
struct Ends {
    outcome: Outcome,
    proved: bool,
}

/// The work on one level.
struct Work<'a> {
    level: &'a Level,
    board: &'a Board,
    config: &'a Config,
    budget: &'a Budget,
    control: &'a Control<'a>,
    upper: &'a UpperBound<'a>,
    notes: Vec<String>,
}

impl Work<'_> {
    /// Takes the solution of a checkpoint, if the referee agrees.
    fn take_up(&mut self, found: &lurd_prove_pushes::FoundCheckpoints) {
        for kept in found.checkpoints.iter().filter_map(|checkpoint| checkpoint.solution.as_ref()) {
            match judged(self.level, kept.lurd.clone()) {
                Ok(solution) => self.upper.take(solution, |_| kept.source.clone()),
                Err(sentence) => self.notes.push(sentence),
            }
        }
    }

    /// Brings lower and upper bound together.
    fn meet(&mut self, prover: &mut dyn Prover, watcher: &mut dyn Watch) -> Ends {
        if let Some(ends) = self.prove(prover, AT_ONCE, watcher) {
            return ends;
        }
        if self.control.upper().is_none() {
            let time = self.budget.limits().time.map_or(RACE, |time| time / RACE_SHARE);
            let mut relay = Relay { watcher, seconds: self.budget.elapsed().as_secs_f64(), lower: prover.lower() };
            if let Some(report) = self.upper.race(self.config, time, &mut relay) {
                let proved = report.outcome == Outcome::Unsolvable;
                self.notes.extend(report.notes);
                return Ends { outcome: report.outcome, proved };
            }
        }
        if self.config.threads > 1 {
            return self.together(prover, watcher);
        }
        let upper = self.upper;
        self.by_turns(prover, watcher, &mut |turn| {
            upper.shorten(SHORTEN.saturating_mul(1 << turn.min(20)), &Cancel::new());
        })
    }

    /// Proves and shortens at the same time.
    fn together(&mut self, prover: &mut dyn Prover, watcher: &mut dyn Watch) -> Ends {
        let (upper, control, threads) = (self.upper, self.control, self.config.threads);
        let over = Cancel::new();
        std::thread::scope(|scope| {
            control.set_helpers(threads - 2);
            scope.spawn(|| {
                let (mut positions, mut in_vain) = (SHORTEN, 0);
                while positions <= LAST_SHORTEN && in_vain < IN_VAIN && !control.is_closing() {
                    let before = control.upper();
                    if !upper.shorten(positions, &over) {
                        break;
                    }
                    in_vain = if control.upper() < before { 0 } else { in_vain + 1 };
                    positions *= 2;
                }
                // The thread is worth more to the proof now.
                control.set_helpers(threads - 1);
            });
            let ends = self.by_turns(prover, watcher, &mut |_| ());
            over.cancel();
            ends
        })
    }

    /// Searches near the best solution and proves in turn; before each turn something else may be done.
    fn by_turns(&mut self, prover: &mut dyn Prover, watcher: &mut dyn Watch, before: &mut dyn FnMut(u32)) -> Ends {
        let (mut expansions, mut astray) = (NEAR, Some(1));
        let mut beam = Width { width: NARROW, lot: 0, credit: 0 };
        for turn in 0.. {
            before(turn);
            self.search_near(prover, &mut astray, expansions / BESIDE, watcher);
            // When a solution of one length only is in question, finding it is as likely an end as a proof.
            let close = self.control.upper().is_some_and(|upper| upper <= prover.lower() + 2);
            self.search_beam(prover, &mut beam, expansions / if close { CLOSE } else { BESIDE }, watcher);
            if let Some(ends) = self.prove(prover, expansions, watcher) {
                return ends;
            }
            expansions = expansions.saturating_mul(2);
        }
        unreachable!("turns go on until something ends them")
    }

    /// Looks for shorter solutions by thinned layers, wider and wider until the work is used up.
    fn search_beam(&mut self, prover: &mut dyn Prover, beam: &mut Width, most: u64, watcher: &mut dyn Watch) {
        beam.credit += most;
        while let Some(upper) = self.control.upper().filter(|_| !self.control.is_met()) {
            // What is begun should come to its end.
            if beam.credit < beam.width as u64 * u64::from(upper) {
                return;
            }
            // A few pushes less are more often found, but within the least that is possible the bound tells more.
            let limit = if beam.lot & 2 == 0 { upper.saturating_sub(2) } else { prover.lower() };
            let before = self.control.expanded();
            let mut ticks = self.ticks(watcher);
            let beamed = prover.search_beam(limit, beam.width, beam.lot, 2 * beam.credit, self.control, &mut ticks);
            drop(ticks);
            beam.credit = beam.credit.saturating_sub(self.control.expanded() - before);
            match beamed {
                Beamed::Found(pushes) => {
                    let length = pushes.len();
                    let Ok(solution) = judged(self.level, written(self.board, &pushes)) else {
                        return;
                    };
                    self.upper.take(solution, |source| format!("{source}, then {length} found by thinned layers"));
                }
                Beamed::Nothing | Beamed::Capped => {
                    beam.lot += 1;
                    if beam.lot.is_multiple_of(LOTS) {
                        beam.width *= 2;
                    }
                }
                Beamed::Halted => return,
            }
        }
    }

    /// Looks for shorter solutions near the best one, wider and wider until the work is used up. `astray` goes on where
    /// it was left, and becomes `None` when all positions are near.
    fn search_near(&mut self, prover: &mut dyn Prover, astray: &mut Option<u32>, most: u64, watcher: &mut dyn Watch) {
        let last = self.control.expanded().saturating_add(most);
        while let Some(wide) = *astray {
            let Some(given) = self.upper.best().solution.as_ref().map(|best| best.lurd.clone()) else { return };
            let left = last.saturating_sub(self.control.expanded());
            if left == 0 || self.control.is_met() {
                return;
            }
            let given = lurd_rules::push::pushes(self.board, &given);
            let mut ticks = self.ticks(watcher);
            match prover.search_near(self.board, &given, wide, left, self.control, &mut ticks) {
                Nearby::Shorter(pushes) => {
                    let length = pushes.len();
                    let Ok(solution) = judged(self.level, written(self.board, &pushes)) else {
                        return;
                    };
                    self.upper.take(solution, |source| format!("{source}, then {length} found near it"));
                    *astray = Some(1);
                }
                Nearby::Nothing { all } => *astray = (!all).then_some(wide + 1),
                Nearby::Capped | Nearby::Halted => return,
            }
        }
    }

    /// Tells the watcher now and then.
    fn ticks<'w>(&'w self, watcher: &'w mut dyn Watch) -> impl FnMut() + 'w {
        let mut last = Instant::now();
        move || {
            if last.elapsed() >= TICK {
                last = Instant::now();
                self.tick(watcher);
            }
        }
    }

    /// Proves for a while.
    fn prove(&mut self, prover: &mut dyn Prover, most: u64, watcher: &mut dyn Watch) -> Option<Ends> {
        let found = prover.prove(most, self.control, &mut self.ticks(watcher));
        let known = self.control.upper();
        let solved = |proved| Some(Ends { outcome: Outcome::Solved, proved });
        match found {
            ProofOutcome::Shortest(pushes) => match judged(self.level, written(self.board, &pushes)) {
                Ok(solution) => {
                    self.upper.take(solution, |_| "met by the proof".into());
                    solved(true)
                }
                Err(sentence) => {
                    self.notes.push(sentence);
                    Some(Ends { outcome: Outcome::Exhausted, proved: false })
                }
            },
            ProofOutcome::Length(length) if known != Some(length) => {
                self.notes.push(format!(
                    "a solution of {length} pushes exists, but the way to it was let go for want of memory"
                ));
                let outcome = if known.is_some() { Outcome::Solved } else { Outcome::Stopped(Stop::Memory) };
                Some(Ends { outcome, proved: false })
            }
            ProofOutcome::Length(_) | ProofOutcome::Proved => solved(true),
            ProofOutcome::Unsolvable if known.is_some() => {
                // Cannot happen unless the engine is wrong: then nothing it says is worth passing on.
                self.notes.push("the proof found no solution where there is one; please report this level".into());
                solved(false)
            }
            ProofOutcome::Unsolvable => {
                self.notes.push("every position was searched".into());
                Some(Ends { outcome: Outcome::Unsolvable, proved: true })
            }
            ProofOutcome::Capped => None,
            ProofOutcome::Halted(halt) => Some(self.halted(halt)),
        }
    }

    /// What a halt comes to: a solution in hand is an answer, proved or not.
    fn halted(&mut self, halt: Halt) -> Ends {
        // Without a solution the outcome itself names the limit.
        if self.control.upper().is_some() {
            match halt {
                Halt::Met => {}
                Halt::Cancelled => self.notes.push("the proof was interrupted".into()),
                Halt::Stop(stop) => self.notes.push(format!("the limit on {} ended the proof", stop.name())),
            }
        }
        let outcome = match halt {
            Halt::Met => return Ends { outcome: Outcome::Solved, proved: true },
            _ if self.control.upper().is_some() => Outcome::Solved,
            Halt::Cancelled => Outcome::Cancelled,
            Halt::Stop(stop) => Outcome::Stopped(stop),
        };
        Ends { outcome, proved: false }
    }

    fn tick(&self, watcher: &mut dyn Watch) {
        let statistics = self.statistics();
        watcher.counted(&statistics);
        if let Some(forecast) = self.control.forecast() {
            watcher.forecast(&forecast);
        }
        watcher.progress(&Progress {
            seconds: statistics.seconds,
            expanded: statistics.expanded,
            generated: statistics.generated,
            bytes: statistics.peak_bytes,
            lower_bound: Some(self.control.lower()),
        });
    }

    fn statistics(&self) -> Statistics {
        let control = self.control;
        let counts = control.counts();
        let cut = [
            ("dead-set", counts.dead_set),
            ("bipartite", counts.bipartite),
            ("freeze", counts.freeze),
            ("corral", counts.corral),
            ("limit", counts.limit),
        ];
        let best = self.upper.best();
        Statistics {
            expanded: best.cost.expanded + control.expanded(),
            generated: best.cost.generated + counts.generated,
            duplicates: control.duplicates(),
            pruned: cut.into_iter().filter(|&(_, count)| count > 0).collect(),
            peak_frontier: control.stored() as u64,
            peak_bytes: best.cost.peak_bytes.max(control.peak() + best.beside),
            seconds: self.budget.elapsed().as_secs_f64(),
            ..Statistics::default()
        }
    }

    /// Hands over the certificate of what is proved.
    fn certify(&mut self, prover: &dyn Prover, ends: Ends, watcher: &mut dyn Watch) {
        let limits = prover.records().to_vec();
        let findings = Findings {
            claim: match ends.outcome {
                Outcome::Unsolvable => Claim::Unsolvable,
                Outcome::Solved if ends.proved => Claim::Optimal,
                _ => Claim::LowerBound,
            },
            lower_bound: (ends.outcome != Outcome::Unsolvable).then(|| prover.lower()),
            reason: prover.reason(),
            start: prover.start().clone(),
            limits,
        };
        let best = self.upper.best().solution.clone();
        let certificate = Certificate::new(self.level, best.as_ref(), findings);
        if certificate.claim == Claim::Unsolvable && certificate.proved().is_some() {
            self.notes.push("another search proved it, so there is no certificate".into());
            return;
        }
        watcher.certified(certificate);
    }

    fn report(mut self, prover: Option<&dyn Prover>, ends: Ends) -> Report {
        let statistics = self.statistics();
        let mut notes = std::mem::take(&mut self.notes);
        notes.append(&mut self.control.take_told());
        let best = std::mem::take(&mut *self.upper.best());
        let pushes = best.solution.as_ref().map(|solution| solution.pushes as u32);
        let proved = prover.map(|prover| prover.lower());
        let lower_bound = match (ends.outcome, pushes) {
            (Outcome::Unsolvable, _) => None,
            (_, Some(pushes)) if ends.proved => Some(pushes),
            _ => proved,
        };
        let proof = match (pushes, lower_bound) {
            (Some(_), _) if ends.proved => Proof::OptimalPushes,
            (Some(pushes), Some(lower)) if (1..=pushes).contains(&lower) => Proof::between(lower, pushes as usize),
            _ => Proof::None,
        };
        if let Some(pushes) = pushes {
            notes.push(format!("upper bound {pushes}: {}", best.source));
        }
        if let (Some(prover), Some(lower)) = (prover, lower_bound) {
            notes.push(format!("lower bound {lower}: {}", prover.reason()));
        }
        if let Some(forecast) = self.control.forecast().filter(|_| !ends.proved) {
            notes.push(forecast.to_string());
        }
        if let Some(prover) = prover.filter(|_| self.control.expanded() > 0) {
            notes.push(format!(
                "the proof expanded {} positions; at most {} were held at a time, {} bytes each",
                self.control.expanded(),
                self.control.stored(),
                prover.key_bytes()
            ));
        }
        Report {
            outcome: ends.outcome,
            solution: best.solution,
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

/// Passes the progress of a race on, with the time that went before and what is proved.
struct Relay<'a> {
    watcher: &'a mut dyn Watch,
    seconds: f64,
    lower: u32,
}

impl Watch for Relay<'_> {
    fn progress(&mut self, progress: &Progress) {
        let seconds = progress.seconds + self.seconds;
        self.watcher.progress(&Progress { seconds, lower_bound: Some(self.lower), ..progress.clone() });
    }
}
