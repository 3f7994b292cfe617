//! Boxoban: boards of 10x10 below `; n`, numbered from 0, with walls outside. Read by [`crate::xsb`].

use crate::{Collection, WriteError};
use lurd_level::{Cell, Map};

const SIDE: usize = 10;

/// Writes levels of at most 10x10; smaller ones are filled with walls.
pub(super) fn write(collection: &Collection) -> Result<String, WriteError> {
    let mut out = String::new();
    for (index, level) in collection.levels.iter().enumerate() {
        let map = level.map.normalized().rectangular();
        if map.width() > SIDE || map.height() > SIDE {
            return Err(WriteError::NotTenByTen { number: level.number, width: map.width(), height: map.height() });
        }
        if map.cells().any(|(_, _, cell)| matches!(cell, Cell::BoxOnGoal | Cell::PlayerOnGoal)) {
            return Err(WriteError::OnGoal { number: level.number });
        }
        let cell = |row: usize, column: usize| {
            if row < map.height() && column < map.width() { map.get(row, column) } else { Cell::Wall }
        };
        let rows: Vec<Vec<Cell>> = (0..SIDE).map(|row| (0..SIDE).map(|column| cell(row, column)).collect()).collect();
        out.push_str(&format!("; {index}\n{}\n", Map::from_rows(&rows)));
    }
    Ok(out)
}
