//! Advisors of the backward search (FESS: Shoham and Schaeffer 2020): remove a box; clear a goal towards the sinks;
//! join regions; restore links between rooms; explore what newly allows a pull.

use crate::advisors::{best, explore};
use crate::features::{Child, Features};
use crate::planning::Planning;
use crate::sinks;
use lurd_rules::Square;
use lurd_rules::dense::board::Side;
use lurd_rules::feature::board::FeatureBoard;
use std::cmp::Reverse;

/// Whether a square is a goal with walls on three sides.
fn is_hole(board: &FeatureBoard, square: Square) -> bool {
    let wall = board.len() as Square;
    board.is_goal(square) && board.neighbours(square).iter().filter(|&&next| next == wall).count() >= 3
}

impl Planning<'_> {
    /// The numbers of the suggested moves.
    pub(super) fn advise(&mut self, sinks: &[Square], here: &Features) -> Vec<usize> {
        let board = self.board;
        let children = &self.children;
        let numbered = || children.iter().enumerate();
        if children.iter().any(|child| child.removes) {
            let best = numbered()
                .find(|(_, child)| !board.is_goal(child.step.from))
                .or_else(|| {
                    numbered().max_by_key(|(number, child)| {
                        let walk = board.walks_from(child.step.from)[usize::from(child.step.to)];
                        (!is_hole(board, child.step.from), Reverse(child.features.regions), walk, Reverse(*number))
                    })
                })
                .map(|(number, _)| number);
            return best.into_iter().collect();
        }
        let removal_area = sinks::removal_area(board, &self.position.taken, sinks, self.options.removal_distance);
        let mut advised = Vec::new();
        let pull = numbered()
            .filter(|(_, child)| {
                board.is_goal(child.step.from)
                    && !board.is_goal(child.step.to)
                    && child.features.regions <= here.regions
                    && child.features.rooms <= here.rooms
                    && child.features.spread > here.spread
            })
            .max_by_key(|(number, child)| {
                (
                    !is_hole(board, child.step.from),
                    removal_area[usize::from(child.step.to)],
                    Reverse(child.features.regions),
                    Reverse(child.features.rooms),
                    board.pushes_from(child.step.to)[usize::from(child.step.from)],
                    Reverse(*number),
                )
            });
        advised.extend(pull.map(|(number, _)| number));
        advised.extend(best(children, |child| child.features.regions < here.regions));
        advised.extend(best(children, |child| child.features.rooms < here.rooms));
        let any = |_: &Child| true;
        advised.extend(explore(board, &self.position, &self.survey, Side::Backward, children, any, &mut self.trial));
        advised
    }
}
