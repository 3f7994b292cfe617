//! Reading the layers of a checkpoint back.
//!
//! Whatever a checkpoint names is read to its end once and compared with its record: what is damaged is told, not used.

use crate::bidirectional::BidirectionalSearch;
use crate::checkpoint::{Checkpoint, SavedLayer, SavedPending, SavedSearch, SavedSide};
use crate::control::Control;
use crate::disk::{Disk, DiskError};
use crate::key::Key;
use crate::layer::Layer;
use crate::layer_search::{LayerSearch, PendingLayer};
use crate::rerun::Unconfirmed;
use lurd_rules::dense::board::Side;
use std::collections::HashSet;
use std::sync::Arc;

pub(crate) struct Loader<'a> {
    disk: &'a Arc<Disk>,
    control: &'a Control<'a>,
    /// Files that were compared with their records.
    compared: HashSet<String>,
    /// What is wrong with some of them, in sentences.
    pub(crate) damages: Vec<String>,
}

impl From<DiskError> for Unconfirmed {
    fn from(error: DiskError) -> Self {
        Self::Differs(error.to_string())
    }
}

impl<'a> Loader<'a> {
    pub(crate) fn new(disk: &'a Arc<Disk>, control: &'a Control<'a>) -> Self {
        Self { disk, control, compared: HashSet::new(), damages: Vec::new() }
    }

    /// Opens the layers of a search.
    pub(crate) fn search<K: Key>(&mut self, saved: &SavedSearch) -> Result<BidirectionalSearch<K>, Unconfirmed> {
        Ok(BidirectionalSearch {
            forward: self.side(Side::Forward, saved.limit, &saved.forward)?,
            backward: self.side(Side::Backward, saved.limit, &saved.backward)?,
        })
    }

    /// Opens the layers of one side. The last one, and those that new layers are compared with, must be undamaged;
    /// without an older one only the solution cannot be reconstructed directly.
    fn side<K: Key>(&mut self, side: Side, limit: u32, saved: &SavedSide) -> Result<LayerSearch<K>, Unconfirmed> {
        let mut search = LayerSearch::empty(side, limit, saved.root, saved.limit_pruned);
        let first_needed = saved.layers.len().saturating_sub(2 * search.compared() + 1);
        for (depth, layer) in saved.layers.iter().enumerate() {
            let opened = if depth < first_needed { self.open(layer).map_err(Into::into) } else { self.checked(layer) };
            match opened {
                Ok(opened) => search.layers.push(opened),
                Err(Unconfirmed::Differs(_)) if depth < first_needed => {
                    search.layers.push(Layer::freed());
                    search.first_retained = depth + 1;
                }
                Err(unusable) => return Err(unusable),
            }
            search.digests.push(layer.layer);
        }
        if search.layers.is_empty() {
            return Err(Unconfirmed::Differs("it has no layers".into()));
        }
        if let Some(pending) = &saved.pending {
            search.pending = match self.pending(pending) {
                // Without its runs the layer is expanded from the beginning.
                Err(Unconfirmed::Differs(_)) => PendingLayer::none(),
                pending => pending?,
            };
        }
        Ok(search)
    }

    /// Opens the runs of an unfinished layer.
    fn pending<K: Key>(&mut self, saved: &SavedPending) -> Result<PendingLayer<K>, Unconfirmed> {
        let done = u128::from_str_radix(&saved.done, 16).ok().and_then(|done| K::try_from(done).ok());
        let Some(done) = done else {
            return Err(Unconfirmed::Differs("its last position is none of this level".into()));
        };
        let mut pending = PendingLayer { done: Some(done), ..PendingLayer::none() };
        for run in &saved.runs {
            pending.disk_runs.push(self.checked(run)?);
            pending.digests.push(run.layer);
        }
        Ok(pending)
    }

    fn open<K: Key>(&self, saved: &SavedLayer) -> Result<Layer<K>, DiskError> {
        let name = saved.file.as_ref().ok_or_else(|| DiskError::message("the layer was freed".into()))?;
        Layer::open(self.disk, name)
    }

    /// Opens a file that holds the keys of its record.
    fn checked<K: Key>(&mut self, saved: &SavedLayer) -> Result<Layer<K>, Unconfirmed> {
        let checked = self.compare(saved);
        self.compared.extend(saved.file.clone());
        if let Err(Unconfirmed::Differs(damage)) = &checked {
            self.damages.push(damage.clone());
        }
        checked
    }

    fn compare<K: Key>(&self, saved: &SavedLayer) -> Result<Layer<K>, Unconfirmed> {
        let opened = self.open(saved)?;
        match opened.digest(&|| self.control.halt().is_some())? {
            Some(digest) if digest == saved.layer => Ok(opened),
            Some(_) => {
                let name = saved.file.as_deref().unwrap_or_default();
                let path = self.disk.path(name);
                Err(Unconfirmed::Differs(format!("{}: the file holds other positions", path.display())))
            }
            None => Err(Unconfirmed::Halted(self.control.interruption())),
        }
    }

    /// Compares all other files that checkpoints name with their records, as far as limits allow.
    pub(crate) fn check_rest<K: Key>(&mut self, checkpoints: &[Checkpoint]) {
        for saved in checkpoints.iter().flat_map(Checkpoint::files) {
            let is_new = saved.file.as_ref().is_some_and(|name| !self.compared.contains(name));
            if is_new && matches!(self.checked::<K>(saved), Err(Unconfirmed::Halted(_))) {
                return;
            }
        }
    }
}
