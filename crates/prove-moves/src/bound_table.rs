//! All tariffs side by side: what a box pays by each of them in one row, so that positions are judged by all at once.
//!
//! Every new position is judged by every tariff the quick way ([`DualBound::quick`]). Kept apart, each would take a look for each box;
//! in rows of fixed length the sums are a few additions of whole rows.

use crate::dual_bound::DualBound;
use crate::parity::ParityBound;
use lurd_rules::dense::set::Set;

/// The most tariffs.
pub(crate) const TARIFFS: usize = 24;

/// What a position pays by each tariff, in the tariff's own units.
pub(crate) type Sums = [i32; TARIFFS];

/// The tariffs of a level.
#[derive(Debug, Default)]
pub(crate) struct BoundTable {
    tariffs: Vec<DualBound>,
    live: usize,
    /// What a box pays at least, prices of goals taken off, by `live * cell + square`.
    least: Vec<[i16; TARIFFS]>,
}

impl BoundTable {
    /// Enters one more tariff.
    pub(crate) fn enter(&mut self, tariff: DualBound) {
        let least = tariff.least();
        self.live = tariff.live();
        self.least.resize(least.len(), [0; TARIFFS]);
        self.least.iter_mut().zip(least).for_each(|(row, &paid)| row[self.tariffs.len()] = paid);
        self.tariffs.push(tariff);
    }

    pub(crate) fn tariffs(&self) -> &[DualBound] {
        &self.tariffs
    }

    pub(crate) fn is_full(&self) -> bool {
        self.tariffs.len() == TARIFFS
    }

    /// What boxes pay at least by each tariff, prices of goals taken off.
    #[inline]
    pub(crate) fn sums<const L: usize>(&self, boxes: Set<L>, player: usize) -> Sums {
        let mut sums = [0; TARIFFS];
        if !self.tariffs.is_empty() {
            let rows = &self.least[player * self.live..][..self.live];
            for square in boxes.iter() {
                sums.iter_mut().zip(&rows[square]).for_each(|(sum, &paid)| *sum += i32::from(paid));
            }
        }
        sums
    }

    /// The least moves of the rest by all tariffs.
    #[inline]
    pub(crate) fn bound(&self, sums: &Sums, player: usize) -> ParityBound {
        let mut bound = ParityBound::NOUGHT;
        self.tariffs.iter().zip(sums).for_each(|(tariff, &sum)| bound.raise_each(tariff.quick(sum, player)));
        bound
    }

    pub(crate) fn bytes(&self) -> usize {
        size_of_val(&self.least[..]) + self.tariffs.iter().map(DualBound::bytes).sum::<usize>()
    }
}
