//! Dead squares: no sequence of pushes takes the box from its square to any goal, even on an empty board, with the player
//! on his present side of it.

use crate::deadlock::Detector;
use crate::distance::{Distances, FAR};
use crate::{Bits, Square};

pub(super) struct DeadSquare<'b>(pub(super) &'b Distances);

impl Detector for DeadSquare<'_> {
    fn is_dead(&mut self, _: &Bits, pushed: Square, player: Square) -> bool {
        self.0.nearest(pushed, player) == FAR
    }
}
