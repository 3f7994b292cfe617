//! The proof of one level: which push limit comes next, which tables are built and when, and how the result is assembled.

use crate::alternation::Alternation;
use crate::beam::BeamSearch;
use crate::bidirectional::{BidirectionalSearch, BidirectionalStep};
use crate::checkpoint::{Checkpoint, Journal};
use crate::control::{Control, Halt};
use crate::expand::Expander;
use crate::forecast::forecast;
use crate::key::Key;
use crate::layer_search::{LayerSearch, LayerStep, Means, SearchContext};
use crate::model::Model;
use crate::neighbourhood::Neighbourhood;
use crate::reconstruct::{PathSegment, reconstruct};
use crate::record::{LimitEnd, LimitRecord, StartRecord, names};
use crate::schedule::{BoundSchedule, ratio};
use crate::tables::Table;
use crate::{FoundCheckpoints, Options, PartialOutcome, ProofOutcome, Prover, Turn};
use lurd_base::clock::Instant;
use lurd_rules::dense::board::{DenseBoard, Side};
use lurd_rules::{Board, Push};
use std::sync::Arc;
use std::time::Duration;

/// Microseconds of an expansion, doubled for the searches that alternate with the proof.
const EXPANSION: u64 = 2 * 3;

/// Tables that cost at most so many microseconds are built at once.
const AT_ONCE: u64 = 5_000;

/// A table may take this share of the remaining time.
const TABLE_SHARE: u32 = 3;

/// A search is restarted with a lower limit if that is predicted to cost so many times less.
const WORTH_A_RESTART: f64 = 3.0;

pub(crate) struct LevelProver<K, const L: usize, const G: usize> {
    pub(crate) model: Model<K, L, G>,
    /// By side, one for each thread.
    pub(crate) expanders: [Vec<Expander<L, G>>; 2],
    /// The bound of the start, rounded up to the parity of all solutions; `None` if the start is dead.
    pub(crate) root: Option<u32>,
    pub(crate) lower: u32,
    /// The search of the current push limit.
    pub(crate) search: Option<BidirectionalSearch<K>>,
    /// The other of two push limits that alternate.
    alternation: Alternation<K>,
    /// Complete layers rule out solutions of this many pushes or fewer.
    exhausted: u32,
    /// Positions expanded in complete layers. When tables are built depends on this alone, so on the level alone.
    pub(crate) spent: u64,
    pub(crate) tables: Vec<Table>,
    pub(crate) records: Vec<LimitRecord>,
    /// The start when its bound last raised the lower bound.
    pub(crate) start: StartRecord,
    pub(crate) schedule: BoundSchedule,
    pub(crate) journal: Option<Journal>,
    /// A checkpoint could not be restored in full, and stays as it is.
    pub(crate) is_half_restored: bool,
    /// Time and positions of the complete layers of this run.
    rate: (Duration, u64),
}

impl<K: Key, const L: usize, const G: usize> LevelProver<K, L, G> {
    pub(crate) fn new(dense: &Arc<DenseBoard>, options: Options) -> Option<Self> {
        let model = Model::new(dense, options)?;
        let expanders = |side| (0..options.threads).map(|_| Expander::new(&model, side)).collect();
        let expanders = [expanders(Side::Forward), expanders(Side::Backward)];
        let mut level = Self {
            model,
            expanders,
            root: Some(0),
            lower: 0,
            search: None,
            alternation: Alternation::default(),
            exhausted: 0,
            spent: 0,
            tables: Vec::new(),
            records: Vec::new(),
            start: StartRecord { tables: Vec::new(), bound: Some(0) },
            schedule: BoundSchedule::default(),
            journal: None,
            is_half_restored: false,
            rate: (Duration::ZERO, 0),
        };
        level.bound_start();
        Some(level)
    }

