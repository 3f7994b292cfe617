//! The forward search: from the start, by pushes, along a plan.
//!
//! A position's features, most important first: how far it agrees with the plan, how many regions
//! the boxes cut the floor into, links between rooms lost, boxes on doomed squares, boxes in each other's
//! way, and how far the boxes are spread. Advisors each name one move that serves an aim; moves nobody
//! names cost weight. The dear tests for dead positions are made only when a move is about to be
//! expanded.

use crate::advisors::Here;
use crate::answer::Leg;
use crate::macros::{Macro, Macros};
use crate::observe::{Nearest, VisitCounts};
use crate::perimeter::{Perimeter, Reached, Side};
use crate::plan::{Plan, boxes_of};
use crate::rooms::{Reach, Scratch};
use crate::strategy::{Halt, HaltPoller, Turn};
use crate::target::{TargetConfiguration, TargetPlaces};
use crate::tree::{Move, NONE, Origin, Score, Tree};
use crate::value::Shares;
use crate::{Scene, advisors, answer, value};
use lurd_rules::bipartite::BipartiteMatching;
use lurd_rules::bits::squares;
use lurd_rules::cuts::Rule;
use lurd_rules::dense::dead_set_tables::DeadSetQuery;
use lurd_rules::feature::articulation::Articulation;
use lurd_rules::feature::board::{BOX, FeatureBoard};
use lurd_rules::feature::corral_search::CorralSearch;
use lurd_rules::feature::freeze;
use lurd_rules::feature::freeze::FrozenBoards;
use lurd_rules::feature::learned::LearnedSets;
use lurd_rules::feature::pi_corral::{PiCorral, PiCorrals};
use lurd_rules::feature::position::Position;
use lurd_rules::{Bits, Figures, Push, Square};
use std::sync::Arc;

/// How forward searches may differ.
#[derive(Clone, Copy, Debug)]
pub(super) struct ForwardOptions {
    /// Moves that no advisor names cost weight; otherwise the best score always goes first.
    pub(super) weighted: bool,
    /// Boxes far from goals are preferred to boxes near them.
    pub(super) spread_out: bool,
    /// Fewer regions count more than boxes in their places.
    pub(super) tidy: bool,
    /// Positions are chosen by their value, not by cells.
    pub(super) valued: bool,
}

impl ForwardOptions {
    /// Where a score keeps what is packed, and the regions.
    fn first_fields(self) -> (u32, u32) {
        if self.tidy { (42, 54) } else { (52, 42) }
    }
}

/// What the search is after.
#[derive(Clone, Debug)]
pub(super) enum Aim {
    /// Fill the places of a plan in order.
    Plan(Arc<Plan>),
    /// Bring all boxes into a picture from which the rest is known.
    TargetConfiguration(TargetConfiguration),
}

/// Features of a position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Features {
    /// Steps of the plan that are done, or boxes that stand in the picture.
    pub(super) packed: u32,
    pub(super) regions: u32,
    pub(super) rooms: u32,
    pub(super) doomed: u32,
    /// Boxes in another's way, or crowded ones that are out of the picture.
    pub(super) hotspots: u32,
    /// Pushes the boxes are away from goals, or from their places in the picture.
    pub(super) spread: u32,
}

/// A move while it is being judged.
#[derive(Clone, Copy, Debug)]
pub(super) struct ForwardChild {
    pub(super) step: Macro,
    pub(super) features: Features,
    pub(super) score: Score,
    pub(super) state: u32,
}

/// The forward search along one plan.
pub(super) struct Forward<'g> {
    scene: &'g Scene,
    aim: Aim,
    perimeter: &'g Perimeter,
    taste: ForwardOptions,
    tree: Tree,
    words: usize,
    position: Position,
    set: Bits,
    lookout: Option<DeadSetQuery>,
    survey: Articulation,
    macros: Macros,
    scratch: Scratch,
    reach: Reach,
    explored: Articulation,
    squares: Vec<Square>,
    places: TargetPlaces,
    matching: BipartiteMatching,
    pictures: FrozenBoards,
    pi_corrals: PiCorrals,
    corrals: CorralSearch,
    learned: LearnedSets,
    children: Vec<ForwardChild>,
    steps: Vec<Macro>,
    figures: Figures,
    tracks: VisitCounts,
    planted: bool,
    answer: Option<Vec<Leg>>,
    /// Most pushes from a square to its nearest goal.
    farthest: u32,
}

