//! Pair interaction under an LP dual bound: what two boxes pay together beyond what they pay apart.
//!
//! Two boxes alone on the board, the player on a cell: he walks round both of them, each pays its shares of his steps and
//! for its own pushes, until both are on goals, whose prices are subtracted. One search backwards from all pairs of goals
//! finds the cheapest such plan for every pair of squares and every cell. What it exceeds the sum of what the two pay
//! apart by is their *interaction*.
//!
//! The bound by prices of goals plus the interactions of disjoint pairs is a lower bound. Seen from two boxes alone a
//! solution is a plan for these two, so they pay no less than the cheapest; and a box of one pair does not pay in another
//! (cost partitioning, Katz and Domshlak 2010, with additive pattern databases, Korf and Felner 2002). States that no
//! solution passes through ([`exclusive`](crate::exclusive)) are left out of the plans.
//!
//! The player's steps have costs, so a state has his cell, not his zone: this search shares ranks, queue and packing with
//! the other databases of [`groups`](lurd_rules::groups), but not their states.

use crate::box_paths::BoxPaths;
use crate::cost_partition::Shares;
use crate::exclusive::Exclusive;
use lurd_rules::dense::board::{DenseBoard, NONE, Side};
use lurd_rules::dense::set::Set;
use lurd_rules::groups::packing::{Pair, pack_pairs};
use lurd_rules::groups::queue::BucketQueue;
use lurd_rules::groups::subsets::{pair_count, pair_rank};

/// The most states: a table has two bytes for each.
const MOST_STATES: usize = 4 << 20;

/// The most pairs that are considered in a position: any disjoint choice is a lower bound.
const MOST_PAIRS: usize = 64;

/// No plan.
const NEVER: i32 = i32::MAX;

/// Pairs of live squares.
fn pairs(board: &DenseBoard) -> usize {
    pair_count(board.live_count())
}

fn is_possible(board: &DenseBoard) -> bool {
    board.boxes() >= 2 && pairs(board) * board.cells() <= MOST_STATES
}

/// About how many bytes a table takes while it is made.
pub(crate) fn bytes(board: &DenseBoard) -> usize {
    if is_possible(board) { 16 * pairs(board) * board.cells() } else { 0 }
}

/// The interaction of every pair of live squares, by the player's cell, in units of the dual bound.
#[derive(Clone, Debug)]
pub(crate) struct PairInteraction {
    pairs: usize,
    /// By `pairs * cell + rank of the pair`.
    values: Vec<u16>,
}

impl PairInteraction {
    /// The table for what boxes pay by shares and prices of goals, and for what each pays apart, by `live * cell + square`.
    /// `None` if the level is too large.
    pub(crate) fn new(
        board: &DenseBoard,
        paths: &BoxPaths,
        exclusive: &Exclusive,
        shares: &Shares,
        goals: &[i32],
        apart: &[i16],
    ) -> Option<Self> {
        if !is_possible(board) {
            return None;
        }
        let (live, cells, pairs) = (board.live_count(), board.cells(), pairs(board));
        let costs = PairSearch { board, paths, exclusive, shares }.costs(goals);
        let mut values = vec![0; pairs * cells];
        for cell in board.floor_cells() {
            let apart = &apart[cell * live..][..live];
            for high in 0..live {
                for low in 0..high {
                    let state = cell * pairs + pair_rank(low, high);
                    if costs[state] != NEVER {
                        let apart = i32::from(apart[low]) + i32::from(apart[high]);
                        values[state] = (costs[state] - apart).clamp(0, u16::MAX.into()) as u16;
                    }
                }
            }
        }
        Some(Self { pairs, values })
    }

    /// The sum of interactions of disjoint pairs of these boxes, the player on a cell.
    pub(crate) fn of<const L: usize>(&self, boxes: Set<L>, player: usize) -> i32 {
        let values = &self.values[player * self.pairs..][..self.pairs];
        let mut pairs: [Pair; MOST_PAIRS] = [(0, 0, 0); MOST_PAIRS];
        let mut count = 0;
        'all: for high in boxes.iter() {
            let row = &values[pair_count(high)..];
            for low in boxes.iter().take_while(|&low| low < high) {
                if row[low] > 0 {
                    pairs[count] = (row[low], low as u16, high as u16);
                    count += 1;
                    if count == MOST_PAIRS {
                        break 'all;
                    }
                }
            }
        }
        pack_pairs::<L>(&mut pairs[..count]) as i32
    }

    pub(crate) fn bytes(&self) -> usize {
        size_of_val(&self.values[..])
    }
}

