//! `lurd batch`: many levels, one search each, on this machine or on many.

mod display;
mod report;
mod run;

pub use run::NatsFlags;
pub(in crate::command) use run::{launcher, machine};

use crate::exit::{Ending, Exit};
use crate::output::json_line;
use crate::shelf::LibraryFile;
use crate::table::Table;
use crate::units;
use clap::{Args, Subcommand};
use lurd_library::date;
use serde_json::json;
use std::io;

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum BatchCommand {
    Run(Box<run::RunArguments>),
    Resume(run::ResumeArguments),
    Report(report::ReportArguments),
    Diff(report::DiffArguments),
    List(RunsArguments),
}

/// Does it.
pub(crate) fn run(command: &BatchCommand) -> Ending {
    match command {
        BatchCommand::Run(arguments) => run::run(arguments),
        BatchCommand::Resume(arguments) => run::resume(arguments),
        BatchCommand::Report(arguments) => report::report(arguments),
        BatchCommand::Diff(arguments) => report::diff(arguments),
        BatchCommand::List(arguments) => list(arguments),
    }
}

/// List the runs in the library
#[derive(Args, Debug)]
pub(crate) struct RunsArguments {
    #[command(flatten)]
    file: LibraryFile,

    /// Print one JSON object a line
    #[arg(long)]
    json: bool,
}

fn list(arguments: &RunsArguments) -> Ending {
    let library = arguments.file.open_existing()?;
    let mut out = io::stdout().lock();
    let mut table = Table::new("run|begun|ended|version|>levels|>solved|>unsolvable|>open|>failed");
    for row in library.runs()? {
        let (levels, counts) = (library.run_levels(row.id)?, library.run_counts(row.id)?);
        let [solved, unsolvable, open, failed] = counts;
        if arguments.json {
            let object = json!({"name": row.run.name, "created": row.created, "ended": row.ended,
                "version": row.run.version, "levels": levels, "solved": solved, "unsolvable": unsolvable, "open": open,
                "failed": failed});
            json_line(&mut out, &object)?;
            continue;
        }
        let ended = row.ended.map_or_else(|| "not yet".to_owned(), date);
        let mut cells =
            vec![units::printable(&row.run.name), date(row.created), ended, row.run.version, levels.to_string()];
        cells.extend(counts.map(|count| count.to_string()));
        table.row(cells);
    }
    if !arguments.json {
        table.print(&mut out)?;
    }
    Ok(Exit::Success)
}
