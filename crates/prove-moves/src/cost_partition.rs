//! CostPartition: steps of the player that a box pays for while it stands on a square.
//!
//! By heights every step of the player costs `1 + its gain`, never less than nothing, and the costs of all steps with
//! the heights at both ends make up the moves of a solution. A potential alone counts only the steps that
//! are pushes, each for the box pushed. A box that has to be turned in a narrow place often sends the player a long way
//! round. So the cost of a directed step is shared out: some of it to live squares, the rest to the box that is pushed by
//! it, if one is. While a box stands on a square with a share, it pays that share of every such step,
//! whoever makes it and whatever for. All shares of a step together are no more than it costs, so what the boxes pay
//! together stays a bound. Squares that never hold boxes at the same time ([`exclusive`](crate::exclusive)) may get one share
//! together: only one of them can have to pay.
//!
//! What a box pays on a square between its arrival and its next push is at least the cheapest walk from one side
//! of it to the other round it, by its own shares. Any shares are sound, unless a step begins or ends on its square, which no
//! walk round the box does. Good ones come from claims made while heights are fitted ([`ownership`](crate::ownership)), and the best
//! from a linear program ([`flow_lp`](crate::flow_lp)).

use crate::box_paths::BoxPaths;
use lurd_rules::dense::board::{DenseBoard, NONE};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

/// No walk.
pub(crate) const FAR: i32 = i32::MAX;

/// How the costs of steps are shared out, in units. A step is `4 * cell + direction`.
#[derive(Clone, Debug)]
pub(crate) struct Shares {
    /// What each step costs.
    cost: Vec<i32>,
    /// What is left of it, which the box pushed pays.
    left: Vec<i32>,
    /// What the box pushed pays besides, while nobody else pays for the step.
    pushed: Vec<i32>,
    /// For each live square, what a box there pays for which steps.
    of: Vec<BTreeMap<u32, i32>>,
}

impl Shares {
    /// Nothing is given away: everything is left for the boxes pushed.
    pub(crate) fn none(board: &DenseBoard, slopes: &BoxPaths, heights: &[i32], scale: i32) -> Self {
        let gain = |step: usize| match slopes.next[step] {
            NONE => 0,
            to => heights[usize::from(to)] - heights[step / 4],
        };
        let cost: Vec<i32> = (0..4 * board.cells()).map(|step| scale + gain(step)).collect();
        debug_assert!(cost.iter().all(|cost| (0..=2 * scale).contains(cost)), "neighbours differ by at most 1");
        let pushed = vec![0; cost.len()];
        Self { left: cost.clone(), cost, pushed, of: vec![BTreeMap::new(); board.live_count()] }
    }

    /// What a step costs altogether.
    pub(crate) fn cost(&self, step: usize) -> i32 {
        self.cost[step]
    }

    /// What is left of a step to be given away.
    pub(crate) fn left(&self, step: usize) -> i32 {
        self.left[step]
    }

    /// What a step costs the box that is pushed by it.
    #[inline]
    pub(crate) fn push(&self, step: usize) -> i32 {
        self.left[step] + self.pushed[step]
    }

    /// Gives each of some squares so much of a step, or what is left of it, and as much to the box pushed by it if asked
    /// to: only one of them can have to pay at a time.
    pub(crate) fn give(&mut self, squares: &[usize], and_pushed: bool, step: usize, units: i32) {
        let units = units.min(self.left[step]);
        if units > 0 {
            self.left[step] -= units;
            squares.iter().for_each(|&square| *self.of[square].entry(step as u32).or_default() += units);
            self.pushed[step] += if and_pushed { units } else { 0 };
        }
    }

    /// What a box pays for every step, by `4 * cells * square + step`.
    pub(crate) fn table(&self, board: &DenseBoard) -> Vec<u16> {
        let steps = 4 * board.cells();
        let mut table = vec![0; steps * self.of.len()];
        for (square, own) in self.of.iter().enumerate() {
            own.iter().for_each(|(&step, &units)| table[square * steps + step as usize] = units as u16);
        }
        table
    }

