//! Distances with frozen boxes as walls.
//!
//! A box frozen on its goal stays there, so the distances of the other boxes may be computed with it as a wall: they can
//! only increase, and a box that cannot reach any open goal makes the position dead. This recognises a goal room that is
//! filled in a wrong order. The minimum matching by these distances is a lower bound by itself. It must not be added to
//! interactions of box groups, which are computed on the open floor: a detour could be counted twice.
//!
//! Distances are cached for each set of frozen boxes, by a box's square and the component of the floor next to it that
//! contains the player. If the player does not touch a box, the minimum over the components he may be in is used. A full
//! cache is cleared; a result does not depend on the content of the cache.

use crate::dense::board::{DenseBoard, INFINITE, LONGEST, NONE, Plane, Side, StepTable};
use crate::dense::matching::{Matcher, Matching};
use crate::dense::set::Set;
use std::collections::HashMap;

/// The approximate capacity of the cache in bytes.
const MAX_BYTES: usize = 4 << 20;

/// The cache of one thread: distances by frozen boxes.
#[derive(Debug)]
pub struct FrozenWalls<const G: usize> {
    known: HashMap<[u64; G], Walled>,
    bytes: usize,
    matcher: Matcher,
    matching: Matching,
    rows: Vec<u16>,
}

/// The distances with some boxes as walls.
#[derive(Debug)]
struct Walled {
    way: StepTable,
    /// The row of a box that the player touches, by arrival; [`NONE`] if the player's cell is not free.
    touched: Vec<u16>,
    /// The row of a box that the player does not touch, by its row on the open floor.
    untouched: Vec<u16>,
}

impl<const G: usize> FrozenWalls<G> {
    pub fn new(board: &DenseBoard) -> Self {
        Self {
            known: HashMap::new(),
            bytes: 0,
            matcher: Matcher::new(board.way(Side::Forward), board.boxes()),
            matching: Matching::empty(board.boxes()),
            rows: Vec::new(),
        }
    }

    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// A lower bound on the remaining pushes, given the frozen boxes, all on goals; `None` if the position is dead.
    pub fn bound<const L: usize>(
        &mut self,
        board: &DenseBoard,
        plane: &Plane<G>,
        frozen: Set<G>,
        boxes: Set<L>,
        zone: Set<G>,
    ) -> Option<u32> {
        if !self.known.contains_key(&frozen.0) {
            let walled = Walled::new(board, plane, frozen);
            if self.bytes + walled.bytes() > MAX_BYTES {
                self.known.clear();
                self.bytes = 0;
            }
            self.bytes += walled.bytes();
            self.known.insert(frozen.0, walled);
        }
        let walled = self.known.get(&frozen.0)?;
        let player = zone.lowest();
        self.rows.clear();
        for square in boxes.iter() {
            let row = match (4 * square..4 * square + 4).find(|&arrival| board.is_beside(arrival, zone)) {
                Some(arrival) => walled.touched[arrival],
                None => walled.untouched[usize::from(board.row_at(square, player))],
            };
            if row == NONE {
                return None;
            }
            self.rows.push(row);
        }
        let paired = self.matcher.solve(&walled.way, &mut self.matching, self.rows.iter().copied());
        paired.then_some(self.matching.total as u32)
    }
}

impl Walled {
    fn new<const G: usize>(board: &DenseBoard, plane: &Plane<G>, frozen: Set<G>) -> Self {
        let open = plane.floor.without(frozen);
        let base = board.way(Side::Forward);
        let (live, stride) = (board.live_count(), base.stride());
        let mut touched = vec![NONE; 4 * live];
        // The square of each row of a box that is not frozen.
        let mut squares: Vec<usize> = Vec::new();
        for square in (0..live).filter(|&square| open.contains(board.cell(square))) {
            let mut around = open;
            around.remove(board.cell(square));
            for arrival in 4 * square..4 * square + 4 {
                if touched[arrival] != NONE || !board.is_beside(arrival, around) {
                    continue;
                }
                let component = plane.zone(around, board.beside(arrival).into());
                for other in (arrival..4 * square + 4).filter(|&other| board.is_beside(other, component)) {
                    touched[other] = squares.len() as u16;
                }
                squares.push(square);
            }
        }
        let mut rows = vec![INFINITE; squares.len() * stride];
        let mut queue: Vec<u16> = Vec::new();
        for (target, &goal) in board.goals().iter().enumerate() {
            let goal = usize::from(goal);
            if !open.contains(board.cell(goal)) {
                continue;
            }
            queue.clear();
            queue.extend((0..squares.len()).filter(|&row| squares[row] == goal).map(|row| row as u16));
            queue.iter().for_each(|&row| rows[usize::from(row) * stride + target] = 0);
            let mut next = 0;
            while let Some(&row) = queue.get(next) {
                next += 1;
                let square = squares[usize::from(row)];
                let pushes = (rows[usize::from(row) * stride + target] + 1).min(LONGEST as i16);
                for side in 0..4 {
                    let arrival = 4 * square + side;
                    if touched[arrival] != row || !board.is_good(arrival) {
                        continue;
                    }
                    // The push of this arrival: the box came from the player's cell, the player from the cell beyond.
                    let from = board.live_at(board.beside(arrival).into());
                    if from == NONE {
                        continue;
                    }
                    let before = touched[4 * usize::from(from) + side];
                    if before != NONE && rows[usize::from(before) * stride + target] == INFINITE {
                        rows[usize::from(before) * stride + target] = pushes;
                        queue.push(before);
                    }
                }
            }
        }
        let untouched = Self::untouched(board, &touched, &mut rows);
        for (target, &goal) in board.goals().iter().enumerate() {
            let goal = usize::from(goal);
            if !open.contains(board.cell(goal)) {
                // A frozen box has distance 0 to its own goal.
                let row = (rows.len() / stride) as u16;
                rows.resize(rows.len() + stride, INFINITE);
                rows[usize::from(row) * stride + target] = 0;
                touched[4 * goal..4 * goal + 4].fill(row);
            }
        }
        let untouched = (0..base.row_count() as u16)
            .map(|row| match board.row_live(row) {
                square if open.contains(board.cell(square)) => untouched[usize::from(row)],
                square => touched[4 * square],
            })
            .collect();
        Self { way: StepTable::of_rows(rows, stride), touched, untouched }
    }

