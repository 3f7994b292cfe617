//! PI-corrals: a closed region that must be opened now, so that other pushes can wait.
//!
//! A *corral* is a part of the floor the player cannot reach. Let the *fence* be all boxes
//! next to it. If some fence box is off its goal, some fence box must be pushed some time,
//! and until that happens nothing inside changes. Look at every push of a fence box that
//! could ever be the first: its player's square outside the corral, neither of its two
//! squares a wall or another fence box, its target no dead square. If all of them go *into* the
//! corral (I) and all of them can be made right now by the player (P), then the first one of any
//! solution can be moved to the front without a change in the number of pushes: all other
//! pushes may wait. If there is no such push at all the position is dead.
//!
//! It does not keep the number of moves: making the push now can cost a detour.

use crate::distance::Distances;
use crate::{Bits, Board, NO_SQUARE, Square, Walker};
use lurd_level::Direction;

/// Finds PI-corrals; holds its working memory.
pub struct Corrals {
    /// Which region each square was found to be in; stamped.
    region: Vec<u32>,
    stamps: Vec<u32>,
    generation: u32,
    queue: Vec<Square>,
    fence: Vec<Square>,
    fence_set: Bits,
    merged: Vec<bool>,
    pushes: Vec<(Square, Direction)>,
    best: Vec<(Square, Direction)>,
}

/// What the rule says about a position.
#[derive(Debug, PartialEq, Eq)]
pub enum Advice<'a> {
    /// No PI-corral.
    Free,
    /// Only these pushes need to be tried.
    Only(&'a [(Square, Direction)]),
}

impl Corrals {
    pub fn new(board: &Board) -> Self {
        Self {
            region: vec![0; board.len()],
            stamps: vec![0; board.len()],
            generation: 0,
            queue: Vec::new(),
            fence: Vec::new(),
            fence_set: Bits::empty(board.len()),
            merged: Vec::new(),
            pushes: Vec::new(),
            best: Vec::new(),
        }
    }

    /// Looks for the PI-corral with the fewest pushes. `walker` holds the player's zone.
    pub fn advise(&mut self, board: &Board, distances: &Distances, boxes: &Bits, walker: &Walker) -> Advice<'_> {
        if walker.zone_size() + boxes.len() == board.len() {
            return Advice::Free;
        }
        let regions = self.find_regions(board, boxes, walker);
        let mut found = false;
        for first in 0..regions {
            if self.examine(board, distances, boxes, walker, regions, first)
                && (!found || self.pushes.len() < self.best.len())
            {
                found = true;
                std::mem::swap(&mut self.best, &mut self.pushes);
                if self.best.is_empty() {
                    break;
                }
            }
        }
        if found { Advice::Only(&self.best) } else { Advice::Free }
    }

    /// Numbers the regions of free squares the player cannot reach.
    fn find_regions(&mut self, board: &Board, boxes: &Bits, walker: &Walker) -> u32 {
        self.generation = self.generation.wrapping_add(1);
        if self.generation == 0 {
            self.stamps.fill(0);
            self.generation = 1;
        }
        let mut regions = 0;
        for start in board.squares() {
            if self.stamps[usize::from(start)] == self.generation || walker.reached(start) || boxes.contains(start) {
                continue;
            }
            self.queue.clear();
            self.queue.push(start);
            self.stamps[usize::from(start)] = self.generation;
            while let Some(square) = self.queue.pop() {
                self.region[usize::from(square)] = regions;
                for direction in Direction::ALL {
                    let next = board.neighbour(square, direction);
                    if next != NO_SQUARE && self.stamps[usize::from(next)] != self.generation && !boxes.contains(next) {
                        self.stamps[usize::from(next)] = self.generation;
                        self.queue.push(next);
                    }
                }
            }
            regions += 1;
        }
        regions
    }

    /// The region of a free square the player cannot reach.
    fn region_of(&self, square: Square) -> Option<u32> {
        (self.stamps[usize::from(square)] == self.generation).then(|| self.region[usize::from(square)])
    }

    /// Whether region `first`, joined with others where that is what it takes, is a PI-corral;
    /// its pushes are then in `self.pushes`.
    fn examine(
        &mut self,
        board: &Board,
        distances: &Distances,
        boxes: &Bits,
        walker: &Walker,
        regions: u32,
        first: u32,
    ) -> bool {
        self.merged.clear();
        self.merged.resize(regions as usize, false);
        self.merged[first as usize] = true;
        'joined: loop {
            self.collect_fence(board, boxes);
            if self.fence.iter().all(|&square| board.is_goal(square)) {
                return false;
            }
            self.pushes.clear();
            for index in 0..self.fence.len() {
                let square = self.fence[index];
                for direction in Direction::ALL {
                    let player = board.neighbour(square, direction.opposite());
                    let target = board.neighbour(square, direction);
                    if player == NO_SQUARE || target == NO_SQUARE || distances.is_dead(target) {
                        continue;
                    }
                    if self.fence_set.contains(player) || self.fence_set.contains(target) {
                        continue;
                    }
                    let in_corral = |region: Option<u32>| region.is_some_and(|region| self.merged[region as usize]);
                    let (player_region, target_region) = (self.region_of(player), self.region_of(target));
                    if in_corral(player_region) {
                        continue;
                    }
                    if in_corral(target_region) && walker.reached(player) {
                        self.pushes.push((square, direction));
                        continue;
                    }
                    // Not (yet) a PI-corral. If another closed region is in the way, the two together may be one.
                    if let Some(other) = player_region.or(target_region.filter(|_| !in_corral(target_region))) {
                        self.merged[other as usize] = true;
                        continue 'joined;
                    }
                    return false;
                }
            }
            return true;
        }
    }

    /// All boxes next to the merged regions.
    fn collect_fence(&mut self, board: &Board, boxes: &Bits) {
        for &square in &self.fence {
            self.fence_set.remove(square);
        }
        self.fence.clear();
        for square in boxes.iter() {
            let touches = Direction::ALL.into_iter().any(|direction| {
                let next = board.neighbour(square, direction);
                next != NO_SQUARE
                    && !boxes.contains(next)
                    && self.region_of(next).is_some_and(|region| self.merged[region as usize])
            });
            if touches {
                self.fence.push(square);
                self.fence_set.insert(square);
            }
        }
    }
}
