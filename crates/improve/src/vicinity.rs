//! Vicinity search: the cheapest way along a window of the route through all configurations near it.
//!
//! States are pairs of a configuration and the player's square; single steps are edges. A search in order of (primary,
//! secondary cost) visits each state once, so without a limit on configurations it is exact. Configurations are near
//! if at most `displaced` boxes are displaced against some position of the route, and the cost is not beyond what is
//! useful there (`usefulness`). Nothing is ranked and nothing is estimated.

use crate::Metric;
use crate::configurations::Configurations;
use crate::grid::{Cell, Grid, Padded, contains, each, insert};
use crate::poller::Poller;
use crate::position::Keys;
use crate::route::{Cost, Route};
use crate::store::NONE;
use crate::usefulness::{MOST_DISPLACED, Use, Usefulness};
use lurd_level::Direction;
use lurd_rules::deadlock::Detectors;
use lurd_rules::distance::Distances;
use lurd_rules::{Bits, Board, Push, Square, Walker};
use std::ops::Range;

/// The maximum number of configurations.
const CONFIGURATIONS: usize = 2_500_000;

/// Fronts that are expanded together.
const STRIDE: usize = 64;

/// So many fronts cost as much as a position of a beam search.
const FRONTS_PER_POSITION: u64 = 4;

/// A bucket keeps space for so many words when it is empty.
const KEPT: usize = 256;

/// The work of a state and of the test of a configuration, in units of the schedule.
const FRONT_WORK: u64 = 1;
const CONFIGURATION_WORK: u64 = 4;

/// The extent of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Vicinity {
    /// The maximum number of displaced boxes, at most [`MOST_DISPLACED`].
    pub(super) displaced: usize,
    /// The primary cost by which a detour may be behind the route.
    pub(super) slack: u32,
}

#[derive(Debug, Default)]
pub(super) struct Searched {
    /// The better solution, if there is one.
    pub(super) pushes: Option<Vec<Push>>,
    /// If the search ended early: the last position of the route that it reached.
    pub(super) cut: Option<usize>,
    /// It ended at the memory limit.
    pub(super) full: bool,
}

/// States of one configuration to be expanded: so many words of the player's cells from one word on.
#[derive(Clone, Copy, Debug)]
struct Front {
    configuration: u32,
    first: u16,
    count: u16,
}

/// A push to be tried, with the hash of its configuration.
#[derive(Clone, Copy, Debug)]
struct Pushed {
    from: u32,
    cell: Cell,
    to: Cell,
    direction: Direction,
    hash: u64,
}

/// A push that leads to a configuration.
#[derive(Clone, Copy, Debug)]
struct Arrival {
    /// The arrival before, at the same configuration.
    other: u32,
    /// The configuration before the push.
    from: u32,
    cost: Cost,
    /// The player's cell after the push.
    cell: Cell,
    direction: Direction,
}

/// The open states of one cost.
#[derive(Debug, Default)]
struct Bucket {
    /// States that are marked as reached: no cheaper way to them can come.
    fronts: Vec<Front>,
    words: Vec<u64>,
    /// Configurations and cells to which a cheaper way may still come; the mark decides when their turn comes.
    arrived: Vec<(u32, Cell)>,
}

impl Bucket {
    fn is_empty(&self) -> bool {
        self.fronts.is_empty() && self.arrived.is_empty()
    }

    fn clear(&mut self) {
        self.fronts.clear();
        self.words.clear();
        self.arrived.clear();
    }

    /// Marks the states that have arrived; returns how many had been reached in a cheaper way.
    fn settle(&mut self, configurations: &mut Configurations) -> usize {
        let mut late = 0;
        for (configuration, cell) in self.arrived.drain(..) {
            if configurations.reach(configuration, cell) {
                self.fronts.push(Front { configuration, first: (cell / 64) as u16, count: 1 });
                self.words.push(1 << (cell % 64));
            } else {
                late += 1;
            }
        }
        late
    }
}

/// The open states of one primary cost, by secondary cost.
#[derive(Debug, Default)]
struct Layer {
    buckets: Vec<Bucket>,
    /// No bucket before this one has states.
    least: usize,
    states: usize,
}

impl Layer {
    #[inline]
    fn bucket(&mut self, secondary: usize) -> &mut Bucket {
        if secondary >= self.buckets.len() {
            self.buckets.resize_with(secondary + 1, Bucket::default);
        }
        self.least = self.least.min(secondary);
        self.states += 1;
        &mut self.buckets[secondary]
    }

