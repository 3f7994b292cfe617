//! The board of the dense searches: live squares, bit sets of cells, and tables of all pushes and pulls.
//!
//! There are two numberings. *Cells* are the places of a padded grid, one bit each, so that the player's zone is filled
//! by shifts; a column of walls at the end of each line keeps shifts from wrapping. *Live squares* are those a box can be
//! on in a solution: a box can reach the square from its start and a goal from the square, with the player on the same
//! side. Box sets are sets of live squares.
//!
//! After a push or pull the player is next to the box, on a side that the move determines. So the move also determines
//! the row of distances of the moved box and everything else that depends on the player's side of it. The pair of a box's
//! square and the side of it the player is on is an *arrival*, numbered `4 * live square + direction`.

mod compile;

use crate::Square;
use crate::dense::set::Set;
use lurd_level::Direction;

/// Not a live square, cell or row.
pub const NONE: u16 = u16::MAX;

/// The distance to an unreachable target.
pub const INFINITE: i16 = 8000;

/// Longer distances are cut to this one, which keeps the bound admissible and sums small.
pub const LONGEST: u16 = 3000;

/// The direction of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// From the start, pushing.
    Forward,
    /// From the solved board, pulling.
    Backward,
}

impl Side {
    pub fn opposite(self) -> Self {
        match self {
            Self::Forward => Self::Backward,
            Self::Backward => Self::Forward,
        }
    }
}

/// A move of a box by one square: forwards a push, backwards a pull.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// The live square the box moves to; [`NONE`] if the move is impossible or dead.
    pub to: u16,
    /// The player's cell after the move.
    pub lands: u16,
    /// The cell the player must reach first.
    pub reach: u16,
    /// The cell that must hold no box.
    pub clear: u16,
    pub arrival: u16,
    /// The row of distances of the moved box.
    pub row: u16,
}

/// The moves and distances of one direction of search.
#[derive(Clone, Debug)]
pub struct StepTable {
    /// Steps by `4 * live square + direction`.
    pub steps: Vec<Step>,
    /// Rows of distances to the targets of this direction, `stride` values each.
    rows: Vec<i16>,
    stride: usize,
}

impl StepTable {
    /// Whether some row has this distance.
    pub fn has_distance(&self, distance: i16) -> bool {
        self.rows.contains(&distance)
    }

    /// The distances of a row, padded with [`INFINITE`].
    #[inline]
    pub fn row(&self, row: u16) -> &[i16] {
        &self.rows[usize::from(row) * self.stride..][..self.stride]
    }

    /// The same steps with other rows of distances, `stride` values each.
    pub fn with_rows(&self, rows: Vec<i16>) -> Self {
        debug_assert_eq!(rows.len(), self.rows.len(), "as many rows as before");
        Self { steps: self.steps.clone(), rows, stride: self.stride }
    }

    /// Rows of distances without steps, `stride` values each.
    pub fn of_rows(rows: Vec<i16>, stride: usize) -> Self {
        Self { steps: Vec::new(), rows, stride }
    }

    pub fn row_count(&self) -> usize {
        self.rows.len() / self.stride
    }

    /// The number of values of a row, padding included.
    pub fn stride(&self) -> usize {
        self.stride
    }
}

/// A level compiled for the dense searches.
#[derive(Clone, Debug)]
pub struct DenseBoard {
    boxes: usize,
    width: usize,
    cells: usize,
    /// The change of the cell number by a step in each direction.
    deltas: [isize; 4],
    floor: Vec<u64>,
    square_at: Vec<Square>,
    cell_at: Vec<u16>,
    /// The cell of each live square.
    live: Vec<u16>,
    /// The live square of each cell.
    live_at: Vec<u16>,
    /// The cell next to a live square, by arrival; [`NONE`] if it is a wall.
    beside: Vec<u16>,
    /// Whether an arrival can occur in a solution of a lone box.
    good: Vec<bool>,
    /// The row of a box on a live square with the player on a cell, by `live * cells + cell`.
    row_at: Vec<u16>,
    /// The live square of each row.
    row_live: Vec<u16>,
    goals: Vec<u16>,
    starts: Vec<u16>,
    start_player: u16,
    forward: StepTable,
    backward: StepTable,
    /// Whether some start square or goal is not live.
    hopeless: bool,
}

impl DenseBoard {
    /// The number of cells of the grid.
    pub fn cells(&self) -> usize {
        self.cells
    }

    /// The number of boxes, which is also the number of goals.
    pub fn boxes(&self) -> usize {
        self.boxes
    }

    /// The number of words of a set of cells.
    pub fn cell_words(&self) -> usize {
        self.floor.len()
    }

    /// The number of words of a set of live squares: a power of two, with a minimum on large boards, so that few variants
    /// of the searches are compiled.
    pub fn live_words(&self) -> usize {
        let words = self.live.len().div_ceil(64).max(1).next_power_of_two();
        match self.cell_words() {
            0..=2 => words,
            3..=4 => words.max(2),
            _ => words.max(4),
        }
    }

    pub fn live_count(&self) -> usize {
        self.live.len()
    }

    /// The cell of a live square.
    #[inline]
    pub fn cell(&self, live: usize) -> usize {
        usize::from(self.live[live])
    }

    /// The live square of a cell, or [`NONE`].
    #[inline]
    pub fn live_at(&self, cell: usize) -> u16 {
        self.live_at[cell]
    }

