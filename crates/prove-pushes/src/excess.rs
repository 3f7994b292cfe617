//! What a few boxes cost each other: exactly how many more pushes they need together than the matching counts.
//!
//! For boxes on the squares of a set `S`, with the player in a given zone, and a set `T` of as many goals,
//! let `P` be the fewest pushes that bring the boxes, alone on the board, onto `T`, and `A` the cheapest pairing
//! of `S` with `T` by the distances of single boxes. The excess of `S` is the least `P - A` over all
//! `T` that can be reached at all; a set without any is dead.
//!
//! The excesses of disjoint sets may be added to a matching. Take a solution; it brings each set `S` to some `T`.
//! By projection its pushes of boxes of `S` are at least `P >= A + excess`, every push is of one box,
//! and pairing each `S` with its `T` as cheaply as can be is a pairing of all boxes with all goals, which costs
//! no less than the cheapest. The bound is not consistent: it may fall by more than one with a push.
//!
//! Backwards the same is asked of the way from the start: `T` is a set of start squares, and as the player's place
//! at the start is known, so is the one zone from which the boxes of `T`, alone on the board, set out.

use crate::graph::{Graph, NOWHERE, beside, touched};
use lurd_rules::dense::board::{DenseBoard, Plane, Side, StepTable};
use lurd_rules::dense::dead_sets::Masks;
use lurd_rules::dense::set::Set;
use lurd_rules::groups::subsets::{Ranks, Subsets};
use lurd_search::sync::lock;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The excess of a set that cannot be brought to goals at all.
pub(crate) const DEAD: u8 = u8::MAX;

/// Larger values count as this one.
const MOST_EXCESS: i32 = 254;

const UNSEEN: u16 = u16::MAX;

/// How often a long computation looks whether it is to stop: every so many sets, or nodes.
const LOOK: usize = 1 << 10;
const LOOK_NODES: usize = 1 << 16;

/// Boxes that cost each other something.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Group<const L: usize> {
    /// The squares.
    pub(crate) members: Set<L>,
    /// How many they are.
    pub(crate) size: u8,
    /// What is to be added to the matching.
    pub(crate) value: u8,
}

/// A dead set was met.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Dead;

/// The excess of every set of `J` boxes.
#[derive(Debug)]
pub(crate) struct GroupInteraction<const J: usize> {
    live: usize,
    ranks: Ranks,
    /// By slots, as in the [`Graph`]. Zero where smaller groups inside say as much.
    values: Vec<u8>,
    /// For an arrival, the lowest partners of groups that are worth something.
    partners: Masks,
    /// For an arrival and its lowest partner, the next partner; empty for pairs.
    thirds: Masks,
    /// The same for a square, in any zone, with higher partners only.
    any_partners: Masks,
    any_thirds: Masks,
}

impl<const J: usize> GroupInteraction<J> {
    /// How many elementary steps the table will take, about: edges looked at.
    pub(crate) fn work(board: &DenseBoard) -> u64 {
        let (size, _) = Graph::<J>::forecast(board);
        let targets = Ranks::new(board.goals().len()).count(J);
        (size as u64).saturating_mul(targets as u64 + 20)
    }

    /// Bytes needed while the table is made.
    pub(crate) fn bytes_needed(board: &DenseBoard, threads: usize) -> usize {
        let (size, bytes) = Graph::<J>::forecast(board);
        bytes + size * threads
    }

    /// Makes the table, unless told to stop. `smaller` says what groups inside a set are worth already.
    pub(crate) fn new<const G: usize>(
        board: &DenseBoard,
        side: Side,
        threads: usize,
        stop: &(dyn Fn() -> bool + Sync),
        smaller: &dyn Fn(&[u16], Set<G>) -> u8,
    ) -> Option<Self> {
        let graph = Graph::<J>::new::<G>(board, side, stop)?;
        let least = all_targets::<J, G>(&graph, board, side, threads, stop)?;
        let live = board.live_count();
        let words = board.live_words();
        let deep = if J > 2 { live } else { 0 };
        let plane: Plane<G> = board.plane();
        let mut table = Self {
            live,
            ranks: graph.ranks.clone(),
            values: vec![0; graph.slots.len()],
            partners: Masks::new(words, 4 * live),
            thirds: Masks::new(words, 4 * live * deep),
            any_partners: Masks::new(words, live),
            any_thirds: Masks::new(words, live * deep),
        };
        let subsets = Subsets::new(J, live);
        let mut looks = 0usize;
        for squares in subsets {
            looks += 1;
            if looks.is_multiple_of(LOOK) && stop() {
                return None;
            }
            let squares = &squares[..J];
            let base = graph.ranks.rank(squares) * 4 * J;
            let mut known = [(NOWHERE, 0u8); 16];
            for slot in 0..4 * J {
                let node = graph.slots[base + slot];
                if node == NOWHERE || least[node as usize] == 0 {
                    continue;
                }
                let earlier = known.iter().position(|&(other, _)| other == node);
                let value = match earlier {
                    Some(place) => known[place].1,
                    None => {
                        let value = least[node as usize];
                        let mut free = plane.floor;
                        squares.iter().for_each(|&square| free.remove(board.cell(square.into())));
                        let zone = plane.zone(free, beside(board, squares, slot).into());
                        // A box that is lost alone never gets there: no need to hear of it in company.
                        let alone = graph.rows[node as usize].iter().any(|&row| !board.is_possible(row));
                        let value = if alone || smaller(squares, zone) >= value { 0 } else { value };
                        known[slot] = (node, value);
                        value
                    }
                };
                if value > 0 {
                    table.values[base + slot] = value;
                    table.file(squares, slot);
                }
            }
        }
        Some(table)
    }

