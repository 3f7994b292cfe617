//! A solution played back, with a bar to scrub along.

use super::chrome::{self, Page};
use super::help::Help;
use super::{Go, IDLE, MOVING, Shared, View, count, counters, direction};
use crate::board_view::{self, Marks};
use crate::playback::Playback;
use crate::theme::{Role, Theme};
use crossterm::event::{KeyCode, KeyEvent, MouseButton, MouseEvent, MouseEventKind};
use lurd::Direction;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use std::time::Duration;

/// Keys of this screen for the help.
const KEYS: &[(&str, &str)] = &[
    ("Space", "play or pause"),
    ("Right, Left", "one move on or back"),
    ("], [", "to the next or previous push"),
    ("PageDown, PageUp", "a tenth on or back"),
    ("0 to 9", "to that tenth"),
    ("Home, End", "to the beginning or end"),
    ("+, - (Up, Down)", "faster, slower"),
    ("click or drag", "the bar goes there"),
    ("Esc", "back"),
];

#[derive(Debug)]
pub(crate) struct WatchScreen {
    title: String,
    playback: Playback,
}

impl WatchScreen {
    pub(crate) fn new(title: String, mut playback: Playback) -> Self {
        playback.toggle();
        Self { title, playback }
    }

    fn draw_bar(&self, bar: Rect, buffer: &mut Buffer, theme: Theme) {
        let (position, length) = (self.playback.position(), self.playback.length());
        let width = usize::from(bar.width.saturating_sub(1)).max(1);
        let knob = (position * width).checked_div(length).unwrap_or(width) as u16;
        for x in 0..bar.width {
            let (text, role) = match x.cmp(&knob) {
                std::cmp::Ordering::Less => (theme.sign("━", "="), Role::Key),
                std::cmp::Ordering::Equal => (theme.sign("█", "O"), Role::Key),
                std::cmp::Ordering::Greater => (theme.sign("─", "-"), Role::Quiet),
            };
            buffer.set_string(bar.x + x, bar.y, text, theme.style(role));
        }
        let text = format!("move {position} of {length}, {} a second", count(self.playback.speed() as usize, "move"));
        chrome::put_centred(buffer, bar, bar.y + 1, &text, theme.style(Role::Text));
    }
}

impl View for WatchScreen {
    fn key(&mut self, key: KeyEvent, _: Rect, _: &mut Shared) -> Go {
        let tenth = (self.playback.length() / 10).max(1) as isize;
        match (key.code, direction(key.code)) {
            (KeyCode::Esc | KeyCode::Char('p' | 'v' | 'x'), _) => return Go::Back,
            (KeyCode::Char('q'), _) => return Go::Quit,
            (KeyCode::Char('m'), _) => return Go::Menu,
            (KeyCode::Char('?'), _) => return Go::Help,
            (KeyCode::Char(' ') | KeyCode::Enter, _) => self.playback.toggle(),
            (KeyCode::Char('+' | '='), _) | (_, Some(Direction::Up)) => self.playback.faster(),
            (KeyCode::Char('-'), _) | (_, Some(Direction::Down)) => self.playback.slower(),
            (KeyCode::Char('.'), _) | (_, Some(Direction::Right)) => self.playback.step(1),
            (KeyCode::Char(','), _) | (_, Some(Direction::Left)) => self.playback.step(-1),
            (KeyCode::Char(']'), _) => self.playback.step_push(true),
            (KeyCode::Char('['), _) => self.playback.step_push(false),
            (KeyCode::PageDown, _) => self.playback.step(tenth),
            (KeyCode::PageUp, _) => self.playback.step(-tenth),
            (KeyCode::Home, _) => self.playback.seek(0),
            (KeyCode::End, _) => self.playback.seek(usize::MAX),
            (KeyCode::Char(digit), _) if digit.is_ascii_digit() => {
                self.playback.scrub(digit.to_digit(10).unwrap_or(0) as usize, 10);
            }
            _ => {}
        }
        Go::Stay
    }

    fn mouse(&mut self, event: MouseEvent, area: Rect, _: &mut Shared) -> Go {
        let bar = bar(area);
        match event.kind {
            MouseEventKind::Down(MouseButton::Left) | MouseEventKind::Drag(MouseButton::Left)
                if event.row == bar.y && (bar.x..bar.right()).contains(&event.column) =>
            {
                let whole = usize::from(bar.width.saturating_sub(1)).max(1);
                self.playback.scrub(usize::from(event.column - bar.x), whole);
            }
            MouseEventKind::Down(MouseButton::Left) => self.playback.toggle(),
            MouseEventKind::ScrollDown => self.playback.step(1),
            MouseEventKind::ScrollUp => self.playback.step(-1),
            _ => {}
        }
        Go::Stay
    }

    fn tick(&mut self, passed: Duration, _: &mut Shared) -> (bool, Go) {
        (self.playback.tick(passed), Go::Stay)
    }

    fn wait(&self) -> Duration {
        if self.playback.is_playing() { MOVING.min(Duration::from_secs(1) / self.playback.speed()) } else { IDLE }
    }

    fn draw(&self, area: Rect, buffer: &mut Buffer, shared: &Shared) {
        let theme = shared.theme;
        let game = self.playback.game();
        let dot = theme.sign("·", "|");
        let state = if self.playback.is_playing() { "playing" } else { "paused" };
        let page = Page {
            title: self.title.clone(),
            corner: "playback".into(),
            figures: format!("{} {dot} {state}", counters(game, theme)),
            message: None,
            keys: &[
                ("Space", "play"),
                ("Left Right", "step"),
                ("Esc", "back"),
                ("+ -", "speed"),
                ("[ ]", "push"),
                ("Home End", "ends"),
            ],
        };
        let body = chrome::draw(&page, area, buffer, theme);
        board_view::draw(game, &Marks::default(), body, buffer, theme);
        self.draw_bar(bar(area), buffer, theme);
    }

    fn help(&self) -> Help {
        Help::new("playback", KEYS, true)
    }
}

/// The bar lies where other screens have their messages.
fn bar(area: Rect) -> Rect {
    let body = chrome::body(area);
    Rect { x: area.x + 1, y: body.bottom(), width: area.width.saturating_sub(2), height: 1 }
}

/// A playback of LURD on a level, or why there is none.
pub(crate) fn playback(level: &lurd::Level, lurd: &str, from: usize) -> Result<Playback, String> {
    let board = lurd::Board::new(&level.map).map_err(|error| error.to_string())?;
    // The referee first: what is not legal is not shown as if it were.
    lurd_referee::judge(&level.map.to_string(), lurd).map_err(|fault| fault.to_string())?;
    Ok(Playback::new(std::sync::Arc::new(board), lurd, from))
}
