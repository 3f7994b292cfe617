//! The search: A* over spots and stands, by the moves so far and the bound on those to come.
//!
//! Stands wait in buckets by that sum, newest first in each. A spot taken from its bucket spreads one wave from all of
//! its stands that are due ([`wave`]); each box beside the wave is pushed, and the pushed box's spot gets a stand.
//! Buckets are worked off in rising order, so the bucket at hand is a number of moves that no solution is below. A
//! stand reached more cheaply later is worked off again, so nothing depends on the bounds being consistent. What could not
//! be better than the best solution known is dropped; when nothing is left, that solution is proved.
//!
//! Only rules that lose no solution are used: squares and sides no box has in a solution, exact dead sets, frozen
//! boxes, no pairing with the goals. Rules about the order of pushes, such as PI-corrals and gates, keep the fewest pushes and
//! not the fewest moves.

use super::excess::Excess;
use super::lone::Lone;
use super::potential::{Potential, SCALE};
use super::store::{Cost, DEAD, POTENTIALS, Stand, Store};
use super::wave;
use crate::champion::dense::corral::Rules;
use crate::champion::dense::ground::{Ground, NONE, Plane, Side, Step};
use crate::champion::dense::matching::{Matcher, Matching};
use crate::champion::dense::patterns::Patterns;
use crate::champion::dense::set::Set;
use crate::champion::dense::tables::Tables;
use crate::champion::strategy::{Figures, Push};
use crate::square::Direction;
use search::{Budget, Stop};
use std::sync::Arc;

/// What the search may use and what it looks for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Settings {
    /// Among solutions with the fewest moves, one with the fewest pushes.
    pub(crate) then_pushes: bool,
    /// How many potentials are fitted; 0 leaves the push bound alone.
    pub(crate) fitted: usize,
    /// Whether the excess of pairs is added.
    pub(crate) pairs: bool,
    /// Whether the bound of lone boxes is asked.
    pub(crate) lone: bool,
    /// Whether dead sets and frozen boxes are looked for.
    pub(crate) rules: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self { then_pushes: false, fitted: 3, pairs: true, lone: true, rules: true }
    }
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ended {
    /// Nothing below the upper bound is left: it is proved, or without one there is no solution.
    Done,
    /// The work granted is used up.
    Open,
    /// A limit of the budget was reached.
    Stopped(Stop),
    /// Somebody cancelled.
    Cancelled,
}

/// The search as others see it, whatever the size of the level.
pub(crate) trait Prover {
    /// Goes on for so many expansions. `tick` is called now and then.
    fn run(&mut self, work: u64, budget: &Budget, tick: &mut dyn FnMut(&dyn Prover)) -> Ended;
    /// Looks only for solutions cheaper than one that is known.
    fn undercut(&mut self, moves: u32, pushes: u32);
    /// The pushes of the best solution found here, if one was found.
    fn answer(&self) -> Option<Vec<Push>>;
    /// No solution has fewer moves.
    fn lower(&self) -> u32;
    /// What was done so far.
    fn figures(&self) -> Figures;
    /// Bytes held.
    fn bytes(&self) -> usize;
    /// Spots, and stands in them.
    fn counts(&self) -> (usize, usize);
}

/// Expansions between two looks at the limits.
const LOOK: u64 = 64;

/// Children generated between two looks, at the very most, as far as memory is concerned.
const BATCH: usize = 1 << 13;

/// The most moves that fit a stand.
const MOST_MOVES: u32 = u16::MAX as u32 - 1;

/// States of a table of dead sets built between two looks.
const BUILD: u64 = 4096;

/// A table is begun when it has no more sets than this times the expansions so far.
const TABLE_SHARE: u64 = 4;

/// A solution: the push that ends it.
#[derive(Clone, Copy, Debug)]
struct Found {
    spot: u32,
    /// The cell of the box before the push.
    cell: usize,
    direction: Direction,
}

/// A spot being expanded.
struct Parent<const L: usize, const G: usize> {
    number: u32,
    boxes: Set<L>,
    cells: Set<G>,
    free: Set<G>,
    zone: usize,
}

