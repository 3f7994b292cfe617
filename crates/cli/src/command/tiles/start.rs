//! The board to start from: written down, from standard input, or random.

use super::choice::SpaceFlags;
use super::refusal;
use crate::exit::Failure;
use crate::input;
use lurd_tiles::{Board, random_board};
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

/// The size of random boards where nothing says another.
const USUAL_SIDE: usize = 3;

/// A start and the goal that goes with it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Setting {
    pub(super) start: Board,
    pub(super) goal: Board,
    /// The seed the start came from, if it is random.
    pub(super) seed: Option<u64>,
}

/// Reads `-`, `random`, `random:SEED` or numbers.
///
/// # Errors
/// A sentence that says what is wrong with the board and how to write it.
pub(super) fn read(words: &[String], space: &SpaceFlags) -> Result<Setting, Failure> {
    let (goal, side) = (space.goal, space.size);
    let text = words.join(" ");
    let seed = match text.trim() {
        "random" => Some(clock()),
        text => text.strip_prefix("random:").map(parse_seed).transpose()?,
    };
    if let Some(seed) = seed {
        let goal = goal.board(side.or(goal.side()).unwrap_or(USUAL_SIDE));
        agree(side, goal.side(), "goal")?;
        return Ok(Setting { start: random_board(&goal, space.moves(), seed), goal, seed: Some(seed) });
    }
    let (text, name) = match text.trim() {
        "-" => (String::from_utf8_lossy(&input::bytes(Path::new("-"))?).into_owned(), "standard input"),
        _ => (text, "the start"),
    };
    let start: Board = text.parse().map_err(|error| refusal(&format!("{name}: {error}")))?;
    agree(side, start.side(), "board")?;
    Ok(Setting { start, goal: goal.board(start.side()), seed: None })
}

fn parse_seed(text: &str) -> Result<u64, Failure> {
    text.parse().map_err(|_| refusal(&format!("`{text}` is no seed; write random or for instance random:7")))
}

/// Whether `--size`, where given, is the size of what else was given.
fn agree(asked: Option<usize>, found: usize, what: &str) -> Result<(), Failure> {
    match asked {
        Some(side) if side != found => Err(Failure::usage(format!(
            "--size {side} asks for {side}x{side} boards, but the {what} is {found}x{found}; leave --size out"
        ))),
        _ => Ok(()),
    }
}

/// A seed nobody chose. It is printed, so that the board can be had again.
fn clock() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| u64::from(since.subsec_nanos()) ^ since.as_secs())
}

#[cfg(test)]
mod tests {
    use super::super::choice::Goal;
    use super::*;

    fn read_classic(text: &str, side: Option<usize>) -> Result<Setting, Failure> {
        let words: Vec<String> = text.split(' ').map(str::to_owned).collect();
        read(&words, &SpaceFlags { goal: Goal::BlankLast, size: side, diagonal: false })
    }

    #[test]
    fn boards_are_read_in_one_word_or_many() {
        for text in ["123456780", "1 2 3 4 5 6 7 8 0", "1,2,3 4,5,6 7,8,_"] {
            assert_eq!(read_classic(text, None).unwrap().start, Board::standard_goal(3));
        }
    }

    #[test]
    fn equal_seeds_give_equal_boards_of_the_size_asked_for() {
        let board = |text, side| read_classic(text, side).unwrap().start;
        assert_eq!(board("random:7", Some(4)), board("random:7", Some(4)));
        assert_ne!(board("random:7", Some(4)), board("random:8", Some(4)));
        assert_eq!(board("random:7", None).side(), 3);
    }

    #[test]
    fn sizes_that_contradict_and_wrong_seeds_are_refused() {
        assert!(read_classic("123456780", Some(4)).unwrap_err().to_string().contains("leave --size out"));
        assert!(read_classic("random:x", None).unwrap_err().to_string().contains("no seed"));
    }
}
