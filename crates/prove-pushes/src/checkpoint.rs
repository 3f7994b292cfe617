//! Checkpoints: what is proved so far and the layers of the limit under way, so that a killed proof goes on.
//!
//! A checkpoint is a small file that names the files of the layers. It is written when they are on disk, under a new
//! name, and the one before it stays: whatever moment the machine stops at, one of them is whole. Layers never
//! change, so each is written once. Writing takes a small share of the time, whatever the disk is like.

use crate::checksum::checksum;
use crate::control::Control;
use crate::disk;
use crate::disk::{Disk, Fault};
use crate::key::Key;
use crate::layer::Layer;
use crate::proof::LayerSearch;
use crate::record::{LayerRecord, LimitRecord, RULES, StartRecord, hexadecimal};
use crate::two_sided::TwoSided;
use lurd_rules::dense::board::Side;
use serde::{Deserialize, Serialize};
use std::fs;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// What the file calls itself.
const FORMAT: &str = "lurd-checkpoint";
const VERSION: u32 = 1;

/// The word and the ending in the names of checkpoints.
const WORD: &str = "checkpoint";
const ENDING: &str = ".json";

/// Two checkpoints are at least so far apart, and so many times as far as the last one took to write.
const APART: Duration = Duration::from_millis(500);
const SHARE: u32 = 30;

/// How many checkpoints are kept.
const KEPT: usize = 2;

/// A solution and where it comes from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sourced {
    pub lurd: String,
    pub source: String,
}

/// A checkpoint.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Checkpoint {
    format: String,
    version: u32,
    rules: u32,
    /// The level, row by row.
    level: Vec<String>,
    /// No solution has fewer pushes.
    pub lower: u32,
    pub solution: Option<Sourced>,
    pub start: StartRecord,
    pub tables: Vec<String>,
    pub spent: u64,
    /// The longest step that the next limit may take.
    pub longest: u32,
    /// The limits searched to their end.
    pub limits: Vec<LimitRecord>,
    /// The one under way.
    pub under_way: Option<UnderWay>,
    #[serde(with = "hexadecimal")]
    checksum: u64,
}

/// A limit under way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UnderWay {
    pub limit: u32,
    pub start: u32,
    pub forward: Stack,
    pub backward: Stack,
}

/// The layers of one side.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stack {
    root: u32,
    beyond: bool,
    pub layers: Vec<Kept>,
}

/// A layer and its file, if it was not let go.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Kept {
    pub layer: LayerRecord,
    pub file: Option<String>,
}

/// What is proved, whatever is under way.
pub(crate) struct Proved<'a> {
    pub lower: u32,
    pub start: &'a StartRecord,
    pub tables: Vec<String>,
    pub spent: u64,
    /// The longest step that the next limit may take.
    pub longest: u32,
    pub limits: &'a [LimitRecord],
}

impl Checkpoint {
    fn names(&self) -> impl Iterator<Item = String> + '_ {
        let stacks = self.under_way.iter().flat_map(|under_way| [&under_way.forward, &under_way.backward]);
        stacks.flat_map(|stack| &stack.layers).filter_map(|layer| layer.file.clone())
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
    last: Instant,
    apart: Duration,
    share: u32,
    cost: Duration,
    failed: bool,
}

/// What was found in a folder.
#[derive(Debug, Default)]
pub struct FoundCheckpoints {
    /// Whole checkpoints, the newest first.
    pub checkpoints: Vec<Checkpoint>,
    /// What a reader should know.
    pub notes: Vec<String>,
}

/// Why a folder for checkpoints cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum JournalError {
    /// It holds a checkpoint that nobody asked to go on with.
    #[error("{0}: there is a checkpoint in this folder; resume it, or name another folder")]
    Exists(String),
    /// It cannot be read or written, or belongs to another level or version, in a sentence.
    #[error("{0}")]
    Unusable(String),
}

impl From<String> for JournalError {
    fn from(sentence: String) -> Self {
        Self::Unusable(sentence)
    }
}

