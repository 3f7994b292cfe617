//! Multi-source breadth-first search over a zone: the least cost at which the player can be on each of its cells.
//!
//! A zone may have been entered by several pushes, each ending on a cell of its own at a cost of its own. One wavefront
//! spreads from all of these arrivals at once: each is a source that joins when the wavefront reaches its number of moves.
//! So every cell gets its least cost, and an arrival on whose cell the wavefront is no later is dominated and needs no
//! expansion of its own. Arrivals that were expanded before take part only to suppress pushes that are already known at no
//! greater cost.

use crate::store::{Arrival, Cost};
use lurd_rules::dense::board::Plane;
use lurd_rules::dense::set::Set;

/// Spreads over the free cells from arrivals, each with whether it is new. `front` is called with each number of moves and
/// the cells first reached then from new arrivals; it returns whether to go on. Collects the new arrivals that are
/// dominated.
pub(crate) fn spread<const G: usize>(
    plane: &Plane<G>,
    free: Set<G>,
    arrivals: &mut [(Arrival, bool)],
    dominated: &mut Vec<Arrival>,
    mut front: impl FnMut(u32, Set<G>) -> bool,
) {
    // Among arrivals of equal moves the old ones come first: what is reached from them is known.
    arrivals.sort_unstable_by_key(|(arrival, new)| (arrival.cost().moves, *new));
    dominated.clear();
    let mut waiting = arrivals.iter();
    let mut next = waiting.next();
    let Some((first, _)) = next else { return };
    let mut moves = first.cost().moves;
    let mut new_left = arrivals.iter().filter(|(_, new)| *new).count();
    let (mut reached, mut old, mut new) = (Set::EMPTY, Set::EMPTY, Set::EMPTY);
    loop {
        while let Some((arrival, is_new)) = next.filter(|(arrival, _)| arrival.cost().moves == moves) {
            let cell = arrival.cell();
            if *is_new {
                new_left -= 1;
            }
            if !reached.contains(cell) {
                reached.insert(cell);
                if *is_new { &mut new } else { &mut old }.insert(cell);
            } else if *is_new {
                dominated.push(*arrival);
            }
            next = waiting.next();
        }
        if new.is_empty() && new_left == 0 {
            return;
        }
        if !new.is_empty() && !front(moves, new) {
            return;
        }
        let open = free.without(reached);
        old = plane.beside(old).and(open);
        new = plane.beside(new).and(open).without(old);
        reached = reached.or(old).or(new);
        moves = match next {
            // Nothing spreads: jump to the next arrival.
            Some((arrival, _)) if old.is_empty() && new.is_empty() => arrival.cost().moves,
            _ => moves + 1,
        };
    }
}

/// The least cost, pushes compared after moves, at which each cell is reached from any of the sources; `None` where no
/// source leads.
pub(crate) fn least_costs<const G: usize>(
    plane: &Plane<G>,
    free: Set<G>,
    sources: impl Iterator<Item = (usize, Cost)>,
    cells: usize,
) -> Vec<Option<Cost>> {
    let mut best: Vec<Option<Cost>> = vec![None; cells];
    let mut sources: Vec<(Cost, usize)> = sources.map(|(cell, cost)| (cost, cell)).collect();
    sources.sort_unstable();
    let mut waiting = sources.into_iter().peekable();
    let mut open: Vec<(Cost, usize)> = Vec::new();
    let better = |best: Option<Cost>, cost: Cost| best.is_none_or(|known| cost < known);
    loop {
        // A layer holds cells of equal moves. Within it fewer pushes come first, so the first visit of a cell is the best.
        while let Some(source) = waiting.next_if(|source| open.first().is_none_or(|o| source.0.moves <= o.0.moves)) {
            open.push(source);
        }
        if open.is_empty() {
            return best;
        }
        open.sort_unstable();
        for (cost, cell) in std::mem::take(&mut open) {
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
}
