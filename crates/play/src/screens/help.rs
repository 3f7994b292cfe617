//! The keys of a screen, and what the signs on it mean.

use super::Go;
use super::chrome::{self, Page};
use crate::theme::{Colours, Role, Theme};
use crossterm::event::{KeyCode, KeyEvent};
use lurd::Cell;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

#[derive(Debug)]
pub(crate) struct Help {
    title: &'static str,
    keys: &'static [(&'static str, &'static str)],
    /// Whether the signs of a Sokoban board are explained.
    signs: bool,
    scroll: usize,
}

const SIGNS: [(Cell, &str); 6] = [
    (Cell::Player, "you"),
    (Cell::PlayerOnGoal, "you, on a goal"),
    (Cell::Box, "a box"),
    (Cell::BoxOnGoal, "a box on a goal"),
    (Cell::Goal, "a goal"),
    (Cell::Wall, "a wall"),
];

impl Help {
    pub(crate) fn new(title: &'static str, keys: &'static [(&'static str, &'static str)], signs: bool) -> Self {
        Self { title, keys, signs, scroll: 0 }
    }

    pub(crate) fn key(&mut self, key: KeyEvent, area: Rect) -> Go {
        let most = self.lines(Theme::new(Colours::None, false)).len();
        let most = most.saturating_sub(chrome::body(area).height.into());
        match key.code {
            KeyCode::Down | KeyCode::Char('j' | 's') => self.scroll = (self.scroll + 1).min(most),
            KeyCode::Up | KeyCode::Char('k' | 'w') => self.scroll = self.scroll.saturating_sub(1),
            KeyCode::PageDown | KeyCode::Char(' ') => self.scroll = (self.scroll + 6).min(most),
            KeyCode::PageUp => self.scroll = self.scroll.saturating_sub(6),
            _ => return Go::Back,
        }
        Go::Stay
    }

    fn lines(&self, theme: Theme) -> Vec<(String, &'static str, Style)> {
        let key = theme.style(Role::Key);
        let mut lines: Vec<_> = self.keys.iter().map(|&(name, what)| (name.to_owned(), what, key)).collect();
        if self.signs {
            let sign = |&(cell, what): &(Cell, &'static str)| {
                (format!("{}  {}", theme.wide(cell), theme.narrow(cell)), what, theme.cell_style(cell))
            };
            lines.extend(SIGNS.iter().map(sign));
            lines.push(("><  X".into(), "a box that can never get home", theme.style(Role::Lost)));
        }
        lines
    }

    pub(crate) fn draw(&self, area: Rect, buffer: &mut Buffer, theme: Theme) {
        let lines = self.lines(theme);
        let height = usize::from(chrome::body(area).height);
        let more = lines.len() > height;
        let page = Page {
            title: format!("Help: {}", self.title),
            corner: String::new(),
            figures: String::new(),
            message: more.then(|| ("Up and Down scroll.".into(), Role::Quiet)),
            keys: &[("any key", "back")],
        };
        let body = chrome::draw(&page, area, buffer, theme);
        let column = lines.iter().map(|line| line.0.chars().count()).max().unwrap_or(0) as u16 + 2;
        let column = column.min(body.width / 2);
        for ((key, what, style), y) in lines.iter().skip(self.scroll).zip(body.y..body.bottom()) {
            chrome::put(buffer, body.x, y, column.saturating_sub(1), key, *style);
            let x = body.x + column;
            chrome::put(buffer, x, y, body.right().saturating_sub(x), what, theme.style(Role::Text));
        }
    }
}
