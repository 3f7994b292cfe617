//! PI-corrals (Damgaard, YASS): only the pushes of the boxes around a closed region need to be generated.
//!
//! A *corral* is a region of the floor the player cannot reach; its *fence* is the set of boxes next to it. If some
//! fence box is off its goal, some fence box must be pushed eventually, and until then nothing inside changes. Consider
//! every push of a fence box that can be the first: the player's square is outside the corral, neither square is a wall
//! or a fence box, and the target is not a dead square. If all of them lead into the corral (I) and the player can make
//! all of them now (P), then the first one in any solution can be moved to the front without changing the number of
//! pushes, so all other pushes may be omitted. If there is no such push, the position is dead.
//!
//! This is the textbook form, on the plain board, for the classic engine and for players. The forms of the feature board
//! ([`crate::feature::pi_corral`]) and of bit sets ([`crate::dense::corral`]) are stronger: they know frozen boxes and
//! more dead squares, and a box in the way joins the fence or counts as immovable. They would change the node counts of
//! the classic engine. A test (`agreement`) shows that they find a corral wherever this one does.
//!
//! The rule does not preserve the fewest moves: making the push first can lengthen the player's walks.

use crate::distance::Distances;
use crate::{Bits, Board, NO_SQUARE, Square, Walker};
use lurd_level::Direction;

/// Finds PI-corrals; holds the working memory.
#[derive(Default)]
pub struct Corrals {
    /// The region of each square whose stamp is current.
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

#[derive(Debug, PartialEq, Eq)]
pub enum Advice<'a> {
    Free,
    /// Only these pushes need to be generated; if there is none, the position is dead.
    Only(&'a [(Square, Direction)]),
}

impl Corrals {
    pub fn new(board: &Board) -> Self {
        let (region, stamps) = (vec![0; board.len()], vec![0; board.len()]);
        Self { region, stamps, fence_set: Bits::empty(board.len()), ..Self::default() }
    }

    /// The PI-corral with the fewest pushes. `walker` holds the player's zone.
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
            let Self { region, stamps, generation, queue, .. } = self;
            let mut enter = |square: Square| {
                let is_new = stamps[usize::from(square)] != *generation && !boxes.contains(square);
                if is_new {
                    stamps[usize::from(square)] = *generation;
                    region[usize::from(square)] = regions;
                }
                is_new
            };
            queue.clear();
            enter(start);
            queue.push(start);
            board.flood(queue, |_, square| enter(square));
            regions += 1;
        }
        regions
    }

    /// The region of a free square the player cannot reach.
    fn region_of(&self, square: Square) -> Option<u32> {
        (self.stamps[usize::from(square)] == self.generation).then(|| self.region[usize::from(square)])
    }

    /// Whether region `first`, merged with other regions as needed, is a PI-corral; its pushes are in `self.pushes`.
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
        'merged: loop {
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
                    // Not (yet) a PI-corral. The union with another closed region may be one.
                    if let Some(other) = player_region.or(target_region.filter(|_| !in_corral(target_region))) {
                        self.merged[other as usize] = true;
                        continue 'merged;
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
            let touches = board.neighbours(square).iter().any(|&next| {
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
