//! The grade: a weighted sum of features of a rating, cut into ten steps, with its reasons in words.
//!
//! Counts enter as logarithms: from 10 to 20 pushes is as much harder as from 100 to 200. Weights are not negative, so that
//! more of anything never makes a grade lower and every reason can be read as it stands. What searches need is not weighed: a
//! grade must not depend on a limit, and people do not search like that.

use crate::Rating;
use crate::weights::{BORDERS, WEIGHTS};
use serde::Serialize;
use utoipa::ToSchema;

/// The number of features.
pub(crate) const COUNT: usize = 12;

/// What the features are called.
pub const FEATURES: [&str; COUNT] = [
    "pushes",
    "moves",
    "box lines",
    "box changes",
    "box changes beyond one for each box",
    "counterintuitive pushes",
    "switches between halves",
    "choice at a push",
    "share of live squares",
    "traps",
    "boxes",
    "floor squares",
];

/// Reasons given at most.
const REASONS: usize = 3;
/// A feature is a reason if it moves the score by at least this share of the span of a grade.
const WORTH_SAYING: f64 = 0.25;

/// How hard a level is.
#[derive(Clone, Debug, Default, PartialEq, Serialize, ToSchema)]
pub struct Grade {
    /// From 1, for beginners, to 10.
    pub number: u8,
    /// The same with decimals, for comparing: 4.7 is a hard 4. Below 1 and from 11 on it goes on.
    pub fine: f64,
    /// What makes it so, the most important first.
    pub reasons: Vec<String>,
}

/// The features of a rating, in the order of [`FEATURES`].
pub fn features(rating: &Rating) -> [f64; COUNT] {
    let log = |count: usize| (1.0 + count as f64).ln();
    [
        log(rating.pushes.best),
        log(rating.moves.best),
        log(rating.box_lines),
        log(rating.box_changes),
        log(rating.box_changes.saturating_sub(rating.boxes_pushed)),
        log(rating.counterintuitive_pushes),
        log(rating.switches_between_halves),
        rating.choice.max(1.0).ln(),
        1.0 - rating.dead_share,
        log(rating.traps),
        log(rating.boxes),
        log(rating.squares),
    ]
}

/// What each feature adds to the score, compared with the mean of the levels the weights were fitted on.
fn shares(features: &[f64; COUNT]) -> [f64; COUNT] {
    std::array::from_fn(|index| {
        let [weight, mean, deviation] = WEIGHTS[index];
        weight * (features[index] - mean) / deviation
    })
}

impl Grade {
    /// The grade of a rating; the grade it holds already does not matter.
    pub fn of(rating: &Rating) -> Self {
        let shares = shares(&features(rating));
        let fine = fine(shares.iter().sum());
        let number = fine.floor().clamp(1.0, 10.0) as u8;
        Self { number, fine, reasons: reasons(rating, &shares) }
    }
}

/// A score as a grade with decimals: linear between the borders, and beyond them with the mean span of a grade.
fn fine(score: f64) -> f64 {
    let below = BORDERS.partition_point(|&border| border <= score);
    let last = BORDERS.len() - 1;
    match below {
        0 => 2.0 + (score - BORDERS[0]) / span(),
        _ if below > last => 10.0 + (score - BORDERS[last]) / span(),
        _ => (below + 1) as f64 + (score - BORDERS[below - 1]) / (BORDERS[below] - BORDERS[below - 1]),
    }
}

fn span() -> f64 {
    (BORDERS[BORDERS.len() - 1] - BORDERS[0]) / (BORDERS.len() - 1) as f64
}

fn reasons(rating: &Rating, shares: &[f64; COUNT]) -> Vec<String> {
    let mut order: Vec<usize> = (0..COUNT).filter(|&index| shares[index].abs() >= WORTH_SAYING * span()).collect();
    order.sort_by(|&a, &b| shares[b].abs().total_cmp(&shares[a].abs()));
    order.truncate(REASONS);
    let mut reasons: Vec<String> = order.into_iter().map(|index| words(rating, index, shares[index] > 0.0)).collect();
    if reasons.is_empty() {
        reasons.push("nothing about it is far from the middle".into());
    }
    reasons
}

