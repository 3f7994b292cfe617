//! What the player must walk, bounded by a height given to every square of the floor.
//!
//! Give each square a height such that neighbours differ by at most 1, whatever the heights are. Follow the player
//! through a solution: each step changes his height, and the changes add up to the height where he ends less that
//! where he stands now. A step without a push takes away at most 1, so
//!
//! > walking steps >= (what all pushes together gain in height) + height(player) - height(end),
//!
//! and with the pushes themselves
//!
//! > moves >= sum over pushes of (1 + the height that push gains) + height(player) - highest end.
//!
//! Each push belongs to one box, and `1 + gain` lies between 0 and 2. So the sum splits by boxes: the least a
//! box pays on the way to a goal is a shortest path of a lone box (its square and the player's side of it, as for
//! pushes), real play projected on one box is such a path, and the cheapest pairing of boxes with goals by these
//! costs bounds the sum. With all heights 0 this is the push bound. With heights rising towards the
//! goals each push towards them counts twice: once for itself, once for the way back to fetch the next box.
//!
//! The bound is consistent. A step without a push changes only the player's height, by at most 1. A push that gains
//! `d` lowers the pairing by at most `1 + d` and raises the player's height by `d`.
//!
//! Steps that are no pushes are left out here, but some of them can be charged to boxes as well ([`cost_partition`](crate::cost_partition)).
//! That raises the bound where boxes must be turned in narrow places; it is no longer consistent then, because what a box
//! has to pay on the square where it stands is not asked for.
//!
//! Any heights are sound; good ones are searched for. For fixed heights the bound is the least over all pairings and
//! paths of a linear function of the heights, so it is concave in them, and where the cheapest paths leave and enter
//! squares says which way to change them: subgradient ascent, each step followed by the repair that makes neighbours
//! differ by at most 1 again. Its dual is a transport of the player from where pushes end to where pushes begin. Heights
//! are whole multiples of a quarter.

use crate::box_paths::{BoxPaths, Trail};
use crate::cost_partition::{CostPartition, Shares};
use crate::ownership::{Owners, Ownership};
use lurd_rules::dense::board::{DenseBoard, NONE, Side, StepTable};
use lurd_rules::dense::matching::{Matcher, Matching};
use lurd_search::Budget;
use std::collections::BTreeMap;

/// Units of a move: heights and costs are kept in these.
pub(crate) const SCALE: i32 = 4;

/// Heights, and what boxes pay by them.
#[derive(Clone, Debug)]
pub(crate) struct Potential {
    /// The height of each cell.
    height: Vec<i32>,
    /// The height of the highest cell on which the player can end.
    end: i32,
    /// Rows of what a box pays to get to each goal.
    pub(crate) way: StepTable,
    shares: Shares,
}

/// A position to fit heights to: live squares with boxes, and the player's cell.
#[derive(Clone, Debug)]
pub(crate) struct Pose {
    pub(crate) boxes: Vec<usize>,
    pub(crate) player: usize,
}

impl Potential {
    /// All squares equally high: the push bound.
    pub(crate) fn flat(board: &DenseBoard) -> Self {
        let slopes = BoxPaths::new(board);
        let heights = vec![0; board.cells()];
        let shares = Shares::none(board, &slopes, &heights, SCALE);
        let tolls = CostPartition::new(board, &slopes, &shares);
        Self::new(board, &slopes, heights, shares, &tolls, None)
    }

