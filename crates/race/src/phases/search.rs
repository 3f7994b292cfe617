//! Best-first search through the stages, one push at a time, with dives, after YASS (Damgaard).
//!
//! A child that is no worse than its parent and than anything in the open list is expanded at once, inside its parent's
//! expansion; so a box that can go straight home does. The open list is a bucket queue with a roving pop. In a
//! PI-corral only its pushes are made, and their scores are no worse than that of the position: opening a corral is
//! tried before it is dismissed.

use crate::bucket_queue::BucketQueue;
use crate::context::Context;
use crate::macros::{BoxMove, place_of, try_move};
use crate::observe::{Nearest, VisitCounts};
use crate::perimeter::{Perimeter, Reached};
use crate::phases::score::{PackingOrder, Progress};
use crate::push_rules::{PushRules, blocks};
use crate::solution;
use crate::strategy::{Halt, SliceEnd};
use crate::zone_fill::ZoneFill;
use lurd_rules::bits::squares;
use lurd_rules::cuts::Rule;
use lurd_rules::dense::board::Side;
use lurd_rules::feature::articulation::Articulation;
use lurd_rules::feature::board::{BOX, FeatureBoard};
use lurd_rules::feature::pi_corral::PiCorral;
use lurd_rules::feature::position::Position;
use lurd_rules::{Bits, ByKey, Figures, Square};

#[cfg(test)]
mod trace;

const NONE: u32 = u32::MAX;
/// One pop in so many is a roving one.
const ROVING_INTERVAL: u64 = 8;
/// Scores may fall a little below zero; keys may not.
const BELOW_ZERO: i32 = 128;

/// A position that was generated.
#[derive(Clone, Copy, Debug)]
struct StageNode {
    key: u64,
    parent: u32,
    score: i32,
    pushes: u32,
    progress: Progress,
    step: BoxMove,
    expanded: bool,
}

/// An unfinished expansion: pushes up to `at` are made, the others are still in `moves`.
#[derive(Clone, Copy, Debug)]
struct Frame {
    node: u32,
    begin: usize,
    at: usize,
    end: usize,
    /// Only the pushes of a corral are made.
    in_corral: bool,
}

pub(super) struct StageSearch<'g> {
    context: &'g Context,
    perimeter: &'g Perimeter,
    order: PackingOrder,
    words: usize,
    nodes: Vec<StageNode>,
    sets: Vec<u64>,
    by_key: ByKey<u32>,
    queue: BucketQueue,
    frames: Vec<Frame>,
    moves: Vec<(Square, u8)>,
    loaded: u32,
    position: Position,
    /// The boxes of the position as a set.
    boxes: Bits,
    rules: PushRules<'g>,
    survey: Articulation,
    zone: ZoneFill,
    pub(super) figures: Figures,
    pub(super) visits: VisitCounts,
    /// The expanded node with the best score.
    best: u32,
    solution: Option<Vec<BoxMove>>,
}

impl<'g> StageSearch<'g> {
    pub(super) fn new(context: &'g Context, perimeter: &'g Perimeter, order: PackingOrder) -> Self {
        let board = &context.board;
        let mut search = Self {
            context,
            perimeter,
            order,
            words: Position::words(board),
            nodes: Vec::new(),
            sets: Vec::new(),
            by_key: ByKey::default(),
            queue: BucketQueue::new(ROVING_INTERVAL),
            frames: Vec::new(),
            moves: Vec::new(),
            loaded: NONE,
            position: Position::with(board, board.starts(), board.player()),
            boxes: Bits::empty(board.len()),
            rules: PushRules::new(context),
            survey: Articulation::new(board),
            zone: ZoneFill::new(board),
            figures: Figures::default(),
            visits: VisitCounts::new(board.len()),
            best: 0,
            solution: None,
        };
        search.start();
        search
    }

    /// Inserts the start position.
    fn start(&mut self) {
        let board = &self.context.board;
        if self.position.boxes.iter().all(|&square| board.is_goal(square)) {
            self.solution = Some(Vec::new());
            return;
        }
        let (progress, score) = self.order.first(board, &self.position.boxes, &self.position.taken);
        let player = self.position.player;
        let zone = self.zone.fill(board, &self.position.taken, player);
        let key = FeatureBoard::key(self.position.boxes_key, zone);
        let step = BoxMove::none(player);
        self.nodes.push(StageNode { key, parent: NONE, score, pushes: 0, progress, step, expanded: false });
        self.position.pack(self.words, &mut self.sets);
        self.by_key.insert(key, 0);
        self.queue.push(bucket(score), 0);
    }

