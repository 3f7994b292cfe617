//! Verifying everything: the file by SQLite, every level by its normal form, every solution by the referee.

use crate::form::{LevelKey, symmetry_number};
use crate::{Form, Library, LibraryError, Proved};
use lurd::Map;
use std::fmt;

/// Something that is wrong in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damage {
    /// The level it concerns, if it concerns one.
    pub level: Option<LevelKey>,
    /// What is wrong.
    pub reason: String,
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.level {
            Some(level) => write!(f, "level {level}: {}", self.reason),
            None => f.write_str(&self.reason),
        }
    }
}

/// What a verification looked at and found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verification {
    /// Levels whose normal form was computed again.
    pub levels: usize,
    /// Solutions replayed on the normal form.
    pub solutions: usize,
    /// Solutions replayed on the drawings of entries.
    pub carried_over: usize,
    /// What is wrong.
    pub damages: Vec<Damage>,
}

impl Verification {
    fn blame(&mut self, level: Option<LevelKey>, reason: impl Into<String>) {
        self.damages.push(Damage { level, reason: reason.into() });
    }
}

impl Library {
    /// Verifies everything. `progress` is called with the number of levels done and stops the work by `false`.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn verify(&self, progress: &mut dyn FnMut(usize) -> bool) -> Result<Verification, LibraryError> {
        let mut found = Verification::default();
        for (pragma, fine) in [("integrity_check", Some("ok")), ("foreign_key_check", None)] {
            let rows = || -> rusqlite::Result<Vec<String>> {
                let mut statement = self.connection.prepare(&format!("PRAGMA {pragma}"))?;
                let rows = statement
                    .query_map([], |row| Ok(row.get::<_, String>(0).unwrap_or_else(|_| "a row is wrong".into())))?;
                rows.collect()
            };
            for row in self.wrap(rows())?.into_iter().filter(|row| Some(row.as_str()) != fine) {
                found.blame(None, format!("{pragma}: {row}"));
            }
        }
        let keys = || -> rusqlite::Result<Vec<LevelKey>> {
            let mut statement = self.connection.prepare("SELECT key FROM level ORDER BY id")?;
            let rows = statement.query_map([], |row| row.get(0))?;
            rows.collect()
        };
        for key in self.wrap(keys())? {
            if !progress(found.levels) {
                break;
            }
            self.verify_level(key, &mut found)?;
        }
        Ok(found)
    }

    fn verify_level(&self, key: LevelKey, found: &mut Verification) -> Result<(), LibraryError> {
        found.levels += 1;
        let Some((map, known)) = self.knowledge_by_key(key)? else { return Ok(()) };
        let form = Form::of(&map);
        if form.key != key || form.map != map {
            found.blame(Some(key), "its board is not the normal form of its key");
        }
        if let Err(flaw) = lurd::validity::check(&map) {
            found.blame(Some(key), flaw.to_string());
        }
        for solution in &known.front {
            found.solutions += 1;
            if let Err(reason) = replay(&map, &solution.lurd, (solution.pushes, solution.moves)) {
                found.blame(Some(key), reason);
            }
        }
        let rises = known.front.windows(2).all(|pair| pair[0].pushes < pair[1].pushes && pair[0].moves > pair[1].moves);
        if !rises {
            found.blame(Some(key), "one of its solutions is as good as another in both counts");
        }
        let (bests, proved): ((Option<usize>, Option<usize>), i64) = self.wrap(self.connection.query_row(
            "SELECT best_pushes, best_moves, proved FROM level WHERE key = ?1",
            [key.bytes()],
            |row| Ok(((row.get(0)?, row.get(1)?), row.get(2)?)),
        ))?;
        let first = known.front.first().map(|solution| solution.pushes);
        if bests != (first, known.front.last().map(|solution| solution.moves)) {
            found.blame(Some(key), "its best figures are not those of its solutions");
        }
        if Proved::of_column(proved) != known.proved() {
            found.blame(Some(key), "what it says to be proved is not what its bounds prove");
        }
        let exceeds = |bound: &Option<crate::Bound>, best: Option<usize>| {
            bound.as_ref().zip(best).is_some_and(|(bound, best)| bound.value as usize > best)
        };
        if exceeds(&known.pushes_bound, bests.0) || exceeds(&known.moves_bound, bests.1) {
            found.blame(Some(key), "a lower bound is above a solution");
        }
        if known.unsolvable.is_some() && !known.front.is_empty() {
            found.blame(Some(key), "it is called unsolvable and has a solution");
        }
        for entry in self.entries_of(key)? {
            let place = format!("{}, level {}", entry.collection, entry.number);
            let drawn = Form::of(&entry.map);
            if drawn.key != key {
                found.blame(Some(key), format!("{place}: this is another level"));
                continue;
            }
            let carry = entry.symmetry.inverse();
            for solution in &known.front {
                found.carried_over += 1;
                let lurd = carry.apply_to_lurd(&solution.lurd);
                if let Err(reason) = replay(&entry.map, &lurd, (solution.pushes, solution.moves)) {
                    let number = symmetry_number(entry.symmetry);
                    found.blame(Some(key), format!("{place}: carried over by symmetry {number}: {reason}"));
                }
            }
        }
        Ok(())
    }
}

