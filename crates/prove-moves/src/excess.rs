//! What two boxes cost each other, as an addition to the pairing that stays a bound.
//!
//! For two boxes alone on the board, the player's zone between them, and two goals, a search backwards from the goals gives
//! the least that both together pay (pushes, each counted by its heights). What exceeds the cheaper of the two ways to
//! share the goals, paid apart, is the excess for these goals; the least over all pairs of goals is the *excess* of the pair.
//!
//! The pairing plus the excess of disjoint pairs of boxes is a bound. Take a solution and the goals it gives the
//! boxes. Seen from two boxes alone it is a play of these two, so the pushes of a pair pay at least what its two goals
//! cost the cheaper way round, plus the excess. Swap the goals inside pairs to the cheaper way: that is still
//! a pairing of all boxes with all goals, so the sum is no less than the cheapest pairing plus the excesses. Each push
//! belongs to one box, so disjoint pairs add up.
//!
//! Where boxes also pay for walks ([`cost_partition`](crate::cost_partition)), the search for two boxes leaves the walks out: what it
//! finds is the less, and so is the excess.
//!
//! The sum may fall by more than a push pays, since an excess can vanish at once: the search must take stands up again
//! when they become cheaper, and does.

use crate::pairs::{Edges, Pairs, ZONES, pack, pair_number};
use crate::potential::{Potential, SCALE};
use lurd_rules::dense::board::{DenseBoard, INFINITE, NONE};
use lurd_rules::dense::set::Set;
use lurd_search::Budget;

/// The excess of every pair of live squares and zone, in units.
#[derive(Clone, Debug)]
pub(crate) struct PushInteraction<const L: usize> {
    live: usize,
    cells: usize,
    /// For each live square, those above it with which it has an excess in some zone.
    partners: Vec<Set<L>>,
    /// For each pair, where its zones and values are kept; [`NOWHERE`] if it never has an excess.
    place: Vec<u32>,
    /// The zone of each cell, for the pairs kept.
    zones: Vec<u8>,
    values: Vec<[u16; ZONES]>,
}

const NOWHERE: u32 = u32::MAX;

/// A pair too far from everything, or never reached.
const UNPAID: u32 = u32::MAX;

/// The most steps of all searches together.
const MOST_WORK: usize = 60_000_000;

/// The most live squares: a table of zones has a byte for each pair and cell.
const MOST_LIVE: usize = 160;

impl<const L: usize> PushInteraction<L> {
    /// The table for a potential. `None` if it would take too long or the budget ran out.
    pub(crate) fn new<const G: usize>(board: &DenseBoard, potential: &Potential, budget: &Budget) -> Option<Self> {
        let (live, cells, boxes) = (board.live_count(), board.cells(), board.boxes());
        let pairs = live * live.saturating_sub(1) / 2;
        // Where some goal can never be filled there is nothing to search.
        if board.is_hopeless() {
            return None;
        }
        if boxes < 2 || live > MOST_LIVE || boxes * (boxes - 1) / 2 * pairs * ZONES > MOST_WORK {
            return None;
        }
        let Pairs { zones, witness, edges, .. } = Pairs::new::<G>(board, |push| potential.price(board, push) as u8);
        let apart = |state: usize, squares: [usize; 2], goals: [usize; 2]| {
            let player = usize::from(witness[state]);
            let [one, other] = squares.map(|square| potential.way.row(board.row_at(square, player)));
            let sum = |a: i16, b: i16| if a.max(b) == INFINITE { UNPAID } else { a as u32 + b as u32 };
            sum(one[goals[0]], other[goals[1]]).min(sum(one[goals[1]], other[goals[0]]))
        };
        let mut least = vec![UNPAID; pairs * ZONES];
        let mut paid = vec![UNPAID; pairs * ZONES];
        for second in 0..boxes {
            for first in 0..second {
                if budget.out_of_time() || budget.cancel().is_cancelled() {
                    return None;
                }
                let goals = [first, second].map(|goal| usize::from(board.goals()[goal]));
                pay(&edges, pair_number(goals[0], goals[1]), &witness, &mut paid);
                for high in 0..live {
                    for low in 0..high {
                        let pair = pair_number(low, high);
                        for state in pair * ZONES..(pair + 1) * ZONES {
                            if paid[state] != UNPAID && least[state] != 0 {
                                let apart = apart(state, [low, high], [first, second]);
                                least[state] = least[state].min(paid[state].saturating_sub(apart));
                            }
                        }
                    }
                }
            }
        }
        Some(Self::kept(live, cells, &zones, &least))
    }

