//! An LP dual bound: potential, cost partition and goal prices from the dual of a linear program, and what every box pays.
//!
//! A box on a square, with the player on a cell, pays until it is on a goal: the walk round it to a side, by the shares of
//! its square, then the push, and so on. With the player's potential the cheapest matching of boxes and goals by these costs
//! is a bound ([`DualBound::by_matching`]). A faster bound fixes the goal prices: each box chooses the goal for which it
//! pays least after the price of that goal is subtracted, whether others choose it or not, and the prices of all goals are
//! added again. No matching pays less, whatever the prices: this is weak duality of the assignment problem. It takes one
//! number for each square and cell ([`DualBound::by_prices`]), and equals the bound by matching where the prices are
//! optimal.
//!
//! Both depend on the cell of the player, not only on his zone. A step or push lowers them by at most 1, but for rounding.

use crate::box_paths::BoxPaths;
use crate::cost_partition::{FAR, Shares, WalkCosts};
use crate::exclusive::Exclusive;
use crate::flow_lp::{self, DualSolution, Holder};
use crate::ownership::can_push;
use crate::pair_interaction::PairInteraction;
use crate::parity::{NEVER, ParityBound};
use crate::potential::Position;
use lurd_base::Budget;
use lurd_rules::dense::board::{DenseBoard, INFINITE, LONGEST, NONE, Side, StepTable};
use lurd_rules::dense::matching::{Matcher, Matching};
use lurd_rules::dense::set::Set;

/// Units of a move at first; halved as long as boxes would pay more than a row can hold.
const FINEST: i32 = 32;

/// The fewest units of a move.
const COARSEST: i32 = 4;

/// What boxes pay by a potential, a cost partition and goal prices.
#[derive(Clone, Debug)]
pub(crate) struct DualBound {
    /// Units of a move, a power of two.
    scale: i32,
    pub(crate) live: usize,
    cells: usize,
    /// By the player's cell: the potential there, less the highest at an end.
    potential: Vec<i32>,
    /// By colour: how far the highest potential at an end of that colour is below the highest of all; `None` if the colour
    /// has no end.
    gaps: [Option<i32>; 2],
    /// By `live * cell + square`, what a box pays at least after goal prices.
    pub(crate) least: Vec<i16>,
    /// The sum of the goal prices, and each less the highest.
    price_sum: i32,
    prices: Vec<i32>,
    /// Rows of what a box pays to get to each goal, by `cells * square + cell`.
    way: StepTable,
    /// What two boxes pay beyond that, unless there are too many pairs.
    pairs: Option<PairInteraction>,
}

impl DualBound {
    /// The dual bound that is highest on average over some positions. `None` if its program is not solved within the
    /// budget.
    pub(crate) fn new(
        board: &DenseBoard,
        exclusive: &Exclusive,
        positions: &[Position],
        budget: &Budget,
    ) -> Option<Self> {
        let paths = BoxPaths::new(board);
        let solution = flow_lp::solve(board, &paths, exclusive, positions, budget)?;
        let mut scale = FINEST;
        while !budget.is_over() {
            let (mut bound, shares, prices) = Self::rounded(board, &paths, exclusive, &solution, scale);
            if scale == COARSEST || !bound.way.has_distance(LONGEST as i16) {
                bound.pairs = PairInteraction::new(board, &paths, exclusive, &shares, &prices, &bound.least);
                return Some(bound);
            }
            scale /= 2;
        }
        None
    }

