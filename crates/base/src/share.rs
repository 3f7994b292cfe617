//! A part of the portfolio, where several programs that share no memory race on one level.
//!
//! The workers of a browser are such programs: each takes its share of the strategies, and together they run all.

/// Share `index` of `of`, counted from 0.
///
/// ```
/// use lurd_base::Share;
/// assert_eq!(Share::default(), Share::new(0, 1).expect("the whole portfolio"));
/// assert_eq!(Share::new(2, 2), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    index: usize,
    of: usize,
}

impl Default for Share {
    /// The whole portfolio.
    fn default() -> Self {
        Self { index: 0, of: 1 }
    }
}

impl Share {
    /// `None` if there is no such share.
    pub fn new(index: usize, of: usize) -> Option<Self> {
        (index < of).then_some(Self { index, of })
    }

    /// Whether it is the first, which does what is to be done once.
    pub fn is_first(self) -> bool {
        self.index == 0
    }

    /// Whether there is no other.
    pub fn is_whole(self) -> bool {
        self.of == 1
    }

    /// Which strategies belong to it, by their weights. Every strategy belongs to one share, and the weights of the shares
    /// are as equal as the rule makes them that gives the next heaviest to the lightest share (Graham 1969).
    pub fn members(self, weights: &[u64]) -> Vec<bool> {
        let mut order: Vec<usize> = (0..weights.len()).collect();
        order.sort_by_key(|&place| std::cmp::Reverse(weights[place]));
        let mut sums = vec![0; self.of];
        let mut members = vec![false; weights.len()];
        for place in order {
            let lightest = (0..self.of).min_by_key(|&share| sums[share]).unwrap_or(0);
            sums[lightest] += weights[place];
            members[place] = lightest == self.index;
        }
        members
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::SplitMix64;

    /// Every part is in exactly one share, and no share outweighs another by more than one part.
    #[test]
    fn shares_divide_the_work() {
        let mut random = SplitMix64::new(5);
        for parts in 1..12 {
            let weights: Vec<u64> = (0..parts).map(|_| 1 + random.below(40) as u64).collect();
            for of in 1..=parts + 2 {
                let shares: Vec<Vec<bool>> =
                    (0..of).filter_map(|index| Share::new(index, of)).map(|share| share.members(&weights)).collect();
                for place in 0..parts {
                    assert_eq!(shares.iter().filter(|share| share[place]).count(), 1, "{of} shares, part {place}");
                }
                let sum = |share: &Vec<bool>| -> u64 {
                    weights.iter().zip(share).filter(|(_, member)| **member).map(|(weight, _)| weight).sum()
                };
                let sums: Vec<u64> = shares.iter().map(sum).collect();
                let spread = sums.iter().max().unwrap() - sums.iter().min().unwrap();
                assert!(spread <= *weights.iter().max().unwrap(), "{of} shares: {sums:?}");
            }
        }
    }
}
