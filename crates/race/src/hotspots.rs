//! Hotspots: boxes that stand in another box's way.
//!
//! For each square `q` the table knows the squares `p` from which a lone box reaches fewer goals
//! when `q` is walled up. A box on `q` while another is on such a `p` is a hotspot.

use lurd_rules::Square;
use lurd_rules::feature::board::{Ground, WALL};
use lurd_rules::feature::lone_box::Lone;

/// Work (squares times squares times words of goals) above which the table is left out.
const MOST_WORK: usize = 4_000_000;

/// For each square, the squares whose boxes it hinders.
#[derive(Clone, Debug)]
pub(super) struct Hotspots {
    words: usize,
    hinders: Vec<u64>,
}

impl Hotspots {
    pub(super) fn new(ground: &Ground) -> Self {
        let count = ground.len();
        let goal_words = ground.goals().len().div_ceil(64);
        if count * count * goal_words > MOST_WORK {
            return Self { words: 0, hinders: Vec::new() };
        }
        let words = count.div_ceil(64);
        let mut hinders = vec![0u64; count * words];
        let mut taken = ground.bare().to_vec();
        let open = ground.lone().reachable(ground, ground.goals());
        let (mut before, mut after) = (Vec::new(), Vec::new());
        for q in 0..count as Square {
            if ground.is_dead(q) || ground.is_goal(q) || taken[usize::from(q)] != 0 {
                continue;
            }
            taken[usize::from(q)] = WALL;
            let walled = Lone::new(ground, &taken).reachable(ground, ground.goals());
            taken[usize::from(q)] = 0;
            for p in 0..count as Square {
                if p == q || ground.is_dead(p) || ground.is_goal(p) {
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
