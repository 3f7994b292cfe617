//! Levels without end: one for each day, and a series that follows the player's success.

use lurd::{Budget, Level, Limits, Map};
use lurd_generate::{Aim, Generated, MakeError, Maker, Wish};
use lurd_rate::{Effort, RateError, rate};

/// A day of the Gregorian calendar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Date {
    /// The year.
    pub year: u32,
    /// The month, from 1.
    pub month: u32,
    /// The day of the month, from 1.
    pub day: u32,
}

impl Date {
    /// The day a number of days after 1 January 1970 (Hinnant's algorithm for civil dates).
    pub fn from_days(days: u64) -> Self {
        let days = days + 719_468;
        let (era, of_era) = (days / 146_097, days % 146_097);
        let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
        let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        // Counted from March, so that the leap day is the last of the year.
        let month = (5 * of_year + 2) / 153;
        let day = of_year - (153 * month + 2) / 5 + 1;
        let month = if month < 10 { month + 3 } else { month - 9 };
        let year = year_of_era + era * 400 + u64::from(month <= 2);
        Self { year: year as u32, month: month as u32, day: day as u32 }
    }
}

/// A text that is no day of the calendar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a date has a year from 1970, a month and a day of it, as 2026-11-17 has")]
pub struct DateError;

impl std::str::FromStr for Date {
    type Err = DateError;

    /// Reads `2026-11-17`.
    fn from_str(text: &str) -> Result<Self, DateError> {
        let digits = |part: &str, length: usize| {
            let all = part.len() == length && part.bytes().all(|byte| byte.is_ascii_digit());
            part.parse::<u32>().ok().filter(|_| all).ok_or(DateError)
        };
        let mut parts = text.splitn(3, '-');
        let mut next = |length| digits(parts.next().unwrap_or_default(), length);
        let (year, month, day) = (next(4)?, next(2)?, next(2)?);
        let leap = year.is_multiple_of(4) && !year.is_multiple_of(100) || year.is_multiple_of(400);
        let days = match month {
            2 => 28 + u32::from(leap),
            4 | 6 | 9 | 11 => 30,
            1..=12 => 31,
            _ => return Err(DateError),
        };
        let date = Self { year, month, day };
        if year >= 1970 && (1..=days).contains(&day) { Ok(date) } else { Err(DateError) }
    }
}

impl std::fmt::Display for Date {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }
}

/// Boards tried for a level that a player waits for.
const BOARDS: usize = 240;

/// The level of a day, from the date alone: the same for everyone, without a network. Grades rise in the course of the week.
///
/// # Errors
/// When the budget ends first.
pub fn daily(date: Date, budget: &Budget) -> Result<Generated, MakeError> {
    let seed = u64::from(date.year * 10_000 + date.month * 100 + date.day);
    let grade = 1 + (seed % 7) as u8;
    let mut made = Maker::new(wish(grade, seed))?.make(1, 0, budget)?;
    made.level.title = Some(format!("Level of {date}"));
    Ok(made)
}

/// A wish for a grade that is made while the player waits.
fn wish(grade: u8, seed: u64) -> Wish {
    let (boxes, side) = match grade {
        0..=2 => (2..=3, 7..=8),
        3..=4 => (3..=3, 7..=9),
        _ => (3..=4, 8..=9),
    };
    Wish { boxes, width: side.clone(), height: side, aim: Aim::Grade(grade..=grade), seed, boards: BOARDS, style: None }
}

/// What came of a level of the series.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Played {
    /// Solved without help.
    Solved,
    /// Solved after hints.
    SolvedWithHints,
    /// Left unsolved.
    Skipped,
}

/// The strength of a player who solves nothing, and of one who solves everything.
const WEAKEST: f64 = 1.0;
const STRONGEST: f64 = 10.9;

/// A series that follows the player's success: solved levels are followed by harder ones, skipped ones by easier ones.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Endless {
    seed: u64,
    number: usize,
    strength: f64,
}

impl Endless {
    /// A series from a seed, beginning with easy levels.
    pub fn new(seed: u64) -> Self {
        Self { seed, number: 0, strength: 1.5 }
    }

    /// A series that was left: its seed, the number of its last level, and the strength of the player as
    /// [`strength`](Self::strength) gave it.
    pub fn resume(seed: u64, number: usize, strength: f64) -> Self {
        Self { seed, number, strength: if strength.is_nan() { WEAKEST } else { strength.clamp(WEAKEST, STRONGEST) } }
    }

    /// What the levels are made from.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// The number of the last level, from 1; 0 before the first.
    pub fn number(&self) -> usize {
        self.number
    }

    /// The strength of the player: the grade the next level should have, with decimals.
    pub fn strength(&self) -> f64 {
        self.strength
    }

    /// The grade of the next level.
    pub fn grade(&self) -> u8 {
        self.strength.floor().clamp(1.0, 10.0) as u8
    }

