//! A solution as a list of pushes. Walks are always shortest, so they follow from the pushes.

use crate::Metric;
use lurd_level::Direction;
use lurd_rules::push::written;
use lurd_rules::{Bits, Board, NO_SQUARE, Push, Square, State, Walker};
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Range;

/// The cost of a route: the primary metric, then the secondary one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Cost {
    pub(super) first: u32,
    pub(super) second: u32,
}

impl Cost {
    /// The cost of this many pushes and moves (pushes included).
    pub(super) fn new(metric: Metric, pushes: u32, moves: u32) -> Self {
        let (first, second) = metric.order(pushes, moves);
        Self { first, second }
    }

    #[inline]
    pub(super) fn walk(metric: Metric, steps: u32) -> Self {
        Self::new(metric, 0, steps)
    }

    #[inline]
    pub(super) fn plus(self, other: Self) -> Self {
        Self { first: self.first + other.first, second: self.second + other.second }
    }
}

/// The pushes of a solution, and the length of the walk before each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Route {
    pub(super) pushes: Vec<Push>,
    pub(super) walks: Vec<u32>,
}

impl Route {
    /// Reads plain LURD letters of either case. `None` if a move is illegal or the level is not solved at the end.
    pub(super) fn read(board: &Board, lurd: &str) -> Option<Self> {
        let mut state = State::start(board);
        let mut pushes = Vec::new();
        for letter in lurd.chars() {
            pushes.extend(state.step(board, Direction::from_letter(letter)?)?);
        }
        if state.boxes != *board.goal_set() {
            return None;
        }
        Self::of(board, pushes)
    }

    /// The route of these pushes with shortest walks, if all are legal and the last one solves the level.
    pub(super) fn of(board: &Board, pushes: Vec<Push>) -> Option<Self> {
        let mut walker = Walker::new(board);
        let mut state = State::start(board);
        let mut walks = Vec::with_capacity(pushes.len());
        for &push in &pushes {
            let (behind, to) = (push.behind(board), push.to(board));
            if behind == NO_SQUARE || to == NO_SQUARE || !state.boxes.contains(push.from) || state.boxes.contains(to) {
                return None;
            }
            walker.measure(board, &state.boxes, state.player);
            if !walker.reached(behind) {
                return None;
            }
            walks.push(walker.steps(behind).into());
            state.boxes.shift(push.from, to);
            state.player = push.from;
        }
        (state.boxes == *board.goal_set()).then_some(Self { pushes, walks })
    }

    /// The number of pushes.
    pub(super) fn len(&self) -> usize {
        self.pushes.len()
    }

    pub(super) fn cost(&self, metric: Metric) -> Cost {
        self.cost_between(metric, 0, self.len())
    }

    /// The cost of pushes `start..end` with the walks before them.
    pub(super) fn cost_between(&self, metric: Metric, start: usize, end: usize) -> Cost {
        let pushes = (end - start) as u32;
        let walked: u32 = self.walks[start..end].iter().sum();
        Cost::new(metric, pushes, pushes + walked)
    }

    /// The position after the first `count` pushes.
    pub(super) fn position(&self, board: &Board, count: usize) -> State {
        let mut state = State::start(board);
        for push in &self.pushes[..count] {
            state.boxes.shift(push.from, push.to(board));
            state.player = push.from;
        }
        state
    }

    /// The position before each push and after the last, with the lowest square of the player's zone: positions are
    /// equal up to a walk if boxes and zone are. In a solved position the zone does not matter.
    pub(super) fn positions(&self, board: &Board) -> Vec<(State, Square)> {
        let mut walker = Walker::new(board);
        let mut state = State::start(board);
        let mut positions = Vec::with_capacity(self.len() + 1);
        for index in 0..=self.len() {
            let solved = state.boxes == *board.goal_set();
            let zone = if solved { NO_SQUARE } else { walker.fill(board, &state.boxes, state.player) };
            positions.push((state.clone(), zone));
            if let Some(&push) = self.pushes.get(index) {
                state.boxes.shift(push.from, push.to(board));
                state.player = push.from;
            }
        }
        positions
    }

    /// The boxes before each push of a window, and after the last.
    pub(super) fn boxes_along(&self, board: &Board, window: &Range<usize>) -> Vec<Bits> {
        let mut boxes = self.position(board, window.start).boxes;
        let mut positions = vec![boxes.clone()];
        for push in &self.pushes[window.clone()] {
            boxes.shift(push.from, push.to(board));
            positions.push(boxes.clone());
        }
        positions
    }

    /// The number of the box of each push; boxes are numbered by their squares at the start.
    pub(super) fn owners(&self, board: &Board) -> Vec<u16> {
        let mut numbers = vec![0; board.len()];
        board.start_boxes().iter().zip(0..).for_each(|(&square, number)| numbers[usize::from(square)] = number);
        let moved = |push: &Push| {
            let number = numbers[usize::from(push.from)];
            numbers[usize::from(push.to(board))] = number;
            number
        };
        self.pushes.iter().map(moved).collect()
    }

    /// The pushes that are not at the beginning or the end of another route.
    pub(super) fn changed_since(&self, before: &Self) -> Range<usize> {
        let start = before.pushes.iter().zip(&self.pushes).take_while(|(old, new)| old == new).count();
        let longest = before.len().min(self.len()) - start;
        let pairs = before.pushes.iter().rev().zip(self.pushes.iter().rev());
        let end = self.len() - pairs.take(longest).take_while(|(old, new)| old == new).count();
        start..end
    }

    /// The hash of a window and the scope of its search.
    pub(super) fn window(&self, board: &Board, window: Range<usize>, scope: impl Hash) -> u64 {
        let mut hasher = DefaultHasher::new();
        let state = self.position(board, window.start);
        (state.boxes, state.player, window.end == self.len()).hash(&mut hasher);
        scope.hash(&mut hasher);
        for push in &self.pushes[window] {
            (push.from, push.direction as u8).hash(&mut hasher);
        }
        hasher.finish()
    }

    pub(super) fn write(&self, board: &Board) -> String {
        written(board, &self.pushes)
    }

    /// The same solution without cycles: if a position recurs, up to the player's walk, the pushes between are removed.
    /// Pushes that undo each other are the shortest cycles. The result never has more pushes; `None` if there is no
    /// cycle, or the result is not cheaper because its walks are longer.
    pub(super) fn without_cycles(&self, board: &Board, metric: Metric) -> Option<Self> {
        let positions = self.positions(board);
        let keys: Vec<(&Bits, Square)> = positions.iter().map(|(state, zone)| (&state.boxes, *zone)).collect();
        // The last of equal positions.
        let last: HashMap<(&Bits, Square), usize> = keys.iter().copied().zip(0..).collect();
        let mut kept = Vec::with_capacity(self.len());
        let mut index = 0;
        while index < self.len() {
            index = last[&keys[index]];
            if let Some(&push) = self.pushes.get(index) {
                kept.push(push);
                index += 1;
            }
        }
        if kept.len() == self.len() {
            return None;
        }
        Self::of(board, kept).filter(|shorter| shorter.cost(metric) < self.cost(metric))
    }
}
