//! One limit: every position that may lie on a solution of at most so many pushes, layer by layer.
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

use super::control::{Control, Halt};
use super::expand::Expander;
use super::key::Key;
use super::layer::Layer;
use super::near::Near;
use super::scene::Scene;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Positions a thread takes at a time.
const TAKEN: usize = 64;

/// Keys in a run.
const RUN: usize = 1 << 15;

/// Layers smaller than this are expanded by one thread.
const WORTH_THREADS: usize = 2_000;

/// How the work under one limit ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Ended<K> {
    /// A solved position was met in this layer.
    Solved(usize, K),
    /// Nothing is left; whether anything lay beyond the limit, or outside the neighbourhood.
    Empty { beyond: bool, far: bool },
    /// So many positions as were allowed have been expanded.
    Capped,
    /// A limit or somebody ended it.
    Halted(Halt),
}

/// What to search.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scope<'a, const L: usize> {
    /// Pushes that a solution may have.
    pub(crate) limit: u32,
    /// The bound of the start.
    pub(crate) root: u32,
    /// Positions to expand at most, about.
    pub(crate) most: u64,
    /// The neighbourhood to stay in.
    pub(crate) near: Option<&'a Near<L>>,
}

/// The layers of one limit.
pub(crate) struct Search<K> {
    /// By pushes; layers let go are empty.
    pub(crate) layers: Vec<Layer<K>>,
    /// The first layer still held.
    pub(crate) held_from: usize,
}

impl<K: Key> Search<K> {
    /// Searches a scope. `tick` is called now and then by the calling thread.
    pub(crate) fn run<const L: usize, const G: usize>(
        scene: &Scene<K, L, G>,
        expanders: &mut [Expander<L, G>],
        scope: Scope<'_, L>,
        control: &Control<'_>,
        tick: &mut dyn FnMut(),
    ) -> (Self, Ended<K>) {
        let Scope { limit, root, most, .. } = scope;
        let (boxes, zone) = scene.start();
        let start = scene.rank.key(boxes, zone.lowest());
        let mut search = Self { layers: vec![Layer::of(start)], held_from: 0 };
        control.hold(search.layers[0].bytes());
        if boxes == scene.goals {
            return (search, Ended::Solved(0, start));
        }
        let back = 2 * (limit.saturating_sub(root) as usize / 2 + 1);
        let before = control.counts();
        let last = control.expanded().saturating_add(most);
        let ended = loop {
            let depth = search.layers.len() - 1;
            if search.layers[depth].len() == 0 {
                let counts = control.counts();
                break Ended::Empty { beyond: counts.limit > before.limit, far: counts.far > before.far };
            }
            let (runs, solved) = search.expand(scene, expanders, &scope, last, control, tick);
            let run_bytes: usize = runs.iter().map(|run| run.capacity() * size_of::<K>()).sum();
            let emitted: usize = runs.iter().map(Vec::len).sum();
            if let Some(key) = solved {
                control.release(run_bytes);
                break Ended::Solved(depth + 1, key);
            }
            if let Some(halt) = control.halt() {
                control.release(run_bytes);
                break Ended::Halted(halt);
            }
            if control.expanded() >= last {
                control.release(run_bytes);
                break Ended::Capped;
            }
            // The new layer is at most as large as the runs.
            search.make_room(emitted * size_of::<K>(), control);
            let earlier: Vec<&Layer<K>> =
                (1..=back / 2).filter_map(|step| search.layers.get((depth + 1).checked_sub(2 * step)?)).collect();
            let helpers = control.helpers().min(expanders.len() - 1);
            let threads = if emitted < WORTH_THREADS { 1 } else { helpers + 1 };
            let merged = Layer::merged(&runs, &earlier, threads, &|| control.halt().is_some());
            drop(runs);
            control.release(run_bytes);
            let Some(layer) = merged else {
                break Ended::Halted(control.halt().unwrap_or(Halt::Cancelled));
            };
            control.count_duplicates(emitted - layer.len());
            control.hold(layer.bytes());
            search.layers.push(layer);
            control.store(search.layers.iter().map(Layer::len).sum());
        };
        (search, ended)
    }

    /// Expands the last layer. Returns sorted runs of what follows, and a solved position.
    fn expand<const L: usize, const G: usize>(
        &self,
        scene: &Scene<K, L, G>,
        expanders: &mut [Expander<L, G>],
        scope: &Scope<'_, L>,
        last: u64,
        control: &Control<'_>,
        tick: &mut dyn FnMut(),
    ) -> (Vec<Vec<K>>, Option<K>) {
        let layer = &self.layers[self.layers.len() - 1];
        // The depth of the children is the number of layers; every position beyond the limit was cut before.
        let slack = (scope.limit as usize).saturating_sub(self.layers.len()) as u32;
        let slices = layer.slices(TAKEN);
        let next = AtomicUsize::new(0);
        let found = AtomicBool::new(false);
        let results: Mutex<(Vec<Vec<K>>, Option<K>)> = Mutex::new((Vec::new(), None));
        let work = |expander: &mut Expander<L, G>, tick: &mut dyn FnMut()| {
            let mut out: Vec<K> = Vec::new();
            let mut runs = Vec::new();
            let mut solved = None;
            while let Some(keys) = slices.get(next.fetch_add(1, Ordering::Relaxed)) {
                for &key in *keys {
                    solved = solved.or(expander.expand(scene, key, slack, scope.near, &mut out));
                }
                control.count(&mut expander.counts);
                tick();
                if solved.is_some() {
                    found.store(true, Ordering::Relaxed);
                }
                if found.load(Ordering::Relaxed) || control.halt().is_some() || control.expanded() >= last {
                    break;
                }
                if out.len() >= RUN {
                    runs.push(run(std::mem::take(&mut out), control));
                    if !control.fits(2 * RUN * size_of::<K>()) && self.held_from >= self.layers.len() - 1 {
                        control.memory_full();
                    }
                }
            }
            runs.push(run(out, control));
            let mut results = results.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            results.0.append(&mut runs);
            results.1 = results.1.or(solved);
        };
        let helpers = if layer.len() < WORTH_THREADS { 0 } else { control.helpers().min(expanders.len() - 1) };
        std::thread::scope(|threads| {
            let (first, rest) = expanders.split_at_mut(1);
            for expander in &mut rest[..helpers] {
                threads.spawn(|| work(expander, &mut || ()));
            }
            work(&mut first[0], tick);
        });
        results.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// Lets go of old layers, the oldest first, until `bytes` fit. The last is needed.
    fn make_room(&mut self, bytes: usize, control: &Control<'_>) {
        let last = self.layers.len() - 1;
        while !control.fits(bytes) {
            if self.held_from >= last {
                control.memory_full();
                return;
            }
            let old = std::mem::replace(&mut self.layers[self.held_from], Layer::empty());
            control.release(old.bytes());
            self.held_from += 1;
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
