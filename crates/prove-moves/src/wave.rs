//! One walk from many squares at once: when the player can first be on each square of his zone.
//!
//! He may have come to a zone by several pushes, each ending on a square of its own at a cost of its own. From all of
//! them together a wave spreads, each joining it when its time has come; so every square gets the least
//! cost of any, and a stand that the wave passes before its time is dominated and needs no search of its own.
//! A stand whose pushes were made before takes part only to hold back what would be no better.

use crate::store::{Arrival, Cost};
use lurd_rules::dense::board::Plane;
use lurd_rules::dense::set::Set;

/// Spreads over the free cells. `front` is given each time and the cells first reached then by stands
/// that are `new`; it returns whether to go on. Collects the new stands that were dominated.
pub(crate) fn spread<const G: usize>(
    plane: &Plane<G>,
    free: Set<G>,
    stands: &mut [(Arrival, bool)],
    dominated: &mut Vec<Arrival>,
    mut front: impl FnMut(u32, Set<G>) -> bool,
) {
    // Among those of one time the old come first: what they reach is known.
    stands.sort_unstable_by_key(|(stand, new)| (stand.cost().moves, *new));
    dominated.clear();
    let mut waiting = stands.iter();
    let mut next = waiting.next();
    let Some((first, _)) = next else { return };
    let mut time = first.cost().moves;
    let mut fresh_left = stands.iter().filter(|(_, new)| *new).count();
    let (mut reached, mut old, mut new) = (Set::EMPTY, Set::EMPTY, Set::EMPTY);
    loop {
        while let Some((stand, is_new)) = next.filter(|(stand, _)| stand.cost().moves == time) {
            let cell = stand.cell();
            if *is_new {
                fresh_left -= 1;
            }
            if !reached.contains(cell) {
                reached.insert(cell);
                if *is_new { &mut new } else { &mut old }.insert(cell);
            } else if *is_new {
                dominated.push(*stand);
            }
            next = waiting.next();
        }
        if new.is_empty() && fresh_left == 0 {
            return;
        }
        if !new.is_empty() && !front(time, new) {
            return;
        }
        let open = free.without(reached);
        old = plane.beside(old).and(open);
        new = plane.beside(new).and(open).without(old);
        reached = reached.or(old).or(new);
        time = match next {
            // Nothing spreads: on to the next stand's time.
            Some((stand, _)) if old.is_empty() && new.is_empty() => stand.cost().moves,
            _ => time + 1,
        };
    }
}

/// When, at what cost, each cell is first reached by any of the stands; `None` where none gets.
pub(crate) fn arrivals<const G: usize>(
    plane: &Plane<G>,
    free: Set<G>,
    stands: impl Iterator<Item = (usize, Cost)>,
    cells: usize,
) -> Vec<Option<Cost>> {
    let mut best: Vec<Option<Cost>> = vec![None; cells];
    let mut sorted: Vec<(Cost, usize)> = stands.map(|(cell, cost)| (cost, cell)).collect();
    sorted.sort_unstable();
    let mut open: Vec<(Cost, usize)> = Vec::new();
    let mut waiting = sorted.into_iter().peekable();
    let better = |best: Option<Cost>, cost: Cost| best.is_none_or(|known| cost < known);
    while !open.is_empty() || waiting.peek().is_some() {
        // One layer holds cells of equal moves; within it fewer pushes come first, so the first is the least.
        let layer_time = open.first().map(|&(cost, _)| cost.moves);
        while let Some(&(cost, cell)) = waiting.peek() {
            if layer_time.is_some_and(|time| cost.moves > time) || open.first().is_some_and(|o| cost.moves > o.0.moves)
            {
                break;
            }
            waiting.next();
            open.push((cost, cell));
        }
        open.sort_unstable();
        let layer = std::mem::take(&mut open);
        for (cost, cell) in layer {
            if !better(best[cell], cost) {
                continue;
            }
            best[cell] = Some(cost);
            let further = Cost { moves: cost.moves + 1, pushes: cost.pushes };
            for beside in plane.beside(Set::single(cell)).and(free).iter() {
                if better(best[beside], further) {
                    open.push((further, beside));
                }
            }
        }
    }
    best
}
