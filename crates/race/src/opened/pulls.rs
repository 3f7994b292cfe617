//! The pull search: from the solved board to the opened position, in buckets by the cost of the matching.
//!
//! A pass visits the buckets from the dearest to the cheapest and expands one node of each, so that no early mistake owns
//! the search. A bucket has several queues, each with another order; chance says which is asked. Between the passes, small
//! searches in windows ([`window`](super::window)) find sequences of pulls that no order would let through.

use crate::observe::Nearest;
use crate::opened::opening::Opening;
use crate::opened::scene::{Grid, Pull, PullFeatures, Scene};
use crate::opened::target::Target;
use crate::opened::window::Windows;
use crate::strategy::HaltPoller;
use lurd_base::random::SplitMix64;
use lurd_level::Direction;
use lurd_rules::dense::board::{NONE, Step};
use lurd_rules::dense::matching::Matching;
use lurd_rules::dense::set::Set;
use lurd_rules::{ByKey, Figures, Push};
use std::collections::BinaryHeap;
use std::sync::Arc;

/// No node, no body.
pub(super) const NO: u32 = u32::MAX;

/// The orders of a bucket.
const QUEUES: usize = 4;

/// A pull may raise the cost by so much.
const RISE: i32 = 1;

/// Buckets above the cost of the root.
const ABOVE_ROOT: i32 = 2;

/// What a window costs a node in its bucket, in hundredths.
const VISIT_PENALTY: i32 = 1_000;

#[derive(Clone, Copy, Debug)]
pub(super) struct PullNode {
    pub(super) parent: u32,
    /// Where boxes and matching are: for roots, and once it is expanded.
    pub(super) body: u32,
    pub(super) is_expanded: bool,
    /// The pull that led here: the live square before, and the arrival.
    pub(super) from: u16,
    pub(super) arrival: u16,
    pub(super) cost: u16,
    pub(super) depth: u16,
    pub(super) features: PullFeatures,
}

/// Boxes, player and matching of expanded positions.
pub(super) struct Bodies<const G: usize> {
    targets: usize,
    boxes: Vec<Set<G>>,
    players: Vec<u16>,
    rows: Vec<u16>,
    prices: Vec<i32>,
}

impl<const G: usize> Bodies<G> {
    pub(super) fn new(targets: usize) -> Self {
        Self { targets, boxes: Vec::new(), players: Vec::new(), rows: Vec::new(), prices: Vec::new() }
    }

    pub(super) fn push(&mut self, boxes: Set<G>, player: usize, matching: &Matching) -> u32 {
        self.boxes.push(boxes);
        self.players.push(player as u16);
        self.rows.extend_from_slice(&matching.rows);
        self.prices.extend_from_slice(&matching.prices);
        self.boxes.len() as u32 - 1
    }

    /// Boxes and player; the matching is copied, with its total.
    pub(super) fn load(&self, body: u32, target: &Target, matching: &mut Matching) -> (Set<G>, usize) {
        let body = body as usize;
        let range = body * self.targets..(body + 1) * self.targets;
        matching.rows.copy_from_slice(&self.rows[range.clone()]);
        matching.prices.copy_from_slice(&self.prices[range]);
        matching.total =
            matching.rows.iter().enumerate().map(|(place, &row)| i32::from(target.distance(row, place))).sum();
        (self.boxes[body], self.players[body].into())
    }

    pub(super) fn clear(&mut self) {
        self.boxes.clear();
        self.players.clear();
        self.rows.clear();
        self.prices.clear();
    }

    fn bytes(&self) -> usize {
        self.boxes.capacity() * (size_of::<Set<G>>() + 2) + self.rows.capacity() * 2 + self.prices.capacity() * 4
    }
}

/// How a run differs from others.
#[derive(Clone, Copy, Debug)]
pub(super) struct PullOptions {
    seed: u64,
    /// How many of the queues are used.
    queues: usize,
    /// Positions generated in windows, of a hundred.
    windows: u64,
}

impl PullOptions {
    /// Every second run has all queues and fewer windows.
    pub(super) fn of_run(run: u64) -> Self {
        let (queues, windows) = if run.is_multiple_of(2) { (QUEUES, 20) } else { (1, 35) };
        Self { seed: run + 1, queues, windows }
    }
}

#[derive(Default)]
struct Bucket {
    /// Nodes to expand, the least key first.
    open: [BinaryHeap<(i32, u32)>; QUEUES],
    /// Expanded nodes, for windows.
    expanded: BinaryHeap<(i32, u32)>,
}

