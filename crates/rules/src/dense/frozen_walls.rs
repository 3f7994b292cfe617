//! Boxes that can never move again are walls for all the others.
//!
//! A box frozen on its goal stays there whatever is done, so the distances of the others may be measured with it as a
//! wall: they only grow, and a box that finds no goal open any more makes the position dead. This is what tells that a room
//! of goals is being filled in a bad order. The pairing by these distances is a bound of its own: what groups of boxes cost
//! each other is measured on the open floor, and a way round counted there must not be counted twice.
//!
//! Distances are kept for each set of frozen boxes that was met, by a box's square and the part of the floor beside it
//! that the player stands on. Where he does not touch a box, the least of all parts he could be on counts. When the
//! sets become too many all are forgotten; what is asked again is made again, so nothing depends on it.

use crate::dense::board::{DenseBoard, INFINITE, LONGEST, NONE, Plane, Side, StepTable};
use crate::dense::matching::{Matcher, Matching};
use crate::dense::set::Set;
use std::collections::HashMap;

/// Bytes of all distances one thread keeps, about.
const MOST_BYTES: usize = 4 << 20;

/// One thread's distances by frozen boxes.
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
    /// The row of a box by `4 * live square + side the player touches it on`; [`NONE`] where he cannot stand.
    touched: Vec<u16>,
    /// The row of a box that he does not touch, by its row on the open floor.
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

    /// Bytes held, about.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// A lower bound of the pushes left where some of the boxes, all on goals, can never move; `None` if the
    /// position is dead.
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
            if self.bytes + walled.bytes() > MOST_BYTES {
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
            let touches = |&arrival: &usize| {
                let cell = board.beside(arrival);
                cell != NONE && zone.contains(cell.into())
            };
            let row = match (4 * square..4 * square + 4).find(touches) {
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
        // The square of each row, for rows of boxes that can still move.
        let mut squares: Vec<usize> = Vec::new();
        for square in (0..live).filter(|&square| open.contains(board.cell(square))) {
            let mut around = open;
            around.remove(board.cell(square));
            for arrival in 4 * square..4 * square + 4 {
                let cell = board.beside(arrival);
                if touched[arrival] != NONE || cell == NONE || !around.contains(cell.into()) {
                    continue;
                }
                let part = plane.zone(around, cell.into());
                for (other, row) in touched.iter_mut().enumerate().take(4 * square + 4).skip(arrival) {
                    let cell = board.beside(other);
                    if cell != NONE && part.contains(cell.into()) {
                        *row = squares.len() as u16;
                    }
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
                let further = (rows[usize::from(row) * stride + target] + 1).min(LONGEST as i16);
                for side in 0..4 {
                    let arrival = 4 * square + side;
                    if touched[arrival] != row || !board.is_good(arrival) {
                        continue;
                    }
                    // The push that ended so: the box came from where the player stands, he from beyond.
                    let from = board.live_at(board.beside(arrival).into());
                    if from == NONE {
                        continue;
                    }
                    let before = touched[4 * usize::from(from) + side];
                    if before != NONE && rows[usize::from(before) * stride + target] == INFINITE {
                        rows[usize::from(before) * stride + target] = further;
                        queue.push(before);
                    }
                }
            }
        }
        let untouched = Self::untouched(board, &touched, &mut rows);
        for (target, &goal) in board.goals().iter().enumerate() {
            let goal = usize::from(goal);
            if !open.contains(board.cell(goal)) {
                // What is frozen is at home.
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

    /// For each row on the open floor the least of the parts it falls into.
    fn untouched(board: &DenseBoard, touched: &[u16], rows: &mut Vec<i16>) -> Vec<u16> {
        let base = board.way(Side::Forward);
        let stride = base.stride();
        let mut untouched = vec![NONE; base.row_count()];
        for (row, least) in untouched.iter_mut().enumerate() {
            let square = board.row_live(row as u16);
            let mut parts: Vec<u16> = Vec::new();
            for (arrival, &part) in touched.iter().enumerate().skip(4 * square).take(4) {
                let cell = board.beside(arrival);
                if part != NONE && usize::from(board.row_at(square, cell.into())) == row && !parts.contains(&part) {
                    parts.push(part);
                }
            }
            *least = match parts[..] {
                [] => NONE,
                [part] => part,
                _ => {
                    let both = (rows.len() / stride) as u16;
                    for column in 0..stride {
                        let value = parts.iter().map(|&part| rows[usize::from(part) * stride + column]).min();
                        rows.push(value.unwrap_or(INFINITE));
                    }
                    both
                }
            };
        }
        untouched
    }

    fn bytes(&self) -> usize {
        2 * (self.way.row_count() * self.way.stride() + self.touched.len() + self.untouched.len()) + 128
    }
}
