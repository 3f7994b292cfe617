//! The packing order: the solved picture is taken apart, and what leaves together is filled together.
//!
//! Every box that can be pulled to an unused start square, while the others stand and the player can walk
//! back to where he was, leaves at once: that is a phase, and nothing in it depends on anything else in it. When
//! nothing can leave, a box is parked out of the way and leaves when all goals are empty. Parkings are
//! tried in turn, depth first. Read backwards, the phases are stages: places to be filled one group after
//! the other, some of them only until a later stage takes the box home.

use crate::macros::{Macro, Macros};
use crate::strategy::Halt;
use lurd_rules::feature::articulation::Articulation;
use lurd_rules::feature::board::{FAR, FeatureBoard};
use lurd_rules::feature::position::Position;
use lurd_rules::{KeyHasher, Square};
use std::cmp::Reverse;
use std::collections::HashSet;
use std::hash::BuildHasherDefault;

/// A place to be filled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Target {
    pub(super) square: Square,
    /// The stage in which a box that only waits here goes home.
    pub(super) home: Option<usize>,
}

/// Targets that are filled together.
pub(super) type Stage = Vec<Target>;

/// Steps (rows and columns together) from a goal that a start square must be away: what lies nearer says nothing
/// about the way out.
const FAR_ENOUGH: usize = 3;
/// The last boxes may leave to any start square: one in so many.
const LAST_BOXES: usize = 7;
/// A box that can be pulled only over one in so many of the squares comes from a pocket and has to wait.
const POCKET: usize = 4;
/// Surveys of pulls before taking apart is given up.
const MOST_SURVEYS: u64 = 60_000;
/// Surveys between two looks at the halt: about a millisecond.
const GLANCE: u64 = 64;

/// A box taken off its place, phases counted as they come.
#[derive(Clone, Copy, Debug)]
struct Taken {
    square: Square,
    phase: usize,
    /// The phase in which the box came here.
    home: Option<usize>,
}

/// What is left of the solved picture.
#[derive(Clone, Debug)]
struct Left {
    /// Goals with their boxes.
    goals: Vec<Square>,
    /// Parked boxes and the phase that parked them.
    parked: Vec<(Square, usize)>,
    /// Start squares nobody has come from yet.
    unused: Vec<Square>,
    /// Start squares the player has not been near.
    unseen: Vec<Square>,
    player: Square,
    phase: usize,
    taken: Vec<Taken>,
}

impl Left {
    fn boxes(&self) -> impl Iterator<Item = Square> + '_ {
        self.goals.iter().copied().chain(self.parked.iter().map(|&(square, _)| square))
    }
}

/// A box that could wait elsewhere.
#[derive(Clone, Copy, Debug)]
struct Parking {
    from: Square,
    to: Square,
    player: Square,
}

/// Where a box could wait: at most two squares, the better one last.
#[derive(Clone, Copy, Debug)]
struct Waiting {
    /// Whether it could leave but for its pocket, and how far away it can wait.
    rank: (bool, u16),
    parkings: [Option<Parking>; 2],
}

/// A picture where nothing can leave, and what could be parked.
#[derive(Debug)]
struct Crossing {
    left: Left,
    /// In reverse: the last is tried next.
    parkings: Vec<Parking>,
}

/// How taking apart stands.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Unpacked {
    /// There is more to try.
    Open,
    /// The stages, first to fill first.
    Done(Vec<Stage>),
    /// There is no order.
    Failed,
}

/// How searches for an order may differ.
#[derive(Clone, Copy, Debug)]
pub(super) struct UnpackOptions {
    /// Nothing leaves before the player has been near every start square: a part that is still closed is not forgotten.
    pub(super) seen: bool,
    /// A box that can be pulled about in a pocket only has to wait.
    pub(super) pockets: bool,
}

/// The search for a packing order.
pub(super) struct Unpacking<'g> {
    board: &'g FeatureBoard,
    manner: UnpackOptions,
    macros: Macros,
    position: Position,
    ends: Vec<Macro>,
    near: Vec<bool>,
    queue: Vec<Square>,
    /// Squares where no box should wait.
    passage: Vec<bool>,
    live: usize,
    crossings: Vec<Crossing>,
    /// Where the player may stand in the solved picture, still to be tried, in reverse.
    roots: Vec<Square>,
    tried: HashSet<u64, BuildHasherDefault<KeyHasher>>,
    /// The picture with the fewest boxes.
    deepest: Option<Left>,
    pub(super) surveys: u64,
}

