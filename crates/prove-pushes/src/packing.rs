//! Which groups of boxes to count: disjoint ones, worth as much as possible.
//!
//! Any disjoint choice gives a lower bound, so the best choice need not be found: the groups worth most for each
//! box are tried in all ways, within a limit, and the others are taken as they come.

use crate::excess::Group;
use lurd_rules::dense::set::Set;

/// Groups whose choice is branched over.
const BRANCHED: usize = 16;

/// The most branches looked at.
const MOST_STEPS: u32 = 600;

/// The value of a good choice of disjoint groups. Stops looking when it is more than `enough`. Sorts the groups.
pub(crate) fn pack<const L: usize>(groups: &mut [Group<L>], enough: u32) -> u32 {
    let total: u32 = groups.iter().map(|group| u32::from(group.value)).sum();
    if total <= enough && enough != u32::MAX {
        // Not even all of them would be enough.
        return 0;
    }
    // Worth for each box; 12 is divided by every size.
    groups.sort_unstable_by_key(|group| std::cmp::Reverse(u32::from(group.value) * 12 / u32::from(group.size.max(1))));
    let mut search = PackingSearch { groups, enough, best: 0, steps: 0 };
    search.choose(0, Set::EMPTY, 0, total);
    search.best
}

struct PackingSearch<'a, const L: usize> {
    groups: &'a [Group<L>],
    enough: u32,
    best: u32,
    steps: u32,
}

impl<const L: usize> PackingSearch<'_, L> {
    /// Goes on from group `at` with the squares taken so far; `rest` is what all groups from here on are worth.
    fn choose(&mut self, at: usize, taken: Set<L>, value: u32, rest: u32) {
        self.best = self.best.max(value);
        if self.best > self.enough || value + rest <= self.best {
            return;
        }
        self.steps += 1;
        let Some(group) = self.groups.get(at) else { return };
        let worth = u32::from(group.value);
        let fits = group.members.and(taken).is_empty();
        if fits {
            self.choose(at + 1, taken.or(group.members), value + worth, rest - worth);
        }
        if !fits || (at < BRANCHED && self.steps < MOST_STEPS && self.best <= self.enough) {
            self.choose(at + 1, taken, value, rest - worth);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lurd_search::random::SplitMix64;

    fn brute(groups: &[Group<1>], taken: Set<1>) -> u32 {
        let Some((group, rest)) = groups.split_first() else { return 0 };
        let without = brute(rest, taken);
        if !group.members.and(taken).is_empty() {
            return without;
        }
        without.max(u32::from(group.value) + brute(rest, taken.or(group.members)))
    }

    #[test]
    fn few_groups_are_packed_best_and_many_never_too_well() {
        let mut dice = SplitMix64::new(8);
        for _ in 0..3000 {
            let count = dice.below(15);
            let mut groups: Vec<Group<1>> = (0..count)
                .map(|_| {
                    let mut members = Set::EMPTY;
                    (0..2 + dice.below(2)).for_each(|_| members.insert(dice.below(12)));
                    Group { members, size: members.iter().count() as u8, value: 2 + 2 * dice.below(4) as u8 }
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
}
