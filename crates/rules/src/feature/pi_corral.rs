//! PI-corrals (Damgaard, YASS) on the feature board.
//!
//! A corral is a union of regions the player cannot reach; its fence is the boxes around it. If every push that can be
//! the first of these boxes leads into the corral, and all of them can be made now, then some solution (if there is one)
//! begins with one of them: whatever a solution does before does not touch the corral and can be done after. Regions and
//! boxes are added until this holds or an outward push shows that it does not. If the corral is unfinished and has no
//! such push, the position is dead.
//!
//! It works by squares, because regions, frozen boxes and dead squares of the position are known by square;
//! [`crate::dense::corral`] does the same with shifts of bit sets, and [`crate::deadlock::corral`] is the textbook form.

use crate::Square;
use crate::feature::articulation::Articulation;
use crate::feature::board::{BOX, FeatureBoard, WALL};
use crate::feature::freeze::in_block;
use crate::feature::position::Position;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PiCorral {
    None,
    /// Only pushes of these boxes need to be generated.
    Only(Vec<Square>),
    /// An unfinished corral can never be opened.
    Dead,
}

/// With more regions the rule is not applied.
const MAX_REGIONS: usize = 70;

/// Finds PI-corrals; holds the working memory.
#[derive(Clone, Debug, Default)]
pub struct PiCorrals {
    /// The fence as stamps by square, and as a list.
    stamps: Vec<u32>,
    generation: u32,
    fence: Vec<Square>,
    /// The regions of the corral.
    corral: Vec<bool>,
    /// The regions that were the seed of a corral.
    seeded: Vec<bool>,
}

/// A position with its regions; frozen boxes are marked as walls, and `closed` squares are dead.
#[derive(Clone, Copy)]
struct Scene<'a> {
    board: &'a FeatureBoard,
    position: &'a Position,
    survey: &'a Articulation,
    closed: &'a [bool],
}

/// The effect of a push of a fence box.
enum Effect {
    /// It leads into the corral, or can never be the first push.
    Inward,
    /// The corral or the fence has grown.
    Grown,
    /// It leads out: not a PI-corral.
    Outward,
}

impl PiCorrals {
    pub fn new(board: &FeatureBoard) -> Self {
        Self { stamps: vec![0; board.len() + 1], ..Self::default() }
    }

    /// The corral with the fewest boxes to push. Frozen boxes are marked as walls; `closed` squares are dead.
    pub fn find(
        &mut self,
        board: &FeatureBoard,
        position: &Position,
        survey: &Articulation,
        closed: &[bool],
    ) -> PiCorral {
        let scene = Scene { board, position, survey, closed };
        let regions = survey.regions();
        if !(2..=MAX_REGIONS).contains(&regions) {
            return PiCorral::None;
        }
        let own = survey.region(position.player);
        self.seeded.clear();
        self.seeded.resize(regions, false);
        self.seeded[own] = true;
        let mut best: Option<Vec<Square>> = None;
        for &square in &position.boxes {
            let sides = board.neighbours(square);
            if !sides.iter().any(|&side| survey.is_free(side) && survey.region(side) == own) {
                continue;
            }
            for &side in sides {
                if !survey.is_free(side) || std::mem::replace(&mut self.seeded[survey.region(side)], true) {
                    continue;
                }
                match self.grow(scene, survey.region(side)) {
                    PiCorral::None => {}
                    PiCorral::Dead => return PiCorral::Dead,
                    PiCorral::Only(boxes) => {
                        if best.as_ref().is_none_or(|best| boxes.len() < best.len()) {
                            best = Some(boxes);
                        }
                    }
                }
            }
        }
        best.map_or(PiCorral::None, PiCorral::Only)
    }

