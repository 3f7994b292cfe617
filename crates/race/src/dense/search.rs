//! Greedy best-first search over pushes or pulls.
//!
//! The key of a position is the cost of the cheapest pairing of its boxes with what the side looks for:
//! goals forwards, start squares backwards. The lowest key goes first, the newest position
//! first among equals, and each position is expanded once. A child is an entry of one word, its key a
//! lower bound; it becomes a position when it is taken from the queue.

use crate::dense::chain;
use crate::dense::memory::{Parked, Shared};
use crate::dense::positions::{Filed, NOBODY, Parent};
use crate::dense::queue::Queue;
use crate::observe::{Nearest, Snapshot};
use crate::strategy::{Halt, Strategy, Turn};
use lurd_level::Direction;
use lurd_rules::Figures;
use lurd_rules::cuts::Rule;
use lurd_rules::dense::board::{DenseBoard, NONE, Plane, Side};
use lurd_rules::dense::capacity::Capacities;
use lurd_rules::dense::corral::{CorralRules, CorralVerdict};
use lurd_rules::dense::dead_sets::DeadSets;
use lurd_rules::dense::learned_index::LearnedIndex;
use lurd_rules::dense::matching::{Matcher, Matching};
use lurd_rules::dense::pair_interaction::PairInteraction;
use lurd_rules::dense::retrograde::MOST;
use lurd_rules::dense::set::Set;
use lurd_search::sync::lock;
use std::sync::{Arc, Mutex};

/// In what order, and by what moves, a search goes through the positions.
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
    /// Pull by single squares, and charge pairs of boxes for being in each other's way.
    BackwardExcess,
}

impl Order {
    pub(crate) fn side(self) -> Side {
        match self {
            Self::Forward | Self::ForwardMacro => Side::Forward,
            Self::Backward | Self::BackwardMacro | Self::BackwardExcess => Side::Backward,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Backward => "dense backward",
            Self::Forward => "dense forward",
            Self::BackwardMacro => "dense backward, macro pulls",
            Self::ForwardMacro => "dense forward, macro pushes",
            Self::BackwardExcess => "dense backward, pair excess",
        }
    }
}

/// One pop in so many is a roving one.
const ROVE: u64 = 8;

/// Pops between two looks at the halt, and between two at the memory.
const LOOK: u64 = 256;

/// When memory is full, a search that has not come nearer while it expanded so many times as many positions as there is
/// room for is given up.
const PATIENCE: u64 = 2;

/// Matchings kept for the children of positions expanded lately.
const REMEMBERED: usize = 1 << 12;

/// A size of the tables is begun when there are no more sets than this times the positions expanded:
/// about when the search has taken as long as the table will; later for the sizes that bring less.
const TABLE_SHARE: [u64; MOST + 1] = [8, 8, 8, 8, 8, 2, 1];

/// States of a table built, or children generated, between two looks at the halt.
const BUILD: u64 = 4096;

/// In an entry, in place of the square a box comes from: the position is filed already.
const FILED: u64 = 1023;

/// A greedy search.
pub(crate) struct Greedy<const L: usize, const G: usize> {
    shared: Arc<Shared<L>>,
    plane: Plane<G>,
    order: Order,
    side: Side,
    mark: u8,
    queue: Queue,
    /// Where the queue is between two bouts.
    parked: Arc<Mutex<Parked>>,
    /// How often positions had been forgotten when it last looked.
    epoch: u64,
    patterns: DeadSets,
    size: usize,
    matcher: Matcher,
    matching: Matching,
    remembered: Vec<(u32, Matching)>,
    /// The target paired with the box on each live square.
    target_of: Vec<u16>,
    /// For each live square, the sides of it that a macro has seen the player on.
    seen: Vec<u8>,
    excess: Option<PairInteraction>,
    /// What only pushes obey.
    rules: Option<CorralRules<G>>,
    /// What others have learned about pushes.
    lessons: Option<LearnedIndex<L>>,
    /// Made with the first table; pushes have no use for it.
    capacities: Option<Capacities<L>>,
    spread: Vec<(u16, Set<G>)>,
    figures: Figures,
    /// How often a box was moved to each live square.
    tracks: Vec<u64>,
    /// The position with the lowest key, and that key.
    nearest: Option<(usize, u32)>,
    /// Positions expanded when the lowest key was found.
    progress: u64,
    started: bool,
    /// Something was forgotten, so nothing is proved by an empty queue.
    lossy: bool,
    queue_bytes: usize,
    end: Option<Turn>,
}

