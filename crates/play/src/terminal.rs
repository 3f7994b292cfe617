//! Takes the terminal over, and always gives it back: at the end, on an error, on a panic.

use crate::classic_colours::Output;
use crate::theme::{Colours, Theme};
use crossterm::event::{DisableMouseCapture, EnableMouseCapture};
use crossterm::execute;
use crossterm::terminal::{EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode};
use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use std::io::{self, IsTerminal, Stdout, stdout};
use std::panic;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

/// Whether there is a terminal that screens can be drawn on.
pub(crate) fn can_draw() -> bool {
    let dumb = std::env::var("TERM").is_ok_and(|term| term == "dumb");
    let named = cfg!(windows) || std::env::var("TERM").is_ok_and(|term| !term.is_empty());
    named && !dumb && io::stdin().is_terminal() && stdout().is_terminal()
}

/// The terminal while it is ours. Dropping this gives it back.
#[derive(Debug)]
pub struct Screen {
    pub(crate) terminal: Terminal<CrosstermBackend<Output<Stdout>>>,
    /// Raised when the system asks the program to end.
    ended: Arc<AtomicBool>,
}

impl Screen {
    /// Takes the terminal over: raw input, the alternate screen, the mouse.
    ///
    /// # Errors
    /// When the terminal refuses; it is as before then.
    pub fn open() -> io::Result<Self> {
        let ended = Arc::new(AtomicBool::new(false));
        watch_signals(&ended)?;
        let sixteen = Theme::from_environment().colours() == Colours::Sixteen;
        restore_on_panic();
        let opened = enable_raw_mode()
            .and_then(|()| execute!(stdout(), EnterAlternateScreen, EnableMouseCapture))
            .and_then(|()| Terminal::new(CrosstermBackend::new(Output::new(stdout(), sixteen))));
        match opened {
            Ok(terminal) => Ok(Self { terminal, ended }),
            Err(error) => {
                restore();
                Err(error)
            }
        }
    }

    /// Whether the system has asked the program to end.
    pub fn is_ended(&self) -> bool {
        self.ended.load(Ordering::Relaxed)
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        let _ = self.terminal.show_cursor();
        restore();
    }
}

/// Gives the terminal back. What fails cannot be helped here, and the rest is still tried.
fn restore() {
    let _ = execute!(stdout(), DisableMouseCapture, LeaveAlternateScreen, crossterm::cursor::Show);
    let _ = disable_raw_mode();
}

/// A panic on this thread gives the terminal back before it is reported. One on a background
/// thread is caught there and must not disturb the screen.
fn restore_on_panic() {
    let screen_thread = thread::current().id();
    let before = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        if thread::current().id() == screen_thread {
            restore();
            before(info);
        }
    }));
}

#[cfg(unix)]
fn watch_signals(ended: &Arc<AtomicBool>) -> io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    for signal in [SIGTERM, SIGHUP, SIGINT] {
        signal_hook::flag::register(signal, ended.clone())?;
    }
    Ok(())
}

#[cfg(not(unix))]
fn watch_signals(_: &Arc<AtomicBool>) -> io::Result<()> {
    Ok(())
}
