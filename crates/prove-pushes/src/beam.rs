//! Stochastic beam search for a solution within a push limit, where the layers are too large to search completely.
//!
//! One end is searched completely while its layers are small. From the other end, every layer above the beam width is
//! reduced to a uniform random sample. Every sampled position may lie on a solution within the limit as far as the bound
//! can tell. Where the bound is nearly exact, many orders of the same pushes are solutions, and a sample of a few
//! thousand positions contains one of them more often than the best positions by any score: those resemble each other.
//! A failed search proves nothing.

use crate::control::Control;
use crate::digest::{LayerRecord, random_rank};
use crate::expand::Expander;
use crate::key::Key;
use crate::layer::Layer;
use crate::layer_search::{LayerSearch, LayerStep, SearchContext};
use crate::model::Model;
use crate::reconstruct::complete_path;
use lurd_rules::Push;
use lurd_rules::dense::board::Side;

/// The opposite end grows while its last layer has at most so many beam widths.
const FULL_WIDTHS: usize = 8;

/// The parameters of a beam search.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BeamSearch {
    /// Pushes that the solution may have.
    pub limit: u32,
    /// The end whose layers are sampled.
    pub side: Side,
    /// Positions kept in a layer.
    pub width: usize,
    pub seed: u64,
    /// The search ends at about this total of expansions.
    pub expansion_limit: u64,
}

/// How a call of [`Prover::search_beam`](crate::Prover::search_beam) ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BeamOutcome {
    /// A solution.
    Found(Vec<Push>),
    /// No sampled position led to a solution.
    Nothing,
    /// The allowed number of expansions is used up.
    ExpansionLimit,
    /// A limit of the budget, a cancellation or another thread ended it.
    Halted,
}

impl BeamSearch {
    /// Runs the search. The expanders are by side.
    pub(crate) fn run<K: Key, const L: usize, const G: usize>(
        &self,
        model: &Model<K, L, G>,
        expanders: &mut [Vec<Expander<L, G>>; 2],
        control: &Control<'_>,
        tick: &mut dyn FnMut(),
    ) -> BeamOutcome {
        let mut full = LayerSearch::new(model, self.side.opposite(), self.limit, self.limit, control);
        let mut beam = LayerSearch::new(model, self.side, self.limit, self.limit, control);
        let outcome = self.meet(&mut beam, &mut full, model, expanders, control, tick);
        beam.release(control);
        full.release(control);
        outcome
    }

    /// Grows both ends until they meet.
    fn meet<K: Key, const L: usize, const G: usize>(
        &self,
        beam: &mut LayerSearch<K>,
        full: &mut LayerSearch<K>,
        model: &Model<K, L, G>,
        expanders: &mut [Vec<Expander<L, G>>; 2],
        control: &Control<'_>,
        tick: &mut dyn FnMut(),
    ) -> BeamOutcome {
        let limit = self.limit as usize;
        loop {
            let small = full.layers[full.depth()].len() <= self.width.saturating_mul(FULL_WIDTHS);
            let growing = if small && full.depth() < limit / 2 { &mut *full } else { &mut *beam };
            let expanders = &mut expanders[growing.side as usize][..];
            let mut context = SearchContext {
                expansion_limit: self.expansion_limit,
                ..SearchContext::new(model, expanders, control, &mut *tick)
            };
            match growing.advance(&mut context) {
                LayerStep::Layer => {}
                LayerStep::Solved(key) => {
                    let path = complete_path(model, growing, growing.layers.len(), key, control);
                    return path.map_or(BeamOutcome::Nothing, BeamOutcome::Found);
                }
                LayerStep::Empty => return BeamOutcome::Nothing,
                LayerStep::ExpansionLimit => return BeamOutcome::ExpansionLimit,
                LayerStep::Halted(_) => return BeamOutcome::Halted,
            }
            if growing.side != self.side {
                continue;
            }
            self.sample(beam, control);
            if beam.depth() + full.depth() >= limit {
                return self.join(beam, full, model, control);
            }
        }
    }

    /// The complete end holds every position within the pushes that remain of the limit: any position of the last beam
    /// layer that lies on a solution is among them.
    fn join<K: Key, const L: usize, const G: usize>(
        &self,
        beam: &LayerSearch<K>,
        full: &LayerSearch<K>,
        model: &Model<K, L, G>,
        control: &Control<'_>,
    ) -> BeamOutcome {
        let depth = beam.depth();
        let remaining = (self.limit as usize).saturating_sub(depth);
        // All solutions have lengths of one parity.
        for rest in (remaining % 2..=remaining.min(full.depth())).step_by(2) {
            let Ok(Some(key)) = beam.layers[depth].shared(&full.layers[rest]) else { continue };
            let path = |search, depth| complete_path(model, search, depth, key, control);
            // Layers may have been freed for memory.
            let (Some(mine), Some(theirs)) = (path(beam, depth), path(full, rest)) else { break };
            return BeamOutcome::Found(match self.side {
                Side::Forward => [mine, theirs].concat(),
                Side::Backward => [theirs, mine].concat(),
            });
        }
        BeamOutcome::Nothing
    }

    /// Reduces the last layer to the beam width.
    fn sample<K: Key>(&self, search: &mut LayerSearch<K>, control: &Control<'_>) {
        let depth = search.depth();
        if search.layers[depth].len() <= self.width {
            return;
        }
        let layer = std::mem::replace(&mut search.layers[depth], Layer::freed());
        control.release(layer.bytes());
        let mut ranked: Vec<(u64, K)> =
            layer.into_pieces().into_iter().flatten().map(|key| (random_rank(key, self.seed), key)).collect();
        ranked.select_nth_unstable(self.width);
        let mut keys: Vec<K> = ranked[..self.width].iter().map(|&(_, key)| key).collect();
        keys.sort_unstable();
        search.digests[depth] = LayerRecord::of(&keys);
        search.layers[depth] = Layer::from_sorted(keys);
        control.allocate(search.layers[depth].bytes());
    }
}
