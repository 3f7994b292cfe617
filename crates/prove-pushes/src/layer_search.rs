//! Breadth-first heuristic search (Zhou and Hansen 2006) from one end: every position that may lie on a solution within
//! the push limit, layer by layer.
//!
//! A position is kept if its depth plus its bound is within the limit. Breadth-first order reaches each position at its
//! least depth first, so nothing is reopened even though the bound is not consistent; and if the layers run empty, no
//! solution is within the limit.
//!
//! A push changes the colour of the box's square on the chequered board, so a position is reached again only after an
//! even number of pushes. Let it be reached at depth `d` and again at depth `e`, both times within the limit. If `d` plus
//! its bound is at least the bound of the root, then `e - d` is at most the limit minus the bound of the root. (If not, it
//! may be expanded twice, which costs time and no soundness.) So a new layer is compared with some earlier layers only,
//! as in frontier search (Korf, Zhang, Thayer and Hohwald 2005); older ones are retained for the reconstruction of the
//! solution as long as memory allows.
//!
//! A search can be interrupted at any moment and continued: positions are expanded in the order of their keys, so the last
//! key that is done and the runs so far say all about an unfinished layer. A position that is expanded twice changes
//! nothing, because duplicates are removed. The contents of a layer depend on the level, the tables, the
//! limit and the number of compared layers alone: not on threads, pauses or the order of the work.

use crate::checkpoint::Journal;
use crate::control::{Control, Halt};
use crate::digest::LayerRecord;
use crate::disk::{Disk, DiskError};
use crate::expand::Expander;
use crate::key::Key;
use crate::layer::{Destination, Layer, MergeInput, MergeOptions, Merged};
use crate::model::Model;
use crate::neighbourhood::Neighbourhood;
use lurd_base::sync::lock;
use lurd_rules::dense::board::Side;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Positions that a thread takes at a time.
const UNIT: usize = 64;

/// Keys in a run; small in tests, because their levels are.
pub(crate) const RUN: usize = if cfg!(test) { 1 << 10 } else { 1 << 15 };

/// Layers smaller than this are expanded by one thread.
const WORTH_THREADS: usize = 2_000;

/// A new layer is written to disk, if there is one, when it may exceed this share of the memory.
const LARGE_LAYER: usize = 3;

/// How a call of [`LayerSearch::advance`] ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum LayerStep<K> {
    /// One more layer is complete.
    Layer,
    /// A solved position was generated for the next layer.
    Solved(K),
    /// The last layer is empty.
    Empty,
    /// The layer is unfinished, and a checkpoint is due.
    CheckpointDue,
    ExpansionLimit,
    Halted(Halt),
}

impl<K> LayerStep<K> {
    /// The reason why an unfinished layer was interrupted.
    pub(crate) fn interrupted(control: &Control<'_>) -> Self {
        control.halt().map_or(Self::ExpansionLimit, Self::Halted)
    }
}

/// What a search works with.
pub(crate) struct SearchContext<'a, K, const L: usize, const G: usize> {
    pub(crate) model: &'a Model<K, L, G>,
    pub(crate) expanders: &'a mut [Expander<L, G>],
    /// Called now and then on the calling thread.
    pub(crate) tick: &'a mut dyn FnMut(),
    /// The search is restricted to this neighbourhood.
    pub(crate) neighbourhood: Option<&'a Neighbourhood<L>>,
    /// The search pauses at about this total of expansions.
    pub(crate) expansion_limit: u64,
    pub(crate) means: Means<'a>,
}

/// Where a search keeps its layers, and with how many threads it merges them.
#[derive(Clone, Copy)]
pub(crate) struct Means<'a> {
    pub(crate) control: &'a Control<'a>,
    /// Takes layers and runs when memory is short.
    pub(crate) disk: Option<&'a Arc<Disk>>,
    /// Layers needed for duplicate detection are never freed, so that layers can be reproduced.
    pub(crate) reproducible: bool,
    pub(crate) threads: usize,
    /// Lack of memory ends this search alone, not the proof.
    pub(crate) optional: bool,
    /// Says when the search is interrupted for a checkpoint.
    pub(crate) journal: Option<&'a Journal>,
}

