//! Best first through the stages, one push at a time, with dives.
//!
//! A child that is no worse than its parent and no worse than anything that waits is expanded at once, inside
//! its parent's expansion; so a box that can march home does. All others wait in buckets by score, newest
//! first, and one in eight is taken from a roving bucket. In a PI-corral only its pushes are made, and they are never
//! held to be worse than the position they come from: opening a corral is tried before it is dismissed.

use crate::answer::Leg;
use crate::dense::queue::Queue;
use crate::forward::{blocks, homeward};
use crate::observe::{Nearest, VisitCounts};
use crate::perimeter::{Perimeter, Reached, Side};
use crate::phases::score::{Course, Tally};
use crate::strategy::{Halt, Turn};
use crate::{Scene, answer};
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
use lurd_rules::{Bits, Figures, KeyHasher, Square};
use std::collections::HashMap;
use std::hash::BuildHasherDefault;

#[cfg(test)]
mod trace;

/// No node.
const NONE: u32 = u32::MAX;
/// One pop in so many is taken from a roving bucket.
const ROVE: u64 = 8;
/// Scores may fall a little below zero; keys may not.
const BELOW_ZERO: i32 = 128;

/// A position that was generated.
#[derive(Clone, Copy, Debug)]
struct Node {
    key: u64,
    parent: u32,
    score: i32,
    pushes: u32,
    tally: Tally,
    from: Square,
    to: Square,
    player: Square,
    expanded: bool,
}

/// An expansion under way: some of its pushes are made, the others wait in `moves`.
#[derive(Clone, Copy, Debug)]
struct Frame {
    node: u32,
    begin: usize,
    at: usize,
    end: usize,
    /// Its pushes open a corral.
    opens: bool,
}

/// The search through the stages.
pub(super) struct Search<'g> {
    scene: &'g Scene,
    perimeter: &'g Perimeter,
    course: Course,
    words: usize,
    nodes: Vec<Node>,
    sets: Vec<u64>,
    by_key: HashMap<u64, u32, BuildHasherDefault<KeyHasher>>,
    queue: Queue,
    frames: Vec<Frame>,
    moves: Vec<(Square, u8)>,
    /// The node whose position is laid out.
    laid: u32,
    position: Position,
    set: Bits,
    lookout: Option<DeadSetQuery>,
    survey: Articulation,
    pictures: FrozenBoards,
    matching: BipartiteMatching,
    pi_corrals: PiCorrals,
    corrals: CorralSearch,
    learned: LearnedSets,
    squares: Vec<Square>,
    marks: Vec<u32>,
    mark: u32,
    figures: Figures,
    tracks: VisitCounts,
    /// The expanded node with the best score.
    best: u32,
    answer: Option<Vec<Leg>>,
}

impl<'g> Search<'g> {
    pub(super) fn new(scene: &'g Scene, perimeter: &'g Perimeter, course: Course) -> Self {
        let board = &scene.board;
        let mut search = Self {
            scene,
            perimeter,
            course,
            words: Position::words(board),
            nodes: Vec::new(),
            sets: Vec::new(),
            by_key: HashMap::default(),
            queue: Queue::new(ROVE),
            frames: Vec::new(),
            moves: Vec::new(),
            laid: NONE,
            position: Position::with(board, board.starts(), board.player()),
            set: Bits::empty(board.len()),
            lookout: scene.dead_sets.as_ref().map(DeadSetQuery::new),
            survey: Articulation::new(board),
            pictures: FrozenBoards::default(),
            matching: BipartiteMatching::default(),
            pi_corrals: PiCorrals::new(board),
            corrals: CorralSearch::new(),
            learned: LearnedSets::new(board),
            squares: Vec::new(),
            marks: vec![0; board.len() + 1],
            mark: 0,
            figures: Figures::default(),
            tracks: VisitCounts::new(board.len()),
            best: 0,
            answer: None,
        };
        search.plant();
        search
    }

