//! What is known of one level: the Pareto front of its solutions, lower bounds, who found them.

use crate::form::{LevelKey, map_in};
use crate::store::now;
use crate::{Form, Library, LibraryError};
use lurd::improve::Metric;
use lurd::{Map, Proof, Solution, Symmetry};
use rusqlite::{OptionalExtension, Row};

/// Who found something, how and when.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// A program with its version, a player, a file.
    pub finder: String,
    /// The search or the place it came from.
    pub method: String,
    /// When, in seconds since 1970.
    pub found: i64,
}

impl Origin {
    /// Something found now.
    pub fn new(finder: impl Into<String>, method: impl Into<String>) -> Self {
        Self { finder: finder.into(), method: method.into(), found: now() }
    }

    /// The origin in three columns from `first` on.
    pub(crate) fn of_row(row: &Row<'_>, first: usize) -> rusqlite::Result<Self> {
        Ok(Self { finder: row.get(first)?, method: row.get(first + 1)?, found: row.get(first + 2)? })
    }
}

/// A stored solution, in the orientation that was asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownSolution {
    /// The moves in LURD, pushes in capitals.
    pub lurd: String,
    /// All letters.
    pub moves: usize,
    /// Capital letters.
    pub pushes: usize,
    /// Where it comes from.
    pub origin: Origin,
}

impl KnownSolution {
    /// Its length in one of the counts.
    pub fn length(&self, metric: Metric) -> usize {
        match metric {
            Metric::Pushes => self.pushes,
            Metric::Moves => self.moves,
        }
    }

    /// The solution alone.
    pub fn solution(&self) -> Solution {
        Solution { lurd: self.lurd.clone(), moves: self.moves, pushes: self.pushes }
    }
}

/// No solution is below this.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bound {
    /// The bound.
    pub value: u32,
    /// Where it comes from.
    pub origin: Origin,
}

/// What is known of a level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Knowledge {
    /// The name of the level.
    pub key: LevelKey,
    /// Solutions none of which is as good as another in both pushes and moves; pushes rise, moves fall.
    pub front: Vec<KnownSolution>,
    /// No solution has fewer pushes.
    pub pushes_bound: Option<Bound>,
    /// No solution has fewer moves.
    pub moves_bound: Option<Bound>,
    /// Who proved that there is no solution.
    pub unsolvable: Option<Origin>,
}

/// What is proved of a level.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Proved {
    /// No solution has fewer pushes than the best.
    pub fewest_pushes: bool,
    /// No solution has fewer moves than the best.
    pub fewest_moves: bool,
    /// There is no solution.
    pub unsolvable: bool,
}

impl Proved {
    /// As the column `proved` has it.
    pub(crate) fn of_column(bits: i64) -> Self {
        Self { fewest_pushes: bits & 1 != 0, fewest_moves: bits & 2 != 0, unsolvable: bits & 4 != 0 }
    }
}

impl Knowledge {
    /// What the bounds prove.
    pub fn proved(&self) -> Proved {
        Proved {
            fewest_pushes: self.proof(Metric::Pushes) == Proof::OptimalPushes,
            fewest_moves: self.proof(Metric::Moves) == Proof::OptimalMoves,
            unsolvable: self.unsolvable.is_some(),
        }
    }

    /// The best solution: by pushes, then moves, or the other way round.
    pub fn best(&self, metric: Metric) -> Option<&KnownSolution> {
        match metric {
            Metric::Pushes => self.front.first(),
            Metric::Moves => self.front.last(),
        }
    }

    /// The lower bound of a count.
    pub fn bound(&self, metric: Metric) -> Option<&Bound> {
        match metric {
            Metric::Pushes => self.pushes_bound.as_ref(),
            Metric::Moves => self.moves_bound.as_ref(),
        }
    }

    /// What the stored bounds prove about the best solution in a count.
    pub fn proof(&self, metric: Metric) -> Proof {
        match (self.best(metric), self.bound(metric)) {
            (Some(best), Some(bound)) => proof(metric, best.length(metric), bound.value),
            _ => Proof::None,
        }
    }
}

