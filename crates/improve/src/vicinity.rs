//! The search in the vicinity of a route: for a stretch of the solution, look for a cheaper
//! way from its first position to its last one.
//!
//! Positions are taken up in the order of their cost. All positions of one cost compete for
//! `width` places, and those that promise most get them: a position is worth the pushes its
//! boxes need at least, plus what the route still pays beyond such pushes from its most similar
//! position on. The route's own positions always have a place, so the search ends no worse than
//! it began, and a wide enough search of a short stretch is exhaustive.
//!
//! A position that has the boxes of some position of the route, the player where he can go on, and
//! a lower cost is an improvement at once, whatever becomes of the rest. Searching a graph round a
//! known plan is Nakhost and Müller's plan neighbourhood graph search (2010); the measure of
//! nearness is that of Sokoban optimisers, which let a few boxes stray from the solution.

use crate::Goal;
use crate::meter::Meter;
use crate::nearness::Nearness;
use crate::route::{Cost, Push, Route};
use crate::store::{NONE, Node, PositionStore};
use crate::window::{Chance, Keys, Window};
use lurd_level::Direction;
use lurd_rules::deadlock::Detectors;
use lurd_rules::distance::Distances;
use lurd_rules::{Bits, Board, NO_SQUARE, Square};
use std::ops::Range;

/// Which positions count as equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Detail {
    /// Those with the same boxes and the player in the same zone: right for pushes, and fast; walks
    /// are counted, but the first way to a position is kept even if another walks less.
    Zones,
    /// Only those with the player on the same square: exact for moves too.
    Squares,
}

/// How much of the vicinity is searched.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scope {
    /// Places for positions of the same cost.
    pub(super) width: usize,
    /// How many boxes may stand elsewhere than on the most similar position of the route.
    pub(super) astray: u16,
    pub(super) detail: Detail,
}

/// What a search brought.
#[derive(Debug)]
pub(super) struct Found {
    /// The better solution, if there is one.
    pub(super) pushes: Option<Vec<Push>>,
    /// Nothing was left out: no cheaper way exists between the ends of the stretch.
    pub(super) exhaustive: bool,
    /// There were more positions than places.
    pub(super) crowded: bool,
    /// It ended because memory was full.
    pub(super) full: bool,
}

/// Shades of the measure of promise within one cost: nearer positions go first.
const SHADES: u32 = 8;

/// By how much positions may promise more and less than the route and still be told apart.
const SPAN: u32 = 1000;
const MARGIN: u32 = 64;

/// What a box astray takes from the promise of a position, in pushes: bringing it back costs more than
/// boxes that were alone would need.
const RETURN: u32 = 3;

/// The positions of one cost that wait.
#[derive(Debug, Default)]
struct Bucket {
    waiting: Vec<(u32, u32)>,
    /// How many wait with each rank; empty until the first comes.
    ranks: Vec<u32>,
    /// How many wait with a rank of at most `worst`.
    count: usize,
    worst: usize,
}

impl Bucket {
    /// Whether a position of this rank gets a place; if so it is counted.
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

/// The search, with memory that is used again from one stretch to the next.
pub(super) struct Vicinity<'b> {
    board: &'b Board,
    goal: Goal,
    goal_distances: &'b Distances,
    detectors: Detectors<'b>,
    keys: Keys,
    store: PositionStore,
}

/// An improvement: up to this position, then along the route from one of its positions on.
#[derive(Clone, Copy, Debug)]
struct Gain {
    /// How much less is paid; compared by what counts first.
    first: i64,
    second: i64,
    node: u32,
    index: usize,
}

impl<'b> Vicinity<'b> {
    pub(super) fn new(board: &'b Board, goal: Goal, goal_distances: &'b Distances, detectors: Detectors<'b>) -> Self {
        let stride = Bits::empty(board.len()).words().len();
        Self { board, goal, goal_distances, detectors, keys: Keys::new(board), store: PositionStore::new(stride) }
    }

