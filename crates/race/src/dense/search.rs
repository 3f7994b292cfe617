//! Greedy best-first search (Doran and Michie 1966) over pushes or pulls.
//!
//! The key of a position is the cost of the minimum-cost matching of its boxes with the targets of the side: goals
//! forwards, start squares backwards. The lowest key goes first, the newest position first among equals, and each
//! position is expanded once. A child is an entry of one word in the open list, its key a lower bound; it becomes a
//! position when it is popped.

use crate::bucket_queue::BucketQueue;
use crate::dense::memory::{IdleQueue, Shared};
use crate::dense::positions::{DensePosition, Inserted, NO_POSITION};
use crate::dense::solution_path;
use crate::observe::{Nearest, Snapshot};
use crate::strategy::{Grant, Halt, SliceEnd, Strategy};
use lurd_base::sync::lock;
use lurd_level::Direction;
use lurd_rules::Figures;
use lurd_rules::cuts::Rule;
use lurd_rules::dense::board::{DenseBoard, NONE, Plane, Side, Step};
use lurd_rules::dense::capacity::Capacities;
use lurd_rules::dense::corral::{CorralRules, CorralVerdict};
use lurd_rules::dense::dead_sets::DeadSets;
use lurd_rules::dense::learned_index::LearnedIndex;
use lurd_rules::dense::matching::{Matcher, Matching};
use lurd_rules::dense::pair_interaction::PairInteraction;
use lurd_rules::dense::set::Set;
use lurd_rules::groups::subsets::MOST;
use std::sync::{Arc, Mutex};

/// The direction, the moves and the key of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    /// Pull by single squares.
    Backward,
    /// Push by single squares.
    Forward,
    /// Pull a box any number of squares at a time.
    BackwardMacro,
    /// Push a box any number of squares at a time.
    ForwardMacro,
    /// Pull by single squares, with the interactions of pairs of boxes added to the key.
    BackwardInteraction,
}

impl Order {
    pub(crate) fn side(self) -> Side {
        match self {
            Self::Forward | Self::ForwardMacro => Side::Forward,
            Self::Backward | Self::BackwardMacro | Self::BackwardInteraction => Side::Backward,
        }
    }
}

/// One pop in so many is a roving one.
const ROVING_INTERVAL: u64 = 8;

/// Pops between two polls of the halt and of the memory.
const POLL_INTERVAL: u64 = 256;

/// When memory is full, a search ends that has expanded this many times the positions there is room for since its
/// lowest key was found.
const STALL_FACTOR: u64 = 2;

/// Cached matchings, for the children of positions expanded lately.
const CACHED_MATCHINGS: usize = 1 << 12;

/// A size of the tables is begun when there are no more sets than this times the positions expanded: about when the
/// search has taken as long as the table will; later for the sizes that cut less.
const TABLE_SHARE: [u64; MOST + 1] = [8, 8, 8, 8, 8, 2, 1];

/// States of a table built, or children generated, between two polls of the halt.
const POLL_WORK: u64 = 4096;

/// In an entry, in place of the square a box comes from: the position is in the table already.
const IN_TABLE: u64 = 1023;

/// The largest sum of interactions that an entry holds.
const MOST_INTERACTION: u32 = 1023;

pub(crate) struct Greedy<const L: usize, const G: usize> {
    shared: Arc<Shared<L>>,
    plane: Plane<G>,
    order: Order,
    side: Side,
    mark: u8,
    queue: BucketQueue,
    /// Where the open list is while the search does not run.
    idle: Arc<Mutex<IdleQueue>>,
    /// The epoch of the shared memory when the open list was last taken.
    epoch: u64,
    dead_sets: DeadSets,
    /// The largest finished size of dead sets.
    size: usize,
    matcher: Matcher,
    matching: Matching,
    matching_cache: Vec<(u32, Matching)>,
    /// The target matched with the box on each live square.
    target_of: Vec<u16>,
    /// For each live square, the sides from which a macro has reached it.
    seen: Vec<u8>,
    interactions: Option<PairInteraction>,
    /// Rules for pushes.
    rules: Option<CorralRules<G>>,
    /// Dead sets that other searches have learned about pushes.
    learned: Option<LearnedIndex<L>>,
    /// Made with the first table; not used for pushes.
    capacities: Option<Capacities<L>>,
    macro_queue: Vec<(u16, Set<G>)>,
    figures: Figures,
    /// How often a box was moved to each live square.
    visits: Vec<u64>,
    /// The position with the lowest key, and that key.
    nearest: Option<(usize, u32)>,
    /// Positions expanded when the lowest key was found.
    progress: u64,
    started: bool,
    /// Something was dropped: an empty open list proves nothing.
    lossy: bool,
    queue_bytes: usize,
    end: Option<SliceEnd>,
}