    /// The player's cell of an arrival, or [`NONE`] if it is a wall.
    #[inline]
    pub fn beside(&self, arrival: usize) -> u16 {
        self.beside[arrival]
    }

    /// Whether the player's cell of an arrival is in a zone.
    #[inline]
    pub fn is_beside<const G: usize>(&self, arrival: usize, zone: Set<G>) -> bool {
        self.beside[arrival] != NONE && zone.contains(self.beside[arrival].into())
    }

    /// Whether an arrival can occur in a solution of a lone box.
    #[inline]
    pub fn is_good(&self, arrival: usize) -> bool {
        self.good[arrival]
    }

    /// The row of a box on a live square with the player on a cell.
    #[inline]
    pub fn row_at(&self, live: usize, cell: usize) -> u16 {
        self.row_at[live * self.cells + cell]
    }

    /// Whether a lone box can have this row of distances on a path from a start square to a goal.
    pub fn is_possible(&self, row: u16) -> bool {
        [&self.forward, &self.backward].iter().all(|way| way.row(row).iter().any(|&distance| distance != INFINITE))
    }

    /// The live square of a row.
    #[inline]
    pub fn row_live(&self, row: u16) -> usize {
        usize::from(self.row_live[usize::from(row)])
    }

    /// The goals, as live squares.
    pub fn goals(&self) -> &[u16] {
        &self.goals
    }

    /// The start squares of the boxes, as live squares.
    pub fn starts(&self) -> &[u16] {
        &self.starts
    }

    /// The player's cell in the start position.
    pub fn start_player(&self) -> usize {
        self.start_player.into()
    }

    /// Whether some start square or goal is not live: there is no solution.
    pub fn is_hopeless(&self) -> bool {
        self.hopeless
    }

    /// The moves and distances of a direction of search.
    pub fn way(&self, side: Side) -> &StepTable {
        match side {
            Side::Forward => &self.forward,
            Side::Backward => &self.backward,
        }
    }

    pub fn square(&self, cell: usize) -> Square {
        self.square_at[cell]
    }

    /// The live square on a square of the board, or [`NONE`].
    pub fn live_on(&self, square: Square) -> u16 {
        self.live_at[usize::from(self.cell_at[usize::from(square)])]
    }

    /// The cell of a square of the board.
    pub fn cell_on(&self, square: Square) -> usize {
        self.cell_at[usize::from(square)].into()
    }

    pub fn bytes(&self) -> usize {
        let ways = [&self.forward, &self.backward];
        let steps: usize = ways.iter().map(|way| size_of_val(&way.steps[..]) + size_of_val(&way.rows[..])).sum();
        steps + size_of_val(&self.row_at[..]) + 16 * self.cells + 32 * self.live.len()
    }

    /// The colour of a live square on a chessboard, 0 or 1.
    pub fn colour(&self, live: usize) -> u32 {
        self.colour_of_cell(self.cell(live))
    }

    /// The colour of a cell on a chessboard, 0 or 1.
    pub fn colour_of_cell(&self, cell: usize) -> u32 {
        ((cell / self.width + cell % self.width) % 2) as u32
    }

    /// The cells of the floor, ascending.
    pub fn floor_cells(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.cells).filter(|&cell| self.floor[cell / 64] >> (cell % 64) & 1 != 0)
    }

    /// The floor as a bit set of `G` words.
    pub fn plane<const G: usize>(&self) -> Plane<G> {
        Plane { floor: Set::from_words(&self.floor), width: self.width, deltas: self.deltas }
    }
}

/// The floor as a set of cells, with walks by shifts.
#[derive(Clone, Copy, Debug)]
pub struct Plane<const G: usize> {
    pub floor: Set<G>,
    width: usize,
    deltas: [isize; 4],
}

impl<const G: usize> Plane<G> {
    /// The free cells connected to a cell.
    #[inline]
    pub fn zone(&self, free: Set<G>, from: usize) -> Set<G> {
        self.fill(free, Set::single(from))
    }

    /// A set and the free cells connected to it.
    #[inline]
    pub fn fill(&self, free: Set<G>, mut zone: Set<G>) -> Set<G> {
        loop {
            let wide = zone.or(zone.raised(1).or(zone.lowered(1)).and(free));
            let grown = wide.or(wide.raised(self.width).or(wide.lowered(self.width)).and(free));
            if grown == zone {
                return zone;
            }
            zone = grown;
        }
    }

    /// The zones of free cells that begin in some of them, each once.
    pub fn zones(&self, free: Set<G>, mut begin: Set<G>) -> impl Iterator<Item = Set<G>> + use<G> {
        let plane = *self;
        std::iter::from_fn(move || {
            (!begin.is_empty()).then(|| {
                let zone = plane.zone(free, begin.lowest());
                begin = begin.without(zone);
                zone
            })
        })
    }

    /// The neighbours of the cells of a set, walls included.
    #[inline]
    pub fn beside(&self, set: Set<G>) -> Set<G> {
        let along = set.raised(1).or(set.lowered(1));
        along.or(set.raised(self.width)).or(set.lowered(self.width))
    }

    /// Every cell of a set moved one step.
    #[inline]
    pub fn shifted(&self, set: Set<G>, direction: Direction) -> Set<G> {
        let delta = self.deltas[direction as usize];
        if delta > 0 { set.raised(delta as usize) } else { set.lowered(delta.unsigned_abs()) }
    }
}
