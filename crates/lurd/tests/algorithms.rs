//! Every algorithm that looks for the optimum gives the same cost on every embedded level it can
//! finish within a fixed number of nodes: the stored one.

use lurd::{AlgorithmName, Choices, Config, FormulationName, Goal, Level, Outcome, Proof, formats, solve_with};
use lurd_search::{Cancel, Limits};

const NODES: u64 = 250_000;

fn figure(level: &Level, key: &str) -> usize {
    let note = level.notes.iter().find_map(|note| note.strip_prefix(key)?.strip_prefix(": "));
    note.expect("every level stores its optima").parse().expect("a number")
}

#[test]
fn all_optimal_algorithms_agree_with_the_stored_optimum() {
    let collection = formats::read(include_bytes!("../../../levels/lurd.xsb"), None).expect("our own levels");
    let algorithms = [
        AlgorithmName::BreadthFirst,
        AlgorithmName::UniformCost,
        AlgorithmName::IterativeDeepening,
        AlgorithmName::AStar,
        AlgorithmName::IdaStar,
        AlgorithmName::MemoryBoundedAStar,
        AlgorithmName::Bidirectional,
    ];
    for algorithm in algorithms {
        let mut finished = 0;
        for level in &collection.levels {
            for (goal, formulation, key, wanted) in [
                (Goal::Pushes, FormulationName::Push, "Pushes", Proof::OptimalPushes),
                (Goal::Moves, FormulationName::Move, "Moves", Proof::OptimalMoves),
            ] {
                let config = Config {
                    goal,
                    limits: Limits { nodes: Some(NODES), ..Limits::default() },
                    classic: Choices {
                        formulation: Some(formulation),
                        algorithm: Some(algorithm),
                        ..Choices::default()
                    },
                    ..Config::default()
                };
                let report = solve_with(level, &config, &Cancel::new(), &mut |_| {}).expect("the choices go together");
                let title = level.title.as_deref().unwrap_or_default();
                match (report.outcome, report.solution) {
                    (Outcome::Solved, Some(solution)) => {
                        let cost = if goal == Goal::Pushes { solution.pushes } else { solution.moves };
                        if report.proof == wanted {
                            assert_eq!(cost, figure(level, key), "{algorithm} {goal} on {title}");
                            finished += 1;
                        } else {
                            // Only bidirectional search hands out a path before it is proved.
                            assert_eq!(algorithm, AlgorithmName::Bidirectional, "{goal} on {title} is not proved");
                            assert!(cost >= figure(level, key), "{algorithm} {goal} on {title} is too short");
                        }
                    }
                    (outcome, _) => {
                        assert!(matches!(outcome, Outcome::Stopped(_)), "{algorithm} on {title}: {outcome:?}")
                    }
                }
            }
        }
        println!("{algorithm} finished {finished} of {}", collection.levels.len() * 2);
        assert!(finished >= 40, "{algorithm} finished only {finished}");
    }
}

/// The push-optimal engine proves every embedded level, on one thread and on two, and gives the stored optimum.
#[test]
fn the_push_optimal_engine_proves_the_stored_optimum() {
    let collection = formats::read(include_bytes!("../../../levels/lurd.xsb"), None).expect("our own levels");
    let mut proved = 0;
    for (number, level) in collection.levels.iter().enumerate() {
        let limits = Limits { nodes: Some(4 * NODES), ..Limits::default() };
        let config = Config { goal: Goal::Pushes, threads: 1 + number % 2, limits, ..Config::default() };
        let report = solve_with(level, &config, &Cancel::new(), &mut |_| {}).expect("a level");
        let title = level.title.as_deref().unwrap_or_default();
        let lower = report.lower_bound.expect("some bound is always known") as usize;
        assert!(lower <= figure(level, "Pushes"), "{title}: {lower}");
        if report.proof == Proof::OptimalPushes {
            let solution = report.solution.expect("proved means solved");
            assert_eq!((solution.pushes, lower), (figure(level, "Pushes"), solution.pushes), "{title}");
            proved += 1;
        }
    }
    println!("{proved} of {} proved", collection.levels.len());
    assert!(proved + 2 >= collection.levels.len(), "{proved}");
}
