//! Which small sets of boxes can still come to a good end, found backwards and exactly.
//!
//! Take a few boxes and forget the others. If not even those few can all be brought to goals,
//! the whole position is lost: delete the other boxes from any solution, and what remains is
//! one for the few. So for every set of `size` live squares and every zone of the player it is
//! worth knowing whether the set is alive. All alive states are found at once by moving
//! backwards from the sets of goals, whatever zone the player is in. For the search
//! that pulls, the question is mirrored: which sets can the start produce? There the first states are
//! the sets of start squares, with the player's real zone, and the moves are pushes.
//!
//! A zone is never stored. After a move the player stands beside the moved box, so only the cells
//! beside the boxes matter: a set has one bit for each of them, set when a player there
//! is alive. Nothing may be concluded before the last state has been worked off.

use crate::dense::board::{DenseBoard, NONE, Plane, Side};
use crate::dense::set::Set;

/// The most boxes in a set: four bits each in a word of 32.
pub const MOST: usize = 6;

/// Numbers of sets: binomial coefficients for colexicographic ranks.
#[derive(Clone, Debug)]
pub struct Ranks {
    /// `choose[size][square]`: sets of `size` among the squares below `square`.
    choose: Vec<Vec<usize>>,
}

impl Ranks {
    pub fn new(live: usize) -> Self {
        let mut choose = vec![vec![1usize; live + 1]];
        for size in 1..=MOST {
            let mut row = vec![0usize; live + 1];
            for square in 1..=live {
                row[square] = row[square - 1].saturating_add(choose[size - 1][square - 1]);
            }
            choose.push(row);
        }
        Self { choose }
    }

    /// How many sets of a size there are.
    pub fn count(&self, size: usize) -> usize {
        self.choose[size].last().copied().unwrap_or(0)
    }

    /// The number of a set given in ascending order.
    #[inline]
    pub fn rank(&self, squares: &[u16]) -> usize {
        squares.iter().enumerate().map(|(index, &square)| self.choose[index + 1][usize::from(square)]).sum()
    }
}

/// Steps through the subsets of a list, in lexicographic order of positions.
#[derive(Clone, Debug)]
pub struct Subsets {
    positions: [u16; MOST],
    size: usize,
    among: usize,
    done: bool,
}

impl Subsets {
    pub fn new(size: usize, among: usize) -> Self {
        let mut positions = [0; MOST];
        positions.iter_mut().enumerate().for_each(|(index, position)| *position = index as u16);
        Self { positions, size, among, done: size > among }
    }
}

impl Iterator for Subsets {
    type Item = [u16; MOST];

    fn next(&mut self) -> Option<Self::Item> {
        if self.done {
            return None;
        }
        let current = self.positions;
        let last = |index: usize| (self.among - self.size + index) as u16;
        match (0..self.size).rev().find(|&index| self.positions[index] < last(index)) {
            None => self.done = true,
            Some(index) => {
                let first = self.positions[index] + 1;
                for (offset, position) in self.positions[index..self.size].iter_mut().enumerate() {
                    *position = first + offset as u16;
                }
            }
        }
        Some(current)
    }
}

/// The alive bits of all sets of one size.
#[derive(Clone, Debug)]
pub struct Alive {
    pub size: usize,
    bits: Vec<u32>,
}

impl Alive {
    /// Whether the set, in ascending order, is alive with the player beside its `index`th box.
    #[inline]
    pub fn is_alive(&self, ranks: &Ranks, squares: &[u16], index: usize, direction: usize) -> bool {
        self.bits_of(ranks, squares) >> (4 * index + direction) & 1 != 0
    }

    /// All bits of a set in ascending order: bit `4 * index + direction` for each cell beside a box.
    #[inline]
    pub fn bits_of(&self, ranks: &Ranks, squares: &[u16]) -> u32 {
        self.bits[ranks.rank(squares)]
    }

    pub fn bytes(&self) -> usize {
        size_of_val(&self.bits[..])
    }
}

/// A computation of [`Alive`] that can be interrupted.
#[derive(Clone, Debug)]
pub struct Retrograde<const G: usize> {
    plane: Plane<G>,
    /// The side that will ask; the moves here are those of the other side.
    side: Side,
    alive: Alive,
    seeds: Subsets,
    open: Vec<([u16; MOST], Set<G>)>,
}

