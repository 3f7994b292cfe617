//! Levels made on a thread of its own while the player waits.

use crate::background::Background;
use lurd::{Budget, Level, Limits, Map};
use lurd_generate::Maker;
use lurd_lessons::{Date, daily, like};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The longest a player waits for a level.
const PATIENCE: Duration = Duration::from_secs(60);

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
        let budget = Budget::new(limits, cancel);
        let made = match order {
            Order::Daily => daily(today(), &budget).map_err(|error| error.to_string())?,
            Order::Series(maker, number) => maker.make(number, 0, &budget).map_err(|error| error.to_string())?,
            Order::Like { map, harder, seed } => {
                like(&map, harder, seed, &budget).map_err(|error| error.to_string())?
            }
        };
        Ok(made.level)
    })
}

/// Today in universal time: the level of the day changes everywhere at once.
pub(crate) fn today() -> Date {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
    Date::from_days(seconds / 86_400)
}
