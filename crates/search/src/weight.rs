//! The weight of weighted A*, as a fraction: priorities stay integers.

use crate::Cost;

/// A weight of at least 1, in hundredths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Weight {
    numerator: u32,
    denominator: u32,
}

impl Weight {
    pub(crate) const ONE: Self = Self { numerator: 1, denominator: 1 };

    /// The nearest hundredth not above `weight`, from 1 to 10,000; 1 for what is no number.
    pub(crate) fn new(weight: f64) -> Self {
        // The tiny addition undoes the error of decimals such as 1.15 in binary.
        let hundredths = (weight.clamp(1.0, 10_000.0) * 100.0 + 1e-6) as u32;
        let hundredths = hundredths.max(100);
        let divisor =
            (1..=100u32).rev().find(|&d| 100u32.is_multiple_of(d) && hundredths.is_multiple_of(d)).unwrap_or(1);
        Self { numerator: hundredths / divisor, denominator: 100 / divisor }
    }

    pub(crate) fn is_one(self) -> bool {
        self.numerator == self.denominator
    }

    pub(crate) fn value(self) -> f64 {
        f64::from(self.numerator) / f64::from(self.denominator)
    }

    /// g + weight * h, scaled to an integer.
    #[inline]
    pub(crate) fn sum(self, g: Cost, h: Cost) -> u64 {
        u64::from(self.denominator) * u64::from(g) + u64::from(self.numerator) * u64::from(h)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_hundredths_and_never_goes_below_one() {
        for (given, value) in [(1.0, 1.0), (1.5, 1.5), (1.15, 1.15), (1.999, 1.99), (0.2, 1.0), (f64::NAN, 1.0)] {
            assert!((Weight::new(given).value() - value).abs() < 1e-9, "{given}");
        }
        assert_eq!(Weight::new(1.5).sum(2, 3), 2 * 2 + 3 * 3);
        assert!(Weight::new(1.001).is_one() && Weight::new(f64::INFINITY).value() == 10_000.0);
    }
}
