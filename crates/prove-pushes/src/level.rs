//! The work on one level: which limit, which tables, when, and what is left of it.

use crate::alternation::Alternation;
use crate::beam::{Beam, Beamed};
use crate::checkpoint::Journal;
use crate::control::{Control, Halt};
use crate::expand::Expander;
use crate::forecast::forecast;
use crate::key::Key;
use crate::knowledge::Table;
use crate::neighbourhood::Neighbourhood;
use crate::proof::{LayerSearch, LayerStep, Means};
use crate::record::{LimitEnd, LimitRecord, StartRecord};
use crate::rerun::Unconfirmed;
use crate::scene::Scene;
use crate::schedule::BoundSchedule;
use crate::two_sided::{Progress, TwoSided};
use crate::{FoundCheckpoints, Nearby, Options, ProofOutcome, Prover, checkpoint, record, retrace, schedule};
use lurd_rules::dense::board::{DenseBoard, Side};
use lurd_rules::{Board, Push};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Microseconds an expansion takes, about, and as long again for what is done by turns with the proof.
const EXPANSION: u64 = 2 * 3;

/// Microseconds of tables that are worth their time at once.
const AT_ONCE: u64 = 5_000;

/// The share of the time left that a table may take.
const TABLE_SHARE: u32 = 3;

/// A limit so many times as large as the one that would do now is begun anew.
const WORTH_A_NEW_LIMIT: f64 = 3.0;

/// The work on one level.
pub(super) struct LevelProver<K, const L: usize, const G: usize> {
    pub(super) scene: Scene<K, L, G>,
    /// By side, one for each thread.
    expanders: [Vec<Expander<L, G>>; 2],
    /// The bound of the start, raised to the parity of all solutions; `None` when the start is dead.
    pub(super) root: Option<u32>,
    pub(super) lower: u32,
    /// The limit under way. The tables stay as they are until it is exhausted or given up for a stronger one.
    pub(super) search: Option<TwoSided<K>>,
    /// The other of two limits that are searched by turns.
    turns: Alternation<K>,
    /// No solution has so few pushes, as complete layers have shown.
    exhausted: u32,
    /// Positions expanded in complete layers: when tables are made depends on this alone, so on the level alone.
    pub(super) spent: u64,
    /// The tables made so far.
    pub(super) tables: Vec<Table>,
    pub(super) records: Vec<LimitRecord>,
    /// The start when its bound last raised what is proved.
    pub(super) start: StartRecord,
    pub(super) ladder: BoundSchedule,
    journal: Option<Journal>,
    /// How long the complete layers of this run took, and how many positions they were made from.
    pace: (Duration, u64),
}

impl<K: Key, const L: usize, const G: usize> LevelProver<K, L, G> {
    pub(super) fn new(dense: &Arc<DenseBoard>, options: Options) -> Option<Self> {
        let scene = Scene::new(dense, options)?;
        let expanders = |side| (0..options.threads).map(|_| Expander::new(&scene, side)).collect();
        let expanders = [expanders(Side::Forward), expanders(Side::Backward)];
        let mut level = Self {
            scene,
            expanders,
            root: Some(0),
            lower: 0,
            search: None,
            turns: Alternation::default(),
            exhausted: 0,
            spent: 0,
            tables: Vec::new(),
            records: Vec::new(),
            start: StartRecord { tables: Vec::new(), bound: Some(0) },
            ladder: BoundSchedule::default(),
            journal: None,
            pace: (Duration::ZERO, 0),
        };
        level.look_at_root();
        Some(level)
    }

    /// Bounds the start anew.
    fn look_at_root(&mut self) {
        if self.scene.board.is_hopeless() {
            self.root = None;
            self.start.bound = None;
            return;
        }
        let (boxes, zone) = self.scene.start();
        let bound = self.scene.bound(Side::Forward, boxes, zone);
        // Every push changes the colour of one square on the chequered board.
        let colour = |square: &u16| self.scene.board.colour(usize::from(*square));
        let parity = self.scene.board.starts().iter().chain(self.scene.board.goals()).map(colour).sum::<u32>() % 2;
        self.root = bound.map(|bound| bound + (bound + parity) % 2);
        if self.root.is_none_or(|root| root > self.lower) {
            self.start = StartRecord { tables: record::names(&self.tables), bound: self.root };
            self.lower = self.lower.max(self.root.unwrap_or(0));
        }
    }

