//! What two boxes pay together by a tariff, beyond what they pay apart.
//!
//! Two boxes alone on the board, the player on a cell: he walks round both of them, each pays its shares of his steps and
//! for its own pushes, until both are on goals, whose prices are taken off. The cheapest such play is found for every pair of
//! squares and every cell by one search backwards from all pairs of goals. What it exceeds the sum of what the two
//! pay apart by is their *excess*.
//!
//! The bound of the tariff by prices plus the excesses of disjoint pairs is a bound. Seen from two boxes alone a solution is
//! a play of these two, so they pay no less than the cheapest; and whoever belongs to one pair does not pay in
//! another. States that no solution passes through ([`exclusive`](crate::exclusive)) are left out of the plays.

use crate::box_paths::BoxPaths;
use crate::cost_partition::Shares;
use crate::exclusive::Exclusive;
use crate::pairs::{pack, pair_number};
use lurd_rules::dense::board::{DenseBoard, NONE, Side};
use lurd_rules::dense::set::Set;

/// The most states: a table has two bytes for each.
const MOST_STATES: usize = 4 << 20;

/// The most excesses that are looked at in a position: any disjoint choice is a bound.
const MOST_EDGES: usize = 64;

/// No play.
const NEVER: i32 = i32::MAX;

/// Pairs of live squares.
fn pairs(board: &DenseBoard) -> usize {
    board.live_count() * board.live_count().saturating_sub(1) / 2
}

/// Whether the level is small enough.
fn is_possible(board: &DenseBoard) -> bool {
    board.boxes() >= 2 && pairs(board) * board.cells() <= MOST_STATES
}

/// About how many bytes a table takes while it is made.
pub(crate) fn bytes(board: &DenseBoard) -> usize {
    if is_possible(board) { 16 * pairs(board) * board.cells() } else { 0 }
}

/// The excess of every pair of live squares, by the player's cell, in units of the tariff.
#[derive(Clone, Debug)]
pub(crate) struct PairInteraction {
    pairs: usize,
    /// By `pairs * cell + pair`.
    excess: Vec<u16>,
}

impl PairInteraction {
    /// The table for what boxes pay by shares and prices of goals, and for what each pays apart, by `live * cell + square`.
    /// `None` if the level is too large.
    pub(crate) fn new(
        board: &DenseBoard,
        slopes: &BoxPaths,
        exclusive: &Exclusive,
        shares: &Shares,
        goals: &[i32],
        apart: &[i16],
    ) -> Option<Self> {
        if !is_possible(board) {
            return None;
        }
        let (live, cells, pairs) = (board.live_count(), board.cells(), pairs(board));
        let paid = Plays { board, slopes, exclusive, shares }.paid(goals);
        let mut excess = vec![0; pairs * cells];
        for cell in board.floor_cells() {
            let apart = &apart[cell * live..][..live];
            for high in 0..live {
                for low in 0..high {
                    let state = cell * pairs + pair_number(low, high);
                    if paid[state] != NEVER {
                        let apart = i32::from(apart[low]) + i32::from(apart[high]);
                        excess[state] = (paid[state] - apart).clamp(0, u16::MAX.into()) as u16;
                    }
                }
            }
        }
        Some(Self { pairs, excess })
    }

    /// What disjoint pairs of these boxes exceed together, the player on a cell.
    pub(crate) fn of<const L: usize>(&self, boxes: Set<L>, player: usize) -> i32 {
        let excess = &self.excess[player * self.pairs..][..self.pairs];
        let mut edges = [(0u16, 0u16, 0u16); MOST_EDGES];
        let mut count = 0;
        'all: for high in boxes.iter() {
            let row = &excess[high * high.saturating_sub(1) / 2..];
            for low in boxes.iter().take_while(|&low| low < high) {
                if row[low] > 0 {
                    edges[count] = (row[low], low as u16, high as u16);
                    count += 1;
                    if count == MOST_EDGES {
                        break 'all;
                    }
                }
            }
        }
        pack::<L>(&mut edges[..count])
    }

    pub(crate) fn bytes(&self) -> usize {
        size_of_val(&self.excess[..])
    }
}

