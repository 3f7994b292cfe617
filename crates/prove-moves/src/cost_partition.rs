//! A cost partition: how the cost of each step of the player is shared among the boxes.
//!
//! A potential function makes every directed step of the player cost `1 + gain`, its reduced cost, which is never
//! negative; the costs of all steps with the potentials at both ends add up to the moves of a solution
//! ([`potential`](crate::potential)). A potential alone counts only the steps that are pushes, each for the box pushed. But
//! a box that must be pushed from another side in a narrow place often sends the player on a long walk. So the cost of a
//! directed step is partitioned: some of it is shared out to live squares, the rest goes to the box that is pushed by it,
//! if one is. While a box is on a square with a share, it pays that share of every such step, whatever the step is made
//! for. All shares of a step together are no more than it costs, so what all boxes pay together stays a bound: this is the
//! argument of cost partitioning (Katz and Domshlak 2010). Squares that never hold boxes at the same time
//! ([`exclusive`](crate::exclusive)) may get one share together: at most one of them ever pays.
//!
//! Between its arrival on a square and its next push a box pays at least the cheapest walk round it from one side to the
//! other, counted by its own shares. Any shares are sound, but a square gets none in a step that begins or ends on it: no
//! walk round the box makes that step, and a box pushed by it would pay twice. Good shares come from the steps that the
//! cheapest walks need, assigned while a potential is fitted ([`ownership`](crate::ownership)), the best from a linear
//! program ([`flow_lp`](crate::flow_lp)).
//!
//! New here: the partition of single player steps between the squares of a board, and walks round a box as the operators
//! that a lone box pays for.

use crate::box_paths::BoxPaths;
use lurd_rules::dense::board::{DenseBoard, NONE};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

/// No walk.
pub(crate) const FAR: i32 = i32::MAX;

/// The shares of every step, in units. A step is `4 * cell + direction`.
#[derive(Clone, Debug)]
pub(crate) struct Shares {
    cost: Vec<i32>,
    /// What is left of it, the share of the box pushed.
    left: Vec<i32>,
    /// What the box pushed pays besides: shares of squares that exclude it.
    pushed: Vec<i32>,
    /// For each live square, its shares by step.
    of: Vec<BTreeMap<u32, i32>>,
}

