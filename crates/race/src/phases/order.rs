//! The packing order of YASS (Damgaard): the solved board is taken apart, and boxes that leave together are filled
//! together.
//!
//! Every box that can be pulled to an unused start square, while the others stand and the player can walk back to where
//! he was, leaves at once: that is a phase, and no box in it depends on another. When no box can leave, one is parked
//! and leaves when all goals are empty; parking places are tried by depth-first search. Read backwards, the phases are
//! stages: targets to be filled one group after the other, some only until a later stage brings the box home.

use crate::macros::{BoxMove, Macro, Macros, PULL};
use crate::phases::PULLS_COST;
use crate::strategy::{Halt, HaltPoller};
use crate::zone_fill::ZoneFill;
use lurd_rules::feature::articulation::Articulation;
use lurd_rules::feature::board::{FAR, FeatureBoard};
use lurd_rules::feature::position::Position;
use lurd_rules::{KeyHasher, Square};
use std::cmp::Reverse;
use std::collections::HashSet;
use std::hash::BuildHasherDefault;

/// A square to be filled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Target {
    pub(super) square: Square,
    /// For a parking place, the stage in which the box goes home.
    pub(super) home: Option<usize>,
}

/// Targets that are filled together.
pub(super) type Stage = Vec<Target>;

/// The least distance in rows and columns between a goal and the start square a box leaves to: a nearer one says
/// nothing about the way out.
const LEAST_DISTANCE: usize = 3;
/// The last boxes may leave to any start square: one in so many.
const LAST_BOXES: usize = 7;
/// A box that can be pulled over less than one in so many of the live squares comes from a pocket and must be parked.
const POCKET: usize = 4;
/// Surveys of pulls before the search falls back.
const MOST_SURVEYS: u64 = 60_000;

/// A box that has left a square; phases are counted from the solved board.
#[derive(Clone, Copy, Debug)]
struct Departure {
    square: Square,
    phase: usize,
    /// For a parked box, the phase in which it was parked.
    home: Option<usize>,
}

/// What is left of the solved board.
#[derive(Clone, Debug)]
struct Remainder {
    /// Goals with boxes.
    goals: Vec<Square>,
    /// Parked boxes and the phase that parked them.
    parked: Vec<(Square, usize)>,
    /// Start squares that no box has left to.
    unused: Vec<Square>,
    /// Start squares the player has not been beside.
    unseen: Vec<Square>,
    player: Square,
    phase: usize,
    departures: Vec<Departure>,
}

impl Remainder {
    fn boxes(&self) -> impl Iterator<Item = Square> + '_ {
        self.goals.iter().copied().chain(self.parked.iter().map(|&(square, _)| square))
    }
}

/// The parking places of a box: at most two, the better one last.
#[derive(Clone, Copy, Debug)]
struct Parkings {
    /// Whether it could leave but for its pocket, and how far away the better place is.
    rank: (bool, u16),
    moves: [Option<BoxMove>; 2],
}

/// A choice point: no box can leave, and some can be parked.
#[derive(Debug)]
struct ChoicePoint {
    left: Remainder,
    /// In reverse: the last is tried next.
    parkings: Vec<BoxMove>,
}

/// How a slice of the search for an order ended.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum OrderStatus {
    Open,
    /// The stages, first to fill first.
    Done(Vec<Stage>),
    Failed,
}

/// How searches for an order may differ.
#[derive(Clone, Copy, Debug)]
pub(super) struct OrderOptions {
    /// No box leaves before the player has been beside every start square: no closed part is left out.
    pub(super) sees_all: bool,
    /// A box that can be pulled only in a pocket must be parked.
    pub(super) parks_pockets: bool,
}

pub(super) struct OrderSearch<'g> {
    board: &'g FeatureBoard,
    options: OrderOptions,
    macros: Macros,
    position: Position,
    ends: Vec<Macro>,
    zone: ZoneFill,
    /// Squares where no box is parked.
    passage: Vec<bool>,
    live: usize,
    choice_points: Vec<ChoicePoint>,
    /// A square of each zone of the solved board that was not tried yet, in reverse.
    roots: Vec<Square>,
    tried: HashSet<u64, BuildHasherDefault<KeyHasher>>,
    /// The remainder with the fewest boxes.
    deepest: Option<Remainder>,
    /// How often the pulls of a box were found.
    pub(super) surveys: u64,
}

impl<'g> OrderSearch<'g> {
    pub(super) fn new(board: &'g FeatureBoard, options: OrderOptions) -> Self {
        let solved = Position::with(board, board.goals(), board.player());
        let survey = board.survey(&solved.taken);
        // One square of each zone; the zone the player starts in is tried first.
        let squares = std::iter::once(board.player()).chain(0..board.len() as Square);
        let mut roots = survey.one_in_each(squares);
        roots.reverse();
        Self {
            board,
            options,
            macros: Macros::new(board),
            position: Position::new(board),
            ends: Vec::new(),
            zone: ZoneFill::new(board),
            passage: passages(board),
            live: (0..board.len() as Square).filter(|&square| !board.is_dead(square)).count(),
            choice_points: Vec::new(),
            roots,
            tried: HashSet::default(),
            deepest: None,
            surveys: 0,
        }
    }

