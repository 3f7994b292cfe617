//! Everything that bounds the rest of the way from below, and the pairings it takes.
//!
//! The largest of several bounds counts: by each potential the cheapest pairing with what pairs of boxes exceed it by, by
//! each tariff the sum of what its boxes pay, and what a box would need if it were alone. What a pairing by a potential costs
//! belongs to a spot; the player's height is added for each stand. What a tariff says belongs to a stand; it is so quickly
//! added up that it is not kept. The cheapest pairing by a tariff is looked for when a stand is about to be worked off.

use crate::Settings;
use crate::bound_table::BoundTable;
use crate::lone_box::LoneBound;
use crate::parity::ParityBound;
use crate::potential::{Potential, SCALE};
use crate::push_interaction::PushInteraction;
use crate::store::{DEAD, POTENTIALS};
use lurd_rules::dense::board::{DenseBoard, Step};
use lurd_rules::dense::matching::{Matcher, Matching};
use lurd_rules::dense::set::Set;
use lurd_search::Budget;
use std::cmp::Reverse;

/// The cheapest pairing is looked for by so many tariffs.
const PAIRED_TARIFFS: usize = 2;

/// What a spot's pairings cost, by potential.
pub(crate) type Costs = [u16; POTENTIALS];

/// The bounds of a level.
#[derive(Debug)]
pub(crate) struct Bounds<const L: usize> {
    pub(crate) potentials: Vec<Potential>,
    excesses: Vec<Option<PushInteraction<L>>>,
    pub(crate) tariffs: BoundTable,
    lone: Option<LoneBound>,
    /// The colour of each cell.
    colours: Vec<u8>,
}

impl<const L: usize> Bounds<L> {
    pub(crate) fn new<const G: usize>(
        board: &DenseBoard,
        potentials: Vec<Potential>,
        settings: Settings,
        budget: &Budget,
    ) -> Self {
        let lone = settings.lone.then(|| LoneBound::new::<G>(board));
        let colours = (0..board.cells()).map(|cell| board.colour_of_cell(cell) as u8).collect();
        let mut bounds =
            Self { potentials: Vec::new(), excesses: Vec::new(), tariffs: BoundTable::default(), lone, colours };
        potentials.into_iter().for_each(|potential| bounds.add::<G>(board, potential, settings.pairs, budget));
        bounds
    }

    /// Adds a potential, with what pairs exceed it by where that is wanted.
    pub(crate) fn add<const G: usize>(
        &mut self,
        board: &DenseBoard,
        potential: Potential,
        pairs: bool,
        budget: &Budget,
    ) {
        self.excesses.push(pairs.then(|| PushInteraction::new::<G>(board, &potential, budget)).flatten());
        self.potentials.push(potential);
    }

    /// Takes the last potential out again. No spot may know of it.
    pub(crate) fn drop_last(&mut self) {
        self.potentials.pop();
        self.excesses.pop();
    }

    /// Takes all potentials but the first out: what spots know of them is not asked any more.
    pub(crate) fn keep_first(&mut self) {
        self.potentials.truncate(1);
        self.excesses.truncate(1);
    }

    /// How many potentials there are.
    pub(crate) fn count(&self) -> usize {
        self.potentials.len()
    }

    /// The least moves of the rest by the potentials known of a spot and by the tariffs, the player on a cell of it.
    #[inline]
    pub(crate) fn of(&self, boxes: Set<L>, costs: &Costs, known: u16, cell: usize) -> ParityBound {
        self.with_potentials(self.by_tariffs(boxes, cell), boxes, costs, known, cell)
    }

    /// The same where what the tariffs say is known.
    #[inline]
    pub(crate) fn with_potentials(
        &self,
        by_tariffs: ParityBound,
        boxes: Set<L>,
        costs: &Costs,
        known: u16,
        cell: usize,
    ) -> ParityBound {
        let mut bound = by_tariffs;
        for (potential, &cost) in self.potentials.iter().zip(&costs[..known.into()]) {
            bound.raise(potential.bound(cost.into(), cell) as u32);
        }
        if let Some(lone) = &self.lone {
            bound.raise(lone.bound(boxes, cell) as u32);
        }
        bound
    }

