//! Every state of a small space, numbered in breadth-first order, with its edges and its exact distance to a goal.
//!
//! The distances come from one search back from the goals over the recorded edges (Dijkstra 1959, with a bucket for each
//! distance after Dial 1969); no estimate takes part.

use lurd_base::{Budget, Halt, Stop};
use lurd_search::{Cost, Estimate, StateSpace, Successors};
use std::collections::HashMap;

/// Bytes that a state takes beside its two packed keys: table, distance, edges back and the order of the search.
const BYTES_A_STATE: usize = 80;
/// The clock and the cancel flag are read every so many states.
const STRIDE: usize = 1024;
/// The distance of a state from which no goal can be reached.
const DEAD: Cost = Cost::MAX;

/// An enumerated space. The starts have the first numbers.
pub struct WholeSpace {
    words: usize,
    keys: Vec<u64>,
    index: HashMap<Box<[u64]>, u32>,
    /// The edges of state `i` are `edges[first_edge[i]..first_edge[i + 1]]`.
    first_edge: Vec<usize>,
    edges: Vec<(u32, Cost)>,
    distances: Vec<Cost>,
}

impl WholeSpace {
    /// Enumerates the states that can be reached from the starts. The budget's limit on nodes is one on states.
    ///
    /// # Errors
    /// When a limit is reached or the flag is raised before the whole space is known.
    pub fn explore<S: StateSpace>(space: &mut S, budget: &Budget) -> Result<Self, Halt> {
        let words = space.key_words();
        let mut whole = Self {
            words,
            keys: Vec::new(),
            index: HashMap::new(),
            first_edge: vec![0],
            edges: Vec::new(),
            distances: Vec::new(),
        };
        let mut key = vec![0; words];
        let starts = space.starts();
        for state in &starts {
            space.pack(state, &mut key);
            whole.number(&key);
        }
        let Some(mut parent) = starts.into_iter().next() else { return Ok(whole) };
        let (mut child, mut found) = (parent.clone(), Successors::default());
        let mut at = 0;
        while at < whole.len() {
            if at.is_multiple_of(STRIDE) {
                budget.check()?;
            }
            let bytes = whole.len() * (2 * 8 * words + BYTES_A_STATE) + whole.edges.len() * 12;
            if budget.out_of_memory(bytes) {
                return Err(Halt::Limit(Stop::Memory));
            }
            space.unpack(whole.key(at), &mut parent);
            found.clear();
            space.successors(&parent, &mut found);
            for edge in found.edges() {
                child.clone_from(&parent);
                space.apply(&mut child, edge.action);
                space.pack(&child, &mut key);
                let to = whole.number(&key);
                whole.edges.push((to, edge.cost));
            }
            // The limit is one on states: as many as it says are allowed.
            if budget.out_of_nodes(whole.len() as u64 - 1) {
                return Err(Halt::Limit(Stop::Nodes));
            }
            whole.first_edge.push(whole.edges.len());
            at += 1;
        }
        let goals: Vec<u32> = (0..whole.len())
            .filter(|&at| {
                space.unpack(whole.key(at), &mut parent);
                space.is_goal(&parent)
            })
            .map(|at| at as u32)
            .collect();
        whole.measure(goals);
        Ok(whole)
    }

    /// The number of a state, which is added if it is new.
    fn number(&mut self, key: &[u64]) -> u32 {
        if let Some(&number) = self.index.get(key) {
            return number;
        }
        let number = self.len() as u32;
        self.index.insert(key.into(), number);
        self.keys.extend_from_slice(key);
        number
    }

    fn measure(&mut self, goals: Vec<u32>) {
        let count = self.len();
        let mut first_back = vec![0_usize; count + 1];
        self.edges.iter().for_each(|&(to, _)| first_back[to as usize + 1] += 1);
        (0..count).for_each(|i| first_back[i + 1] += first_back[i]);
        let mut back = vec![(0_u32, 0); self.edges.len()];
        let mut filled = first_back.clone();
        for from in 0..count {
            for &(to, cost) in self.edges(from) {
                back[filled[to as usize]] = (from as u32, cost);
                filled[to as usize] += 1;
            }
        }
        self.distances = vec![DEAD; count];
        goals.iter().for_each(|&goal| self.distances[goal as usize] = 0);
        // Bucket `d` holds states with a way of cost `d` to a goal; a shorter one may have been found since.
        let mut buckets = vec![goals];
        let mut known = 0;
        while known < buckets.len() {
            let mut next = 0;
            while let Some(&at) = buckets[known].get(next) {
                next += 1;
                if self.distances[at as usize] as usize != known {
                    continue;
                }
                for &(from, cost) in &back[first_back[at as usize]..first_back[at as usize + 1]] {
                    let distance = known as Cost + cost;
                    if distance < self.distances[from as usize] {
                        self.distances[from as usize] = distance;
                        if buckets.len() <= distance as usize {
                            buckets.resize_with(distance as usize + 1, Vec::new);
                        }
                        buckets[distance as usize].push(from);
                    }
                }
            }
            known += 1;
        }
    }

    /// The number of states.
    #[allow(clippy::len_without_is_empty, reason = "the start is always reachable")]
    pub fn len(&self) -> usize {
        self.keys.len() / self.words
    }

    /// The packed form of a state.
    pub fn key(&self, at: usize) -> &[u64] {
        &self.keys[at * self.words..][..self.words]
    }

    /// The number of the state with a packed form.
    pub fn find(&self, key: &[u64]) -> Option<usize> {
        self.index.get(key).map(|&at| at as usize)
    }

    /// The exact distance of a state to the nearest goal; `None` if it is dead.
    pub fn distance(&self, at: usize) -> Option<Cost> {
        Some(self.distances[at]).filter(|&distance| distance != DEAD)
    }

    fn edges(&self, from: usize) -> &[(u32, Cost)] {
        &self.edges[self.first_edge[from]..self.first_edge[from + 1]]
    }

    /// The first edge, as the numbers of its ends, along which estimates fall by more than the edge costs. `estimates`
    /// has one for each state; none means that the state is called dead.
    pub fn inconsistency(&self, estimates: &[Estimate]) -> Option<(usize, usize)> {
        (0..self.len()).find_map(|from| {
            let falls = |&&(to, cost): &&(u32, Cost)| {
                estimates[to as usize]
                    .is_some_and(|after| estimates[from].is_none_or(|before| before > after.saturating_add(cost)))
            };
            self.edges(from).iter().find(falls).map(|&(to, _)| (from, to as usize))
        })
    }
}
