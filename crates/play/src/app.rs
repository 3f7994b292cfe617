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
use crate::screens::school::School;
use crate::screens::sokoban::SokobanScreen;
use crate::screens::tiles::{TilesOptions, TilesScreen};
use crate::screens::watch::{WatchScreen, playback};
use crate::screens::{self, Go, IDLE, Shared, View};
use crate::terminal::Screen;
use crate::theme::Role;
use crate::{First, PlayError};
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
    School,
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
    school: School,
    /// A playback that was asked for by itself ends the program when it is left.
    watch_only: bool,
    /// Ctrl-Z was pressed.
    suspends: bool,
    running: bool,
}

impl App {
    /// The program at the screen it begins with.
    pub(crate) fn new(shared: Shared, first: First) -> Result<Self, PlayError> {
        let mut app = Self {
            picker: Picker::new(&shared),
            shared,
            place: Place::Menu,
            before_menu: None,
            help: None,
            menu: Menu::default(),
            sokoban: None,
            watch: None,
            tiles: None,
            cse: None,
            school: School::default(),
            watch_only: false,
            suspends: false,
            running: true,
        };
        match first {
            First::Menu => {}
            First::Picker => app.go(Go::Picker),
            First::Level(index) => app.go(Go::Level(index)),
            First::Watch(level, lurd) => {
                let playback = playback(&level, &lurd, 0).map_err(PlayError::Solution)?;
                let title = level.title.unwrap_or_else(|| "Solution".to_owned());
                app.watch = Some(WatchScreen::new(title, playback));
                (app.place, app.watch_only) = (Place::Watch, true);
            }
            First::Tiles(options) => {
                let game = options.game(app.shared.next_seed())?;
                (app.tiles, app.place) = (Some(TilesScreen::new(game)), Place::Tiles);
            }
            First::Cse(options) => {
                let seed = app.shared.next_seed();
                (app.cse, app.place) = (Some(CseScreen::new(options, seed)), Place::Cse);
            }
        }
        Ok(app)
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
                    if !self.running || self.suspends || !event::poll(SOON)? {
                        break;
                    }
                }
            }
            if std::mem::take(&mut self.suspends) {
                self.shared.store.flush();
                screen.suspend()?;
                last = Instant::now();
            }
        }
        self.shared.store.flush();
        Ok(())
    }

    /// The screen shown.
    fn view(&self) -> Option<&dyn View> {
        Some(match self.place {
            Place::Menu => &self.menu,
            Place::Picker => &self.picker,
            Place::Sokoban => self.sokoban.as_ref()?,
            Place::Watch => self.watch.as_ref()?,
            Place::Tiles => self.tiles.as_ref()?,
            Place::Cse => self.cse.as_ref()?,
            Place::School => &self.school,
        })
    }

    /// The screen shown, to be changed, with what it shares with the others.
    fn view_mut(&mut self) -> Option<(&mut dyn View, &mut Shared)> {
        let view: &mut dyn View = match self.place {
            Place::Menu => &mut self.menu,
            Place::Picker => &mut self.picker,
            Place::Sokoban => self.sokoban.as_mut()?,
            Place::Watch => self.watch.as_mut()?,
            Place::Tiles => self.tiles.as_mut()?,
            Place::Cse => self.cse.as_mut()?,
            Place::School => &mut self.school,
        };
        Some((view, &mut self.shared))
    }

    fn wait(&self) -> Duration {
        // Signals are noticed between waits.
        self.view().map_or(IDLE, View::wait).min(IDLE)
    }

    pub(crate) fn tick(&mut self, passed: Duration) -> bool {
        let Some((view, shared)) = self.view_mut() else { return false };
        let (changed, go) = view.tick(passed, shared);
        self.go(go);
        changed
    }

    pub(crate) fn event(&mut self, event: &Event, area: Rect) {
        let go = match *event {
            Event::Key(key) if key.kind != KeyEventKind::Release => self.key(key, area),
            Event::Mouse(mouse) if self.help.is_none() && !is_small(area) => {
                self.view_mut().map_or(Go::Stay, |(view, shared)| view.mouse(mouse, area, shared))
            }
            _ => Go::Stay,
        };
        self.go(go);
    }

    fn key(&mut self, key: KeyEvent, area: Rect) -> Go {
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        if control && key.code == KeyCode::Char('c') {
            return Go::Quit;
        }
        if control && key.code == KeyCode::Char('z') {
            self.suspends = true;
            return Go::Stay;
        }
        if is_small(area) {
            return if key.code == KeyCode::Char('q') { Go::Quit } else { Go::Stay };
        }
        if control {
            if let (KeyCode::Char('u'), Some((view, shared))) = (key.code, self.view_mut()) {
                view.clear_line(shared);
            }
            return Go::Stay;
        }
        if let Some(help) = &mut self.help {
            if let Go::Back = help.key(key, area) {
                self.help = None;
            }
            return Go::Stay;
        }
        self.view_mut().map_or(Go::Stay, |(view, shared)| view.key(key, area, shared))
    }

    fn go(&mut self, go: Go) {
        match go {
            Go::Stay => {}
            Go::Quit => self.running = false,
            Go::Help => self.help = self.view().map(View::help),
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
            Go::School => self.enter(Place::School),
            Go::Made(level, origin) => {
                let index = self.shared.add(*level, origin);
                self.picker = Picker::new(&self.shared);
                self.go(Go::Level(index));
            }
            Go::Onwards(played) => {
                let seed = self.shared.next_seed();
                self.school.go_on(Some(played), seed);
                self.enter(Place::School);
            }
            Go::Level(index) => {
                self.shared.last = self.shared.levels.get(index).map(|level| level.map.clone());
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
                    self.picker = Picker::new(&self.shared);
                    self.picker.say((format!("Opened: {found}{broken}."), Role::Good));
                }
                Err(reason) => self.picker.say((screens::printable(&reason), Role::Lost)),
            },
            Go::Sokoban if self.sokoban.is_some() => self.enter(Place::Sokoban),
            Go::Sokoban => self.go(Go::Picker),
            Go::Watch(title, lurd, from) => {
                let index = self.sokoban.as_ref().map_or(0, SokobanScreen::index);
                let level = self.shared.levels.get(index);
                if let Some(playback) = level.and_then(|level| playback(level, &lurd, from).ok()) {
                    (self.watch, self.watch_only) = (Some(WatchScreen::new(title, playback)), false);
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

    pub(crate) fn draw(&self, area: Rect, buffer: &mut Buffer) {
        let theme = self.shared.theme;
        if is_small(area) {
            return chrome::too_small(area, buffer, theme);
        }
        if let Some(help) = &self.help {
            return help.draw(area, buffer, theme);
        }
        if let Some(view) = self.view() {
            view.draw(area, buffer, &self.shared);
        }
    }
}

fn is_small(area: Rect) -> bool {
    area.width < LEAST.0 || area.height < LEAST.1
}

#[cfg(test)]
mod tests;