/// What a lower bound proves about a solution of a length.
fn proof(metric: Metric, length: usize, bound: u32) -> Proof {
    if bound as usize >= length {
        match metric {
            Metric::Pushes => Proof::OptimalPushes,
            Metric::Moves => Proof::OptimalMoves,
        }
    } else if bound > 0 {
        // Rounded up, so that what it says stays true.
        Proof::AtMost((length as f64 / f64::from(bound) * 1000.0).ceil() / 1000.0)
    } else {
        Proof::None
    }
}

/// The word for a count in the file.
pub(crate) fn word(metric: Metric) -> &'static str {
    match metric {
        Metric::Pushes => "pushes",
        Metric::Moves => "moves",
    }
}

impl Library {
    /// What is known of a level, its solutions in the orientation of the map; `None` if the level is not there.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn knowledge(&self, map: &Map) -> Result<Option<Knowledge>, LibraryError> {
        let form = Form::of(map);
        match self.level_id(&form)? {
            Some(id) => self.knowledge_of(id, form.key, form.symmetry.inverse()).map(Some),
            None => Ok(None),
        }
    }

    /// What is known of the level with a key, its solutions on the normal form; `None` if it is not there.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn knowledge_by_key(&self, key: LevelKey) -> Result<Option<(Map, Knowledge)>, LibraryError> {
        let row = self.connection.query_row("SELECT id, form FROM level WHERE key = ?1", [key.bytes()], |row| {
            Ok((row.get::<_, i64>(0)?, map_in(row, 1)?))
        });
        let Some((id, map)) = self.wrap(row.optional())? else { return Ok(None) };
        Ok(Some((map, self.knowledge_of(id, key, Symmetry::IDENTITY)?)))
    }

    /// What is known of the level with a key, its solutions carried over to another orientation of the normal form, with the
    /// board in that orientation; `None` if it is not there.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn knowledge_turned(
        &self,
        key: LevelKey,
        symmetry: Symmetry,
    ) -> Result<Option<(Map, Knowledge)>, LibraryError> {
        let Some((map, mut known)) = self.knowledge_by_key(key)? else { return Ok(None) };
        for solution in &mut known.front {
            solution.lurd = symmetry.apply_to_lurd(&solution.lurd);
        }
        Ok(Some((symmetry.apply(&map), known)))
    }

    /// What is known of a stored level; `symmetry` carries moves on the normal form to those of the reader.
    pub(crate) fn knowledge_of(&self, id: i64, key: LevelKey, symmetry: Symmetry) -> Result<Knowledge, LibraryError> {
        let front = || -> rusqlite::Result<Vec<KnownSolution>> {
            let mut statement = self.connection.prepare_cached(
                "SELECT pushes, moves, lurd, finder, method, found FROM solution WHERE level = ?1 ORDER BY pushes",
            )?;
            let solutions = statement.query_map([id], |row| {
                Ok(KnownSolution {
                    pushes: row.get(0)?,
                    moves: row.get(1)?,
                    lurd: symmetry.apply_to_lurd(&row.get::<_, String>(2)?),
                    origin: Origin::of_row(row, 3)?,
                })
            })?;
            solutions.collect()
        };
        let bounds = || -> rusqlite::Result<Vec<(String, Bound)>> {
            let mut statement = self
                .connection
                .prepare_cached("SELECT metric, value, finder, method, found FROM bound WHERE level = ?1")?;
            let bounds = statement.query_map([id], |row| {
                Ok((row.get(0)?, Bound { value: row.get(1)?, origin: Origin::of_row(row, 2)? }))
            })?;
            bounds.collect()
        };
        let mut known =
            Knowledge { key, front: self.wrap(front())?, pushes_bound: None, moves_bound: None, unsolvable: None };
        for (metric, bound) in self.wrap(bounds())? {
            match metric.as_str() {
                "pushes" => known.pushes_bound = Some(bound),
                "moves" => known.moves_bound = Some(bound),
                _ => known.unsolvable = Some(bound.origin),
            }
        }
        Ok(known)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bound_proves_what_it_can() {
        assert_eq!(proof(Metric::Pushes, 10, 10), Proof::OptimalPushes);
        assert_eq!(proof(Metric::Moves, 10, 10), Proof::OptimalMoves);
        assert_eq!(proof(Metric::Pushes, 10, 9), Proof::AtMost(1.112));
        assert_eq!(proof(Metric::Pushes, 10, 0), Proof::None);
        assert_eq!(proof(Metric::Pushes, 0, 0), Proof::OptimalPushes, "solved at the start");
    }
}