    fn file(&mut self, squares: &[u16], slot: usize) {
        let arrival = 4 * usize::from(squares[slot / 4]) + slot % 4;
        let mut others = squares.iter().enumerate().filter(|&(place, _)| place != slot / 4);
        let mut next = || others.next().map_or(0, |(_, &square)| usize::from(square));
        let partner = next();
        self.partners.insert(arrival, partner);
        self.any_partners.insert(squares[0].into(), squares[1].into());
        if J > 2 {
            self.thirds.insert(arrival * self.live + partner, next());
            self.any_thirds.insert(usize::from(squares[0]) * self.live + usize::from(squares[1]), squares[2].into());
        }
    }

    /// The groups that the box which arrived so forms with `others`.
    #[inline]
    pub(crate) fn of_arrival<const L: usize>(
        &self,
        arrival: usize,
        others: Set<L>,
        groups: &mut Vec<Group<L>>,
    ) -> Result<(), Dead> {
        let mut squares = [0u16; J];
        let here = (arrival / 4) as u16;
        for partner in self.partners.get::<L>(arrival).and(others).iter() {
            squares[1] = partner as u16;
            if J == 2 {
                self.add(here, arrival % 4, &squares, groups)?;
                continue;
            }
            for third in self.thirds.get::<L>(arrival * self.live + partner).and(others).iter() {
                squares[2] = third as u16;
                if J == 3 {
                    self.add(here, arrival % 4, &squares, groups)?;
                    continue;
                }
                for fourth in others.iter().filter(|&fourth| fourth > third) {
                    squares[3] = fourth as u16;
                    self.add(here, arrival % 4, &squares, groups)?;
                }
            }
        }
        Ok(())
    }

    /// Looks a group up whose first square is still to be put in its place.
    #[inline]
    fn add<const L: usize>(
        &self,
        here: u16,
        direction: usize,
        others: &[u16; J],
        groups: &mut Vec<Group<L>>,
    ) -> Result<(), Dead> {
        let mut squares = *others;
        let mut place = 0;
        while place + 1 < J && squares[place + 1] < here {
            squares[place] = squares[place + 1];
            place += 1;
        }
        squares[place] = here;
        let value = self.values[self.ranks.rank(&squares) * 4 * J + 4 * place + direction];
        collect(&squares, value, groups)
    }

