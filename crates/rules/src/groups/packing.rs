//! Which groups of boxes to count: disjoint ones, with a large sum of values.
//!
//! Any disjoint choice gives a lower bound, so the best choice need not be found. The most valuable groups are branched
//! over within a limit; the others are taken greedily. The idea of counting each box once is that of the linear conflicts
//! of Junghanns and Schaeffer (2001).

use crate::dense::set::Set;
use std::cmp::Reverse;

/// Boxes that cost more together than apart.
#[derive(Clone, Copy, Debug)]
pub struct Group<const L: usize> {
    pub members: Set<L>,
    /// How many they are.
    pub size: u8,
    /// What is added to the bound.
    pub value: u8,
}

/// Two boxes that cost more together than apart: the value and the squares.
pub type Pair = (u16, u16, u16);

trait Packed<const L: usize> {
    fn value(&self) -> u32;

    /// The squares taken with this group; `None` if one of its own is taken.
    fn taken(&self, taken: Set<L>) -> Option<Set<L>>;
}

impl<const L: usize> Packed<L> for Group<L> {
    #[inline]
    fn value(&self) -> u32 {
        self.value.into()
    }

    #[inline]
    fn taken(&self, taken: Set<L>) -> Option<Set<L>> {
        self.members.and(taken).is_empty().then(|| taken.or(self.members))
    }
}

impl<const L: usize> Packed<L> for Pair {
    #[inline]
    fn value(&self) -> u32 {
        self.0.into()
    }

    #[inline]
    fn taken(&self, mut taken: Set<L>) -> Option<Set<L>> {
        let &(_, one, other) = self;
        if taken.contains(one.into()) || taken.contains(other.into()) {
            return None;
        }
        taken.insert(one.into());
        taken.insert(other.into());
        Some(taken)
    }
}

/// The value of a good choice of disjoint groups; 0 if not even all together are worth more than `enough`. The search stops
/// when it has more than `enough`. Sorts the groups.
pub fn pack<const L: usize>(groups: &mut [Group<L>], enough: u32) -> u32 {
    let total: u32 = groups.iter().map(|group| u32::from(group.value)).sum();
    if total <= enough && enough != u32::MAX {
        return 0;
    }
    // By value for each box; 12 is divided by every size up to four.
    groups.sort_unstable_by_key(|group| Reverse(u32::from(group.value) * 12 / u32::from(group.size.max(1))));
    Packing { groups, enough, branched: 16, most_steps: 600, best: 0, steps: 0 }.best(total)
}

/// The value of a good choice of disjoint pairs. Sorts the pairs.
pub fn pack_pairs<const L: usize>(pairs: &mut [Pair]) -> u32 {
    pairs.sort_unstable_by(|a, b| b.cmp(a));
    let total = pairs.iter().map(|pair| u32::from(pair.0)).sum();
    Packing::<L, _> { groups: pairs, enough: u32::MAX, branched: 10, most_steps: u32::MAX, best: 0, steps: 0 }
        .best(total)
}

struct Packing<'a, const L: usize, P> {
    groups: &'a [P],
    enough: u32,
    /// So many groups at the front are branched over, until so many steps were made.
    branched: usize,
    most_steps: u32,
    best: u32,
    steps: u32,
}

impl<const L: usize, P: Packed<L>> Packing<'_, L, P> {
    fn best(mut self, total: u32) -> u32 {
        self.choose(0, Set::EMPTY, 0, total);
        self.best
    }

    /// Continues from group `at` with the squares taken so far; `rest` is what all groups from here on are worth.
    fn choose(&mut self, at: usize, taken: Set<L>, value: u32, rest: u32) {
        self.best = self.best.max(value);
        if self.best > self.enough || value + rest <= self.best {
            return;
        }
        self.steps += 1;
        let Some(group) = self.groups.get(at) else { return };
        let worth = group.value();
        let with = group.taken(taken);
        if let Some(with) = with {
            self.choose(at + 1, with, value + worth, rest - worth);
        }
        let branches = at < self.branched && self.steps < self.most_steps && self.best <= self.enough;
        if with.is_none() || branches {
            self.choose(at + 1, taken, value, rest - worth);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lurd_base::random::SplitMix64;

    fn brute<P: Packed<1>>(groups: &[P], taken: Set<1>) -> u32 {
        let Some((group, rest)) = groups.split_first() else { return 0 };
        let without = brute(rest, taken);
        group.taken(taken).map_or(without, |with| without.max(group.value() + brute(rest, with)))
    }

    #[test]
    fn few_groups_are_packed_best_and_many_never_too_well() {
        let mut dice = SplitMix64::new(8);
        for _ in 0..3000 {
            let count = dice.below(15);
            let mut groups: Vec<Group<1>> = (0..count)
                .map(|_| {
                    let members: Set<1> = (0..2 + dice.below(2)).map(|_| dice.below(12)).collect();
                    Group { members, size: members.len() as u8, value: 2 + 2 * dice.below(4) as u8 }
                })
                .collect();
            let best = brute(&groups, Set::EMPTY);
            let found = pack(&mut groups, u32::MAX);
            assert!(found <= best && found * 10 >= best * 9, "{found} of {best}");
            for enough in 0..best {
                let value = pack(&mut groups, enough);
                assert!(value <= best);
                assert!(found <= enough || value > enough, "{value} is not above {enough}, but {found} was found");
            }
        }
    }

    #[test]
    fn ten_pairs_are_packed_best_and_more_never_too_well() {
        let mut dice = SplitMix64::new(9);
        for _ in 0..3000 {
            let count = dice.below(15);
            let mut pairs: Vec<Pair> = (0..count)
                .map(|_| {
                    let low = dice.below(11);
                    (1 + dice.below(9) as u16, low as u16, (low + 1 + dice.below(11 - low)) as u16)
                })
                .collect();
            let best = brute(&pairs, Set::EMPTY);
            let found = pack_pairs::<1>(&mut pairs);
            assert!(found <= best && (count > 10 || found == best), "{found} of {best}");
        }
    }
}
