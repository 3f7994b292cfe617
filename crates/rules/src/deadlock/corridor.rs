//! Boxes stuck in a dead-end corridor.
//!
//! A *dead-end corridor* is a straight run of squares with walls on both sides, closed by
//! a wall at one end. Boxes in it move only along it. While the player is on the open side
//! of such a box he can only push it deeper, and he can never pass it: the boxes beyond him
//! need as many goals as they are, no further out than the outermost of them. A corridor
//! alone is no deadlock, and neither is one that is open at both ends.

use crate::deadlock::Detector;
use crate::{Bits, Board, NO_SQUARE, Square};
use lurd_level::Direction;

pub(super) struct Corridor<'b> {
    board: &'b Board,
    /// The corridors, each from its closed end outwards.
    corridors: Vec<Vec<Square>>,
    /// The corridors each square lies in; a run closed at both ends is two corridors.
    through: Vec<Vec<u32>>,
}

impl<'b> Corridor<'b> {
    pub(super) fn new(board: &'b Board) -> Self {
        let mut corridors = Vec::new();
        let mut through = vec![Vec::new(); board.len()];
        for end in board.squares() {
            for outwards in Direction::ALL {
                let [a, b] = outwards.sideways();
                let narrow = |square| board.wall(square, a) && board.wall(square, b);
                if !board.wall(end, outwards.opposite()) || !narrow(end) {
                    continue;
                }
                let mut squares = vec![end];
                let mut last = end;
                loop {
                    let next = board.neighbour(last, outwards);
                    if next == NO_SQUARE || !narrow(next) {
                        break;
                    }
                    squares.push(next);
                    last = next;
                }
                for &square in &squares {
                    through[usize::from(square)].push(corridors.len() as u32);
                }
                corridors.push(squares);
            }
        }
        Self { board, corridors, through }
    }
}

impl Detector for Corridor<'_> {
    fn is_dead(&mut self, boxes: &Bits, pushed: Square, player: Square) -> bool {
        self.through[usize::from(pushed)].iter().any(|&corridor| {
            let corridor = &self.corridors[corridor as usize];
            let (mut count, mut room, mut goals) = (0, 0, 0);
            for &square in corridor.iter().take_while(|&&square| square != player) {
                goals += usize::from(self.board.is_goal(square));
                if boxes.contains(square) {
                    count += 1;
                    room = goals;
                }
            }
            count > room
        })
    }
}
