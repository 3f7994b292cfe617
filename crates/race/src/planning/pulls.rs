//! What can be pulled in a picture, and which boxes may vanish.
//!
//! Where some box can vanish, that is all that is done: any box could have come from there, so nothing is lost by it.

use crate::macros::Macro;
use crate::planning::{PlanGoal, Planning, PullChild, start_key};
use crate::rooms::Reach;
use crate::strategy::HaltPoller;
use lurd_rules::Square;
use lurd_rules::bits::squares;
use lurd_rules::cuts::Rule;
use lurd_rules::feature::board::{FAR, FeatureBoard};

impl Planning<'_> {
    /// Whether a box pulled this far may vanish.
    fn is_far(&self, from: Square, to: Square) -> bool {
        if self.board.walks_from(from)[usize::from(to)] >= self.manner.far {
            return true;
        }
        match (self.rooms.room_of(from), self.rooms.room_of(to)) {
            (Some(a), Some(b)) => a != b,
            (None, None) => false,
            (a, b) => {
                let near = a.is_some_and(|room| self.rooms.is_around(room, to))
                    || b.is_some_and(|room| self.rooms.is_around(room, from));
                let (a, b) = (self.board.board().place(from), self.board.board().place(to));
                !near && a.0 != b.0 && a.1 != b.1
            }
        }
    }

    /// Fills `children` with everything that can be done here, new positions scored; false if a halt was heard.
    pub(super) fn generate(&mut self, sinks: &[Square], ear: &mut HaltPoller<'_>) -> bool {
        let board = self.board;
        self.children.clear();
        let mut came = vec![false; board.len() + 1];
        for start in squares(&self.unused) {
            for (square, &pushes) in board.pushes_from(start).iter().enumerate() {
                came[square] |= pushes != FAR;
            }
        }
        let mut boxes = self.position.boxes.clone();
        if self.manner.turned {
            boxes.reverse();
        }
        let mut out = Vec::new();
        let parent_rooms = self.rooms.lost(board, &self.position.taken, &mut self.reach, &mut self.scratch);
        let parent_spread = self.spread_now();
        let unused_key = self.unused_key();
        let boxes_key = self.position.boxes_key;
        let mut removals: Vec<PullChild> = Vec::new();
        for &from in &boxes {
            if ear.hears(self.effort()) {
                return false;
            }
            out.clear();
            self.macros.pulls(
                board,
                &mut self.position,
                from,
                |_, to| came[usize::from(to)] && !board.is_dead(to),
                &mut out,
            );
            let removal = out.iter().find(|step| sinks.contains(&step.to) && self.is_far(step.from, step.to));
            if let Some(&step) = removal
                && let Some(child) = self.removal(step, unused_key)
            {
                removals.push(child);
            }
            if !removals.is_empty() {
                continue;
            }
            for &step in &out {
                self.figures.generated += 1;
                if self.stops.wasted_pull(board, &step) {
                    self.figures.cuts.count(Rule::WastedStop);
                    continue;
                }
                let key = FeatureBoard::key(boxes_key ^ board.box_key(step.from) ^ board.box_key(step.to), step.zone)
                    ^ unused_key;
                if self.manner.wanted == PlanGoal::Valued && self.tree.find(key).is_some() {
                    // The tree must be a tree: a known position belongs to who found it.
                    self.figures.duplicates += 1;
                    continue;
                }
                let spread = self.spread_after(&step, parent_spread);
                let rooms = self.rooms_after(&step, parent_rooms);
                let score = match self.tree.find(key) {
                    Some(state) => self.tree.state(state).score,
                    None => self.score_after(&step, rooms, spread),
                };
                let state = self.tree.find(key).unwrap_or_else(|| self.tree.file(key, score));
                self.children.push(PullChild {
                    step,
                    removes: false,
                    regions: step.regions,
                    rooms,
                    spread,
                    score,
                    state,
                });
            }
        }
        if !removals.is_empty() {
            self.children = removals;
        }
        true
    }

    /// The child in which the pulled box vanishes, if what is left still fits together.
    fn removal(&mut self, step: Macro, unused_key: u64) -> Option<PullChild> {
        let board = self.board;
        self.figures.generated += 1;
        let (boxes_before, player_before) = (self.position.boxes.clone(), self.position.player);
        self.position.remove(board, step.from);
        self.unused[usize::from(step.to) / 64] &= !(1 << (step.to % 64));
        let fits = self.boxes_have_starts();
        let child = fits.then(|| {
            let lift = board.survey(&self.position.taken);
            let zone = lift.zone_of(step.player);
            let key = FeatureBoard::key(self.position.boxes_key, zone) ^ unused_key ^ start_key(board, step.to);
            let rooms = self.rooms.lost(board, &self.position.taken, &mut Reach::default(), &mut self.scratch);
            let (spread, regions) = (self.spread_now(), lift.regions() as u16);
            let score = self.score(regions, rooms, spread);
            let state = self.tree.find(key).unwrap_or_else(|| self.tree.file(key, score));
            PullChild { step, removes: true, regions, rooms, spread, score, state }
        });
        self.unused[usize::from(step.to) / 64] |= 1 << (step.to % 64);
        self.position.set(board, boxes_before.into_iter(), player_before);
        child
    }
}
