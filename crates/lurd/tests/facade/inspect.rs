//! A search recorded node by node agrees with the search itself.

use crate::run;
use lurd::{AlgorithmName, Choices, Config, DetectorName, EstimateName, Fate, FormulationName, Level, Map, inspect};
use lurd_search::Cancel;

fn level() -> Level {
    Level::new(Map::from_xsb("########\n#      #\n# $@$. #\n#  .   #\n########").expect("a board"))
}

fn config(algorithm: AlgorithmName) -> Config {
    let classic = Choices {
        algorithm: Some(algorithm),
        formulation: Some(FormulationName::Push),
        estimate: Some(EstimateName::NearestPush),
        detectors: Some(vec![DetectorName::Corner, DetectorName::DeadSquare]),
        ..Choices::default()
    };
    Config { classic, ..Config::default() }
}

/// The record shows the search itself: as many expansions, and in A* by falling f.
#[test]
fn the_record_agrees_with_the_search() {
    for algorithm in [AlgorithmName::AStar, AlgorithmName::BreadthFirst, AlgorithmName::UniformCost] {
        let config = config(algorithm);
        let trace = inspect(&level(), &config, 100_000, &Cancel::new()).unwrap();
        let report = run(&level(), &config);
        assert!(trace.complete && trace.solved);
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
    assert!(!trace.complete);
}

#[test]
fn two_frontiers_are_refused() {
    let refused = inspect(&level(), &config(AlgorithmName::Bidirectional), 3, &Cancel::new()).unwrap_err();
    assert!(refused.to_string().contains("reversed"), "{refused}");
    // The way out leads somewhere.
    for reverse in [false, true] {
        let mut half = config(AlgorithmName::AStar);
        half.classic.reverse = reverse;
        assert!(inspect(&level(), &half, 100_000, &Cancel::new()).unwrap().solved);
    }
}