    fn is_empty(&self) -> bool {
        self.states == 0
    }
}

/// The search, with working memory that is reused from window to window.
pub(super) struct VicinitySearch<'b> {
    board: &'b Board,
    metric: Metric,
    distances: &'b Distances,
    detectors: Detectors<'b>,
    keys: Keys,
    grid: Grid,
    configurations: Configurations,
    arrivals: Vec<Arrival>,
    layer: Layer,
    next: Layer,
    players: Padded,
    /// The boxes that players stand at: configuration, cell, the direction of a push. The pushes that are possible.
    touched: Vec<(u32, Cell, Direction)>,
    pushes: Vec<Pushed>,
    /// The cells, and the squares, of the boxes after a push.
    cells: Vec<u64>,
    boxes: Bits,
    walker: Walker,
}

/// A gain: the cost saved, the state that joins the route and its cost, and the position where it does.
#[derive(Clone, Copy, Debug)]
struct Gain {
    saved: (i64, i64),
    configuration: u32,
    cell: Cell,
    cost: Cost,
    index: usize,
}

/// A window of the route, and the best way found.
struct Window<'r> {
    route: &'r Route,
    range: Range<usize>,
    usefulness: Usefulness,
    scope: Vicinity,
    start: Cell,
    /// The cost of the route at each position, with the walk to the next push.
    along: Vec<Cost>,
    /// Where the player begins the next push at each position; none at the end of the solution.
    stands: Vec<Option<Cell>>,
    /// For each configuration of the route, the number of its last position; for each position, of the one before with
    /// the same configuration.
    last: Vec<u32>,
    same: Vec<u32>,
    best: Option<Gain>,
    /// The last position reached.
    reached: usize,
}

impl<'b> VicinitySearch<'b> {
    pub(super) fn new(board: &'b Board, metric: Metric, distances: &'b Distances, detectors: Detectors<'b>) -> Self {
        let grid = Grid::new(board);
        Self {
            board,
            metric,
            distances,
            detectors,
            keys: Keys::new(board),
            configurations: Configurations::new(&grid.walls),
            arrivals: Vec::new(),
            layer: Layer::default(),
            next: Layer::default(),
            players: Padded::new(&grid),
            touched: Vec::new(),
            pushes: Vec::new(),
            cells: vec![0; grid.words],
            boxes: Bits::empty(board.len()),
            walker: Walker::new(board),
            grid,
        }
    }

    /// Frees the working memory.
    fn release(&mut self) {
        self.configurations.release();
        self.arrivals = Vec::new();
        (self.layer, self.next) = (Layer::default(), Layer::default());
    }

    /// Searches for a cheaper way along a window of the route's pushes.
    pub(super) fn search(
        &mut self,
        route: &Route,
        range: Range<usize>,
        scope: Vicinity,
        poller: &mut Poller,
    ) -> Searched {
        let scope = Vicinity { displaced: scope.displaced.min(MOST_DISPLACED), ..scope };
        let start = route.position(self.board, range.start);
        let tables = Usefulness::bytes(self.grid.words * 64, start.boxes.len(), range.len() + 1);
        if poller.lacks_memory(tables) {
            return Searched { full: true, ..Searched::default() };
        }
        let positions: Vec<Vec<u64>> =
            route.boxes_along(self.board, &range).iter().map(|boxes| self.grid.cells_of(boxes)).collect();
        let along: Vec<Cost> = (range.start..=range.end)
            .map(|at| {
                let walk = Cost::walk(self.metric, route.walks.get(at).copied().unwrap_or(0));
                route.cost_between(self.metric, range.start, at).plus(walk)
            })
            .collect();
        let stand = |at: usize| route.pushes.get(at).map(|push| self.grid.cell(push.behind(self.board)));
        let mut window = Window {
            route,
            usefulness: Usefulness::new(&self.grid, &positions, &along),
            scope,
            start: self.grid.cell(start.player),
            stands: (range.start..=range.end).map(stand).collect(),
            range,
            last: Vec::new(),
            same: vec![NONE; positions.len()],
            best: None,
            reached: 0,
            along,
        };
        self.configurations.clear();
        self.arrivals.clear();
        for layer in [&mut self.layer, &mut self.next] {
            layer.buckets.iter_mut().for_each(Bucket::clear);
            (layer.least, layer.states) = (usize::MAX, 0);
        }
        self.insert_route(&mut window, &start.boxes, &positions);
        self.layer.bucket(0).arrived.push((0, window.start));
        let ended = self.run(&mut window, tables, poller);
        let pushes = window.best.map(|gain| self.spliced(&window, &gain));
        let full = ended && poller.lacks_memory(self.bytes() + tables);
        if full {
            self.release();
        }
        Searched { pushes, cut: ended.then_some(window.range.start + window.reached), full }
    }

