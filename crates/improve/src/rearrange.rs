//! Rearrangement: the best order of the pushes of a route.
//!
//! The pushes are divided into two sequences, those of one or two boxes and the rest. Dynamic programming over (pushes made
//! of the one, pushes made of the other, whose push was last) finds the interleaving with the fewest steps among
//! exponentially many: the boxes of such a cell do not depend on the order, and the player stands where the last push has
//! left him.

use crate::poller::Poller;
use crate::route::Route;
use lurd_rules::{Bits, Board, Push, Square, State};

/// The work of one cell, in units of the schedule.
const WORK: u64 = 16;

/// A cell costs as much as so many positions of a beam search.
const POSITIONS: u64 = 4;

/// The largest table of back pointers in bytes; longer sequences are left as they are.
const TABLE_BYTES: usize = 64 << 20;

/// No interleaving leads to a cell.
const NEVER: u32 = u32::MAX;

/// Whose push was the last: of the sequence that is moved, or of the rest.
const MOVED: usize = 0;
const REST: usize = 1;

/// Working memory that is reused from call to call.
pub(super) struct Rearranger<'b> {
    board: &'b Board,
    walks: Walks,
    /// For each cell, the last mover of the cell before, as one bit for each last mover of its own.
    back: Vec<u8>,
    /// The fewest steps to the cells of a row and of the next one.
    row: Vec<[u32; 2]>,
    next: Vec<[u32; 2]>,
}

impl<'b> Rearranger<'b> {
    pub(super) fn new(board: &'b Board) -> Self {
        Self { board, walks: Walks::new(board), back: Vec::new(), row: Vec::new(), next: Vec::new() }
    }

    /// The route with the best interleaving of the pushes of some boxes with those of the others; `owners` has the box of
    /// each push. No push is made earlier than another one that was more than `band` pushes before it. `None` if the
    /// order is the best already, or the budget ends.
    pub(super) fn rearranged(
        &mut self,
        route: &Route,
        owners: &[u16],
        boxes: &[u16],
        band: usize,
        poller: &mut Poller,
    ) -> Option<Vec<Push>> {
        let (moved, rest): (Vec<usize>, Vec<usize>) = (0..route.len()).partition(|&push| boxes.contains(&owners[push]));
        let width = rest.len() + 1;
        let bytes = (moved.len() + 1) * width;
        if moved.is_empty() || rest.is_empty() || bytes > TABLE_BYTES || poller.lacks_memory(bytes) {
            return None;
        }
        let before = route.walks.iter().sum::<u32>();
        self.back.clear();
        self.back.resize(bytes, 0);
        self.row.clear();
        self.row.resize(width, [NEVER; 2]);
        self.next.clear();
        self.next.resize(width, [NEVER; 2]);
        let State { boxes: mut first, player: start } = State::start(self.board);
        self.row[0][REST] = 0;
        let mut boxes = first.clone();
        let (mut from, mut to) = (0, 0);
        for done in 0..=moved.len() {
            // The cells reached lie side by side, from `from` on, and their end is found on the way.
            boxes.clone_from(&first);
            for &push in &rest[..from] {
                self.toggle(&mut boxes, route.pushes[push]);
            }
            let (mut next_from, mut next_to) = (usize::MAX, 0);
            let mut at = from;
            while at <= to {
                let cell = self.row[at];
                let mine = moved.get(done).copied();
                let other = rest.get(at).copied();
                let early =
                    |push: usize, than: Option<usize>| than.is_none_or(|than| push <= than.saturating_add(band));
                let pushes = [mine.filter(|&push| early(push, other)), other.filter(|&push| early(push, mine))]
                    .map(|push| push.map(|push| route.pushes[push]).filter(|&push| self.is_legal(&boxes, push)));
                if pushes.iter().any(Option::is_some) {
                    for last in [MOVED, REST] {
                        if cell[last] >= before {
                            continue;
                        }
                        poller.charge(POSITIONS);
                        if poller.work(1, WORK, || bytes) {
                            return None;
                        }
                        let player = match last {
                            MOVED => route.pushes[moved[done - 1]].from,
                            _ if at > 0 => route.pushes[rest[at - 1]].from,
                            _ => start,
                        };
                        let stands = pushes.map(|push| push.map(|push| push.behind(self.board)));
                        let steps = self.walks.steps(self.board, &boxes, player, stands);
                        for mover in [MOVED, REST] {
                            let Some(walked) = steps[mover] else { continue };
                            let (down, along) = if mover == MOVED { (done + 1, at) } else { (done, at + 1) };
                            let known = if mover == MOVED { &mut self.next[along] } else { &mut self.row[along] };
                            if cell[last] + walked < known[mover] {
                                known[mover] = cell[last] + walked;
                                let back = &mut self.back[down * width + along];
                                *back = *back & !(1 << mover) | (last as u8) << mover;
                                if mover == MOVED {
                                    next_from = next_from.min(at);
                                    next_to = at;
                                } else {
                                    to = to.max(at + 1);
                                }
                            }
                        }
                    }
                }
                if let Some(push) = other {
                    self.toggle(&mut boxes, route.pushes[push]);
                }
                at += 1;
            }
            if done == moved.len() {
                break;
            }
            if next_from == usize::MAX {
                return None;
            }
            self.row[from..=to].fill([NEVER; 2]);
            std::mem::swap(&mut self.row, &mut self.next);
            (from, to) = (next_from, next_to);
            self.toggle(&mut first, route.pushes[moved[done]]);
        }
        let end = self.row[rest.len()];
        let last = if end[MOVED] < end[REST] { MOVED } else { REST };
        (end[last] < before).then(|| self.order(route, &moved, &rest, last))
    }

