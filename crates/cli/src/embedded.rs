//! The levels inside the program: `levels/lurd.xsb`, compiled in.
//!
//! The lines `Pushes: n` and `Moves: n` of a level are its optimal figures, `Grade: n` says how hard it is.

/// The file as written.
pub const TEXT: &str = include_str!("../../../levels/lurd.xsb");

#[cfg(test)]
mod tests {
    use crate::input::Source;
    use lurd::Cancel;
    use lurd::formats::{BEST_MOVES, FEWEST_PUSHES};
    use lurd_rate::{Effort, rate};

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

    /// Rates the first levels again.
    fn grades_hold(levels: usize) {
        for level in Source::default().read().unwrap().levels.iter().take(levels) {
            let rating = rate(level, &Effort::default(), &Cancel::new(), &mut |_| ()).unwrap();
            assert_eq!(level.figure(&["Grade"]), Some(rating.grade.number.into()), "{:?}", level.title);
        }
    }

    #[test]
    fn the_first_grades_are_those_of_a_rating() {
        grades_hold(15);
    }

    #[test]
    #[ignore = "takes long"]
    fn all_grades_are_those_of_a_rating() {
        grades_hold(usize::MAX);
    }
}