    /// The configurations of the route are always near.
    fn insert_route(&mut self, window: &mut Window, boxes: &Bits, positions: &[Vec<u64>]) {
        let Vicinity { displaced, slack } = window.scope;
        let mut hash = self.keys.boxes(boxes);
        for (index, cells) in positions.iter().enumerate() {
            if index > 0 {
                let push = window.route.pushes[window.range.start + index - 1];
                hash ^= self.keys.shifted(push.from, push.to(self.board));
            }
            let near = index as u32;
            let own = Use { limit: (window.along[index].first + slack) as i32, near };
            let found = window.usefulness.of(cells, near, displaced, slack as i32);
            let usefulness = found.filter(|found| found.limit > own.limit).unwrap_or(own);
            if let Some(number) = self.configurations.find(hash, cells) {
                window.same[index] = std::mem::replace(&mut window.last[number as usize], near);
                let known = &mut self.configurations.entry_mut(number).usefulness;
                if usefulness.limit > known.limit {
                    *known = usefulness;
                }
            } else {
                self.configurations.add(cells, hash, usefulness);
                window.last.push(near);
            }
        }
    }

    fn bytes(&self) -> usize {
        // A front has one or two words; what grows has space for twice as many.
        let fronts = (self.layer.states + self.next.states) * 2 * (size_of::<Front>() + 2 * size_of::<u64>());
        self.configurations.bytes() + self.arrivals.capacity() * size_of::<Arrival>() + fronts
    }

    /// Searches layer by layer. Returns whether it ended early.
    fn run(&mut self, window: &mut Window, tables: usize, poller: &mut Poller) -> bool {
        let whole = i64::from(window.along[window.range.len()].first);
        let mut cost = Cost::default();
        // No state of this layer or a later one can improve on the best way.
        while i64::from(cost.first) <= whole - window.best.map_or(0, |gain| gain.saved.0) {
            if self.layer.is_empty() {
                return false;
            }
            let mut secondary = self.layer.least;
            while !self.layer.is_empty() {
                let mut bucket = std::mem::take(&mut self.layer.buckets[secondary]);
                if !bucket.is_empty() {
                    self.layer.states -= bucket.fronts.len() + bucket.arrived.len();
                    cost.second = secondary as u32;
                    bucket.settle(&mut self.configurations);
                    if let Some(next) = self.next.buckets.get_mut(secondary)
                        && self.metric == Metric::Moves
                    {
                        // Before steps to states of this secondary cost and more are marked.
                        self.next.states -= next.settle(&mut self.configurations);
                    }
                    if self.expand_all(window, &bucket, cost, tables, poller) {
                        return true;
                    }
                    bucket.clear();
                    if bucket.words.capacity() <= KEPT {
                        self.layer.buckets[secondary] = bucket;
                    }
                }
                secondary += 1;
            }
            self.layer.least = usize::MAX;
            std::mem::swap(&mut self.layer, &mut self.next);
            cost.first += 1;
        }
        false
    }

    /// Expands the states of one cost; returns whether the search must end.
    fn expand_all(
        &mut self,
        window: &mut Window,
        bucket: &Bucket,
        cost: Cost,
        tables: usize,
        poller: &mut Poller,
    ) -> bool {
        let mut words = bucket.words.as_slice();
        for fronts in bucket.fronts.chunks(STRIDE) {
            self.touched.clear();
            poller.charge(fronts.len() as u64 / FRONTS_PER_POSITION);
            if poller.work(fronts.len() as u64, FRONT_WORK, || tables + self.bytes())
                || self.configurations.len() >= CONFIGURATIONS
            {
                return true;
            }
            for front in fronts {
                let (own, rest) = words.split_at(front.count.into());
                words = rest;
                if window.last.get(front.configuration as usize).is_some() {
                    window.join(front, own, cost);
                }
                self.walk(front, own, cost);
            }
            self.find_pushes();
            for index in 0..self.pushes.len() {
                let push = self.pushes[index];
                if !self.push(window, push, cost, poller) {
                    return true;
                }
            }
        }
        false
    }