    /// Bounds the start with the current tables.
    fn bound_start(&mut self) {
        if self.model.board.is_hopeless() {
            self.root = None;
            self.start.bound = None;
            return;
        }
        let (boxes, zone) = self.model.start();
        let bound = self.model.bound(Side::Forward, boxes, zone);
        // Every push changes the colour of one square on the chequered board.
        let colour = |square: &u16| self.model.board.colour(usize::from(*square));
        let parity = self.model.board.starts().iter().chain(self.model.board.goals()).map(colour).sum::<u32>() % 2;
        self.root = bound.map(|bound| bound + (bound + parity) % 2);
        if self.root.is_none_or(|root| root > self.lower) {
            self.start = StartRecord { tables: names(&self.tables), bound: self.root };
            self.lower = self.lower.max(self.root.unwrap_or(0));
        }
    }

    /// The table that is due: it costs no more than the search so far. A table that time or memory forbid is rejected.
    fn table_due(&mut self, control: &Control<'_>) -> Option<Table> {
        loop {
            let (table, cost) = self.model.next_table()?;
            if self.model.options.eager {
                return Some(table);
            }
            if cost > (self.spent * EXPANSION).max(AT_ONCE) {
                return None;
            }
            let threads = self.model.options.threads as u64;
            // A proof with checkpoints goes on in another run, whatever time is left of this one.
            let time = control.budget().limits().time.filter(|_| self.journal.is_none());
            let left = time.map(|time| time.saturating_sub(control.budget().elapsed()));
            let too_long = left.is_some_and(|left| u128::from(cost / threads) > (left / TABLE_SHARE).as_micros());
            // The layers of the current search can be freed for a table.
            let layers = self.search.as_ref().map_or(0, BidirectionalSearch::bytes);
            if !too_long && control.fits(self.model.table_bytes(table).saturating_sub(layers)) {
                return Some(table);
            }
            self.model.reject(table);
        }
    }

    pub(crate) fn build_due_tables(&mut self, control: &Control<'_>) {
        while let Some(table) = self.table_due(control) {
            self.build_table(table, control);
            if control.halt().is_some() {
                return;
            }
        }
    }

    /// Builds a table and bounds the start with it.
    pub(crate) fn build_table(&mut self, table: Table, control: &Control<'_>) {
        let helpers = control.helpers().min(self.model.options.threads - 1);
        if self.model.build(table, helpers + 1, &|| control.halt().is_some()) {
            self.tables.push(table);
        }
        control.set_tables(self.bytes(), self.bytes() + self.model.table_bytes(table));
        self.bound_start();
    }

    /// Bytes of the tables and of the distance caches of the threads.
    fn bytes(&self) -> usize {
        let caches = self.expanders.iter().flatten().map(|expander| expander.frozen_walls.bytes());
        self.model.bytes() + caches.sum::<usize>()
    }

    /// Continues the current search until a layer is complete or it is interrupted.
    pub(crate) fn advance(
        &mut self,
        expansion_limit: u64,
        control: &Control<'_>,
        tick: &mut dyn FnMut(),
    ) -> BidirectionalStep<K> {
        let Some(search) = &mut self.search else { return BidirectionalStep::ExpansionLimit };
        let (model, [expanders, others]) = (&self.model, &mut self.expanders);
        let journal = self.journal.as_ref();
        let means = Means { journal, ..means(&model.options, journal, control) };
        let mut context = SearchContext { model, expanders, tick, neighbourhood: None, expansion_limit, means };
        let step = search.advance(&mut context, others);
        control.set_tables(self.bytes(), self.bytes());
        step
    }

    fn update_forecast(&self, control: &Control<'_>) {
        if let Some(search) = &self.search {
            let rate = self.rate.1 as f64 / self.rate.0.as_secs_f64().max(1e-9);
            control.set_forecast(forecast(
                search.limit(),
                [&search.forward.digests, &search.backward.digests],
                &self.records,
                rate,
            ));
        }
    }

