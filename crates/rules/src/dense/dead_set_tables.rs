//! Tables of dead sets of boxes, built size by size during the search.
//!
//! A set of boxes with the player on some square is dead if these boxes alone cannot all be pushed to goals (forwards),
//! or cannot all come from start squares (backwards). Deleting boxes from a solution leaves a solution of the rest, so a
//! position that contains a dead set is dead. The sets of one size are found by retrograde analysis
//! ([`crate::dense::retrograde`]); only minimal ones are kept.
//!
//! All searches of one direction share its tables. Any of them can work on the next size; a finished size is published
//! and prunes from then on. A size with too many sets is skipped, and so are all larger ones, because minimality is
//! tested with the table of the next smaller size.

use crate::dense::board::{DenseBoard, NONE, Plane, Side};
use crate::dense::dead_sets::{DeadSets, Larger, Masks, Triples};
use crate::dense::retrograde::{Alive, Retrograde};
use crate::dense::set::Set;
use crate::groups::subsets::{MOST, Ranks, Subsets};
use crate::groups::sweep::SlotTable;
use crate::{Bits, Board, Square};
use lurd_base::sync::lock;
use lurd_level::Direction;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, TryLockError};

/// The maximum number of sets of each size for which a table is built.
const MAX_SETS: [usize; MOST + 1] = [0, 0, 80_000, 400_000, 1_600_000, 1_600_000, 1_600_000];

/// The dead sets of one direction of search.
pub struct DeadSetTables {
    board: Arc<DenseBoard>,
    side: Side,
    largest: usize,
    sets: Vec<usize>,
    builder: Mutex<Box<dyn Build>>,
    published: Mutex<DeadSets>,
    finished: AtomicUsize,
}

impl std::fmt::Debug for DeadSetTables {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("DeadSetTables")
            .field("side", &self.side)
            .field("largest", &self.largest)
            .finish_non_exhaustive()
    }
}

impl DeadSetTables {
    /// Empty tables for sets of at most `largest` boxes; `None` if the grid is too large.
    pub fn new(dense: &Arc<DenseBoard>, side: Side, largest: usize) -> Option<Self> {
        let ranks = Ranks::new(dense.live_count());
        let fits = |&size: &usize| ranks.count(size) <= MAX_SETS[size];
        // No set has more boxes than the level.
        let largest = largest.min(MOST).min(dense.boxes());
        let largest = (2..=largest).take_while(fits).last().unwrap_or(1);
        let sets = (0..=MOST).map(|size| ranks.count(size)).collect();
        let builder: Box<dyn Build> = match dense.cell_words() {
            1 => Box::new(Builder::<1>::new(dense, ranks, side)),
            2 => Box::new(Builder::<2>::new(dense, ranks, side)),
            3 | 4 => Box::new(Builder::<4>::new(dense, ranks, side)),
            5 | 6 => Box::new(Builder::<6>::new(dense, ranks, side)),
            7 | 8 => Box::new(Builder::<8>::new(dense, ranks, side)),
            9..=16 => Box::new(Builder::<16>::new(dense, ranks, side)),
            _ => return None,
        };
        let published = Mutex::new(DeadSets::none(dense.live_words(), dense.live_count()));
        Some(Self {
            board: Arc::clone(dense),
            side,
            largest,
            sets,
            builder: Mutex::new(builder),
            published,
            finished: AtomicUsize::new(1),
        })
    }

    /// The largest finished size; 1 if there is none.
    pub fn finished(&self) -> usize {
        self.finished.load(Ordering::Acquire)
    }

    /// The next size to build and its number of sets, if there is one.
    pub fn next(&self) -> Option<(usize, usize)> {
        let next = self.finished() + 1;
        (next <= self.largest).then(|| (next, self.sets[next]))
    }

    /// The sets published so far.
    pub fn patterns(&self) -> DeadSets {
        lock(&self.published).clone()
    }

    /// Builds for about `work` states, unless another thread is building. Returns the work left.
    pub fn build(&self, work: u64) -> u64 {
        let mut builder = match self.builder.try_lock() {
            Ok(builder) => builder,
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            Err(TryLockError::WouldBlock) => return work,
        };
        let Some((size, _)) = self.next() else { return work };
        let Some((left, layer)) = builder.run(&self.board, size, work) else { return 0 };
        let mut published = lock(&self.published);
        match layer {
            Layer::Pairs(pairs) => published.pairs = Arc::new(pairs),
            Layer::Triples(triples) => published.triples = Some(Arc::new(triples)),
            Layer::Larger(larger) => published.larger.push(Arc::new(larger)),
        }
        self.finished.store(size, Ordering::Release);
        left
    }