    /// Steps from states of one configuration, and the boxes they touch.
    #[inline]
    fn walk(&mut self, front: &Front, players: &[u64], cost: Cost) {
        let Front { configuration, first, .. } = *front;
        let first = usize::from(first);
        self.players.set(first, players);
        let width = self.grid.width;
        let by_moves = self.metric == Metric::Moves;
        let limit = self.configurations.entry(configuration).usefulness.limit;
        let is_open = !by_moves || limit > cost.first as i32;
        let (layer, secondary) =
            if by_moves { (&mut self.next, cost.second) } else { (&mut self.layer, cost.second + 1) };
        let reach = width / 64 + 1;
        let span = first.saturating_sub(reach)..(first + players.len() + reach).min(self.grid.words);
        let (boxes, closed) = self.configurations.sets(configuration);
        let mut new = Front { configuration, first: 0, count: 0 };
        // Only a front that has cells gets a place.
        let mut bucket: Option<&mut Bucket> = None;
        let mut layer = Some(layer);
        let mut empty = 0;
        for word in span {
            let moved = [
                (self.players.down(word, 1), Direction::Left),
                (self.players.up(word, 1), Direction::Right),
                (self.players.down(word, width), Direction::Up),
                (self.players.up(word, width), Direction::Down),
            ];
            let all = moved[0].0 | moved[1].0 | moved[2].0 | moved[3].0;
            if all & boxes[word] != 0 {
                for (cells, direction) in moved {
                    let touched = &mut self.touched;
                    each(cells & boxes[word], word, |cell| touched.push((configuration, cell as Cell, direction)));
                }
            }
            let entered = all & !closed[word];
            if is_open && entered != 0 {
                closed[word] |= entered;
                let bucket = match (&mut bucket, layer.take()) {
                    (Some(bucket), _) => {
                        bucket.words.extend(std::iter::repeat_n(0, empty));
                        bucket
                    }
                    (none, Some(layer)) => {
                        new.first = word as u16;
                        none.insert(layer.bucket(secondary as usize))
                    }
                    (None, None) => continue,
                };
                new.count += empty as u16 + 1;
                empty = 0;
                bucket.words.push(entered);
            } else if bucket.is_some() {
                empty += 1;
            }
        }
        if let Some(bucket) = bucket {
            bucket.fronts.push(new);
        }
        self.players.clear(first, players.len());
    }

    /// The possible pushes of the boxes touched. Where their configurations are in the table is read for all at once: the
    /// memory is far away, and answers several questions in the time of one.
    fn find_pushes(&mut self) {
        self.pushes.clear();
        for &(from, cell, direction) in &self.touched {
            let to = self.grid.next(cell, direction);
            if self.grid.is_wall(to) || contains(self.configurations.boxes(from), to) {
                continue;
            }
            let target = self.grid.square(to);
            if !self.distances.is_dead(target) {
                let shifted = self.keys.shifted(self.grid.square(cell), target);
                let hash = self.configurations.entry(from).hash ^ shifted;
                self.pushes.push(Pushed { from, cell, to, direction, hash });
            }
        }
        let read = self.pushes.iter().fold(0, |sum, push| sum ^ self.configurations.touch(push.hash));
        std::hint::black_box(read);
    }

