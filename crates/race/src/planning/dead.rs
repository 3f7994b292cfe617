//! Deadlock rules of the backward search: positions that cannot be reached from the start.
//!
//! Both are sound: every box has come from a start square of its own, and a box that can never be pulled has not moved
//! since the start.

use crate::planning::Planning;
use lurd_rules::Square;
use lurd_rules::bits::squares;
use lurd_rules::cuts::Rule;
use lurd_rules::feature::board::FAR;

impl Planning<'_> {
    /// Whether the current position cannot be reached from the start.
    pub(super) fn is_dead(&mut self) -> bool {
        let rule = if !self.boxes_have_starts() {
            Rule::Bipartite
        } else if self.some_box_is_stuck() {
            Rule::Freeze
        } else {
            return false;
        };
        self.figures.cuts.count(rule);
        true
    }

    /// Whether each box can have come from an unused start square of its own.
    pub(super) fn boxes_have_starts(&mut self) -> bool {
        let starts: Vec<Square> = squares(&self.unused).collect();
        let words = starts.len().div_ceil(64).max(1);
        let mut sets = vec![0u64; self.position.boxes.len() * words];
        for (number, &start) in starts.iter().enumerate() {
            let row = self.board.pushes_from(start);
            for (place, &square) in self.position.boxes.iter().enumerate() {
                if row[usize::from(square)] != FAR {
                    sets[place * words + number / 64] |= 1 << (number % 64);
                }
            }
        }
        self.matching.is_perfect(self.position.boxes.len(), starts.len(), |row, word| sets[row * words + word])
    }

    /// Takes away every box that the player can pull, as long as there is one; the others must be on start squares.
    fn some_box_is_stuck(&mut self) -> bool {
        let board = self.board;
        let mut taken = self.position.taken.clone();
        let mut boxes = self.position.boxes.clone();
        loop {
            self.survey.survey(board, &taken);
            let before = boxes.len();
            let survey = &self.survey;
            let player = self.position.player;
            boxes.retain(|&square| {
                let moves = (0..4).any(|direction| {
                    let near = board.next(square, direction);
                    survey.joined(near, player) && taken[usize::from(board.next(near, direction))] == 0
                });
                if moves {
                    taken[usize::from(square)] = 0;
                }
                !moves
            });
            if boxes.len() == before {
                return boxes.iter().any(|&square| !self.is_unused(square));
            }
        }
    }
}
