//! PI-corrals: areas the player is shut out of that may as well be seen to first.
//!
//! A corral is a union of regions the player cannot reach, with the boxes around it. If every push that
//! could be the first of these boxes goes into the corral, and all of them can be made now, then some
//! solution begins with one of them (if any exists): whatever else a solution does before does not touch the corral
//! and can be done after. Regions and boxes are added until that holds or an outward push shows that it
//! does not. With unfinished work inside and no such push at all, the position is dead.

use crate::Square;
use crate::feature::articulation::Articulation;
use crate::feature::board::{BOX, FeatureBoard, WALL};
use crate::feature::position::Position;

/// Which boxes may move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PiCorral {
    /// No corral narrows the choice.
    None,
    /// Only these boxes.
    Only(Vec<Square>),
    /// A corral can never be opened, and there is work in it.
    Dead,
}

/// More regions than this are not looked at one by one.
const MOST_REGIONS: usize = 70;

/// Finds PI-corrals; its marks are used again and again.
#[derive(Clone, Debug)]
pub struct PiCorrals {
    fence: Vec<u32>,
    generation: u32,
    boxes: Vec<Square>,
    area: Vec<bool>,
    begun: Vec<bool>,
}

/// What becomes of a fence box or push on closer look.
enum Look {
    Fine,
    Grown,
    Open,
}

impl PiCorrals {
    pub fn new(board: &FeatureBoard) -> Self {
        Self { fence: vec![0; board.len() + 1], generation: 0, boxes: Vec::new(), area: Vec::new(), begun: Vec::new() }
    }

