//! How the last act can look: the solved board played backwards, with frozen boxes as walls.
//!
//! A solution ends with every goal filled and the player in one of the regions that are left. Seen backwards from
//! there he walks, and pulls boxes; every box he can get a pull at is taken off the board, which can only help him.
//! What he never gets a pull at was never pushed into place after the present walls were: those boxes
//! stand there now. If for no region he may end in they all do, the position is dead; and what has to stand under every
//! ending that is still possible has come to stay, so it is frozen too. All of this depends on the frozen boxes alone,
//! so it is worked out once for each set of them.

use crate::bits::squares;
use crate::feature::board::{BOX, FeatureBoard, WALL};
use crate::feature::freeze::Dead;
use crate::feature::position::Position;
use crate::{Bits, KeyHasher, Square};
use std::collections::HashMap;
use std::hash::BuildHasherDefault;
use std::sync::Arc;

/// More regions than this to end in are not told apart.
const MOST_ENDS: usize = 64;
/// Sets of frozen boxes remembered at most; then all are forgotten and worked out anew as needed.
const MOST_KNOWN: usize = 8192;

/// A region to end in.
#[derive(Clone, Debug)]
struct End {
    /// The part of the floor it lies in, frozen boxes as walls: the player never leaves his.
    part: u16,
    /// Boxes that stand now if the player ends here.
    stand: Bits,
}

/// The endings that a set of frozen boxes leaves.
#[derive(Debug)]
pub struct Ends {
    ends: Vec<End>,
    part: Vec<u16>,
}

impl Ends {
    /// The endings with the walls and frozen boxes of `taken`.
    fn new(board: &FeatureBoard, taken: &[u8], scratch: &mut Scratch) -> Self {
        let count = board.len();
        let is_wall = |square: usize| taken[square] & WALL != 0;
        let mut part = vec![0; count + 1];
        let mut parts = 0;
        for square in 0..count {
            if !is_wall(square) && part[square] == 0 {
                parts += 1;
                scratch.spread(board, square as Square, &mut part, parts, |next| !is_wall(next));
            }
        }
        let is_open_goal = |square: usize| !is_wall(square) && board.is_goal(square as Square);
        let mut region = vec![0; count + 1];
        let mut regions = 0;
        let mut ends: Vec<End> = Vec::new();
        for first in 0..count {
            if is_wall(first) || is_open_goal(first) || region[first] != 0 {
                continue;
            }
            regions += 1;
            scratch.spread(board, first as Square, &mut region, regions, |next| !is_wall(next) && !is_open_goal(next));
            if usize::from(regions) > MOST_ENDS {
                // Nothing is demanded then.
                let free = |part| End { part, stand: Bits::empty(count) };
                ends = (1..=parts).map(free).collect();
                break;
            }
            let stand = scratch.peel(board, taken, first as Square);
            let part = part[first];
            // What demands more than another ending is never missed.
            if ends.iter().any(|end| end.part == part && end.stand.is_subset(&stand)) {
                continue;
            }
            ends.retain(|end| end.part != part || !stand.is_subset(&end.stand));
            ends.push(End { part, stand });
        }
        Self { ends, part }
    }

    /// Freezes what has to stand under every ending that is still possible; returns the exclusive or of the keys.
    fn settle(&self, board: &FeatureBoard, position: &mut Position) -> Result<u64, Dead> {
        let part = self.part[usize::from(position.player)];
        let taken = &position.taken;
        let stands =
            |end: &&End| end.part == part && end.stand.iter().all(|square| taken[usize::from(square)] & BOX != 0);
        let mut possible = self.ends.iter().filter(stands);
        let Some(first) = possible.next() else { return Err(Dead) };
        let rest: Vec<&End> = possible.collect();
        let mut key = 0;
        for square in squares(first.stand.words()).filter(|&square| rest.iter().all(|end| end.stand.contains(square))) {
            position.taken[usize::from(square)] |= WALL;
            key ^= board.box_key(square);
        }
        Ok(key)
    }
}

/// Marks and lists used while working out endings.
#[derive(Clone, Debug, Default)]
struct Scratch {
    work: Vec<Square>,
    filled: Vec<bool>,
    seen: Vec<bool>,
}

impl Scratch {
    /// Labels the squares joined to one.
    fn spread(
        &mut self,
        board: &FeatureBoard,
        from: Square,
        labels: &mut [u16],
        label: u16,
        open: impl Fn(usize) -> bool,
    ) {
        labels[usize::from(from)] = label;
        self.work.push(from);
        while let Some(square) = self.work.pop() {
            for &next in board.neighbours(square) {
                if open(usize::from(next)) && labels[usize::from(next)] == 0 {
                    labels[usize::from(next)] = label;
                    self.work.push(next);
                }
            }
        }
    }

    /// The boxes of the solved board that a player who begins on `first` never gets a pull at.
    fn peel(&mut self, board: &FeatureBoard, taken: &[u8], first: Square) -> Bits {
        let wall = |square: Square| taken[usize::from(square)] & WALL != 0;
        self.filled.clear();
        self.filled.resize(board.len() + 1, false);
        for &goal in board.goals() {
            self.filled[usize::from(goal)] = !wall(goal);
        }
        self.seen.clear();
        self.seen.resize(board.len() + 1, false);
        self.seen[usize::from(first)] = true;
        self.work.push(first);
        while let Some(square) = self.work.pop() {
            for direction in 0..4 {
                let next = board.next(square, direction);
                if wall(next) {
                    continue;
                }
                if !self.filled[usize::from(next)] && !std::mem::replace(&mut self.seen[usize::from(next)], true) {
                    self.work.push(next);
                }
                // He stands here and backs away from a box beside him ...
                self.pull(board, taken, next, square, direction ^ 1);
                // ... or this is the square that somebody beside it can now back away to.
                if self.seen[usize::from(next)] {
                    self.pull(board, taken, board.next(next, direction), next, direction ^ 1);
                }
            }
        }
        Bits::of(board.len(), board.goals().iter().copied().filter(|&goal| self.filled[usize::from(goal)]))
    }

    /// Takes off the box on `from` if it can be pulled to `to`, where the player stands.
    fn pull(&mut self, board: &FeatureBoard, taken: &[u8], from: Square, to: Square, direction: usize) {
        let behind = board.next(to, direction);
        let free = taken[usize::from(behind)] & WALL == 0 && !self.filled[usize::from(behind)];
        if self.filled[usize::from(from)] && free && !board.is_dead(to) {
            self.filled[usize::from(from)] = false;
            self.seen[usize::from(from)] = true;
            self.work.push(from);
        }
    }
}

/// Endgames by the key of the frozen boxes.
#[derive(Debug, Default)]
pub struct Endgames {
    known: HashMap<u64, Arc<Ends>, BuildHasherDefault<KeyHasher>>,
    scratch: Scratch,
}

impl Endgames {
    /// Freezes what has to stand, given the boxes marked as walls, whose key is `frozen`; returns the exclusive or of
    /// the keys of those that were not yet.
    pub fn settle(&mut self, board: &FeatureBoard, position: &mut Position, frozen: u64) -> Result<u64, Dead> {
        if self.known.len() >= MOST_KNOWN {
            self.known.clear();
        }
        let scratch = &mut self.scratch;
        let ends = self.known.entry(frozen).or_insert_with(|| Arc::new(Ends::new(board, &position.taken, scratch)));
        Arc::clone(ends).settle(board, position)
    }
}
