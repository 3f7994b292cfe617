//! The backward feature-space search (FESS: Shoham and Schaeffer 2020): pulls from the solved board.
//!
//! It makes plans. All goals are filled; boxes are pulled. Unused start squares between which boxes can be pushed form
//! a sink: a box pulled there from far away is removed from the board together with the square, for any of them could
//! have come from there. Removals are forced where they are possible, so the tree is almost a path. Read backwards,
//! the order in which goals were cleared is the order in which to fill them, and boxes that were only moved aside are
//! parked.
//!
//! With removals off it looks for an uncrowded target configuration, whose positions the forward side may meet.
//!
//! [`pulls`] generates moves, [`advice`] suggests some of them, [`score`] scores positions, [`dead`] cuts them.

mod advice;
mod dead;
mod pulls;
mod score;

use crate::context::Context;
use crate::features::{Child, Features};
use crate::macros::{BoxMove, Macros};
use crate::observe::{Nearest, VisitCounts};
use crate::pairing::Pairing;
use crate::perimeter::{Perimeter, Reached};
use crate::plan::{Plan, PlanStep, Source};
use crate::rooms::RoomScratch;
use crate::strategy::{Halt, HaltPoller};
use crate::tree::{Move, NONE, Origin, Tree};
use crate::{sinks, solution, value};
use lurd_rules::bipartite::BipartiteMatching;
use lurd_rules::bits::squares;
use lurd_rules::dense::board::Side;
use lurd_rules::feature::articulation::Articulation;
use lurd_rules::feature::board::{FAR, FeatureBoard};
use lurd_rules::feature::position::Position;
use lurd_rules::{Figures, Push, Square};

/// How backward searches may differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PlanOptions {
    /// Steps between a goal and a sink square for a box to be removed there.
    pub(super) removal_distance: u16,
    /// Whether later boxes are tried before earlier ones.
    pub(super) reversed: bool,
    pub(super) objective: Objective,
}

/// What makes a position of the backward search good.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Objective {
    Cleared,
    /// Boxes can be pulled; with `loops` few free squares are on no loop of the free floor, and with `paired` the
    /// distance to goals is that of a matching.
    Open {
        loops: bool,
        paired: bool,
    },
    Value,
}

impl PlanOptions {
    pub(super) const DEFAULT: Self = Self { removal_distance: 6, reversed: false, objective: Objective::Cleared };
}

/// How a slice of the search for a plan ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PlanStatus {
    Open,
    /// The start position is reached, up to boxes that were removed.
    Complete,
    /// Nothing is left to try; the best plan so far is partial.
    Partial,
}

/// The backward search.
#[derive(Debug)]
pub(super) struct Planning<'g> {
    context: &'g Context,
    board: &'g FeatureBoard,
    options: PlanOptions,
    tree: Tree,
    words: usize,
    position: Position,
    /// The start squares that no removed box has come from, as a set.
    unused: Vec<u64>,
    survey: Articulation,
    trial: Articulation,
    macros: Macros,
    rooms: RoomScratch,
    matching: BipartiteMatching,
    pairing: Pairing,
    /// The sum of the distances from each square to all goals, once it was asked for: on a large board that takes a
    /// while.
    spread: Vec<Option<u32>>,
    /// The most pushes from a square to its nearest goal.
    farthest: u32,
    children: Vec<Child>,
    pub(super) figures: Figures,
    pub(super) visits: VisitCounts,
    /// The node that reached the start position.
    complete: u32,
    /// Where positions are inserted for the forward side. Without it boxes are removed.
    perimeter: Option<&'g Perimeter>,
    started: bool,
    /// The pushes of a solution, if the forward side was met.
    pub(super) solution: Option<Vec<Push>>,
}