    /// Takes in what came of the last level.
    pub fn played(&mut self, played: Played) {
        let by = match played {
            Played::Solved => 0.5,
            Played::SolvedWithHints => 0.0,
            Played::Skipped => -0.7,
        };
        self.strength = (self.strength + by).clamp(WEAKEST, STRONGEST);
    }

    /// What makes the next level, and its number: for a thread of its own.
    ///
    /// # Errors
    /// Never for the wishes made here.
    pub fn next_maker(&mut self) -> Result<(Maker, usize), MakeError> {
        self.number = self.number.saturating_add(1);
        Ok((Maker::new(wish(self.grade(), self.seed))?, self.number))
    }
}

/// Why there is no variation of a level.
#[derive(Debug, thiserror::Error)]
pub enum LikeError {
    /// The level itself could not be rated.
    #[error(transparent)]
    Rate(#[from] RateError),
    /// No variation could be made.
    #[error(transparent)]
    Make(#[from] MakeError),
}

/// A variation of a level, as hard or a grade harder.
///
/// # Errors
/// When the level is too large or too hard to be varied, or the budget ends first.
pub fn like(map: &Map, harder: bool, seed: u64, budget: &Budget) -> Result<Generated, LikeError> {
    let usual = Effort::default();
    let Limits { time, memory, .. } = *budget.limits();
    let left = time.map(|time| time.saturating_sub(budget.elapsed()));
    let effort = Effort { proof: Limits { time: left, memory, ..usual.proof }, plain_nodes: 0, ..usual };
    let grade = rate(&Level::new(map.clone()), &effort, budget.cancel(), &mut |_| ())?.grade.number;
    let grade = (grade + u8::from(harder)).min(10);
    let wish = Wish { aim: Aim::Grade(grade..=grade), seed, boards: BOARDS, ..Wish::default() };
    Ok(Maker::like(wish, map)?.make(1, 0, budget)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_have_dates() {
        let day = |days| Date::from_days(days).to_string();
        assert_eq!(
            [day(0), day(59), day(11_016), day(20_774)],
            ["1970-01-01", "1970-03-01", "2000-02-29", "2026-11-17"]
        );
    }

    #[test]
    fn dates_are_read_and_days_that_never_were_are_not() {
        for days in [0, 59, 11_016, 20_774] {
            let date = Date::from_days(days);
            assert_eq!(date.to_string().parse(), Ok(date));
        }
        for text in
            ["", "2026", "2026-11", "2026-11-31", "2025-02-29", "2026-13-01", "2026-00-10", "1969-12-31", "2026-1-1"]
        {
            assert_eq!(text.parse::<Date>(), Err(DateError), "{text}");
        }
        assert!("2026-11-17-".parse::<Date>().is_err() && "+026-11-17".parse::<Date>().is_err());
    }

    #[test]
    fn a_series_goes_on_where_it_was_left() {
        let mut series = Endless::new(7);
        series.played(Played::Solved);
        series.next_maker().unwrap();
        let mut again = Endless::resume(series.seed(), series.number(), series.strength());
        assert_eq!(again, series);
        assert_eq!(again.next_maker().unwrap().1, 2);
        assert_eq!(Endless::resume(1, usize::MAX, f64::NAN).next_maker().unwrap().1, usize::MAX);
        assert_eq!((Endless::resume(1, 0, -5.0).grade(), Endless::resume(1, 0, 1e9).grade()), (1, 10));
    }

    #[test]
    fn a_variation_is_another_level() {
        let map = Map::from_xsb("#######\n#     #\n# $@$ #\n# . . #\n#     #\n#######").unwrap();
        let made = like(&map, false, 3, &Budget::unlimited()).unwrap();
        assert_ne!(made.level.map.canonical().0, map.canonical().0);
        let row = format!("#{}#\n", " ".repeat(20));
        let wall = "#".repeat(22);
        let large = Map::from_xsb(&format!("{wall}\n#@$.{}#\n{row}{wall}", " ".repeat(17))).unwrap();
        let refused = like(&large, true, 3, &Budget::unlimited()).unwrap_err().to_string();
        assert!(refused.contains("16x16"), "{refused}");
    }

    #[test]
    fn the_level_of_a_day_is_the_same_again_and_another_the_next_day() {
        let made = |day| daily(Date { year: 2026, month: 11, day }, &Budget::unlimited()).unwrap();
        let (first, again, other) = (made(16), made(16), made(17));
        assert_eq!(first.level, again.level);
        assert_ne!(first.level.map, other.level.map);
        assert_eq!(first.level.title.as_deref(), Some("Level of 2026-11-16"));
        assert!(first.rating.pushes.is_proved());
    }

    #[test]
    fn the_series_follows_success() {
        let mut series = Endless::new(1);
        assert_eq!(series.grade(), 1);
        (0..6).for_each(|_| series.played(Played::Solved));
        let strong = series.grade();
        assert!(strong >= 4);
        (0..3).for_each(|_| series.played(Played::Skipped));
        assert!(series.grade() < strong);
        (0..99).for_each(|_| series.played(Played::Skipped));
        assert_eq!(series.grade(), 1);
    }
}
