//! Which limit comes next.
//!
//! Under the least limit there may be a solution the layers are smallest, but where the bound tells little they hardly grow
//! with the limit, and going up by two each time does the same work again and again. So the step follows the growth:
//! as far as the work is expected to become four times as much. A limit that turns out to cost far more than
//! that, and as much as all before it, is given up.

use crate::key::Key;
use crate::record::{LimitEnd, LimitRecord};
use crate::two_sided::TwoSided;

/// Added to positions, so that small limits seem alike: they cost nothing.
const SMALL: f64 = 1_000.0;

/// By how much the work may grow with a step, and by how much one step may be longer than the last.
const WORTH: f64 = 4.0;
const LONGER: u32 = 4;

/// A long step is given up when it comes to so many times the positions of the limit before, and some more.
const GIVE_UP: u64 = 8;
const SOME_MORE: u64 = 20_000;

/// The steps so far.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BoundSchedule {
    /// The longest step that is tried, in steps of two pushes.
    pub(crate) longest: u32,
}

impl Default for BoundSchedule {
    fn default() -> Self {
        Self { longest: 1 }
    }
}

impl BoundSchedule {
    /// The limit to search next: at least `lower`, and below the best solution.
    pub(crate) fn next(&mut self, lower: u32, upper: Option<u32>, records: &[LimitRecord]) -> u32 {
        // What limits cost under weaker tables says nothing once stronger ones have raised the bound of the start.
        let told = growth(records).filter(|_| exhausted(records).next().is_some_and(|last| last.at_least == lower));
        let steps = told.map_or(1, |growth| {
            let steps = WORTH.ln() / growth.max(1.000_001).ln();
            // A limit that is begun anew, for a new table, is not a step that was taken.
            (steps as u32).clamp(1, self.longest.clamp(1, LONGER * last_step(records)))
        });
        // What is tried next may be some times as long, until one is given up.
        self.longest = LONGER * steps;
        let limit = lower + 2 * (steps - 1);
        upper.map_or(limit, |upper| limit.min(upper.saturating_sub(2)).max(lower))
    }

    /// Whether the limit under way costs much more than was expected of a long step, and as much as everything before
    /// together; then shorter ones follow. `spent` are the positions of all limits of the ladder so far.
    pub(crate) fn is_too_long<K: Key>(
        &mut self,
        search: Option<&TwoSided<K>>,
        records: &[LimitRecord],
        spent: u64,
    ) -> bool {
        let (Some(search), Some(last)) = (search, exhausted(records).next()) else { return false };
        let steps = (search.limit() + 2).saturating_sub(last.at_least) / 2;
        let positions = search.positions();
        let expected = GIVE_UP * (last.positions() + SOME_MORE);
        let too_long = steps > 1 && positions > expected.max(spent.saturating_sub(positions));
        if too_long {
            self.longest = (steps / 2).max(1);
        }
        too_long
    }
}

/// Limits that were exhausted, the last first.
fn exhausted(records: &[LimitRecord]) -> impl Iterator<Item = &LimitRecord> {
    records.iter().rev().filter(|record| record.ended == LimitEnd::Exhausted)
}

/// By how much more a limit costs than a lower one, if the work goes on growing as it did; 1 if nothing is known.
pub(crate) fn ratio(records: &[LimitRecord], lower: u32, limit: u32) -> f64 {
    growth(records).map_or(1.0, |growth| growth.max(1.0).powf(f64::from(limit.saturating_sub(lower)) / 2.0))
}

/// The last step between limits that were exhausted, in steps of two pushes.
fn last_step(records: &[LimitRecord]) -> u32 {
    let mut exhausted = exhausted(records).map(|record| record.limit);
    match (exhausted.next(), exhausted.next()) {
        (Some(last), Some(before)) => (last.saturating_sub(before) / 2).max(1),
        _ => 1,
    }
}

/// By how much the work grew with each step of two pushes.
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
    use crate::record::LayerRecord;

    fn record(limit: u32, positions: u64) -> LimitRecord {
        LimitRecord {
            limit,
            start: 10,
            tables: Vec::new(),
            compared: 1,
            ended: LimitEnd::Exhausted,
            at_least: limit + 2,
            layers: vec![LayerRecord { positions, xor: 0, sum: 0 }],
            backward: Vec::new(),
        }
    }

    #[test]
    fn steps_follow_the_growth_and_never_pass_the_best_solution() {
        let mut ladder = BoundSchedule::default();
        assert_eq!(ladder.next(10, None, &[]), 10);
        assert_eq!(ladder.next(12, None, &[record(10, 5)]), 12);
        // Hardly any growth: each step may be four times as long as the last.
        let mut records = vec![record(10, 5), record(12, 6)];
        assert_eq!(ladder.next(14, None, &records), 20);
        records.push(record(20, 8));
        assert_eq!(ladder.next(22, None, &records), 52);
        assert_eq!(ladder.next(22, None, &records), 52);
        assert_eq!(ladder.next(22, Some(26), &records), 24);
        assert_eq!(ladder.next(22, Some(22), &records), 22);
        assert!(ratio(&records, 22, 52) < 1.1);
        assert_eq!(ratio(&[], 22, 52), 1.0);
        // Five times as much with each step: one at a time.
        records.extend([record(24, 100_000), record(26, 500_000)]);
        assert_eq!(ladder.next(28, None, &records), 28);
        assert!((20.0..30.0).contains(&ratio(&records, 24, 28)));
    }
}
