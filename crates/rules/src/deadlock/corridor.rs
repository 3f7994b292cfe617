//! Dead-end corridors.
//!
//! A *dead-end corridor* is a straight run of squares with walls on both sides, closed by a wall at one end. Boxes in it
//! move only along it. A player on the open side of such a box can only push it deeper and can never pass it. So the
//! boxes between him and the closed end need as many goals there, no further out than the outermost box. A box in a
//! corridor is not a deadlock by itself, and neither is a box in a corridor open at both ends.

use crate::deadlock::Detector;
use crate::{Bits, Board, Square};
use lurd_level::Direction;

pub(super) struct Corridor<'b> {
    board: &'b Board,
    /// The squares of each corridor from its closed end outwards.
    corridors: Vec<Vec<Square>>,
    /// The corridors of each square; a run closed at both ends is two corridors.
    through: Vec<Vec<u32>>,
    /// The boxes of the last deadlock that was found.
    cause: Vec<Square>,
}

impl<'b> Corridor<'b> {
    pub(super) fn new(board: &'b Board) -> Self {
        let mut corridors = Vec::new();
        let mut through = vec![Vec::new(); board.len()];
        for end in board.squares() {
            for outwards in Direction::ALL {
                let [a, b] = outwards.sideways();
                let narrow = |&square: &Square| board.wall(square, a) && board.wall(square, b);
                if !board.wall(end, outwards.opposite()) || !narrow(&end) {
                    continue;
                }
                let squares: Vec<Square> = board.run(end, outwards).take_while(narrow).collect();
                for &square in &squares {
                    through[usize::from(square)].push(corridors.len() as u32);
                }
                corridors.push(squares);
            }
        }
        Self { board, corridors, through, cause: Vec::new() }
    }
}

impl Detector for Corridor<'_> {
    fn is_dead(&mut self, boxes: &Bits, pushed: Square, player: Square) -> bool {
        self.through[usize::from(pushed)].iter().any(|&corridor| {
            let corridor = &self.corridors[corridor as usize];
            let (mut room, mut goals) = (0, 0);
            // The boxes up to the innermost one behind which there are too few goals.
            let mut too_many = None;
            self.cause.clear();
            for &square in corridor.iter().take_while(|&&square| square != player) {
                goals += usize::from(self.board.is_goal(square));
                if boxes.contains(square) {
                    self.cause.push(square);
                    room = goals;
                    too_many = too_many.or((self.cause.len() > room).then_some(self.cause.len()));
                }
            }
            let is_dead = self.cause.len() > room;
            self.cause.truncate(too_many.unwrap_or(0));
            is_dead
        })
    }

    fn blamed(&self, _: &Bits, _: Square) -> Vec<Square> {
        self.cause.clone()
    }
}
