//! The forward feature-space search (FESS: Shoham and Schaeffer 2020): pushes from the start, along a plan or to a
//! target configuration.
//!
//! A position's features, most important first: how far it agrees with the plan, how many regions the boxes cut the
//! floor into, links between rooms lost, boxes out of plan, hotspots, and the distance of the boxes from goals.
//! Advisors each suggest one move; other moves cost weight. Expensive deadlock tests are made only when a move is about
//! to be expanded.

use crate::advisors::{self, PlanAdvisors};
use crate::context::Context;
use crate::features::{Child, Features, Score, fewer};
use crate::macros::{BoxMove, Macro, Macros, PUSH, place_of, try_move};
use crate::observe::{Nearest, VisitCounts};
use crate::perimeter::{Perimeter, Reached};
use crate::plan::Plan;
use crate::push_rules::{PushRules, blocks};
use crate::rooms::RoomScratch;
use crate::solution;
use crate::strategy::{Halt, HaltPoller, SliceEnd};
use crate::target::{TargetAssignment, TargetConfiguration};
use crate::tree::{Move, NONE, Origin, Tree};
use crate::value::{self, ValueFeatures};
use lurd_rules::bits::squares;
use lurd_rules::cuts::Rule;
use lurd_rules::dense::board::Side;
use lurd_rules::feature::articulation::Articulation;
use lurd_rules::feature::board::{BOX, FeatureBoard};
use lurd_rules::feature::pi_corral::PiCorral;
use lurd_rules::feature::position::Position;
use lurd_rules::{Bits, Figures, Square};
use std::sync::Arc;

/// How forward searches may differ.
#[derive(Clone, Copy, Debug)]
pub(super) struct ForwardOptions {
    /// Moves that no advisor suggests cost weight; otherwise the best score always goes first.
    pub(super) weighted: bool,
    /// Boxes far from goals are preferred to boxes near them.
    pub(super) far_from_goals: bool,
    /// Fewer regions count more than packed boxes.
    pub(super) regions_first: bool,
    /// Positions are selected by value, not by cells.
    pub(super) by_value: bool,
}

impl ForwardOptions {
    /// The shifts of the packed and the regions field of a score.
    fn first_fields(self) -> (u32, u32) {
        if self.regions_first { (42, 54) } else { (52, 42) }
    }
}

#[derive(Clone, Debug)]
pub(super) enum Guide {
    /// Fill the targets of a plan in order.
    Plan(Arc<Plan>),
    /// Bring all boxes to a configuration from which the solution is known.
    Target(TargetConfiguration),
}

impl Guide {
    /// Whether a box is wanted on a square at some time.
    fn is_target(&self, square: Square) -> bool {
        match self {
            Self::Plan(plan) => plan.is_target(square),
            Self::Target(target) => target.contains(square),
        }
    }
}

pub(super) struct Forward<'g> {
    context: &'g Context,
    guide: Guide,
    perimeter: &'g Perimeter,
    options: ForwardOptions,
    tree: Tree,
    words: usize,
    position: Position,
    /// The boxes of the position as a set.
    boxes: Bits,
    rules: PushRules<'g>,
    survey: Articulation,
    trial: Articulation,
    macros: Macros,
    rooms: RoomScratch,
    assignment: TargetAssignment,
    children: Vec<Child>,
    steps: Vec<Macro>,
    pub(super) figures: Figures,
    pub(super) visits: VisitCounts,
    started: bool,
    /// The moves of a solution; during an expansion those from the expanded position on.
    solution: Option<Vec<BoxMove>>,
    /// The most pushes from a square to its nearest goal.
    farthest: u32,
}

impl<'g> Forward<'g> {
    pub(super) fn new(context: &'g Context, guide: Guide, perimeter: &'g Perimeter, options: ForwardOptions) -> Self {
        let board = &context.board;
        let words = Position::words(board);
        Self {
            context,
            guide,
            perimeter,
            options,
            tree: if options.by_value { Tree::by_value(words, board.starts().len() + 1) } else { Tree::new(words) },
            words,
            position: Position::with(board, board.starts(), board.player()),
            boxes: Bits::empty(board.len()),
            rules: PushRules::new(context),
            survey: Articulation::new(board),
            trial: Articulation::new(board),
            macros: Macros::new(board),
            rooms: RoomScratch::new(board),
            assignment: TargetAssignment::default(),
            children: Vec::new(),
            steps: Vec::new(),
            figures: Figures::default(),
            visits: VisitCounts::new(board.len()),
            started: false,
            solution: None,
            farthest: value::farthest(board),
        }
    }

