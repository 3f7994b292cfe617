//! The estimated cost of the current push limit, extrapolated from earlier limits.
//!
//! Two estimates, neither of them a guarantee. Once enough layers can be compared with the same layers of the previous
//! limit, the total is scaled by their ratio; before that, the limit is assumed to grow as the last one did. Tables built
//! in between make the limit smaller than estimated.

use crate::digest::LayerRecord;
use crate::record::LimitRecord;

/// Positions in compared layers that make their ratio meaningful.
const ENOUGH: u64 = 1_000;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Forecast {
    pub limit: u32,
    /// Pushes in its complete layers, from both ends together.
    pub depth: u32,
    /// Positions in its complete layers.
    pub done: u64,
    /// Estimated positions in all its layers.
    pub expected: Option<u64>,
    /// Estimated seconds for the remaining ones, at the current rate.
    pub seconds: Option<f64>,
}

impl std::fmt::Display for Forecast {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { limit, depth, done, .. } = self;
        write!(f, "push limit {limit} in progress: depth {depth}, {done} positions")?;
        match self.expected {
            None => write!(f, ", no estimate of the total")?,
            Some(expected) => write!(f, " of about {expected} at the growth of earlier limits")?,
        }
        self.seconds.map_or(Ok(()), |seconds| write!(f, ", {seconds:.0} s left at the current rate"))
    }
}

/// Estimates the cost of the current limit. `layers` are those of the forward and the backward side, `rate` is in
/// positions a second.
pub(crate) fn forecast(limit: u32, layers: [&[LayerRecord]; 2], before: &[LimitRecord], rate: f64) -> Forecast {
    // The first layer of each side is its root.
    let depth = layers.iter().map(|layers| layers.len().saturating_sub(1) as u32).sum();
    let done: u64 = layers.into_iter().flatten().map(|layer| layer.positions).sum();
    // An estimate that is exceeded already is worthless.
    let expected = expected(layers, before).filter(|&expected| expected > done);
    let seconds = expected.filter(|_| rate > 0.0).map(|expected| (expected - done) as f64 / rate);
    Forecast { limit, depth, done, expected, seconds }
}

fn expected(layers: [&[LayerRecord]; 2], before: &[LimitRecord]) -> Option<u64> {
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

    fn layers(sizes: &[u64]) -> Vec<LayerRecord> {
        LimitRecord::of_sizes(0, sizes).layers
    }

    #[test]
    fn estimates_follow_earlier_limits() {
        let before = [LimitRecord::of_sizes(10, &[1, 99, 100]), LimitRecord::of_sizes(12, &[1, 999, 1_000, 2_000])];
        // No earlier limits to compare with.
        assert_eq!(forecast(10, [&layers(&[1])[..], &[]], &[], 5.0).expected, None);
        assert_eq!(forecast(12, [&layers(&[1])[..], &[]], &before[..1], 5.0).expected, None);
        // Twenty times the previous limit, as that was of the one before it.
        let early = forecast(14, [&layers(&[1])[..], &[]], &before, 100.0);
        assert_eq!((early.done, early.expected, early.seconds), (1, Some(80_000), Some(799.99)));
        // Three times as much so far, so three times as much in all.
        let late = forecast(14, [&layers(&[1, 2_999])[..], &[]], &before, 0.0);
        assert_eq!((late.done, late.expected, late.seconds), (3_000, Some(12_000), None));
        assert_eq!(
            late.to_string(),
            "push limit 14 in progress: depth 1, 3000 positions of about 12000 at the growth of earlier limits"
        );
        // More than estimated: no estimate is left.
        let passed = layers(&[1, 999, 1_000, 2_000, 9_000]);
        assert_eq!(forecast(14, [&passed[..], &[]], &before, 1.0).expected, None);
    }
}