    /// The groups of a whole position, with the player in a zone.
    pub(crate) fn of_position<const L: usize, const G: usize>(
        &self,
        board: &DenseBoard,
        plane: &Plane<G>,
        boxes: Set<L>,
        zone: Set<G>,
        groups: &mut Vec<Group<L>>,
    ) -> Result<(), Dead> {
        let mut squares = [0u16; J];
        for first in boxes.iter() {
            squares[0] = first as u16;
            for second in self.any_partners.get::<L>(first).and(boxes).iter() {
                squares[1] = second as u16;
                if J == 2 {
                    collect(&squares, self.value(board, plane, &squares, zone), groups)?;
                    continue;
                }
                for third in self.any_thirds.get::<L>(first * self.live + second).and(boxes).iter() {
                    squares[2] = third as u16;
                    if J == 3 {
                        collect(&squares, self.value(board, plane, &squares, zone), groups)?;
                        continue;
                    }
                    for fourth in boxes.iter().filter(|&fourth| fourth > third) {
                        squares[3] = fourth as u16;
                        collect(&squares, self.value(board, plane, &squares, zone), groups)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// The value of a set, in ascending order, with the player somewhere in a zone of the whole position.
    pub(crate) fn value<const G: usize>(
        &self,
        board: &DenseBoard,
        plane: &Plane<G>,
        squares: &[u16; J],
        zone: Set<G>,
    ) -> u8 {
        let values = &self.values[self.ranks.rank(squares) * 4 * J..][..4 * J];
        if values.iter().all(|&value| value == 0) {
            return 0;
        }
        touched(board, plane, squares, zone).map_or(0, |slot| values[slot])
    }

    pub(crate) fn bytes(&self) -> usize {
        let masks = [&self.partners, &self.thirds, &self.any_partners, &self.any_thirds];
        self.values.len() + masks.iter().map(|masks| masks.bytes()).sum::<usize>()
    }
}

#[inline]
pub(crate) fn collect<const L: usize>(squares: &[u16], value: u8, groups: &mut Vec<Group<L>>) -> Result<(), Dead> {
    match value {
        0 => Ok(()),
        DEAD => Err(Dead),
        value => {
            let mut members = Set::EMPTY;
            squares.iter().for_each(|&square| members.insert(square.into()));
            groups.push(Group { members, size: squares.len() as u8, value });
            Ok(())
        }
    }
}

/// What a side looks for.
fn sought(board: &DenseBoard, side: Side) -> &[u16] {
    match side {
        Side::Forward => board.goals(),
        Side::Backward => board.starts(),
    }
}

/// Squares a side looks for, and the nodes with boxes on them where a way ends.
struct Target<const J: usize> {
    /// Columns of the rows of distances.
    columns: [u16; J],
    nodes: Vec<u32>,
}

impl<const J: usize> Target<J> {
    fn new<const G: usize>(graph: &Graph<J>, board: &DenseBoard, side: Side, columns: [u16; J]) -> Self {
        let mut squares = columns.map(|column| sought(board, side)[usize::from(column)]);
        squares.sort_unstable();
        let nodes = match side {
            Side::Forward => graph.nodes(&squares),
            Side::Backward => {
                let plane: Plane<G> = board.plane();
                let mut free = plane.floor;
                squares.iter().for_each(|&square| free.remove(board.cell(square.into())));
                graph.node(board, &squares, plane.zone(free, board.start_player())).into_iter().collect()
            }
        };
        Self { columns, nodes }
    }
}

/// The least excess of each node over all sets of squares that the side looks for.
fn all_targets<const J: usize, const G: usize>(
    graph: &Graph<J>,
    board: &DenseBoard,
    side: Side,
    threads: usize,
    stop: &(dyn Fn() -> bool + Sync),
) -> Option<Vec<u8>> {
    let mut targets: Vec<Target<J>> = Vec::new();
    let subsets = Subsets::new(J, sought(board, side).len());
    for columns in subsets {
        targets.push(Target::new::<G>(graph, board, side, std::array::from_fn(|place| columns[place])));
    }
    let way = board.way(side);
    let next = AtomicUsize::new(0);
    let merged = Mutex::new((vec![DEAD; graph.rows.len()], true));
    let work = || {
        let mut least = vec![DEAD; graph.rows.len()];
        let mut pushes = vec![UNSEEN; graph.rows.len()];
        let mut queue = Vec::new();
        let mut finished = true;
        while let Some(target) = targets.get(next.fetch_add(1, Ordering::Relaxed)) {
            if stop() || !one_target(graph, way, target, &mut least, &mut pushes, &mut queue, stop) {
                finished = false;
                break;
            }
        }
        let mut merged = lock(&merged);
        merged.1 &= finished;
        merged.0.iter_mut().zip(&least).for_each(|(to, &from)| *to = (*to).min(from));
    };
    // Small tables are done before another thread has started.
    let helpers = if graph.size() * targets.len() < 1_000_000 { 0 } else { threads.max(1) - 1 };
    std::thread::scope(|scope| {
        for _ in 0..helpers {
            scope.spawn(work);
        }
        work();
    });
    let (least, finished) = merged.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    finished.then_some(least)
}

/// Pushes between every node and one set of squares, and what they come to. `false` if told to stop.
fn one_target<const J: usize>(
    graph: &Graph<J>,
    way: &StepTable,
    target: &Target<J>,
    least: &mut [u8],
    pushes: &mut [u16],
    queue: &mut Vec<u32>,
    stop: &(dyn Fn() -> bool + Sync),
) -> bool {
    pushes.fill(UNSEEN);
    queue.clear();
    for &node in &target.nodes {
        pushes[node as usize] = 0;
        queue.push(node);
    }
    let mut at = 0;
    while let Some(&node) = queue.get(at) {
        at += 1;
        if at.is_multiple_of(LOOK_NODES) && stop() {
            return false;
        }
        let here = pushes[node as usize];
        let value = &mut least[node as usize];
        if *value > 0 {
            let mut costs = [[0i32; J]; J];
            for (costs, &row) in costs.iter_mut().zip(&graph.rows[node as usize]) {
                let row = way.row(row);
                let columns = target.columns.iter();
                costs.iter_mut().zip(columns).for_each(|(cost, &column)| *cost = i32::from(row[usize::from(column)]));
            }
            let excess = (i32::from(here) - cheapest(&costs)).clamp(0, MOST_EXCESS);
            *value = (*value).min(excess as u8);
        }
        for &next in graph.next(node) {
            let known = &mut pushes[next as usize];
            if *known == UNSEEN {
                *known = here + 1;
                queue.push(next);
            }
        }
    }
    true
}

/// The cheapest way to give each row a column of its own.
#[inline]
fn cheapest<const J: usize>(costs: &[[i32; J]; J]) -> i32 {
    // By the columns the first rows have used, a bit each.
    let mut best = [i32::MAX / 2; 64];
    best[0] = 0;
    for used in 0..(1usize << J) - 1 {
        let row = used.count_ones() as usize;
        for (column, &cost) in costs[row].iter().enumerate() {
            if used >> column & 1 == 0 {
                let with = used | 1 << column;
                best[with] = best[with].min(best[used] + cost);
            }
        }
    }
    best[(1 << J) - 1]
}
