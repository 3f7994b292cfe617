//! The deviation of a position from the route: the number of boxes that the most similar position of the route does not
//! have on the same squares.
//!
//! The number for every position of the route is updated as boxes are added and removed, by adding one short row per
//! square, which compiles to a few vector instructions.

use lurd_rules::{Bits, Square};

/// The most similar position of the route.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Nearest {
    pub(super) displaced: u16,
    /// The index of the position; the last one of several equally similar.
    pub(super) index: usize,
}

/// The number of displaced boxes relative to each position of the route.
#[derive(Debug)]
pub(super) struct Deviation {
    positions: usize,
    /// For each square a row with 1 for each position of the route that has no box on it.
    absent: Vec<i16>,
    /// For each position of the route, the number of boxes of the current position that it does not have.
    displaced: Vec<i16>,
}

impl Deviation {
    /// The size in bytes for a window of the route.
    pub(super) fn bytes(squares: usize, positions: usize) -> usize {
        squares * positions * size_of::<i16>()
    }

    /// Relative to the positions of a window of the route; the current position has no box yet.
    pub(super) fn new<'a>(squares: usize, positions: impl ExactSizeIterator<Item = &'a Bits>) -> Self {
        let count = positions.len();
        let mut absent = vec![1; squares * count];
        for (index, boxes) in positions.enumerate() {
            for square in boxes.iter() {
                absent[usize::from(square) * count + index] = 0;
            }
        }
        Self { positions: count, absent, displaced: vec![0; count] }
    }

    fn row(&self, square: Square) -> &[i16] {
        &self.absent[usize::from(square) * self.positions..][..self.positions]
    }

    pub(super) fn add(&mut self, square: Square) {
        let row = &self.absent[usize::from(square) * self.positions..][..self.positions];
        self.displaced.iter_mut().zip(row).for_each(|(count, &absent)| *count += absent);
    }

    pub(super) fn remove(&mut self, square: Square) {
        let row = &self.absent[usize::from(square) * self.positions..][..self.positions];
        self.displaced.iter_mut().zip(row).for_each(|(count, &absent)| *count -= absent);
    }

    /// The position of the route most similar to the current one after one box has moved.
    pub(super) fn nearest_after(&self, from: Square, to: Square) -> Nearest {
        let rows = || self.displaced.iter().zip(self.row(from)).zip(self.row(to));
        let least = rows().map(|((&count, &from), &to)| count - from + to).min().unwrap_or(0);
        let index = rows().rposition(|((&count, &from), &to)| count - from + to == least).unwrap_or(0);
        Nearest { displaced: least as u16, index }
    }

    /// The positions of the route with the same boxes as the current one.
    pub(super) fn same(&self) -> impl Iterator<Item = usize> + '_ {
        self.displaced.iter().enumerate().filter(|&(_, &count)| count == 0).map(|(index, _)| index)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lurd_base::random::SplitMix64;

    #[test]
    fn incremental_counts_equal_those_by_comparing_sets() {
        let mut random = SplitMix64::new(5);
        let squares = 30;
        let mut draw = |boxes: usize| {
            let mut set = Bits::empty(squares);
            while set.len() < boxes {
                set.insert(random.below(squares) as Square);
            }
            set
        };
        let route: Vec<Bits> = (0..40).map(|_| draw(4)).collect();
        let mut deviation = Deviation::new(squares, route.iter());
        for _ in 0..200 {
            let boxes = draw(4);
            boxes.iter().for_each(|square| deviation.add(square));
            let same: Vec<usize> = deviation.same().collect();
            assert_eq!(same, (0..40).filter(|&index| route[index] == boxes).collect::<Vec<_>>());
            for from in boxes.iter() {
                for to in (0..squares as Square).filter(|&to| !boxes.contains(to)) {
                    let mut after = boxes.clone();
                    after.shift(from, to);
                    let count = |other: &Bits| after.iter().filter(|&square| !other.contains(square)).count() as u16;
                    let displaced = route.iter().map(count).min().unwrap();
                    let index = route.iter().rposition(|other| count(other) == displaced).unwrap();
                    assert_eq!(deviation.nearest_after(from, to), Nearest { displaced, index });
                }
            }
            boxes.iter().for_each(|square| deviation.remove(square));
        }
    }
}
