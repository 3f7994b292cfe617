//! The CSE game line by line.

use super::Talk;
use crate::screens::Shared;
use crate::screens::cse::CseOptions;
use lurd_cse::Ending;
use lurd_search::game::Side;
use std::io;

const HELP: &str = "\
Type row, column and letter, for example `1 3 C`. CSE or ESC in a line wins.
  hint    the best move and what it is worth
  undo    take your last move back
  new     a new game
  help    quit";

/// Plays until the player leaves.
pub(super) fn play(options: CseOptions, shared: &mut Shared, talk: &mut Talk<'_>) -> io::Result<()> {
    let mut game = options.game(shared.next_seed());
    let person = options.computer.other();
    loop {
        while game.is_computers_turn() {
            if let Ok((turn, _)) = game.computer_moves() {
                talk.say(&format!("The computer plays {}.", turn.mv))?;
            }
        }
        talk.say(&game.position().board().to_string())?;
        match game.position().ending() {
            Some(Ending::Won(side)) if side == person => talk.say("You have won. `new` plays again.")?,
            Some(Ending::Won(_)) => talk.say("The computer has won. `new` plays again.")?,
            Some(Ending::Draw) => talk.say("A draw. `new` plays again.")?,
            None => talk.say(if person == Side::Max { "You are MAX." } else { "You are MIN." })?,
        }
        loop {
            let Some(line) = talk.ask("cse")? else { return Ok(()) };
            match line.as_str() {
                "" => {}
                "help" | "?" => talk.say(HELP)?,
                "new" => {
                    game = CseOptions { start: None, ..options }.game(shared.next_seed());
                    break;
                }
                "undo" if game.take_back() => break,
                "undo" => talk.say("There is nothing to take back.")?,
                "hint" => {
                    let advice = game.advice();
                    talk.say(&match advice.best {
                        Some(best) => format!("{} (value {} for MAX)", best.mv, best.value),
                        None => "The game is over.".to_owned(),
                    })?;
                }
                entry => match game.enter(entry) {
                    Ok(_) => break,
                    Err(error) => talk.say(&format!("Not possible: {error}."))?,
                },
            }
        }
    }
}