    /// Raises the lower bound by the complete layers. A reproducible search is completed instead, whatever solutions are
    /// found meanwhile.
    fn raise_from_layers(&mut self, control: &Control<'_>) {
        if let Some(search) = self.search.as_ref().filter(|_| !self.model.options.reproducible) {
            self.exhausted = self.exhausted.max(search.exhausted());
            self.lower = self.lower.max(self.exhausted + 2);
            control.raise_lower(self.lower);
        }
    }

    /// Selects the limit to continue, in a search that need not be reproducible: the next one of the schedule, or the
    /// final one, just below the best solution. Whichever ends first ends the proof or raises the lower bound.
    fn alternate(&mut self, control: &Control<'_>) {
        let Some(upper) = control.upper().filter(|_| !self.model.options.reproducible) else { return };
        let final_limit = upper.saturating_sub(2);
        // Only one limit is left.
        if final_limit <= self.lower {
            self.alternation.merge(&mut self.search, final_limit, control);
        }
        // The final limit has overtaken the schedule, which therefore cannot end first.
        if self.alternation.is_final && self.search.as_ref().is_some_and(|search| search.exhausted() + 2 >= self.lower)
        {
            self.alternation.end_schedule(control);
        }
        self.alternation.next(&mut self.search);
        let outdated = |search: &BidirectionalSearch<K>| match self.alternation.is_final {
            // A shorter solution was found, and restarting loses little or saves much.
            true => {
                let saved = ratio(&self.records, final_limit, search.limit());
                search.limit() > final_limit
                    && (final_limit <= self.lower || 4 * search.positions() < self.spent || saved > WORTH_A_RESTART)
            }
            // The lower bound has passed the limit, or the limit is not below the best solution any more.
            false => search.limit() < self.lower || search.limit() > final_limit.max(self.lower),
        };
        if self.search.as_ref().is_some_and(outdated) {
            self.drop_search(control);
        }
        // When memory is short, only one limit is searched.
        let likely = self.search.as_ref().map_or(0, |search| 4 * search.last_bytes());
        if !control.fits(likely) {
            self.alternation.drop_waiting(control);
        }
    }

    fn next_limit(&mut self, control: &Control<'_>) -> u32 {
        let upper = control.upper().filter(|_| !self.model.options.reproducible);
        match upper {
            Some(upper) if self.alternation.is_final => upper.saturating_sub(2).max(self.lower),
            _ => self.schedule.next(self.lower, upper, &self.records),
        }
    }

    /// A checkpoint of what is proved, without the current search.
    pub(crate) fn proved(&self, control: &Control<'_>) -> Checkpoint {
        Checkpoint {
            lower: self.lower,
            solution: control.solution(),
            start: self.start.clone(),
            tables: names(&self.tables),
            spent: self.spent,
            longest: self.schedule.longest,
            limits: self.records.clone(),
            ..Checkpoint::default()
        }
    }

    /// Records the current push limit, whose search has ended.
    fn record(&mut self, ended: LimitEnd) {
        if let Some(search) = &self.search {
            self.records.push(LimitRecord::new(search, &self.tables, ended, self.lower));
        }
    }

    fn checkpoint_if_due(&mut self, control: &Control<'_>) {
        if self.journal.as_ref().is_some_and(Journal::is_due) {
            self.checkpoint(false, control);
        }
    }

    pub(crate) fn drop_search(&mut self, control: &Control<'_>) {
        if let Some(search) = self.search.take() {
            search.release(control);
        }
    }
}

impl<K: Key, const L: usize, const G: usize> Prover for LevelProver<K, L, G> {
    fn lower(&self) -> u32 {
        self.lower
    }