    fn kept(live: usize, cells: usize, zones: &[u8], least: &[u32]) -> Self {
        let pairs = least.len() / ZONES;
        let mut excess = Self {
            live,
            cells,
            partners: vec![Set::EMPTY; live],
            place: vec![NOWHERE; pairs],
            zones: Vec::new(),
            values: Vec::new(),
        };
        for high in 0..live {
            for low in 0..high {
                let pair = pair_number(low, high);
                // A pair that never comes to goals is dead, which others find out: here it adds nothing.
                let mut values = [0u16; ZONES];
                for (value, &least) in values.iter_mut().zip(&least[pair * ZONES..]) {
                    *value = if least == UNPAID { 0 } else { least.min(u16::MAX.into()) as u16 };
                }
                if values.iter().any(|&value| value > 0) {
                    excess.partners[low].insert(high);
                    excess.place[pair] = excess.values.len() as u32;
                    excess.values.push(values);
                    excess.zones.extend_from_slice(&zones[pair * cells..][..cells]);
                }
            }
        }
        excess
    }

    /// What disjoint pairs of these boxes exceed together, the player on a cell.
    pub(crate) fn of(&self, boxes: Set<L>, player: usize) -> i32 {
        let mut edges = [(0u16, 0u16, 0u16); 32];
        let mut count = 0;
        'all: for low in boxes.iter() {
            for high in self.partners[low].and(boxes).iter() {
                let place = self.place[pair_number(low, high)] as usize;
                let zone = self.zones[place * self.cells + player];
                let value = self.values[place][usize::from(zone)];
                if value > 0 {
                    edges[count] = (value, low as u16, high as u16);
                    count += 1;
                    // Any disjoint choice is a bound: more than so many pairs are not even looked at.
                    if count == edges.len() {
                        break 'all;
                    }
                }
            }
        }
        debug_assert!(edges[..count].iter().all(|edge| usize::from(edge.2) < self.live), "partners are live squares");
        pack::<L>(&mut edges[..count])
    }

    pub(crate) fn bytes(&self) -> usize {
        self.zones.len() + size_of_val(&self.values[..]) + 4 * self.place.len() + size_of_val(&self.partners[..])
    }
}

/// What each state pays until its boxes are on a pair of goals: cheapest first, in a ring of buckets.
fn pay(edges: &Edges, goals: usize, witness: &[u16], paid: &mut [u32]) {
    const RING: usize = 2 * SCALE as usize + 1;
    paid.fill(UNPAID);
    let mut ring: [Vec<u32>; RING] = std::array::from_fn(|_| Vec::new());
    for state in (goals * ZONES..(goals + 1) * ZONES).filter(|&state| witness[state] != NONE) {
        paid[state] = 0;
        ring[0].push(state as u32);
    }
    let mut so_far = 0u32;
    let mut idle = 0;
    while idle < RING {
        let Some(state) = ring[so_far as usize % RING].pop() else {
            so_far += 1;
            idle += 1;
            continue;
        };
        idle = 0;
        if paid[state as usize] != so_far {
            continue;
        }
        let (first, last) = (edges.first[state as usize] as usize, edges.first[state as usize + 1] as usize);
        for &(from, cost) in &edges.before[first..last] {
            let total = so_far + u32::from(cost);
            if total < paid[from as usize] {
                paid[from as usize] = total;
                ring[total as usize % RING].push(from);
            }
        }
    }
}
