//! The race: strategies wait in a line; every thread takes the one that has had least, gives it a turn, and
//! puts it back.
//!
//! What a strategy has had is counted against its weight, so that one with twice the weight runs twice as long. On
//! several threads the clock counts. On one thread the work counts, at a fixed price, so that a run is the same on
//! every machine. The first answer calls everybody in. When memory is short, the strategy that holds most gives up what
//! it can do without; if there is nothing, it is let go, and the others go on.

use crate::observe::RaceObserver;
use crate::strategy::{Halt, Strategy, Turn};
use lurd_rules::{Figures, Push};
use lurd_search::sync::lock;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How often the race is looked at from outside.
const GLANCE: Duration = Duration::from_millis(100);

/// A strategy and its part in the race.
pub(super) struct Runner<'g> {
    pub(super) strategy: Box<dyn Strategy + 'g>,
    pace: Pace,
    weight: u64,
    /// Nanoseconds it has had, divided by its weight.
    had: u64,
    /// Bytes it held after its last turn: what the race counts for it.
    held: usize,
}

/// How much a strategy does in a turn.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pace {
    /// Positions generated in a turn.
    pub(super) turn: u64,
    /// Nanoseconds that one takes, more or less.
    pub(super) price: u64,
}

impl<'g> Runner<'g> {
    pub(super) fn new(strategy: Box<dyn Strategy + 'g>, pace: Pace, weight: u64) -> Self {
        Self { strategy, pace, weight: weight.max(1), had: 0, held: 0 }
    }

    /// The same, but it joins only when the others have had so much for each unit of weight.
    pub(super) fn joining(self, after: Duration) -> Self {
        Self { had: after.as_nanos() as u64, ..self }
    }

    /// The same behind a pane.
    pub(super) fn behind(self, window: &RaceObserver) -> Self {
        Self { strategy: window.watch(self.strategy, self.had > 0), ..self }
    }

    /// Whether its turns are short.
    pub(super) fn is_quick(&self) -> bool {
        self.pace.turn * self.pace.price < 6_000_000
    }

    /// Counts a turn of so much work.
    fn charge(&mut self, work: u64, elapsed: Option<Duration>) {
        let nominal = work.saturating_mul(self.pace.price);
        let cost = match elapsed {
            // A strategy that only gathers work for a long turn pays for what it gathers.
            Some(elapsed) => (elapsed.as_nanos() as u64).max(nominal / 8),
            None => nominal,
        };
        self.had += cost / self.weight;
    }
}

/// How a race ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Finish {
    /// The pushes that solve the level, and the strategy that found them.
    Solved(Vec<Push>, &'static str),
    /// There is no solution; the strategy that proved it.
    Unsolvable(&'static str),
    /// Nobody has anything left to try.
    Spent,
    /// Strategies were let go for want of memory, and the others have nothing left to try.
    Memory,
    /// The limit on positions was reached.
    Nodes,
    /// Time is up, or somebody cancelled.
    Halted,
}

/// Where the race stands.
#[derive(Clone, Copy, Debug, Default)]
pub struct Totals {
    /// Positions.
    pub figures: Figures,
    /// Most bytes held at a time.
    pub peak_bytes: usize,
    /// Strategies that were let go for want of memory.
    pub let_go: u32,
}

/// What strategies may hold under a limit on memory: the program itself, working memory and what lists grow into are not
/// counted by anybody.
pub(super) fn allowance(limit: usize) -> usize {
    const PROGRAM: usize = 24 << 20;
    limit - (PROGRAM + limit / 16).min(limit / 2)
}

struct Line<'g> {
    waiting: Vec<Runner<'g>>,
    running: usize,
    /// What strategies that run just now had done when they were taken.
    standing: Totals,
    /// Bytes counted for all strategies.
    held: usize,
    /// Whether a strategy was let go: what it would have found is unknown.
    forgot: bool,
    finish: Option<Finish>,
}

/// Runs the strategies on `threads` threads until one finishes, all are spent, or a limit ends it. `shared` is what
/// they hold together.
pub(super) fn run<'g>(
    runners: Vec<Runner<'g>>,
    threads: usize,
    halt: &Halt,
    shared: &(dyn Fn() -> usize + Sync),
    glance: &mut dyn FnMut(&Totals),
) -> (Finish, Totals) {
    let line = Mutex::new(Line {
        waiting: runners,
        running: 0,
        standing: Totals::default(),
        held: 0,
        forgot: false,
        finish: None,
    });
    let changed = Condvar::new();
    std::thread::scope(|scope| {
        let mut started = 0;
        for _ in 0..threads.max(1) {
            let spawned = std::thread::Builder::new()
                .name("search".into())
                .spawn_scoped(scope, || work(&line, &changed, halt, shared, threads > 1));
            started += usize::from(spawned.is_ok());
        }
        if started == 0 {
            // The system gives no thread: the race is run on this one.
            work(&line, &changed, halt, shared, threads > 1);
        }
        let mut guard = lock(&line);
        while guard.finish.is_none() || guard.running > 0 {
            guard = changed.wait_timeout(guard, GLANCE).unwrap_or_else(PoisonError::into_inner).0;
            let standing = guard.standing;
            drop(guard);
            glance(&standing);
            guard = lock(&line);
        }
    });
    let line = line.into_inner().unwrap_or_else(PoisonError::into_inner);
    (line.finish.unwrap_or(Finish::Halted), line.standing)
}

