//! Levels on boards of several machine words: two engines prove each stored optimum.

use crate::{figure, run, title};
use lurd::{AlgorithmName, Choices, Goal, Level, Limits, Outcome, Proof, Report, Request};

fn levels() -> Vec<Level> {
    lurd::parse(include_str!("../../../../levels/large.xsb")).expect("our own levels").levels
}

/// Solves with a limit in nodes, so that the result is the same on every machine.
fn proved(level: &Level, goal: Goal, algorithm: Option<AlgorithmName>) -> Report {
    let limits = Limits { nodes: Some(4_000_000), ..Limits::default() };
    run(level, &Request { goal, limits, classic: Choices { algorithm, ..Choices::default() }, ..Request::default() })
}

#[test]
fn the_engines_and_a_star_prove_the_stored_optima() {
    for level in levels() {
        for algorithm in [None, Some(AlgorithmName::AStar)] {
            let pushes = proved(&level, Goal::Pushes, algorithm);
            let title = title(&level);
            if title == "Cut Off" {
                assert_eq!(pushes.outcome, Outcome::Unsolvable, "{title}");
                continue;
            }
            assert_eq!(pushes.proof, Proof::OptimalPushes, "{title}");
            assert_eq!(pushes.solution.expect("solved").pushes, figure(&level, "Pushes"), "{title}");
            if title == "Six Rooms" {
                let moves = proved(&level, Goal::Moves, algorithm);
                assert_eq!(moves.proof, Proof::OptimalMoves, "{title}");
                assert_eq!(moves.solution.expect("solved").moves, figure(&level, "Moves"), "{title}");
            }
        }
    }
}

#[test]
fn the_portfolio_solves_them_or_proves_that_there_is_no_solution() {
    for level in levels() {
        let outcome = if title(&level) == "Cut Off" { Outcome::Unsolvable } else { Outcome::Solved };
        assert_eq!(proved(&level, Goal::Any, None).outcome, outcome, "{}", title(&level));
    }
}