/// A position taken from the queue, with everything the expansion needs.
struct Visit<const L: usize, const G: usize> {
    id: u32,
    excess: u32,
    arrival: u16,
    boxes: Set<L>,
    cells: Set<G>,
    zone: Set<G>,
}

impl<const L: usize, const G: usize> Greedy<L, G> {
    pub(crate) fn new(shared: &Arc<Shared<L>>, order: Order) -> Self {
        let board = &shared.board;
        let side = order.side();
        let (number, parked) = shared.join();
        let boxes = board.boxes();
        Self {
            shared: Arc::clone(shared),
            plane: board.plane(),
            order,
            side,
            mark: 1 << (number % 8),
            queue: Queue::new(ROVE),
            parked,
            epoch: 0,
            patterns: shared.tables[side as usize].patterns(),
            size: 1,
            matcher: Matcher::new(board.way(side), boxes),
            matching: Matching::empty(boxes),
            remembered: Vec::new(),
            target_of: vec![0; board.live_count()],
            seen: vec![0; board.live_count()],
            excess: None,
            rules: (side == Side::Forward).then(|| CorralRules::new(board)),
            lessons: (side == Side::Forward).then(|| LearnedIndex::new(board)),
            capacities: None,
            spread: Vec::new(),
            figures: Figures::default(),
            tracks: vec![0; board.live_count()],
            nearest: None,
            progress: 0,
            started: false,
            // A mark that two searches share tells neither what it has expanded itself.
            lossy: number >= 8,
            queue_bytes: 0,
            end: None,
        }
    }

