//! More boxes than goals along a wall.
//!
//! A *line* is a straight run of squares closed by a wall at both ends, with an unbroken
//! wall along one of its two sides. A box in it can only be pushed along it: off the wall
//! would need the player inside the wall. The unbroken wall is what the popular form of
//! this rule forgets; with a gap in it the box may leave.

use crate::deadlock::Detector;
use crate::{Bits, Board, NO_SQUARE, Square};
use lurd_level::Direction;

struct Line {
    squares: Vec<Square>,
    goals: usize,
}

pub(super) struct WallLine {
    lines: Vec<Line>,
    /// The lines each square lies in.
    through: Vec<Vec<u32>>,
}

impl WallLine {
    pub(super) fn new(board: &Board) -> Self {
        let mut lines = Vec::new();
        let mut through = vec![Vec::new(); board.len()];
        for start in board.squares() {
            for along in [Direction::Right, Direction::Down] {
                if !board.wall(start, along.opposite()) {
                    continue;
                }
                let mut squares = vec![start];
                let mut last = start;
                while board.neighbour(last, along) != NO_SQUARE {
                    last = board.neighbour(last, along);
                    squares.push(last);
                }
                let unbroken = |side| squares.iter().all(|&square| board.wall(square, side));
                if along.sideways().into_iter().any(unbroken) {
                    let goals = squares.iter().filter(|&&square| board.is_goal(square)).count();
                    for &square in &squares {
                        through[usize::from(square)].push(lines.len() as u32);
                    }
                    lines.push(Line { squares, goals });
                }
            }
        }
        Self { lines, through }
    }
}

impl Detector for WallLine {
    fn is_dead(&mut self, boxes: &Bits, pushed: Square, _: Square) -> bool {
        self.through[usize::from(pushed)].iter().any(|&line| {
            let line = &self.lines[line as usize];
            line.squares.iter().filter(|&&square| boxes.contains(square)).count() > line.goals
        })
    }

    fn blamed(&self, boxes: &Bits, pushed: Square) -> Vec<Square> {
        let line = self.through[usize::from(pushed)]
            .iter()
            .map(|&line| &self.lines[line as usize])
            .find(|line| line.squares.iter().filter(|&&square| boxes.contains(square)).count() > line.goals);
        line.map(|line| line.squares.iter().copied().filter(|&square| boxes.contains(square)).collect())
            .unwrap_or_default()
    }
}