/// A position that was popped, with everything the expansion needs.
struct OpenNode<const L: usize, const G: usize> {
    id: u32,
    interaction: u32,
    arrival: u16,
    boxes: Set<L>,
    cells: Set<G>,
    zone: Set<G>,
}

impl<const L: usize, const G: usize> Greedy<L, G> {
    pub(crate) fn new(shared: &Arc<Shared<L>>, order: Order) -> Self {
        let board = &shared.board;
        let side = order.side();
        let (number, idle) = shared.join();
        let boxes = board.boxes();
        Self {
            shared: Arc::clone(shared),
            plane: board.plane(),
            order,
            side,
            mark: 1 << (number % 8),
            queue: BucketQueue::new(ROVING_INTERVAL),
            idle,
            epoch: 0,
            dead_sets: shared.tables[side as usize].patterns(),
            size: 1,
            matcher: Matcher::new(board.way(side), boxes),
            matching: Matching::empty(boxes),
            matching_cache: Vec::new(),
            target_of: vec![0; board.live_count()],
            seen: vec![0; board.live_count()],
            interactions: None,
            rules: (side == Side::Forward).then(|| CorralRules::new(board)),
            learned: (side == Side::Forward).then(|| LearnedIndex::new(board)),
            capacities: None,
            macro_queue: Vec::new(),
            figures: Figures::default(),
            visits: vec![0; board.live_count()],
            nearest: None,
            progress: 0,
            started: false,
            // With a mark that two searches share, neither knows what it has expanded itself.
            lossy: number >= 8,
            queue_bytes: 0,
            end: None,
        }
    }

    /// Inserts the roots of both sides.
    fn start(&mut self) -> Option<SliceEnd> {
        let shared = Arc::clone(&self.shared);
        let board = &shared.board;
        if board.is_hopeless() {
            return Some(SliceEnd::Unsolvable);
        }
        if self.order == Order::BackwardInteraction {
            self.interactions = PairInteraction::new::<G>(board, self.side);
        }
        for side in [Side::Forward, Side::Backward] {
            let (squares, mut rest) = match side {
                Side::Forward => (board.starts(), Set::single(board.start_player())),
                Side::Backward => (board.goals(), self.plane.floor),
            };
            let mut boxes = Set::<L>::EMPTY;
            squares.iter().for_each(|&square| boxes.insert(square.into()));
            let cells = self.cells(boxes);
            let free = self.plane.floor.without(cells);
            rest = rest.and(free);
            while !rest.is_empty() {
                let zone = self.plane.zone(free, rest.lowest());
                rest = rest.without(zone);
                let is_own = side == self.side;
                let interaction = if is_own { self.whole_interaction(boxes, zone) } else { 0 };
                let root = DensePosition {
                    boxes,
                    parent: NO_POSITION,
                    from: NONE,
                    arrival: NONE,
                    zone: zone.lowest() as u16,
                    marks: if is_own { self.mark } else { 0 },
                    side,
                };
                match shared.positions.insert(root) {
                    // The start is solved.
                    Inserted::Met(_) => return Some(SliceEnd::Solved(Vec::new())),
                    Inserted::New(id) | Inserted::Shared(id) if is_own => {
                        self.queue.push(0, entry(id, IN_TABLE as usize, 0, interaction));
                    }
                    _ => {}
                }
            }
        }
        None
    }

    fn cells(&self, boxes: Set<L>) -> Set<G> {
        let mut cells = Set::EMPTY;
        boxes.iter().for_each(|square| cells.insert(self.shared.board.cell(square)));
        cells
    }