    /// Files the first positions of both sides.
    fn start(&mut self) -> Option<Turn> {
        let shared = Arc::clone(&self.shared);
        let board = &shared.board;
        if board.is_hopeless() {
            return Some(Turn::Unsolvable);
        }
        if self.order == Order::BackwardExcess {
            self.excess = PairInteraction::new::<G>(board, self.side);
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
                let name = zone.lowest() as u16;
                let mark = if side == self.side { self.mark } else { 0 };
                let excess = if side == self.side { self.whole_excess(boxes, zone) } else { 0 };
                let reached = Parent { boxes, parent: NOBODY, from: NONE, arrival: NONE, zone: name };
                match shared.positions.file(side, mark, reached) {
                    // Only the start itself can be known to the other side as solved.
                    Filed::Met(_) => return Some(Turn::Solved(Vec::new())),
                    Filed::New(id) | Filed::Shared(id) if side == self.side => {
                        self.queue.push(0, entry(id, FILED as usize, 0, excess));
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

    /// Takes one entry from the queue. `None` to go on.
    fn step(&mut self, shared: &Shared<L>) -> Option<Turn> {
        let Some((key, next)) = self.queue.pop() else {
            return Some(if self.lossy { Turn::Spent } else { Turn::Unsolvable });
        };
        let board = &*shared.board;
        let (owner, from, arrival) = ((next >> 32) as u32, next >> 12 & 1023, (next & 4095) as usize);
        let visit = if from == FILED {
            let position = shared.positions.get(owner);
            let cells = self.cells(position.boxes);
            let zone = self.plane.zone(self.plane.floor.without(cells), position.zone.into());
            if !self.recall(owner) && !self.solve(position.boxes, position.zone.into()) {
                self.figures.cuts.count(Rule::Bipartite);
                return None;
            }
            Visit {
                id: owner,
                excess: (next >> 22 & 1023) as u32,
                arrival: position.arrival,
                boxes: position.boxes,
                cells,
                zone,
            }
        } else {
            let (from, to) = (from as usize, arrival / 4);
            let parent = shared.positions.get(owner);
            let mut boxes = parent.boxes;
            boxes.remove(from);
            boxes.insert(to);
            let cells = self.cells(boxes);
            let player = usize::from(board.beside(arrival));
            let zone = self.plane.zone(self.plane.floor.without(cells), player);
            let reached =
                Parent { boxes, parent: owner, from: from as u16, arrival: arrival as u16, zone: zone.lowest() as u16 };
            let id = match shared.positions.file(self.side, self.mark, reached) {
                Filed::Known => {
                    self.figures.duplicates += 1;
                    return None;
                }
                Filed::Met(other) => {
                    return Some(Turn::Solved(chain::answer(shared, &self.plane, self.side, reached, other)));
                }
                Filed::New(id) | Filed::Shared(id) => id,
            };
            if self.patterns.dead_larger(arrival, boxes) {
                self.figures.cuts.count(Rule::DeadSet);
                return None;
            }
            if self.lessons.as_ref().is_some_and(|lessons| lessons.are_dead(arrival, boxes)) {
                self.figures.cuts.count(Rule::Learned);
                return None;
            }
            let alive = if self.recall(owner) {
                let row = board.row_at(to, player);
                self.matcher.repair(board, board.way(self.side), &mut self.matching, from, row)
            } else {
                self.solve(boxes, player)
            };
            if !alive {
                self.figures.cuts.count(Rule::Bipartite);
                return None;
            }
            Visit { id, excess: (next >> 22 & 1023) as u32, arrival: reached.arrival, boxes, cells, zone }
        };
        self.remember(visit.id);
        let value = (self.matching.total.max(0) as u32 + visit.excess) as usize;
        if value > key {
            self.queue.push(value, entry(visit.id, FILED as usize, 0, visit.excess));
            return None;
        }
        self.figures.expanded += 1;
        if visit.arrival != NONE {
            self.tracks[usize::from(visit.arrival) / 4] += 1;
        }
        if self.nearest.is_none_or(|(least, _)| value < least) {
            self.nearest = Some((value, visit.id));
            self.progress = self.figures.expanded;
        }
        self.expand(board, &visit);
        None
    }

    /// Makes the remembered matching of a position the current one.
    fn recall(&mut self, id: u32) -> bool {
        let Some((owner, matching)) = self.remembered.get(id as usize % REMEMBERED) else { return false };
        let known = *owner == id;
        if known {
            self.matching.copy_from(matching);
        }
        known
    }

    fn remember(&mut self, id: u32) {
        if self.remembered.is_empty() {
            self.remembered = vec![(NOBODY, Matching::empty(0)); REMEMBERED];
        }
        let (owner, matching) = &mut self.remembered[id as usize % REMEMBERED];
        *owner = id;
        matching.copy_from(&self.matching);
    }

    /// Pairs the boxes of a position, starting from the prices of the last one.
    fn solve(&mut self, boxes: Set<L>, player: usize) -> bool {
        let board = &self.shared.board;
        let rows = boxes.iter().map(|square| board.row_at(square, player));
        self.matcher.solve(board.way(self.side), &mut self.matching, rows)
    }

    /// Puts the children of a position into the queue.
    fn expand(&mut self, board: &DenseBoard, visit: &Visit<L, G>) {
        self.matcher.look_at(&self.matching);
        for (target, &row) in self.matching.rows.iter().enumerate() {
            self.target_of[board.row_live(row)] = target as u16;
        }
        let steps = &board.way(self.side).steps;
        let free = self.plane.floor.without(visit.cells);
        let mut movable = visit.cells;
        let mut into = self.plane.floor;
        if let Some(rules) = &self.rules {
            if rules.is_frozen(visit.cells) {
                self.figures.cuts.count(Rule::Freeze);
                return;
            }
            if visit.arrival != NONE && rules.is_gate(visit.arrival.into()) {
                movable = Set::single(board.cell(usize::from(visit.arrival) / 4));
            } else {
                match rules.judge::<L>(board, &self.patterns, visit.cells, visit.zone) {
                    CorralVerdict::Open => {}
                    CorralVerdict::Only { boxes, into: area } => (movable, into) = (boxes, area),
                    CorralVerdict::Dead => {
                        self.figures.cuts.count(Rule::Corral);
                        return;
                    }
                }
            }
        }
        // Where a rule says which push comes next, a longer move would only skip it.
        let free_choice = movable == visit.cells && into == self.plane.floor;
        if free_choice && matches!(self.order, Order::BackwardMacro | Order::ForwardMacro) {
            self.expand_macros(board, visit);
            return;
        }
        for direction in Direction::ALL {
            let back = direction.opposite();
            let candidates = match self.side {
                Side::Forward => self.plane.shifted(visit.zone, direction).and(self.plane.shifted(free, back)),
                Side::Backward => {
                    let beyond = self.plane.shifted(self.plane.shifted(free, back), back);
                    self.plane.shifted(visit.zone, back).and(beyond)
                }
            };
            for cell in candidates.and(movable).iter() {
                let from = usize::from(board.live_at(cell));
                let step = &steps[4 * from + direction as usize];
                if step.to == NONE || !into.contains(board.cell(step.to.into())) {
                    continue;
                }
                self.figures.generated += 1;
                let mut others = visit.boxes;
                others.remove(from);
                let arrival = usize::from(step.arrival);
                if self.patterns.dead_pair(arrival, others) || self.patterns.dead_triple(arrival, others) {
                    self.figures.cuts.count(Rule::DeadSet);
                    continue;
                }
                if self.capacities.as_ref().is_some_and(|capacities| capacities.overflow(step.row, others)) {
                    self.figures.cuts.count(Rule::Bipartite);
                    continue;
                }
                let excess = self.child_excess(board, visit, from, others, arrival);
                let key = (self.bound(board, from, step.row) + excess) as usize;
                self.queue.push(key, entry(visit.id, from, arrival, excess));
            }
        }
    }

    /// What the boxes of a child cost each other: only the pairs of the moved box differ.
    #[inline]
    fn child_excess(
        &self,
        board: &DenseBoard,
        visit: &Visit<L, G>,
        from: usize,
        others: Set<L>,
        arrival: usize,
    ) -> u32 {
        let Some(excess) = &self.excess else { return 0 };
        let side = sides(board, from, visit.zone).trailing_zeros() as usize;
        let before = if side < 4 { excess.of(4 * from + side, others) } else { 0 };
        (visit.excess + excess.of(arrival, others)).saturating_sub(before).min(1023)
    }

    /// What the boxes of a position cost each other.
    fn whole_excess(&self, boxes: Set<L>, zone: Set<G>) -> u32 {
        let Some(excess) = &self.excess else { return 0 };
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
                        sum += excess.of(4 * square + side, Set::<L>::single(other));
                        break;
                    }
                }
            }
        }
        sum.min(1023)
    }