    /// The size in bytes, that of a table being built included.
    pub fn bytes(&self) -> usize {
        let building = self.builder.try_lock().map_or(0, |builder| builder.bytes());
        building + lock(&self.published).bytes()
    }
}

/// Queries of the tables for engines that represent boxes by squares of the board.
///
/// It holds a copy of the sets published at the last refresh, so that a query takes no lock.
#[derive(Debug)]
pub struct DeadSetQuery {
    tables: Arc<DeadSetTables>,
    patterns: DeadSets,
    size: usize,
}

impl DeadSetQuery {
    pub fn new(tables: &Arc<DeadSetTables>) -> Self {
        Self { tables: Arc::clone(tables), patterns: tables.patterns(), size: tables.finished() }
    }

    /// Builds for about `work` states and copies newly published sets.
    pub fn refresh(&mut self, work: u64) {
        if work > 0 {
            self.tables.build(work);
        }
        if self.tables.finished() != self.size {
            self.size = self.tables.finished();
            self.patterns = self.tables.patterns();
        }
    }

    /// The boxes as a set of live squares; `L` is [`DenseBoard::live_words`].
    pub fn gather<const L: usize>(&self, boxes: &Bits) -> Set<L> {
        let live = boxes.iter().map(|square| self.tables.board.live_on(square));
        live.filter(|&live| live != NONE).map(usize::from).collect()
    }

    /// Whether a position is dead by a known set that contains the box on `to`, which was moved last; the player is next
    /// to it. All arguments are squares of the board. The position must be reachable in the direction of the tables:
    /// then a square, or a side of it, that no box has in a solution is dead as well.
    pub fn is_dead(&self, board: &Board, boxes: &Bits, to: Square, player: Square) -> bool {
        let faces = |&direction: &Direction| board.neighbour(to, direction) == player;
        let Some(direction) = Direction::ALL.into_iter().find(faces) else { return false };
        let dense = &self.tables.board;
        let live = dense.live_on(to);
        if live == NONE {
            return true;
        }
        let arrival = 4 * usize::from(live) + direction as usize;
        if !dense.is_good(arrival) {
            return true;
        }
        match dense.live_words() {
            1 => self.patterns.dead(arrival, self.gather::<1>(boxes)),
            2 => self.patterns.dead(arrival, self.gather::<2>(boxes)),
            4 => self.patterns.dead(arrival, self.gather::<4>(boxes)),
            8 => self.patterns.dead(arrival, self.gather::<8>(boxes)),
            // No table is built for so many squares.
            _ => false,
        }
    }
}

/// The minimal dead sets of one size.
enum Layer {
    Pairs(Masks),
    Triples(Triples),
    Larger(Larger),
}

/// A builder of one size after the other, in steps.
trait Build: Send {
    /// Works on a size; when it is finished, returns the work left and the sets.
    fn run(&mut self, dense: &DenseBoard, size: usize, work: u64) -> Option<(u64, Layer)>;

    fn bytes(&self) -> usize;
}

struct Builder<const G: usize> {
    ranks: Ranks,
    side: Side,
    plane: Plane<G>,
    /// The finished table of the size below.
    below: Option<Alive>,
    stage: Stage<G>,
}

enum Stage<const G: usize> {
    Idle,
    Searching(Retrograde<G>),
    /// The sets still to be tested for minimality, and the minimal dead sets found so far.
    Filtering(Alive, Subsets, Vec<(u16, Vec<u16>)>),
}

impl<const G: usize> Builder<G> {
    fn new(dense: &DenseBoard, ranks: Ranks, side: Side) -> Self {
        Self { ranks, side, plane: dense.plane(), below: None, stage: Stage::Idle }
    }

