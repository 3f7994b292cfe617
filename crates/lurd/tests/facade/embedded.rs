//! The levels inside the binary: every stored optimum is proved again, and no level is a twin of
//! another one.

use crate::difficulty::{difficulty, optimum};
use crate::{figure, note, own_levels, title};
use lurd::{Board, Cell, Goal, Level, Limits, Map, Proof};
use std::collections::{HashMap, HashSet};

/// Levels that teach come first, in the order of their ideas; the others by difficulty.
const LESSONS: usize = 12;

fn boxes(level: &Level) -> usize {
    level.map.cells().filter(|(.., cell)| cell.has_box()).count()
}

/// What makes two levels the same: floor, boxes and goals, in the least of the eight ways to see them.
fn portrait(map: &Map) -> Option<Map> {
    Board::new(map).ok()?;
    let mut map = map.normalized();
    let (row, column, cell) = map.cells().find(|(.., cell)| cell.has_player())?;
    map.set(row, column, if cell.is_goal() { Cell::Goal } else { Cell::Floor });
    Some(map.canonical().0)
}

#[test]
fn stored_optima_are_proved_and_difficulty_rises() {
    let mut hardest = 0.0_f64;
    for (index, level) in own_levels().iter().enumerate() {
        let title = title(level);
        let proved = |goal| optimum(level, goal, Limits::default()).unwrap_or_else(|| panic!("{title}: no {goal}"));
        let (pushes, moves) = (proved(Goal::Pushes), proved(Goal::Moves));
        assert_eq!((pushes.proof, moves.proof), (Proof::OptimalPushes, Proof::OptimalMoves), "{title}");
        // A better engine opens fewer positions, so the order that was right once need only be roughly right for ever.
        let (difficulty, _) = difficulty(&pushes).unwrap();
        assert_eq!(pushes.solution.unwrap().pushes, figure(level, "Pushes"), "pushes of {title}");
        assert_eq!(moves.solution.unwrap().moves, figure(level, "Moves"), "moves of {title}");
        if index >= LESSONS {
            assert!(difficulty > hardest / 2.0, "{title} is easy for its place: {difficulty}");
            hardest = hardest.max(difficulty);
        }
    }
}

#[test]
fn every_level_is_titled_signed_and_whole() {
    let levels = own_levels();
    assert!(levels.len() >= 40, "only {} levels", levels.len());
    let titles: HashSet<_> = levels.iter().map(title).collect();
    assert_eq!(titles.len(), levels.len(), "titles repeat");
    for level in &levels {
        let (map, title) = (&level.map, title(level));
        assert_eq!(level.author.as_deref(), Some("lurd"), "{title}");
        assert!(!note(level, "Idea").is_empty(), "{title}");
        let goals = map.cells().filter(|(.., cell)| cell.is_goal()).count();
        assert_eq!(boxes(level), goals, "{title}");
        let outside = |cell: Cell| !matches!(cell, Cell::Wall | Cell::Floor);
        let (h, w) = (map.height(), map.width());
        let rim = |r: usize, c: usize| r == 0 || c == 0 || r + 1 == h || c + 1 == w;
        assert!(map.cells().all(|(r, c, cell)| !(rim(r, c) && outside(cell))), "{title}");
    }
}

#[test]
fn boxes_grow_from_one_to_many() {
    let boxes: Vec<_> = own_levels().iter().map(boxes).collect();
    let mean = |part: &[usize]| part.iter().sum::<usize>() as f64 / part.len() as f64;
    let third = boxes.len() / 3;
    assert_eq!(boxes[0], 1);
    assert!(mean(&boxes[..third]) < mean(&boxes[third..2 * third]), "{boxes:?}");
    assert!(mean(&boxes[third..2 * third]) < mean(&boxes[2 * third..]), "{boxes:?}");
}

#[test]
fn no_level_is_a_twin() {
    let mut seen = HashMap::new();
    for level in own_levels() {
        let title = title(&level).to_owned();
        let portrait = portrait(&level.map).unwrap_or_else(|| panic!("{title}: not playable"));
        if let Some(twin) = seen.insert(portrait, title.clone()) {
            panic!("{twin} and {title} are the same");
        }
    }
}
