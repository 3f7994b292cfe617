//! The neighbourhood of a solution: positions in which few boxes stand elsewhere than in some position of the solution.
//!
//! A search restricted to it finds shorter solutions similar to the given one long before all positions within the limit
//! are searched. It proves nothing.

use crate::key::Key;
use crate::model::Model;
use lurd_rules::dense::board::NONE;
use lurd_rules::dense::set::Set;
use lurd_rules::{Board, NO_SQUARE, Push, Square};

/// The box sets of a solution, and how many boxes may deviate from them.
#[derive(Clone, Debug)]
pub(crate) struct Neighbourhood<const L: usize> {
    solution: Vec<Set<L>>,
    deviation: u32,
}

impl<const L: usize> Neighbourhood<L> {
    /// The neighbourhood of the solution with these pushes; `None` if they do not solve the level.
    pub(crate) fn new<K: Key, const G: usize>(
        model: &Model<K, L, G>,
        board: &Board,
        pushes: &[Push],
        deviation: u32,
    ) -> Option<Self> {
        let live = |square: Square| Some(model.board.live_on(square)).filter(|&live| live != NONE).map(usize::from);
        let (mut boxes, _) = model.start();
        let mut solution = vec![boxes];
        for push in pushes {
            let to = board.neighbour(push.from, push.direction);
            boxes.remove(live(push.from)?);
            boxes.insert(live(Some(to).filter(|&to| to != NO_SQUARE)?)?);
            solution.push(boxes);
        }
        (boxes == model.goals).then_some(Self { solution, deviation })
    }

    #[inline]
    pub(crate) fn contains(&self, boxes: Set<L>) -> bool {
        self.solution.iter().any(|known| boxes.without(*known).len() <= self.deviation)
    }
}
