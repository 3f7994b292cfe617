//! Proofs of the fewest pushes and moves: one drive for both.
//!
//! Most levels are proved at once. For the others a race finds a solution, the incumbent, whose length is the upper bound.
//! Then rounds alternate between making it shorter and the proof, with more work in each, until both bounds meet. Where
//! another program seeks solutions for this proof ([`incumbent::seek`]), that one races and improves; if it finds nothing
//! for a while, or is dead, this one races.

mod moves;
mod pushes;
#[cfg(test)]
mod tests;

use crate::incumbent::{self, IMPROVER_MEMORY, Incumbent, Relay, Until};
use crate::report::{EngineNames, Outcome, Report, progress_of};
use crate::watch::Watch;
use crate::{Goal, Proof, Request, SolveError, Task};
use lurd_base::clock::Instant;
use lurd_base::{Halt, Limits};
use lurd_improve::Metric;
use lurd_prove_pushes::Forecast;
use lurd_rules::Push;
use lurd_rules::push::written;
use lurd_search::Statistics;
use std::time::Duration;

/// Expansions of a proof before a first solution is searched for.
const AT_ONCE: u64 = 20_000;
/// The interval between calls of the watcher.
const TICK: Duration = Duration::from_millis(200);

/// Whether the config asks for a proof and leaves everything else to its engine.
pub(crate) fn applies(config: &Request) -> bool {
    config.goal != Goal::Any && config.classic.are_open()
}

/// The names of the engine for a goal.
pub(crate) fn names(goal: Goal) -> &'static EngineNames {
    if goal == Goal::Moves { &moves::NAMES } else { &pushes::NAMES }
}

/// Works on a level until it is proved or halted. `None` if it is too large for the engine.
///
/// # Errors
/// When the folder for checkpoints cannot be used.
pub(crate) fn run(task: Task<'_>, watcher: &mut dyn Watch) -> Result<Option<Report>, SolveError> {
    let is_for_moves = task.config.goal == Goal::Moves;
    if !task.config.share.is_first() {
        let metric = if is_for_moves { Metric::Moves } else { Metric::Pushes };
        return incumbent::seek(task, metric, watcher).map(Some);
    }
    if is_for_moves { moves::run(task, watcher) } else { pushes::run(task, watcher) }
}

/// How a turn of a proof ended.
enum TurnEnd {
    /// There is more to search.
    Open,
    /// Nothing is better than the engine's answer or, where it has none, the incumbent.
    Optimal,
    Unsolvable,
    /// Only solutions longer than the engine can store are left.
    TooLong,
    Halted(Halt),
}

/// The work of a round.
struct Round {
    /// Positions that the improver generates.
    improving: u64,
    /// Expansions of the proof.
    expansions: u64,
}

/// An engine of proofs, ready for a level.
trait Engine {
    /// The part of what is left that one call of the improver may use, of time and nodes.
    const IMPROVER_PART: u32;

    /// The work of a round, counted from 0.
    fn round(&self, number: u32) -> Round;

    /// The limits of the next race for a first solution, given those that are left; `None` once there are no more.
    fn race(&mut self, left: Limits) -> Option<Limits>;

    /// Continues the proof for some expansions. Only what improves on the incumbent counts.
    fn prove(&mut self, expansions: u64, live: &mut Live<'_>) -> TurnEnd;

    /// Searches for shorter solutions with the tables of the proof, beside a turn of so many expansions.
    fn shorten(&mut self, expansions: u64, live: &mut Live<'_>) {
        let _ = (expansions, live);
    }

    /// The pushes of the best solution that the proof has found, unless the incumbent is better.
    fn answer(&self) -> Option<Vec<Push>>;

    /// No solution is shorter than this.
    fn lower(&self) -> u32;

    /// What the proof alone has cost.
    fn statistics(&self) -> Statistics;

    /// Bytes held now.
    fn bytes(&self) -> usize;

    /// The expected cost of what the proof is at.
    fn forecast(&self) -> Option<Forecast> {
        None
    }

    /// What a reader should know of a proof with this lower bound, finished or not.
    fn notes(&self, lower: Option<u32>, is_proved: bool) -> Vec<String>;
}

/// How the work ended.
#[derive(Clone, Copy, Debug)]
struct Ending {
    outcome: Outcome,
    is_proved: bool,
    /// What ended the proof, even if just when it was finished.
    halted: Option<Halt>,
}

impl Ending {
    fn new(outcome: Outcome, is_proved: bool) -> Self {
        Self { outcome, is_proved, halted: None }
    }
}

/// What a proof is to its watcher: takes what others have found and reports, a few times a second.
struct Live<'a> {
    task: Task<'a>,
    incumbent: &'a Incumbent<'a>,
    watcher: &'a mut dyn Watch,
    last: Instant,
}

