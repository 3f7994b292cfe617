//! `lurd tiles stats`: the whole space of a small board, measured.

use super::choice::SpaceFlags;
use super::{path, refusal};
use crate::exit::{Ending, Exit, Failure};
use crate::output::json_line;
use crate::table::Table;
use crate::{interrupt, units};
use clap::Args;
use lurd_tiles::{HeuristicStatistics, Statistics, statistics};
use std::io::{self, Write};

/// Measure the whole 3x3 space: every distance, and every heuristic on every board and move
///
/// Nothing is looked up: all boards are enumerated from the goal, all figures counted.
#[derive(Args, Debug)]
#[command(mut_arg("size", |size| size.help("Cells along an edge, 2 or 3 [default: 3]")))]
pub(crate) struct TilesStatsArguments {
    #[command(flatten)]
    space: SpaceFlags,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Measures the space.
pub(super) fn run(arguments: &TilesStatsArguments) -> Ending {
    interrupt::leave_at_once();
    let space = &arguments.space;
    let side = space.size.or(space.goal.side()).unwrap_or(3);
    let goal = space.goal.board(side);
    if goal.side() != side {
        let own = goal.side();
        return Err(Failure::usage(format!("the goal is {own}x{own}; leave --size out or write --size {own}")));
    }
    let found =
        statistics(&goal, space.moves()).map_err(|error| refusal(&format!("{error}; write --size 2 or --size 3")))?;
    let mut out = io::stdout().lock();
    if arguments.json {
        json_line(&mut out, &found)?;
    } else {
        print(&mut out, &found, path::width())?;
    }
    out.flush()?;
    Ok(Exit::Success)
}

fn print(out: &mut dyn Write, found: &Statistics, width: usize) -> io::Result<()> {
    let side = found.goal.side();
    writeln!(out, "{side}x{side}, {} moves, all distances to {}\n", found.moves, found.goal)?;
    writeln!(out, "reachable  {} of {} boards", units::count(found.reachable), units::count(found.boards))?;
    writeln!(out, "diameter   {} moves", found.diameter)?;
    writeln!(out, "mean       {:.4} moves\n", found.mean)?;
    histogram(out, &found.histogram, width)?;
    writeln!(out)?;
    heuristics(&found.heuristics, found.reachable).print(out)?;
    for heuristic in &found.heuristics {
        failures(out, heuristic)?;
    }
    let many = units::plural(found.histogram.last().map_or(0, |&count| count as usize), "board is", "boards are");
    writeln!(out, "\n{many} {} moves from the goal:\n", found.diameter)?;
    let pictures: Vec<_> = found.farthest.iter().map(|board| path::picture(&[], board)).collect();
    path::side_by_side(out, &pictures, width)
}

/// How many boards are at each distance, with a bar for each.
fn histogram(out: &mut dyn Write, counts: &[u64], width: usize) -> io::Result<()> {
    let most = counts.iter().copied().max().unwrap_or(0).max(1);
    let digits = units::count(most).len().max("boards".len());
    let room = width.saturating_sub(digits + 12).clamp(10, 60) as u64;
    writeln!(out, "distance  {:>digits$}", "boards")?;
    for (distance, &count) in counts.iter().enumerate() {
        // Rounded up: a distance that occurs has a bar.
        let bar = "#".repeat((count * room).div_ceil(most) as usize);
        writeln!(out, "{distance:>8}  {:>digits$}  {bar}", units::count(count))?;
    }
    Ok(())
}

fn heuristics(all: &[HeuristicStatistics], reachable: u64) -> Table {
    let mut table = Table::new("heuristic|promised|admissible|consistent|>mean|>of the truth|>exact|>too high");
    let share = |count: u64| format!("{:.1} %", 100.0 * count as f64 / reachable as f64);
    let holds = |holds: bool| if holds { "yes" } else { "no" }.to_owned();
    for heuristic in all {
        table.row(vec![
            heuristic.name.to_string(),
            heuristic.promised.to_owned(),
            holds(heuristic.admissible),
            holds(heuristic.consistent),
            format!("{:.3}", heuristic.mean),
            format!("{:.1} %", 100.0 * heuristic.strength),
            share(heuristic.exact),
            share(heuristic.overestimates),
        ]);
    }
    table
}

/// The boards that prove a heuristic inadmissible or inconsistent.
fn failures(out: &mut dyn Write, heuristic: &HeuristicStatistics) -> io::Result<()> {
    let name = heuristic.name;
    if let Some(example) = heuristic.counterexample {
        let truth = units::plural(example.truth as usize, "move", "moves");
        writeln!(out, "\n{name} is inadmissible: {} takes {truth}, the estimate is {}", example.board, example.value)?;
    }
    if let Some(edge) = heuristic.inconsistent_edge {
        writeln!(
            out,
            "{name} is inconsistent: one move from {} to {} and it falls from {} to {}",
            edge.board, edge.neighbour, edge.value, edge.neighbour_value
        )?;
    }
    Ok(())
}