/// The pairings by one potential, of the spot being expanded and of a child.
struct Pairing {
    matcher: Matcher,
    parent: Matching,
    child: Matching,
    /// The target of the box on each live square.
    target_of: Vec<u16>,
    /// Whether the quick bound is one.
    sharp: bool,
}

/// The search.
pub(crate) struct Search<const L: usize, const G: usize> {
    ground: Arc<Ground>,
    plane: Plane<G>,
    settings: Settings,
    goals: Set<L>,
    tables: Option<Tables>,
    patterns: Patterns,
    table_size: usize,
    rules: Rules<G>,
    potentials: Vec<Potential>,
    excesses: Vec<Option<Excess<L>>>,
    pairings: Vec<Pairing>,
    lone: Option<Lone>,
    store: Store<L>,
    /// Spots by the least moves of a solution through one of their stands.
    queue: Vec<Vec<u32>>,
    level: usize,
    upper: Cost,
    found: Option<Found>,
    figures: Figures,
    stands: Vec<(u32, Stand, bool)>,
    dominated: Vec<u32>,
    events: Vec<(u32, Set<G>)>,
}

impl<const L: usize, const G: usize> Search<L, G> {
    pub(crate) fn new(ground: &Arc<Ground>, settings: Settings, budget: &Budget) -> Self {
        let mut goals = Set::EMPTY;
        ground.goals().iter().for_each(|&goal| goals.insert(goal.into()));
        let potentials = potentials(ground, settings, budget);
        let excess = |potential: &Potential| Excess::new::<G>(ground, potential, budget);
        let excesses = potentials.iter().map(|potential| settings.pairs.then(|| excess(potential)).flatten()).collect();
        let boxes = ground.boxes();
        let pairing = |potential: &Potential| Pairing {
            matcher: Matcher::new(&potential.way, boxes),
            parent: Matching::empty(boxes),
            child: Matching::empty(boxes),
            target_of: vec![0; ground.live_count()],
            sharp: false,
        };
        let tables = settings.rules.then(|| Tables::new(ground, Side::Forward, TABLE_SIZE)).flatten();
        let mut search = Self {
            ground: Arc::clone(ground),
            plane: ground.plane(),
            settings,
            goals,
            tables,
            patterns: Patterns::none(ground.live_words(), ground.live_count()),
            table_size: 1,
            rules: Rules::new(ground),
            pairings: potentials.iter().map(pairing).collect(),
            potentials,
            excesses,
            lone: settings.lone.then(|| Lone::new::<G>(ground)),
            store: Store::new(),
            queue: Vec::new(),
            level: 0,
            upper: Cost { moves: MOST_MOVES, pushes: 0 },
            found: None,
            figures: Figures::default(),
            stands: Vec::new(),
            dominated: Vec::new(),
            events: Vec::new(),
        };
        search.start();
        search
    }

    fn start(&mut self) {
        let ground = Arc::clone(&self.ground);
        if ground.is_hopeless() {
            return;
        }
        let mut boxes = Set::<L>::EMPTY;
        ground.starts().iter().for_each(|&square| boxes.insert(square.into()));
        let cells = self.cells(boxes);
        let zone = self.plane.zone(self.plane.floor.without(cells), ground.start_player()).lowest();
        let mut costs = [0; POTENTIALS];
        for (index, (pairing, potential)) in self.pairings.iter_mut().zip(&self.potentials).enumerate() {
            let rows = boxes.iter().map(|square| ground.row_at(square, zone));
            if !pairing.matcher.solve(&potential.way, &mut pairing.parent, rows) {
                return;
            }
            let excess = self.excesses[index].as_ref().map_or(0, |excess| excess.of(boxes, zone));
            costs[index] = stored(pairing.parent.total + excess);
        }
        let spot = self.store.add(boxes, zone as u16, costs);
        self.stand(spot, ground.start_player(), Cost { moves: 0, pushes: 0 });
    }

    fn cells(&self, boxes: Set<L>) -> Set<G> {
        let mut cells = Set::EMPTY;
        boxes.iter().for_each(|square| cells.insert(self.ground.cell(square)));
        cells
    }

