//! No way to give every box a goal of its own.
//!
//! A box can only end on goals it can be pushed to on an empty board. If the boxes cannot all be matched with goals
//! ([`crate::bipartite`]) the position is dead. The last matching is kept as a first guess: after a push most boxes keep
//! the goal they had.

use crate::bipartite::BipartiteMatching;
use crate::deadlock::Detector;
use crate::distance::{Distances, FAR};
use crate::{Bits, Board, Square};

pub(super) struct Bipartite<'b> {
    distances: &'b Distances,
    goals: usize,
    matching: BipartiteMatching,
    /// The goal that the box on each square was matched with last.
    guess: Vec<Option<u16>>,
    /// Boxes whose guess does not hold.
    loose: Vec<Square>,
}

impl<'b> Bipartite<'b> {
    pub(super) fn new(board: &Board, distances: &'b Distances) -> Self {
        Self {
            distances,
            goals: board.goals().len(),
            matching: BipartiteMatching::default(),
            guess: vec![None; board.len()],
            loose: Vec::new(),
        }
    }
}

impl Detector for Bipartite<'_> {
    fn is_dead(&mut self, boxes: &Bits, _: Square, player: Square) -> bool {
        let Self { distances, matching, loose, .. } = self;
        matching.clear(self.goals);
        loose.clear();
        for square in boxes.iter() {
            let row = distances.row(square, player);
            let goal = self.guess[usize::from(square)].map(usize::from).filter(|&goal| row[goal] != FAR);
            if goal.is_none_or(|goal| !matching.pair(square.into(), goal)) {
                loose.push(square);
            }
        }
        if loose.is_empty() {
            return false;
        }
        let reachable = |square: usize, word: usize| {
            let goals = distances.row(square as Square, player)[64 * word..].iter().take(64).enumerate();
            goals.fold(0, |set, (goal, &pushes)| set | u64::from(pushes != FAR) << goal)
        };
        let alive = loose.iter().all(|&square| matching.augment(square.into(), reachable));
        for (square, goal) in matching.pairs() {
            self.guess[square] = Some(goal as u16);
        }
        !alive
    }

    // The box left over and those whose goals it competes for are not told apart: all are named.
    fn blamed(&self, boxes: &Bits, _: Square) -> Vec<Square> {
        boxes.iter().collect()
    }
}
