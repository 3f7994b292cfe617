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
pub(crate) enum Command {
    Solve(Box<solve::Arguments>),
    Stats(stats::Arguments),
    Play(play::Arguments),
    Bench(bench::Arguments),
}

/// Does what the command asks.
pub(crate) fn run(command: &Command) -> Ending {
    match command {
        Command::Solve(arguments) => solve::run(arguments),
        Command::Stats(arguments) => stats::run(arguments),
        Command::Play(arguments) => play::run(arguments),
        Command::Bench(arguments) => bench::run(arguments),
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