    /// Heights that make the bounds of some positions high, on the mean, by so many rounds of ascent, beginning with
    /// these; with tolls by some claims.
    pub(crate) fn fitted(
        board: &DenseBoard,
        to: &[Pose],
        rounds: usize,
        first: &Self,
        claims: Ownership,
        budget: &Budget,
    ) -> Self {
        let slopes = BoxPaths::new(board);
        let mut best = first.clone();
        let mut heights: Vec<f64> = first.height.iter().map(|&height| f64::from(height) / f64::from(SCALE)).collect();
        let mut matcher = Matcher::new(&first.way, board.boxes());
        let mut matchings = vec![Matching::empty(board.boxes()); to.len()];
        let mut trail = Trail::new(board);
        let mut owners = Owners::none(board, &slopes);
        let mut turns: BTreeMap<(usize, usize), u32> = BTreeMap::new();
        let mut pushed = vec![false; 4 * board.cells()];
        let steps = &board.way(Side::Forward).steps;
        let mut best_value = f64::MIN;
        let mut reach = REACH;
        let mut idle = 0;
        for round in 0..rounds {
            if budget.out_of_time() || budget.cancel().is_cancelled() {
                return best;
            }
            let whole = slopes.whole(&heights, SCALE);
            let mut shares = owners.shares(board, &slopes, &whole, SCALE);
            if claims != Ownership::Nothing && round < CLAIMS && round.is_multiple_of(CLAIM_EACH) {
                owners.claim(claims, board, &slopes, &shares, &turns, &pushed);
                shares = owners.shares(board, &slopes, &whole, SCALE);
            }
            let tolls = CostPartition::new(board, &slopes, &shares);
            let candidate = Self::new(board, &slopes, whole, shares, &tolls, Some(&mut trail));
            turns.clear();
            pushed.fill(false);
            // How often the player enters a cell by a step that is paid for, less how often he leaves it so, in halves.
            let mut gain = vec![0i32; board.cells()];
            let (mut sum, mut count) = (0, 0);
            for (pose, matching) in to.iter().zip(&mut matchings) {
                let rows = pose.boxes.iter().map(|&square| board.row_at(square, pose.player));
                if !matcher.solve(&candidate.way, matching, rows) {
                    continue;
                }
                sum += candidate.bound_in_units(matching.total, pose.player);
                count += 1;
                for (goal, &row) in matching.rows.iter().enumerate() {
                    trail.follow(board, goal, row, |push, arrived| {
                        let step = &steps[push];
                        let mut paid = |from: usize, to: usize, halves: i32| {
                            gain[to] += halves;
                            gain[from] -= halves;
                        };
                        let by = 4 * usize::from(step.reach) + push % 4;
                        pushed[by] = true;
                        paid(step.reach.into(), step.lands.into(), owners.halves(by).0);
                        if let Some(arrival) = arrived {
                            let side = (push ^ 1) % 4;
                            for step in tolls.route(arrival, side).iter().map(|&step| step as usize) {
                                paid(step / 4, slopes.next[step].into(), owners.halves(step).1);
                            }
                            *turns.entry((arrival, side)).or_default() += 1;
                        }
                    });
                }
                gain[pose.player] += 2;
            }
            if count == 0 {
                return best;
            }
            gain[candidate.end_cell(&slopes)] -= 2 * count;
            let value = f64::from(sum) / f64::from(count * SCALE);
            let mean = |gain: i32| f64::from(gain) / f64::from(2 * count);
            if value > best_value {
                (best_value, idle) = (value, 0);
                best = candidate.clone();
            } else {
                idle += 1;
                if idle == PATIENCE {
                    (idle, reach) = (0, reach * 0.6);
                }
            }
            let square: f64 = gain.iter().map(|&gain| mean(gain) * mean(gain)).sum();
            if square == 0.0 {
                return best;
            }
            let step = (best_value * (1.0 + reach) + 1.0 - value) / square;
            heights.iter_mut().zip(&gain).for_each(|(height, &gain)| *height += step * mean(gain));
            slopes.level(&mut heights);
        }
        best
    }

    /// A position on the way: so many boxes, those that pay least, on the goals they are paired with. The player stands
    /// where a push could have left him beside the last of them. `None` if there is no pairing.
    pub(crate) fn halfway(&self, board: &DenseBoard, from: &Pose, done: usize) -> Option<Pose> {
        let mut matching = Matching::empty(board.boxes());
        let rows = from.boxes.iter().map(|&square| board.row_at(square, from.player));
        if !Matcher::new(&self.way, board.boxes()).solve(&self.way, &mut matching, rows) {
            return None;
        }
        let mut pairs: Vec<(i16, usize, u16)> =
            matching.rows.iter().enumerate().map(|(goal, &row)| (self.way.row(row)[goal], goal, row)).collect();
        pairs.sort_unstable();
        let mut moved: Vec<usize> = Vec::new();
        for (index, &(_, goal, row)) in pairs.iter().enumerate() {
            moved.push(if index < done { board.goals()[goal].into() } else { board.row_live(row) });
        }
        let mut sorted = moved.clone();
        sorted.sort_unstable();
        sorted.dedup();
        let last = *moved.get(done.checked_sub(1)?)?;
        let beside = (4 * last..4 * last + 4).filter(|&arrival| board.is_good(arrival)).map(|a| board.beside(a));
        let free = |cell: &u16| moved.iter().all(|&square| board.cell(square) != usize::from(*cell));
        let player = beside.filter(|&cell| cell != NONE).find(free)?;
        (sorted.len() == moved.len()).then_some(Pose { boxes: moved, player: player.into() })
    }

    fn new(
        board: &DenseBoard,
        slopes: &BoxPaths,
        height: Vec<i32>,
        shares: Shares,
        tolls: &CostPartition,
        trail: Option<&mut Trail>,
    ) -> Self {
        let way = board.way(Side::Forward);
        let end = slopes.ends.iter().map(|&cell| height[cell]).max().unwrap_or(0);
        let rows = slopes.rows(board, way, &shares, tolls, trail);
        Self { height, end, way: way.with_rows(rows), shares }
    }

    fn end_cell(&self, slopes: &BoxPaths) -> usize {
        slopes.ends.iter().copied().find(|&cell| self.height[cell] == self.end).unwrap_or(0)
    }

    fn bound_in_units(&self, pairing: i32, player: usize) -> i32 {
        pairing + self.height[player] - self.end
    }

    /// What a push costs its box, in units.
    pub(crate) fn price(&self, board: &DenseBoard, push: usize) -> i32 {
        BoxPaths::price(board, &self.shares, push)
    }

    /// The least number of moves from a position whose pairing costs so much, the player on a cell.
    #[inline]
    pub(crate) fn bound(&self, pairing: i32, player: usize) -> i32 {
        (self.bound_in_units(pairing, player) + SCALE - 1).div_euclid(SCALE).max(0)
    }
}

/// How far above the best value so far the ascent aims, as a share of it; less after rounds without progress.
const REACH: f64 = 0.1;
const PATIENCE: usize = 6;

/// Steps are given away in every fourth of the first rounds: each time the walks that are still free ask for more.
const CLAIMS: usize = 120;
const CLAIM_EACH: usize = 4;
