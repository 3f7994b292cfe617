//! The pushes of a lone box over a floor with heights, and what they cost it: each push and, on some squares, the
//! player's walk round it.
//!
//! A box is followed from push to push. After a push the player stands beside it; before the next he stands beside it
//! again, perhaps on another side, and on the way there he may have to pay tolls ([`cost_partition`](crate::cost_partition)). Between the two
//! he may have done anything else, but he cannot have walked through the box.

use crate::cost_partition::{CostPartition, FAR, Shares};
use lurd_level::Direction;
use lurd_rules::dense::board::{DenseBoard, INFINITE, LONGEST, NONE, Side, StepTable};
use lurd_rules::dense::set::Set;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The floor, the pushes of a lone box, and where they end.
#[derive(Debug)]
pub(crate) struct BoxPaths {
    /// The cell a step from a cell leads to, by `4 * cell + direction`; [`NONE`] where a wall is.
    pub(crate) next: Vec<u16>,
    /// Pairs of neighbours.
    neighbours: Vec<(usize, usize)>,
    /// For each live square and side of it, what `row_at` says of the cell there; [`NONE`] where a wall is.
    pub(crate) side: Vec<u16>,
    /// The push that arrives so, by arrival.
    undone: Vec<u16>,
    /// Cells on which the player can stand after the last push of a solution.
    pub(crate) ends: Vec<usize>,
}

impl BoxPaths {
    pub(crate) fn new(board: &DenseBoard) -> Self {
        let plane = board.plane::<16>();
        let mut next = vec![NONE; 4 * board.cells()];
        let mut neighbours = Vec::new();
        for cell in plane.floor.iter() {
            for direction in Direction::ALL {
                let to = plane.shifted(Set::single(cell), direction).and(plane.floor);
                if !to.is_empty() {
                    next[4 * cell + direction as usize] = to.lowest() as u16;
                    if matches!(direction, Direction::Left | Direction::Up) {
                        neighbours.push((cell, to.lowest()));
                    }
                }
            }
        }
        let row = |arrival: usize| match board.beside(arrival) {
            NONE => NONE,
            cell => board.row_at(arrival / 4, cell.into()),
        };
        let mut undone = vec![NONE; 4 * board.live_count()];
        let mut ends = Vec::new();
        for (number, step) in board.way(Side::Forward).steps.iter().enumerate().filter(|(_, step)| step.to != NONE) {
            undone[usize::from(step.arrival)] = number as u16;
            if board.goals().contains(&step.to) {
                ends.push(usize::from(step.lands));
            }
        }
        ends.sort_unstable();
        ends.dedup();
        Self { next, neighbours, side: (0..4 * board.live_count()).map(row).collect(), undone, ends }
    }

    /// Whether a push can bring a box here so.
    pub(crate) fn is_arrival(&self, arrival: usize) -> bool {
        self.undone[arrival] != NONE
    }

    /// The push that brings a box here so, if there is one.
    pub(crate) fn push_to(&self, arrival: usize) -> Option<usize> {
        self.is_arrival(arrival).then(|| self.undone[arrival].into())
    }

    /// What a push costs its box: what is left of the player's step.
    pub(crate) fn price(board: &DenseBoard, shares: &Shares, number: usize) -> i32 {
        let step = &board.way(Side::Forward).steps[number];
        shares.push(4 * usize::from(step.reach) + number % 4)
    }

    /// What a box of each row pays to get to each goal; and, by goal and arrival, which push follows, in the trail.
    pub(crate) fn rows(
        &self,
        board: &DenseBoard,
        way: &StepTable,
        shares: &Shares,
        tolls: &CostPartition,
        mut trail: Option<&mut Trail>,
    ) -> Vec<i16> {
        let (live, stride) = (board.live_count(), way.stride());
        let mut rows = vec![INFINITE; way.row_count() * stride];
        let mut after = vec![FAR; 4 * live];
        for (goal, &square) in board.goals().iter().enumerate() {
            let then = trail.as_deref_mut().map(|trail| &mut trail.then[goal * 4 * live..][..4 * live]);
            self.after(board, square.into(), shares, tolls, &mut after, then);
            for row in (0..way.row_count()).filter(|&row| board.row_live(row as u16) == usize::from(square)) {
                rows[row * stride + goal] = 0;
            }
            for (number, push) in way.steps.iter().enumerate().filter(|(_, push)| push.to != NONE) {
                let rest = after[usize::from(push.arrival)];
                if rest == FAR {
                    continue;
                }
                let row = usize::from(self.side[number ^ 1]);
                // However far, it is a way.
                let paid = (rest + Self::price(board, shares, number)).min(LONGEST.into()) as i16;
                let least = &mut rows[row * stride + goal];
                if *least > paid {
                    *least = paid;
                    if let Some(trail) = trail.as_deref_mut() {
                        trail.first[goal * way.row_count() + row] = number as u16;
                    }
                }
            }
        }
        rows
    }

