//! The board the referee plays on: one byte a square, as the text draws it.

use crate::Fault;
use std::fmt;

const WALL: u8 = 1;
const GOAL: u8 = 2;
const BOX: u8 = 4;

/// Why a step is not possible.
pub(crate) enum Stuck {
    Wall,
    BoxAtWall,
    BoxAtBox,
    Edge,
}

/// A rectangle: the squares that short rows leave out are floor, those outside it are off the board.
pub(crate) struct Board {
    rows: Vec<Vec<u8>>,
    player: (usize, usize),
}

impl Board {
    pub(crate) fn read(level: &str) -> Result<Self, Fault> {
        let mut rows = Vec::new();
        let mut player = None;
        for (row, line) in level.lines().enumerate() {
            let mut squares = Vec::with_capacity(line.len());
            for (column, character) in line.trim_end().chars().enumerate() {
                let place = |character| Fault::Character { character, line: row + 1, column: column + 1 };
                squares.push(match character {
                    '#' => WALL,
                    ' ' | '-' | '_' | '@' | 'p' => 0,
                    '.' | 'o' | '+' | 'P' => GOAL,
                    '$' | 'b' => BOX,
                    '*' | 'B' => BOX | GOAL,
                    other => return Err(place(other)),
                });
                if matches!(character, '@' | 'p' | '+' | 'P') && player.replace((row, column)).is_some() {
                    return Err(Fault::SecondPlayer { line: row + 1, column: column + 1 });
                }
            }
            rows.push(squares);
        }
        // Every row is as wide as the widest: what is blank in the text can be walked on.
        let width = rows.iter().map(Vec::len).max().unwrap_or(0);
        for row in &mut rows {
            row.resize(width, 0);
        }
        Ok(Self { rows, player: player.ok_or(Fault::NoPlayer)? })
    }

    /// Moves the player; says whether a box was pushed.
    pub(crate) fn step(&mut self, down: isize, right: isize) -> Result<bool, Stuck> {
        let ahead = self.beside(self.player, down, right).ok_or(Stuck::Edge)?;
        let square = self.rows[ahead.0][ahead.1];
        if square & WALL != 0 {
            return Err(Stuck::Wall);
        }
        let pushed = square & BOX != 0;
        if pushed {
            let beyond = self.beside(ahead, down, right).ok_or(Stuck::Edge)?;
            let target = self.rows[beyond.0][beyond.1];
            if target & WALL != 0 {
                return Err(Stuck::BoxAtWall);
            }
            if target & BOX != 0 {
                return Err(Stuck::BoxAtBox);
            }
            self.rows[ahead.0][ahead.1] &= !BOX;
            self.rows[beyond.0][beyond.1] |= BOX;
        }
        self.player = ahead;
        Ok(pushed)
    }

    /// How many boxes stand off the goals, and how many goals hold no box.
    pub(crate) fn unfinished(&self) -> (usize, usize) {
        let count = |what| self.rows.iter().flatten().filter(|&&square| square & (BOX | GOAL) == what).count();
        (count(BOX), count(GOAL))
    }

    fn beside(&self, (row, column): (usize, usize), down: isize, right: isize) -> Option<(usize, usize)> {
        let next = (row.checked_add_signed(down)?, column.checked_add_signed(right)?);
        self.rows.get(next.0)?.get(next.1)?;
        Some(next)
    }
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (row, squares) in self.rows.iter().enumerate() {
            let mut line = String::with_capacity(squares.len());
            for (column, &square) in squares.iter().enumerate() {
                let player = self.player == (row, column);
                line.push(match (square, player) {
                    (WALL, _) => '#',
                    (0, false) => ' ',
                    (0, true) => '@',
                    (GOAL, false) => '.',
                    (GOAL, true) => '+',
                    (BOX, _) => '$',
                    _ => '*',
                });
            }
            writeln!(f, "{}", line.trim_end())?;
        }
        Ok(())
    }
}