    fn plant(&mut self) {
        let board = &self.scene.board;
        if self.position.boxes.iter().all(|&square| board.is_goal(square)) {
            self.answer = Some(Vec::new());
            return;
        }
        let (tally, score) = self.course.first(board, &self.position.boxes, &self.position.taken);
        let player = self.position.player;
        let key = FeatureBoard::key(self.position.boxes_key, self.zone(player));
        let (parent, pushes, expanded) = (NONE, 0, false);
        self.nodes.push(Node { key, parent, score, pushes, tally, from: player, to: player, player, expanded });
        self.position.pack(self.words, &mut self.sets);
        self.by_key.insert(key, 0);
        self.queue.push(bucket(score), 0);
    }

    pub(super) fn figures(&self) -> Figures {
        self.figures
    }

    /// Where it has pushed boxes.
    pub(super) fn tracks(&self) -> &VisitCounts {
        &self.tracks
    }

    /// The position with the best score.
    pub(super) fn nearest(&self) -> Option<Nearest> {
        let player = self.nodes.get(self.best as usize)?.player;
        let boxes: Vec<Square> = squares(&self.sets[self.best as usize * self.words..][..self.words]).collect();
        Some(Nearest::forwards(&self.scene.board, boxes, player))
    }

    /// What the search has cost, in positions generated.
    pub(super) fn effort(&self) -> u64 {
        let proofs = self.corrals.expanded() + self.learned.expanded();
        self.figures.generated + 10 * self.figures.expanded + 2 * proofs
    }

