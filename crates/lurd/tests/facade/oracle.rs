//! Every configuration of the classic engine and both provers against brute force, on thousands of small levels made
//! at random.

use crate::{OPTIMAL, run};
use lurd::{
    AlgorithmName, Board, Choices, DetectorName, EstimateName, FormulationName, Goal, Level, Map, Outcome, PlayerTerm,
    Proof, Request, State,
};
use lurd_rules::oracle::{Truth, levels};

/// What a level's truth says an engine must answer.
fn expected(truth: &Truth, board: &Board, goal: Goal) -> Option<u32> {
    let table = if goal == Goal::Pushes { &truth.pushes } else { &truth.moves };
    table.get(&State::start(board)).copied()
}

/// Solves a level and compares with the truth. Says whether the answer, if there is one, was called optimal.
fn agrees(map: &Map, truth: &Truth, board: &Board, config: &Request) -> bool {
    let report = run(&Level::new(map.clone()), config);
    let what = || format!("{:?}\n{map}\n{report:?}", config.classic);
    let Some(best) = expected(truth, board, config.goal) else {
        assert_eq!(report.outcome, Outcome::Unsolvable, "{}", what());
        return true;
    };
    assert_eq!(report.outcome, Outcome::Solved, "{}", what());
    let solution = report.solution.as_ref().expect("solved means an answer");
    let length = if config.goal == Goal::Pushes { solution.pushes } else { solution.moves } as u32;
    assert!(length >= best, "shorter than the truth: {}", what());
    assert!(report.lower_bound.is_none_or(|lower| lower <= best), "the lower bound is above the truth: {}", what());
    let proved = matches!(report.proof, Proof::OptimalPushes | Proof::OptimalMoves);
    assert!(!proved || length == best, "called optimal: {}", what());
    proved
}

/// Every algorithm that looks for the optimum, under every formulation, direction and set of
/// detectors, finds it and calls it optimal; unsolvable levels are proved unsolvable.
#[test]
fn every_configuration_finds_the_true_optimum() {
    let mut checked = 0;
    for (number, map) in levels(4, 20_000).enumerate() {
        let board = Board::new(&map).unwrap();
        let truth = Truth::new(&board);
        let mut detectors = vec![None, Some(Vec::new())];
        detectors.extend(DetectorName::ALL.iter().map(|&name| Some(vec![name])));
        // The cheap and strong configurations on every level, the whole product on a part of them.
        for goal in [Goal::Pushes, Goal::Moves] {
            agrees_optimally(&map, &truth, &board, Request { goal, ..Request::default() });
        }
        let goal = if number % 2 == 0 { Goal::Pushes } else { Goal::Moves };
        let algorithm = OPTIMAL[number / 2 % OPTIMAL.len()];
        for (index, set) in detectors.iter().enumerate() {
            let pushes_only = |set: &Vec<DetectorName>| {
                set.iter().any(|name| matches!(name, DetectorName::Corral | DetectorName::Tunnel))
            };
            if goal == Goal::Moves && set.as_ref().is_some_and(pushes_only) {
                continue;
            }
            let estimate = EstimateName::ALL[(number / 14 + index) % EstimateName::ALL.len()];
            let admissible =
                if estimate == EstimateName::GreedyMatching { EstimateName::NearestPush } else { estimate };
            let formulation = (goal == Goal::Moves && number % 3 == 0).then_some(FormulationName::Move);
            let config = Request {
                goal,
                classic: Choices {
                    algorithm: Some(algorithm),
                    estimate: Some(admissible),
                    formulation,
                    player_term: (goal == Goal::Moves && index % 3 == 1).then_some(PlayerTerm::Bfs),
                    detectors: set.clone(),
                    reverse: algorithm != AlgorithmName::Bidirectional && index % 4 == 3,
                    ..Choices::default()
                },
                ..Request::default()
            };
            let walks = goal == Goal::Moves && config.classic.formulation.is_none() && !config.classic.reverse;
            if algorithm == AlgorithmName::BreadthFirst && walks {
                // Walks have different costs: level by level is not cheapest first.
                continue;
            }
            agrees_optimally(&map, &truth, &board, config);
            checked += 1;
        }
    }
    assert!(checked > 100_000, "only {checked} configurations were checked");
}

fn agrees_optimally(map: &Map, truth: &Truth, board: &Board, config: Request) {
    assert!(agrees(map, truth, board, &config), "found but not proved: {config:?}\n{map}");
}

/// Algorithms and estimates that promise nothing still solve what can be solved, and never
/// claim an optimum that is not one.
#[test]
fn configurations_without_promise_claim_nothing_false() {
    for (number, map) in levels(5, 3_000).enumerate() {
        let board = Board::new(&map).unwrap();
        let truth = Truth::new(&board);
        let check = |goal, classic| agrees(&map, &truth, &board, &Request { goal, classic, ..Request::default() });
        for &(algorithm, estimate) in &[
            (AlgorithmName::Greedy, EstimateName::GreedyMatching),
            (AlgorithmName::DepthFirst, EstimateName::Zero),
            (AlgorithmName::AStar, EstimateName::GreedyMatching),
            (AlgorithmName::WeightedAStar, EstimateName::Matching),
            (AlgorithmName::IdaStar, EstimateName::GreedyMatching),
        ] {
            let goal = if number % 2 == 0 { Goal::Pushes } else { Goal::Moves };
            check(goal, Choices { algorithm: Some(algorithm), estimate: Some(estimate), ..Choices::default() });
        }
        let player_by_deepening = Choices {
            formulation: Some(FormulationName::Move),
            estimate: Some(EstimateName::NearestManhattan),
            player_term: Some(PlayerTerm::ClassicIds),
            ..Choices::default()
        };
        check(Goal::Moves, player_by_deepening);
        check(Goal::Pushes, Choices { fallback_after: Some(3), ..Choices::default() });
    }
}
