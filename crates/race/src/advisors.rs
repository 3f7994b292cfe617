//! Advisors: each looks at the moves of a position for one that serves its aim.
//!
//! Pack the next place of the plan; join regions; restore links between rooms; get boxes out of each
//! other's way; leave doomed squares; open the way to the next place; try what newly allows a push. All
//! but the first refuse to lose what is packed. On the way into a picture there is one: do what makes it better.

use crate::forward::{Features, ForwardChild};
use crate::plan::{Plan, boxes_of};
use crate::tree::Score;
use lurd_rules::feature::articulation::Articulation;
use lurd_rules::feature::board::{FAR, FeatureBoard};
use lurd_rules::feature::position::Position;
use std::cmp::Reverse;

/// The position the moves start from.
pub(super) struct Here<'a> {
    pub(super) board: &'a FeatureBoard,
    pub(super) plan: &'a Plan,
    pub(super) position: &'a Position,
    pub(super) survey: &'a Articulation,
    pub(super) features: Features,
}

/// The numbers of the moves that advisors name.
pub(super) fn advise(here: &Here<'_>, children: &[ForwardChild], scratch: &mut Articulation) -> Vec<usize> {
    let mut advised = Vec::with_capacity(7);
    let pack = best(children, |child| child.features.packed > here.features.packed);
    advised.extend(pack);
    let kept = |child: &ForwardChild| child.features.packed >= here.features.packed;
    advised.extend(best(children, |child| kept(child) && child.features.regions < here.features.regions));
    advised.extend(best(children, |child| kept(child) && child.features.rooms < here.features.rooms));
    advised.extend(best(children, |child| kept(child) && child.features.hotspots < here.features.hotspots));
    advised.extend(leave_doomed(here, children));
    if pack.is_none() {
        advised.extend(open_the_way(here, children));
    }
    advised.extend(explore(here, children, scratch));
    advised
}

/// The advice on the way into a picture: the best of the moves that lead to a better and new position.
pub(super) fn improve(
    children: &[ForwardChild],
    score: Score,
    is_new: impl Fn(&ForwardChild) -> bool,
) -> Option<usize> {
    best(children, |child| child.score > score && is_new(child))
}

/// The best-scored child that is wanted, the first among equals.
fn best(children: &[ForwardChild], wanted: impl Fn(&ForwardChild) -> bool) -> Option<usize> {
    let mut found: Option<usize> = None;
    for (number, child) in children.iter().enumerate() {
        if wanted(child) && found.is_none_or(|best| child.score > children[best].score) {
            found = Some(number);
        }
    }
    found
}

/// Whether a lone box could be pushed back.
fn reversible(here: &Here<'_>, child: &ForwardChild) -> bool {
    here.board.pushes_from(child.step.to)[usize::from(child.step.from)] != FAR
}

fn calm(here: &Here<'_>, child: &ForwardChild) -> bool {
    child.features.packed >= here.features.packed
        && child.features.regions <= here.features.regions
        && child.features.rooms <= here.features.rooms
}

/// Takes the box nearest to the edge of the doomed squares away from them.
fn leave_doomed(here: &Here<'_>, children: &[ForwardChild]) -> Option<usize> {
    if here.features.doomed == 0 {
        return None;
    }
    let away = here.plan.away_from_doomed(here.board, here.features.packed as usize);
    let of = |square: u16| away[usize::from(square)];
    children
        .iter()
        .enumerate()
        .filter(|(_, child)| {
            calm(here, child)
                && child.features.doomed <= here.features.doomed
                && of(child.step.to) > of(child.step.from)
                && of(child.step.to) != FAR
                && reversible(here, child)
        })
        .min_by_key(|(number, child)| (of(child.step.from), Reverse(of(child.step.to)), Reverse(child.score), *number))
        .map(|(number, _)| number)
}

/// Clears what stands nearest to the next place, as far as possible.
fn open_the_way(here: &Here<'_>, children: &[ForwardChild]) -> Option<usize> {
    let target = here.plan.next_target(here.features.packed as usize, boxes_of(here.position))?;
    let walks = here.board.walks_from(target);
    let of = |square: u16| walks[usize::from(square)];
    children
        .iter()
        .enumerate()
        .filter(|(_, child)| calm(here, child) && of(child.step.to) >= of(child.step.from))
        .min_by_key(|(number, child)| (of(child.step.from), Reverse(of(child.step.to)), Reverse(child.score), *number))
        .map(|(number, _)| number)
}

/// The best move that can be taken back and after which some other box can be pushed as it could not before.
fn explore(here: &Here<'_>, children: &[ForwardChild], after: &mut Articulation) -> Option<usize> {
    /// Children looked at, best first: each costs a survey.
    const LOOKED_AT: usize = 12;
    let board = here.board;
    let mut order: Vec<usize> = (0..children.len())
        .filter(|&number| {
            let child = &children[number];
            child.features.packed >= here.features.packed && reversible(here, child)
        })
        .collect();
    order.sort_by_key(|&number| (Reverse(children[number].score), number));
    let mut taken = here.position.taken.clone();
    let player = here.position.player;
    order.into_iter().take(LOOKED_AT).find(|&number| {
        let step = children[number].step;
        let what = std::mem::take(&mut taken[usize::from(step.from)]);
        taken[usize::from(step.to)] = what;
        after.survey(board, &taken);
        let news = here.position.boxes.iter().any(|&square| {
            square != step.from
                && (0..4).any(|direction| {
                    let side = board.next(square, direction);
                    here.survey.is_free(side)
                        && !here.survey.joined(side, player)
                        && after.joined(side, step.player)
                        && after.is_free(board.next(square, direction ^ 1))
                })
        });
        taken[usize::from(step.to)] = 0;
        taken[usize::from(step.from)] = what;
        news
    })
}
