//! The minimum-cost matching of boxes with targets ([`lurd_rules::assignment`]), kept up to date while boxes move.
//!
//! When a search steps from one position to the next few rows change, and only those are paired anew, each by one
//! shortest augmenting path from the prices of the last position.

use lurd_rules::assignment::{AugmentingPaths, Matching, UNPAIRED};
use lurd_rules::distance::{Distances, FAR};

/// A matching of boxes, numbered by slot, with targets.
#[derive(Debug)]
pub(super) struct RouteMatching {
    /// Where each slot's row starts in the distance table.
    rows: Vec<usize>,
    target_of: Vec<u16>,
    matching: Matching,
    paths: AugmentingPaths,
    /// Slots to be paired.
    loose: Vec<u16>,
    /// Slots for which no target was left, to be tried again.
    lost: Vec<u16>,
}

impl RouteMatching {
    /// A matching of as many boxes as targets; every row must be set before it is settled.
    pub(super) fn new(count: usize) -> Self {
        Self {
            rows: vec![0; count],
            target_of: vec![UNPAIRED; count],
            matching: Matching::empty(count),
            paths: AugmentingPaths::new(count),
            loose: Vec::new(),
            lost: (0..count as u16).collect(),
        }
    }

    #[inline]
    pub(super) fn row(&self, slot: usize) -> usize {
        self.rows[slot]
    }

    pub(super) fn set_row(&mut self, distances: &Distances, slot: usize, row: usize) {
        let target = std::mem::replace(&mut self.target_of[slot], UNPAIRED);
        if target != UNPAIRED {
            self.matching.release(distances.row_at(self.rows[slot]), target.into());
            self.loose.push(slot as u16);
        }
        self.rows[slot] = row;
    }

    /// Pairs every slot and returns the cost of the pairs, or `None` if some box has no target left.
    pub(super) fn settle(&mut self, distances: &Distances) -> Option<u32> {
        self.loose.append(&mut self.lost);
        if self.loose.is_empty() {
            return Some(self.matching.total as u32);
        }
        while let Some(slot) = self.loose.pop() {
            let costs = |slot: u16| distances.row_at(self.rows[usize::from(slot)]);
            if !self.paths.augment(costs, &mut self.matching, slot) {
                self.lost.push(slot);
            }
        }
        for (target, &slot) in self.matching.rows.iter().enumerate().filter(|&(_, &slot)| slot != UNPAIRED) {
            self.target_of[usize::from(slot)] = target as u16;
        }
        self.matching.raise_prices();
        self.lost.is_empty().then_some(self.matching.total as u32)
    }

    /// A bound on the cost if one slot had another row, by weak duality; the matching must be settled.
    #[inline]
    pub(super) fn bound_with(&self, distances: &Distances, slot: usize, row: usize) -> Option<u32> {
        let own = self.matching.box_price(distances.row_at(self.rows[slot]), self.target_of[slot].into());
        let prices = &self.matching.prices;
        let least = distances.row_at(row).iter().zip(prices).map(|(&far, &price)| i32::from(far) - price).min()?;
        // A row without any target is as good as FAR away; no push changes a real cost by so much.
        let change = least - own;
        (change < i32::from(FAR) / 2).then(|| (self.matching.total + change).max(0) as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lurd_base::random::SplitMix64;
    use lurd_level::Map;
    use lurd_rules::assignment::cheapest_of_all;
    use lurd_rules::{Bits, Board, Square};

    /// Carried over from one position to the next, the value is that of the best of all pairings, and the
    /// bound for a changed row is never above the value.
    #[test]
    fn the_value_is_the_cheapest_pairing_by_brute_force() {
        let room = "#########\n#.  $  .#\n# $ @ $ #\n#.     .#\n#  $#   #\n#########";
        let board = Board::new(&Map::from_xsb(room).unwrap()).unwrap();
        let distances = Distances::to_goals(&board, &lurd_base::Budget::unlimited()).unwrap();
        let mut matching = RouteMatching::new(board.goals().len());
        let mut dice = SplitMix64::new(3);
        let (mut settled, mut lost) = (0, 0);
        for _ in 0..3000 {
            let mut boxes = Bits::empty(board.len());
            while boxes.len() < board.goals().len() {
                boxes.insert(dice.below(board.len()) as Square);
            }
            let free: Vec<Square> = board.squares().filter(|&square| !boxes.contains(square)).collect();
            let player = free[dice.below(free.len())];
            let rows: Vec<usize> = boxes.iter().map(|square| distances.offset(square, player)).collect();
            let costs: Vec<_> = rows.iter().map(|&row| distances.row_at(row)).collect();
            let value = cheapest_of_all(&costs).map(|total| total as u32);
            // First one row changes, and the bound is compared with the value after that.
            let paired = matching.settle(&distances).is_some();
            let bound = if paired { matching.bound_with(&distances, 0, rows[0]) } else { None };
            matching.set_row(&distances, 0, rows[0]);
            let changed = matching.settle(&distances);
            if paired {
                match changed {
                    Some(changed) => assert!(bound.is_some_and(|bound| bound <= changed)),
                    None => lost += 1,
                }
            }
            for (slot, &row) in rows.iter().enumerate() {
                matching.set_row(&distances, slot, row);
            }
            settled += usize::from(value.is_some());
            assert_eq!(matching.settle(&distances), value);
        }
        assert!(settled > 100 && lost > 0, "both kinds must occur: {settled} {lost}");
    }
}
