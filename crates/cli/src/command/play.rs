//! `lurd play`: the games on the terminal.

use crate::exit::{Ending, Exit, Failure};
use crate::input::{self, Source};
use crate::selection::Selection;
use crate::shelf::{Keeper, LibraryFlags};
use clap::Args;
use lurd::Level;
use lurd_play::{First, PlayError, PlayOptions};

/// Play on the terminal: Sokoban, sliding tiles and the CSE game
///
/// Arrow keys, wasd or hjkl move; ? shows all keys. Progress and best solutions are kept. Where
/// there is no terminal to draw on, the games are played line by line.
#[derive(Args, Debug)]
pub struct PlayArguments {
    #[command(flatten)]
    source: Source,

    /// The level to begin with [default: 1; without FILE the menu comes first]
    #[arg(long, value_name = "N")]
    level: Option<usize>,

    /// Play line by line, without screens
    #[arg(long)]
    plain: bool,

    #[command(flatten)]
    library: LibraryFlags,
}

/// Plays until the player leaves.
pub fn run(arguments: &PlayArguments) -> Ending {
    let collection = arguments.source.read()?;
    let (levels, _) = arguments.source.choose(&collection, &Selection::All)?;
    let first = match (arguments.level, &arguments.source.file) {
        (None, None) => First::Menu,
        (None, Some(_)) => First::Level(0),
        (Some(number), _) => {
            let index = levels.iter().position(|level| level.number == number).ok_or_else(|| {
                Failure::usage(format!("{} has no level {number} that can be played", arguments.source.name()))
            })?;
            First::Level(index)
        }
    };
    let title = collection.title.clone().unwrap_or_else(|| arguments.source.name());
    let levels: Vec<Level> = levels.into_iter().cloned().collect();
    let (plain, input_is_spent) = (arguments.plain, arguments.source.is_standard_input());
    let keeper = arguments.library.keeper().map(Keeper::shared);
    let library = keeper.as_ref().map(|keeper| keeper.recorder.clone());
    let options = PlayOptions { title, levels, first, plain, library, input_is_spent, ..PlayOptions::default() };
    let played = lurd_play::run(options);
    if let Some(keeper) = keeper {
        keeper.finish();
    }
    ended(played)
}

/// Plays a solution back; `source` is where the level came from.
pub fn watch(level: &Level, lurd: &str, source: &Source) -> Ending {
    let title = input::title(level);
    let titled = Level { title: (!title.is_empty()).then_some(title), ..level.clone() };
    let first = First::Watch(Box::new(titled), lurd.to_owned());
    ended(lurd_play::run(PlayOptions { input_is_spent: source.is_standard_input(), ..first.into() }))
}

/// What the terminal games end with, as a command does.
pub fn ended(result: Result<(), PlayError>) -> Ending {
    match result {
        Ok(()) => Ok(Exit::Success),
        Err(PlayError::Terminal(error)) => Err(error.into()),
        Err(error) => Err(Failure::usage(error.to_string())),
    }
}
