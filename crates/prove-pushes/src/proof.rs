//! One limit: every position that may lie on a solution of at most so many pushes, layer by layer, from one end.
//!
//! A position is kept when the pushes that led to it and the bound of those to come are within the limit. Going by
//! layers each position is met with the fewest pushes first, so nothing is ever taken up again, however
//! the bound jumps; and a limit within which the layers run empty is one no solution keeps.
//!
//! A push changes the colour of a box's square on the chequered board, so a position met again is met an even number
//! of pushes later; and as the bound of the start rises by two with each limit, it can come again within the limit only
//! after as many pushes as limit and bound are apart (unless the bound falls below that of the
//! start, which costs some positions twice and no proof). So only some layers back need be compared; older ones are
//! kept for the way back as long as memory allows.
//!
//! A search can be left at any moment and taken up again. What a layer holds depends on the level, the tables, the limit
//! and how many layers are compared, and on nothing else: not on threads, pauses or the order of the work.

use crate::control::{Control, Halt};
use crate::digest::Digest;
use crate::disk::{Disk, Fault};
use crate::expand::Expander;
use crate::key::Key;
use crate::layer::{Layer, Making, Parts};
use crate::neighbourhood::Neighbourhood;
use crate::scene::Scene;
use lurd_rules::dense::board::Side;
use lurd_search::sync::lock;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Positions a thread takes at a time.
const TAKEN: usize = 64;

/// Keys in a run; tests have small levels.
pub(super) const RUN: usize = if cfg!(test) { 1 << 10 } else { 1 << 15 };

/// Layers smaller than this are expanded by one thread.
const WORTH_THREADS: usize = 2_000;

/// A new layer goes to disk, where there is one, when it might take more than this share of the memory.
const LARGE_LAYER: usize = 3;

/// How a stretch of work under one limit ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum LayerStep<K> {
    /// One layer more is complete.
    Layer,
    /// A solved position was met in the layer after the last complete one.
    Solved(K),
    /// The last layer is empty: nothing is left.
    Empty,
    /// So many positions as were allowed have been expanded.
    Capped,
    /// A limit or somebody ended it.
    Halted(Halt),
}

/// What a search works with.
pub(crate) struct Means<'a, 'c, K, const L: usize, const G: usize> {
    pub(crate) scene: &'a Scene<K, L, G>,
    pub(crate) expanders: &'a mut [Expander<L, G>],
    pub(crate) control: &'a Control<'c>,
    /// Called now and then by the calling thread.
    pub(crate) tick: &'a mut dyn FnMut(),
    /// The neighbourhood to stay in.
    pub(crate) near: Option<&'a Neighbourhood<L>>,
    /// Whether all layers that are to be compared must be, so that the layers can be reproduced.
    pub(crate) strict: bool,
    /// Where layers and runs go when memory is short.
    pub(crate) disk: Option<&'a Arc<Disk>>,
    /// How many positions may have been expanded in all when the work pauses, about.
    pub(crate) last: u64,
}

/// The layers of one limit.
pub(crate) struct LayerSearch<K> {
    pub(crate) side: Side,
    /// Pushes that a solution may have.
    pub(crate) limit: u32,
    /// The bound of the position it starts from.
    pub(crate) root: u32,
    /// By pushes; layers let go are empty.
    pub(crate) layers: Vec<Layer<K>>,
    /// What the layers held, let go or not.
    pub(crate) digests: Vec<Digest>,
    /// The first layer still held.
    pub(crate) held_from: usize,
    /// Whether anything lay beyond the limit, or outside the neighbourhood.
    pub(crate) beyond: bool,
    pub(crate) far: bool,
    pub(super) pending: Pending<K>,
}

/// What is done of the last layer's expansion.
pub(super) struct Pending<K> {
    /// The first unit not yet expanded.
    next: usize,
    /// Sorted keys of the layer to come.
    pub(super) runs: Vec<Vec<K>>,
    /// Runs on disk.
    pub(super) filed: Vec<Layer<K>>,
}

impl<K: Key> Pending<K> {
    fn none() -> Self {
        Self { next: 0, runs: Vec::new(), filed: Vec::new() }
    }

    pub(super) fn keys(&self) -> usize {
        self.runs.iter().map(Vec::len).sum::<usize>() + self.filed.iter().map(Layer::len).sum::<usize>()
    }

    pub(super) fn bytes(&self) -> usize {
        self.runs.iter().map(|run| run.capacity() * size_of::<K>()).sum()
    }
}

/// How far the expansion of a layer came.
enum Expansion<K> {
    All,
    Solved(K),
    /// There is no room for more runs.
    Full,
    /// Something ended it for now.
    Paused,
    /// There are more threads to be had, or fewer.
    Regroup,
    /// The layer could not be read.
    Fault(Fault),
}

