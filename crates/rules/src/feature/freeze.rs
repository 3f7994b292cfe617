//! Frozen boxes (freeze: Damgaard, YASS), and the board with frozen boxes as walls.
//!
//! Two eliminations alternate until neither finds more. Forwards: boxes that can be pushed are removed one by one; the
//! rest never moves. Backwards ([`crate::feature::endgame`]): from the solved position with the same walls, boxes that
//! the player can pull are removed; the rest is in place in every solution, so a box on such a goal is final. Both are
//! sound, so frozen boxes are walls from then on.
//!
//! Freeze exists by squares here and in [`crate::deadlock`], and by bit sets in [`crate::dense::corral`] and, for at most
//! 128 places, in [`crate::feature::subproblem`]. The forms differ in their dead squares and walls. The rule of the classic
//! engine uses only squares without a path to a goal, and looks only at the boxes connected to the one pushed. The feature
//! board also counts squares that no box can come to, and has fixed boxes as walls. The dense board also requires the
//! same side of the player for both. Tests (in `agreement` and `subproblem`) show that each form implies the next, and
//! that they are equal where the dead squares are.

use crate::bipartite::BipartiteMatching;
use crate::feature::board::{BOX, FAR, FeatureBoard, WALL};
use crate::feature::endgame::Endgames;
use crate::feature::lone_box::{LoneBox, Reachable};
use crate::feature::position::Position;
use crate::{ByKey, Square};
use std::sync::Arc;

/// There is no solution: a box is frozen off the goals, or a goal can never be filled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dead;

/// Whether a push froze the moved box, or others with it, off a goal.
pub fn freezes(
    board: &FeatureBoard,
    taken: &mut [u8],
    boxes: &[Square],
    moved: Square,
    scratch: &mut Vec<Square>,
) -> bool {
    let blocked = |square: Square| taken[usize::from(square)] != 0;
    let [left, right, up, down] = *board.neighbours(moved);
    if !(blocked(left) || blocked(right)) || !(blocked(up) || blocked(down)) {
        return false;
    }
    stuck(board, taken, boxes, scratch);
    scratch.iter().any(|&square| !board.is_goal(square))
}

/// Whether a box on the free square `to` would be in a 2x2 block or a corner of solid squares, hence immovable, with a
/// box of the block off its goal.
#[inline]
pub fn in_block(board: &FeatureBoard, taken: &[u8], to: Square, is_solid: impl Fn(Square) -> bool) -> bool {
    let wall = board.len() as Square;
    let off_goal = |square: Square| taken[usize::from(square)] == BOX && !board.is_goal(square);
    [2, 3].into_iter().any(|vertical| {
        let a = board.next(to, vertical);
        is_solid(a)
            && [0, 1].into_iter().any(|horizontal| {
                let b = board.next(to, horizontal);
                if !is_solid(b) {
                    return false;
                }
                let across = if a != wall {
                    board.next(a, horizontal)
                } else if b != wall {
                    board.next(b, vertical)
                } else {
                    wall
                };
                is_solid(across) && (!board.is_goal(to) || off_goal(a) || off_goal(b) || off_goal(across))
            })
    })
}

/// [`in_block`] with every box and wall as solid.
#[inline]
pub fn blocks(board: &FeatureBoard, taken: &[u8], to: Square) -> bool {
    in_block(board, taken, to, |square| taken[usize::from(square)] != 0)
}

/// Lists the boxes that can never be pushed again in `scratch`: boxes that can be pushed are removed until none can.
pub fn stuck(board: &FeatureBoard, taken: &mut [u8], boxes: &[Square], scratch: &mut Vec<Square>) {
    scratch.clear();
    scratch.extend(boxes.iter().copied().filter(|&square| taken[usize::from(square)] == BOX));
    let rest = eliminate(scratch, taken, |taken, square| {
        [0, 2].into_iter().any(|axis| {
            let (one, other) = (board.next(square, axis), board.next(square, axis + 1));
            taken[usize::from(one)] == 0
                && taken[usize::from(other)] == 0
                && !(board.is_dead(one) && board.is_dead(other))
        })
    });
    for square in scratch.drain(rest..) {
        taken[usize::from(square)] = BOX;
    }
}

/// Removes boxes that can move from `taken` until none can; `boxes` then begins with the boxes left, whose number is
/// returned.
#[inline]
pub(super) fn eliminate<T: Default>(
    boxes: &mut [Square],
    taken: &mut [T],
    can_move: impl Fn(&[T], Square) -> bool,
) -> usize {
    let mut rest = boxes.len();
    loop {
        let before = rest;
        let mut at = 0;
        while at < rest {
            let square = boxes[at];
            if can_move(taken, square) {
                taken[usize::from(square)] = T::default();
                rest -= 1;
                boxes.swap(at, rest);
            } else {
                at += 1;
            }
        }
        if rest == before {
            return rest;
        }
    }
}

