//! A lower bound on the moves, walks included, by a potential function of the player's cell.
//!
//! Let `phi` be any function of the floor whose values on neighbouring cells differ by at most 1. Follow the player
//! through a solution. Each step changes `phi` of his cell, and the changes add up to `phi(end) - phi(player)`, where he
//! ends and where he is now. A step that is no push lowers `phi` by at most 1. So
//!
//! > walking steps >= (what all pushes together gain in `phi`) + phi(player) - phi(end),
//!
//! and with the pushes themselves
//!
//! > moves >= sum over pushes of (1 + the gain of that push) + phi(player) - highest phi of an end.
//!
//! Each push belongs to one box, and `1 + gain` lies between 0 and 2. So the sum splits by boxes. The least a box pays on
//! the way to a goal is a shortest path of a lone box, whose state is its square and the player's side of it, as for the
//! push bound. A solution projected on one box is such a path. So the cheapest matching of boxes and goals by these costs
//! (Kuhn 1955) bounds the sum. With `phi = 0` everywhere this is the push bound. With `phi` rising towards the goals each
//! push towards them counts twice: once for itself, once for the way back to fetch the next box.
//!
//! The bound is consistent. A step that is no push changes only `phi(player)`, by at most 1. A push that gains `d` lowers
//! the matching by at most `1 + d` and raises `phi(player)` by `d`.
//!
//! Steps that are no pushes cost nothing here, but some of them can be charged to boxes as well
//! ([`cost_partition`](crate::cost_partition)). That raises the bound where a box must be pushed from another side in a
//! narrow place; it is no longer consistent then, because what a box has to pay on the square where it is now is left out.
//!
//! Any `phi` is sound; good ones are searched for. For fixed `phi` the bound is the minimum, over all matchings and paths,
//! of a linear function of `phi`. So it is concave in `phi`, and the cheapest paths, by the cells which their pushes leave
//! and enter, give a subgradient. Subgradient ascent with step sizes after Polyak (1969) follows, each step with the repair
//! that makes neighbours differ by at most 1 again. The dual of the maximisation is the cheapest transport of the player
//! from the cells where pushes end to those where pushes begin (Kantorovich and Rubinstein 1958). Values of `phi` are whole
//! multiples of a quarter.
//!
//! In planning, potential heuristics (Pommerening, Helmert, Röger and Seipp 2015) are sums of one potential for each fact,
//! and equal to a general cost partitioning over projections. New here: a potential of the player's cell alone, which turns
//! the cost of his steps into reduced costs, while the boxes keep exact projections and their matching.

use crate::box_paths::{BoxPaths, CheapestPaths};
use crate::cost_partition::{Shares, WalkCosts};
use crate::ownership::{Owners, Ownership};
use lurd_base::Budget;
use lurd_rules::dense::board::{DenseBoard, NONE, Side, StepTable};
use lurd_rules::dense::matching::{Matcher, Matching};
use std::collections::BTreeMap;

/// Units of a move: potentials and costs are kept in these.
pub(crate) const SCALE: i32 = 4;

/// How far above the best value so far the ascent aims, as a fraction of it.
const TARGET: f64 = 0.1;

/// After so many rounds without progress the ascent aims lower, by this factor.
const PATIENCE: usize = 6;
const LOWER: f64 = 0.6;

/// Steps get owners in every fourth of the first rounds: each time by the walks that still cost nothing.
const OWNERSHIP_ROUNDS: usize = 120;
const OWNERSHIP_EACH: usize = 4;

/// A potential function, and what boxes pay by it.
#[derive(Clone, Debug)]
pub(crate) struct Potential {
    /// By cell.
    phi: Vec<i32>,
    /// The highest value at a cell on which the player can end.
    end: i32,
    /// Rows of what a box pays to get to each goal.
    pub(crate) way: StepTable,
    shares: Shares,
}

/// A position to fit bounds to: live squares with boxes, and the player's cell.
#[derive(Clone, Debug)]
pub(crate) struct Position {
    pub(crate) boxes: Vec<usize>,
    pub(crate) player: usize,
}

impl Position {
    /// The rows of distances of its boxes.
    pub(crate) fn rows(&self, board: &DenseBoard) -> impl Iterator<Item = u16> {
        self.boxes.iter().map(|&square| board.row_at(square, self.player))
    }
}

impl Potential {
    /// Zero everywhere: the push bound.
    pub(crate) fn zero(board: &DenseBoard) -> Self {
        let paths = BoxPaths::new(board);
        let phi = vec![0; board.cells()];
        let shares = Shares::none(board, &paths, &phi, SCALE);
        let walks = WalkCosts::new(board, &paths, &shares);
        Self::new(board, &paths, phi, shares, &walks, None)
    }

