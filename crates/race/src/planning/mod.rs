//! The backward search that makes a plan.
//!
//! All goals are filled; boxes are pulled. Start squares that are still to be used and can be reached
//! from each other form a sink: a box pulled there from afar vanishes, with the square, for any of them
//! could have come from there. Vanishing is forced where it is possible, so the search is almost a line.
//! Read backwards, the order in which goals were cleared is the order in which to fill them, and boxes
//! that were only pulled aside are parkings.
//!
//! Moves are found in [`pulls`] and named by [`advice`]; what makes a picture good is in [`score`], what makes it
//! impossible in [`dead`].

mod advice;
mod dead;
mod pulls;
mod score;

use crate::answer::Leg;
use crate::forward::homeward;
use crate::macros::{Macro, Macros};
use crate::observe::{Nearest, VisitCounts};
use crate::pairing::Pairing;
use crate::perimeter::{Perimeter, Reached, Side};
use crate::plan::{Plan, Source, Step};
use crate::rooms::{Reach, Rooms, Scratch};
use crate::stops::Stops;
use crate::strategy::{Halt, HaltPoller};
use crate::tree::{Move, NONE, Origin, Score, Tree};
use crate::{Scene, answer, sinks, value};
use lurd_rules::bipartite::BipartiteMatching;
use lurd_rules::bits::squares;
use lurd_rules::feature::articulation::Articulation;
use lurd_rules::feature::board::{FAR, FeatureBoard};
use lurd_rules::feature::position::Position;
use lurd_rules::{Figures, Push, Square};

/// How plans may differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PlanOptions {
    /// Steps between a goal and a start square for a box to vanish there.
    pub(super) far: u16,
    /// Whether boxes vanish at all.
    pub(super) vanish: bool,
    /// Whether later boxes are tried before earlier ones.
    pub(super) turned: bool,
    /// What makes a picture good.
    pub(super) wanted: PlanGoal,
}

/// What makes a picture good.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PlanGoal {
    /// Goals are cleared.
    Cleared,
    /// Boxes can be pulled; with `loops` the free floor has loops, and `paired` boxes are far from goals of their own.
    Open { loops: bool, paired: bool },
    /// Its value is high.
    Valued,
}

impl Default for PlanOptions {
    fn default() -> Self {
        Self { far: 6, vanish: true, turned: false, wanted: PlanGoal::Cleared }
    }
}

/// How a search for a plan ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Planned {
    /// More to search.
    Open,
    /// The start position is reached, up to boxes that vanished.
    Complete,
    /// Nothing left to try; the best plan so far is partial.
    Partial,
}

/// A child while it is being judged.
#[derive(Clone, Copy, Debug)]
struct PullChild {
    step: Macro,
    removes: bool,
    regions: u16,
    rooms: u32,
    spread: u32,
    score: Score,
    state: u32,
}

/// The backward search for a plan.
#[derive(Debug)]
pub(super) struct Planning<'g> {
    board: &'g FeatureBoard,
    rooms: &'g Rooms,
    stops: &'g Stops,
    manner: PlanOptions,
    tree: Tree,
    words: usize,
    position: Position,
    unused: Vec<u64>,
    survey: Articulation,
    trial: Articulation,
    macros: Macros,
    scratch: Scratch,
    reach: Reach,
    matching: BipartiteMatching,
    pairing: Pairing,
    /// How far each square is from all goals together, once somebody asked: on a large board that takes a while.
    spread: Vec<Option<u32>>,
    /// Most pushes from a square to its nearest goal.
    farthest: u32,
    children: Vec<PullChild>,
    figures: Figures,
    tracks: VisitCounts,
    complete: u32,
    /// Where positions are filed for the forward side, if boxes stay on the board.
    perimeter: Option<&'g Perimeter>,
    planted: bool,
    answer: Option<Vec<Push>>,
}

impl<'g> Planning<'g> {
    /// A search for a plan.
    pub(super) fn new(scene: &'g Scene, manner: PlanOptions) -> Self {
        Self::with(scene, manner, None)
    }

    /// A search whose positions the forward side may meet; no box may vanish in it.
    pub(super) fn meeting(scene: &'g Scene, manner: PlanOptions, perimeter: &'g Perimeter) -> Self {
        Self::with(scene, PlanOptions { vanish: false, ..manner }, Some(perimeter))
    }

