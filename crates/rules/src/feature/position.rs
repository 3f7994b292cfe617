//! A position laid out on the board, to look at and to change.

use crate::bits::squares;
use crate::feature::board::{BOX, FeatureBoard};
use crate::{Bits, Square};

/// A position: what stands on every square, the boxes as a list, the player.
#[derive(Clone, Debug)]
pub struct Position {
    /// 0 where the square is free, for every square and the number that stands for walls.
    pub taken: Vec<u8>,
    /// The boxes, ascending when unpacked.
    pub boxes: Vec<Square>,
    /// Where the player stands, somewhere in his zone.
    pub player: Square,
    /// The exclusive or of the boxes' keys.
    pub boxes_key: u64,
}

impl Position {
    /// The bare board.
    pub fn new(board: &FeatureBoard) -> Self {
        Self { taken: board.bare().to_vec(), boxes: Vec::new(), player: board.player(), boxes_key: 0 }
    }

    /// A position with given boxes.
    pub fn with(board: &FeatureBoard, boxes: &[Square], player: Square) -> Self {
        let mut position = Self::new(board);
        position.set(board, boxes.iter().copied(), player);
        position
    }

    /// Words a packed set of boxes takes.
    pub fn words(board: &FeatureBoard) -> usize {
        board.len().div_ceil(64)
    }

    /// Replaces the boxes and the player.
    pub fn set(&mut self, board: &FeatureBoard, boxes: impl Iterator<Item = Square>, player: Square) {
        self.taken.copy_from_slice(board.bare());
        self.boxes.clear();
        self.boxes_key = 0;
        for square in boxes {
            self.taken[usize::from(square)] = BOX;
            self.boxes.push(square);
            self.boxes_key ^= board.box_key(square);
        }
        self.player = player;
    }

    /// Lays out a packed set of boxes.
    pub fn unpack(&mut self, board: &FeatureBoard, words: &[u64], player: Square) {
        self.set(board, squares(words), player);
    }

    /// Appends the boxes as words.
    pub fn pack(&self, words: usize, out: &mut Vec<u64>) {
        let first = out.len();
        out.resize(first + words, 0);
        for &square in &self.boxes {
            out[first + usize::from(square) / 64] |= 1 << (square % 64);
        }
    }

    /// The boxes as a set.
    pub fn pack_into(&self, set: &mut Bits) {
        set.words_mut().fill(0);
        for &square in &self.boxes {
            set.insert(square);
        }
    }

    /// Moves a box. The list of boxes keeps its order of places, not of numbers.
    pub fn shift(&mut self, board: &FeatureBoard, from: Square, to: Square, player: Square) {
        let what = std::mem::take(&mut self.taken[usize::from(from)]);
        self.taken[usize::from(to)] = what;
        if let Some(place) = self.boxes.iter_mut().find(|square| **square == from) {
            *place = to;
        }
        self.boxes_key ^= board.box_key(from) ^ board.box_key(to);
        self.player = player;
    }

    /// Takes a box off the board.
    pub fn remove(&mut self, board: &FeatureBoard, square: Square) {
        self.taken[usize::from(square)] = 0;
        self.boxes.retain(|&other| other != square);
        self.boxes_key ^= board.box_key(square);
    }

    /// Whether a box stands here.
    #[inline]
    pub fn has_box(&self, square: Square) -> bool {
        self.taken[usize::from(square)] & BOX != 0
    }
}