    /// Fits a potential and a cost partition to positions, so that the mean of their bounds is high: so many rounds of
    /// ascent from a first potential.
    pub(crate) fn fitted(
        board: &DenseBoard,
        to: &[Position],
        rounds: usize,
        first: &Self,
        ownership: Ownership,
        budget: &Budget,
    ) -> Self {
        let paths = BoxPaths::new(board);
        let mut best = first.clone();
        let mut phi: Vec<f64> = first.phi.iter().map(|&value| f64::from(value) / f64::from(SCALE)).collect();
        let mut matcher = Matcher::new(&first.way, board.boxes());
        let mut matchings = vec![Matching::empty(board.boxes()); to.len()];
        let mut cheapest = CheapestPaths::new(board);
        let mut owners = Owners::none(board, &paths);
        let mut walks_needed: BTreeMap<(usize, usize), u32> = BTreeMap::new();
        let mut pushed = vec![false; 4 * board.cells()];
        let steps = &board.way(Side::Forward).steps;
        let mut best_value = f64::MIN;
        let mut target = TARGET;
        let mut idle = 0;
        for round in 0..rounds {
            if budget.is_over() {
                return best;
            }
            let rounded = paths.rounded(&phi, SCALE);
            let mut shares = owners.shares(board, &paths, &rounded, SCALE);
            if ownership != Ownership::None && round < OWNERSHIP_ROUNDS && round.is_multiple_of(OWNERSHIP_EACH) {
                owners.assign(ownership, board, &paths, &shares, &walks_needed, &pushed);
                shares = owners.shares(board, &paths, &rounded, SCALE);
            }
            let walks = WalkCosts::new(board, &paths, &shares);
            let candidate = Self::new(board, &paths, rounded, shares, &walks, Some(&mut cheapest));
            walks_needed.clear();
            pushed.fill(false);
            // The subgradient: how often the player enters a cell by a step that is paid for, less how often he leaves it
            // so, in halves.
            let mut gradient = vec![0i32; board.cells()];
            let (mut sum, mut count) = (0, 0);
            for (position, matching) in to.iter().zip(&mut matchings) {
                if !matcher.solve(&candidate.way, matching, position.rows(board)) {
                    continue;
                }
                sum += candidate.bound_in_units(matching.total, position.player);
                count += 1;
                for (goal, &row) in matching.rows.iter().enumerate() {
                    cheapest.follow(board, goal, row, |push, arrived| {
                        let step = &steps[push];
                        let mut paid = |from: usize, to: usize, halves: i32| {
                            gradient[to] += halves;
                            gradient[from] -= halves;
                        };
                        let by = 4 * usize::from(step.reach) + push % 4;
                        pushed[by] = true;
                        paid(step.reach.into(), step.lands.into(), owners.halves(by).0);
                        if let Some(arrival) = arrived {
                            let side = (push ^ 1) % 4;
                            for step in walks.route(arrival, side).iter().map(|&step| step as usize) {
                                paid(step / 4, paths.next[step].into(), owners.halves(step).1);
                            }
                            *walks_needed.entry((arrival, side)).or_default() += 1;
                        }
                    });
                }
                gradient[position.player] += 2;
            }
            if count == 0 {
                return best;
            }
            let end = paths.ends.iter().find(|&&cell| candidate.phi[cell] == candidate.end);
            gradient[end.copied().unwrap_or(0)] -= 2 * count;
            let value = f64::from(sum) / f64::from(count * SCALE);
            let mean = |halves: i32| f64::from(halves) / f64::from(2 * count);
            if value > best_value {
                (best_value, idle) = (value, 0);
                best = candidate.clone();
            } else {
                idle += 1;
                if idle == PATIENCE {
                    (idle, target) = (0, target * LOWER);
                }
            }
            let square: f64 = gradient.iter().map(|&halves| mean(halves) * mean(halves)).sum();
            if square == 0.0 {
                return best;
            }
            let length = (best_value * (1.0 + target) + 1.0 - value) / square;
            phi.iter_mut().zip(&gradient).for_each(|(value, &halves)| *value += length * mean(halves));
            paths.make_feasible(&mut phi);
        }
        best
    }

    /// An intermediate position: so many boxes, those that pay least, on the goals they are matched with. The player is
    /// where a push could have left him beside the last of them. `None` if there is no matching.
    pub(crate) fn intermediate(&self, board: &DenseBoard, from: &Position, done: usize) -> Option<Position> {
        let mut matching = Matching::empty(board.boxes());
        if !Matcher::new(&self.way, board.boxes()).solve(&self.way, &mut matching, from.rows(board)) {
            return None;
        }
        let mut pairs: Vec<(i16, usize, u16)> =
            matching.rows.iter().enumerate().map(|(goal, &row)| (self.way.row(row)[goal], goal, row)).collect();
        pairs.sort_unstable();
        let place = |(index, &(_, goal, row)): (usize, &(i16, usize, u16))| {
            if index < done { board.goals()[goal].into() } else { board.row_live(row) }
        };
        let moved: Vec<usize> = pairs.iter().enumerate().map(place).collect();
        let mut sorted = moved.clone();
        sorted.sort_unstable();
        sorted.dedup();
        let last = *moved.get(done.checked_sub(1)?)?;
        let beside = (4 * last..4 * last + 4).filter(|&arrival| board.is_good(arrival)).map(|a| board.beside(a));
        let free = |cell: &u16| moved.iter().all(|&square| board.cell(square) != usize::from(*cell));
        let player = beside.filter(|&cell| cell != NONE).find(free)?;
        (sorted.len() == moved.len()).then_some(Position { boxes: moved, player: player.into() })
    }

    fn new(
        board: &DenseBoard,
        paths: &BoxPaths,
        phi: Vec<i32>,
        shares: Shares,
        walks: &WalkCosts,
        cheapest: Option<&mut CheapestPaths>,
    ) -> Self {
        let way = board.way(Side::Forward);
        let end = paths.ends.iter().map(|&cell| phi[cell]).max().unwrap_or(0);
        let rows = paths.rows(board, way, &shares, walks, cheapest);
        Self { phi, end, way: way.with_rows(rows), shares }
    }

    fn bound_in_units(&self, matching: i32, player: usize) -> i32 {
        matching + self.phi[player] - self.end
    }

    /// What a push costs its box, in units.
    pub(crate) fn price(&self, board: &DenseBoard, push: usize) -> i32 {
        BoxPaths::price(board, &self.shares, push)
    }

    /// The least number of moves from a position whose matching costs so much, the player on a cell.
    #[inline]
    pub(crate) fn bound(&self, matching: i32, player: usize) -> i32 {
        (self.bound_in_units(matching, player) + SCALE - 1).div_euclid(SCALE).max(0)
    }
}
