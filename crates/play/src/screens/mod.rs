//! The screens, one file each, drawn into buffers so that tests can look at them.

pub(crate) mod chrome;
pub(crate) mod cse;
pub(crate) mod help;
pub(crate) mod menu;
pub(crate) mod picker;
pub(crate) mod sokoban;
pub(crate) mod tiles;
pub(crate) mod watch;

use crate::progress::Store;
use crate::session::Found;
use crate::theme::Theme;
use ::sokoban::{Direction, Level};
use crossterm::event::KeyCode;
use std::time::Duration;

/// What the screens share.
#[derive(Debug)]
pub(crate) struct Shared {
    /// What the collection is called.
    pub(crate) title: String,
    pub(crate) levels: Vec<Level>,
    pub(crate) store: Store,
    pub(crate) theme: Theme,
    /// For random boards; each use takes the next.
    pub(crate) seed: u64,
}

impl Shared {
    pub(crate) fn next_seed(&mut self) -> u64 {
        self.seed = self.seed.wrapping_add(1);
        self.seed
    }

    /// A level's title, or else its number.
    pub(crate) fn level_title(&self, index: usize) -> String {
        let title = self.levels.get(index).and_then(|level| level.title.clone());
        title.unwrap_or_else(|| format!("Level {}", index + 1))
    }
}

/// Where to go after a key.
#[derive(Debug)]
pub(crate) enum Go {
    /// Nowhere.
    Stay,
    /// To the main menu.
    Menu,
    /// To the list of levels.
    Picker,
    /// To a level.
    Level(usize),
    /// Back to the level being played, or on to the list.
    Sokoban,
    /// To the playback of a solution: its title, the moves, and where to begin.
    Watch(String, String, usize),
    /// To the tiles.
    Tiles,
    /// To the CSE game.
    Cse,
    /// To where one came from.
    Back,
    /// To the help.
    Help,
    /// Out.
    Quit,
}

impl Go {
    fn watch_found(title: String, found: &Found) -> Self {
        Self::Watch(title, format!("{}{}", found.before, found.lurd), found.before.len())
    }
}

/// How long a screen can wait for input before it wants to be asked again.
pub(crate) const IDLE: Duration = Duration::from_millis(500);
/// While something is worked on in the background.
pub(crate) const BUSY: Duration = Duration::from_millis(40);
/// While something moves.
pub(crate) const MOVING: Duration = Duration::from_millis(15);

/// The direction of an arrow key, or of a letter from w a s d or h j k l.
pub(crate) fn direction(key: KeyCode) -> Option<Direction> {
    Some(match key {
        KeyCode::Left | KeyCode::Char('a' | 'h') => Direction::Left,
        KeyCode::Right | KeyCode::Char('d' | 'l') => Direction::Right,
        KeyCode::Up | KeyCode::Char('w' | 'k') => Direction::Up,
        KeyCode::Down | KeyCode::Char('s' | 'j') => Direction::Down,
        _ => return None,
    })
}

/// `1 move`, `2 moves`.
pub(crate) fn count(number: usize, what: &str) -> String {
    if number == 1 {
        format!("1 {what}")
    } else if what.ends_with('x') || what.ends_with("sh") {
        format!("{number} {what}es")
    } else {
        format!("{number} {what}s")
    }
}