    /// The table that is due: it costs no more than what was spent so far. What can never be made is refused.
    fn table_due(&mut self, control: &Control<'_>) -> Option<Table> {
        loop {
            let (table, cost) = self.scene.next_table()?;
            if self.scene.options.eager {
                return Some(table);
            }
            if cost > (self.spent * EXPANSION).max(AT_ONCE) {
                return None;
            }
            let threads = self.scene.options.threads as u64;
            let left = control.budget().limits().time.map(|time| time.saturating_sub(control.budget().elapsed()));
            let too_long = left.is_some_and(|left| u128::from(cost / threads) > (left / TABLE_SHARE).as_micros());
            // The layers of the limit under way go when a table is made.
            let layers = self.search.as_ref().map_or(0, TwoSided::bytes);
            if !too_long && control.fits(self.scene.table_bytes(table).saturating_sub(layers)) {
                return Some(table);
            }
            self.scene.refuse(table);
        }
    }

    /// Makes the tables that are due.
    pub(super) fn strengthen(&mut self, control: &Control<'_>) {
        while let Some(table) = self.table_due(control) {
            self.make(table, control);
            if control.halt().is_some() {
                return;
            }
        }
    }

    /// Makes a table.
    pub(super) fn make(&mut self, table: Table, control: &Control<'_>) {
        let helpers = control.helpers().min(self.scene.options.threads - 1);
        if self.scene.strengthen(table, helpers + 1, &|| control.halt().is_some()) {
            self.tables.push(table);
        }
        control.set_tables(self.bytes(), self.bytes() + self.scene.table_bytes(table));
        self.look_at_root();
    }

    /// Bytes of all tables, and of what the threads have kept beside them.
    fn bytes(&self) -> usize {
        self.scene.bytes() + self.expanders.iter().flatten().map(|expander| expander.walls.bytes()).sum::<usize>()
    }

    /// Goes on with the limit under way until a layer is complete or something ends it.
    pub(super) fn advance(&mut self, last: u64, control: &Control<'_>, tick: &mut dyn FnMut()) -> Progress<K> {
        let Some(search) = &mut self.search else { return Progress::Capped };
        let scene = &self.scene;
        let [expanders, others] = &mut self.expanders;
        let disk = self.journal.as_ref().map(|journal| &journal.disk);
        let (near, strict) = (None, scene.options.strict);
        let progress = search.advance(&mut Means { scene, expanders, control, tick, near, strict, disk, last }, others);
        control.set_tables(self.bytes(), self.bytes());
        progress
    }

    /// Says what the limit under way is expected to cost.
    fn foretell(&self, control: &Control<'_>) {
        if let Some(search) = &self.search {
            let rate = self.pace.1 as f64 / self.pace.0.as_secs_f64().max(1e-9);
            control.set_forecast(forecast(
                search.limit(),
                [&search.forward.digests, &search.backward.digests],
                &self.records,
                rate,
            ));
        }
    }

    /// What the layers so far prove. Where the work is to be the same another time it goes on to its end, whatever
    /// solutions are found meanwhile.
    fn note_depth(&mut self, control: &Control<'_>) {
        if let Some(search) = self.search.as_ref().filter(|_| !self.scene.options.strict) {
            self.exhausted = self.exhausted.max(search.exhausted());
            self.lower = self.lower.max(self.exhausted + 2);
            control.raise(self.lower);
        }
    }

