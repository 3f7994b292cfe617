//! Endgames: boxes that must be in place already, by retrograde play from the solved position with frozen boxes as walls.
//!
//! A solution ends with every goal filled and the player in one of the remaining regions. In retrograde play from there
//! the player walks and pulls boxes. Every box he can pull is removed, which can only give him more freedom. A box he can
//! never pull was not pushed to its goal after the present boxes froze: it is there now. If for no final region all such
//! boxes are in place, the position is dead. Boxes that must be in place for every final region that is still possible
//! never move again, so they are frozen too. All this depends on the frozen boxes alone, so it is computed once for each
//! set of them. The check for one final position is that of Festival (Shoham and Schaeffer 2020).

use crate::feature::board::{BOX, FeatureBoard, WALL};
use crate::feature::freeze::Dead;
use crate::feature::position::Position;
use crate::{Bits, ByKey, Square};

/// With more final regions nothing is required.
const MAX_REGIONS: usize = 64;
/// The capacity of the cache; a full cache is cleared.
const MAX_KNOWN: usize = 8192;

/// A region where the player may be at the end.
#[derive(Clone, Debug)]
struct FinalRegion {
    /// Its component of the floor with frozen boxes as walls, which the player never leaves.
    component: u16,
    /// The goals that must hold a box now if the player ends here.
    required: Bits,
}

/// The final regions for a set of frozen boxes.
#[derive(Debug)]
struct Endgame {
    regions: Vec<FinalRegion>,
    component: Vec<u16>,
}

impl Endgame {
    /// The final regions with the walls and frozen boxes of `taken`.
    fn new(board: &FeatureBoard, taken: &[u8], scratch: &mut Scratch) -> Self {
        let count = board.len();
        let is_wall = |square: usize| taken[square] & WALL != 0;
        let (component, firsts) = components(board, |square| !is_wall(square));
        // With every goal filled.
        let (_, ends) = components(board, |square| !is_wall(square) && !board.is_goal(square as Square));
        if ends.len() > MAX_REGIONS {
            let free = |component| FinalRegion { component, required: Bits::empty(count) };
            return Self { regions: (1..=firsts.len() as u16).map(free).collect(), component };
        }
        let mut regions: Vec<FinalRegion> = Vec::new();
        for first in ends {
            let required = scratch.peel(board, taken, first);
            let component = component[usize::from(first)];
            // A region that requires a superset of another is redundant.
            if regions.iter().any(|region| region.component == component && region.required.is_subset(&required)) {
                continue;
            }
            regions.retain(|region| region.component != component || !required.is_subset(&region.required));
            regions.push(FinalRegion { component, required });
        }
        Self { regions, component }
    }

    /// Freezes the boxes required by every final region that is still possible; returns the exclusive or of their keys.
    fn settle(&self, board: &FeatureBoard, position: &mut Position) -> Result<u64, Dead> {
        let component = self.component[usize::from(position.player)];
        let taken = &position.taken;
        let is_possible = |region: &&FinalRegion| {
            region.component == component && region.required.iter().all(|square| taken[usize::from(square)] & BOX != 0)
        };
        let mut possible = self.regions.iter().filter(is_possible);
        let Some(first) = possible.next() else { return Err(Dead) };
        let rest: Vec<&FinalRegion> = possible.collect();
        let mut key = 0;
        for square in first.required.iter().filter(|&square| rest.iter().all(|region| region.required.contains(square)))
        {
            position.taken[usize::from(square)] |= WALL;
            key ^= board.box_key(square);
        }
        Ok(key)
    }
}

#[derive(Clone, Debug, Default)]
struct Scratch {
    work: Vec<Square>,
    filled: Vec<bool>,
    seen: Vec<bool>,
}

impl Scratch {
    /// The boxes of the solved position that a player who starts on `first` can never pull.
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
                // A pull of the box on `next` by the player on this square ...
                self.pull(board, taken, next, square, direction ^ 1);
                // ... or a pull by the player on `next` that ends on this square.
                if self.seen[usize::from(next)] {
                    self.pull(board, taken, board.next(next, direction), next, direction ^ 1);
                }
            }
        }
        Bits::of(board.len(), board.goals().iter().copied().filter(|&goal| self.filled[usize::from(goal)]))
    }

    /// Removes the box on `from` if it can be pulled to `to`, the player's square.
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

/// The component of every open square, numbered from 1, and the first square of each component.
fn components(board: &FeatureBoard, is_open: impl Fn(usize) -> bool) -> (Vec<u16>, Vec<Square>) {
    let mut component = vec![0; board.len() + 1];
    let mut firsts = Vec::new();
    for first in 0..board.len() as Square {
        let number = firsts.len() as u16 + 1;
        let mut enter = |square: Square| {
            let is_new = is_open(usize::from(square)) && component[usize::from(square)] == 0;
            if is_new {
                component[usize::from(square)] = number;
            }
            is_new
        };
        if enter(first) {
            board.flood(&mut vec![first], |_, square| enter(square));
            firsts.push(first);
        }
    }
    (component, firsts)
}

/// A cache of endgames by the key of the frozen boxes.
#[derive(Debug, Default)]
pub struct Endgames {
    known: ByKey<Endgame>,
    scratch: Scratch,
}

impl Endgames {
    /// Freezes the boxes that must be in place, given the boxes marked as walls, whose key is `frozen`; returns the
    /// exclusive or of the keys of the newly frozen boxes.
    pub fn settle(&mut self, board: &FeatureBoard, position: &mut Position, frozen: u64) -> Result<u64, Dead> {
        if self.known.len() >= MAX_KNOWN {
            self.known.clear();
        }
        let scratch = &mut self.scratch;
        let endgame = self.known.entry(frozen).or_insert_with(|| Endgame::new(board, &position.taken, scratch));
        endgame.settle(board, position)
    }
}
