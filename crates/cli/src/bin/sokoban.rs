//! The command `sokoban`: the course tool, on the engines of `lurd`.

use clap::Parser;
use lurd_cli::course::CourseArguments;
use lurd_cli::exit;
use std::process::ExitCode;

fn main() -> ExitCode {
    exit::leave(CourseArguments::parse().run())
}
