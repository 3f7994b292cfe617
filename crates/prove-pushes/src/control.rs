//! Budget, counters and bounds of one proof, shared by all its threads.

use crate::checkpoint::KnownSolution;
use crate::expand::Counts;
use crate::forecast::Forecast;
use lurd_base::sync::lock;
use lurd_base::{Budget, NodePool, Stop};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, AtomicUsize, Ordering};

/// Why the work ends early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Halt {
    /// A limit of the budget was reached.
    Limit(Stop),
    Cancelled,
    BoundsMet,
}

#[derive(Debug)]
pub struct Control<'a> {
    budget: &'a Budget,
    counts: Mutex<Counts>,
    expanded: AtomicU64,
    generated: AtomicU64,
    duplicates: AtomicU64,
    /// Bytes of layers and runs, and of tables.
    held: AtomicUsize,
    tables: AtomicUsize,
    peak: AtomicUsize,
    /// Peak number of positions in layers and runs.
    stored: AtomicUsize,
    full: AtomicBool,
    /// Whether memory and disk are full.
    disk_full: AtomicBool,
    /// Proved lower bound, and length of the best solution.
    lower: AtomicU32,
    upper: AtomicU32,
    /// Threads that may work beside the proving thread.
    helpers: AtomicUsize,
    /// The best solution, for checkpoints.
    solution: Mutex<Option<KnownSolution>>,
    forecast: Mutex<Option<Forecast>>,
    notes: Mutex<Vec<String>>,
}

impl<'a> Control<'a> {
    pub fn new(budget: &'a Budget) -> Self {
        Self {
            budget,
            counts: Mutex::new(Counts::default()),
            expanded: AtomicU64::new(0),
            generated: AtomicU64::new(0),
            duplicates: AtomicU64::new(0),
            held: AtomicUsize::new(0),
            tables: AtomicUsize::new(0),
            peak: AtomicUsize::new(0),
            stored: AtomicUsize::new(0),
            full: AtomicBool::new(false),
            disk_full: AtomicBool::new(false),
            lower: AtomicU32::new(0),
            upper: AtomicU32::new(u32::MAX),
            helpers: AtomicUsize::new(usize::MAX),
            solution: Mutex::default(),
            forecast: Mutex::default(),
            notes: Mutex::default(),
        }
    }