    /// The least moves of the rest by the tariffs, without pairings.
    #[inline]
    pub(crate) fn by_tariffs(&self, boxes: Set<L>, cell: usize) -> ParityBound {
        self.tariffs.bound(&self.tariffs.sums(boxes, cell), cell)
    }

    /// What a bound comes to, the player on a cell.
    #[inline]
    pub(crate) fn least(&self, bound: ParityBound, cell: usize) -> u32 {
        bound.least(self.colours[cell].into())
    }

    /// What a pairing by one potential costs, the excess of pairs included.
    #[inline]
    fn cost(&self, index: usize, pairing: i32, boxes: Set<L>, player: usize) -> u16 {
        let excess = self.excesses[index].as_ref().map_or(0, |excess| excess.of(boxes, player));
        (pairing + excess).clamp(0, i32::from(DEAD) - 1) as u16
    }

    pub(crate) fn bytes(&self, board: &DenseBoard) -> usize {
        self.potentials.len() * 2 * board.bytes()
            + self.excesses.iter().flatten().map(PushInteraction::bytes).sum::<usize>()
            + self.tariffs.bytes()
            + self.lone.as_ref().map_or(0, LoneBound::bytes)
    }
}

/// The fewest pushes of the rest, by the first potential, which is flat.
pub(crate) fn pushes(costs: &Costs) -> u32 {
    u32::from(costs[0]) / SCALE as u32
}

/// The pairings by one potential, of the spot being expanded and of a child.
#[derive(Debug)]
struct Pairing {
    matcher: Matcher,
    parent: Matching,
    child: Matching,
    /// The target of the box on each live square.
    target_of: Vec<u16>,
    /// Whether the quick bound is one.
    sharp: bool,
}

/// The pairings by all potentials, and one for all tariffs: working memory of one thread.
#[derive(Debug, Default)]
pub(crate) struct Pairings {
    by_heights: Vec<Pairing>,
    by_tariffs: Option<(Matcher, Matching)>,
}

impl Pairings {
    /// Makes room for potentials that were added.
    pub(crate) fn grow<const L: usize>(&mut self, board: &DenseBoard, bounds: &Bounds<L>) {
        self.by_heights.truncate(bounds.potentials.len());
        for potential in &bounds.potentials[self.by_heights.len()..] {
            self.by_heights.push(Pairing {
                matcher: Matcher::new(&potential.way, board.boxes()),
                parent: Matching::empty(board.boxes()),
                child: Matching::empty(board.boxes()),
                target_of: vec![0; board.live_count()],
                sharp: false,
            });
        }
        if let (None, Some(tariff)) = (&self.by_tariffs, bounds.tariffs.tariffs().first()) {
            self.by_tariffs = Some((tariff.matcher(board), Matching::empty(board.boxes())));
        }
    }

    /// The least moves of the rest by what pairs of boxes pay and by the cheapest pairing, the player on a cell: by the
    /// tariffs that say most without. As soon as it is more than `enough` no more is looked for.
    pub(crate) fn by_tariffs<const L: usize>(
        &mut self,
        bounds: &Bounds<L>,
        boxes: Set<L>,
        cell: usize,
        enough: u32,
    ) -> ParityBound {
        let mut bound = ParityBound::NOUGHT;
        let Some((matcher, matching)) = &mut self.by_tariffs else { return bound };
        let mut most = [(0, None); PAIRED_TARIFFS];
        let sums = bounds.tariffs.sums(boxes, cell);
        for (tariff, &sum) in bounds.tariffs.tariffs().iter().zip(&sums) {
            let quick = bounds.least(tariff.quick(sum, cell), cell);
            let last = &mut most[PAIRED_TARIFFS - 1];
            if quick > last.0 {
                *last = (quick, Some((tariff, sum)));
                most.sort_unstable_by_key(|&(quick, _)| Reverse(quick));
            }
        }
        let most = || most.iter().filter_map(|&(_, tariff)| tariff);
        for (tariff, sum) in most() {
            bound.raise_each(tariff.quick_together(sum, boxes, cell));
        }
        for (tariff, _) in most() {
            if bounds.least(bound, cell) > enough {
                break;
            }
            bound.raise_each(tariff.bound(matcher, matching, boxes.iter(), cell).unwrap_or(ParityBound::NOUGHT));
        }
        bound
    }

