//! Exact push distances of one box on an otherwise empty board.
//!
//! A lone box is described by its square and the player's side of it. Distances to
//! every goal (for pushing) and from every start square (for pulling) are found by
//! breadth-first search over these pairs; they never exceed what the box needs in
//! the full level, because real play, seen from one box, is such a path.

use crate::sides::Sides;
use crate::{Board, NO_SQUARE, Square};
use lurd_level::Direction;
use lurd_search::Budget;

/// Time ran out, or somebody cancelled, before the distances were known.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("the budget ended before the distances were measured")]
pub struct OutOfBudget;

/// How many columns of the table are filled at a time: their piece of a row is one cache line.
const COLUMNS: usize = 32;

/// Values of the table that are made between two looks at the budget.
const PIECE: usize = 1 << 22;

/// No way there.
pub const FAR: u16 = u16::MAX;

/// Distances between every (square, player's side) and a list of target squares.
#[derive(Clone, Debug)]
pub struct Distances {
    sides: Sides,
    targets: usize,
    /// One row of `targets` values for each (square, side).
    table: Vec<u16>,
    /// The least value of each row.
    nearest: Vec<u16>,
    /// Squares from which (to which) no side leads anywhere.
    dead: Vec<bool>,
}

impl Distances {
    /// Bytes the table for a board will take.
    pub fn bytes(board: &Board) -> usize {
        Sides::new(board).pairs() * (board.goals().len() + 1) * size_of::<u16>()
    }

    /// Pushes from each (square, side) to each goal.
    pub fn to_goals(board: &Board, budget: &Budget) -> Result<Self, OutOfBudget> {
        Self::to_squares(board, board.goals(), budget)
    }

    /// Pushes from each (square, side) to each of these squares, whatever side the player is on at the end.
    pub fn to_squares(board: &Board, squares: &[Square], budget: &Budget) -> Result<Self, OutOfBudget> {
        let sides = Sides::new(board);
        let pushes = pushes(board, &sides);
        let reversed: Vec<_> = pushes.iter().map(|&(from, to)| (to, from)).collect();
        let starts: Vec<Vec<usize>> = squares.iter().map(|&square| sides.pairs_of(square).collect()).collect();
        Self::search(board, sides, &reversed, &starts, budget)
    }

    /// Pushes from each box's start, with the player where he starts, to each (square, side).
    pub fn from_starts(board: &Board, budget: &Budget) -> Result<Self, OutOfBudget> {
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
    ) -> Result<Self, OutOfBudget> {
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
        let over = || budget.out_of_time() || budget.cancel().is_cancelled();
        let mut table = Vec::with_capacity(states * targets);
        // Hundreds of megabytes are not had at once.
        while table.len() < states * targets {
            if over() {
                return Err(OutOfBudget);
            }
            table.resize((table.len() + PIECE).min(states * targets), FAR);
        }
        let mut queue = Vec::with_capacity(states);
        // The table has a row for each state, and a search fills a column. A few columns at a time
        // are filled aside and then written as pieces of rows, which a large board's cache rewards.
        let mut columns = vec![FAR; states * COLUMNS];
        for (block, sources) in starts.chunks(COLUMNS).enumerate() {
            columns.fill(FAR);
            for (column, sources) in columns.chunks_mut(states).zip(sources) {
                if over() {
                    return Err(OutOfBudget);
                }
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
        let lost = |square| nearest[sides.pairs_of(square)].iter().all(|&value| value == FAR);
        let dead = board.squares().map(lost).collect();
        Ok(Self { sides, targets, table, nearest, dead })
    }

    /// The number of a square and the side of it that the player is on.
    #[inline]
    pub fn pair(&self, square: Square, player: Square) -> usize {
        self.sides.pair(square, player)
    }

    /// The distances of a box on `square` with the player where he is, one for each target.
    #[inline]
    pub fn row(&self, square: Square, player: Square) -> &[u16] {
        self.row_at(self.offset(square, player))
    }

    /// Where the row of a box on `square` starts in the table.
    #[inline]
    pub fn offset(&self, square: Square, player: Square) -> usize {
        self.pair(square, player) * self.targets
    }

    /// The row that starts at an [`offset`](Self::offset).
    #[inline]
    pub fn row_at(&self, offset: usize) -> &[u16] {
        &self.table[offset..offset + self.targets]
    }

    /// The least of the distances in [`row`](Self::row).
    #[inline]
    pub fn nearest(&self, square: Square, player: Square) -> u16 {
        self.nearest[self.pair(square, player)]
    }

    /// Whether a box on `square` is lost wherever the player is.
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
        // Saturates below FAR: a longer way is only underestimated.
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