impl<'a> Live<'a> {
    fn new(task: Task<'a>, incumbent: &'a Incumbent<'a>, watcher: &'a mut dyn Watch) -> Self {
        Self { task, incumbent, watcher, last: Instant::now() }
    }

    /// Reports if it is time.
    fn tick(&mut self, lower: impl FnOnce() -> u32, proof: impl FnOnce() -> (Statistics, Option<Forecast>)) {
        if self.last.elapsed() >= TICK {
            self.report(lower(), proof());
        }
    }

    fn report(&mut self, lower: u32, (proof, forecast): (Statistics, Option<Forecast>)) {
        self.last = Instant::now();
        self.incumbent.take_told(self.watcher);
        let statistics = self.together(proof);
        self.watcher.counted(&statistics);
        if let Some(forecast) = forecast {
            self.watcher.forecast(&forecast);
        }
        self.watcher.progress(&progress_of(&statistics, Some(lower)));
    }

    /// The cost of a proof and of the work on the incumbent.
    fn together(&self, proof: Statistics) -> Statistics {
        let spent = self.incumbent.spent();
        Statistics {
            expanded: spent.expanded + proof.expanded,
            generated: spent.generated + proof.generated,
            peak_bytes: spent.peak_bytes.max(proof.peak_bytes),
            seconds: self.task.budget.elapsed().as_secs_f64(),
            ..proof
        }
    }
}

/// The work on one level.
struct Drive<'a> {
    live: Live<'a>,
    /// Whether the proof is over, or nearly so that nothing else is worth while.
    over: &'a (dyn Fn() -> bool + Sync),
    notes: Vec<String>,
    /// Why the referee refused the answer of the proof.
    refusal: Option<String>,
    /// The number of the next round.
    round: u32,
}

impl<'a> Drive<'a> {
    fn new(
        task: Task<'a>,
        incumbent: &'a Incumbent<'a>,
        over: &'a (dyn Fn() -> bool + Sync),
        watcher: &'a mut dyn Watch,
    ) -> Self {
        let live = Live::new(task, incumbent, watcher);
        let mut drive = Self { live, over, notes: Vec::new(), refusal: None, round: 0 };
        if let Some(known) = task.config.known.clone() {
            drive.notes.extend(incumbent.take_lurd(known, |_| "known before".into()).err());
        }
        drive
    }

    /// Whether another program seeks short solutions for this proof.
    fn is_helped(&self) -> bool {
        !self.live.task.config.share.is_whole()
    }

    /// A first turn of the proof, then races for a solution, with a turn between two of them.
    fn begin(&mut self, engine: &mut impl Engine) -> Option<Ending> {
        if let Some(ending) = self.prove(engine, AT_ONCE) {
            return Some(ending);
        }
        self.report_progress(engine);
        let mut may_race = !self.is_helped();
        while !self.live.incumbent.is_known() {
            if !may_race {
                let expansions = self.next_round(engine).expansions;
                if let Some(ending) = self.prove(engine, expansions) {
                    return Some(ending);
                }
                self.report_progress(engine);
            } else if let Some(limits) = engine.race(self.live.task.budget.left()) {
                let ending = self.race(engine, limits);
                if ending.is_some() {
                    return ending;
                }
            } else {
                break;
            }
            may_race = !may_race;
        }
        None
    }

    /// Races for any solution. An ending if there is none, or somebody cancelled.
    fn race(&mut self, engine: &impl Engine, limits: Limits) -> Option<Ending> {
        let spent = self.live.together(engine.statistics());
        let mut relay = Relay { watcher: &mut *self.live.watcher, spent, lower: Some(engine.lower()) };
        let report = self.live.incumbent.race(limits, engine.bytes(), &mut relay).ok()?;
        let is_proved = report.outcome == Outcome::Unsolvable;
        (is_proved || report.outcome == Outcome::Cancelled).then(|| {
            self.notes.extend(report.notes);
            Ending::new(report.outcome, is_proved)
        })
    }

    /// Alternates between shorter solutions and the proof. The improver works before each turn, unless it does elsewhere.
    fn alternate(&mut self, engine: &mut impl Engine, improves: bool) -> Ending {
        loop {
            let round = self.next_round(engine);
            if improves {
                self.improve(engine, round.improving);
            }
            engine.shorten(round.expansions, &mut self.live);
            if let Some(ending) = self.prove(engine, round.expansions) {
                return ending;
            }
        }
    }

    fn next_round(&mut self, engine: &impl Engine) -> Round {
        self.round += 1;
        engine.round(self.round - 1)
    }

    fn improve<E: Engine>(&self, engine: &E, positions: u64) {
        let Live { task, incumbent, .. } = &self.live;
        let left = task.budget.left();
        let limits = Limits {
            time: left.time.map(|time| time / E::IMPROVER_PART),
            memory: left.memory.map(|all| (all / IMPROVER_MEMORY).min(all.saturating_sub(engine.bytes()))),
            nodes: Some(left.nodes.map_or(positions, |nodes| positions.min(nodes / u64::from(E::IMPROVER_PART)))),
        };
        // Where pushes decide between solutions with as few moves, the bound on moves ends nothing.
        let lower = if task.config.then == Some(Goal::Pushes) { 0 } else { engine.lower() };
        incumbent.improve(limits, task.config.threads, engine.bytes(), Some(&Until { over: self.over, lower }));
    }

