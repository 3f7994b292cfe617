//! A tariff: heights, shares and prices of goals from a linear program, and what every box pays by them.
//!
//! What a box on a square pays, with the player on a cell, until it is on a goal: the way round it to a side, by the
//! shares of its square, the push, and so on. With the player's height the cheapest pairing of boxes and goals by these
//! costs is a bound ([`DualBound::bound`]). A quicker one takes the prices of the goals as they are: each box chooses the
//! goal for which it pays least after the price is taken off, whether others choose it or not, and the prices of all goals
//! are added again. For every pairing this is no more than it pays, whatever the prices. So it takes one number for each
//! square and cell ([`DualBound::quick`]), and it is the same as the bound where the prices fit.
//!
//! Both look at the cell on which the player stands, not only at his zone. A step or push lowers them by at most 1, but for
//! rounding.

use crate::box_paths::BoxPaths;
use crate::cost_partition::{CostPartition, FAR, Shares};
use crate::exclusive::Exclusive;
use crate::flow_lp;
use crate::flow_lp::Sharer;
use crate::ownership::can_push;
use crate::pair_interaction::PairInteraction;
use crate::parity::{NEVER, ParityBound};
use crate::potential::Pose;
use lurd_rules::dense::board::{DenseBoard, INFINITE, LONGEST, NONE, Side, StepTable};
use lurd_rules::dense::matching::{Matcher, Matching};
use lurd_rules::dense::set::Set;
use lurd_search::Budget;

/// Units of a move, to begin with; half as many, and again, where boxes would pay more than a row can hold.
const FINEST: i32 = 32;

/// The fewest units of a move.
const COARSEST: i32 = 4;

/// What boxes pay by heights, shares and prices.
#[derive(Clone, Debug)]
pub(crate) struct DualBound {
    /// Units of a move.
    scale: i32,
    live: usize,
    cells: usize,
    /// By the player's cell: his height, less that of the highest end.
    heights: Vec<i32>,
    /// By colour: how far the highest end of that colour is below the highest of all; `None` where there is none.
    gaps: [Option<i32>; 2],
    /// By `live * cell + square`, what a box pays at least, prices of goals taken off.
    least: Vec<i16>,
    /// The prices of all goals together, and each less the highest.
    prices: i32,
    goals: Vec<i32>,
    /// Rows of what a box pays to get to each goal, by `cells * square + cell`.
    way: StepTable,
    /// What two boxes pay beyond that, unless there are too many pairs.
    together: Option<PairInteraction>,
}

impl DualBound {
    /// The tariff that is best for the mean of some positions. `None` if its program is not solved within the budget.
    pub(crate) fn new(board: &DenseBoard, exclusive: &Exclusive, poses: &[Pose], budget: &Budget) -> Option<Self> {
        let slopes = BoxPaths::new(board);
        let prices = flow_lp::prices(board, &slopes, exclusive, poses, budget)?;
        let mut scale = FINEST;
        loop {
            let (mut tariff, shares, goals) = Self::rounded(board, &slopes, exclusive, &prices, scale);
            if scale == COARSEST || !tariff.way.has_distance(LONGEST as i16) {
                tariff.together = PairInteraction::new(board, &slopes, exclusive, &shares, &goals, &tariff.least);
                return Some(tariff);
            }
            scale /= 2;
        }
    }

    fn rounded(
        board: &DenseBoard,
        slopes: &BoxPaths,
        exclusive: &Exclusive,
        prices: &flow_lp::Prices,
        scale: i32,
    ) -> (Self, Shares, Vec<i32>) {
        let heights = slopes.whole(&prices.heights, scale);
        let mut shares = Shares::none(board, slopes, &heights, scale);
        for (step, asked) in prices.shares.iter().enumerate() {
            let touches =
                |square: usize| board.cell(square) == step / 4 || board.cell(square) == usize::from(slopes.next[step]);
            let mut give = |sharer: &Sharer, units: i32| {
                let clique =
                    exclusive.cliques[step / 4][sharer.clique].iter().copied().filter(|&square| !touches(square));
                shares.give(&clique.collect::<Vec<_>>(), sharer.and_pushed, step, units);
                shares.left(step)
            };
            // Rounded by the sums, so that a step shared out among many is not rounded away.
            let (mut sum, mut given, mut left) = (0.0f64, 0, 0);
            for (sharer, share) in asked {
                sum += share * f64::from(scale);
                let units = sum.round() as i32 - given;
                left = give(sharer, units);
                given += units;
            }
            if let (Some((sharer, _)), false) = (asked.first(), can_push(board, slopes, step)) {
                // By this step no box is ever pushed: what is left of it would be lost.
                give(sharer, left);
            }
        }
        let tolls = CostPartition::new(board, slopes, &shares);
        let goals: Vec<i32> = prices.goals.iter().map(|price| (price * f64::from(scale)).round() as i32).collect();
        let ends = |colour: u32| slopes.ends.iter().filter(move |&&cell| board.colour_of_cell(cell) == colour);
        let highest = [0, 1].map(|colour| ends(colour).map(|&cell| heights[cell]).max());
        let end = highest.into_iter().flatten().max().unwrap_or(0);
        let rows = rows(board, slopes, &shares, &tolls);
        let (live, cells) = (board.live_count(), board.cells());
        let way = StepTable::of_rows(rows, board.way(Side::Forward).stride());
        let mut least = vec![INFINITE; live * cells];
        for square in 0..live {
            for cell in 0..cells {
                let paid = way.row((square * cells + cell) as u16).iter().zip(&goals);
                let paid = paid.map(|(&paid, price)| i32::from(paid) - price).min().unwrap_or(0);
                least[cell * live + square] = paid.clamp(-i32::from(INFINITE), INFINITE.into()) as i16;
            }
        }
        let (prices, dearest) = (goals.iter().sum(), goals.iter().copied().max().unwrap_or(0));
        let below = goals.iter().map(|price| price - dearest).collect();
        let heights = heights.iter().map(|height| height - end).collect();
        let gaps = highest.map(|highest| highest.map(|highest| end - highest));
        let tariff = Self { scale, live, cells, heights, gaps, least, prices, goals: below, way, together: None };
        (tariff, shares, goals)
    }