    /// Pops and expands one entry. `None` to go on.
    fn step(&mut self, shared: &Shared<L>, grant: &mut Grant<'_>) -> Option<SliceEnd> {
        let Some((key, next)) = self.queue.pop() else {
            return Some(match (self.lossy, self.figures.forgot) {
                (false, _) => SliceEnd::Unsolvable,
                (true, 0) => SliceEnd::Spent,
                (true, _) => SliceEnd::OutOfMemory,
            });
        };
        let board = &*shared.board;
        let (owner, from, arrival) = ((next >> 32) as u32, next >> 12 & 1023, (next & 4095) as usize);
        let interaction = (next >> 22 & 1023) as u32;
        let node = if from == IN_TABLE {
            let DensePosition { boxes, arrival, zone, .. } = shared.positions.get(owner);
            let cells = self.cells(boxes);
            if !self.load_matching(owner) && !self.solve(boxes, zone.into()) {
                self.figures.cuts.count(Rule::Bipartite);
                return None;
            }
            let zone = self.plane.zone(self.plane.floor.without(cells), zone.into());
            OpenNode { id: owner, interaction, arrival, boxes, cells, zone }
        } else {
            let (from, to) = (from as usize, arrival / 4);
            let mut boxes = shared.positions.get(owner).boxes;
            boxes.remove(from);
            boxes.insert(to);
            let cells = self.cells(boxes);
            let player = usize::from(board.beside(arrival));
            let zone = self.plane.zone(self.plane.floor.without(cells), player);
            let reached = DensePosition {
                boxes,
                parent: owner,
                from: from as u16,
                arrival: arrival as u16,
                zone: zone.lowest() as u16,
                marks: self.mark,
                side: self.side,
            };
            let id = match shared.positions.insert(reached) {
                Inserted::Known => {
                    self.figures.duplicates += 1;
                    return None;
                }
                Inserted::Met(other) => {
                    return Some(SliceEnd::Solved(solution_path::pushes(shared, &self.plane, reached, other)));
                }
                Inserted::New(id) | Inserted::Shared(id) => id,
            };
            if self.dead_sets.dead_larger(arrival, boxes) {
                self.figures.cuts.count(Rule::DeadSet);
                return None;
            }
            if self.learned.as_ref().is_some_and(|learned| learned.are_dead(arrival, boxes)) {
                self.figures.cuts.count(Rule::Learned);
                return None;
            }
            let alive = if self.load_matching(owner) {
                let row = board.row_at(to, player);
                self.matcher.repair(board, board.way(self.side), &mut self.matching, from, row)
            } else {
                self.solve(boxes, player)
            };
            if !alive {
                self.figures.cuts.count(Rule::Bipartite);
                return None;
            }
            OpenNode { id, interaction, arrival: reached.arrival, boxes, cells, zone }
        };
        self.store_matching(node.id);
        let value = (self.matching.total.max(0) as u32 + node.interaction) as usize;
        if value > key {
            self.queue.push(value, entry(node.id, IN_TABLE as usize, 0, node.interaction));
            return None;
        }
        self.figures.expanded += 1;
        if node.arrival != NONE {
            self.visits[usize::from(node.arrival) / 4] += 1;
        }
        if self.nearest.is_none_or(|(least, _)| value < least) {
            self.nearest = Some((value, node.id));
            self.progress = self.figures.expanded;
        }
        self.expand(board, &node, grant);
        None
    }

    /// Makes the cached matching of a position the current one.
    fn load_matching(&mut self, id: u32) -> bool {
        let Some((owner, matching)) = self.matching_cache.get(id as usize % CACHED_MATCHINGS) else { return false };
        let known = *owner == id;
        if known {
            self.matching.copy_from(matching);
        }
        known
    }

    fn store_matching(&mut self, id: u32) {
        if self.matching_cache.is_empty() {
            self.matching_cache = vec![(NO_POSITION, Matching::empty(0)); CACHED_MATCHINGS];
        }
        let (owner, matching) = &mut self.matching_cache[id as usize % CACHED_MATCHINGS];
        *owner = id;
        matching.copy_from(&self.matching);
    }

    /// Matches the boxes of a position, starting from the duals of the last one.
    fn solve(&mut self, boxes: Set<L>, player: usize) -> bool {
        let board = &self.shared.board;
        let rows = boxes.iter().map(|square| board.row_at(square, player));
        self.matcher.solve(board.way(self.side), &mut self.matching, rows)
    }

