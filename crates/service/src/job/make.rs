//! Making new levels, as a job: by a wish, for a day, for a player in an endless series, or like another level.

use super::state::JobResult;
use super::{Job, Work};
use crate::levels::LevelView;
use crate::request::parsed;
use crate::{Refusal, levels};
use lurd::{Budget, Ending, Limits, Map, Record};
use lurd_generate::{Aim, Generated, MakeError, Maker, Wish};
use lurd_lessons::{Date, Endless, LikeError, Played, daily, like};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A wish for a level, as it is asked for. What is left out is as the generator likes it.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct AskedWish {
    /// The fewest and the most boxes.
    boxes: Option<(usize, usize)>,
    /// The narrowest and the widest, outer walls included.
    width: Option<(usize, usize)>,
    /// The lowest and the highest, outer walls included.
    height: Option<(usize, usize)>,
    /// The lowest and the highest grade.
    grade: Option<(u8, u8)>,
    style: Option<String>,
    /// The same wish and seed give the same levels.
    seed: u64,
    /// Which of the levels of this seed, from 1.
    number: Option<usize>,
}

impl AskedWish {
    fn order(&self) -> Result<Order, Refusal> {
        let usual = Wish::default();
        let range = |asked: Option<(usize, usize)>, usual| asked.map_or(usual, |(low, high)| low..=high);
        let wish = Wish {
            boxes: range(self.boxes, usual.boxes),
            width: range(self.width, usual.width),
            height: range(self.height, usual.height),
            aim: self.grade.map_or(usual.aim, |(low, high)| Aim::Grade(low..=high)),
            style: self.style.as_deref().map(|name| parsed("style", name)).transpose()?,
            seed: self.seed,
            ..usual
        };
        let maker = Maker::new(wish).map_err(Refusal::unprocessable)?;
        Ok(Order::Wish(Box::new(maker), self.number.unwrap_or(1)))
    }
}

/// An endless series as it stands. Who plays it keeps it.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Series {
    seed: u64,
    /// The number of the last level; 0 before the first.
    #[serde(default)]
    number: usize,
    /// The strength of the player; a beginner's if left out.
    strength: Option<f64>,
}

impl Series {
    fn endless(self) -> Endless {
        match self.strength {
            None => Endless::resume(self.seed, self.number, Endless::new(self.seed).strength()),
            Some(strength) => Endless::resume(self.seed, self.number, strength),
        }
    }

    fn of(series: &Endless) -> Self {
        Self { seed: series.seed(), number: series.number(), strength: Some(series.strength()) }
    }
}

/// What is to be made.
enum Order {
    Wish(Box<Maker>, usize),
    Daily(Date),
    Endless(Endless),
    Like { map: Map, harder: bool, seed: u64 },
}

/// A level that was made.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Made {
    level: LevelView,
    /// Whether it is what was wished for; if not, it is the best of all boards tried.
    as_wished: bool,
    /// Boards tried.
    boards: usize,
    /// The series with this level.
    series: Option<Series>,
}

/// A level to be made.
pub(super) struct MakeJob {
    order: Order,
    limits: Limits,
}

impl MakeJob {
    /// A level by a wish.
    pub(super) fn by_wish(wish: &AskedWish, limits: Limits) -> Result<Self, Refusal> {
        Ok(Self { order: wish.order()?, limits })
    }

    /// The level of a day.
    pub(super) fn of_day(date: &str, limits: Limits) -> Result<Self, Refusal> {
        Ok(Self { order: Order::Daily(date.parse().map_err(Refusal::unprocessable)?), limits })
    }

    /// The next level of a series, after what came of the last one.
    pub(super) fn next(series: Series, played: Option<&str>, limits: Limits) -> Result<Self, Refusal> {
        let mut series = series.endless();
        match played {
            None => {}
            Some("solved") => series.played(Played::Solved),
            Some("hints") => series.played(Played::SolvedWithHints),
            Some("skipped") => series.played(Played::Skipped),
            Some(_) => return Err(Refusal::unprocessable("played must be solved, hints or skipped")),
        }
        Ok(Self { order: Order::Endless(series), limits })
    }

    /// A variation of a level.
    pub(super) fn like(board: &str, harder: bool, seed: u64, limits: Limits) -> Result<Self, Refusal> {
        Ok(Self { order: Order::Like { map: levels::level(board)?.map, harder, seed }, limits })
    }

    /// The level, and the series with it.
    fn make(&mut self, job: &Job, budget: &Budget) -> Result<(Generated, Option<Series>), LikeError> {
        match &mut self.order {
            Order::Wish(maker, number) => {
                job.phase("making a level".to_owned());
                Ok((maker.make(*number, 0, budget)?, None))
            }
            Order::Daily(date) => {
                job.phase(format!("making the level of {date}"));
                Ok((daily(*date, budget)?, None))
            }
            Order::Endless(series) => {
                job.phase(format!("making a level of grade {}", series.grade()));
                let (maker, number) = series.next_maker()?;
                Ok((maker.make(number, 0, budget)?, Some(Series::of(series))))
            }
            Order::Like { map, harder, seed } => {
                job.phase("making a variation".to_owned());
                Ok((like(map, *harder, *seed, budget)?, None))
            }
        }
    }
}

