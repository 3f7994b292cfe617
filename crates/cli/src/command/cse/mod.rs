//! `lurd cse`: the CSE letter game, played and solved.

mod analyse;
mod play;
mod print;

use crate::exit::Ending;
use clap::{Subcommand, ValueEnum};
use lurd_search::game::Side;

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Play(play::Arguments),
    Analyse(analyse::Arguments),
}

/// Does what the command asks.
pub(crate) fn run(command: &Command) -> Ending {
    match command {
        Command::Play(arguments) => play::run(arguments),
        Command::Analyse(arguments) => analyse::run(arguments),
    }
}

/// A player as a flag names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Player {
    /// MAX, who wants the value 1
    Max,
    /// MIN, who wants the value -1
    Min,
}

impl From<Player> for Side {
    fn from(player: Player) -> Self {
        match player {
            Player::Max => Self::Max,
            Player::Min => Self::Min,
        }
    }
}
