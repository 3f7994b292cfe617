//! The paths of a lone box from push to push, and what they cost it by a cost partition.
//!
//! After a push the player stands beside the box; before its next push he stands beside it again, perhaps on another side.
//! Between the two he may have done anything else, but he cannot have walked through the box. So a path of the box is a
//! sequence of pushes with walks round it between them. Each push and, by its shares of the steps, each walk has a cost
//! ([`cost_partition`](crate::cost_partition)); the cheapest paths to a goal are found by Dijkstra's algorithm backwards
//! from it. Pushes are numbered `4 * square + direction`, box arrivals `4 * square + side of the player`.

use crate::cost_partition::{FAR, Shares, WalkCosts};
use lurd_level::Direction;
use lurd_rules::dense::board::{DenseBoard, INFINITE, LONGEST, NONE, Side, StepTable};
use lurd_rules::dense::set::Set;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::Add;

/// The floor, the pushes of a lone box, and where they end.
#[derive(Debug)]
pub(crate) struct BoxPaths {
    /// The cell a step leads to, by `4 * cell + direction`; [`NONE`] where a wall is.
    pub(crate) next: Vec<u16>,
    /// Pairs of adjacent cells.
    neighbours: Vec<(usize, usize)>,
    /// For each live square and side of it, `row_at` of the cell there; [`NONE`] where a wall is.
    pub(crate) side: Vec<u16>,
    /// The push that leads to each box arrival.
    push_to: Vec<u16>,
    /// Cells on which the player can be after the last push of a solution.
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
        let mut push_to = vec![NONE; 4 * board.live_count()];
        let mut ends = Vec::new();
        for (number, step) in board.way(Side::Forward).steps.iter().enumerate().filter(|(_, step)| step.to != NONE) {
            push_to[usize::from(step.arrival)] = number as u16;
            if board.goals().contains(&step.to) {
                ends.push(usize::from(step.lands));
            }
        }
        ends.sort_unstable();
        ends.dedup();
        Self { next, neighbours, side: (0..4 * board.live_count()).map(row).collect(), push_to, ends }
    }

    /// The push that leads to a box arrival, if there is one.
    pub(crate) fn push_to(&self, arrival: usize) -> Option<usize> {
        Some(self.push_to[arrival]).filter(|&push| push != NONE).map(usize::from)
    }

    /// What a push costs its box: its share of the player's step.
    pub(crate) fn price(board: &DenseBoard, shares: &Shares, push: usize) -> i32 {
        let step = &board.way(Side::Forward).steps[push];
        shares.push(4 * usize::from(step.reach) + push % 4)
    }

    /// What a box of each row pays to get to each goal; the pushes of these paths are recorded in `cheapest`.
    pub(crate) fn rows(
        &self,
        board: &DenseBoard,
        way: &StepTable,
        shares: &Shares,
        walks: &WalkCosts,
        mut cheapest: Option<&mut CheapestPaths>,
    ) -> Vec<i16> {
        let (live, stride) = (board.live_count(), way.stride());
        let mut rows = vec![INFINITE; way.row_count() * stride];
        let mut rest = vec![FAR; 4 * live];
        for (goal, &square) in board.goals().iter().enumerate() {
            let then = cheapest.as_deref_mut().map(|paths| &mut paths.then[goal * 4 * live..][..4 * live]);
            self.rest(board, square.into(), shares, walks, &mut rest, then);
            for row in (0..way.row_count()).filter(|&row| board.row_live(row as u16) == usize::from(square)) {
                rows[row * stride + goal] = 0;
            }
            for (number, push) in way.steps.iter().enumerate().filter(|(_, push)| push.to != NONE) {
                let rest = rest[usize::from(push.arrival)];
                if rest == FAR {
                    continue;
                }
                let row = usize::from(self.side[number ^ 1]);
                // Capped: a path that is too long for a row is still a path.
                let paid = (rest + Self::price(board, shares, number)).min(LONGEST.into()) as i16;
                let least = &mut rows[row * stride + goal];
                if *least > paid {
                    *least = paid;
                    if let Some(paths) = cheapest.as_deref_mut() {
                        paths.first[goal * way.row_count() + row] = number as u16;
                    }
                }
            }
        }
        rows
    }

    /// By box arrival, what a box still pays from there to a goal, and in `then` the next push of that path.
    pub(crate) fn rest(
        &self,
        board: &DenseBoard,
        goal: usize,
        shares: &Shares,
        walks: &WalkCosts,
        rest: &mut [i32],
        mut then: Option<&mut [u16]>,
    ) {
        rest.fill(FAR);
        let home = 4 * goal..4 * goal + 4;
        rest[home.clone()].fill(0);
        let mut open: BinaryHeap<_> = home.map(|arrival| (Reverse(0), arrival)).collect();
        while let Some((Reverse(paid), arrival)) = open.pop() {
            if paid > rest[arrival] {
                continue;
            }
            // Each push has one arrival, so it is visited once.
            let Some(push) = self.push_to(arrival) else { continue };
            let paid = paid + Self::price(board, shares, push);
            let (from, side) = (push / 4, (push ^ 1) % 4);
            for (arrived, least) in rest.iter_mut().enumerate().skip(4 * from).take(4) {
                let walk = walks.between(arrived, side);
                if walk != FAR && paid + walk < *least {
                    *least = paid + walk;
                    open.push((Reverse(paid + walk), arrived));
                    if let Some(then) = then.as_deref_mut() {
                        then[arrived] = push as u16;
                    }
                }
            }
        }
    }

    /// Makes a function feasible: values of neighbours differ by at most 1. The result is the mean of the greatest
    /// feasible function below it and the least one above it.
    pub(crate) fn make_feasible(&self, potential: &mut [f64]) {
        let below = self.lowered(potential.to_vec(), 1.0);
        let negated_above = self.lowered(potential.iter().map(|value| -value).collect(), 1.0);
        for (value, (below, negated)) in potential.iter_mut().zip(below.iter().zip(&negated_above)) {
            *value = (below - negated) / 2.0;
        }
    }

    /// A potential function in whole units, `scale` to a move. Whatever rounding did, neighbours differ by at most one
    /// move: the bounds rest on that.
    pub(crate) fn rounded(&self, potential: &[f64], scale: i32) -> Vec<i32> {
        self.lowered(potential.iter().map(|&value| (value * f64::from(scale)).round() as i32).collect(), scale)
    }

    /// The greatest function below the given one whose values on neighbours differ by at most `most`.
    fn lowered<T: Copy + PartialOrd + Add<Output = T>>(&self, mut values: Vec<T>, most: T) -> Vec<T> {
        let mut changed = true;
        while changed {
            changed = false;
            for &(a, b) in self.neighbours.iter().chain(self.neighbours.iter().rev()) {
                for (a, b) in [(a, b), (b, a)] {
                    if values[a] > values[b] + most {
                        values[a] = values[b] + most;
                        changed = true;
                    }
                }
            }
        }
        values
    }
}