impl Work for MakeJob {
    fn kind(&self) -> &'static str {
        match self.order {
            Order::Wish(..) => "generate",
            Order::Daily(_) => "daily",
            Order::Endless(_) => "endless",
            Order::Like { .. } => "like",
        }
    }

    fn run(&mut self, job: &Job) -> JobResult {
        let budget = Budget::new(self.limits, job.cancelled().clone());
        let made = self.make(job, &budget);
        let seconds = budget.elapsed().as_secs_f64();
        let counts = Record { algorithm: self.kind().to_owned(), seconds, ..Record::default() };
        let stopped = |limit: &str| Record { stopped_by: Some(limit.to_owned()), ..counts.clone() };
        match made {
            Ok((Generated { level, rating, as_wished, boards, .. }, series)) => {
                let made = Made { level: LevelView::new(&level), as_wished, boards, series };
                let near = format!("none of {boards} boards had the wanted grade; this one comes nearest");
                let notes = if as_wished { Vec::new() } else { vec![near] };
                JobResult { made: Some(Box::new(made)), ..JobResult::rated(Record { notes, ..counts }, rating) }
            }
            Err(_) if job.cancelled().is_cancelled() => Record { outcome: Ending::Cancelled, ..counts }.into(),
            Err(_) if budget.out_of_time() => stopped("time").into(),
            // Neither time nor the player ended it: then memory did.
            Err(LikeError::Make(MakeError::Stopped)) => stopped("memory").into(),
            Err(error) => Record::failed(error.to_string()).into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Allowance, JobHost, Starting};
    use lurd::Share;
    use serde_json::{Value, json};
    use std::time::Duration;

    const HOST: Allowance = Allowance {
        running: 1,
        waiting: 1,
        time: Duration::from_secs(600),
        memory: 1 << 30,
        grace: Duration::from_secs(600),
    };

    /// A host that does not listen.
    struct Silent;

    impl JobHost for Silent {
        fn changed(&self, _: &Job) {}
    }

    /// Runs a job to its end and gives its last state.
    fn run(asked: Value) -> Value {
        let starting: Starting = serde_json::from_value(asked).unwrap();
        let work = starting.work(&HOST, Share::default()).unwrap();
        let job = Job::new("1".to_owned(), work.kind(), Silent);
        job.run(work);
        serde_json::to_value(job.view(false)).unwrap()
    }

    fn refused(asked: Value) -> String {
        let starting: Starting = serde_json::from_value(asked).unwrap();
        starting.work(&HOST, Share::default()).err().unwrap().to_string()
    }

    #[test]
    fn a_series_gives_levels_and_goes_on_after_them() {
        let first = run(json!({"kind": "endless", "series": {"seed": 5}}));
        assert_eq!((&first["kind"], &first["result"]["outcome"]), (&json!("endless"), &json!("solved")));
        let made = &first["result"]["made"];
        assert_eq!(made["series"], json!({"seed": 5, "number": 1, "strength": 1.5}));
        let board = made["level"]["board"].as_str().unwrap();
        let solution = first["result"]["solution"].as_str().unwrap();
        assert!(lurd::check(&levels::level(board).unwrap(), solution).unwrap().solved);
        let second = run(json!({"kind": "endless", "series": made["series"], "played": "solved"}));
        assert_eq!(second["result"]["made"]["series"], json!({"seed": 5, "number": 2, "strength": 2.0}));
        assert_ne!(second["result"]["made"]["level"]["board"], made["level"]["board"]);
        assert_eq!(run(json!({"kind": "endless", "series": {"seed": 5}}))["result"]["made"], *made);
    }

    #[test]
    fn a_rating_has_a_grade_with_reasons() {
        let rated = run(json!({"kind": "rate", "board": "########\n#      #\n#@ $  .#\n# $ .  #\n########"}));
        let rating = &rated["result"]["rating"];
        assert_eq!((&rated["result"]["proof"], &rating["pushes"]["best"]), (&json!("optimal-pushes"), &json!(5)));
        assert!(rating["grade"]["number"] == 1 && !rating["grade"]["reasons"].as_array().unwrap().is_empty());
        let lost = run(json!({"kind": "rate", "board": "#####\n#$  #\n#@ .#\n#####"}));
        assert_eq!(lost["result"]["outcome"], "unsolvable");
    }

    #[test]
    fn limits_hold_and_impossible_wishes_are_refused() {
        let stopped = run(json!({"kind": "generate", "wish": {"boxes": [4, 4]}, "request": {"time_limit": 0.001}}));
        assert_eq!(
            (&stopped["result"]["outcome"], &stopped["result"]["stopped_by"]),
            (&json!("stopped"), &json!("time"))
        );
        assert!(refused(json!({"kind": "generate", "wish": {"boxes": [0, 2]}})).contains("a level needs a box"));
        assert!(refused(json!({"kind": "generate", "wish": {"grade": [9, 12]}})).contains("grades are 1 to 10"));
        assert!(refused(json!({"kind": "daily", "date": "2026-02-30"})).contains("a date has"));
        assert!(refused(json!({"kind": "endless", "series": {"seed": 1}, "played": "lost"})).contains("skipped"));
        assert!(refused(json!({"kind": "like", "board": "###"})).len() > 10);
    }

    #[test]
    fn a_level_as_hard_as_another_can_be_too_much() {
        let wall = "#".repeat(22);
        let board = format!("{wall}\n#@$.{}#\n#{}#\n{wall}", " ".repeat(17), " ".repeat(20));
        let failed = run(json!({"kind": "like", "board": board}));
        assert_eq!(failed["result"]["outcome"], "failed");
        assert!(failed["result"]["notes"][0].as_str().unwrap().contains("16x16"));
    }
}