    #[inline]
    fn in_moves(&self, paid: i32, player: usize) -> ParityBound {
        let units = paid + self.heights[player] + self.scale - 1;
        // Scales are powers of two, and this is done for every position: no division.
        let shift = self.scale.trailing_zeros();
        ParityBound(self.gaps.map(|gap| gap.map_or(NEVER, |gap| (units + gap).max(0) as u32 >> shift)))
    }

    /// What a box pays at least, prices of goals taken off, by `live * cell + square`.
    pub(crate) fn least(&self) -> &[i16] {
        &self.least
    }

    pub(crate) fn live(&self) -> usize {
        self.live
    }

    /// What boxes pay at least, prices of goals taken off.
    pub(crate) fn sum<const L: usize>(&self, boxes: Set<L>, player: usize) -> i32 {
        let least = &self.least[player * self.live..][..self.live];
        boxes.iter().map(|square| i32::from(least[square])).sum()
    }

    /// The least number of moves of the rest, by what the boxes pay at least.
    #[inline]
    pub(crate) fn quick(&self, sum: i32, player: usize) -> ParityBound {
        self.in_moves(sum + self.prices, player)
    }

    /// The same with what pairs of boxes pay beyond it.
    pub(crate) fn quick_together<const L: usize>(&self, sum: i32, boxes: Set<L>, player: usize) -> ParityBound {
        let excess = self.together.as_ref().map_or(0, |together| together.of(boxes, player));
        self.in_moves(sum + self.prices + excess, player)
    }

    /// The least number of moves of the rest, by the cheapest pairing; `None` if there is no pairing.
    pub(crate) fn bound(
        &self,
        matcher: &mut Matcher,
        matching: &mut Matching,
        boxes: impl Iterator<Item = usize>,
        player: usize,
    ) -> Option<ParityBound> {
        let rows = boxes.map(|square| (square * self.cells + player) as u16);
        matching.begin_with(&self.goals);
        matcher.solve(&self.way, matching, rows).then(|| self.in_moves(matching.total, player))
    }

    /// A matcher for its rows.
    pub(crate) fn matcher(&self, board: &DenseBoard) -> Matcher {
        Matcher::new(&self.way, board.boxes())
    }

    pub(crate) fn bytes(&self) -> usize {
        size_of_val(&self.least[..])
            + 2 * self.way.row_count() * self.way.stride()
            + 4 * self.cells
            + self.together.as_ref().map_or(0, PairInteraction::bytes)
    }
}

/// Whether rows by square and cell can be numbered.
pub(crate) fn is_possible(board: &DenseBoard) -> bool {
    board.live_count() * board.cells() < usize::from(u16::MAX)
}

/// What a box pays to get to each goal, by `cells * square + cell of the player`.
fn rows(board: &DenseBoard, slopes: &BoxPaths, shares: &Shares, tolls: &CostPartition) -> Vec<i16> {
    let way = board.way(Side::Forward);
    let (live, cells, stride) = (board.live_count(), board.cells(), way.stride());
    let mut rows = vec![INFINITE; live * cells * stride];
    let until: Vec<Vec<i32>> = (0..4 * live).map(|side| shares.until(board, slopes, side)).collect();
    let mut after = vec![FAR; 4 * live];
    for (goal, &home) in board.goals().iter().enumerate() {
        slopes.after(board, home.into(), shares, tolls, &mut after, None);
        for cell in 0..cells {
            rows[(usize::from(home) * cells + cell) * stride + goal] = 0;
        }
        for (number, push) in way.steps.iter().enumerate().filter(|(_, push)| push.to != NONE) {
            let rest = after[usize::from(push.arrival)];
            if rest == FAR {
                continue;
            }
            let rest = rest + BoxPaths::price(board, shares, number);
            for (cell, &walk) in until[number ^ 1].iter().enumerate().filter(|(_, walk)| **walk != FAR) {
                let least = &mut rows[(number / 4 * cells + cell) * stride + goal];
                *least = (*least).min((rest + walk).min(LONGEST.into()) as i16);
            }
        }
    }
    rows
}