    /// Rounds a dual solution to whole units, so many to a move. Rounding keeps it sound: neighbouring potentials differ by
    /// at most one move, no step is shared out for more than it costs, and prices may be any numbers.
    fn rounded(
        board: &DenseBoard,
        paths: &BoxPaths,
        exclusive: &Exclusive,
        solution: &DualSolution,
        scale: i32,
    ) -> (Self, Shares, Vec<i32>) {
        let potential = paths.rounded(&solution.potential, scale);
        let mut shares = Shares::none(board, paths, &potential, scale);
        for (step, holders) in solution.shares.iter().enumerate() {
            let touches =
                |square: usize| board.cell(square) == step / 4 || board.cell(square) == usize::from(paths.next[step]);
            let mut give = |holder: &Holder, units: i32| {
                let clique =
                    exclusive.cliques[step / 4][holder.clique].iter().copied().filter(|&square| !touches(square));
                shares.give(&clique.collect::<Vec<_>>(), holder.and_pushed, step, units);
                shares.left(step)
            };
            // The running sum is rounded, not each share: many small shares are not rounded away.
            let (mut sum, mut given, mut left) = (0.0f64, 0, 0);
            for (holder, share) in holders {
                sum += share * f64::from(scale);
                let units = sum.round() as i32 - given;
                left = give(holder, units);
                given += units;
            }
            if let (Some((holder, _)), false) = (holders.first(), can_push(board, paths, step)) {
                // No box is ever pushed by this step: what is left of it would be lost.
                give(holder, left);
            }
        }
        let walks = WalkCosts::new(board, paths, &shares);
        let prices: Vec<i32> = solution.prices.iter().map(|price| (price * f64::from(scale)).round() as i32).collect();
        let ends = |colour: u32| paths.ends.iter().filter(move |&&cell| board.colour_of_cell(cell) == colour);
        let highest = [0, 1].map(|colour| ends(colour).map(|&cell| potential[cell]).max());
        let end = highest.into_iter().flatten().max().unwrap_or(0);
        let (live, cells) = (board.live_count(), board.cells());
        let way = StepTable::of_rows(rows(board, paths, &shares, &walks), board.way(Side::Forward).stride());
        let mut least = vec![INFINITE; live * cells];
        for square in 0..live {
            for cell in 0..cells {
                let paid = way.row((square * cells + cell) as u16).iter().zip(&prices);
                let paid = paid.map(|(&paid, price)| i32::from(paid) - price).min().unwrap_or(0);
                least[cell * live + square] = paid.clamp(-i32::from(INFINITE), INFINITE.into()) as i16;
            }
        }
        let dearest = prices.iter().copied().max().unwrap_or(0);
        let bound = Self {
            scale,
            live,
            cells,
            potential: potential.iter().map(|value| value - end).collect(),
            gaps: highest.map(|highest| highest.map(|highest| end - highest)),
            least,
            price_sum: prices.iter().sum(),
            prices: prices.iter().map(|price| price - dearest).collect(),
            way,
            pairs: None,
        };
        (bound, shares, prices)
    }

    #[inline]
    fn in_moves(&self, paid: i32, player: usize) -> ParityBound {
        let units = paid + self.potential[player] + self.scale - 1;
        // Computed for every position: a shift instead of a division.
        let shift = self.scale.trailing_zeros();
        ParityBound(self.gaps.map(|gap| gap.map_or(NEVER, |gap| (units + gap).max(0) as u32 >> shift)))
    }

    /// What boxes pay at least after goal prices.
    pub(crate) fn sum<const L: usize>(&self, boxes: Set<L>, player: usize) -> i32 {
        let least = &self.least[player * self.live..][..self.live];
        boxes.iter().map(|square| i32::from(least[square])).sum()
    }

    /// The bound with fixed goal prices, from what the boxes pay at least.
    #[inline]
    pub(crate) fn by_prices(&self, sum: i32, player: usize) -> ParityBound {
        self.in_moves(sum + self.price_sum, player)
    }

    /// The same with the interactions of pairs.
    pub(crate) fn by_pairs<const L: usize>(&self, sum: i32, boxes: Set<L>, player: usize) -> ParityBound {
        let interactions = self.pairs.as_ref().map_or(0, |pairs| pairs.of(boxes, player));
        self.in_moves(sum + self.price_sum + interactions, player)
    }

    /// The bound by the cheapest matching; `None` if there is no matching.
    pub(crate) fn by_matching(
        &self,
        matcher: &mut Matcher,
        matching: &mut Matching,
        boxes: impl Iterator<Item = usize>,
        player: usize,
    ) -> Option<ParityBound> {
        let rows = boxes.map(|square| (square * self.cells + player) as u16);
        matching.begin_with(&self.prices);
        matcher.solve(&self.way, matching, rows).then(|| self.in_moves(matching.total, player))
    }

    pub(crate) fn matcher(&self, board: &DenseBoard) -> Matcher {
        Matcher::new(&self.way, board.boxes())
    }

    pub(crate) fn bytes(&self) -> usize {
        size_of_val(&self.least[..])
            + 2 * self.way.row_count() * self.way.stride()
            + 4 * self.cells
            + self.pairs.as_ref().map_or(0, PairInteraction::bytes)
    }
}

/// Whether rows by square and cell can be numbered.
pub(crate) fn is_possible(board: &DenseBoard) -> bool {
    board.live_count() * board.cells() < usize::from(u16::MAX)
}

/// What a box pays to get to each goal, by `cells * square + cell of the player`.
fn rows(board: &DenseBoard, paths: &BoxPaths, shares: &Shares, walks: &WalkCosts) -> Vec<i16> {
    let way = board.way(Side::Forward);
    let (live, cells, stride) = (board.live_count(), board.cells(), way.stride());
    let mut rows = vec![INFINITE; live * cells * stride];
    let until: Vec<Vec<i32>> = (0..4 * live).map(|side| shares.until(board, paths, side)).collect();
    let mut rest = vec![FAR; 4 * live];
    for (goal, &home) in board.goals().iter().enumerate() {
        paths.rest(board, home.into(), shares, walks, &mut rest, None);
        for cell in 0..cells {
            rows[(usize::from(home) * cells + cell) * stride + goal] = 0;
        }
        for (number, push) in way.steps.iter().enumerate().filter(|(_, push)| push.to != NONE) {
            let rest = rest[usize::from(push.arrival)];
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