    fn grow(&mut self, scene: Scene<'_>, seed: usize) -> PiCorral {
        self.corral.clear();
        self.corral.resize(scene.survey.regions(), false);
        self.corral[seed] = true;
        self.generation += 1;
        self.fence.clear();
        let mut pushed: Vec<Square> = Vec::new();
        'grown: loop {
            self.add_fence(scene);
            pushed.clear();
            let mut at = 0;
            while let Some(&square) = self.fence.get(at) {
                at += 1;
                if scene.position.taken[usize::from(square)] & WALL != 0 {
                    continue;
                }
                for direction in 0..4 {
                    match self.effect(scene, square, direction, &mut pushed) {
                        Effect::Inward => {}
                        Effect::Grown => continue 'grown,
                        Effect::Outward => return PiCorral::None,
                    }
                }
            }
            break;
        }
        if !self.is_unfinished(scene) {
            return PiCorral::None;
        }
        pushed.dedup();
        if pushed.is_empty() { PiCorral::Dead } else { PiCorral::Only(pushed) }
    }

    /// Adds every box next to the corral to the fence.
    fn add_fence(&mut self, Scene { board, position, survey, .. }: Scene<'_>) {
        for &square in &position.boxes {
            let touches =
                board.neighbours(square).iter().any(|&side| survey.is_free(side) && self.corral[survey.region(side)]);
            if touches {
                self.add(square);
            }
        }
    }

    fn add(&mut self, square: Square) {
        if self.stamps[usize::from(square)] != self.generation {
            self.stamps[usize::from(square)] = self.generation;
            self.fence.push(square);
        }
    }

    fn in_fence(&self, square: Square) -> bool {
        self.stamps[usize::from(square)] == self.generation
    }

    /// The effect of one push; a box that can be pushed into the corral is appended to `pushed`.
    fn effect(&mut self, scene: Scene<'_>, square: Square, direction: usize, pushed: &mut Vec<Square>) -> Effect {
        let Scene { board, position, survey, closed } = scene;
        let taken = &position.taken;
        let (to, from) = (board.next(square, direction), board.next(square, direction ^ 1));
        let never = |place: Square| taken[usize::from(place)] & WALL != 0 || self.in_fence(place);
        if never(to) || never(from) || closed[usize::from(to)] || self.blocked_after(board, taken, square, to) {
            return Effect::Inward;
        }
        let own = survey.region(position.player);
        if taken[usize::from(from)] == 0 {
            let region = survey.region(from);
            if self.corral[region] {
                return Effect::Inward;
            }
            if region != own {
                self.corral[region] = true;
                return Effect::Grown;
            }
        } else {
            return self.blocked_by(scene, from);
        }
        if taken[usize::from(to)] != 0 {
            return self.blocked_by(scene, to);
        }
        let region = survey.region(to);
        if self.corral[region] {
            pushed.push(square);
            return Effect::Inward;
        }
        if region == own {
            return Effect::Outward;
        }
        self.corral[region] = true;
        Effect::Grown
    }

    /// The effect of a push blocked by a box outside the fence: the box cannot move before the fence, or joins it.
    fn blocked_by(&mut self, Scene { board, position, closed, .. }: Scene<'_>, square: Square) -> Effect {
        let never = |place: Square| position.taken[usize::from(place)] & WALL != 0 || self.in_fence(place);
        let stays = [0, 2].into_iter().all(|axis| {
            let (one, other) = (board.next(square, axis), board.next(square, axis + 1));
            never(one) || never(other) || (closed[usize::from(one)] && closed[usize::from(other)])
        });
        if stays {
            return Effect::Inward;
        }
        self.add(square);
        Effect::Grown
    }

    /// Whether the push would leave the box in a dead block of walls and fence boxes.
    fn blocked_after(&self, board: &FeatureBoard, taken: &[u8], square: Square, to: Square) -> bool {
        in_block(board, taken, to, |place| {
            place != square
                && (taken[usize::from(place)] & WALL != 0 || (taken[usize::from(place)] == BOX && self.in_fence(place)))
        })
    }

    fn is_unfinished(&self, Scene { board, position, survey, .. }: Scene<'_>) -> bool {
        self.fence.iter().any(|&square| !board.is_goal(square))
            || board.goals().iter().any(|&goal| {
                position.taken[usize::from(goal)] == 0 && survey.is_free(goal) && self.corral[survey.region(goal)]
            })
    }
}
