//! Sets of squares as bit sets.

use crate::Square;

/// A set of squares as a bit set of fixed size.
#[derive(Debug, Default, PartialEq, Eq, Hash)]
pub struct Bits(Box<[u64]>);

impl Clone for Bits {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }

    // States are copied once per generated node: this must not allocate.
    #[inline]
    fn clone_from(&mut self, source: &Self) {
        if self.0.len() == source.0.len() {
            self.0.copy_from_slice(&source.0);
        } else {
            self.0 = source.0.clone();
        }
    }
}

impl Bits {
    /// The empty set over `count` squares.
    pub fn empty(count: usize) -> Self {
        Self(vec![0; count.div_ceil(64).max(1)].into_boxed_slice())
    }

    /// The set of the given squares over `count` squares.
    pub fn of(count: usize, squares: impl IntoIterator<Item = Square>) -> Self {
        let mut set = Self::empty(count);
        for square in squares {
            set.insert(square);
        }
        set
    }

    #[inline]
    pub fn contains(&self, square: Square) -> bool {
        self.0[usize::from(square) / 64] >> (square % 64) & 1 != 0
    }

    #[inline]
    pub fn insert(&mut self, square: Square) {
        self.0[usize::from(square) / 64] |= 1 << (square % 64);
    }

    #[inline]
    pub fn remove(&mut self, square: Square) {
        self.0[usize::from(square) / 64] &= !(1 << (square % 64));
    }

    /// Removes `from` and inserts `to`.
    #[inline]
    pub fn shift(&mut self, from: Square, to: Square) {
        self.remove(from);
        self.insert(to);
    }

    pub fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }

    #[inline]
    pub fn is_subset(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).all(|(a, b)| a & !b == 0)
    }

    /// The squares in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = Square> + '_ {
        squares(&self.0)
    }

    /// The words, lowest squares first.
    pub fn words(&self) -> &[u64] {
        &self.0
    }

    pub fn words_mut(&mut self) -> &mut [u64] {
        &mut self.0
    }
}

/// A mark for each of `count` squares: whether it is one of the given.
pub fn marks(count: usize, squares: &[Square]) -> Vec<bool> {
    let mut marks = vec![false; count];
    squares.iter().for_each(|&square| marks[usize::from(square)] = true);
    marks
}

/// The places of the bits that are set, ascending.
#[inline]
pub fn ones(mut word: u128) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lowest = word.trailing_zeros() as usize;
        (word != 0).then(|| {
            word &= word - 1;
            lowest
        })
    })
}

/// The squares of a packed set, ascending.
pub fn squares(words: &[u64]) -> impl Iterator<Item = Square> + '_ {
    words.iter().enumerate().flat_map(|(index, &word)| {
        let mut rest = word;
        std::iter::from_fn(move || {
            if rest == 0 {
                return None;
            }
            let bit = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            Some((index * 64 + bit) as Square)
        })
    })
}