    /// Pushes the children of a position into the open list.
    fn expand(&mut self, board: &DenseBoard, node: &OpenNode<L, G>, grant: &mut Grant<'_>) {
        self.matcher.look_at(&self.matching);
        for (target, &row) in self.matching.rows.iter().enumerate() {
            self.target_of[board.row_live(row)] = target as u16;
        }
        let steps = &board.way(self.side).steps;
        let free = self.plane.floor.without(node.cells);
        let mut movable = node.cells;
        let mut into = self.plane.floor;
        if let Some(rules) = &self.rules {
            if rules.is_frozen(node.cells) {
                self.figures.cuts.count(Rule::Freeze);
                return;
            }
            if node.arrival != NONE && rules.is_gate(node.arrival.into()) {
                movable = Set::single(board.cell(usize::from(node.arrival) / 4));
            } else {
                match rules.judge::<L>(board, &self.dead_sets, node.cells, node.zone) {
                    CorralVerdict::Open => {}
                    CorralVerdict::Only { boxes, into: area } => (movable, into) = (boxes, area),
                    CorralVerdict::Dead => {
                        self.figures.cuts.count(Rule::Corral);
                        return;
                    }
                }
            }
        }
        // Where a rule says which push comes next, a macro would only skip it.
        let free_choice = movable == node.cells && into == self.plane.floor;
        if free_choice && matches!(self.order, Order::BackwardMacro | Order::ForwardMacro) {
            self.expand_macros(board, node, grant);
            return;
        }
        for direction in Direction::ALL {
            let back = direction.opposite();
            let candidates = match self.side {
                Side::Forward => self.plane.shifted(node.zone, direction).and(self.plane.shifted(free, back)),
                Side::Backward => {
                    let beyond = self.plane.shifted(self.plane.shifted(free, back), back);
                    self.plane.shifted(node.zone, back).and(beyond)
                }
            };
            for cell in candidates.and(movable).iter() {
                let from = usize::from(board.live_at(cell));
                let step = &steps[4 * from + direction as usize];
                if step.to == NONE || !into.contains(board.cell(step.to.into())) {
                    continue;
                }
                if !grant.take() {
                    return;
                }
                let mut others = node.boxes;
                others.remove(from);
                if self.is_dead(step, others) {
                    continue;
                }
                if self.capacities.as_ref().is_some_and(|capacities| capacities.overflow(step.row, others)) {
                    self.figures.cuts.count(Rule::Bipartite);
                    continue;
                }
                self.add_child(board, node, from, others, step);
            }
        }
    }

    /// Counts a child; whether the moved box is in a small dead set with the others.
    #[inline]
    fn is_dead(&mut self, step: &Step, others: Set<L>) -> bool {
        self.figures.generated += 1;
        let arrival = usize::from(step.arrival);
        let dead = self.dead_sets.dead_pair(arrival, others) || self.dead_sets.dead_triple(arrival, others);
        if dead {
            self.figures.cuts.count(Rule::DeadSet);
        }
        dead
    }

    #[inline]
    fn add_child(&mut self, board: &DenseBoard, node: &OpenNode<L, G>, from: usize, others: Set<L>, step: &Step) {
        let arrival = usize::from(step.arrival);
        let interaction = self.child_interaction(board, node, from, others, arrival);
        let key = (self.bound(board, from, step.row) + interaction) as usize;
        self.queue.push(key, entry(node.id, from, arrival, interaction));
    }

    /// The interactions of a child: only the pairs of the moved box differ.
    #[inline]
    fn child_interaction(
        &self,
        board: &DenseBoard,
        node: &OpenNode<L, G>,
        from: usize,
        others: Set<L>,
        arrival: usize,
    ) -> u32 {
        let Some(interactions) = &self.interactions else { return 0 };
        let side = sides(board, from, node.zone).trailing_zeros() as usize;
        let before = if side < 4 { interactions.of(4 * from + side, others) } else { 0 };
        (node.interaction + interactions.of(arrival, others)).saturating_sub(before).min(MOST_INTERACTION)
    }

    /// The interactions of all pairs of boxes.
    fn whole_interaction(&self, boxes: Set<L>, zone: Set<G>) -> u32 {
        let Some(interactions) = &self.interactions else { return 0 };
        let board = &self.shared.board;
        let player = zone.lowest();
        let mut sum = 0;
        for first in boxes.iter() {
            for second in boxes.iter().filter(|&second| second > first) {
                let mut free = self.plane.floor;
                free.remove(board.cell(first));
                free.remove(board.cell(second));
                let zone = self.plane.zone(free, player);
                for (square, other) in [(first, second), (second, first)] {
                    let side = sides(board, square, zone).trailing_zeros() as usize;
                    if side < 4 {
                        sum += interactions.of(4 * square + side, Set::<L>::single(other));
                        break;
                    }
                }
            }
        }
        sum.min(MOST_INTERACTION)
    }

