//! The cheapest pairing of boxes with goals by costs of its own, and what it costs after each move of one box.

use lurd_rules::assignment::{AugmentingPaths, Matching};

/// A minimum-cost matching of as many boxes as goals.
#[derive(Clone, Debug)]
pub(super) struct Pairing {
    /// A row of costs for each box, and one for a box that moves.
    costs: Vec<u16>,
    row: Vec<u16>,
    matching: Matching,
    paths: AugmentingPaths,
}

impl Pairing {
    pub(super) fn new(count: usize) -> Self {
        Self {
            costs: Vec::new(),
            row: Vec::new(),
            matching: Matching::empty(count),
            paths: AugmentingPaths::new(count),
        }
    }

    /// Pairs the boxes at a cost for each box and goal, none of them infinite. Returns the total.
    pub(super) fn solve(&mut self, cost: impl Fn(usize, usize) -> u16) -> u32 {
        let Self { costs, matching, paths, .. } = self;
        let count = matching.rows.len();
        costs.clear();
        costs.extend((0..count * count).map(|entry| cost(entry / count, entry % count)));
        matching.clear();
        matching.raise_prices();
        for row in 0..count as u16 {
            paths.augment(|row| &costs[usize::from(row) * count..][..count], matching, row);
        }
        matching.total as u32
    }

    /// The total if one box had other costs.
    pub(super) fn after(&mut self, moved: usize, cost: impl Fn(usize) -> u16) -> u32 {
        let Self { costs, row, matching, paths } = self;
        let count = matching.rows.len();
        row.clear();
        row.extend((0..count).map(cost));
        let target = matching.rows.iter().position(|&row| usize::from(row) == moved).unwrap_or(0);
        let total = paths.total_with(|row| &costs[usize::from(row) * count..][..count], matching, target, row);
        total.unwrap_or(matching.total) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lurd_base::random::SplitMix64;
    use lurd_rules::assignment::cheapest_of_all;

    #[test]
    fn totals_are_those_of_the_best_of_all_pairings() {
        let mut random = SplitMix64::new(7);
        for round in 0..600 {
            let count = 1 + round % 6;
            let spread = [3, 12, 200][round % 3];
            let mut pairing = Pairing::new(count);
            let mut row = || -> Vec<u16> { (0..count).map(|_| random.below(spread) as u16).collect() };
            let (mut rows, changed): (Vec<_>, _) = ((0..count).map(|_| row()).collect(), row());
            let best = |rows: &[Vec<u16>]| cheapest_of_all(&rows.iter().map(|row| &row[..]).collect::<Vec<_>>());
            assert_eq!(Some(pairing.solve(|one, goal| rows[one][goal]) as i32), best(&rows));
            let after = pairing.after(round % count, |goal| changed[goal]);
            rows[round % count] = changed;
            assert_eq!(Some(after as i32), best(&rows));
        }
    }
}
