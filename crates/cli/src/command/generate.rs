//! `lurd generate`: new levels with proved optima.

use crate::command::solve::threads;
use crate::exit::{Ending, Exit, Failure, complain};
use crate::flags::choice;
use crate::input::Source;
use crate::output::{Stage, Target, json_line};
use crate::progress::Display;
use crate::{interrupt, pool, units};
use clap::Args;
use lurd::contract::read_range;
use lurd::formats::{Collection, Format};
use lurd::{Limits, Map};
use lurd_base::Budget;
use lurd_base::sync::lock;
use lurd_generate::{Aim, Generated, MakeError, Maker, Seen, Style, Wish};
use lurd_rate::{Effort, Rating, rate};
use serde::Serialize;
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Duration;

/// Salts tried for a level that equals another one.
const SALTS: u64 = 20;

/// Make new levels with proved optima
///
/// Walls are drawn in a style, the starts farthest from solved are found by exact backward search, and walls and goals are
/// varied until the grade is the one wanted. No solution leaves a box unpushed, walls without use are taken away, no two levels are
/// equal up to rotation and reflection, and each comes with its fewest pushes and moves, proved where not said
/// otherwise. The same seed gives the same levels whatever the number of threads. Ctrl-C and --time-limit keep
/// the levels that are finished.
#[derive(Args, Debug)]
pub struct GenerateArguments {
    /// How many boxes: 4 or 3-6; 6 at most
    #[arg(long, value_name = "N|A-B", default_value = "3-4", value_parser = |text: &str| read_range(text, 0..=usize::MAX))]
    boxes: RangeInclusive<usize>,

    /// Width and height with the outer walls: 9x9 or 8x8..12x12; 16x16 at most
    #[arg(long, value_name = "WxH|WxH..WxH", default_value = "8x8..10x10", value_parser = sizes)]
    size: Sizes,

    /// The wanted grade: 7 or 3-5 [default: any; with --like the grade of that level]
    #[arg(long, value_name = "N|A-B", value_parser = |text: &str| read_range(text, 0..=u8::MAX), conflicts_with = "longest")]
    grade: Option<RangeInclusive<u8>>,

    /// Look for the longest solution instead of a grade; with --time-limit for three quarters of that time, if --boards allow
    #[arg(long)]
    longest: bool,

    /// What the walls look like [default: one style after the other]
    #[arg(long, value_name = "STYLE", value_parser = choice::<Style>())]
    style: Option<Style>,

    /// How many levels
    #[arg(long, value_name = "N", default_value = "1")]
    count: NonZeroUsize,

    /// The seed: the same seed gives the same levels
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,

    /// Boards to try for one level before the best so far is taken
    #[arg(long, value_name = "N", default_value_t = Wish::default().boards)]
    boards: usize,

    /// Vary the walls and goals of a level of FILE instead of drawing new ones
    #[arg(long, value_name = "FILE", conflicts_with_all = ["boxes", "size", "style"])]
    like: Option<PathBuf>,

    /// Which level of FILE
    #[arg(long, value_name = "N", default_value_t = 1, requires = "like")]
    level: usize,

    /// Seconds for all levels together, decimals allowed
    #[arg(long, value_name = "SECONDS", value_parser = units::parse_seconds)]
    time_limit: Option<Duration>,

    /// How many levels are made side by side [default: as many as the machine has processors]
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,

    /// Print one JSON object a line for each level
    #[arg(long)]
    json: bool,

    /// Write the levels to FILE, in the format its ending names, instead of printing them
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Widths and heights.
#[derive(Clone, Debug)]
struct Sizes {
    width: RangeInclusive<usize>,
    height: RangeInclusive<usize>,
}

/// Reads `9x9` or `8x8..12x12`.
fn sizes(text: &str) -> Result<Sizes, String> {
    let wrong = || format!("`{text}` is no size; write for instance 9x9 or 8x8..12x12");
    let size = |text: &str| {
        let (width, height) = text.split_once(['x', 'X']).ok_or_else(wrong)?;
        let number = |text: &str| text.trim().parse::<usize>().map_err(|_| wrong());
        Ok::<_, String>((number(width)?, number(height)?))
    };
    let (from, to) = match text.split_once("..") {
        None => (size(text)?, size(text)?),
        Some((from, to)) => (size(from)?, size(to)?),
    };
    Ok(Sizes { width: from.0..=to.0, height: from.1..=to.1 })
}

/// One level as `--json` prints it.
#[derive(Serialize)]
struct Record<'a> {
    level: usize,
    title: &'a str,
    board: Vec<String>,
    solution: &'a str,
    seed: u64,
    as_wished: bool,
    boards: usize,
    #[serde(flatten)]
    rating: &'a Rating,
}

