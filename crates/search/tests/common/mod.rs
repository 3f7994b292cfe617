//! Toy spaces with brute-force answers, and a small seeded generator.

#![allow(dead_code, reason = "each test file uses its own part")]
#![allow(clippy::unwrap_used, reason = "a toy space that breaks is a failed test")]

use lurd_base::random::SplitMix64;
use lurd_base::*;
use lurd_search::*;
use std::collections::BTreeSet;

/// Random numbers for test data.
pub(crate) struct Random(SplitMix64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(SplitMix64::new(seed))
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0.next_u64()
    }

    pub(crate) fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }
}

/// A directed graph; an action names its target.
#[derive(Clone, Debug)]
pub(crate) struct Graph {
    pub(crate) edges: Vec<Vec<(u32, Cost)>>,
    pub(crate) starts: Vec<u32>,
    pub(crate) goals: BTreeSet<u32>,
    pub(crate) pruning: Pruning,
}

impl Graph {
    /// A random graph of `n` states with about `degree` edges a state and costs up to `max_cost`.
    pub(crate) fn random(random: &mut Random, n: u64, degree: u64, max_cost: u64) -> Self {
        let mut edges = vec![Vec::new(); n as usize];
        for list in &mut edges {
            for _ in 0..random.below(2 * degree + 1) {
                list.push((random.below(n) as u32, 1 + random.below(max_cost) as Cost));
            }
            // A space gives each action once.
            list.sort();
            list.dedup_by_key(|edge| edge.0);
        }
        let starts = (0..1 + random.below(2)).map(|_| random.below(n) as u32).collect();
        let goals = (0..1 + random.below(3)).map(|_| random.below(n) as u32).collect();
        Self { edges, starts, goals, pruning: Pruning::KeepsOptimum }
    }

    /// The true cost from every state to the nearest goal, by relaxing until nothing changes.
    pub(crate) fn distances(&self) -> Vec<Option<Cost>> {
        let mut distance: Vec<Option<Cost>> = vec![None; self.edges.len()];
        for &goal in &self.goals {
            distance[goal as usize] = Some(0);
        }
        loop {
            let mut changed = false;
            for from in 0..self.edges.len() {
                for &(to, cost) in &self.edges[from] {
                    if let Some(rest) = distance[to as usize]
                        && distance[from].is_none_or(|known| known > rest + cost)
                    {
                        distance[from] = Some(rest + cost);
                        changed = true;
                    }
                }
            }
            if !changed {
                return distance;
            }
        }
    }

    /// The cost of a cheapest solution.
    pub(crate) fn optimum(&self) -> Option<Cost> {
        let distance = self.distances();
        self.starts.iter().filter_map(|&start| distance[start as usize]).min()
    }

    /// The same graph with every edge turned round, from the goals to the starts.
    pub(crate) fn reversed(&self) -> Self {
        let mut edges = vec![Vec::new(); self.edges.len()];
        for (from, list) in self.edges.iter().enumerate() {
            for &(to, cost) in list {
                edges[to as usize].push((from as u32, cost));
            }
        }
        Self {
            edges,
            starts: self.goals.iter().copied().collect(),
            goals: self.starts.iter().copied().collect(),
            pruning: self.pruning,
        }
    }

    /// Walks a path and says what it costs, if it is one and ends in a goal.
    pub(crate) fn referee(&self, start: usize, path: &[u32]) -> Option<Cost> {
        let mut at = self.starts[start];
        let mut cost = 0;
        for &to in path {
            cost += self.edges[at as usize].iter().find(|edge| edge.0 == to)?.1;
            at = to;
        }
        self.goals.contains(&at).then_some(cost)
    }
}

impl StateSpace for Graph {
    type State = u32;
    type Action = u32;

    fn starts(&self) -> Vec<u32> {
        self.starts.clone()
    }
    fn is_goal(&self, state: &u32) -> bool {
        self.goals.contains(state)
    }
    fn successors(&mut self, state: &u32, out: &mut Successors<u32>) {
        for &(to, cost) in &self.edges[*state as usize] {
            out.push(to, cost);
        }
    }
    fn apply(&mut self, state: &mut u32, action: u32) {
        *state = action;
    }
    fn key_words(&self) -> usize {
        1
    }
    fn pack(&self, state: &u32, words: &mut [u64]) {
        words[0] = u64::from(*state);
    }
    fn unpack(&self, words: &[u64], state: &mut u32) {
        *state = words[0] as u32;
    }
    fn pruning(&self) -> Pruning {
        self.pruning
    }
    fn continues(&self, previous: u32, action: u32) -> bool {
        previous % 2 == action % 2
    }
}

/// An estimate given as a list.
#[derive(Clone, Debug)]
pub(crate) struct Listed {
    pub(crate) values: Vec<Estimate>,
    pub(crate) guarantee: Guarantee,
    pub(crate) dead_is_proof: bool,
}

