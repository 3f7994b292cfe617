//! The list of levels: search, what has been solved, and a picture of the chosen one.

use super::chrome::{self, Page};
use super::help::Help;
use super::{BUSY, Go, IDLE, Shared, View, count, printable};
use crate::board_view;
use crate::level_id::{LevelId, normal_form};
use crate::theme::Role;
use crossterm::event::{KeyCode, KeyEvent, MouseButton, MouseEvent, MouseEventKind};
use lurd::Board;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Modifier;
use std::time::{Duration, Instant};

/// Keys of this screen for the help.
const KEYS: &[(&str, &str)] = &[
    ("Up, Down, j, k", "choose"),
    ("PageUp, PageDown", "a page on or back"),
    ("Home, End", "the first or last level"),
    ("Enter, click", "play it"),
    ("/", "search titles, authors, numbers"),
    ("f", "show all, unsolved or solved"),
    ("O", "open a file of levels; ~ is your home folder"),
    ("Ctrl-U", "empty the line you type"),
    ("Esc", "clear the search; then the menu"),
    ("q", "leave"),
];

/// What is known of a level.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Status {
    /// It cannot be played, and why.
    Broken(String),
    Fresh,
    /// Begun, not solved.
    Begun,
    /// Solved, with the fewest moves and pushes.
    Solved(usize, usize),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Show {
    All,
    Unsolved,
    Solved,
}

/// What is being typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Typing {
    Nothing,
    Search,
    Path,
}

#[derive(Debug)]
pub(crate) struct Picker {
    search: String,
    path: String,
    typing: Typing,
    /// What became of opening a file.
    message: Option<chrome::Message>,
    /// When the level played last was played, while the player has not pointed at one himself.
    latest: Option<u64>,
    show: Show,
    /// What is known of each level; found out a few at a time, as files must be looked at.
    statuses: Vec<Option<Status>>,
    /// All before this one have been looked at.
    looked: usize,
    /// The levels that match.
    matches: Vec<usize>,
    /// The place in `matches`.
    chosen: usize,
}

impl Picker {
    pub(crate) fn new(shared: &Shared) -> Self {
        let mut picker = Self {
            search: String::new(),
            path: String::new(),
            typing: Typing::Nothing,
            message: None,
            latest: Some(0),
            show: Show::All,
            statuses: vec![None; shared.levels.len()],
            looked: 0,
            matches: Vec::new(),
            chosen: 0,
        };
        picker.refresh(shared, None);
        picker
    }

    /// Says something until the next key.
    pub(crate) fn say(&mut self, message: chrome::Message) {
        self.message = Some(message);
    }

    /// Looks again at the levels, as some were played meanwhile, and points at the last one.
    pub(crate) fn revisit(&mut self, index: usize, shared: &Shared) {
        // From one level one can go on to others: all of them are looked at again, and shown as they were until then.
        self.looked = 0;
        self.latest = None;
        self.refresh(shared, Some(index));
    }

    fn refresh(&mut self, shared: &Shared, keep: Option<usize>) {
        let keep = keep.or_else(|| self.matches.get(self.chosen).copied());
        let wanted = self.search.to_lowercase();
        let found = |&index: &usize| {
            let level = &shared.levels[index];
            let text =
                format!("{} {} {}", index + 1, shared.level_title(index), level.author.as_deref().unwrap_or_default());
            let solved = matches!(self.statuses[index], Some(Status::Solved(..)));
            let shown = match self.show {
                Show::All => true,
                Show::Unsolved => !solved,
                Show::Solved => solved,
            };
            shown && text.to_lowercase().contains(&wanted)
        };
        self.matches = (0..shared.levels.len()).filter(found).collect();
        // A search for a number goes to the level of that number.
        let number = wanted.trim().parse::<usize>().ok();
        let exact = number.and_then(|number| (0..shared.levels.len()).find(|&index| shared.number(index) == number));
        let place = |index: Option<usize>| self.matches.iter().position(|&found| Some(found) == index);
        self.chosen = place(exact).or_else(|| place(keep)).unwrap_or(0);
    }

    fn open(&mut self) -> Go {
        self.typing = Typing::Nothing;
        self.matches.get(self.chosen).map_or(Go::Stay, |&index| Go::Level(index))
    }

    /// The first line shown of the list.
    fn first(&self, height: u16) -> usize {
        let height = usize::from(height);
        self.chosen.saturating_sub(height / 2).min(self.matches.len().saturating_sub(height))
    }

