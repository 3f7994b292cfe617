//! Compiles a board: the grid of cells, the live squares with their rows of distances, the steps of both directions.

use super::{DenseBoard, INFINITE, LONGEST, NONE, Side, Step, StepTable};
use crate::distance::{Distances, FAR};
use crate::{Board, NO_SQUARE, Square};
use lurd_base::{Budget, Halt};
use lurd_level::Direction;

const MAX_CELLS: usize = 1024;
const MAX_LIVE: usize = 1000;
const MAX_BOXES: usize = 500;

/// The padded grid.
struct Grid {
    width: usize,
    cells: usize,
    deltas: [isize; 4],
    floor: Vec<u64>,
    square_at: Vec<Square>,
    cell_at: Vec<u16>,
}

impl Grid {
    /// `None` if it would be too large.
    fn new(board: &Board) -> Option<Self> {
        let places: Vec<_> = board.squares().map(|square| board.place(square)).collect();
        let span = |coordinate: fn(&(usize, usize)) -> usize| {
            let low = places.iter().map(coordinate).min().unwrap_or(0);
            (low, places.iter().map(coordinate).max().unwrap_or(0) - low + 1)
        };
        let (top, height) = span(|&(row, _)| row);
        let (left, breadth) = span(|&(_, column)| column);
        // Lines run along the shorter side, so that a step between lines is a shift by less than a word.
        let upright = height >= breadth;
        let width = height.min(breadth) + 1;
        let cells = width * height.max(breadth);
        if cells > MAX_CELLS || width > 63 {
            return None;
        }
        let cell_of = |&(row, column): &(usize, usize)| {
            let (line, place) = if upright { (row - top, column - left) } else { (column - left, row - top) };
            (line * width + place) as u16
        };
        let cell_at: Vec<u16> = places.iter().map(cell_of).collect();
        let mut square_at = vec![NO_SQUARE; cells];
        let mut floor = vec![0u64; cells.div_ceil(64)];
        for square in board.squares() {
            let cell = usize::from(cell_at[usize::from(square)]);
            square_at[cell] = square;
            floor[cell / 64] |= 1 << (cell % 64);
        }
        let along = width as isize;
        let deltas = if upright { [-1, 1, -along, along] } else { [-along, along, -1, 1] };
        Some(Self { width, cells, deltas, floor, square_at, cell_at })
    }

    fn cell(&self, square: Square) -> u16 {
        self.cell_at[usize::from(square)]
    }

    /// The cell beside another one, or [`NONE`].
    fn beside(&self, board: &Board, cell: u16, direction: Direction) -> u16 {
        let next = board.neighbour(self.square_at[usize::from(cell)], direction);
        if next == NO_SQUARE { NONE } else { self.cell(next) }
    }
}

/// The distances of lone boxes to the goals and from the starts.
struct LoneBoxes {
    to_goals: Distances,
    from_starts: Distances,
}

impl LoneBoxes {
    /// Whether a box on a square with the player on another can be on a path from a start square to a goal.
    fn is_possible(&self, square: Square, player: Square) -> bool {
        self.to_goals.nearest(square, player) != FAR && self.from_starts.nearest(square, player) != FAR
    }

    /// A player's square on each side of a box, with what tells the sides apart.
    fn sides(&self, board: &Board, square: Square) -> Vec<(usize, Square)> {
        let mut seen: Vec<(usize, Square)> = Vec::new();
        for player in board.squares().filter(|&player| player != square) {
            let pair = self.to_goals.pair(square, player);
            if seen.iter().all(|&(known, _)| known != pair) {
                seen.push((pair, player));
            }
        }
        seen
    }
}

/// The live squares and their rows of distances.
struct LiveSquares {
    live: Vec<u16>,
    live_at: Vec<u16>,
    row_at: Vec<u16>,
    row_live: Vec<u16>,
    stride: usize,
    forward_rows: Vec<i16>,
    backward_rows: Vec<i16>,
}

impl LiveSquares {
    /// `None` if there are too many.
    fn new(board: &Board, grid: &Grid, lone: &LoneBoxes) -> Option<Self> {
        let stride = board.goals().len().next_multiple_of(8);
        let mut all = Self {
            live: Vec::new(),
            live_at: vec![NONE; grid.cells],
            row_at: Vec::new(),
            row_live: Vec::new(),
            stride,
            forward_rows: Vec::new(),
            backward_rows: Vec::new(),
        };
        for square in board.squares() {
            let sides = lone.sides(board, square);
            if !sides.iter().any(|&(_, player)| lone.is_possible(square, player)) {
                continue;
            }
            if all.live.len() == MAX_LIVE || all.row_live.len() + 4 > usize::from(NONE) {
                return None;
            }
            all.add(board, grid, lone, square, &sides);
        }
        Some(all)
    }