pub(super) struct PullSearch<const G: usize> {
    pub(super) grid: Arc<Grid<G>>,
    pub(super) opening: Opening<G>,
    pub(super) target: Target,
    pub(super) target_cells: Set<G>,
    pub(super) scene: Scene<G>,
    pub(super) nodes: Vec<PullNode>,
    bodies: Bodies<G>,
    /// How many windows each body has had.
    windows_had: Vec<u8>,
    /// How often a box was pulled to each live square.
    pub(super) visits: Vec<u64>,
    pub(super) seen: ByKey<()>,
    buckets: Vec<Bucket>,
    windows: Windows<G>,
    options: PullOptions,
    pub(super) random: SplitMix64,
    chain: Vec<u32>,
    pub(super) figures: Figures,
    in_windows: u64,
    least: u16,
    /// The bucket that the pass visits next, and one past the last.
    next: usize,
    pub(super) meeting: Option<(u32, u32)>,
}

impl<const G: usize> PullSearch<G> {
    /// `None` if some box of the solved board cannot get to the opened position.
    pub(super) fn new(grid: &Arc<Grid<G>>, opening: Opening<G>, options: PullOptions) -> Option<Self> {
        let board = &*grid.board;
        let squares = opening.squares(board);
        let target = Target::new(board, &squares);
        let scene = Scene::new(grid, &target);
        let target_cells = squares.iter().map(|&square| board.cell(square.into())).collect();
        let count = target.count();
        let mut search = Self {
            grid: Arc::clone(grid),
            opening,
            target,
            target_cells,
            scene,
            nodes: Vec::new(),
            bodies: Bodies::new(count),
            windows_had: Vec::new(),
            visits: vec![0; board.live_count()],
            seen: ByKey::default(),
            buckets: Vec::new(),
            windows: Windows::new(count),
            options,
            random: SplitMix64::new(options.seed),
            chain: Vec::new(),
            figures: Figures::default(),
            in_windows: 0,
            least: u16::MAX,
            next: 0,
            meeting: None,
        };
        search.plant_roots().then_some(search)
    }

    /// One root for each zone of the solved board.
    fn plant_roots(&mut self) -> bool {
        let grid = Arc::clone(&self.grid);
        let board = &*grid.board;
        let boxes: Set<G> = board.goals().iter().map(|&goal| board.cell(goal.into())).collect();
        let boxes_key = boxes.iter().fold(0, |key, cell| key ^ grid.keys.of_box(cell));
        let free = grid.plane.floor.without(boxes);
        let zones: Vec<Set<G>> = grid.plane.zones(free, free).collect();
        for zone in zones {
            let player = zone.lowest();
            let rows = board.goals().iter().map(|&goal| board.row_at(goal.into(), player));
            if !self.scene.pairing.solve(&self.target, rows) {
                continue;
            }
            let total = self.scene.pairing.total();
            if total > i32::from(u16::MAX) / 2 {
                continue;
            }
            let body = self.bodies.push(boxes, player, &self.scene.pairing.matching);
            self.windows_had.push(0);
            let key = grid.keys.position(boxes_key, player);
            self.seen.insert(key, ());
            let features = PullFeatures { closed: (free.len() - zone.len()) as u16, ..PullFeatures::default() };
            let cost = total as u16;
            let node =
                PullNode { parent: NO, body, is_expanded: false, from: NONE, arrival: NONE, cost, depth: 0, features };
            if let Some(at) = self.opening.find(key) {
                self.meeting = Some((self.nodes.len() as u32, at));
            }
            self.add(node);
        }
        let most = self.nodes.iter().map(|node| node.cost).max();
        self.buckets.truncate(most.map_or(0, |most| usize::from(most) + ABOVE_ROOT as usize + 1));
        most.is_some()
    }

    /// Adds a node to the tree and its queues.
    pub(super) fn add(&mut self, node: PullNode) {
        let id = self.nodes.len() as u32;
        self.nodes.push(node);
        self.enqueue(id);
    }

    fn enqueue(&mut self, id: u32) {
        let node = self.nodes[id as usize];
        if self.nodes[0].parent == NO && node.parent == NO {
            // The buckets grow with the roots only.
            let most = usize::from(node.cost) + ABOVE_ROOT as usize + 1;
            if self.buckets.len() < most {
                self.buckets.resize_with(most, Bucket::default);
            }
        }
        self.least = self.least.min(node.cost);
        let Some(bucket) = self.buckets.get_mut(usize::from(node.cost)) else { return };
        for (queue, open) in bucket.open[..self.options.queues].iter_mut().enumerate() {
            let noise = self.random.below(50) as i32;
            open.push((-value(queue, node.features, node.depth) - noise, id));
        }
    }