impl Aim {
    /// Whether a box is wanted on a square some time.
    fn names(&self, square: Square) -> bool {
        match self {
            Self::Plan(plan) => plan.names(square),
            Self::TargetConfiguration(pose) => pose.wants(square),
        }
    }
}

impl<'g> Forward<'g> {
    pub(super) fn new(scene: &'g Scene, aim: Aim, perimeter: &'g Perimeter, taste: ForwardOptions) -> Self {
        let board = &scene.board;
        let words = Position::words(board);
        Self {
            scene,
            aim,
            places: TargetPlaces::default(),
            perimeter,
            taste,
            tree: if taste.valued { Tree::by_value(words, board.starts().len() + 1) } else { Tree::new(words) },
            words,
            position: Position::with(board, board.starts(), board.player()),
            set: Bits::empty(board.len()),
            lookout: scene.dead_sets.as_ref().map(DeadSetQuery::new),
            survey: Articulation::new(board),
            macros: Macros::new(board),
            scratch: Scratch::new(board),
            reach: Reach::default(),
            explored: Articulation::new(board),
            squares: Vec::new(),
            matching: BipartiteMatching::default(),
            pictures: FrozenBoards::default(),
            pi_corrals: PiCorrals::new(board),
            corrals: CorralSearch::new(),
            learned: LearnedSets::new(board),
            children: Vec::new(),
            steps: Vec::new(),
            figures: Figures::default(),
            tracks: VisitCounts::new(board.len()),
            planted: false,
            answer: None,
            farthest: value::farthest(board),
        }
    }

    pub(super) fn figures(&self) -> Figures {
        self.figures
    }

    pub(super) fn bytes(&self) -> usize {
        self.tree.bytes() + self.pictures.bytes() + self.corrals.bytes()
    }

    /// Where it has pushed boxes.
    pub(super) fn tracks(&self) -> &VisitCounts {
        &self.tracks
    }

    /// The best score so far.
    pub(super) fn best_score(&self) -> Score {
        self.tree.nodes.get(self.tree.best() as usize).map_or(0, |node| node.best)
    }

    /// The position with the best score.
    pub(super) fn nearest(&self) -> Option<Nearest> {
        let board = &self.scene.board;
        let best = self.tree.nodes.get(self.tree.best() as usize)?;
        let boxes: Vec<Square> = squares(self.tree.set(self.tree.best())).collect();
        Some(Nearest::forwards(board, boxes, best.player))
    }

    fn plant(&mut self, ear: &mut HaltPoller<'_>) {
        self.planted = true;
        let board = &self.scene.board;
        if board.starts().iter().all(|&square| board.is_goal(square)) {
            self.answer = Some(Vec::new());
            return;
        }
        self.survey.survey(board, &self.position.taken);
        let key = FeatureBoard::key(self.position.boxes_key, self.survey.zone_of(self.position.player));
        let features = self.features_now();
        let state = self.tree.file(key, self.score(&features));
        let player = self.position.player;
        let step = Move { from: player, to: player, player, removes: false, weight: 0, state };
        self.expand(Origin { parent: NONE, step, key }, ear);
    }

    /// What the search has cost, in positions generated: expanding one costs about as much as generating ten, a step
    /// of a corral search as much as generating two.
    pub(super) fn effort(&self) -> u64 {
        let proofs = self.corrals.expanded() + self.learned.expanded();
        self.figures.generated + 10 * self.figures.expanded + 2 * proofs
    }

    /// Searches for about as long as it takes to generate `work` positions.
    pub(super) fn run(&mut self, work: u64, halt: &Halt) -> Turn {
        if let Some(lookout) = &mut self.lookout {
            lookout.refresh(0);
        }
        self.learned.refresh(&self.scene.learned);
        let end = self.effort() + work;
        let mut ear = HaltPoller::new(halt, self.effort());
        if !self.planted {
            self.plant(&mut ear);
        }
        while self.effort() < end {
            if let Some(legs) = self.answer.take()
                && let Some(pushes) = self.pushes(&legs)
            {
                return Turn::Solved(pushes);
            }
            if ear.hears(self.effort()) {
                return Turn::Open;
            }
            let Some((parent, step)) = self.tree.select() else { return Turn::Spent };
            self.figures.generated += 1;
            let board = &self.scene.board;
            self.position.unpack(board, self.tree.set(parent), self.tree.nodes[parent as usize].player);
            self.position.shift(board, step.from, step.to, step.player);
            self.survey.survey(board, &self.position.taken);
            let key = FeatureBoard::key(self.position.boxes_key, self.survey.zone_of(step.player));
            self.expand(Origin { parent, step, key }, &mut ear);
        }
        Turn::Open
    }

