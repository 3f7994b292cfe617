//! Fills the table of one group by searching backwards from the goal.
//!
//! A node of the search is a placement of the group's tiles with a region of cells the
//! blank can wander in without moving any of them, which is free. From there each tile
//! next to the region can step into it, at a cost of 1. Breadth-first by cost; a
//! placement's entry is the cost at which it is first met, with the blank wherever it was.

use std::ops::ControlFlow;

/// The entry of a placement not met yet, and of packed numbers that put two tiles in one cell.
pub(super) const UNKNOWN: u8 = u8::MAX;

/// How many placements a group of so many tiles has.
pub(super) fn placements(tiles: usize) -> u64 {
    (0..tiles as u64).map(|placed| 16 - placed).product()
}

/// The packed number of a placement: four bits a tile, the first tile lowest.
pub(super) fn pack(cells: &[usize]) -> usize {
    cells.iter().rev().fold(0, |packed, cell| packed << 4 | cell)
}

/// Calls `each` with every placement, packed, in a fixed order.
pub(super) fn for_each_placement(tiles: usize, each: &mut dyn FnMut(usize)) {
    fn place(left: usize, packed: usize, used: u16, each: &mut dyn FnMut(usize)) {
        if left == 0 {
            return each(packed);
        }
        for cell in (0..16).filter(|cell| used & 1 << cell == 0) {
            place(left - 1, packed << 4 | cell, used | 1 << cell, each);
        }
    }
    place(tiles, 0, 0, each);
}

/// The cells next to any of `cells`, as bits.
fn beside(cells: u16) -> u16 {
    const LEFT: u16 = 0x1111;
    const RIGHT: u16 = 0x8888;
    cells << 4 | cells >> 4 | (cells & !RIGHT) << 1 | (cells & !LEFT) >> 1
}

/// The free cells that hang together with `cell`.
fn region(cell: usize, free: u16) -> u16 {
    let mut region = 1u16 << cell;
    loop {
        let grown = region | beside(region) & free;
        if grown == region {
            return region;
        }
        region = grown;
    }
}

/// The table of a group whose goal is `goals`, for a goal with the blank in `blank`.
/// `None` if `report`, called with the number of placements met, asks to stop.
pub(super) fn table(goals: &[usize], blank: usize, report: &mut dyn FnMut(u64) -> ControlFlow<()>) -> Option<Vec<u8>> {
    /// Nodes between two calls of `report`.
    const REPORT_EVERY: usize = 1 << 16;
    let size = 1 << (4 * goals.len());
    let mut costs = vec![UNKNOWN; size];
    // For each placement, where the blank has been.
    let mut visited = vec![0u16; size];
    let mut frontier = vec![(pack(goals) as u32, blank as u8)];
    let mut next = Vec::new();
    let mut met = 0;
    let mut nodes = 0;
    for cost in 0.. {
        for &(packed, blank) in &frontier {
            let packed = packed as usize;
            if visited[packed] & 1 << blank != 0 {
                continue;
            }
            let cell_of = |slot: usize| packed >> (4 * slot) & 15;
            let taken = (0..goals.len()).fold(0u16, |taken, slot| taken | 1 << cell_of(slot));
            let region = region(usize::from(blank), !taken);
            visited[packed] |= region;
            if costs[packed] == UNKNOWN {
                costs[packed] = cost;
                met += 1;
            }
            for slot in 0..goals.len() {
                let from = cell_of(slot);
                let mut into = beside(1 << from) & region;
                while into != 0 {
                    let to = into.trailing_zeros() as usize;
                    into &= into - 1;
                    let moved = packed ^ (from ^ to) << (4 * slot);
                    if visited[moved] & 1 << from == 0 {
                        next.push((moved as u32, from as u8));
                    }
                }
            }
            nodes += 1;
            if nodes % REPORT_EVERY == 0 && report(met).is_break() {
                return None;
            }
        }
        if next.is_empty() {
            break;
        }
        frontier.clear();
        std::mem::swap(&mut frontier, &mut next);
    }
    debug_assert_eq!(met, placements(goals.len()));
    report(met).is_continue().then_some(costs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placements_are_counted_and_named_once() {
        let mut seen = std::collections::HashSet::new();
        for_each_placement(3, &mut |packed| assert!(seen.insert(packed)));
        assert_eq!(seen.len() as u64, placements(3));
        assert!(seen.contains(&pack(&[4, 9, 2])) && !seen.contains(&pack(&[4, 9, 4])));
    }

    #[test]
    fn one_tile_alone_costs_its_manhattan_distance() {
        let table = table(&[6], 0, &mut |_| ControlFlow::Continue(())).unwrap();
        for (cell, &cost) in table.iter().enumerate() {
            assert_eq!(usize::from(cost), (cell / 4).abs_diff(1) + (cell % 4).abs_diff(2));
        }
    }

    #[test]
    fn three_tiles_in_the_wrong_order_cost_more_than_their_distances() {
        let table = table(&[13, 14, 15], 0, &mut |_| ControlFlow::Continue(())).unwrap();
        assert_eq!(table[pack(&[13, 14, 15])], 0);
        // 14 and 13 swapped: distances 2, one has to step aside and back.
        assert_eq!(table[pack(&[14, 13, 15])], 4);
        let known = table.iter().filter(|&&cost| cost != UNKNOWN).count();
        assert_eq!(known as u64, placements(3));
    }

    #[test]
    fn a_build_can_be_broken_off() {
        assert!(table(&[1, 2, 3, 4, 5], 0, &mut |_| ControlFlow::Break(())).is_none());
    }
}
