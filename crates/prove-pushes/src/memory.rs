//! Memory relief: what a search frees, and in which order, when memory is short.
//!
//! First the layers retained for reconstruction, then those needed for duplicate detection, then the runs of the next
//! layer: to disk, if there is one. Without a disk the first are freed, and the runs are compacted, which removes
//! duplicates. The work ends only when nothing is left to free.

use crate::control::Control;
use crate::disk::{Disk, DiskError};
use crate::key::Key;
use crate::layer::{Destination, Layer, MergeInput, MergeOptions};
use crate::layer_search::{LayerSearch, LayerStep, Means, RUN};
use std::sync::Arc;

/// What the names of files of runs begin with.
pub(crate) const RUN_PREFIX: &str = "run";

/// So many runs on disk are merged into one.
const MOST_DISK_RUNS: usize = 16;

/// Compacting the runs is worth it if at most so many tenths of the keys remain.
const WORTH_COMPACTING: usize = 7;

impl<K: Key> LayerSearch<K> {
    /// Makes room for more runs, and for merging them.
    pub(crate) fn relieve_memory(&mut self, means: &Means<'_>) -> bool {
        let buffers = 4 * means.threads * RUN * size_of::<K>();
        self.make_room(self.pending.bytes() + buffers, means) || self.spill(means) || self.compact_runs(means)
    }

    /// Makes room by writing the runs to disk.
    fn spill(&mut self, means: &Means<'_>) -> bool {
        let Some(disk) = means.disk else { return false };
        let control = means.control;
        let options = MergeOptions {
            threads: self.merging_threads(means),
            stop: &|| control.halt().is_some(),
            to: Some(Destination { disk, prefix: RUN_PREFIX }),
        };
        match self.write_runs(&options, control) {
            // If it was stopped, the caller finds the reason.
            Ok(()) => true,
            Err(error) if error.full && self.delete_oldest() => true,
            Err(error) => {
                means.control.add_note(error.to_string());
                false
            }
        }
    }

    /// Writes the runs to disk as one; many runs on disk are merged again. Does nothing if it is stopped.
    pub(crate) fn write_runs(&mut self, options: &MergeOptions<'_>, control: &Control<'_>) -> Result<(), DiskError> {
        let pending = &mut self.pending;
        let before = pending.keys();
        let all = pending.disk_runs.len() >= MOST_DISK_RUNS;
        let disk_runs = if all { &pending.disk_runs[..] } else { &[] };
        let input = MergeInput { runs: &pending.runs, disk_runs, earlier: &[] };
        if let Some((run, digest)) = Layer::merge(&input, options)? {
            control.release(pending.bytes());
            pending.runs = Vec::new();
            if all {
                pending.disk_runs.clear();
                pending.digests.clear();
            }
            pending.disk_runs.push(run);
            pending.digests.push(digest);
            control.count_duplicates(before - pending.keys());
        }
        Ok(())
    }

    /// Merges the runs in memory, which removes duplicates. Returns whether that freed enough.
    pub(crate) fn compact_runs(&mut self, means: &Means<'_>) -> bool {
        let (control, before) = (means.control, self.pending.keys());
        if !self.pending.disk_runs.is_empty() {
            return false;
        }
        let merged = match self.merge_runs(None, means) {
            Ok(Some((merged, _))) => merged,
            Ok(None) => return true,
            Err(error) => {
                control.add_note(error.to_string());
                return false;
            }
        };
        control.release(self.pending.bytes());
        control.count_duplicates(before - merged.len());
        self.pending.runs = merged.into_pieces();
        control.allocate(self.pending.bytes());
        self.pending.keys() * 10 <= before * WORTH_COMPACTING
    }

    /// Frees layers, the oldest first, until `bytes` fit: to disk, if there is one. The last layer stays. In a
    /// reproducible search without a disk, so do the layers needed for duplicate detection.
    pub(crate) fn make_room(&mut self, bytes: usize, means: &Means<'_>) -> bool {
        let control = means.control;
        let mut at = self.first_retained;
        while !control.fits(bytes) {
            if at >= self.depth() {
                return false;
            }
            if self.layers[at].is_in_memory() {
                if means.disk.is_some_and(|disk| self.put_on_disk(at, disk, control)) {
                    control.release(self.layers[at].free_memory());
                } else if means.reproducible && self.is_compared(at) {
                    return false;
                } else {
                    self.free_up_to(at, control);
                }
            }
            at += 1;
        }
        true
    }

    /// Whether the next layers are still compared with a layer.
    fn is_compared(&self, depth: usize) -> bool {
        depth + 2 * self.compared() >= self.layers.len()
    }

    /// Frees a layer and all before it.
    fn free_up_to(&mut self, last: usize, control: &Control<'_>) {
        for depth in self.first_retained..=last {
            let layer = std::mem::replace(&mut self.layers[depth], Layer::freed());
            control.release(layer.bytes());
            layer.delete();
        }
        self.first_retained = self.first_retained.max(last + 1);
    }

    /// Writes a layer to disk. If the disk is full, older layers not needed for duplicate detection are deleted.
    fn put_on_disk(&mut self, depth: usize, disk: &Arc<Disk>, control: &Control<'_>) -> bool {
        loop {
            match self.layers[depth].write_to(disk) {
                Ok(()) => return true,
                Err(error) if error.full && self.first_retained < depth && self.delete_oldest() => {}
                Err(error) => {
                    control.add_note(error.to_string());
                    return false;
                }
            }
        }
    }

    /// Deletes the oldest layer from the disk if it is retained for reconstruction alone.
    pub(crate) fn delete_oldest(&mut self) -> bool {
        let oldest = self.first_retained;
        if self.is_compared(oldest) || oldest >= self.depth() || self.layers[oldest].is_in_memory() {
            return false;
        }
        std::mem::replace(&mut self.layers[oldest], Layer::freed()).delete();
        self.first_retained += 1;
        true
    }

    /// Nothing is left to free. This ends the whole proof, but of a neighbourhood search that search alone.
    pub(crate) fn out_of_memory(means: &Means<'_>) -> LayerStep<K> {
        if means.optional {
            return LayerStep::ExpansionLimit;
        }
        if means.disk.is_some() {
            means.control.set_disk_full();
        } else {
            means.control.set_memory_full();
        }
        LayerStep::interrupted(means.control)
    }

    /// A layer or run on disk cannot be read: the current limit cannot be continued.
    pub(crate) fn disk_failed(error: &DiskError, means: &Means<'_>) -> LayerStep<K> {
        means.control.add_note(error.to_string());
        means.control.set_disk_full();
        LayerStep::interrupted(means.control)
    }
}