/// The pushes of the cheapest paths: the first by goal and row, each next one by goal and box arrival.
#[derive(Debug)]
pub(crate) struct CheapestPaths {
    first: Vec<u16>,
    then: Vec<u16>,
    rows: usize,
    live: usize,
}

impl CheapestPaths {
    pub(crate) fn new(board: &DenseBoard) -> Self {
        let (rows, live) = (board.way(Side::Forward).row_count(), board.live_count());
        Self { first: vec![NONE; rows * board.boxes()], then: vec![NONE; 4 * live * board.boxes()], rows, live }
    }

    /// Follows the path of a box to a goal: `visit` is called with each push and the box arrival before it, if any.
    pub(crate) fn follow(
        &self,
        board: &DenseBoard,
        goal: usize,
        row: u16,
        mut visit: impl FnMut(usize, Option<usize>),
    ) {
        let home = usize::from(board.goals()[goal]);
        if board.row_live(row) == home {
            return;
        }
        let mut push = self.first[goal * self.rows + usize::from(row)];
        let mut arrived = None;
        // No path is longer than there are arrivals.
        for _ in 0..4 * self.live {
            if push == NONE {
                return;
            }
            visit(push.into(), arrived);
            let arrival = usize::from(board.way(Side::Forward).steps[usize::from(push)].arrival);
            if arrival / 4 == home {
                return;
            }
            arrived = Some(arrival);
            push = self.then[goal * 4 * self.live + arrival];
        }
    }
}