impl<'g> Planning<'g> {
    /// A search for a plan; with a perimeter one whose positions the forward side may meet, which removes no box.
    pub(super) fn new(context: &'g Context, options: PlanOptions, perimeter: Option<&'g Perimeter>) -> Self {
        let board = &context.board;
        let words = Position::words(board);
        Self {
            context,
            board,
            options,
            tree: match options.objective {
                Objective::Value => Tree::by_value(2 * words, board.goals().len() + 1),
                _ => Tree::new(2 * words),
            },
            words,
            position: Position::new(board),
            unused: Vec::new(),
            survey: Articulation::new(board),
            trial: Articulation::new(board),
            macros: Macros::new(board),
            rooms: RoomScratch::new(board),
            matching: BipartiteMatching::default(),
            pairing: Pairing::new(board.goals().len()),
            spread: vec![None; board.len()],
            farthest: value::farthest(board),
            children: Vec::new(),
            figures: Figures::default(),
            visits: VisitCounts::new(board.len()),
            complete: NONE,
            perimeter,
            started: false,
            solution: None,
        }
    }

    pub(super) fn bytes(&self) -> usize {
        self.tree.bytes()
    }

    /// What the search has cost, in positions generated: an expansion costs about as much as ten positions.
    pub(super) fn effort(&self) -> u64 {
        self.figures.generated + 10 * self.figures.expanded
    }

    /// The boxes of the best position.
    pub(super) fn best_configuration(&self) -> Option<Vec<Square>> {
        let best = self.tree.best;
        (best != NONE).then(|| squares(&self.tree.set(best)[..self.words]).collect())
    }

    /// The best position; none where boxes are removed.
    pub(super) fn nearest(&self) -> Option<Nearest> {
        let boxes = self.best_configuration().filter(|_| self.perimeter.is_some())?;
        let player = self.tree.nodes[self.tree.best as usize].step.player;
        let pushes_to = |&square: &Square| {
            let starts = self.board.starts().iter();
            let least = starts.map(|&start| self.board.pushes_from(start)[usize::from(square)]).min();
            least.filter(|&pushes| pushes != FAR)
        };
        let to_go = boxes.iter().filter_map(pushes_to).map(u32::from).sum();
        Some(Nearest { boxes, player, backwards: true, to_go })
    }

    /// The plan read off the complete node, or the best one.
    pub(super) fn plan(&self) -> Option<Plan> {
        let end = if self.complete == NONE { self.tree.best } else { self.complete };
        if end == NONE {
            return None;
        }
        let step = |source, target| PlanStep { source, target, until: usize::MAX };
        let initial = squares(&self.tree.set(end)[..self.words]).map(|square| step(Source::Initial, square));
        let moves = self.tree.path_to_root(end).filter(|node| node.parent != NONE).map(|node| {
            let source = if node.removes { Source::Pool } else { Source::Parked(node.step.to) };
            step(source, node.step.from)
        });
        Some(Plan::new(self.board, initial.chain(moves).collect()))
    }

    /// Searches for about as long as it takes to generate `work` positions.
    pub(super) fn run(&mut self, work: u64, halt: &Halt) -> PlanStatus {
        let end = self.effort() + work;
        let mut poller = HaltPoller::new(halt, self.effort());
        if !self.started {
            self.start(&mut poller);
        }
        while self.effort() < end {
            if self.complete != NONE || self.solution.is_some() {
                return PlanStatus::Complete;
            }
            if poller.poll(self.effort()) {
                return PlanStatus::Open;
            }
            let Some((parent, via)) = self.tree.select() else { return PlanStatus::Partial };
            if !poller.take() {
                return PlanStatus::Open;
            }
            self.figures.generated += 1;
            self.load_child(parent, &via);
            if self.is_dead() {
                self.tree.mark_dead(via.state, parent);
                continue;
            }
            self.survey.survey(self.board, &self.position.taken);
            self.expand(Origin { parent, via, key: self.key() }, &mut poller);
        }
        PlanStatus::Open
    }

    /// Expands one root for each zone of the solved board.
    fn start(&mut self, poller: &mut HaltPoller<'_>) {
        self.started = true;
        let board = self.board;
        let solved = Position::with(board, board.goals(), board.player());
        let survey = board.survey(&solved.taken);
        let mut unused = Vec::new();
        Position::with(board, board.starts(), board.player()).pack(self.words, &mut unused);
        for square in survey.one_in_each(0..board.len() as Square) {
            self.position.set(board, board.goals().iter().copied(), square);
            self.unused.clone_from(&unused);
            self.survey.survey(board, &self.position.taken);
            let key = self.key();
            let features = self.features_now();
            let score = self.score(&features);
            let via = Move::root(BoxMove::none(square), self.tree.insert(key, score));
            self.expand(Origin { parent: NONE, via, key }, poller);
        }
    }

