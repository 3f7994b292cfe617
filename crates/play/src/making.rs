//! Levels made on a thread of its own while the player waits.

use crate::background::Background;
use lurd::{Budget, Cancel, Level, Limits, Map};
use lurd_generate::{Aim, Generated, Maker, Wish};
use lurd_lessons::{Date, daily};
use lurd_rate::{Effort, rate};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The longest a player waits for a level.
const PATIENCE: Duration = Duration::from_secs(60);
/// Boards tried for a variation.
const BOARDS: usize = 60;

/// What is to be made.
#[derive(Clone, Debug)]
pub(crate) enum Order {
    /// The level of the day.
    Daily,
    /// A level of a series, by its maker and number.
    Series(Box<Maker>, usize),
    /// A variation of a level, as hard or a grade harder.
    Like { map: Map, harder: bool, seed: u64 },
}

/// Starts the work.
pub(crate) fn start(order: Order) -> Background<Level> {
    Background::start(move |cancel| {
        let limits = Limits { time: Some(PATIENCE), ..Limits::default() };
        let budget = Budget::new(limits, cancel.clone());
        let made = match order {
            Order::Daily => daily(today(), &budget).map_err(|error| error.to_string())?,
            Order::Series(maker, number) => maker.make(number, 0, &budget).map_err(|error| error.to_string())?,
            Order::Like { map, harder, seed } => like(&map, harder, seed, &budget, &cancel)?,
        };
        Ok(made.level)
    })
}

fn like(map: &Map, harder: bool, seed: u64, budget: &Budget, cancel: &Cancel) -> Result<Generated, String> {
    let rating = rate(&Level::new(map.clone()), &Effort::default(), cancel, &mut |_| ());
    let grade = rating.map_err(|error| error.to_string())?.grade.number;
    let grade = (grade + u8::from(harder)).min(10);
    let wish = Wish { aim: Aim::Grade(grade..=grade), seed, boards: BOARDS, ..Wish::default() };
    let maker = Maker::like(wish, map).map_err(|error| error.to_string())?;
    maker.make(1, 0, budget).map_err(|error| error.to_string())
}

/// Today in universal time: the level of the day changes everywhere at once.
pub(crate) fn today() -> Date {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
    Date::from_days(seconds / 86_400)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_variation_is_another_level() {
        let map = Map::from_xsb("#######\n#     #\n# $@$ #\n# . . #\n#     #\n#######").unwrap();
        let made = start(Order::Like { map: map.clone(), harder: false, seed: 3 }).wait().unwrap();
        assert_ne!(made.map.canonical().0, map.canonical().0);
        let row = format!("#{}#\n", " ".repeat(20));
        let wall = "#".repeat(22);
        let large = Map::from_xsb(&format!("{wall}\n#@$.{}#\n{row}{wall}", " ".repeat(17))).unwrap();
        let refused = start(Order::Like { map: large, harder: true, seed: 3 }).wait().unwrap_err();
        assert!(refused.contains("16x16"), "{refused}");
    }
}
