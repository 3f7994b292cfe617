//! Minimum-cost perfect matching of boxes with targets.
//!
//! Shortest augmenting paths with dual prices (Kuhn 1955; Jonker and Volgenant 1987). The *row* of a box holds what it
//! costs to bring the box to each target; the caller numbers the rows and says where the costs of a row are. A matching
//! stores the row paired with each target, so the order of the boxes is irrelevant, and the price of each target. The
//! price of a box is implied: it is what its pair costs, less the price of its target. It is the least of its row after
//! prices, which proves the matching optimal.
//!
//! Any prices are a valid start, and good ones leave little to do, so prices are kept from one position to the next. A
//! push changes one row: the matching is repaired by one path, or only its new total is computed. With the box of row
//! `r` on target `t` and `d` the length of the shortest path from the new row to `t`, both in costs after prices, the sum
//! of cost changes along the path telescopes: the new total is `total - (cost(r, t) - price(t)) + d`. The least of the
//! new row after prices bounds `d` from below, so in place of `d` it gives a lower bound in one pass (weak duality).
//!
//! The optimal total is unique. Pairs and prices depend on how ties are broken, and so do the node counts of engines that
//! bound children by the prices.

use crate::dense::board::INFINITE;
use crate::distance::FAR;

/// An entry of a row of costs. Rows are stored in the narrowest integer that holds them.
pub trait Cost: Copy + PartialEq + Into<i32> {
    /// The box cannot go to the target.
    const INFINITE: Self;
}

impl Cost for i16 {
    const INFINITE: Self = INFINITE;
}

impl Cost for u16 {
    const INFINITE: Self = FAR;
}

/// In place of a row: no box is paired with the target.
pub const UNPAIRED: u16 = u16::MAX;

/// Prices are shifted back to zero when they fall below this.
const LOWEST_PRICE: i32 = -1_000_000_000;

/// Pairs of boxes and targets with prices that prove them optimal.
#[derive(Clone, Debug)]
pub struct Matching {
    /// The row of the box paired with each target, or [`UNPAIRED`].
    pub rows: Vec<u16>,
    pub prices: Vec<i32>,
    pub total: i32,
}

impl Matching {
    /// No pairs, and all prices zero.
    pub fn empty(targets: usize) -> Self {
        Self { rows: vec![UNPAIRED; targets], prices: vec![0; targets], total: 0 }
    }

    /// Sets the prices that the next matching starts from: the better they fit, the sooner it is found.
    pub fn begin_with(&mut self, prices: &[i32]) {
        self.prices.copy_from_slice(prices);
    }

    pub fn copy_from(&mut self, other: &Self) {
        self.rows.clone_from(&other.rows);
        self.prices.clone_from(&other.prices);
        self.total = other.total;
    }

    /// Removes all pairs and keeps the prices.
    #[inline]
    pub fn clear(&mut self) {
        self.rows.fill(UNPAIRED);
        self.total = 0;
    }

    /// Removes the pair of a target; `row` holds the costs of its box.
    #[inline]
    pub fn release<C: Cost>(&mut self, row: &[C], target: usize) {
        self.total -= row[target].into();
        self.rows[target] = UNPAIRED;
    }

    /// The price of the box paired with a target; `row` holds its costs.
    #[inline]
    pub fn box_price<C: Cost>(&self, row: &[C], target: usize) -> i32 {
        row[target].into() - self.prices[target]
    }

    /// Shifts all prices when they are low. Prices only fall, and a constant added to all of them changes nothing.
    #[inline]
    pub fn raise_prices(&mut self) {
        if self.prices.first().is_some_and(|&price| price < LOWEST_PRICE) {
            let common = self.prices[0];
            self.prices.iter_mut().for_each(|price| *price -= common);
        }
    }
}