    /// The corral with the fewest boxes to move. Frozen boxes are marked as walls; `closed` squares are lost to boxes.
    pub fn find(
        &mut self,
        board: &FeatureBoard,
        position: &Position,
        survey: &Articulation,
        closed: &[bool],
    ) -> PiCorral {
        let regions = survey.regions();
        if !(2..=MOST_REGIONS).contains(&regions) {
            return PiCorral::None;
        }
        let own = survey.region(position.player);
        self.begun.clear();
        self.begun.resize(regions, false);
        self.begun[own] = true;
        let mut best: Option<Vec<Square>> = None;
        for &square in &position.boxes {
            let sides = board.neighbours(square);
            if !sides.iter().any(|&side| survey.is_free(side) && survey.region(side) == own) {
                continue;
            }
            for &side in sides {
                if !survey.is_free(side) || std::mem::replace(&mut self.begun[survey.region(side)], true) {
                    continue;
                }
                match self.grow(board, position, survey, closed, survey.region(side)) {
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

    fn grow(
        &mut self,
        board: &FeatureBoard,
        position: &Position,
        survey: &Articulation,
        closed: &[bool],
        seed: usize,
    ) -> PiCorral {
        self.area.clear();
        self.area.resize(survey.regions(), false);
        self.area[seed] = true;
        self.generation += 1;
        self.boxes.clear();
        let mut entries: Vec<Square> = Vec::new();
        'again: loop {
            self.add_fence(board, position, survey);
            entries.clear();
            let mut at = 0;
            while let Some(&square) = self.boxes.get(at) {
                at += 1;
                if position.taken[usize::from(square)] & WALL != 0 {
                    continue;
                }
                for direction in 0..4 {
                    match self.look(board, position, survey, closed, square, direction, &mut entries) {
                        Look::Fine => {}
                        Look::Grown => continue 'again,
                        Look::Open => return PiCorral::None,
                    }
                }
            }
            break;
        }
        if !self.is_unfinished(board, position, survey) {
            return PiCorral::None;
        }
        entries.dedup();
        if entries.is_empty() { PiCorral::Dead } else { PiCorral::Only(entries) }
    }

    /// Every box next to the area belongs to its fence.
    fn add_fence(&mut self, board: &FeatureBoard, position: &Position, survey: &Articulation) {
        for &square in &position.boxes {
            let touches =
                board.neighbours(square).iter().any(|&side| survey.is_free(side) && self.area[survey.region(side)]);
            if touches {
                self.add(square);
            }
        }
    }

    fn add(&mut self, square: Square) {
        if self.fence[usize::from(square)] != self.generation {
            self.fence[usize::from(square)] = self.generation;
            self.boxes.push(square);
        }
    }

    fn in_fence(&self, square: Square) -> bool {
        self.fence[usize::from(square)] == self.generation
    }

    #[allow(clippy::too_many_arguments)]
    fn look(
        &mut self,
        board: &FeatureBoard,
        position: &Position,
        survey: &Articulation,
        closed: &[bool],
        square: Square,
        direction: usize,
        entries: &mut Vec<Square>,
    ) -> Look {
        let taken = &position.taken;
        let (to, from) = (board.next(square, direction), board.next(square, direction ^ 1));
        let never = |place: Square| taken[usize::from(place)] & WALL != 0 || self.in_fence(place);
        if never(to) || never(from) || closed[usize::from(to)] || self.stuck_after(board, taken, square, to) {
            return Look::Fine;
        }
        let own = survey.region(position.player);
        if taken[usize::from(from)] == 0 {
            let region = survey.region(from);
            if self.area[region] {
                return Look::Fine;
            }
            if region != own {
                self.area[region] = true;
                return Look::Grown;
            }
        } else {
            return self.take_in(board, taken, closed, from);
        }
        if taken[usize::from(to)] != 0 {
            return self.take_in(board, taken, closed, to);
        }
        let region = survey.region(to);
        if self.area[region] {
            entries.push(square);
            return Look::Fine;
        }
        if region == own {
            return Look::Open;
        }
        self.area[region] = true;
        Look::Grown
    }

    /// A box in the way: it stays there, or it joins the fence.
    fn take_in(&mut self, board: &FeatureBoard, taken: &[u8], closed: &[bool], square: Square) -> Look {
        let never = |place: Square| taken[usize::from(place)] & WALL != 0 || self.in_fence(place);
        let stays = [0, 2].into_iter().all(|axis| {
            let (one, other) = (board.next(square, axis), board.next(square, axis + 1));
            never(one) || never(other) || (closed[usize::from(one)] && closed[usize::from(other)])
        });
        if stays {
            return Look::Fine;
        }
        self.add(square);
        Look::Grown
    }

    /// Whether the push would leave the box in a block of four or a corner, counting walls and the
    /// fence only, with one of them off its goal.
    fn stuck_after(&self, board: &FeatureBoard, taken: &[u8], square: Square, to: Square) -> bool {
        let stands = |place: Square| {
            place != square
                && (taken[usize::from(place)] & WALL != 0 || (taken[usize::from(place)] == BOX && self.in_fence(place)))
        };
        let off_goal = |place: Square| taken[usize::from(place)] == BOX && !board.is_goal(place);
        let wall = board.len() as Square;
        [2, 3].into_iter().any(|vertical| {
            let a = board.next(to, vertical);
            stands(a)
                && [0, 1].into_iter().any(|horizontal| {
                    let b = board.next(to, horizontal);
                    if !stands(b) {
                        return false;
                    }
                    let across = if a != wall {
                        board.next(a, horizontal)
                    } else if b != wall {
                        board.next(b, vertical)
                    } else {
                        wall
                    };
                    stands(across) && (!board.is_goal(to) || off_goal(a) || off_goal(b) || off_goal(across))
                })
        })
    }

    fn is_unfinished(&self, board: &FeatureBoard, position: &Position, survey: &Articulation) -> bool {
        self.boxes.iter().any(|&square| !board.is_goal(square))
            || board.goals().iter().any(|&goal| {
                position.taken[usize::from(goal)] == 0 && survey.is_free(goal) && self.area[survey.region(goal)]
            })
    }
}