impl<const G: usize> Retrograde<G> {
    pub fn new(board: &DenseBoard, ranks: &Ranks, side: Side, size: usize) -> Self {
        let ends = match side {
            Side::Forward => board.goals(),
            Side::Backward => board.starts(),
        };
        Self {
            plane: board.plane(),
            side,
            alive: Alive { size, bits: vec![0; ranks.count(size)] },
            seeds: Subsets::new(size, ends.len()),
            open: Vec::new(),
        }
    }

    /// Works off about `work` states. Returns how much of it was left when nothing remained to do.
    pub fn run(&mut self, board: &DenseBoard, ranks: &Ranks, mut work: u64) -> Option<u64> {
        let size = self.alive.size;
        let steps = &board.way(self.side.opposite()).steps;
        while work > 0 {
            work -= 1;
            let Some((squares, zone)) = self.open.pop() else {
                let Some(positions) = self.seeds.next() else { return Some(work) };
                self.seed(board, ranks, &positions[..size]);
                continue;
            };
            let boxes = self.cells(board, &squares[..size]);
            for index in 0..size {
                let from = usize::from(squares[index]);
                for step in &steps[4 * from..4 * from + 4] {
                    if step.to == NONE || !zone.contains(step.reach.into()) || boxes.contains(step.clear.into()) {
                        continue;
                    }
                    let (next, place) = moved(&squares, size, index, step.to);
                    let rank = ranks.rank(&next[..size]);
                    if self.alive.bits[rank] >> (4 * place + usize::from(step.arrival % 4)) & 1 == 0 {
                        let mut occupied = boxes;
                        occupied.remove(board.cell(from));
                        occupied.insert(board.cell(step.to.into()));
                        let zone = self.plane.zone(self.plane.floor.without(occupied), step.lands.into());
                        self.mark(board, rank, &next, zone);
                    }
                }
            }
        }
        None
    }

    /// The finished table; only for a computation whose [`run`](Self::run) has come to its end.
    pub fn finish(self) -> Alive {
        debug_assert!(self.open.is_empty() && self.seeds.done, "nothing follows from an unfinished table");
        self.alive
    }

    /// Bytes it holds while it works.
    pub fn bytes(&self) -> usize {
        self.alive.bytes() + size_of_val(&self.open[..])
    }

    fn seed(&mut self, board: &DenseBoard, ranks: &Ranks, positions: &[u16]) {
        let ends = match self.side {
            Side::Forward => board.goals(),
            Side::Backward => board.starts(),
        };
        let mut squares = [0; MOST];
        for (square, &position) in squares.iter_mut().zip(positions) {
            *square = ends[usize::from(position)];
        }
        squares[..positions.len()].sort_unstable();
        let rank = ranks.rank(&squares[..positions.len()]);
        let free = self.plane.floor.without(self.cells(board, &squares[..positions.len()]));
        if self.side == Side::Backward {
            self.mark(board, rank, &squares, self.plane.zone(free, board.start_player()));
            return;
        }
        let mut rest = free;
        while !rest.is_empty() {
            let zone = self.plane.zone(free, rest.lowest());
            rest = rest.without(zone);
            self.mark(board, rank, &squares, zone);
        }
    }

    /// Calls a set alive for a zone and puts it on the list, unless it is known.
    fn mark(&mut self, board: &DenseBoard, rank: usize, squares: &[u16; MOST], zone: Set<G>) {
        let mut bits = 0;
        for (index, &square) in squares[..self.alive.size].iter().enumerate() {
            for direction in 0..4 {
                let cell = board.beside(4 * usize::from(square) + direction);
                if cell != NONE && zone.contains(cell.into()) {
                    bits |= 1 << (4 * index + direction);
                }
            }
        }
        if self.alive.bits[rank] & bits == 0 {
            self.alive.bits[rank] |= bits;
            self.open.push((*squares, zone));
        }
    }

    fn cells(&self, board: &DenseBoard, squares: &[u16]) -> Set<G> {
        let mut cells = Set::EMPTY;
        squares.iter().for_each(|&square| cells.insert(board.cell(square.into())));
        cells
    }
}

/// The set after its `index`th box went to `to`, in ascending order, and the box's place in it.
#[inline]
pub fn moved(squares: &[u16; MOST], size: usize, index: usize, to: u16) -> ([u16; MOST], usize) {
    let mut next = *squares;
    let mut place = index;
    while place > 0 && next[place - 1] > to {
        next[place] = next[place - 1];
        place -= 1;
    }
    while place + 1 < size && next[place + 1] < to {
        next[place] = next[place + 1];
        place += 1;
    }
    next[place] = to;
    (next, place)
}
