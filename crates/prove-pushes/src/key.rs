//! The type of keys: one machine word where all positions of the level fit, else two.

use std::fmt::Debug;
use std::ops::{Add, Div, Mul, Rem, Sub};

/// An unsigned integer wide enough to number every position of a level.
pub(crate) trait Key:
    Copy + Ord + Default + Debug + Send + Sync + 'static + From<u16> + Into<u128> + TryFrom<u128> + Arithmetic
{
    #[inline]
    fn wide(self) -> u128 {
        self.into()
    }

    /// The value as an index; only for values known to be small.
    #[inline]
    fn index(self) -> usize {
        self.wide() as usize
    }

    /// Quotient and remainder.
    #[inline]
    fn split(self, by: Self) -> (Self, Self) {
        (self / by, self % by)
    }
}

impl Key for u64 {}
impl Key for u128 {}

pub(crate) trait Arithmetic:
    Sized + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self> + Rem<Output = Self>
{
}

impl Arithmetic for u64 {}
impl Arithmetic for u128 {}
