//! All lower bounds of a level, and the matchings they take.
//!
//! The maximum of several bounds counts: by each potential the cheapest matching plus the interactions of disjoint pairs of
//! boxes, by each LP dual the sum of what its boxes pay, and the lone-box bound. The cost of a matching by a potential
//! belongs to a zone state; the player's potential is added for each arrival. An LP dual bound with fixed goal prices
//! belongs to an arrival; its sum is so cheap that it is not stored. The cheapest matching by an LP dual is computed only
//! when an arrival is about to be expanded.

use crate::Settings;
use crate::bound_table::BoundTable;
use crate::lone_box::LoneBound;
use crate::parity::ParityBound;
use crate::potential::{Potential, SCALE};
use crate::push_interaction::PushInteraction;
use crate::store::{DEAD, MatchingCosts, POTENTIALS};
use lurd_base::Budget;
use lurd_rules::dense::board::{DenseBoard, Step};
use lurd_rules::dense::matching::{Matcher, Matching};
use lurd_rules::dense::set::Set;
use std::cmp::Reverse;
use std::sync::Arc;

/// The cheapest matching is computed by so many dual bounds, the highest with fixed goal prices.
const MATCHED_DUALS: usize = 2;

#[derive(Debug)]
pub(crate) struct Bounds<const L: usize, const G: usize> {
    board: Arc<DenseBoard>,
    pub(crate) potentials: Vec<Potential>,
    interactions: Vec<Option<PushInteraction<L>>>,
    pub(crate) duals: BoundTable,
    lone: Option<LoneBound>,
    pair_interactions: bool,
    /// The colour of each cell.
    colours: Vec<u8>,
}

impl<const L: usize, const G: usize> Bounds<L, G> {
    pub(crate) fn new(board: &Arc<DenseBoard>, settings: Settings) -> Self {
        Self {
            board: Arc::clone(board),
            potentials: Vec::new(),
            interactions: Vec::new(),
            duals: BoundTable::default(),
            lone: settings.lone_box.then(|| LoneBound::new(board)),
            pair_interactions: settings.pair_interactions,
            colours: (0..board.cells()).map(|cell| board.colour_of_cell(cell) as u8).collect(),
        }
    }

    /// Adds a potential, with the interactions of pairs by it where these are wanted.
    pub(crate) fn add(&mut self, potential: Potential, budget: &Budget) {
        let interactions = || PushInteraction::new::<G>(&self.board, &potential, budget);
        self.interactions.push(self.pair_interactions.then(interactions).flatten());
        self.potentials.push(potential);
    }

    /// Removes the last potential again. No zone state may have been evaluated by it.
    pub(crate) fn drop_last(&mut self) {
        self.potentials.pop();
        self.interactions.pop();
    }

    /// Removes all potentials but the first: the costs that zone states keep for the others are ignored from now on.
    pub(crate) fn keep_first(&mut self) {
        self.potentials.truncate(1);
        self.interactions.truncate(1);
    }

    /// How many potentials there are.
    pub(crate) fn count(&self) -> usize {
        self.potentials.len()
    }

    /// The bound of an arrival on a cell, by the potentials its state was evaluated with and by the dual bounds.
    #[inline]
    pub(crate) fn of(&self, boxes: Set<L>, costs: &[u16], cell: usize) -> ParityBound {
        self.with_potentials(self.by_duals(boxes, cell), boxes, costs, cell)
    }

    /// The same where the maximum of the dual bounds is known.
    #[inline]
    pub(crate) fn with_potentials(
        &self,
        by_duals: ParityBound,
        boxes: Set<L>,
        costs: &[u16],
        cell: usize,
    ) -> ParityBound {
        let mut bound = by_duals;
        for (potential, &cost) in self.potentials.iter().zip(costs) {
            bound.raise(potential.bound(cost.into(), cell) as u32);
        }
        if let Some(lone) = &self.lone {
            bound.raise(lone.bound(boxes, cell) as u32);
        }
        bound
    }

