//! Additive pattern databases for 4x4 boards with classic moves (Korf and Felner, 2002).
//!
//! The fifteen tiles are split into groups of 6, 6 and 3. For each group a table holds,
//! for every placement of its tiles, the fewest moves *of these tiles* that bring them
//! home, whatever the others do. No move is counted in two groups, so the sum of the
//! three is a lower bound: a much better one than Manhattan distance, which is the same
//! thing with groups of one tile.
//!
//! The tables know the goal by cells, not by tile numbers, so one set serves every goal
//! with the blank in the same cell; and a board can be turned and mirrored, so three sets
//! (blank in a corner, on an edge, inside) serve every goal. Each board is looked up in two
//! ways, and the larger sum counts: where a mirror image leaves the goal's blank in its
//! cell, the same tables serve both; for a blank on an edge there is a second split.

mod build;
mod cache;
mod ida;
mod layout;
mod lookup;

pub use cache::Origin;
pub(crate) use ida::ida_star;
pub(crate) use lookup::PatternLookup;

use crate::board::Board;
use layout::Layout;
use std::fmt;
use std::ops::ControlFlow;
use std::path::Path;

/// How far a build is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BuildProgress {
    /// Placements whose cost is known.
    pub done: u64,
    /// Placements in all tables together.
    pub total: u64,
}

/// Why there are no tables.
#[derive(Debug, thiserror::Error)]
pub enum PatternError {
    /// The progress callback asked to stop. Nothing was written: the next call starts afresh.
    #[error("building the pattern database was interrupted; nothing was saved")]
    Interrupted,
    #[error("pattern databases are for 4x4 boards; this goal is {0}x{0}")]
    Size(usize),
}

/// The tables for goals with the blank in a corner, on an edge, or inside.
pub struct PatternDatabase {
    layout: &'static Layout,
    /// One per group, by packed placement.
    tables: Vec<Vec<u8>>,
}

impl PatternDatabase {
    /// Builds the tables a goal needs: a few seconds. `progress` is called several times a
    /// second and may break the build off.
    pub fn build(
        goal: &Board,
        progress: &mut dyn FnMut(BuildProgress) -> ControlFlow<()>,
    ) -> Result<Self, PatternError> {
        let layout = Layout::for_goal(goal)?;
        let total = layout.groups.iter().map(|group| build::placements(group.len())).sum();
        let mut done = 0;
        let mut tables = Vec::new();
        for group in layout.groups {
            let mut report = |more| progress(BuildProgress { done: done + more, total });
            tables.push(build::table(group, layout.blank, &mut report).ok_or(PatternError::Interrupted)?);
            done += build::placements(group.len());
        }
        Ok(Self { layout, tables })
    }

    /// Loads the tables a goal needs from a folder, or builds and saves them there.
    ///
    /// A file that is cut short, damaged, of another version or of another kind is
    /// noticed by its checksum and header, and built anew. The file is written under
    /// another name and renamed when it is complete and on disk, so a build that is
    /// interrupted leaves nothing half done. If the folder cannot be written the tables
    /// are still returned, and the [`Origin`] says what went wrong.
    pub fn load_or_build(
        goal: &Board,
        folder: &Path,
        progress: &mut dyn FnMut(BuildProgress) -> ControlFlow<()>,
    ) -> Result<(Self, Origin), PatternError> {
        let layout = Layout::for_goal(goal)?;
        let refused = match cache::load(folder, layout) {
            Ok(database) => return Ok((database, Origin::Loaded)),
            Err(refused) => refused,
        };
        let database = Self::build(goal, progress)?;
        let not_saved = cache::save(folder, &database).err().map(|error| error.to_string());
        Ok((database, Origin::Built { refused, not_saved }))
    }

    /// The name of the file that holds the tables for a goal.
    pub fn file_name(goal: &Board) -> Result<String, PatternError> {
        Ok(cache::file_name(Layout::for_goal(goal)?))
    }

    /// Bytes the tables take in memory.
    pub fn bytes(&self) -> usize {
        self.tables.iter().map(Vec::len).sum()
    }

    pub fn serves(&self, goal: &Board) -> bool {
        Layout::for_goal(goal).is_ok_and(|layout| layout.blank == self.layout.blank)
    }
}

impl fmt::Debug for PatternDatabase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PatternDatabase").field("groups", &self.layout.groups).field("bytes", &self.bytes()).finish()
    }
}
