//! The cheapest pairing of boxes and targets, repaired from position to position.
//!
//! Dual prices of the targets prove a pairing optimal (Kuhn 1955; Jonker and Volgenant 1987). A
//! move changes the distances of one box, so a child is repaired from its parent by one
//! augmenting path; and a bound for the child, exact when the box goes a shortest way to its own
//! target, costs one pass over its new row. The pairing is kept by targets: for each
//! the row of the box that goes there. So it does not matter in what order boxes are numbered.

use crate::dense::board::{DenseBoard, INFINITE, Side, StepTable};

/// A pairing with its prices.
#[derive(Clone, Debug)]
pub struct Matching {
    /// The row of the box paired with each target.
    pub rows: Vec<u16>,
    /// The price of each target, never above zero.
    prices: Vec<i32>,
    /// What all pairs cost together.
    pub total: i32,
}

/// No box is paired with the target.
const NOBODY: u16 = u16::MAX;

impl Matching {
    /// No pairs at all, for `targets` targets.
    pub fn empty(targets: usize) -> Self {
        Self { rows: vec![NOBODY; targets], prices: vec![0; targets], total: 0 }
    }

    /// Takes prices over that the next pairing is begun with: the better they fit, the sooner it is found.
    pub fn begin_with(&mut self, prices: &[i32]) {
        self.prices.copy_from_slice(prices);
    }

    pub fn copy_from(&mut self, other: &Self) {
        self.rows.clone_from(&other.rows);
        self.prices.clone_from(&other.prices);
        self.total = other.total;
    }
}

/// Working memory of the repairs.
#[derive(Clone, Debug)]
pub struct Matcher {
    length: Vec<i32>,
    previous: Vec<u16>,
    /// Targets not yet settled, then the settled ones in the order they were.
    order: Vec<u16>,
    /// The prices of the matching whose children are being bounded, one padded row.
    prices: Vec<i16>,
}

impl Matcher {
    pub fn new(way: &StepTable, targets: usize) -> Self {
        Self {
            length: vec![0; targets],
            previous: vec![0; targets],
            order: vec![0; targets],
            prices: vec![0; way.stride()],
        }
    }

    /// Pairs everything anew, with the prices as they are for a start. `false` if there is no pairing.
    pub fn solve(&mut self, way: &StepTable, matching: &mut Matching, rows: impl Iterator<Item = u16>) -> bool {
        matching.rows.fill(NOBODY);
        // Prices only fall; before they leave the range of small numbers they start again.
        if matching.prices.iter().any(|&price| price < -i32::from(INFINITE) / 2) {
            matching.prices.fill(0);
        }
        let mut rest = true;
        for row in rows {
            rest &= self.augment(way, matching, row);
            if !rest {
                return false;
            }
        }
        Self::add_up(way, matching);
        true
    }

    /// The box on the live square `from` moves and gets another row. `false` if there is no pairing any more.
    pub fn repair(&mut self, dense: &DenseBoard, side: Side, matching: &mut Matching, from: usize, row: u16) -> bool {
        self.repair_by(dense, dense.way(side), matching, from, row)
    }

    /// As [`repair`](Self::repair), by the rows of a way.
    pub fn repair_by(
        &mut self,
        dense: &DenseBoard,
        way: &StepTable,
        matching: &mut Matching,
        from: usize,
        row: u16,
    ) -> bool {
        let Some(freed) = matching.rows.iter().position(|&row| dense.row_live(row) == from) else { return false };
        matching.rows[freed] = NOBODY;
        if !self.augment(way, matching, row) {
            return false;
        }
        Self::add_up(way, matching);
        true
    }

    fn add_up(way: &StepTable, matching: &mut Matching) {
        let pairs = matching.rows.iter().enumerate();
        matching.total = pairs.map(|(target, &row)| i32::from(way.row(row)[target])).sum();
    }

    /// Gives the box of a row a target, by the shortest augmenting path.
    fn augment(&mut self, way: &StepTable, matching: &mut Matching, free: u16) -> bool {
        let targets = matching.rows.len();
        let (length, previous, order) = (&mut self.length[..targets], &mut self.previous[..targets], &mut self.order);
        let prices = &mut matching.prices[..targets];
        let row = &way.row(free)[..targets];
        for target in 0..targets {
            length[target] = if row[target] == INFINITE { i32::MAX } else { i32::from(row[target]) - prices[target] };
            previous[target] = NOBODY;
            order[target] = target as u16;
        }
        let mut settled = 0;
        let (sink, lowest) = loop {
            let (mut best, mut least) = (usize::MAX, i32::MAX);
            for (place, &target) in order[settled..].iter().enumerate() {
                let value = length[usize::from(target)];
                // Among equals a free target ends the search at once.
                if value < least
                    || (value == least && value != i32::MAX && matching.rows[usize::from(target)] == NOBODY)
                {
                    (best, least) = (settled + place, value);
                }
            }
            if least == i32::MAX {
                return false;
            }
            order.swap(settled, best);
            let target = usize::from(order[settled]);
            if matching.rows[target] == NOBODY {
                break (target, least);
            }
            settled += 1;
            let row = &way.row(matching.rows[target])[..targets];
            let base = least - (i32::from(row[target]) - prices[target]);
            for &next in &order[settled..] {
                let next = usize::from(next);
                if row[next] != INFINITE {
                    let through = base + i32::from(row[next]) - prices[next];
                    if through < length[next] {
                        length[next] = through;
                        previous[next] = target as u16;
                    }
                }
            }
        };
        for &target in &order[..settled] {
            prices[usize::from(target)] += length[usize::from(target)] - lowest;
        }
        let mut target = sink;
        loop {
            let before = previous[target];
            if before == NOBODY {
                matching.rows[target] = free;
                return true;
            }
            matching.rows[target] = matching.rows[usize::from(before)];
            target = before.into();
        }
    }