/// The search for the cheapest plans of two boxes.
struct PairSearch<'a> {
    board: &'a DenseBoard,
    paths: &'a BoxPaths,
    exclusive: &'a Exclusive,
    shares: &'a Shares,
}

/// Two boxes and the player.
type State = ([u16; 2], u16);

/// The least cost of each state so far, and the states to expand.
struct Open {
    pairs: usize,
    /// By `pairs * cell + rank of the pair`.
    costs: Vec<i32>,
    queue: BucketQueue<State>,
}

impl Open {
    fn enter(&mut self, boxes: [usize; 2], cell: usize, cost: usize) {
        let known = &mut self.costs[cell * self.pairs + pair_rank(boxes[0], boxes[1])];
        if (cost as i32) < *known {
            *known = cost as i32;
            self.queue.push(cost, (boxes.map(|square| square as u16), cell as u16));
        }
    }
}

impl PairSearch<'_> {
    /// What each state pays until its boxes are on goals, less the prices of these.
    fn costs(&self, goals: &[i32]) -> Vec<i32> {
        let board = self.board;
        let pairs = pairs(board);
        let mut open = Open { pairs, costs: vec![NEVER; pairs * board.cells()], queue: BucketQueue::default() };
        // Costs are counted from the two dearest goals, so that none is negative.
        let dearest = 2 * goals.iter().copied().max().unwrap_or(0);
        for (number, &one) in board.goals().iter().enumerate() {
            for (before, &other) in board.goals()[..number].iter().enumerate() {
                let boxes = [one.into(), other.into()];
                for cell in board.floor_cells().filter(|&cell| boxes.iter().all(|&at| board.cell(at) != cell)) {
                    open.enter(boxes, cell, (dearest - goals[number] - goals[before]) as usize);
                }
            }
        }
        let own = self.shares.table(board);
        while let Some((cost, (boxes, cell))) = open.queue.pop() {
            let (boxes, cell) = (boxes.map(usize::from), usize::from(cell));
            if open.costs[cell * pairs + pair_rank(boxes[0], boxes[1])] == cost as i32 {
                self.expand(&own, boxes, cell, cost, &mut open);
            }
        }
        open.costs.iter_mut().filter(|cost| **cost != NEVER).for_each(|cost| *cost -= dearest);
        open.costs
    }

    /// Enters the states from which one step of the player leads to a state.
    fn expand(&self, own: &[u16], boxes: [usize; 2], cell: usize, so_far: usize, open: &mut Open) {
        let Self { board, paths, exclusive, shares } = *self;
        let steps = 4 * board.cells();
        let at = boxes.map(|square| board.cell(square));
        for back in 0..4 {
            let before = usize::from(paths.next[4 * cell + back]);
            if before == usize::from(NONE) || at.contains(&before) || exclusive.exclude(before, boxes[0], boxes[1]) {
                continue;
            }
            let step = 4 * before + (back ^ 1);
            let cost: usize = boxes.iter().map(|&square| usize::from(own[square * steps + step])).sum();
            open.enter(boxes, before, so_far + cost.min(shares.cost(step) as usize));
        }
        for moved in 0..2 {
            let stays = boxes[1 - moved];
            for arrival in 4 * boxes[moved]..4 * boxes[moved] + 4 {
                let Some(push) = paths.push_to(arrival).filter(|_| usize::from(board.beside(arrival)) == cell) else {
                    continue;
                };
                let reach = usize::from(board.way(Side::Forward).steps[push].reach);
                let from = push / 4;
                if from == stays || reach == at[1 - moved] || exclusive.exclude(reach, from, stays) {
                    continue;
                }
                let step = 4 * reach + push % 4;
                let cost = shares.push(step) as usize + usize::from(own[stays * steps + step]);
                open.enter([from, stays], reach, so_far + cost.min(shares.cost(step) as usize));
            }
        }
    }
}
