//! The terminal in raw mode on its second screen, given back whatever happens.

use crate::game::Game;
use crossterm::cursor::{Hide, MoveTo, Show};
use crossterm::style::{Color, Print, ResetColor, SetForegroundColor};
use crossterm::terminal::{
    Clear, ClearType, EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode, size,
};
use crossterm::{execute, queue};
use sokoban::Cell;
use std::io::{self, Write};
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether there is anything to give back.
static TAKEN: AtomicBool = AtomicBool::new(false);

/// Gives the terminal back as it was, if it was taken. Harmless otherwise.
pub fn restore() {
    if TAKEN.swap(false, Ordering::SeqCst) {
        let _ = disable_raw_mode();
        let _ = execute!(io::stdout(), LeaveAlternateScreen, Show, ResetColor);
    }
}

/// The terminal, taken. Dropping gives it back; so does a panic, before its message is printed.
#[derive(Debug)]
pub(super) struct Screen(());

impl Screen {
    pub(super) fn take() -> io::Result<Self> {
        static HOOK: Once = Once::new();
        HOOK.call_once(|| {
            let report = std::panic::take_hook();
            std::panic::set_hook(Box::new(move |panic| {
                restore();
                report(panic);
            }));
        });
        TAKEN.store(true, Ordering::SeqCst);
        let screen = Self(());
        enable_raw_mode()?;
        execute!(io::stdout(), EnterAlternateScreen, Hide)?;
        Ok(screen)
    }

    /// Draws a game between a heading and a line of help.
    pub(super) fn draw(&self, game: &Game, heading: &str, help: &str) -> io::Result<()> {
        let mut out = io::stdout().lock();
        queue!(out, Clear(ClearType::All))?;
        let (columns, rows) = size()?;
        let (width, height) = (game.map().width(), game.map().height() + 4);
        if usize::from(columns) < width || usize::from(rows) < height {
            let message = format!("The board needs {width} columns and {height} rows. {help}");
            let message: Vec<char> = message.chars().collect();
            for (row, line) in (0..rows).zip(message.chunks(usize::from(columns).max(1))) {
                queue!(out, MoveTo(0, row), Print(line.iter().collect::<String>()))?;
            }
            return out.flush();
        }
        queue!(out, MoveTo(0, 0), Print(fit(heading, columns)))?;
        for (row, line) in (2..).zip(game.map().rows()) {
            queue!(out, MoveTo(0, row))?;
            for c in line.chars() {
                queue!(out, SetForegroundColor(colour(c)), Print(c))?;
            }
        }
        queue!(out, ResetColor, MoveTo(0, rows - 1), Print(fit(help, columns)))?;
        out.flush()
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        restore();
    }
}

/// As much of a line as the terminal is wide.
fn fit(text: &str, columns: u16) -> String {
    text.chars().take(columns.into()).collect()
}

fn colour(c: char) -> Color {
    match Cell::from_xsb(c) {
        Some(Cell::Wall) => Color::DarkGrey,
        Some(Cell::Box) => Color::Yellow,
        Some(Cell::BoxOnGoal) => Color::Green,
        Some(Cell::Player | Cell::PlayerOnGoal) => Color::Cyan,
        Some(Cell::Goal) => Color::Magenta,
        Some(Cell::Floor) | None => Color::Reset,
    }
}