    /// The maximum of the dual bounds with fixed goal prices.
    #[inline]
    pub(crate) fn by_duals(&self, boxes: Set<L>, cell: usize) -> ParityBound {
        self.duals.bound(&self.duals.sums(boxes, cell), cell)
    }

    /// The least number of moves by a bound, the player on a cell.
    #[inline]
    pub(crate) fn least(&self, bound: ParityBound, cell: usize) -> u32 {
        bound.least(self.colours[cell].into())
    }

    /// The cost of a matching by one potential with the interactions of pairs.
    #[inline]
    fn cost(&self, index: usize, matching: i32, boxes: Set<L>, player: usize) -> u16 {
        let interactions = self.interactions[index].as_ref().map_or(0, |pairs| pairs.of(boxes, player));
        (matching + interactions).clamp(0, i32::from(DEAD) - 1) as u16
    }

    pub(crate) fn bytes(&self) -> usize {
        self.potentials.len() * 2 * self.board.bytes()
            + self.interactions.iter().flatten().map(PushInteraction::bytes).sum::<usize>()
            + self.duals.bytes()
            + self.lone.as_ref().map_or(0, LoneBound::bytes)
    }
}

/// The least number of pushes, by the first potential, which is zero.
pub(crate) fn least_pushes(costs: &MatchingCosts) -> u32 {
    u32::from(costs[0]) / SCALE as u32
}

/// The matchings by one potential, of the zone state being expanded and of others.
#[derive(Debug)]
struct PotentialMatching {
    matcher: Matcher,
    parent: Matching,
    other: Matching,
    /// The target of the box on each live square.
    target_of: Vec<u16>,
    /// Whether the prices of the parent's matching bound its children.
    valid: bool,
}

/// The matchings by all potentials, and one for all dual bounds: working memory of one thread.
#[derive(Debug, Default)]
pub(crate) struct Matchings<const L: usize, const G: usize> {
    by_potential: Vec<PotentialMatching>,
    by_duals: Option<(Matcher, Matching)>,
}

impl<const L: usize, const G: usize> Matchings<L, G> {
    /// Adapts to the potentials and dual bounds there are now.
    pub(crate) fn grow(&mut self, bounds: &Bounds<L, G>) {
        let board = &bounds.board;
        self.by_potential.truncate(bounds.potentials.len());
        for potential in &bounds.potentials[self.by_potential.len()..] {
            self.by_potential.push(PotentialMatching {
                matcher: Matcher::new(&potential.way, board.boxes()),
                parent: Matching::empty(board.boxes()),
                other: Matching::empty(board.boxes()),
                target_of: vec![0; board.live_count()],
                valid: false,
            });
        }
        if let (None, Some(dual)) = (&self.by_duals, bounds.duals.bounds().first()) {
            self.by_duals = Some((dual.matcher(board), Matching::empty(board.boxes())));
        }
    }

    /// The bound by pair interactions and by the cheapest matching, for the dual bounds that are highest with fixed goal
    /// prices. Stops as soon as it is more than `enough`.
    pub(crate) fn by_duals(&mut self, bounds: &Bounds<L, G>, boxes: Set<L>, cell: usize, enough: u32) -> ParityBound {
        let mut bound = ParityBound::ZERO;
        let Some((matcher, matching)) = &mut self.by_duals else { return bound };
        let mut highest = [(0, None); MATCHED_DUALS];
        let sums = bounds.duals.sums(boxes, cell);
        for (dual, &sum) in bounds.duals.bounds().iter().zip(&sums) {
            let by_prices = bounds.least(dual.by_prices(sum, cell), cell);
            let last = &mut highest[MATCHED_DUALS - 1];
            if by_prices > last.0 {
                *last = (by_prices, Some((dual, sum)));
                highest.sort_unstable_by_key(|&(by_prices, _)| Reverse(by_prices));
            }
        }
        let highest = || highest.iter().filter_map(|&(_, dual)| dual);
        for (dual, sum) in highest() {
            bound.raise_each(dual.by_pairs(sum, boxes, cell));
        }
        for (dual, _) in highest() {
            if bounds.least(bound, cell) > enough {
                break;
            }
            bound.raise_each(dual.by_matching(matcher, matching, boxes.iter(), cell).unwrap_or(ParityBound::ZERO));
        }
        bound
    }