impl Journal {
    /// Opens a folder for a level. What an earlier run left is found only if it is to be taken up.
    ///
    /// # Errors
    /// When the folder cannot be used, holds what nobody asked to go on with, or is about another level.
    pub fn open(
        folder: &std::path::Path,
        limit: Option<u64>,
        level: Vec<String>,
        resume: bool,
    ) -> Result<(Self, FoundCheckpoints), JournalError> {
        let disk = Disk::open(folder, limit).map_err(|fault| fault.sentence)?;
        let shown = folder.display();
        let (mut kept, mut notes) = (Vec::new(), Vec::new());
        let mut names = listed(folder)?;
        if !resume && !names.is_empty() {
            return Err(JournalError::Exists(shown.to_string()));
        }
        // The newest first.
        names.sort_unstable_by_key(|name| std::cmp::Reverse(disk::number(name)));
        for name in names {
            let read = fs::read_to_string(disk.path(&name)).map_err(|error| error.to_string());
            let parsed = read.and_then(|text| serde_json::from_str(&text).map_err(|error| error.to_string()));
            let checkpoint: Checkpoint = match parsed {
                Ok(checkpoint) => checkpoint,
                Err(error) => {
                    notes.push(format!("{shown}: {name} is damaged ({error}) and was passed over"));
                    continue;
                }
            };
            if checkpoint.checksum != checkpoint.sum() {
                notes.push(format!("{shown}: {name} is damaged (its checksum does not fit) and was passed over"));
                continue;
            }
            let (format, version, rules) = (&checkpoint.format, checkpoint.version, checkpoint.rules);
            if (format.as_str(), version, rules) != (FORMAT, VERSION, RULES) {
                return Err(format!(
                    "{shown}: {name} was written by another version of lurd; take that one, or name another folder"
                )
                .into());
            }
            if checkpoint.level != level {
                return Err(format!("{shown}: {name} is about another level; name the folder of this one").into());
            }
            kept.push((name, checkpoint));
        }
        if resume && kept.is_empty() {
            notes.push(format!("{shown}: there is no checkpoint to take up; the proof starts from the beginning"));
        }
        let checkpoints: Vec<Checkpoint> = kept.iter().map(|(_, checkpoint)| checkpoint.clone()).collect();
        kept.reverse();
        disk.set_named(kept.iter().flat_map(|(_, checkpoint)| checkpoint.names()).collect());
        let (last, cost) = (Instant::now(), Duration::ZERO);
        let journal = Self { disk, level, kept, last, apart: APART, share: SHARE, cost, failed: false };
        Ok((journal, FoundCheckpoints { checkpoints, notes }))
    }

    /// Writes a checkpoint after every layer, whatever it costs.
    #[cfg(test)]
    pub fn hurry(&mut self) {
        (self.apart, self.share) = (Duration::ZERO, 0);
    }

    /// Whether it is time for the next one.
    pub fn is_due(&self) -> bool {
        !self.failed && self.last.elapsed() >= self.apart.max(self.cost * self.share)
    }

    /// Writes a checkpoint. When that fails, the reason is told, and from then on only what takes next to no room is
    /// written.
    pub(crate) fn write<K: Key>(
        &mut self,
        proved: &Proved<'_>,
        search: Option<&mut TwoSided<K>>,
        control: &Control<'_>,
    ) {
        let begun = Instant::now();
        let limit = search.as_ref().map(|search| search.limit());
        let under_way = match search.filter(|_| !self.failed).map(|search| under_way(search, &self.disk)).transpose() {
            Ok(under_way) => under_way,
            Err(fault) => {
                self.fail(&fault, control);
                None
            }
        };
        // Where the layers cannot be written those of the checkpoint before are as good as they were.
        let before = self.kept.last().and_then(|(_, checkpoint)| checkpoint.under_way.clone());
        let under_way = under_way.or_else(|| before.filter(|before| Some(before.limit) == limit));
        let mut checkpoint = Checkpoint {
            format: FORMAT.into(),
            version: VERSION,
            rules: RULES,
            level: self.level.clone(),
            lower: proved.lower,
            solution: control.solution(),
            start: proved.start.clone(),
            tables: proved.tables.clone(),
            spent: proved.spent,
            longest: proved.longest,
            limits: proved.limits.to_vec(),
            under_way,
            checksum: 0,
        };
        checkpoint.checksum = checkpoint.sum();
        let name = self.disk.name(WORD, ENDING);
        let text = serde_json::to_string(&checkpoint).unwrap_or_default();
        match self.disk.write(&name, text.as_bytes()) {
            Ok(()) => self.kept.push((name, checkpoint)),
            Err(fault) => self.fail(&fault, control),
        }
        while self.kept.len() > KEPT {
            let (old, _) = self.kept.remove(0);
            let _ = fs::remove_file(self.disk.path(&old));
        }
        self.disk.set_named(self.kept.iter().flat_map(|(_, checkpoint)| checkpoint.names()).collect());
        self.last = Instant::now();
        self.cost = begun.elapsed();
    }

