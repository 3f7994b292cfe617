//! The screens, one file each, drawn into buffers so that tests can look at them.

pub(crate) mod chrome;
pub(crate) mod cse;
pub(crate) mod help;
pub(crate) mod menu;
pub(crate) mod picker;
pub(crate) mod school;
pub(crate) mod sokoban;
pub(crate) mod tiles;
pub(crate) mod watch;

use crate::game::Game;
use crate::progress::Store;
use crate::session::Found;
use crate::theme::Theme;
use crossterm::event::{KeyCode, KeyEvent, MouseEvent};
use help::Help;
use lurd::{Direction, Level, Map};
use lurd_lessons::{Lesson, Played};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use std::time::Duration;

/// What the screens share.
#[derive(Debug)]
pub(crate) struct Shared {
    /// What the collection is called.
    pub(crate) title: String,
    pub(crate) levels: Vec<Level>,
    /// Whether the levels' own numbers make sense as a list.
    numbered: bool,
    pub(crate) store: Store,
    pub(crate) theme: Theme,
    /// Where levels come from that were added to the collection, by their place in it.
    pub(crate) origins: Vec<(usize, Origin)>,
    /// The level played last, for variations of it.
    pub(crate) last: Option<Map>,
    /// For random boards; each use takes the next.
    pub(crate) seed: u64,
}

impl Shared {
    pub(crate) fn new(title: String, levels: Vec<Level>, store: Store, theme: Theme, seed: u64) -> Self {
        let (origins, last) = (Vec::new(), None);
        let mut shared =
            Self { title: String::new(), levels: Vec::new(), numbered: false, store, theme, origins, last, seed };
        shared.take(title, levels);
        shared
    }

    /// Puts another collection in the place of this one.
    pub(crate) fn take(&mut self, title: String, levels: Vec<Level>) {
        self.numbered = levels.is_sorted_by(|one, next| one.number < next.number);
        (self.title, self.levels) = (title, levels);
        self.origins.clear();
    }

    /// Adds a level to the collection, or finds it there, and returns its place.
    pub(crate) fn add(&mut self, level: Level, origin: Origin) -> usize {
        let known =
            self.origins.iter().find(|(index, _)| self.levels.get(*index).is_some_and(|old| old.map == level.map));
        if let Some(&(index, _)) = known {
            return index;
        }
        // Its number is of the file it would be in; here it follows the others.
        let number = self.levels.iter().map(|level| level.number).max().unwrap_or(0) + 1;
        self.levels.push(Level { number, ..level });
        self.origins.push((self.levels.len() - 1, origin));
        self.levels.len() - 1
    }

    /// Where a level comes from, if it was added.
    pub(crate) fn origin(&self, index: usize) -> Option<Origin> {
        self.origins.iter().find(|(at, _)| *at == index).map(|(_, origin)| *origin)
    }

    pub(crate) fn next_seed(&mut self) -> u64 {
        self.seed = self.seed.wrapping_add(1);
        self.seed
    }

    /// The number of a level in its file, where broken ones between are counted too; or else its
    /// place in the list.
    pub(crate) fn number(&self, index: usize) -> usize {
        self.levels.get(index).filter(|_| self.numbered).map_or(index + 1, |level| level.number)
    }

    /// A level's title, or else its number.
    pub(crate) fn level_title(&self, index: usize) -> String {
        let title = self.levels.get(index).and_then(|level| level.title.as_deref()).map(printable);
        title.unwrap_or_else(|| format!("Level {}", self.number(index)))
    }
}

/// Where a level comes from that was added to the collection.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Origin {
    /// It was made for the player.
    Made,
    /// It belongs to the endless series.
    Series,
    /// It belongs to a lesson.
    Lesson(&'static Lesson),
}

pub(crate) use lurd::contract::printable;

/// Where to go after a key.
#[derive(Debug)]
pub(crate) enum Go {
    Stay,
    Menu,
    Picker,
    Level(usize),
    /// To the levels of a file.
    Open(String),
    /// Back to the level being played, or on to the list.
    Sokoban,
    /// To the playback of a solution: its title, the moves, and where to begin.
    Watch(String, String, usize),
    Tiles,
    Cse,
    /// To new levels and lessons.
    School,
    /// To a level that is not in the collection yet.
    Made(Box<Level>, Origin),
    /// To the next level of the series.
    Onwards(Played),
    /// To where one came from.
    Back,
    Help,
    /// Out.
    Quit,
}

impl Go {
    fn watch_found(title: String, found: &Found) -> Self {
        Self::Watch(title, format!("{}{}", found.before, found.lurd), found.before.len())
    }
}

/// A screen.
pub(crate) trait View {
    /// Handles a key; says where to go.
    fn key(&mut self, key: KeyEvent, area: Rect, shared: &mut Shared) -> Go;

    /// Handles the mouse; says where to go.
    fn mouse(&mut self, event: MouseEvent, area: Rect, shared: &mut Shared) -> Go;

    /// Empties the line that is being typed, if there is one.
    fn clear_line(&mut self, _: &mut Shared) {}

    /// Lets time pass; says whether the screen has changed, and where to go.
    fn tick(&mut self, _: Duration, _: &mut Shared) -> (bool, Go) {
        (false, Go::Stay)
    }

    /// How long it can wait for input before it wants to be asked again.
    fn wait(&self) -> Duration {
        IDLE
    }

    fn draw(&self, area: Rect, buffer: &mut Buffer, shared: &Shared);

    fn help(&self) -> Help;
}

/// How long a screen can wait for input while nothing happens on it.
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

/// Moves, pushes and boxes home.
fn counters(game: &Game, theme: Theme) -> String {
    let dot = theme.sign("·", "|");
    let (moves, pushes) = (count(game.moves(), "move"), count(game.pushes(), "push"));
    format!("{moves} {dot} {pushes} {dot} {}/{} home", game.boxes_home(), game.board().goals().len())
}

/// `1 move`, `2 moves`, `2 pushes`.
pub(crate) fn count(number: usize, what: &str) -> String {
    if number == 1 {
        format!("1 {what}")
    } else if what.ends_with('x') || what.ends_with("sh") {
        format!("{number} {what}es")
    } else {
        format!("{number} {what}s")
    }
}
