//! A door: one square through which every box must go into the room where the goals are.
//!
//! The squares that boxes come to without standing in the door are *outside*; the others, the door left out, are the *room*. No
//! box starts in the room, and no goal is outside or the door itself: so every box outside has to stand in the door
//! some time, and boxes come into the room through the door alone. They may leave it elsewhere.

use lurd_rules::dense::board::{DenseBoard, NONE, Side};
use std::collections::VecDeque;

/// A door and what is on both sides of it.
#[derive(Clone, Debug)]
pub(crate) struct Chokepoint {
    /// The live square.
    pub(crate) square: u16,
    /// The live squares outside, ascending, and the place of each live square among them, or [`NONE`].
    pub(crate) outside: Vec<u16>,
    pub(crate) outside_at: Vec<u16>,
    /// The same for the room.
    pub(crate) room: Vec<u16>,
    pub(crate) room_at: Vec<u16>,
    /// By rows of distances: pushes that bring a box alone, from outside, to the door; [`NONE`] if it never gets there.
    /// Zero for boxes in the door and beyond.
    pub(crate) pushes: Vec<u16>,
}

impl Chokepoint {
    /// The door that is best by some measure, if there is any.
    pub(crate) fn find<M: Ord>(board: &DenseBoard, measure: impl Fn(&Self) -> M) -> Option<Self> {
        let doors = (0..board.live_count() as u16).filter_map(|square| Self::at(board, square));
        doors.max_by_key(measure)
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
                // Where no box can be pushed from on any solution nothing joins the squares.
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
        // From the door outwards, one push back at a time.
        let mut before = vec![Vec::new(); board.way(Side::Forward).row_count()];
        for (number, step) in steps.iter().enumerate().filter(|(_, step)| step.to != NONE) {
            before[usize::from(step.row)].push(board.row_at(number / 4, step.reach.into()));
        }
        let is_outside = |row: u16| outside_at[board.row_live(row)] != NONE;
        let mut pushes = vec![NONE; before.len()];
        let mut queue = VecDeque::new();
        for row in (0..before.len() as u16).filter(|&row| !is_outside(row)) {
            pushes[usize::from(row)] = 0;
            queue.push_back(row);
        }
        while let Some(row) = queue.pop_front() {
            for &before in &before[usize::from(row)] {
                if pushes[usize::from(before)] == NONE && is_outside(before) {
                    pushes[usize::from(before)] = pushes[usize::from(row)] + 1;
                    queue.push_back(before);
                }
            }
        }
        Some(Self { square, outside, outside_at, room, room_at, pushes })
    }
}
