//! `lurd tiles play`: the sliding puzzle on the terminal.

use super::choice::{self, Goal};
use super::{moves, start};
use crate::command::play::ended;
use crate::exit::Ending;
use clap::Args;
use lurd_play::{First, TilesOptions};

/// Play the sliding puzzle on the terminal
#[derive(Args, Debug)]
pub(super) struct Arguments {
    /// The board to start from, as for `lurd tiles solve` [default: a random one]
    #[arg(value_name = "BOARD")]
    board: Vec<String>,

    #[arg(long, value_name = "BOARD", default_value = "blank-last", help = Goal::HELP)]
    goal: Goal,

    /// Cells along an edge of a random board, 2 to 5 [default: 3]
    #[arg(long, value_name = "N", value_parser = choice::parse_side)]
    size: Option<usize>,

    /// Let the blank move diagonally too; every move costs 1
    #[arg(long)]
    diagonal: bool,
}

/// Plays until the player leaves.
///
/// # Errors
/// The sentence to print where the board is wrong or the terminal fails.
pub(super) fn run(arguments: &Arguments) -> Ending {
    let random = ["random".to_owned()];
    let words = if arguments.board.is_empty() { &random[..] } else { &arguments.board[..] };
    let moves = moves(arguments.diagonal);
    let setting = start::read(words, arguments.goal, arguments.size, moves)?;
    let options =
        TilesOptions { start: Some(setting.start), goal: Some(setting.goal), side: setting.goal.side(), moves };
    ended(lurd_play::run(First::Tiles(options).into()))
}
