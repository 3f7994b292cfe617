//! Exact backward search: from the solved board boxes are pulled, breadth first, until every position is known.
//!
//! The positions of the last layer are the farthest starts: no start on these walls with these goals needs more pushes (or
//! box lines, the measure of Taylor and Parberry 2011, where a pull over several squares in one direction is one step).
//!
//! A set of boxes has a number, its rank among all sets of as many live squares. The player's zone has no number: a set has a
//! word with a bit for each side of each box, and a zone is the set of sides it touches. Zones that touch no box can pull
//! nothing and are no positions of the search. A pull marks one side of one box of the set it leads to; only when that
//! set is expanded, in the next layer, is the zone of a marked side filled. So a fill is done once for a zone, not
//! once for each pull that leads to it, and one memory access decides whether a pull leads to something new.

use crate::grid::{CellIndex, Cells, Yard, step};
use lurd::Direction;
use lurd_base::Budget;
use lurd_rules::groups::subsets::{MOST, Ranks, moved};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use zerocopy::FromZeros;

/// The most boxes a search takes.
pub const MOST_BOXES: usize = MOST;

/// What one step of the search is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// A push.
    Pushes,
    /// Pushes of one box in one direction.
    BoxLines,
}

/// Why a search has no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PullError {
    /// Too many sets of boxes.
    #[error("{sets} sets of boxes do not fit into the memory allowed")]
    Memory {
        /// Sets of boxes.
        sets: usize,
    },
    /// Time is up or the search was cancelled.
    #[error("the search was stopped")]
    Stopped,
}

/// A position that was found: the boxes and a cell of the player's zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Start {
    pub(crate) boxes: Cells,
    pub(crate) player: CellIndex,
}

/// Everything the search has found.
#[derive(Clone, Debug)]
pub(crate) struct Layers {
    /// For each distance from the solved board some of its positions, chosen by a hash of their rank and so the same
    /// whatever the number of threads. The last layer is the farthest.
    pub(crate) samples: Vec<Vec<Start>>,
    /// Positions in all.
    pub(crate) positions: u64,
}

/// The low half of a word: sides of zones that are known. The high half: sides that the next layer must look at.
const KNOWN: u64 = u32::MAX as u64;
const NEXT: u32 = 32;
const NO_INDEX: u16 = u16::MAX;
/// Sets expanded between two looks at the clock.
const SLICE: usize = 1 << 12;
/// More zones than a set of boxes can touch: each side may be one.
const MOST_ZONES: usize = 4 * MOST;

/// Walls and goals compiled for the search.
pub(crate) struct PullSearch {
    floor: Cells,
    goals: Vec<u16>,
    /// The cells where a box can be at all, ascending.
    live: Vec<CellIndex>,
    /// Back from cells.
    index: [u16; 256],
    ranks: Ranks,
    measure: Measure,
}

/// A set of boxes to expand, with sides whose zones may be new.
type Task = (u32, u32);

/// What one thread found in a layer.
#[derive(Default)]
struct Found {
    next: Vec<u32>,
    /// New zones: the rank and one of the sides.
    zones: Vec<(u32, u8)>,
}

impl PullSearch {
    /// The goals must be floor cells, at most [`MOST_BOXES`].
    pub(crate) fn new(yard: &Yard, goals: &Cells, measure: Measure) -> Self {
        let live: Vec<CellIndex> = live_cells(&yard.floor, goals).iter().collect();
        let mut index = [NO_INDEX; 256];
        live.iter().enumerate().for_each(|(at, &cell)| index[usize::from(cell)] = at as u16);
        let goals = goals.iter().map(|cell| index[usize::from(cell)]).collect();
        Self { floor: yard.floor, goals, ranks: Ranks::new(live.len()), live, index, measure }
    }

    /// Sets of boxes in the search space.
    pub(crate) fn sets(&self) -> usize {
        self.ranks.count(self.goals.len())
    }

