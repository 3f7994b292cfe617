//! The command `lurd`.

use clap::Parser;
use lurd_cli::cli::Cli;
use lurd_cli::exit;
use std::process::ExitCode;

fn main() -> ExitCode {
    exit::leave(Cli::parse().run())
}
