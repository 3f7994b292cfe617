//! How many positions each rule has cut: plain numbers, counted where the cut is made.

use std::collections::BTreeMap;

/// A rule that cuts positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// Boxes that never move again, one of them off its goal.
    Freeze,
    /// Not every box has a goal, or a start square, of its own.
    Bipartite,
    /// A corral that cannot be opened.
    Corral,
    /// A small set of boxes that the tables know to be dead.
    DeadSet,
    /// A dead set of boxes that was learned while searching.
    Learned,
    /// A square where stopping is a waste. Not sound: only guided searches use it.
    WastedStop,
}

/// The names of the rules, those of [`Rule`] first; the others are cut by the complete search alone.
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

/// Cuts by rule.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cuts([u64; NAMES.len()]);

impl Cuts {
    /// One more.
    #[inline]
    pub fn count(&mut self, rule: Rule) {
        self.0[rule as usize] += 1;
    }

    /// What another engine has cut; a rule without a place here is left out.
    pub fn of(named: &BTreeMap<&'static str, u64>) -> Self {
        let mut cuts = Self::default();
        for (place, name) in NAMES.iter().enumerate() {
            cuts.0[place] = named.get(name).copied().unwrap_or(0);
        }
        cuts
    }

    /// The rules that have cut something.
    pub fn named(self) -> BTreeMap<&'static str, u64> {
        NAMES.into_iter().zip(self.0).filter(|&(_, cuts)| cuts > 0).collect()
    }

    /// Both together.
    pub fn plus(self, other: Self) -> Self {
        Self(std::array::from_fn(|place| self.0[place] + other.0[place]))
    }

    /// What came after an earlier state.
    pub fn minus(self, earlier: Self) -> Self {
        Self(std::array::from_fn(|place| self.0[place] - earlier.0[place]))
    }
}

/// What a strategy has done so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Figures {
    /// Positions expanded.
    pub expanded: u64,
    /// Positions generated.
    pub generated: u64,
    /// Positions met again.
    pub duplicates: u64,
    /// Positions cut, by rule.
    pub cuts: Cuts,
    /// How often something was forgotten for want of memory.
    pub forgot: u64,
}

impl Figures {
    /// Both together.
    pub fn plus(self, other: Self) -> Self {
        Self {
            expanded: self.expanded + other.expanded,
            generated: self.generated + other.generated,
            duplicates: self.duplicates + other.duplicates,
            cuts: self.cuts.plus(other.cuts),
            forgot: self.forgot + other.forgot,
        }
    }

    /// What came after an earlier state.
    pub fn minus(self, earlier: Self) -> Self {
        Self {
            expanded: self.expanded - earlier.expanded,
            generated: self.generated - earlier.generated,
            duplicates: self.duplicates - earlier.duplicates,
            cuts: self.cuts.minus(earlier.cuts),
            forgot: self.forgot - earlier.forgot,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::deadlock::DetectorName;

    #[test]
    fn every_detector_has_a_place() {
        for name in DetectorName::ALL {
            let told = BTreeMap::from([(name.name(), 3)]);
            assert_eq!(Cuts::of(&told).named(), told);
        }
    }

    #[test]
    fn a_rule_is_counted_under_its_name() {
        let rules = [Rule::Freeze, Rule::Bipartite, Rule::Corral, Rule::DeadSet, Rule::Learned, Rule::WastedStop];
        for (rule, name) in rules.into_iter().zip(NAMES) {
            let mut cuts = Cuts::default();
            cuts.count(rule);
            cuts.count(rule);
            assert_eq!(cuts.named(), BTreeMap::from([(name, 2)]));
            assert_eq!(cuts.plus(cuts).minus(cuts), cuts);
        }
        assert_eq!((NAMES[Rule::Freeze as usize], NAMES[Rule::WastedStop as usize]), ("freeze", "wasted-stop"));
    }
}
