//! The opened position as the target of pulls: distances of a lone box to its squares, and the matching of boxes with
//! them.
//!
//! The children of a position are bounded by the prices of its matching. The bound of a child is exact if its box stays
//! with its own target or if a chain of *tight* pairs, those that cost no more than their prices, leads back to that target:
//! then each box of the chain takes over the target of the next. Otherwise the cost is higher, by two or more where the
//! bound has the right parity, as each pull changes the colour of one box.

use lurd_rules::dense::board::{DenseBoard, INFINITE, LONGEST, NONE, Side, StepTable};
use lurd_rules::dense::matching::{Matcher, Matching};

/// A bound of this size says that some box reaches no target.
const DEAD: i32 = INFINITE as i32 / 2;

#[derive(Clone, Debug)]
pub(super) struct Target {
    way: StepTable,
    count: usize,
}

impl Target {
    /// The target squares, as live squares.
    pub(super) fn new(board: &DenseBoard, squares: &[u16]) -> Self {
        let way = board.way(Side::Backward);
        let rows = way.row_count();
        let mut before: Vec<Vec<u16>> = vec![Vec::new(); rows];
        for (arrival, step) in way.steps.iter().enumerate().filter(|(_, step)| step.to != NONE) {
            before[usize::from(step.row)].push(board.row_at(arrival / 4, step.reach.into()));
        }
        let stride = squares.len().next_multiple_of(8);
        let mut distances = vec![INFINITE; rows * stride];
        let mut queue: Vec<u16> = Vec::with_capacity(rows);
        for (target, &square) in squares.iter().enumerate() {
            queue.clear();
            queue.extend((0..rows as u16).filter(|&row| board.row_live(row) == usize::from(square)));
            queue.iter().for_each(|&row| distances[usize::from(row) * stride + target] = 0);
            let mut at = 0;
            while let Some(&row) = queue.get(at) {
                at += 1;
                let further = (distances[usize::from(row) * stride + target] + 1).min(LONGEST as i16);
                for &from in &before[usize::from(row)] {
                    let distance = &mut distances[usize::from(from) * stride + target];
                    if *distance == INFINITE {
                        *distance = further;
                        queue.push(from);
                    }
                }
            }
        }
        Self { way: StepTable::of_rows(distances, stride), count: squares.len() }
    }

    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// The pulls from a row to a target.
    #[inline]
    pub(super) fn distance(&self, row: u16, target: usize) -> i16 {
        self.way.row(row)[target]
    }
}

/// A matching of boxes with the target, and bounds for its children.
#[derive(Clone, Debug)]
pub(super) struct TargetPairing {
    matcher: Matcher,
    pub(super) matching: Matching,
    /// The prices in the width of the costs, one padded row.
    prices: Vec<i16>,
    words: usize,
    /// For each target, the targets that the box paired with it could take at no cost after prices.
    tight: Vec<u64>,
    has_tight: bool,
    /// For each target, the targets from which a chain of tight pairs leads to it.
    back: Vec<u64>,
    has_back: Vec<bool>,
}

impl TargetPairing {
    pub(super) fn new(target: &Target) -> Self {
        let (count, words) = (target.count, target.count.div_ceil(64));
        Self {
            matcher: Matcher::new(&target.way, count),
            matching: Matching::empty(count),
            prices: vec![0; target.way.stride()],
            words,
            tight: vec![0; count * words],
            has_tight: false,
            back: vec![0; count * words],
            has_back: vec![false; count],
        }
    }

    /// Pairs the boxes of these rows. `false` if they cannot all be paired.
    pub(super) fn solve(&mut self, target: &Target, rows: impl Iterator<Item = u16>) -> bool {
        self.matcher.solve(&target.way, &mut self.matching, rows)
    }

    /// The box on the live square `from` gets another row. `false` if the boxes cannot all be paired any more.
    pub(super) fn repair(&mut self, board: &DenseBoard, target: &Target, from: usize, row: u16) -> bool {
        self.matcher.repair(board, &target.way, &mut self.matching, from, row)
    }

    pub(super) fn total(&self) -> i32 {
        self.matching.total
    }

    /// Begins to bound the children of the matching.
    pub(super) fn begin(&mut self) {
        self.matcher.look_at(&self.matching);
        for (to, &from) in self.prices.iter_mut().zip(&self.matching.prices) {
            *to = from.max(i32::from(-INFINITE) / 2) as i16;
        }
        self.has_tight = false;
        self.has_back.fill(false);
    }

    /// The cost after the box paired with `own` gets another row, or a lower bound if it is more than that of the
    /// matching; `None` if a box reaches no target.
    #[inline]
    pub(super) fn after(&mut self, target: &Target, own: usize, row: u16) -> Option<i32> {
        let least = self.matcher.reduced(&target.way, row);
        if least > DEAD {
            return None;
        }
        let bound = self.matching.total - self.matcher.share(&target.way, &self.matching, own) + least;
        if i32::from(target.distance(row, own) - self.prices[own]) == least
            || bound > self.matching.total
            || self.leads_back(target, own, row, least)
        {
            return Some(bound);
        }
        Some(if (bound ^ self.matching.total) & 1 == 0 { bound + 1 } else { bound + 2 })
    }

    /// Whether a chain of tight pairs leads from one of the cheapest targets of the row to `own`.
    fn leads_back(&mut self, target: &Target, own: usize, row: u16, least: i32) -> bool {
        self.find_tight(target);
        self.find_back(own);
        let (costs, prices) = (target.way.row(row), &self.prices);
        let back = &self.back[own * self.words..][..self.words];
        let is_back = |place: usize| back[place / 64] >> (place % 64) & 1 != 0;
        (0..target.count).any(|place| i32::from(costs[place] - prices[place]) == least && is_back(place))
    }

    fn find_tight(&mut self, target: &Target) {
        if std::mem::replace(&mut self.has_tight, true) {
            return;
        }
        for (place, &row) in self.matching.rows.iter().enumerate() {
            let costs = target.way.row(row);
            let own = costs[place] - self.prices[place];
            let tight = &mut self.tight[place * self.words..][..self.words];
            tight.fill(0);
            for (part, (costs, prices)) in costs.chunks_exact(8).zip(self.prices.chunks_exact(8)).enumerate() {
                let lanes: [u8; 8] = std::array::from_fn(|lane| u8::from(costs[lane] - prices[lane] == own));
                // The lowest bit of byte i becomes bit i.
                let bits = u64::from_le_bytes(lanes).wrapping_mul(0x0102_0408_1020_4080) >> 56;
                tight[part / 8] |= bits << (part % 8 * 8);
            }
        }
    }

    fn find_back(&mut self, own: usize) {
        if std::mem::replace(&mut self.has_back[own], true) {
            return;
        }
        let words = self.words;
        let back = &mut self.back[own * words..][..words];
        back.fill(0);
        back[own / 64] |= 1 << (own % 64);
        loop {
            let mut grew = false;
            for (place, tight) in self.tight.chunks_exact(words).enumerate() {
                let is_new = back[place / 64] >> (place % 64) & 1 == 0;
                if is_new && tight.iter().zip(&*back).any(|(a, b)| a & b != 0) {
                    back[place / 64] |= 1 << (place % 64);
                    grew = true;
                }
            }
            if !grew {
                return;
            }
        }
    }
}
