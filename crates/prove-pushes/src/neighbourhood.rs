//! The neighbourhood of a solution: positions that differ from some position of it in few boxes.
//!
//! Searching it under the limit of a shorter solution finds what is shorter and alike, long before all positions
//! within that limit are searched. It proves nothing.

use crate::scene::Scene;
use lurd_rules::dense::board::NONE;
use lurd_rules::dense::set::Set;
use lurd_rules::{Board, NO_SQUARE, Push, Square};

/// Box sets of a solution, and how many boxes may stand elsewhere.
#[derive(Clone, Debug)]
pub(crate) struct Neighbourhood<const L: usize> {
    route: Vec<Set<L>>,
    astray: u32,
}

impl<const L: usize> Neighbourhood<L> {
    /// The neighbourhood of the solution that these pushes make; `None` if they are no solution of this level.
    pub(crate) fn new<K: crate::key::Key, const G: usize>(
        scene: &Scene<K, L, G>,
        board: &Board,
        pushes: &[Push],
        astray: u32,
    ) -> Option<Self> {
        let live = |square: Square| Some(scene.board.live_on(square)).filter(|&live| live != NONE).map(usize::from);
        let (mut boxes, _) = scene.start();
        let mut route = vec![boxes];
        for push in pushes {
            let to = board.neighbour(push.from, push.direction);
            boxes.remove(live(push.from)?);
            boxes.insert(live(Some(to).filter(|&to| to != NO_SQUARE)?)?);
            route.push(boxes);
        }
        (boxes == scene.goals).then_some(Self { route, astray })
    }

    /// Whether boxes are in the neighbourhood.
    #[inline]
    pub(crate) fn holds(&self, boxes: Set<L>) -> bool {
        self.route.iter().any(|known| {
            let elsewhere: u32 = boxes.without(*known).0.iter().map(|word| word.count_ones()).sum();
            elsewhere <= self.astray
        })
    }
}
