//! Checkpoints: the proved bounds and the layers of the current search, so that a killed proof can be resumed.
//!
//! Of a layer that is being expanded the checkpoint names the runs so far and the last position that is done, so a proof
//! advances even if it is killed more often than a layer is completed.
//!
//! A checkpoint is a small file that names the files of the layers. It is written under a new name after they are on
//! disk, and the one before it stays: whenever the machine stops, one of them is complete. Layers never change, so each
//! is written once. The interval between checkpoints keeps writing to a small share of the time on any disk.

use crate::bidirectional::BidirectionalSearch;
use crate::checksum::checksum;
use crate::control::Control;
use crate::digest::LayerRecord;
use crate::disk;
use crate::disk::{Disk, DiskError};
use crate::key::Key;
use crate::layer::{Destination, Layer, MergeOptions};
use crate::layer_search::LayerSearch;
use crate::memory::RUN_PREFIX;
use crate::record::{LimitRecord, RULES, StartRecord, hexadecimal};
use lurd_base::clock::Instant;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

const FORMAT: &str = "lurd-checkpoint";
const VERSION: u32 = 2;

const PREFIX: &str = "checkpoint";
const SUFFIX: &str = ".json";

/// How often checkpoints are written.
#[derive(Clone, Copy, Debug)]
struct Pace {
    /// The least time between two checkpoints.
    interval: Duration,
    /// The same, as a multiple of the time the last one took to write.
    cost_multiple: u32,
}

const PACE: Pace = Pace { interval: Duration::from_millis(500), cost_multiple: 30 };

/// In the first seconds of a run it is closer: one that is killed again and again advances all the same.
const EARLY: Duration = Duration::from_secs(3);
const EARLY_PACE: Pace = Pace { interval: Duration::from_millis(100), cost_multiple: 4 };

/// How many checkpoints are kept.
const KEPT: usize = 2;

/// A solution and where it comes from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KnownSolution {
    pub lurd: String,
    pub source: String,
}

/// A checkpoint as it is stored.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Checkpoint {
    pub(crate) format: String,
    pub(crate) version: u32,
    pub(crate) rules: u32,
    /// The level, row by row.
    pub(crate) level: Vec<String>,
    /// No solution has fewer pushes.
    pub lower: u32,
    pub solution: Option<KnownSolution>,
    pub start: StartRecord,
    pub tables: Vec<String>,
    pub spent: u64,
    /// The longest step of the schedule that may come next.
    pub longest: u32,
    /// The completed push limits.
    pub limits: Vec<LimitRecord>,
    /// The current push limit.
    #[serde(rename = "under_way")]
    pub search: Option<SavedSearch>,
    #[serde(with = "hexadecimal")]
    pub(crate) checksum: u64,
}

/// An unfinished search of one push limit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SavedSearch {
    pub limit: u32,
    pub start: u32,
    pub forward: SavedSide,
    pub backward: SavedSide,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SavedSide {
    pub(crate) root: u32,
    #[serde(rename = "beyond")]
    pub(crate) limit_pruned: bool,
    pub layers: Vec<SavedLayer>,
    /// The unfinished expansion of the last layer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) pending: Option<SavedPending>,
}

/// What is done of a layer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SavedPending {
    /// The last key that is expanded, in hexadecimal digits.
    pub(crate) done: String,
    pub(crate) runs: Vec<SavedLayer>,
}

impl SavedSide {
    /// Whether the expansion of the last layer has begun.
    pub(crate) fn is_within_layer(&self) -> bool {
        self.pending.is_some()
    }

    /// The layers and runs it names.
    fn files(&self) -> impl Iterator<Item = &SavedLayer> {
        let runs = self.pending.iter().flat_map(|pending| &pending.runs);
        self.layers.iter().chain(runs)
    }
}

/// A layer and its file, unless it was freed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SavedLayer {
    pub layer: LayerRecord,
    pub file: Option<String>,
}

impl Checkpoint {
    /// The layers and runs that it names.
    pub(crate) fn files(&self) -> impl Iterator<Item = &SavedLayer> {
        self.search.iter().flat_map(|search| search.forward.files().chain(search.backward.files()))
    }

    fn sum(&self) -> u64 {
        let bare = Self { checksum: 0, ..self.clone() };
        checksum(serde_json::to_string(&bare).unwrap_or_default().as_bytes())
    }
}

/// Writes checkpoints of one level into a folder.
#[derive(Debug)]
pub struct Journal {
    pub(crate) disk: Arc<Disk>,
    level: Vec<String>,
    /// The checkpoints that are kept, the newest last, with their names.
    kept: Vec<(String, Checkpoint)>,
    opened: Instant,
    last: Instant,
    pace: Pace,
    early_pace: Pace,
    cost: Duration,
    failed: bool,
    #[cfg(test)]
    asked: std::sync::atomic::AtomicU64,
}