impl<'a> Means<'a> {
    /// Layers stay in memory.
    pub(crate) fn in_memory(control: &'a Control<'a>, threads: usize) -> Self {
        Self { control, disk: None, reproducible: false, threads, optional: false, journal: None }
    }
}

/// The layers of one push limit, from one end.
pub(crate) struct LayerSearch<K> {
    pub(crate) side: Side,
    /// The most pushes of a solution.
    pub(crate) limit: u32,
    /// The bound of the root.
    pub(crate) root: u32,
    /// By depth; freed layers are empty.
    pub(crate) layers: Vec<Layer<K>>,
    /// The digests of all layers, freed or not.
    pub(crate) digests: Vec<LayerRecord>,
    /// The first layer that is not freed.
    pub(crate) first_retained: usize,
    /// Whether the limit, or the neighbourhood, pruned any position.
    pub(crate) limit_pruned: bool,
    pub(crate) neighbourhood_pruned: bool,
    pub(crate) pending: PendingLayer<K>,
}

/// The next layer while the last one is expanded.
pub(crate) struct PendingLayer<K> {
    /// The positions up to this key are expanded.
    pub(crate) done: Option<K>,
    /// Sorted keys.
    pub(crate) runs: Vec<Vec<K>>,
    pub(crate) disk_runs: Vec<Layer<K>>,
    /// The digests of the runs on disk.
    pub(crate) digests: Vec<LayerRecord>,
}

impl<K: Key> PendingLayer<K> {
    pub(crate) fn none() -> Self {
        Self { done: None, runs: Vec::new(), disk_runs: Vec::new(), digests: Vec::new() }
    }

    pub(crate) fn keys(&self) -> usize {
        self.runs.iter().map(Vec::len).sum::<usize>() + self.disk_runs.iter().map(Layer::len).sum::<usize>()
    }

    pub(crate) fn bytes(&self) -> usize {
        self.runs.iter().map(|run| run.capacity() * size_of::<K>()).sum()
    }
}

/// How far the expansion of a layer came.
enum Expansion<K> {
    All,
    Solved(K),
    /// Memory is too short for more runs.
    Full,
    Paused,
    CheckpointDue,
    /// The number of threads to use has changed.
    Regroup,
    /// The layer could not be read.
    Failed(DiskError),
}

impl<K: Key> LayerSearch<K> {
    /// A search with the first layer only.
    pub(crate) fn new<const L: usize, const G: usize>(
        model: &Model<K, L, G>,
        side: Side,
        limit: u32,
        root: u32,
        control: &Control<'_>,
    ) -> Self {
        let roots = model.roots(side);
        let digest = LayerRecord::of(&roots);
        let first = Layer::from_sorted(roots);
        control.allocate(first.bytes());
        Self { layers: vec![first], digests: vec![digest], ..Self::empty(side, limit, root, false) }
    }