    /// The least moves of the rest, the player on a cell of a spot.
    fn bound(&self, boxes: Set<L>, costs: &[u16; POTENTIALS], cell: usize) -> u32 {
        let by_heights = self.potentials.iter().zip(costs).map(|(potential, &cost)| potential.bound(cost.into(), cell));
        let alone = self.lone.as_ref().map_or(0, |lone| lone.bound(boxes, cell));
        by_heights.max().unwrap_or(0).max(alone) as u32
    }

    /// Whether a solution of at least so many moves, and pushes, is of no use.
    fn is_useless(&self, so_far: Cost, moves: u32, pushes: u32) -> bool {
        let pushes = if self.settings.then_pushes { so_far.pushes + pushes } else { 0 };
        Cost { moves: so_far.moves + moves, pushes } >= self.upper
    }

    /// Records that the player can stand on a cell of a spot, and puts that into its bucket.
    fn stand(&mut self, spot: u32, cell: usize, cost: Cost) {
        let here = self.store.spot(spot);
        if here.pairings[0] == DEAD {
            return;
        }
        let pushes = u32::from(here.pairings[0]) / SCALE as u32;
        let bound = self.bound(here.boxes, &here.pairings, cell);
        if self.is_useless(cost, bound, pushes) {
            return;
        }
        if !self.store.reach(spot, cell, cost) {
            self.figures.duplicates += 1;
            return;
        }
        let bucket = ((cost.moves + bound) as usize).max(self.level);
        if bucket >= self.queue.len() {
            self.queue.resize_with(bucket + 1, Vec::new);
        }
        self.queue[bucket].push(spot);
    }

    /// Works off the stands of a spot that are due.
    fn expand(&mut self, number: u32) {
        let spot = *self.store.spot(number);
        self.stands.clear();
        let mut due = false;
        for (index, stand) in self.store.stands(number) {
            let mut new = false;
            if !stand.is_worked_off() {
                let bound = self.bound(spot.boxes, &spot.pairings, stand.cell());
                if (stand.cost().moves + bound) as usize > self.level {
                    continue;
                }
                new = true;
                due = true;
            }
            self.stands.push((index, stand, new));
        }
        if !due {
            return;
        }
        let cells = self.cells(spot.boxes);
        let free = self.plane.floor.without(cells);
        let parent = Parent { number, boxes: spot.boxes, cells, free, zone: spot.zone.into() };
        let mut ready = false;
        if self.settings.then_pushes {
            self.expand_by_both(&parent, &mut ready);
        } else {
            let mut stands = std::mem::take(&mut self.stands);
            let mut events = std::mem::take(&mut self.events);
            events.clear();
            let latest = self.upper.moves;
            wave::spread(&self.plane, free, &mut stands, &mut self.dominated, |time, front| {
                events.push((time, front));
                time + 1 < latest
            });
            for &(moves, front) in &events {
                self.push_boxes(&parent, Cost { moves, pushes: 0 }, front, &mut ready);
            }
            self.stands = stands;
            self.events = events;
            for index in 0..self.dominated.len() {
                self.store.take_out(number, self.dominated[index]);
            }
        }
        for index in 0..self.stands.len() {
            let (stand, _, new) = self.stands[index];
            if new && !self.dominated.contains(&stand) {
                self.store.work_off(stand);
            }
        }
        self.figures.expanded += 1;
    }

    /// The same where pushes count among equal moves.
    fn expand_by_both(&mut self, parent: &Parent<L, G>, ready: &mut bool) {
        self.dominated.clear();
        let count = self.ground.cells();
        let stands = |new_too: bool| {
            let chosen = self.stands.iter().filter(move |(_, _, new)| new_too || !new);
            let seeds = chosen.map(|(_, stand, _)| (stand.cell(), stand.cost()));
            wave::arrivals(&self.plane, parent.free, seeds, count)
        };
        let (before, now) = (stands(false), stands(true));
        for cell in 0..count {
            if let Some(cost) = now[cell].filter(|cost| before[cell].is_none_or(|known| *cost < known)) {
                self.push_boxes(parent, cost, Set::single(cell), ready);
            }
        }
    }