    /// How many queues are used.
    pub(super) fn queues(&self) -> usize {
        self.options.queues
    }

    /// Searches until it has generated so many positions in all, has met the opening, or must halt. `false` if nothing is
    /// left to search.
    pub(super) fn run(&mut self, until: u64, poller: &mut HaltPoller<'_>) -> bool {
        while self.meeting.is_none() && self.figures.generated < until && !poller.poll(self.figures.generated) {
            if self.in_windows * 100 < self.figures.generated * self.options.windows {
                let before = self.figures.generated;
                self.visit_window(poller);
                self.in_windows += (self.figures.generated - before).max(1);
            } else if !self.plain_step(poller) {
                return false;
            }
        }
        true
    }

    /// Expands one node of the next bucket of the pass. `false` if there is none at all.
    fn plain_step(&mut self, poller: &mut HaltPoller<'_>) -> bool {
        for _ in 0..=self.buckets.len() {
            if self.next == 0 {
                self.next = self.buckets.len();
            }
            self.next -= 1;
            if let Some(id) = self.pop(self.next) {
                self.expand(id, poller);
                return true;
            }
            if self.next <= usize::from(self.least) {
                self.next = 0;
            }
        }
        false
    }

    fn pop(&mut self, bucket: usize) -> Option<u32> {
        let queues = self.options.queues;
        let first = self.random.below(queues);
        for queue in 0..queues {
            let open = &mut self.buckets[bucket].open[(first + queue) % queues];
            while let Some((_, id)) = open.pop() {
                let node = &self.nodes[id as usize];
                if !node.is_expanded && usize::from(node.cost) == bucket {
                    return Some(id);
                }
            }
        }
        None
    }

    /// Places the scene at a node; `false` if its boxes reach no targets.
    fn enter(&mut self, id: u32) -> Option<(Set<G>, usize)> {
        let grid = Arc::clone(&self.grid);
        self.chain.clear();
        let mut at = id;
        while self.nodes[at as usize].body == NO {
            self.chain.push(at);
            at = self.nodes[at as usize].parent;
        }
        let body = self.nodes[at as usize].body;
        let (mut boxes, mut player) = self.bodies.load(body, &self.target, &mut self.scene.pairing.matching);
        for &id in self.chain.iter().rev() {
            let PullNode { from, arrival, .. } = self.nodes[id as usize];
            let to = usize::from(arrival / 4);
            player = grid.board.beside(arrival.into()).into();
            boxes.remove(grid.board.cell(from.into()));
            boxes.insert(grid.board.cell(to));
            let row = grid.board.row_at(to, player);
            if !self.scene.pairing.repair(&grid.board, &self.target, from.into(), row) {
                return None;
            }
        }
        Some((boxes, player))
    }

    fn expand(&mut self, id: u32, poller: &mut HaltPoller<'_>) {
        let Some((boxes, player)) = self.enter(id) else { return };
        let total = self.scene.pairing.total();
        let node = self.nodes[id as usize];
        if total > i32::from(node.cost) {
            self.nodes[id as usize].cost = total as u16;
            self.enqueue(id);
            return;
        }
        let grid = Arc::clone(&self.grid);
        self.figures.expanded += 1;
        if node.arrival != NONE {
            self.visits[usize::from(node.arrival / 4)] += 1;
        }
        self.nodes[id as usize].is_expanded = true;
        if node.body == NO {
            self.nodes[id as usize].body = self.bodies.push(boxes, player, &self.scene.pairing.matching);
            self.windows_had.push(0);
        }
        self.buckets[usize::from(node.cost)].expanded.push((-value(0, node.features, node.depth), id));
        self.scene.place(&grid, &self.target, boxes, player);
        self.scene.measure(&grid);
        for place in 0..self.scene.pulls.len() {
            let pull = self.scene.pulls[place];
            if !poller.take() {
                return;
            }
            self.figures.generated += 1;
            let Some(cost) = self.scene.cost_after(&self.target, pull).filter(|&cost| cost <= total + RISE) else {
                continue;
            };
            let zone = self.scene.zone_after(&grid, pull);
            let key = grid.keys.position(self.scene.boxes_key_after(&grid, pull), zone.lowest());
            if self.seen.insert(key, ()).is_some() {
                self.figures.duplicates += 1;
                continue;
            }
            let features = self.scene.features_after(&grid, &self.target, pull, zone);
            let Pull { from, step: Step { arrival, .. } } = pull;
            let (cost, depth) = (cost as u16, node.depth.saturating_add(1));
            let child = self.nodes.len() as u32;
            self.add(PullNode { parent: id, body: NO, is_expanded: false, from, arrival, cost, depth, features });
            if let Some(at) = self.opening.find(key) {
                self.meeting = Some((child, at));
                return;
            }
        }
    }

