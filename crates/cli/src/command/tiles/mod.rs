//! `lurd tiles`: sliding tiles, solved, measured and timed.

mod bench;
mod choice;
mod path;
mod play;
mod solve;
mod start;
mod stats;
mod tables;

use crate::exit::{Ending, Failure};
use crate::units;
use clap::Subcommand;
use std::fmt;

#[derive(Debug, Subcommand)]
pub(crate) enum TilesCommand {
    Solve(Box<solve::TilesSolveArguments>),
    Stats(stats::TilesStatsArguments),
    Play(play::TilesPlayArguments),
    Bench(bench::TilesBenchArguments),
}

/// Does what the command asks.
pub(crate) fn run(command: &TilesCommand) -> Ending {
    match command {
        TilesCommand::Solve(arguments) => solve::run(arguments),
        TilesCommand::Stats(arguments) => stats::run(arguments),
        TilesCommand::Play(arguments) => play::run(arguments),
        TilesCommand::Bench(arguments) => bench::run(arguments),
    }
}

/// A sentence that may quote what the user wrote: safe for a terminal and no longer than one can read.
fn refusal(reason: &impl fmt::Display) -> Failure {
    const LONGEST: usize = 400;
    let sentence = units::printable(&reason.to_string());
    if sentence.chars().count() <= LONGEST {
        return Failure::Usage(sentence);
    }
    Failure::Usage(sentence.chars().take(LONGEST).chain(" ...".chars()).collect())
}