    fn fail(&mut self, fault: &Fault, control: &Control<'_>) {
        if !self.failed {
            self.failed = true;
            control.tell(format!("{}; the proof goes on without new checkpoints", fault.sentence));
        }
    }
}

/// The names of checkpoints in a folder.
fn listed(folder: &std::path::Path) -> Result<Vec<String>, String> {
    let entries =
        fs::read_dir(folder).map_err(|error| format!("{}: the folder cannot be read: {error}", folder.display()))?;
    let names = entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned());
    Ok(names.filter(|name| name.starts_with(WORD) && name.ends_with(ENDING) && disk::number(name).is_some()).collect())
}

/// Puts the layers of a search on disk and lists them.
fn under_way<K: Key>(search: &mut TwoSided<K>, disk: &Arc<Disk>) -> Result<UnderWay, Fault> {
    Ok(UnderWay {
        limit: search.limit(),
        start: search.forward.root,
        forward: stack(&mut search.forward, disk)?,
        backward: stack(&mut search.backward, disk)?,
    })
}

fn stack<K: Key>(search: &mut LayerSearch<K>, disk: &Arc<Disk>) -> Result<Stack, Fault> {
    for layer in &mut search.layers {
        layer.file(disk)?;
    }
    let layers = search.layers.iter().zip(&search.digests);
    Ok(Stack {
        root: search.root,
        beyond: search.beyond,
        layers: layers
            .map(|(layer, digest)| Kept { layer: digest.into(), file: layer.name().map(str::to_owned) })
            .collect(),
    })
}

/// Takes up the layers of a search.
pub(crate) fn take_up<K: Key>(kept: &UnderWay, disk: &Arc<Disk>) -> Result<TwoSided<K>, Fault> {
    Ok(TwoSided {
        forward: take_up_side(Side::Forward, kept.limit, &kept.forward, disk)?,
        backward: take_up_side(Side::Backward, kept.limit, &kept.backward, disk)?,
    })
}

/// Takes up the layers of one side. Those that every new layer is compared with, and the last, must be whole; of the
/// others those that are not are only missing on the way back.
fn take_up_side<K: Key>(side: Side, limit: u32, kept: &Stack, disk: &Arc<Disk>) -> Result<LayerSearch<K>, Fault> {
    let mut search = LayerSearch::bare(side, limit, kept.root, kept.beyond);
    let needed = kept.layers.len().saturating_sub(2 * search.compared() + 1);
    for (depth, layer) in kept.layers.iter().enumerate() {
        let found = match &layer.file {
            Some(name) => Layer::take_up(disk, name),
            None => Err(Fault { sentence: format!("layer {depth} was let go"), full: false }),
        };
        let digest = (&layer.layer).into();
        let whole = found.and_then(|found| {
            if depth < needed || found.digest()? == digest {
                Ok(found)
            } else {
                Err(Fault { sentence: format!("the file of layer {depth} holds other positions"), full: false })
            }
        });
        match whole {
            Ok(found) => search.layers.push(found),
            Err(fault) if depth >= needed => return Err(fault),
            Err(_) => {
                search.layers.push(Layer::gone());
                search.held_from = depth + 1;
            }
        }
        search.digests.push(digest);
    }
    if search.layers.is_empty() {
        return Err(Fault { sentence: "it has no layers".into(), full: false });
    }
    Ok(search)
}
