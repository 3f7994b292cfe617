//! The cheapest pairing of boxes and targets (minimum-cost perfect matching).
//!
//! Solved by shortest augmenting paths with dual prices (Kuhn 1955, Jonker and Volgenant
//! 1987). A push changes the distances of one box only, so a child is repaired from its
//! parent: its row is freed, priced anew and augmented once, in O(k^2) instead of O(k^3);
//! mostly the box keeps its target and a single pass over its row is enough. The prices of
//! the targets are kept from one parent to the next: any prices are a valid start, and
//! good ones leave little to do. The value is that of the optimum whatever the start.

use lurd_rules::distance::{Distances, FAR};
use lurd_rules::{Board, Square, State};
use lurd_search::{Budget, Estimate};

const NONE: u32 = u32::MAX;

/// Dual prices and the pairing they prove optimal.
#[derive(Clone, Default)]
struct Pairing {
    box_price: Vec<i32>,
    target_price: Vec<i32>,
    target_of: Vec<u32>,
    box_on: Vec<u32>,
}

impl Pairing {
    fn copy_from(&mut self, other: &Self) {
        self.box_price.clone_from(&other.box_price);
        self.target_price.clone_from(&other.target_price);
        self.target_of.clone_from(&other.target_of);
        self.box_on.clone_from(&other.box_on);
    }

    /// At the optimum the prices add up to the cost.
    fn cost(&self) -> u32 {
        let sum: i32 = self.box_price.iter().sum::<i32>() + self.target_price.iter().sum::<i32>();
        sum.unsigned_abs()
    }
}

/// Working memory of one augmentation.
#[derive(Default)]
struct Scratch {
    length: Vec<i32>,
    previous: Vec<u32>,
    scanned: Vec<bool>,
    order: Vec<u32>,
}

/// Boxes above which the budget is looked at while a state is solved.
const MANY: usize = 128;

pub(super) struct Assignment {
    budget: Budget,
    pairing: Pairing,
    child: Pairing,
    scratch: Scratch,
    /// Where the row of each box starts in the distance table.
    rows: Vec<usize>,
    child_rows: Vec<usize>,
    /// Which row belongs to the box on a square.
    row_at: Vec<u16>,
    value: Estimate,
}

impl Assignment {
    pub(super) fn new(board: &Board, budget: &Budget) -> Self {
        let count = board.goals().len();
        let pairing = Pairing {
            box_price: vec![0; count],
            target_price: vec![0; count],
            target_of: vec![NONE; count],
            box_on: vec![NONE; count],
        };
        Self {
            budget: budget.clone(),
            child: pairing.clone(),
            pairing,
            scratch: Scratch::default(),
            rows: Vec::with_capacity(count),
            child_rows: Vec::with_capacity(count),
            row_at: vec![0; board.len()],
            value: None,
        }
    }

    /// The value of the state last solved.
    pub(super) fn value(&self) -> Estimate {
        self.value
    }

    /// Solves a state and remembers it as the parent of what is repaired next.
    pub(super) fn solve(&mut self, distances: &Distances, state: &State) -> Estimate {
        self.rows.clear();
        for (index, square) in state.boxes.iter().enumerate() {
            self.row_at[usize::from(square)] = index as u16;
            self.rows.push(distances.offset(square, state.player));
        }
        self.value = self.solve_rows(distances);
        self.value
    }

    fn solve_rows(&mut self, distances: &Distances) -> Estimate {
        let pairing = &mut self.pairing;
        pairing.target_of.fill(NONE);
        pairing.box_on.fill(NONE);
        for (index, &offset) in self.rows.iter().enumerate() {
            let (price, target) = cheapest(distances.row_at(offset), &pairing.target_price)?;
            pairing.box_price[index] = price;
            if pairing.box_on[target] == NONE {
                pairing.box_on[target] = index as u32;
                pairing.target_of[index] = target as u32;
            }
        }
        for index in 0..self.rows.len() {
            if pairing.target_of[index] != NONE {
                continue;
            }
            // With thousands of boxes this takes seconds; whoever asked stops when the budget is used up.
            let over = || self.budget.cancel().is_cancelled() || self.budget.out_of_time();
            if self.rows.len() > MANY && over() || !augment(distances, &self.rows, pairing, &mut self.scratch, index) {
                return None;
            }
        }
        Some(pairing.cost())
    }

    /// The value after the box on `from` went to `to` and the player to `player`. Other boxes
    /// keep their rows: the player cannot change sides of a box that does not move.
    pub(super) fn repaired(&mut self, distances: &Distances, from: Square, to: Square, player: Square) -> Estimate {
        let value = self.value?;
        let index = usize::from(self.row_at[usize::from(from)]);
        let offset = distances.offset(to, player);
        let row = distances.row_at(offset);
        let (price, _) = cheapest(row, &self.pairing.target_price)?;
        let target = self.pairing.target_of[index] as usize;
        if row[target] != FAR && i32::from(row[target]) - self.pairing.target_price[target] == price {
            let before = distances.row_at(self.rows[index])[target];
            return Some(value - u32::from(before) + u32::from(row[target]));
        }
        self.child.copy_from(&self.pairing);
        self.child_rows.clone_from(&self.rows);
        self.child_rows[index] = offset;
        self.child.box_price[index] = price;
        self.child.box_on[target] = NONE;
        self.child.target_of[index] = NONE;
        augment(distances, &self.child_rows, &mut self.child, &mut self.scratch, index).then(|| self.child.cost())
    }
}

