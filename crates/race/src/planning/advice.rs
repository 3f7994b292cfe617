//! Advisors of the backward search: each looks for one pull that serves its aim.
//!
//! Take a box away for good; clear a goal towards where boxes vanish; join regions; restore links between rooms; try
//! what newly allows a pull.

use crate::planning::{Planning, PullChild};
use crate::sinks;
use lurd_rules::Square;
use lurd_rules::feature::board::FeatureBoard;
use std::cmp::Reverse;

/// A goal with walls on three sides.
fn is_hole(board: &FeatureBoard, square: Square) -> bool {
    let wall = board.len() as Square;
    board.is_goal(square) && board.neighbours(square).iter().filter(|&&next| next == wall).count() >= 3
}

impl Planning<'_> {
    /// The moves that advisors name.
    pub(super) fn advise(&mut self, sinks: &[Square], regions: u16, rooms: u32) -> Vec<usize> {
        let board = self.board;
        let spread = self.spread_now();
        let children = &self.children;
        let numbered = || children.iter().enumerate();
        if children.iter().any(|child| child.removes) {
            let best = numbered()
                .find(|(_, child)| !board.is_goal(child.step.from))
                .or_else(|| {
                    numbered().max_by_key(|(number, child)| {
                        let walk = board.walks_from(child.step.from)[usize::from(child.step.to)];
                        (!is_hole(board, child.step.from), Reverse(child.regions), walk, Reverse(*number))
                    })
                })
                .map(|(number, _)| number);
            return best.into_iter().collect();
        }
        let kill_area = sinks::kill_area(board, &self.position.taken, sinks, self.manner.far);
        let mut advised = Vec::new();
        let pull = numbered()
            .filter(|(_, child)| {
                board.is_goal(child.step.from)
                    && !board.is_goal(child.step.to)
                    && child.regions <= regions
                    && child.rooms <= rooms
                    && child.spread > spread
            })
            .max_by_key(|(number, child)| {
                (
                    !is_hole(board, child.step.from),
                    kill_area[usize::from(child.step.to)],
                    Reverse(child.regions),
                    Reverse(child.rooms),
                    board.pushes_from(child.step.to)[usize::from(child.step.from)],
                    Reverse(*number),
                )
            });
        advised.extend(pull.map(|(number, _)| number));
        let best = |wanted: &dyn Fn(&PullChild) -> bool| {
            numbered()
                .filter(|(_, child)| wanted(child))
                .max_by_key(|(number, child)| (child.score, Reverse(*number)))
                .map(|(number, _)| number)
        };
        advised.extend(best(&|child| child.regions < regions));
        advised.extend(best(&|child| child.rooms < rooms));
        advised.extend(self.explore());
        advised
    }

    /// The best move after which some other box can be pulled that could not be before.
    fn explore(&mut self) -> Option<usize> {
        const LOOKED_AT: usize = 12;
        let board = self.board;
        let mut order: Vec<usize> = (0..self.children.len()).collect();
        order.sort_by_key(|&number| (Reverse(self.children[number].score), number));
        let before = self.survey.clone();
        let player = self.position.player;
        order.into_iter().take(LOOKED_AT).find(|&number| {
            let step = self.children[number].step;
            let what = std::mem::take(&mut self.position.taken[usize::from(step.from)]);
            self.position.taken[usize::from(step.to)] = what;
            let after = board.survey(&self.position.taken);
            let news = self.position.boxes.iter().any(|&square| {
                square != step.from
                    && (0..4).any(|direction| {
                        let side = board.next(square, direction);
                        before.is_free(side)
                            && !before.joined(side, player)
                            && after.joined(side, step.player)
                            && after.is_free(board.next(side, direction))
                    })
            });
            self.position.taken[usize::from(step.to)] = 0;
            self.position.taken[usize::from(step.from)] = what;
            news
        })
    }
}
