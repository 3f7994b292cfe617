//! Rules that recognise dead positions: one file each, each sound on its own.
//!
//! A rule is asked right after a push: the box stands on its new square and the player
//! on the square the box left. It answers "dead" only if no solution exists any more.
//! Two rules are of another kind and restrict which pushes are tried: [`corral`] and
//! [`tunnel`]; they keep a solution with the fewest pushes, and say nothing about moves.

mod bipartite;
mod corner;
pub mod corral;
mod corridor;
mod dead_square;
mod deadlocks;
mod freeze;
mod names;
mod pattern;
pub mod tunnel;
mod wall_line;

pub use deadlocks::{Deadlock, Deadlocks};
pub use freeze::frozen_boxes;
pub use names::DetectorName;

use crate::distance::Distances;
use crate::{Bits, Board, Square};

/// A rule that recognises dead positions after a push.
trait Detector {
    /// Whether the position is certainly dead, given that it was not known to be before a box
    /// came to `pushed`. The player stands on `player`.
    fn is_dead(&mut self, boxes: &Bits, pushed: Square, player: Square) -> bool;

    /// The boxes at fault, asked right after [`is_dead`](Self::is_dead) said yes.
    fn blamed(&self, boxes: &Bits, pushed: Square) -> Vec<Square> {
        let _ = boxes;
        vec![pushed]
    }
}

/// The detectors that are switched on, cheapest first.
pub struct Detectors<'b> {
    detectors: Vec<(DetectorName, Box<dyn Detector + 'b>)>,
}

impl<'b> Detectors<'b> {
    pub fn new(board: &'b Board, distances: &'b Distances, names: &[DetectorName]) -> Self {
        // The order is by cost of asking, so that a cut is made by the cheapest rule that sees it.
        let order = [
            DetectorName::Corner,
            DetectorName::DeadSquare,
            DetectorName::WallLine,
            DetectorName::Corridor,
            DetectorName::Freeze,
            DetectorName::Pattern,
            DetectorName::Bipartite,
        ];
        let detectors = order
            .into_iter()
            .filter(|name| names.contains(name))
            .filter_map(|name| {
                let detector: Box<dyn Detector + 'b> = match name {
                    DetectorName::Corner => Box::new(corner::Corner::new(board)),
                    DetectorName::DeadSquare => Box::new(dead_square::DeadSquare::new(distances)),
                    DetectorName::WallLine => Box::new(wall_line::WallLine::new(board)),
                    DetectorName::Corridor => Box::new(corridor::Corridor::new(board)),
                    DetectorName::Freeze => Box::new(freeze::Freeze::new(board, distances)),
                    DetectorName::Pattern => Box::new(pattern::Pattern::new(board)),
                    DetectorName::Bipartite => Box::new(bipartite::Bipartite::new(board, distances)),
                    DetectorName::Corral | DetectorName::Tunnel => return None,
                };
                Some((name, detector))
            })
            .collect();
        Self { detectors }
    }

    /// The first rule that calls the position dead. `boxes` is the position after the push.
    #[inline]
    pub fn verdict(&mut self, boxes: &Bits, pushed: Square, player: Square) -> Option<DetectorName> {
        self.detectors.iter_mut().find_map(|(name, detector)| detector.is_dead(boxes, pushed, player).then_some(*name))
    }

    /// The boxes that a rule just blamed.
    pub fn blamed(&self, rule: DetectorName, boxes: &Bits, pushed: Square) -> Vec<Square> {
        let asked = self.detectors.iter().find(|(name, _)| *name == rule);
        asked.map(|(_, detector)| detector.blamed(boxes, pushed)).unwrap_or_default()
    }

    /// The first rule that calls a whole position dead, each box looked at as if just pushed.
    pub fn verdict_on_all(&mut self, boxes: &Bits, player: Square) -> Option<DetectorName> {
        boxes.iter().find_map(|square| self.verdict(boxes, square, player))
    }
}