    fn pushes(&self, legs: &[Leg]) -> Option<Vec<Push>> {
        answer::pushes(&self.scene.board, legs)
    }

    /// The position's features, from scratch.
    fn features_now(&mut self) -> Features {
        let board = &self.scene.board;
        self.position.pack_into(&mut self.set);
        let regions = self.survey.regions() as u32;
        let rooms = self.scene.rooms.lost(board, &self.position.taken, &mut self.reach, &mut self.scratch);
        if let Aim::TargetConfiguration(pose) = &self.aim {
            self.places.assign(board, &self.position, pose);
        }
        self.features(regions, rooms)
    }

    /// The features of the position as it is laid out and packed.
    fn features(&mut self, regions: u32, rooms: u32) -> Features {
        let board = &self.scene.board;
        let position = &self.position;
        match &self.aim {
            Aim::Plan(plan) => {
                let packed = plan.packed(boxes_of(position));
                let doomed = plan.doomed(packed);
                Features {
                    packed: packed as u32,
                    regions,
                    rooms,
                    doomed: position.boxes.iter().filter(|&&square| doomed[usize::from(square)]).count() as u32,
                    hotspots: self.scene.hotspots.count(&position.boxes, self.set.words()),
                    spread: position.boxes.iter().map(|&square| u32::from(board.to_goal(square))).sum(),
                }
            }
            Aim::TargetConfiguration(pose) => Features {
                packed: pose.matched(position) as u32,
                regions,
                rooms,
                doomed: 0,
                hotspots: pose.crowded(board, position) as u32,
                spread: self.places.distance(board, position, pose),
            },
        }
    }

    fn score(&self, features: &Features) -> Score {
        if self.taste.valued {
            return self.value(features);
        }
        let inverse = |value: u32, bits: u32| (1u64 << bits) - 1 - u64::from(value).min((1 << bits) - 1);
        let spread = if self.taste.spread_out {
            u64::from(features.spread).min((1 << 14) - 1)
        } else {
            inverse(features.spread, 14)
        };
        let (packed, regions) = self.taste.first_fields();
        u64::from(features.packed) << packed
            | inverse(features.regions, 10) << regions
            | inverse(features.rooms, 10) << 32
            | inverse(features.doomed, 9) << 23
            | inverse(features.hotspots, 9) << 14
            | spread
    }

    /// The value of the position that is laid out.
    fn value(&self, features: &Features) -> Score {
        let board = &self.scene.board;
        let position = &self.position;
        let (steps, overlap) = match &self.aim {
            Aim::Plan(plan) => (plan.len(), plan.overlap(boxes_of(position))),
            Aim::TargetConfiguration(pose) => (position.boxes.len(), pose.matched(position)),
        };
        let boxes = position.boxes.len() as u32;
        let shares = Shares {
            boxes,
            on_goals: position.boxes.iter().filter(|&&square| board.is_goal(square)).count() as u32,
            regions: features.regions,
            distance: position.boxes.iter().map(|&square| u32::from(board.to_goal(square))).sum(),
            farthest: boxes * self.farthest,
            packed: features.packed,
            steps: steps as u32,
            overlap: overlap as u32,
        };
        value::score(&value::PUSH, &shares, false)
    }

    /// The features a score was made of.
    fn features_of(&self, score: Score) -> Features {
        let field = |shift: u32, bits: u32| (score >> shift & ((1 << bits) - 1)) as u32;
        let inverse = |shift: u32, bits: u32| (1u32 << bits) - 1 - field(shift, bits);
        let (packed, regions) = self.taste.first_fields();
        Features {
            packed: field(packed, 12),
            regions: inverse(regions, 10),
            rooms: inverse(32, 10),
            doomed: inverse(23, 9),
            hotspots: inverse(14, 9),
            spread: if self.taste.spread_out { field(0, 14) } else { inverse(0, 14) },
        }
    }

