//! The lone-box bound: the moves that a box needs if it is alone, the player's walks round it included.
//!
//! Remove all other boxes and let this one go to any goal. The player's moves of a solution are still legal, because a
//! push of a removed box becomes a step, and they still bring the box to a goal. So a solution has at least as many moves
//! as the lone box needs: this is the projection onto one box, an abstraction heuristic. The maximum over all boxes is a
//! bound. Their sum is none, because one walk, or the pushes of one box, may serve several boxes at a time.

use crate::box_paths::BoxPaths;
use lurd_rules::dense::board::{DenseBoard, NONE, Side};
use lurd_rules::dense::set::Set;

/// Moves by the box's live square and the player's cell.
#[derive(Clone, Debug)]
pub(crate) struct LoneBound {
    cells: usize,
    moves: Vec<u16>,
}

/// No path to any goal.
const NEVER: u16 = u16::MAX;

impl LoneBound {
    /// Breadth-first search backwards from the box on any goal, the player on any other cell.
    pub(crate) fn new(board: &DenseBoard) -> Self {
        let (cells, live) = (board.cells(), board.live_count());
        let paths = BoxPaths::new(board);
        let steps = &board.way(Side::Forward).steps;
        let mut moves = vec![NEVER; live * cells];
        let mut layer = Vec::new();
        for &goal in board.goals() {
            for player in board.floor_cells().filter(|&cell| cell != board.cell(goal.into())) {
                moves[usize::from(goal) * cells + player] = 0;
                layer.push((usize::from(goal), player));
            }
        }
        let mut distance = 0;
        while !layer.is_empty() && distance + 1 < NEVER {
            distance += 1;
            for (square, player) in std::mem::take(&mut layer) {
                let mut visit = |square: usize, player: usize| {
                    let known = &mut moves[square * cells + player];
                    if *known == NEVER {
                        *known = distance;
                        layer.push((square, player));
                    }
                };
                for &next in &paths.next[4 * player..4 * player + 4] {
                    if next != NONE && usize::from(next) != board.cell(square) {
                        visit(square, next.into());
                    }
                }
                for arrival in (4 * square..4 * square + 4).filter(|&at| usize::from(board.beside(at)) == player) {
                    if let Some(push) = paths.push_to(arrival) {
                        visit(push / 4, steps[push].reach.into());
                    }
                }
            }
        }
        Self { cells, moves }
    }

    /// The maximum over the boxes.
    #[inline]
    pub(crate) fn bound<const L: usize>(&self, boxes: Set<L>, player: usize) -> i32 {
        let most = boxes.iter().map(|square| self.moves[square * self.cells + player]).max();
        i32::from(most.filter(|&moves| moves != NEVER).unwrap_or(0))
    }

    pub(crate) fn bytes(&self) -> usize {
        size_of_val(&self.moves[..])
    }
}
