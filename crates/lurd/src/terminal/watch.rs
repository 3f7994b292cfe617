//! A solution that plays itself: on the terminal's screen, or as boards in text.

use super::play::{figures, heading};
use super::screen::Screen;
use crate::exit::{Ending, Exit, Failure};
use crate::game::{Direction, Game};
use crossterm::event::{self, Event, KeyCode, KeyEventKind, KeyModifiers};
use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

/// Time between two boards of a short solution.
const PACE: Duration = Duration::from_millis(120);
/// A long solution is played faster, to end within about this.
const SHOW: Duration = Duration::from_secs(60);
/// The solved board stays this long.
const APPLAUSE: Duration = Duration::from_millis(1200);

const HELP: &str = "space pauses   q quits";

/// Plays a solution: every board as text where the output is no terminal.
///
/// # Errors
/// When the output cannot be written, or the moves are not ones of this game.
pub fn watch(mut game: Game, title: &str, lurd: &str) -> Ending {
    if io::stdin().is_terminal() && io::stdout().is_terminal() {
        return on_screen(game, title, lurd);
    }
    let mut out = io::BufWriter::new(io::stdout().lock());
    writeln!(out, "{}", game.map())?;
    for letter in lurd.chars() {
        make(&mut game, letter)?;
        writeln!(out, "{letter}  moves {}  pushes {}\n{}", game.moves(), game.pushes(), game.map())?;
    }
    out.flush()?;
    Ok(Exit::Success)
}

fn on_screen(mut game: Game, title: &str, lurd: &str) -> Ending {
    let letters = u32::try_from(lurd.len()).unwrap_or(u32::MAX).max(1);
    let pace = PACE.min(SHOW / letters);
    let screen = Screen::take()?;
    screen.draw(&game, &heading(title, &game), HELP)?;
    let mut left = None;
    for letter in lurd.chars() {
        left = pause(pace)?;
        if left.is_some() {
            break;
        }
        make(&mut game, letter)?;
        screen.draw(&game, &heading(title, &game), HELP)?;
    }
    if left.is_none() {
        left = pause(APPLAUSE)?;
    }
    drop(screen);
    let mut out = io::stdout().lock();
    write!(out, "{}", game.map())?;
    writeln!(out, "Played {}.", figures(&game))?;
    Ok(left.unwrap_or(Exit::Success))
}

fn make(game: &mut Game, letter: char) -> Result<(), Failure> {
    let made = Direction::from_letter(letter).is_some_and(|direction| game.step(direction));
    if made { Ok(()) } else { Err(Failure::usage(format!("`{letter}` is no move of this board"))) }
}

/// Waits; says how to leave if a key asked for it.
fn pause(time: Duration) -> io::Result<Option<Exit>> {
    let mut end = Some(Instant::now() + time);
    loop {
        // While the space bar holds the show there is no end to wait for, only the next key.
        let wait = end.map_or(Duration::from_secs(3600), |end| end.saturating_duration_since(Instant::now()));
        if !event::poll(wait)? {
            if end.is_some() {
                return Ok(None);
            }
            continue;
        }
        let Event::Key(key) = event::read()? else { continue };
        if key.kind == KeyEventKind::Release {
            continue;
        }
        match key.code {
            KeyCode::Char('c') if key.modifiers.contains(KeyModifiers::CONTROL) => return Ok(Some(Exit::Interrupted)),
            KeyCode::Char('q') | KeyCode::Esc => return Ok(Some(Exit::Success)),
            KeyCode::Char(' ') => end = if end.is_some() { None } else { Some(Instant::now() + time) },
            _ => {}
        }
    }
}
