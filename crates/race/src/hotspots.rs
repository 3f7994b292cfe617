//! Hotspots (FESS: Shoham and Schaeffer 2020): boxes that hinder others.
//!
//! For each square `q` the table has the squares `p` from which a lone box reaches fewer goals when `q` is a wall. A
//! box on `q` while another is on such a `p` is a hotspot.

use lurd_rules::Square;
use lurd_rules::feature::board::{FeatureBoard, WALL};
use lurd_rules::feature::lone_box::LoneBox;

/// Work (squares times squares times words of goals) above which the table is left out.
const MOST_WORK: usize = 4_000_000;

/// For each square, the squares whose boxes it hinders.
#[derive(Clone, Debug)]
pub(super) struct Hotspots {
    words: usize,
    hinders: Vec<u64>,
}

impl Hotspots {
    pub(super) fn new(board: &FeatureBoard) -> Self {
        let count = board.len();
        let goal_words = board.goals().len().div_ceil(64);
        if count * count * goal_words > MOST_WORK {
            return Self { words: 0, hinders: Vec::new() };
        }
        let words = count.div_ceil(64);
        let mut hinders = vec![0u64; count * words];
        let mut taken = board.bare().to_vec();
        let open = board.lone().reachable(board, board.goals());
        let (mut before, mut after) = (Vec::new(), Vec::new());
        for q in 0..count as Square {
            if board.is_dead(q) || board.is_goal(q) || taken[usize::from(q)] != 0 {
                continue;
            }
            taken[usize::from(q)] = WALL;
            let walled = LoneBox::new(board, &taken).reachable(board, board.goals());
            taken[usize::from(q)] = 0;
            for p in 0..count as Square {
                if p == q || board.is_dead(p) || board.is_goal(p) {
                    continue;
                }
                open.of_square(p, &mut before);
                walled.of_square(p, &mut after);
                if before != after {
                    hinders[usize::from(q) * words + usize::from(p) / 64] |= 1 << (p % 64);
                }
            }
        }
        Self { words, hinders }
    }

    /// How many boxes hinder another one.
    pub(super) fn count(&self, boxes: &[Square], set: &[u64]) -> u32 {
        if self.words == 0 {
            return 0;
        }
        let is_hotspot = |&&q: &&Square| {
            let row = &self.hinders[usize::from(q) * self.words..][..self.words];
            row.iter().zip(set).any(|(hinders, boxes)| hinders & boxes != 0)
        };
        boxes.iter().filter(is_hotspot).count() as u32
    }
}
