//! The number a position is known by: one machine word where it fits, else two.

/// An unsigned number wide enough for every position of a level.
pub(crate) trait Key: Copy + Ord + Send + Sync + std::fmt::Debug + 'static {
    /// Nothing.
    const ZERO: Self;

    /// The number, if it fits.
    fn fit(value: u128) -> Option<Self>;

    fn small(value: usize) -> Self;

    /// The number as an index; only for what is known to be small.
    fn index(self) -> usize;

    /// The number in two words.
    fn wide(self) -> u128;

    fn plus(self, other: Self) -> Self;

    fn minus(self, other: Self) -> Self;

    fn times(self, other: Self) -> Self;

    /// Quotient and rest.
    fn split(self, by: Self) -> (Self, Self);
}

macro_rules! key {
    ($type:ty) => {
        impl Key for $type {
            const ZERO: Self = 0;

            fn fit(value: u128) -> Option<Self> {
                Self::try_from(value).ok()
            }

            #[inline]
            fn small(value: usize) -> Self {
                value as Self
            }

            #[inline]
            fn index(self) -> usize {
                self as usize
            }

            #[inline]
            fn wide(self) -> u128 {
                self.into()
            }

            #[inline]
            fn plus(self, other: Self) -> Self {
                self + other
            }

            #[inline]
            fn minus(self, other: Self) -> Self {
                self - other
            }

            #[inline]
            fn times(self, other: Self) -> Self {
                self * other
            }

            #[inline]
            fn split(self, by: Self) -> (Self, Self) {
                (self / by, self % by)
            }
        }
    };
}

key!(u64);
key!(u128);
