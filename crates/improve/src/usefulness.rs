//! How late a configuration (the squares of the boxes) can be reached and still be useful for a window of the route.
//!
//! A configuration is compared with positions of the route. If few boxes are displaced, the configuration is as good as
//! that position, but for the pushes that bring the displaced boxes where the route has its own at the end of the window.
//! So it may cost as much as the route has paid there, and some slack.

use crate::grid::{Cell, Grid, each};
use crate::route::Cost;
use lurd_level::Direction;

/// The positions of the route that a configuration is compared with: so many, from so many before the most similar one
/// of the configuration it comes from.
const SPAN: usize = 128;
const BEFORE: usize = 48;

/// No displaced box is nearer to its end by more than this, so that the comparison can end early.
const EASE: i32 = 30;

/// What a box costs that cannot be pushed to its end alone on the board.
const UNREACHABLE: i32 = 20;

/// The maximum number of displaced boxes.
pub(super) const MOST_DISPLACED: usize = 4;

/// No number of displaced boxes that counts is as large, and sums of a few more fit into a byte.
const MANY: u8 = 100;

const FAR: i16 = i16::MAX;

/// How useful a configuration is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Use {
    /// The largest primary cost with which it is useful.
    pub(super) limit: i32,
    /// The position of the route that this follows from.
    pub(super) near: u32,
}

/// The tables of a window of the route.
pub(super) struct Usefulness {
    positions: usize,
    cells: usize,
    words: usize,
    /// For each cell a row with 1 for each position of the route that has no box there; padded.
    absent: Vec<u8>,
    /// For each position, the number of its boxes that the positions from [`BEFORE`] it on do not have.
    apart: Vec<[u8; SPAN]>,
    boxes: Vec<u64>,
    /// The primary cost of the route at each position.
    paid: Vec<i32>,
    /// For each position, the number of the box on each cell.
    box_at: Vec<u16>,
    /// For each box, the pushes from each cell to the box's cell at the end of the window.
    to_end: Vec<i16>,
}

impl Usefulness {
    /// The size in bytes for a window.
    pub(super) fn bytes(cells: usize, boxes: usize, positions: usize) -> usize {
        cells * (positions + SPAN) + positions * (SPAN + cells * 2 + cells / 8 + 4) + boxes * cells * 2
    }

    /// The tables for the positions of a window, each made by a push of one box of the one before, with the cost of the
    /// route at each.
    pub(super) fn new(grid: &Grid, positions: &[Vec<u64>], paid: &[Cost]) -> Self {
        let (count, cells) = (positions.len(), grid.words * 64);
        let stride = count + SPAN;
        let mut absent = vec![1; cells * stride];
        let mut box_at = vec![u16::MAX; cells * count];
        let mut current: Vec<u16> = vec![u16::MAX; cells];
        let mut boxes = 0;
        for (word, &bits) in positions[0].iter().enumerate() {
            each(bits, word, |cell| {
                current[cell] = boxes as u16;
                boxes += 1;
            });
        }
        for (index, position) in positions.iter().enumerate() {
            let before = &positions[index.saturating_sub(1)];
            let (mut gone, mut come) = (None, None);
            for (word, (&before, &now)) in before.iter().zip(position).enumerate() {
                each(before & !now, word, |cell| gone = Some(cell));
                each(now & !before, word, |cell| come = Some(cell));
                each(now, word, |cell| absent[cell * stride + index] = 0);
            }
            if let (Some(gone), Some(come)) = (gone, come) {
                current.swap(gone, come);
            }
            box_at[index * cells..][..cells].copy_from_slice(&current);
        }
        let mut apart = vec![[MANY; SPAN]; count];
        for (index, (row, position)) in apart.iter_mut().zip(positions).enumerate() {
            let low = index.saturating_sub(BEFORE);
            let used = SPAN.min(count - low);
            row[..used].fill(0);
            for (word, &bits) in position.iter().enumerate() {
                each(bits, word, |cell| {
                    let absent = &absent[cell * stride + low..][..used];
                    row.iter_mut().zip(absent).for_each(|(sum, &one)| *sum = (*sum + one).min(MANY));
                });
            }
        }
        let mut to_end = vec![FAR; boxes * cells];
        for (cell, &number) in current.iter().enumerate().filter(|(_, number)| **number != u16::MAX) {
            pushes_to(grid, cell as Cell, &mut to_end[usize::from(number) * cells..][..cells]);
        }
        let boxes = positions.concat();
        let paid = paid.iter().map(|cost| cost.first as i32).collect();
        Self { positions: count, cells, words: grid.words, absent, apart, boxes, paid, box_at, to_end }
    }

    #[inline]
    fn row(&self, cell: usize, low: usize) -> &[u8] {
        let start = cell * (self.positions + SPAN) + low;
        &self.absent[start..start + SPAN]
    }

