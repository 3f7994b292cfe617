//! Corral search: can an area the player is shut out of ever be opened?
//!
//! Only the boxes around the area stay on the board; all others are taken away, which can only make
//! things easier. If then no sequence of pushes joins all regions or brings every box to a goal, the position
//! is dead, whatever the other boxes do. A box that can leave the neighbourhood is taken away too. The search is
//! short, its verdicts are kept, and a question that was too hard gets more work when it has come back often enough.

use super::forward::blocks;
use super::frozen;
use super::ground::{BOX, Ground, WALL};
use super::lift::Lift;
use super::macros::{Macro, Macros};
use super::perimeter::KeyHasher;
use super::position::Position;
use super::rooms::ring;
use crate::square::Square;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, HashSet};
use std::hash::BuildHasherDefault;

/// Positions expanded the first time a question is asked.
const FIRST_BUDGET: u32 = 50;
/// Times a question must come back before it gets more work, doubled each time.
const PATIENCE: u32 = 128;
/// Verdicts kept at most.
const MOST_VERDICTS: usize = 1 << 20;

/// What is known of a corral.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    Dead,
    Open,
    /// Too hard so far; how often it was asked.
    Unknown(u32),
}

type ByKey<T> = HashMap<u64, T, BuildHasherDefault<KeyHasher>>;

/// A position of the small search.
#[derive(Clone, Debug)]
struct Small {
    boxes: Vec<Square>,
    player: Square,
}

/// Searches corrals and remembers what it found.
#[derive(Debug)]
pub(super) struct Corrals {
    verdicts: ByKey<Verdict>,
    position: Position,
    macros: Macros,
    survey: Lift,
    zone: Vec<u32>,
    generation: u32,
    squares: Vec<Square>,
    steps: Vec<Macro>,
    seen: HashSet<u64, BuildHasherDefault<KeyHasher>>,
    nodes: Vec<Small>,
    /// Positions expanded in all small searches.
    pub(super) expanded: u64,
}

impl Corrals {
    pub(super) fn new(ground: &Ground) -> Self {
        Self {
            verdicts: ByKey::default(),
            position: Position::new(ground),
            macros: Macros::new(ground),
            survey: Lift::new(ground),
            zone: vec![0; ground.len() + 1],
            generation: 0,
            squares: Vec::new(),
            steps: Vec::new(),
            seen: HashSet::default(),
            nodes: Vec::new(),
            expanded: 0,
        }
    }

    /// Bytes the verdicts hold.
    pub(super) fn bytes(&self) -> usize {
        self.verdicts.capacity() * (size_of::<(u64, Verdict)>() + 1) * 8 / 7
    }

    /// Whether some area the player is shut out of can never be opened, with work left in it. Frozen boxes are marked
    /// as walls in the position; `survey` tells its regions.
    pub(super) fn some_is_dead(&mut self, ground: &Ground, position: &Position, survey: &Lift) -> bool {
        let regions = survey.regions();
        if regions < 2 {
            return false;
        }
        let own = survey.region(position.player);
        let mut begun = vec![false; regions];
        begun[own] = true;
        for square in 0..ground.len() as Square {
            if !survey.is_free(square) || std::mem::replace(&mut begun[survey.region(square)], true) {
                continue;
            }
            if self.is_dead(ground, position, survey, survey.region(square)) {
                return true;
            }
        }
        false
    }

    fn is_dead(&mut self, ground: &Ground, position: &Position, survey: &Lift, area: usize) -> bool {
        self.generation += 1;
        let mut area_key = 0;
        let mut empty_goal = false;
        for square in 0..ground.len() as Square {
            if survey.is_free(square) && survey.region(square) == area {
                area_key = survey.zone_of(square);
                empty_goal |= ground.is_goal(square);
                self.zone[usize::from(square)] = self.generation;
                for next in ring(ground, square) {
                    self.zone[usize::from(next)] = self.generation;
                }
            }
        }
        let inside = |square: &Square| self.zone[usize::from(*square)] == self.generation;
        let boxes: Vec<Square> = position.boxes.iter().copied().filter(inside).collect();
        if boxes.len() == position.boxes.len() && boxes.len() > 12 {
            return false;
        }
        if !empty_goal && boxes.iter().all(|&square| ground.is_goal(square)) {
            return false;
        }
        self.position.set(ground, boxes.iter().copied(), position.player);
        let mut walls_key = 0;
        for &square in &boxes {
            if position.taken[usize::from(square)] & WALL != 0 {
                self.position.taken[usize::from(square)] = BOX | WALL;
                walls_key ^= ground.box_key(square).rotate_left(13);
            }
        }
        self.survey.survey(ground, &self.position.taken);
        let key = Ground::key(self.position.boxes_key, self.survey.zone_of(position.player))
            ^ area_key.rotate_left(31)
            ^ walls_key;
        let budget = match self.verdicts.get_mut(&key) {
            None => FIRST_BUDGET,
            Some(Verdict::Dead) => return true,
            Some(Verdict::Open) => return false,
            Some(Verdict::Unknown(asked)) => {
                *asked += 1;
                if *asked < PATIENCE || !asked.is_power_of_two() {
                    return false;
                }
                *asked
            }
        };
        let verdict = self.search(ground, &boxes, position.player, budget);
        if self.verdicts.len() >= MOST_VERDICTS {
            self.verdicts.clear();
        }
        let entry = self.verdicts.entry(key).or_insert(verdict);
        if verdict != Verdict::Unknown(0) {
            *entry = verdict;
        }
        verdict == Verdict::Dead
    }

