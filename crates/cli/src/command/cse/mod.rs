//! `lurd cse`: the CSE letter game, played and solved.

mod analyse;
mod play;
mod print;

use crate::exit::Ending;
use clap::{Subcommand, ValueEnum};
use lurd_search::game::Side;

#[derive(Debug, Subcommand)]
pub(crate) enum CseCommand {
    Play(play::CsePlayArguments),
    Analyse(analyse::CseAnalyseArguments),
}

/// Does what the command asks.
pub(crate) fn run(command: &CseCommand) -> Ending {
    match command {
        CseCommand::Play(arguments) => play::run(arguments),
        CseCommand::Analyse(arguments) => analyse::run(arguments),
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