/// Makes the levels.
pub fn run(arguments: &GenerateArguments) -> Ending {
    let target = arguments.output.as_deref().map(Target::by_ending).transpose()?;
    let cancel = interrupt::watch();
    let budget = Budget::new(Limits { time: arguments.time_limit, ..Limits::default() }, cancel.clone());
    let mut seen = Seen::new();
    // Those inside the program are known to everybody.
    for level in &Source::default().read()?.levels {
        seen.insert(&level.map);
    }
    let maker = maker(arguments, &mut seen, &budget)?;
    let numbers: Vec<usize> = (1..=arguments.count.get()).collect();
    let display = Display::new();
    let done = Mutex::new(0usize);
    let work = |&number: &usize| {
        let mut line = display.line(format!("level {number}"));
        line.say(
            budget.elapsed().as_secs_f64(),
            format!("level {number}  {} of {} finished", lock(&done), numbers.len()),
        );
        let made = maker.make(number, 0, &budget);
        *lock(&done) += 1;
        Some(made)
    };
    let (mut exit, mut missed, mut stopped, mut levels) = (Exit::Success, 0, 0, Vec::new());
    pool::in_order(
        &numbers,
        threads(arguments.threads),
        work,
        || cancel.cancel(),
        |&number, made| {
            let made = made.and_then(|made| distinct(&maker, number, made, &mut seen, &budget));
            let made = match made {
                Ok(made) => made,
                Err(MakeError::Stopped) => {
                    stopped += 1;
                    return Ok(());
                }
                Err(reason) => {
                    exit = exit.max(Exit::Incomplete);
                    display.aside(|| complain(&format!("level {number}: {reason}")));
                    return Ok(());
                }
            };
            if !made.as_wished {
                missed += 1;
                exit = exit.max(Exit::Incomplete);
                let tried = units::plural(made.boards, "board", "boards");
                let grade = made.rating.grade.number;
                let sentence =
                    format!("level {number}: grade {grade} is the nearest to the wish on {tried} (--boards)");
                display.aside(|| complain(&sentence));
            }
            if arguments.json || target.is_none() {
                display.aside(|| print(arguments, &made))?;
            }
            levels.push(made.level);
            Ok::<(), Failure>(())
        },
    )?;
    let finished = levels.len();
    if let Some(target) = target.filter(|_| finished > 0) {
        let (defects, warnings, notes) = (Vec::new(), Vec::new(), Vec::new());
        let (title, author, format) = (None, None, Format::Xsb);
        let collection = Collection { title, author, notes, levels, defects, warnings, format };
        target.write(&collection, &Source::default(), Stage::Final)?;
    }
    if stopped > 0 {
        exit = exit.max(Exit::Incomplete);
    }
    if stopped > 0 || missed > 0 || arguments.output.is_some() {
        let more = if stopped > 0 { format!("; the time was up before {stopped} more") } else { String::new() };
        let unmet = if missed > 0 { format!("; {missed} not of the grade wished for") } else { String::new() };
        let seconds = units::seconds(budget.elapsed().as_secs_f64());
        complain(&format!("{} in {seconds}{unmet}{more}", units::plural(finished, "level", "levels")));
    }
    Ok(if cancel.is_cancelled() { exit.max(Exit::Interrupted) } else { exit })
}

/// The maker of what was asked for.
fn maker(arguments: &GenerateArguments, seen: &mut Seen, budget: &Budget) -> Result<Maker, Failure> {
    let fail = |error: MakeError| Failure::usage(error.to_string());
    let grades = |default: RangeInclusive<u8>| Aim::Grade(arguments.grade.clone().unwrap_or(default));
    let mut wish = Wish {
        boxes: arguments.boxes.clone(),
        width: arguments.size.width.clone(),
        height: arguments.size.height.clone(),
        aim: if arguments.longest { Aim::Longest } else { grades(1..=10) },
        style: arguments.style,
        seed: arguments.seed,
        boards: arguments.boards,
    };
    let Some(path) = &arguments.like else { return Maker::new(wish).map_err(fail) };
    let map = like(path, arguments.level)?;
    if arguments.grade.is_none() && !arguments.longest {
        let level = lurd::Level::new(map.clone());
        let rating = rate(&level, &Effort::default(), budget.cancel(), &mut |_| ())
            .map_err(|error| Failure::usage(format!("level {}: {error}", arguments.level)))?;
        wish.aim = Aim::Grade(rating.grade.number..=rating.grade.number);
    }
    seen.insert(&map);
    Maker::like(wish, &map).map_err(fail)
}

/// The level to vary.
fn like(path: &Path, number: usize) -> Result<Map, Failure> {
    let source = Source::file(path);
    let collection = source.read()?;
    let level = collection.levels.into_iter().find(|level| level.number == number);
    let level =
        level.ok_or_else(|| Failure::usage(format!("{} has no level {number} that can be played", source.name())))?;
    Ok(level.map)
}

/// The level, or another one where it equals one before.
fn distinct(
    maker: &Maker,
    number: usize,
    made: Generated,
    seen: &mut Seen,
    budget: &Budget,
) -> Result<Generated, MakeError> {
    let mut made = made;
    for salt in 1..=SALTS {
        if seen.insert(&made.level.map) {
            return Ok(made);
        }
        made = maker.make(number, salt, budget)?;
    }
    if seen.insert(&made.level.map) { Ok(made) } else { Err(MakeError::Nothing(made.boards)) }
}

fn print(arguments: &GenerateArguments, made: &Generated) -> io::Result<()> {
    let mut out = io::stdout().lock();
    let Generated { level, rating, as_wished, boards, .. } = made;
    let title = level.title.as_deref().unwrap_or_default();
    if arguments.json {
        let record = Record {
            level: level.number,
            title,
            board: level.map.rows().collect(),
            solution: &rating.solution.lurd,
            seed: arguments.seed,
            as_wished: *as_wished,
            boards: *boards,
            rating,
        };
        return json_line(&mut out, &record);
    }
    write!(out, "{}Title: {title}\n{}\n\n", level.map, level.notes.join("\n"))?;
    out.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read() {
        let read = sizes("8x9..12x10").unwrap();
        assert_eq!((read.width, read.height), (8..=12, 9..=10));
        assert_eq!(sizes("9x9").unwrap().width, 9..=9);
        for wrong in ["9", "x", "9x", "9x9..", "axb"] {
            assert!(sizes(wrong).is_err(), "{wrong}");
        }
    }
}