    /// Searches in a window of an expanded node.
    fn visit_window(&mut self, poller: &mut HaltPoller<'_>) {
        let filled = self.buckets.iter().filter(|bucket| !bucket.expanded.is_empty()).count();
        if filled == 0 {
            return;
        }
        let most = if self.random.below(5) == 0 { 0 } else { self.random.below(filled) };
        let place = self.random.below(most + 1);
        let Some(bucket) = self.buckets.iter_mut().filter(|bucket| !bucket.expanded.is_empty()).nth(place) else {
            return;
        };
        let Some((key, id)) = bucket.expanded.pop() else { return };
        bucket.expanded.push((key - VISIT_PENALTY, id));
        let body = self.nodes[id as usize].body as usize;
        let visit = self.windows_had[body];
        self.windows_had[body] = visit.saturating_add(1);
        let Some((boxes, player)) = self.enter(id) else { return };
        let mut windows = std::mem::replace(&mut self.windows, Windows::new(0));
        windows.search(self, id, visit, boxes, player, poller);
        self.windows = windows;
    }

    /// The pushes to the opening's position that was met, and from there the pulls undone.
    pub(super) fn solution(&self) -> Option<Vec<Push>> {
        let (id, at) = self.meeting?;
        let board = &*self.grid.board;
        let mut pushes = self.opening.pushes_to(board, at);
        pushes.extend(self.way_to(id).map(|node| {
            let (to, direction) = (usize::from(node.arrival / 4), Direction::ALL[usize::from(node.arrival % 4)]);
            Push { from: board.square(board.cell(to)), direction: direction.opposite() }
        }));
        Some(pushes)
    }

    /// The nodes from one up to its root, without the root.
    fn way_to(&self, id: u32) -> impl Iterator<Item = &PullNode> {
        let node = |id: u32| &self.nodes[id as usize];
        std::iter::successors(Some(node(id)), move |last| (last.parent != NO).then(|| node(last.parent)))
            .take_while(|node| node.parent != NO)
    }

    /// The cheapest position.
    pub(super) fn nearest(&self) -> Nearest {
        let board = &*self.grid.board;
        let cheapest = (0..self.nodes.len() as u32).min_by_key(|&id| self.nodes[id as usize].cost).unwrap_or(0);
        let way: Vec<&PullNode> = self.way_to(cheapest).collect();
        let mut boxes: Set<G> = board.goals().iter().map(|&goal| board.cell(goal.into())).collect();
        for node in way.iter().rev() {
            boxes.remove(board.cell(node.from.into()));
            boxes.insert(board.cell(usize::from(node.arrival / 4)));
        }
        let free = self.grid.plane.floor.without(boxes);
        let player = way.first().map_or(free.lowest(), |node| board.beside(node.arrival.into()).into());
        Nearest {
            boxes: boxes.iter().map(|cell| board.square(cell)).collect(),
            player: board.square(player),
            backwards: true,
            to_go: self.nodes[cheapest as usize].cost.into(),
        }
    }

    pub(super) fn bytes(&self) -> usize {
        self.nodes.capacity() * (size_of::<PullNode>() + self.options.queues * 8)
            + self.bodies.bytes()
            + self.opening.bytes()
            + self.seen.capacity() * 9
    }
}

/// The key of a position in a queue, in hundredths; small ones first.
pub(super) fn value(queue: usize, features: PullFeatures, depth: u16) -> i32 {
    let PullFeatures { access, closed, off, pulls } = features;
    let [access, closed, off, pulls, depth] = [access, closed, off, pulls, depth].map(i32::from);
    match queue {
        0 => 300 * access + 30 * closed - 30 * pulls + 5 * depth,
        1 => 100 * closed + 300 * off + 5 * depth,
        2 => 300 * off + 100 * access + 5 * depth,
        _ => -100 * pulls + 30 * closed + 100 * access,
    }
}