    /// Pushes every box that a player on one of these cells can push.
    fn push_boxes(&mut self, parent: &Parent<L, G>, cost: Cost, front: Set<G>, ready: &mut bool) {
        for direction in Direction::ALL {
            let behind = self.plane.shifted(front, direction);
            let ahead = self.plane.shifted(parent.free, direction.opposite());
            for cell in parent.cells.and(behind).and(ahead).iter() {
                let from = usize::from(self.ground.live_at(cell));
                let step = self.ground.way(Side::Forward).steps[4 * from + direction as usize];
                if step.to == NONE {
                    continue;
                }
                let after = Cost { moves: cost.moves + 1, pushes: cost.pushes + u32::from(self.settings.then_pushes) };
                if self.is_useless(after, 0, 0) {
                    continue;
                }
                self.figures.generated += 1;
                let mut boxes = parent.boxes;
                boxes.remove(from);
                boxes.insert(step.to.into());
                if boxes == self.goals {
                    self.upper = after;
                    self.found = Some(Found { spot: parent.number, cell, direction });
                    continue;
                }
                let arrival = usize::from(step.arrival);
                if self.patterns.dead_pair(arrival, boxes) || self.patterns.dead_triple(arrival, boxes) {
                    continue;
                }
                if !*ready || !self.is_far(from, &step, after) {
                    self.child(parent, from, &step, boxes, after, ready);
                }
            }
        }
    }

    /// Pairs the boxes of a spot with the goals, by every potential.
    fn pair(&mut self, parent: &Parent<L, G>) {
        let ground = &*self.ground;
        for (pairing, potential) in self.pairings.iter_mut().zip(&self.potentials) {
            let rows = parent.boxes.iter().map(|square| ground.row_at(square, parent.zone));
            let paired = pairing.matcher.solve(&potential.way, &mut pairing.parent, rows);
            debug_assert!(paired, "a spot that waits has a pairing");
            for (target, &row) in pairing.parent.rows.iter().enumerate() {
                pairing.target_of[ground.row_live(row)] = target as u16;
            }
            pairing.sharp = pairing.matcher.look_at(&pairing.parent);
        }
    }

    /// Whether a push is too far from a solution, by a quick bound: the prices of the parent's pairing.
    fn is_far(&self, from: usize, step: &Step, after: Cost) -> bool {
        if self.upper.moves == MOST_MOVES {
            return false;
        }
        self.pairings.iter().zip(&self.potentials).any(|(pairing, potential)| {
            let target = pairing.target_of[from].into();
            let share = pairing.matcher.share(&potential.way, &pairing.parent, target);
            let least = pairing.parent.total - share + pairing.matcher.reduced(&potential.way, step.row);
            pairing.sharp && self.is_useless(after, potential.bound(least, step.lands.into()) as u32, 0)
        })
    }

    /// Files what a push leads to. The parent's boxes are paired with the goals only when something new turns up:
    /// a spot taken up again leads mostly to what is known.
    fn child(&mut self, parent: &Parent<L, G>, from: usize, step: &Step, boxes: Set<L>, after: Cost, ready: &mut bool) {
        let mut cells = parent.cells;
        cells.remove(step.lands.into());
        cells.insert(step.clear.into());
        let lands = usize::from(step.lands);
        let zone = self.plane.zone(self.plane.floor.without(cells), lands).lowest() as u16;
        let spot = match self.store.find(&boxes, zone) {
            Some(spot) => spot,
            None => {
                if !*ready {
                    *ready = true;
                    self.pair(parent);
                    if self.is_far(from, step, after) {
                        return;
                    }
                }
                let costs = self.judge(from, step, boxes, cells);
                self.store.add(boxes, zone, costs)
            }
        };
        self.stand(spot, lands, after);
    }

    /// What the pairings of a new spot cost, or that it is dead.
    fn judge(&mut self, from: usize, step: &Step, boxes: Set<L>, cells: Set<G>) -> [u16; POTENTIALS] {
        let mut costs = [DEAD; POTENTIALS];
        if self.settings.rules && (self.patterns.dead_larger(step.arrival.into(), boxes) || self.rules.is_frozen(cells))
        {
            return costs;
        }
        for (index, (pairing, potential)) in self.pairings.iter_mut().zip(&self.potentials).enumerate() {
            pairing.child.copy_from(&pairing.parent);
            let repaired = pairing.matcher.repair_by(&self.ground, &potential.way, &mut pairing.child, from, step.row);
            if !repaired {
                return [DEAD; POTENTIALS];
            }
            let excess = self.excesses[index].as_ref().map_or(0, |excess| excess.of(boxes, step.lands.into()));
            costs[index] = stored(pairing.child.total + excess);
        }
        costs
    }