    /// The use of a configuration that resembles the position `near`; `None` if more than `displaced` boxes are displaced
    /// against every position compared.
    #[inline]
    pub(super) fn of(&self, boxes: &[u64], near: u32, displaced: usize, slack: i32) -> Option<Use> {
        let near = near as usize;
        let low = near.saturating_sub(BEFORE);
        let mut apart = self.apart[near];
        let own = &self.boxes[near * self.words..][..self.words];
        for (word, (&own, &boxes)) in own.iter().zip(boxes).enumerate() {
            each(boxes & !own, word, |cell| {
                apart.iter_mut().zip(self.row(cell, low)).for_each(|(sum, &one)| *sum += one);
            });
        }
        for (word, (&own, &boxes)) in own.iter().zip(boxes).enumerate() {
            each(own & !boxes, word, |cell| {
                apart.iter_mut().zip(self.row(cell, low)).for_each(|(sum, &one)| *sum -= one);
            });
        }
        let mut best: Option<Use> = None;
        // Eight numbers are tested at once, the latest first.
        for (index, eight) in apart.as_chunks::<8>().0.iter().enumerate().rev() {
            let small = small_bytes(u64::from_le_bytes(*eight), displaced as u8);
            let mut left = small;
            while left != 0 {
                let top = left.leading_zeros() / 8;
                let byte = 7 - top as usize;
                left &= !(0x80 << (byte * 8));
                let position = low + index * 8 + byte;
                let latest = self.paid[position] + slack;
                if let Some(known) = best
                    && latest + EASE < known.limit
                {
                    return best;
                }
                let limit = latest - self.detour(boxes, position);
                if best.is_none_or(|known| limit > known.limit) {
                    best = Some(Use { limit, near: position as u32 });
                }
            }
        }
        best
    }

    /// The pushes that displaced boxes need beyond those of the route, in the best pairing of displaced boxes with empty
    /// cells.
    #[inline]
    fn detour(&self, boxes: &[u64], position: usize) -> i32 {
        let own = &self.boxes[position * self.words..][..self.words];
        let (mut from, mut to) = ([0; MOST_DISPLACED], [0; MOST_DISPLACED]);
        let (mut count, mut vacant) = (0, 0);
        for (word, (&own, &boxes)) in own.iter().zip(boxes).enumerate() {
            each(boxes & !own, word, |cell| {
                from[count] = cell;
                count += 1;
            });
            each(own & !boxes, word, |cell| {
                to[vacant] = cell;
                vacant += 1;
            });
        }
        let cost = |from: usize, to: usize| {
            let number = usize::from(self.box_at[position * self.cells + to]);
            let row = &self.to_end[number * self.cells..][..self.cells];
            let way = |cell: usize| if row[cell] == FAR { None } else { Some(i32::from(row[cell])) };
            match (way(from), way(to)) {
                (Some(from), Some(to)) => from - to,
                _ => UNREACHABLE,
            }
        };
        match count {
            0 => 0,
            1 => cost(from[0], to[0]),
            2 => (cost(from[0], to[0]) + cost(from[1], to[1])).min(cost(from[0], to[1]) + cost(from[1], to[0])),
            _ => cheapest(&from[..count], &mut to[..count], &cost),
        }
    }
}

/// The cheapest pairing, by trying all.
fn cheapest(from: &[usize], to: &mut [usize], cost: &impl Fn(usize, usize) -> i32) -> i32 {
    let Some((&first, rest)) = from.split_first() else { return 0 };
    let mut least = i32::MAX;
    for choice in 0..to.len() {
        to.swap(0, choice);
        least = least.min(cost(first, to[0]) + cheapest(rest, &mut to[1..], cost));
        to.swap(0, choice);
    }
    least
}

/// The high bit of each byte that is at most `most`; all bytes are below 128.
#[inline]
fn small_bytes(eight: u64, most: u8) -> u64 {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = 0x8080_8080_8080_8080;
    // A byte above `most` makes the high bit.
    !(eight + ONES * u64::from(127 - most)) & HIGH
}

/// The pushes from each cell to one cell, of a box alone on the board whose pusher may stand anywhere.
fn pushes_to(grid: &Grid, to: Cell, pushes: &mut [i16]) {
    pushes[to as usize] = 0;
    let mut queue = vec![to];
    let mut next = 0;
    while let Some(&cell) = queue.get(next) {
        next += 1;
        for direction in Direction::ALL {
            let from = grid.next(cell, direction);
            if !grid.is_wall(from) && !grid.is_wall(grid.next(from, direction)) && pushes[from as usize] == FAR {
                pushes[from as usize] = pushes[cell as usize].saturating_add(1);
                queue.push(from);
            }
        }
    }
}
