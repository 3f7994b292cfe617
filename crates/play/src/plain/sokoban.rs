//! Sokoban line by line.

use super::{Talk, lessons};
use crate::collection;
use crate::game::Game;
use crate::path::NoPush;
use crate::screens::{Shared, count, printable};
use crate::session::{Event, Finished, Request, Session};
use lurd::{Direction, Square};
use std::io;

const HELP: &str = "\
Moves: letters l u r d, as many as you like (`rrULd`), or left, up, right, down.
  undo [N]   redo [N]   restart
  walk ROW COLUMN                  go there by the shortest way
  push ROW COLUMN ROW COLUMN       push the box of the first square to the second
  hint                             the next push of a solution
  solve                            a whole solution from here
  best                             your best solutions of this level
  level N   next   prev            go to another level
  levels [TEXT]                    list the levels, or those with TEXT in their title
  open FILE                        go to the levels of a file
  lessons   lesson N               a tour from the rules to search
  board   help   quit
Rows and columns count from 1. Everything you do is kept.";

/// Plays levels until the player leaves.
pub(super) fn play(shared: &mut Shared, first: usize, talk: &mut Talk<'_>) -> io::Result<()> {
    let mut index = first;
    loop {
        match level(shared, index, talk)? {
            Some(next) => index = next,
            None => return Ok(()),
        }
    }
}

/// Plays one level; returns where to go next.
fn level(shared: &mut Shared, index: usize, talk: &mut Talk<'_>) -> io::Result<Option<usize>> {
    talk.say(&format!("Level {} of {}: {}", index + 1, shared.levels.len(), shared.level_title(index)))?;
    let mut session = match Session::open(&shared.levels[index], &mut shared.store) {
        Ok(session) => Some(session),
        Err(error) => {
            talk.say(&format!("This level cannot be played: {error}."))?;
            None
        }
    };
    if let Some(session) = &mut session {
        show(session, talk)?;
    }
    if let Some(trouble) = shared.store.trouble() {
        talk.say(&trouble)?;
    }
    while let Some(line) = talk.ask("sokoban")? {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.as_slice() {
            [] => {}
            ["help" | "?"] => talk.say(HELP)?,
            ["next" | "n"] if index + 1 < shared.levels.len() => return Ok(Some(index + 1)),
            ["prev" | "previous" | "p"] if index > 0 => return Ok(Some(index - 1)),
            ["next" | "n" | "prev" | "previous" | "p"] => talk.say("There is no further level.")?,
            ["level", number] => {
                let wanted = number.parse::<usize>().ok();
                match (0..shared.levels.len()).find(|&index| Some(shared.number(index)) == wanted) {
                    Some(next) => return Ok(Some(next)),
                    None => talk.say(&format!("`{number}` is no level; there are {}.", shared.levels.len()))?,
                }
            }
            ["open", ..] => match collection::open(line.trim_start_matches("open")) {
                Ok(opened) => {
                    shared.take(opened.title, opened.levels);
                    return Ok(Some(0));
                }
                Err(reason) => talk.say(&printable(&reason))?,
            },
            ["levels", rest @ ..] => list(shared, &rest.join(" "), talk)?,
            ["lessons"] => lessons::list(talk)?,
            ["lesson", which] => match lessons::give(which, talk)? {
                lessons::After::Leave => return Ok(None),
                lessons::After::Back => {
                    if let Some(session) = &mut session {
                        show(session, talk)?;
                    }
                }
            },
            words => match &mut session {
                Some(session) => {
                    command(session, words, shared, talk)?;
                    // Nobody minds the wait here, and an interrupt then finds everything on disk.
                    shared.store.flush();
                }
                None => talk.say("This level cannot be played; try `next` or `levels`.")?,
            },
        }
    }
    Ok(None)
}

fn list(shared: &Shared, wanted: &str, talk: &mut Talk<'_>) -> io::Result<()> {
    let wanted = wanted.to_lowercase();
    for index in 0..shared.levels.len() {
        let title = shared.level_title(index);
        if title.to_lowercase().contains(&wanted) {
            talk.say(&format!("{:>5}  {title}", shared.number(index)))?;
        }
    }
    Ok(())
}