    /// Works on the tables of dead sets, as far as the search has earned it.
    fn widen_tables(&mut self) {
        let Some(tables) = &self.tables else { return };
        if let Some((_, sets)) = tables.next()
            && sets as u64 <= TABLE_SHARE * self.figures.expanded
        {
            tables.build(BUILD);
        }
        if tables.finished() != self.table_size {
            self.table_size = tables.finished();
            self.patterns = tables.patterns();
        }
    }

    fn limit(&self, budget: &Budget) -> Option<Ended> {
        if budget.cancel().is_cancelled() {
            return Some(Ended::Cancelled);
        }
        if budget.out_of_time() {
            return Some(Ended::Stopped(Stop::Time));
        }
        if budget.out_of_nodes(self.figures.generated) {
            return Some(Ended::Stopped(Stop::Nodes));
        }
        if self.store.is_full() || budget.out_of_memory(self.bytes_ahead()) {
            return Some(Ended::Stopped(Stop::Memory));
        }
        None
    }

    fn fixed_bytes(&self) -> usize {
        let tables = self.tables.as_ref().map_or(0, Tables::bytes);
        let ways = self.potentials.len() * 2 * self.ground.bytes();
        self.queue.iter().map(|bucket| 4 * bucket.capacity()).sum::<usize>()
            + tables
            + ways
            + self.excesses.iter().flatten().map(Excess::bytes).sum::<usize>()
            + self.lone.as_ref().map_or(0, Lone::bytes)
    }

    /// Bytes there may be before the next look.
    fn bytes_ahead(&self) -> usize {
        let bucket = self.queue.iter().map(Vec::capacity).max().unwrap_or(0);
        self.store.bytes_ahead(BATCH) + self.fixed_bytes() + 8 * bucket
    }

    /// The push that led to a stand, with the spot it was made from: one whose stands get behind the box in time.
    fn undo(&self, boxes: Set<L>, stand: &Stand) -> Option<(u32, usize, Direction)> {
        let lands = stand.cell();
        let here = self.ground.live_at(lands);
        if here == NONE {
            return None;
        }
        let one = Cost { moves: 1, pushes: u32::from(self.settings.then_pushes) };
        for direction in Direction::ALL {
            let step = self.ground.way(Side::Forward).steps[4 * usize::from(here) + direction as usize];
            if step.to == NONE || !boxes.contains(step.to.into()) {
                continue;
            }
            let mut before = boxes;
            before.remove(step.to.into());
            before.insert(here.into());
            let cells = self.cells(before);
            let behind = usize::from(step.reach);
            if cells.contains(behind) {
                continue;
            }
            let free = self.plane.floor.without(cells);
            let Some(spot) = self.store.find(&before, self.plane.zone(free, behind).lowest() as u16) else { continue };
            let seeds = self.store.stands(spot).map(|(_, stand)| (stand.cell(), stand.cost()));
            let reached = wave::arrivals(&self.plane, free, seeds, self.ground.cells());
            let in_time =
                |cost: Cost| Cost { moves: cost.moves + one.moves, pushes: cost.pushes + one.pushes } <= stand.cost();
            if reached[behind].is_some_and(in_time) {
                return Some((spot, lands, direction));
            }
        }
        None
    }
}

/// Rounds of ascent for each potential.
const ROUNDS: usize = 150;

/// The heights the search uses: flat ones, some fitted to the start, and some to a position half way, in which the boxes
/// nearest to their goals have got there.
fn potentials(ground: &Ground, settings: Settings, budget: &Budget) -> Vec<Potential> {
    let mut potentials = vec![Potential::flat(ground)];
    if ground.is_hopeless() || settings.fitted == 0 {
        return potentials;
    }
    let starts: Vec<usize> = ground.starts().iter().map(|&square| square.into()).collect();
    let player = ground.start_player();
    potentials.push(Potential::fitted(ground, &starts, player, ROUNDS, &potentials[0], budget));
    for part in 1..settings.fitted {
        let done = ground.boxes() * part / settings.fitted;
        if let Some((boxes, player)) = potentials[1].halfway(ground, &starts, player, done)
            && done > 0
        {
            potentials.push(Potential::fitted(ground, &boxes, player, ROUNDS, &potentials[1], budget));
        }
    }
    potentials
}