    pub(crate) fn empty(side: Side, limit: u32, root: u32, limit_pruned: bool) -> Self {
        Self {
            side,
            limit,
            root,
            layers: Vec::new(),
            digests: Vec::new(),
            first_retained: 0,
            limit_pruned,
            neighbourhood_pruned: false,
            pending: PendingLayer::none(),
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.layers.last().is_none_or(|layer| layer.len() == 0)
    }

    /// The depth of the last complete layer.
    pub(crate) fn depth(&self) -> usize {
        self.layers.len() - 1
    }

    /// How many earlier layers, every other one, a new layer is compared with.
    pub(crate) fn compared(&self) -> usize {
        self.limit.saturating_sub(self.root) as usize / 2 + 1
    }

    pub(crate) fn bytes(&self) -> usize {
        self.layers.iter().map(Layer::bytes).sum::<usize>() + self.pending.bytes()
    }

    pub(crate) fn release(self, control: &Control<'_>) {
        control.release(self.bytes());
    }

    /// Completes the next layer.
    pub(crate) fn advance<const L: usize, const G: usize>(
        &mut self,
        context: &mut SearchContext<'_, K, L, G>,
    ) -> LayerStep<K> {
        let means = context.means;
        let control = means.control;
        if self.is_empty() {
            return LayerStep::Empty;
        }
        loop {
            match self.expand(context) {
                Expansion::All => break,
                Expansion::Regroup => {}
                Expansion::Solved(key) => return LayerStep::Solved(key),
                Expansion::Full if self.relieve_memory(&means) => {}
                Expansion::Full => return Self::out_of_memory(&means),
                Expansion::Paused => return LayerStep::interrupted(control),
                Expansion::CheckpointDue => return LayerStep::CheckpointDue,
                Expansion::Failed(error) => return Self::disk_failed(&error, &means),
            }
        }
        let (layer, digest) = match self.next_layer(&means) {
            Ok(Some(merged)) => merged,
            Ok(None) => return control.halt().map_or_else(|| Self::out_of_memory(&means), LayerStep::Halted),
            Err(error) => return Self::disk_failed(&error, &means),
        };
        control.count_duplicates(self.pending.keys() - layer.len());
        control.release(self.pending.bytes());
        self.pending = PendingLayer::none();
        control.allocate(layer.bytes());
        self.layers.push(layer);
        self.digests.push(digest);
        control.note_stored(self.layers.iter().map(Layer::len).sum());
        LayerStep::Layer
    }

    /// Merges the runs into a layer, in memory or on disk. `None` if memory is short or the merge was stopped.
    fn next_layer(&mut self, means: &Means<'_>) -> Merged<K> {
        // The new layer is at most as large as the runs.
        let bytes = self.pending.keys() * size_of::<K>();
        let large = means.control.memory_limit().is_some_and(|memory| bytes > memory / LARGE_LAYER);
        if (means.disk.is_none() || !large) && self.make_room(bytes, means) {
            return self.merge_runs(None, means);
        }
        let Some(disk) = means.disk else {
            return if self.compact_runs(means) { self.merge_runs(None, means) } else { Ok(None) };
        };
        loop {
            match self.merge_runs(Some(Destination { disk, prefix: "layer" }), means) {
                Err(error) if error.full && self.delete_oldest() => {}
                other => return other,
            }
        }
    }

    /// The merged runs without the keys of earlier layers.
    pub(crate) fn merge_runs(&self, to: Option<Destination<'_>>, means: &Means<'_>) -> Merged<K> {
        let new = self.layers.len();
        let earlier: Vec<&Layer<K>> =
            (1..=self.compared()).map_while(|step| self.layers.get(new.checked_sub(2 * step)?)).collect();
        let input = MergeInput { runs: &self.pending.runs, disk_runs: &self.pending.disk_runs, earlier: &earlier };
        self.merge(&input, to, means)
    }

    pub(crate) fn merge(&self, input: &MergeInput<'_, K>, to: Option<Destination<'_>>, means: &Means<'_>) -> Merged<K> {
        let control = means.control;
        Layer::merge(
            input,
            &MergeOptions { threads: self.merging_threads(means), stop: &|| control.halt().is_some(), to },
        )
    }

    /// How many threads merge the runs.
    pub(crate) fn merging_threads(&self, means: &Means<'_>) -> usize {
        let helpers = means.control.helpers().min(means.threads - 1);
        if self.pending.keys() < WORTH_THREADS { 1 } else { helpers + 1 }
    }

    /// Expands the rest of the last layer.
    fn expand<const L: usize, const G: usize>(&mut self, context: &mut SearchContext<'_, K, L, G>) -> Expansion<K> {
        let (model, control, neighbourhood) = (context.model, context.means.control, context.neighbourhood);
        let (expansion_limit, journal) = (context.expansion_limit, context.means.journal);
        let layer = &self.layers[self.depth()];
        // The depth of the children is the number of layers.
        let slack = (self.limit as usize).saturating_sub(self.layers.len()) as u32;
        let units = layer.units_after(self.pending.done, UNIT);
        let (next, cut) = (AtomicUsize::new(0), AtomicUsize::new(usize::MAX));
        let (found, full, regroup) = (AtomicBool::new(false), AtomicBool::new(false), AtomicBool::new(false));
        let due = AtomicBool::new(false);
        let (limit_pruned, neighbourhood_pruned) = (AtomicBool::new(false), AtomicBool::new(false));
        // Bytes of all runs: merging needs as much again.
        let in_runs = AtomicUsize::new(self.pending.bytes());
        let results: Mutex<(Vec<Vec<K>>, Option<K>)> = Mutex::new((Vec::new(), None));
        let failure: Mutex<Option<DiskError>> = Mutex::new(None);
        let most = if layer.len() < WORTH_THREADS { 0 } else { context.expanders.len() - 1 };
        let helpers = control.helpers().min(most);
        let buffers = 2 * (helpers + 1) * RUN * size_of::<K>();
        let work = |expander: &mut Expander<L, G>, tick: &mut dyn FnMut()| {
            let mut out: Vec<K> = Vec::new();
            let mut runs = Vec::new();
            let mut solved = None;
            let mut space = Vec::new();
            let mut nodes = control.nodes().share();
            loop {
                // A unit is expanded to its end once taken, so all units before the next one are done, unless the
                // limit on positions is reached.
                let unit = next.fetch_add(1, Ordering::Relaxed);
                if unit >= units.len() {
                    break;
                }
                match units.get(unit, &mut space) {
                    Ok(keys) => {
                        for &key in keys {
                            solved = solved.or(expander.expand(model, key, slack, neighbourhood, &mut nodes, &mut out));
                        }
                    }
                    Err(error) => {
                        lock(&failure).get_or_insert(error);
                        full.store(true, Ordering::Relaxed);
                    }
                }
                if control.nodes().is_exhausted() {
                    // Children may be missing: the unit is not done.
                    cut.fetch_min(unit, Ordering::Relaxed);
                }
                limit_pruned.fetch_or(expander.counts.limit > 0, Ordering::Relaxed);
                neighbourhood_pruned.fetch_or(expander.counts.outside_neighbourhood > 0, Ordering::Relaxed);
                control.count(&mut expander.counts);
                tick();
                if solved.is_some() {
                    found.store(true, Ordering::Relaxed);
                }
                if out.len() >= RUN {
                    let run = run(std::mem::take(&mut out), control);
                    let bytes = run.capacity() * size_of::<K>();
                    let in_runs = in_runs.fetch_add(bytes, Ordering::Relaxed) + bytes;
                    runs.push(run);
                    if !control.fits(in_runs + buffers) {
                        full.store(true, Ordering::Relaxed);
                    }
                }
                if control.helpers().min(most) != helpers {
                    regroup.store(true, Ordering::Relaxed);
                }
                if journal.is_some_and(Journal::is_due_within_layer) {
                    due.store(true, Ordering::Relaxed);
                }
                let ends = [&found, &full, &regroup, &due].iter().any(|flag| flag.load(Ordering::Relaxed));
                if ends || control.halt().is_some() || control.expanded() >= expansion_limit {
                    break;
                }
            }
            runs.push(run(out, control));
            let mut results = lock(&results);
            results.0.append(&mut runs);
            results.1 = results.1.or(solved);
        };
        std::thread::scope(|threads| {
            let (first, rest) = context.expanders.split_at_mut(1);
            for expander in &mut rest[..helpers] {
                threads.spawn(|| work(expander, &mut || ()));
            }
            work(&mut first[0], context.tick);
        });
        let (mut runs, solved) = results.into_inner().unwrap_or_else(PoisonError::into_inner);
        let (next, all) = (next.into_inner().min(cut.into_inner()).min(units.len()), units.len());
        self.pending.done = next.checked_sub(1).and_then(|last| units.last(last)).or(self.pending.done);
        self.pending.runs.append(&mut runs);
        self.pending.runs.retain(|run| !run.is_empty());
        self.limit_pruned |= limit_pruned.into_inner();
        self.neighbourhood_pruned |= neighbourhood_pruned.into_inner();
        if let Some(error) = failure.into_inner().unwrap_or_else(PoisonError::into_inner) {
            return Expansion::Failed(error);
        }
        match solved {
            Some(key) => Expansion::Solved(key),
            None if next == all => Expansion::All,
            None if full.into_inner() => Expansion::Full,
            None if control.halt().is_some() || control.expanded() >= expansion_limit => Expansion::Paused,
            None if due.into_inner() => Expansion::CheckpointDue,
            None if regroup.into_inner() => Expansion::Regroup,
            None => Expansion::Paused,
        }
    }
}

/// Turns the keys that a thread has generated into a sorted run.
fn run<K: Key>(mut keys: Vec<K>, control: &Control<'_>) -> Vec<K> {
    keys.sort_unstable();
    let emitted = keys.len();
    keys.dedup();
    keys.shrink_to_fit();
    control.count_duplicates(emitted - keys.len());
    control.allocate(keys.capacity() * size_of::<K>());
    keys
}
