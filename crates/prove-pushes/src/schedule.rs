//! The schedule of bounds: which push limit comes next.
//!
//! The lowest open limit has the smallest layers. But where the bound is weak, layers hardly grow with the limit, and
//! raising it by two each time repeats the same work again and again. So the step follows the growth, as in IDA*_CR
//! (Sarkar, Chakrabarti, Ghose and De Sarkar 1991): as far as the work is predicted to become four times as much. A
//! limit that costs far more than predicted, and as much as all before it, is abandoned.

use crate::bidirectional::BidirectionalSearch;
use crate::key::Key;
use crate::record::{LimitEnd, LimitRecord};

/// Added to the positions of a limit, so that all small limits count as equally cheap.
const SMALL: f64 = 1_000.0;

/// The growth of the work that a step aims at, and the factor by which one step may exceed the last.
const TARGET_GROWTH: f64 = 4.0;
const STEP_FACTOR: u32 = 4;

/// A step of more than two pushes is abandoned at so many times the positions of the previous limit plus an allowance.
const ABANDON_FACTOR: u64 = 8;
const ABANDON_ALLOWANCE: u64 = 20_000;

#[derive(Clone, Copy, Debug)]
pub(crate) struct BoundSchedule {
    /// The longest step allowed next, in units of two pushes.
    pub(crate) longest: u32,
}

impl Default for BoundSchedule {
    fn default() -> Self {
        Self { longest: 1 }
    }
}

impl BoundSchedule {
    /// The push limit to search next: at least `lower`, and below the best solution.
    pub(crate) fn next(&mut self, lower: u32, upper: Option<u32>, records: &[LimitRecord]) -> u32 {
        // Costs under weaker tables predict nothing once stronger ones have raised the bound of the start.
        let growth = growth(records).filter(|_| exhausted(records).next().is_some_and(|last| last.at_least == lower));
        let steps = growth.map_or(1, |growth| {
            let steps = TARGET_GROWTH.ln() / growth.max(1.000_001).ln();
            // A limit that was restarted for a new table is not a step that was taken.
            (steps as u32).clamp(1, self.longest.clamp(1, STEP_FACTOR * last_step(records)))
        });
        // The next step may be longer by a factor, until one is abandoned.
        self.longest = STEP_FACTOR * steps;
        let limit = lower + 2 * (steps - 1);
        upper.map_or(limit, |upper| limit.min(upper.saturating_sub(2)).max(lower))
    }

    /// Whether the current limit, a step of more than two pushes, costs much more than predicted, and as much as all
    /// limits before it; then shorter steps follow. `spent` are the positions of all limits of the schedule so far.
    pub(crate) fn is_too_long<K: Key>(
        &mut self,
        search: Option<&BidirectionalSearch<K>>,
        records: &[LimitRecord],
        spent: u64,
    ) -> bool {
        let (Some(search), Some(last)) = (search, exhausted(records).next()) else { return false };
        let steps = (search.limit() + 2).saturating_sub(last.at_least) / 2;
        let positions = search.positions();
        let expected = ABANDON_FACTOR * (last.positions() + ABANDON_ALLOWANCE);
        let too_long = steps > 1 && positions > expected.max(spent.saturating_sub(positions));
        if too_long {
            self.longest = (steps / 2).max(1);
        }
        too_long
    }
}

/// Exhausted limits, the last first.
fn exhausted(records: &[LimitRecord]) -> impl Iterator<Item = &LimitRecord> {
    records.iter().rev().filter(|record| record.ended == LimitEnd::Exhausted)
}

/// The predicted cost of a limit relative to a lower one; 1 if nothing is known.
pub(crate) fn ratio(records: &[LimitRecord], lower: u32, limit: u32) -> f64 {
    growth(records).map_or(1.0, |growth| growth.max(1.0).powf(f64::from(limit.saturating_sub(lower)) / 2.0))
}

/// The last step between exhausted limits, in units of two pushes.
fn last_step(records: &[LimitRecord]) -> u32 {
    let mut exhausted = exhausted(records).map(|record| record.limit);
    match (exhausted.next(), exhausted.next()) {
        (Some(last), Some(before)) => (last.saturating_sub(before) / 2).max(1),
        _ => 1,
    }
}

/// The growth of the work with each step of two pushes.
fn growth(records: &[LimitRecord]) -> Option<f64> {
    let mut exhausted = exhausted(records);
    let (last, before) = (exhausted.next()?, exhausted.next()?);
    let steps = last_step(records);
    let cost = |record: &LimitRecord| record.positions() as f64 + SMALL;
    Some((cost(last) / cost(before)).powf(1.0 / f64::from(steps)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(limit: u32, positions: u64) -> LimitRecord {
        LimitRecord::of_sizes(limit, &[positions])
    }

    #[test]
    fn steps_follow_the_growth_and_stay_below_the_best_solution() {
        let mut schedule = BoundSchedule::default();
        assert_eq!(schedule.next(10, None, &[]), 10);
        assert_eq!(schedule.next(12, None, &[record(10, 5)]), 12);
        // Hardly any growth: each step may be four times the last.
        let mut records = vec![record(10, 5), record(12, 6)];
        assert_eq!(schedule.next(14, None, &records), 20);
        records.push(record(20, 8));
        assert_eq!(schedule.next(22, None, &records), 52);
        assert_eq!(schedule.next(22, None, &records), 52);
        assert_eq!(schedule.next(22, Some(26), &records), 24);
        assert_eq!(schedule.next(22, Some(22), &records), 22);
        assert!(ratio(&records, 22, 52) < 1.1);
        assert_eq!(ratio(&[], 22, 52), 1.0);
        // Five times as much with each step: one at a time.
        records.extend([record(24, 100_000), record(26, 500_000)]);
        assert_eq!(schedule.next(28, None, &records), 28);
        assert!((20.0..30.0).contains(&ratio(&records, 24, 28)));
    }
}