    fn add(&mut self, board: &Board, grid: &Grid, lone: &LoneBoxes, square: Square, sides: &[(usize, Square)]) {
        let number = self.live.len() as u16;
        self.live.push(grid.cell(square));
        self.live_at[usize::from(grid.cell(square))] = number;
        let first = self.row_live.len() as u16;
        for &(_, player) in sides {
            self.row_live.push(number);
            let ways = [(&lone.to_goals, &mut self.forward_rows), (&lone.from_starts, &mut self.backward_rows)];
            for (distances, rows) in ways {
                let short = |&value: &u16| if value == FAR { INFINITE } else { value.min(LONGEST) as i16 };
                rows.extend(distances.row(square, player).iter().map(short));
                rows.resize(rows.len().next_multiple_of(self.stride), INFINITE);
            }
        }
        let start = self.row_at.len();
        self.row_at.resize(start + grid.cells, NONE);
        for player in board.squares().filter(|&player| player != square) {
            let pair = lone.to_goals.pair(square, player);
            let side = sides.iter().position(|&(known, _)| known == pair).unwrap_or(0);
            self.row_at[start + usize::from(grid.cell(player))] = first + side as u16;
        }
    }

    /// Cells and directions by arrival.
    fn arrivals(&self) -> impl Iterator<Item = (u16, Direction)> + '_ {
        self.live.iter().flat_map(|&cell| Direction::ALL.map(|direction| (cell, direction)))
    }

    /// The move of a box on a live cell in a direction.
    fn step(&self, board: &Board, grid: &Grid, good: &[bool], side: Side, from: (u16, Direction)) -> Step {
        let none = Step { to: NONE, lands: NONE, reach: NONE, clear: NONE, arrival: NONE, row: NONE };
        let (cell, direction) = from;
        let next = grid.beside(board, cell, direction);
        let to = if next == NONE { NONE } else { self.live_at[usize::from(next)] };
        if to == NONE {
            return none;
        }
        let (reach, clear, lands, faces) = match side {
            Side::Forward => (grid.beside(board, cell, direction.opposite()), next, cell, direction.opposite()),
            Side::Backward => {
                let beyond = grid.beside(board, next, direction);
                (next, beyond, beyond, direction)
            }
        };
        let arrival = 4 * to + faces as u16;
        if reach == NONE || clear == NONE || !good[usize::from(arrival)] {
            return none;
        }
        let row = self.row_at[usize::from(to) * grid.cells + usize::from(lands)];
        Step { to, lands, reach, clear, arrival, row }
    }
}

impl DenseBoard {
    /// Compiles a board. `Ok(None)` if it is too large for the tables.
    pub fn new(board: &Board, budget: &Budget) -> Result<Option<Self>, Halt> {
        let boxes = board.goals().len();
        let Some(grid) = Grid::new(board).filter(|_| (1..=MAX_BOXES).contains(&boxes)) else { return Ok(None) };
        let (to_goals, from_starts) = (Distances::to_goals(board, budget)?, Distances::from_starts(board, budget)?);
        let lone = LoneBoxes { to_goals, from_starts };
        let Some(squares) = LiveSquares::new(board, &grid, &lone) else { return Ok(None) };

        let beside: Vec<u16> =
            squares.arrivals().map(|(cell, direction)| grid.beside(board, cell, direction)).collect();
        let square = |cell: u16| grid.square_at[usize::from(cell)];
        let is_good = |((cell, _), &next): (_, &u16)| next != NONE && lone.is_possible(square(cell), square(next));
        let good: Vec<bool> = squares.arrivals().zip(&beside).map(is_good).collect();
        let steps = |side| squares.arrivals().map(|arrival| squares.step(board, &grid, &good, side, arrival)).collect();
        let (forward, backward) = (steps(Side::Forward), steps(Side::Backward));

        let LiveSquares { live, live_at, row_at, row_live, stride, forward_rows, backward_rows } = squares;
        let numbers = |squares: &[Square]| -> Vec<u16> {
            squares.iter().map(|&square| live_at[usize::from(grid.cell(square))]).collect()
        };
        let (mut goals, mut starts) = (numbers(board.goals()), numbers(board.start_boxes()));
        let hopeless = goals.contains(&NONE) || starts.contains(&NONE);
        goals.retain(|&goal| goal != NONE);
        starts.retain(|&start| start != NONE);
        let start_player = grid.cell(board.start_player());
        Ok(Some(Self {
            boxes,
            width: grid.width,
            cells: grid.cells,
            deltas: grid.deltas,
            floor: grid.floor,
            square_at: grid.square_at,
            cell_at: grid.cell_at,
            live,
            live_at,
            beside,
            good,
            row_at,
            row_live,
            goals,
            starts,
            start_player,
            forward: StepTable { steps: forward, rows: forward_rows, stride },
            backward: StepTable { steps: backward, rows: backward_rows, stride },
            hopeless,
        }))
    }
}
