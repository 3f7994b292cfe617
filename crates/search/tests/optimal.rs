//! Every optimal search against a brute-force oracle.

mod common;
use common::*;
use lurd_base::*;
use lurd_search::*;

/// Checks one outcome on a graph against the truth.
fn check(graph: &Graph, outcome: &Outcome<u32>, what: &str) {
    let Some(Confirmed { cost, proof, optimum, .. }) = confirmed(graph, outcome, what) else { return };
    assert_eq!(cost, optimum, "{what}: not cheapest");
    assert_eq!(proof, Optimality::Optimal, "{what}: cheapest, but not said so");
    assert_eq!(outcome.lower_bound, Some(optimum), "{what}");
}

const INFORMED: [Algorithm; 3] = [A_STAR, Algorithm::IdaStar, Algorithm::MemoryBoundedAStar];
const BLIND: [Algorithm; 2] = [Algorithm::UniformCost, Algorithm::IterativeDeepening];

#[test]
fn all_optimal_searches_return_the_oracles_cost_on_random_graphs() {
    let mut random = Random::new(1);
    for round in 0..3000 {
        let (n, degree, max_cost) = (2 + random.below(25), 1 + random.below(3), 1 + random.below(12));
        let mut graph = Graph::random(&mut random, n, degree, max_cost);
        let inconsistent = Listed::inconsistent(&mut random, &graph);
        let consistent = Listed::consistent(&mut random, &graph);
        for tie_break in [TieBreak::Lifo, TieBreak::Fifo, TieBreak::Inertia] {
            for algorithm in INFORMED.iter().chain(&BLIND) {
                for estimate in [&inconsistent, &consistent] {
                    let budget = Budget::unlimited();
                    let outcome =
                        search(*algorithm, tie_break, &mut graph, &mut estimate.clone(), &budget, &mut Silent);
                    check(&graph, &outcome, &format!("round {round}, {algorithm:?}, {:?}", estimate.guarantee));
                }
            }
        }
    }
}

#[test]
fn breadth_first_finds_the_fewest_actions_and_says_what_that_is_worth() {
    let mut random = Random::new(2);
    for round in 0..3000 {
        let (n, max_cost) = (2 + random.below(25), 1 + random.below(3));
        let mut graph = Graph::random(&mut random, n, 2, max_cost);
        let mut steps = graph.clone();
        steps.edges.iter_mut().flatten().for_each(|edge| edge.1 = 1);
        let outcome = run(Algorithm::BreadthFirst, &mut graph, &mut Zero);
        let answer = confirmed(&graph, &outcome, &format!("round {round}"));
        assert_eq!(answer.as_ref().map(|answer| answer.actions as Cost), steps.optimum(), "round {round}");
        let Some(Confirmed { cost, proof, optimum, .. }) = answer else { continue };
        match proof {
            Optimality::Optimal => assert_eq!(cost, optimum, "round {round}"),
            Optimality::AtMost(factor) => assert!(f64::from(cost) <= factor * f64::from(optimum) + 1e-9),
            Optimality::None => panic!("round {round}: nothing claimed"),
        }
        assert!(max_cost > 1 || proof == Optimality::Optimal);
    }
}

#[test]
fn weighted_a_star_stays_within_the_factor_it_states() {
    let mut random = Random::new(3);
    let mut better_than_weight = 0;
    for round in 0..3000 {
        let n = 2 + random.below(40);
        let mut graph = Graph::random(&mut random, n, 2, 9);
        let mut estimate = Listed::inconsistent(&mut random, &graph);
        let weight = 1.0 + random.below(300) as f64 / 100.0;
        let outcome = run(Algorithm::WeightedAStar(weight), &mut graph, &mut estimate);
        let answer = confirmed(&graph, &outcome, &format!("round {round}"));
        let Some(Confirmed { cost, proof, optimum, .. }) = answer else { continue };
        assert!(outcome.lower_bound.is_some(), "round {round}");
        match proof {
            Optimality::Optimal => assert_eq!(cost, optimum, "round {round}"),
            Optimality::AtMost(factor) => {
                assert!(factor <= weight + 1e-9, "round {round}");
                assert!(f64::from(cost) <= factor * f64::from(optimum) + 1e-9, "round {round}");
                better_than_weight += usize::from(factor < weight - 1e-9);
            }
            Optimality::None => panic!("round {round}: nothing claimed"),
        }
    }
    assert!(better_than_weight > 10, "the lower bound never sharpened the factor");
}

#[test]
fn a_star_that_falls_back_to_greed_claims_only_what_the_bound_then_proved() {
    let mut random = Random::new(4);
    let (mut proved, mut unproved) = (0, 0);
    for round in 0..3000 {
        let n = 2 + random.below(40);
        let mut graph = Graph::random(&mut random, n, 2, 9);
        let mut estimate = Listed::inconsistent(&mut random, &graph);
        let algorithm = Algorithm::AStar { fallback_after: Some(random.below(12)) };
        let outcome = run(algorithm, &mut graph, &mut estimate);
        let answer = confirmed(&graph, &outcome, &format!("round {round}"));
        let Some(Confirmed { cost, proof, optimum, .. }) = answer else { continue };
        assert!(outcome.lower_bound.is_some(), "round {round}");
        match proof {
            Optimality::Optimal => {
                assert_eq!(cost, optimum, "round {round}");
                proved += 1;
            }
            Optimality::None => {
                assert_eq!(outcome.notes.len(), 1, "round {round}: no word about the fallback");
                unproved += 1;
            }
            Optimality::AtMost(_) => panic!("round {round}"),
        }
    }
    assert!(proved > 100 && unproved > 100);
}

#[test]
fn all_optimal_searches_agree_on_weighted_mazes() {
    let mut random = Random::new(5);
    for round in 0..60 {
        let mut maze = Maze::random(&mut random, 6, 5);
        let graph = maze.graph();
        for algorithm in INFORMED.iter().chain(&BLIND) {
            let outcome = run(*algorithm, &mut maze, &mut ToGo);
            check(&graph, &outcome, &format!("round {round}, {algorithm:?}"));
            assert!(outcome.statistics.pruned.contains_key("wall") || !maze.cells.contains(&0));
        }
    }
}

#[test]
fn all_optimal_searches_agree_on_eight_puzzles() {
    let mut random = Random::new(6);
    for round in 0..12 {
        let mut space = Eight::scrambled(&mut random, 40);
        let Verdict::Solved { cost: truth, .. } = run(Algorithm::BreadthFirst, &mut space, &mut Zero).verdict else {
            panic!()
        };
        for algorithm in INFORMED.iter().chain(&BLIND) {
            let outcome = run(*algorithm, &mut space, &mut Manhattan);
            let Verdict::Solved { cost, proof, .. } = outcome.verdict else { panic!() };
            assert_eq!((cost, proof), (truth, Optimality::Optimal), "round {round}, {algorithm:?}");
        }
    }
}
