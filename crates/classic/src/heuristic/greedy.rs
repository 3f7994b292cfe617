//! Greedy matching of boxes to targets, nearest pair first.
//!
//! Not a lower bound: taking the nearest pair can force a far pair that the minimum matching avoids. Useful for ordering
//! in greedy search only.

use lurd_rules::distance::{Distances, FAR};
use lurd_rules::{Board, State};
use lurd_search::Estimate;

pub(super) struct GreedyMatching {
    /// (distance, box, target), sorted.
    pairs: Vec<(u16, u16, u16)>,
    box_taken: Vec<bool>,
    target_taken: Vec<bool>,
    /// The cost of a box that is left without a reachable target: at least any distance.
    left_over: u32,
}

impl GreedyMatching {
    pub(super) fn new(board: &Board) -> Self {
        Self { pairs: Vec::new(), box_taken: Vec::new(), target_taken: Vec::new(), left_over: board.len() as u32 }
    }

    pub(super) fn estimate(&mut self, distances: &Distances, state: &State) -> Estimate {
        self.pairs.clear();
        let mut count = 0;
        for (index, square) in state.boxes.iter().enumerate() {
            let row = distances.row(square, state.player);
            let before = self.pairs.len();
            let reachable = row.iter().enumerate().filter(|&(_, &distance)| distance != FAR);
            self.pairs.extend(reachable.map(|(target, &distance)| (distance, index as u16, target as u16)));
            if self.pairs.len() == before {
                return None;
            }
            count += 1;
        }
        self.pairs.sort_unstable();
        self.box_taken.clear();
        self.box_taken.resize(count, false);
        self.target_taken.clear();
        self.target_taken.resize(count, false);
        let (mut sum, mut paired) = (0, 0);
        for &(distance, index, target) in &self.pairs {
            let (box_taken, target_taken) =
                (&mut self.box_taken[usize::from(index)], &mut self.target_taken[usize::from(target)]);
            if !*box_taken && !*target_taken {
                *box_taken = true;
                *target_taken = true;
                sum += u32::from(distance);
                paired += 1;
            }
        }
        Some(sum + (count - paired) as u32 * self.left_over)
    }
}
