//! Counters of a search: positions pruned by each rule, and node counts.

use std::collections::BTreeMap;

/// A rule that prunes positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// Frozen boxes, one of them off its goal.
    Freeze,
    /// No perfect matching of boxes to goals, or to start squares.
    Bipartite,
    /// A corral that cannot be opened.
    Corral,
    /// A small set of boxes that is dead by the tables.
    DeadSet,
    /// A dead set of boxes learned during the search.
    Learned,
    /// A square where a box should not stop. Not sound: only guided searches use it.
    WastedStop,
}

/// The names of the rules, those of [`Rule`] first; the others are used by the complete search only.
const NAMES: [&str; 12] = [
    "freeze",
    "bipartite",
    "corral",
    "dead-set",
    "learned",
    "wasted-stop",
    "corner",
    "corridor",
    "wall-line",
    "dead-square",
    "pattern",
    "tunnel",
];

/// The number of pruned positions by rule.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cuts([u64; NAMES.len()]);

impl Cuts {
    #[inline]
    pub fn count(&mut self, rule: Rule) {
        self.0[rule as usize] += 1;
    }

    /// The counts of another engine by name; unknown names are ignored.
    pub fn of(named: &BTreeMap<&'static str, u64>) -> Self {
        let mut cuts = Self::default();
        for (place, name) in NAMES.iter().enumerate() {
            cuts.0[place] = named.get(name).copied().unwrap_or(0);
        }
        cuts
    }

    /// The rules with a count above zero.
    pub fn named(self) -> BTreeMap<&'static str, u64> {
        NAMES.into_iter().zip(self.0).filter(|&(_, cuts)| cuts > 0).collect()
    }
}

/// The counters of a strategy.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Figures {
    pub expanded: u64,
    pub generated: u64,
    pub duplicates: u64,
    pub cuts: Cuts,
    /// The number of times stored data was dropped at the memory limit.
    pub forgot: u64,
}

impl Figures {
    pub fn plus(self, other: Self) -> Self {
        self.with(other, |a, b| a + b)
    }

    /// The difference to an earlier state.
    pub fn minus(self, earlier: Self) -> Self {
        self.with(earlier, |a, b| a - b)
    }

    fn with(self, other: Self, combine: impl Fn(u64, u64) -> u64) -> Self {
        Self {
            expanded: combine(self.expanded, other.expanded),
            generated: combine(self.generated, other.generated),
            duplicates: combine(self.duplicates, other.duplicates),
            cuts: Cuts(std::array::from_fn(|place| combine(self.cuts.0[place], other.cuts.0[place]))),
            forgot: combine(self.forgot, other.forgot),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::deadlock::DetectorName;

    #[test]
    fn every_detector_has_a_counter() {
        for name in DetectorName::ALL {
            let named = BTreeMap::from([(name.name(), 3)]);
            assert_eq!(Cuts::of(&named).named(), named);
        }
    }

    #[test]
    fn a_rule_is_counted_under_its_name() {
        let rules = [Rule::Freeze, Rule::Bipartite, Rule::Corral, Rule::DeadSet, Rule::Learned, Rule::WastedStop];
        for (rule, name) in rules.into_iter().zip(NAMES) {
            let mut figures = Figures::default();
            figures.cuts.count(rule);
            figures.cuts.count(rule);
            assert_eq!(figures.cuts.named(), BTreeMap::from([(name, 2)]));
            assert_eq!(figures.plus(figures).minus(figures), figures);
        }
        assert_eq!((NAMES[Rule::Freeze as usize], NAMES[Rule::WastedStop as usize]), ("freeze", "wasted-stop"));
    }
}