/// A reason in words.
fn words(rating: &Rating, feature: usize, harder: bool) -> String {
    let pick = |hard: &str, easy: &str| if harder { hard.to_owned() } else { easy.to_owned() };
    let count = |number: usize, one: &str, many: &str| format!("{number} {}", if number == 1 { one } else { many });
    let changes = count(rating.box_changes, "box change", "box changes");
    let boxes = count(rating.boxes_pushed, "box", "boxes");
    match feature {
        0 => {
            format!("{}: {}", pick("the way is long", "the way is short"), count(rating.pushes.best, "push", "pushes"))
        }
        1 => format!("{}: {}", pick("much walking", "little walking"), count(rating.moves.best, "move", "moves")),
        2 => format!(
            "{}: {}",
            pick("boxes turn many corners", "boxes go straight"),
            count(rating.box_lines, "box line", "box lines")
        ),
        3 => format!("{}: {changes}", pick("the player turns from box to box", "the player stays with a box")),
        4 => format!(
            "{}: {changes} for {boxes}",
            pick("boxes depend on each other", "boxes can be brought home one after the other")
        ),
        5 => format!(
            "{}: {} away from the goal",
            pick("boxes must make room first", "every push leads to a goal"),
            count(rating.counterintuitive_pushes, "push", "pushes")
        ),
        6 => format!(
            "{}: {} between two groups of boxes",
            pick("it does not fall into two parts", "it falls into two parts"),
            count(rating.switches_between_halves, "switch", "switches")
        ),
        7 => format!(
            "{}: {:.1} pushes possible at a time",
            pick("much to choose from", "little to choose from"),
            rating.choice
        ),
        8 => format!(
            "{}: {:.0} % of the floor",
            pick("boxes can stand almost anywhere", "boxes can stand in few places"),
            100.0 * (1.0 - rating.dead_share)
        ),
        9 => format!(
            "{}: {} where a push loses the level",
            pick("many traps", "few traps"),
            count(rating.traps, "position", "positions")
        ),
        10 => format!("{}: {}", pick("many boxes", "few boxes"), count(rating.boxes, "box", "boxes")),
        _ => format!("{}: {} squares", pick("a large floor", "a small floor"), rating.squares),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rate_solution;
    use lurd::{Cancel, Level};

    #[test]
    fn borders_rise_and_weights_are_not_negative() {
        assert!(BORDERS.is_sorted_by(|one, next| one < next));
        assert!(WEIGHTS.iter().all(|&[weight, _, deviation]| weight >= 0.0 && deviation > 0.0));
    }

    #[test]
    fn fine_grades_begin_at_the_borders_and_rise() {
        for (index, &border) in BORDERS.iter().enumerate() {
            assert!((fine(border) - (index + 2) as f64).abs() < 1e-9);
        }
        let scores: Vec<f64> = (-100..100).map(|step| fine(f64::from(step) / 20.0)).collect();
        assert!(scores.is_sorted());
    }

    #[test]
    fn more_of_everything_is_harder_and_is_said() {
        let easy = Level::parse("#####\n#@$.#\n#####").unwrap();
        let rating = rate_solution(&easy, "R", 1000, &Cancel::new()).unwrap();
        let mut harder = rating.clone();
        harder.pushes.best *= 400;
        harder.moves.best *= 400;
        (harder.box_lines, harder.box_changes, harder.traps) = (90, 60, 80);
        (harder.counterintuitive_pushes, harder.switches_between_halves) = (50, 40);
        let (low, high) = (Grade::of(&rating), Grade::of(&harder));
        assert!(low.number == 1 && high.fine > low.fine + 2.0, "{low:?} {high:?}");
        assert!((1..=REASONS).contains(&high.reasons.len()));
        assert!(low.reasons != high.reasons);
    }
}