/// The largest dead sets worth a table here.
const TABLE_SIZE: usize = 4;

fn stored(cost: i32) -> u16 {
    cost.clamp(0, i32::from(DEAD) - 1) as u16
}

impl<const L: usize, const G: usize> Prover for Search<L, G> {
    fn run(&mut self, work: u64, budget: &Budget, tick: &mut dyn FnMut(&dyn Prover)) -> Ended {
        let until = self.figures.expanded.saturating_add(work);
        let mut pops = 0u64;
        loop {
            if pops.is_multiple_of(LOOK) {
                if let Some(ended) = self.limit(budget) {
                    return ended;
                }
                self.widen_tables();
                tick(self);
            }
            pops += 1;
            // In the bucket of the upper bound itself only fewer pushes could help.
            let last = self.upper.moves as usize - usize::from(!self.settings.then_pushes);
            while self.level < self.queue.len() && self.queue[self.level].is_empty() {
                self.level += 1;
            }
            if self.level >= self.queue.len() || self.level > last {
                self.level = self.level.max(self.upper.moves as usize);
                return Ended::Done;
            }
            if self.figures.expanded >= until {
                return Ended::Open;
            }
            if let Some(spot) = self.queue[self.level].pop() {
                self.expand(spot);
            }
            if self.queue[self.level].is_empty() {
                self.queue[self.level] = Vec::new();
            }
        }
    }

    fn undercut(&mut self, moves: u32, pushes: u32) {
        let known = Cost { moves, pushes: if self.settings.then_pushes { pushes } else { 0 } };
        if known < self.upper {
            self.upper = known;
            self.found = None;
        }
    }

    fn answer(&self) -> Option<Vec<Push>> {
        let Found { mut spot, mut cell, mut direction } = self.found?;
        let mut pushes = Vec::new();
        loop {
            pushes.push(Push { from: self.ground.square(cell), direction });
            let boxes = self.store.spot(spot).boxes;
            let free = self.plane.floor.without(self.cells(boxes));
            let behind = self.plane.shifted(Set::single(cell), direction.opposite()).lowest();
            let here = std::iter::once((behind, Cost { moves: 0, pushes: 0 }));
            let walks = wave::arrivals(&self.plane, free, here, self.ground.cells());
            let (_, stand) = self
                .store
                .stands(spot)
                .filter_map(|(_, stand)| {
                    let walk = walks[stand.cell()]?;
                    Some(((stand.cost().moves + walk.moves, stand.cost().pushes), stand))
                })
                .min_by_key(|(cost, _)| *cost)?;
            if stand.cost().moves == 0 {
                pushes.reverse();
                return Some(pushes);
            }
            (spot, cell, direction) = self.undo(boxes, &stand)?;
        }
    }

    fn lower(&self) -> u32 {
        (self.level as u32).min(self.upper.moves)
    }

    fn figures(&self) -> Figures {
        self.figures
    }

    fn bytes(&self) -> usize {
        self.store.bytes() + self.fixed_bytes()
    }

    fn counts(&self) -> (usize, usize) {
        self.store.counts()
    }
}

/// A search for a level, in the words it needs; `None` if the level is too large.
pub(crate) fn prover(ground: &Arc<Ground>, settings: Settings, budget: &Budget) -> Option<Box<dyn Prover>> {
    Some(match (ground.live_words(), ground.cell_words()) {
        (1, 1) => Box::new(Search::<1, 1>::new(ground, settings, budget)),
        (1, 2) => Box::new(Search::<1, 2>::new(ground, settings, budget)),
        (2, ..=2) => Box::new(Search::<2, 2>::new(ground, settings, budget)),
        (2, ..=4) => Box::new(Search::<2, 4>::new(ground, settings, budget)),
        (4, ..=8) => Box::new(Search::<4, 8>::new(ground, settings, budget)),
        (4, ..=16) => Box::new(Search::<4, 16>::new(ground, settings, budget)),
        _ => return None,
    })
}