    /// A lower bound for the key of a child, mostly exact.
    #[inline]
    fn bound(&self, board: &DenseBoard, from: usize, row: u16) -> u32 {
        let way = board.way(self.side);
        let share = self.matcher.share(way, &self.matching, self.target_of[from].into());
        (self.matching.total - share + self.matcher.reduced(way, row)).max(0) as u32
    }

    /// The macros of each box: every square and side of it that it reaches while the others stand still is a child.
    fn expand_macros(&mut self, board: &DenseBoard, node: &OpenNode<L, G>, grant: &mut Grant<'_>) {
        let steps = &board.way(self.side).steps;
        let mut queue = std::mem::take(&mut self.macro_queue);
        'boxes: for from in node.boxes.iter() {
            self.seen.fill(0);
            let mut others = node.boxes;
            others.remove(from);
            let mut around = node.cells;
            around.remove(board.cell(from));
            let floor = self.plane.floor.without(around);
            queue.clear();
            queue.push((from as u16, node.zone));
            self.seen[from] = sides(board, from, node.zone);
            let mut next = 0;
            while let Some(&(square, zone)) = queue.get(next) {
                next += 1;
                for step in &steps[4 * usize::from(square)..][..4] {
                    if step.to == NONE || !zone.contains(step.reach.into()) || around.contains(step.clear.into()) {
                        continue;
                    }
                    let to = usize::from(step.to);
                    if self.seen[to] >> (step.arrival % 4) & 1 != 0 || around.contains(board.cell(to)) {
                        continue;
                    }
                    if !grant.take() {
                        break 'boxes;
                    }
                    let mut free = floor;
                    free.remove(board.cell(to));
                    let zone = self.plane.zone(free, step.lands.into());
                    self.seen[to] |= sides(board, to, zone);
                    if !self.is_dead(step, others) {
                        queue.push((step.to, zone));
                        self.add_child(board, node, from, others, step);
                    }
                }
            }
        }
        self.macro_queue = queue;
    }

    /// Works on the tables when the search has taken about as long as the next size will. Returns the work left.
    fn build(&mut self, work: u64) -> u64 {
        let tables = &self.shared.tables[self.side as usize];
        let mut left = work;
        if let Some((size, sets)) = tables.next()
            && self.figures.expanded * TABLE_SHARE[size] >= sets as u64
        {
            left = tables.build(work);
        }
        if tables.finished() != self.size {
            self.size = tables.finished();
            self.dead_sets = tables.patterns();
            if self.side == Side::Backward && self.capacities.is_none() {
                self.capacities = Some(Capacities::new(&self.shared.board, self.side));
            }
        }
        left
    }

    /// Keeps within the memory by dropping what is least useful. `Some` when that is no longer possible.
    fn check_memory(&mut self, halt: &Halt) -> Option<SliceEnd> {
        let shared = Arc::clone(&self.shared);
        let mut idle = lock(&self.idle);
        let bytes = idle.queue.bytes()
            + self.interactions.as_ref().map_or(0, PairInteraction::bytes)
            + self.learned.as_ref().map_or(0, LearnedIndex::bytes)
            + self.capacities.as_ref().map_or(0, Capacities::bytes)
            + CACHED_MATCHINGS * (64 + 6 * shared.board.boxes());
        shared.account(self.queue_bytes, bytes);
        self.queue_bytes = bytes;
        if bytes > shared.queue_share() && idle.queue.spare() < bytes / 16 {
            self.lossy = true;
            self.figures.forgot += 1;
            if !idle.queue.drop_worst() {
                return Some(SliceEnd::OutOfMemory);
            }
        }
        drop(idle);
        if !shared.is_full() {
            return None;
        }
        self.figures.forgot += 1;
        let places = shared.positions.places().0 as u64;
        let stalled = self.figures.expanded - self.progress > STALL_FACTOR * places;
        // The memory of a stalled search is worth more to the others.
        (stalled || !shared.free_memory(&|| halt.is_requested())).then_some(SliceEnd::OutOfMemory)
    }

    /// Takes the open list; if positions were dropped meanwhile, the cached matchings are no longer those of their
    /// positions.
    fn acquire_queue(&mut self, idle: &mut IdleQueue) {
        std::mem::swap(&mut self.queue, &mut idle.queue);
        let epoch = self.shared.epoch();
        if epoch != self.epoch {
            self.epoch = epoch;
            self.lossy = true;
            self.matching_cache.clear();
        }
    }

    /// Puts the open list where others can drop entries of it.
    fn release_queue(&mut self, idle: &mut IdleQueue) {
        std::mem::swap(&mut self.queue, &mut idle.queue);
        idle.nearest = self.nearest.map(|(_, id)| id);
    }
}