    /// Expands the position that is laid out and surveyed, unless it proves dead or a halt is heard: after that
    /// nobody asks for more.
    fn expand(&mut self, origin: Origin, ear: &mut HaltPoller<'_>) {
        self.figures.expanded += 1;
        if origin.parent != NONE {
            self.tracks.count(origin.step.to);
        }
        let scene = self.scene;
        let board = &scene.board;
        self.position.pack_into(&mut self.set);
        if self.learned.is_dead(&self.set, self.position.player) {
            self.figures.cuts.count(Rule::Learned);
            self.tree.kill(origin.step.state, origin.parent);
            return;
        }
        let Ok(frozen) = self.pictures.freeze(board, &mut self.position, &mut self.squares) else {
            self.figures.cuts.count(Rule::Freeze);
            self.tree.kill(origin.step.state, origin.parent);
            return;
        };
        let picture = self.pictures.of(board, &self.position, frozen);
        if !picture.fits(board, &self.position, &mut self.matching) {
            self.figures.cuts.count(Rule::Bipartite);
            self.tree.kill(origin.step.state, origin.parent);
            return;
        }
        let boxes = match self.pi_corrals.find(board, &self.position, &self.survey, &picture.closed) {
            PiCorral::None => self.position.boxes.clone(),
            PiCorral::Only(boxes) => boxes,
            PiCorral::Dead => {
                self.figures.cuts.count(Rule::Corral);
                self.tree.kill(origin.step.state, origin.parent);
                return;
            }
        };
        if let Some(corral) = self.corrals.find_dead(board, &self.position, &self.survey) {
            self.figures.cuts.count(Rule::Corral);
            self.tree.kill(origin.step.state, origin.parent);
            if corral.is_new && self.learned.has_time(self.effort()) {
                self.learned.learn(board, &scene.learned, &corral);
            }
            return;
        }
        let here = self.features_now();
        self.children.clear();
        let player = self.position.player;
        for &from in &boxes {
            if ear.hears(self.effort()) {
                return;
            }
            let sides = board.neighbours(from);
            let some_push = (0..4).any(|direction| {
                let to = usize::from(sides[direction]);
                self.position.taken[to] == 0 && !picture.closed[to] && self.survey.joined(sides[direction ^ 1], player)
            });
            if self.position.taken[usize::from(from)] != BOX || !some_push {
                continue;
            }
            let mut steps = std::mem::take(&mut self.steps);
            steps.clear();
            let may_enter = |taken: &[u8], to: Square| !picture.closed[usize::from(to)] && !blocks(board, taken, to);
            self.macros.pushes(board, &mut self.position, from, may_enter, &mut steps);
            for step in &steps {
                self.judge(step, &here);
            }
            self.steps = steps;
        }
        let advised = match &self.aim {
            Aim::Plan(plan) if self.taste.weighted => {
                let view = Here { board, plan, position: &self.position, survey: &self.survey, features: here };
                advisors::advise(&view, &self.children, &mut self.explored)
            }
            Aim::TargetConfiguration(_) if self.taste.weighted => {
                let is_new = |child: &ForwardChild| self.tree.state(child.state).node == NONE;
                let own = self.tree.state(origin.step.state).score;
                advisors::improve(&self.children, own, is_new).into_iter().collect()
            }
            _ => Vec::new(),
        };
        let few = self.children.len() <= 2;
        let mut moves: Vec<Move> = self
            .children
            .iter()
            .enumerate()
            .map(|(number, child)| {
                let free = !self.taste.weighted || advised.contains(&number) || (few && number == 0);
                let Macro { from, to, player, .. } = child.step;
                Move { from, to, player, removes: false, weight: u8::from(!free), state: child.state }
            })
            .collect();
        let parent_key = if origin.parent == NONE { 0 } else { self.tree.nodes[origin.parent as usize].key };
        let Move { from, to, player, .. } = origin.step;
        self.perimeter.file(origin.key, Reached { parent: parent_key, from, to, player, side: Side::Forward });
        let (position, words) = (&self.position, self.words);
        let node = self.tree.add(origin, |out| position.pack(words, out), &mut moves, cell);
        if let Some(last) = self.answer.take() {
            let mut legs: Vec<Leg> = self.tree.path(node)[1..].iter().map(|&number| leg(&self.tree, number)).collect();
            legs.extend(last);
            self.answer = Some(legs);
        }
    }

    /// Filters a move and scores the position it leads to if it is new.
    fn judge(&mut self, step: &Macro, here: &Features) {
        self.figures.generated += 1;
        let scene = self.scene;
        let board = &scene.board;
        if !self.aim.names(step.to) && scene.stops.wasted_push(board, &self.position.taken, step) {
            self.figures.cuts.count(Rule::WastedStop);
            return;
        }
        let what = std::mem::take(&mut self.position.taken[usize::from(step.from)]);
        self.position.taken[usize::from(step.to)] = BOX;
        let place = self.position.boxes.iter().position(|&square| square == step.from).unwrap_or(0);
        self.position.boxes[place] = step.to;
        self.set.shift(step.from, step.to);
        let dead_set = |lookout: &DeadSetQuery| lookout.is_dead(board.board(), &self.set, step.to, step.player);
        if freeze::freezes(board, &mut self.position.taken, &self.position.boxes, step.to, &mut self.squares) {
            self.figures.cuts.count(Rule::Freeze);
        } else if self.lookout.as_ref().is_some_and(dead_set) {
            self.figures.cuts.count(Rule::DeadSet);
        } else if self.learned.is_dead_at(&self.set, step.to, step.player) {
            self.figures.cuts.count(Rule::Learned);
        } else {
            self.file(step, here);
        }
        self.set.remove(step.to);
        self.set.insert(step.from);
        self.position.boxes[place] = step.from;
        self.position.taken[usize::from(step.to)] = 0;
        self.position.taken[usize::from(step.from)] = what;
    }