/// The plays of two boxes.
struct Plays<'a> {
    board: &'a DenseBoard,
    slopes: &'a BoxPaths,
    exclusive: &'a Exclusive,
    shares: &'a Shares,
}

/// Two boxes and the player.
type State = ([u16; 2], u16);

/// What is known of the states, and those to go on from, by what they pay.
struct Open {
    pairs: usize,
    /// By `pairs * cell + pair`.
    paid: Vec<i32>,
    buckets: Vec<Vec<State>>,
}

impl Open {
    fn file(&mut self, boxes: [usize; 2], cell: usize, total: usize) {
        let known = &mut self.paid[cell * self.pairs + pair_number(boxes[0], boxes[1])];
        if (total as i32) < *known {
            *known = total as i32;
            if self.buckets.len() <= total {
                self.buckets.resize(total + 1, Vec::new());
            }
            self.buckets[total].push((boxes.map(|square| square as u16), cell as u16));
        }
    }
}

impl Plays<'_> {
    /// What each state pays until its boxes are on goals, less the prices of these.
    fn paid(&self, goals: &[i32]) -> Vec<i32> {
        let board = self.board;
        let pairs = pairs(board);
        let mut open = Open { pairs, paid: vec![NEVER; pairs * board.cells()], buckets: Vec::new() };
        // What is paid is counted from the two dearest goals, so that nobody begins below nought.
        let dearest = 2 * goals.iter().copied().max().unwrap_or(0);
        for (number, &one) in board.goals().iter().enumerate() {
            for (before, &other) in board.goals()[..number].iter().enumerate() {
                let boxes = [one.into(), other.into()];
                for cell in board.floor_cells().filter(|&cell| boxes.iter().all(|&at| board.cell(at) != cell)) {
                    open.file(boxes, cell, (dearest - goals[number] - goals[before]) as usize);
                }
            }
        }
        let own = self.shares.table(board);
        let mut so_far = 0;
        while so_far < open.buckets.len() {
            while let Some((boxes, cell)) = open.buckets[so_far].pop() {
                let (boxes, cell) = (boxes.map(usize::from), usize::from(cell));
                if open.paid[cell * pairs + pair_number(boxes[0], boxes[1])] == so_far as i32 {
                    self.go_back(&own, boxes, cell, so_far, &mut open);
                }
            }
            so_far += 1;
        }
        open.paid.iter_mut().filter(|paid| **paid != NEVER).for_each(|paid| *paid -= dearest);
        open.paid
    }

    /// Files what leads to a state by one step of the player.
    fn go_back(&self, own: &[u16], boxes: [usize; 2], cell: usize, so_far: usize, open: &mut Open) {
        let Self { board, slopes, exclusive, shares } = *self;
        let steps = 4 * board.cells();
        let at = boxes.map(|square| board.cell(square));
        for back in 0..4 {
            let before = usize::from(slopes.next[4 * cell + back]);
            if before == usize::from(NONE) || at.contains(&before) || exclusive.exclude(before, boxes[0], boxes[1]) {
                continue;
            }
            let step = 4 * before + (back ^ 1);
            let toll: usize = boxes.iter().map(|&square| usize::from(own[square * steps + step])).sum();
            open.file(boxes, before, so_far + toll.min(shares.cost(step) as usize));
        }
        for moved in 0..2 {
            let stays = boxes[1 - moved];
            for arrival in 4 * boxes[moved]..4 * boxes[moved] + 4 {
                let Some(push) = slopes.push_to(arrival).filter(|_| usize::from(board.beside(arrival)) == cell) else {
                    continue;
                };
                let reach = usize::from(board.way(Side::Forward).steps[push].reach);
                let from = push / 4;
                if from == stays || reach == at[1 - moved] || exclusive.exclude(reach, from, stays) {
                    continue;
                }
                let step = 4 * reach + push % 4;
                let toll = shares.push(step) as usize + usize::from(own[stays * steps + step]);
                open.file([from, stays], reach, so_far + toll.min(shares.cost(step) as usize));
            }
        }
    }
}