    pub fn budget(&self) -> &'a Budget {
        self.budget
    }

    /// Whether the work must end, and why. Reads the clock.
    pub fn halt(&self) -> Option<Halt> {
        if self.bounds_met() {
            Some(Halt::BoundsMet)
        } else if self.budget.cancel().is_cancelled() {
            Some(Halt::Cancelled)
        } else if self.budget.out_of_time() {
            Some(Halt::Limit(Stop::Time))
        } else if self.full.load(Ordering::Relaxed) {
            let disk = self.disk_full.load(Ordering::Relaxed);
            Some(Halt::Limit(if disk { Stop::Disk } else { Stop::Memory }))
        } else if self.nodes().is_exhausted() {
            Some(Halt::Limit(Stop::Nodes))
        } else {
            None
        }
    }

    /// Why work that has stopped must end.
    pub fn interruption(&self) -> Halt {
        self.halt().unwrap_or(Halt::Cancelled)
    }

    /// No solution has fewer pushes.
    pub fn lower(&self) -> u32 {
        self.lower.load(Ordering::Relaxed)
    }

    pub fn raise_lower(&self, lower: u32) {
        self.lower.fetch_max(lower, Ordering::Relaxed);
    }

    /// The length of the best solution.
    pub fn upper(&self) -> Option<u32> {
        Some(self.upper.load(Ordering::Relaxed)).filter(|&upper| upper != u32::MAX)
    }

    pub fn reduce_upper(&self, upper: u32) {
        self.upper.fetch_min(upper, Ordering::Relaxed);
    }

    /// Whether the best solution is proved to be a shortest.
    pub fn bounds_met(&self) -> bool {
        self.lower.load(Ordering::Relaxed) >= self.upper.load(Ordering::Relaxed)
    }

    pub fn helpers(&self) -> usize {
        self.helpers.load(Ordering::Relaxed)
    }

    pub fn set_helpers(&self, helpers: usize) {
        self.helpers.store(helpers, Ordering::Relaxed);
    }

    /// Adds the counts of a thread and resets them.
    pub fn count(&self, counts: &mut Counts) {
        self.expanded.fetch_add(counts.expanded, Ordering::Relaxed);
        self.generated.fetch_add(counts.generated, Ordering::Relaxed);
        lock(&self.counts).add(counts);
        *counts = Counts::default();
    }

    pub fn count_duplicates(&self, number: usize) {
        self.duplicates.fetch_add(number as u64, Ordering::Relaxed);
    }

    pub fn expanded(&self) -> u64 {
        self.expanded.load(Ordering::Relaxed)
    }

    pub fn generated(&self) -> u64 {
        self.generated.load(Ordering::Relaxed)
    }

    /// The positions that may still be generated, by whichever engine.
    pub fn nodes(&self) -> &NodePool {
        self.budget.nodes()
    }

    pub fn duplicates(&self) -> u64 {
        self.duplicates.load(Ordering::Relaxed)
    }

    pub fn counts(&self) -> Counts {
        *lock(&self.counts)
    }

    pub fn allocate(&self, bytes: usize) {
        let held = self.held.fetch_add(bytes, Ordering::Relaxed) + bytes;
        self.peak.fetch_max(held + self.tables.load(Ordering::Relaxed), Ordering::Relaxed);
    }

    pub fn release(&self, bytes: usize) {
        self.held.fetch_sub(bytes, Ordering::Relaxed);
    }

    /// Sets the bytes of the tables, and their peak during construction.
    pub fn set_tables(&self, bytes: usize, while_built: usize) {
        self.tables.store(bytes, Ordering::Relaxed);
        self.peak.fetch_max(self.held.load(Ordering::Relaxed) + bytes.max(while_built), Ordering::Relaxed);
    }

    /// Bytes of layers, runs and tables.
    pub fn bytes(&self) -> usize {
        self.held.load(Ordering::Relaxed) + self.tables.load(Ordering::Relaxed)
    }

    /// Whether `more` bytes fit within the memory limit.
    pub fn fits(&self, more: usize) -> bool {
        self.bytes() + more <= self.budget.allowance()
    }

    /// Nothing is left to free: the work ends.
    pub fn set_memory_full(&self) {
        self.full.store(true, Ordering::Relaxed);
    }

    /// Neither memory nor disk has room: the work ends.
    pub fn set_disk_full(&self) {
        self.disk_full.store(true, Ordering::Relaxed);
        self.set_memory_full();
    }

    pub fn memory_limit(&self) -> Option<usize> {
        self.budget.limits().memory
    }

    pub fn set_solution(&self, lurd: &str, source: &str) {
        let solution = KnownSolution { lurd: lurd.to_owned(), source: source.to_owned() };
        *lock(&self.solution) = Some(solution);
    }

    pub fn solution(&self) -> Option<KnownSolution> {
        lock(&self.solution).clone()
    }

    pub fn set_forecast(&self, forecast: Forecast) {
        *lock(&self.forecast) = Some(forecast);
    }

    pub fn forecast(&self) -> Option<Forecast> {
        *lock(&self.forecast)
    }

    /// Whether the current push limit decides the proof and is expected to be completed in time: then no other work is
    /// worth a thread.
    pub fn expects_to_finish(&self) -> bool {
        let left = self.budget.limits().time.map(|time| time.saturating_sub(self.budget.elapsed()).as_secs_f64());
        self.forecast().zip(self.upper()).is_some_and(|(forecast, upper)| {
            let in_time = |seconds| left.is_none_or(|left| seconds < left);
            forecast.limit + 2 >= upper && forecast.seconds.is_some_and(in_time)
        })
    }

    /// Adds a note for the report, unless it is there already.
    pub fn add_note(&self, note: String) {
        let mut notes = lock(&self.notes);
        if !notes.contains(&note) {
            notes.push(note);
        }
    }

    pub fn take_notes(&self) -> Vec<String> {
        std::mem::take(&mut lock(&self.notes))
    }

    pub fn peak(&self) -> usize {
        self.peak.load(Ordering::Relaxed)
    }

    pub fn note_stored(&self, positions: usize) {
        self.stored.fetch_max(positions, Ordering::Relaxed);
    }

    pub fn peak_stored(&self) -> usize {
        self.stored.load(Ordering::Relaxed)
    }
}
