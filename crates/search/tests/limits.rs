//! Limits hold, nothing stops silently, and equal runs are equal.

mod common;
use common::*;
use lurd_base::*;
use lurd_search::*;
use std::time::{Duration, Instant};

const ALL: [Algorithm; 10] = [
    Algorithm::BreadthFirst,
    Algorithm::UniformCost,
    Algorithm::DepthFirst,
    Algorithm::DepthLimited(25),
    Algorithm::IterativeDeepening,
    Algorithm::Greedy,
    A_STAR,
    Algorithm::WeightedAStar(1.5),
    Algorithm::IdaStar,
    Algorithm::MemoryBoundedAStar,
];

/// The two tiles 7 and 8 exchanged: half of all boards, and none of them is the solved one.
const ODD: Eight = Eight { start: [1, 2, 3, 4, 5, 6, 8, 7, 0] };

#[test]
fn a_node_limit_is_exact() {
    for algorithm in ALL {
        for nodes in [0, 1, 17, 1000] {
            let limits = Limits { nodes: Some(nodes), ..Limits::default() };
            let outcome = run_within(limits, algorithm, &mut ODD.clone(), &mut Manhattan);
            assert_eq!(outcome.verdict, Verdict::Stopped(Stop::Nodes), "{algorithm:?}");
            assert_eq!(outcome.statistics.generated, nodes, "{algorithm:?}");
        }
    }
}

#[test]
fn a_memory_limit_is_never_passed_and_more_memory_means_more_search() {
    for algorithm in ALL {
        let mut expanded = Vec::new();
        let stop = match algorithm {
            Algorithm::IterativeDeepening | Algorithm::IdaStar | Algorithm::MemoryBoundedAStar => Some(Stop::Nodes),
            Algorithm::DepthLimited(_) => None,
            _ => Some(Stop::Memory),
        };
        for memory in [300_000, 1_000_000, 4_000_000] {
            // The depth-first searches under a bound need little memory and much time: nodes end them.
            let limits = Limits { memory: Some(memory), nodes: Some(300_000), ..Limits::default() };
            let outcome = run_within(limits, algorithm, &mut ODD.clone(), &mut Manhattan);
            let peak = outcome.statistics.peak_bytes;
            assert!(peak > 0 && peak <= memory, "{algorithm:?}: {peak} of {memory}");
            expanded.push(outcome.statistics.expanded);
            if let Some(stop) = stop {
                assert_eq!(outcome.verdict, Verdict::Stopped(stop), "{algorithm:?} in {memory} bytes");
            }
        }
        assert!(stop != Some(Stop::Memory) || expanded.is_sorted_by(|a, b| a < b), "{algorithm:?}: {expanded:?}");
    }
}

#[test]
fn time_and_cancel_end_every_search_soon() {
    /// Goes on for ever, slowly.
    struct Slow(u64);
    impl StateSpace for Slow {
        type State = u64;
        type Action = u8;
        fn starts(&self) -> Vec<u64> {
            vec![1]
        }
        fn is_goal(&self, _: &u64) -> bool {
            false
        }
        fn successors(&mut self, _: &u64, out: &mut Successors<u8>) {
            std::thread::sleep(Duration::from_micros(self.0));
            out.push(0, 1);
            out.push(1, 1);
        }
        fn apply(&mut self, state: &mut u64, action: u8) {
            *state = state.wrapping_mul(6364136223846793005).wrapping_add(u64::from(action) * 2 + 1);
        }
        fn key_words(&self) -> usize {
            1
        }
        fn pack(&self, state: &u64, words: &mut [u64]) {
            words[0] = *state;
        }
        fn unpack(&self, words: &[u64], state: &mut u64) {
            *state = words[0];
        }
    }
    for algorithm in ALL {
        for pause in [0, 2000] {
            let begin = Instant::now();
            let limits = Limits { time: Some(Duration::from_millis(30)), memory: Some(200 << 20), ..Limits::default() };
            let outcome = run_within(limits, algorithm, &mut Slow(pause), &mut Zero);
            assert_eq!(outcome.verdict, Verdict::Stopped(Stop::Time), "{algorithm:?}");
            assert!(begin.elapsed() < Duration::from_secs(10), "{algorithm:?} took {:?}", begin.elapsed());

            let budget = Budget::unlimited();
            budget.cancel().cancel();
            let outcome = search(algorithm, TieBreak::Lifo, &mut Slow(pause), &mut Zero, &budget, &mut Silent);
            assert_eq!(outcome.verdict, Verdict::Cancelled, "{algorithm:?}");
        }
    }
}