    /// The key of the current position, which is surveyed.
    fn key(&self) -> u64 {
        let zone = self.survey.zone_of(self.position.player);
        FeatureBoard::key(self.position.boxes_key, zone) ^ self.unused_key()
    }

    fn unused_key(&self) -> u64 {
        squares(&self.unused).fold(0, |key, square| key ^ start_key(self.board, square))
    }

    fn is_unused(&self, square: Square) -> bool {
        self.unused[usize::from(square) / 64] >> (square % 64) & 1 != 0
    }

    /// Makes the position after a move of a node the current one.
    fn load_child(&mut self, parent: u32, via: &Move) {
        let set = self.tree.set(parent);
        self.position.unpack(self.board, &set[..self.words], self.tree.nodes[parent as usize].step.player);
        self.unused.clear();
        self.unused.extend_from_slice(&set[self.words..]);
        let BoxMove { from, to, player } = via.step;
        if via.removes {
            self.position.remove(self.board, from);
            self.position.player = player;
            self.unused[usize::from(to) / 64] &= !(1 << (to % 64));
        } else {
            self.position.shift(self.board, from, to, player);
        }
    }

    /// The features of the current position, which is surveyed.
    fn features_now(&mut self) -> Features {
        let regions = self.survey.regions() as u32;
        let rooms = self.context.rooms.lost(self.board, &self.position.taken, &mut self.rooms);
        Features { regions, rooms, spread: self.spread_now(), ..Features::default() }
    }

    /// Whether the start position is reached.
    fn is_complete(&self) -> bool {
        self.position.boxes.iter().all(|&square| self.is_unused(square))
            && (self.position.boxes.is_empty()
                || self.survey.joined(self.position.player, self.board.player())
                || self.position.player == self.board.player())
    }

    /// Expands the current position, which is surveyed.
    fn expand(&mut self, origin: Origin, poller: &mut HaltPoller<'_>) {
        self.figures.expanded += 1;
        if origin.parent != NONE && !origin.via.removes {
            self.visits.count(origin.via.step.to);
        }
        self.meet(&origin);
        let sinks = if self.perimeter.is_none() {
            sinks::sinks(self.board, &self.position, &self.survey, squares(&self.unused))
        } else {
            Vec::new()
        };
        let features = self.features_now();
        if !self.generate(&sinks, &features, poller) {
            return;
        }
        let advised = self.advise(&sinks, &features);
        let (position, unused, words) = (&self.position, &self.unused, self.words);
        let pack = |out: &mut Vec<u64>| {
            position.pack(words, out);
            out.extend_from_slice(unused);
        };
        let below = score::bits_below_cell(self.options);
        let node = self.tree.add(origin, pack, &self.children, Some(&advised), |score| score >> below);
        if self.complete == NONE && self.is_complete() {
            self.complete = node;
        }
    }

    /// Inserts the position into the perimeter. If the forward side has reached it, its path and the path back to the
    /// solved board make a solution.
    fn meet(&mut self, origin: &Origin) {
        let Some(perimeter) = self.perimeter else { return };
        let key = origin.key ^ self.unused_key();
        let step = origin.via.step;
        if origin.parent == NONE {
            perimeter.insert(key, Reached { parent: 0, step, side: Side::Backward });
            return;
        }
        let parent = &self.tree.nodes[origin.parent as usize];
        let parent_key = parent.key ^ self.unused_key();
        if perimeter.meets(key, Side::Backward) {
            let mut moves = perimeter.moves_from_start(key);
            moves.push(BoxMove { from: step.to, to: step.from, player: parent.step.player });
            moves.extend(perimeter.moves_to_solved(parent_key));
            self.solution = solution::pushes(self.board, &moves);
        } else {
            perimeter.insert(key, Reached { parent: parent_key, step, side: Side::Backward });
        }
    }
}

/// The key of an unused start square.
fn start_key(board: &FeatureBoard, square: Square) -> u64 {
    board.box_key(square).rotate_left(21)
}