impl<'g> Unpacking<'g> {
    pub(super) fn new(board: &'g FeatureBoard, manner: UnpackOptions) -> Self {
        let solved = Position::with(board, board.goals(), board.player());
        let survey = board.survey(&solved.taken);
        // One square of each zone; the zone the player starts in is tried first.
        let mut roots: Vec<Square> = Vec::new();
        let squares = std::iter::once(board.player()).chain(0..board.len() as Square);
        for square in squares.filter(|&square| survey.is_free(square)) {
            if !roots.iter().any(|&root| survey.joined(root, square)) {
                roots.push(square);
            }
        }
        roots.reverse();
        Self {
            board,
            manner,
            macros: Macros::new(board),
            position: Position::new(board),
            ends: Vec::new(),
            near: vec![false; board.len() + 1],
            queue: Vec::new(),
            passage: passages(board),
            live: (0..board.len() as Square).filter(|&square| !board.is_dead(square)).count(),
            crossings: Vec::new(),
            roots,
            tried: HashSet::default(),
            deepest: None,
            surveys: 0,
        }
    }

    /// Works for about so many surveys.
    pub(super) fn run(&mut self, surveys: u64, halt: &Halt) -> Unpacked {
        let end = self.surveys + surveys;
        let mut glance = self.surveys + GLANCE;
        while self.surveys < end {
            if self.surveys >= glance {
                if halt.called() {
                    return Unpacked::Open;
                }
                glance = self.surveys + GLANCE;
            }
            if self.surveys > MOST_SURVEYS {
                return self.fall_back();
            }
            let Some(left) = self.next_picture() else { return self.fall_back() };
            if let Some(done) = self.take_apart(left) {
                return Unpacked::Done(stages(&done));
            }
        }
        Unpacked::Open
    }

    /// The next picture to go on from: the last crossing's next parking, or the next solved picture.
    fn next_picture(&mut self) -> Option<Left> {
        while let Some(crossing) = self.crossings.last_mut() {
            let Some(Parking { from, to, player }) = crossing.parkings.pop() else {
                self.crossings.pop();
                continue;
            };
            let mut left = crossing.left.clone();
            left.goals.retain(|&goal| goal != from);
            left.taken.push(Taken { square: from, phase: left.phase, home: None });
            left.parked.push((to, left.phase));
            left.phase += 1;
            left.player = player;
            return Some(left);
        }
        let board = self.board;
        let seen = self.manner.seen;
        let player = self.roots.pop()?;
        Some(Left {
            goals: board.goals().to_vec(),
            parked: Vec::new(),
            unused: board.starts().to_vec(),
            unseen: board.starts().iter().copied().filter(|&square| seen && !board.is_goal(square)).collect(),
            player,
            phase: 0,
            taken: Vec::new(),
        })
    }

    /// Removes phases until nothing is left; where it stops, a crossing is noted.
    fn take_apart(&mut self, mut left: Left) -> Option<Left> {
        loop {
            if left.goals.is_empty() && left.parked.is_empty() {
                return Some(left);
            }
            self.lay_out(&left);
            self.flood(left.player);
            if !self.tried.insert(self.key(&left)) {
                return None;
            }
            let (board, near) = (self.board, &self.near);
            left.unseen.retain(|&square| {
                !near[usize::from(square)] && !board.neighbours(square).iter().any(|&side| near[usize::from(side)])
            });
            let boxes = left.goals.len() + left.parked.len();
            if self.deepest.as_ref().is_none_or(|deepest| boxes < deepest.goals.len() + deepest.parked.len()) {
                self.deepest = Some(left.clone());
            }
            let mut waiting = Vec::new();
            if !self.remove_phase(&mut left, &mut waiting) {
                if !waiting.is_empty() {
                    // The first to try comes last; among equals the later box goes first.
                    waiting.sort_by_key(|waiting| waiting.rank);
                    let parkings = waiting.iter().flat_map(|waiting| waiting.parkings).flatten().collect();
                    self.crossings.push(Crossing { left, parkings });
                }
                return None;
            }
        }
    }