    fn with(scene: &'g Scene, manner: PlanOptions, perimeter: Option<&'g Perimeter>) -> Self {
        let Scene { board, rooms, stops, .. } = scene;
        let words = Position::words(board);
        Self {
            board,
            rooms,
            stops,
            manner,
            tree: match manner.wanted {
                PlanGoal::Valued => Tree::by_value(2 * words, board.goals().len() + 1),
                _ => Tree::new(2 * words),
            },
            words,
            position: Position::new(board),
            unused: Vec::new(),
            survey: Articulation::new(board),
            trial: Articulation::new(board),
            macros: Macros::new(board),
            scratch: Scratch::new(board),
            reach: Reach::default(),
            matching: BipartiteMatching::default(),
            pairing: Pairing::new(board.goals().len()),
            spread: vec![None; board.len()],
            farthest: value::farthest(board),
            children: Vec::new(),
            figures: Figures::default(),
            tracks: VisitCounts::new(board.len()),
            complete: NONE,
            perimeter,
            planted: false,
            answer: None,
        }
    }

    /// The pushes of a solution, if the forward side was met.
    pub(super) fn answer(&mut self) -> Option<Vec<Push>> {
        self.answer.take()
    }

    /// The boxes of the best position.
    pub(super) fn best_picture(&self) -> Option<Vec<Square>> {
        let best = self.tree.best();
        (best != NONE).then(|| squares(&self.tree.set(best)[..self.words]).collect())
    }

    /// The best position, for one who watches.
    pub(super) fn nearest(&self) -> Option<Nearest> {
        let boxes = self.best_picture()?;
        let player = self.tree.nodes[self.tree.best() as usize].player;
        let pushes_to = |square: Square| {
            let starts = self.board.starts().iter();
            starts
                .map(|&start| self.board.pushes_from(start)[usize::from(square)])
                .min()
                .filter(|&pushes| pushes != FAR)
        };
        let to_go = boxes.iter().filter_map(|&square| pushes_to(square)).map(u32::from).sum();
        Some(Nearest { boxes, player, backwards: true, to_go })
    }

    /// Where it has pulled boxes.
    pub(super) fn tracks(&self) -> &VisitCounts {
        &self.tracks
    }

    /// Files a position for the forward side, or follows that side's chain back to the start.
    fn meet(&mut self, origin: &Origin) {
        let Some(perimeter) = self.perimeter else { return };
        let key = origin.key ^ self.unused_key();
        let Move { from, to, player, .. } = origin.step;
        if origin.parent == NONE {
            perimeter.file(key, Reached { parent: 0, from, to, player, side: Side::Backward });
            return;
        }
        let parent = &self.tree.nodes[origin.parent as usize];
        let parent_key = parent.key ^ self.unused_key();
        if perimeter.met(key, Side::Backward) {
            let mut chain = perimeter.chain(key);
            chain.reverse();
            let mut legs: Vec<Leg> = chain
                .iter()
                .skip(1)
                .map(|reached| Leg { from: reached.from, to: reached.to, player: reached.player })
                .collect();
            legs.push(Leg { from: to, to: from, player: parent.player });
            legs.extend(homeward(perimeter, parent_key));
            self.answer = answer::pushes(self.board, &legs);
        } else {
            perimeter.file(key, Reached { parent: parent_key, from, to, player, side: Side::Backward });
        }
    }

    pub(super) fn figures(&self) -> Figures {
        self.figures
    }

    pub(super) fn bytes(&self) -> usize {
        self.tree.bytes()
    }

    /// What the search has cost, in positions generated: expanding one costs about as much as generating ten.
    pub(super) fn effort(&self) -> u64 {
        self.figures.generated + 10 * self.figures.expanded
    }

    /// One root for each zone of the solved picture.
    fn plant(&mut self, ear: &mut HaltPoller<'_>) {
        self.planted = true;
        let board = self.board;
        let solved = Position::with(board, board.goals(), board.player());
        let lift = board.survey(&solved.taken);
        let mut unused = Vec::new();
        Position::with(board, board.starts(), board.player()).pack(self.words, &mut unused);
        let mut begun = vec![false; lift.regions()];
        for square in 0..board.len() as Square {
            if !lift.is_free(square) || std::mem::replace(&mut begun[lift.region(square)], true) {
                continue;
            }
            self.position.set(board, board.goals().iter().copied(), square);
            self.unused.clone_from(&unused);
            self.survey.survey(board, &self.position.taken);
            let key = FeatureBoard::key(self.position.boxes_key, self.survey.zone_of(square)) ^ self.unused_key();
            let rooms = self.rooms.lost(board, &self.position.taken, &mut self.reach, &mut self.scratch);
            let spread = self.spread_now();
            let score = self.score(self.survey.regions() as u16, rooms, spread);
            let state = self.tree.file(key, score);
            let step = Move { from: square, to: square, player: square, removes: false, weight: 0, state };
            self.expand(Origin { parent: NONE, step, key }, ear);
        }
    }