impl<const L: usize, const G: usize> Drop for Greedy<L, G> {
    /// Nothing is kept for a search that has ended.
    fn drop(&mut self) {
        let mut idle = lock(&self.idle);
        idle.queue.clear();
        idle.nearest = None;
        self.shared.account(self.queue_bytes, 0);
    }
}

/// The sides of a box on `square` that a zone touches, a bit each.
fn sides<const G: usize>(board: &DenseBoard, square: usize, zone: Set<G>) -> u8 {
    let touches = |&direction: &usize| {
        let cell = board.beside(4 * square + direction);
        cell != NONE && zone.contains(cell.into())
    };
    (0..4).filter(touches).map(|direction| 1 << direction).sum()
}

/// An entry of the open list: a move of a position, or a position ([`IN_TABLE`]), and the interactions.
fn entry(owner: u32, from: usize, arrival: usize, interaction: u32) -> u64 {
    u64::from(owner) << 32 | u64::from(interaction) << 22 | (from as u64) << 12 | arrival as u64
}

impl<const L: usize, const G: usize> Strategy for Greedy<L, G> {
    fn name(&self) -> &'static str {
        match self.order {
            Order::Backward => "greedy backward search",
            Order::Forward => "greedy forward search",
            Order::BackwardMacro => "greedy backward search, macro pulls",
            Order::ForwardMacro => "greedy forward search, macro pushes",
            Order::BackwardInteraction => "greedy backward search, pair interactions",
        }
    }

    fn run(&mut self, work: u64, halt: &Halt) -> SliceEnd {
        if let Some(end) = &self.end {
            return end.clone();
        }
        let shared = Arc::clone(&self.shared);
        if let Some(learned) = &mut self.learned {
            learned.refresh(&shared.board, &shared.learned);
        }
        if !self.started {
            self.started = true;
            self.end = self.start();
            let idle = Arc::clone(&self.idle);
            self.release_queue(&mut lock(&idle));
        }
        let mut grant = halt.grant();
        let mut left = work;
        while self.end.is_none() && left > 0 && !halt.is_requested() {
            let spent = left - self.build(left.min(POLL_WORK));
            left -= spent;
            if spent > 0 {
                continue;
            }
            halt.publish(self);
            let before = self.figures.generated;
            let idle = Arc::clone(&self.idle);
            let mut idle = lock(&idle);
            self.acquire_queue(&mut idle);
            for _ in 0..POLL_INTERVAL {
                self.end = self.step(&shared, &mut grant);
                // Where positions were refused, the open list lacks some and its end means nothing.
                let ends = self.end.is_some() || halt.nodes().is_exhausted();
                if ends || self.figures.generated - before > POLL_WORK {
                    break;
                }
            }
            self.release_queue(&mut idle);
            drop(idle);
            left = left.saturating_sub(self.figures.generated - before + POLL_INTERVAL);
            if self.end.is_none() {
                self.end = self.check_memory(halt);
            }
        }
        self.end.clone().unwrap_or(SliceEnd::Open)
    }

    fn bytes(&self) -> usize {
        // What all searches share is counted by `Dense`.
        self.queue_bytes
    }

    fn figures(&self) -> Figures {
        self.figures
    }

    fn snapshot(&self, snapshot: &mut Snapshot) {
        let board = &self.shared.board;
        let square = |live: usize| board.square(board.cell(live));
        for (live, &times) in self.visits.iter().enumerate() {
            snapshot.visits.add(square(live), times);
        }
        snapshot.nearest = self.nearest.map(|(to_go, id)| {
            let position = self.shared.positions.get(id);
            Nearest {
                boxes: position.boxes.iter().map(square).collect(),
                player: board.square(position.zone.into()),
                backwards: self.side == Side::Backward,
                to_go: to_go as u32,
            }
        });
    }
}
