//! Every algorithm that looks for the optimum gives the same cost on every embedded level it can
//! finish within a fixed number of nodes: the stored one.

use crate::{OPTIMAL, figure, own_levels, run, title};
use lurd::{AlgorithmName, Choices, FormulationName, Goal, Outcome, Proof, Request};
use lurd_base::Limits;

const NODES: u64 = 100_000;

#[test]
fn all_optimal_algorithms_agree_with_the_stored_optimum() {
    let levels = own_levels();
    for algorithm in OPTIMAL {
        let mut finished = 0;
        for level in &levels {
            for (goal, formulation, key, wanted) in [
                (Goal::Pushes, FormulationName::Push, "Pushes", Proof::OptimalPushes),
                (Goal::Moves, FormulationName::Move, "Moves", Proof::OptimalMoves),
            ] {
                let config = Request {
                    goal,
                    limits: Limits { nodes: Some(NODES), ..Limits::default() },
                    classic: Choices {
                        formulation: Some(formulation),
                        algorithm: Some(algorithm),
                        ..Choices::default()
                    },
                    ..Request::default()
                };
                let report = run(level, &config);
                let title = title(level);
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
        println!("{algorithm} finished {finished} of {}", levels.len() * 2);
        assert!(finished >= 36, "{algorithm} finished only {finished}");
    }
}

/// The push-optimal engine proves every embedded level, on one thread and on two, and gives the stored optimum.
#[test]
fn the_push_optimal_engine_proves_the_stored_optimum() {
    let levels = own_levels();
    let mut proved = 0;
    for (number, level) in levels.iter().enumerate() {
        let limits = Limits { nodes: Some(10 * NODES), ..Limits::default() };
        let config = Request { goal: Goal::Pushes, threads: 1 + number % 2, limits, ..Request::default() };
        let report = run(level, &config);
        let title = title(level);
        let lower = report.lower_bound.expect("some bound is always known") as usize;
        assert!(lower <= figure(level, "Pushes"), "{title}: {lower}");
        if report.proof == Proof::OptimalPushes {
            let solution = report.solution.expect("proved means solved");
            assert_eq!((solution.pushes, lower), (figure(level, "Pushes"), solution.pushes), "{title}");
            proved += 1;
        }
    }
    println!("{proved} of {} proved", levels.len());
    assert!(proved + 2 >= levels.len(), "{proved}");
}
