//! Advisors of the feature-space searches: each suggests at most one move of a position that serves its purpose
//! (FESS: Shoham and Schaeffer 2020).
//!
//! Here are those of the forward search along a plan: pack the next target; join regions; restore links between rooms;
//! remove hotspots; leave squares that are out of plan; open the way to the next target; explore what newly allows a
//! push. All but the first keep the packed boxes.

use crate::features::{Child, Features};
use crate::plan::Plan;
use lurd_rules::Square;
use lurd_rules::dense::board::Side;
use lurd_rules::feature::articulation::Articulation;
use lurd_rules::feature::board::{FAR, FeatureBoard};
use lurd_rules::feature::position::Position;
use std::cmp::Reverse;

/// The best-scored child that satisfies a condition, the first among equals.
pub(super) fn best(children: &[Child], condition: impl Fn(&Child) -> bool) -> Option<usize> {
    let fit = children.iter().enumerate().filter(|(_, child)| condition(child));
    fit.min_by_key(|(_, child)| Reverse(child.score)).map(|(number, _)| number)
}

/// The best-scored child that satisfies a condition and after which some other box can be moved as it could not be
/// before.
pub(super) fn explore(
    board: &FeatureBoard,
    position: &Position,
    survey: &Articulation,
    side: Side,
    children: &[Child],
    condition: impl Fn(&Child) -> bool,
    after: &mut Articulation,
) -> Option<usize> {
    /// Children tested, best first: each costs a survey.
    const TESTED: usize = 12;
    let mut order: Vec<usize> = (0..children.len()).filter(|&number| condition(&children[number])).collect();
    order.sort_by_key(|&number| (Reverse(children[number].score), number));
    let mut taken = position.taken.clone();
    order.into_iter().take(TESTED).find(|&number| {
        let step = children[number].step;
        let what = std::mem::take(&mut taken[usize::from(step.from)]);
        taken[usize::from(step.to)] = what;
        after.survey(board, &taken);
        let is_new = |square: Square, direction: usize| {
            let player = board.next(square, direction);
            let clear = match side {
                Side::Forward => board.next(square, direction ^ 1),
                Side::Backward => board.next(player, direction),
            };
            survey.is_free(player)
                && !survey.joined(player, position.player)
                && after.joined(player, step.player)
                && after.is_free(clear)
        };
        let mut others = position.boxes.iter().filter(|&&square| square != step.from);
        let found = others.any(|&square| (0..4).any(|direction| is_new(square, direction)));
        taken[usize::from(step.to)] = 0;
        taken[usize::from(step.from)] = what;
        found
    })
}

/// The advisors of the forward search along a plan, at one position.
pub(super) struct PlanAdvisors<'a> {
    pub(super) board: &'a FeatureBoard,
    pub(super) plan: &'a Plan,
    pub(super) position: &'a Position,
    pub(super) survey: &'a Articulation,
    pub(super) features: Features,
}

impl PlanAdvisors<'_> {
    /// The numbers of the suggested moves.
    pub(super) fn advise(&self, children: &[Child], trial: &mut Articulation) -> Vec<usize> {
        let here = &self.features;
        let mut advised = Vec::with_capacity(7);
        let pack = best(children, |child| child.features.packed > here.packed);
        advised.extend(pack);
        let kept = |child: &Child| child.features.packed >= here.packed;
        advised.extend(best(children, |child| kept(child) && child.features.regions < here.regions));
        advised.extend(best(children, |child| kept(child) && child.features.rooms < here.rooms));
        advised.extend(best(children, |child| kept(child) && child.features.hotspots < here.hotspots));
        advised.extend(self.leave_out_of_plan(children));
        if pack.is_none() {
            advised.extend(self.open_the_way(children));
        }
        let is_fit = |child: &Child| kept(child) && self.is_reversible(child);
        advised.extend(explore(self.board, self.position, self.survey, Side::Forward, children, is_fit, trial));
        advised
    }

    /// Whether a lone box could be pushed back.
    fn is_reversible(&self, child: &Child) -> bool {
        self.board.pushes_from(child.step.to)[usize::from(child.step.from)] != FAR
    }

    /// Whether the packed boxes, the regions and the rooms get no worse.
    fn is_harmless(&self, child: &Child) -> bool {
        child.features.packed >= self.features.packed
            && child.features.regions <= self.features.regions
            && child.features.rooms <= self.features.rooms
    }

    /// Moves the box nearest to the edge of the squares out of plan away from them.
    fn leave_out_of_plan(&self, children: &[Child]) -> Option<usize> {
        if self.features.out_of_plan == 0 {
            return None;
        }
        let distances = self.plan.distances_from_out_of_plan(self.board, self.features.packed as usize);
        farthest(children, distances, |child, from, to| {
            self.is_harmless(child)
                && child.features.out_of_plan <= self.features.out_of_plan
                && to > from
                && to != FAR
                && self.is_reversible(child)
        })
    }

    /// Moves the box nearest to the next target as far away from it as possible.
    fn open_the_way(&self, children: &[Child]) -> Option<usize> {
        let target = self.plan.next_target(self.features.packed as usize, self.position)?;
        farthest(children, self.board.walks_from(target), |child, from, to| self.is_harmless(child) && to >= from)
    }
}

/// Of the children that satisfy a condition on themselves and on the distances of both ends, the one that begins
/// nearest and then ends farthest.
fn farthest(children: &[Child], distances: &[u16], condition: impl Fn(&Child, u16, u16) -> bool) -> Option<usize> {
    let ends = |child: &Child| [child.step.from, child.step.to].map(|square| distances[usize::from(square)]);
    let fit = children.iter().enumerate().filter(|(_, child)| {
        let [from, to] = ends(child);
        condition(child, from, to)
    });
    fit.min_by_key(|(number, child)| {
        let [from, to] = ends(child);
        (from, Reverse(to), Reverse(child.score), *number)
    })
    .map(|(number, _)| number)
}
