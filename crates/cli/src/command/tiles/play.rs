//! `lurd tiles play`: the sliding puzzle on the terminal.

use super::choice::SpaceFlags;
use super::start;
use crate::command::play::ended;
use crate::exit::Ending;
use clap::Args;
use lurd_play::{First, TilesOptions};

/// Play the sliding puzzle on the terminal
#[derive(Args, Debug)]
pub(crate) struct TilesPlayArguments {
    /// The board to start from, as for `lurd tiles solve` [default: a random one]
    #[arg(value_name = "BOARD")]
    board: Vec<String>,

    #[command(flatten)]
    space: SpaceFlags,
}

/// Plays until the player leaves.
pub(super) fn run(arguments: &TilesPlayArguments) -> Ending {
    let random = ["random".to_owned()];
    let words = if arguments.board.is_empty() { &random[..] } else { &arguments.board[..] };
    let start::Setting { start, goal, .. } = start::read(words, &arguments.space)?;
    let moves = arguments.space.moves();
    let options = TilesOptions { start: Some(start), goal: Some(goal), side: goal.side(), moves };
    ended(lurd_play::run(First::Tiles(options).into()))
}