    fn about_chosen(&self, shared: &Shared) -> Option<chrome::Message> {
        let &index = self.matches.get(self.chosen)?;
        let level = &shared.levels[index];
        let size = format!("{}x{}", level.map.width(), level.map.height());
        let author = level.author.as_ref().map(|author| format!(", by {}", printable(author))).unwrap_or_default();
        Some(match self.statuses[index].as_ref() {
            Some(Status::Broken(reason)) => (format!("It cannot be played: {reason}."), Role::Lost),
            Some(Status::Solved(moves, pushes)) => {
                let best = format!("best {}, {}", count(*moves, "move"), count(*pushes, "push"));
                (format!("{size}{author}. Solved: {best}."), Role::Good)
            }
            Some(Status::Begun) => (format!("{size}{author}. Begun."), Role::Hint),
            Some(Status::Fresh) | None => (format!("{size}{author}."), Role::Quiet),
        })
    }
}

impl View for Picker {
    fn key(&mut self, key: KeyEvent, area: Rect, shared: &mut Shared) -> Go {
        let page = usize::from(chrome::body(area).height).max(1);
        let last = self.matches.len().saturating_sub(1);
        self.message = None;
        self.latest = None;
        match (self.typing, key.code) {
            (Typing::Path, KeyCode::Enter) => {
                self.typing = Typing::Nothing;
                return if self.path.trim().is_empty() { Go::Stay } else { Go::Open(self.path.clone()) };
            }
            (Typing::Search | Typing::Path, KeyCode::Char(_) | KeyCode::Backspace | KeyCode::Esc) => {
                let text = if self.typing == Typing::Search { &mut self.search } else { &mut self.path };
                match key.code {
                    KeyCode::Char(letter) => text.push(letter),
                    KeyCode::Backspace => drop(text.pop()),
                    _ if self.typing == Typing::Search => text.clear(),
                    _ => {}
                }
                if self.typing == Typing::Search {
                    self.refresh(shared, None);
                }
                if key.code == KeyCode::Esc {
                    self.typing = Typing::Nothing;
                }
                return Go::Stay;
            }
            _ => {}
        }
        match key.code {
            KeyCode::Up | KeyCode::Char('k' | 'w') => self.chosen = self.chosen.saturating_sub(1),
            KeyCode::Down | KeyCode::Char('j' | 's') => self.chosen = (self.chosen + 1).min(last),
            KeyCode::PageUp => self.chosen = self.chosen.saturating_sub(page),
            KeyCode::PageDown => self.chosen = (self.chosen + page).min(last),
            KeyCode::Home => self.chosen = 0,
            KeyCode::End => self.chosen = last,
            KeyCode::Enter | KeyCode::Char(' ' | 'l') | KeyCode::Right => return self.open(),
            KeyCode::Char('/') => self.typing = Typing::Search,
            KeyCode::Char('O') => self.typing = Typing::Path,
            KeyCode::Char('f') => {
                self.show = match self.show {
                    Show::All => Show::Unsolved,
                    Show::Unsolved => Show::Solved,
                    Show::Solved => Show::All,
                };
                self.refresh(shared, None);
            }
            KeyCode::Esc if !self.search.is_empty() => {
                self.search.clear();
                self.refresh(shared, None);
            }
            KeyCode::Esc | KeyCode::Char('m') => return Go::Menu,
            KeyCode::Char('?') => return Go::Help,
            KeyCode::Char('q') => return Go::Quit,
            _ => {}
        }
        Go::Stay
    }

    fn clear_line(&mut self, shared: &mut Shared) {
        match self.typing {
            Typing::Search => {
                self.search.clear();
                self.refresh(shared, None);
            }
            Typing::Path => self.path.clear(),
            Typing::Nothing => {}
        }
    }

    fn mouse(&mut self, event: MouseEvent, area: Rect, _: &mut Shared) -> Go {
        self.latest = None;
        let (list, _) = parts(chrome::body(area));
        match event.kind {
            MouseEventKind::Down(MouseButton::Left) if list.contains((event.column, event.row).into()) => {
                let place = self.first(list.height) + usize::from(event.row - list.y);
                let again = self.chosen == place;
                if place < self.matches.len() {
                    self.chosen = place;
                    return if again { self.open() } else { Go::Stay };
                }
            }
            MouseEventKind::ScrollUp => self.chosen = self.chosen.saturating_sub(1),
            MouseEventKind::ScrollDown => self.chosen = (self.chosen + 1).min(self.matches.len().saturating_sub(1)),
            _ => {}
        }
        Go::Stay
    }