    /// By arrival, what a box still has to pay from there to a goal; and which push follows.
    pub(crate) fn after(
        &self,
        board: &DenseBoard,
        goal: usize,
        shares: &Shares,
        tolls: &CostPartition,
        after: &mut [i32],
        mut then: Option<&mut [u16]>,
    ) {
        after.fill(FAR);
        let home = 4 * goal..4 * goal + 4;
        after[home.clone()].fill(0);
        let mut open: BinaryHeap<_> = home.map(|arrival| (Reverse(0), arrival)).collect();
        while let Some((Reverse(paid), arrival)) = open.pop() {
            let number = usize::from(self.undone[arrival]);
            if paid > after[arrival] || number == usize::from(NONE) {
                continue;
            }
            // Each push has one arrival, so it is met once.
            let paid = paid + Self::price(board, shares, number);
            let (from, stands) = (number / 4, number ^ 1);
            for (arrived, least) in after.iter_mut().enumerate().skip(4 * from).take(4) {
                let toll = tolls.between(arrived, stands % 4);
                if toll != FAR && paid + toll < *least {
                    *least = paid + toll;
                    open.push((Reverse(paid + toll), arrived));
                    if let Some(then) = then.as_deref_mut() {
                        then[arrived] = number as u16;
                    }
                }
            }
        }
    }

    /// Makes neighbours differ by at most 1: the mean of lowering what is too high and raising what is too low.
    pub(crate) fn level(&self, heights: &mut [f64]) {
        let mut low = heights.to_vec();
        let mut high = heights.to_vec();
        let mut changed = true;
        while changed {
            changed = false;
            for &(a, b) in self.neighbours.iter().chain(self.neighbours.iter().rev()) {
                for (a, b) in [(a, b), (b, a)] {
                    if low[a] > low[b] + 1.0 {
                        low[a] = low[b] + 1.0;
                        changed = true;
                    }
                    if high[a] < high[b] - 1.0 {
                        high[a] = high[b] - 1.0;
                        changed = true;
                    }
                }
            }
        }
        for (height, (low, high)) in heights.iter_mut().zip(low.iter().zip(&high)) {
            *height = (low + high) / 2.0;
        }
    }

    /// The heights in whole units, so many to a move. Whatever rounding did, neighbours differ by at most 1: the bound rests on it.
    pub(crate) fn whole(&self, heights: &[f64], scale: i32) -> Vec<i32> {
        let mut whole: Vec<i32> = heights.iter().map(|&height| (height * f64::from(scale)).round() as i32).collect();
        let mut changed = true;
        while changed {
            changed = false;
            for &(a, b) in &self.neighbours {
                for (a, b) in [(a, b), (b, a)] {
                    if whole[a] > whole[b] + scale {
                        whole[a] = whole[b] + scale;
                        changed = true;
                    }
                }
            }
        }
        whole
    }
}

/// The pushes of the cheapest ways, each by its number: the first by goal and row, the next by goal and arrival.
#[derive(Debug)]
pub(crate) struct Trail {
    first: Vec<u16>,
    then: Vec<u16>,
    rows: usize,
    live: usize,
}

impl Trail {
    pub(crate) fn new(board: &DenseBoard) -> Self {
        let (rows, live) = (board.way(Side::Forward).row_count(), board.live_count());
        Self { first: vec![NONE; rows * board.boxes()], then: vec![NONE; 4 * live * board.boxes()], rows, live }
    }

    /// Follows a box on its way to a goal: `told` hears each push and the arrival before it, if there is one.
    pub(crate) fn follow(&self, board: &DenseBoard, goal: usize, row: u16, mut told: impl FnMut(usize, Option<usize>)) {
        let home = usize::from(board.goals()[goal]);
        if board.row_live(row) == home {
            return;
        }
        let mut push = self.first[goal * self.rows + usize::from(row)];
        let mut arrived = None;
        // No way is longer than there are arrivals.
        for _ in 0..4 * self.live {
            if push == NONE {
                return;
            }
            told(push.into(), arrived);
            let arrival = usize::from(board.way(Side::Forward).steps[usize::from(push)].arrival);
            if arrival / 4 == home {
                return;
            }
            arrived = Some(arrival);
            push = self.then[goal * 4 * self.live + arrival];
        }
    }
}
