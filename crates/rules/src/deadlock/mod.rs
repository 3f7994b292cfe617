//! Deadlock rules: one module each, each sound by itself.
//!
//! A rule is evaluated after a push: the box is on its new square and the player on the square the box left. It reports
//! a deadlock only if no solution exists. Two rules are of another kind and restrict the pushes that are generated:
//! [`corral`] and [`tunnel`]. They preserve a solution with the fewest pushes, but not one with the fewest moves.
//!
//! Deadlock tables, tunnels and the matching bound are described by Junghanns and Schaeffer (2001, Rolling Stone); freeze
//! deadlocks and PI-corrals by Brian Damgaard (YASS).

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
    /// Whether the position is certainly dead after a push of a box to `pushed`, with the player on `player`. Only the
    /// consequences of that push need to be found.
    fn is_dead(&mut self, boxes: &Bits, pushed: Square, player: Square) -> bool;

    /// The boxes that cause the deadlock; valid after [`is_dead`](Self::is_dead) returned true.
    fn blamed(&self, _boxes: &Bits, pushed: Square) -> Vec<Square> {
        vec![pushed]
    }
}

type Constructor<'a, 'b> = &'a dyn Fn() -> Box<dyn Detector + 'b>;

/// A selection of detectors, cheapest first.
pub struct Detectors<'b> {
    detectors: Vec<(DetectorName, Box<dyn Detector + 'b>)>,
}

impl<'b> Detectors<'b> {
    pub fn new(board: &'b Board, distances: &'b Distances, names: &[DetectorName]) -> Self {
        // In order of cost: a position is pruned by the cheapest rule that applies.
        let rules: [(DetectorName, Constructor<'_, 'b>); 7] = [
            (DetectorName::Corner, &|| Box::new(corner::Corner::new(board))),
            (DetectorName::DeadSquare, &|| Box::new(dead_square::DeadSquare(distances))),
            (DetectorName::WallLine, &|| Box::new(wall_line::WallLine::new(board))),
            (DetectorName::Corridor, &|| Box::new(corridor::Corridor::new(board))),
            (DetectorName::Freeze, &|| Box::new(freeze::Freeze::new(board, distances))),
            (DetectorName::Pattern, &|| Box::new(pattern::Pattern::new(board))),
            (DetectorName::Bipartite, &|| Box::new(bipartite::Bipartite::new(board, distances))),
        ];
        let chosen = rules.into_iter().filter(|(name, _)| names.contains(name));
        Self { detectors: chosen.map(|(name, rule)| (name, rule())).collect() }
    }

    /// The first rule that reports a deadlock. `boxes` is the position after the push.
    #[inline]
    pub fn verdict(&mut self, boxes: &Bits, pushed: Square, player: Square) -> Option<DetectorName> {
        self.detectors.iter_mut().find_map(|(name, detector)| detector.is_dead(boxes, pushed, player).then_some(*name))
    }

    /// The boxes that cause the deadlock a rule has just reported.
    pub fn blamed(&self, rule: DetectorName, boxes: &Bits, pushed: Square) -> Vec<Square> {
        let detector = self.detectors.iter().find(|(name, _)| *name == rule);
        detector.map(|(_, detector)| detector.blamed(boxes, pushed)).unwrap_or_default()
    }

    /// The first rule that reports a deadlock with some box as the one just pushed.
    pub fn verdict_on_all(&mut self, boxes: &Bits, player: Square) -> Option<DetectorName> {
        boxes.iter().find_map(|square| self.verdict(boxes, square, player))
    }
}
