//! Windows: small searches around a box, with everything else standing still.
//!
//! Around a box off its target, or beside the player, boxes move freely for a while, also away from their targets; the
//! player walks the whole board. Positions that cost less than the first, or as much with more room for the player, become
//! nodes of the pull search. A node that is visited again gets larger windows and more work.

use crate::opened::pulls::{Bodies, NO, PullNode, PullSearch, value};
use crate::opened::scene::{Pull, PullFeatures};
use crate::strategy::HaltPoller;
use lurd_level::Direction;
use lurd_rules::ByKey;
use lurd_rules::dense::set::Set;
use std::collections::BinaryHeap;

/// Positions expanded in a first window; doubled with each visit.
const EXPANSIONS: usize = 150;
/// Doubled at most so often.
const MOST_DOUBLINGS: u8 = 6;
/// How much dearer than the first a position may be; more with each visit.
const SLACK: i32 = 3;
/// Free cells that a position of the same cost must win.
const ROOM: u32 = 2;
/// Results taken over for each queue.
const RESULTS: usize = 2;

/// A position of a window.
#[derive(Clone, Copy, Debug)]
struct Inner<const G: usize> {
    parent: u32,
    body: u32,
    from: u16,
    arrival: u16,
    cost: i32,
    depth: u16,
    /// The boxes that may move.
    mobile: Set<G>,
}

/// A child of an inner position that is worth a node.
#[derive(Clone, Copy, Debug)]
struct Found {
    parent: u32,
    pull: Pull,
    cost: u16,
    key: u64,
    features: PullFeatures,
}

pub(super) struct Windows<const G: usize> {
    inner: Vec<Inner<G>>,
    bodies: Bodies<G>,
    open: BinaryHeap<(i32, u32)>,
    known: ByKey<()>,
    found: Vec<Found>,
}

impl<const G: usize> Windows<G> {
    pub(super) fn new(targets: usize) -> Self {
        Self {
            inner: Vec::new(),
            bodies: Bodies::new(targets),
            open: BinaryHeap::new(),
            known: ByKey::default(),
            found: Vec::new(),
        }
    }

