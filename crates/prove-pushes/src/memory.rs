//! Room for a search: what goes first when memory is short.
//!
//! Layers kept for the way back go first, then those to be compared, then what was generated for the layer to come: onto
//! the disk where there is one. Without one the way back is let go, and what was generated twice. Only when nothing is left
//! to let go the work ends.

use crate::control::Control;
use crate::disk::{Disk, Fault};
use crate::key::Key;
use crate::layer::{Layer, Parts};
use crate::proof::{LayerSearch, LayerStep, Means, RUN};
use std::sync::Arc;

/// So many runs on disk become one.
const FILED_RUNS: usize = 16;

/// Joining the runs is worth it when it leaves at most so many of ten keys.
const WORTH_JOINING: usize = 7;

impl<K: Key> LayerSearch<K> {
    /// Makes room for more runs, and for joining them with those there are.
    pub(super) fn relieve<const L: usize, const G: usize>(&mut self, means: &Means<'_, '_, K, L, G>) -> bool {
        let batches = 4 * means.expanders.len() * RUN * size_of::<K>();
        self.make_room(self.pending.bytes() + batches, means) || self.spill(means) || self.join(means)
    }

    /// Puts the runs on disk as one. Many of these become one again.
    fn spill<const L: usize, const G: usize>(&mut self, means: &Means<'_, '_, K, L, G>) -> bool {
        let Some(disk) = means.disk else { return false };
        let to = Some((disk, "run", false));
        let before = self.pending.keys();
        let (runs, filed) = (std::mem::take(&mut self.pending.runs), std::mem::take(&mut self.pending.filed));
        let all = filed.len() >= FILED_RUNS;
        let parts = Parts { runs: &runs, filed: if all { &filed } else { &[] }, earlier: &[] };
        let made = self.make(&parts, to, means);
        (self.pending.runs, self.pending.filed) = (runs, filed);
        match made {
            Ok(Some((run, _))) => {
                means.control.release(self.pending.runs.iter().map(|run| run.capacity() * size_of::<K>()).sum());
                self.pending.runs = Vec::new();
                if all {
                    self.pending.filed.clear();
                }
                self.pending.filed.push(run);
                means.control.count_duplicates(before - self.pending.keys());
                true
            }
            // Told to stop: the reason is heard again where the work goes on.
            Ok(None) => true,
            Err(fault) if fault.full && self.discard_oldest() => true,
            Err(fault) => {
                means.control.tell(fault.sentence);
                false
            }
        }
    }

    /// Joins the runs in memory into few, so that what was generated twice goes. Says whether that gained anything
    /// worth it.
    pub(super) fn join<const L: usize, const G: usize>(&mut self, means: &Means<'_, '_, K, L, G>) -> bool {
        let (control, before) = (means.control, self.pending.keys());
        if !self.pending.filed.is_empty() {
            return false;
        }
        let joined = match self.merged(None, means) {
            Ok(Some((joined, _))) => joined,
            Ok(None) => return true,
            Err(fault) => {
                control.tell(fault.sentence);
                return false;
            }
        };
        control.release(self.pending.bytes());
        control.count_duplicates(before - joined.len());
        self.pending.runs = joined.into_pieces();
        control.hold(self.pending.bytes());
        self.pending.keys() * 10 <= before * WORTH_JOINING
    }

    /// Lets go of old layers, the oldest first, until `bytes` fit: onto the disk where there is one. The last stays;
    /// those to be compared do, too, if there is no disk and the layers must be the same another time.
    pub(super) fn make_room<const L: usize, const G: usize>(
        &mut self,
        bytes: usize,
        means: &Means<'_, '_, K, L, G>,
    ) -> bool {
        let control = means.control;
        let mut at = self.held_from;
        while !control.fits(bytes) {
            if at >= self.depth() {
                return false;
            }
            if self.layers[at].is_held() {
                if means.disk.is_some_and(|disk| self.put_on_disk(at, disk, control)) {
                    control.release(self.layers[at].forget());
                } else if means.strict && self.is_compared(at) {
                    return false;
                } else {
                    self.let_go(at, control);
                }
            }
            at += 1;
        }
        true
    }

    /// Whether a layer is still to be compared with new ones.
    fn is_compared(&self, depth: usize) -> bool {
        depth + 2 * self.compared() >= self.layers.len()
    }

    /// Lets go of a layer and all before it.
    fn let_go(&mut self, last: usize, control: &Control<'_>) {
        for depth in self.held_from..=last {
            let layer = std::mem::replace(&mut self.layers[depth], Layer::gone());
            control.release(layer.bytes());
            layer.discard();
        }
        self.held_from = self.held_from.max(last + 1);
    }

    /// Puts a layer on disk. Where there is no room older ones go, unless they are to be compared.
    fn put_on_disk(&mut self, depth: usize, disk: &Arc<Disk>, control: &Control<'_>) -> bool {
        loop {
            match self.layers[depth].file(disk) {
                Ok(()) => return true,
                Err(fault) if fault.full && self.held_from < depth && self.discard_oldest() => {}
                Err(fault) => {
                    control.tell(fault.sentence);
                    return false;
                }
            }
        }
    }

    /// Removes the oldest layer from the disk if it was kept for the way back alone.
    pub(super) fn discard_oldest(&mut self) -> bool {
        let oldest = self.held_from;
        if self.is_compared(oldest) || oldest >= self.depth() || self.layers[oldest].is_held() {
            return false;
        }
        std::mem::replace(&mut self.layers[oldest], Layer::gone()).discard();
        self.held_from += 1;
        true
    }

    /// Nothing is left to let go. Only the proof itself ends for it; a search near a solution is merely given up.
    pub(super) fn full<const L: usize, const G: usize>(&self, means: &Means<'_, '_, K, L, G>) -> LayerStep<K> {
        let control = means.control;
        if means.near.is_some() {
            return LayerStep::Capped;
        }
        if means.disk.is_some() {
            control.disk_full();
        } else {
            control.memory_full();
        }
        control.halt().map_or(LayerStep::Capped, LayerStep::Halted)
    }

    /// What was put on disk cannot be had any more: the limit under way cannot be gone on with.
    pub(super) fn broken<const L: usize, const G: usize>(
        &self,
        fault: &Fault,
        means: &Means<'_, '_, K, L, G>,
    ) -> LayerStep<K> {
        means.control.tell(fault.sentence.clone());
        means.control.disk_full();
        means.control.halt().map_or(LayerStep::Capped, LayerStep::Halted)
    }
}
