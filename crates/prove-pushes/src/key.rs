//! The type of keys: one machine word where all positions of the level fit, else two.

/// An unsigned integer wide enough to number every position of a level.
pub(crate) trait Key: Copy + Ord + Send + Sync + std::fmt::Debug + 'static {
    const ZERO: Self;

    /// The value, if it fits.
    fn fit(value: u128) -> Option<Self>;

    fn small(value: usize) -> Self;

    /// The value as an index; only for values known to be small.
    fn index(self) -> usize;

    fn wide(self) -> u128;

    fn plus(self, other: Self) -> Self;

    fn minus(self, other: Self) -> Self;

    fn times(self, other: Self) -> Self;

    /// Quotient and remainder.
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