/// One thread's work: take, run, put back.
fn work<'g>(
    line: &Mutex<Line<'g>>,
    changed: &Condvar,
    halt: &Halt,
    shared: &(dyn Fn() -> usize + Sync),
    by_clock: bool,
) {
    let allowed = halt.budget().limits().memory.map(allowance);
    loop {
        let mut guard = lock(line);
        let mut runner = loop {
            if guard.finish.is_some() {
                return;
            }
            if let Some(first) = (0..guard.waiting.len()).min_by_key(|&place| guard.waiting[place].had) {
                break guard.waiting.remove(first);
            }
            if guard.running == 0 {
                let finish = if guard.forgot { Finish::Memory } else { Finish::Spent };
                end(&mut guard, finish, halt, changed);
                return;
            }
            guard = changed.wait(guard).unwrap_or_else(PoisonError::into_inner);
        };
        guard.running += 1;
        let nodes_left = halt
            .budget()
            .limits()
            .nodes
            .map_or(u64::MAX, |limit| limit.saturating_sub(guard.standing.figures.generated));
        drop(guard);

        let work = runner.pace.turn.min(nodes_left);
        let begun = by_clock.then(Instant::now);
        let before = runner.strategy.figures();
        let turn = catch_unwind(AssertUnwindSafe(|| runner.strategy.run(work, halt)));
        let turn = turn.unwrap_or_else(|fault| {
            // A fault of the program: nobody must wait for this thread, and nothing is hidden.
            let mut guard = lock(line);
            guard.running -= 1;
            end(&mut guard, Finish::Halted, halt, changed);
            drop(guard);
            resume_unwind(fault)
        });
        runner.charge(work, begun.map(|begun| begun.elapsed()));
        let after = runner.strategy.figures();
        let holds = if turn == Turn::Spent { 0 } else { runner.strategy.bytes() };
        let name = runner.strategy.name();

        let mut guard = lock(line);
        guard.running -= 1;
        guard.standing.figures = guard.standing.figures.plus(after.minus(before));
        guard.held = guard.held - runner.held + holds;
        runner.held = holds;
        let all = guard.held + shared();
        guard.standing.peak_bytes = guard.standing.peak_bytes.max(all);
        match turn {
            Turn::Solved(pushes) => end(&mut guard, Finish::Solved(pushes, name), halt, changed),
            Turn::Unsolvable => end(&mut guard, Finish::Unsolvable(name), halt, changed),
            Turn::Spent => {}
            Turn::Open if halt.called() => end(&mut guard, Finish::Halted, halt, changed),
            Turn::Open => {
                guard.waiting.push(runner);
                if halt.budget().out_of_nodes(guard.standing.figures.generated) {
                    end(&mut guard, Finish::Nodes, halt, changed);
                } else if allowed.is_some_and(|allowed| all > allowed) && !forget(&mut guard) {
                    end(&mut guard, Finish::Memory, halt, changed);
                }
            }
        }
        changed.notify_all();
    }
}

/// The waiting strategy that holds most forgets what it can do without, or is let go; false if it was the last one.
fn forget(line: &mut Line<'_>) -> bool {
    let Some(largest) = (0..line.waiting.len()).max_by_key(|&place| line.waiting[place].held) else {
        return line.running > 0;
    };
    let runner = &mut line.waiting[largest];
    line.forgot = true;
    if runner.strategy.forget() {
        let holds = runner.strategy.bytes();
        line.standing.figures.forgot += 1;
        line.held = line.held - runner.held + holds;
        runner.held = holds;
        return true;
    }
    line.held -= runner.held;
    line.waiting.remove(largest);
    line.standing.let_go += 1;
    line.running > 0 || !line.waiting.is_empty()
}

/// The first finish counts; it calls everybody in.
fn end(line: &mut Line<'_>, finish: Finish, halt: &Halt, changed: &Condvar) {
    line.finish.get_or_insert(finish);
    halt.call();
    changed.notify_all();
}