    /// A push, if it leads to a configuration that is near; false if the limit on nodes is reached.
    #[inline]
    fn push(&mut self, window: &Window, push: Pushed, cost: Cost, poller: &mut Poller) -> bool {
        let Pushed { from, cell, to, direction, hash } = push;
        let (own, target) = (self.grid.square(cell), self.grid.square(to));
        if !poller.generate() {
            return false;
        }
        let cost = cost.plus(Cost { first: 1, second: 1 });
        let next = cost.first as i32;
        let usefulness = self.configurations.entry(from).usefulness;
        self.cells.copy_from_slice(self.configurations.boxes(from));
        self.cells[cell as usize / 64] &= !(1 << (cell % 64));
        insert(&mut self.cells, to);
        let number = match self.configurations.find(hash, &self.cells) {
            Some(known) => {
                let is_useful = self.configurations.entry(known).usefulness.limit >= next;
                if !is_useful || !self.configurations.is_open(known, cell) {
                    return true;
                }
                known
            }
            None => {
                poller.work += CONFIGURATION_WORK;
                let Vicinity { displaced, slack } = window.scope;
                let found = window.usefulness.of(&self.cells, usefulness.near, displaced, slack as i32);
                let Some(usefulness) = found.filter(|found| found.limit >= next) else { return true };
                if self.is_dead(target, own) {
                    return true;
                }
                self.configurations.add(&self.cells, hash, usefulness)
            }
        };
        let other = std::mem::replace(&mut self.configurations.entry_mut(number).arrival, self.arrivals.len() as u32);
        self.arrivals.push(Arrival { other, from, cost, cell, direction });
        self.next.bucket(cost.second as usize).arrived.push((number, cell));
        true
    }

    /// Whether the boxes after a push are dead, with the box on one square and the player on another.
    fn is_dead(&mut self, pushed: Square, player: Square) -> bool {
        self.boxes.words_mut().fill(0);
        for (word, &bits) in self.cells.iter().enumerate() {
            let (boxes, grid) = (&mut self.boxes, &self.grid);
            each(bits, word, |cell| boxes.insert(grid.square(cell as Cell)));
        }
        self.detectors.verdict(&self.boxes, pushed, player).is_some()
    }

    /// The whole solution with the best way inserted. The way is followed backwards: of the pushes that have led to a
    /// configuration, one was made at the cost that is left after the walk from it.
    fn spliced(&mut self, window: &Window, gain: &Gain) -> Vec<Push> {
        let mut middle = Vec::new();
        let Gain { mut configuration, mut cell, mut cost, .. } = *gain;
        loop {
            self.boxes.words_mut().fill(0);
            for (word, &bits) in self.configurations.boxes(configuration).iter().enumerate() {
                let (boxes, grid) = (&mut self.boxes, &self.grid);
                each(bits, word, |cell| boxes.insert(grid.square(cell as Cell)));
            }
            self.walker.measure(self.board, &self.boxes, self.grid.square(cell));
            let mut at = self.configurations.entry(configuration).arrival;
            let found = loop {
                let Some(arrival) = self.arrivals.get(at as usize) else { break None };
                let square = self.grid.square(arrival.cell);
                let walk = || Cost::walk(self.metric, self.walker.steps(square).into());
                if self.walker.reached(square) && arrival.cost.plus(walk()) == cost {
                    break Some(*arrival);
                }
                at = arrival.other;
            };
            // Nothing has led to the start.
            let Some(Arrival { from, cost: paid, cell: stood, direction, .. }) = found else { break };
            middle.push(Push { from: self.grid.square(stood), direction });
            configuration = from;
            cell = self.grid.next(stood, direction.opposite());
            cost = Cost { first: paid.first - 1, second: paid.second - 1 };
        }
        let before = &window.route.pushes[..window.range.start];
        let after = &window.route.pushes[window.range.start + gain.index..];
        before.iter().copied().chain(middle.into_iter().rev()).chain(after.iter().copied()).collect()
    }
}

impl Window<'_> {
    /// Joins the route at every position with the configuration of some states, where a player stands right.
    #[inline]
    fn join(&mut self, front: &Front, players: &[u64], cost: Cost) {
        let first = u32::from(front.first) * 64;
        let mut index = self.last[front.configuration as usize];
        while index != NONE {
            let at = index as usize;
            let cell = match self.stands[at] {
                Some(stand) => Some(stand).filter(|&stand| stand >= first && contains(players, stand - first)),
                None => {
                    let word = players.iter().position(|&word| word != 0).unwrap_or(0);
                    Some(first + word as u32 * 64 + players[word].trailing_zeros())
                }
            };
            if let Some(cell) = cell {
                let less = |along: u32, paid: u32| i64::from(along) - i64::from(paid);
                let along = self.along[at];
                let saved = (less(along.first, cost.first), less(along.second, cost.second));
                self.reached = self.reached.max(at);
                if saved > self.best.map_or((0, 0), |gain| gain.saved) {
                    let configuration = front.configuration;
                    self.best = Some(Gain { saved, configuration, cell, cost, index: at });
                }
            }
            index = self.same[at];
        }
    }
}