    pub(super) fn bytes(&self) -> usize {
        self.tree.bytes() + self.rules.bytes()
    }

    pub(super) fn best_score(&self) -> Score {
        self.tree.nodes.get(self.tree.best as usize).map_or(0, |node| node.best)
    }

    /// The position with the best score.
    pub(super) fn nearest(&self) -> Option<Nearest> {
        let best = self.tree.nodes.get(self.tree.best as usize)?;
        let boxes: Vec<Square> = squares(self.tree.set(self.tree.best)).collect();
        Some(Nearest::forwards(&self.context.board, boxes, best.step.player))
    }

    /// What the search has cost, in positions generated.
    pub(super) fn effort(&self) -> u64 {
        self.rules.effort(&self.figures)
    }

    /// Searches for about as long as it takes to generate `work` positions.
    pub(super) fn run(&mut self, work: u64, halt: &Halt) -> SliceEnd {
        self.rules.refresh();
        let end = self.effort() + work;
        let mut poller = HaltPoller::new(halt, self.effort());
        if !self.started {
            self.start(&mut poller);
        }
        let board = &self.context.board;
        while self.effort() < end {
            if let Some(moves) = self.solution.take()
                && let Some(pushes) = solution::pushes(board, &moves)
            {
                return SliceEnd::Solved(pushes);
            }
            if poller.poll(self.effort()) {
                return SliceEnd::Open;
            }
            let Some((parent, via)) = self.tree.select() else { return SliceEnd::Spent };
            if !poller.take() {
                return SliceEnd::Open;
            }
            self.figures.generated += 1;
            let BoxMove { from, to, player } = via.step;
            self.position.unpack(board, self.tree.set(parent), self.tree.nodes[parent as usize].step.player);
            self.position.shift(board, from, to, player);
            self.survey.survey(board, &self.position.taken);
            let key = FeatureBoard::key(self.position.boxes_key, self.survey.zone_of(player));
            self.expand(Origin { parent, via, key }, &mut poller);
        }
        SliceEnd::Open
    }

    /// Expands the start position.
    fn start(&mut self, poller: &mut HaltPoller<'_>) {
        self.started = true;
        let board = &self.context.board;
        if board.starts().iter().all(|&square| board.is_goal(square)) {
            self.solution = Some(Vec::new());
            return;
        }
        self.survey.survey(board, &self.position.taken);
        let key = FeatureBoard::key(self.position.boxes_key, self.survey.zone_of(self.position.player));
        let features = self.features_now();
        let state = self.tree.insert(key, self.score(&features));
        let via = Move::root(BoxMove::none(self.position.player), state);
        self.expand(Origin { parent: NONE, via, key }, poller);
    }

    /// The position's features, from scratch.
    fn features_now(&mut self) -> Features {
        let board = &self.context.board;
        self.position.pack_into(&mut self.boxes);
        let regions = self.survey.regions() as u32;
        let rooms = self.context.rooms.lost(board, &self.position.taken, &mut self.rooms);
        if let Guide::Target(target) = &self.guide {
            self.assignment.assign(board, &self.position, target);
        }
        self.features(regions, rooms)
    }

    /// The position's features, given those of the free squares.
    fn features(&mut self, regions: u32, rooms: u32) -> Features {
        let board = &self.context.board;
        let position = &self.position;
        let (packed, out_of_plan, hotspots, spread) = match &self.guide {
            Guide::Plan(plan) => {
                let packed = plan.packed(position);
                let is_out = plan.out_of_plan(packed);
                let out_of_plan = position.boxes.iter().filter(|&&square| is_out[usize::from(square)]).count();
                let hotspots = self.context.hotspots.count(&position.boxes, self.boxes.words());
                let spread = position.boxes.iter().map(|&square| u32::from(board.to_goal(square))).sum();
                (packed, out_of_plan, hotspots, spread)
            }
            Guide::Target(target) => {
                let spread = self.assignment.distance(board, position, target);
                (target.matched(position), 0, target.crowded(board, position) as u32, spread)
            }
        };
        Features { packed: packed as u32, regions, rooms, out_of_plan: out_of_plan as u32, hotspots, spread }
    }