    fn reason(&self) -> String {
        if self.exhausted > 0 && self.lower == self.exhausted + 2 {
            return exhausted_text(self.exhausted);
        }
        match self.records.last().map(|record| (record.ended, record.at_least)) {
            Some((LimitEnd::Exhausted, lower)) if self.lower == lower => exhausted_text(lower.saturating_sub(2)),
            Some((LimitEnd::Solved, _)) => "all shorter lengths were ruled out before the solution was found".into(),
            Some((LimitEnd::Unsolvable, _)) => "every position was searched".into(),
            _ => format!("{} at the start", self.model.tables(Side::Forward).bound_name()),
        }
    }

    fn prove(&mut self, expansions: u64, control: &Control<'_>, tick: &mut dyn FnMut()) -> ProofOutcome {
        let expansion_limit = control.expanded().saturating_add(expansions);
        loop {
            control.raise_lower(self.lower);
            if control.bounds_met() {
                return ProofOutcome::BoundsMet;
            }
            if let Some(halt) = control.halt() {
                return ProofOutcome::Halted(halt);
            }
            if self.search.is_none() {
                self.build_due_tables(control);
            }
            let Some(root) = self.root else { return ProofOutcome::Unsolvable };
            if self.model.start().0 == self.model.goals {
                return ProofOutcome::Optimal(Vec::new());
            }
            control.raise_lower(self.lower);
            if control.bounds_met() {
                return ProofOutcome::BoundsMet;
            }
            if let Some(halt) = control.halt() {
                return ProofOutcome::Halted(halt);
            }
            let begun = Instant::now();
            self.alternate(control);
            if self.search.is_none() {
                let limit = self.next_limit(control);
                self.search = Some(BidirectionalSearch::new(&self.model, limit, root, control));
            }
            self.update_forecast(control);
            let before = self.search.as_ref().map_or(0, BidirectionalSearch::positions);
            let step = self.advance(expansion_limit, control, tick);
            self.rate.0 += begun.elapsed();
            match step {
                BidirectionalStep::Layer => {
                    // The new layer is not expanded yet; it stands for the one that was.
                    let expanded = self.search.as_ref().map_or(0, BidirectionalSearch::positions) - before;
                    self.spent += expanded;
                    self.alternation.count(expanded);
                    self.rate.1 += expanded;
                    self.raise_from_layers(control);
                    let search = self.search.as_ref().filter(|_| !self.alternation.is_final);
                    let of_schedule = self.spent - self.alternation.final_work();
                    if self.schedule.is_too_long(search, &self.records, of_schedule) {
                        self.drop_search(control);
                    } else if self.model.options.reproducible {
                        // All layers of a record use the same tables, so the limit is restarted.
                        if self.table_due(control).is_some() {
                            self.drop_search(control);
                        }
                    } else {
                        self.build_due_tables(control);
                    }
                    self.checkpoint_if_due(control);
                }
                BidirectionalStep::CheckpointDue => self.checkpoint_if_due(control),
                BidirectionalStep::Met(key, length) => {
                    // A limit that does not raise the lower bound is not part of the proof.
                    if length > self.lower {
                        self.lower = length;
                        self.record(LimitEnd::Solved);
                    }
                    return self.reconstruct_solution(key, length, control, tick);
                }
                BidirectionalStep::Exhausted => {
                    self.lower = self.lower.max(self.search.as_ref().map_or(0, |search| search.limit() + 2));
                    self.record(LimitEnd::Exhausted);
                    self.drop_search(control);
                }
                BidirectionalStep::Unsolvable => {
                    self.record(LimitEnd::Unsolvable);
                    self.drop_search(control);
                    return ProofOutcome::Unsolvable;
                }
                BidirectionalStep::ExpansionLimit => {
                    self.checkpoint_if_due(control);
                    return ProofOutcome::ExpansionLimit;
                }
                BidirectionalStep::Halted(Halt::BoundsMet) => return ProofOutcome::BoundsMet,
                BidirectionalStep::Halted(halt) => return ProofOutcome::Halted(halt),
            }
        }
    }