impl Listed {
    /// Random values up to the truth: admissible and, as neighbours know nothing of each other,
    /// mostly inconsistent. Dead states are called dead by chance.
    pub(crate) fn inconsistent(random: &mut Random, graph: &Graph) -> Self {
        let values = graph.distances().into_iter().map(|truth| match truth {
            Some(truth) => Some(random.below(u64::from(truth) + 1) as Cost),
            None if random.below(2) == 0 => None,
            None => Some(random.below(50) as Cost),
        });
        Self { values: values.collect(), guarantee: Guarantee::Admissible, dead_is_proof: true }
    }

    /// A share of the truth, rounded up: consistent.
    pub(crate) fn consistent(random: &mut Random, graph: &Graph) -> Self {
        let cap = random.below(60) as Cost;
        let values = graph.distances().into_iter().map(|truth| truth.map(|truth| truth.min(cap)));
        Self { values: values.collect(), guarantee: Guarantee::Consistent, dead_is_proof: true }
    }

    /// Nothing known.
    pub(crate) fn zero(graph: &Graph) -> Self {
        Self { values: vec![Some(0); graph.edges.len()], guarantee: Guarantee::Consistent, dead_is_proof: true }
    }

    /// Random values that may be anything.
    pub(crate) fn inadmissible(random: &mut Random, graph: &Graph) -> Self {
        let values = graph.edges.iter().map(|_| Some(random.below(60) as Cost)).collect();
        Self { values, guarantee: Guarantee::Inadmissible, dead_is_proof: true }
    }
}

impl Heuristic<Graph> for Listed {
    fn estimate(&mut self, _: &Graph, state: &u32) -> Estimate {
        self.values[*state as usize]
    }
    fn guarantee(&self) -> Guarantee {
        self.guarantee
    }
    fn dead_is_proof(&self) -> bool {
        self.dead_is_proof
    }
}

/// The 8-puzzle: a tile on every place, 0 is the hole; an action is the place the hole goes to.
#[derive(Clone, Debug)]
pub(crate) struct Eight {
    pub(crate) start: [u8; 9],
}

pub(crate) const SOLVED: [u8; 9] = [1, 2, 3, 4, 5, 6, 7, 8, 0];

impl Eight {
    /// A board made by random moves from the solved one.
    pub(crate) fn scrambled(random: &mut Random, moves: usize) -> Self {
        let mut space = Eight { start: SOLVED };
        let mut out = Successors::default();
        for _ in 0..moves {
            out.clear();
            let mut state = space.start;
            space.successors(&state, &mut out);
            let edge = out.edges()[random.below(out.edges().len() as u64) as usize];
            space.apply(&mut state, edge.action);
            space.start = state;
        }
        space
    }
}

impl StateSpace for Eight {
    type State = [u8; 9];
    type Action = u8;

    fn starts(&self) -> Vec<[u8; 9]> {
        vec![self.start]
    }
    fn is_goal(&self, state: &[u8; 9]) -> bool {
        *state == SOLVED
    }
    fn successors(&mut self, state: &[u8; 9], out: &mut Successors<u8>) {
        let hole = state.iter().position(|&tile| tile == 0).unwrap() as u8;
        let (row, column) = (hole / 3, hole % 3);
        let steps = [(row > 0, -3), (column > 0, -1), (column < 2, 1), (row < 2, 3)];
        for (_, step) in steps.into_iter().filter(|&(possible, _)| possible) {
            out.push(hole.wrapping_add_signed(step), 1);
        }
    }
    fn apply(&mut self, state: &mut [u8; 9], action: u8) {
        let hole = state.iter().position(|&tile| tile == 0).unwrap();
        state.swap(hole, usize::from(action));
    }
    fn key_words(&self) -> usize {
        1
    }
    fn pack(&self, state: &[u8; 9], words: &mut [u64]) {
        words[0] = state.iter().fold(0, |word, &tile| word << 4 | u64::from(tile));
    }
    fn unpack(&self, words: &[u64], state: &mut [u8; 9]) {
        for (place, tile) in state.iter_mut().enumerate() {
            *tile = (words[0] >> (4 * (8 - place))) as u8 & 15;
        }
    }
}

/// Sum of the tiles' Manhattan distances: consistent.
pub(crate) struct Manhattan;

impl Heuristic<Eight> for Manhattan {
    fn estimate(&mut self, _: &Eight, state: &[u8; 9]) -> Estimate {
        let distance = |(place, &tile): (usize, &u8)| {
            let home = usize::from(tile).checked_sub(1)?;
            Some((place / 3).abs_diff(home / 3) + (place % 3).abs_diff(home % 3))
        };
        Some(state.iter().enumerate().filter_map(distance).sum::<usize>() as Cost)
    }
    fn guarantee(&self) -> Guarantee {
        Guarantee::Consistent
    }
}

/// A maze of weighted cells (0 is a wall) from the first to the last cell; entering a cell costs its weight.
#[derive(Clone, Debug)]
pub(crate) struct Maze {
    pub(crate) width: usize,
    pub(crate) cells: Vec<u8>,
}