    /// Continues the proof for some expansions.
    fn prove(&mut self, engine: &mut impl Engine, expansions: u64) -> Option<Ending> {
        let end = engine.prove(expansions, &mut self.live);
        let Live { task, incumbent, .. } = &self.live;
        if !matches!(end, TurnEnd::Open)
            && let Some(pushes) = engine.answer()
            && let Err(refusal) = incumbent.take_lurd(written(task.board, &pushes), |_| "found by the proof".into())
        {
            self.refusal = Some(refusal);
            return Some(Ending::new(Outcome::Exhausted, false));
        }
        match end {
            TurnEnd::Open => None,
            TurnEnd::Optimal => Some(Ending::new(Outcome::Solved, true)),
            TurnEnd::Unsolvable if incumbent.is_known() => {
                // Impossible unless the engine is wrong: then its result must not be reported.
                self.refusal = Some("the proof contradicts a known solution; please report this level".into());
                Some(Ending::new(Outcome::Solved, false))
            }
            TurnEnd::Unsolvable => {
                self.notes.push("every position was searched".into());
                Some(Ending::new(Outcome::Unsolvable, true))
            }
            TurnEnd::TooLong => {
                let outcome = if incumbent.is_known() { Outcome::Solved } else { Outcome::Exhausted };
                self.notes.push("not proved: the search reached the longest solutions that it can store".into());
                Some(Ending::new(outcome, false))
            }
            TurnEnd::Halted(halt) => {
                // What another program has found since is an answer.
                self.report_progress(engine);
                Some(self.halted(halt, engine.lower()))
            }
        }
    }

    /// The ending of a halted proof: a solution is an answer, proved or not.
    fn halted(&mut self, halt: Halt, lower: u32) -> Ending {
        let length = self.live.incumbent.length();
        // The halt may come just when the bounds have met.
        let is_proved = length.is_some_and(|length| length <= lower);
        if let Some(length) = length.filter(|_| !is_proved) {
            let goal = self.live.task.config.goal;
            self.notes.push(format!("not proved when {halt}: the fewest {goal} lie between {lower} and {length}"));
        }
        // Without a solution the outcome itself names the limit.
        let outcome = if length.is_some() { Outcome::Solved } else { halt.into() };
        Ending { outcome, is_proved, halted: Some(halt) }
    }

    fn report_progress(&mut self, engine: &impl Engine) {
        self.live.report(engine.lower(), (engine.statistics(), engine.forecast()));
    }

    /// The report where the budget ended before the engine was ready. An earlier run may have proved a lower bound.
    fn report_unprepared(mut self, halt: Halt, lower: Option<u32>) -> Report {
        let ending = self.halted(halt, lower.unwrap_or(0));
        self.report(ending, lower, None)
    }

    /// The report on a proof that has ended.
    fn report_on(mut self, ending: Ending, engine: &impl Engine) -> Report {
        let mut report = self.report(ending, Some(engine.lower()), Some(engine.statistics()));
        report.notes.extend(engine.notes(report.lower_bound, ending.is_proved));
        report
    }

    fn report(&mut self, ending: Ending, proved: Option<u32>, cost: Option<Statistics>) -> Report {
        let Live { task, incumbent, .. } = &self.live;
        let goal = task.config.goal;
        let (solution, length) = (incumbent.solution(), incumbent.length());
        let lower_bound = match (ending.outcome, length) {
            (Outcome::Unsolvable, _) => None,
            (_, Some(length)) if ending.is_proved => Some(length),
            _ => proved,
        };
        let proof = match (length, lower_bound) {
            (Some(_), _) if ending.is_proved && goal == Goal::Moves => Proof::OptimalMoves,
            (Some(_), _) if ending.is_proved => Proof::OptimalPushes,
            (Some(length), Some(lower)) if (1..=length).contains(&lower) => Proof::between(lower, length as usize),
            _ => Proof::None,
        };
        let mut notes = std::mem::take(&mut self.notes);
        if let Some(length) = length {
            notes.push(format!("upper bound {length}: {}", incumbent.source()));
        }
        // A proof that is finished was ended by nothing, unless it was to look at pushes as well.
        let is_open = !ending.is_proved || task.config.then == Some(Goal::Pushes);
        let stopped_by = ending.halted.filter(|_| is_open).and_then(Halt::limit);
        let blank = names(goal).report(ending.outcome, self.live.together(cost.unwrap_or_default()), notes);
        Report { solution, proof, lower_bound, stopped_by, ..blank }.without_claims_if(self.refusal.take())
    }
}
