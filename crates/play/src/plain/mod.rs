//! The games line by line, for terminals that cannot be drawn on and for pipes: commands
//! come in one a line, boards go out as text. Reading to the end of the input leaves.

mod cse;
mod lessons;
mod sokoban;
mod tiles;

use crate::screens::Shared;
use crate::screens::watch::playback;
use crate::{First, PlayError};
use lurd::Level;
use std::io::{self, BufRead, Write};

/// Input and output of a game.
pub(crate) struct Talk<'a> {
    input: &'a mut dyn BufRead,
    output: &'a mut dyn Write,
}

impl Talk<'_> {
    /// Asks for a line; `None` at the end of the input or when the player leaves.
    fn ask(&mut self, prompt: &str) -> io::Result<Option<String>> {
        write!(self.output, "{prompt}> ")?;
        self.output.flush()?;
        let mut line = String::new();
        if self.input.read_line(&mut line)? == 0 {
            writeln!(self.output)?;
            return Ok(None);
        }
        let line = line.trim().to_owned();
        Ok(Some(line).filter(|line| !matches!(line.as_str(), "quit" | "q" | "exit")))
    }

    fn say(&mut self, text: &str) -> io::Result<()> {
        writeln!(self.output, "{text}")
    }
}

/// Plays line by line until the player leaves. A reader of the output who goes away (a closed
/// pipe) ends the game and is no error.
pub(crate) fn run(
    mut shared: Shared,
    first: First,
    input: &mut dyn BufRead,
    output: &mut dyn Write,
) -> Result<(), PlayError> {
    let mut talk = Talk { input, output };
    let result = match first {
        First::Menu | First::Picker if shared.levels.is_empty() => talk.say("There are no levels to play."),
        First::Menu | First::Picker => sokoban::play(&mut shared, 0, &mut talk),
        First::Level(index) => sokoban::play(&mut shared, index, &mut talk),
        First::Watch(level, lurd) => watch(&level, &lurd, &mut talk)?,
        First::Tiles(options) => tiles::play(options.game(shared.next_seed())?, &mut shared, &mut talk),
        First::Cse(options) => cse::play(options, &mut shared, &mut talk),
    };
    shared.store.flush();
    match result {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => Ok(other?),
    }
}

/// Prints every board of a solution.
fn watch(level: &Level, lurd: &str, talk: &mut Talk<'_>) -> Result<io::Result<()>, PlayError> {
    let mut playback = playback(level, lurd, 0).map_err(PlayError::Solution)?;
    let letters: Vec<char> = lurd.chars().filter(|letter| !letter.is_whitespace()).collect();
    let mut print = || {
        loop {
            let game = playback.game();
            let position = playback.position();
            let letter = position.checked_sub(1).and_then(|index| letters.get(index));
            let picture = game.board().picture(game.boxes(), game.player());
            let made = letter.map(|letter| format!(" ({letter})")).unwrap_or_default();
            talk.say(&format!("move {position} of {}{made}\n{picture}", playback.length()))?;
            if position == playback.length() {
                return Ok(());
            }
            playback.step(1);
        }
    };
    Ok(print())
}

#[cfg(test)]
mod tests;
