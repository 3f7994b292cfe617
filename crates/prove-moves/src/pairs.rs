//! Two boxes alone on the board: their squares, the player's zone, and the pushes between.
//!
//! A state is a pair of live squares and one of the zones into which boxes there part the floor. Pushes are kept
//! by the state they lead to, for searches backwards from the goals. What pairs add to a bound is packed here too.

use lurd_rules::dense::board::{DenseBoard, NONE, Plane, Side};
use lurd_rules::dense::set::Set;

/// The most zones two boxes can part the floor into, and one more.
pub(crate) const ZONES: usize = 8;

/// The number of a pair of live squares.
pub(crate) fn pair_number(a: usize, b: usize) -> usize {
    let (low, high) = (a.min(b), a.max(b));
    high * (high - 1) / 2 + low
}

/// All states of two boxes, by `ZONES * pair + zone`.
#[derive(Debug)]
pub(crate) struct Pairs {
    /// The zone of each cell, by pair.
    pub(crate) zones: Vec<u8>,
    /// A cell of the zone, by state; [`NONE`] where there is no such zone.
    pub(crate) witness: Vec<u16>,
    pub(crate) edges: Edges,
}

/// The pushes of two boxes, by the state they lead to.
#[derive(Debug)]
pub(crate) struct Edges {
    /// Where the pushes that lead to a state begin.
    pub(crate) first: Vec<u32>,
    /// The state before, and what the push pays.
    pub(crate) before: Vec<(u32, u8)>,
}

impl Pairs {
    /// All pairs of a level, with what each push pays.
    pub(crate) fn new<const G: usize>(board: &DenseBoard, price: impl Fn(usize) -> u8) -> Self {
        let (live, cells) = (board.live_count(), board.cells());
        let pairs = live * live.saturating_sub(1) / 2;
        let plane: Plane<G> = board.plane();
        let mut zones = vec![0u8; pairs * cells];
        let mut witness = vec![NONE; pairs * ZONES];
        for high in 0..live {
            for low in 0..high {
                let pair = pair_number(low, high);
                let mut free = plane.floor;
                free.remove(board.cell(low));
                free.remove(board.cell(high));
                let mut rest = free;
                let mut number = 0;
                while !rest.is_empty() {
                    let zone = plane.zone(free, rest.lowest());
                    rest = rest.without(zone);
                    witness[pair * ZONES + number] = zone.lowest() as u16;
                    zone.iter().for_each(|cell| zones[pair * cells + cell] = number as u8);
                    number += 1;
                }
            }
        }
        let edges = edges(board, price, &zones, pairs);
        Self { zones, witness, edges }
    }

    /// The states of a pair of squares that exist.
    pub(crate) fn states(&self, pair: usize) -> impl Iterator<Item = usize> + '_ {
        (pair * ZONES..(pair + 1) * ZONES).filter(|&state| self.witness[state] != NONE)
    }
}

fn edges(board: &DenseBoard, price: impl Fn(usize) -> u8, zones: &[u8], pairs: usize) -> Edges {
    let (live, cells) = (board.live_count(), board.cells());
    let steps = &board.way(Side::Forward).steps;
    let mut list: Vec<(u32, u32, u8)> = Vec::new();
    for (number, step) in steps.iter().enumerate().filter(|(_, step)| step.to != NONE) {
        let (moved, to) = (number / 4, usize::from(step.to));
        let cost = price(number);
        for other in (0..live).filter(|&other| other != moved && other != to) {
            if board.cell(other) == usize::from(step.reach) {
                continue;
            }
            let (before, after) = (pair_number(moved, other), pair_number(to, other));
            let zone_before = zones[before * cells + usize::from(step.reach)];
            let zone_after = zones[after * cells + usize::from(step.lands)];
            list.push((
                (after * ZONES + usize::from(zone_after)) as u32,
                (before * ZONES + usize::from(zone_before)) as u32,
                cost,
            ));
        }
    }
    list.sort_unstable();
    let mut first = vec![0u32; pairs * ZONES + 1];
    list.iter().for_each(|&(to, _, _)| first[to as usize + 1] += 1);
    for state in 0..pairs * ZONES {
        first[state + 1] += first[state];
    }
    Edges { first, before: list.into_iter().map(|(_, before, cost)| (before, cost)).collect() }
}

/// The most pairs that are packed exactly; the others are added greedily.
const EXACT: usize = 10;

/// The most that disjoint pairs come to, each given by its value and its two squares: exactly for the most valuable few,
/// greedily for the rest.
pub(crate) fn pack<const L: usize>(pairs: &mut [(u16, u16, u16)]) -> i32 {
    fn rest<const L: usize>(pairs: &[(u16, u16, u16)], at: usize, taken: Set<L>) -> i32 {
        let Some(&(value, low, high)) = pairs.get(at) else { return 0 };
        if taken.contains(low.into()) || taken.contains(high.into()) {
            return rest(pairs, at + 1, taken);
        }
        let mut more = taken;
        more.insert(low.into());
        more.insert(high.into());
        let with = i32::from(value) + rest(pairs, at + 1, more);
        if at < EXACT { with.max(rest(pairs, at + 1, taken)) } else { with }
    }
    pairs.sort_unstable_by(|a, b| b.cmp(a));
    rest(pairs, 0, Set::<L>::EMPTY)
}
