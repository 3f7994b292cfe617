//! The scheduler of the portfolio: weighted time slices on a pool of threads.
//!
//! An algorithm portfolio (Gomes and Selman 2001) under stride scheduling (Waldspurger and Weihl 1995): every thread
//! takes the waiting strategy with the least time used per unit of weight, runs one slice of it, and puts it back, so
//! that twice the weight is twice the time. On several threads the clock is charged. On one thread the work is
//! charged, at a fixed cost, so that a run is the same on every machine. The first answer stops all strategies. When
//! memory is short, the strategy that holds most frees what it can do without; one that can free nothing is dropped.

use crate::observe::RaceObserver;
use crate::strategy::{Halt, SliceEnd, Strategy};
use lurd_base::clock::Instant;
use lurd_base::sync::lock;
use lurd_rules::{Figures, Push};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

/// Time between two calls of the progress function.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(100);

/// A strategy and its part in the race.
pub(super) struct Entrant<'g> {
    strategy: Box<dyn Strategy + 'g>,
    slice: Slice,
    weight: u64,
    /// Nanoseconds used, divided by the weight.
    used: u64,
    /// Bytes held after the last slice: what the scheduler counts for it.
    held: usize,
}

/// The length of a time slice.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slice {
    /// Positions generated.
    pub(super) work: u64,
    /// Nanoseconds that one position takes on average.
    pub(super) cost: u64,
}

impl<'g> Entrant<'g> {
    /// A strategy that joins when the others have used `after` for each unit of weight.
    pub(super) fn new(strategy: Box<dyn Strategy + 'g>, slice: Slice, weight: u64, after: Duration) -> Self {
        Self { strategy, slice, weight: weight.max(1), used: after.as_nanos() as u64, held: 0 }
    }

    /// The same with a slot of the observer.
    pub(super) fn observed(self, observer: &RaceObserver) -> Self {
        Self { strategy: observer.observe(self.strategy, self.used > 0), ..self }
    }

    /// Its part of the time.
    pub(super) fn weight(&self) -> u64 {
        self.weight
    }

    /// Whether its slices are short.
    pub(super) fn is_quick(&self) -> bool {
        self.slice.work * self.slice.cost < 6_000_000
    }

    fn charge(&mut self, work: u64, elapsed: Option<Duration>) {
        let nominal = work.saturating_mul(self.slice.cost);
        let cost = match elapsed {
            // A strategy that only saves up work for a long slice is charged for what it saves.
            Some(elapsed) => (elapsed.as_nanos() as u64).max(nominal / 8),
            None => nominal,
        };
        self.used += cost / self.weight;
    }
}

/// How a race ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Finish {
    /// The pushes that solve the level, and the strategy that found them.
    Solved(Vec<Push>, &'static str),
    /// There is no solution; the strategy that proved it.
    Unsolvable(&'static str),
    /// There is no solution: the start is dead as drawn.
    DeadStart,
    /// No strategy has anything left to try.
    Spent,
    /// Memory was short: positions or strategies were dropped, and the rest has nothing left to try.
    Memory,
    /// The limit on positions was reached.
    Nodes,
    /// The time limit was reached, or the race was cancelled.
    Halted,
}

/// The sums over all strategies.
#[derive(Clone, Copy, Debug, Default)]
pub struct Totals {
    pub figures: Figures,
    pub peak_bytes: usize,
    /// Strategies dropped because memory was short.
    pub dropped: u32,
    /// No solution has fewer pushes, if the strategy that answered knows a bound.
    pub lower_bound: Option<usize>,
}

/// The part of a memory limit that strategies may use: the program itself, working memory and the growth of lists
/// are not counted.
pub(super) fn allowance(limit: usize) -> usize {
    const PROGRAM: usize = 24 << 20;
    limit - (PROGRAM + limit / 16).min(limit / 2)
}

#[derive(Default)]
struct Schedule<'g> {
    waiting: Vec<Entrant<'g>>,
    running: usize,
    /// Sums as of the last finished slices.
    totals: Totals,
    /// Bytes counted for all strategies.
    held: usize,
    /// Something was freed or dropped: an exhausted portfolio says nothing about it.
    incomplete: bool,
    finish: Option<Finish>,
}

/// Runs the strategies on `threads` threads until one finishes, all are spent, or a limit is reached. `shared` counts
/// the bytes they hold in common.
pub(super) fn run<'g>(
    entrants: Vec<Entrant<'g>>,
    threads: usize,
    halt: &Halt,
    shared: &(dyn Fn() -> usize + Sync),
    progress: &mut dyn FnMut(&Totals),
) -> (Finish, Totals) {
    let schedule = Mutex::new(Schedule { waiting: entrants, ..Schedule::default() });
    let changed = Condvar::new();
    std::thread::scope(|scope| {
        let mut started = 0;
        for _ in 0..threads.max(1) {
            let spawned = std::thread::Builder::new()
                .name("search".into())
                .spawn_scoped(scope, || work(&schedule, &changed, halt, shared, threads > 1, &mut |_| ()));
            started += usize::from(spawned.is_ok());
        }
        if started == 0 {
            // The system gives no thread: run on this one, as a browser does, and report between slices.
            let mut last = Instant::now();
            work(&schedule, &changed, halt, shared, false, &mut |totals| {
                if last.elapsed() >= PROGRESS_INTERVAL {
                    progress(totals);
                    last = Instant::now();
                }
            });
        }
        let mut guard = lock(&schedule);
        while guard.finish.is_none() || guard.running > 0 {
            guard = changed.wait_timeout(guard, PROGRESS_INTERVAL).unwrap_or_else(PoisonError::into_inner).0;
            let totals = guard.totals;
            drop(guard);
            progress(&totals);
            guard = lock(&schedule);
        }
    });
    let schedule = schedule.into_inner().unwrap_or_else(PoisonError::into_inner);
    (schedule.finish.unwrap_or(Finish::Halted), schedule.totals)
}

