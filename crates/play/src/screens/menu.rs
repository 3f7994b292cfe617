//! The main menu.

use super::chrome::{self, Page};
use super::help::Help;
use super::{Go, Shared, View, count, printable};
use crate::theme::Role;
use crossterm::event::{KeyCode, KeyEvent, MouseButton, MouseEvent, MouseEventKind};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Modifier;

/// Keys of this screen for the help.
const KEYS: &[(&str, &str)] =
    &[("Up, Down", "choose"), ("Enter, 1 to 7, click", "go there"), ("Esc", "back to the game"), ("q", "leave")];

const ENTRIES: [&str; 7] =
    ["Sokoban", "Levels", "New levels, lessons", "Sliding tiles", "CSE, the letter game", "Help", "Leave"];

#[derive(Debug, Default)]
pub(crate) struct Menu {
    chosen: usize,
}

impl Menu {
    fn go(index: usize) -> Go {
        match index {
            0 => Go::Sokoban,
            1 => Go::Picker,
            2 => Go::School,
            3 => Go::Tiles,
            4 => Go::Cse,
            5 => Go::Help,
            _ => Go::Quit,
        }
    }
}

impl View for Menu {
    fn key(&mut self, key: KeyEvent, _: Rect, _: &mut Shared) -> Go {
        match key.code {
            KeyCode::Up | KeyCode::Char('k' | 'w') => self.chosen = (self.chosen + ENTRIES.len() - 1) % ENTRIES.len(),
            KeyCode::Down | KeyCode::Char('j' | 's') | KeyCode::Tab => self.chosen = (self.chosen + 1) % ENTRIES.len(),
            KeyCode::Enter | KeyCode::Char(' ') => return Self::go(self.chosen),
            KeyCode::Char(digit @ '1'..='7') => return Self::go(digit as usize - '1' as usize),
            KeyCode::Esc | KeyCode::Char('m') => return Go::Back,
            KeyCode::Char('?') => return Go::Help,
            KeyCode::Char('q') => return Go::Quit,
            _ => {}
        }
        Go::Stay
    }

    fn mouse(&mut self, event: MouseEvent, area: Rect, _: &mut Shared) -> Go {
        let first = first_line(chrome::body(area));
        let line = usize::from(event.row.saturating_sub(first));
        match event.kind {
            MouseEventKind::Down(MouseButton::Left) if event.row >= first && line < ENTRIES.len() => {
                self.chosen = line;
                Self::go(line)
            }
            _ => Go::Stay,
        }
    }

    fn draw(&self, area: Rect, buffer: &mut Buffer, shared: &Shared) {
        let theme = shared.theme;
        let levels = count(shared.levels.len(), "level");
        let page = Page {
            title: "lurd".into(),
            corner: String::new(),
            figures: "left, up, right, down".into(),
            message: shared.store.trouble().map(|trouble| (trouble, Role::Lost)),
            keys: &[("Enter", "go"), ("Esc", "back"), ("q", "leave"), ("Up Down", "choose")],
        };
        let body = chrome::draw(&page, area, buffer, theme);
        for (index, entry) in ENTRIES.iter().enumerate() {
            let what = match index {
                0 => "go on playing".to_owned(),
                1 => format!("{}: {levels}", printable(&shared.title)),
                2 => "one for every day, and more like the last".to_owned(),
                3 => "the 8-, 15- and 24-puzzle".to_owned(),
                4 => "against the computer".to_owned(),
                _ => String::new(),
            };
            let mut style = theme.style(if index == self.chosen { Role::Key } else { Role::Text });
            if index == self.chosen {
                style = style.add_modifier(Modifier::REVERSED);
            }
            let y = first_line(body) + index as u16;
            let x = body.x + if body.width >= 60 { body.width / 6 } else { 1 };
            let line = format!(" {} {entry:<21} ", index + 1);
            chrome::put(buffer, x, y, body.right() - x, &line, style);
            let what_x = x + line.chars().count() as u16 + 1;
            chrome::put(buffer, what_x, y, body.right().saturating_sub(what_x), &what, theme.style(Role::Quiet));
        }
    }

    fn help(&self) -> Help {
        Help::new("menu", KEYS, false)
    }
}

fn first_line(body: Rect) -> u16 {
    body.y + body.height.saturating_sub(ENTRIES.len() as u16) / 3
}
