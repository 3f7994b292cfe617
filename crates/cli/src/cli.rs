//! The command line of `lurd`: everything it understands, declared in one place that help,
//! the manual page and shell completions are made from.

use crate::command::{batch, library, search_job, worker};
use crate::command::{
    bench, check, compare, convert, cse, generate, improve, levels, manual, play, rate, serve, solve, tiles,
};
use crate::exit::Ending;
use clap::{Parser, Subcommand};

/// A Sokoban solver and search workbench.
#[derive(Debug, Parser)]
#[command(name = "lurd", version, propagate_version = true, after_help = EXIT_CODES)]
pub struct Cli {
    #[command(subcommand)]
    command: Command,
}

const EXIT_CODES: &str = "\
Levels: FILE may be in any supported format, found by its content; - is standard input; without FILE \
the levels inside the program are taken.

Exit codes: 0 all solved, 1 some stopped by a limit or wrong, 2 wrong usage or unreadable input, \
3 some proved unsolvable, 130 interrupted by Ctrl-C (what was found until then is printed). \
Where both 1 and 3 hold, it is 3.";

#[derive(Debug, Subcommand)]
enum Command {
    Solve(solve::SolveArguments),
    Improve(improve::ImproveArguments),
    Play(play::PlayArguments),
    Serve(serve::ServeArguments),
    Check(check::CheckArguments),
    Convert(convert::ConvertArguments),
    Levels(levels::LevelsArguments),
    Rate(rate::RateArguments),
    Generate(Box<generate::GenerateArguments>),
    Compare(Box<compare::CompareArguments>),
    Bench(bench::BenchArguments),
    /// Levels, collections and best solutions in one file that remembers
    #[command(subcommand)]
    Library(library::LibraryCommand),
    /// Many levels, one search each; killed at any moment, it goes on where it was
    #[command(subcommand)]
    Batch(batch::BatchCommand),
    Worker(worker::WorkerArguments),
    #[command(hide = true)]
    SearchJob(search_job::SearchJobArguments),
    /// Sliding tiles: solve boards, measure the whole 3x3 space
    #[command(subcommand)]
    Tiles(tiles::TilesCommand),
    /// The CSE letter game: play against the computer, or see it solved
    #[command(subcommand)]
    Cse(cse::CseCommand),
    Completions(manual::Completions),
    Man(manual::Man),
}

impl Cli {
    /// Does what the command line asks.
    pub fn run(self) -> Ending {
        match self.command {
            Command::Solve(arguments) => solve::run(&arguments),
            Command::Improve(arguments) => improve::run(&arguments),
            Command::Play(arguments) => play::run(&arguments),
            Command::Serve(arguments) => serve::run(&arguments),
            Command::Check(arguments) => check::run(&arguments),
            Command::Convert(arguments) => convert::run(&arguments),
            Command::Levels(arguments) => levels::run(&arguments),
            Command::Rate(arguments) => rate::run(&arguments),
            Command::Generate(arguments) => generate::run(&arguments),
            Command::Compare(arguments) => compare::run(&arguments),
            Command::Bench(arguments) => bench::run(&arguments),
            Command::Library(command) => library::run(&command),
            Command::Batch(command) => batch::run(&command),
            Command::Worker(arguments) => worker::run(&arguments),
            Command::SearchJob(_) => search_job::run(),
            Command::Tiles(command) => tiles::run(&command),
            Command::Cse(command) => cse::run(&command),
            Command::Completions(arguments) => manual::completions(&arguments),
            Command::Man(_) => manual::man(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }
}