    /// Takes away every box that can leave; false if none can. Then `waiting` has what could be parked.
    fn remove_phase(&mut self, left: &mut Left, waiting: &mut Vec<Waiting>) -> bool {
        let boxes: Vec<Square> = if left.goals.is_empty() { left.boxes().collect() } else { left.goals.clone() };
        let parks = !left.goals.is_empty();
        let mut leaving = Vec::new();
        for &from in &boxes {
            let starts = self.starts_for(left, from);
            let covers = 1 + self.distinct_ends();
            let pocket = self.manner.pockets && parks && covers * POCKET < self.live && !starts.contains(&from);
            if left.unseen.is_empty() && !starts.is_empty() && !pocket {
                leaving.push((from, starts));
            } else if parks && leaving.is_empty() {
                waiting.extend(self.waiting(from, !starts.is_empty()));
            }
        }
        let mut some = false;
        for (from, starts) in leaving {
            let Some(start) = self.claim(left, from, &starts) else { continue };
            some = true;
            left.unused.retain(|&square| square != start);
            let parked = left.parked.iter().position(|&(square, _)| square == from);
            let home = parked.filter(|_| !parks).map(|place| left.parked.remove(place).1);
            if home.is_none() {
                left.goals.retain(|&goal| goal != from);
            }
            left.taken.push(Taken { square: from, phase: left.phase, home });
        }
        left.phase += usize::from(some);
        some
    }

    /// The unused start squares this box can leave to; its pulls are then in `ends`.
    fn starts_for(&mut self, left: &Left, from: Square) -> Vec<Square> {
        self.survey(from);
        let boxes = left.goals.len() + left.parked.len();
        let last = boxes * LAST_BOXES <= self.board.starts().len().max(LAST_BOXES);
        let mut starts: Vec<Square> = Vec::new();
        if left.unused.contains(&from) {
            starts.push(from);
        }
        for at in 0..self.ends.len() {
            let end = self.ends[at];
            let wanted = left.unused.contains(&end.to) && !starts.contains(&end.to);
            if wanted
                && (last || steps_apart(self.board, from, end.to) >= FAR_ENOUGH)
                && (boxes == 1 || end.to == left.player || self.comes_back(end, left.player))
            {
                starts.push(end.to);
            }
        }
        starts
    }

    /// The pulls of a box.
    fn survey(&mut self, from: Square) {
        self.surveys += 1;
        self.ends.clear();
        self.macros.pulls(self.board, &mut self.position, from, |_, _| true, &mut self.ends);
    }

    fn distinct_ends(&mut self) -> usize {
        self.queue.clear();
        self.queue.extend(self.ends.iter().map(|end| end.to));
        self.queue.sort_unstable();
        self.queue.dedup();
        self.queue.len()
    }

    /// Whether the player, after a pull, can walk to a square.
    fn comes_back(&mut self, end: Macro, to: Square) -> bool {
        let what = std::mem::take(&mut self.position.taken[usize::from(end.from)]);
        self.position.taken[usize::from(end.to)] = what;
        self.flood(end.player);
        self.position.taken[usize::from(end.to)] = 0;
        self.position.taken[usize::from(end.from)] = what;
        self.near[usize::from(to)]
    }

    /// Marks what the player reaches.
    fn flood(&mut self, player: Square) {
        self.near.fill(false);
        self.queue.clear();
        self.queue.push(player);
        self.near[usize::from(player)] = true;
        while let Some(square) = self.queue.pop() {
            for &next in self.board.neighbours(square) {
                if self.position.taken[usize::from(next)] == 0 && !self.near[usize::from(next)] {
                    self.near[usize::from(next)] = true;
                    self.queue.push(next);
                }
            }
        }
    }

    /// The start square to use: the one after which the goal with the fewest start squares has most.
    fn claim(&self, left: &Left, from: Square, starts: &[Square]) -> Option<Square> {
        let board = self.board;
        let reaches = |start: Square, goal: Square| board.pushes_from(start)[usize::from(goal)] != FAR;
        starts.iter().copied().filter(|start| left.unused.contains(start)).max_by_key(|&start| {
            let scarcest = left
                .boxes()
                .filter(|&square| square != from && reaches(start, square))
                .map(|goal| left.unused.iter().filter(|&&other| reaches(other, goal)).count())
                .min();
            (scarcest.unwrap_or(usize::MAX), Reverse(start))
        })
    }

    /// Where the box whose pulls are in `ends` could wait: the farthest square by pulls, and the farthest by sight.
    fn waiting(&mut self, from: Square, could_leave: bool) -> Option<Waiting> {
        let board = self.board;
        let mut fit: Vec<Macro> = Vec::new();
        for at in 0..self.ends.len() {
            let end = self.ends[at];
            let waits = end.to != from && !board.is_dead(end.to) && !self.passage[usize::from(end.to)];
            let pulls = board.pushes_from(end.to)[usize::from(from)];
            if waits && pulls != FAR && self.comes_back(end, from) {
                fit.push(end);
            }
        }
        let pulls = |end: &Macro| board.pushes_from(end.to)[usize::from(from)];
        let apart = |a: Square, b: Square| steps_apart(board, a, b);
        let best = *fit.iter().max_by_key(|end| (pulls(end), !is_corner(board, end.to)))?;
        let second = fit
            .iter()
            .filter(|end| end.to != best.to)
            .max_by_key(|end| (apart(from, end.to), apart(best.to, end.to)))
            .copied();
        let parking = |end: Macro| Parking { from, to: end.to, player: end.player };
        let parkings = [second.map(parking), Some(parking(best))];
        Some(Waiting { rank: (could_leave, pulls(&best)), parkings })
    }

