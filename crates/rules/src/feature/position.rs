//! A position as an array by square, to be modified in place.

use crate::bits::squares;
use crate::feature::board::{BOX, FeatureBoard};
use crate::{Bits, Square};

/// A position: the content of every square, the list of boxes, the player.
#[derive(Clone, Debug)]
pub struct Position {
    /// 0 for a free square, else a combination of [`BOX`] and [`WALL`](crate::feature::board::WALL); the last entry is
    /// the wall.
    pub taken: Vec<u8>,
    /// The boxes, ascending after unpacking.
    pub boxes: Vec<Square>,
    /// Some square of the player's zone.
    pub player: Square,
    /// The Zobrist key of the boxes: the exclusive or of their keys.
    pub boxes_key: u64,
}

impl Position {
    /// The board without boxes.
    pub fn new(board: &FeatureBoard) -> Self {
        Self { taken: board.bare().to_vec(), boxes: Vec::new(), player: board.player(), boxes_key: 0 }
    }

    pub fn with(board: &FeatureBoard, boxes: &[Square], player: Square) -> Self {
        let mut position = Self::new(board);
        position.set(board, boxes.iter().copied(), player);
        position
    }

    /// The number of words of a packed set of boxes.
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

    pub fn unpack(&mut self, board: &FeatureBoard, words: &[u64], player: Square) {
        self.set(board, squares(words), player);
    }

    /// Appends the packed set of boxes.
    pub fn pack(&self, words: usize, out: &mut Vec<u64>) {
        let first = out.len();
        out.resize(first + words, 0);
        for &square in &self.boxes {
            out[first + usize::from(square) / 64] |= 1 << (square % 64);
        }
    }

    pub fn pack_into(&self, set: &mut Bits) {
        set.words_mut().fill(0);
        for &square in &self.boxes {
            set.insert(square);
        }
    }

    /// Moves a box. It keeps its index in the list of boxes, which is no longer sorted.
    pub fn shift(&mut self, board: &FeatureBoard, from: Square, to: Square, player: Square) {
        let what = std::mem::take(&mut self.taken[usize::from(from)]);
        self.taken[usize::from(to)] = what;
        if let Some(entry) = self.boxes.iter_mut().find(|square| **square == from) {
            *entry = to;
        }
        self.boxes_key ^= board.box_key(from) ^ board.box_key(to);
        self.player = player;
    }

    pub fn remove(&mut self, board: &FeatureBoard, square: Square) {
        self.taken[usize::from(square)] = 0;
        self.boxes.retain(|&other| other != square);
        self.boxes_key ^= board.box_key(square);
    }

    #[inline]
    pub fn has_box(&self, square: Square) -> bool {
        self.taken[usize::from(square)] & BOX != 0
    }
}