    pub(super) fn bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>()
            + self.sets.capacity() * size_of::<u64>()
            + self.by_key.capacity() * (size_of::<(u64, u32)>() + 1) * 8 / 7
            + self.queue.bytes()
            + self.course.bytes()
            + self.pictures.bytes()
            + self.corrals.bytes()
    }

    /// Searches for about as long as it takes to generate `work` positions.
    pub(super) fn run(&mut self, work: u64, halt: &Halt) -> Turn {
        if let Some(lookout) = &mut self.lookout {
            lookout.refresh(0);
        }
        self.learned.refresh(&self.scene.learned);
        let end = self.effort() + work;
        let mut turns = 0u32;
        while self.effort() < end {
            if let Some(legs) = self.answer.take()
                && let Some(pushes) = answer::pushes(&self.scene.board, &legs)
            {
                return Turn::Solved(pushes);
            }
            turns += 1;
            if turns.is_multiple_of(32) && halt.called() {
                return Turn::Open;
            }
            match self.frames.last_mut() {
                Some(frame) if frame.at < frame.end => {
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
                    let Some((_, number)) = self.queue.pop() else { return Turn::Spent };
                    self.expand(number as u32);
                }
            }
        }
        Turn::Open
    }

    /// Lays out a node's position.
    fn lay_out(&mut self, number: u32) {
        if self.laid == number {
            return;
        }
        let words = &self.sets[number as usize * self.words..][..self.words];
        let player = self.nodes[number as usize].player;
        self.position.unpack(&self.scene.board, words, player);
        self.set.words_mut().copy_from_slice(words);
        self.laid = number;
    }

    /// Lists a position's pushes, unless it was expanded before or proves dead.
    fn expand(&mut self, number: u32) {
        if std::mem::replace(&mut self.nodes[number as usize].expanded, true) {
            return;
        }
        self.figures.expanded += 1;
        self.laid = NONE;
        self.lay_out(number);
        // The tests for dead positions mark frozen boxes as walls.
        self.laid = NONE;
        let scene = self.scene;
        let board = &scene.board;
        let node = self.nodes[number as usize];
        let parent = if node.parent == NONE { 0 } else { self.nodes[node.parent as usize].key };
        let Node { key, from, to, player, .. } = node;
        self.perimeter.file(key, Reached { parent, from, to, player, side: Side::Forward });
        if node.parent != NONE {
            self.tracks.count(to);
        }
        if node.score < self.nodes[self.best as usize].score {
            self.best = number;
        }
        if self.learned.is_dead(&self.set, player) {
            self.figures.cuts.count(Rule::Learned);
            return;
        }
        let Ok(frozen) = self.pictures.freeze(board, &mut self.position, &mut self.squares) else {
            self.figures.cuts.count(Rule::Freeze);
            return;
        };
        let picture = self.pictures.of(board, &self.position, frozen);
        if !picture.fits(board, &self.position, &mut self.matching) {
            self.figures.cuts.count(Rule::Bipartite);
            return;
        }
        self.survey.survey(board, &self.position.taken);
        let corral = self.pi_corrals.find(board, &self.position, &self.survey, &picture.closed);
        if corral == PiCorral::Dead {
            self.figures.cuts.count(Rule::Corral);
            return;
        }
        if let Some(corral) = self.corrals.find_dead(board, &self.position, &self.survey) {
            self.figures.cuts.count(Rule::Corral);
            if corral.is_new && self.learned.has_time(self.effort()) {
                self.learned.learn(board, &scene.learned, &corral);
            }
            return;
        }
        let (boxes, opens) = match &corral {
            PiCorral::Only(boxes) => (&boxes[..], boxes.len() < self.position.boxes.len()),
            _ => (&self.position.boxes[..], false),
        };
        let begin = self.moves.len();
        let taken = &self.position.taken;
        let mut list = |square: Square| {
            for direction in 0..4 {
                let (to, behind) = (board.next(square, direction), board.next(square, direction ^ 1));
                if taken[usize::from(square)] == BOX
                    && taken[usize::from(to)] == 0
                    && !picture.closed[usize::from(to)]
                    && self.survey.joined(behind, player)
                {
                    self.moves.push((square, direction as u8));
                }
            }
        };
        // The box that was pushed last goes first, the others from either end by turns.
        if boxes.contains(&node.to) {
            list(node.to);
        }
        let others = boxes.iter().copied().filter(|&square| square != node.to);
        if node.pushes.is_multiple_of(2) {
            others.for_each(list);
        } else {
            others.rev().for_each(list);
        }
        self.frames.push(Frame { node: number, begin, at: begin, end: self.moves.len(), opens });
    }

    /// Makes one push of an expansion and files the position; a good one is expanded at once.
    fn push(&mut self, frame: Frame, from: Square, direction: usize) {
        self.lay_out(frame.node);
        self.figures.generated += 1;
        let board = &self.scene.board;
        let to = board.next(from, direction);
        self.position.taken[usize::from(from)] = 0;
        if blocks(board, &self.position.taken, to) {
            self.position.taken[usize::from(from)] = BOX;
            return;
        }
        self.position.taken[usize::from(to)] = BOX;
        let place = self.position.boxes.iter().position(|&square| square == from).unwrap_or(0);
        self.position.boxes[place] = to;
        self.set.shift(from, to);
        let dive = self.judge(frame, from, to);
        self.set.shift(to, from);
        self.position.boxes[place] = from;
        self.position.taken[usize::from(to)] = 0;
        self.position.taken[usize::from(from)] = BOX;
        if let Some(number) = dive {
            self.expand(number);
        }
    }

    /// Files the position that is laid out with the push made; gives its node if it is to be expanded at once.
    fn judge(&mut self, frame: Frame, from: Square, to: Square) -> Option<u32> {
        let scene = self.scene;
        let board = &scene.board;
        let dead_set = |lookout: &DeadSetQuery| lookout.is_dead(board.board(), &self.set, to, from);
        if freeze::freezes(board, &mut self.position.taken, &self.position.boxes, to, &mut self.squares) {
            self.figures.cuts.count(Rule::Freeze);
            return None;
        }
        if self.lookout.as_ref().is_some_and(dead_set) {
            self.figures.cuts.count(Rule::DeadSet);
            return None;
        }
        if self.learned.is_dead_at(&self.set, to, from) {
            self.figures.cuts.count(Rule::Learned);
            return None;
        }
        let boxes_key = self.position.boxes_key ^ board.box_key(from) ^ board.box_key(to);
        let key = FeatureBoard::key(boxes_key, self.zone(from));
        let parent = self.nodes[frame.node as usize];
        let pushes = parent.pushes + 1;
        let known = self.by_key.get(&key).copied();
        if let Some(number) = known {
            self.figures.duplicates += 1;
            let node = &self.nodes[number as usize];
            if node.expanded || node.pushes <= pushes {
                return None;
            }
        } else if self.perimeter.met(key, Side::Forward) {
            self.solve(frame.node, Leg { from, to, player: from }, homeward(self.perimeter, key));
        } else if self.position.boxes.iter().all(|&square| board.is_goal(square)) {
            self.solve(frame.node, Leg { from, to, player: from }, Vec::new());
        }
        let taken = &self.position.taken;
        let (mut tally, mut score) = self.course.after(board, parent.tally, from, to, taken);
        let stage = usize::from(tally.stage);
        if tally.hasty || self.course.is_early(stage, to) {
            let stuck = self.stuck_early(stage);
            tally.hasty = stuck > 0;
            score += stuck * i32::from(tally.distance) / 2;
        }
        if frame.opens {
            score = score.min(parent.score);
        }
        let node = Node { key, parent: frame.node, score, pushes, tally, from, to, player: from, expanded: false };
        let number = known.unwrap_or(self.nodes.len() as u32);
        if known.is_some() {
            self.nodes[number as usize] = node;
        } else {
            self.nodes.push(node);
            self.sets.extend_from_slice(self.set.words());
            self.by_key.insert(key, number);
        }
        if score <= parent.score && self.queue.best().is_none_or(|best| bucket(score) <= best) {
            return Some(number);
        }
        self.queue.push(bucket(score), u64::from(number));
        None
    }

    /// Boxes that will never move again and stand on goals of later stages.
    fn stuck_early(&mut self, stage: usize) -> i32 {
        let board = &self.scene.board;
        freeze::stuck(board, &mut self.position.taken, &self.position.boxes, &mut self.squares);
        self.squares.iter().filter(|&&square| self.course.is_early(stage, square)).count() as i32
    }

    /// Notes an answer: the way to a node, one push more, and the way home from there.
    fn solve(&mut self, node: u32, last: Leg, homeward: Vec<Leg>) {
        let mut legs = Vec::new();
        let mut number = node;
        while self.nodes[number as usize].parent != NONE {
            let Node { from, to, player, parent, .. } = self.nodes[number as usize];
            legs.push(Leg { from, to, player });
            number = parent;
        }
        legs.reverse();
        legs.push(last);
        legs.extend(homeward);
        self.answer = Some(legs);
    }

    /// The key of the player's zone.
    fn zone(&mut self, player: Square) -> u64 {
        let board = &self.scene.board;
        self.mark = self.mark.wrapping_add(1);
        if self.mark == 0 {
            self.marks.fill(0);
            self.mark = 1;
        }
        self.squares.clear();
        self.squares.push(player);
        self.marks[usize::from(player)] = self.mark;
        let mut key = 0;
        while let Some(square) = self.squares.pop() {
            key ^= board.zone_key(square);
            for &next in board.neighbours(square) {
                if self.position.taken[usize::from(next)] == 0 && self.marks[usize::from(next)] != self.mark {
                    self.marks[usize::from(next)] = self.mark;
                    self.squares.push(next);
                }
            }
        }
        key
    }
}

/// The bucket of a score.
fn bucket(score: i32) -> usize {
    (score + BELOW_ZERO).max(0) as usize
}
