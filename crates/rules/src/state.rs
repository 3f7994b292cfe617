//! States and their packed form.

use crate::push::Push;
use crate::{Bits, Board, NO_SQUARE, Square};
use lurd_level::Direction;

/// A position: the boxes, and the player's square. Where states are equal up to the player's walk, the player's square
/// is the lowest square of the zone he can reach.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct State {
    pub boxes: Bits,
    /// The player's square, or the lowest square of his zone.
    pub player: Square,
}

impl Clone for State {
    fn clone(&self) -> Self {
        Self { boxes: self.boxes.clone(), player: self.player }
    }

    #[inline]
    fn clone_from(&mut self, source: &Self) {
        self.boxes.clone_from(&source.boxes);
        self.player = source.player;
    }
}

impl State {
    /// The start position of a level, with the player's exact square.
    pub fn start(board: &Board) -> Self {
        Self { boxes: Bits::of(board.len(), board.start_boxes().iter().copied()), player: board.start_player() }
    }

    /// Makes a move from the player's exact square: the push it makes, if it pushes a box. `None`, and nothing changes, if a
    /// wall or a second box is in the way.
    pub fn step(&mut self, board: &Board, direction: Direction) -> Option<Option<Push>> {
        let next = board.neighbour(self.player, direction);
        if next == NO_SQUARE {
            return None;
        }
        let push = self.boxes.contains(next).then_some(Push { from: next, direction });
        if let Some(push) = push {
            let beyond = push.to(board);
            if beyond == NO_SQUARE || self.boxes.contains(beyond) {
                return None;
            }
            self.boxes.shift(next, beyond);
        }
        self.player = next;
        Some(push)
    }
}

/// The packing of states into words: the box bits, with the player in the top 16 bits of the last word if these are
/// free, else in an additional word.
#[derive(Clone, Copy, Debug)]
pub struct Packing {
    box_words: usize,
    shares_word: bool,
}

impl Packing {
    pub fn new(board: &Board) -> Self {
        let box_words = board.len().div_ceil(64).max(1);
        Self { box_words, shares_word: box_words * 64 - board.len() >= 16 }
    }

    pub fn words(self) -> usize {
        self.box_words + usize::from(!self.shares_word)
    }

    #[inline]
    pub fn pack(self, state: &State, words: &mut [u64]) {
        words[..self.box_words].copy_from_slice(state.boxes.words());
        if self.shares_word {
            words[self.box_words - 1] |= u64::from(state.player) << 48;
        } else {
            words[self.box_words] = state.player.into();
        }
    }

    #[inline]
    pub fn unpack(self, words: &[u64], state: &mut State) {
        let boxes = state.boxes.words_mut();
        boxes.copy_from_slice(&words[..self.box_words]);
        if self.shares_word {
            let last = &mut boxes[self.box_words - 1];
            state.player = (*last >> 48) as Square;
            *last &= (1 << 48) - 1;
        } else {
            state.player = words[self.box_words] as Square;
        }
    }
}
