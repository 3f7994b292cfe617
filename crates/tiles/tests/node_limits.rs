//! A limit on nodes holds exactly for every algorithm, with the pattern databases' own loop too.

#![allow(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

use lurd_base::{Budget, Cancel, Limits};
use lurd_search::{Silent, TieBreak};
use lurd_tiles::{Board, Estimator, HeuristicKind, Method, MoveSet, Parameters, Problem, random_board, solve};

#[test]
fn no_algorithm_generates_more_boards_than_it_may() {
    for side in [3, 4] {
        let goal = Board::standard_goal(side);
        for method in Method::all(&Parameters::default()) {
            let mut stopped = 0;
            for seed in 0..3 {
                let problem =
                    Problem::new(random_board(&goal, MoveSet::Classic, seed), goal, MoveSet::Classic).unwrap();
                for nodes in [1, 10, 100, 1_000, 10_000] {
                    let budget = Budget::new(Limits { nodes: Some(nodes), ..Limits::default() }, Cancel::new());
                    let mut estimator = Estimator::new(&problem, HeuristicKind::Manhattan).unwrap();
                    let report = solve(&problem, method, TieBreak::default(), &mut estimator, &budget, &mut Silent);
                    let what = format!("{method}, side {side}, seed {seed}, {nodes} nodes: {}", report.generated);
                    assert!(report.generated <= nodes, "{what}");
                    match report.outcome {
                        "solved" => {}
                        "stopped" if report.stopped_by == Some("depth") => assert_eq!(method.name(), "depth-limited"),
                        "stopped" => {
                            assert_eq!((report.stopped_by, report.generated), (Some("nodes"), nodes), "{what}");
                            stopped += 1;
                        }
                        other => panic!("{what}: {other}"),
                    }
                }
            }
            assert!(stopped >= 4, "{method}, side {side}: the limits must bite, {stopped}");
        }
    }
}
