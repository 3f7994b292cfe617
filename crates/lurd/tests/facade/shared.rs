//! The engines against public collections with known figures. They lie beside the repository
//! (`../shared/levels`, or where `LURD_SHARED` says) and are never part of it; without them these
//! tests say that they were skipped.

use crate::{run, shared_levels};
use lurd::formats::Collection;
use lurd::{Choices, FormulationName, Goal, Outcome, Proof, Report, Request, formats};
use lurd_base::Limits;
use std::time::Duration;

fn collection(name: &str) -> Option<Collection> {
    match std::fs::read(shared_levels().join(name)) {
        Ok(bytes) => Some(formats::read(&bytes, None).expect("a public collection parses")),
        Err(error) => {
            assert!(std::env::var_os("CI").is_none(), "{name} is missing on the build server: {error}");
            println!("skipped: {name} is not here");
            None
        }
    }
}

/// Solves with a limit in nodes, so that the result is the same on every machine.
fn solved(level: &lurd::Level, goal: Goal, formulation: Option<FormulationName>) -> Report {
    let limits = Limits { nodes: Some(4_000_000), time: Some(Duration::from_secs(300)), memory: None };
    let config = Request { goal, limits, classic: Choices { formulation, ..Choices::default() }, ..Request::default() };
    run(level, &config)
}

#[test]
fn xsokoban_1_takes_97_pushes() {
    let Some(collection) = collection("XSokoban_90.xsb") else { return };
    let report = solved(&collection.levels[0], Goal::Pushes, None);
    assert_eq!(report.proof, Proof::OptimalPushes);
    assert_eq!(report.solution.expect("solved").pushes, 97);
}

#[test]
fn sokobots_fewest_pushes_are_confirmed_and_two_of_its_best_solutions_beaten() {
    let Some(collection) = collection("SokoBOT_17.xsb") else { return };
    // The `minPushes` its authors stored with levels 1 to 16.
    let pushes = [21, 22, 10, 11, 13, 6, 10, 17, 6, 34, 36, 38, 44, 56, 68, 97];
    for (level, least) in collection.levels.iter().zip(pushes) {
        let report = solved(level, Goal::Pushes, None);
        assert_eq!(report.proof, Proof::OptimalPushes, "level {}", level.number);
        assert_eq!(report.solution.expect("solved").pushes, least, "level {}", level.number);
    }
    // Their `bestSolution` of these two was 94 and 242 moves.
    for (number, moves) in [(10, 92), (15, 238)] {
        let report = solved(&collection.levels[number - 1], Goal::Moves, None);
        assert_eq!(report.proof, Proof::OptimalMoves, "level {number}");
        assert_eq!(report.solution.expect("solved").moves, moves, "level {number}");
    }
}

#[test]
fn the_a_star_course_levels_take_at_most_389_steps_and_one_is_unsolvable() {
    let Some(collection) = collection("Greek_Astar.xsb") else { return };
    for level in &collection.levels {
        let report = solved(level, Goal::Moves, Some(FormulationName::Move));
        if level.number == 6 {
            // A box against the bottom wall, cut off from the only goal of its row by a pillar.
            assert_eq!(report.outcome, Outcome::Unsolvable);
            continue;
        }
        assert_eq!(report.proof, Proof::OptimalMoves, "level {}", level.number);
        assert!(report.solution.expect("solved").moves <= 389, "level {}", level.number);
    }
}
