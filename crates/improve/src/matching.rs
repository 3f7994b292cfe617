//! The cheapest pairing of boxes with targets, kept up to date while boxes move.
//!
//! A row holds the push distances of one box to every target. When a search steps from one
//! position to the next few rows change, and only those are paired anew, each by one
//! shortest augmenting path over the prices that are already there (Jonker and Volgenant
//! 1987). Only the prices of the targets are stored: a box's own price is what its pair
//! costs beyond its target's.

use lurd_rules::distance::{Distances, FAR};

const NONE: u32 = u32::MAX;

/// Prices are brought back to zero when they fall below this.
const LOWEST_PRICE: i32 = -1_000_000_000;

/// A pairing of boxes, numbered by slot, with targets.
#[derive(Debug)]
pub(super) struct RouteMatching {
    /// Where each slot's row starts in the distance table.
    rows: Vec<usize>,
    target_of: Vec<u32>,
    slot_on: Vec<u32>,
    price: Vec<i32>,
    /// What the pairs cost together.
    total: i32,
    /// Slots to be paired.
    loose: Vec<u32>,
    /// Slots for which no target was left, to be tried again.
    lost: Vec<u32>,
    length: Vec<i32>,
    previous: Vec<u32>,
    scanned: Vec<bool>,
    order: Vec<u32>,
}

impl RouteMatching {
    /// A pairing of as many boxes as targets; every row must be set before it is settled.
    pub(super) fn new(count: usize) -> Self {
        Self {
            rows: vec![0; count],
            target_of: vec![NONE; count],
            slot_on: vec![NONE; count],
            price: vec![0; count],
            total: 0,
            loose: Vec::new(),
            lost: (0..count as u32).collect(),
            length: vec![0; count],
            previous: vec![NONE; count],
            scanned: vec![false; count],
            order: Vec::new(),
        }
    }

    /// The row a slot has.
    #[inline]
    pub(super) fn row(&self, slot: usize) -> usize {
        self.rows[slot]
    }

    /// Gives a slot another row.
    pub(super) fn set_row(&mut self, distances: &Distances, slot: usize, row: usize) {
        let target = self.target_of[slot];
        if target != NONE {
            self.total -= i32::from(distances.row_at(self.rows[slot])[target as usize]);
            self.slot_on[target as usize] = NONE;
            self.target_of[slot] = NONE;
            self.loose.push(slot as u32);
        }
        self.rows[slot] = row;
    }

    /// Pairs every slot and returns what the pairs cost, or `None` if some box has no target left.
    pub(super) fn settle(&mut self, distances: &Distances) -> Option<u32> {
        self.loose.append(&mut self.lost);
        while let Some(slot) = self.loose.pop() {
            if !self.pair(distances, slot as usize) {
                self.lost.push(slot);
            }
        }
        // Prices only fall; what all of them have in common means nothing.
        if self.price.first().is_some_and(|&price| price < LOWEST_PRICE) {
            let common = self.price[0];
            self.price.iter_mut().for_each(|price| *price -= common);
        }
        self.lost.is_empty().then_some(self.total as u32)
    }

    /// A bound on the cost if one slot had another row, by weak duality; the pairing must be settled.
    #[inline]
    pub(super) fn bound_with(&self, distances: &Distances, slot: usize, row: usize) -> Option<u32> {
        let target = self.target_of[slot] as usize;
        let own = i32::from(distances.row_at(self.rows[slot])[target]) - self.price[target];
        let least = distances.row_at(row).iter().zip(&self.price).map(|(&far, &price)| i32::from(far) - price).min()?;
        // A row without any target is as good as FAR away; no push changes a real cost by so much.
        let change = least - own;
        (change < i32::from(FAR) / 2).then(|| (self.total + change).max(0) as u32)
    }

    /// Finds a target for a slot, moving other slots to other targets along a shortest path.
    fn pair(&mut self, distances: &Distances, slot: usize) -> bool {
        let count = self.rows.len();
        self.scanned.fill(false);
        self.order.clear();
        let row = distances.row_at(self.rows[slot]);
        for (target, &far) in row.iter().enumerate() {
            self.length[target] = cost(far, self.price[target], 0);
            self.previous[target] = slot as u32;
        }
        let end = loop {
            let mut next = NONE;
            let mut least = i32::MAX;
            for target in 0..count {
                if self.scanned[target] {
                    continue;
                }
                let length = self.length[target];
                if length < least || (length == least && next != NONE && self.slot_on[target] == NONE) {
                    least = length;
                    next = target as u32;
                }
            }
            if next == NONE || least == i32::MAX {
                return false;
            }
            let target = next as usize;
            self.scanned[target] = true;
            let owner = self.slot_on[target];
            if owner == NONE {
                break target;
            }
            self.order.push(next);
            let row = distances.row_at(self.rows[owner as usize]);
            let base = least - (i32::from(row[target]) - self.price[target]);
            for (other, &far) in row.iter().enumerate() {
                if self.scanned[other] {
                    continue;
                }
                let length = cost(far, self.price[other], base);
                if length < self.length[other] {
                    self.length[other] = length;
                    self.previous[other] = owner;
                }
            }
        };
        let reached = self.length[end];
        for &target in &self.order {
            self.price[target as usize] += self.length[target as usize] - reached;
        }
        let mut target = end;
        loop {
            let owner = self.previous[target] as usize;
            self.slot_on[target] = owner as u32;
            let freed = std::mem::replace(&mut self.target_of[owner], target as u32);
            let row = distances.row_at(self.rows[owner]);
            self.total += i32::from(row[target]);
            if freed == NONE {
                return true;
            }
            self.total -= i32::from(row[freed as usize]);
            target = freed as usize;
        }
    }
}

/// The length of an edge beyond `base`, or no edge.
#[inline]
fn cost(far: u16, price: i32, base: i32) -> i32 {
    if far == FAR { i32::MAX } else { base + i32::from(far) - price }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lurd_level::Map;
    use lurd_rules::{Bits, Board, Square};
    use lurd_search::random::SplitMix64;

    fn cheapest(distances: &Distances, rows: &[usize], taken: &mut Vec<bool>) -> Option<u32> {
        let Some((&first, rest)) = rows.split_first() else { return Some(0) };
        let mut least: Option<u32> = None;
        for target in 0..taken.len() {
            let far = distances.row_at(first)[target];
            if far == FAR || taken[target] {
                continue;
            }
            taken[target] = true;
            let value = cheapest(distances, rest, taken).map(|value| value + u32::from(far));
            taken[target] = false;
            least = least.into_iter().chain(value).min();
        }
        least
    }

    /// Carried over from one position to the next, the value is that of the best of all pairings, and the
    /// bound for a changed row is never above the value.
    #[test]
    fn the_value_is_the_cheapest_pairing_by_brute_force() {
        let room = "#########\n#.  $  .#\n# $ @ $ #\n#.     .#\n#  $#   #\n#########";
        let board = Board::new(&Map::from_xsb(room).unwrap()).unwrap();
        let distances = Distances::to_goals(&board, &lurd_search::Budget::unlimited()).unwrap();
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
            let value = cheapest(&distances, &rows, &mut vec![false; rows.len()]);
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