    fn unused_key(&self) -> u64 {
        squares(&self.unused).fold(0, |key, square| key ^ start_key(self.board, square))
    }

    fn is_unused(&self, square: Square) -> bool {
        self.unused[usize::from(square) / 64] >> (square % 64) & 1 != 0
    }

    /// Searches for about as long as it takes to generate `work` positions.
    pub(super) fn run(&mut self, work: u64, halt: &Halt) -> Planned {
        let end = self.effort() + work;
        let mut ear = HaltPoller::new(halt, self.effort());
        if !self.planted {
            self.plant(&mut ear);
        }
        while self.effort() < end {
            if self.complete != NONE || self.answer.is_some() {
                return Planned::Complete;
            }
            if ear.hears(self.effort()) {
                return Planned::Open;
            }
            let Some((parent, step)) = self.tree.select() else { return Planned::Partial };
            self.figures.generated += 1;
            self.lay_out(parent, &step);
            if self.is_dead() {
                self.tree.kill(step.state, parent);
                continue;
            }
            self.survey.survey(self.board, &self.position.taken);
            let zone = self.survey.zone_of(self.position.player);
            let key = FeatureBoard::key(self.position.boxes_key, zone) ^ self.unused_key();
            self.expand(Origin { parent, step, key }, &mut ear);
        }
        Planned::Open
    }

    /// The position after a move of a node.
    fn lay_out(&mut self, parent: u32, step: &Move) {
        let set = self.tree.set(parent);
        self.position.unpack(self.board, &set[..self.words], self.tree.nodes[parent as usize].player);
        self.unused.clear();
        self.unused.extend_from_slice(&set[self.words..]);
        if step.removes {
            self.position.remove(self.board, step.from);
            self.position.player = step.player;
            self.unused[usize::from(step.to) / 64] &= !(1 << (step.to % 64));
        } else {
            self.position.shift(self.board, step.from, step.to, step.player);
        }
    }

    fn is_complete(&self) -> bool {
        self.position.boxes.iter().all(|&square| self.is_unused(square))
            && (self.position.boxes.is_empty()
                || self.survey.joined(self.position.player, self.board.player())
                || self.position.player == self.board.player())
    }

    fn expand(&mut self, origin: Origin, ear: &mut HaltPoller<'_>) {
        self.figures.expanded += 1;
        if origin.parent != NONE && !origin.step.removes {
            self.tracks.count(origin.step.to);
        }
        self.meet(&origin);
        let board = self.board;
        let sinks = if self.manner.vanish {
            sinks::sinks(board, &self.position, &self.survey, squares(&self.unused))
        } else {
            Vec::new()
        };
        if !self.generate(&sinks, ear) {
            return;
        }
        let mut moves: Vec<Move> = Vec::with_capacity(self.children.len());
        let rooms = self.rooms.lost(board, &self.position.taken, &mut self.reach, &mut self.scratch);
        let regions = self.survey.regions() as u16;
        let advised = self.advise(&sinks, regions, rooms);
        let few = self.children.len() <= 2;
        for (number, child) in self.children.iter().enumerate() {
            let weight = u8::from(!(advised.contains(&number) || few && number == 0));
            moves.push(Move {
                from: child.step.from,
                to: child.step.to,
                player: child.step.player,
                removes: child.removes,
                weight,
                state: child.state,
            });
        }
        let (position, unused, words) = (&self.position, &self.unused, self.words);
        let pack = |out: &mut Vec<u64>| {
            position.pack(words, out);
            out.extend_from_slice(unused);
        };
        let below = score::below_cell(self.manner);
        let node = self.tree.add(origin, pack, &mut moves, |score| score >> below);
        if self.complete == NONE && self.is_complete() {
            self.complete = node;
        }
    }

    /// The plan read off the complete node, or the best one.
    pub(super) fn plan(&self) -> Option<Plan> {
        let end = if self.complete == NONE { self.tree.best() } else { self.complete };
        if end == NONE {
            return None;
        }
        let initial = squares(&self.tree.set(end)[..self.words]);
        let mut steps: Vec<Step> =
            initial.map(|square| Step { source: Source::Initial, target: square, until: usize::MAX }).collect();
        let mut node = end;
        while self.tree.nodes[node as usize].parent != NONE {
            let made = &self.tree.nodes[node as usize];
            let source = if made.removed { Source::Pool } else { Source::Parked(made.to) };
            steps.push(Step { source, target: made.from, until: usize::MAX });
            node = made.parent;
        }
        Some(Plan::new(self.board, steps))
    }
}

/// The key of an unused start square.
fn start_key(board: &FeatureBoard, square: Square) -> u64 {
    board.box_key(square).rotate_left(21)
}
