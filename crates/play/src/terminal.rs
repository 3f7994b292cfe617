//! Takes the terminal over, and always gives it back: at the end, on an error, on a panic.

use crate::classic_colours::Output;
use crate::theme::{Colours, Theme};
use crossterm::event::{DisableMouseCapture, EnableMouseCapture};
use crossterm::execute;
use crossterm::terminal::{EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode};
use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use std::fs::File;
use std::io::{self, IsTerminal, Stdout, stdout};
use std::panic;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

/// Whether there is a terminal that screens can be drawn on and keys come from. Keys come from standard input, unless that
/// is spent on something else.
pub(crate) fn can_draw(input_is_spent: bool) -> bool {
    let dumb = std::env::var("TERM").is_ok_and(|term| term == "dumb");
    let named = cfg!(windows) || std::env::var("TERM").is_ok_and(|term| !term.is_empty());
    let has_keys = io::stdin().is_terminal() || input_is_spent && open_input().is_ok();
    named && !dumb && has_keys && stdout().is_terminal()
}

/// Opens the terminal that the program was started from, whatever standard input is.
pub(crate) fn open_input() -> io::Result<File> {
    File::open(if cfg!(windows) { "CONIN$" } else { "/dev/tty" })
}

/// What screens are drawn on.
type Drawn = Terminal<CrosstermBackend<Output<Stdout>>>;

/// The terminal while it is ours. Dropping this gives it back.
#[derive(Debug)]
pub struct Screen {
    pub(crate) terminal: Drawn,
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
        restore_on_panic();
        match take_over() {
            Ok(terminal) => Ok(Self { terminal, ended }),
            Err(error) => {
                restore();
                Err(error)
            }
        }
    }

    /// Gives the terminal back and stops the program until the shell lets it go on, as Ctrl-Z does; then takes the terminal
    /// over again.
    ///
    /// # Errors
    /// When the terminal refuses.
    pub(crate) fn suspend(&mut self) -> io::Result<()> {
        restore();
        stop_until_continued()?;
        // One that knows nothing of what is on the screen, and so draws all of it.
        self.terminal = take_over()?;
        Ok(())
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

/// Raw input, the alternate screen, the mouse.
fn take_over() -> io::Result<Drawn> {
    let sixteen = Theme::from_environment().colours() == Colours::Sixteen;
    enable_raw_mode()?;
    execute!(stdout(), EnterAlternateScreen, EnableMouseCapture)?;
    Terminal::new(CrosstermBackend::new(Output::new(stdout(), sixteen)))
}

#[cfg(unix)]
fn stop_until_continued() -> io::Result<()> {
    signal_hook::low_level::raise(signal_hook::consts::SIGTSTP)
}

/// Elsewhere there are no stopped programs.
#[cfg(not(unix))]
fn stop_until_continued() -> io::Result<()> {
    Ok(())
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