    /// Files the child; the moved box stands on its new square.
    fn file(&mut self, step: &Macro, here: &Features) {
        let scene = self.scene;
        let board = &scene.board;
        let boxes_key = self.position.boxes_key ^ board.box_key(step.from) ^ board.box_key(step.to);
        let key = FeatureBoard::key(boxes_key, step.zone);
        if self.perimeter.met(key, Side::Forward) && self.answer.is_none() {
            let mut legs = vec![Leg { from: step.from, to: step.to, player: step.player }];
            legs.extend(homeward(self.perimeter, key));
            self.answer = Some(legs);
        } else if self.position.boxes.iter().all(|&square| board.is_goal(square)) {
            self.answer = Some(vec![Leg { from: step.from, to: step.to, player: step.player }]);
        }
        if let Some(state) = self.tree.find(key) {
            self.figures.duplicates += 1;
            if self.taste.valued {
                // The tree must be a tree: a known position belongs to who found it.
                return;
            }
            let score = self.tree.state(state).score;
            self.children.push(ForwardChild { step: *step, features: self.features_of(score), score, state });
            return;
        }
        let rooms = self.rooms_after(step, here.rooms);
        let features = self.features(u32::from(step.regions), rooms);
        let score = self.score(&features);
        let state = self.tree.file(key, score);
        self.children.push(ForwardChild { step: *step, features, score, state });
    }

    /// Links lost with the box on its new square.
    fn rooms_after(&mut self, step: &Macro, before: u32) -> u32 {
        let scene = self.scene;
        if scene.rooms.is_empty() {
            return 0;
        }
        let taken = &mut self.position.taken;
        taken[usize::from(step.to)] = 0;
        let same = scene.rooms.is_harmless(&scene.board, taken, step.from)
            && scene.rooms.is_harmless(&scene.board, taken, step.to);
        taken[usize::from(step.to)] = BOX;
        if same {
            return before;
        }
        scene.rooms.lost_after(&scene.board, taken, (step.from, step.to), &self.reach, &mut self.scratch)
    }
}

/// The legs from a position of the backward side to the solved board.
pub(super) fn homeward(perimeter: &Perimeter, key: u64) -> Vec<Leg> {
    let chain = perimeter.chain(key);
    // A pull took a box from `from` to `to`; the push goes back, and the player ends where the earlier position has him.
    chain.windows(2).map(|pair| Leg { from: pair[0].to, to: pair[0].from, player: pair[1].player }).collect()
}

fn leg(tree: &Tree, number: u32) -> Leg {
    let node = &tree.nodes[number as usize];
    Leg { from: node.from, to: node.to, player: node.player }
}

/// The cell of a score: packed, regions, doomed.
fn cell(score: Score) -> u64 {
    score >> 42 << 9 | score >> 23 & 0x1FF
}

/// Whether a box put on this free square would stand in a block of four, or a corner, that never moves
/// again with a box off its goal in it.
pub(super) fn blocks(board: &FeatureBoard, taken: &[u8], to: Square) -> bool {
    let wall = board.len() as Square;
    let off_goal = |square: Square| taken[usize::from(square)] == BOX && !board.is_goal(square);
    for vertical in [2, 3] {
        let a = board.next(to, vertical);
        if taken[usize::from(a)] == 0 {
            continue;
        }
        for horizontal in [0, 1] {
            let b = board.next(to, horizontal);
            if taken[usize::from(b)] == 0 {
                continue;
            }
            let across = if a != wall {
                board.next(a, horizontal)
            } else if b != wall {
                board.next(b, vertical)
            } else {
                wall
            };
            if taken[usize::from(across)] != 0 && (!board.is_goal(to) || off_goal(a) || off_goal(b) || off_goal(across))
            {
                return true;
            }
        }
    }
    false
}