impl Shares {
    /// Nothing is shared out: each step counts for the box pushed.
    pub(crate) fn none(board: &DenseBoard, paths: &BoxPaths, potential: &[i32], scale: i32) -> Self {
        let gain = |step: usize| match paths.next[step] {
            NONE => 0,
            to => potential[usize::from(to)] - potential[step / 4],
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

    /// What is left of a step to share out.
    pub(crate) fn left(&self, step: usize) -> i32 {
        self.left[step]
    }

    /// What a step costs the box that is pushed by it.
    #[inline]
    pub(crate) fn push(&self, step: usize) -> i32 {
        self.left[step] + self.pushed[step]
    }

    /// Gives each of some squares so much of a step, or what is left of it, and as much to the box pushed by it if
    /// `and_pushed`: at most one of them pays at a time.
    pub(crate) fn give(&mut self, squares: &[usize], and_pushed: bool, step: usize, units: i32) {
        let units = units.min(self.left[step]);
        if units > 0 {
            self.left[step] -= units;
            squares.iter().for_each(|&square| *self.of[square].entry(step as u32).or_default() += units);
            self.pushed[step] += if and_pushed { units } else { 0 };
        }
    }

    /// The shares of all squares in all steps, by `4 * cells * square + step`.
    pub(crate) fn table(&self, board: &DenseBoard) -> Vec<u16> {
        let steps = 4 * board.cells();
        let mut table = vec![0; steps * self.of.len()];
        for (square, own) in self.of.iter().enumerate() {
            own.iter().for_each(|(&step, &units)| table[square * steps + step as usize] = units as u16);
        }
        table
    }

    /// By the player's cell, what a box pays until he is on a side of it: Dijkstra's algorithm backwards from there.
    pub(crate) fn until(&self, board: &DenseBoard, paths: &BoxPaths, side: usize) -> Vec<i32> {
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
                // The step from the neighbour in direction `back` to this cell has the opposite direction.
                let before = paths.next[4 * usize::from(cell) + back];
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

    /// The cheapest walks round a box from the side of its arrival to some `sides` of it, which can be reached; among equally
    /// cheap ones the shortest. Nothing is known of walks to other sides.
    pub(crate) fn walks(
        &self,
        board: &DenseBoard,
        paths: &BoxPaths,
        arrival: usize,
        sides: impl Iterator<Item = usize>,
    ) -> Option<Walks> {
        let (square, start) = (arrival / 4, board.beside(arrival));
        if start == NONE {
            return None;
        }
        let mut wanted: Vec<u16> = sides.map(|side| board.beside(4 * square + side)).collect();
        let own = &self.of[square];
        let mut walks = Walks { paid: vec![(i32::MAX, 0); board.cells()], last: vec![u32::MAX; board.cells()] };
        let mut open = BinaryHeap::from([(Reverse((0, 0)), start)]);
        walks.paid[usize::from(start)] = (0, 0);
        while let Some((Reverse(paid), cell)) = open.pop() {
            if paid > walks.paid[usize::from(cell)] {
                continue;
            }
            wanted.retain(|&side| side != cell);
            if wanted.is_empty() {
                break;
            }
            for step in 4 * usize::from(cell)..4 * usize::from(cell) + 4 {
                let to = paths.next[step];
                if to == NONE || usize::from(to) == board.cell(square) {
                    continue;
                }
                let share = own.get(&(step as u32)).copied().unwrap_or(0);
                let further = (paid.0 + share, paid.1 + 1);
                if further < walks.paid[usize::from(to)] {
                    walks.paid[usize::from(to)] = further;
                    walks.last[usize::from(to)] = step as u32;
                    open.push((Reverse(further), to));
                }
            }
        }
        Some(walks)
    }
}

/// What walks round boxes cost by given shares.
#[derive(Clone, Debug)]
pub(crate) struct WalkCosts {
    /// From one side of a live square to another, by `16 * square + 4 * from + to`.
    costs: Vec<i32>,
    /// The steps of these walks in which the square has a share.
    routes: BTreeMap<usize, Vec<u32>>,
}

impl WalkCosts {
    pub(crate) fn new(board: &DenseBoard, paths: &BoxPaths, shares: &Shares) -> Self {
        let mut costs = vec![FAR; 16 * board.live_count()];
        let mut routes = BTreeMap::new();
        for (place, cost) in costs.iter_mut().enumerate() {
            let (from, to) = (paths.side[place / 4], paths.side[place / 16 * 4 + place % 4]);
            if from != NONE && from == to {
                *cost = 0;
            }
        }
        for square in (0..board.live_count()).filter(|&square| !shares.of[square].is_empty()) {
            for arrival in 4 * square..4 * square + 4 {
                let reached: Vec<usize> = (0..4).filter(|side| costs[4 * arrival + side] != FAR).collect();
                let Some(walks) = shares.walks(board, paths, arrival, reached.iter().copied()) else { continue };
                for side in reached {
                    let to = usize::from(board.beside(4 * square + side));
                    costs[4 * arrival + side] = walks.paid[to].0;
                    let steps = walks.steps(to).into_iter().filter(|step| shares.of[square].contains_key(step));
                    routes.insert(4 * arrival + side, steps.collect());
                }
            }
        }
        Self { costs, routes }
    }

    /// What a box pays from an arrival until the player is on a side of it; [`FAR`] if he cannot get there.
    #[inline]
    pub(crate) fn between(&self, arrival: usize, side: usize) -> i32 {
        self.costs[4 * arrival + side]
    }

    /// The steps that a box pays for between an arrival and a side of it.
    pub(crate) fn route(&self, arrival: usize, side: usize) -> &[u32] {
        self.routes.get(&(4 * arrival + side)).map_or(&[], Vec::as_slice)
    }
}

/// Cheapest walks from one cell: cost and length, and the step that leads to each cell.
pub(crate) struct Walks {
    paid: Vec<(i32, u32)>,
    last: Vec<u32>,
}

impl Walks {
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
