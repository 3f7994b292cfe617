//! What a position is worth: how the game ends, and how soon.

use std::fmt;

/// The value of an ended game for MAX: above 0 he won, below 0 he lost, 0 is a draw.
pub type Value = i32;

/// Plies are counted below this; a game must end within as many.
const PLIES: i64 = 1 << 16;

/// The value of the end that best play leads to, and the plies until then.
///
/// Ordered from MAX's side: higher values first, then sooner wins and later losses.
/// Draws are all equal, however long they take.
///
/// The number of plies counts from the position the score belongs to, never from the
/// root of a search. That makes a score a property of the position alone, so that a
/// memo may give it to every line of play that leads there.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Score(i64);

impl Score {
    /// Below every score.
    pub const LOWEST: Self = Self(i64::MIN);
    /// Above every score.
    pub const HIGHEST: Self = Self(i64::MAX);

    /// The score of a position in which the game is over.
    pub fn end(value: Value) -> Self {
        Self(i64::from(value) * PLIES)
    }

    /// The score this one gives to the position a ply before.
    pub fn one_ply_before(self) -> Self {
        Self(self.0 - self.0.signum())
    }

    /// The inverse of [`one_ply_before`](Self::one_ply_before), and the bound a child
    /// must be compared with where its parent is compared with this one.
    pub(super) fn one_ply_after(self) -> Self {
        match self {
            Self::LOWEST | Self::HIGHEST => self,
            Self(score) => Self(score + score.signum()),
        }
    }

    /// The value of the end for MAX.
    pub fn value(self) -> Value {
        let magnitude = self.0.unsigned_abs().div_ceil(PLIES as u64);
        let value = Value::try_from(magnitude).unwrap_or(Value::MAX);
        if self.0 < 0 { -value } else { value }
    }

    /// Plies to the end where one side wins; `None` for a draw, whose length nobody cares about.
    pub fn plies(self) -> Option<u32> {
        (self.0 != 0).then(|| {
            let plies = i64::from(self.value().unsigned_abs()) * PLIES - self.0.abs();
            u32::try_from(plies).unwrap_or(u32::MAX)
        })
    }

    /// Whether this is one of the two open ends of a search window, and no score.
    pub fn is_open(self) -> bool {
        self == Self::LOWEST || self == Self::HIGHEST
    }
}

impl fmt::Debug for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// `+1 in 3`, `-1 in 2`, `0`.
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (*self, self.plies()) {
            (Self::LOWEST, _) => f.write_str("-∞"),
            (Self::HIGHEST, _) => f.write_str("+∞"),
            (_, None) => f.write_str("0"),
            (_, Some(plies)) => write!(f, "{:+} in {plies}", self.value()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_score_keeps_value_and_plies_apart() {
        for value in [-7, -1, 1, 2, 40_000] {
            let mut score = Score::end(value);
            for plies in 0..300 {
                assert_eq!((score.value(), score.plies()), (value, Some(plies)));
                assert_eq!(score.one_ply_before().one_ply_after(), score);
                score = score.one_ply_before();
            }
        }
        assert_eq!((Score::end(0).one_ply_before().value(), Score::end(0).plies()), (0, None));
    }

    #[test]
    fn max_likes_sooner_wins_and_later_losses() {
        let in_plies = |value, plies: usize| (0..plies).fold(Score::end(value), |score, _| score.one_ply_before());
        let rising = [
            Score::LOWEST,
            in_plies(-2, 9),
            in_plies(-1, 1),
            in_plies(-1, 5),
            Score::end(0),
            in_plies(1, 5),
            in_plies(1, 1),
            in_plies(2, 9),
            Score::HIGHEST,
        ];
        assert!(rising.is_sorted() && rising.windows(2).all(|pair| pair[0] != pair[1]));
    }

    #[test]
    fn scores_print_as_value_and_plies() {
        assert_eq!(Score::end(1).one_ply_before().to_string(), "+1 in 1");
        assert_eq!(Score::end(-1).to_string(), "-1 in 0");
        assert_eq!(Score::end(0).to_string(), "0");
    }
}
