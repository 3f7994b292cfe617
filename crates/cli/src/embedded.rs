//! The levels inside the program: `levels/lurd.xsb`, compiled in.
//!
//! The lines `Pushes: n` and `Moves: n` of a level are its optimal figures.

use lurd::Level;

/// The file as written.
pub const TEXT: &str = include_str!("../../../levels/lurd.xsb");

/// A figure that a level's notes give, such as `Pushes`.
pub fn figure(level: &Level, key: &str) -> Option<u32> {
    level.notes.iter().find_map(|note| {
        let (name, value) = note.split_once(':')?;
        if name.trim().eq_ignore_ascii_case(key) { value.trim().parse().ok() } else { None }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::Source;

    #[test]
    fn every_level_inside_the_program_can_be_read_and_names_its_figures() {
        let collection = Source::default().read().unwrap();
        assert!(collection.defects.is_empty() && collection.warnings.is_empty());
        for level in &collection.levels {
            assert!(level.title.is_some());
            assert!(figure(level, "pushes").is_some() && figure(level, "moves").is_some(), "{:?}", level.title);
        }
    }
}
