//! What can be pulled in a picture, and which boxes may vanish.
//!
//! Where some box can vanish, that is all that is done: any box could have come from there, so nothing is lost by it.

use crate::macros::Macro;
use crate::planning::{Child, Planning, Wanted, start_key};
use crate::rooms::Reach;
use crate::strategy::Ear;
use lurd_rules::Square;
use lurd_rules::bits::squares;
use lurd_rules::cuts::Rule;
use lurd_rules::feature::board::{FAR, Ground};

impl Planning<'_> {
    /// Whether a box pulled this far may vanish.
    fn is_far(&self, from: Square, to: Square) -> bool {
        if self.ground.walks_from(from)[usize::from(to)] >= self.manner.far {
            return true;
        }
        match (self.rooms.room_of(from), self.rooms.room_of(to)) {
            (Some(a), Some(b)) => a != b,
            (None, None) => false,
            (a, b) => {
                let near = a.is_some_and(|room| self.rooms.is_around(room, to))
                    || b.is_some_and(|room| self.rooms.is_around(room, from));
                let (a, b) = (self.ground.board().place(from), self.ground.board().place(to));
                !near && a.0 != b.0 && a.1 != b.1
            }
        }
    }

    /// Fills `children` with everything that can be done here, new positions scored; false if a halt was heard.
    pub(super) fn generate(&mut self, sinks: &[Square], ear: &mut Ear<'_>) -> bool {
        let ground = self.ground;
        self.children.clear();
        let mut came = vec![false; ground.len() + 1];
        for start in squares(&self.unused) {
            for (square, &pushes) in ground.pushes_from(start).iter().enumerate() {
                came[square] |= pushes != FAR;
            }
        }
        let mut boxes = self.position.boxes.clone();
        if self.manner.turned {
            boxes.reverse();
        }
        let mut out = Vec::new();
        let parent_rooms = self.rooms.lost(ground, &self.position.taken, &mut self.reach, &mut self.scratch);
        let parent_spread = self.spread_now();
        let unused_key = self.unused_key();
        let boxes_key = self.position.boxes_key;
        let mut removals: Vec<Child> = Vec::new();
        for &from in &boxes {
            if ear.hears(self.effort()) {
                return false;
            }
            out.clear();
            self.macros.pulls(
                ground,
                &mut self.position,
                from,
                |_, to| came[usize::from(to)] && !ground.is_dead(to),
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
                if self.stops.wasted_pull(ground, &step) {
                    self.figures.cuts.count(Rule::WastedStop);
                    continue;
                }
                let key = Ground::key(boxes_key ^ ground.box_key(step.from) ^ ground.box_key(step.to), step.zone)
                    ^ unused_key;
                if self.manner.wanted == Wanted::Valued && self.tree.find(key).is_some() {
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
                self.children.push(Child { step, removes: false, regions: step.regions, rooms, spread, score, state });
            }
        }
        if !removals.is_empty() {
            self.children = removals;
        }
        true
    }

    /// The child in which the pulled box vanishes, if what is left still fits together.
    fn removal(&mut self, step: Macro, unused_key: u64) -> Option<Child> {
        let ground = self.ground;
        self.figures.generated += 1;
        let (boxes_before, player_before) = (self.position.boxes.clone(), self.position.player);
        self.position.remove(ground, step.from);
        self.unused[usize::from(step.to) / 64] &= !(1 << (step.to % 64));
        let fits = self.boxes_have_starts();
        let child = fits.then(|| {
            let lift = ground.survey(&self.position.taken);
            let zone = lift.zone_of(step.player);
            let key = Ground::key(self.position.boxes_key, zone) ^ unused_key ^ start_key(ground, step.to);
            let rooms = self.rooms.lost(ground, &self.position.taken, &mut Reach::default(), &mut self.scratch);
            let (spread, regions) = (self.spread_now(), lift.regions() as u16);
            let score = self.score(regions, rooms, spread);
            let state = self.tree.find(key).unwrap_or_else(|| self.tree.file(key, score));
            Child { step, removes: true, regions, rooms, spread, score, state }
        });
        self.unused[usize::from(step.to) / 64] |= 1 << (step.to % 64);
        self.position.set(ground, boxes_before.into_iter(), player_before);
        child
    }
}
