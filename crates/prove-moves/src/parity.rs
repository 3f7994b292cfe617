//! The parity bound: a lower bound on the moves for each colour of the cell on which the player ends.
//!
//! Colour the floor like a chequered board: every move takes the player to a cell of the other colour. So his cell and the
//! colour of the cell on which he ends determine whether the number of moves is even or odd, and the bound for each of the
//! two colours may be rounded up to that parity. The lower of the two is a bound, often by one higher than without the
//! argument: the cheapest end of one colour leads to an end of the other only by another move.

/// More moves than any level takes: no end has the colour.
pub(crate) const NEVER: u32 = 1 << 24;

/// A bound for each colour of the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ParityBound(pub(crate) [u32; 2]);

impl ParityBound {
    /// Nothing is known.
    pub(crate) const ZERO: Self = Self([0; 2]);

    /// Takes the maximum with a bound that holds for both colours.
    #[inline]
    pub(crate) fn raise(&mut self, moves: u32) {
        self.raise_each(Self([moves; 2]));
    }

    /// Takes the maximum for each colour.
    #[inline]
    pub(crate) fn raise_each(&mut self, other: Self) {
        self.0 = [self.0[0].max(other.0[0]), self.0[1].max(other.0[1])];
    }

    /// The sum of both: a gain for either colour counts in the comparison of bounds.
    pub(crate) fn sum(self) -> u32 {
        self.0[0] + self.0[1]
    }

    /// The least number of moves from a cell of a colour.
    #[inline]
    pub(crate) fn least(self, colour: u32) -> u32 {
        let rounded = |end: u32| self.0[end as usize] + ((self.0[end as usize] ^ colour ^ end) & 1);
        rounded(0).min(rounded(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_colour_is_rounded_to_its_parity() {
        // From a cell of colour 0 an end of colour 0 takes an even number of moves, one of colour 1 an odd one.
        assert_eq!(ParityBound([4, 9]).least(0), 4);
        assert_eq!(ParityBound([5, 9]).least(0), 6);
        assert_eq!(ParityBound([7, 6]).least(0), 7);
        assert_eq!(ParityBound([8, 6]).least(1), 6);
        assert_eq!(ParityBound([NEVER, 7]).least(1), 8);
    }
}