/// Marks boxes that can never be pushed again as walls in `position.taken` and returns the exclusive or of their keys;
/// an error if one of them is off the goals.
pub fn peel_pushes(board: &FeatureBoard, position: &mut Position, scratch: &mut Vec<Square>) -> Result<u64, Dead> {
    stuck(board, &mut position.taken, &position.boxes, scratch);
    let mut key = 0;
    for &square in scratch.iter() {
        if !board.is_goal(square) {
            return Err(Dead);
        }
        position.taken[usize::from(square)] = BOX | WALL;
        key ^= board.box_key(square);
    }
    Ok(key)
}

/// The board with a set of frozen boxes as walls.
#[derive(Debug)]
pub struct FrozenBoard {
    /// Squares from which no open goal can be reached.
    pub closed: Vec<bool>,
    /// The open goals, ascending, in the numbering of `reachable`.
    pub goals: Vec<Square>,
    pub lone: LoneBox,
    pub reachable: Reachable,
}

impl FrozenBoard {
    /// Whether the boxes that are not frozen can be matched to open goals they can reach with the player on his present
    /// side. A box he can never touch stays on its square.
    pub fn fits(&self, board: &FeatureBoard, position: &Position, matching: &mut BipartiteMatching) -> bool {
        let words = self.reachable.words;
        let mut sets: Vec<u64> = Vec::with_capacity(position.boxes.len() * words);
        for &square in &position.boxes {
            if position.taken[usize::from(square)] & WALL != 0 {
                continue;
            }
            if let Some(vertex) = self.lone.vertex(board, square, position.player) {
                sets.extend_from_slice(self.reachable.of(vertex));
            } else {
                let first = sets.len();
                sets.resize(first + words, 0);
                match self.goals.binary_search(&square) {
                    Ok(number) => sets[first + number / 64] |= 1 << (number % 64),
                    Err(_) => return false,
                }
            }
        }
        matching.is_perfect(sets.len() / words, self.goals.len(), |row, word| sets[row * words + word])
    }
}

/// A cache of [`FrozenBoard`]s by the key of the frozen boxes: few sets occur in a search.
#[derive(Debug, Default)]
pub struct FrozenBoards {
    endgames: Endgames,
    known: ByKey<Arc<FrozenBoard>>,
}

/// The capacity of the cache; a full cache is cleared.
const MAX_BOARDS: usize = 4096;

impl FrozenBoards {
    pub fn bytes(&self) -> usize {
        let size = |frozen: &Arc<FrozenBoard>| frozen.closed.len() + frozen.lone.bytes() + frozen.reachable.bytes();
        self.known.values().next().map_or(0, size) * self.known.len()
    }

    /// Marks frozen boxes as walls in `position.taken` and returns the exclusive or of their keys.
    pub fn freeze(
        &mut self,
        board: &FeatureBoard,
        position: &mut Position,
        scratch: &mut Vec<Square>,
    ) -> Result<u64, Dead> {
        let mut key = 0;
        loop {
            key ^= peel_pushes(board, position, scratch)?;
            let more = self.endgames.settle(board, position, key)?;
            if more == 0 {
                return Ok(key);
            }
            key ^= more;
        }
    }

    /// The board of the frozen boxes marked in a position, whose key is `key`.
    pub fn of(&mut self, board: &FeatureBoard, position: &Position, key: u64) -> Arc<FrozenBoard> {
        if let Some(frozen) = self.known.get(&key) {
            return Arc::clone(frozen);
        }
        if self.known.len() >= MAX_BOARDS {
            self.known.clear();
        }
        let walls: Vec<u8> = position.taken.iter().map(|&what| what & WALL).collect();
        let lone = LoneBox::new(board, &walls);
        let goals: Vec<Square> = board.goals().iter().copied().filter(|&goal| walls[usize::from(goal)] == 0).collect();
        let closed = lone
            .distances_to(board, &goals)
            .iter()
            .enumerate()
            .map(|(square, &pushes)| pushes == FAR || board.is_dead(square as Square))
            .collect();
        let reachable = lone.reachable(board, &goals);
        let frozen = Arc::new(FrozenBoard { closed, goals, lone, reachable });
        self.known.insert(key, Arc::clone(&frozen));
        frozen
    }
}
