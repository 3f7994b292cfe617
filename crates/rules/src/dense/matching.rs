//! Minimum-cost matching over the padded rows of a step table, and quick bounds for its children.
//!
//! The matching itself is [`crate::assignment`]. A bound for a child costs one pass over the new row of the moved box; it is
//! exact when the box goes a shortest way to its own target. That pass is the innermost loop of the dense searches and of
//! the provers, so it has a copy of the prices in the width of the costs, eight lanes at a time.

use crate::assignment::AugmentingPaths;
pub use crate::assignment::Matching;
use crate::dense::board::{DenseBoard, INFINITE, StepTable};

/// The lowest price that the narrow copy takes over: a cost less a price stays within its range.
const LOWEST_PRICE: i32 = -(INFINITE as i32) / 2;

/// Working memory for the matchings of one step table.
#[derive(Clone, Debug)]
pub struct Matcher {
    paths: AugmentingPaths,
    /// The prices of the matching whose children are being bounded, one padded row.
    prices: Vec<i16>,
}

impl Matcher {
    pub fn new(way: &StepTable, targets: usize) -> Self {
        Self { paths: AugmentingPaths::new(targets), prices: vec![0; way.stride()] }
    }

    /// Pairs the boxes of these rows, starting from the prices of the last matching. `false` if they cannot all be paired.
    pub fn solve(&mut self, way: &StepTable, matching: &mut Matching, mut rows: impl Iterator<Item = u16>) -> bool {
        matching.clear();
        // Prices only fall; before they leave the range of the narrow copy they start again.
        if matching.prices.iter().any(|&price| price < LOWEST_PRICE) {
            matching.prices.fill(0);
        }
        rows.all(|row| self.paths.augment(|row| way.row(row), matching, row))
    }

    /// The box on the live square `from` moves and gets another row. `false` if the boxes cannot all be paired any more.
    pub fn repair(
        &mut self,
        dense: &DenseBoard,
        way: &StepTable,
        matching: &mut Matching,
        from: usize,
        row: u16,
    ) -> bool {
        let Some(target) = matching.rows.iter().position(|&row| dense.row_live(row) == from) else { return false };
        matching.release(way.row(matching.rows[target]), target);
        self.paths.augment(|row| way.row(row), matching, row)
    }

    /// The total after the box paired with `target` gets another row; `None` if the boxes could not all be paired.
    pub fn total_after(&mut self, way: &StepTable, matching: &Matching, target: usize, row: u16) -> Option<i32> {
        self.paths.total_with(|row| way.row(row), matching, target, way.row(row))
    }

    /// Takes over the prices of a matching whose children are to be bounded. `false` if one was too low for the narrow
    /// copy: what follows is an estimate then, and no bound.
    pub fn look_at(&mut self, matching: &Matching) -> bool {
        for (to, &from) in self.prices.iter_mut().zip(&matching.prices) {
            *to = from.max(LOWEST_PRICE) as i16;
        }
        matching.prices.iter().all(|&price| price >= LOWEST_PRICE)
    }

    /// The price of the box paired with `target`: subtract this from the total and add [`reduced`](Self::reduced).
    #[inline]
    pub fn share(&self, way: &StepTable, matching: &Matching, target: usize) -> i32 {
        i32::from(way.row(matching.rows[target])[target]) - i32::from(self.prices[target])
    }

    /// The least of a row after prices.
    #[inline]
    pub fn reduced(&self, way: &StepTable, row: u16) -> i32 {
        let mut least = [i16::MAX; 8];
        for (costs, prices) in way.row(row).chunks_exact(8).zip(self.prices.chunks_exact(8)) {
            for ((least, &cost), &price) in least.iter_mut().zip(costs).zip(prices) {
                *least = (*least).min(cost - price);
            }
        }
        i32::from(least.iter().copied().min().unwrap_or(0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Board;
    use crate::assignment::cheapest_of_all;
    use crate::dense::board::Side;
    use lurd_base::Budget;
    use lurd_base::random::SplitMix64;
    use lurd_level::Map;

    /// A matching carried over from position to position costs as little as the best of all, and the bound of a child is
    /// no higher than that.
    #[test]
    fn the_value_is_the_cheapest_pairing_by_brute_force() {
        let rooms = [
            "#########\n#.  $  .#\n# $ @ $ #\n#.     .#\n#  $#   #\n#########",
            "########\n#. $ . #\n### $  #\n#.  @ ##\n#  $  ##\n########",
        ];
        let mut random = SplitMix64::new(1);
        let mut repaired = 0;
        for (room, side) in rooms.into_iter().flat_map(|room| [(room, Side::Forward), (room, Side::Backward)]) {
            let board = Board::new(&Map::from_xsb(room).unwrap()).unwrap();
            let dense = DenseBoard::new(&board, &Budget::unlimited()).unwrap().unwrap();
            let (way, boxes) = (dense.way(side), dense.boxes());
            let best = |rows: &[u16]| cheapest_of_all(&rows.iter().map(|&row| way.row(row)).collect::<Vec<_>>());
            let mut matcher = Matcher::new(way, boxes);
            let mut matching = Matching::empty(boxes);
            for _ in 0..2000 {
                let mut squares: Vec<usize> = Vec::new();
                while squares.len() < boxes {
                    let square = random.below(dense.live_count());
                    if !squares.contains(&square) {
                        squares.push(square);
                    }
                }
                let player = dense.cell_on(random.below(board.len()) as u16);
                if squares.iter().any(|&square| dense.cell(square) == player) {
                    continue;
                }
                let mut rows: Vec<u16> = squares.iter().map(|&square| dense.row_at(square, player)).collect();
                let solved = matcher.solve(way, &mut matching, rows.iter().copied()).then_some(matching.total);
                assert_eq!(solved, best(&rows), "{room}");
                let to = random.below(dense.live_count());
                if solved.is_none() || squares.contains(&to) || dense.cell(to) == player {
                    continue;
                }
                let moved = random.below(boxes);
                let target = matching.rows.iter().position(|&row| row == rows[moved]).unwrap();
                rows[moved] = dense.row_at(to, player);
                matcher.look_at(&matching);
                let bound = matching.total - matcher.share(way, &matching, target) + matcher.reduced(way, rows[moved]);
                let value = matcher.total_after(way, &matching, target, rows[moved]);
                assert_eq!(value, best(&rows), "{room}");
                assert!(value.is_none_or(|value| bound <= value), "{room}");
                let paired = matcher.repair(&dense, way, &mut matching, squares[moved], rows[moved]);
                assert_eq!(paired.then_some(matching.total), value, "{room}");
                repaired += usize::from(paired);
            }
        }
        assert!(repaired > 1000, "{repaired}");
    }
}
