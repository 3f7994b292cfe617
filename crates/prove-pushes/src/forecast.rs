//! What the limit under way is expected to cost, judged by the limits before it.
//!
//! Two guesses, and neither is a promise: while the layers so far can be compared with the same layers of the limit before,
//! the whole is to that limit as these layers are to those; before that, it grows as the last limit grew. Tables
//! that were made in between make a limit smaller than that.

use crate::digest::Digest;
use crate::record::LimitRecord;

/// So many positions make a comparison worth something.
const ENOUGH: u64 = 1_000;

/// What a limit is expected to cost.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Forecast {
    /// The limit under way.
    pub limit: u32,
    /// Pushes made in its complete layers, from both ends together.
    pub depth: u32,
    /// Positions in its complete layers.
    pub done: u64,
    /// Positions expected in all its layers, if anything can be said.
    pub expected: Option<u64>,
    /// Seconds for those that are left, at the rate so far.
    pub seconds: Option<f64>,
}

impl std::fmt::Display for Forecast {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { limit, depth, done, .. } = self;
        write!(f, "limit {limit} under way: {depth} deep, {done} positions")?;
        match (self.expected, self.seconds) {
            (None, _) => write!(f, ", and nothing to judge the rest by"),
            (Some(expected), None) => write!(f, " of about {expected} if it grows as before"),
            (Some(expected), Some(seconds)) => {
                write!(f, " of about {expected} if it grows as before, {seconds:.0} s more at the rate so far")
            }
        }
    }
}

/// Judges the limit under way by those before it. `layers` are those from the start and those from the end, `rate` is positions a second.
pub(crate) fn forecast(limit: u32, layers: [&[Digest]; 2], before: &[LimitRecord], rate: f64) -> Forecast {
    // The first layer of each end is where it starts.
    let depth = layers.iter().map(|layers| layers.len().saturating_sub(1) as u32).sum();
    let done: u64 = layers.into_iter().flatten().map(|layer| layer.positions).sum();
    // What is passed already was no good guess, and there is no other.
    let expected = expected(layers, before).filter(|&expected| expected > done);
    let seconds = expected.filter(|_| rate > 0.0).map(|expected| (expected - done) as f64 / rate);
    Forecast { limit, depth, done, expected, seconds }
}

fn expected(layers: [&[Digest]; 2], before: &[LimitRecord]) -> Option<u64> {
    let (last, earlier) = before.split_last()?;
    let whole = last.positions() as f64;
    let (mut same, mut done) = (0, 0);
    for (now, then) in layers.into_iter().zip([&last.layers, &last.backward]) {
        same += then.iter().take(now.len()).map(|layer| layer.positions).sum::<u64>();
        done += now.iter().take(then.len()).map(|layer| layer.positions).sum::<u64>();
    }
    if same >= ENOUGH {
        return Some((whole * done as f64 / same as f64) as u64);
    }
    let growth = whole / earlier.last()?.positions().max(1) as f64;
    Some((whole * growth.max(1.0)) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{LayerRecord, LimitEnd};

    fn record(limit: u32, layers: &[u64]) -> LimitRecord {
        let layers = layers.iter().map(|&positions| LayerRecord { positions, xor: 0, sum: 0 }).collect();
        LimitRecord {
            limit,
            start: 8,
            tables: Vec::new(),
            compared: 1,
            ended: LimitEnd::Exhausted,
            at_least: limit + 2,
            layers,
            backward: Vec::new(),
        }
    }

    fn layers(sizes: &[u64]) -> Vec<Digest> {
        sizes.iter().map(|&positions| Digest { positions, ..Digest::default() }).collect()
    }

    #[test]
    fn limits_are_judged_by_those_before_them() {
        let before = [record(10, &[1, 99, 100]), record(12, &[1, 999, 1_000, 2_000])];
        // Nothing to go by.
        assert_eq!(forecast(10, [&layers(&[1])[..], &[]], &[], 5.0).expected, None);
        assert_eq!(forecast(12, [&layers(&[1])[..], &[]], &before[..1], 5.0).expected, None);
        // Twenty times as much as the limit before, as that was of the one before it.
        let early = forecast(14, [&layers(&[1])[..], &[]], &before, 100.0);
        assert_eq!((early.done, early.expected, early.seconds), (1, Some(80_000), Some(799.99)));
        // Three times as much so far, so three times as much in the end.
        let late = forecast(14, [&layers(&[1, 2_999])[..], &[]], &before, 0.0);
        assert_eq!((late.done, late.expected, late.seconds), (3_000, Some(12_000), None));
        assert_eq!(late.to_string(), "limit 14 under way: 1 deep, 3000 positions of about 12000 if it grows as before");
        // More than was expected: nothing is left to judge by.
        let passed = layers(&[1, 999, 1_000, 2_000, 9_000]);
        assert_eq!(forecast(14, [&passed[..], &[]], &before, 1.0).expected, None);
    }
}
