//! The way back from a solution to the start, found from the costs alone.
//!
//! No links to parents are kept. The last push of a solution is known; before it the player came from the stand of that
//! spot from which he got behind the box in time, and each stand was reached by a push whose undoing leads to a spot with
//! a stand that is early enough. Costs fall with every push, so this ends at the start.

use crate::shared::Shared;
use crate::store::Cost;
use crate::wave;
use lurd_level::Direction;
use lurd_rules::Push;
use lurd_rules::dense::board::{NONE, Side};
use lurd_rules::dense::set::Set;

impl<const L: usize, const G: usize> Shared<L, G> {
    /// The pushes of the best solution, if it was found here.
    pub(crate) fn retrace(&self) -> Option<Vec<Push>> {
        let found = self.found()?;
        let (mut boxes, mut cell, mut direction) = (found.boxes, found.cell, found.direction);
        let mut after = found.after;
        let mut pushes = Vec::new();
        loop {
            pushes.push(Push { from: self.board.square(cell), direction });
            let free = self.plane.floor.without(self.cells(boxes));
            let behind = self.plane.shifted(Set::single(cell), direction.opposite()).lowest();
            let here = std::iter::once((behind, Cost { moves: 0, pushes: 0 }));
            let walks = wave::arrivals(&self.plane, free, here, self.board.cells());
            let zone = self.plane.zone(free, behind).lowest() as u16;
            let (_, (stand, cost)) = self
                .shards
                .stands_of(&boxes, zone)?
                .into_iter()
                .filter(|&(_, cost)| self.is_one_push(cost, after))
                .filter_map(|(stand, cost)| Some(((cost.moves + walks[stand]?.moves, cost.pushes), (stand, cost))))
                .min_by_key(|&(sum, _)| sum)?;
            if cost.moves == 0 {
                pushes.reverse();
                return Some(pushes);
            }
            (boxes, cell, direction) = self.undo(boxes, stand, cost)?;
            after = cost;
        }
    }

    /// Whether one more push leads from one cost to the other, where pushes are limited and so every spot has its number.
    fn is_one_push(&self, before: Cost, after: Cost) -> bool {
        self.settings.most_pushes.is_none() || before.pushes + 1 == after.pushes
    }

    /// The push that led to a stand, with the boxes before it: one made from a spot whose stands get behind the box in
    /// time.
    fn undo(&self, boxes: Set<L>, lands: usize, cost: Cost) -> Option<(Set<L>, usize, Direction)> {
        let here = self.board.live_at(lands);
        if here == NONE {
            return None;
        }
        let one = Cost { moves: 1, pushes: u32::from(self.settings.counts_pushes()) };
        for direction in Direction::ALL {
            let step = self.board.way(Side::Forward).steps[4 * usize::from(here) + direction as usize];
            if step.to == NONE || !boxes.contains(step.to.into()) {
                continue;
            }
            let mut before = boxes;
            before.remove(step.to.into());
            before.insert(here.into());
            let cells = self.cells(before);
            let behind = usize::from(step.reach);
            if cells.contains(behind) {
                continue;
            }
            let free = self.plane.floor.without(cells);
            let zone = self.plane.zone(free, behind).lowest() as u16;
            let Some(stands) = self.shards.stands_of(&before, zone) else { continue };
            let stands = stands.into_iter().filter(|&(_, before)| self.is_one_push(before, cost));
            let reached = wave::arrivals(&self.plane, free, stands, self.board.cells());
            let in_time =
                |before: Cost| Cost { moves: before.moves + one.moves, pushes: before.pushes + one.pushes } <= cost;
            if reached[behind].is_some_and(in_time) {
                return Some((before, lands, direction));
            }
        }
        None
    }
}
