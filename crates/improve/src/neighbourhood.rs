//! Plan neighbourhood graph search (Nakhost and Müller 2010): for a window of the solution, a search for a cheaper path
//! from its first position to its last.
//!
//! A beam search in order of cost. Of all positions of one cost the best `width` are expanded. The value of a position is
//! the lower bound on its pushes, plus the excess of the route over that bound from its most similar position on. The
//! positions of the route are always in the beam, so the result is never worse than the route, and with a large width the
//! search of a short window is exhaustive. Positions that differ from all positions of the route in too many boxes are
//! not generated, as in other Sokoban optimisers.
//!
//! A position with the boxes of some position of the route, the player in the right zone, and a lower cost is an
//! improvement at once, whatever the search finds later.

use crate::Metric;
use crate::deviation::Deviation;
use crate::poller::Poller;
use crate::position::{Keys, Position, Successor};
use crate::route::{Cost, Route};
use crate::store::{NONE, Node, PositionStore};
use lurd_level::Direction;
use lurd_rules::deadlock::Detectors;
use lurd_rules::distance::Distances;
use lurd_rules::{Bits, Board, Push, Square};
use std::ops::Range;

/// Which positions are equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Equality {
    /// Those with the same boxes and the player in the same zone: exact for pushes, and fast. Walks are counted, but the
    /// first path to a position is kept even if another has shorter walks.
    Zones,
    /// Those with the same boxes and the player on the same square: exact for moves too.
    Squares,
}

/// The extent of a search.
#[derive(Clone, Copy, Debug, Hash)]
pub(super) struct Scope {
    pub(super) width: usize,
    /// The maximum number of displaced boxes relative to the most similar position of the route.
    pub(super) displaced: u16,
    pub(super) equality: Equality,
}

#[derive(Debug, Default)]
pub(super) struct Found {
    /// The better solution, if there is one.
    pub(super) pushes: Option<Vec<Push>>,
    /// No position was omitted: there is no cheaper path between the ends of the window.
    pub(super) exhaustive: bool,
    /// The beam was too narrow for all positions.
    pub(super) pruned: bool,
    /// The search ended at the memory limit.
    pub(super) full: bool,
}

/// Ranks per value: of positions of equal value those with fewer displaced boxes are better.
const SUBRANKS: u32 = 8;

/// The range of values below and above that of the route that have ranks of their own.
const SPAN: u32 = 1000;
const MARGIN: u32 = 64;

/// The penalty of a displaced box in pushes: returning it costs more than its lower bound.
const PENALTY: u32 = 3;

/// The open list of one cost.
#[derive(Debug, Default)]
struct Bucket {
    /// (rank, number) of each position.
    open: Vec<(u32, u32)>,
    /// The number of positions of each rank; empty in an unused bucket.
    ranks: Vec<u32>,
    /// The number of positions with a rank of at most `worst`.
    count: usize,
    worst: usize,
}

impl Bucket {
    /// Whether a position of this rank is in the beam; if so it is counted.
    fn admit(&mut self, rank: u32, width: usize, ranks: usize) -> bool {
        if self.ranks.is_empty() {
            self.ranks.resize(ranks, 0);
            self.worst = ranks - 1;
        }
        let rank = rank as usize;
        if rank > self.worst || (rank == self.worst && self.count >= width) {
            return false;
        }
        self.ranks[rank] += 1;
        self.count += 1;
        while self.count - self.ranks[self.worst] as usize >= width && self.worst > 0 {
            self.count -= self.ranks[self.worst] as usize;
            self.worst -= 1;
        }
        true
    }
}

/// The search, with working memory that is reused from window to window.
pub(super) struct Neighbourhood<'b> {
    board: &'b Board,
    metric: Metric,
    goal_distances: &'b Distances,
    detectors: Detectors<'b>,
    keys: Keys,
    store: PositionStore,
}

/// An improvement: the path to a node, then the route from one of its positions on.
#[derive(Clone, Copy, Debug)]
struct Gain {
    /// The cost saved, by the primary and the secondary metric.
    saved: (i64, i64),
    node: u32,
    index: usize,
}

