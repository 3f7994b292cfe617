//! Group interaction: exactly how many more pushes a few boxes need together than the matching counts for them.
//!
//! For boxes on the squares of a set `S`, with the player in a given zone, and a set `T` of as many goals, let `P` be the
//! fewest pushes that bring the boxes, alone on the board, onto `T`, and `A` the cheapest assignment of `S` to `T` by the
//! distances of single boxes. The interaction of `S` is the least `P - A` over all `T` that can be reached at all; a set
//! without any is dead. New here; it contains the linear conflicts of Junghanns and Schaeffer (2001).
//!
//! The interactions of disjoint sets may be added to a matching, as in additive pattern databases (Korf and Felner 2002).
//! Take a solution; it brings each set `S` to some `T`. By projection its pushes of boxes of `S` are at least
//! `P >= A + interaction`, every push is of one box, and assigning each `S` to its `T` as cheaply as possible is an
//! assignment of all boxes to all goals, which costs no less than the cheapest. The bound is not consistent: it may fall
//! by more than one with a push.
//!
//! Backwards the same is asked of the way from the start: `T` is a set of start squares, and as the player's start cell
//! is known, so is the one zone in which the boxes of `T`, alone on the board, begin.
//!
//! The databases of boxes on their way to a chokepoint ([`approach`](crate::approach)) have another table for lookups:
//! sets of live squares of a fixed size are found with fewer instructions than sets of any size on part of the board.

use lurd_base::sync::lock;
use lurd_rules::dense::board::{DenseBoard, Plane, Side, StepTable};
use lurd_rules::dense::dead_sets::Masks;
use lurd_rules::dense::set::Set;
use lurd_rules::groups::board::{slot_in_zone, targets};
use lurd_rules::groups::graph::Graph;
use lurd_rules::groups::packing::Group;
use lurd_rules::groups::queue::BucketQueue;
use lurd_rules::groups::subsets::{Ranks, Subsets};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

/// The interaction of a set that cannot be brought to goals at all.
pub(crate) const DEAD: u8 = u8::MAX;

/// Larger interactions count as this one.
pub(crate) const MOST_INTERACTION: i32 = 254;

/// How often a long computation asks whether to stop: every so many sets, or nodes.
const POLL_SETS: usize = 1 << 10;
const POLL_NODES: usize = 1 << 16;

/// A dead set was met.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Dead;

/// Whether all groups were listed.
pub(crate) type Listed = Result<(), Dead>;

/// The interaction of every set of `J` boxes.
#[derive(Debug)]
pub(crate) struct GroupInteraction<const J: usize, const L: usize, const G: usize> {
    board: Arc<DenseBoard>,
    plane: Plane<G>,
    live: usize,
    ranks: Ranks,
    /// By `4 * J * rank + slot`. Zero where smaller groups inside are worth as much.
    values: Vec<u8>,
    /// The lowest partners in groups with a value: of an arrival, and after all arrivals of the lowest square of a group.
    partners: Masks,
    /// With the lowest partner the next, by `live squares * number in partners + partner`; empty for pairs.
    thirds: Masks,
}

/// About how many nodes and edges the graph of groups of so many boxes has.
fn graph_size(board: &DenseBoard, boxes: usize) -> usize {
    Ranks::new(board.live_count()).count(boxes).saturating_mul(4 * boxes) / 2
}

/// About how many edges the searches look at.
pub(crate) fn work(board: &DenseBoard, boxes: usize) -> u64 {
    let targets = Ranks::new(board.goals().len()).count(boxes);
    (graph_size(board, boxes) as u64).saturating_mul(targets as u64 + 20)
}

/// Bytes needed while the table is made.
pub(crate) fn bytes_needed(board: &DenseBoard, boxes: usize, threads: usize) -> usize {
    let size = graph_size(board, boxes);
    size.saturating_mul(16) + size * threads
}