    fn score(&self, features: &Features) -> Score {
        if self.options.by_value {
            return self.value(features);
        }
        let spread = if self.options.far_from_goals {
            u64::from(features.spread).min((1 << 14) - 1)
        } else {
            fewer(features.spread, 14)
        };
        let (packed, regions) = self.options.first_fields();
        u64::from(features.packed) << packed
            | fewer(features.regions, 10) << regions
            | fewer(features.rooms, 10) << 32
            | fewer(features.out_of_plan, 9) << 23
            | fewer(features.hotspots, 9) << 14
            | spread
    }

    fn features_of(&self, score: Score) -> Features {
        let field = |shift: u32, bits: u32| (score >> shift & ((1 << bits) - 1)) as u32;
        let inverse = |shift: u32, bits: u32| (1u32 << bits) - 1 - field(shift, bits);
        let (packed, regions) = self.options.first_fields();
        Features {
            packed: field(packed, 12),
            regions: inverse(regions, 10),
            rooms: inverse(32, 10),
            out_of_plan: inverse(23, 9),
            hotspots: inverse(14, 9),
            spread: if self.options.far_from_goals { field(0, 14) } else { inverse(0, 14) },
        }
    }

    fn value(&self, features: &Features) -> Score {
        let board = &self.context.board;
        let position = &self.position;
        let (steps, overlap) = match &self.guide {
            Guide::Plan(plan) => (plan.len(), plan.overlap(position)),
            Guide::Target(target) => (position.boxes.len(), target.matched(position)),
        };
        let boxes = position.boxes.len() as u32;
        let features = ValueFeatures {
            boxes,
            on_goals: position.boxes.iter().filter(|&&square| board.is_goal(square)).count() as u32,
            regions: features.regions,
            distance: position.boxes.iter().map(|&square| u32::from(board.to_goal(square))).sum(),
            farthest: boxes * self.farthest,
            packed: features.packed,
            steps: steps as u32,
            overlap: overlap as u32,
        };
        value::score(&value::PUSH_WEIGHTS, &features, false)
    }

    /// Expands the current position, which is surveyed, unless it is dead. At a halt the children are incomplete, and
    /// the node is left out: nothing of it is needed any more.
    fn expand(&mut self, origin: Origin, poller: &mut HaltPoller<'_>) {
        self.figures.expanded += 1;
        if origin.parent != NONE {
            self.visits.count(origin.via.step.to);
        }
        match self.generate(poller) {
            Ok(Some(features)) => self.add_node(origin, features),
            Ok(None) => {}
            Err(rule) => {
                self.figures.cuts.count(rule);
                self.tree.mark_dead(origin.via.state, origin.parent);
            }
        }
    }

    /// Fills `children` with the moves of the current position and returns its features; none at a halt. `Err` with the
    /// rule by which it is dead.
    fn generate(&mut self, poller: &mut HaltPoller<'_>) -> Result<Option<Features>, Rule> {
        let board = &self.context.board;
        self.position.pack_into(&mut self.boxes);
        let frozen = self.rules.freeze(&mut self.position, &self.boxes)?;
        let boxes = match self.rules.corral(&self.position, &self.survey, &frozen, &self.figures)? {
            PiCorral::Only(boxes) => boxes,
            _ => self.position.boxes.clone(),
        };
        let here = self.features_now();
        self.children.clear();
        let player = self.position.player;
        for &from in &boxes {
            if poller.poll(self.effort()) {
                return Ok(None);
            }
            let sides = board.neighbours(from);
            let some_push = (0..4).any(|direction| {
                let to = usize::from(sides[direction]);
                self.position.taken[to] == 0 && !frozen.closed[to] && self.survey.joined(sides[direction ^ 1], player)
            });
            if self.position.taken[usize::from(from)] != BOX || !some_push {
                continue;
            }
            let mut steps = std::mem::take(&mut self.steps);
            steps.clear();
            let may_enter = |taken: &[u8], to: Square| !frozen.closed[usize::from(to)] && !blocks(board, taken, to);
            self.macros.find::<PUSH>(board, &mut self.position, from, may_enter, &mut steps);
            let granted = steps.iter().take_while(|_| poller.take());
            granted.for_each(|step| self.add_child(step, &here));
            self.steps = steps;
        }
        Ok(Some(here))
    }