    /// The pushes in the order that the back pointers hold.
    fn order(&self, route: &Route, moved: &[usize], rest: &[usize], mut last: usize) -> Vec<Push> {
        let width = rest.len() + 1;
        let (mut done, mut at) = (moved.len(), rest.len());
        let mut pushes = Vec::with_capacity(route.len());
        while done + at > 0 {
            let before = usize::from(self.back[done * width + at] >> last & 1);
            if last == MOVED {
                done -= 1;
                pushes.push(route.pushes[moved[done]]);
            } else {
                at -= 1;
                pushes.push(route.pushes[rest[at]]);
            }
            last = before;
        }
        pushes.reverse();
        pushes
    }

    /// Makes or takes back a push; which of both follows from the rest of the order.
    fn toggle(&self, boxes: &mut Bits, push: Push) {
        for square in [push.from, push.to(self.board)] {
            if boxes.contains(square) {
                boxes.remove(square);
            } else {
                boxes.insert(square);
            }
        }
    }

    fn is_legal(&self, boxes: &Bits, push: Push) -> bool {
        boxes.contains(push.from) && !boxes.contains(push.to(self.board)) && !boxes.contains(push.behind(self.board))
    }
}

/// Walking distances to two squares at once.
struct Walks {
    stamps: Vec<u32>,
    stamp: u32,
    steps: Vec<u32>,
    queue: Vec<Square>,
}

impl Walks {
    fn new(board: &Board) -> Self {
        Self {
            stamps: vec![0; board.len()],
            stamp: 0,
            steps: vec![0; board.len()],
            queue: Vec::with_capacity(board.len()),
        }
    }

    /// The steps to each of two squares, where there is a way; the search ends as soon as both are reached.
    fn steps(&mut self, board: &Board, boxes: &Bits, from: Square, to: [Option<Square>; 2]) -> [Option<u32>; 2] {
        self.stamp = self.stamp.wrapping_add(1);
        if self.stamp == 0 {
            self.stamps.fill(0);
            self.stamp = 1;
        }
        let mut found = [None; 2];
        let mut wanted = to.iter().flatten().count();
        self.queue.clear();
        self.queue.push(from);
        self.stamps[usize::from(from)] = self.stamp;
        self.steps[usize::from(from)] = 0;
        let mut next = 0;
        while let Some(&square) = self.queue.get(next) {
            next += 1;
            let steps = self.steps[usize::from(square)];
            for (found, _) in found.iter_mut().zip(to).filter(|(_, to)| *to == Some(square)) {
                *found = Some(steps);
                wanted -= 1;
            }
            if wanted == 0 {
                break;
            }
            for &neighbour in board.neighbours(square) {
                let index = usize::from(neighbour);
                if index < self.stamps.len() && self.stamps[index] != self.stamp && !boxes.contains(neighbour) {
                    self.stamps[index] = self.stamp;
                    self.steps[index] = steps + 1;
                    self.queue.push(neighbour);
                }
            }
        }
        found
    }
}