    /// What a box on a square pays, by the player's cell, until he stands on a side of it.
    pub(crate) fn until(&self, board: &DenseBoard, slopes: &BoxPaths, side: usize) -> Vec<i32> {
        let (square, end) = (side / 4, board.beside(side));
        let mut paid = vec![FAR; board.cells()];
        if end == NONE {
            return paid;
        }
        let own = &self.of[square];
        let mut open = BinaryHeap::from([(Reverse(0), end)]);
        paid[usize::from(end)] = 0;
        while let Some((Reverse(so_far), cell)) = open.pop() {
            if so_far > paid[usize::from(cell)] {
                continue;
            }
            for back in 0..4 {
                // From the neighbour over there a step in the opposite direction leads here.
                let before = slopes.next[4 * usize::from(cell) + back];
                if before == NONE || usize::from(before) == board.cell(square) {
                    continue;
                }
                let step = 4 * usize::from(before) + (back ^ 1);
                let further = so_far + own.get(&(step as u32)).copied().unwrap_or(0);
                if further < paid[usize::from(before)] {
                    paid[usize::from(before)] = further;
                    open.push((Reverse(further), before));
                }
            }
        }
        paid
    }

    /// The cheapest walks round a box on a square, from the side where it arrived; among equally cheap ones the shortest.
    pub(crate) fn walk(&self, board: &DenseBoard, slopes: &BoxPaths, arrival: usize) -> Option<Walk> {
        let (square, start) = (arrival / 4, board.beside(arrival));
        if start == NONE {
            return None;
        }
        let own = &self.of[square];
        let mut walk = Walk { paid: vec![(i32::MAX, 0); board.cells()], last: vec![u32::MAX; board.cells()] };
        let mut open = BinaryHeap::from([(Reverse((0, 0)), start)]);
        walk.paid[usize::from(start)] = (0, 0);
        while let Some((Reverse(paid), cell)) = open.pop() {
            if paid > walk.paid[usize::from(cell)] {
                continue;
            }
            for step in 4 * usize::from(cell)..4 * usize::from(cell) + 4 {
                let to = slopes.next[step];
                if to == NONE || usize::from(to) == board.cell(square) {
                    continue;
                }
                let toll = own.get(&(step as u32)).copied().unwrap_or(0);
                let further = (paid.0 + toll, paid.1 + 1);
                if further < walk.paid[usize::from(to)] {
                    walk.paid[usize::from(to)] = further;
                    walk.last[usize::from(to)] = step as u32;
                    open.push((Reverse(further), to));
                }
            }
        }
        Some(walk)
    }
}

/// What walks round boxes cost by given shares.
#[derive(Clone, Debug)]
pub(crate) struct CostPartition {
    /// The toll from one side of a live square to another, by `16 * square + 4 * from + to`.
    tolls: Vec<i32>,
    /// The steps on the way that a box pays for.
    routes: BTreeMap<usize, Vec<u32>>,
}

impl CostPartition {
    pub(crate) fn new(board: &DenseBoard, slopes: &BoxPaths, shares: &Shares) -> Self {
        let mut tolls = vec![FAR; 16 * board.live_count()];
        let mut routes = BTreeMap::new();
        for (place, toll) in tolls.iter_mut().enumerate() {
            let (from, to) = (slopes.side[place / 4], slopes.side[place / 16 * 4 + place % 4]);
            if from != NONE && from == to {
                *toll = 0;
            }
        }
        for square in (0..board.live_count()).filter(|&square| !shares.of[square].is_empty()) {
            for arrival in 4 * square..4 * square + 4 {
                let Some(walk) = shares.walk(board, slopes, arrival) else { continue };
                for side in (0..4).filter(|side| tolls[4 * arrival + side] != FAR).collect::<Vec<_>>() {
                    let to = usize::from(board.beside(4 * square + side));
                    tolls[4 * arrival + side] = walk.paid[to].0;
                    let steps = walk.steps(to).into_iter().filter(|step| shares.of[square].contains_key(step));
                    routes.insert(4 * arrival + side, steps.collect());
                }
            }
        }
        Self { tolls, routes }
    }

    /// What a box pays from an arrival until the player stands on a side of it; [`FAR`] if he cannot get there.
    #[inline]
    pub(crate) fn between(&self, arrival: usize, side: usize) -> i32 {
        self.tolls[4 * arrival + side]
    }

    /// The steps that a box pays for between an arrival and a side of it.
    pub(crate) fn route(&self, arrival: usize, side: usize) -> &[u32] {
        self.routes.get(&(4 * arrival + side)).map_or(&[], Vec::as_slice)
    }
}

/// Walks from one cell: toll and length, and the step that leads to each cell.
pub(crate) struct Walk {
    paid: Vec<(i32, u32)>,
    last: Vec<u32>,
}

impl Walk {
    /// The steps to a cell, the last first.
    pub(crate) fn steps(&self, to: usize) -> Vec<u32> {
        let (mut steps, mut step) = (Vec::new(), self.last[to]);
        while step != u32::MAX {
            steps.push(step);
            step = self.last[step as usize / 4];
        }
        steps
    }
}
