//! Stochastic beam search for a solution within a push limit, where the layers are too large to search completely.
//!
//! One end is searched completely while its layers are small. From the other end, every layer above the beam width is
//! reduced to a uniform random sample. Every sampled position may lie on a solution within the limit as far as the bound
//! can tell. Where the bound is nearly exact, many orders of the same pushes are solutions, and a sample of a few
//! thousand positions contains one of them more often than the best positions by any score: those resemble each other.
//! A failed search proves nothing.

use crate::PartialOutcome;
use crate::control::Control;
use crate::digest::{LayerRecord, random_rank};
use crate::expand::Expander;
use crate::key::Key;
use crate::layer::Layer;
use crate::layer_search::{LayerSearch, LayerStep, Means, SearchContext};
use crate::model::Model;
use crate::reconstruct::{PathSegment, reconstruct};
use lurd_rules::dense::board::Side;

/// The opposite end grows while its last layer has at most so many beam widths.
const FULL_WIDTHS: usize = 8;

pub(crate) struct BeamSearch<'a, K, const L: usize, const G: usize> {
    pub(crate) model: &'a Model<K, L, G>,
    /// By side.
    pub(crate) expanders: &'a mut [Vec<Expander<L, G>>; 2],
    pub(crate) control: &'a Control<'a>,
    pub(crate) tick: &'a mut dyn FnMut(),
    /// Positions kept in a layer.
    pub(crate) width: usize,
    pub(crate) seed: u64,
    /// The search ends at about this total of expansions.
    pub(crate) expansion_limit: u64,
    /// The end whose layers are sampled, and the one whose layers are complete.
    pub(crate) beam: LayerSearch<K>,
    pub(crate) full: LayerSearch<K>,
}

impl<K: Key, const L: usize, const G: usize> BeamSearch<'_, K, L, G> {
    pub(crate) fn run(mut self) -> PartialOutcome {
        let outcome = self.meet();
        self.beam.release(self.control);
        self.full.release(self.control);
        outcome
    }

    /// Grows both ends until they meet.
    fn meet(&mut self) -> PartialOutcome {
        let limit = self.beam.limit as usize;
        loop {
            let (model, control, full) = (self.model, self.control, &self.full);
            let small = full.layers[full.depth()].len() <= self.width.saturating_mul(FULL_WIDTHS);
            let completes = small && full.depth() < limit / 2;
            let growing = if completes { &mut self.full } else { &mut self.beam };
            let mut context = SearchContext {
                model,
                expanders: &mut self.expanders[growing.side as usize],
                tick: &mut *self.tick,
                neighbourhood: None,
                expansion_limit: self.expansion_limit,
                means: Means::in_memory(control, model.options.threads),
            };
            match growing.advance(&mut context) {
                LayerStep::Layer => {}
                LayerStep::Solved(key) => {
                    let path = reconstruct(model, growing, growing.layers.len(), key, control);
                    let pushes = path.and_then(PathSegment::complete);
                    return pushes.map_or(PartialOutcome::Nothing { complete: false }, PartialOutcome::Found);
                }
                LayerStep::Empty => return PartialOutcome::Nothing { complete: false },
                LayerStep::CheckpointDue | LayerStep::ExpansionLimit => return PartialOutcome::ExpansionLimit,
                LayerStep::Halted(_) => return PartialOutcome::Halted,
            }
            if completes {
                continue;
            }
            self.sample();
            if self.beam.depth() + self.full.depth() >= limit {
                return self.join();
            }
        }
    }

    /// The complete end holds every position within the pushes that remain of the limit: any position of the last beam
    /// layer that lies on a solution is among them.
    fn join(&self) -> PartialOutcome {
        let Self { model, control, beam, full, .. } = self;
        let depth = beam.depth();
        let remaining = (beam.limit as usize).saturating_sub(depth);
        // All solutions have lengths of one parity.
        for rest in (remaining % 2..=remaining.min(full.depth())).step_by(2) {
            let Ok(Some(key)) = beam.layers[depth].shared(&full.layers[rest]) else { continue };
            let path = |search, depth| reconstruct(model, search, depth, key, control)?.complete();
            // Layers may have been freed for memory.
            let (Some(mine), Some(theirs)) = (path(beam, depth), path(full, rest)) else { break };
            return PartialOutcome::Found(match beam.side {
                Side::Forward => [mine, theirs].concat(),
                Side::Backward => [theirs, mine].concat(),
            });
        }
        PartialOutcome::Nothing { complete: false }
    }

    /// Reduces the last layer of the beam to its width.
    fn sample(&mut self) {
        let depth = self.beam.depth();
        let last = &mut self.beam.layers[depth];
        if last.len() <= self.width {
            return;
        }
        let layer = std::mem::replace(last, Layer::freed());
        self.control.release(layer.bytes());
        let keys = layer.into_pieces().into_iter().flatten();
        let mut ranked: Vec<(u64, K)> = keys.map(|key| (random_rank(key, self.seed), key)).collect();
        ranked.select_nth_unstable(self.width);
        let mut keys: Vec<K> = ranked[..self.width].iter().map(|&(_, key)| key).collect();
        keys.sort_unstable();
        self.beam.digests[depth] = LayerRecord::of(&keys);
        *last = Layer::from_sorted(keys);
        self.control.allocate(last.bytes());
    }
}