    /// Makes ready to bound the children of a matching. `false` if a price was too low to be taken over as it
    /// is: what follows is a guess then, and no bound.
    pub fn look_at(&mut self, matching: &Matching) -> bool {
        const LOWEST: i32 = -(INFINITE as i32) / 2;
        for (to, &from) in self.prices.iter_mut().zip(&matching.prices) {
            *to = from.max(LOWEST) as i16;
        }
        matching.prices.iter().all(|&price| price >= LOWEST)
    }

    /// What the box paired with `target` adds by its price: take this away and add [`reduced`](Self::reduced).
    #[inline]
    pub fn share(&self, way: &StepTable, matching: &Matching, target: usize) -> i32 {
        i32::from(way.row(matching.rows[target])[target]) - i32::from(self.prices[target])
    }

    /// The least of a row after prices.
    #[inline]
    pub fn reduced(&self, way: &StepTable, row: u16) -> i32 {
        let mut least = [i16::MAX; 8];
        for (costs, prices) in way.row(row).chunks_exact(8).zip(self.prices.chunks_exact(8)) {
            for ((least, &cost), &price) in least.iter_mut().zip(costs).zip(prices) {
                *least = (*least).min(cost - price);
            }
        }
        i32::from(least.iter().copied().min().unwrap_or(0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Board;
    use lurd_level::Map;
    use lurd_search::Budget;

    /// Whatever the prices it starts from, solved anew or repaired, a pairing costs as little as the best of
    /// all; and the bound of a child is no higher than that.
    #[test]
    fn the_value_is_the_cheapest_pairing_by_brute_force() {
        let rooms = [
            "#########\n#.  $  .#\n# $ @ $ #\n#.     .#\n#  $#   #\n#########",
            "########\n#. $ . #\n### $  #\n#.  @ ##\n#  $  ##\n########",
        ];
        let mut random = 1u64;
        let mut draw = |below: usize| {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (random >> 33) as usize % below
        };
        let mut repaired = 0;
        for (room, side) in rooms.into_iter().flat_map(|room| [(room, Side::Forward), (room, Side::Backward)]) {
            let board = Board::new(&Map::from_xsb(room).unwrap()).unwrap();
            let dense = DenseBoard::new(&board, &Budget::unlimited()).unwrap().unwrap();
            let (way, boxes) = (dense.way(side), dense.boxes());
            let mut matcher = Matcher::new(way, boxes);
            let mut matching = Matching::empty(boxes);
            for _ in 0..2000 {
                let mut squares: Vec<usize> = Vec::new();
                while squares.len() < boxes {
                    let square = draw(dense.live_count());
                    if !squares.contains(&square) {
                        squares.push(square);
                    }
                }
                let player = dense.cell_on(draw(board.len()) as u16);
                if squares.iter().any(|&square| dense.cell(square) == player) {
                    continue;
                }
                let mut rows: Vec<u16> = squares.iter().map(|&square| dense.row_at(square, player)).collect();
                let solved = matcher.solve(way, &mut matching, rows.iter().copied()).then_some(matching.total);
                assert_eq!(solved, cheapest(way, &rows, &mut vec![false; boxes]), "{room}");
                let to = draw(dense.live_count());
                if solved.is_none() || squares.contains(&to) || dense.cell(to) == player {
                    continue;
                }
                let moved = draw(boxes);
                let target = matching.rows.iter().position(|&row| row == rows[moved]).unwrap();
                rows[moved] = dense.row_at(to, player);
                matcher.look_at(&matching);
                let bound = matching.total - matcher.share(way, &matching, target) + matcher.reduced(way, rows[moved]);
                let value =
                    matcher.repair(&dense, side, &mut matching, squares[moved], rows[moved]).then_some(matching.total);
                assert_eq!(value, cheapest(way, &rows, &mut vec![false; boxes]), "{room}");
                assert!(value.is_none_or(|value| bound <= value), "{room}");
                repaired += usize::from(value.is_some());
            }
        }
        assert!(repaired > 1000, "{repaired}");
    }

    fn cheapest(way: &StepTable, rows: &[u16], taken: &mut Vec<bool>) -> Option<i32> {
        let Some((&row, rest)) = rows.split_first() else { return Some(0) };
        let mut best = None;
        for target in 0..taken.len() {
            let cost = way.row(row)[target];
            if taken[target] || cost == INFINITE {
                continue;
            }
            taken[target] = true;
            if let Some(others) = cheapest(way, rest, taken) {
                let total = others + i32::from(cost);
                best = Some(best.map_or(total, |least: i32| least.min(total)));
            }
            taken[target] = false;
        }
        best
    }
}
