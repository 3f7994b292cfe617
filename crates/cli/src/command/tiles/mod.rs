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
use clap::{Args, Subcommand};
use lurd_tiles::MoveSet;
use std::fmt;

/// Sliding tiles: solve boards, measure the whole 3x3 space
#[derive(Args, Debug)]
pub struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Solve(Box<solve::Arguments>),
    Stats(stats::Arguments),
    Play(play::Arguments),
    Bench(bench::Arguments),
}

/// Does what the command asks.
///
/// # Errors
/// The sentence to print where it cannot be done.
pub fn run(arguments: &Arguments) -> Ending {
    match &arguments.command {
        Command::Solve(arguments) => solve::run(arguments),
        Command::Stats(arguments) => stats::run(arguments),
        Command::Play(arguments) => play::run(arguments),
        Command::Bench(arguments) => bench::run(arguments),
    }
}

/// The moves a flag `--diagonal` allows.
fn moves(diagonal: bool) -> MoveSet {
    if diagonal { MoveSet::Diagonal } else { MoveSet::Classic }
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