#[test]
fn equal_runs_give_equal_paths_and_equal_counts() {
    let mut random = Random::new(31);
    for _ in 0..3 {
        let space = Eight::scrambled(&mut random, 25);
        for algorithm in ALL {
            for tie_break in [TieBreak::Lifo, TieBreak::Fifo, TieBreak::Inertia] {
                let once = || {
                    let limits = Limits { nodes: Some(200_000), ..Limits::default() };
                    let budget = Budget::new(limits, Cancel::new());
                    let outcome =
                        search(algorithm, tie_break, &mut space.clone(), &mut Manhattan, &budget, &mut Silent);
                    (outcome.verdict, outcome.lower_bound, Statistics { seconds: 0.0, ..outcome.statistics })
                };
                assert_eq!(once(), once(), "{algorithm:?}, {tie_break:?}");
            }
        }
    }
}

#[test]
fn memory_bounded_a_star_stays_optimal_in_tiny_memory() {
    let mut random = Random::new(32);
    let mut went_on = [0, 0];
    for round in 0..6 {
        let mut space = Eight::scrambled(&mut random, 200);
        let Verdict::Solved { cost: truth, .. } = run(A_STAR, &mut space, &mut Manhattan).verdict else { panic!() };
        for (which, memory) in [150_000, 400_000].into_iter().enumerate() {
            let limits = Limits { memory: Some(memory), ..Limits::default() };
            let outcome = run_within(limits, Algorithm::MemoryBoundedAStar, &mut space, &mut Weak);
            let Verdict::Solved { path, cost, proof, .. } = outcome.verdict else { panic!("{:?}", outcome.verdict) };
            assert_eq!((cost, proof), (truth, Optimality::Optimal), "round {round} in {memory} bytes");
            let mut state = space.start;
            path.iter().for_each(|&action| space.apply(&mut state, action));
            assert!(state == SOLVED && path.len() as Cost == cost);
            assert!(outcome.statistics.peak_bytes <= memory);
            went_on[which] += outcome.notes.len();
        }
    }
    assert!(went_on[0] > 3 && went_on[1] > 3, "the bound was hardly reached: {went_on:?}");
}

/// Half of Manhattan, and a third on some boards: admissible, not consistent, and weak enough
/// to fill a small memory.
struct Weak;

impl Heuristic<Eight> for Weak {
    fn estimate(&mut self, space: &Eight, state: &[u8; 9]) -> Estimate {
        let whole = Manhattan.estimate(space, state)?;
        Some(if state[0].is_multiple_of(3) { whole / 3 } else { whole / 2 })
    }
    fn guarantee(&self) -> Guarantee {
        Guarantee::Admissible
    }
}

#[test]
fn memory_bounded_a_star_proves_a_tree_unsolvable_that_does_not_fit() {
    let n: u32 = (1 << 16) - 1;
    let edges = (0..n).map(|at| [2 * at + 1, 2 * at + 2].into_iter().filter(|&to| to < n).map(|to| (to, 1)).collect());
    let mut tree = Graph { edges: edges.collect(), starts: vec![0], goals: [].into(), pruning: Pruning::KeepsOptimum };
    let memory = 1_000_000;
    let limits = Limits { memory: Some(memory), ..Limits::default() };
    let outcome = run_within(limits, Algorithm::MemoryBoundedAStar, &mut tree, &mut Zero);
    assert_eq!(outcome.verdict, Verdict::Unsolvable);
    assert_eq!(outcome.notes.len(), 1, "it was to go beyond its memory");
    assert!(outcome.statistics.peak_bytes <= memory);
}

#[test]
fn a_path_may_be_a_hundred_thousand_actions_long() {
    let n = 100_000;
    let edges = (0..n).map(|at| if at + 1 < n { vec![(at + 1, 1)] } else { vec![] }).collect();
    let mut graph = Graph { edges, starts: vec![0], goals: [n - 1].into(), pruning: Pruning::KeepsOptimum };
    for algorithm in ALL {
        // Under a rising bound a path of length n takes n iterations: the estimate must be good.
        let values = (0..n).map(|at| Some(n - 1 - at)).collect();
        let mut truth = Listed { values, guarantee: Guarantee::Consistent, dead_is_proof: true };
        let algorithm = match algorithm {
            Algorithm::DepthLimited(_) => Algorithm::DepthLimited(n),
            Algorithm::IterativeDeepening => continue,
            other => other,
        };
        let outcome = run(algorithm, &mut graph, &mut truth);
        let Verdict::Solved { path, cost, .. } = outcome.verdict else { panic!("{algorithm:?}") };
        assert_eq!((path.len() as u32, cost), (n - 1, n - 1), "{algorithm:?}");
    }
}