    /// What the boxes of a spot cost, from the potential with number `known` on. `false` if some pairing is impossible.
    pub(crate) fn solve<const L: usize>(
        &mut self,
        board: &DenseBoard,
        bounds: &Bounds<L>,
        boxes: Set<L>,
        player: usize,
        known: usize,
        costs: &mut Costs,
    ) -> bool {
        for (index, potential) in bounds.potentials.iter().enumerate().skip(known) {
            let pairing = &mut self.by_heights[index];
            let rows = boxes.iter().map(|square| board.row_at(square, player));
            if !pairing.matcher.solve(&potential.way, &mut pairing.child, rows) {
                *costs = [DEAD; POTENTIALS];
                return false;
            }
            costs[index] = bounds.cost(index, pairing.child.total, boxes, player);
        }
        true
    }

    /// Pairs the boxes of a spot that is about to have children.
    pub(crate) fn prepare<const L: usize>(
        &mut self,
        board: &DenseBoard,
        bounds: &Bounds<L>,
        boxes: Set<L>,
        player: usize,
    ) {
        for (pairing, potential) in self.by_heights.iter_mut().zip(&bounds.potentials) {
            let rows = boxes.iter().map(|square| board.row_at(square, player));
            let paired = pairing.matcher.solve(&potential.way, &mut pairing.parent, rows);
            debug_assert!(paired, "a spot that waits has a pairing");
            for (target, &row) in pairing.parent.rows.iter().enumerate() {
                pairing.target_of[board.row_live(row)] = target as u16;
            }
            pairing.sharp = pairing.matcher.look_at(&pairing.parent);
        }
    }

    /// Whether after a push of the spot made ready at least so many moves are left, by a quick bound: the prices of the
    /// parent's pairing.
    #[inline]
    pub(crate) fn is_far<const L: usize>(&self, bounds: &Bounds<L>, from: usize, step: &Step, moves: u32) -> bool {
        self.by_heights.iter().zip(&bounds.potentials).any(|(pairing, potential)| {
            let target = pairing.target_of[from].into();
            let share = pairing.matcher.share(&potential.way, &pairing.parent, target);
            let least = pairing.parent.total - share + pairing.matcher.reduced(&potential.way, step.row);
            pairing.sharp && potential.bound(least, step.lands.into()) as u32 >= moves
        })
    }

    /// What the pairings cost after a push of the spot made ready; [`DEAD`] if one is impossible.
    pub(crate) fn child<const L: usize>(
        &mut self,
        board: &DenseBoard,
        bounds: &Bounds<L>,
        from: usize,
        step: &Step,
        boxes: Set<L>,
    ) -> Costs {
        let mut costs = [DEAD; POTENTIALS];
        for (index, (pairing, potential)) in self.by_heights.iter_mut().zip(&bounds.potentials).enumerate() {
            pairing.child.copy_from(&pairing.parent);
            if !pairing.matcher.repair_by(board, &potential.way, &mut pairing.child, from, step.row) {
                return [DEAD; POTENTIALS];
            }
            costs[index] = bounds.cost(index, pairing.child.total, boxes, step.lands.into());
        }
        costs
    }
}