/// What was found in a folder.
#[derive(Debug, Default)]
pub struct FoundCheckpoints {
    /// Undamaged checkpoints, the one that proves most first; of equals, the newest.
    pub checkpoints: Vec<Checkpoint>,
    /// Notes for the report.
    pub notes: Vec<String>,
}

/// Why a folder for checkpoints cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum JournalError {
    #[error("{0}: this folder already holds a checkpoint; resume it, or choose another folder")]
    Exists(String),
    #[error("{0} was written by another version of lurd; use that version, or choose another folder")]
    OtherVersion(String),
    #[error("{0} belongs to another level; choose the folder of this level")]
    OtherLevel(String),
    /// It cannot be read or written.
    #[error(transparent)]
    Disk(#[from] DiskError),
}

impl Journal {
    /// Opens a folder for a level. With `resume` the checkpoints of an earlier run are read.
    ///
    /// # Errors
    /// When the folder cannot be used, holds a checkpoint and `resume` is not set, or belongs to another level.
    pub fn open(
        folder: &Path,
        limit: Option<u64>,
        level: Vec<String>,
        resume: bool,
    ) -> Result<(Self, FoundCheckpoints), JournalError> {
        let disk = Disk::open(folder, limit)?;
        let shown = folder.display();
        let (mut kept, mut notes) = (Vec::new(), Vec::new());
        let mut names = listed(folder)?;
        if !resume && !names.is_empty() {
            return Err(JournalError::Exists(shown.to_string()));
        }
        // The newest first.
        names.sort_unstable_by_key(|name| std::cmp::Reverse(disk::number(name)));
        for name in names {
            let path = disk.path(&name);
            let read = fs::read_to_string(&path).map_err(|error| error.to_string());
            let parsed = read.and_then(|text| serde_json::from_str(&text).map_err(|error| error.to_string()));
            let checked = parsed.and_then(|checkpoint: Checkpoint| match checkpoint.checksum == checkpoint.sum() {
                true => Ok(checkpoint),
                false => Err("wrong checksum".into()),
            });
            let checkpoint = match checked {
                Ok(checkpoint) => checkpoint,
                Err(error) => {
                    notes.push(format!("{} is damaged ({error}) and was skipped", path.display()));
                    continue;
                }
            };
            if (checkpoint.format.as_str(), checkpoint.version, checkpoint.rules) != (FORMAT, VERSION, RULES) {
                return Err(JournalError::OtherVersion(path.display().to_string()));
            }
            if checkpoint.level != level {
                return Err(JournalError::OtherLevel(path.display().to_string()));
            }
            kept.push((name, checkpoint));
        }
        if resume && kept.is_empty() {
            notes.push(format!("{shown}: there is no checkpoint to resume; the proof starts from the beginning"));
        }
        let mut checkpoints: Vec<Checkpoint> = kept.iter().map(|(_, checkpoint)| checkpoint.clone()).collect();
        checkpoints.sort_by_key(|checkpoint| std::cmp::Reverse(checkpoint.lower));
        kept.reverse();
        let now = Instant::now();
        let journal = Self {
            disk,
            level,
            kept,
            opened: now,
            last: now,
            pace: PACE,
            early_pace: EARLY_PACE,
            cost: Duration::ZERO,
            failed: false,
            #[cfg(test)]
            asked: std::sync::atomic::AtomicU64::new(1),
        };
        journal.disk.set_checkpointed(journal.key_files());
        Ok((journal, FoundCheckpoints { checkpoints, notes }))
    }

    /// Writes a checkpoint after every layer from now on.
    #[cfg(test)]
    pub fn write_always(&mut self) {
        self.pace = Pace { interval: Duration::ZERO, cost_multiple: 0 };
        self.early_pace = self.pace;
    }

    /// Whether a layer is interrupted for a checkpoint.
    pub(crate) fn is_due_within_layer(&self) -> bool {
        // Tests write whenever they may, which would be after every few positions.
        #[cfg(test)]
        if !self.asked.fetch_add(1, std::sync::atomic::Ordering::Relaxed).is_multiple_of(200) {
            return false;
        }
        self.is_due()
    }

    pub fn is_due(&self) -> bool {
        let pace = if self.opened.elapsed() < EARLY { self.early_pace } else { self.pace };
        !self.failed && self.last.elapsed() >= pace.interval.max(self.cost * pace.cost_multiple)
    }

