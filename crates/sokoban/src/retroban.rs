//! The move notation of Retroban and ksokoban: `3-2u1,1-4r2d1`.
//!
//! Parts are separated by commas. `x-y` walks the shortest way to column x, row y (both from 0);
//! then come steps, a letter and a count each. Without `x-y` the player goes on from where he is.
//! Columns and rows are those of the map as it was written, margins included.

use crate::{Cell, Map};
use std::collections::VecDeque;

/// Squares that may be looked at in all walks together; honest games stay far below.
const MAX_WORK: usize = 200_000_000;

/// What is wrong with a game in this notation.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RetrobanError {
    /// No player.
    #[error("the level has no player, so nothing can be played on it")]
    NoPlayer,
    /// A part that is not of the notation.
    #[error("part {part}, {text:?}, is not of the form `3-2u1r2`: column, row, then letters with counts")]
    Syntax {
        /// Which part, from 1.
        part: usize,
        /// The part.
        text: String,
    },
    /// No way there.
    #[error("part {part}: there is no way to column {column}, row {row}; a box or a wall is between")]
    NoWay {
        /// Which part, from 1.
        part: usize,
        /// Column, from 0.
        column: usize,
        /// Row, from 0.
        row: usize,
    },
    /// A step into a wall or a push that is stopped.
    #[error("part {part}: the step `{letter}` is stopped by a wall or a box")]
    Stopped {
        /// Which part, from 1.
        part: usize,
        /// The letter.
        letter: char,
    },
    /// Too much to walk.
    #[error("the game is too long to be walked; split it")]
    TooLong,
}

/// Writes such a game out in LURD, pushes in capitals.
///
/// # Errors
/// The first part that cannot be read or played.
///
/// ```
/// let map = sokoban::Map::from_xsb("######\n#@   #\n# $. #\n######").unwrap();
/// assert_eq!(sokoban::retroban::decode(&map, "1-2r1").unwrap(), "dR");
/// ```
pub fn decode(map: &Map, text: &str) -> Result<String, RetrobanError> {
    let mut walker = Walker::new(map).ok_or(RetrobanError::NoPlayer)?;
    for (index, text) in text.split(',').enumerate() {
        let (part, text) = (index + 1, text.trim());
        let syntax = || RetrobanError::Syntax { part, text: text.chars().take(40).collect() };
        let mut rest = text;
        if rest.starts_with(|c: char| c.is_ascii_digit()) {
            let (column, after) = number(rest).ok_or_else(syntax)?;
            let (row, after) = after.strip_prefix('-').and_then(number).ok_or_else(syntax)?;
            rest = after;
            walker.walk(row, column)?.then_some(()).ok_or(RetrobanError::NoWay { part, column, row })?;
        }
        while let Some(letter) = rest.chars().next() {
            if !matches!(letter, 'l' | 'u' | 'r' | 'd') {
                return Err(syntax());
            }
            let (count, after) = number(&rest[1..]).unwrap_or((1, &rest[1..]));
            rest = after;
            for _ in 0..count {
                walker.step(letter).ok_or(RetrobanError::Stopped { part, letter })?;
            }
        }
    }
    Ok(walker.lurd)
}

/// A number at the beginning of a text, and what follows it.
fn number(text: &str) -> Option<(usize, &str)> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    Some((text[..end].parse().ok()?, &text[end..]))
}

const STEPS: [(char, isize, isize); 4] = [('l', 0, -1), ('u', -1, 0), ('r', 0, 1), ('d', 1, 0)];

struct Walker<'a> {
    map: &'a Map,
    boxes: Vec<bool>,
    player: (usize, usize),
    lurd: String,
    work: usize,
}

impl<'a> Walker<'a> {
    fn new(map: &'a Map) -> Option<Self> {
        let (row, column, _) = map.cells().find(|(_, _, cell)| cell.has_player())?;
        let boxes = map.cells().map(|(_, _, cell)| cell.has_box()).collect();
        Some(Self { map, boxes, player: (row, column), lurd: String::new(), work: 0 })
    }