    /// Looks for a better way along a stretch of the route's pushes.
    pub(super) fn search(&mut self, route: &Route, stretch: Range<usize>, scope: Scope, meter: &mut Meter) -> Found {
        let positions = positions(self.board, route, &stretch);
        let (squares, boxes) = (self.board.len(), self.board.goals().len());
        meter.add_work(squares * (boxes + positions.len()) / 256);
        let tables = Nearness::bytes(squares, positions.len()) + Distances::bytes(self.board);
        if meter.lacks_room(tables) {
            return Found { pushes: None, exhaustive: false, crowded: false, full: true };
        }
        let own_distances;
        let distances = if stretch.end == route.len() {
            self.goal_distances
        } else {
            let squares: Vec<Square> = positions[stretch.len()].iter().collect();
            match Distances::to_squares(self.board, &squares, meter.budget()) {
                Ok(table) => own_distances = table,
                Err(_) => return Found { pushes: None, exhaustive: false, crowded: false, full: false },
            }
            &own_distances
        };
        let start = route.position(self.board, stretch.start);
        let nearness = Nearness::new(self.board.len(), positions.iter());
        let ground = Window::new(self.board, &self.keys, distances, nearness, &start.boxes, start.player);
        self.store.clear();
        let run = Run {
            goal: self.goal,
            route,
            stretch,
            scope,
            tables,
            expansion: (1 + squares / 64 + boxes * boxes / 256 + positions.len() / 256) as u64,
            ground,
            detectors: &mut self.detectors,
            keys: &self.keys,
            store: &mut self.store,
            along: Vec::new(),
            surplus: Vec::new(),
            buckets: Vec::new(),
            ranks: 0,
            least_worth: 0,
            spare: Vec::new(),
            best: None,
            limit: 0,
            crowded: false,
            strayed: false,
        };
        let found = run.search(&positions, start.player, meter);
        if found.full {
            self.store.release();
        }
        found
    }
}

/// The boxes before each push of the stretch, and after the last.
fn positions(board: &Board, route: &Route, stretch: &Range<usize>) -> Vec<Bits> {
    let mut boxes = route.position(board, stretch.start).boxes;
    let mut positions = vec![boxes.clone()];
    for push in &route.pushes[stretch.clone()] {
        boxes.shift(push.from, push.to(board));
        positions.push(boxes.clone());
    }
    positions
}

/// One search of one stretch.
struct Run<'a, 'b> {
    goal: Goal,
    route: &'a Route,
    stretch: Range<usize>,
    scope: Scope,
    ground: Window<'a>,
    /// The work of one expansion.
    expansion: u64,
    /// Bytes of the tables made for this stretch.
    tables: usize,
    detectors: &'a mut Detectors<'b>,
    keys: &'a Keys,
    store: &'a mut PositionStore,
    /// What the route pays from the start of the stretch until the player stands behind the box of
    /// each push.
    along: Vec<Cost>,
    /// What the route pays from each position to the end, beyond the least pushes.
    surplus: Vec<u32>,
    buckets: Vec<Bucket>,
    /// How many ranks there are, and the worth that the first of them begins with.
    ranks: usize,
    least_worth: u32,
    spare: Vec<Bucket>,
    best: Option<Gain>,
    /// A position that needs more than this has no use.
    limit: u32,
    crowded: bool,
    /// Some position was too far from the route.
    strayed: bool,
}