    /// Searches for about so many surveys.
    pub(super) fn run(&mut self, surveys: u64, halt: &Halt) -> OrderStatus {
        let end = self.surveys + surveys;
        let mut poller = HaltPoller::new(halt, PULLS_COST * self.surveys);
        while self.surveys < end {
            if poller.poll(PULLS_COST * self.surveys) {
                return OrderStatus::Open;
            }
            if self.surveys > MOST_SURVEYS {
                return self.fall_back(&mut poller);
            }
            let Some(left) = self.next_remainder() else { return self.fall_back(&mut poller) };
            if let Some(done) = self.take_apart(left, &mut poller) {
                return OrderStatus::Done(stages(&done));
            }
        }
        OrderStatus::Open
    }

    /// The next remainder: the next parking of the last choice point, or the solved board with the player in the next
    /// zone.
    fn next_remainder(&mut self) -> Option<Remainder> {
        while let Some(choice) = self.choice_points.last_mut() {
            let Some(BoxMove { from, to, player }) = choice.parkings.pop() else {
                self.choice_points.pop();
                continue;
            };
            let mut left = choice.left.clone();
            left.goals.retain(|&goal| goal != from);
            left.departures.push(Departure { square: from, phase: left.phase, home: None });
            left.parked.push((to, left.phase));
            left.phase += 1;
            left.player = player;
            return Some(left);
        }
        let board = self.board;
        let sees_all = self.options.sees_all;
        let player = self.roots.pop()?;
        Some(Remainder {
            goals: board.goals().to_vec(),
            parked: Vec::new(),
            unused: board.starts().to_vec(),
            unseen: board.starts().iter().copied().filter(|&square| sees_all && !board.is_goal(square)).collect(),
            player,
            phase: 0,
            departures: Vec::new(),
        })
    }

    /// Removes phases until nothing is left; where no box can leave, a choice point is stored.
    fn take_apart(&mut self, mut left: Remainder, poller: &mut HaltPoller<'_>) -> Option<Remainder> {
        loop {
            if left.goals.is_empty() && left.parked.is_empty() {
                return Some(left);
            }
            self.position.set(self.board, left.boxes(), left.player);
            let (board, zone) = (self.board, &mut self.zone);
            let zone_key = zone.fill(board, &self.position.taken, left.player);
            left.unseen.retain(|&square| {
                !zone.contains(square) && !board.neighbours(square).iter().any(|&side| zone.contains(side))
            });
            if !self.tried.insert(self.key(&left, zone_key)) {
                return None;
            }
            if self.deepest.as_ref().is_none_or(|deepest| left.boxes().count() < deepest.boxes().count()) {
                self.deepest = Some(left.clone());
            }
            let mut parkings = Vec::new();
            if !self.remove_phase(&mut left, &mut parkings, poller) {
                if !parkings.is_empty() {
                    // The first to try comes last; among equals the later box goes first.
                    parkings.sort_by_key(|parkings| parkings.rank);
                    let parkings = parkings.iter().flat_map(|parkings| parkings.moves).flatten().collect();
                    self.choice_points.push(ChoicePoint { left, parkings });
                }
                return None;
            }
        }
    }