    /// Searches a window of the node `id`, whose matching is that of the scene.
    pub(super) fn search(
        &mut self,
        search: &mut PullSearch<G>,
        id: u32,
        visit: u8,
        boxes: Set<G>,
        player: usize,
        poller: &mut HaltPoller<'_>,
    ) {
        let grid = std::sync::Arc::clone(&search.grid);
        self.inner.clear();
        self.bodies.clear();
        self.open.clear();
        self.known.clear();
        self.found.clear();
        let base = search.scene.pairing.total();
        let zone = grid.plane.zone(grid.plane.floor.without(boxes), player);
        let misplaced = boxes.or(search.target_cells).without(boxes.and(search.target_cells));
        let beside = boxes.and(grid.plane.beside(zone));
        let foci = if search.random.below(4) == 0 || misplaced.is_empty() { beside } else { misplaced };
        let count = foci.len() as usize;
        if count == 0 {
            return;
        }
        let Some(focus) = foci.iter().nth(search.random.below(count)) else { return };
        let radius = 2 + usize::from(visit).div_ceil(2);
        let mut window = Set::single(focus);
        for (one, other) in [(Direction::Left, Direction::Right), (Direction::Up, Direction::Down)] {
            for _ in 0..radius {
                window = window.or(grid.plane.shifted(window, one)).or(grid.plane.shifted(window, other));
            }
        }
        let by_squares = search.random.below(2) == 0;
        let slack = SLACK + i32::from(visit) / 2;
        let most = EXPANSIONS << visit.min(MOST_DOUBLINGS);
        let body = self.bodies.push(boxes, player, &search.scene.pairing.matching);
        let mobile = boxes.and(window);
        self.inner.push(Inner { parent: NO, body, from: 0, arrival: 0, cost: base, depth: 0, mobile });
        self.open.push((0, 0));
        self.known.insert(
            grid.keys.position(boxes.iter().fold(0, |key, cell| key ^ grid.keys.of_box(cell)), zone.lowest()),
            (),
        );
        let mut expanded = 0;
        while let Some((_, at)) = self.open.pop().filter(|_| expanded < most) {
            let Inner { parent, body, from, arrival, cost, depth, mobile } = self.inner[at as usize];
            let matching = &mut search.scene.pairing.matching;
            let (boxes, player) = if body == NO {
                let above = self.inner[parent as usize].body;
                let (mut boxes, _) = self.bodies.load(above, &search.target, matching);
                let to = usize::from(arrival / 4);
                let player = usize::from(grid.board.beside(arrival.into()));
                boxes.remove(grid.board.cell(from.into()));
                boxes.insert(grid.board.cell(to));
                let row = grid.board.row_at(to, player);
                if !search.scene.pairing.repair(&grid.board, &search.target, from.into(), row) {
                    continue;
                }
                (boxes, player)
            } else {
                self.bodies.load(body, &search.target, matching)
            };
            let total = search.scene.pairing.total();
            if total > cost {
                self.inner[at as usize].cost = total;
                if total <= base + slack {
                    self.open.push((-order(total - base, depth), at));
                }
                continue;
            }
            expanded += 1;
            search.figures.expanded += 1;
            self.inner[at as usize].body = self.bodies.push(boxes, player, &search.scene.pairing.matching);
            search.scene.place(&grid, &search.target, boxes, player);
            let mut is_measured = false;
            for place in 0..search.scene.pulls.len() {
                let pull = search.scene.pulls[place];
                let (from, to) = (grid.board.cell(pull.from.into()), grid.board.cell(pull.step.to.into()));
                let is_inside =
                    if by_squares { window.contains(from) && window.contains(to) } else { mobile.contains(from) };
                if !is_inside {
                    continue;
                }
                if !poller.take() || poller.poll(search.figures.generated) {
                    return;
                }
                search.figures.generated += 1;
                let cost = search.scene.cost_after(&search.target, pull);
                let Some(cost) = cost.filter(|&cost| cost <= base + slack) else { continue };
                let after = search.scene.zone_after(&grid, pull);
                let key = grid.keys.position(search.scene.boxes_key_after(&grid, pull), after.lowest());
                if self.known.insert(key, ()).is_some() {
                    continue;
                }
                let is_met = search.opening.find(key).is_some();
                let is_better = cost < base || cost == base && after.len() >= zone.len() + ROOM;
                if is_met || is_better && !search.seen.contains_key(&key) {
                    if !std::mem::replace(&mut is_measured, true) {
                        search.scene.measure(&grid);
                    }
                    let features = search.scene.features_after(&grid, &search.target, pull, after);
                    let found = Found { parent: at, pull, cost: cost as u16, key, features };
                    if is_met {
                        self.adopt(search, id, found);
                        return;
                    }
                    self.found.push(found);
                }
                let mut moved = mobile;
                moved.remove(from);
                moved.insert(to);
                let child = self.inner.len() as u32;
                let depth = depth + 1;
                self.inner.push(Inner {
                    parent: at,
                    body: NO,
                    from: pull.from,
                    arrival: pull.step.arrival,
                    cost,
                    depth,
                    mobile: moved,
                });
                self.open.push((-order(cost - base, depth), child));
            }
        }
        for queue in 0..search.queues() {
            let key = |found: &Found| (found.cost.min(base as u16), value(queue, found.features, 0));
            self.found.sort_by_key(key);
            for place in 0..self.found.len().min(RESULTS) {
                let found = self.found[place];
                self.adopt(search, id, found);
            }
        }
    }

    /// Makes a node of the pull search, with those on the way to it.
    fn adopt(&self, search: &mut PullSearch<G>, id: u32, found: Found) {
        if search.seen.insert(found.key, ()).is_some() && search.opening.find(found.key).is_none() {
            return;
        }
        let mut way = Vec::new();
        let mut at = found.parent;
        while self.inner[at as usize].parent != NO {
            way.push(at);
            at = self.inner[at as usize].parent;
        }
        let base = search.nodes[id as usize];
        let mut parent = id;
        for &at in way.iter().rev() {
            let Inner { from, arrival, depth, cost, .. } = self.inner[at as usize];
            let depth = base.depth.saturating_add(depth);
            let (cost, features) = (cost as u16, base.features);
            // Nobody expands it: it is in no queue.
            let node = PullNode { parent, body: NO, is_expanded: true, from, arrival, cost, depth, features };
            parent = search.nodes.len() as u32;
            search.nodes.push(node);
        }
        let Pull { from, step } = found.pull;
        let depth = base.depth.saturating_add(way.len() as u16 + 1);
        let last = search.nodes.len() as u32;
        let (cost, features) = (found.cost, found.features);
        let arrival = step.arrival;
        search.add(PullNode { parent, body: NO, is_expanded: false, from, arrival, cost, depth, features });
        if let Some(at) = search.opening.find(found.key) {
            search.meeting = Some((last, at));
        }
    }
}

/// The order of a window: cost first, depth a third of it.
fn order(rise: i32, depth: u16) -> i32 {
    3 * rise + i32::from(depth)
}
