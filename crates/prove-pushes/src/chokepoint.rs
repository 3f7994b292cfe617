//! A chokepoint: a square that every box must pass on its way into the room with the goals.
//!
//! The squares that boxes can reach without passing the chokepoint are *outside*; the others, except the chokepoint itself,
//! are the *room*. No box starts in the room, and no goal is outside or on the chokepoint: so every box outside must
//! stand on the chokepoint at some time, and boxes enter the room over it alone. They may leave it elsewhere.
//!
//! The division of a level at such a square follows Pereira, Ritt and Buriol 2015, who add an abstraction of the part
//! before it to the distances behind it.

use lurd_rules::dense::board::{DenseBoard, NONE, Side};
use std::collections::VecDeque;

/// A chokepoint and the squares on both sides of it.
#[derive(Clone, Debug)]
pub(crate) struct Chokepoint {
    /// The live square.
    pub(crate) square: u16,
    /// The live squares outside, ascending, and the index of each live square among them, or [`NONE`].
    pub(crate) outside: Vec<u16>,
    pub(crate) outside_at: Vec<u16>,
    /// The same for the room.
    pub(crate) room: Vec<u16>,
    pub(crate) room_at: Vec<u16>,
    /// By rows of distances: the pushes that bring a single box from outside to the chokepoint; [`NONE`] if it cannot
    /// get there. Zero for boxes on the chokepoint and in the room.
    pub(crate) pushes: Vec<u16>,
}

impl Chokepoint {
    /// The best chokepoint by some measure.
    pub(crate) fn find<M: Ord>(board: &DenseBoard, measure: impl Fn(&Self) -> M) -> Option<Self> {
        (0..board.live_count() as u16).filter_map(|square| Self::at(board, square)).max_by_key(measure)
    }

    fn at(board: &DenseBoard, square: u16) -> Option<Self> {
        if board.is_hopeless() || board.goals().contains(&square) {
            return None;
        }
        let live = board.live_count();
        let steps = &board.way(Side::Forward).steps;
        let mut is_outside = vec![false; live];
        let mut open: Vec<u16> = board.starts().iter().copied().filter(|&start| start != square).collect();
        open.iter().for_each(|&start| is_outside[usize::from(start)] = true);
        while let Some(from) = open.pop() {
            for step in &steps[4 * usize::from(from)..][..4] {
                let joined = step.to != NONE && step.to != square && !is_outside[usize::from(step.to)];
                // A row that no box can have in any solution connects no squares.
                if joined && board.is_possible(board.row_at(from.into(), step.reach.into())) {
                    is_outside[usize::from(step.to)] = true;
                    open.push(step.to);
                }
            }
        }
        if board.goals().iter().any(|&goal| is_outside[usize::from(goal)]) {
            return None;
        }
        let listed = |outside: bool| -> (Vec<u16>, Vec<u16>) {
            let list: Vec<u16> =
                (0..live as u16).filter(|&live| live != square && is_outside[usize::from(live)] == outside).collect();
            let mut place_of = vec![NONE; live];
            list.iter().enumerate().for_each(|(place, &live)| place_of[usize::from(live)] = place as u16);
            (list, place_of)
        };
        let ((outside, outside_at), (room, room_at)) = (listed(true), listed(false));
        if outside.is_empty() {
            return None;
        }
        // Breadth-first search from the chokepoint outwards, one push back at a time.
        let mut predecessors = vec![Vec::new(); board.way(Side::Forward).row_count()];
        for (number, step) in steps.iter().enumerate().filter(|(_, step)| step.to != NONE) {
            predecessors[usize::from(step.row)].push(board.row_at(number / 4, step.reach.into()));
        }
        let is_outside = |row: u16| outside_at[board.row_live(row)] != NONE;
        let mut pushes = vec![NONE; predecessors.len()];
        let mut queue = VecDeque::new();
        for row in (0..predecessors.len() as u16).filter(|&row| !is_outside(row)) {
            pushes[usize::from(row)] = 0;
            queue.push_back(row);
        }
        while let Some(row) = queue.pop_front() {
            for &before in &predecessors[usize::from(row)] {
                if pushes[usize::from(before)] == NONE && is_outside(before) {
                    pushes[usize::from(before)] = pushes[usize::from(row)] + 1;
                    queue.push_back(before);
                }
            }
        }
        Some(Self { square, outside, outside_at, room, room_at, pushes })
    }
}