/// Working memory of the search for a shortest augmenting path.
#[derive(Clone, Debug)]
pub struct AugmentingPaths {
    length: Vec<i32>,
    /// The target before each target on its path, [`UNPAIRED`] if the path starts here.
    previous: Vec<u16>,
    /// Settled targets in the order they were settled, then the others.
    order: Vec<u16>,
}

impl AugmentingPaths {
    /// Among equal targets the first in `order` is settled next, and changes places with the first not yet settled.
    pub fn new(targets: usize) -> Self {
        Self { length: vec![0; targets], previous: vec![0; targets], order: vec![0; targets] }
    }

    /// Pairs the box of a row by a shortest augmenting path. `false`, with nothing changed, if it cannot be paired
    /// without leaving another box unpaired.
    #[inline]
    pub fn augment<'c, C: Cost + 'c>(
        &mut self,
        costs: impl Fn(u16) -> &'c [C],
        matching: &mut Matching,
        row: u16,
    ) -> bool {
        let rows = &matching.rows[..];
        let Some((sink, settled)) = self.search(&costs, matching, costs(row), |target| rows[target] == UNPAIRED) else {
            return false;
        };
        let shortest = self.length[sink];
        matching.total += shortest + matching.prices[sink];
        for &target in &self.order[..settled] {
            let target = usize::from(target);
            matching.prices[target] += self.length[target] - shortest;
        }
        let mut target = sink;
        loop {
            let before = self.previous[target];
            if before == UNPAIRED {
                matching.rows[target] = row;
                return true;
            }
            matching.rows[target] = matching.rows[usize::from(before)];
            target = before.into();
        }
    }

    /// The total of a perfect matching if the box paired with `target` had the costs `row`; `None` if no perfect
    /// matching would exist.
    #[inline]
    pub fn total_with<'c, C: Cost + 'c>(
        &mut self,
        costs: impl Fn(u16) -> &'c [C],
        matching: &Matching,
        target: usize,
        row: &[C],
    ) -> Option<i32> {
        self.search(&costs, matching, row, |other| other == target)?;
        Some(matching.total - matching.box_price(costs(matching.rows[target]), target) + self.length[target])
    }

    /// Dijkstra's algorithm over the targets, from a row to the nearest target that is free, by costs after prices.
    /// Returns it and the number of targets settled before it.
    #[inline]
    fn search<'c, C: Cost + 'c>(
        &mut self,
        costs: &impl Fn(u16) -> &'c [C],
        matching: &Matching,
        row: &[C],
        is_free: impl Fn(usize) -> bool,
    ) -> Option<(usize, usize)> {
        let targets = matching.rows.len();
        let (length, previous) = (&mut self.length[..targets], &mut self.previous[..targets]);
        let (order, prices) = (&mut self.order[..targets], &matching.prices[..targets]);
        // Among equals a free target ends the search at once.
        let nearer = |value: i32, least: i32, target: usize| {
            value < least || (value == least && value != i32::MAX && is_free(target))
        };
        let (mut nearest, mut least) = (0, i32::MAX);
        let row = &row[..targets];
        for target in 0..targets {
            let value = if row[target] == C::INFINITE { i32::MAX } else { row[target].into() - prices[target] };
            length[target] = value;
            if nearer(value, least, target) {
                (nearest, least) = (target, value);
            }
        }
        if least == i32::MAX {
            return None;
        }
        if is_free(nearest) {
            previous[nearest] = UNPAIRED;
            return Some((nearest, 0));
        }
        for target in 0..targets {
            previous[target] = UNPAIRED;
            order[target] = target as u16;
        }
        let mut settled = 0;
        loop {
            let target = usize::from(order[nearest]);
            if is_free(target) {
                return Some((target, settled));
            }
            order.swap(settled, nearest);
            settled += 1;
            let row = &costs(matching.rows[target])[..targets];
            let base = least - matching.box_price(row, target);
            least = i32::MAX;
            for (place, &next) in order.iter().enumerate().skip(settled) {
                let next = usize::from(next);
                if row[next] != C::INFINITE {
                    let through = base + row[next].into() - prices[next];
                    if through < length[next] {
                        length[next] = through;
                        previous[next] = target as u16;
                    }
                }
                if nearer(length[next], least, next) {
                    (nearest, least) = (place, length[next]);
                }
            }
            if least == i32::MAX {
                return None;
            }
        }
    }
}

