//! Figures of the whole library.

use crate::{Library, LibraryError};
use serde::Serialize;
use utoipa::ToSchema;

/// Figures of the whole library.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, ToSchema)]
pub struct Stats {
    /// Different levels.
    pub levels: usize,
    /// Collections.
    pub collections: usize,
    /// Levels in collections, each place counted.
    pub entries: usize,
    /// Levels with a solution.
    pub solved: usize,
    /// Levels proved unsolvable.
    pub unsolvable: usize,
    /// Levels whose fewest pushes are known.
    pub optimal_pushes: usize,
    /// Levels whose fewest moves are known.
    pub optimal_moves: usize,
    /// Solutions of all fronts.
    pub solutions: usize,
    /// Batch runs.
    pub runs: usize,
    /// Results of all runs.
    pub results: usize,
    /// Bytes of the file.
    pub bytes: u64,
}

impl Library {
    /// Counts everything.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn stats(&self) -> Result<Stats, LibraryError> {
        let count = |what: &str| {
            Ok::<_, LibraryError>(usize::try_from(self.one(&format!("SELECT count(*) FROM {what}"))?).unwrap_or(0))
        };
        Ok(Stats {
            levels: count("level")?,
            collections: count("collection")?,
            entries: count("entry")?,
            solved: count("level WHERE best_pushes IS NOT NULL")?,
            unsolvable: count("bound WHERE metric = 'none'")?,
            optimal_pushes: count("bound JOIN level ON id = level WHERE metric = 'pushes' AND value = best_pushes")?,
            optimal_moves: count("bound JOIN level ON id = level WHERE metric = 'moves' AND value = best_moves")?,
            solutions: count("solution")?,
            runs: count("run")?,
            results: count("result")?,
            bytes: std::fs::metadata(self.path()).map_or(0, |file| file.len()),
        })
    }
}
