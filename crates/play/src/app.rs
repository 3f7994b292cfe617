//! The program: which screen is shown, and what a key does to it.
//!
//! The loop never blocks: it waits for input no longer than the screen allows, lets time
//! pass, and draws when something has changed.

use crate::collection;
use crate::screens::chrome::{self, LEAST};
use crate::screens::cse::{CseOptions, CseScreen};
use crate::screens::help::Help;
use crate::screens::menu::Menu;
use crate::screens::picker::Picker;
use crate::screens::sokoban::SokobanScreen;
use crate::screens::tiles::{TilesOptions, TilesScreen};
use crate::screens::watch::WatchScreen;
use crate::screens::{self, Go, IDLE, Shared};
use crate::terminal::Screen;
use crate::theme::Role;
use crossterm::event::{self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use std::io;
use std::time::{Duration, Instant};

/// No wait to speak of. At zero the source of events does not look at all.
const SOON: Duration = Duration::from_micros(1);

/// Which screen is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    Menu,
    Picker,
    Sokoban,
    Watch,
    Tiles,
    Cse,
}

/// The program.
#[derive(Debug)]
pub(crate) struct App {
    pub(crate) shared: Shared,
    place: Place,
    /// Where Esc in the menu leads back to.
    before_menu: Option<Place>,
    help: Option<Help>,
    menu: Menu,
    picker: Picker,
    sokoban: Option<SokobanScreen>,
    watch: Option<WatchScreen>,
    tiles: Option<TilesScreen>,
    cse: Option<CseScreen>,
    /// A playback that was asked for by itself ends the program when it is left.
    watch_only: bool,
    running: bool,
}

impl App {
    /// The program at its menu.
    pub(crate) fn new(shared: Shared) -> Self {
        let picker = Picker::new(&shared, 0);
        Self {
            shared,
            place: Place::Menu,
            before_menu: None,
            help: None,
            menu: Menu::default(),
            picker,
            sokoban: None,
            watch: None,
            tiles: None,
            cse: None,
            watch_only: false,
            running: true,
        }
    }

    pub(crate) fn at_picker(mut self) -> Self {
        self.go(Go::Picker);
        self
    }

    pub(crate) fn at_level(mut self, index: usize) -> Self {
        self.go(Go::Level(index));
        self
    }

    pub(crate) fn at_watch(mut self, screen: WatchScreen) -> Self {
        (self.watch, self.place, self.watch_only) = (Some(screen), Place::Watch, true);
        self
    }

    pub(crate) fn at_tiles(mut self, screen: TilesScreen) -> Self {
        (self.tiles, self.place) = (Some(screen), Place::Tiles);
        self
    }

    pub(crate) fn at_cse(mut self, screen: CseScreen) -> Self {
        (self.cse, self.place) = (Some(screen), Place::Cse);
        self
    }

    /// Runs until the player leaves or the system ends the program.
    pub(crate) fn run(mut self, screen: &mut Screen) -> io::Result<()> {
        let mut changed = true;
        let mut last = Instant::now();
        while self.running && !screen.is_ended() {
            if changed {
                screen.terminal.draw(|frame| self.draw(frame.area(), frame.buffer_mut()))?;
                changed = false;
            }
            let input = event::poll(self.wait())?;
            // Time passes before the input counts: what a key starts has not waited yet.
            let passed = last.elapsed();
            last = Instant::now();
            changed |= self.tick(passed);
            if input {
                // Everything that has come in meanwhile is handled before the next drawing.
                loop {
                    let area = Rect::from((Default::default(), screen.terminal.size()?));
                    self.event(&event::read()?, area);
                    changed = true;
                    if !self.running || !event::poll(SOON)? {
                        break;
                    }
                }
            }
        }
        self.shared.store.flush();
        Ok(())
    }

    fn wait(&self) -> Duration {
        let wanted = match self.place {
            Place::Menu => IDLE,
            Place::Picker => self.picker.wait(),
            Place::Sokoban => self.sokoban.as_ref().map_or(IDLE, SokobanScreen::wait),
            Place::Watch => self.watch.as_ref().map_or(IDLE, WatchScreen::wait),
            Place::Tiles => self.tiles.as_ref().map_or(IDLE, TilesScreen::wait),
            Place::Cse => self.cse.as_ref().map_or(IDLE, CseScreen::wait),
        };
        // Signals are noticed between waits.
        wanted.min(IDLE)
    }

    pub(crate) fn tick(&mut self, passed: Duration) -> bool {
        match self.place {
            Place::Menu => false,
            Place::Picker => self.picker.tick(&mut self.shared),
            Place::Watch => self.watch.as_mut().is_some_and(|screen| screen.tick(passed)),
            Place::Tiles => self.tiles.as_mut().is_some_and(|screen| screen.tick(passed)),
            Place::Cse => self.cse.as_mut().is_some_and(CseScreen::tick),
            Place::Sokoban => {
                let Some(screen) = &mut self.sokoban else { return false };
                let (changed, go) = screen.tick(passed, &mut self.shared);
                self.go(go);
                changed
            }
        }
    }

    pub(crate) fn event(&mut self, event: &Event, area: Rect) {
        let go = match *event {
            Event::Key(key) if key.kind != KeyEventKind::Release => self.key(key, area),
            Event::Mouse(mouse) if self.help.is_none() && !is_small(area) => match self.place {
                Place::Menu => self.menu.mouse(mouse, area),
                Place::Picker => self.picker.mouse(mouse, area),
                Place::Sokoban => match &mut self.sokoban {
                    Some(screen) => screen.mouse(mouse, area, &mut self.shared),
                    None => Go::Stay,
                },
                Place::Watch => self.watch.as_mut().map_or(Go::Stay, |screen| screen.mouse(mouse, area)),
                Place::Tiles => self.tiles.as_mut().map_or(Go::Stay, |screen| screen.mouse(mouse, area)),
                Place::Cse => self.cse.as_mut().map_or(Go::Stay, |screen| screen.mouse(mouse, area)),
            },
            _ => Go::Stay,
        };
        self.go(go);
    }