    /// For each row on the open floor the minimum over the components it is split into.
    fn untouched(board: &DenseBoard, touched: &[u16], rows: &mut Vec<i16>) -> Vec<u16> {
        let base = board.way(Side::Forward);
        let stride = base.stride();
        let mut untouched = vec![NONE; base.row_count()];
        for (row, minimum) in untouched.iter_mut().enumerate() {
            let square = board.row_live(row as u16);
            let mut components: Vec<u16> = Vec::new();
            for (arrival, &component) in touched.iter().enumerate().skip(4 * square).take(4) {
                let cell = board.beside(arrival);
                let touches = component != NONE && usize::from(board.row_at(square, cell.into())) == row;
                if touches && !components.contains(&component) {
                    components.push(component);
                }
            }
            *minimum = match components[..] {
                [] => NONE,
                [component] => component,
                _ => {
                    for column in 0..stride {
                        let value = components.iter().map(|&row| rows[usize::from(row) * stride + column]).min();
                        rows.push(value.unwrap_or(INFINITE));
                    }
                    (rows.len() / stride - 1) as u16
                }
            };
        }
        untouched
    }

    fn bytes(&self) -> usize {
        2 * (self.way.row_count() * self.way.stride() + self.touched.len() + self.untouched.len()) + 128
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Board;
    use crate::dense::corral::CorralRules;
    use crate::feature::board::{FeatureBoard, WALL};
    use crate::feature::lone_box::LoneBox;
    use crate::oracle::{levels, reachable};
    use lurd_base::Budget;
    use std::sync::Arc;

    /// The goals that a box can reach are those of the lone box on the feature board with the same walls. Only arrivals
    /// that can occur in a solution are compared: the others have no row here.
    #[test]
    fn reachable_goals_are_those_of_the_lone_box() {
        let mut compared = 0;
        for map in levels(43, 10_000) {
            let board = Arc::new(Board::new(&map).unwrap());
            let Some(dense) = DenseBoard::new(&board, &Budget::unlimited()).unwrap() else { continue };
            let features = FeatureBoard::new(Arc::clone(&board));
            let is_plain = board.squares().all(|square| features.bare()[usize::from(square)] == 0);
            if !is_plain || dense.is_hopeless() {
                continue;
            }
            let rules = CorralRules::<2>::new(&dense);
            let mut known = Vec::new();
            for state in reachable(&board) {
                let boxes: Set<2> = state.boxes.iter().map(|square| dense.cell_on(square)).collect();
                let frozen = rules.frozen(boxes);
                if rules.is_frozen(boxes) || known.contains(&frozen) {
                    continue;
                }
                known.push(frozen);
                let walled = Walled::new(&dense, &dense.plane(), frozen);
                let mut walls = features.bare().to_vec();
                frozen.iter().for_each(|cell| walls[usize::from(dense.square(cell))] = WALL);
                let lone = LoneBox::new(&features, &walls);
                let goals = lone.reachable(&features, board.goals());
                for arrival in (0..walled.touched.len()).filter(|&arrival| dense.is_good(arrival)) {
                    let (square, beside) = (dense.cell(arrival / 4), usize::from(dense.beside(arrival)));
                    let (row, is_frozen) = (walled.touched[arrival], frozen.contains(square));
                    if is_frozen || frozen.contains(beside) {
                        assert_eq!(row == NONE, !is_frozen);
                        continue;
                    }
                    let vertex = lone.vertex(&features, dense.square(square), dense.square(beside)).unwrap();
                    for (goal, &distance) in walled.way.row(row)[..dense.boxes()].iter().enumerate() {
                        let is_reachable = goals.of(vertex)[0] >> goal & 1 != 0;
                        assert_eq!(distance < INFINITE, is_reachable, "{map}arrival {arrival}, goal {goal}");
                        compared += usize::from(!frozen.is_empty());
                    }
                }
            }
        }
        assert!(compared > 5_000, "only {compared} values with frozen boxes");
    }
}