impl<const J: usize, const L: usize, const G: usize> GroupInteraction<J, L, G> {
    /// Makes the table, unless told to stop. `smaller` says what groups inside a set are worth already.
    pub(crate) fn new(
        board: &Arc<DenseBoard>,
        side: Side,
        threads: usize,
        stop: &(dyn Fn() -> bool + Sync),
        smaller: &dyn Fn(&[u16], Set<G>) -> u8,
    ) -> Option<Self> {
        // Pulls lead away from goals; followed from their ends they are pushes, which lead away from the start.
        let graph = Graph::<J, G>::new(board, Side::Backward, side == Side::Backward, |_| (), stop)?;
        let least = all_targets(&graph, board, side, threads, stop)?;
        let live = board.live_count();
        let words = board.live_words();
        let deep = if J > 2 { live } else { 0 };
        let mut table = Self {
            board: Arc::clone(board),
            plane: board.plane(),
            live,
            ranks: graph.ranks.clone(),
            values: vec![0; 4 * J * graph.ranks.count(J)],
            partners: Masks::new(words, 5 * live),
            thirds: Masks::new(words, 5 * live * deep),
        };
        for (number, squares) in Subsets::new(J, live).enumerate() {
            if number % POLL_SETS == POLL_SETS - 1 && stop() {
                return None;
            }
            let squares = &squares[..J];
            let rank = graph.ranks.rank(squares);
            let value = |slot: usize, _| {
                let node = graph.node(rank, slot) as usize;
                (least[node] > 0).then(|| (least[node], &graph.rows[node]))
            };
            graph.board.each_zone(squares, value, |(value, rows), zone, slots| {
                // A box that is lost alone is never met in a group.
                let possible = rows.iter().all(|&row| board.is_possible(row));
                if possible && smaller(squares, zone) < value {
                    for slot in slots {
                        table.values[rank * 4 * J + slot] = value;
                        table.file(squares, slot);
                    }
                }
            });
        }
        Some(table)
    }

    fn file(&mut self, squares: &[u16], slot: usize) {
        let place = slot / 4;
        let arrival = 4 * usize::from(squares[place]) + slot % 4;
        for (key, left_out) in [(arrival, place), (4 * self.live + usize::from(squares[0]), 0)] {
            let mut others = squares.iter().enumerate().filter(|&(place, _)| place != left_out);
            let mut next = || others.next().map_or(0, |(_, &square)| usize::from(square));
            let partner = next();
            self.partners.insert(key, partner);
            if J > 2 {
                self.thirds.insert(key * self.live + partner, next());
            }
        }
    }

    /// Calls `found` with the partners among `others` of every group that may have a value. They stand in ascending order
    /// behind an empty place.
    #[inline]
    fn each_group(&self, key: usize, others: Set<L>, mut found: impl FnMut([u16; J]) -> Listed) -> Listed {
        let mut squares = [0u16; J];
        for partner in self.partners.get(key).and(others).iter() {
            squares[1] = partner as u16;
            if J == 2 {
                found(squares)?;
                continue;
            }
            for third in self.thirds.get(key * self.live + partner).and(others).iter() {
                squares[2] = third as u16;
                if J == 3 {
                    found(squares)?;
                    continue;
                }
                for fourth in others.iter().filter(|&fourth| fourth > third) {
                    squares[3] = fourth as u16;
                    found(squares)?;
                }
            }
        }
        Ok(())
    }

    /// The groups that a box forms with `others` after an arrival.
    #[inline]
    pub(crate) fn of_arrival(&self, arrival: usize, others: Set<L>, groups: &mut Vec<Group<L>>) -> Listed {
        let here = (arrival / 4) as u16;
        self.each_group(arrival, others, |mut squares| {
            let mut place = 0;
            while place + 1 < J && squares[place + 1] < here {
                squares[place] = squares[place + 1];
                place += 1;
            }
            squares[place] = here;
            let value = self.values[self.ranks.rank(&squares) * 4 * J + 4 * place + arrival % 4];
            collect(&squares, value, groups)
        })
    }

