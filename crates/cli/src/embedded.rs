//! The levels inside the program: `levels/lurd.xsb`, compiled in.
//!
//! The lines `Pushes: n` and `Moves: n` of a level are its optimal figures.

/// The file as written.
pub const TEXT: &str = include_str!("../../../levels/lurd.xsb");

#[cfg(test)]
mod tests {
    use crate::input::Source;
    use lurd::formats::{BEST_MOVES, FEWEST_PUSHES};

    #[test]
    fn every_level_inside_the_program_can_be_read_and_names_its_figures() {
        let collection = Source::default().read().unwrap();
        assert!(collection.defects.is_empty() && collection.warnings.is_empty());
        for level in &collection.levels {
            assert!(level.title.is_some());
            let figures = [level.figure(&FEWEST_PUSHES), level.figure(&BEST_MOVES)];
            assert!(figures.iter().all(Option::is_some), "{:?}", level.title);
        }
    }
}