/// The least distance minus price in a row, and the first target that has it.
fn cheapest(row: &[u16], prices: &[i32]) -> Option<(i32, usize)> {
    let mut best = None;
    for (target, (&distance, &price)) in row.iter().zip(prices).enumerate() {
        if distance == FAR {
            continue;
        }
        let reduced = i32::from(distance) - price;
        if best.is_none_or(|(least, _)| reduced < least) {
            best = Some((reduced, target));
        }
    }
    best
}

/// Gives a free box a target along a shortest augmenting path (Dijkstra on reduced costs).
/// `false` if there is none: then no perfect pairing exists.
fn augment(distances: &Distances, rows: &[usize], pairing: &mut Pairing, scratch: &mut Scratch, free: usize) -> bool {
    let count = rows.len();
    let Scratch { length, previous, scanned, order } = scratch;
    length.clear();
    length.resize(count, i32::MAX);
    previous.clear();
    previous.resize(count, NONE);
    scanned.clear();
    scanned.resize(count, false);
    order.clear();
    let mut from = free;
    let mut lowest = 0;
    let sink = loop {
        let row = distances.row_at(rows[from]);
        let base = lowest - pairing.box_price[from];
        let mut next = NONE;
        let mut least = i32::MAX;
        for target in 0..count {
            if scanned[target] {
                continue;
            }
            if row[target] != FAR {
                let through = base + i32::from(row[target]) - pairing.target_price[target];
                if through < length[target] {
                    length[target] = through;
                    previous[target] = from as u32;
                }
            }
            // Among equals a free target ends the search at once.
            if length[target] < least
                || (length[target] == least
                    && next != NONE
                    && pairing.box_on[target] == NONE
                    && pairing.box_on[next as usize] != NONE)
            {
                least = length[target];
                next = target as u32;
            }
        }
        if next == NONE || least == i32::MAX {
            return false;
        }
        lowest = least;
        let target = next as usize;
        scanned[target] = true;
        if pairing.box_on[target] == NONE {
            break target;
        }
        order.push(next);
        from = pairing.box_on[target] as usize;
    };
    pairing.box_price[free] += lowest;
    for &target in order.iter() {
        let target = target as usize;
        let slack = lowest - length[target];
        pairing.target_price[target] -= slack;
        pairing.box_price[pairing.box_on[target] as usize] += slack;
    }
    let mut target = sink;
    loop {
        let owner = previous[target];
        pairing.box_on[target] = owner;
        let freed = std::mem::replace(&mut pairing.target_of[owner as usize], target as u32);
        if owner as usize == free {
            return true;
        }
        target = freed as usize;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lurd_level::Map;
    use lurd_rules::Bits;

    /// Solved from scratch and repaired from the parent, the value is that of the best of all pairings.
    #[test]
    fn the_value_is_the_cheapest_pairing_by_brute_force() {
        let rooms = [
            "#########\n#.  $  .#\n# $ @ $ #\n#.     .#\n#  $#   #\n#########",
            "########\n#. $ . #\n### $  #\n#.  @ ##\n#  $  ##\n########",
        ];
        for room in rooms {
            let board = Board::new(&Map::from_xsb(room).unwrap()).unwrap();
            let distances = Distances::to_goals(&board, &lurd_search::Budget::unlimited()).unwrap();
            let mut assignment = Assignment::new(&board, &lurd_search::Budget::unlimited());
            let mut random = 1u64;
            let mut draw = |below: usize| {
                random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                (random >> 33) as usize % below
            };
            for _ in 0..2000 {
                let mut boxes = Bits::empty(board.len());
                while boxes.len() < board.goals().len() {
                    boxes.insert(draw(board.len()) as Square);
                }
                let free: Vec<Square> = board.squares().filter(|&square| !boxes.contains(square)).collect();
                let player = free[draw(free.len())];
                let state = State { boxes, player };
                let solved = assignment.solve(&distances, &state);
                assert_eq!(solved, brute_force(&distances, &state, 0, &mut Vec::new()), "{room}");
                if solved.is_none() {
                    continue;
                }
                let moved: Vec<Square> = state.boxes.iter().collect();
                let from = moved[draw(moved.len())];
                let to = free[draw(free.len())];
                let mut child = state.clone();
                child.boxes.shift(from, to);
                // The rows of the other boxes must not change, so the player stays on his side of them.
                let stays = moved
                    .iter()
                    .all(|&other| other == from || distances.pair(other, from) == distances.pair(other, state.player));
                if to != from && stays {
                    child.player = from;
                    assert_eq!(
                        assignment.repaired(&distances, from, to, from),
                        brute_force(&distances, &child, 0, &mut Vec::new()),
                        "{room}"
                    );
                }
            }
        }
    }

    fn brute_force(distances: &Distances, state: &State, index: usize, taken: &mut Vec<usize>) -> Estimate {
        let Some(square) = state.boxes.iter().nth(index) else { return Some(0) };
        let row = distances.row(square, state.player);
        let mut best: Estimate = None;
        for (target, &distance) in row.iter().enumerate() {
            if distance == FAR || taken.contains(&target) {
                continue;
            }
            taken.push(target);
            if let Some(rest) = brute_force(distances, state, index + 1, taken) {
                let cost = rest + u32::from(distance);
                best = Some(best.map_or(cost, |least: u32| least.min(cost)));
            }
            taken.pop();
        }
        best
    }
}