/// The total of the best of all perfect matchings, by trying them all.
#[doc(hidden)]
pub fn cheapest_of_all<C: Cost>(rows: &[&[C]]) -> Option<i32> {
    fn rest<C: Cost>(rows: &[&[C]], taken: &mut Vec<bool>) -> Option<i32> {
        let Some((row, others)) = rows.split_first() else { return Some(0) };
        let mut best: Option<i32> = None;
        for target in 0..taken.len() {
            if row[target] != C::INFINITE && !std::mem::replace(&mut taken[target], true) {
                let total = rest(others, taken).map(|total| total + row[target].into());
                taken[target] = false;
                best = best.into_iter().chain(total).min();
            }
        }
        best
    }
    rest(rows, &mut vec![false; rows.len()])
}

#[cfg(test)]
mod tests {
    use super::*;
    use lurd_base::random::SplitMix64;

    /// From any prices, solved, repaired or only asked for its total after a change, a matching is as cheap as the best
    /// of all, its total is the sum of its pairs, and its prices prove it optimal.
    fn agrees_with_brute_force<C: Cost>(cost: impl Fn(usize) -> C) {
        let mut random = SplitMix64::new(7);
        let (mut perfect, mut none) = (0, 0);
        for count in 1..=6 {
            let mut paths = AugmentingPaths::new(count);
            let mut matching = Matching::empty(count);
            for round in 0..600 {
                let spread = [3, 12, 200][round % 3];
                let mut row = || -> Vec<C> {
                    (0..count)
                        .map(|_| if random.below(3) == 0 { C::INFINITE } else { cost(random.below(spread)) })
                        .collect()
                };
                let (mut rows, changed): (Vec<_>, _) = ((0..count).map(|_| row()).collect(), row());
                let best = |rows: &[Vec<C>]| cheapest_of_all(&rows.iter().map(|row| &row[..]).collect::<Vec<_>>());
                matching.clear();
                let solved = (0..count as u16).all(|r| paths.augment(|r| &rows[usize::from(r)], &mut matching, r));
                assert_eq!(solved.then_some(matching.total), best(&rows));
                if !solved {
                    none += 1;
                    continue;
                }
                perfect += 1;
                let moved = round % count;
                let target = matching.rows.iter().position(|&row| usize::from(row) == moved).unwrap();
                let after = paths.total_with(|r| &rows[usize::from(r)], &matching, target, &changed);
                matching.release(&rows[moved], target);
                rows[moved] = changed;
                let costs = |row: u16| &rows[usize::from(row)][..];
                let repaired = paths.augment(costs, &mut matching, moved as u16);
                assert_eq!(after, best(&rows));
                assert_eq!(repaired.then_some(matching.total), after);
                if repaired {
                    let mut total = 0;
                    for (target, row) in matching.rows.iter().map(|&row| costs(row)).enumerate() {
                        total += row[target].into();
                        let price = matching.box_price(row, target);
                        let reachable = (0..count).filter(|&other| row[other] != C::INFINITE);
                        assert_eq!(reachable.map(|other| matching.box_price(row, other)).min(), Some(price));
                    }
                    assert_eq!(total, matching.total);
                }
            }
        }
        assert!(perfect > 1000 && none > 500, "both kinds must occur: {perfect} {none}");
    }

    #[test]
    fn matchings_are_as_cheap_as_the_best_of_all() {
        agrees_with_brute_force(|cost| cost as i16);
        agrees_with_brute_force(|cost| cost as u16);
    }
}