    /// Searches all positions, with up to `keep` of each layer as samples.
    pub(crate) fn run(&self, keep: usize, threads: usize, budget: &Budget) -> Result<Layers, PullError> {
        let sets = self.sets();
        let fits = sets < u32::MAX as usize && !budget.out_of_memory(sets.saturating_mul(size_of::<AtomicU64>()));
        if !fits {
            return Err(PullError::Memory { sets });
        }
        // Pages of memory that no position needs are never touched.
        let Ok(marks) = AtomicU64::new_vec_zeroed(sets) else { return Err(PullError::Memory { sets }) };
        let solved = self.ranks.rank(&self.goals) as u32;
        let mut tasks: Vec<Task> = vec![(solved, self.all_sides(&self.goals))];
        let mut layers = Layers { samples: Vec::new(), positions: 0 };
        loop {
            let mut found = self.expand_layer(&tasks, &marks, threads, budget).ok_or(PullError::Stopped)?;
            let zones: Vec<(u32, u8)> = found.iter_mut().flat_map(|part| std::mem::take(&mut part.zones)).collect();
            if zones.is_empty() {
                return Ok(layers);
            }
            layers.positions += zones.len() as u64;
            layers.samples.push(self.sample(zones, keep));
            tasks.clear();
            for rank in found.into_iter().flat_map(|part| part.next) {
                let word = marks[rank as usize].fetch_and(KNOWN, Ordering::Relaxed);
                let sides = (word >> NEXT & !word) as u32;
                if sides != 0 {
                    tasks.push((rank, sides));
                }
            }
            // Neighbours in rank lead to neighbours in rank: most of the time is spent waiting for memory.
            tasks.sort_unstable();
        }
    }