    fn lay_out(&mut self, left: &Left) {
        self.position.set(self.board, left.boxes(), left.player);
    }

    /// A key of the picture that is laid out and flooded.
    fn key(&self, left: &Left) -> u64 {
        let board = self.board;
        let near = (0..board.len() as Square).filter(|&square| self.near[usize::from(square)]);
        let zone = near.fold(0, |key, square| key ^ board.zone_key(square));
        let unused = left.unused.iter().fold(0, |key, &square| key ^ board.box_key(square).rotate_left(17));
        let parked = left.parked.iter().fold(0, |key, &(square, _)| key ^ board.box_key(square).rotate_left(41));
        FeatureBoard::key(self.position.boxes_key, zone) ^ unused ^ parked
    }

    /// From the picture with the fewest boxes, boxes only have to come off their goals, to wherever it may be.
    fn fall_back(&mut self) -> Unpacked {
        let Some(mut left) = self.deepest.take() else { return Unpacked::Failed };
        while !left.goals.is_empty() {
            self.lay_out(&left);
            let goals = left.goals.clone();
            let mut off = Vec::new();
            for from in goals {
                self.survey(from);
                let board = self.board;
                if self.ends.iter().any(|end| end.to != from && !board.is_goal(end.to)) {
                    off.push(from);
                }
            }
            if off.is_empty() {
                return Unpacked::Failed;
            }
            left.goals.retain(|goal| !off.contains(goal));
            left.taken.extend(off.into_iter().map(|square| Taken { square, phase: left.phase, home: None }));
            left.phase += 1;
        }
        let last = left.phase;
        left.taken.extend(left.parked.iter().map(|&(square, home)| Taken { square, phase: last, home: Some(home) }));
        Unpacked::Done(stages(&left))
    }

    pub(super) fn bytes(&self) -> usize {
        let squares = self.board.starts().len() * 16;
        self.tried.capacity() * 9 + self.crossings.len() * squares + self.board.len() * 128
    }
}

/// Phases read backwards.
fn stages(left: &Left) -> Vec<Stage> {
    let last = left.taken.iter().map(|taken| taken.phase).max().unwrap_or(0);
    let mut stages = vec![Stage::new(); last + 1];
    for &Taken { square, phase, home } in &left.taken {
        stages[last - phase].push(Target { square, home: home.map(|phase| last - phase) });
    }
    stages
}

/// Whether enough goals lie together for an order to matter: goals in a room, not strung along a corridor.
pub(super) fn has_goal_room(board: &FeatureBoard) -> bool {
    const ENOUGH: usize = 9;
    let wall = board.len() as Square;
    let fills = |square: Square| square == wall || board.is_goal(square);
    let together = |&&goal: &&Square| {
        [(0, 2), (2, 0)].into_iter().any(|(along, across)| {
            let beside = fills(board.next(goal, across)) || fills(board.next(goal, across + 1));
            beside && (board.is_goal(board.next(goal, along)) || board.is_goal(board.next(goal, along + 1)))
        })
    };
    board.goals().iter().filter(together).count() >= ENOUGH
}

/// Squares where a waiting box would cut the floor, and squares with walls on two opposite sides.
fn passages(board: &FeatureBoard) -> Vec<bool> {
    let mut lift: Articulation = board.survey(board.bare());
    let wall = board.len() as Square;
    (0..board.len() as Square)
        .map(|square| {
            let narrow = |axis: usize| board.next(square, axis) == wall && board.next(square, axis + 1) == wall;
            board.bare()[usize::from(square)] != 0 || narrow(0) || narrow(2) || lift.sides(board, square).parts > 1
        })
        .collect()
}

fn is_corner(board: &FeatureBoard, square: Square) -> bool {
    let wall = board.len() as Square;
    let is_wall = |direction: usize| board.next(square, direction) == wall;
    (is_wall(0) || is_wall(1)) && (is_wall(2) || is_wall(3))
}

/// Rows and columns between two squares.
fn steps_apart(board: &FeatureBoard, a: Square, b: Square) -> usize {
    let ((row, column), (other_row, other_column)) = (board.board().place(a), board.board().place(b));
    row.abs_diff(other_row) + column.abs_diff(other_column)
}
