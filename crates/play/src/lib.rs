//! The terminal screens of lurd: Sokoban, the sliding tiles and the CSE game.
//!
//! [`run`] takes the terminal over and gives it back; on a terminal that cannot be drawn
//! on (`TERM=dumb`, a pipe) the same games are played line by line. What a screen shows
//! is decided by parts that know no terminal: `Game` and `Session` for Sokoban,
//! `Playback` for solutions, `Store` for what a player has done, `TileGame` for tiles.
//! The screens themselves draw into buffers, and tests look at those.

mod app;
mod background;
mod board_view;
mod classic_colours;
mod collection;
mod game;
mod level_id;
mod making;
mod path;
mod plain;
mod playback;
mod progress;
mod screens;
mod search_picture;
mod session;
mod solver;
mod terminal;
mod theme;
mod tile_game;
mod watch;

pub use screens::cse::CseOptions;
pub use screens::tiles::TilesOptions;
pub use terminal::Screen;

use app::App;
use lurd::Level;
use lurd_library::Recorder;
use progress::Store;
use screens::Shared;
use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::{SystemTime, UNIX_EPOCH};
use theme::Theme;

/// What is shown first.
#[derive(Clone, Debug, Default)]
pub enum First {
    /// The main menu.
    #[default]
    Menu,
    /// The list of levels.
    Picker,
    /// A level, counted from 0.
    Level(usize),
    /// The playback of a solution (plain LURD) of a level, which need not be in the collection.
    /// Leaving it ends the program.
    Watch(Box<Level>, String),
    /// The sliding tiles.
    Tiles(TilesOptions),
    /// The CSE game.
    Cse(CseOptions),
}

/// What to play, and how.
#[derive(Clone, Debug, Default)]
pub struct PlayOptions {
    /// What the collection is called.
    pub title: String,
    /// The levels; the tiles and CSE can do without.
    pub levels: Vec<Level>,
    /// What is shown first.
    pub first: First,
    /// Where progress is kept; where this user's data belongs if `None` (see [`lurd_library::data_folder`]).
    pub data: Option<PathBuf>,
    /// Where solutions go beside the player's own progress.
    pub library: Option<Arc<Mutex<Recorder>>>,
    /// Play line by line even if the terminal could do better.
    pub plain: bool,
    /// Standard input has been read already: the player is at the terminal.
    pub input_is_spent: bool,
}

/// A game that needs no collection.
impl From<First> for PlayOptions {
    fn from(first: First) -> Self {
        Self { first, ..Self::default() }
    }
}

/// Why there is nothing to play.
#[derive(Debug, thiserror::Error)]
pub enum PlayError {
    /// The terminal, or a pipe in its place, failed.
    #[error("the terminal failed: {0}")]
    Terminal(#[from] io::Error),
    /// Standard input is spent, and nobody is at a terminal.
    #[error("standard input has been read, and there is no terminal to play on ({0}); name a file instead")]
    NoTerminal(io::Error),
    /// There is no such level.
    #[error("there is no level {number}; the collection has {count}")]
    NoSuchLevel {
        /// The level asked for, from 1.
        number: usize,
        /// How many there are.
        count: usize,
    },
    /// The solution cannot be played.
    #[error("the solution cannot be played: {0}")]
    Solution(String),
    /// The tiles cannot be played.
    #[error(transparent)]
    Tiles(#[from] lurd_tiles::ProblemError),
}

/// Plays until the player leaves. The terminal is given back whatever happens.
///
/// # Errors
/// When what is to be shown first cannot be, or the terminal fails.
pub fn run(options: PlayOptions) -> Result<(), PlayError> {
    let PlayOptions { title, levels, first, data, library, plain, input_is_spent } = options;
    if let First::Level(index) = first
        && index >= levels.len()
    {
        return Err(PlayError::NoSuchLevel { number: index + 1, count: levels.len() });
    }
    let store = data.map_or_else(Store::for_user, |folder| Store::open(&folder)).with_library(library);
    let seed = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_nanos() as u64);
    let shared = Shared::new(title, levels, store, Theme::from_environment(), seed);
    if plain || !terminal::can_draw(input_is_spent) {
        let mut output = io::stdout().lock();
        // A playback asks nothing.
        if !input_is_spent || matches!(first, First::Watch(..)) {
            return plain::run(shared, first, &mut io::stdin().lock(), &mut output);
        }
        let terminal = terminal::open_input().map_err(PlayError::NoTerminal)?;
        return plain::run(shared, first, &mut io::BufReader::new(terminal), &mut output);
    }
    let app = App::new(shared, first)?;
    let mut screen = Screen::open()?;
    Ok(app.run(&mut screen)?)
}