impl Run<'_, '_> {
    fn search(mut self, positions: &[Bits], player: Square, meter: &mut Meter) -> Found {
        self.measure_route(positions, player);
        let whole = self.along[self.stretch.len()].first;
        self.least_worth = whole.saturating_sub(SPAN);
        self.ranks = ((whole + MARGIN - self.least_worth) * SHADES) as usize;
        self.set_limit();
        self.buckets.resize_with(whole as usize + 1, Bucket::default);

        let root = Node {
            parent: NONE,
            cost: Cost::default(),
            player,
            zone: NO_SQUARE,
            direction: Direction::Left,
            on_route: true,
        };
        self.ground.look_at(positions[0].words());
        let hash = self.ground.hash ^ self.keys.player(player);
        if let Some(number) = self.store.add(hash, positions[0].words(), root) {
            self.buckets[0].waiting.push((0, number));
        }
        let mut cost = 0;
        let mut halted = false;
        let mut full = false;
        'search: while cost <= self.limit {
            let mut bucket = std::mem::take(&mut self.buckets[cost as usize]);
            self.choose(&mut bucket);
            for &(_, number) in &bucket.waiting {
                if self.store.node(number).cost.first != cost {
                    continue;
                }
                if meter.expand(self.expansion, self.tables + self.store.bytes()) {
                    halted = true;
                    full = meter.lacks_room(self.tables + self.store.bytes());
                    break 'search;
                }
                self.expand(number, meter);
            }
            bucket.waiting.clear();
            bucket.ranks.clear();
            bucket.count = 0;
            self.spare.push(bucket);
            cost += 1;
        }
        let exhaustive = !halted && !self.crowded && !self.strayed;
        Found { pushes: self.best.map(|gain| self.spliced(&gain)), exhaustive, crowded: self.crowded, full }
    }

    /// Leaves those in the bucket that have a place, in the order they were met, so that neighbours
    /// have much in common.
    fn choose(&mut self, bucket: &mut Bucket) {
        let width = self.scope.width;
        if bucket.waiting.len() > width {
            bucket.waiting.select_nth_unstable(width);
            bucket.waiting.truncate(width);
            self.crowded = true;
        }
        bucket.waiting.sort_unstable_by_key(|&(_, number)| number);
    }

    fn measure_route(&mut self, positions: &[Bits], start: Square) {
        let end = self.stretch.end;
        let whole = self.route.cost_between(self.goal, self.stretch.start, end).plus(self.walk_before(end));
        let (mut paid, mut player) = (Cost::default(), start);
        for (index, boxes) in positions.iter().enumerate() {
            let at = self.stretch.start + index;
            if index > 0 {
                paid = paid.plus(self.route.cost_between(self.goal, at - 1, at));
                player = self.route.pushes[at - 1].from;
            }
            self.ground.look_at(boxes.words());
            let least = self.ground.estimate(player).unwrap_or(0);
            self.along.push(paid.plus(self.walk_before(at)));
            self.surplus.push((whole.first - paid.first).saturating_sub(least));
        }
    }

    /// The walk to a push of the route; after the last one there is none.
    fn walk_before(&self, push: usize) -> Cost {
        Cost::walk(self.goal, self.route.walks.get(push).copied().unwrap_or(0))
    }

    fn set_limit(&mut self) {
        let whole = self.along[self.stretch.len()].first;
        let gained = self.best.map_or(0, |gain| gain.first.max(0)) as u32;
        // Where only zones are told apart nothing but the first cost is sought.
        let least = u32::from(self.scope.detail == Detail::Zones);
        self.limit = whole.saturating_sub(gained + least);
    }

    fn expand(&mut self, number: u32, meter: &mut Meter) {
        let Node { cost, player, on_route, .. } = *self.store.node(number);
        self.ground.look_at(self.store.boxes(number));
        let zone = self.ground.fill(player);
        let zone_hash = self.ground.hash ^ self.keys.player(zone);
        match self.store.find_zone(zone_hash, self.ground.boxes.words(), zone) {
            Some(earlier) if self.scope.detail == Detail::Zones || self.outdone_by(earlier, cost) => {
                // Which of several ways to a position is known matters for the walk alone.
                if on_route {
                    self.join(number, cost);
                }
                return;
            }
            Some(_) => {}
            None => self.store.add_zone(zone_hash, number, zone),
        }
        if on_route {
            self.join(number, cost);
        }
        match self.ground.estimate(player) {
            Some(least) if cost.first + least <= self.limit => {}
            _ => return,
        }
        let chances = std::mem::take(&mut self.ground.chances);
        for chance in &chances {
            meter.generate();
            self.consider(number, cost, chance);
        }
        self.ground.chances = chances;
    }

    /// Whether walking over from an expanded position of the same zone is as good as what the
    /// present one cost.
    fn outdone_by(&self, earlier: u32, cost: Cost) -> bool {
        let node = self.store.node(earlier);
        let steps = self.ground.steps_to(node.player);
        steps.is_some_and(|steps| node.cost.plus(Cost::walk(self.goal, steps)) <= cost)
    }

    /// Sees whether the route can be joined here for less than it paid.
    fn join(&mut self, number: u32, cost: Cost) {
        for index in self.ground.nearness.same() {
            let at = self.stretch.start + index;
            let paid = match self.route.pushes.get(at) {
                None => cost,
                Some(push) => match self.ground.steps_to(push.behind(self.ground.board())) {
                    Some(steps) => cost.plus(Cost::walk(self.goal, steps)),
                    None => continue,
                },
            };
            let along = self.along[index];
            let gain = Gain {
                first: i64::from(along.first) - i64::from(paid.first),
                second: i64::from(along.second) - i64::from(paid.second),
                node: number,
                index,
            };
            let known = self.best.map_or((0, 0), |gain| (gain.first, gain.second));
            if (gain.first, gain.second) > known {
                self.best = Some(gain);
            }
        }
        self.set_limit();
    }

    fn consider(&mut self, parent: u32, cost: Cost, chance: &Chance) {
        let cost = cost.plus(Cost::new(self.goal, 1, chance.steps + 1));
        let Some(least) = self.ground.estimate_after(chance) else { return };
        if cost.first + least > self.limit {
            return;
        }
        let Chance { push, to, .. } = *chance;
        let hash = self.ground.hash ^ self.keys.shifted(push.from, to) ^ self.keys.player(push.from);
        self.ground.boxes.shift(push.from, to);
        let known = self.store.find(hash, self.ground.boxes.words(), push.from);
        match known {
            Some(known) if self.store.node(known).cost <= cost => {}
            Some(known) if self.store.node(known).cost.first == cost.first => {
                let node = self.store.node_mut(known);
                (node.parent, node.cost, node.direction) = (parent, cost, push.direction);
            }
            _ => self.admit(known, parent, cost, least, chance, hash),
        }
        self.ground.boxes.shift(to, push.from);
    }

    /// Gives a new position, or an old one that has become cheaper, a place if it deserves one.
    fn admit(&mut self, known: Option<u32>, parent: u32, cost: Cost, least: u32, chance: &Chance, hash: u64) {
        let Chance { push, to, .. } = *chance;
        let nearest = self.ground.nearness.nearest_after(push.from, to);
        if nearest.astray > self.scope.astray {
            self.strayed = true;
            return;
        }
        let on_route = nearest.astray == 0;
        let worth = cost.first + least + self.surplus[nearest.index];
        let shade = u32::from(nearest.astray).min(SHADES - 1);
        let rank = if on_route {
            0
        } else {
            let worth = worth + RETURN * u32::from(nearest.astray);
            (worth.saturating_sub(self.least_worth) * SHADES + shade).min(self.ranks as u32 - 1)
        };
        let bucket = &mut self.buckets[cost.first as usize];
        if bucket.ranks.is_empty()
            && let Some(spare) = self.spare.pop()
        {
            *bucket = spare;
        }
        // The route keeps its places whatever comes.
        if !bucket.admit(rank, self.scope.width, self.ranks) && !on_route {
            self.crowded = true;
            return;
        }
        if known.is_none() && self.detectors.verdict(&self.ground.boxes, to, push.from).is_some() {
            return;
        }
        let number = match known {
            Some(number) => {
                let node = self.store.node_mut(number);
                (node.parent, node.cost, node.direction) = (parent, cost, push.direction);
                Some(number)
            }
            None => self.store.add(hash, self.ground.boxes.words(), Node::new(parent, cost, push, on_route)),
        };
        match number {
            Some(number) => self.buckets[cost.first as usize].waiting.push((rank, number)),
            None => self.crowded = true,
        }
    }

    /// The whole solution with an improvement put in.
    fn spliced(&self, gain: &Gain) -> Vec<Push> {
        let mut middle = Vec::new();
        let mut number = gain.node;
        loop {
            let node = self.store.node(number);
            if node.parent == NONE {
                break;
            }
            middle.push(node.push());
            number = node.parent;
        }
        let before = &self.route.pushes[..self.stretch.start];
        let after = &self.route.pushes[self.stretch.start + gain.index..];
        before.iter().copied().chain(middle.into_iter().rev()).chain(after.iter().copied()).collect()
    }
}