impl<'b> Neighbourhood<'b> {
    pub(super) fn new(
        board: &'b Board,
        metric: Metric,
        goal_distances: &'b Distances,
        detectors: Detectors<'b>,
    ) -> Self {
        let stride = Bits::empty(board.len()).words().len();
        Self { board, metric, goal_distances, detectors, keys: Keys::new(board), store: PositionStore::new(stride) }
    }

    /// Searches for a cheaper path along a window of the route's pushes.
    pub(super) fn search(&mut self, route: &Route, window: Range<usize>, scope: Scope, poller: &mut Poller) -> Found {
        let positions = route.boxes_along(self.board, &window);
        let tables = Deviation::bytes(self.board.len(), positions.len()) + Distances::bytes(self.board);
        if poller.lacks_memory(tables) {
            return Found { full: true, ..Found::default() };
        }
        let own_distances;
        let distances = if window.end == route.len() {
            self.goal_distances
        } else {
            let squares: Vec<Square> = positions[window.len()].iter().collect();
            match Distances::to_squares(self.board, &squares, poller.budget) {
                Ok(table) => own_distances = table,
                Err(_) => return Found::default(),
            }
            &own_distances
        };
        let start = route.position(self.board, window.start);
        let deviation = Deviation::new(self.board.len(), positions.iter());
        let position = Position::new(self.board, &self.keys, distances, deviation, &start.boxes, start.player);
        self.store.clear();
        let run = Run {
            metric: self.metric,
            route,
            window,
            scope,
            tables,
            position,
            detectors: &mut self.detectors,
            keys: &self.keys,
            store: &mut self.store,
            along: Vec::new(),
            excess: Vec::new(),
            buckets: Vec::new(),
            ranks: 0,
            least_value: 0,
            spare: Vec::new(),
            best: None,
            limit: 0,
            pruned: false,
            out_of_scope: false,
        };
        let found = run.search(&positions, start.player, poller);
        if found.full {
            self.store.release();
        }
        found
    }
}

/// One search of one window.
struct Run<'a, 'b> {
    metric: Metric,
    route: &'a Route,
    window: Range<usize>,
    scope: Scope,
    position: Position<'a>,
    /// The size in bytes of the tables of this window.
    tables: usize,
    detectors: &'a mut Detectors<'b>,
    keys: &'a Keys,
    store: &'a mut PositionStore,
    /// The cost of the route from the start of the window to each position, with the walk to the next push.
    along: Vec<Cost>,
    /// The excess of the route's cost from each position to the end over the lower bound.
    excess: Vec<u32>,
    buckets: Vec<Bucket>,
    /// The number of ranks, and the value of the first rank.
    ranks: usize,
    least_value: u32,
    spare: Vec<Bucket>,
    best: Option<Gain>,
    /// A position with a larger bound is useless.
    limit: u32,
    /// The beam was too narrow for all positions.
    pruned: bool,
    /// Some position had too many displaced boxes.
    out_of_scope: bool,
}

