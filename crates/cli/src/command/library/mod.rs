//! `lurd library`: levels, collections and best solutions in one file that remembers.

mod add;
mod best;
mod export;
mod find;
mod list;
mod verify;

pub(in crate::command) use add::collections_of;

use crate::exit::Ending;
use crate::output::json_line;
use crate::shelf::LibraryFile;
use crate::units;
use clap::{Args, Subcommand};
use std::io::{self, Write};

/// What to do with the library.
#[derive(Debug, Subcommand)]
pub(crate) enum LibraryCommand {
    Add(add::AddArguments),
    List(list::ListArguments),
    Find(find::FindArguments),
    Best(best::BestArguments),
    Export(export::ExportArguments),
    Remove(add::RemoveArguments),
    Verify(verify::VerifyArguments),
    Stats(StatsArguments),
}

/// Runs one of them.
pub(crate) fn run(command: &LibraryCommand) -> Ending {
    match command {
        LibraryCommand::Add(arguments) => add::run(arguments),
        LibraryCommand::List(arguments) => list::run(arguments),
        LibraryCommand::Find(arguments) => find::run(arguments),
        LibraryCommand::Best(arguments) => best::run(arguments),
        LibraryCommand::Export(arguments) => export::run(arguments),
        LibraryCommand::Remove(arguments) => add::remove(arguments),
        LibraryCommand::Verify(arguments) => verify::run(arguments),
        LibraryCommand::Stats(arguments) => stats(arguments),
    }
}

/// Count everything in the library
#[derive(Args, Debug)]
pub(crate) struct StatsArguments {
    #[command(flatten)]
    file: LibraryFile,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

fn stats(arguments: &StatsArguments) -> Ending {
    let library = arguments.file.open_existing()?;
    let stats = library.stats()?;
    let mut out = io::stdout().lock();
    if arguments.json {
        json_line(&mut out, &stats)?;
        return Ok(crate::exit::Exit::Success);
    }
    let figures = [
        ("levels", stats.levels),
        ("solved", stats.solved),
        ("proved unsolvable", stats.unsolvable),
        ("fewest pushes proved", stats.optimal_pushes),
        ("fewest moves proved", stats.optimal_moves),
        ("solutions", stats.solutions),
        ("collections", stats.collections),
        ("entries in collections", stats.entries),
        ("batch runs", stats.runs),
        ("results of runs", stats.results),
    ];
    writeln!(out, "{}", library.path().display())?;
    for (what, count) in figures {
        writeln!(out, "{:>12}  {what}", units::count(count as u64))?;
    }
    writeln!(out, "{:>12}  size of the file", units::size(usize::try_from(stats.bytes).unwrap_or(usize::MAX)))?;
    Ok(crate::exit::Exit::Success)
}
