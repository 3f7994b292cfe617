//! A search recorded node by node agrees with the search itself.

use crate::run;
use lurd::{AlgorithmName, Choices, DetectorName, EstimateName, Fate, FormulationName, Level, Map, Request, inspect};
use lurd_base::Cancel;

fn level() -> Level {
    Level::new(Map::from_xsb("########\n#      #\n# $@$. #\n#  .   #\n########").expect("a board"))
}

fn config(algorithm: AlgorithmName) -> Request {
    let classic = Choices {
        algorithm: Some(algorithm),
        formulation: Some(FormulationName::Push),
        estimate: Some(EstimateName::NearestPush),
        detectors: Some(vec![DetectorName::Corner, DetectorName::DeadSquare]),
        ..Choices::default()
    };
    Request { classic, ..Request::default() }
}

/// The record shows the search itself: as many expansions, and in A* by falling f.
#[test]
fn the_record_agrees_with_the_search() {
    for algorithm in [AlgorithmName::AStar, AlgorithmName::BreadthFirst, AlgorithmName::UniformCost] {
        let config = config(algorithm);
        let trace = inspect(&level(), &config, 100_000, &Cancel::new()).unwrap();
        let report = run(&level(), &config);
        assert!(trace.complete() && trace.solved());
        assert_eq!(trace.expansions.len() as u64, report.statistics.expanded, "{algorithm}");
        let cuts: u64 = report.statistics.pruned.values().sum();
        let told = trace.expansions.iter().flat_map(|expansion| &expansion.successors);
        let shown = told.filter(|successor| matches!(successor.fate, Fate::Cut(_) | Fate::Dead(_))).count();
        // The last expansion may end at the goal, before its cuts are counted.
        assert!(shown as u64 >= cuts, "{algorithm}: {shown} {cuts}");
    }
    let trace = inspect(&level(), &config(AlgorithmName::AStar), 100_000, &Cancel::new()).unwrap();
    assert!(trace.expansions.windows(2).all(|pair| pair[0].g + pair[0].h <= pair[1].g + pair[1].h));
    assert!(trace.expansions[1..].iter().all(|expansion| expansion.parent.is_some()));
}

#[test]
fn a_long_search_is_cut_short() {
    let trace = inspect(&level(), &config(AlgorithmName::BreadthFirst), 3, &Cancel::new()).unwrap();
    assert_eq!(trace.expansions.len(), 3);
    assert!(!trace.complete());
}

#[test]
fn two_frontiers_are_refused() {
    let refused = inspect(&level(), &config(AlgorithmName::Bidirectional), 3, &Cancel::new()).unwrap_err();
    assert!(refused.to_string().contains("reversed"), "{refused}");
    // The way out leads somewhere.
    for reverse in [false, true] {
        let mut half = config(AlgorithmName::AStar);
        half.classic.reverse = reverse;
        assert!(inspect(&level(), &half, 100_000, &Cancel::new()).unwrap().solved());
    }
}

/// A deepening search names its limit: what lies beyond it is not searched, and the next iteration has a higher one.
#[test]
fn limits_and_iterations_are_recorded() {
    // Both boxes are nearest to one goal: the estimate is below the truth.
    let level = Level::new(Map::from_xsb("#########\n#       #\n# $@$.  #\n#      .#\n#########").expect("a board"));
    for algorithm in [AlgorithmName::IdaStar, AlgorithmName::IterativeDeepening] {
        let trace = inspect(&level, &config(algorithm), 100_000, &Cancel::new()).unwrap();
        assert_eq!(trace.expansions[0].iteration, 1);
        for pair in trace.expansions.windows(2) {
            let (before, after) = (&pair[0], &pair[1]);
            assert!(after.iteration == before.iteration || after.limit > before.limit, "{algorithm}");
        }
        assert!(trace.expansions.last().unwrap().iteration > 1, "{algorithm}");
        for expansion in &trace.expansions {
            let limit = expansion.limit.unwrap();
            assert!(expansion.g + expansion.h <= limit, "{algorithm}");
            for successor in &expansion.successors {
                let value = successor.g + successor.h.unwrap_or(0);
                assert_eq!(value > limit, successor.fate == Fate::Beyond || is_pruned(successor.fate, value > limit));
            }
        }
    }
}

/// Pruned and known successors may lie on either side of the limit.
fn is_pruned(fate: Fate, beyond: bool) -> bool {
    beyond && matches!(fate, Fate::Cut(_) | Fate::Dead(_) | Fate::Known)
}

/// The player stands where the last push left him, and the goal is the end of a solution.
#[test]
fn the_player_stands_behind_the_box_he_pushed() {
    let trace = inspect(&level(), &config(AlgorithmName::AStar), 100_000, &Cancel::new()).unwrap();
    assert_eq!(trace.expansions[0].player, trace.board.start_player());
    for expansion in &trace.expansions {
        for successor in expansion.successors.iter().filter(|one| one.fate == Fate::New) {
            assert_eq!(
                Some(successor.player),
                successor.moved.map(|(from, _)| from),
                "without tunnels a push is one square"
            );
        }
    }
    let goal = trace.goal.expect("a goal");
    assert!(goal.boxes.iter().all(|&square| trace.board.is_goal(square)));
    let parent = &trace.expansions[goal.parent.unwrap()];
    assert!(parent.successors.iter().any(|one| one.goal && one.node == goal.node && one.g == goal.g));
}

/// The true distances are those the search proves, and what is promised about estimates holds.
#[test]
fn estimates_are_measured_against_the_truth() {
    let measured = lurd::admissibility(&level(), &config(AlgorithmName::AStar), 100_000, &Cancel::new()).unwrap();
    let report = run(&level(), &config(AlgorithmName::UniformCost));
    assert_eq!(measured.start.map(|cost| cost as usize), report.solution.map(|solution| solution.pushes));
    assert!(measured.solvable > 10 && measured.solvable < measured.states);
    for quality in &measured.estimates {
        let promised = quality.name != EstimateName::GreedyMatching;
        assert!(!promised || quality.admissible && quality.consistent && quality.above.is_none(), "{}", quality.name);
        assert!(quality.counts.values().sum::<usize>() >= quality.exact);
    }
    let mean = |name| measured.estimates.iter().find(|one| one.name == name).map(|one| one.error).unwrap();
    assert!(mean(EstimateName::Matching) <= mean(EstimateName::NearestPush));
    assert!(mean(EstimateName::NearestPush) < mean(EstimateName::Zero));
    assert!(lurd::admissibility(&level(), &config(AlgorithmName::AStar), 10, &Cancel::new()).is_err());
}
