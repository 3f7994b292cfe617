//! Deadlock tables of 3x3 windows (after Junghanns and Schaeffer 2001).
//!
//! For every arrangement of wall, floor and goal in a 3x3 window, and every set of boxes in it, a table tells whether
//! all boxes can leave the window or be pushed to its goals in a relaxed game: everything outside is open floor where the
//! player walks freely and boxes disappear. Every real solution is a solution of the relaxed game, so a window that is
//! dead in the table is dead on every board. Every 2x2 pattern is part of a 3x3 window and so is covered too. The tables
//! are computed on demand, only for windows of the board.
//!
//! The player's square matters in one case only: the middle square can be a closed cell. A player inside it can push
//! his way out, a player outside cannot enter it.

use crate::deadlock::Detector;
use crate::{Bits, Board, NO_SQUARE, Square};
use std::collections::HashMap;

const CELLS: usize = 9;
const MIDDLE: usize = 4;
/// The four squares next to the middle.
const AROUND_MIDDLE: u16 = 1 << 1 | 1 << 3 | 1 << 5 | 1 << 7;

/// Walls and goals of a window, one bit per cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Terrain {
    walls: u16,
    goals: u16,
}

/// For one terrain: whether each set of boxes is alive, with the player outside and inside the middle.
type Table = [Vec<bool>; 2];

const OUTSIDE: usize = 0;
const INSIDE: usize = 1;

fn table(terrain: Terrain) -> Table {
    let is_solved = |boxes: u16| boxes & terrain.walls == 0 && boxes & !terrain.goals == 0;
    let solved: Vec<bool> = (0..1 << CELLS).map(is_solved).collect();
    let mut alive = [solved.clone(), solved];
    // Retrograde: a set is alive if some push leads to an alive set.
    let mut changed = true;
    while changed {
        changed = false;
        for boxes in (0..1u16 << CELLS).filter(|boxes| boxes & terrain.walls == 0) {
            for place in [OUTSIDE, INSIDE] {
                if !alive[place][usize::from(boxes)] && has_alive_push(terrain, boxes, place, &alive[OUTSIDE]) {
                    alive[place][usize::from(boxes)] = true;
                    changed = true;
                }
            }
        }
    }
    alive
}

/// Whether some push leads to a set of boxes known to be alive. After any push the player can leave the window.
fn has_alive_push(terrain: Terrain, boxes: u16, place: usize, alive: &[bool]) -> bool {
    let solid = terrain.walls | boxes;
    let middle_open = solid & AROUND_MIDDLE != AROUND_MIDDLE;
    (0..CELLS).filter(|cell| boxes >> cell & 1 != 0).any(|cell| {
        [(0, -1), (0, 1), (-1, 0), (1, 0)].into_iter().any(|(down, right)| {
            let player_ok = match neighbour(cell, -down, -right) {
                None => true,
                Some(from) if solid >> from & 1 != 0 => false,
                Some(MIDDLE) => middle_open || place == INSIDE,
                Some(_) => true,
            };
            let rest = boxes & !(1 << cell);
            player_ok
                && match neighbour(cell, down, right) {
                    None => alive[usize::from(rest)],
                    Some(to) => solid >> to & 1 == 0 && alive[usize::from(rest | 1 << to)],
                }
        })
    })
}

/// The neighbour of a cell, if it is in the window.
fn neighbour(cell: usize, down: isize, right: isize) -> Option<usize> {
    let row = (cell / 3).checked_add_signed(down)?;
    let column = (cell % 3).checked_add_signed(right)?;
    (row < 3 && column < 3).then_some(row * 3 + column)
}

struct Window {
    squares: [Square; CELLS],
    terrain: Terrain,
    /// The number of its table, if computed.
    table: Option<usize>,
}

pub(super) struct Pattern {
    windows: Vec<Window>,
    /// The windows of each square.
    through: Vec<Vec<u32>>,
    tables: Vec<Table>,
    known: HashMap<Terrain, usize>,
    /// The window of the last deadlock.
    last_dead: u32,
}

impl Pattern {
    pub(super) fn new(board: &Board) -> Self {
        let mut windows = Vec::new();
        let mut through = vec![Vec::new(); board.len()];
        let (height, width) = (board.map().height() as isize, board.map().width() as isize);
        for top in -2..height {
            for left in -2..width {
                let squares: [Square; CELLS] = std::array::from_fn(|cell| {
                    let row = usize::try_from(top + (cell / 3) as isize);
                    let column = usize::try_from(left + (cell % 3) as isize);
                    match (row, column) {
                        (Ok(row), Ok(column)) => board.square_at(row, column).unwrap_or(NO_SQUARE),
                        _ => NO_SQUARE,
                    }
                });
                if squares.iter().all(|&square| square == NO_SQUARE) {
                    continue;
                }
                let mut terrain = Terrain { walls: 0, goals: 0 };
                for (cell, &square) in squares.iter().enumerate() {
                    if square == NO_SQUARE {
                        terrain.walls |= 1 << cell;
                    } else {
                        terrain.goals |= u16::from(board.is_goal(square)) << cell;
                        through[usize::from(square)].push(windows.len() as u32);
                    }
                }
                windows.push(Window { squares, terrain, table: None });
            }
        }
        Self { windows, through, tables: Vec::new(), known: HashMap::new(), last_dead: 0 }
    }

    /// Computes the table of a window on its first use and gives its number. Out of line: its loops would crowd the registers
    /// of every later use.
    #[cold]
    #[inline(never)]
    fn compute_table(&mut self, window: u32) -> usize {
        let window = &mut self.windows[window as usize];
        let table = *self.known.entry(window.terrain).or_insert_with(|| {
            self.tables.push(table(window.terrain));
            self.tables.len() - 1
        });
        window.table = Some(table);
        table
    }
}

impl Detector for Pattern {
    fn is_dead(&mut self, boxes: &Bits, pushed: Square, player: Square) -> bool {
        for index in 0..self.through[usize::from(pushed)].len() {
            let number = self.through[usize::from(pushed)][index];
            let window = &self.windows[number as usize];
            let mut mask = 0u16;
            for (cell, &square) in window.squares.iter().enumerate() {
                if square != NO_SQUARE && boxes.contains(square) {
                    mask |= 1 << cell;
                }
            }
            if mask & !window.terrain.goals == 0 {
                continue;
            }
            let place = if window.squares[MIDDLE] == player { INSIDE } else { OUTSIDE };
            let table = window.table.unwrap_or_else(|| self.compute_table(number));
            if !self.tables[table][place][usize::from(mask)] {
                self.last_dead = number;
                return true;
            }
        }
        false
    }

    fn blamed(&self, boxes: &Bits, _: Square) -> Vec<Square> {
        let squares = self.windows[self.last_dead as usize].squares;
        squares.into_iter().filter(|&square| square != NO_SQUARE && boxes.contains(square)).collect()
    }
}
