//! The solution path, rebuilt from costs alone.
//!
//! No parent links are stored. The last push of a solution is known. The player came to it from an arrival of that zone
//! state from which he gets behind the box in time, and every arrival was reached by a push whose undoing leads to a zone
//! state with an arrival that is early enough. Costs fall with every push, so this ends at the start.

use crate::shared::Shared;
use crate::store::Cost;
use crate::wavefront::least_costs;
use lurd_level::Direction;
use lurd_rules::Push;
use lurd_rules::dense::board::{NONE, Side};
use lurd_rules::dense::set::Set;

impl<const L: usize, const G: usize> Shared<L, G> {
    /// The pushes of the best solution, if it was found here.
    pub(crate) fn retrace(&self) -> Option<Vec<Push>> {
        let last = self.best()?;
        let (mut boxes, mut cell, mut direction) = (last.boxes, last.cell, last.direction);
        let mut after = last.cost;
        let mut pushes = Vec::new();
        loop {
            pushes.push(Push { from: self.board.square(cell), direction });
            let free = self.plane.floor.without(self.cells(boxes));
            let behind = self.plane.shifted(Set::single(cell), direction.opposite()).lowest();
            let walks = least_costs(&self.plane, free, std::iter::once((behind, Cost::ZERO)), self.board.cells());
            let zone = self.plane.zone(free, behind).lowest() as u16;
            let (_, (arrival, cost)) = self
                .shards
                .arrivals_of(&boxes, zone)?
                .into_iter()
                .filter(|&(_, cost)| self.is_one_push(cost, after))
                .filter_map(|(cell, cost)| Some(((cost.moves + walks[cell]?.moves, cost.pushes), (cell, cost))))
                .min_by_key(|&(sum, _)| sum)?;
            if cost.moves == 0 {
                pushes.reverse();
                return Some(pushes);
            }
            (boxes, cell, direction) = self.undo(boxes, arrival, cost)?;
            after = cost;
        }
    }

    /// Whether one push leads from one cost to the other, where pushes are limited: then all arrivals of a state have the
    /// same number of pushes.
    fn is_one_push(&self, before: Cost, after: Cost) -> bool {
        self.settings.most_pushes.is_none() || before.pushes + 1 == after.pushes
    }

    /// A push that leads to an arrival on the cell `lands`, with the boxes before it: one made from a state whose arrivals
    /// get behind the box in time.
    fn undo(&self, boxes: Set<L>, lands: usize, cost: Cost) -> Option<(Set<L>, usize, Direction)> {
        let from = self.board.live_at(lands);
        if from == NONE {
            return None;
        }
        let push = Cost { moves: 1, pushes: u32::from(self.settings.counts_pushes()) };
        for direction in Direction::ALL {
            let step = self.board.way(Side::Forward).steps[4 * usize::from(from) + direction as usize];
            if step.to == NONE || !boxes.contains(step.to.into()) {
                continue;
            }
            let mut before = boxes;
            before.remove(step.to.into());
            before.insert(from.into());
            let cells = self.cells(before);
            let behind = usize::from(step.reach);
            if cells.contains(behind) {
                continue;
            }
            let free = self.plane.floor.without(cells);
            let zone = self.plane.zone(free, behind).lowest() as u16;
            let Some(arrivals) = self.shards.arrivals_of(&before, zone) else { continue };
            let arrivals = arrivals.into_iter().filter(|&(_, before)| self.is_one_push(before, cost));
            let reached = least_costs(&self.plane, free, arrivals, self.board.cells());
            let in_time =
                |before: Cost| Cost { moves: before.moves + push.moves, pushes: before.pushes + push.pushes } <= cost;
            if reached[behind].is_some_and(in_time) {
                return Some((before, lands, direction));
            }
        }
        None
    }
}