    /// The position with the best score.
    pub(super) fn nearest(&self) -> Option<Nearest> {
        let player = self.nodes.get(self.best as usize)?.step.player;
        Some(Nearest::forwards(&self.context.board, squares(self.set(self.best)).collect(), player))
    }

    /// The boxes of a node.
    fn set(&self, number: u32) -> &[u64] {
        &self.sets[number as usize * self.words..][..self.words]
    }

    /// What the search has cost, in positions generated.
    pub(super) fn effort(&self) -> u64 {
        self.rules.effort(&self.figures)
    }

    pub(super) fn bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<StageNode>()
            + self.sets.capacity() * size_of::<u64>()
            + self.by_key.capacity() * (size_of::<(u64, u32)>() + 1) * 8 / 7
            + self.queue.bytes()
            + self.order.bytes()
            + self.rules.bytes()
    }

    /// Searches for about as long as it takes to generate `work` positions.
    pub(super) fn run(&mut self, work: u64, halt: &Halt) -> SliceEnd {
        self.rules.refresh();
        let end = self.effort() + work;
        let mut grant = halt.grant();
        let mut iterations = 0u32;
        while self.effort() < end {
            if let Some(moves) = self.solution.take()
                && let Some(pushes) = solution::pushes(&self.context.board, &moves)
            {
                return SliceEnd::Solved(pushes);
            }
            iterations += 1;
            if iterations.is_multiple_of(32) && halt.is_requested() {
                return SliceEnd::Open;
            }
            match self.frames.last_mut() {
                Some(frame) if frame.at < frame.end => {
                    if !grant.take() {
                        return SliceEnd::Open;
                    }
                    let (from, direction) = self.moves[frame.at];
                    frame.at += 1;
                    let frame = *frame;
                    self.push(frame, from, usize::from(direction));
                }
                Some(frame) => {
                    self.moves.truncate(frame.begin);
                    self.frames.pop();
                }
                None => {
                    let Some((_, number)) = self.queue.pop() else { return SliceEnd::Spent };
                    self.expand(number as u32);
                }
            }
        }
        SliceEnd::Open
    }

    /// Makes a node's position the current one.
    fn load(&mut self, number: u32) {
        if self.loaded == number {
            return;
        }
        let words = &self.sets[number as usize * self.words..][..self.words];
        self.position.unpack(&self.context.board, words, self.nodes[number as usize].step.player);
        self.boxes.words_mut().copy_from_slice(words);
        self.loaded = number;
    }

    /// Lists a position's pushes, unless it was expanded before or is dead.
    fn expand(&mut self, number: u32) {
        if std::mem::replace(&mut self.nodes[number as usize].expanded, true) {
            return;
        }
        self.figures.expanded += 1;
        self.loaded = NONE;
        self.load(number);
        // The deadlock tests mark frozen boxes as walls.
        self.loaded = NONE;
        let node = self.nodes[number as usize];
        let parent = if node.parent == NONE { 0 } else { self.nodes[node.parent as usize].key };
        self.perimeter.insert(node.key, Reached { parent, step: node.step, side: Side::Forward });
        if node.parent != NONE {
            self.visits.count(node.step.to);
        }
        if node.score < self.nodes[self.best as usize].score {
            self.best = number;
        }
        let begin = self.moves.len();
        match self.list_pushes(&node) {
            Ok(in_corral) => {
                self.frames.push(Frame { node: number, begin, at: begin, end: self.moves.len(), in_corral });
            }
            Err(rule) => self.figures.cuts.count(rule),
        }
    }

    /// Appends the pushes of the current position to `moves`; says whether only those of a corral. `Err` with the rule
    /// by which it is dead.
    fn list_pushes(&mut self, node: &StageNode) -> Result<bool, Rule> {
        let board = &self.context.board;
        let frozen = self.rules.freeze(&mut self.position, &self.boxes)?;
        self.survey.survey(board, &self.position.taken);
        let corral = self.rules.corral(&self.position, &self.survey, &frozen, &self.figures)?;
        let (boxes, in_corral) = match &corral {
            PiCorral::Only(boxes) => (&boxes[..], boxes.len() < self.position.boxes.len()),
            _ => (&self.position.boxes[..], false),
        };
        let taken = &self.position.taken;
        let mut list = |square: Square| {
            for direction in 0..4 {
                let (to, behind) = (board.next(square, direction), board.next(square, direction ^ 1));
                if taken[usize::from(square)] == BOX
                    && taken[usize::from(to)] == 0
                    && !frozen.closed[usize::from(to)]
                    && self.survey.joined(behind, node.step.player)
                {
                    self.moves.push((square, direction as u8));
                }
            }
        };
        // The box that was pushed last goes first, the others in alternating order.
        let last = node.step.to;
        if boxes.contains(&last) {
            list(last);
        }
        let others = boxes.iter().copied().filter(|&square| square != last);
        if node.pushes.is_multiple_of(2) {
            others.for_each(list);
        } else {
            others.rev().for_each(list);
        }
        Ok(in_corral)
    }

    /// Makes one push of an expansion and inserts the position; a good one is expanded at once.
    fn push(&mut self, frame: Frame, from: Square, direction: usize) {
        self.load(frame.node);
        self.figures.generated += 1;
        let board = &self.context.board;
        let to = board.next(from, direction);
        self.position.taken[usize::from(from)] = 0;
        let is_block = blocks(board, &self.position.taken, to);
        self.position.taken[usize::from(from)] = BOX;
        if is_block {
            return;
        }
        let place = place_of(&self.position, from);
        try_move(&mut self.position, place, from, to);
        self.boxes.shift(from, to);
        let dive = self.insert_child(frame, from, to);
        self.boxes.shift(to, from);
        try_move(&mut self.position, place, to, from);
        if let Some(number) = dive {
            self.expand(number);
        }
    }

    /// Inserts the position after a push, which is made on trial; returns its node if it is to be expanded at once.
    fn insert_child(&mut self, frame: Frame, from: Square, to: Square) -> Option<u32> {
        let board = &self.context.board;
        if let Some(rule) = self.rules.dead_after_push(&mut self.position, &self.boxes, to, from) {
            self.figures.cuts.count(rule);
            return None;
        }
        let boxes_key = self.position.boxes_key ^ board.box_key(from) ^ board.box_key(to);
        let key = FeatureBoard::key(boxes_key, self.zone.fill(board, &self.position.taken, from));
        let parent = self.nodes[frame.node as usize];
        let pushes = parent.pushes + 1;
        let step = BoxMove { from, to, player: from };
        let known = self.by_key.get(&key).copied();
        if let Some(number) = known {
            self.figures.duplicates += 1;
            let node = &self.nodes[number as usize];
            if node.expanded || node.pushes <= pushes {
                return None;
            }
        } else if self.perimeter.meets(key, Side::Forward) {
            self.solve(frame.node, step, self.perimeter.moves_to_solved(key));
        } else if self.position.boxes.iter().all(|&square| board.is_goal(square)) {
            self.solve(frame.node, step, Vec::new());
        }
        let (mut progress, mut score) = self.order.after(board, parent.progress, from, to, &self.position.taken);
        let stage = usize::from(progress.stage);
        if progress.premature || self.order.is_later(stage, to) {
            let is_later = |square| self.order.is_later(stage, square);
            let premature = self.rules.count_frozen(&mut self.position, is_later) as i32;
            progress.premature = premature > 0;
            score += premature * i32::from(progress.distance) / 2;
        }
        if frame.in_corral {
            score = score.min(parent.score);
        }
        let node = StageNode { key, parent: frame.node, score, pushes, progress, step, expanded: false };
        let number = known.unwrap_or(self.nodes.len() as u32);
        if known.is_some() {
            self.nodes[number as usize] = node;
        } else {
            self.nodes.push(node);
            self.sets.extend_from_slice(self.boxes.words());
            self.by_key.insert(key, number);
        }
        if score <= parent.score && self.queue.best().is_none_or(|best| bucket(score) <= best) {
            return Some(number);
        }
        self.queue.push(bucket(score), u64::from(number));
        None
    }

    /// Stores a solution: the path to a node, one push more, and the rest.
    fn solve(&mut self, node: u32, last: BoxMove, rest: Vec<BoxMove>) {
        let mut moves = Vec::new();
        let mut node = &self.nodes[node as usize];
        while node.parent != NONE {
            moves.push(node.step);
            node = &self.nodes[node.parent as usize];
        }
        moves.reverse();
        moves.push(last);
        moves.extend(rest);
        self.solution = Some(moves);
    }
}

fn bucket(score: i32) -> usize {
    (score + BELOW_ZERO).max(0) as usize
}
