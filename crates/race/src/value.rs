//! A linear value function: a weighted sum of features, each normalised to between zero and one.
//!
//! The weights are set by hand. A least-squares fit to how far along its solution each position of solved levels is
//! was tried and is worse (see the log of experiments): positions on solutions say nothing about those off them. Only
//! differences within one level count, so a feature that is constant for a level has no weight.

use crate::features::Score;
use lurd_rules::Square;
use lurd_rules::feature::board::FeatureBoard;

/// The features of the value function, with what they are divided by.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ValueFeatures {
    pub(super) boxes: u32,
    pub(super) on_goals: u32,
    pub(super) regions: u32,
    /// Pushes of all boxes to their nearest goals, and an upper bound for them.
    pub(super) distance: u32,
    pub(super) farthest: u32,
    /// Steps of the plan that are done, and all of them.
    pub(super) packed: u32,
    pub(super) steps: u32,
    /// The most boxes that agree with one step of the plan.
    pub(super) overlap: u32,
}

/// The weights in hundredths.
#[derive(Clone, Copy, Debug)]
pub(super) struct Weights {
    on_goals: i64,
    regions: i64,
    distance: i64,
    /// For 0.95 to the power of the boxes off goals, or on goals when pulling: the last ones count more.
    last: i64,
    packed: i64,
    overlap: i64,
}

/// For pulling: goals cleared, one region, boxes far away.
pub(super) const PULL_WEIGHTS: Weights =
    Weights { on_goals: -40, regions: -60, distance: 80, last: 40, packed: 0, overlap: 0 };

/// For pushing: along the plan, one region.
pub(super) const PUSH_WEIGHTS: Weights =
    Weights { on_goals: 10, regions: -60, distance: -10, last: 10, packed: 150, overlap: 100 };

/// The value 1 in fixed point: integers, so that a run is the same on every machine.
const UNIT: Score = 1 << 20;
/// The largest absolute value.
const BOUND: i64 = 8 * UNIT as i64;

/// Powers of 0.95; higher ones count as the last.
const POWERS: [i64; 128] = {
    let mut powers = [UNIT as i64; 128];
    let mut number = 1;
    while number < powers.len() {
        powers[number] = powers[number - 1] * 95 / 100;
        number += 1;
    }
    powers
};

/// The most pushes from a square to its nearest goal.
pub(super) fn farthest(board: &FeatureBoard) -> u32 {
    let live = (0..board.len() as Square).filter(|&square| !board.is_dead(square));
    live.map(|square| u32::from(board.to_goal(square))).max().unwrap_or(0)
}

/// The value as a score: greater is better.
pub(super) fn score(weights: &Weights, features: &ValueFeatures, pulls: bool) -> Score {
    let of = |part: u32, whole: u32| i64::from(part) * UNIT as i64 / i64::from(whole.max(1));
    let left = if pulls { features.on_goals } else { features.boxes - features.on_goals };
    let hundredfold = weights.on_goals * of(features.on_goals, features.boxes)
        + weights.regions * of(features.regions, features.boxes)
        + weights.distance * of(features.distance, features.farthest)
        + weights.last * POWERS[(left as usize).min(POWERS.len() - 1)]
        + weights.packed * of(features.packed, features.steps)
        + weights.overlap * of(features.overlap, features.boxes);
    ((hundredfold / 100).clamp(-BOUND, BOUND) + BOUND) as Score
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_follow_the_signs_of_the_weights() {
        let some = ValueFeatures {
            boxes: 10,
            on_goals: 4,
            regions: 2,
            distance: 30,
            farthest: 100,
            packed: 3,
            steps: 12,
            overlap: 5,
        };
        let push = |features: ValueFeatures| score(&PUSH_WEIGHTS, &features, false);
        let pull = |features: ValueFeatures| score(&PULL_WEIGHTS, &features, true);
        assert!(push(ValueFeatures { packed: 4, ..some }) > push(some));
        assert!(push(ValueFeatures { overlap: 6, ..some }) > push(some));
        assert!(push(ValueFeatures { on_goals: 5, ..some }) > push(some));
        assert!(push(ValueFeatures { regions: 3, ..some }) < push(some));
        assert!(pull(ValueFeatures { on_goals: 3, ..some }) > pull(some));
        assert!(pull(ValueFeatures { distance: 31, ..some }) > pull(some));
        assert!(pull(ValueFeatures { regions: 3, ..some }) < pull(some));
        // One box on its goal, pulling: 0.95 for the last boxes, a tenth of the goals, no region.
        let one = ValueFeatures { boxes: 10, on_goals: 1, ..ValueFeatures::default() };
        let unit = UNIT as f64;
        let wanted = 8.0 * unit + 0.40 * 0.95 * unit - 0.40 * 0.1 * unit;
        assert!((pull(one) as f64 - wanted).abs() < 3.0, "{} {wanted}", pull(one));
    }
}