fn command(session: &mut Session, words: &[&str], shared: &mut Shared, talk: &mut Talk<'_>) -> io::Result<()> {
    let store = &mut shared.store;
    let times = |word: &str| word.parse::<usize>().ok();
    match words {
        ["board" | "b"] => {}
        [what @ ("undo" | "redo"), number @ ..]
            if number.len() < 2 && number.iter().all(|word| times(word).is_some()) =>
        {
            let once = if *what == "undo" { Game::undo } else { Game::redo };
            let times = number.first().and_then(|word| times(word)).unwrap_or(1);
            session.change(store, |game| (0..times).take_while(|_| once(game)).count() > 0);
        }
        ["restart"] => drop(session.change(store, |game| {
            game.seek(0);
            true
        })),
        ["walk", row, column] => {
            let way = square(session.game(), row, column).and_then(|to| session.game().walk_to(to));
            return follow(session, way.ok_or("there is no way to walk there"), shared, talk);
        }
        ["push", row, column, to_row, to_column] => {
            let game = session.game();
            let ends = square(game, row, column).zip(square(game, to_row, to_column));
            let way = ends.ok_or(NoPush::NoBox).and_then(|(from, to)| game.push_to(from, to));
            return follow(session, way, shared, talk);
        }
        ["hint" | "solve"] => return help_on(session, words[0] == "hint", talk),
        ["best"] => {
            let record = session.record();
            for (what, best) in [("fewest moves", &record.best_moves), ("fewest pushes", &record.best_pushes)] {
                talk.say(&match best {
                    Some(best) => {
                        format!("{what}: {}, {}: {}", count(best.moves, "move"), count(best.pushes, "push"), best.lurd)
                    }
                    None => format!("{what}: none yet"),
                })?;
            }
            return Ok(());
        }
        _ => match steps(words) {
            Some(steps) => {
                let wanted = steps.len();
                let made = steps.into_iter().take_while(|&way| session.step(way, store)).count();
                if made < wanted {
                    talk.say(&format!("Stopped after {}: the next is blocked.", count(made, "move")))?;
                }
            }
            None => return talk.say(&format!("`{}` is no command; try `help`.", words.join(" "))),
        },
    }
    show(session, talk)
}

/// Reads `left`, or letters l u r d in any mix of case.
pub(super) fn steps(words: &[&str]) -> Option<Vec<Direction>> {
    let mut steps = Vec::new();
    for word in words {
        match word.to_lowercase().as_str() {
            "left" => steps.push(Direction::Left),
            "right" => steps.push(Direction::Right),
            "up" => steps.push(Direction::Up),
            "down" => steps.push(Direction::Down),
            letters => {
                for letter in letters.chars() {
                    steps.push(Direction::from_letter(letter)?);
                }
            }
        }
    }
    Some(steps)
}

fn square(game: &Game, row: &str, column: &str) -> Option<Square> {
    let number = |text: &str| text.parse::<usize>().ok()?.checked_sub(1);
    game.board().square_at(number(row)?, number(column)?)
}

fn follow<E: std::fmt::Display>(
    session: &mut Session,
    way: Result<Vec<Direction>, E>,
    shared: &mut Shared,
    talk: &mut Talk<'_>,
) -> io::Result<()> {
    match way {
        Err(reason) => talk.say(&format!("Not possible: {reason}.")),
        Ok(way) => {
            for direction in way {
                session.step(direction, &mut shared.store);
            }
            show(session, talk)
        }
    }
}

/// Answers `hint` and `solve`; the solver has two minutes at most.
fn help_on(session: &mut Session, hint: bool, talk: &mut Talk<'_>) -> io::Result<()> {
    if session.game().is_solved() {
        return talk.say("It is solved already.");
    }
    if session.game().deadlock().is_some() {
        return talk.say("It is lost already: undo until the warning is gone.");
    }
    if !session.ask(if hint { Request::Hint } else { Request::Solve }) {
        for event in session.settle() {
            if let Event::Answered(_, Err(reason)) = event {
                return talk.say(&reason);
            }
        }
    }
    if hint {
        let (Some(hint), Some(steps)) = (session.hint(), session.hint_steps()) else { return Ok(()) };
        let (row, column) = session.game().board().place(hint.boxed);
        let lurd: String = steps.iter().map(|way| way.letter(false)).collect();
        talk.say(&format!("Push the box at row {}, column {}: {lurd}", row + 1, column + 1))
    } else {
        session.found().map_or(Ok(()), |found| talk.say(&format!("{} ({})", found.lurd, count(found.pushes, "push"))))
    }
}

/// The board, the counters, and what there is to say.
fn show(session: &mut Session, talk: &mut Talk<'_>) -> io::Result<()> {
    session.settle();
    let game = session.game();
    talk.say(&game.board().picture(game.boxes(), game.player()).to_string())?;
    let (moves, pushes) = (count(game.moves(), "move"), count(game.pushes(), "push"));
    talk.say(&format!("{moves}, {pushes}, {} of {} boxes home", game.boxes_home(), game.board().goals().len()))?;
    if let Some((moves, deadlock)) = session.game().deadlock() {
        let boxes: Vec<String> = deadlock
            .boxes
            .iter()
            .map(|&square| {
                let (row, column) = game.board().place(square);
                format!("row {} column {}", row + 1, column + 1)
            })
            .collect();
        let since = if moves == 0 { "from the start".to_owned() } else { format!("since move {moves}") };
        talk.say(&format!("Lost {since}: {} ({}).", deadlock.rule.about(), boxes.join(", ")))?;
    }
    match session.finished() {
        Some(Finished::Kept { new_best: true }) => talk.say("Solved, and it is your best yet."),
        Some(Finished::Kept { new_best: false }) => talk.say("Solved."),
        Some(Finished::Refused(reason)) => talk.say(&format!("The referee does not accept this: {reason}.")),
        None => Ok(()),
    }
}
