//! Sets of live squares or grid cells in a fixed number of machine words.

/// A set of numbers below `64 * N`.
#[derive(Clone, Copy, Debug, Eq)]
pub struct Set<const N: usize>(pub [u64; N]);

impl<const N: usize> PartialEq for Set<N> {
    /// Without a branch for each word: sets that are compared are mostly equal but for a few numbers.
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).fold(0, |differ, (a, b)| differ | a ^ b) == 0
    }
}

impl<const N: usize> Set<N> {
    pub const EMPTY: Self = Self([0; N]);

    /// The set of the first `N` words of a slice; missing words are empty.
    pub fn from_words(words: &[u64]) -> Self {
        let mut set = Self::EMPTY;
        set.0.iter_mut().zip(words).for_each(|(to, &from)| *to = from);
        set
    }

    #[inline]
    pub fn single(index: usize) -> Self {
        [index].into_iter().collect()
    }

    #[inline]
    pub fn len(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    #[inline]
    pub fn contains(&self, index: usize) -> bool {
        self.0[index / 64] >> (index % 64) & 1 != 0
    }

    #[inline]
    pub fn insert(&mut self, index: usize) {
        self.0[index / 64] |= 1 << (index % 64);
    }

    #[inline]
    pub fn remove(&mut self, index: usize) {
        self.0[index / 64] &= !(1 << (index % 64));
    }

    #[inline]
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }

    #[inline]
    pub fn and(mut self, other: Self) -> Self {
        self.0.iter_mut().zip(other.0).for_each(|(a, b)| *a &= b);
        self
    }

    #[inline]
    pub fn or(mut self, other: Self) -> Self {
        self.0.iter_mut().zip(other.0).for_each(|(a, b)| *a |= b);
        self
    }

    #[inline]
    pub fn without(mut self, other: Self) -> Self {
        self.0.iter_mut().zip(other.0).for_each(|(a, b)| *a &= !b);
        self
    }

    /// Every number increased by `by`, which is between 1 and 63.
    #[inline]
    pub fn raised(self, by: usize) -> Self {
        let mut set = Self::EMPTY;
        for index in (1..N).rev() {
            set.0[index] = self.0[index] << by | self.0[index - 1] >> (64 - by);
        }
        set.0[0] = self.0[0] << by;
        set
    }

    /// Every number decreased by `by`, which is between 1 and 63.
    #[inline]
    pub fn lowered(self, by: usize) -> Self {
        let mut set = Self::EMPTY;
        for index in 0..N - 1 {
            set.0[index] = self.0[index] >> by | self.0[index + 1] << (64 - by);
        }
        set.0[N - 1] = self.0[N - 1] >> by;
        set
    }

    /// The lowest number of a set that is not empty.
    #[inline]
    pub fn lowest(&self) -> usize {
        let mut base = 0;
        for word in self.0 {
            if word != 0 {
                return base + word.trailing_zeros() as usize;
            }
            base += 64;
        }
        debug_assert!(false, "an empty set has no lowest number");
        0
    }

    #[inline]
    pub fn iter(self) -> Members<N> {
        Members { rest: self, word: 0 }
    }
}

impl<const N: usize> FromIterator<usize> for Set<N> {
    #[inline]
    fn from_iter<I: IntoIterator<Item = usize>>(numbers: I) -> Self {
        let mut set = Self::EMPTY;
        numbers.into_iter().for_each(|number| set.insert(number));
        set
    }
}

/// The members of a [`Set`], ascending.
pub struct Members<const N: usize> {
    rest: Set<N>,
    word: usize,
}

impl<const N: usize> Iterator for Members<N> {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        while self.word < N {
            let word = &mut self.rest.0[self.word];
            if *word != 0 {
                let bit = word.trailing_zeros() as usize;
                *word &= *word - 1;
                return Some(self.word * 64 + bit);
            }
            self.word += 1;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shifts_carry_from_word_to_word() {
        let set: Set<3> = [0, 5, 63, 64, 100, 127, 128, 170].into_iter().collect();
        assert_eq!(set.raised(7).iter().collect::<Vec<_>>(), [7, 12, 70, 71, 107, 134, 135, 177]);
        assert_eq!(set.lowered(5).iter().collect::<Vec<_>>(), [0, 58, 59, 95, 122, 123, 165]);
        assert_eq!(set.lowered(5).lowest(), 0);
        assert_eq!(Set::<2>::single(99).lowest(), 99);
    }

    #[test]
    fn sets_combine() {
        let a = Set::<2>::single(3).or(Set::single(90));
        assert_eq!(a.and(Set::single(90)), Set::single(90));
        assert_eq!(a.without(Set::single(90)), Set::single(3));
        assert!(a.contains(90) && !a.contains(26) && !a.is_empty());
        assert!(a.without(a).is_empty());
    }
}