    /// Which of two limits goes on, where the work need not be the same another time: the next one of the ladder, or the
    /// last that matters, just below the best solution. Whichever ends first ends the proof or raises what is proved.
    fn take_turns(&mut self, control: &Control<'_>) {
        let Some(upper) = control.upper().filter(|_| !self.scene.options.strict) else { return };
        let last = upper.saturating_sub(2);
        // Only one limit is left to search: two of it would do the same work twice.
        if last <= self.lower {
            self.turns.unite(&mut self.search, last, control);
        }
        // The last limit has overtaken the ladder, so that will not end first.
        if self.turns.is_direct && self.search.as_ref().is_some_and(|search| search.exhausted() + 2 >= self.lower) {
            self.turns.settle(control);
        }
        self.turns.next(&mut self.search);
        let outdated = |search: &TwoSided<K>| match self.turns.is_direct {
            // Solutions became shorter, and not much would be lost, or much is won.
            true => {
                let saved = schedule::ratio(&self.records, last, search.limit());
                search.limit() > last
                    && (last <= self.lower || 4 * search.positions() < self.spent || saved > WORTH_A_NEW_LIMIT)
            }
            // Raised past it, or a step too long: what is to be shown ends below the best solution.
            false => search.limit() < self.lower || search.limit() > last.max(self.lower),
        };
        if self.search.as_ref().is_some_and(outdated) {
            self.leave(control);
        }
        // When memory is short one limit at a time is enough.
        let likely = self.search.as_ref().map_or(0, |search| 4 * search.last_bytes());
        if !control.fits(likely) {
            self.turns.leave(control);
        }
    }

    /// The next limit to search.
    fn next_limit(&mut self, control: &Control<'_>) -> u32 {
        let upper = control.upper().filter(|_| !self.scene.options.strict);
        match upper {
            Some(upper) if self.turns.is_direct => upper.saturating_sub(2).max(self.lower),
            _ => self.ladder.next(self.lower, upper, &self.records),
        }
    }

    /// Records the limit under way, which has come to its end.
    fn record(&mut self, ended: LimitEnd) {
        if let Some(search) = &self.search {
            self.records.push(LimitRecord::new(search, &self.tables, ended, self.lower));
        }
    }

    /// Ends the limit under way.
    pub(super) fn leave(&mut self, control: &Control<'_>) {
        if let Some(search) = self.search.take() {
            search.release(control);
        }
    }

    /// A shortest solution: the ways from a position met by both ends to the start and to the solved board. Layers that
    /// were let go are made again, as often as it takes.
    pub(super) fn shortest(
        &mut self,
        key: K,
        length: u32,
        control: &Control<'_>,
        tick: &mut dyn FnMut(),
    ) -> ProofOutcome {
        let Some(search) = self.search.take() else { return ProofOutcome::Capped };
        let limit = search.limit();
        let behind = search.backward.depth();
        let depths = [length as usize - behind, behind];
        let ways = [Side::Forward, Side::Backward]
            .map(|side| retrace::retrace(&self.scene, search.side(side), depths[side as usize], key, control));
        let roots = [search.forward.root, search.backward.root];
        search.release(control);
        let mut pushes = Vec::new();
        for (side, way) in [Side::Forward, Side::Backward].into_iter().zip(ways) {
            let Some(mut way) = way else { return ProofOutcome::Length(length) };
            while way.from > 0 {
                if control.upper() == Some(length) {
                    return ProofOutcome::Length(length);
                }
                let root = roots[side as usize];
                let Some(more) =
                    self.remade(LayerSearch::new(&self.scene, side, limit, root, control), &way, control, tick)
                else {
                    return ProofOutcome::Length(length);
                };
                (way.from, way.key) = (more.from, more.key);
                way.pushes = match side {
                    Side::Forward => [more.pushes, way.pushes].concat(),
                    Side::Backward => [way.pushes, more.pushes].concat(),
                };
            }
            pushes.append(&mut way.pushes);
        }
        ProofOutcome::Shortest(pushes)
    }

