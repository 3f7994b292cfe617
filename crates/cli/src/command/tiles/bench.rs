//! `lurd tiles bench`: random 4x4 boards by IDA* with the pattern database, timed.

use super::choice::Goal;
use super::{refusal, tables};
use crate::exit::{Ending, Exit, Failure};
use crate::flags::LimitFlags;
use crate::output::json_line;
use crate::table::Table;
use crate::{interrupt, units};
use clap::Args;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use lurd_base::Budget;
use lurd_search::{Silent, TieBreak};
use lurd_tiles::{Estimator, Method, MoveSet, Problem, Report, random_board};
use serde::Serialize;
use std::io::{self, Write};
use std::num::NonZeroU64;
use std::time::Instant;

/// Solve random 4x4 boards with the pattern database and time it
///
/// Board number i is `random:` SEED + i - 1 of `lurd tiles solve --size 4`. The time of each is that of
/// its search; loading or building the tables is timed apart. Exit code 0 says that all were
/// solved and proved optimal.
#[derive(Args, Debug)]
pub(crate) struct TilesBenchArguments {
    /// How many boards
    #[arg(long, value_name = "N", default_value = "100")]
    count: NonZeroU64,

    /// The seed of the first board
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    #[arg(long, value_name = "BOARD", default_value = "blank-last", help = Goal::HELP)]
    goal: Goal,

    /// Print one JSON object with the figures
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    limits: LimitFlags,
}

/// The figures. Seconds are wall-clock time.
#[derive(Serialize)]
struct Figures {
    boards: u64,
    /// Solved and proved optimal.
    optimal: u64,
    moves: Spread,
    seconds: Spread,
    expanded: Spread,
    generated: Spread,
    /// Whether the tables were built in this run, and what loading or building them took.
    tables_built: bool,
    tables_seconds: f64,
    tables_bytes: usize,
}

/// The middle and the ends of some measurements.
#[derive(Serialize)]
struct Spread {
    mean: f64,
    median: f64,
    max: f64,
}

impl Spread {
    fn of(reports: &[Report], value: impl Fn(&Report) -> f64) -> Self {
        let mut values: Vec<f64> = reports.iter().map(value).collect();
        values.sort_by(f64::total_cmp);
        let at = |index: usize| values.get(index).copied().unwrap_or(0.0);
        let last = values.len().saturating_sub(1);
        Self {
            mean: values.iter().sum::<f64>() / values.len().max(1) as f64,
            median: (at(last / 2) + at(last.div_ceil(2))) / 2.0,
            max: at(last),
        }
    }
}

/// Runs the measurement.
pub(super) fn run(arguments: &TilesBenchArguments) -> Ending {
    let goal = arguments.goal.board(4);
    let cancel = interrupt::watch();
    let started = Instant::now();
    let Some(tables) = tables::load(&goal, &cancel)? else { return Ok(Exit::Interrupted) };
    let tables_seconds = started.elapsed().as_secs_f64();

    let bar = ProgressBar::with_draw_target(Some(arguments.count.get()), ProgressDrawTarget::stderr());
    if let Ok(style) = ProgressStyle::with_template("{pos}/{len} boards  {wide_bar}  {elapsed}") {
        bar.set_style(style);
    }
    let mut reports = Vec::new();
    for index in 0..arguments.count.get() {
        if cancel.is_cancelled() {
            break;
        }
        let board = random_board(&goal, MoveSet::Classic, arguments.seed.wrapping_add(index));
        let problem = Problem::new(board, goal, MoveSet::Classic).map_err(|error| refusal(&error))?;
        let mut estimator =
            Estimator::with_patterns(&problem, tables.database.clone()).map_err(|error| refusal(&error))?;
        let budget = Budget::new(arguments.limits.limits(1), cancel.clone());
        reports.push(lurd_tiles::solve(
            &problem,
            Method::IDA_STAR,
            TieBreak::default(),
            &mut estimator,
            &budget,
            &mut Silent,
        ));
        bar.inc(1);
    }
    bar.finish_and_clear();

    let figures = Figures {
        boards: reports.len() as u64,
        optimal: reports.iter().filter(|report| is_optimal(report)).count() as u64,
        moves: Spread::of(&reports, |report| report.steps.len() as f64),
        seconds: Spread::of(&reports, |report| report.seconds),
        expanded: Spread::of(&reports, |report| report.expanded as f64),
        generated: Spread::of(&reports, |report| report.generated as f64),
        tables_built: tables.built,
        tables_seconds,
        tables_bytes: tables.database.bytes(),
    };
    print(&figures, arguments.json)?;
    Ok(match figures {
        _ if cancel.is_cancelled() => Exit::Interrupted,
        figures if figures.optimal == arguments.count.get() => Exit::Success,
        _ => Exit::Incomplete,
    })
}

/// Whether the path, played by the rules, ends at the goal, and is proved to be shortest.
fn is_optimal(report: &Report) -> bool {
    report.boards().last() == Some(&report.goal) && report.proof.as_deref() == Some("optimal")
}

fn print(figures: &Figures, json: bool) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    if json {
        return Ok(json_line(&mut out, figures)?);
    }
    writeln!(
        out,
        "{} of {} random 4x4 boards solved and proved optimal by IDA* with the pattern database",
        figures.optimal,
        units::count(figures.boards)
    )?;
    let how = if figures.tables_built { "built" } else { "loaded" };
    let (size, time) = (units::size(figures.tables_bytes), units::seconds(figures.tables_seconds));
    writeln!(out, "tables {how} in {time}, {size} in memory\n")?;
    let mut table = Table::new("|>mean|>median|>max");
    let mut row = |name: &str, spread: &Spread, show: fn(f64) -> String| {
        table.row(vec![name.to_owned(), show(spread.mean), show(spread.median), show(spread.max)]);
    };
    let count = |value: f64| units::count(value.round() as u64);
    row("moves", &figures.moves, |value| format!("{value:.2}"));
    row("time", &figures.seconds, |value| format!("{value:.4} s"));
    row("expanded", &figures.expanded, count);
    row("generated", &figures.generated, count);
    table.print(&mut out)?;
    Ok(out.flush()?)
}
