//! Flood fill of the player's zone on the feature board, with generation marks instead of clearing.

use lurd_rules::Square;
use lurd_rules::feature::board::FeatureBoard;

/// The squares reached by the last fill.
#[derive(Clone, Debug)]
pub(super) struct ZoneFill {
    marks: Vec<u32>,
    generation: u32,
    stack: Vec<Square>,
}

impl ZoneFill {
    pub(super) fn new(board: &FeatureBoard) -> Self {
        Self { marks: vec![0; board.len() + 1], generation: 0, stack: Vec::new() }
    }

    /// Marks the squares that can be walked to; returns the key of the zone.
    pub(super) fn fill(&mut self, board: &FeatureBoard, taken: &[u8], player: Square) -> u64 {
        self.generation = self.generation.wrapping_add(1);
        if self.generation == 0 {
            self.marks.fill(0);
            self.generation = 1;
        }
        self.stack.push(player);
        self.marks[usize::from(player)] = self.generation;
        let mut key = 0;
        while let Some(square) = self.stack.pop() {
            key ^= board.zone_key(square);
            for &next in board.neighbours(square) {
                if taken[usize::from(next)] == 0 && self.marks[usize::from(next)] != self.generation {
                    self.marks[usize::from(next)] = self.generation;
                    self.stack.push(next);
                }
            }
        }
        key
    }

    /// Whether the last fill reached a square.
    pub(super) fn contains(&self, square: Square) -> bool {
        self.marks[usize::from(square)] == self.generation
    }
}
