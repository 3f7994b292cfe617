//! The player term: the player's distance to the nearest box, with walls as obstacles but not boxes.
//!
//! The admissible form counts the steps to a neighbour of the nearest box: the player must take that many steps before
//! the first push, and none of them is a push, so the sum with a lower bound on pushes is a lower bound on moves. The
//! classic form, kept under its own name, counts the steps onto the nearest box off its goal, which is one too many.
//!
//! The value is computed by breadth-first search, with a queue and a mark for every square, or by iterative deepening,
//! which stores only the path: less memory, much more time.

use crate::names::PlayerTerm;
use lurd_base::Budget;
use lurd_level::Direction;
use lurd_rules::{Bits, Board, NO_SQUARE, Square, State};
use lurd_search::Guarantee;

pub(super) struct PlayerEstimate {
    term: PlayerTerm,
    budget: Budget,
    steps_taken: u64,
    queue: Vec<(Square, u16)>,
    seen: Bits,
    path: Vec<(Square, u8)>,
    peak_bytes: usize,
}

impl PlayerEstimate {
    pub(super) fn new(board: &Board, term: PlayerTerm, budget: &Budget) -> Self {
        Self {
            term,
            budget: budget.clone(),
            steps_taken: 0,
            queue: Vec::new(),
            seen: Bits::empty(board.len()),
            path: Vec::new(),
            peak_bytes: 0,
        }
    }

    pub(super) fn guarantee(&self) -> Guarantee {
        match self.term {
            PlayerTerm::Ids | PlayerTerm::Bfs => Guarantee::Consistent,
            PlayerTerm::ClassicIds => Guarantee::Inadmissible,
        }
    }

    pub(super) fn peak_bytes(&self) -> usize {
        self.peak_bytes
    }

    /// The term for an unsolved state.
    pub(super) fn estimate(&mut self, board: &Board, state: &State, targets: &Bits) -> u32 {
        let any_box = |square: Square| state.boxes.contains(square);
        match self.term {
            PlayerTerm::Bfs => self.breadth_first(board, state.player, any_box).saturating_sub(1),
            PlayerTerm::Ids => self.iterative_deepening(board, state.player, any_box).saturating_sub(1),
            PlayerTerm::ClassicIds => self.iterative_deepening(board, state.player, |square| {
                state.boxes.contains(square) && !targets.contains(square)
            }),
        }
    }

    fn breadth_first(&mut self, board: &Board, from: Square, is_goal: impl Fn(Square) -> bool) -> u32 {
        self.queue.clear();
        self.queue.push((from, 0));
        self.seen.words_mut().fill(0);
        self.seen.insert(from);
        let mut next = 0;
        let mut found = 0;
        while let Some(&(square, steps)) = self.queue.get(next) {
            next += 1;
            if is_goal(square) {
                found = steps;
                break;
            }
            for direction in Direction::ALL {
                let neighbour = board.neighbour(square, direction);
                if neighbour != NO_SQUARE && !self.seen.contains(neighbour) {
                    self.seen.insert(neighbour);
                    self.queue.push((neighbour, steps + 1));
                }
            }
        }
        let bytes = size_of_val(&self.queue[..]) + size_of_val(self.seen.words());
        self.peak_bytes = self.peak_bytes.max(bytes);
        found.into()
    }

    /// Depth-first search with an increasing limit; only the path is stored. At the time limit the current depth limit is
    /// returned: nothing nearer exists, so it is a lower bound.
    fn iterative_deepening(&mut self, board: &Board, from: Square, is_goal: impl Fn(Square) -> bool) -> u32 {
        for limit in 0..=board.len() {
            if self.depth_limited(board, from, limit, &is_goal) != Some(false) {
                return limit as u32;
            }
        }
        0
    }

    /// Whether a goal square is the end of a path of exactly `limit` steps; `None` at the time limit.
    fn depth_limited(
        &mut self,
        board: &Board,
        from: Square,
        limit: usize,
        is_goal: &impl Fn(Square) -> bool,
    ) -> Option<bool> {
        self.path.clear();
        self.path.push((from, 0));
        while let Some(&mut (square, ref mut next)) = self.path.last_mut() {
            self.steps_taken += 1;
            if self.steps_taken.is_multiple_of(1 << 16) && self.budget.is_over() {
                return None;
            }
            let direction = usize::from(*next);
            *next += 1;
            if direction == 0 {
                self.peak_bytes = self.peak_bytes.max(size_of_val(&self.path[..]));
                if self.path.len() - 1 == limit {
                    if is_goal(square) {
                        return Some(true);
                    }
                    self.path.pop();
                    continue;
                }
            }
            let Some(&direction) = Direction::ALL.get(direction) else {
                self.path.pop();
                continue;
            };
            let neighbour = board.neighbour(square, direction);
            if neighbour != NO_SQUARE && !self.path.iter().any(|&(on_path, _)| on_path == neighbour) {
                self.path.push((neighbour, 0));
            }
        }
        Some(false)
    }
}