    fn key(&mut self, key: KeyEvent, area: Rect) -> Go {
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        if control && key.code == KeyCode::Char('c') {
            return Go::Quit;
        }
        if is_small(area) {
            return if key.code == KeyCode::Char('q') { Go::Quit } else { Go::Stay };
        }
        if control {
            return Go::Stay;
        }
        if let Some(help) = &mut self.help {
            if let Go::Back = help.key(key, area) {
                self.help = None;
            }
            return Go::Stay;
        }
        match self.place {
            Place::Menu => self.menu.key(key),
            Place::Picker => self.picker.key(key, area, &self.shared),
            Place::Sokoban => match &mut self.sokoban {
                Some(screen) => screen.key(key, &mut self.shared),
                None => Go::Picker,
            },
            Place::Watch => self.watch.as_mut().map_or(Go::Back, |screen| screen.key(key)),
            Place::Tiles => match &mut self.tiles {
                Some(screen) => screen.key(key, &mut self.shared),
                None => Go::Tiles,
            },
            Place::Cse => match &mut self.cse {
                Some(screen) => screen.key(key, &mut self.shared),
                None => Go::Cse,
            },
        }
    }

    fn go(&mut self, go: Go) {
        match go {
            Go::Stay => {}
            Go::Quit => self.running = false,
            Go::Help => self.help = Some(self.help_here()),
            Go::Menu => self.enter(Place::Menu),
            Go::Back => match (self.place, self.before_menu) {
                (Place::Menu, Some(before)) => self.place = before,
                (Place::Watch, _) if self.watch_only => self.running = false,
                (Place::Watch, _) => self.place = Place::Sokoban,
                _ => {}
            },
            Go::Picker => {
                if let Some(screen) = &self.sokoban {
                    self.picker.revisit(screen.index(), &self.shared);
                }
                self.enter(Place::Picker);
            }
            Go::Level(index) => {
                self.sokoban = Some(SokobanScreen::open(index, &mut self.shared));
                self.enter(Place::Sokoban);
            }
            Go::Open(path) => match collection::open(&path) {
                Ok(opened) => {
                    let found = screens::count(opened.levels.len(), "level");
                    let broken = match opened.broken {
                        0 => String::new(),
                        broken => format!("; {broken} more are broken and left out"),
                    };
                    self.shared.take(opened.title, opened.levels);
                    self.sokoban = None;
                    self.picker = Picker::new(&self.shared, 0);
                    self.picker.say((format!("Opened: {found}{broken}."), Role::Good));
                }
                Err(reason) => self.picker.say((screens::printable(&reason), Role::Lost)),
            },
            Go::Sokoban if self.sokoban.is_some() => self.enter(Place::Sokoban),
            Go::Sokoban => self.go(Go::Picker),
            Go::Watch(title, lurd, from) => {
                let index = self.sokoban.as_ref().map_or(0, SokobanScreen::index);
                self.watch = WatchScreen::of_level(title, index, &lurd, from, &self.shared);
                if self.watch.is_some() {
                    self.watch_only = false;
                    self.enter(Place::Watch);
                }
            }
            Go::Tiles => {
                let seed = self.shared.next_seed();
                if self.tiles.is_none() {
                    self.tiles = TilesOptions::default().game(seed).ok().map(TilesScreen::new);
                }
                self.enter(Place::Tiles);
            }
            Go::Cse => {
                let seed = self.shared.next_seed();
                self.cse.get_or_insert_with(|| CseScreen::new(CseOptions::default(), seed));
                self.enter(Place::Cse);
            }
        }
    }

    fn enter(&mut self, place: Place) {
        if place == Place::Menu && self.place != Place::Menu {
            self.before_menu = Some(self.place);
        }
        self.place = place;
    }

    fn help_here(&self) -> Help {
        match self.place {
            Place::Menu => Help::new("menu", screens::menu::KEYS, false),
            Place::Picker => Help::new("levels", screens::picker::KEYS, false),
            Place::Sokoban => Help::new("Sokoban", screens::sokoban::KEYS, true),
            Place::Watch => Help::new("playback", screens::watch::KEYS, true),
            Place::Tiles => Help::new("sliding tiles", screens::tiles::KEYS, false),
            Place::Cse => Help::new("CSE", screens::cse::KEYS, false),
        }
    }

    pub(crate) fn draw(&self, area: Rect, buffer: &mut Buffer) {
        let theme = self.shared.theme;
        if is_small(area) {
            return chrome::too_small(area, buffer, theme);
        }
        if let Some(help) = &self.help {
            return help.draw(area, buffer, theme);
        }
        match self.place {
            Place::Menu => self.menu.draw(area, buffer, &self.shared),
            Place::Picker => self.picker.draw(area, buffer, &self.shared),
            Place::Sokoban => {
                if let Some(screen) = &self.sokoban {
                    screen.draw(area, buffer, &self.shared);
                }
            }
            Place::Watch => {
                if let Some(screen) = &self.watch {
                    screen.draw(area, buffer, theme);
                }
            }
            Place::Tiles => {
                if let Some(screen) = &self.tiles {
                    screen.draw(area, buffer, theme);
                }
            }
            Place::Cse => {
                if let Some(screen) = &self.cse {
                    screen.draw(area, buffer, theme);
                }
            }
        }
    }
}

fn is_small(area: Rect) -> bool {
    area.width < LEAST.0 || area.height < LEAST.1
}

#[cfg(test)]
mod tests;
