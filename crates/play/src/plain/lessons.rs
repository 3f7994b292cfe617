//! Lessons line by line.

use super::Talk;
use super::sokoban::steps;
use crate::game::Game;
use crate::search_picture;
use lurd::{Board, Cancel};
use lurd_lessons::{Answer, Lesson, Picture, lessons};
use std::io;
use std::sync::Arc;

const HELP: &str = "\
Moves: letters l u r d, as many as you like; undo, restart.
A question is answered by the number of the answer.
  text   board   next   back   quit";

/// Columns of a picture.
const WIDTH: usize = 76;

/// Where to go after a lesson.
pub(super) enum After {
    /// Back to the level.
    Back,
    /// The input is at its end, or the player leaves.
    Leave,
}

/// Lists the lessons.
pub(super) fn list(talk: &mut Talk<'_>) -> io::Result<()> {
    for (index, lesson) in lessons().iter().enumerate() {
        talk.say(&format!("{:>5}  {} ({})", index + 1, lesson.title, lesson.name))?;
    }
    talk.say("`lesson N` begins one.")
}

/// Gives a lesson, named by its number or its name, and those after it as long as the player likes.
pub(super) fn give(which: &str, talk: &mut Talk<'_>) -> io::Result<After> {
    let number = which.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
    let found = lessons().iter().enumerate().position(|(index, one)| Some(index) == number || one.name == which);
    let Some(mut index) = found else {
        talk.say(&format!("`{which}` is no lesson; `lessons` lists them."))?;
        return Ok(After::Back);
    };
    loop {
        match one(&lessons()[index], talk)? {
            Ended::Next if index + 1 < lessons().len() => index += 1,
            Ended::Next => {
                talk.say("That was the last lesson.")?;
                return Ok(After::Back);
            }
            Ended::Back => return Ok(After::Back),
            Ended::Leave => return Ok(After::Leave),
        }
    }
}

enum Ended {
    Next,
    Back,
    Leave,
}

fn one(lesson: &Lesson, talk: &mut Talk<'_>) -> io::Result<Ended> {
    let board = lesson.level().and_then(|level| Board::new(&level.map).ok());
    let Some(board) = board else { return Ok(Ended::Back) };
    let mut game = Game::new(Arc::new(board));
    begin(lesson, talk)?;
    show(&game, talk)?;
    while let Some(line) = talk.ask("lesson")? {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.as_slice() {
            [] => {}
            ["help" | "?"] => talk.say(HELP)?,
            ["back" | "b"] => return Ok(Ended::Back),
            ["next" | "n"] => return Ok(Ended::Next),
            ["text"] => begin(lesson, talk)?,
            ["board"] => show(&game, talk)?,
            ["undo"] => {
                game.undo();
                show(&game, talk)?;
            }
            ["restart"] => {
                game.seek(0);
                show(&game, talk)?;
            }
            words => match (words, option(lesson, words), steps(words)) {
                (_, Some(option), _) => question(lesson, option, talk)?,
                (_, None, Some(steps)) => {
                    let wanted = steps.len();
                    let made = steps.into_iter().take_while(|&way| game.step(way).is_some()).count();
                    if made < wanted {
                        talk.say("Stopped: the next move is blocked.")?;
                    }
                    show(&game, talk)?;
                    if lesson.options().is_empty() {
                        played(lesson, &game, talk)?;
                    }
                }
                _ => talk.say(&format!("`{}` is no move and no answer; try `help`.", words.join(" ")))?,
            },
        }
    }
    Ok(Ended::Leave)
}

/// The option a line names.
fn option(lesson: &Lesson, words: &[&str]) -> Option<usize> {
    let [number] = words else { return None };
    number.parse::<usize>().ok()?.checked_sub(1).filter(|&option| option < lesson.options().len())
}

fn begin(lesson: &Lesson, talk: &mut Talk<'_>) -> io::Result<()> {
    talk.say(&format!("{}\n{}\n{}", lesson.title, lesson.text, lesson.task_words()))?;
    lesson.options().iter().enumerate().try_for_each(|(index, option)| talk.say(&format!("  {}  {option}", index + 1)))
}

fn show(game: &Game, talk: &mut Talk<'_>) -> io::Result<()> {
    talk.say(&game.board().picture(game.boxes(), game.player()).to_string())
}

/// What the lesson says to the moves so far: when it is done, or there is nothing left to do.
fn played(lesson: &Lesson, game: &Game, talk: &mut Talk<'_>) -> io::Result<()> {
    match lesson.check(&Answer::Play(&game.lurd()), &Cancel::new()) {
        Ok(verdict) if verdict.done => talk.say(&format!("{} `next` goes on.", verdict.words)),
        Ok(verdict) if game.is_solved() => talk.say(&verdict.words),
        Ok(_) => Ok(()),
        Err(error) => talk.say(&format!("Not checked: {error}.")),
    }
}

/// Checks an answer and shows what the searches opened.
fn question(lesson: &Lesson, option: usize, talk: &mut Talk<'_>) -> io::Result<()> {
    match lesson.check(&Answer::Option(option), &Cancel::new()) {
        Ok(verdict) => talk.say(&verdict.words)?,
        Err(error) => return talk.say(&format!("Not checked: {error}.")),
    }
    match lesson.picture(&Cancel::new()) {
        Some(Picture::Searches(pictures)) => {
            search_picture::lines(&pictures, WIDTH, usize::MAX).iter().try_for_each(|line| talk.say(line))
        }
        _ => Ok(()),
    }
}
