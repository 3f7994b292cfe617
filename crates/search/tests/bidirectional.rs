//! Search from both ends.

mod common;
use common::*;
use lurd_base::*;
use lurd_search::*;

/// The cost of a meeting, if its halves are real and join.
fn referee(graph: &Graph, back: &Graph, start: usize, meeting: &Meeting<u32, u32>) -> Option<Cost> {
    let walk = |graph: &Graph, mut at: u32, path: &[u32]| {
        let mut cost = 0;
        for &to in path {
            cost += graph.edges[at as usize].iter().filter(|edge| edge.0 == to).map(|edge| edge.1).min()?;
            at = to;
        }
        Some((at, cost))
    };
    let (met, one) = walk(graph, graph.starts[start], &meeting.forward)?;
    let (same, two) = walk(back, back.starts[meeting.backward_start], &meeting.backward)?;
    (met == same).then_some(one + two)
}

#[test]
fn both_ends_together_return_the_oracles_cost_with_any_admissible_estimates() {
    let mut random = Random::new(21);
    let mut both_moved = 0;
    for round in 0..4000 {
        let (n, degree, max_cost) = (2 + random.below(40), 1 + random.below(3), 1 + random.below(12));
        let mut graph = Graph::random(&mut random, n, degree, max_cost);
        let mut back = graph.reversed();
        let (mut one, mut two) = match round % 3 {
            0 => (Listed::inconsistent(&mut random, &graph), Listed::inconsistent(&mut random, &back)),
            1 => (Listed::consistent(&mut random, &graph), Listed::consistent(&mut random, &back)),
            _ => (Listed::zero(&graph), Listed::zero(&back)),
        };
        let budget = Budget::unlimited();
        let outcome = bidirectional(&mut graph, &mut back, &mut one, &mut two, &budget, &mut Silent);
        match (&outcome.verdict, graph.optimum()) {
            (Verdict::Solved { path, cost, start, proof }, Some(optimum)) => {
                assert_eq!(referee(&graph, &back, *start, &path[0]), Some(*cost), "round {round}");
                assert_eq!((*cost, proof), (optimum, &Optimality::Optimal), "round {round}");
                assert_eq!(outcome.lower_bound, Some(optimum), "round {round}");
                both_moved += u32::from(!path[0].forward.is_empty() && !path[0].backward.is_empty());
            }
            (Verdict::Unsolvable, None) => {}
            other => panic!("round {round}: {other:?}"),
        }
    }
    assert!(both_moved > 500, "the sides met in the middle only {both_moved} times");
}

#[test]
fn an_inadmissible_estimate_on_either_side_proves_nothing() {
    let mut random = Random::new(22);
    let mut solved = 0;
    for round in 0..1000 {
        let mut graph = Graph::random(&mut random, 25, 2, 9);
        let mut back = graph.reversed();
        let mut estimates = [Listed::zero(&graph), Listed::inadmissible(&mut random, &back)];
        estimates.rotate_left(round % 2);
        let [mut one, mut two] = estimates;
        let outcome = bidirectional(&mut graph, &mut back, &mut one, &mut two, &Budget::unlimited(), &mut Silent);
        assert_eq!(outcome.lower_bound, None);
        match &outcome.verdict {
            Verdict::Solved { path, cost, start, proof } => {
                assert_eq!(referee(&graph, &back, *start, &path[0]), Some(*cost), "round {round}");
                assert_eq!(*proof, Optimality::None);
                solved += 1;
            }
            verdict => assert_eq!((verdict, graph.optimum()), (&Verdict::Unsolvable, None)),
        }
    }
    assert!(solved > 100);
}