impl Maze {
    pub(crate) fn random(random: &mut Random, width: usize, height: usize) -> Self {
        let mut cells: Vec<u8> =
            (0..width * height).map(|_| if random.below(4) == 0 { 0 } else { 1 + random.below(9) as u8 }).collect();
        cells[0] = 1;
        *cells.last_mut().unwrap() = 1;
        Self { width, cells }
    }

    /// The same maze as a graph, for its oracle.
    pub(crate) fn graph(&self) -> Graph {
        let mut maze = self.clone();
        let mut out = Successors::default();
        let edges = (0..self.cells.len() as u32).map(|cell| {
            out.clear();
            maze.successors(&cell, &mut out);
            out.edges().iter().map(|edge| (edge.action, edge.cost)).collect()
        });
        Graph {
            edges: edges.collect(),
            starts: vec![0],
            goals: BTreeSet::from([self.cells.len() as u32 - 1]),
            pruning: Pruning::KeepsOptimum,
        }
    }
}

impl StateSpace for Maze {
    type State = u32;
    type Action = u32;

    fn starts(&self) -> Vec<u32> {
        vec![0]
    }
    fn is_goal(&self, state: &u32) -> bool {
        *state as usize == self.cells.len() - 1
    }
    fn successors(&mut self, state: &u32, out: &mut Successors<u32>) {
        let at = *state as usize;
        let column = at % self.width;
        let neighbours = [
            at.checked_sub(self.width),
            (column > 0).then(|| at.wrapping_sub(1)),
            (column + 1 < self.width).then_some(at + 1),
            (at + self.width < self.cells.len()).then_some(at + self.width),
        ];
        for to in neighbours.into_iter().flatten() {
            match self.cells[to] {
                0 => out.cut(to as u32, 0),
                weight => out.push(to as u32, Cost::from(weight)),
            }
        }
    }
    fn apply(&mut self, state: &mut u32, action: u32) {
        *state = action;
    }
    fn key_words(&self) -> usize {
        2
    }
    fn pack(&self, state: &u32, words: &mut [u64]) {
        (words[0], words[1]) = (7, u64::from(*state));
    }
    fn unpack(&self, words: &[u64], state: &mut u32) {
        *state = words[1] as u32;
    }
    fn reasons(&self) -> &[&'static str] {
        &["wall"]
    }
    fn continues(&self, previous: u32, action: u32) -> bool {
        previous.abs_diff(action) == 1
    }
}

/// Rows and columns to go: consistent, as entering a cell costs at least 1.
pub(crate) struct ToGo;

impl Heuristic<Maze> for ToGo {
    fn estimate(&mut self, maze: &Maze, state: &u32) -> Estimate {
        let (at, end) = (*state as usize, maze.cells.len() - 1);
        Some(((end / maze.width - at / maze.width) + (end % maze.width - at % maze.width)) as Cost)
    }
    fn guarantee(&self) -> Guarantee {
        Guarantee::Consistent
    }
}

/// Runs a search without limits.
pub(crate) fn run<S: StateSpace>(
    algorithm: Algorithm,
    space: &mut S,
    heuristic: &mut impl Heuristic<S>,
) -> Outcome<S::Action> {
    run_within(Limits::default(), algorithm, space, heuristic)
}

/// Runs a search within limits.
pub(crate) fn run_within<S: StateSpace>(
    limits: Limits,
    algorithm: Algorithm,
    space: &mut S,
    heuristic: &mut impl Heuristic<S>,
) -> Outcome<S::Action> {
    let budget = Budget::new(limits, Cancel::new());
    search(algorithm, TieBreak::Lifo, space, heuristic, &budget, &mut Silent)
}

/// An answer that the referee has confirmed, beside the true cost.
pub(crate) struct Confirmed {
    pub(crate) actions: usize,
    pub(crate) cost: Cost,
    pub(crate) proof: Optimality,
    pub(crate) optimum: Cost,
}

/// Holds an outcome against the truth; `None` where there is no solution and none is claimed.
#[track_caller]
pub(crate) fn confirmed(graph: &Graph, outcome: &Outcome<u32>, what: &str) -> Option<Confirmed> {
    match (&outcome.verdict, graph.optimum()) {
        (&Verdict::Solved { ref path, cost, start, proof }, Some(optimum)) => {
            assert_eq!(graph.referee(start, path), Some(cost), "{what}: the path is not what it says");
            assert!(outcome.lower_bound.is_none_or(|lower| lower <= optimum), "{what}: false bound");
            Some(Confirmed { actions: path.len(), cost, proof, optimum })
        }
        (Verdict::Unsolvable, None) => None,
        (verdict, optimum) => panic!("{what}: {verdict:?}, truth {optimum:?}\n{graph:?}"),
    }
}

pub(crate) const A_STAR: Algorithm = Algorithm::AStar { fallback_after: None };
