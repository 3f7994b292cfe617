//! Squares of which at most one holds a box at a time.
//!
//! Two boxes alone on the board are searched backwards from every pair of goals. Two squares that this never reaches,
//! wherever the player is, hold boxes together in no position of a solution: they *exclude* each other. In a tunnel, at a
//! door, along a wall there are many such. A set of squares that all exclude each other, a *clique*, holds at most one box at
//! any time: what one of them is paid for, another is not ([`flows`](super::flows)).

use super::pairs::{Pairs, pair_number};
use crate::champion::dense::ground::Ground;

/// Which live squares exclude each other, and cliques of them in which every such pair occurs, and every square.
#[derive(Debug)]
pub(crate) struct Exclusive {
    live: usize,
    excluded: Vec<bool>,
    pub(crate) cliques: Vec<Vec<usize>>,
}

impl Exclusive {
    pub(crate) fn new<const G: usize>(ground: &Ground) -> Self {
        let live = ground.live_count();
        let pairs = Pairs::new::<G>(ground, |_| 1);
        let mut met = vec![false; pairs.witness.len()];
        let mut open = Vec::new();
        for (number, &goal) in ground.goals().iter().enumerate() {
            for &other in &ground.goals()[..number] {
                for state in pairs.states(pair_number(goal.into(), other.into())) {
                    met[state] = true;
                    open.push(state);
                }
            }
        }
        while let Some(state) = open.pop() {
            let (first, last) = (pairs.edges.first[state] as usize, pairs.edges.first[state + 1] as usize);
            for &(before, _) in &pairs.edges.before[first..last] {
                if !std::mem::replace(&mut met[before as usize], true) {
                    open.push(before as usize);
                }
            }
        }
        let mut excluded = vec![false; live * live];
        for high in 0..live {
            for low in 0..high {
                let never = pairs.states(pair_number(low, high)).all(|state| !met[state]);
                (excluded[low * live + high], excluded[high * live + low]) = (never, never);
            }
        }
        let mut exclusive = Self { live, excluded, cliques: Vec::new() };
        exclusive.gather();
        exclusive
    }

    /// Whether two squares never hold boxes together.
    pub(crate) fn exclude(&self, one: usize, other: usize) -> bool {
        self.excluded[one * self.live + other]
    }

    /// Gathers cliques: each begins with a pair that no other has, and grows by the square with which it has most such.
    fn gather(&mut self) {
        let live = self.live;
        let mut left = self.excluded.clone();
        for low in 0..live {
            for high in low + 1..live {
                if !left[low * live + high] {
                    continue;
                }
                let mut clique = vec![low, high];
                loop {
                    let fits = (0..live).filter(|&new| clique.iter().all(|&member| self.exclude(member, new)));
                    let most = fits.max_by_key(|&new| {
                        let gained = clique.iter().filter(|&&member| left[member * live + new]).count();
                        (gained, std::cmp::Reverse(new))
                    });
                    let Some(new) = most else { break };
                    clique.push(new);
                }
                for &one in &clique {
                    clique.iter().for_each(|&other| left[one * live + other] = false);
                }
                self.cliques.push(clique);
            }
        }
        for square in 0..live {
            if self.cliques.iter().all(|clique| !clique.contains(&square)) {
                self.cliques.push(vec![square]);
            }
        }
    }
}
