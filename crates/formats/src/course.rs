//! The course format of the University of Aveiro: one level per file, floor `-` also outside the walls, rows of equal
//! length, no titles. Read by [`crate::xsb`].

use crate::{Collection, Format, WriteError};

/// Writes the one level of a collection.
pub(super) fn write(collection: &Collection) -> Result<String, WriteError> {
    let [level] = collection.levels.as_slice() else {
        return Err(WriteError::OneLevel { format: Format::Course, levels: collection.levels.len() });
    };
    let width = level.map.width();
    Ok(level.map.rows().map(|row| format!("{row:<width$}\n").replace(' ', "-")).collect())
}