    /// Adds the expanded position to the tree and to the perimeter.
    fn add_node(&mut self, origin: Origin, features: Features) {
        let board = &self.context.board;
        let advised = self.options.weighted.then(|| match &self.guide {
            Guide::Plan(plan) => {
                let (position, survey) = (&self.position, &self.survey);
                PlanAdvisors { board, plan, position, survey, features }.advise(&self.children, &mut self.trial)
            }
            Guide::Target(_) => {
                let is_new = |child: &Child| self.tree.state(child.state).node == NONE;
                let own = self.tree.state(origin.via.state).score;
                advisors::best(&self.children, |child| child.score > own && is_new(child)).into_iter().collect()
            }
        });
        let parent = if origin.parent == NONE { 0 } else { self.tree.nodes[origin.parent as usize].key };
        self.perimeter.insert(origin.key, Reached { parent, step: origin.via.step, side: Side::Forward });
        let (position, words) = (&self.position, self.words);
        let pack = |out: &mut Vec<u64>| position.pack(words, out);
        let node = self.tree.add(origin, pack, &self.children, advised.as_deref(), cell);
        if let Some(rest) = self.solution.take() {
            let path = self.tree.path_to_root(node).filter(|node| node.parent != NONE);
            let mut moves: Vec<BoxMove> = path.map(|node| node.step).collect();
            moves.reverse();
            moves.extend(rest);
            self.solution = Some(moves);
        }
    }

    /// Adds a move of the current position to the children, unless it is cut.
    fn add_child(&mut self, step: &Macro, here: &Features) {
        self.figures.generated += 1;
        let context = self.context;
        let wasted = || context.stops.wasted_push(&context.board, &self.position.taken, step);
        if !self.guide.is_target(step.to) && wasted() {
            self.figures.cuts.count(Rule::WastedStop);
            return;
        }
        let place = place_of(&self.position, step.from);
        try_move(&mut self.position, place, step.from, step.to);
        self.boxes.shift(step.from, step.to);
        match self.rules.dead_after_push(&mut self.position, &self.boxes, step.to, step.player) {
            Some(rule) => self.figures.cuts.count(rule),
            None => self.score_child(step, here),
        }
        self.boxes.shift(step.to, step.from);
        try_move(&mut self.position, place, step.to, step.from);
    }

    /// Scores the child whose move is made on trial, if it is new, and tests it for a solution.
    fn score_child(&mut self, step: &Macro, here: &Features) {
        let context = self.context;
        let board = &context.board;
        let boxes_key = self.position.boxes_key ^ board.box_key(step.from) ^ board.box_key(step.to);
        let key = FeatureBoard::key(boxes_key, step.zone);
        if self.perimeter.meets(key, Side::Forward) && self.solution.is_none() {
            let mut moves = vec![step.box_move()];
            moves.extend(self.perimeter.moves_to_solved(key));
            self.solution = Some(moves);
        } else if self.position.boxes.iter().all(|&square| board.is_goal(square)) {
            self.solution = Some(vec![step.box_move()]);
        }
        let child = |features, score, state| Child { step: *step, removes: false, features, score, state };
        if let Some(state) = self.tree.find(key) {
            self.figures.duplicates += 1;
            // Selection by value needs a tree: a known position belongs to the node that found it.
            if !self.options.by_value {
                let score = self.tree.state(state).score;
                self.children.push(child(self.features_of(score), score, state));
            }
            return;
        }
        let ends = (step.from, step.to);
        let rooms = context.rooms.lost_after(board, &mut self.position.taken, ends, here.rooms, &mut self.rooms);
        let features = self.features(u32::from(step.regions), rooms);
        let score = self.score(&features);
        let state = self.tree.insert(key, score);
        self.children.push(child(features, score, state));
    }
}

/// The cell of a score: packed, regions, out of plan.
fn cell(score: Score) -> u64 {
    score >> 42 << 9 | score >> 23 & 0x1FF
}
