//! The moves of a position of the backward search: pulls, and removals of boxes.
//!
//! Where some box can be removed, only removals are generated: any box could have come from there, so nothing is lost.

use crate::features::{Child, Features};
use crate::macros::{Macro, PULL, place_of, try_move};
use crate::planning::{Objective, Planning, start_key};
use crate::strategy::HaltPoller;
use lurd_rules::Square;
use lurd_rules::bits::squares;
use lurd_rules::cuts::Rule;
use lurd_rules::feature::board::{FAR, FeatureBoard};

impl Planning<'_> {
    /// Whether a box pulled this far may be removed.
    fn is_far(&self, from: Square, to: Square) -> bool {
        if self.board.walks_from(from)[usize::from(to)] >= self.options.removal_distance {
            return true;
        }
        let rooms = &self.context.rooms;
        match (rooms.room_of(from), rooms.room_of(to)) {
            (Some(a), Some(b)) => a != b,
            (None, None) => false,
            (a, b) => {
                let near = a.is_some_and(|room| rooms.is_around(room, to))
                    || b.is_some_and(|room| rooms.is_around(room, from));
                let (a, b) = (self.board.board().place(from), self.board.board().place(to));
                !near && a.0 != b.0 && a.1 != b.1
            }
        }
    }

    /// Fills `children` with the moves of the current position, new positions scored; false at a halt.
    pub(super) fn generate(&mut self, sinks: &[Square], here: &Features, poller: &mut HaltPoller<'_>) -> bool {
        let board = self.board;
        self.children.clear();
        let mut has_start = vec![false; board.len() + 1];
        for start in squares(&self.unused) {
            for (square, &pushes) in board.pushes_from(start).iter().enumerate() {
                has_start[square] |= pushes != FAR;
            }
        }
        let mut boxes = self.position.boxes.clone();
        if self.options.reversed {
            boxes.reverse();
        }
        let mut steps = Vec::new();
        let unused_key = self.unused_key();
        let mut removals: Vec<Child> = Vec::new();
        for &from in &boxes {
            if poller.poll(self.effort()) {
                return false;
            }
            steps.clear();
            let may_enter = |_: &[u8], to: Square| has_start[usize::from(to)] && !board.is_dead(to);
            self.macros.find::<PULL>(board, &mut self.position, from, may_enter, &mut steps);
            let removal = steps.iter().find(|step| sinks.contains(&step.to) && self.is_far(step.from, step.to));
            let removal = removal.filter(|_| poller.take());
            removals.extend(removal.and_then(|&step| self.removal(step, unused_key)));
            if removals.is_empty() {
                let granted = steps.iter().take_while(|_| poller.take());
                granted.for_each(|step| self.add_child(step, here, unused_key));
            }
        }
        if !removals.is_empty() {
            self.children = removals;
        }
        true
    }

    /// Adds a pull of the current position to the children, unless it is cut.
    fn add_child(&mut self, step: &Macro, here: &Features, unused_key: u64) {
        let (context, board) = (self.context, self.board);
        self.figures.generated += 1;
        if context.stops.wasted_pull(board, step) {
            self.figures.cuts.count(Rule::WastedStop);
            return;
        }
        let boxes_key = self.position.boxes_key ^ board.box_key(step.from) ^ board.box_key(step.to);
        let key = FeatureBoard::key(boxes_key, step.zone) ^ unused_key;
        let known = self.tree.find(key);
        if self.options.objective == Objective::Value && known.is_some() {
            // Selection by value needs a tree: a known position belongs to the node that found it.
            self.figures.duplicates += 1;
            return;
        }
        let place = place_of(&self.position, step.from);
        let spread = self.spread_after(step, place, here.spread);
        try_move(&mut self.position, place, step.from, step.to);
        let ends = (step.from, step.to);
        let rooms = context.rooms.lost_after(board, &mut self.position.taken, ends, here.rooms, &mut self.rooms);
        let features = Features { regions: u32::from(step.regions), rooms, spread, ..Features::default() };
        let (score, state) = match known {
            Some(state) => (self.tree.state(state).score, state),
            None => {
                let score = self.score(&features);
                (score, self.tree.insert(key, score))
            }
        };
        try_move(&mut self.position, place, step.to, step.from);
        self.children.push(Child { step: *step, removes: false, features, score, state });
    }

    /// The child in which the pulled box is removed, if the other boxes can still have start squares.
    fn removal(&mut self, step: Macro, unused_key: u64) -> Option<Child> {
        let board = self.board;
        self.figures.generated += 1;
        let (boxes_before, player_before) = (self.position.boxes.clone(), self.position.player);
        self.position.remove(board, step.from);
        self.unused[usize::from(step.to) / 64] &= !(1 << (step.to % 64));
        let child = self.boxes_have_starts().then(|| {
            let survey = board.survey(&self.position.taken);
            let zone = survey.zone_of(step.player);
            let key = FeatureBoard::key(self.position.boxes_key, zone) ^ unused_key ^ start_key(board, step.to);
            let features = Features {
                regions: survey.regions() as u32,
                rooms: self.context.rooms.lost(board, &self.position.taken, &mut self.rooms),
                spread: self.spread_now(),
                ..Features::default()
            };
            let score = self.score(&features);
            let state = self.tree.find(key).unwrap_or_else(|| self.tree.insert(key, score));
            Child { step, removes: true, features, score, state }
        });
        self.unused[usize::from(step.to) / 64] |= 1 << (step.to % 64);
        self.position.set(board, boxes_before.into_iter(), player_before);
        child
    }
}