impl<K: Key> LayerSearch<K> {
    /// A search that has not begun.
    pub(crate) fn new<const L: usize, const G: usize>(
        scene: &Scene<K, L, G>,
        side: Side,
        limit: u32,
        root: u32,
        control: &Control<'_>,
    ) -> Self {
        let roots = scene.roots(side);
        let digest = Digest::of(&roots);
        let first = Layer::of(roots);
        control.hold(first.bytes());
        Self { layers: vec![first], digests: vec![digest], ..Self::bare(side, limit, root, false) }
    }

    /// A search without any layers yet.
    pub(crate) fn bare(side: Side, limit: u32, root: u32, beyond: bool) -> Self {
        Self {
            side,
            limit,
            root,
            layers: Vec::new(),
            digests: Vec::new(),
            held_from: 0,
            beyond,
            far: false,
            pending: Pending::none(),
        }
    }

    /// Whether nothing is left.
    pub(crate) fn is_empty(&self) -> bool {
        self.layers.last().is_none_or(|layer| layer.len() == 0)
    }

    /// The number of pushes that lead to the last complete layer.
    pub(crate) fn depth(&self) -> usize {
        self.layers.len() - 1
    }

    /// How many layers, every other one back from a new one, are compared with it.
    pub(crate) fn compared(&self) -> usize {
        self.limit.saturating_sub(self.root) as usize / 2 + 1
    }

    /// Bytes held.
    pub(crate) fn bytes(&self) -> usize {
        self.layers.iter().map(Layer::bytes).sum::<usize>() + self.pending.bytes()
    }

    /// Gives back what is held.
    pub(crate) fn release(self, control: &Control<'_>) {
        control.release(self.bytes());
    }

    /// Makes the next layer.
    pub(crate) fn advance<const L: usize, const G: usize>(
        &mut self,
        means: &mut Means<'_, '_, K, L, G>,
    ) -> LayerStep<K> {
        let control = means.control;
        if self.is_empty() {
            return LayerStep::Empty;
        }
        loop {
            match self.expand(means) {
                Expansion::All => break,
                Expansion::Regroup => {}
                Expansion::Solved(key) => return LayerStep::Solved(key),
                Expansion::Full if self.relieve(means) => {}
                Expansion::Full => return self.full(means),
                Expansion::Paused => return control.halt().map_or(LayerStep::Capped, LayerStep::Halted),
                Expansion::Fault(fault) => return self.broken(&fault, means),
            }
        }
        let (layer, digest) = match self.next_layer(means) {
            Ok(Some(made)) => made,
            Ok(None) => return control.halt().map_or_else(|| self.full(means), LayerStep::Halted),
            Err(fault) => return self.broken(&fault, means),
        };
        control.count_duplicates(self.pending.keys() - layer.len());
        control.release(self.pending.bytes());
        self.pending = Pending::none();
        control.hold(layer.bytes());
        self.layers.push(layer);
        self.digests.push(digest);
        control.store(self.layers.iter().map(Layer::len).sum());
        LayerStep::Layer
    }

    /// Joins what was generated into a layer, in memory or on disk. `None` if there is no room or it is told to stop.
    fn next_layer<const L: usize, const G: usize>(
        &mut self,
        means: &Means<'_, '_, K, L, G>,
    ) -> Result<Option<(Layer<K>, Digest)>, Fault> {
        // The new layer is at most as large as the runs.
        let bytes = self.pending.keys() * size_of::<K>();
        let large = means.control.memory().is_some_and(|memory| bytes > memory / LARGE_LAYER);
        if (means.disk.is_none() || !large) && self.make_room(bytes, means) {
            return self.merged(None, means);
        }
        let Some(disk) = means.disk else {
            return if self.join(means) { self.merged(None, means) } else { Ok(None) };
        };
        loop {
            match self.merged(Some((disk, "layer", true)), means) {
                Err(fault) if fault.full && self.discard_oldest() => {}
                other => return other,
            }
        }
    }