    /// The groups of a whole position, with the player in a zone.
    pub(crate) fn of_position(&self, boxes: Set<L>, zone: Set<G>, groups: &mut Vec<Group<L>>) -> Listed {
        boxes.iter().try_for_each(|first| {
            self.each_group(4 * self.live + first, boxes, |mut squares| {
                squares[0] = first as u16;
                collect(&squares, self.value(&squares, zone), groups)
            })
        })
    }

    /// The value of a set, in ascending order, with the player somewhere in a zone of the whole position.
    pub(crate) fn value(&self, squares: &[u16; J], zone: Set<G>) -> u8 {
        let values = &self.values[self.ranks.rank(squares) * 4 * J..][..4 * J];
        if values.iter().all(|&value| value == 0) {
            return 0;
        }
        slot_in_zone(&self.board, &self.plane, squares, zone).map_or(0, |slot| values[slot])
    }

    pub(crate) fn bytes(&self) -> usize {
        self.values.len() + self.partners.bytes() + self.thirds.bytes()
    }
}

#[inline]
pub(crate) fn collect<const L: usize>(squares: &[u16], value: u8, groups: &mut Vec<Group<L>>) -> Listed {
    match value {
        0 => Ok(()),
        DEAD => Err(Dead),
        value => {
            let members = squares.iter().map(|&square| square.into()).collect();
            groups.push(Group { members, size: squares.len() as u8, value });
            Ok(())
        }
    }
}

/// Some target squares of a side.
struct Target<const J: usize> {
    /// Their columns in the rows of distances.
    columns: [u16; J],
    /// The nodes with boxes on them where a search begins.
    nodes: Vec<u32>,
}

/// The least interaction of each node over all sets of target squares of a side.
fn all_targets<const J: usize, const G: usize>(
    graph: &Graph<J, G>,
    board: &DenseBoard,
    side: Side,
    threads: usize,
    stop: &(dyn Fn() -> bool + Sync),
) -> Option<Vec<u8>> {
    let target = |columns: [u16; J]| Target { columns, nodes: graph.target_nodes(board, side, columns) };
    let subsets = Subsets::new(J, targets(board, side).len());
    let targets: Vec<Target<J>> = subsets.map(|columns| target(std::array::from_fn(|place| columns[place]))).collect();
    let way = board.way(side);
    let next = AtomicUsize::new(0);
    let merged = Mutex::new((vec![DEAD; graph.rows.len()], true));
    let work = || {
        let mut least = vec![DEAD; graph.rows.len()];
        let mut pushes = vec![0; graph.rows.len()];
        let mut queue = BucketQueue::default();
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
    // A small table is finished before another thread has started.
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

/// Lowers the least interaction of every node to that for one set of target squares. `false` if told to stop.
fn one_target<const J: usize, const G: usize>(
    graph: &Graph<J, G>,
    way: &StepTable,
    target: &Target<J>,
    least: &mut [u8],
    pushes: &mut [u16],
    queue: &mut BucketQueue<u32>,
    stop: &(dyn Fn() -> bool + Sync),
) -> bool {
    let mut visited = 0usize;
    graph.search(&target.nodes, pushes, queue, |node, pushes| {
        visited += 1;
        if visited.is_multiple_of(POLL_NODES) && stop() {
            return false;
        }
        let value = &mut least[node as usize];
        if *value > 0 {
            let mut costs = [[0i32; J]; J];
            for (costs, &row) in costs.iter_mut().zip(&graph.rows[node as usize]) {
                let row = way.row(row);
                let columns = target.columns.iter();
                costs.iter_mut().zip(columns).for_each(|(cost, &column)| *cost = i32::from(row[usize::from(column)]));
            }
            let interaction = (i32::from(pushes) - cheapest(&costs)).clamp(0, MOST_INTERACTION);
            *value = (*value).min(interaction as u8);
        }
        true
    })
}

/// The cost of the cheapest assignment of rows to columns.
#[inline]
fn cheapest<const J: usize>(costs: &[[i32; J]; J]) -> i32 {
    // By the columns used by the first rows, a bit each.
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
