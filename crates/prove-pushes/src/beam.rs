//! Looking for a solution within a limit where all positions are too many: layers thinned at random.
//!
//! One end is searched completely as long as its layers are small. From the other end every layer that grows too large is
//! thinned to a few positions picked by lot, all of which may still lie on a solution within the limit as far
//! as the bound can tell. Where the bound is close to the truth many orders of the same pushes are solutions, and a few
//! thousand positions by lot keep one of them more often than the best by any measure: those are all alike.
//! Nothing is proved when nothing is found.

use crate::control::Control;
use crate::digest;
use crate::digest::Digest;
use crate::expand::Expander;
use crate::key::Key;
use crate::layer::Layer;
use crate::proof::{LayerSearch, LayerStep, Means};
use crate::retrace::retrace;
use crate::scene::Scene;
use lurd_rules::Push;
use lurd_rules::dense::board::Side;

/// The other end is searched completely while its layers hold at most so many times the positions of a thinned one.
const WHOLE: usize = 8;

/// What to look for, and how.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Beam {
    /// Pushes that the solution may have.
    pub limit: u32,
    /// The end whose layers are thinned.
    pub side: Side,
    /// Positions kept in a layer.
    pub width: usize,
    /// Which lot.
    pub seed: u64,
    /// How many positions may have been expanded in all when it ends, about.
    pub last: u64,
}

/// What came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Beamed {
    /// A solution.
    Found(Vec<Push>),
    /// Every position picked led nowhere.
    Nothing,
    /// So many positions as were allowed have been expanded.
    Capped,
    /// A limit or somebody ended it.
    Halted,
}

impl Beam {
    /// Searches. The expanders are by side.
    pub(crate) fn search<K: Key, const L: usize, const G: usize>(
        &self,
        scene: &Scene<K, L, G>,
        expanders: &mut [Vec<Expander<L, G>>; 2],
        control: &Control<'_>,
        tick: &mut dyn FnMut(),
    ) -> Beamed {
        let mut whole = LayerSearch::new(scene, self.side.opposite(), self.limit, self.limit, control);
        let mut thin = LayerSearch::new(scene, self.side, self.limit, self.limit, control);
        let beamed = self.meet(&mut thin, &mut whole, scene, expanders, control, tick);
        thin.release(control);
        whole.release(control);
        beamed
    }

    fn meet<K: Key, const L: usize, const G: usize>(
        &self,
        thin: &mut LayerSearch<K>,
        whole: &mut LayerSearch<K>,
        scene: &Scene<K, L, G>,
        expanders: &mut [Vec<Expander<L, G>>; 2],
        control: &Control<'_>,
        tick: &mut dyn FnMut(),
    ) -> Beamed {
        let limit = self.limit as usize;
        loop {
            let small = whole.layers[whole.depth()].len() <= self.width.saturating_mul(WHOLE);
            let growing = if small && whole.depth() < limit / 2 { &mut *whole } else { &mut *thin };
            let expanders = &mut expanders[growing.side as usize][..];
            let (near, strict, disk, last) = (None, false, None, self.last);
            let mut means = Means { scene, expanders, control, tick: &mut *tick, near, strict, disk, last };
            match growing.advance(&mut means) {
                LayerStep::Layer => {}
                LayerStep::Solved(key) => {
                    let way = retrace(scene, growing, growing.layers.len(), key, control);
                    return way.filter(|way| way.from == 0).map_or(Beamed::Nothing, |way| Beamed::Found(way.pushes));
                }
                LayerStep::Empty => return Beamed::Nothing,
                LayerStep::Capped => return Beamed::Capped,
                LayerStep::Halted(_) => return Beamed::Halted,
            }
            if growing.side != self.side {
                continue;
            }
            self.thin(thin, control);
            if thin.depth() + whole.depth() >= limit {
                return self.joined(thin, whole, scene, control);
            }
        }
    }

    /// The other end holds every position that is as near to it as is left of the limit: what of the last thinned layer
    /// lies on a solution is among them.
    fn joined<K: Key, const L: usize, const G: usize>(
        &self,
        thin: &LayerSearch<K>,
        whole: &LayerSearch<K>,
        scene: &Scene<K, L, G>,
        control: &Control<'_>,
    ) -> Beamed {
        let depth = thin.depth();
        let left = (self.limit as usize).saturating_sub(depth);
        // All solutions have lengths of one parity.
        for rest in (left % 2..=left.min(whole.depth())).step_by(2) {
            let Ok(Some(key)) = thin.layers[depth].shared(&whole.layers[rest]) else { continue };
            let way = |search, depth| {
                retrace(scene, search, depth, key, control).filter(|way| way.from == 0).map(|way| way.pushes)
            };
            // Some of the way may have been let go for want of memory.
            let (Some(mine), Some(theirs)) = (way(thin, depth), way(whole, rest)) else { break };
            return Beamed::Found(match self.side {
                Side::Forward => [mine, theirs].concat(),
                Side::Backward => [theirs, mine].concat(),
            });
        }
        Beamed::Nothing
    }

    /// Thins the last layer if it is too large.
    fn thin<K: Key>(&self, search: &mut LayerSearch<K>, control: &Control<'_>) {
        let depth = search.depth();
        if search.layers[depth].len() <= self.width {
            return;
        }
        let layer = std::mem::replace(&mut search.layers[depth], Layer::gone());
        control.release(layer.bytes());
        let mut lots: Vec<(u64, K)> =
            layer.into_pieces().into_iter().flatten().map(|key| (digest::lot(key, self.seed), key)).collect();
        lots.select_nth_unstable(self.width);
        let mut keys: Vec<K> = lots[..self.width].iter().map(|&(_, key)| key).collect();
        keys.sort_unstable();
        search.digests[depth] = Digest::of(&keys);
        search.layers[depth] = Layer::of(keys);
        control.hold(search.layers[depth].bytes());
    }
}