    /// Expands all tasks; `None` when the budget ends.
    fn expand_layer(&self, tasks: &[Task], marks: &[AtomicU64], threads: usize, budget: &Budget) -> Option<Vec<Found>> {
        let stopped = AtomicBool::new(false);
        let over = || {
            if budget.is_over() {
                stopped.store(true, Ordering::Relaxed);
            }
            stopped.load(Ordering::Relaxed)
        };
        let work = |part: &[Task]| {
            let mut found = Found::default();
            for slice in part.chunks(SLICE) {
                if over() {
                    break;
                }
                slice.iter().for_each(|&task| self.expand(task, marks, &mut found));
            }
            found
        };
        let found = if threads < 2 || tasks.len() < SLICE {
            vec![work(tasks)]
        } else {
            let parts = tasks.chunks(tasks.len().div_ceil(threads));
            std::thread::scope(|scope| {
                let handles: Vec<_> = parts.map(|part| scope.spawn(|| work(part))).collect();
                // A thread that panics takes the search with it: its part is missing.
                handles
                    .into_iter()
                    .map(|handle| handle.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
                    .collect()
            })
        };
        (!stopped.load(Ordering::Relaxed)).then_some(found)
    }

    fn expand(&self, (rank, sides): Task, marks: &[AtomicU64], found: &mut Found) {
        let count = self.goals.len();
        let squares = self.squares(rank);
        let cells: [CellIndex; MOST] =
            std::array::from_fn(|at| if at < count { self.live[usize::from(squares[at])] } else { 0 });
        let free = self.floor.without(&Cells::of(cells[..count].iter().copied()));
        let word = &marks[rank as usize];
        let mut known = (word.load(Ordering::Relaxed) & KNOWN) as u32;
        let mut open = sides & !known;
        while open != 0 {
            let side = open.trailing_zeros();
            let (stand, _) = side_of(&cells, side);
            let zone = free.zone(stand);
            let mut touched = 0u32;
            for (at, &cell) in cells[..count].iter().enumerate() {
                for direction in Direction::ALL {
                    if zone.contains(step(cell, direction)) {
                        touched |= 1 << (4 * at + direction as usize);
                    }
                }
            }
            known |= touched;
            open &= !touched;
            found.zones.push((rank, side as u8));
            let mut rest = touched;
            while rest != 0 {
                let side = rest.trailing_zeros();
                rest &= rest - 1;
                self.pull(&squares, &cells, &free, side, marks, found);
            }
        }
        word.fetch_or(u64::from(known), Ordering::Relaxed);
    }

    /// Pulls a box by the player on one of its sides, and marks where that leads.
    #[inline]
    fn pull(
        &self,
        squares: &[u16; MOST],
        cells: &[CellIndex; MOST],
        free: &Cells,
        side: u32,
        marks: &[AtomicU64],
        found: &mut Found,
    ) {
        let (mut to, direction) = side_of(cells, side);
        let at = (side / 4) as usize;
        loop {
            let player = step(to, direction);
            if !free.contains(player) {
                return;
            }
            let (next, place) = moved(squares, self.goals.len(), at, self.index[usize::from(to)]);
            let rank = self.ranks.rank(&next[..self.goals.len()]);
            let bit = 1u64 << (4 * place as u32 + direction as u32);
            let word = &marks[rank];
            let seen = word.load(Ordering::Relaxed);
            // A line ends at a position that was met before. If it is known, its own expansion goes on along the line, in this
            // layer at the latest; if it is marked, whoever marked it pulled this box this way and goes on.
            if (seen | seen >> NEXT) & bit != 0 {
                return;
            }
            let before = word.fetch_or(bit << NEXT, Ordering::Relaxed);
            if before >> NEXT == 0 {
                found.next.push(rank as u32);
            }
            if self.measure == Measure::Pushes {
                return;
            }
            to = player;
        }
    }

    /// The squares of a rank, as numbers of live cells, ascending.
    fn squares(&self, rank: u32) -> [u16; MOST] {
        self.ranks.squares(rank as usize, self.goals.len())
    }

    /// All sides of boxes where the player could stand on an empty board.
    fn all_sides(&self, squares: &[u16]) -> u32 {
        let boxes = Cells::of(squares.iter().map(|&square| self.live[usize::from(square)]));
        let free = self.floor.without(&boxes);
        let mut sides = 0;
        for (at, &square) in squares.iter().enumerate() {
            for direction in Direction::ALL {
                if free.contains(step(self.live[usize::from(square)], direction)) {
                    sides |= 1 << (4 * at + direction as usize);
                }
            }
        }
        sides
    }

    /// Some of a layer's zones as positions.
    fn sample(&self, mut zones: Vec<(u32, u8)>, keep: usize) -> Vec<Start> {
        // A zone is met by one of its sides, and which one depends on the order of the marks: the zone is named by all of them.
        let key = |&(rank, _): &(u32, u8)| (rank.wrapping_mul(0x9e37_79b9) ^ rank >> 15, rank);
        let most = keep + MOST_ZONES;
        if zones.len() > most {
            zones.select_nth_unstable_by_key(most, key);
            zones.truncate(most);
        }
        let mut starts: Vec<((u32, u32), Start)> = zones
            .iter()
            .map(|zone| {
                let squares = self.squares(zone.0);
                let live = |&square: &u16| self.live[usize::from(square)];
                let cells: Vec<CellIndex> = squares[..self.goals.len()].iter().map(live).collect();
                let boxes = Cells::of(cells.iter().copied());
                let stand = step(cells[usize::from(zone.1 / 4)], Direction::ALL[usize::from(zone.1 % 4)]);
                let lowest = self.floor.without(&boxes).zone(stand).iter().next().unwrap_or(stand);
                (key(zone), Start { boxes, player: lowest })
            })
            .collect();
        starts.sort_by_key(|(key, start)| (*key, start.player));
        starts.truncate(keep);
        starts.into_iter().map(|(_, start)| start).collect()
    }
}

/// The cell of a side, and the direction in which the player there pulls.
#[inline]
fn side_of(cells: &[CellIndex; MOST], side: u32) -> (CellIndex, Direction) {
    let direction = Direction::ALL[side as usize % 4];
    (step(cells[side as usize / 4], direction), direction)
}

/// The cells to which a lone box can be pulled from a goal: boxes are never elsewhere.
fn live_cells(floor: &Cells, goals: &Cells) -> Cells {
    let mut live = *goals;
    let mut queue: Vec<CellIndex> = goals.iter().collect();
    while let Some(cell) = queue.pop() {
        for direction in Direction::ALL {
            let to = step(cell, direction);
            if floor.contains(to) && floor.contains(step(to, direction)) && !live.contains(to) {
                live.insert(to);
                queue.push(to);
            }
        }
    }
    live
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::cell_at;
    use lurd::{Board, Map};
    use lurd_rules::oracle::{self, Truth};
    use std::collections::HashSet;

    const HALL: &str =
        "############\n#@         #\n# ### #### #\n#  .    .  #\n# # ## # # #\n#      .   #\n############";

    fn search(map: &Map, measure: Measure) -> (Yard, Cells, PullSearch) {
        let yard = Yard::of_map(map).unwrap();
        let goals = map.cells().filter(|(_, _, cell)| cell.is_goal());
        let goals = Cells::of(goals.map(|(row, column, _)| cell_at(row, column)));
        let search = PullSearch::new(&yard, &goals, measure);
        (yard, goals, search)
    }

    /// Brute force over all positions of a board: the most pushes any of them needs.
    fn farthest(board: &Board) -> u32 {
        let truth = Truth::new(board);
        let mut most = 0;
        oracle::all_states(board, |state| most = most.max(truth.pushes.get(state).copied().unwrap_or(0)));
        most
    }

    #[test]
    fn the_farthest_layer_is_that_of_brute_force() {
        let mut compared = 0;
        for map in oracle::levels(20, 120) {
            let map = map.rectangular().trimmed();
            let Ok(board) = Board::new(&map) else { continue };
            // Goals outside the player's region are no part of the board.
            if map.cells().filter(|(_, _, cell)| cell.is_goal()).count() != board.goals().len() {
                continue;
            }
            let (.., search) = search(&map, Measure::Pushes);
            let layers = search.run(4, 1, &Budget::unlimited()).unwrap();
            let depth = layers.samples.len().saturating_sub(1) as u32;
            assert_eq!(depth, farthest(&board), "{map}");
            compared += 1;
        }
        assert!(compared > 60, "{compared}");
    }

    /// Each sample of a layer is exactly that far from solved, by another engine.
    #[test]
    fn samples_are_as_far_as_their_layer_says() {
        let map = Map::from_xsb(HALL).unwrap();
        let (yard, goals, search) = search(&map, Measure::Pushes);
        let layers = search.run(3, 1, &Budget::unlimited()).unwrap();
        assert!(layers.samples.len() > 10);
        for (depth, starts) in layers.samples.iter().enumerate().skip(1).step_by(3) {
            for start in starts {
                let level = lurd::Level::new(yard.map(&goals, &start.boxes, start.player));
                let report = lurd::prove(&level, lurd::Goal::Pushes).unwrap();
                assert_eq!(report.solution.unwrap().pushes, depth, "{}", level.map);
            }
        }
    }

    #[test]
    fn lines_are_fewer_than_pushes_and_threads_change_nothing() {
        let map = Map::from_xsb(HALL).unwrap();
        let (.., pushes) = search(&map, Measure::Pushes);
        let (.., lines) = search(&map, Measure::BoxLines);
        let run = |search: &PullSearch, threads| search.run(8, threads, &Budget::unlimited()).unwrap();
        let (by_pushes, by_lines) = (run(&pushes, 1), run(&lines, 1));
        assert_eq!(by_pushes.positions, by_lines.positions, "the same positions in other layers");
        assert!(by_lines.samples.len() < by_pushes.samples.len());
        for search in [&pushes, &lines] {
            let (one, two) = (run(search, 1), run(search, 2));
            assert_eq!((one.positions, one.samples), (two.positions, two.samples));
        }
    }

    /// How many positions are so many box lines from solved, by a plain breadth-first search that takes every line to its end.
    fn lines_by_brute_force(yard: &Yard, goals: &Cells) -> Vec<usize> {
        let touches = |boxes: &Cells, zone: &Cells| {
            boxes.iter().any(|cell| Direction::ALL.iter().any(|&way| zone.contains(step(cell, way))))
        };
        let mut seen: HashSet<(Cells, Cells)> = HashSet::new();
        let mut layer: Vec<(Cells, Cells)> = Vec::new();
        let free = yard.floor.without(goals);
        for cell in free.iter() {
            let solved = (*goals, free.zone(cell));
            if touches(&solved.0, &solved.1) && seen.insert(solved) {
                layer.push(solved);
            }
        }
        let mut sizes = Vec::new();
        while !layer.is_empty() {
            sizes.push(layer.len());
            let mut next = Vec::new();
            for (boxes, zone) in layer {
                for (cell, way) in boxes.iter().flat_map(|cell| Direction::ALL.map(|way| (cell, way))) {
                    let (mut at, mut player) = (cell, step(cell, way));
                    let mut pulled = boxes;
                    if !zone.contains(player) {
                        continue;
                    }
                    while yard.floor.without(&pulled).contains(step(player, way)) {
                        pulled.remove(at);
                        pulled.insert(player);
                        (at, player) = (player, step(player, way));
                        let position = (pulled, yard.floor.without(&pulled).zone(player));
                        if seen.insert(position) {
                            next.push(position);
                        }
                    }
                }
            }
            layer = next;
        }
        sizes
    }

    #[test]
    fn lines_are_counted_as_by_brute_force() {
        let mut compared = 0;
        for map in oracle::levels(21, 80) {
            let map = map.rectangular().trimmed();
            let (yard, goals, search) = search(&map, Measure::BoxLines);
            if goals.len() == 0 || goals.without(&yard.floor).len() > 0 {
                continue;
            }
            let sizes = lines_by_brute_force(&yard, &goals);
            let layers = search.run(1, 1, &Budget::unlimited()).unwrap();
            assert_eq!(layers.samples.len(), sizes.len(), "{map}");
            assert_eq!(layers.positions, sizes.iter().sum::<usize>() as u64, "{map}");
            compared += 1;
        }
        assert!(compared > 40, "{compared}");
    }

    #[test]
    fn limits_hold() {
        let map = Map::from_xsb("########\n#@ .   #\n#  .   #\n########").unwrap();
        let (.., search) = search(&map, Measure::Pushes);
        let limits = lurd::Limits { memory: Some(100), ..Default::default() };
        let small = Budget::new(limits, lurd::Cancel::new());
        assert!(matches!(search.run(1, 1, &small), Err(PullError::Memory { .. })));
        let cancel = lurd::Cancel::new();
        cancel.cancel();
        let cancelled = Budget::new(lurd::Limits::default(), cancel);
        assert_eq!(search.run(1, 1, &cancelled).err(), Some(PullError::Stopped));
    }
}