    /// Makes the layers of one side again up to where a way was lost, and goes on with it.
    fn remade(
        &mut self,
        mut search: LayerSearch<K>,
        way: &retrace::Way<K>,
        control: &Control<'_>,
        tick: &mut dyn FnMut(),
    ) -> Option<retrace::Way<K>> {
        let (scene, expanders) = (&self.scene, &mut self.expanders[search.side as usize][..]);
        let disk = self.journal.as_ref().map(|journal| &journal.disk);
        let (near, strict, last) = (None, scene.options.strict, u64::MAX);
        let mut means = Means { scene, expanders, control, tick, near, strict, disk, last };
        while search.depth() < way.from {
            if search.advance(&mut means) != LayerStep::Layer {
                search.release(control);
                return None;
            }
        }
        let more = retrace::retrace(&self.scene, &search, way.from, way.key, control);
        search.release(control);
        more.filter(|more| more.from < way.from)
    }
}

impl<K: Key, const L: usize, const G: usize> Prover for LevelProver<K, L, G> {
    fn lower(&self) -> u32 {
        self.lower
    }

    fn reason(&self) -> String {
        if self.exhausted > 0 && self.lower == self.exhausted + 2 {
            return exhausted_words(self.exhausted);
        }
        match self.records.last().map(|record| (record.ended, record.at_least)) {
            Some((LimitEnd::Exhausted, lower)) if self.lower == lower => exhausted_words(lower.saturating_sub(2)),
            Some((LimitEnd::Solved, _)) => "nothing shorter was met before it".into(),
            Some((LimitEnd::Unsolvable, _)) => "every position was searched".into(),
            _ => format!("{} at the start", self.scene.knowledge(Side::Forward).bound_name()),
        }
    }

    fn prove(&mut self, most: u64, control: &Control<'_>, tick: &mut dyn FnMut()) -> ProofOutcome {
        let last = control.expanded().saturating_add(most);
        loop {
            if self.search.is_none() {
                self.strengthen(control);
            }
            let Some(root) = self.root else { return ProofOutcome::Unsolvable };
            if self.scene.start().0 == self.scene.goals {
                return ProofOutcome::Shortest(Vec::new());
            }
            control.raise(self.lower);
            if control.is_met() {
                return ProofOutcome::Proved;
            }
            if let Some(halt) = control.halt() {
                return ProofOutcome::Halted(halt);
            }
            let begun = Instant::now();
            self.take_turns(control);
            if self.search.is_none() {
                let limit = self.next_limit(control);
                self.search = Some(TwoSided::new(&self.scene, limit, root, control));
            }
            self.foretell(control);
            let before = self.search.as_ref().map_or(0, TwoSided::positions);
            let progress = self.advance(last, control, tick);
            self.pace.0 += begun.elapsed();
            match progress {
                Progress::Layer => {
                    // The new layer is not expanded yet, but the one before it was.
                    let expanded = self.search.as_ref().map_or(0, TwoSided::positions) - before;
                    self.spent += expanded;
                    self.turns.count(expanded);
                    self.pace.1 += expanded;
                    self.note_depth(control);
                    let search = self.search.as_ref().filter(|_| !self.turns.is_direct);
                    let climbed = self.spent - self.turns.direct();
                    if self.ladder.is_too_long(search, &self.records, climbed) {
                        self.leave(control);
                    } else if self.scene.options.strict {
                        // A record is of one set of tables: the limit begins anew.
                        if self.table_due(control).is_some() {
                            self.leave(control);
                        }
                    } else {
                        self.strengthen(control);
                    }
                    if self.journal.as_ref().is_some_and(Journal::is_due) {
                        self.checkpoint(false, control);
                    }
                }
                Progress::Met(key, length) => {
                    // A limit that raises nothing is no part of the proof.
                    if length > self.lower {
                        self.lower = length;
                        self.record(LimitEnd::Solved);
                    }
                    return self.shortest(key, length, control, tick);
                }
                Progress::Exhausted => {
                    self.lower = self.lower.max(self.search.as_ref().map_or(0, |search| search.limit() + 2));
                    self.record(LimitEnd::Exhausted);
                    self.leave(control);
                }
                Progress::Unsolvable => {
                    self.record(LimitEnd::Unsolvable);
                    self.leave(control);
                    return ProofOutcome::Unsolvable;
                }
                Progress::Capped => return ProofOutcome::Capped,
                Progress::Halted(Halt::Met) => return ProofOutcome::Proved,
                Progress::Halted(halt) => return ProofOutcome::Halted(halt),
            }
        }
    }

