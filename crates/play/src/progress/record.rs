//! What is kept of one level.

use serde::{Deserialize, Serialize};
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

/// A solution the referee has replayed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Solution {
    pub(crate) lurd: String,
    pub(crate) moves: usize,
    pub(crate) pushes: usize,
}

/// What is kept of one level.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Record {
    /// The layout of this file.
    version: u32,
    /// The level itself, in its normal form, without titles.
    pub(super) board: String,
    /// The solution with the fewest pushes, and among those the fewest moves.
    pub(crate) best_pushes: Option<Solution>,
    /// The solution with the fewest moves, and among those the fewest pushes.
    pub(crate) best_moves: Option<Solution>,
    /// The moves of the game in progress.
    pub(crate) current: String,
    /// When it was last played, in seconds since 1970.
    #[serde(default)]
    pub(crate) played: u64,
}

impl Record {
    const VERSION: u32 = 1;

    pub(crate) fn new(board: &str) -> Self {
        Self {
            version: Self::VERSION,
            board: board.to_owned(),
            best_pushes: None,
            best_moves: None,
            current: String::new(),
            played: 0,
        }
    }

    /// Sets the game in progress and the time of day.
    pub(crate) fn set_current(&mut self, lurd: String) {
        self.current = lurd;
        self.played = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
    }

    /// Takes a finished game in, after the referee has replayed it; says whether it is a new best
    /// in pushes or in moves.
    pub(crate) fn finish(&mut self, lurd: &str) -> Result<bool, String> {
        let verdict = lurd_referee::judge(&self.board, lurd).map_err(|fault| fault.to_string())?;
        if !verdict.solved {
            return Err("the game does not solve the level".to_owned());
        }
        let solution = Solution { lurd: verdict.lurd, moves: verdict.moves, pushes: verdict.pushes };
        Ok(self.offer(Some(&solution)))
    }

    /// Takes over what another record of the same level has better.
    pub(crate) fn merge(&mut self, other: &Self) {
        if other.board == self.board {
            self.offer(other.best_pushes.as_ref());
            self.offer(other.best_moves.as_ref());
        }
    }

    fn offer(&mut self, solution: Option<&Solution>) -> bool {
        let Some(new) = solution else { return false };
        let fewer_pushes =
            self.best_pushes.as_ref().is_none_or(|old| (new.pushes, new.moves) < (old.pushes, old.moves));
        let fewer_moves = self.best_moves.as_ref().is_none_or(|old| (new.moves, new.pushes) < (old.moves, old.pushes));
        if fewer_pushes {
            self.best_pushes = Some(new.clone());
        }
        if fewer_moves {
            self.best_moves = Some(new.clone());
        }
        fewer_pushes || fewer_moves
    }
}

/// Reads a record; `None` if there is none. A damaged one is put aside under another name, so
/// that nothing is overwritten that a person might still rescue.
pub(super) fn load(path: &Path, board: &str) -> Result<Option<Record>, String> {
    let bytes = match std::fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(format!("progress cannot be read: {}: {error}", path.display())),
    };
    match parse(&bytes, board) {
        Ok(record) => Ok(Some(record)),
        Err(reason) => {
            let aside = path.with_extension("json.damaged");
            let moved = std::fs::rename(path, &aside);
            let fate = moved.map_or_else(|error| error.to_string(), |()| format!("kept as {}", aside.display()));
            Err(format!("a damaged record was found ({reason}); {fate}"))
        }
    }
}

pub(super) fn parse(bytes: &[u8], board: &str) -> Result<Record, String> {
    let record: Record = serde_json::from_slice(bytes).map_err(|error| error.to_string())?;
    if record.version != Record::VERSION {
        return Err(format!("it has version {}, not {}", record.version, Record::VERSION));
    }
    if record.board != board {
        return Err("it is of another level".to_owned());
    }
    Ok(record)
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOARD: &str = "######\n#@$ .#\n#    #\n######\n";

    #[test]
    fn only_what_the_referee_confirms_is_kept() {
        let mut record = Record::new(BOARD);
        assert!(record.finish("R").is_err(), "not finished");
        assert!(record.finish("L").is_err(), "not legal");
        assert!(record.finish("RRR").is_err(), "one push too many");
        assert!(record.best_pushes.is_none());
        assert_eq!(record.finish("rr"), Ok(true));
        assert_eq!(record.best_pushes.as_ref().unwrap().lurd, "RR");
    }

    #[test]
    fn a_longer_way_is_no_new_best() {
        let mut record = Record::new(BOARD);
        assert_eq!(record.finish("duRR"), Ok(true));
        assert_eq!(record.finish("RR"), Ok(true));
        assert_eq!(record.finish("duRR"), Ok(false));
        assert_eq!(record.best_moves.unwrap().moves, 2);
    }

    #[test]
    fn solutions_are_ordered_by_their_own_measure_first() {
        let solution = |moves, pushes| Solution { lurd: String::new(), moves, pushes };
        let mut record = Record::new(BOARD);
        record.offer(Some(&solution(20, 5)));
        assert!(record.offer(Some(&solution(10, 8))), "fewer moves");
        assert_eq!(record.best_pushes, Some(solution(20, 5)));
        assert_eq!(record.best_moves, Some(solution(10, 8)));
        assert!(record.offer(Some(&solution(19, 5))), "as many pushes, fewer moves");
        assert_eq!(record.best_pushes, Some(solution(19, 5)));
        assert!(!record.offer(Some(&solution(11, 6))));
    }
}