/// The loop of one thread: take an entrant, run a slice, put it back, tell the totals.
fn work<'g>(
    schedule: &Mutex<Schedule<'g>>,
    changed: &Condvar,
    halt: &Halt,
    shared: &(dyn Fn() -> usize + Sync),
    by_clock: bool,
    after_slice: &mut dyn FnMut(&Totals),
) {
    let allowed = halt.budget().limits().memory.map(allowance);
    loop {
        let mut guard = lock(schedule);
        let mut entrant = loop {
            if guard.finish.is_some() {
                return;
            }
            let next = (0..guard.waiting.len()).min_by_key(|&place| guard.waiting[place].used);
            if let Some(next) = next {
                break guard.waiting.remove(next);
            }
            if guard.running == 0 {
                let finish = if guard.incomplete { Finish::Memory } else { Finish::Spent };
                end(&mut guard, finish, halt, changed);
                return;
            }
            guard = changed.wait(guard).unwrap_or_else(PoisonError::into_inner);
        };
        guard.running += 1;
        drop(guard);

        let work = entrant.slice.work;
        let begin = by_clock.then(Instant::now);
        let before = entrant.strategy.figures();
        let slice = catch_unwind(AssertUnwindSafe(|| entrant.strategy.run(work, halt)));
        let slice = slice.unwrap_or_else(|panic| {
            // End the race, so that no thread waits for this one, and pass the panic on.
            let mut guard = lock(schedule);
            guard.running -= 1;
            end(&mut guard, Finish::Halted, halt, changed);
            drop(guard);
            resume_unwind(panic)
        });
        entrant.charge(work, begin.map(|begin| begin.elapsed()));
        let after = entrant.strategy.figures();
        let is_over = matches!(slice, SliceEnd::Spent | SliceEnd::OutOfMemory);
        let held = if is_over { 0 } else { entrant.strategy.bytes() };
        let name = entrant.strategy.name();

        let mut guard = lock(schedule);
        guard.running -= 1;
        guard.totals.figures = guard.totals.figures.plus(after.minus(before));
        guard.held = guard.held - entrant.held + held;
        entrant.held = held;
        let all = guard.held + shared();
        guard.totals.peak_bytes = guard.totals.peak_bytes.max(all);
        match slice {
            SliceEnd::Solved(pushes) => end(&mut guard, Finish::Solved(pushes, name), halt, changed),
            // What a strategy says that lacked positions means nothing.
            _ if halt.nodes().is_exhausted() => end(&mut guard, Finish::Nodes, halt, changed),
            SliceEnd::Unsolvable => end(&mut guard, Finish::Unsolvable(name), halt, changed),
            SliceEnd::Spent => {}
            SliceEnd::OutOfMemory => guard.incomplete = true,
            SliceEnd::Open if halt.is_requested() => end(&mut guard, Finish::Halted, halt, changed),
            SliceEnd::Open => {
                guard.waiting.push(entrant);
                if allowed.is_some_and(|allowed| all > allowed) && !free_memory(&mut guard) {
                    end(&mut guard, Finish::Memory, halt, changed);
                }
            }
        }
        changed.notify_all();
        let totals = guard.totals;
        drop(guard);
        after_slice(&totals);
    }
}

/// The waiting strategy that holds most frees what it can do without, or is dropped; false if it was the last one.
fn free_memory(schedule: &mut Schedule<'_>) -> bool {
    let Some(largest) = (0..schedule.waiting.len()).max_by_key(|&place| schedule.waiting[place].held) else {
        return schedule.running > 0;
    };
    let entrant = &mut schedule.waiting[largest];
    schedule.incomplete = true;
    if entrant.strategy.free_memory() {
        let held = entrant.strategy.bytes();
        schedule.totals.figures.forgot += 1;
        schedule.held = schedule.held - entrant.held + held;
        entrant.held = held;
        return true;
    }
    schedule.held -= entrant.held;
    schedule.waiting.remove(largest);
    schedule.totals.dropped += 1;
    schedule.running > 0 || !schedule.waiting.is_empty()
}

/// Records the first finish and stops all strategies.
fn end(schedule: &mut Schedule<'_>, finish: Finish, halt: &Halt, changed: &Condvar) {
    schedule.finish.get_or_insert(finish);
    halt.request();
    changed.notify_all();
}
