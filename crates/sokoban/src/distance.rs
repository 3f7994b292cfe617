//! Exact push distances of one box on an otherwise empty board.
//!
//! A lone box is described by its square and the player's side of it. Distances to
//! every goal (for pushing) and from every start square (for pulling) are found by
//! breadth-first search over these pairs; they never exceed what the box needs in
//! the full level, because real play, seen from one box, is such a path.

use crate::board::Board;
use crate::sides::{SIDES, Sides};
use crate::square::{Direction, NO_SQUARE, Square};
use search::Budget;

/// Time ran out, or somebody cancelled, before the distances were known.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OutOfBudget;

/// No way there.
pub(crate) const FAR: u16 = u16::MAX;

/// Distances between every (square, player's side) and a list of target squares.
#[derive(Clone, Debug)]
pub(crate) struct Distances {
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
    pub(crate) fn bytes(board: &Board) -> usize {
        board.len() * SIDES * (board.goals().len() + 1) * 2
    }

    /// Pushes from each (square, side) to each goal.
    pub(crate) fn to_goals(board: &Board, budget: &Budget) -> Result<Self, OutOfBudget> {
        let sides = Sides::new(board);
        let pushes = pushes(board, &sides);
        let reversed: Vec<_> = pushes.iter().map(|&(from, to)| (to, from)).collect();
        let starts: Vec<Vec<usize>> =
            board.goals().iter().map(|&goal| (0..SIDES).map(|side| state(goal, side)).collect()).collect();
        Self::search(board, sides, &reversed, &starts, budget)
    }

    /// Pushes from each box's start, with the player where he starts, to each (square, side).
    pub(crate) fn from_starts(board: &Board, budget: &Budget) -> Result<Self, OutOfBudget> {
        let sides = Sides::new(board);
        let pushes = pushes(board, &sides);
        let starts: Vec<Vec<usize>> =
            board.start_boxes().iter().map(|&b| vec![state(b, sides.side(b, board.start_player()))]).collect();
        Self::search(board, sides, &pushes, &starts, budget)
    }

    fn search(
        board: &Board,
        sides: Sides,
        edges: &[(usize, usize)],
        starts: &[Vec<usize>],
        budget: &Budget,
    ) -> Result<Self, OutOfBudget> {
        let states = board.len() * SIDES;
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
        let mut table = vec![FAR; states * targets];
        let mut queue = Vec::with_capacity(states);
        for (target, sources) in starts.iter().enumerate() {
            if budget.out_of_time() || budget.cancel().is_cancelled() {
                return Err(OutOfBudget);
            }
            queue.clear();
            for &source in sources {
                table[source * targets + target] = 0;
                queue.push(source);
            }
            let mut next = 0;
            while next < queue.len() {
                let here = queue[next];
                next += 1;
                // Saturates below FAR: a longer way is only underestimated.
                let distance = (table[here * targets + target] + 1).min(FAR - 1);
                for &there in &heads[first[here]..first[here + 1]] {
                    let value = &mut table[there * targets + target];
                    if *value == FAR {
                        *value = distance;
                        queue.push(there);
                    }
                }
            }
        }
        let nearest: Vec<u16> = (0..states)
            .map(|state| table[state * targets..(state + 1) * targets].iter().copied().min().unwrap_or(FAR))
            .collect();
        let dead = nearest.chunks(SIDES).map(|sides| sides.iter().all(|&value| value == FAR)).collect();
        Ok(Self { sides, targets, table, nearest, dead })
    }

    /// The side of a box on `square` that the player is on.
    #[inline]
    pub(crate) fn side(&self, square: Square, player: Square) -> usize {
        self.sides.side(square, player)
    }

    /// The distances of a box on `square` with the player where he is, one for each target.
    #[inline]
    pub(crate) fn row(&self, square: Square, player: Square) -> &[u16] {
        self.row_at(self.offset(square, player))
    }

    /// Where the row of a box on `square` starts in the table.
    #[inline]
    pub(crate) fn offset(&self, square: Square, player: Square) -> usize {
        state(square, self.side(square, player)) * self.targets
    }

    /// The row that starts at an [`offset`](Self::offset).
    #[inline]
    pub(crate) fn row_at(&self, offset: usize) -> &[u16] {
        &self.table[offset..offset + self.targets]
    }

    /// The least of the distances in [`row`](Self::row).
    #[inline]
    pub(crate) fn nearest(&self, square: Square, player: Square) -> u16 {
        self.nearest[state(square, self.side(square, player))]
    }

    /// Whether a box on `square` is lost wherever the player is.
    #[inline]
    pub(crate) fn is_dead(&self, square: Square) -> bool {
        self.dead[usize::from(square)]
    }
}

#[inline]
fn state(square: Square, side: usize) -> usize {
    usize::from(square) * SIDES + side
}

/// Every push of a lone box, as (state before, state after).
fn pushes(board: &Board, sides: &Sides) -> Vec<(usize, usize)> {
    let mut edges = Vec::new();
    for square in board.squares() {
        for direction in Direction::ALL {
            let player = board.neighbour(square, direction.opposite());
            let to = board.neighbour(square, direction);
            if player != NO_SQUARE && to != NO_SQUARE {
                edges.push((state(square, sides.side(square, player)), state(to, sides.side(to, square))));
            }
        }
    }
    edges
}
