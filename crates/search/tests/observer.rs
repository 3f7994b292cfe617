//! What an observer is told agrees with the statistics.

mod common;
use common::*;
use lurd_base::*;
use lurd_search::*;

#[derive(Default)]
struct Counting {
    expanded: u64,
    pruned: u64,
    bounds: Vec<Cost>,
}

impl Observer<Maze> for Counting {
    fn expanded(&mut self, _: &u32, _: Cost, _: Cost) {
        self.expanded += 1;
    }
    fn pruned(&mut self, _: &u32, _: u32, _: Reason) {
        self.pruned += 1;
    }
    fn bound(&mut self, lower: Cost) {
        self.bounds.push(lower);
    }
}

#[test]
fn an_observer_sees_every_expansion_and_cut_and_only_rising_bounds() {
    let mut random = Random::new(51);
    for _ in 0..50 {
        let mut maze = Maze::random(&mut random, 9, 9);
        for algorithm in [
            Algorithm::BreadthFirst,
            Algorithm::UniformCost,
            Algorithm::DepthFirst,
            A_STAR,
            Algorithm::WeightedAStar(1.5),
            Algorithm::IdaStar,
            Algorithm::MemoryBoundedAStar,
        ] {
            // An unsolvable maze can keep the deepening searches busy for long.
            let budget = Budget::new(Limits { nodes: Some(20_000), ..Limits::default() }, Cancel::new());
            let mut seen = Counting::default();
            let outcome = search(algorithm, TieBreak::Inertia, &mut maze, &mut ToGo, &budget, &mut seen);
            assert_eq!(seen.expanded, outcome.statistics.expanded, "{algorithm:?}");
            assert_eq!(seen.pruned, outcome.statistics.pruned.values().sum::<u64>(), "{algorithm:?}");
            assert!(seen.bounds.is_sorted_by(|a, b| a < b), "{algorithm:?}: {:?}", seen.bounds);
            assert_eq!(seen.bounds.last().copied(), outcome.lower_bound, "{algorithm:?}");
        }
    }
}