    /// Writes a checkpoint of what is `proved`, with the layers of the current search. If these cannot be written, a note
    /// gives the reason, and from then on checkpoints hold no new layers.
    pub(crate) fn write<K: Key>(
        &mut self,
        proved: Checkpoint,
        search: Option<&mut BidirectionalSearch<K>>,
        control: &Control<'_>,
    ) {
        let begun = Instant::now();
        let limit = search.as_ref().map(|search| search.limit());
        let saved =
            match search.filter(|_| !self.failed).map(|search| save_search(search, &self.disk, control)).transpose() {
                Ok(saved) => saved,
                Err(error) => {
                    self.fail(&error, control);
                    None
                }
            };
        // If the layers cannot be written, those of the previous checkpoint remain valid.
        let previous = self.kept.last().and_then(|(_, checkpoint)| checkpoint.search.clone());
        let search = saved.or_else(|| previous.filter(|previous| Some(previous.limit) == limit));
        let mut checkpoint = Checkpoint {
            format: FORMAT.into(),
            version: VERSION,
            rules: RULES,
            level: self.level.clone(),
            search,
            checksum: 0,
            ..proved
        };
        checkpoint.checksum = checkpoint.sum();
        let name = self.disk.new_name(PREFIX, SUFFIX);
        let text = serde_json::to_string(&checkpoint).unwrap_or_default();
        match self.disk.write(&name, text.as_bytes()) {
            Ok(()) => self.kept.push((name, checkpoint)),
            Err(error) => self.fail(&error, control),
        }
        while self.kept.len() > KEPT {
            // The last maximum: the newest of those that prove most.
            let best = (0..self.kept.len()).max_by_key(|&place| self.kept[place].1.lower);
            let (old, _) = self.kept.remove(usize::from(best == Some(0)));
            let _ = fs::remove_file(self.disk.path(&old));
        }
        self.disk.set_checkpointed(self.key_files());
        self.last = Instant::now();
        self.cost = begun.elapsed();
    }

    /// Removes what only an unfinished proof needs: all checkpoints but the last, and their layers. The last one must have
    /// been written: if it names layers, it is of an earlier time.
    pub(crate) fn clean_up(&mut self) {
        if self.kept.last().is_none_or(|(_, newest)| newest.search.is_some()) {
            return;
        }
        for (old, _) in self.kept.drain(..self.kept.len() - 1) {
            let _ = fs::remove_file(self.disk.path(&old));
        }
        self.disk.set_checkpointed(self.key_files());
    }

    /// The files of layers and runs that the kept checkpoints name.
    fn key_files(&self) -> HashSet<String> {
        self.kept.iter().flat_map(|(_, checkpoint)| checkpoint.files()).filter_map(|saved| saved.file.clone()).collect()
    }

    fn fail(&mut self, error: &DiskError, control: &Control<'_>) {
        if !self.failed {
            self.failed = true;
            control.add_note(format!("{error}; the proof continues without new checkpoints"));
        }
    }
}

/// The names of checkpoints in a folder.
fn listed(folder: &Path) -> Result<Vec<String>, DiskError> {
    let entries = fs::read_dir(folder).map_err(|error| DiskError::new(folder, "the folder cannot be read", &error))?;
    let names = entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned());
    Ok(names
        .filter(|name| name.starts_with(PREFIX) && name.ends_with(SUFFIX) && disk::number(name).is_some())
        .collect())
}

/// Writes the layers of a search to disk and lists them.
fn save_search<K: Key>(
    search: &mut BidirectionalSearch<K>,
    disk: &Arc<Disk>,
    control: &Control<'_>,
) -> Result<SavedSearch, DiskError> {
    Ok(SavedSearch {
        limit: search.limit(),
        start: search.forward.root,
        forward: save_side(&mut search.forward, disk, control)?,
        backward: save_side(&mut search.backward, disk, control)?,
    })
}

fn save_side<K: Key>(
    search: &mut LayerSearch<K>,
    disk: &Arc<Disk>,
    control: &Control<'_>,
) -> Result<SavedSide, DiskError> {
    for layer in &mut search.layers {
        layer.write_to(disk)?;
    }
    let runs_saved = match write_pending(search, disk, control) {
        Ok(()) => true,
        // The complete layers are worth a checkpoint all the same.
        Err(error) if error.full => false,
        Err(error) => return Err(error),
    };
    let pending = &search.pending;
    Ok(SavedSide {
        root: search.root,
        limit_pruned: search.limit_pruned,
        layers: listed_layers(&search.layers, &search.digests),
        pending: pending.done.filter(|_| runs_saved).map(|done| SavedPending {
            done: format!("{:x}", done.wide()),
            runs: listed_layers(&pending.disk_runs, &pending.digests),
        }),
    })
}

/// Writes the runs of an unfinished layer to disk. No limit stops that: what is done must not be lost when one ends the run.
fn write_pending<K: Key>(
    search: &mut LayerSearch<K>,
    disk: &Arc<Disk>,
    control: &Control<'_>,
) -> Result<(), DiskError> {
    if search.pending.runs.is_empty() {
        return Ok(());
    }
    let to = Some(Destination { disk, prefix: RUN_PREFIX });
    search.write_runs(&MergeOptions { threads: 1, stop: &|| false, to }, control)
}

fn listed_layers<K: Key>(layers: &[Layer<K>], digests: &[LayerRecord]) -> Vec<SavedLayer> {
    let saved =
        |(layer, &digest): (&Layer<K>, _)| SavedLayer { layer: digest, file: layer.file_name().map(str::to_owned) };
    layers.iter().zip(digests).map(saved).collect()
}