    fn search(&mut self, ground: &Ground, boxes: &[Square], player: Square, budget: u32) -> Verdict {
        let walls: Vec<Square> =
            boxes.iter().copied().filter(|&square| self.position.taken[usize::from(square)] & WALL != 0).collect();
        self.nodes.clear();
        self.seen.clear();
        let mut open: BinaryHeap<Reverse<(usize, usize, u32)>> = BinaryHeap::new();
        self.nodes.push(Small { boxes: boxes.to_vec(), player });
        open.push(Reverse((0, 0, 0)));
        let mut spent = 0;
        while let Some(Reverse((_, _, number))) = open.pop() {
            if spent == budget {
                return Verdict::Unknown(0);
            }
            spent += 1;
            self.expanded += 1;
            let Small { boxes, player } = self.nodes[number as usize].clone();
            self.lay_out(ground, &boxes, &walls, player);
            self.survey.survey(ground, &self.position.taken);
            let mut leaver = None;
            self.steps.clear();
            for &from in &boxes {
                let sides = ground.neighbours(from);
                let some_push = (0..4).any(|direction| {
                    let to = sides[direction];
                    self.position.taken[usize::from(to)] == 0
                        && !ground.is_dead(to)
                        && self.survey.joined(sides[direction ^ 1], player)
                });
                if self.position.taken[usize::from(from)] != BOX || !some_push {
                    continue;
                }
                let first = self.steps.len();
                let may_enter = |taken: &[u8], to: Square| !ground.is_dead(to) && !blocks(ground, taken, to);
                self.macros.pushes(ground, &mut self.position, from, may_enter, &mut self.steps);
                let leaves = |step: &Macro| self.zone[usize::from(step.to)] != self.generation;
                if self.steps[first..].iter().any(leaves) {
                    leaver = Some(from);
                    break;
                }
            }
            if let Some(square) = leaver {
                // Without the box nothing gets harder: this is the only child needed.
                let rest: Vec<Square> = boxes.iter().copied().filter(|&other| other != square).collect();
                self.lay_out(ground, &rest, &walls, player);
                self.survey.survey(ground, &self.position.taken);
                if self.is_open(ground) {
                    return Verdict::Open;
                }
                let zone = self.survey.zone_of(player);
                if self.seen.insert(Ground::key(self.position.boxes_key, zone)) {
                    open.push(Reverse((self.survey.regions(), rest.len(), self.nodes.len() as u32)));
                    self.nodes.push(Small { boxes: rest, player });
                }
                continue;
            }
            for at in 0..self.steps.len() {
                let step = self.steps[at];
                let key = Ground::key(
                    self.position.boxes_key ^ ground.box_key(step.from) ^ ground.box_key(step.to),
                    step.zone,
                );
                if !self.seen.insert(key) {
                    continue;
                }
                let mut child: Vec<Square> = boxes.clone();
                for square in &mut child {
                    if *square == step.from {
                        *square = step.to;
                    }
                }
                if step.regions == 1 || child.iter().all(|&square| ground.is_goal(square)) {
                    return Verdict::Open;
                }
                self.position.taken[usize::from(step.from)] = 0;
                self.position.taken[usize::from(step.to)] = BOX;
                let stuck = frozen::freezes(ground, &mut self.position.taken, &child, step.to, &mut self.squares);
                self.position.taken[usize::from(step.to)] = 0;
                self.position.taken[usize::from(step.from)] = BOX;
                if stuck {
                    continue;
                }
                open.push(Reverse((usize::from(step.regions), child.len(), self.nodes.len() as u32)));
                self.nodes.push(Small { boxes: child, player: step.player });
                if self.nodes.len() > 40 * budget as usize {
                    return Verdict::Unknown(0);
                }
            }
        }
        Verdict::Dead
    }

    fn lay_out(&mut self, ground: &Ground, boxes: &[Square], walls: &[Square], player: Square) {
        self.position.set(ground, boxes.iter().copied(), player);
        for &square in walls {
            if boxes.contains(&square) {
                self.position.taken[usize::from(square)] = BOX | WALL;
            }
        }
    }

    /// Whether nothing is left to prove: all regions joined, or every box on a goal.
    fn is_open(&self, ground: &Ground) -> bool {
        self.survey.regions() == 1 || self.position.boxes.iter().all(|&square| ground.is_goal(square))
    }
}
