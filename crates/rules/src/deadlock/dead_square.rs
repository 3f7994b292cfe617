//! A box from whose square, with the player on his side of it, no sequence of pushes
//! leads to any goal even on an empty board.

use crate::deadlock::Detector;
use crate::distance::{Distances, FAR};
use crate::{Bits, Square};

pub(super) struct DeadSquare<'b> {
    distances: &'b Distances,
}

impl<'b> DeadSquare<'b> {
    pub(super) fn new(distances: &'b Distances) -> Self {
        Self { distances }
    }
}

impl Detector for DeadSquare<'_> {
    fn is_dead(&mut self, _: &Bits, pushed: Square, player: Square) -> bool {
        self.distances.nearest(pushed, player) == FAR
    }
}