    /// The runs joined, without what is in earlier layers. `None` if told to stop.
    pub(super) fn merged<const L: usize, const G: usize>(
        &self,
        to: Option<(&Arc<Disk>, &'static str, bool)>,
        means: &Means<'_, '_, K, L, G>,
    ) -> Result<Option<(Layer<K>, Digest)>, Fault> {
        let new = self.layers.len();
        let earlier: Vec<&Layer<K>> =
            (1..=self.compared()).filter_map(|step| self.layers.get(new.checked_sub(2 * step)?)).collect();
        let parts = Parts { runs: &self.pending.runs, filed: &self.pending.filed, earlier: &earlier };
        self.make(&parts, to, means)
    }

    pub(super) fn make<const L: usize, const G: usize>(
        &self,
        parts: &Parts<'_, K>,
        to: Option<(&Arc<Disk>, &'static str, bool)>,
        means: &Means<'_, '_, K, L, G>,
    ) -> Result<Option<(Layer<K>, Digest)>, Fault> {
        let control = means.control;
        let helpers = control.helpers().min(means.expanders.len() - 1);
        let threads = if self.pending.keys() < WORTH_THREADS { 1 } else { helpers + 1 };
        Layer::merged(parts, &Making { threads, stop: &|| control.halt().is_some(), to })
    }

    /// Expands what is left of the last layer.
    fn expand<const L: usize, const G: usize>(&mut self, means: &mut Means<'_, '_, K, L, G>) -> Expansion<K> {
        let (scene, control, near, last) = (means.scene, means.control, means.near, means.last);
        let layer = &self.layers[self.depth()];
        // The depth of the children is the number of layers; every position beyond the limit was cut before.
        let slack = (self.limit as usize).saturating_sub(self.layers.len()) as u32;
        let units = layer.units(TAKEN);
        let next = AtomicUsize::new(self.pending.next);
        let (found, full, regroup) = (AtomicBool::new(false), AtomicBool::new(false), AtomicBool::new(false));
        let (beyond, far) = (AtomicBool::new(false), AtomicBool::new(false));
        // What all runs take: as much again is needed when they are joined.
        let in_runs = AtomicUsize::new(self.pending.bytes());
        let results: Mutex<(Vec<Vec<K>>, Option<K>)> = Mutex::new((Vec::new(), None));
        let fault: Mutex<Option<Fault>> = Mutex::new(None);
        let most = if layer.len() < WORTH_THREADS { 0 } else { means.expanders.len() - 1 };
        let helpers = control.helpers().min(most);
        let batches = 2 * (helpers + 1) * RUN * size_of::<K>();
        let work = |expander: &mut Expander<L, G>, tick: &mut dyn FnMut()| {
            let mut out: Vec<K> = Vec::new();
            let mut runs = Vec::new();
            let mut solved = None;
            let mut space = Vec::new();
            loop {
                // A unit once taken is expanded to its end, so all before the next one are done.
                let unit = next.fetch_add(1, Ordering::Relaxed);
                if unit >= units.len() {
                    break;
                }
                match units.get(unit, &mut space) {
                    Ok(keys) => {
                        for &key in keys {
                            solved = solved.or(expander.expand(scene, key, slack, near, &mut out));
                        }
                    }
                    Err(found) => {
                        lock(&fault).get_or_insert(found);
                        full.store(true, Ordering::Relaxed);
                    }
                }
                beyond.fetch_or(expander.counts.limit > 0, Ordering::Relaxed);
                far.fetch_or(expander.counts.far > 0, Ordering::Relaxed);
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
                    if !control.fits(in_runs + batches) {
                        full.store(true, Ordering::Relaxed);
                    }
                }
                if control.helpers().min(most) != helpers {
                    regroup.store(true, Ordering::Relaxed);
                }
                let ends = [&found, &full, &regroup].iter().any(|flag| flag.load(Ordering::Relaxed));
                if ends || control.halt().is_some() || control.expanded() >= last {
                    break;
                }
            }
            runs.push(run(out, control));
            let mut results = lock(&results);
            results.0.append(&mut runs);
            results.1 = results.1.or(solved);
        };
        std::thread::scope(|threads| {
            let (first, rest) = means.expanders.split_at_mut(1);
            for expander in &mut rest[..helpers] {
                threads.spawn(|| work(expander, &mut || ()));
            }
            work(&mut first[0], means.tick);
        });
        let (mut runs, solved) = results.into_inner().unwrap_or_else(PoisonError::into_inner);
        let (next, all) = (next.into_inner().min(units.len()), units.len());
        self.pending.next = next;
        self.pending.runs.append(&mut runs);
        self.pending.runs.retain(|run| !run.is_empty());
        self.beyond |= beyond.into_inner();
        self.far |= far.into_inner();
        if let Some(fault) = fault.into_inner().unwrap_or_else(PoisonError::into_inner) {
            return Expansion::Fault(fault);
        }
        match solved {
            Some(key) => Expansion::Solved(key),
            None if next == all => Expansion::All,
            None if full.into_inner() => Expansion::Full,
            None if regroup.into_inner() && control.halt().is_none() && control.expanded() < last => Expansion::Regroup,
            None => Expansion::Paused,
        }
    }
}

/// Sorts what a thread has generated.
fn run<K: Key>(mut keys: Vec<K>, control: &Control<'_>) -> Vec<K> {
    keys.sort_unstable();
    let emitted = keys.len();
    keys.dedup();
    keys.shrink_to_fit();
    control.count_duplicates(emitted - keys.len());
    control.hold(keys.capacity() * size_of::<K>());
    keys
}
