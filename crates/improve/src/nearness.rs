//! How far a position is from the route: the boxes that stand where the most similar
//! position of the route has none.
//!
//! The count against every position of the route is kept up to date as boxes come and go, one
//! short array added for each square, which the compiler turns into a few wide instructions.

use lurd_rules::{Bits, Square};

/// The nearest position of the route.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Nearest {
    /// How many boxes stand elsewhere.
    pub(super) astray: u16,
    /// Which position; of several equally near ones the last.
    pub(super) index: usize,
}

/// Counts the boxes that differ from each position of the route.
#[derive(Debug)]
pub(super) struct Nearness {
    positions: usize,
    /// For each square a row that holds 1 where a position of the route has no box on it.
    absent: Vec<i16>,
    /// For each position of the route, how many boxes of the present position it does not have.
    astray: Vec<i16>,
}

impl Nearness {
    /// Bytes needed for a stretch of the route.
    pub(super) fn bytes(squares: usize, positions: usize) -> usize {
        squares * positions * size_of::<i16>()
    }

    /// For the positions of a stretch of the route; the present position has no box yet.
    pub(super) fn new<'a>(squares: usize, positions: impl ExactSizeIterator<Item = &'a Bits>) -> Self {
        let count = positions.len();
        let mut absent = vec![1; squares * count];
        for (index, boxes) in positions.enumerate() {
            for square in boxes.iter() {
                absent[usize::from(square) * count + index] = 0;
            }
        }
        Self { positions: count, absent, astray: vec![0; count] }
    }

    fn row(&self, square: Square) -> &[i16] {
        &self.absent[usize::from(square) * self.positions..][..self.positions]
    }

    /// A box comes to a square.
    pub(super) fn add(&mut self, square: Square) {
        let row = &self.absent[usize::from(square) * self.positions..][..self.positions];
        self.astray.iter_mut().zip(row).for_each(|(count, &absent)| *count += absent);
    }

    /// A box leaves a square.
    pub(super) fn remove(&mut self, square: Square) {
        let row = &self.absent[usize::from(square) * self.positions..][..self.positions];
        self.astray.iter_mut().zip(row).for_each(|(count, &absent)| *count -= absent);
    }

    /// The position of the route nearest to the present one with one box moved.
    pub(super) fn nearest_after(&self, from: Square, to: Square) -> Nearest {
        let rows = || self.astray.iter().zip(self.row(from)).zip(self.row(to));
        let least = rows().map(|((&count, &from), &to)| count - from + to).min().unwrap_or(0);
        let index = rows().rposition(|((&count, &from), &to)| count - from + to == least).unwrap_or(0);
        Nearest { astray: least as u16, index }
    }

    /// The positions of the route that have the very boxes of the present one.
    pub(super) fn same(&self) -> impl Iterator<Item = usize> + '_ {
        self.astray.iter().enumerate().filter(|&(_, &count)| count == 0).map(|(index, _)| index)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lurd_search::random::SplitMix64;

    /// The counts carried along are those found by comparing sets.
    #[test]
    fn the_nearest_position_is_found() {
        let mut dice = SplitMix64::new(5);
        let squares = 30;
        let mut draw = |boxes: usize| {
            let mut set = Bits::empty(squares);
            while set.len() < boxes {
                set.insert(dice.below(squares) as Square);
            }
            set
        };
        let route: Vec<Bits> = (0..40).map(|_| draw(4)).collect();
        let mut nearness = Nearness::new(squares, route.iter());
        for _ in 0..200 {
            let boxes = draw(4);
            boxes.iter().for_each(|square| nearness.add(square));
            let same: Vec<usize> = nearness.same().collect();
            assert_eq!(same, (0..40).filter(|&index| route[index] == boxes).collect::<Vec<_>>());
            for from in boxes.iter() {
                for to in (0..squares as Square).filter(|&to| !boxes.contains(to)) {
                    let mut after = boxes.clone();
                    after.shift(from, to);
                    let astray = |other: &Bits| after.iter().filter(|&square| !other.contains(square)).count() as u16;
                    let least = route.iter().map(astray).min().unwrap();
                    let index = route.iter().rposition(|other| astray(other) == least).unwrap();
                    assert_eq!(nearness.nearest_after(from, to), Nearest { astray: least, index });
                }
            }
            boxes.iter().for_each(|square| nearness.remove(square));
        }
    }
}
