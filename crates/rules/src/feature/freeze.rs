//! Boxes that can never move again, and what follows from them.
//!
//! Two peels find them, until neither finds more. Pushing: boxes that come free are taken off one by
//! one; what is left never moves. Pulling ([`crate::feature::endgame`]): from the solved picture with the same walls, boxes that
//! the player can pull are taken off; what is left stands there in every solution, so a box that is there
//! now has arrived for good. Both are sound: frozen boxes are walls for everything that follows.

use crate::Square;
use crate::bipartite::BipartiteMatching;
use crate::feature::board::{BOX, FAR, FeatureBoard, WALL};
use crate::feature::endgame::Endgames;
use crate::feature::lone_box::{LoneBox, Reachable};
use crate::feature::position::Position;
use std::collections::HashMap;
use std::hash::BuildHasherDefault;
use std::sync::Arc;

/// A frozen box stands off its goal, or a goal can never be filled: no solution.
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

/// Lists the boxes that can never be pushed again.
pub fn stuck(board: &FeatureBoard, taken: &mut [u8], boxes: &[Square], scratch: &mut Vec<Square>) {
    let rest = peel(board, taken, boxes, scratch);
    for &square in &scratch[rest..] {
        taken[usize::from(square)] = BOX;
    }
    scratch.truncate(rest);
}

/// Takes off boxes that can be pushed, until none can; the first squares of `scratch` (as many as
/// returned) are those left. `taken` loses the boxes that came off.
fn peel(board: &FeatureBoard, taken: &mut [u8], boxes: &[Square], scratch: &mut Vec<Square>) -> usize {
    scratch.clear();
    scratch.extend(boxes.iter().copied().filter(|&square| taken[usize::from(square)] == BOX));
    let mut rest = scratch.len();
    loop {
        let before = rest;
        let mut at = 0;
        while at < rest {
            let square = scratch[at];
            let moves = [0, 2].into_iter().any(|axis| {
                let (one, other) = (board.next(square, axis), board.next(square, axis + 1));
                taken[usize::from(one)] == 0
                    && taken[usize::from(other)] == 0
                    && !(board.is_dead(one) && board.is_dead(other))
            });
            if moves {
                taken[usize::from(square)] = 0;
                rest -= 1;
                scratch.swap(at, rest);
            } else {
                at += 1;
            }
        }
        if rest == before {
            return rest;
        }
    }
}

/// Marks boxes that can never be pushed again as walls in `position.taken` and returns the exclusive or of their keys; an error
/// if one of them is off the goals.
pub fn peel_pushes(board: &FeatureBoard, position: &mut Position, scratch: &mut Vec<Square>) -> Result<u64, Dead> {
    let rest = peel(board, &mut position.taken, &position.boxes, scratch);
    for &square in &scratch[rest..] {
        position.taken[usize::from(square)] = BOX;
    }
    let mut key = 0;
    for &square in &scratch[..rest] {
        if !board.is_goal(square) {
            return Err(Dead);
        }
        position.taken[usize::from(square)] = BOX | WALL;
        key ^= board.box_key(square);
    }
    Ok(key)
}

/// What the walls of one frozen set leave: squares lost to boxes, goals each square reaches.
#[derive(Debug)]
pub struct FrozenBoard {
    /// Squares from which no open goal can be reached.
    pub closed: Vec<bool>,
    /// Open goals in order; their numbers are used by `reachable`.
    pub goals: Vec<Square>,
    pub lone: LoneBox,
    pub reachable: Reachable,
}

impl FrozenBoard {
    /// Whether every box that is not frozen can have an open goal of its own. The player's side counts: a
    /// box he can never touch stays where it is.
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

/// FrozenBoards by the key of their frozen set: few sets occur in a run.
#[derive(Debug, Default)]
pub struct FrozenBoards {
    endings: Endgames,
    known: HashMap<u64, Arc<FrozenBoard>, BuildHasherDefault<crate::KeyHasher>>,
}

/// FrozenBoards kept at most; then all are forgotten and made anew as needed.
const MOST_PICTURES: usize = 4096;

impl FrozenBoards {
    /// Bytes they hold.
    pub fn bytes(&self) -> usize {
        let one = |picture: &Arc<FrozenBoard>| picture.closed.len() + picture.lone.bytes() + picture.reachable.bytes();
        self.known.values().next().map_or(0, one) * self.known.len()
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
            let more = self.endings.settle(board, position, key)?;
            if more == 0 {
                return Ok(key);
            }
            key ^= more;
        }
    }

    /// The picture of the frozen boxes marked in a position.
    pub fn of(&mut self, board: &FeatureBoard, position: &Position, key: u64) -> Arc<FrozenBoard> {
        if let Some(picture) = self.known.get(&key) {
            return Arc::clone(picture);
        }
        if self.known.len() >= MOST_PICTURES {
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
        let picture = Arc::new(FrozenBoard { closed, goals, lone, reachable });
        self.known.insert(key, Arc::clone(&picture));
        picture
    }
}