    /// Looks at a few more levels.
    fn tick(&mut self, _: Duration, shared: &mut Shared) -> (bool, Go) {
        let until = Instant::now() + Duration::from_millis(10);
        let first = self.looked;
        while self.looked < self.statuses.len() && (self.looked == first || Instant::now() < until) {
            let index = self.looked;
            self.looked += 1;
            let (status, played) = status(index, shared);
            self.statuses[index] = Some(status);
            if let Some(latest) = &mut self.latest
                && played > *latest
            {
                *latest = played;
                self.chosen = index;
            }
        }
        let all = self.looked == self.statuses.len();
        if self.looked > first && all && self.show != Show::All {
            self.refresh(shared, None);
        }
        (self.looked > first, Go::Stay)
    }

    fn wait(&self) -> Duration {
        if self.looked < self.statuses.len() { BUSY / 10 } else { IDLE }
    }

    fn draw(&self, area: Rect, buffer: &mut Buffer, shared: &Shared) {
        let theme = shared.theme;
        let solved = self.statuses.iter().filter(|status| matches!(status, Some(Status::Solved(..)))).count();
        let show = match self.show {
            Show::All => "all",
            Show::Unsolved => "unsolved",
            Show::Solved => "solved",
        };
        let found = count(self.matches.len(), "level");
        let page = Page {
            title: printable(&shared.title),
            corner: format!("{solved}/{} solved", shared.levels.len()),
            figures: match self.typing {
                Typing::Search => format!("search: {}_  ({found})", self.search),
                Typing::Path => format!("open the file: {}_", self.path),
                Typing::Nothing if self.search.is_empty() => format!("{found} shown ({show})"),
                Typing::Nothing => format!("search: {}  ({found}; Esc clears)", self.search),
            },
            message: self.message.clone().or_else(|| self.about_chosen(shared)),
            keys: &[("Enter", "play"), ("/", "search"), ("f", show), ("O", "open"), ("Esc", "menu"), ("q", "leave")],
        };
        let body = chrome::draw(&page, area, buffer, theme);
        let (list, picture) = parts(body);
        let first = self.first(list.height);
        let digits = shared.number(shared.levels.len().saturating_sub(1)).to_string().len();
        for (place, y) in (first..self.matches.len()).zip(list.y..list.bottom()) {
            let index = self.matches[place];
            let (mark, role) = match &self.statuses[index] {
                Some(Status::Solved(..)) => (theme.sign("✓", "*"), Role::Good),
                Some(Status::Begun) => ("~", Role::Hint),
                Some(Status::Broken(_)) => ("!", Role::Lost),
                Some(Status::Fresh) | None => (" ", Role::Text),
            };
            buffer.set_string(list.x, y, mark, theme.style(role));
            let text = format!(" {:>digits$} {} ", shared.number(index), shared.level_title(index));
            let mut style = theme.style(Role::Text);
            if place == self.chosen {
                style = theme.style(Role::Key).add_modifier(Modifier::REVERSED);
            }
            chrome::put(buffer, list.x + 1, y, list.width.saturating_sub(1), &text, style);
        }
        match self.matches.get(self.chosen) {
            Some(&index) => board_view::thumbnail(&shared.levels[index].map, picture, buffer, theme),
            None => {
                let text = if shared.levels.is_empty() { "no levels here: O opens a file" } else { "nothing matches" };
                chrome::put(buffer, body.x + 1, list.y, body.width - 1, text, theme.style(Role::Quiet));
            }
        }
    }

    fn help(&self) -> Help {
        Help::new("levels", KEYS, false)
    }
}

/// What is known of a level, and when it was played last.
fn status(index: usize, shared: &mut Shared) -> (Status, u64) {
    let board = match Board::new(&shared.levels[index].map) {
        Ok(board) => board,
        Err(error) => return (Status::Broken(error.to_string()), 0),
    };
    let record = shared.store.record(LevelId::of(&board), &normal_form(&board));
    let status = match (&record.best_moves, &record.best_pushes) {
        (Some(moves), Some(pushes)) => Status::Solved(moves.moves, pushes.pushes),
        _ if !record.current.is_empty() => Status::Begun,
        _ => Status::Fresh,
    };
    (status, record.played)
}

/// The list and the picture beside it.
fn parts(body: Rect) -> (Rect, Rect) {
    let list = body.width / 2;
    let picture = Rect { x: body.x + list + 1, width: body.width.saturating_sub(list + 1), ..body };
    (Rect { width: list, ..body }, picture)
}