    /// Whether a dead set contains no smaller dead one.
    fn is_minimal(&self, dense: &DenseBoard, squares: &[u16], index: usize, direction: usize) -> bool {
        let moved = usize::from(squares[index]);
        let player = dense.beside(4 * moved + direction);
        let without = |left_out: usize| {
            let mut rest = [0u16; MOST];
            let kept = squares.iter().enumerate().filter(|&(place, _)| place != left_out);
            rest.iter_mut().zip(kept).for_each(|(to, (_, &square))| *to = square);
            rest
        };
        let size = squares.len() - 1;
        let Some(below) = &self.below else {
            return single_is_alive(dense, squares[1 - index].into(), player.into());
        };
        for left_out in (0..squares.len()).filter(|&place| place != index) {
            let rest = without(left_out);
            let place = index - usize::from(left_out < index);
            if !below.is_known(self.ranks.rank(&rest[..size]), 4 * place + direction) {
                return false;
            }
        }
        let rest = without(index);
        let mut free = self.plane.floor;
        rest[..size].iter().for_each(|&square| free.remove(dense.cell(square.into())));
        let zone = self.plane.zone(free, player.into());
        let slot = (0..4 * size).find(|slot| dense.is_beside(4 * usize::from(rest[slot / 4]) + slot % 4, zone));
        slot.is_none_or(|slot| below.is_known(self.ranks.rank(&rest[..size]), slot))
    }

    fn layer(dense: &DenseBoard, size: usize, sets: Vec<(u16, Vec<u16>)>) -> Layer {
        let (words, live) = (dense.live_words(), dense.live_count());
        match size {
            2 => {
                let mut pairs = Masks::new(words, 4 * live);
                sets.iter().for_each(|(arrival, others)| pairs.insert((*arrival).into(), others[0].into()));
                Layer::Pairs(pairs)
            }
            3 => {
                let mut partners = Masks::new(words, 4 * live);
                let mut thirds = Masks::new(words, 4 * live * live);
                for (arrival, others) in &sets {
                    partners.insert((*arrival).into(), others[0].into());
                    thirds.insert(usize::from(*arrival) * live + usize::from(others[0]), others[1].into());
                }
                Layer::Triples(Triples { partners, thirds })
            }
            _ => Layer::Larger(Larger::new(words, 4 * live, sets)),
        }
    }
}

/// Whether a lone box can be on a live square in a solution with the player on a cell.
fn single_is_alive(dense: &DenseBoard, live: usize, player: usize) -> bool {
    (0..4).any(|direction| {
        let arrival = 4 * live + direction;
        let cell = dense.beside(arrival);
        cell != NONE && dense.row_at(live, cell.into()) == dense.row_at(live, player) && dense.is_good(arrival)
    })
}

impl<const G: usize> Build for Builder<G> {
    fn run(&mut self, dense: &DenseBoard, size: usize, mut work: u64) -> Option<(u64, Layer)> {
        loop {
            match std::mem::replace(&mut self.stage, Stage::Idle) {
                Stage::Idle => {
                    self.stage = Stage::Searching(Retrograde::new(dense, &self.ranks, self.side, size));
                }
                Stage::Searching(mut retrograde) => {
                    let left = retrograde.run(dense, &self.ranks, work);
                    let Some(left) = left else {
                        self.stage = Stage::Searching(retrograde);
                        return None;
                    };
                    work = left;
                    let alive = retrograde.finish();
                    self.stage = Stage::Filtering(alive, Subsets::new(size, dense.live_count()), Vec::new());
                }
                Stage::Filtering(alive, mut subsets, mut sets) => {
                    loop {
                        if work == 0 {
                            self.stage = Stage::Filtering(alive, subsets, sets);
                            return None;
                        }
                        work -= 1;
                        let Some(squares) = subsets.next() else { break };
                        let squares = &squares[..size];
                        let rank = self.ranks.rank(squares);
                        for (index, &square) in squares.iter().enumerate() {
                            for direction in 0..4 {
                                let arrival = 4 * usize::from(square) + direction;
                                if alive.is_known(rank, 4 * index + direction) || !dense.is_good(arrival) {
                                    continue;
                                }
                                let taken = dense.live_at(dense.beside(arrival).into());
                                if taken != NONE && squares.contains(&taken) {
                                    continue;
                                }
                                if self.is_minimal(dense, squares, index, direction) {
                                    let others = squares.iter().copied().filter(|&other| other != square);
                                    sets.push((arrival as u16, others.collect()));
                                }
                            }
                        }
                    }
                    self.below = Some(alive);
                    return Some((work, Self::layer(dense, size, sets)));
                }
            }
        }
    }

    fn bytes(&self) -> usize {
        let current = match &self.stage {
            Stage::Idle => 0,
            Stage::Searching(retrograde) => retrograde.bytes(),
            Stage::Filtering(alive, _, sets) => alive.bytes() + 64 * sets.len(),
        };
        current + self.below.as_ref().map_or(0, Alive::bytes)
    }
}
