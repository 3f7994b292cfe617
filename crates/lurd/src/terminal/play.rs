//! Playing by the arrow keys.

use super::screen::Screen;
use crate::exit::{Ending, Exit, Failure};
use crate::game::{Direction, Game};
use crate::units;
use crossterm::event::{self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use std::io::{self, IsTerminal, Write};

const HELP: &str = "arrows move   u undo   r restart   q quit";

/// Lets the user play until the game is solved or left.
///
/// # Errors
/// When there is no terminal to play on.
pub fn play(mut game: Game, title: &str) -> Ending {
    if !(io::stdin().is_terminal() && io::stdout().is_terminal()) {
        return Err(Failure::usage(
            "playing needs a terminal for both input and output; `sokoban -s MAP` solves without one",
        ));
    }
    let screen = Screen::take()?;
    let ending = loop {
        screen.draw(&game, &heading(title, &game), HELP)?;
        if game.is_solved() {
            break Exit::Success;
        }
        match event::read()? {
            Event::Key(key) if key.kind != KeyEventKind::Release => match command(key) {
                Some(Command::Step(direction)) => drop(game.step(direction)),
                Some(Command::Undo) => drop(game.undo()),
                Some(Command::Restart) => game.restart(),
                Some(Command::Quit) => break Exit::Success,
                Some(Command::Interrupt) => break Exit::Interrupted,
                None => {}
            },
            _ => {}
        }
    };
    drop(screen);
    let mut out = io::stdout().lock();
    if game.is_solved() {
        write!(out, "{}", game.map())?;
        writeln!(out, "Solved in {}.", figures(&game))?;
    } else {
        writeln!(out, "Left after {}.", figures(&game))?;
    }
    Ok(ending)
}

/// Moves and pushes so far, in words.
pub(super) fn figures(game: &Game) -> String {
    let moves = units::plural(game.moves(), "move", "moves");
    format!("{moves} and {}", units::plural(game.pushes(), "push", "pushes"))
}

pub(super) fn heading(title: &str, game: &Game) -> String {
    format!("{title}   moves {}   pushes {}", game.moves(), game.pushes()).trim_start().to_owned()
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Command {
    Step(Direction),
    Undo,
    Restart,
    Quit,
    Interrupt,
}

/// What a key means. In raw mode Ctrl-C is a key like any other.
fn command(key: KeyEvent) -> Option<Command> {
    if key.modifiers.contains(KeyModifiers::CONTROL) {
        return (key.code == KeyCode::Char('c')).then_some(Command::Interrupt);
    }
    Some(match key.code {
        KeyCode::Left => Command::Step(Direction::Left),
        KeyCode::Up => Command::Step(Direction::Up),
        KeyCode::Right => Command::Step(Direction::Right),
        KeyCode::Down => Command::Step(Direction::Down),
        KeyCode::Char('u') | KeyCode::Backspace => Command::Undo,
        KeyCode::Char('r') => Command::Restart,
        KeyCode::Char('q') | KeyCode::Esc => Command::Quit,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_mean_what_the_help_says() {
        let plain = |code| command(KeyEvent::new(code, KeyModifiers::NONE));
        assert_eq!(plain(KeyCode::Left), Some(Command::Step(Direction::Left)));
        assert_eq!(plain(KeyCode::Char('u')), Some(Command::Undo));
        assert_eq!(plain(KeyCode::Char('q')), Some(Command::Quit));
        assert_eq!(plain(KeyCode::Char('c')), None);
        let control = |code| command(KeyEvent::new(code, KeyModifiers::CONTROL));
        assert_eq!(control(KeyCode::Char('c')), Some(Command::Interrupt));
        assert_eq!(control(KeyCode::Char('q')), None);
    }
}