    /// A lower bound for the key of a child, mostly exact.
    #[inline]
    fn bound(&self, board: &DenseBoard, from: usize, row: u16) -> u32 {
        let way = board.way(self.side);
        let share = self.matcher.share(way, &self.matching, self.target_of[from].into());
        (self.matching.total - share + self.matcher.reduced(way, row)).max(0) as u32
    }

    /// Moves each box as far as it goes while the others stand still; each square and side of it is a child.
    fn expand_macros(&mut self, board: &DenseBoard, visit: &Visit<L, G>) {
        let steps = &board.way(self.side).steps;
        let mut spread = std::mem::take(&mut self.spread);
        for from in visit.boxes.iter() {
            self.seen.fill(0);
            let mut others = visit.boxes;
            others.remove(from);
            let mut around = visit.cells;
            around.remove(board.cell(from));
            let floor = self.plane.floor.without(around);
            spread.clear();
            spread.push((from as u16, visit.zone));
            self.seen[from] = sides(board, from, visit.zone);
            let mut next = 0;
            while let Some(&(square, zone)) = spread.get(next) {
                next += 1;
                for step in &steps[4 * usize::from(square)..][..4] {
                    if step.to == NONE || !zone.contains(step.reach.into()) || around.contains(step.clear.into()) {
                        continue;
                    }
                    let (to, arrival) = (usize::from(step.to), usize::from(step.arrival));
                    if self.seen[to] >> (arrival % 4) & 1 != 0 || around.contains(board.cell(to)) {
                        continue;
                    }
                    let mut free = floor;
                    free.remove(board.cell(to));
                    let zone = self.plane.zone(free, step.lands.into());
                    self.seen[to] |= sides(board, to, zone);
                    self.figures.generated += 1;
                    if self.patterns.dead_pair(arrival, others) || self.patterns.dead_triple(arrival, others) {
                        self.figures.cuts.count(Rule::DeadSet);
                        continue;
                    }
                    spread.push((step.to, zone));
                    let excess = self.child_excess(board, visit, from, others, arrival);
                    let key = (self.bound(board, from, step.row) + excess) as usize;
                    self.queue.push(key, entry(visit.id, from, arrival, excess));
                }
            }
        }
        self.spread = spread;
    }

