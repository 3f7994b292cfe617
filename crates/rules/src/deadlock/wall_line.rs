//! More boxes than goals along a wall.
//!
//! A *line* is a straight run of squares closed by a wall at both ends, with an unbroken wall along one side. A box in it
//! can only be pushed along it: a push off the wall would need the player inside the wall. The common form of this rule
//! omits the condition that the wall is unbroken and is unsound: a box may leave through a gap.

use crate::deadlock::Detector;
use crate::{Bits, Board, Square};
use lurd_level::Direction;

struct Line {
    squares: Vec<Square>,
    goals: usize,
}

impl Line {
    fn boxes<'a>(&'a self, boxes: &'a Bits) -> impl Iterator<Item = Square> + 'a {
        self.squares.iter().copied().filter(|&square| boxes.contains(square))
    }
}

pub(super) struct WallLine {
    lines: Vec<Line>,
    /// The lines of each square.
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
                let squares: Vec<Square> = board.run(start, along).collect();
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

    /// The lines of a square with more boxes than goals.
    fn overfull<'a>(&'a self, boxes: &'a Bits, square: Square) -> impl Iterator<Item = &'a Line> {
        let lines = self.through[usize::from(square)].iter().map(|&line| &self.lines[line as usize]);
        lines.filter(|line| line.boxes(boxes).count() > line.goals)
    }
}

impl Detector for WallLine {
    fn is_dead(&mut self, boxes: &Bits, pushed: Square, _: Square) -> bool {
        self.overfull(boxes, pushed).next().is_some()
    }

    fn blamed(&self, boxes: &Bits, pushed: Square) -> Vec<Square> {
        self.overfull(boxes, pushed).next().map(|line| line.boxes(boxes).collect()).unwrap_or_default()
    }
}