    /// The costs of a zone state, from the potential with number `known` on. `false` if some matching is impossible.
    pub(crate) fn solve(
        &mut self,
        bounds: &Bounds<L, G>,
        boxes: Set<L>,
        player: usize,
        known: usize,
        costs: &mut MatchingCosts,
    ) -> bool {
        for (index, potential) in bounds.potentials.iter().enumerate().skip(known) {
            let matching = &mut self.by_potential[index];
            let rows = boxes.iter().map(|square| bounds.board.row_at(square, player));
            if !matching.matcher.solve(&potential.way, &mut matching.other, rows) {
                *costs = [DEAD; POTENTIALS];
                return false;
            }
            costs[index] = bounds.cost(index, matching.other.total, boxes, player);
        }
        true
    }

    /// The best bound of a position, all matchings computed; `None` if one is impossible.
    pub(crate) fn bound(&mut self, bounds: &Bounds<L, G>, boxes: Set<L>, player: usize) -> Option<ParityBound> {
        let mut costs = [DEAD; POTENTIALS];
        let matched = self.solve(bounds, boxes, player, 0, &mut costs);
        let by_duals = self.by_duals(bounds, boxes, player, u32::MAX);
        matched.then(|| {
            let mut bound = bounds.of(boxes, &costs[..bounds.count()], player);
            bound.raise_each(by_duals);
            bound
        })
    }

    /// Matches the boxes of a zone state whose children are to be evaluated.
    pub(crate) fn prepare(&mut self, bounds: &Bounds<L, G>, boxes: Set<L>, player: usize) {
        let board = &bounds.board;
        for (matching, potential) in self.by_potential.iter_mut().zip(&bounds.potentials) {
            let rows = boxes.iter().map(|square| board.row_at(square, player));
            let matched = matching.matcher.solve(&potential.way, &mut matching.parent, rows);
            debug_assert!(matched, "a state in the open list has a matching");
            for (target, &row) in matching.parent.rows.iter().enumerate() {
                matching.target_of[board.row_live(row)] = target as u16;
            }
            matching.valid = matching.matcher.look_at(&matching.parent);
        }
    }

    /// Whether a push of the prepared state leaves at least so many moves, by a fast bound: the prices of the parent's
    /// matching.
    #[inline]
    pub(crate) fn needs(&self, bounds: &Bounds<L, G>, from: usize, step: &Step, moves: u32) -> bool {
        self.by_potential.iter().zip(&bounds.potentials).any(|(matching, potential)| {
            let target = matching.target_of[from].into();
            let share = matching.matcher.share(&potential.way, &matching.parent, target);
            let least = matching.parent.total - share + matching.matcher.reduced(&potential.way, step.row);
            matching.valid && potential.bound(least, step.lands.into()) as u32 >= moves
        })
    }

    /// The costs after a push of the prepared state; [`DEAD`] if some matching is impossible.
    pub(crate) fn child(&mut self, bounds: &Bounds<L, G>, from: usize, step: &Step, boxes: Set<L>) -> MatchingCosts {
        let mut costs = [DEAD; POTENTIALS];
        for (index, (matching, potential)) in self.by_potential.iter_mut().zip(&bounds.potentials).enumerate() {
            let target = matching.target_of[from].into();
            let total = matching.matcher.total_after(&potential.way, &matching.parent, target, step.row);
            let Some(total) = total else { return [DEAD; POTENTIALS] };
            costs[index] = bounds.cost(index, total, boxes, step.lands.into());
        }
        costs
    }
}