    fn search_near(
        &mut self,
        board: &Board,
        pushes: &[Push],
        astray: u32,
        most: u64,
        control: &Control<'_>,
        tick: &mut dyn FnMut(),
    ) -> Nearby {
        if self.search.is_none() {
            self.strengthen(control);
        }
        let (Some(root), Some(near)) = (self.root, Neighbourhood::new(&self.scene, board, pushes, astray)) else {
            return Nearby::Nothing { all: false };
        };
        let limit = (pushes.len() as u32).saturating_sub(2);
        if root > limit {
            return Nearby::Nothing { all: true };
        }
        let last = control.expanded().saturating_add(most);
        let mut search = LayerSearch::new(&self.scene, Side::Forward, limit, root, control);
        let (scene, expanders) = (&self.scene, &mut self.expanders[Side::Forward as usize][..]);
        let mut means = Means { scene, expanders, control, tick, near: Some(&near), strict: false, disk: None, last };
        let found = loop {
            break match search.advance(&mut means) {
                LayerStep::Layer => continue,
                LayerStep::Solved(key) => match retrace::retrace(scene, &search, search.layers.len(), key, control) {
                    Some(way) if way.from == 0 => Nearby::Shorter(way.pushes),
                    _ => Nearby::Halted,
                },
                LayerStep::Empty => Nearby::Nothing { all: !search.far },
                LayerStep::Capped => Nearby::Capped,
                LayerStep::Halted(_) => Nearby::Halted,
            };
        };
        search.release(control);
        found
    }

    fn search_beam(
        &mut self,
        limit: u32,
        width: usize,
        lot: u64,
        most: u64,
        control: &Control<'_>,
        tick: &mut dyn FnMut(),
    ) -> Beamed {
        if self.search.is_none() {
            self.strengthen(control);
        }
        if self.root.is_none_or(|root| root > limit) {
            return Beamed::Nothing;
        }
        // Each lot is tried from both ends.
        let side = if lot.is_multiple_of(2) { Side::Backward } else { Side::Forward };
        let beam = Beam { limit, side, width, seed: lot / 2, last: control.expanded().saturating_add(most) };
        beam.search(&self.scene, &mut self.expanders, control, tick)
    }

    fn key_bytes(&self) -> usize {
        size_of::<K>()
    }

    fn keep(&mut self, journal: Journal, found: FoundCheckpoints, control: &Control<'_>) -> Vec<String> {
        let notes = self.take_up(&journal, found, control);
        journal.disk.sweep();
        self.journal = Some(journal);
        notes
    }

    fn checkpoint(&mut self, over: bool, control: &Control<'_>) {
        if over {
            self.leave(control);
        }
        let Some(journal) = &mut self.journal else { return };
        let (lower, tables) = (self.lower, record::names(&self.tables));
        let (start, limits) = (&self.start, &self.records[..]);
        let (spent, longest) = (self.spent, self.ladder.longest);
        let proved = checkpoint::Proved { lower, start, tables, spent, longest, limits };
        journal.write(&proved, self.search.as_mut(), control);
    }

    fn records(&self) -> &[LimitRecord] {
        &self.records
    }

    fn start(&self) -> &StartRecord {
        &self.start
    }

    fn confirm_start(&mut self, start: &StartRecord, control: &Control<'_>) -> Result<(), Unconfirmed> {
        Self::confirm_start(self, start, control)
    }

    fn confirm(
        &mut self,
        record: &LimitRecord,
        control: &Control<'_>,
        tick: &mut dyn FnMut(),
    ) -> Result<(), Unconfirmed> {
        Self::confirm(self, record, control, tick)
    }
}

fn exhausted_words(exhausted: u32) -> String {
    format!("every way of up to {exhausted} pushes was exhausted")
}
