//! `lurd rate`: how hard levels are, and why.

use crate::command::solve::threads;
use crate::exit::{Ending, Exit, Failure, complain};
use crate::flags::LimitFlags;
use crate::input::{self, Source};
use crate::output::json_line;
use crate::progress::Display;
use crate::selection::Selection;
use crate::{interrupt, pool, units};
use clap::Args;
use lurd::Level;
use lurd_rate::plain::Cost;
use lurd_rate::{Effort, RateError, Rating, rate};
use serde::Serialize;
use std::io::{self, Write};
use std::num::NonZeroUsize;

/// Say how hard levels are, and why
///
/// Proves the fewest pushes and moves as far as the limits allow and counts what makes a level hard: box lines, box changes,
/// pushes away from the goals, how far it falls into two parts, choices and traps along the solution, and what plain
/// searches need. The grade from 1 to 10 weighs them; the weights are fitted to the order in which people arranged levels.
/// Without --time-limit a rating is the same on every machine.
#[derive(Args, Debug)]
pub struct RateArguments {
    #[command(flatten)]
    source: Source,

    /// Which levels: 3, 2-5, 1,5-9 or all
    #[arg(long, value_name = "N|A-B|all", default_value = "all")]
    level: Selection,

    /// How many levels are rated side by side [default: as many as the machine has processors]
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,

    /// Print one JSON object a line for each level
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    limits: LimitFlags,
}

/// One level's rating as `--json` prints it.
#[derive(Serialize)]
struct Record<'a> {
    level: usize,
    title: &'a str,
    solution: &'a str,
    #[serde(flatten)]
    rating: &'a Rating,
}

/// Rates the chosen levels.
pub fn run(arguments: &RateArguments) -> Ending {
    let collection = arguments.source.read()?;
    let (levels, mut exit) = arguments.source.choose(&collection, &arguments.level)?;
    let threads = threads(arguments.threads).min(levels.len());
    let mut effort = Effort::default();
    let limits = arguments.limits.limits(threads);
    effort.proof.memory = limits.memory;
    if limits.time.is_some() || limits.nodes.is_some() {
        effort.proof = limits;
    }
    let cancel = interrupt::watch();
    let display = Display::new();
    let work = |level: &&Level| {
        let mut line = display.line(format!("level {}", level.number));
        Some(rate(level, &effort, &cancel, &mut |progress| line.show(progress)))
    };
    pool::in_order(
        &levels,
        threads,
        work,
        || cancel.cancel(),
        |level, rated| {
            let reason = match rated {
                Ok(rating) => return display.aside(|| print(arguments, level, &rating)).map_err(Failure::from),
                Err(RateError::Cancelled) => return Ok(()),
                Err(reason) => reason,
            };
            exit = exit.max(match reason {
                RateError::Unsolvable => Exit::Unsolvable,
                RateError::Solve(_) | RateError::Board(_) => Exit::Usage,
                _ => Exit::Incomplete,
            });
            display.aside(|| complain(&format!("level {}: {reason}", level.number)));
            Ok::<(), Failure>(())
        },
    )?;
    Ok(if cancel.is_cancelled() { exit.max(Exit::Interrupted) } else { exit })
}

fn print(arguments: &RateArguments, level: &Level, rating: &Rating) -> io::Result<()> {
    let mut out = io::stdout().lock();
    if arguments.json {
        let title = level.title.as_deref().unwrap_or_default();
        return json_line(&mut out, &Record { level: level.number, title, solution: &rating.solution.lurd, rating });
    }
    write_text(&mut out, level, rating)?;
    out.flush()
}

fn write_text(out: &mut dyn Write, level: &Level, rating: &Rating) -> io::Result<()> {
    let proved = |length: lurd_rate::Length| if length.is_proved() { "proved" } else { "not proved" };
    let title = input::title(level);
    let title = if title.is_empty() { title } else { format!("  {title}") };
    writeln!(out, "{}{title}  grade {} of 10 ({:.1})", level.number, rating.grade.number, rating.grade.fine)?;
    let mut line = |text: String| writeln!(out, "    {text}");
    line(format!(
        "{} pushes ({}), {} moves ({})",
        rating.pushes,
        proved(rating.pushes),
        rating.moves,
        proved(rating.moves)
    ))?;
    line(format!(
        "{}, {}, {}, {}",
        units::plural(rating.box_lines, "box line", "box lines"),
        units::plural(rating.box_changes, "box change", "box changes"),
        units::plural(rating.pushing_sessions, "pushing session", "pushing sessions"),
        units::plural(rating.player_lines, "player line", "player lines"),
    ))?;
    line(format!(
        "{} away from the goal, {} between two groups of boxes",
        units::plural(rating.counterintuitive_pushes, "push", "pushes"),
        units::plural(rating.switches_between_halves, "switch", "switches"),
    ))?;
    line(format!(
        "{:.1} pushes to choose from, {} with a losing push, {:.0} % dead squares",
        rating.choice,
        units::plural(rating.traps, "position", "positions"),
        100.0 * rating.dead_share
    ))?;
    line(format!(
        "breadth-first {}, a student's A* {}",
        positions(rating.breadth_first),
        positions(rating.student_a_star)
    ))?;
    line(format!("because: {}", rating.grade.reasons.join("; ")))
}

fn positions(cost: Option<Cost>) -> String {
    match cost {
        Some(Cost { expanded, finished: true }) => format!("{} positions", units::count(expanded)),
        Some(Cost { expanded, finished: false }) => format!("over {} positions", units::count(expanded)),
        None => "not measured".into(),
    }
}