    /// Works on the tables when the search has taken about as long as the next size will.
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
            self.patterns = tables.patterns();
            if self.side == Side::Backward && self.capacities.is_none() {
                self.capacities = Some(Capacities::new(&self.shared.board, self.side));
            }
        }
        left
    }

    /// Keeps within the memory, forgetting what is least useful. `Some` when that is no longer possible.
    fn check_memory(&mut self, halt: &Halt) -> Option<Turn> {
        let shared = Arc::clone(&self.shared);
        let excess = self.excess.as_ref().map_or(0, PairInteraction::bytes);
        let known = self.lessons.as_ref().map_or(0, LearnedIndex::bytes)
            + self.capacities.as_ref().map_or(0, Capacities::bytes);
        let bytes = lock(&self.parked).queue.bytes() + excess + known + REMEMBERED * (64 + 6 * shared.board.boxes());
        shared.account(self.queue_bytes, bytes);
        self.queue_bytes = bytes;
        let mut parked = lock(&self.parked);
        if bytes > shared.queue_share() && parked.queue.spare() < bytes / 16 {
            self.lossy = true;
            self.figures.forgot += 1;
            if !parked.queue.forget_worst() {
                return Some(Turn::Spent);
            }
        }
        drop(parked);
        if !shared.is_full() {
            return None;
        }
        self.figures.forgot += 1;
        let places = shared.positions.places().0 as u64;
        let stuck = self.figures.expanded - self.progress > PATIENCE * places;
        if stuck || !shared.make_room(&|| halt.called()) {
            // What it holds is worth more to the others.
            return Some(Turn::Spent);
        }
        None
    }

    /// Takes the queue up, and forgets what is no longer true of positions that others have forgotten.
    fn take_up(&mut self, parked: &mut Parked) {
        std::mem::swap(&mut self.queue, &mut parked.queue);
        let epoch = self.shared.epoch();
        if epoch != self.epoch {
            self.epoch = epoch;
            self.lossy = true;
            self.remembered.clear();
        }
    }

    /// Lays the queue down where others can reach it.
    fn lay_down(&mut self, parked: &mut Parked) {
        std::mem::swap(&mut self.queue, &mut parked.queue);
        parked.nearest = self.nearest.map(|(_, id)| id);
    }
}

impl<const L: usize, const G: usize> Drop for Greedy<L, G> {
    /// Nothing is kept for a search that is no more.
    fn drop(&mut self) {
        let mut parked = lock(&self.parked);
        parked.queue.clear();
        parked.nearest = None;
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

fn entry(owner: u32, from: usize, arrival: usize, excess: u32) -> u64 {
    u64::from(owner) << 32 | u64::from(excess) << 22 | (from as u64) << 12 | arrival as u64
}

impl<const L: usize, const G: usize> Strategy for Greedy<L, G> {
    fn name(&self) -> &'static str {
        self.order.name()
    }

    fn run(&mut self, work: u64, halt: &Halt) -> Turn {
        if let Some(end) = &self.end {
            return end.clone();
        }
        let shared = Arc::clone(&self.shared);
        if let Some(lessons) = &mut self.lessons {
            lessons.refresh(&shared.board, &shared.learned);
        }
        if !self.started {
            self.started = true;
            self.end = self.start();
            let parked = Arc::clone(&self.parked);
            self.lay_down(&mut lock(&parked));
        }
        let mut left = work;
        while self.end.is_none() && left > 0 && !halt.called() {
            let spent = left - self.build(left.min(BUILD));
            left -= spent;
            if spent > 0 {
                continue;
            }
            halt.show(self);
            let before = self.figures.generated;
            let parked = Arc::clone(&self.parked);
            let mut place = lock(&parked);
            self.take_up(&mut place);
            for _ in 0..LOOK {
                self.end = self.step(&shared);
                if self.end.is_some() || self.figures.generated - before > BUILD {
                    break;
                }
            }
            self.lay_down(&mut place);
            drop(place);
            left = left.saturating_sub(self.figures.generated - before + LOOK);
            if self.end.is_none() {
                self.end = self.check_memory(halt);
            }
        }
        self.end.clone().unwrap_or(Turn::Open)
    }

    fn bytes(&self) -> usize {
        // What all searches share is counted by the level they come from.
        self.queue_bytes
    }

    fn figures(&self) -> Figures {
        self.figures
    }

    fn show(&self, sight: &mut Snapshot) {
        let board = &self.shared.board;
        let square = |live: usize| board.square(board.cell(live));
        for (live, &times) in self.tracks.iter().enumerate() {
            sight.tracks.add(square(live), times);
        }
        sight.nearest = self.nearest.map(|(to_go, id)| {
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
