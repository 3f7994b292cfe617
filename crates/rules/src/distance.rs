//! Exact push distances of a lone box: one box on an otherwise empty board.
//!
//! A state of a lone box is its square and the player's side of it. Distances to every goal (for pushing) and from every
//! start square (for pulling) are found by breadth-first search over these pairs. They are lower bounds in the full
//! level: deleting all other boxes from a solution leaves such a path of each box. A square without any path to a goal is
//! a dead square (Junghanns and Schaeffer 2001).
//!
//! There are three forms. This one is a table of all pairs and targets, computed once per level within a budget, for
//! searches that read a row per box. [`crate::feature::lone_box`] has no table: it is built for every set of walls that
//! occurs in a feature-space search and answers a few queries each. [`crate::dense::frozen_walls`] fills padded rows for
//! the matching of the dense searches, also for every set of walls. Tests in these modules show that they agree.

use crate::sides::Sides;
use crate::{Board, NO_SQUARE, Square};
use lurd_base::{Budget, Halt};
use lurd_level::Direction;

/// Columns of the table filled at a time: their part of a row is one cache line.
const COLUMNS: usize = 32;

/// Values of the table allocated between two checks of the budget.
const CHUNK: usize = 1 << 22;

/// The distance to an unreachable target.
pub const FAR: u16 = u16::MAX;

/// Distances between every (square, player's side) pair and a list of target squares.
#[derive(Clone, Debug)]
pub struct Distances {
    sides: Sides,
    targets: usize,
    /// One row of `targets` values for each (square, side) pair.
    table: Vec<u16>,
    /// The minimum of each row.
    nearest: Vec<u16>,
    /// Squares without a finite distance on any side.
    dead: Vec<bool>,
}

impl Distances {
    /// The size in bytes of the table of a board.
    pub fn bytes(board: &Board) -> usize {
        Sides::new(board).pairs() * (board.goals().len() + 1) * size_of::<u16>()
    }

    /// Pushes from each (square, side) to each goal.
    pub fn to_goals(board: &Board, budget: &Budget) -> Result<Self, Halt> {
        Self::to_squares(board, board.goals(), budget)
    }

    /// Pushes from each (square, side) to each of these squares, with the player on any side at the end.
    pub fn to_squares(board: &Board, squares: &[Square], budget: &Budget) -> Result<Self, Halt> {
        let sides = Sides::new(board);
        let pushes = pushes(board, &sides);
        let reversed: Vec<_> = pushes.iter().map(|&(from, to)| (to, from)).collect();
        let starts: Vec<Vec<usize>> = squares.iter().map(|&square| sides.pairs_of(square).collect()).collect();
        Self::search(board, sides, &reversed, &starts, budget)
    }

    /// Pushes from the start square of each box, with the player on his start square, to each (square, side).
    pub fn from_starts(board: &Board, budget: &Budget) -> Result<Self, Halt> {
        let sides = Sides::new(board);
        let pushes = pushes(board, &sides);
        let starts: Vec<Vec<usize>> =
            board.start_boxes().iter().map(|&b| vec![sides.pair(b, board.start_player())]).collect();
        Self::search(board, sides, &pushes, &starts, budget)
    }

    fn search(
        board: &Board,
        sides: Sides,
        edges: &[(usize, usize)],
        starts: &[Vec<usize>],
        budget: &Budget,
    ) -> Result<Self, Halt> {
        let states = sides.pairs();
        let targets = starts.len();
        let mut first = vec![0usize; states + 1];
        for &(from, _) in edges {
            first[from + 1] += 1;
        }
        for index in 0..states {
            first[index + 1] += first[index];
        }
        let mut filled = first.clone();
        let mut heads = vec![0usize; edges.len()];
        for &(from, to) in edges {
            heads[filled[from]] = to;
            filled[from] += 1;
        }
        let mut table = Vec::with_capacity(states * targets);
        // Filling hundreds of megabytes takes time.
        while table.len() < states * targets {
            budget.check()?;
            table.resize((table.len() + CHUNK).min(states * targets), FAR);
        }
        let mut queue = Vec::with_capacity(states);
        // The table has a row for each state, and a search fills a column. For locality a few columns at a time are
        // filled separately and then copied as parts of rows.
        let mut columns = vec![FAR; states * COLUMNS];
        for (block, sources) in starts.chunks(COLUMNS).enumerate() {
            columns.fill(FAR);
            for (column, sources) in columns.chunks_mut(states).zip(sources) {
                budget.check()?;
                fill(column, sources, &first, &heads, &mut queue);
            }
            for (state, row) in table.chunks_mut(targets).enumerate() {
                let piece = row[block * COLUMNS..].iter_mut();
                for (value, column) in piece.zip(columns.chunks(states)) {
                    *value = column[state];
                }
            }
        }
        let nearest: Vec<u16> = (0..states)
            .map(|state| table[state * targets..(state + 1) * targets].iter().copied().min().unwrap_or(FAR))
            .collect();
        let is_dead = |square| nearest[sides.pairs_of(square)].iter().all(|&value| value == FAR);
        let dead = board.squares().map(is_dead).collect();
        Ok(Self { sides, targets, table, nearest, dead })
    }

    /// The number of the pair of a box's square and the player's side of it.
    #[inline]
    pub fn pair(&self, square: Square, player: Square) -> usize {
        self.sides.pair(square, player)
    }

    /// The distances of a box on `square` with the player on `player`, one for each target.
    #[inline]
    pub fn row(&self, square: Square, player: Square) -> &[u16] {
        self.row_at(self.offset(square, player))
    }

    /// The index of the row of a box on `square` in the table.
    #[inline]
    pub fn offset(&self, square: Square, player: Square) -> usize {
        self.pair(square, player) * self.targets
    }

    /// The row at an [`offset`](Self::offset).
    #[inline]
    pub fn row_at(&self, offset: usize) -> &[u16] {
        &self.table[offset..offset + self.targets]
    }

    /// The minimum of [`row`](Self::row).
    #[inline]
    pub fn nearest(&self, square: Square, player: Square) -> u16 {
        self.nearest[self.pair(square, player)]
    }

    /// Whether `square` is dead for every position of the player.
    #[inline]
    pub fn is_dead(&self, square: Square) -> bool {
        self.dead[usize::from(square)]
    }
}

/// Breadth-first search from `sources` over edges grouped by their tail.
fn fill(column: &mut [u16], sources: &[usize], first: &[usize], heads: &[usize], queue: &mut Vec<usize>) {
    queue.clear();
    for &source in sources {
        column[source] = 0;
        queue.push(source);
    }
    let mut next = 0;
    while let Some(&here) = queue.get(next) {
        next += 1;
        // Saturates below FAR: a longer distance is underestimated, which keeps the bound admissible.
        let distance = (column[here] + 1).min(FAR - 1);
        for &there in &heads[first[here]..first[here + 1]] {
            if column[there] == FAR {
                column[there] = distance;
                queue.push(there);
            }
        }
    }
}

/// Every push of a lone box, as (state before, state after).
fn pushes(board: &Board, sides: &Sides) -> Vec<(usize, usize)> {
    let mut edges = Vec::new();
    for square in board.squares() {
        for direction in Direction::ALL {
            let player = board.neighbour(square, direction.opposite());
            let to = board.neighbour(square, direction);
            if player != NO_SQUARE && to != NO_SQUARE {
                edges.push((sides.pair(square, player), sides.pair(to, square)));
            }
        }
    }
    edges
}