    fn search_neighbourhood(
        &mut self,
        board: &Board,
        given: &[Push],
        deviation: u32,
        turn: Turn<'_>,
    ) -> PartialOutcome {
        let (control, expansion_limit) = (turn.control, turn.expansion_limit());
        if self.search.is_none() {
            self.build_due_tables(control);
        }
        let neighbourhood = Neighbourhood::new(&self.model, board, given, deviation);
        let (Some(root), Some(neighbourhood)) = (self.root, neighbourhood) else {
            return PartialOutcome::Nothing { complete: false };
        };
        let limit = (given.len() as u32).saturating_sub(2);
        if root > limit {
            return PartialOutcome::Nothing { complete: true };
        }
        let mut search = LayerSearch::new(&self.model, Side::Forward, limit, root, control);
        let (model, expanders) = (&self.model, &mut self.expanders[Side::Forward as usize][..]);
        let mut context = SearchContext {
            model,
            expanders,
            tick: turn.tick,
            neighbourhood: Some(&neighbourhood),
            expansion_limit,
            means: Means { optional: true, ..Means::in_memory(control, model.options.threads) },
        };
        let outcome = loop {
            break match search.advance(&mut context) {
                LayerStep::Layer => continue,
                LayerStep::Solved(key) => reconstruct(model, &search, search.layers.len(), key, control)
                    .and_then(PathSegment::complete)
                    .map_or(PartialOutcome::Halted, PartialOutcome::Found),
                LayerStep::Empty => PartialOutcome::Nothing { complete: !search.neighbourhood_pruned },
                LayerStep::CheckpointDue | LayerStep::ExpansionLimit => PartialOutcome::ExpansionLimit,
                LayerStep::Halted(_) => PartialOutcome::Halted,
            };
        };
        search.release(control);
        outcome
    }

    fn search_beam(&mut self, limit: u32, width: usize, seed: u64, turn: Turn<'_>) -> PartialOutcome {
        let control = turn.control;
        if self.search.is_none() {
            self.build_due_tables(control);
        }
        if self.root.is_none_or(|root| root > limit) {
            return PartialOutcome::Nothing { complete: false };
        }
        let side = if seed.is_multiple_of(2) { Side::Backward } else { Side::Forward };
        let end = |side| LayerSearch::new(&self.model, side, limit, limit, control);
        let search = BeamSearch {
            model: &self.model,
            expanders: &mut self.expanders,
            control,
            expansion_limit: turn.expansion_limit(),
            tick: turn.tick,
            width,
            seed: seed / 2,
            beam: end(side),
            full: end(side.opposite()),
        };
        search.run()
    }

    fn key_bytes(&self) -> usize {
        size_of::<K>()
    }

    fn resume(&mut self, journal: Journal, found: FoundCheckpoints, control: &Control<'_>) -> Vec<String> {
        let notes = self.restore_best(&journal, found, control);
        journal.disk.remove_unreferenced();
        self.journal = Some(journal);
        notes
    }

    fn checkpoint(&mut self, finished: bool, control: &Control<'_>) {
        if finished {
            self.drop_search(control);
        }
        let proved = self.proved(control);
        let Some(journal) = self.journal.as_mut().filter(|_| !self.is_half_restored) else { return };
        journal.write(proved, self.search.as_mut(), control);
        if finished {
            journal.clean_up();
        }
    }

    fn records(&self) -> &[LimitRecord] {
        &self.records
    }

    fn start(&self) -> &StartRecord {
        &self.start
    }
}

/// The means of a search that is part of the proof.
pub(crate) fn means<'a>(options: &Options, journal: Option<&'a Journal>, control: &'a Control<'a>) -> Means<'a> {
    let disk = journal.map(|journal| &journal.disk);
    Means { disk, reproducible: options.reproducible, ..Means::in_memory(control, options.threads) }
}

fn exhausted_text(exhausted: u32) -> String {
    format!("exhaustive search found no solution of up to {exhausted} pushes")
}
