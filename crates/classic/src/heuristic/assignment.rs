//! The minimum-cost matching of boxes and targets ([`lurd_rules::assignment`]) as an estimate, for any table of costs.
//!
//! A push changes the distances of one box only, so the value of a child takes one shortest path from the matching of
//! its parent, O(k^2) instead of O(k^3); mostly the box keeps its target and a single pass over its row is enough. The
//! prices of the targets are kept from one parent to the next.

use lurd_base::Budget;
use lurd_rules::assignment::{AugmentingPaths, Matching};
use lurd_rules::distance::Distances;
use lurd_rules::{Board, Square, State};
use lurd_search::Estimate;

/// What it costs to bring a box to each target.
pub(super) trait CostTable {
    /// Where the row of a box starts.
    fn offset(&self, square: Square, player: Square) -> usize;
    /// The costs to each target.
    fn row_at(&self, offset: usize) -> &[u16];
}

impl CostTable for Distances {
    #[inline]
    fn offset(&self, square: Square, player: Square) -> usize {
        self.offset(square, player)
    }

    #[inline]
    fn row_at(&self, offset: usize) -> &[u16] {
        self.row_at(offset)
    }
}

/// Boxes above which the budget is polled while a state is solved.
const MANY: usize = 128;

pub(super) struct Assignment {
    budget: Budget,
    matching: Matching,
    paths: AugmentingPaths,
    /// Where the row of each box starts in the distance table.
    rows: Vec<usize>,
    /// The box on each square, by its row.
    row_at: Vec<u16>,
    /// The target of each box.
    target_of: Vec<u16>,
    value: Estimate,
}

impl Assignment {
    pub(super) fn new(board: &Board, budget: &Budget) -> Self {
        let count = board.goals().len();
        Self {
            budget: budget.clone(),
            matching: Matching::empty(count),
            paths: AugmentingPaths::new(count),
            rows: Vec::with_capacity(count),
            row_at: vec![0; board.len()],
            target_of: vec![0; count],
            value: None,
        }
    }

    /// The value of the state last solved.
    pub(super) fn value(&self) -> Estimate {
        self.value
    }

    /// Solves a state and keeps it as the parent of what is repaired next.
    pub(super) fn solve(&mut self, distances: &impl CostTable, state: &State) -> Estimate {
        self.rows.clear();
        for (index, square) in state.boxes.iter().enumerate() {
            self.row_at[usize::from(square)] = index as u16;
            self.rows.push(distances.offset(square, state.player));
        }
        self.value = self.solve_rows(distances);
        self.value
    }

    fn solve_rows(&mut self, distances: &impl CostTable) -> Estimate {
        let (rows, matching) = (&self.rows, &mut self.matching);
        matching.clear();
        matching.raise_prices();
        for index in 0..rows.len() {
            // With thousands of boxes this takes seconds. The caller checks the budget itself and does not take the
            // answer for "dead".
            let over = || self.budget.is_over();
            let costs = |row: u16| distances.row_at(rows[usize::from(row)]);
            if rows.len() > MANY && over() || !self.paths.augment(costs, matching, index as u16) {
                return None;
            }
        }
        for (target, &row) in matching.rows.iter().enumerate() {
            self.target_of[usize::from(row)] = target as u16;
        }
        Some(matching.total as u32)
    }

    /// The value after the box on `from` went to `to` and the player to `player`. Other boxes
    /// keep their rows: the player cannot change sides of a box that does not move.
    pub(super) fn repaired(
        &mut self,
        distances: &impl CostTable,
        from: Square,
        to: Square,
        player: Square,
    ) -> Estimate {
        self.value?;
        let target = self.target_of[usize::from(self.row_at[usize::from(from)])].into();
        let costs = |row: u16| distances.row_at(self.rows[usize::from(row)]);
        let total =
            self.paths.total_with(costs, &self.matching, target, distances.row_at(distances.offset(to, player)));
        total.map(|total| total as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lurd_base::random::SplitMix64;
    use lurd_level::Map;
    use lurd_rules::Bits;
    use lurd_rules::assignment::cheapest_of_all;

    fn best(distances: &Distances, state: &State) -> Estimate {
        let rows: Vec<_> = state.boxes.iter().map(|square| distances.row(square, state.player)).collect();
        cheapest_of_all(&rows).map(|total| total as u32)
    }

    /// Solved from scratch and repaired from the parent, the value is that of the best of all pairings.
    #[test]
    fn the_value_is_the_cheapest_pairing_by_brute_force() {
        let rooms = [
            "#########\n#.  $  .#\n# $ @ $ #\n#.     .#\n#  $#   #\n#########",
            "########\n#. $ . #\n### $  #\n#.  @ ##\n#  $  ##\n########",
        ];
        for room in rooms {
            let board = Board::new(&Map::from_xsb(room).unwrap()).unwrap();
            let distances = Distances::to_goals(&board, &lurd_base::Budget::unlimited()).unwrap();
            let mut assignment = Assignment::new(&board, &lurd_base::Budget::unlimited());
            let mut random = SplitMix64::new(1);
            let mut draw = |below: usize| random.below(below);
            for _ in 0..2000 {
                let mut boxes = Bits::empty(board.len());
                while boxes.len() < board.goals().len() {
                    boxes.insert(draw(board.len()) as Square);
                }
                let free: Vec<Square> = board.squares().filter(|&square| !boxes.contains(square)).collect();
                let player = free[draw(free.len())];
                let state = State { boxes, player };
                let solved = assignment.solve(&distances, &state);
                assert_eq!(solved, best(&distances, &state), "{room}");
                if solved.is_none() {
                    continue;
                }
                let moved: Vec<Square> = state.boxes.iter().collect();
                let from = moved[draw(moved.len())];
                let to = free[draw(free.len())];
                let mut child = state.clone();
                child.boxes.shift(from, to);
                // The rows of the other boxes must not change, so the player stays on his side of them.
                let stays = moved
                    .iter()
                    .all(|&other| other == from || distances.pair(other, from) == distances.pair(other, state.player));
                if to != from && stays {
                    child.player = from;
                    let repaired = assignment.repaired(&distances, from, to, from);
                    assert_eq!(repaired, best(&distances, &child), "{room}");
                }
            }
        }
    }
}