    fn beside(&self, (row, column): (usize, usize), down: isize, right: isize) -> Option<(usize, usize)> {
        let (row, column) = (row.checked_add_signed(down)?, column.checked_add_signed(right)?);
        let inside = row < self.map.height() && column < self.map.width();
        (inside && self.map.get(row, column) != Cell::Wall).then_some((row, column))
    }

    fn index(&self, (row, column): (usize, usize)) -> usize {
        row * self.map.width() + column
    }

    fn step(&mut self, letter: char) -> Option<()> {
        let &(_, down, right) = STEPS.iter().find(|step| step.0 == letter)?;
        let ahead = self.beside(self.player, down, right)?;
        let at = self.index(ahead);
        if self.boxes[at] {
            let beyond = self.index(self.beside(ahead, down, right)?);
            if self.boxes[beyond] {
                return None;
            }
            self.boxes[at] = false;
            self.boxes[beyond] = true;
            self.lurd.push(letter.to_ascii_uppercase());
        } else {
            self.lurd.push(letter);
        }
        self.player = ahead;
        Some(())
    }

    /// Walks the shortest way; false when there is none.
    fn walk(&mut self, row: usize, column: usize) -> Result<bool, RetrobanError> {
        if row >= self.map.height() || column >= self.map.width() {
            return Ok(false);
        }
        if (row, column) == self.player {
            return Ok(true);
        }
        self.work += self.boxes.len();
        if self.work > MAX_WORK {
            return Err(RetrobanError::TooLong);
        }
        // From the target, so that the steps read off from the player on.
        let mut toward: Vec<Option<char>> = vec![None; self.boxes.len()];
        let mut queue = VecDeque::from([(row, column)]);
        toward[self.index((row, column))] = Some('.');
        if self.map.get(row, column) == Cell::Wall || self.boxes[self.index((row, column))] {
            return Ok(false);
        }
        while let Some(square) = queue.pop_front() {
            if square == self.player {
                break;
            }
            for ((_, down, right), back) in STEPS.into_iter().zip(['r', 'd', 'l', 'u']) {
                if let Some(next) = self.beside(square, down, right) {
                    let at = self.index(next);
                    if !self.boxes[at] && toward[at].is_none() {
                        toward[at] = Some(back);
                        queue.push_back(next);
                    }
                }
            }
        }
        while let Some(letter) = toward[self.index(self.player)] {
            if letter == '.' {
                return Ok(true);
            }
            if self.step(letter).is_none() {
                break;
            }
        }
        Ok(false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn play(text: &str) -> Result<String, RetrobanError> {
        decode(&Map::from_xsb("#######\n#@    #\n# $ . #\n#     #\n#######").unwrap(), text)
    }

    #[test]
    fn walks_and_steps_are_written_out() {
        assert_eq!(play("1-2r2").unwrap(), "dRR");
        assert_eq!(play("r2,2-1d1").unwrap(), "rrlD");
        assert_eq!(play("1-1,r").unwrap(), "r");
    }

    #[test]
    fn what_cannot_be_played_is_named() {
        assert_eq!(play("1-2r2,9-9"), Err(RetrobanError::NoWay { part: 2, column: 9, row: 9 }));
        assert_eq!(play("2-2"), Err(RetrobanError::NoWay { part: 1, column: 2, row: 2 }));
        assert_eq!(play("u1"), Err(RetrobanError::Stopped { part: 1, letter: 'u' }));
        assert!(matches!(play("1-r"), Err(RetrobanError::Syntax { part: 1, .. })));
        assert!(matches!(play("é"), Err(RetrobanError::Syntax { .. })));
        assert_eq!(decode(&Map::from_xsb("###").unwrap(), "u"), Err(RetrobanError::NoPlayer));
    }

    #[test]
    fn a_great_count_ends_at_the_wall() {
        assert_eq!(play("r99999999"), Err(RetrobanError::Stopped { part: 1, letter: 'r' }));
    }
}
