//! All LP dual bounds side by side, so that a position is evaluated by all of them at once.
//!
//! Every new position is evaluated by every dual bound with fixed goal prices ([`DualBound::by_prices`]). In separate tables
//! each bound would take a look-up for each box; with the entries of all bounds in one row of fixed length, the sums are a
//! few vector additions.

use crate::dual_bound::DualBound;
use crate::parity::ParityBound;
use lurd_rules::dense::set::Set;

/// The most dual bounds.
pub(crate) const DUAL_BOUNDS: usize = 24;

/// What the boxes of a position pay by each dual bound, in its own units.
pub(crate) type Sums = [i32; DUAL_BOUNDS];

#[derive(Debug, Default)]
pub(crate) struct BoundTable {
    bounds: Vec<DualBound>,
    live: usize,
    /// What a box pays at least after goal prices, by `live * cell + square`.
    least: Vec<[i16; DUAL_BOUNDS]>,
}

impl BoundTable {
    pub(crate) fn add(&mut self, bound: DualBound) {
        self.live = bound.live;
        self.least.resize(bound.least.len(), [0; DUAL_BOUNDS]);
        self.least.iter_mut().zip(&bound.least).for_each(|(row, &paid)| row[self.bounds.len()] = paid);
        self.bounds.push(bound);
    }

    pub(crate) fn bounds(&self) -> &[DualBound] {
        &self.bounds
    }

    pub(crate) fn is_full(&self) -> bool {
        self.bounds.len() == DUAL_BOUNDS
    }

    /// What boxes pay at least after goal prices, by each dual bound.
    #[inline]
    pub(crate) fn sums<const L: usize>(&self, boxes: Set<L>, player: usize) -> Sums {
        let mut sums = [0; DUAL_BOUNDS];
        if !self.bounds.is_empty() {
            let rows = &self.least[player * self.live..][..self.live];
            for square in boxes.iter() {
                sums.iter_mut().zip(&rows[square]).for_each(|(sum, &paid)| *sum += i32::from(paid));
            }
        }
        sums
    }

    /// The maximum over all dual bounds, with fixed goal prices.
    #[inline]
    pub(crate) fn bound(&self, sums: &Sums, player: usize) -> ParityBound {
        let mut most = ParityBound::ZERO;
        self.bounds.iter().zip(sums).for_each(|(bound, &sum)| most.raise_each(bound.by_prices(sum, player)));
        most
    }

    pub(crate) fn bytes(&self) -> usize {
        size_of_val(&self.least[..]) + self.bounds.iter().map(DualBound::bytes).sum::<usize>()
    }
}
