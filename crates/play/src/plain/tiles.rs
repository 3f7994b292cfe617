//! The sliding tiles line by line.

use super::Talk;
use crate::screens::tiles::TilesOptions;
use crate::screens::{Shared, count};
use crate::tile_game::{TileGame, start_solver};
use lurd_tiles::MoveSet;
use std::io;

const HELP: &str = "\
Type the number of a tile next to the gap (under diagonal moves also across a corner).
  undo   redo   restart
  new [SIDE] [diagonal|classic]    a new random board
  hint                             the next move of a solution
  solve                            a whole solution, as the tiles to move
  board   help   quit";

/// Plays until the player leaves.
pub(super) fn play(mut game: TileGame, shared: &mut Shared, talk: &mut Talk<'_>) -> io::Result<()> {
    show(&game, talk)?;
    while let Some(line) = talk.ask("tiles")? {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.as_slice() {
            [] => continue,
            ["help" | "?"] => {
                talk.say(HELP)?;
                continue;
            }
            ["board"] => {}
            ["undo"] => drop(game.undo()),
            ["redo"] => drop(game.redo()),
            ["restart"] => game.restart(),
            ["new", rest @ ..] => match fresh(&game, rest, shared) {
                Some(fresh) => game = fresh,
                None => {
                    talk.say("Say `new`, `new 4` or `new 3 diagonal`; sides are 2 to 5.")?;
                    continue;
                }
            },
            ["hint" | "solve"] => {
                solve(&game, words[0] == "hint", talk)?;
                continue;
            }
            [number] => {
                let tile = number.parse::<u8>().ok().filter(|&tile| tile > 0);
                let cell = tile.and_then(|tile| game.board().tiles().iter().position(|&it| it == tile));
                if !cell.is_some_and(|cell| game.slide(cell)) {
                    talk.say(&format!("`{number}` is no tile next to the gap; try `help`."))?;
                    continue;
                }
            }
            _ => {
                talk.say(&format!("`{line}` is no command; try `help`."))?;
                continue;
            }
        }
        show(&game, talk)?;
    }
    Ok(())
}

fn fresh(game: &TileGame, words: &[&str], shared: &mut Shared) -> Option<TileGame> {
    let mut options =
        TilesOptions { side: game.problem().side(), moves: game.problem().moves(), ..TilesOptions::default() };
    for word in words {
        match *word {
            "diagonal" => options.moves = MoveSet::Diagonal,
            "classic" => options.moves = MoveSet::Classic,
            side => options.side = side.parse().ok().filter(|side| (2..=5).contains(side))?,
        }
    }
    options.game(shared.next_seed()).ok()
}

fn solve(game: &TileGame, hint: bool, talk: &mut Talk<'_>) -> io::Result<()> {
    if game.is_solved() {
        return talk.say("It is solved already.");
    }
    match start_solver(*game.board(), *game.problem().goal(), game.problem().moves()).wait() {
        Err(reason) => talk.say(&format!("No answer: {reason}.")),
        Ok(way) => {
            let mut replay = game.clone();
            let mut tiles = Vec::new();
            for &direction in &way.moves {
                let cell = replay.board().neighbour(direction);
                tiles.push(cell.map_or(0, |cell| replay.board().tile(cell)).to_string());
                replay.step(direction);
            }
            let shown = if hint { &tiles[..1] } else { &tiles[..] };
            talk.say(&format!("{} ({} to go, {})", shown.join(" "), count(tiles.len(), "move"), way.quality()))
        }
    }
}

fn show(game: &TileGame, talk: &mut Talk<'_>) -> io::Result<()> {
    talk.say(&format!("{:#}", game.board()))?;
    let made = count(game.moves(), "move");
    talk.say(&if game.is_solved() {
        format!("Solved with {made}.")
    } else {
        format!("{made}, at least {} to go, {} moves", game.at_least(), game.problem().moves())
    })
}