/// Has the referee replay a solution and compares its counts.
fn replay(map: &Map, lurd: &str, counts: (usize, usize)) -> Result<(), String> {
    match lurd_referee::judge(&map.to_string(), lurd) {
        Err(fault) => Err(format!("a solution breaks the rules: {fault}")),
        Ok(verdict) if !verdict.solved => Err("a solution leaves boxes off the goals".into()),
        Ok(verdict) if (verdict.pushes, verdict.moves) != counts => Err("a solution has other counts".into()),
        Ok(_) => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Finding, Origin};

    fn library() -> Library {
        let mut library = Library::in_memory().unwrap();
        let collection = lurd::parse("#######\n#.$  @#\n#######\n\n#####\n#@$.#\n#####   #*#").unwrap();
        library.add("two", "two.xsb", &collection, false).unwrap();
        for (level, solution) in collection.levels.iter().zip(["llL", "R"]) {
            library.record(&level.map, &Finding::solution(solution), &Origin::new("a", "b")).unwrap();
        }
        library
    }

    #[test]
    fn what_was_taken_in_is_right() {
        let found = library().verify(&mut |_| true).unwrap();
        assert_eq!((found.levels, found.solutions, found.carried_over), (2, 2, 2));
        assert_eq!(found.damages, []);
    }

    #[test]
    fn every_kind_of_damage_is_found() {
        for (damage, word) in [
            ("UPDATE solution SET lurd = 'udud'", "breaks the rules"),
            ("UPDATE solution SET lurd = ''", "leaves boxes"),
            ("UPDATE solution SET moves = 9", "other counts"),
            ("UPDATE level SET best_moves = 1", "best figures"),
            ("UPDATE level SET form = '####' || char(10) || '#@*#' || char(10) || '####'", "not the normal form"),
            ("INSERT INTO bound SELECT id, 'pushes', 99, 'a', 'b', 0 FROM level", "above a solution"),
            ("INSERT INTO bound SELECT id, 'none', 0, 'a', 'b', 0 FROM level", "called unsolvable"),
            ("UPDATE entry SET symmetry = (symmetry + 3) % 8", "carried over"),
            ("UPDATE entry SET board = (SELECT form FROM level WHERE level.id <> entry.level)", "another level"),
        ] {
            let library = library();
            library.connection.execute_batch(damage).unwrap();
            let found = library.verify(&mut |_| true).unwrap();
            assert!(found.damages.iter().any(|found| found.reason.contains(word)), "{damage}: {:?}", found.damages);
        }
    }
}