impl Run<'_, '_> {
    fn search(mut self, positions: &[Bits], player: Square, poller: &mut Poller) -> Found {
        self.measure_route(positions, player);
        let whole = self.along[self.window.len()].first;
        self.least_value = whole.saturating_sub(SPAN);
        self.ranks = ((whole + MARGIN - self.least_value) * SUBRANKS) as usize;
        self.set_limit();
        self.buckets.resize_with(whole as usize + 1, Bucket::default);

        // No push leads to the root: its direction means nothing.
        let root = Node::new(NONE, Cost::default(), Push { from: player, direction: Direction::Left }, true);
        self.position.set(positions[0].words());
        let hash = self.position.hash ^ self.keys.player(player);
        if let Some(number) = self.store.add(hash, positions[0].words(), root) {
            self.buckets[0].open.push((0, number));
        }
        let mut cost = 0;
        let mut halted = false;
        let mut full = false;
        'search: while cost <= self.limit {
            let mut bucket = std::mem::take(&mut self.buckets[cost as usize]);
            self.select_beam(&mut bucket);
            for &(_, number) in &bucket.open {
                if self.store.node(number).cost.first != cost {
                    continue;
                }
                if poller.expand(|| self.tables + self.store.bytes()) {
                    halted = true;
                    full = poller.lacks_memory(self.tables + self.store.bytes());
                    break 'search;
                }
                self.expand(number, poller);
            }
            bucket.open.clear();
            bucket.ranks.clear();
            bucket.count = 0;
            self.spare.push(bucket);
            cost += 1;
        }
        let exhaustive = !halted && !self.pruned && !self.out_of_scope;
        Found { pushes: self.best.map(|gain| self.spliced(&gain)), exhaustive, pruned: self.pruned, full }
    }

    /// Keeps the beam in the bucket, in order of generation, so that consecutive positions have many boxes in common.
    fn select_beam(&mut self, bucket: &mut Bucket) {
        let width = self.scope.width;
        if bucket.open.len() > width {
            bucket.open.select_nth_unstable(width);
            bucket.open.truncate(width);
            self.pruned = true;
        }
        bucket.open.sort_unstable_by_key(|&(_, number)| number);
    }

    fn measure_route(&mut self, positions: &[Bits], start: Square) {
        let end = self.window.end;
        let whole = self.route.cost_between(self.metric, self.window.start, end).plus(self.walk_before(end));
        let (mut paid, mut player) = (Cost::default(), start);
        for (index, boxes) in positions.iter().enumerate() {
            let at = self.window.start + index;
            if index > 0 {
                paid = paid.plus(self.route.cost_between(self.metric, at - 1, at));
                player = self.route.pushes[at - 1].from;
            }
            self.position.set(boxes.words());
            let bound = self.position.estimate(player).unwrap_or(0);
            self.along.push(paid.plus(self.walk_before(at)));
            self.excess.push((whole.first - paid.first).saturating_sub(bound));
        }
    }

    /// The cost of the walk to a push of the route; zero after the last push.
    fn walk_before(&self, push: usize) -> Cost {
        Cost::walk(self.metric, self.route.walks.get(push).copied().unwrap_or(0))
    }

    fn set_limit(&mut self) {
        let whole = self.along[self.window.len()].first;
        let saved = self.best.map_or(0, |gain| gain.saved.0.max(0)) as u32;
        // By zones only improvements of the primary metric are sought.
        let least = u32::from(self.scope.equality == Equality::Zones);
        self.limit = whole.saturating_sub(saved + least);
    }

    fn expand(&mut self, number: u32, poller: &mut Poller) {
        let Node { cost, player, on_route, .. } = *self.store.node(number);
        self.position.set(self.store.boxes(number));
        let zone = self.position.fill(player);
        let zone_hash = self.position.hash ^ self.keys.player(zone);
        let earlier = self.store.find_zone(zone_hash, self.position.boxes.words(), zone);
        let is_equal = |earlier| self.scope.equality == Equality::Zones || self.is_dominated_by(earlier, cost);
        let is_duplicate = earlier.is_some_and(is_equal);
        if earlier.is_none() {
            self.store.add_zone(zone_hash, number, zone);
        }
        // A duplicate may still join the route with a shorter walk.
        if on_route {
            self.join(number, cost);
        }
        if is_duplicate || self.position.estimate(player).is_none_or(|bound| cost.first + bound > self.limit) {
            return;
        }
        let successors = std::mem::take(&mut self.position.successors);
        for successor in &successors {
            if !poller.generate() {
                // What is left out was not searched.
                self.out_of_scope = true;
                break;
            }
            self.consider(number, cost, successor);
        }
        self.position.successors = successors;
    }

    /// Whether the current position is reached at no higher cost from an expanded position of the same zone by a walk.
    fn is_dominated_by(&self, earlier: u32, cost: Cost) -> bool {
        let node = self.store.node(earlier);
        let steps = self.position.steps_to(node.player);
        steps.is_some_and(|steps| node.cost.plus(Cost::walk(self.metric, steps)) <= cost)
    }

    /// Records an improvement if the route can be joined here at a lower cost.
    fn join(&mut self, number: u32, cost: Cost) {
        for index in self.position.deviation.same() {
            let at = self.window.start + index;
            let paid = match self.route.pushes.get(at) {
                None => cost,
                Some(push) => match self.position.steps_to(push.behind(self.position.board)) {
                    Some(steps) => cost.plus(Cost::walk(self.metric, steps)),
                    None => continue,
                },
            };
            let along = self.along[index];
            let less = |along: u32, paid: u32| i64::from(along) - i64::from(paid);
            let saved = (less(along.first, paid.first), less(along.second, paid.second));
            if saved > self.best.map_or((0, 0), |gain| gain.saved) {
                self.best = Some(Gain { saved, node: number, index });
            }
        }
        self.set_limit();
    }

    fn consider(&mut self, parent: u32, cost: Cost, successor: &Successor) {
        let cost = cost.plus(Cost::new(self.metric, 1, successor.steps + 1));
        let Some(bound) = self.position.estimate_after(successor) else { return };
        if cost.first + bound > self.limit {
            return;
        }
        let Successor { push, to, .. } = *successor;
        let hash = self.position.hash ^ self.keys.shifted(push.from, to) ^ self.keys.player(push.from);
        self.position.boxes.shift(push.from, to);
        let known = self.store.find(hash, self.position.boxes.words(), push.from);
        match known {
            Some(known) if self.store.node(known).cost <= cost => {}
            Some(known) if self.store.node(known).cost.first == cost.first => {
                let node = self.store.node_mut(known);
                (node.parent, node.cost, node.direction) = (parent, cost, push.direction);
            }
            _ => self.admit(known, parent, cost, bound, successor, hash),
        }
        self.position.boxes.shift(to, push.from);
    }

    /// Adds a new position, or a known one with a lower cost, to the open list if it is in the beam.
    fn admit(&mut self, known: Option<u32>, parent: u32, cost: Cost, bound: u32, successor: &Successor, hash: u64) {
        let Successor { push, to, .. } = *successor;
        let nearest = self.position.deviation.nearest_after(push.from, to);
        if nearest.displaced > self.scope.displaced {
            self.out_of_scope = true;
            return;
        }
        let on_route = nearest.displaced == 0;
        let displaced = u32::from(nearest.displaced);
        let rank = if on_route {
            0
        } else {
            let value = cost.first + bound + self.excess[nearest.index] + PENALTY * displaced;
            let subrank = displaced.min(SUBRANKS - 1);
            (value.saturating_sub(self.least_value) * SUBRANKS + subrank).min(self.ranks as u32 - 1)
        };
        let bucket = &mut self.buckets[cost.first as usize];
        if bucket.ranks.is_empty()
            && let Some(spare) = self.spare.pop()
        {
            *bucket = spare;
        }
        // Positions of the route are always in the beam.
        if !bucket.admit(rank, self.scope.width, self.ranks) && !on_route {
            self.pruned = true;
            return;
        }
        if known.is_none() && self.detectors.verdict(&self.position.boxes, to, push.from).is_some() {
            return;
        }
        let number = match known {
            Some(number) => {
                let node = self.store.node_mut(number);
                (node.parent, node.cost, node.direction) = (parent, cost, push.direction);
                Some(number)
            }
            None => self.store.add(hash, self.position.boxes.words(), Node::new(parent, cost, push, on_route)),
        };
        match number {
            Some(number) => self.buckets[cost.first as usize].open.push((rank, number)),
            None => self.pruned = true,
        }
    }

    /// The whole solution with an improvement inserted.
    fn spliced(&self, gain: &Gain) -> Vec<Push> {
        let mut middle = Vec::new();
        let mut number = gain.node;
        while self.store.node(number).parent != NONE {
            middle.push(self.store.node(number).push());
            number = self.store.node(number).parent;
        }
        let before = &self.route.pushes[..self.window.start];
        let after = &self.route.pushes[self.window.start + gain.index..];
        before.iter().copied().chain(middle.into_iter().rev()).chain(after.iter().copied()).collect()
    }
}
