//! What a position is worth as one number: a weighted sum of features, each a share between nought and one.
//!
//! The weights are set by hand. Fitting them by least squares to how far along its solution each position of solved
//! levels is was tried and is worse (see the log of experiments): positions on solutions say nothing of those beside
//! them. Only differences within one level count, so what is the same for all positions of a level has no weight.

use crate::tree::Score;
use lurd_rules::Square;
use lurd_rules::feature::board::FeatureBoard;

/// What a position is valued by.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Shares {
    /// Boxes.
    pub(super) boxes: u32,
    /// Boxes on goals.
    pub(super) on_goals: u32,
    pub(super) regions: u32,
    /// Pushes of all boxes to their nearest goals, and what they could be at most.
    pub(super) distance: u32,
    pub(super) farthest: u32,
    /// Steps of the plan that are done, and all of them.
    pub(super) packed: u32,
    pub(super) steps: u32,
    /// Most boxes that agree with some moment of the plan.
    pub(super) overlap: u32,
}

/// What each feature counts, in hundredths.
#[derive(Clone, Copy, Debug)]
pub(super) struct Weights {
    on_goals: i64,
    regions: i64,
    distance: i64,
    /// For 0.95 to the power of boxes off their goals, or on them when pulling: the last ones count more.
    last: i64,
    packed: i64,
    overlap: i64,
}

/// For pulling: goals cleared, the floor in one piece, boxes far away.
pub(super) const PULL: Weights = Weights { on_goals: -40, regions: -60, distance: 80, last: 40, packed: 0, overlap: 0 };

/// For pushing: along the plan, the floor in one piece.
pub(super) const PUSH: Weights =
    Weights { on_goals: 10, regions: -60, distance: -10, last: 10, packed: 150, overlap: 100 };

/// Steps a value's unit is cut into. Whole numbers: a run is the same on every machine.
const UNIT: Score = 1 << 20;
/// Values lie between minus this and this.
const BOUND: i64 = 8 * UNIT as i64;

/// 0.95 to some powers; higher ones count as the last.
const POWERS: [i64; 128] = {
    let mut powers = [UNIT as i64; 128];
    let mut number = 1;
    while number < powers.len() {
        powers[number] = powers[number - 1] * 95 / 100;
        number += 1;
    }
    powers
};

/// Most pushes from a square to its nearest goal.
pub(super) fn farthest(board: &FeatureBoard) -> u32 {
    let live = (0..board.len() as Square).filter(|&square| !board.is_dead(square));
    live.map(|square| u32::from(board.to_goal(square))).max().unwrap_or(0)
}

/// The value as a score: greater is better.
pub(super) fn score(weights: &Weights, shares: &Shares, pulls: bool) -> Score {
    let of = |part: u32, whole: u32| i64::from(part) * UNIT as i64 / i64::from(whole.max(1));
    let left = if pulls { shares.on_goals } else { shares.boxes - shares.on_goals };
    let hundredfold = weights.on_goals * of(shares.on_goals, shares.boxes)
        + weights.regions * of(shares.regions, shares.boxes)
        + weights.distance * of(shares.distance, shares.farthest)
        + weights.last * POWERS[(left as usize).min(POWERS.len() - 1)]
        + weights.packed * of(shares.packed, shares.steps)
        + weights.overlap * of(shares.overlap, shares.boxes);
    ((hundredfold / 100).clamp(-BOUND, BOUND) + BOUND) as Score
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_grows_with_what_is_wanted_and_falls_with_what_is_not() {
        let some = Shares {
            boxes: 10,
            on_goals: 4,
            regions: 2,
            distance: 30,
            farthest: 100,
            packed: 3,
            steps: 12,
            overlap: 5,
        };
        let push = |shares: Shares| score(&PUSH, &shares, false);
        let pull = |shares: Shares| score(&PULL, &shares, true);
        assert!(push(Shares { packed: 4, ..some }) > push(some));
        assert!(push(Shares { overlap: 6, ..some }) > push(some));
        assert!(push(Shares { on_goals: 5, ..some }) > push(some));
        assert!(push(Shares { regions: 3, ..some }) < push(some));
        assert!(pull(Shares { on_goals: 3, ..some }) > pull(some));
        assert!(pull(Shares { distance: 31, ..some }) > pull(some));
        assert!(pull(Shares { regions: 3, ..some }) < pull(some));
        // One box on its goal, pulling: 0.95 of the last, a tenth of the goals, no region.
        let one = Shares { boxes: 10, on_goals: 1, ..Shares::default() };
        let unit = UNIT as f64;
        let wanted = 8.0 * unit + 0.40 * 0.95 * unit - 0.40 * 0.1 * unit;
        assert!((pull(one) as f64 - wanted).abs() < 3.0, "{} {wanted}", pull(one));
    }
}