    /// Takes away every box that can leave; false if none can. Then `parkings` has the boxes that can be parked.
    fn remove_phase(
        &mut self,
        left: &mut Remainder,
        parkings: &mut Vec<Parkings>,
        poller: &mut HaltPoller<'_>,
    ) -> bool {
        let boxes: Vec<Square> = if left.goals.is_empty() { left.boxes().collect() } else { left.goals.clone() };
        let parks = !left.goals.is_empty();
        let mut leaving = Vec::new();
        for &from in &boxes {
            let starts = self.starts_for(left, from, poller);
            let covers = 1 + self.distinct_ends();
            let pocket = self.options.parks_pockets && parks && covers * POCKET < self.live && !starts.contains(&from);
            if left.unseen.is_empty() && !starts.is_empty() && !pocket {
                leaving.push((from, starts));
            } else if parks && leaving.is_empty() {
                parkings.extend(self.parkings(from, !starts.is_empty()));
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
            left.departures.push(Departure { square: from, phase: left.phase, home });
        }
        left.phase += usize::from(some);
        some
    }

    /// The unused start squares this box can leave to; its pulls are then in `ends`.
    fn starts_for(&mut self, left: &Remainder, from: Square, poller: &mut HaltPoller<'_>) -> Vec<Square> {
        self.survey(from, poller);
        let boxes = left.boxes().count();
        let last = boxes * LAST_BOXES <= self.board.starts().len().max(LAST_BOXES);
        let mut starts: Vec<Square> = left.unused.iter().copied().filter(|&start| start == from).collect();
        for at in 0..self.ends.len() {
            let end = self.ends[at];
            let wanted = left.unused.contains(&end.to) && !starts.contains(&end.to);
            if wanted
                && (last || steps_apart(self.board, from, end.to) >= LEAST_DISTANCE)
                && (boxes == 1 || end.to == left.player || self.comes_back(end, left.player))
            {
                starts.push(end.to);
            }
        }
        starts
    }

    /// Finds the pulls of a box: a position more. None if the limit on positions is reached.
    fn survey(&mut self, from: Square, poller: &mut HaltPoller<'_>) {
        self.ends.clear();
        if !poller.take() {
            return;
        }
        self.surveys += 1;
        self.macros.find::<PULL>(self.board, &mut self.position, from, |_, _| true, &mut self.ends);
    }

    fn distinct_ends(&self) -> usize {
        let mut ends: Vec<Square> = self.ends.iter().map(|end| end.to).collect();
        ends.sort_unstable();
        ends.dedup();
        ends.len()
    }

    /// Whether the player, after a pull, can walk to a square.
    fn comes_back(&mut self, end: Macro, to: Square) -> bool {
        let what = std::mem::take(&mut self.position.taken[usize::from(end.from)]);
        self.position.taken[usize::from(end.to)] = what;
        self.zone.fill(self.board, &self.position.taken, end.player);
        self.position.taken[usize::from(end.to)] = 0;
        self.position.taken[usize::from(end.from)] = what;
        self.zone.contains(to)
    }

    /// The start square to use: the one after which the goal with the fewest start squares has most.
    fn claim(&self, left: &Remainder, from: Square, starts: &[Square]) -> Option<Square> {
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

    /// The parking places of the box whose pulls are in `ends`: the farthest square by pulls, and the farthest by rows
    /// and columns.
    fn parkings(&mut self, from: Square, could_leave: bool) -> Option<Parkings> {
        let board = self.board;
        let mut fit: Vec<Macro> = Vec::new();
        for at in 0..self.ends.len() {
            let end = self.ends[at];
            let is_place = end.to != from && !board.is_dead(end.to) && !self.passage[usize::from(end.to)];
            let pulls = board.pushes_from(end.to)[usize::from(from)];
            if is_place && pulls != FAR && self.comes_back(end, from) {
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
        let moves = [second.map(|end| end.box_move()), Some(best.box_move())];
        Some(Parkings { rank: (could_leave, pulls(&best)), moves })
    }

    /// The key of a remainder that is loaded.
    fn key(&self, left: &Remainder, zone: u64) -> u64 {
        let board = self.board;
        let unused = left.unused.iter().fold(0, |key, &square| key ^ board.box_key(square).rotate_left(17));
        let parked = left.parked.iter().fold(0, |key, &(square, _)| key ^ board.box_key(square).rotate_left(41));
        FeatureBoard::key(self.position.boxes_key, zone) ^ unused ^ parked
    }

    /// From the remainder with the fewest boxes on, boxes only have to come off their goals, to any square.
    fn fall_back(&mut self, poller: &mut HaltPoller<'_>) -> OrderStatus {
        let Some(mut left) = self.deepest.take() else { return OrderStatus::Failed };
        while !left.goals.is_empty() {
            self.position.set(self.board, left.boxes(), left.player);
            let comes_off = |&from: &Square| {
                self.survey(from, poller);
                self.ends.iter().any(|end| end.to != from && !self.board.is_goal(end.to))
            };
            let off: Vec<Square> = left.goals.iter().copied().filter(comes_off).collect();
            if off.is_empty() {
                return OrderStatus::Failed;
            }
            left.goals.retain(|goal| !off.contains(goal));
            left.departures.extend(off.into_iter().map(|square| Departure { square, phase: left.phase, home: None }));
            left.phase += 1;
        }
        let last = left.phase;
        let leave = |&(square, home): &(Square, usize)| Departure { square, phase: last, home: Some(home) };
        left.departures.extend(left.parked.iter().map(leave));
        OrderStatus::Done(stages(&left))
    }

    pub(super) fn bytes(&self) -> usize {
        let squares = self.board.starts().len() * 16;
        self.tried.capacity() * 9 + self.choice_points.len() * squares + self.board.len() * 128
    }
}

/// Phases read backwards.
fn stages(left: &Remainder) -> Vec<Stage> {
    let last = left.departures.iter().map(|departure| departure.phase).max().unwrap_or(0);
    let mut stages = vec![Stage::new(); last + 1];
    for &Departure { square, phase, home } in &left.departures {
        stages[last - phase].push(Target { square, home: home.map(|phase| last - phase) });
    }
    stages
}

/// Whether enough goals lie together for the order to matter: goals in a room, not in a line along a corridor.
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

/// Squares where a box would cut the floor, and squares with walls on two opposite sides.
fn passages(board: &FeatureBoard) -> Vec<bool> {
    let mut survey: Articulation = board.survey(board.bare());
    let wall = board.len() as Square;
    (0..board.len() as Square)
        .map(|square| {
            let narrow = |axis: usize| board.next(square, axis) == wall && board.next(square, axis + 1) == wall;
            board.bare()[usize::from(square)] != 0 || narrow(0) || narrow(2) || survey.sides(board, square).parts > 1
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
