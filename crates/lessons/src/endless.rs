//! Levels without end: one for each day, and a series that follows the player's success.

use lurd::Budget;
use lurd_generate::{Aim, Generated, MakeError, Maker, Wish};

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

impl std::fmt::Display for Date {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }
}

/// Boards tried for a level that a player waits for.
const BOARDS: usize = 60;

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

/// A series that follows the player's success: solved levels are followed by harder ones, skipped ones by easier ones.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Endless {
    seed: u64,
    number: usize,
    /// The grade the next level should have, with decimals.
    strength: f64,
}

impl Endless {
    /// A series from a seed, beginning with easy levels.
    pub fn new(seed: u64) -> Self {
        Self { seed, number: 0, strength: 1.5 }
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
        self.strength = (self.strength + by).clamp(1.0, 10.9);
    }

    /// What makes the next level, and its number: for a thread of its own.
    ///
    /// # Errors
    /// Never for the wishes made here.
    pub fn next_maker(&mut self) -> Result<(Maker, usize), MakeError> {
        self.number += 1;
        Ok((Maker::new(wish(self.grade(), self.seed))?, self.number))
    }
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
